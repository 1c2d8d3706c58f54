//! Axes that several plots have.

use std::time::Duration;

use super::scale::Scale;
use crate::harness::humanize;

/// What the values of an axis are called and how they are written.
pub struct Axis {
    pub scale: Scale,
    pub label: String,
    pub write: fn(f64) -> String,
}

impl Axis {
    /// Times in nanoseconds.
    pub fn time(times: impl Iterator<Item = u64>, label: &str) -> Axis {
        Axis {
            scale: Scale::log(times.map(|time| time as f64)),
            label: label.to_owned(),
            write: round_time,
        }
    }

    /// Numbers of nodes.
    pub fn nodes(nodes: impl Iterator<Item = u64>) -> Axis {
        Axis {
            scale: Scale::log(nodes.map(|nodes| nodes as f64)),
            label: "nodes generated".to_owned(),
            write: short,
        }
    }

    /// What is counted one by one.
    pub fn counted(scale: Scale, label: &str) -> Axis {
        Axis {
            scale,
            label: label.to_owned(),
            write: |value| humanize::count(value as u64),
        }
    }
}

/// A round time in its unit: `10 ms`.
fn round_time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        _ if nanoseconds >= 1e9 => (nanoseconds / 1e9, "s"),
        _ if nanoseconds >= 1e6 => (nanoseconds / 1e6, "ms"),
        _ if nanoseconds >= 1e3 => (nanoseconds / 1e3, "µs"),
        _ => (nanoseconds, "ns"),
    };
    format!("{} {unit}", humanize::count(value.round() as u64))
}

/// A round number in three digits and a letter: `10 M`.
pub fn short(number: f64) -> String {
    let (value, unit) = match number {
        _ if number >= 1e12 => (number / 1e12, " T"),
        _ if number >= 1e9 => (number / 1e9, " G"),
        _ if number >= 1e6 => (number / 1e6, " M"),
        _ if number >= 1e3 => (number / 1e3, " k"),
        _ => (number, ""),
    };
    format!("{}{unit}", humanize::count(value.round() as u64))
}

/// A limit or another time that is not round.
pub fn time(nanoseconds: u64) -> String {
    humanize::duration(Duration::from_nanos(nanoseconds))
}
