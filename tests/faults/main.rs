//! What must not happen, tried at random: processes are killed, files cut off and damaged, disks
//! full, two writers at one file, and every parser reads what strangers may write.
//!
//! `SLIDEBENCH_FAULTS_SEED` (1) and `SLIDEBENCH_FAULTS_SECONDS` (20) say where the faults begin and
//! how long they go on, `SLIDEBENCH_FUZZ_INPUTS` how many inputs the parsers get, `SLIDEBENCH_KILLS` how
//! often a harness is killed while programs of others run. `scripts/faults`
//! and `scripts/fuzz` run them for long.

#[path = "../it/command.rs"]
mod command;
mod damage;
mod full_disk;
mod fuzz;
mod kills;
mod programs;
mod races;
mod steps;
