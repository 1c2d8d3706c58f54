//! Tests of boards, tables, heuristics and searches: a module for each part, beside what several of them
//! share. They are optimised as what they test.

mod astar;
mod astar_idastar;
mod bidirectional;
mod boards;
mod by_rows;
mod conflicts;
mod consistency;
mod costed;
mod dijkstra;
mod distances;
mod endgame;
mod endgames;
mod engines;
mod estimates;
mod eta;
mod heuristics;
mod metric;
mod open_lists;
mod optimal;
mod other_end;
mod own_heuristics;
mod patterns;
mod published;
mod resumed;
mod reverse;
mod searches;
mod solved_by_rows;
mod split;
mod suboptimal;
mod table_files;
mod thresholds;
mod tile_costs;
mod units;
mod walks;
