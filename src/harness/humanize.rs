//! Numbers as people read them: short, with their unit.

use std::time::Duration;

/// Three digits and a unit: `3.58 s`, `71.2 ms`, `2 h 05 min`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        _ if seconds >= 3600.0 => {
            let minutes = time.as_secs() / 60;
            return format!("{} h {:02} min", minutes / 60, minutes % 60);
        }
        _ if seconds >= 1.0 => (seconds, "s"),
        _ if seconds >= 1e-3 => (seconds * 1e3, "ms"),
        _ if seconds >= 1e-6 => (seconds * 1e6, "µs"),
        _ => (seconds * 1e9, "ns"),
    };
    let digits = match value {
        _ if value >= 99.95 => 0,
        _ if value >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.digits$} {unit}")
}

/// A mean of times in nanoseconds, as [`duration`] writes it.
pub fn nanoseconds(mean: f64) -> String {
    duration(Duration::from_nanos(mean.max(0.0) as u64))
}

/// A part of a whole in percent: two digits where it is small.
pub fn percent(part: f64) -> String {
    let percent = part * 100.0;
    let digits = if percent < 9.95 { 1 } else { 0 };
    format!("{percent:.digits$} %")
}

/// A time that is only guessed, in whole units: `40 s`, `4 min`, `3 h`, `12 days`.
pub fn rough(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        _ if seconds < 1.0 => return duration(time),
        _ if seconds < 100.0 => (seconds, "s"),
        _ if seconds < 100.0 * 60.0 => (seconds / 60.0, "min"),
        _ if seconds < 72.0 * 3600.0 => (seconds / 3600.0, "h"),
        _ if seconds < 1000.0 * 86400.0 => (seconds / 86400.0, "days"),
        _ => (seconds / (365.25 * 86400.0), "years"),
    };
    format!("{} {unit}", count(value.round() as u64))
}

/// With a comma at each thousand.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Nodes in a second, in millions.
pub fn rate(per_second: f64) -> String {
    let millions = per_second / 1e6;
    let digits = if millions >= 100.0 { 0 } else { 1 };
    format!("{millions:.digits$} million nodes/s")
}

/// `1 run`, `2 runs`.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number as u64))
}

/// So many things, and what they do: `1 instance differs`, `2 instances differ`.
pub fn differing(number: usize, noun: &str) -> String {
    format!("{} {}", counted(number, noun), differ(number))
}

/// What so many things do: one differs, several differ.
pub fn differ(number: usize) -> &'static str {
    if number == 1 { "differs" } else { "differ" }
}

/// Runs on a machine that was busy: `2 runs took over a tenth longer than …`.
pub fn waiting(runs: usize) -> String {
    let whose = if runs == 1 { "its" } else { "their" };
    let runs = counted(runs, "run");
    format!("{runs} took over a tenth longer than the CPU time of {whose} threads")
}

/// A probability, to three digits after the point: `0.031`, `<0.001`.
pub fn probability(p: f64) -> String {
    match p < 0.001 {
        true => "<0.001".to_owned(),
        false => format!("{p:.3}"),
    }
}

/// A ratio, to three digits: those after the point, or of a small one the first that say something:
/// `12.345`, `0.812`, `0.000123`, `1.23e-7`.
pub fn ratio(ratio: f64) -> String {
    match ratio {
        _ if !(0.0..0.1).contains(&ratio) || ratio == 0.0 => format!("{ratio:.3}"),
        _ if ratio < 1e-6 => format!("{ratio:.2e}"),
        _ => {
            let zeros = -ratio.log10().floor() as usize - 1;
            format!("{ratio:.digits$}", digits = zeros + 3)
        }
    }
}

/// How far a ratio is from 1: `18.8 %`. One that is almost nothing is told from nothing: `99.99 %`.
pub fn change(ratio: f64) -> String {
    let digits = match 0.0 < ratio && ratio < 0.001 {
        true => (-(ratio * 100.0).log10()).ceil().min(9.0) as usize,
        false => 1,
    };
    format!("{:.digits$} %", (ratio - 1.0).abs() * 100.0)
}

/// A word as a shell takes it.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+=@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
