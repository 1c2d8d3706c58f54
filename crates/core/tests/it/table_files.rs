//! Files of lookup tables: whole ones, damaged ones, and how they are made.

use std::error::Error;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use slidebench::lookup::{
    Description, Directory, FormatError, Header, Kind, TableError, TableFile, TableProblem, VALUES,
};
use slidebench::puzzle::Size;
use xxhash_rust::xxh3::xxh3_64;

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn description() -> Description {
    let mut histogram = [0; VALUES];
    histogram[..3].copy_from_slice(&[1, 2, 997]);
    Description {
        kind: Kind::Endgame { depth: 2 },
        size: size("4x4"),
        encoding: 7,
        entries: 1000,
        histogram,
        command: "slidebench pdb build endgame:4x4:2".to_owned(),
    }
}

fn payload() -> Vec<u8> {
    (0..1000u32).map(|n| (n * 7 % 251) as u8).collect()
}

/// A whole file.
fn file() -> Vec<u8> {
    let payload = payload();
    let header = Header::new(&description(), &payload);
    [&header.to_bytes()[..], &payload].concat()
}

/// A file whose header was written with a field so, checksum and all.
fn file_with(at: usize, field: &[u8]) -> Vec<u8> {
    let mut file = file();
    file[at..at + field.len()].copy_from_slice(field);
    let checksum = xxh3_64(&file[..4088]);
    file[4088..4096].copy_from_slice(&checksum.to_le_bytes());
    file
}

fn error(bytes: &[u8]) -> FormatError {
    TableFile::new(bytes).unwrap_err()
}

#[test]
fn a_file_says_what_it_was_made_of() {
    let file = file();
    let table = TableFile::new(&file[..]).unwrap();
    assert_eq!(table.header().table, description());
    assert_eq!(table.payload(), payload());
    assert_eq!(table.verify(), Ok(()));
    let same = table.expect(Kind::Endgame { depth: 2 }, size("4x4"));
    assert!(same.is_ok());
}

#[test]
fn a_long_command_is_cut_at_a_character() {
    let long = Description {
        command: "é".repeat(1600) + "x",
        ..description()
    };
    let header = Header::new(&long, &[]);
    let read = Header::from_bytes(&header.to_bytes()).unwrap();
    assert_eq!(read.table.command, "é".repeat(1500));
    let odd = Description {
        command: "x".to_owned() + &long.command,
        ..description()
    };
    let read = Header::from_bytes(&Header::new(&odd, &[]).to_bytes()).unwrap();
    assert_eq!(read.table.command.len(), 2999);
}

#[test]
fn every_length_but_its_own_is_refused() {
    let file = file();
    for len in 0..file.len() {
        let expected = match len {
            0..4096 => FormatError::NoHeader(len),
            _ => FormatError::Length {
                expected: 5096,
                found: len as u64,
            },
        };
        assert_eq!(error(&file[..len]), expected);
    }
    let longer = [&file[..], &[0]].concat();
    assert!(matches!(error(&longer), FormatError::Length { .. }));
}

#[test]
fn every_flipped_bit_is_found() {
    let file = file();
    for bit in 0..8 * file.len() {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        match bit / 8 {
            0..8 => assert_eq!(error(&damaged), FormatError::Magic),
            8..12 => assert!(matches!(error(&damaged), FormatError::Version(_))),
            12..4096 => assert_eq!(error(&damaged), FormatError::HeaderChecksum),
            _ => {
                let table = TableFile::new(damaged).unwrap();
                assert_eq!(table.verify(), Err(FormatError::PayloadChecksum));
            }
        }
    }
}

/// Large tables are read in and hashed in blocks, and the last one is a part of one.
#[test]
fn no_block_of_a_large_file_is_left_out() {
    let payload: Vec<u8> = (0..10u32 << 20).map(|n| (n * 7 % 251) as u8).collect();
    for length in [4 << 20, (4 << 20) + 1, 8 << 20, (9 << 20) + 4711] {
        let payload = &payload[..length];
        let header = Header::new(&description(), payload);
        let mut file = [&header.to_bytes()[..], payload].concat();
        assert_eq!(TableFile::new(&file[..]).unwrap().verify(), Ok(()));
        for at in (4096..file.len()).step_by(1 << 20).chain([file.len() - 1]) {
            file[at] ^= 16;
            let table = TableFile::new(&file[..]).unwrap();
            assert_eq!(table.verify(), Err(FormatError::PayloadChecksum), "{at}");
            file[at] ^= 16;
        }
    }
}

