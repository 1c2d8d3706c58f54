//! What estimates are worth: against whole spaces, and against published figures.

use slidebench::heuristic::{Estimate, Taxicab};
use slidebench::heuristic::{Eta, Etas, branching_factor, etas};
use slidebench::puzzle::{Board, Goal, Size};

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn measured(estimates: &[Estimate<'_>], size: Size, samples: u64) -> Etas {
    etas(estimates, size, samples, 1, &|| false).unwrap()
}

/// Of taxicab alone.
fn taxicab(size: Size, samples: u64) -> Eta {
    measured(&[Estimate::Taxicab], size, samples).etas[0]
}

/// The mean over all boards that can be solved, each made by the order of its tiles.
fn enumerated(size: Size) -> f64 {
    fn all(tiles: &mut Vec<u32>, at: usize, visit: &mut dyn FnMut(&[u32])) {
        if at == tiles.len() {
            return visit(tiles);
        }
        for other in at..tiles.len() {
            tiles.swap(at, other);
            all(tiles, at + 1, visit);
            tiles.swap(at, other);
        }
    }
    let branching = branching_factor(size);
    let (mut sum, mut count) = (0.0, 0);
    let mut tiles: Vec<u32> = (0..size.cells() as u32).collect();
    all(&mut tiles, 0, &mut |tiles| {
        let board = Board::new(size, tiles).unwrap();
        if board.is_solvable(Goal::First) {
            sum += branching.powi(-(Taxicab::of(&board, Goal::First) as i32));
            count += 1;
        }
    });
    sum / f64::from(count)
}

/// Edelkamp and Korf (1998): the 8-, 15- and 24-puzzle without returns.
#[test]
fn branching_factors_are_the_published_ones() {
    for (text, published) in [("3x3", 1.7321), ("4x4", 2.1304), ("5x5", 2.3676)] {
        let found = branching_factor(size(text));
        assert!((found - published).abs() < 5e-5, "{text}: {found}");
    }
}

#[test]
fn a_small_space_is_counted_whole() {
    let size = size("3x3");
    let found = measured(&[Estimate::Taxicab], size, 1000);
    let (eta, expected) = (found.etas[0], enumerated(size));
    assert!(
        (eta.mean / expected - 1.0).abs() < 1e-9,
        "{eta:?}, {expected}"
    );
    assert_eq!((eta.error, found.draws.len()), (0.0, 0));
    assert_eq!((found.near, found.near_states), (31, 181_440));
}

/// A space that is drawn from, and small enough to be counted here.
#[test]
fn samples_tell_what_the_whole_space_does() {
    let size = size("2x5");
    let (found, expected) = (taxicab(size, 20_000), enumerated(size));
    assert!(
        found.error > 0.0 && found.error < 0.03 * expected,
        "{found:?}"
    );
    assert!(
        (found.mean - expected).abs() < 4.0 * found.error,
        "{found:?}, {expected}"
    );
}

/// Clausecker and Schintke (2021): 1.00e-19 for taxicab on 5x5.
#[test]
fn taxicab_on_5x5_has_the_published_eta() {
    let found = taxicab(size("5x5"), 20_000);
    assert!(found.error < 0.02e-19, "{found:?}");
    let rounding = 0.005e-19;
    assert!(
        (found.mean - 1.00e-19).abs() < 4.0 * found.error + rounding,
        "{found:?}"
    );
}

/// Any number of threads draws the same states.
#[test]
fn threads_change_nothing() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            measured(
                &[Estimate::LinearConflict, Estimate::Taxicab],
                size("4x4"),
                3000,
            )
        })
    };
    assert_eq!(on(1), on(3));
}
