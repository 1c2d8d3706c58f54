//! What a path costs, to the last digit.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde_core::de::Error;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// A cost: a whole number of millionths, so that sums are exact and the same on every machine.
///
/// ```
/// use slidebench::puzzle::Cost;
///
/// let costs = [Cost::from(2u32), Cost::from_millionths(1_414_214)];
/// assert_eq!(costs.into_iter().sum::<Cost>().to_string(), "3.414214");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost(u64);

impl Cost {
    /// Millionths of one.
    pub const SCALE: u64 = 1_000_000;

    /// So many millionths.
    pub const fn from_millionths(millionths: u64) -> Cost {
        Cost(millionths)
    }

    /// How many millionths it is.
    pub const fn millionths(self) -> u64 {
        self.0
    }

    /// The number that it is, if that is whole.
    pub fn whole(self) -> Option<usize> {
        let is_whole = self.0.is_multiple_of(Cost::SCALE);
        is_whole.then_some((self.0 / Cost::SCALE) as usize)
    }

    /// For plots and means.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / Cost::SCALE as f64
    }
}

impl From<u32> for Cost {
    fn from(whole: u32) -> Cost {
        Cost(u64::from(whole) * Cost::SCALE)
    }
}

/// One that no counter holds is as good as the largest.
impl From<usize> for Cost {
    fn from(whole: usize) -> Cost {
        Cost((whole as u64).saturating_mul(Cost::SCALE))
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), Cost::add)
    }
}

/// A decimal number, without zeros at its end.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / Cost::SCALE, self.0 % Cost::SCALE);
        match rest {
            0 => write!(f, "{whole}"),
            _ => {
                let places = format!("{rest:06}");
                write!(f, "{whole}.{}", places.trim_end_matches('0'))
            }
        }
    }
}

/// As a number. A fraction has fewer digits than a double tells apart, so none is changed.
impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(whole) => serializer.serialize_u64(whole as u64),
            None => serializer.serialize_f64(self.as_f64()),
        }
    }
}

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cost, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let millionths = (number * Cost::SCALE as f64).round();
        // What a double holds exactly; no path costs as much.
        match number >= 0.0 && millionths < (1u64 << 53) as f64 {
            true => Ok(Cost(millionths as u64)),
            false => Err(D::Error::custom(format!("'{number}' is not a cost"))),
        }
    }
}
