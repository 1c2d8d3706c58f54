//! The shard that a task of a Slurm array is.

use crate::harness::record::Shard;

/// Why the variables of a Slurm array name no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SlurmError {
    #[error("{name} is '{value}'; expected a number")]
    /// A variable that is no number.
    NoNumber {
        /// The variable.
        name: &'static str,
        /// What it says.
        value: String,
    },
    /// A variable that is not set.
    #[error("SLURM_ARRAY_TASK_ID is set and {0} is not")]
    Missing(&'static str),
    /// An array that is no range.
    #[error("task {id} is not in an array from {min} with {count} tasks in steps of {step}")]
    NoRange {
        /// The task.
        id: usize,
        /// The first task.
        min: usize,
        /// How many tasks.
        count: usize,
        /// From one to the next.
        step: usize,
    },
}

/// The shard that a task of a Slurm array is, by the variables that Slurm sets; `None`
/// outside of an array.
///
/// An array that is no range, such as `--array=1,5,6`, tells too little, and is refused.
pub fn slurm_shard(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Shard>, SlurmError> {
    let number = |name: &'static str| match variable(name).filter(|value| !value.is_empty()) {
        None => Ok(None),
        Some(value) => match value.parse::<usize>() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(SlurmError::NoNumber { name, value }),
        },
    };
    let needed = |name| number(name)?.ok_or(SlurmError::Missing(name));
    let Some(id) = number("SLURM_ARRAY_TASK_ID")? else {
        return Ok(None);
    };
    let min = needed("SLURM_ARRAY_TASK_MIN")?;
    let count = needed("SLURM_ARRAY_TASK_COUNT")?;
    let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
    let last = number("SLURM_ARRAY_TASK_MAX")?;
    let steps = count.saturating_sub(1).checked_mul(step);
    let end = steps.and_then(|steps| min.checked_add(steps));
    let is_range = end.is_some() && last.is_none_or(|last| Some(last) == end);
    let index = id
        .checked_sub(min)
        .filter(|steps| is_range && steps.is_multiple_of(step))
        .and_then(|steps| Shard::new(steps / step + 1, count));
    index.map(Some).ok_or(SlurmError::NoRange {
        id,
        min,
        count,
        step,
    })
}
