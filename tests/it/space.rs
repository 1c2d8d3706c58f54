//! Whole spaces: counts against published ones, hardest boards against a plain search.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use slidebench::harness::suite::{Asked, parse_suite};
use slidebench::puzzle::{Board, Goal, Metric, Move, Size};
use slidebench::space::{
    Space, SpaceControl, SpaceError, SpaceEvent, SpacePlan, counts_text, explore, parse_counts,
    radius, remove_files,
};

use super::command::run;
use super::space_counts::published;

#[test]
fn what_the_command_says() {
    trycmd::TestCases::new().case("tests/cmd/space/*.trycmd");
}

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn explored(size: Size, metric: Metric, threads: usize) -> Space {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let explore = || explore(size, metric, None, SpaceControl::default());
    pool.unwrap().install(explore).unwrap()
}

#[test]
fn counts_are_the_published_ones() {
    for text in ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "2x5", "5x2"] {
        for metric in Metric::ALL {
            let space = explored(size(text), metric, 2);
            let published = published(space.size, metric);
            assert_eq!(space.counts, published, "{text} {metric}");
            assert_eq!(radius(space.size, metric), Some(space.radius()));
            let farthest = *published.last().unwrap() as usize;
            assert_eq!(space.farthest.len(), farthest, "{text} {metric}");
        }
    }
}

/// Every board's distance, by plain boards and a map.
fn distances(size: Size, metric: Metric) -> HashMap<Board, usize> {
    let goal = Board::solved(size, Goal::First);
    let mut distances = HashMap::from([(goal, 0)]);
    let (mut layer, mut depth) = (vec![goal], 0);
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for board in layer {
            for mv in Move::ALL {
                let mut at = board;
                while let Some(after) = at.after(mv) {
                    distances.entry(after).or_insert_with(|| {
                        next.push(after);
                        depth
                    });
                    at = after;
                    if metric == Metric::Single {
                        break;
                    }
                }
            }
        }
        layer = next;
    }
    distances
}

#[test]
fn the_hardest_boards_are_those_of_a_plain_search() {
    for text in ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3"] {
        for metric in Metric::ALL {
            let size = size(text);
            let space = explored(size, metric, 1);
            let mut hardest: Vec<Board> = distances(size, metric)
                .into_iter()
                .filter(|&(_, distance)| distance == space.radius())
                .map(|(board, _)| board)
                .collect();
            hardest.sort_unstable_by(|a, b| a.tiles().cmp(b.tiles()));
            assert_eq!(space.farthest, hardest, "{text} {metric}");
        }
    }
}

#[test]
fn all_numbers_of_threads_agree() {
    for metric in Metric::ALL {
        let one = explored(size("2x5"), metric, 1);
        for threads in [2, 3] {
            assert_eq!(explored(size("2x5"), metric, threads), one, "{threads}");
        }
    }
}

