//! A* over any moves, with a heap.

use super::{Query, Step, Variant, trace_back};
use crate::puzzle::{Cost, Move, Packed, Word};
use crate::search::store::{Heap, Seen};
use crate::search::{Meter, Stop};

/// A state that waits: the least f comes first, and of these the largest g. The rest of the order
/// makes runs repeatable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OpenNode<W> {
    f: u64,
    h: u64,
    insertion: u64,
    cells: W,
    gap: u8,
}

/// How a state was reached on the cheapest path so far.
#[derive(Clone, Copy)]
struct Reached {
    g: u64,
    depth: u32,
    last: Option<Step>,
}

/// The estimate is consistent, so a state that is expanded has the least g that it can have.
pub(super) fn search<W: Word, V: Variant<W>>(
    query: &Query<'_, W, V>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let unit = query.variant.widest().map_or(1, |_| Cost::SCALE);
    let whole = |f: u64| (f / unit) as u32;
    let mut open = Heap::default();
    let mut reached: Seen<W, Reached> = Seen::default();
    let h = query.estimate(query.variant.start(query.start));
    let root = OpenNode {
        f: h,
        h,
        insertion: 0,
        cells: query.start.cells,
        gap: query.start.gap,
    };
    open.push(root, meter)?;
    reached.insert(
        root.cells,
        Reached {
            g: 0,
            depth: 0,
            last: None,
        },
        meter,
    )?;
    while let Some(node) = open.pop() {
        let OpenNode {
            f, h, cells, gap, ..
        } = node;
        let (state, g) = (Packed { cells, gap }, f - h);
        let best = reached.get(&cells).filter(|best| best.g == g);
        // A place in the heap that a cheaper path has made void.
        let Some(Reached { last, depth, .. }) = best else {
            continue;
        };
        if state == query.goal {
            let reached_by = |state: Packed<W>| reached.get(&state.cells)?.last;
            return Ok(trace_back(state, query.grid, reached_by));
        }
        meter.threshold(whole(f));
        meter.expand()?;
        for child in query.children((state, query.variant.start(state)), last) {
            meter.stats.generated += 1;
            let (g, depth, last) = (g + child.cost, depth + 1, Some(child.step));
            let now = Reached { g, depth, last };
            let cells = child.state.cells;
            match reached.get(&cells) {
                Some(before) if before.g <= g => continue,
                Some(_) => reached.renote(&cells, now),
                None => {
                    reached.insert(cells, now, meter)?;
                }
            }
            let h = query.estimate(child.carried);
            let waiting = OpenNode {
                f: g + h,
                h,
                insertion: meter.stats.generated,
                cells,
                gap: child.state.gap,
            };
            open.push(waiting, meter)?;
            meter.depth(depth);
        }
        meter.stats.stored = reached.len() as u64;
        meter.frontier(open.len());
    }
    unreachable!("a problem is solvable")
}
