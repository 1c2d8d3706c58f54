//! Where every step leads, for abstract boards that are few enough to list.

use super::numbering::Numbering;

/// The steps between the tallies of one axis. A tally goes by its offset, the number of its first
/// step, so that a step is one look-up.
#[derive(Debug)]
pub struct StepTable {
    /// For each slot of each tally, the offset of the tally it leads to, shifted by one bit that
    /// says whether that is farther from the goal.
    steps: Vec<u32>,
    /// By number.
    distances: Vec<u8>,
    lines: usize,
}

impl StepTable {
    /// Lists all steps, breadth-first from the goal.
    pub(super) fn new(numbering: &Numbering) -> StepTable {
        let lines = numbering.shape().lines;
        let mut table = StepTable {
            steps: vec![0; numbering.tallies() * 2 * lines],
            distances: vec![u8::MAX; numbering.tallies()],
            lines,
        };
        let goal = numbering.shape().goal();
        table.distances[numbering.number(goal)] = 0;
        let mut queue = vec![goal];
        let mut done = 0;
        while let Some(&tally) = queue.get(done) {
            let number = numbering.number(tally);
            let distance = table.distances[number];
            numbering.for_each_step(tally, |step| {
                let there = &mut table.distances[step.number];
                if *there == u8::MAX {
                    *there = distance + 1;
                    queue.push(step.tally);
                }
                let is_farther = *there > distance;
                let slot = table.slot(step.goal_line as u8, step.from_next);
                let target = table.offset(step.number) << 1 | u32::from(is_farther);
                let from = table.offset(number) as usize + usize::from(slot);
                table.steps[from] = target;
            });
            done += 1;
        }
        table
    }

    /// Where the steps of the tally with this number start.
    pub fn offset(&self, number: usize) -> u32 {
        (number * 2 * self.lines) as u32
    }

    /// The distance of the tally with this number.
    pub fn distance(&self, number: usize) -> u8 {
        self.distances[number]
    }

    /// The slot for a tile of `goal_line` that comes into the gap's line from the line after
    /// it, or from the one before it.
    pub fn slot(&self, goal_line: u8, from_next: bool) -> u8 {
        u8::from(from_next) * self.lines as u8 + goal_line
    }

    /// The offset after a step, and whether it leads away from the goal.
    #[inline(always)]
    pub fn step(&self, offset: u32, slot: u8) -> (u32, bool) {
        let step = self.steps[offset as usize + usize::from(slot)];
        (step >> 1, step & 1 == 1)
    }
}
