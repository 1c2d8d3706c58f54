//! How long a plan goes on, by the nodes that others took for its instances.

use std::time::Duration;

/// The runs of a plan that are still to do, and what those that are done have told.
///
/// Instances differ by a factor of 10,000, so their number says nothing; known nodes of another search
/// say what a board is worth beside others.
///
/// ```
/// use std::time::Duration;
/// use slidebench::harness::analysis::Workload;
///
/// let mut workload = Workload::new([Some(1_000), Some(20_000), Some(9_000)]);
/// assert_eq!(workload.left(1), None);
/// workload.finish(Some(1_000), Some(Duration::from_secs(2)));
/// assert_eq!(workload.left(2), Some(Duration::from_secs(29)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Workload {
    /// Known nodes of what is still to do; nothing where those of a run are not known.
    left: Option<f64>,
    /// Known nodes of what was solved, and its time.
    solved: f64,
    time: Duration,
}

impl Workload {
    /// The known nodes of the runs that are to do.
    pub fn new(left: impl IntoIterator<Item = Option<u64>>) -> Workload {
        let left = left
            .into_iter()
            .map(|known| known.map(|nodes| nodes as f64));
        Workload {
            left: left.sum(),
            ..Workload::default()
        }
    }

    /// Takes in how long a run took that was solved, now or by an earlier process.
    pub fn add(&mut self, known: Option<u64>, time: Duration) {
        if let Some(nodes) = known {
            self.solved += nodes as f64;
            self.time += time;
        }
    }

    /// A run has ended; with its time, if it was solved.
    pub fn finish(&mut self, known: Option<u64>, time: Option<Duration>) {
        if let (Some(left), Some(nodes)) = (&mut self.left, known) {
            *left -= nodes as f64;
        }
        if let Some(time) = time {
            self.add(known, time);
        }
    }

    /// How long the rest takes, so many runs side by side; `None` while nothing tells.
    pub fn left(&self, jobs: usize) -> Option<Duration> {
        let left = self.left?.max(0.0);
        let rate = self.time.as_secs_f64() / self.solved;
        let seconds = left * rate / jobs.max(1) as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_not_told() {
        let second = Duration::from_secs(1);
        let mut workload = Workload::new([Some(10), None]);
        workload.finish(Some(10), Some(second));
        assert_eq!(workload.left(1), None);
        let mut workload = Workload::new([Some(10), Some(30), Some(50)]);
        // A run without a solution tells nothing of the others.
        workload.finish(Some(10), None);
        assert_eq!(workload.left(1), None);
        workload.add(Some(20), second);
        assert_eq!(workload.left(1), Some(4 * second));
        workload.finish(Some(30), Some(4 * second));
        assert_eq!(workload.left(1), Some(5 * second));
        workload.finish(Some(50), Some(second));
        assert_eq!(workload.left(3), Some(Duration::ZERO));
    }
}