/// What another program could write: the checksum is right, what it covers is not.
#[test]
fn every_field_is_checked_by_itself() {
    let told = |at, field: &[u8]| error(&file_with(at, field)).to_string();
    assert_eq!(told(12, &[9]), "its header has an unknown kind, 9");
    assert_eq!(
        told(20, &[1]),
        "its header has no size of a board: 1x4 is too small; a board has at least 2 rows and 2 columns"
    );
    assert_eq!(
        told(20, &[200, 200]),
        "its header has no size of a board: 200x200 is too large; a board has at most 64 cells"
    );
    assert_eq!(
        told(22, &[1]),
        "it is for goal number 1; tables are for 'first', number 0, and serve every goal with the gap in a corner"
    );
    assert_eq!(
        told(28, &[0, 0, 1]),
        "its header has an unknown command length, 65536"
    );
    assert_eq!(
        told(1088, &[0xff]),
        "its header has an unknown command length, 34"
    );
    assert_eq!(
        told(41, &[0x20]),
        "its header has an unknown payload offset, 8192"
    );
    assert_eq!(
        told(48, &[0xff; 8]),
        "it has 5096 bytes where its header says 18446744073709551615"
    );
}

proptest! {
    #[test]
    fn no_bytes_are_a_reason_to_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0..4000usize
    ) {
        let _ = TableFile::new(&bytes[..]);
        let at = at.min(4088 - bytes.len());
        if let Ok(table) = TableFile::new(file_with(at, &bytes)) {
            let _ = table.verify();
        }
    }
}

fn never() -> bool {
    false
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_directory_finds_what_it_made() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("not/there/yet");
    let directory = Directory::new(&folder);
    let kind = Kind::Endgame { depth: 2 };
    assert!(directory.open(kind, size("4x4")).unwrap().is_none());
    assert!(directory.list().unwrap().is_empty());
    directory
        .check_room(kind, size("4x4"), 1000)
        .expect("a disk with room for a test");
    let path = directory
        .create(&description(), &payload(), &never)
        .unwrap();
    assert_eq!(path, folder.join("endgame-4x4-2.pdb"));
    assert_eq!(names(&folder), ["endgame-4x4-2.pdb"]);
    let table = directory.open(kind, size("4x4")).unwrap().unwrap();
    assert_eq!(table.payload(), payload());
    assert_eq!(directory.list().unwrap().len(), 1);
    // Made again while it is in use: the reader keeps what it opened.
    directory.create(&description(), &[], &never).unwrap();
    assert_eq!(table.verify(), Ok(()));
    let pattern = Kind::Patterns {
        tiles: 0b10_0011_0000,
    };
    let path = directory.path_of(pattern, size("4x4"));
    assert!(path.ends_with("pattern-4x4-4.5.9.pdb"));
}

#[test]
fn a_file_for_another_board_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::new(folder.path());
    let path = directory
        .create(&description(), &payload(), &never)
        .unwrap();
    let told = |kind, board: &str| {
        fs::copy(&path, directory.path_of(kind, size(board))).unwrap();
        directory.open(kind, size(board)).unwrap_err().to_string()
    };
    let deeper = told(Kind::Endgame { depth: 3 }, "4x4");
    let expected = "endgame-4x4-3.pdb: it holds the 4x4 endgame to depth 2, not the 4x4 endgame \
                    to depth 3";
    assert!(deeper.ends_with(expected), "{deeper}");
    let flat = told(Kind::Endgame { depth: 2 }, "2x8");
    assert!(flat.contains("not the 2x8 endgame to depth 2"), "{flat}");
    let pattern = told(Kind::Patterns { tiles: 6 }, "4x4");
    assert!(
        pattern.contains("not the 4x4 pattern of the tiles 1 2"),
        "{pattern}"
    );
}

