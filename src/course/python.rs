//! Values as Python prints them: the assignments were written for it.

use std::fmt::Display;

/// A list of numbers: `[1, 2, 0]`.
pub(super) fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// A list of strings that need no escapes: `['Up', 'Left']`.
pub(super) fn list_of_words(words: impl IntoIterator<Item = impl Display>) -> String {
    list(words.into_iter().map(|word| format!("'{word}'")))
}

/// A number that is not negative, with three significant digits: `{:.3g}`.
///
/// Rounds first, because the exponent after rounding decides between the two forms, then
/// drops the zeros at the end, as C's `%g` does.
pub(super) fn three_digits(value: f64) -> String {
    const DIGITS: i32 = 3;
    let rounded = format!("{value:.*e}", DIGITS as usize - 1);
    let Some((mantissa, exponent)) = rounded.split_once('e') else {
        return rounded;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..DIGITS).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        let mantissa = without_end_zeros(mantissa);
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let decimals = (DIGITS - 1 - exponent) as usize;
    without_end_zeros(&format!("{value:.decimals$}")).to_owned()
}

fn without_end_zeros(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_as_python_prints_them() {
        let mut tried = 0;
        for line in include_str!("../../tests/data/course/three_digits.csv").lines() {
            if line.starts_with('#') {
                continue;
            }
            let (value, printed) = line.split_once(',').expect("value,printed");
            let value: f64 = value.parse().expect("a number");
            assert_eq!(three_digits(value), printed, "{value}");
            tried += 1;
        }
        assert_eq!(tried, 40);
    }

    #[test]
    fn lists_are_as_python_prints_them() {
        assert_eq!(list([1, 2, 0]), "[1, 2, 0]");
        assert_eq!(list_of_words(["Up", "Left"]), "['Up', 'Left']");
        assert_eq!(list_of_words([""; 0]), "[]");
    }
}
