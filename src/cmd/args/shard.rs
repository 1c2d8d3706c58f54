//! The part of a plan that this process runs: named by a flag, or by Slurm.

use std::path::{Path, PathBuf};

use crate::cmd::terminal::message;
use crate::cmd::{UsageError, advice};
use crate::harness::cluster::slurm_shard;
use crate::harness::record::Shard;

#[derive(clap::Args)]
pub struct ShardArgs {
    /// Run part I of N of the plan, into a file of its own: -o all.csv becomes
    /// all.shard-I-of-N.csv. A part that was begun goes on. In a Slurm array the task is the
    /// part, unless this says otherwise.
    #[arg(long, value_name = "I/N", requires = "output")]
    shard: Option<Shard>,
}

impl ShardArgs {
    /// The shard that was named, or that this task of a Slurm array is; that is told.
    pub fn shard(&self, has_output: bool) -> Result<Option<Shard>, UsageError> {
        if self.shard.is_some() {
            return Ok(self.shard);
        }
        let by_slurm = slurm_shard(|name| std::env::var(name).ok());
        let by_slurm = by_slurm.map_err(|error| advice::of_slurm(&error))?;
        if let Some(shard) = by_slurm {
            if !has_output {
                let message = "a task of a Slurm array needs -o FILE, to find its rows again \
                            (or --shard 1/1, to run everything)";
                return Err(UsageError(message.to_owned()));
            }
            message::tell(&format!("shard {shard}, by SLURM_ARRAY_TASK_ID"));
        }
        Ok(by_slurm)
    }
}

/// The file of a shard. Stdout, pipes and devices are what they are.
pub fn file_of(shard: Option<Shard>, path: &Path) -> PathBuf {
    let is_stream = path == Path::new("-") || path.exists() && !path.is_file();
    match shard {
        Some(shard) if !is_stream => shard.file(path),
        _ => path.to_owned(),
    }
}