/// Explores in a folder until so many groups of chunks are done; whether it was stopped.
fn explored_until(folder: &Path, size: Size, metric: Metric, groups: usize) -> Option<Space> {
    let cancel = AtomicBool::new(groups == 0);
    let left = std::sync::atomic::AtomicUsize::new(groups);
    let listener = |event| {
        if let SpaceEvent::Layer { .. } = event
            && left.fetch_sub(1, Relaxed) == 1
        {
            cancel.store(true, Relaxed);
        }
    };
    let control = SpaceControl {
        cancel: Some(&cancel),
        listener: Some(&listener),
    };
    match explore(size, metric, Some(folder), control) {
        Ok(space) => Some(space),
        Err(SpaceError::Cancelled) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn what_was_stopped_anywhere_goes_on() {
    for metric in Metric::ALL {
        let folder = tempfile::tempdir().unwrap();
        let size = size("2x5");
        let whole = explored(size, metric, 2);
        // Stopped again and again, each time after another number of passes.
        let mut stops = 0;
        let space = loop {
            stops += 1;
            assert!(stops < 1000);
            if let Some(space) = explored_until(folder.path(), size, metric, stops % 7 + 1) {
                break space;
            }
        };
        assert!(stops > 5, "{stops}");
        assert_eq!(space, whole, "{metric}");
        // The same once more, from what is left.
        let again = explore(size, metric, Some(folder.path()), SpaceControl::default());
        assert_eq!(again.unwrap(), whole);
        remove_files(folder.path(), size, metric).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn files_of_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (size, metric) = (size("2x4"), Metric::Single);
    let explore = || explore(size, metric, Some(folder.path()), SpaceControl::default());
    let journal = folder.path().join("space-2x4-single.journal");
    fs::write(&journal, "{}").unwrap();
    assert!(matches!(explore(), Err(SpaceError::Foreign(_))));
    fs::remove_file(&journal).unwrap();
    explore().unwrap();
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replace("2x4", "2x3")).unwrap();
    assert!(matches!(explore(), Err(SpaceError::Foreign(_))));
    fs::write(&journal, text).unwrap();
    let bits = folder.path().join("space-2x4-single.0.bits");
    fs::OpenOptions::new()
        .write(true)
        .open(bits)
        .unwrap()
        .set_len(8)
        .unwrap();
    assert!(matches!(explore(), Err(SpaceError::File { .. })));
    let lock = fs::File::create(folder.path().join("space-2x4-single.lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(explore(), Err(SpaceError::Locked(_))));
}

#[test]
fn plans_are_what_bitmaps_take() {
    let plan = |text, metric| SpacePlan::new(size(text), metric);
    let seven = plan("2x7", Metric::Single);
    assert_eq!(seven.states, 43_589_145_600);
    // A bit for each state, and 4 of 64 bits that are empty.
    assert_eq!(seven.bitmaps, 43_589_145_600 / 60 * 8);
    for metric in Metric::ALL {
        assert!(plan("2x7", metric).memory() < 12 << 30, "{metric}");
        assert!(plan("5x5", metric).memory() > 1 << 70, "{metric}");
        // What is on the disk is what was planned.
        let folder = tempfile::tempdir().unwrap();
        let made = explore(
            size("2x5"),
            metric,
            Some(folder.path()),
            SpaceControl::default(),
        );
        made.unwrap();
        let files = fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
        let bits = files.filter(|it| it.path().extension().is_some_and(|it| it == "bits"));
        let bytes: u64 = bits.map(|it| it.metadata().unwrap().len()).sum();
        assert_eq!(u128::from(bytes), plan("2x5", metric).bitmaps, "{metric}");
    }
    let large = explore(size("5x5"), Metric::Single, None, SpaceControl::default());
    assert!(matches!(large, Err(SpaceError::TooLarge(_))));
}

#[test]
fn layers_are_written_and_read() {
    let mut text = "# a comment\n".to_owned();
    text += &counts_text(&explored(size("2x3"), Metric::Single, 1));
    let layers = parse_counts(&text).unwrap();
    assert_eq!(layers.len(), 22);
    for (wrong, problem) in [
        ("", "1: '' is not the header size,metric,depth,count"),
        (
            "a,b\n",
            "1: 'a,b' is not the header size,metric,depth,count",
        ),
        (
            "size,metric,depth,count\n\n2x3,single,1\n",
            "3: '2x3,single,1' is not a layer; expected size,metric,depth,count",
        ),
        (
            "size,metric,depth,count\n2x3,single,1,x\n",
            "2: 'x' is not a number",
        ),
        (
            "size,metric,depth,count\n2x3,all,1,1\n",
            "2: 'all' is not a metric; write single (one tile a move) or multi (a row of tiles a move)",
        ),
    ] {
        assert_eq!(parse_counts(wrong).unwrap_err().to_string(), problem);
    }
}

#[test]
fn the_command_prints_layers_and_writes_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (metric, boards, optimal) in [("single", 1, 36), ("multi", 8, 25)] {
        let arguments = format!("space 2x4 --metric {metric} --format csv -o {metric}.csv --dir .");
        let done = run(folder, &arguments);
        assert!(done.status.success(), "{done:?}");
        assert!(done.stderr.is_empty(), "{done:?}");
        let layers = String::from_utf8(done.stdout).unwrap();
        let metric_of = metric.parse().unwrap();
        let space = explored(size("2x4"), metric_of, 2);
        assert_eq!(layers, counts_text(&space));
        let suite = fs::read(folder.join(format!("{metric}.csv"))).unwrap();
        let suite = parse_suite(metric, &suite, Asked::default()).unwrap();
        assert_eq!((suite.goal, suite.metric), (Goal::First, metric_of));
        assert_eq!(suite.instances.len(), boards);
        for (instance, board) in suite.instances.iter().zip(&space.farthest) {
            assert_eq!((instance.board, instance.optimal), (*board, Some(optimal)));
        }
    }
    let left: Vec<_> = fs::read_dir(folder).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
