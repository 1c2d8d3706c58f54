//! What helps against a damaged table: the command that builds it again, for the folder in use.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use clap::Parser;

use super::patterns::collection;
use super::wanted::Wanted;
use crate::cmd::args::tables::folder_flag;
use crate::cmd::{Cli, Command};
use crate::lookup::{Collection, Directory, Header, Kind, Pattern};
use crate::puzzle::Size;

/// What to do about a file that should be a table. Its name says which one; the header, where that
/// is whole, from which partition it was built.
pub fn advice(path: &Path) -> String {
    let header = header(path);
    let named = path.file_stem().and_then(OsStr::to_str);
    let held = header.as_ref().map(|it| (it.table.kind, it.table.size));
    let Some((kind, size)) = named.and_then(Directory::named).or(held) else {
        return "no table has this name; move it out of the folder".to_owned();
    };
    let what = match kind {
        Kind::Endgame { depth } => format!("endgame:{size}:{depth}"),
        Kind::Walking => format!("wd:{size}"),
        Kind::Patterns { tiles } => match partition_with(size, tiles, header.as_ref()) {
            Some(partition) => format!("{size}:{partition}"),
            None => {
                let tiles: Vec<String> = kind.tiles().iter().map(u32::to_string).collect();
                return format!(
                    "build it again: slidebench pdb build {size}:PARTITION{}, with a partition that \
                     has the pattern {}",
                    flags(path, kind, size),
                    tiles.join(".")
                );
            }
        },
    };
    let flags = flags(path, kind, size);
    format!("build it again: slidebench pdb build {what}{flags}")
}

/// The flags that lead a build to the file's folder, and past a file that is no table.
fn flags(path: &Path, kind: Kind, size: Size) -> String {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let is_foreign = Directory::new(folder).refuse_foreign(kind, size).is_err();
    let force = if is_foreign { " --force" } else { "" };
    folder_flag(folder) + force
}

fn header(path: &Path) -> Option<Header> {
    let mut page = Vec::new();
    let file = File::open(path).ok()?;
    file.take(Header::LEN as u64).read_to_end(&mut page).ok()?;
    Header::from_bytes(&page).ok()
}

/// A partition, or a collection, that has the pattern: the one that it was built from, or one with
/// a name.
fn partition_with(size: Size, tiles: u32, header: Option<&Header>) -> Option<Collection> {
    let pattern = Pattern::new(size, tiles)?;
    let named = Collection::names(size).filter_map(|name| Collection::parse(name, size).ok());
    let mut known = header.and_then(built_from).into_iter().chain(named);
    known.find(|it| it.size() == size && it.patterns().contains(&pattern))
}

/// What the command in a header built; a partition file is read again where it is there.
fn built_from(header: &Header) -> Option<Collection> {
    let words = header.table.command.split(' ');
    let Command::Pdb(args) = Cli::try_parse_from(words).ok()?.command else {
        return None;
    };
    let super::Command::Build(args) = args.command else {
        return None;
    };
    match &args.wanted {
        Wanted::Patterns(wanted) if args.tables.can_be_read_again() => {
            collection(wanted, &args.tables).ok()
        }
        _ => None,
    }
}
