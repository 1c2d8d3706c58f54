//! `slidebench pdb`: lookup tables, planned, built, listed, verified and compared.

pub mod again;
mod endgame;
mod eta;
mod info;
mod making;
mod patterns;
mod walking;
mod wanted;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use clap::Subcommand;

use super::{Exit, UsageError, advice};
use crate::cmd::args::tables::TableArgs;
use crate::cmd::examples;
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::print;
use crate::cmd::terminal::progress::When;
use crate::lookup::{Directory, Header, Listed, TableFile};
use info::lines;
use wanted::Wanted;

/// Plan, build, list, verify and compare lookup tables.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say what a table will take, before anything is built; the memory is that of the whole
    /// process.
    Plan {
        /// A partition (7-8, 5x5:6-6-6-6, .ABB/AABB/AABB/AABB, or the name of a partition file),
        /// endgame:SIZE:DEPTH, for example endgame:4x4:22, or wd:SIZE, for example wd:5x5.
        #[arg(value_name = "TABLE")]
        wanted: Wanted,
        #[command(flatten)]
        tables: TableArgs,
    },
    Build(BuildArgs),
    /// List the tables of the folder.
    List {
        #[command(flatten)]
        tables: TableArgs,
    },
    /// Say what a table holds, from its header, with a histogram of its values.
    Info {
        /// A table's file, or its name in the folder, for example endgame-4x4-22.
        #[arg(required = true, value_name = "FILE|NAME")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        tables: TableArgs,
    },
    Eta(eta::Args),
    /// Read whole tables and compare their checksums.
    Verify {
        /// Files, or names in the folder; without any, all tables of the folder.
        #[arg(value_name = "FILE|NAME")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        tables: TableArgs,
    },
}

/// Build a table into the folder.
#[derive(clap::Args)]
#[command(after_help = examples::PDB_BUILD)]
struct BuildArgs {
    /// A partition (7-8, 5x5:6-6-6-6, .ABB/AABB/AABB/AABB, or the name of a partition file),
    /// endgame:SIZE:DEPTH, for example endgame:4x4:22, endgame:SIZE with --seconds, or wd:SIZE,
    /// for example wd:5x5.
    #[arg(value_name = "TABLE")]
    wanted: Wanted,

    /// Build an endgame as deep as this many seconds allow.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,

    /// Threads, by default one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Build it again if it is there, in place of any file of its name.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    tables: TableArgs,

    /// When to show what the build is doing.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    progress: When,
}

impl BuildArgs {
    fn seconds(&self) -> Option<Duration> {
        self.seconds.map(Duration::from_secs)
    }

    /// For tables that have no depth.
    fn refuse_seconds(&self) -> Result<(), UsageError> {
        match self.seconds {
            Some(_) => Err(UsageError(
                "--seconds goes with endgame:SIZE only".to_owned(),
            )),
            None => Ok(()),
        }
    }
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    match &args.command {
        Command::Plan { wanted, tables } => match wanted {
            Wanted::Endgame(endgame) => endgame::plan(endgame, &tables.directory()),
            Wanted::Patterns(patterns) => patterns::plan(patterns, tables),
            Wanted::Walking(size) => walking::plan(*size, &tables.directory()),
        },
        Command::Build(args) => {
            let threads = args.threads.unwrap_or(0).into();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build()?.install(|| match &args.wanted {
                Wanted::Endgame(endgame) => endgame::build(endgame, args),
                Wanted::Patterns(patterns) => patterns::build(patterns, args),
                Wanted::Walking(size) => walking::build(*size, args),
            })
        }
        Command::List { tables } => list(&tables.directory()),
        Command::Info { files, tables } => info(files, &tables.directory()),
        Command::Eta(args) => eta::run(args),
        Command::Verify { files, tables } => verify(files, &tables.directory()),
    }
}

/// A line for each table, and on stderr one for each file that is none.
fn list(directory: &Directory) -> anyhow::Result<Exit> {
    let mut is_whole = true;
    for file in &listed(directory)? {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        match &file.table {
            Ok(table) => {
                let header = table.header();
                let bytes = ByteSize(header.payload_len);
                let (size, kind) = (header.table.size, header.table.kind);
                let entries = header.table.entries;
                print(&format!(
                    "{name:<32} {size} {kind}, {entries} entries, {bytes}\n"
                ))?;
                tell_of_another_name(&file.path, header);
            }
            Err(error) => {
                is_whole = false;
                message::tell(&advice::of_table(error));
            }
        }
    }
    match is_whole {
        true => Ok(Exit::Done),
        false => anyhow::bail!(
            "not every file of {} is a table",
            directory.path().display()
        ),
    }
}

/// The files of the folder; says so if there is none.
fn listed(directory: &Directory) -> anyhow::Result<Vec<Listed>> {
    let listed = directory.list().map_err(advice::of_failed_table)?;
    if listed.is_empty() {
        let folder = directory.path().display();
        message::tell(&format!(
            "there is no table in {folder}; slidebench pdb build makes one"
        ));
    }
    Ok(listed)
}

/// A table under another name is not found when it is looked for.
fn tell_of_another_name(path: &Path, header: &Header) {
    let name = Directory::name_of(header.table.kind, header.table.size);
    if path.file_stem() != Some(OsStr::new(&name)) {
        let table = &header.table;
        let is_there = path.with_file_name(format!("{name}.pdb")).exists();
        let mend = if is_there { "delete" } else { "rename" };
        message::tell(&format!(
            "{} holds the {} {}, which is looked for as {name}; {mend} it",
            path.display(),
            table.size,
            table.kind
        ));
    }
}

fn info(files: &[PathBuf], directory: &Directory) -> anyhow::Result<Exit> {
    for file in files {
        let path = find(file, directory)?;
        let table = TableFile::open(&path).map_err(advice::of_failed_table)?;
        print(&lines(&path, table.header()))?;
    }
    Ok(Exit::Done)
}

fn verify(files: &[PathBuf], directory: &Directory) -> anyhow::Result<Exit> {
    let paths: Vec<PathBuf> = match files {
        [] => listed(directory)?
            .into_iter()
            .map(|file| file.path)
            .collect(),
        files => {
            let found = files.iter().map(|file| find(file, directory));
            found.collect::<Result<_, _>>()?
        }
    };
    let mut damaged = 0;
    for path in &paths {
        match TableFile::open_verified(path) {
            Ok(table) => {
                let bytes = ByteSize(table.header().payload_len);
                print(&format!("{}: whole, {bytes}\n", path.display()))?;
                if files.is_empty() {
                    tell_of_another_name(path, table.header());
                }
            }
            Err(error) => {
                damaged += 1;
                message::tell(&advice::of_table(&error));
            }
        }
    }
    match damaged {
        0 => Ok(Exit::Done),
        _ => anyhow::bail!("{damaged} of {} tables cannot be used", paths.len()),
    }
}

/// A file by its path, or by its name in the folder with or without the ending.
fn find(file: &Path, directory: &Directory) -> Result<PathBuf, UsageError> {
    let named = directory.path().join(file);
    let ended = named.with_file_name(format!(
        "{}.pdb",
        named.file_name().unwrap_or_default().to_string_lossy()
    ));
    let candidates = [file.to_owned(), named, ended];
    let found = candidates.into_iter().find(|path| path.exists());
    found.ok_or_else(|| {
        let folder = directory.path().display();
        UsageError(format!(
            "there is no table {} here or in {folder}; see slidebench pdb list",
            file.display()
        ))
    })
}
