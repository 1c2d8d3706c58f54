//! The weight of an estimate: a decimal number that is kept exactly.

use std::fmt;
use std::str::FromStr;

use crate::puzzle::excerpt;

/// How many parts a weight of one has; six digits behind the point.
const ONE: u32 = 1_000_000;
const DIGITS: usize = 6;

/// How much an estimate counts beside the moves that are made: a decimal number from 1 to 1000.
///
/// It is a ratio of whole numbers, so priorities are whole numbers too, and the same on every
/// machine.
///
/// ```
/// use slidebench::search::Weight;
///
/// let weight: Weight = "1.50".parse()?;
/// assert_eq!(weight.to_string(), "1.5");
/// assert_eq!(weight.ratio(), (3, 2));
/// # Ok::<(), slidebench::search::WeightError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Weight {
    millionths: u32,
}

/// A text that is no weight.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{}' is not a weight; {MEANT}", excerpt(.0))]
pub struct WeightError(pub String);

const MEANT: &str = "write a number from 1 to 1000 with at most six decimals, for example 1.5";

impl Weight {
    /// The estimate as it is.
    pub const ONE: Weight = Weight { millionths: ONE };

    /// The largest.
    pub const MOST: Weight = Weight {
        millionths: 1000 * ONE,
    };

    /// A whole number.
    pub(super) const fn whole(weight: u32) -> Weight {
        assert!(0 < weight && weight <= 1000, "a weight is from 1 to 1000");
        Weight {
            millionths: weight * ONE,
        }
    }

    /// The same as a ratio in lowest terms: the estimate counts the first number of times where a
    /// move counts the second.
    pub fn ratio(self) -> (u32, u32) {
        let shared = greatest_common_divisor(self.millionths, ONE);
        (self.millionths / shared, ONE / shared)
    }

    /// The factor of a cost above one that is not more, rounded down.
    pub(super) fn of(cost: u32, least: u32) -> Weight {
        let millionths = u64::from(cost) * u64::from(ONE) / u64::from(least.max(1));
        let most = Weight::MOST.millionths;
        Weight {
            millionths: millionths.clamp(ONE.into(), most.into()) as u32,
        }
    }

    /// The weight that is less by a fifth, but at least one.
    pub(super) fn lowered(self) -> Weight {
        Weight {
            millionths: self.millionths.saturating_sub(ONE / 5).max(ONE),
        }
    }

    /// The least cost that a solution can have where one of `cost` is within this weight of it.
    /// All solutions of a board have the parity of one.
    pub(super) fn least_within(self, cost: u32) -> u32 {
        let (numerator, denominator) = self.ratio();
        let parts = u64::from(cost) * u64::from(denominator);
        let least = parts.div_ceil(numerator.into()) as u32;
        least + (cost - least) % 2
    }

    /// As a number, rounded.
    pub fn as_f64(self) -> f64 {
        f64::from(self.millionths) / f64::from(ONE)
    }
}

fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.millionths / ONE, self.millionths % ONE);
        match rest {
            0 => write!(f, "{whole}"),
            rest => {
                let digits = format!("{rest:0DIGITS$}");
                write!(f, "{whole}.{}", digits.trim_end_matches('0'))
            }
        }
    }
}

impl FromStr for Weight {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Weight, WeightError> {
        let error = || WeightError(text.to_owned());
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        let number = |digits: &str| {
            let are_digits = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
            are_digits.then(|| digits.parse::<u32>().ok()).flatten()
        };
        let rest = rest.trim_end_matches('0');
        let rest = match rest.len() {
            0 => Some(0),
            digits if digits <= DIGITS => number(&format!("{rest:0<DIGITS$}")),
            _ => None,
        };
        let whole = number(whole).filter(|&whole| whole <= 1000);
        let millionths = whole.ok_or_else(error)? * ONE + rest.ok_or_else(error)?;
        let weight = Weight { millionths };
        match (Weight::ONE..=Weight::MOST).contains(&weight) {
            true => Ok(weight),
            false => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_kept_exactly() {
        for (text, shown, ratio) in [
            ("1", "1", (1, 1)),
            ("1.0", "1", (1, 1)),
            ("02.50", "2.5", (5, 2)),
            ("1.000001", "1.000001", (1_000_001, 1_000_000)),
            ("3.", "3", (3, 1)),
            ("1000", "1000", (1000, 1)),
        ] {
            let weight: Weight = text.parse().unwrap();
            assert_eq!((weight.to_string(), weight.ratio()), (shown.into(), ratio));
        }
        let wrong = [
            "",
            ".",
            ".5",
            "0.5",
            "0.999999",
            "1000.1",
            "1e3",
            "-2",
            "+2",
            "1.0000001",
            "2,5",
            "1..5",
            "99999999999",
            "inf",
            "NaN",
            " 2",
        ];
        for text in wrong {
            assert!(text.parse::<Weight>().is_err(), "{text}");
        }
    }

    #[test]
    fn least_costs_have_the_parity_of_all() {
        let weight: Weight = "1.5".parse().unwrap();
        assert_eq!(weight.least_within(0), 0);
        assert_eq!(weight.least_within(60), 40);
        assert_eq!(weight.least_within(61), 41);
        assert_eq!(weight.least_within(62), 42);
        assert_eq!(Weight::ONE.least_within(57), 57);
        assert_eq!(Weight::whole(3).least_within(2), 2);
    }
}
