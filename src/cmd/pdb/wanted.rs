//! What to build, as a user writes it.

use std::str::FromStr;

use crate::lookup::Endgame;
use crate::puzzle::{Size, excerpt};

/// A table, or several that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    Endgame(WantedEndgame),
    Patterns(WantedPatterns),
    /// `wd:SIZE`.
    Walking(Size),
}

/// `PARTITION` or `SIZE:PARTITION`: a name, a grid of letters, or the name of a partition file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedPatterns {
    pub size: Option<Size>,
    pub partition: String,
}

/// `endgame:SIZE:DEPTH`, or `endgame:SIZE` where time decides how deep it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WantedEndgame {
    pub size: Size,
    pub depth: Option<u32>,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        if let Some(endgame) = text.strip_prefix("endgame:") {
            return endgame.parse().map(Wanted::Endgame);
        }
        if let Some(size) = text.strip_prefix("wd:") {
            let size: Result<Size, _> = size.parse();
            return size.map(Wanted::Walking).map_err(|error| error.to_string());
        }
        let (size, partition) = match text.split_once(':') {
            Some(("pdb", partition)) => (None, partition),
            Some((size, partition)) => {
                let size: Size = size.parse().map_err(|error| format!("{error}"))?;
                (Some(size), partition)
            }
            None => (None, text),
        };
        match partition.trim().is_empty() {
            true => Err(format!(
                "'{}' is no table; write a partition, for example 7-8, endgame:SIZE:DEPTH, for example endgame:4x4:22, or wd:SIZE, for example wd:5x5",
                excerpt(text)
            )),
            false => Ok(Wanted::Patterns(WantedPatterns {
                size,
                partition: partition.trim().to_owned(),
            })),
        }
    }
}

impl FromStr for WantedEndgame {
    type Err = String;

    fn from_str(text: &str) -> Result<WantedEndgame, String> {
        let (size, depth) = match text.split_once(':') {
            Some((size, depth)) => (size, Some(depth)),
            None => (text, None),
        };
        let size: Size = size.parse().map_err(|error| format!("{error}"))?;
        size.refuse_wide().map_err(|error| error.to_string())?;
        let deepest = Endgame::deepest(size);
        let depth = depth.map(|depth| match depth.parse() {
            Ok(depth) if depth <= deepest => Ok(depth),
            _ => Err(format!(
                "'{}' is no depth; an endgame of {size} has one from 0 to {deepest}",
                excerpt(depth)
            )),
        });
        Ok(WantedEndgame {
            size,
            depth: depth.transpose()?,
        })
    }
}
