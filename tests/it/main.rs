//! All tests but the slow ones, in one program: a module for each part of slidebench, beside what
//! several of them share.

mod astar;
mod boards;
mod browser;
mod command;
mod compare;
mod consistency;
mod course;
mod endgame;
mod engines;
mod estimate;
mod estimates;
mod heuristics;
mod imports;
mod instances;
mod memory;
mod merge;
mod own_heuristics;
mod pages;
mod patterns;
mod pdb;
mod published;
mod report;
mod report_files;
mod rows;
mod run;
mod schema;
mod searches;
mod shard;
mod solve;
mod split;
mod suites;
mod table_files;
mod trust;
mod walks;
mod whole_tables;
