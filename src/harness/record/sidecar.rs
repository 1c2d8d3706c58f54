//! The sidecar of a file of rows: what made it, on what machine, when.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::journal::MOST_BYTES;
use super::plan_record::PlanRecord;
use super::shard::Shard;
use super::solver_record::SolverRecord;
use super::table_record::TableRecord;
use crate::sys::atomic_file::{write_whole, write_whole_ahead};
use crate::sys::machine;

/// What is written beside the rows; a session for each time that the file was opened.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Sidecar {
    /// In the order of their start.
    pub sessions: Vec<Session>,
}

/// A file that should be a sidecar.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path} is no sidecar of a run, and is left as it is: {problem}", path = .path.display())]
pub struct SidecarError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
}

/// One process that wrote rows.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// What the user typed.
    pub command: Vec<String>,
    /// Of the program.
    pub version: String,
    /// Of its sources.
    pub revision: String,
    /// What compiled it.
    pub rustc: String,
    /// The processor's name.
    pub cpu: String,
    /// Threads that run at one time.
    pub cores: usize,
    /// Of the machine.
    pub memory_bytes: Option<u64>,
    /// The system's name and release.
    pub os: String,
    /// What was run.
    pub suites: Vec<String>,
    /// How, as rows name it.
    pub configurations: Vec<String>,
    /// The engines and the pruning of IDA*, as asked for.
    pub engines: Vec<String>,
    /// Prunings that were asked for.
    pub prunes: Vec<String>,
    /// Programs of others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub solvers: Vec<SolverRecord>,
    /// What holds the processes of each of them together and limits their memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub containment: Option<String>,
    /// How often each run.
    pub repeat: u32,
    /// Unrecorded runs before the first.
    pub warmup: u32,
    /// Runs side by side.
    pub jobs: usize,
    /// What shuffled them.
    pub seed: Option<u64>,
    /// Of each run.
    pub time_limit_ns: Option<u64>,
    /// Of each run.
    pub node_limit: Option<u64>,
    /// What was asked for, which runs side by side share; otherwise the share of each in what was free.
    pub mem_limit_bytes: Option<u64>,
    /// Of all runs.
    pub total_time_ns: Option<u64>,
    /// Lookup tables that were read, with their checksums, and the time to open or build them.
    pub tables: Vec<TableRecord>,
    /// To open or build them.
    pub table_time_ns: u64,
    /// In UTC.
    pub started_at: String,
    /// Missing where the process was killed.
    pub ended_at: Option<String>,
    /// Where the process ran a part of a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardRecord>,
}

/// Which part of which plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShardRecord {
    /// Which part.
    #[serde(flatten)]
    pub shard: Shard,
    /// How many different runs the part has.
    pub runs: usize,
    /// The limit that was asked for; without one it is what the machine has.
    pub asked_mem_limit_bytes: Option<u64>,
    /// Of which plan.
    pub plan: PlanRecord,
}

impl Session {
    /// A session that starts now on this machine; what it runs is the caller's to fill in.
    pub fn start(command: Vec<String>) -> Session {
        Session {
            command,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: env!("SLIDEBENCH_REVISION").to_owned(),
            rustc: env!("SLIDEBENCH_RUSTC").to_owned(),
            cpu: machine::cpu_model().to_owned(),
            cores: machine::cores(),
            memory_bytes: machine::total_memory(),
            os: machine::os(),
            started_at: now(),
            ..Session::default()
        }
    }
}

fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}

impl Sidecar {
    /// Where the sidecar of a file of rows is: that of `runs.csv` is `runs.meta.json`. Any other
    /// name is kept whole, so that no two files have one sidecar: `night.1.meta.json`.
    pub fn path(rows: &Path) -> PathBuf {
        match rows.extension() {
            Some(ending) if ending == "csv" => rows.with_extension("meta.json"),
            _ => rows.with_added_extension("meta.json"),
        }
    }

    /// The sidecar of a file that is gone on with, or an empty one where there is none: the rows
    /// are what counts.
    pub fn read(path: &Path) -> Result<Sidecar, SidecarError> {
        let text = fs::File::open(path).and_then(|file| {
            let mut text = String::new();
            let length = file.metadata()?.len();
            // A long one is not held to be refused.
            if length <= MOST_BYTES {
                file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
            }
            Ok((length.max(text.len() as u64), text))
        });
        let problem = match text {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Sidecar::default()),
            Err(error) => error.to_string(),
            Ok((0, _)) => return Ok(Sidecar::default()),
            Ok((length, _)) if length > MOST_BYTES => {
                format!("it has more than {}", bytesize::ByteSize(MOST_BYTES))
            }
            Ok((_, text)) => match serde_json::from_str(&text) {
                Ok(sidecar) => return Ok(sidecar),
                Err(error) => error.to_string(),
            },
        };
        let path = path.to_owned();
        Err(SidecarError { path, problem })
    }

    /// Notes that the last session ends now.
    pub fn end(&mut self) {
        if let Some(session) = self.sessions.last_mut() {
            session.ended_at = Some(now());
        }
    }

    /// Writes the sidecar whole: a crash leaves the old one or the new one.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &self.text()?)
    }

    /// The same at the start of a session: the disk has it a moment later, and nobody waits.
    pub fn write_ahead(&self, path: &Path) -> io::Result<()> {
        let file = write_whole_ahead(path, &self.text()?)?;
        thread::spawn(move || file.sync_data());
        Ok(())
    }

    fn text(&self) -> io::Result<String> {
        Ok(serde_json::to_string_pretty(self).map_err(io::Error::other)? + "\n")
    }
}
