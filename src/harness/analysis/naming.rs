//! Finds a configuration by a shortened name.

use crate::puzzle::excerpt;

/// Why a name is not that of one configuration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// Nothing is named like that.
    #[error("no configuration is named '{}'; there are {}", excerpt(asked), listed(.names))]
    Unknown {
        /// What was asked for.
        asked: String,
        /// What there is.
        names: Vec<String>,
    },
    /// Several are.
    #[error(
        "'{}' is short for {} configurations, {}; write more of one name",
        excerpt(asked),
        candidates.len(),
        listed(.candidates)
    )]
    Ambiguous {
        /// What was asked for.
        asked: String,
        /// Those that it may mean.
        candidates: Vec<String>,
    },
}

/// More names than that are only counted.
const LISTED: usize = 12;

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = (names.iter().take(LISTED))
        .map(|name| format!("'{name}'"))
        .collect();
    match names.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The number of the name that `asked` is short for.
///
/// Names are compared word by word, without `with`. A name that has all its words, `1 thread`
/// aside, comes first; then one that has the words among its own, in their order; then one whose
/// words begin like that. So `astar md` is never `idastar with md`.
pub fn find_name(asked: &str, names: &[String]) -> Result<usize, NameError> {
    let wanted = words(asked);
    if let Some(number) = names.iter().position(|name| name == asked) {
        return Ok(number);
    }
    for way in [Way::Whole, Way::Words, Way::Starts] {
        let fits = |name: &String| !wanted.is_empty() && way.fits(&words(name), &wanted);
        let numbers = (0..names.len()).filter(|&number| fits(&names[number]));
        match numbers.collect::<Vec<_>>()[..] {
            [] => {}
            [number] => return Ok(number),
            ref several => {
                let candidates = several.iter().map(|&number| names[number].clone());
                return Err(NameError::Ambiguous {
                    asked: asked.to_owned(),
                    candidates: candidates.collect(),
                });
            }
        }
    }
    Err(NameError::Unknown {
        asked: asked.to_owned(),
        names: names.to_vec(),
    })
}

/// How a name can be that of a configuration, the surest way first.
#[derive(Clone, Copy)]
enum Way {
    Whole,
    Words,
    Starts,
}

impl Way {
    fn fits(self, name: &[String], wanted: &[String]) -> bool {
        match self {
            Way::Whole => shortest(name) == shortest(wanted),
            Way::Words => is_part(wanted, name, |word, part| word == part),
            Way::Starts => is_part(wanted, name, |word, part| word.starts_with(part)),
        }
    }
}

fn words(name: &str) -> Vec<String> {
    name.split(|c: char| c.is_whitespace() || ",()".contains(c))
        .filter(|word| !word.is_empty() && *word != "with")
        .map(str::to_lowercase)
        .collect()
}

/// Without what most names say alike.
fn shortest(words: &[String]) -> Vec<&str> {
    let is_usual = |index: usize| {
        let pair = (words.get(index), words.get(index + 1));
        matches!(pair, (Some(one), Some(thread)) if one == "1" && thread == "thread")
    };
    let kept = (0..words.len()).filter(|&index| {
        let is_second = index > 0 && is_usual(index - 1);
        !is_usual(index) && !is_second
    });
    kept.map(|index| words[index].as_str()).collect()
}

/// Whether all of `wanted` are in `name`, in their order.
fn is_part(wanted: &[String], name: &[String], fits: impl Fn(&str, &str) -> bool) -> bool {
    let mut rest = name.iter();
    wanted.iter().all(|part| rest.any(|word| fits(word, part)))
}
