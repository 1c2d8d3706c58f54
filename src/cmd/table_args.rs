//! Where tables are, as flags.

use std::path::PathBuf;

use anyhow::Context;
use slidebench::heuristic::Tables;
use slidebench::lookup::Directory;

/// The folder of tables, and partitions of the user's own.
#[derive(clap::Args)]
pub struct TableArgs {
    /// The folder of lookup tables.
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = "pdb",
        env = "SLIDEBENCH_PDB_DIR"
    )]
    pdb_dir: PathBuf,

    /// A partition drawn in this file, for -H pdb:NAME with the file's name without its ending.
    #[arg(long, value_name = "FILE")]
    partition_file: Option<PathBuf>,
}

impl TableArgs {
    pub fn directory(&self) -> Directory {
        Directory::new(&self.pdb_dir)
    }

    pub fn tables(&self) -> anyhow::Result<Tables> {
        let mut tables = Tables::new(self.directory());
        if let Some(file) = &self.partition_file {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read the partition file {}", file.display()))?;
            let name = file.file_stem().unwrap_or_default();
            tables.define(name.to_string_lossy().into_owned(), text);
        }
        Ok(tables)
    }
}