#[test]
fn what_is_no_file_is_told_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::new(folder.path());
    let kind = Kind::Endgame { depth: 2 };
    let path = directory.path_of(kind, size("4x4"));
    let told = || directory.open(kind, size("4x4")).unwrap_err().to_string();

    fs::write(&path, "").unwrap();
    assert_eq!(
        told(),
        format!(
            "{}: it ends after 0 bytes, inside the header of 4096",
            path.display()
        )
    );
    fs::write(&path, "a text").unwrap();
    assert!(told().contains("it does not start like a table"));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let error = directory.open(kind, size("4x4")).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot read {}", path.display()));
    let cause = error.source().expect("the system says why");
    assert_eq!(cause.to_string(), "is a directory");
    assert_eq!(directory.list().unwrap().len(), 1);
}

/// What is wrong with opening a table as a user whom permissions bind. Root may read everything, so
/// on Linux the thread that opens it gives up that right first; no other thread loses it.
#[cfg(unix)]
fn error_without_rights(path: &Path) -> TableError {
    std::thread::scope(|threads| {
        let thread = threads.spawn(|| {
            // SAFETY: it takes a number, and changes as which user this one thread opens files.
            #[cfg(target_os = "linux")]
            unsafe {
                libc::setfsuid(65_534)
            };
            assert!(fs::File::open(path).is_err(), "permissions bind nobody");
            TableFile::open(path).err().unwrap()
        });
        thread.join().unwrap()
    })
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    let folder = tempfile::tempdir().unwrap();
    allow(folder.path(), 0o755).unwrap();
    let directory = Directory::new(folder.path());
    let path = directory
        .create(&description(), &payload(), &never)
        .unwrap();
    allow(&path, 0o000).unwrap();
    let error = error_without_rights(&path);
    assert!(matches!(error.problem, TableProblem::Read(_)), "{error}");
    assert_eq!(error.to_string(), format!("cannot read {}", path.display()));
    let cause = error.source().expect("the system says why").to_string();
    assert!(cause.contains("ermission denied"), "{cause}");
}

#[test]
fn leftovers_of_killed_builders_are_removed_and_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let of_the_dead = folder.path().join(".x.pdb.1-0.slidetab-part");
    let of_the_living = folder.path().join(".x.pdb.1-1.slidetab-part");
    fs::write(&of_the_dead, "half").unwrap();
    let living = fs::File::create(&of_the_living).unwrap();
    living.lock().unwrap();
    let directory = Directory::new(folder.path());
    directory
        .create(&description(), &payload(), &never)
        .unwrap();
    let left = [".x.pdb.1-1.slidetab-part", "endgame-4x4-2.pdb"];
    assert_eq!(names(folder.path()), left);
}

#[test]
fn a_build_that_is_not_wanted_any_more_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::new(folder.path());
    let error = directory
        .create(&description(), &payload(), &|| true)
        .unwrap_err();
    assert!(error.is_cancelled());
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_table_larger_than_the_disk_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::new(folder.path());
    let kind = Kind::Endgame { depth: 80 };
    let error = directory
        .check_room(kind, size("4x4"), u64::MAX)
        .unwrap_err();
    assert!(matches!(
        error,
        TableError {
            problem: TableProblem::NoRoom { .. },
            ..
        }
    ));
    assert!(error.to_string().contains("endgame-4x4-80.pdb"));
}

#[test]
fn builders_side_by_side_leave_one_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::new(folder.path());
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| {
                for _ in 0..5 {
                    directory
                        .create(&description(), &payload(), &never)
                        .unwrap();
                    let kind = Kind::Endgame { depth: 2 };
                    let table = directory.open(kind, size("4x4")).unwrap().unwrap();
                    assert_eq!(table.verify(), Ok(()));
                }
            });
        }
    });
    assert_eq!(names(folder.path()), ["endgame-4x4-2.pdb"]);
}
