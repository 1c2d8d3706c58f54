//! The distributions that the tests need: normal, χ², and the range of several normal variables.

use std::f64::consts::PI;

/// Terms of a series or of a continued fraction; far fewer are needed.
const MOST_TERMS: usize = 10_000;
/// A term that changes nothing any more.
const NEGLIGIBLE: f64 = 1e-16;

/// How likely a standard normal variable is at least as far from 0 as `z`, on either side.
pub fn normal_tails(z: f64) -> f64 {
    // Its square has a χ² distribution.
    chi_square_tail(z * z, 1)
}

/// How likely a variable with a χ² distribution is at least `x`.
pub fn chi_square_tail(x: f64, degrees: u32) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    upper_gamma(degrees, x / 2.0)
}

/// The regularized upper incomplete gamma function Q(`twice_a`/2, x).
fn upper_gamma(twice_a: u32, x: f64) -> f64 {
    let a = f64::from(twice_a) / 2.0;
    let scale = (a * x.ln() - x - ln_gamma(twice_a)).exp();
    match x < a + 1.0 {
        true => 1.0 - scale * lower_series(a, x),
        false => scale * upper_fraction(a, x),
    }
}

/// ln Γ(`twice`/2), by Γ(a + 1) = a Γ(a) from Γ(1) = 1 or Γ(1/2) = √π.
fn ln_gamma(twice: u32) -> f64 {
    let (mut value, first) = match twice.is_multiple_of(2) {
        true => (0.0, 2),
        false => (PI.ln() / 2.0, 1),
    };
    for twice_a in (first..twice).step_by(2) {
        value += (f64::from(twice_a) / 2.0).ln();
    }
    value
}

/// Σ xⁿ / (a (a+1) … (a+n)): converges fast where x is small beside a.
fn lower_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for n in 1..MOST_TERMS {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * NEGLIGIBLE {
            break;
        }
    }
    sum
}

/// 1/(x+1−a− 1(1−a)/(x+3−a− 2(2−a)/(x+5−a− …))), evaluated from the front by Lentz's method:
/// converges fast where x is large beside a.
fn upper_fraction(a: f64, x: f64) -> f64 {
    let not_zero = |value: f64| {
        if value == 0.0 {
            f64::MIN_POSITIVE
        } else {
            value
        }
    };
    let mut denominator = x + 1.0 - a;
    let mut c = 1.0 / f64::MIN_POSITIVE;
    let mut d = 1.0 / not_zero(denominator);
    let mut value = d;
    for n in 1..MOST_TERMS {
        let n = n as f64;
        let numerator = -n * (n - a);
        denominator += 2.0;
        d = 1.0 / not_zero(denominator + numerator * d);
        c = not_zero(denominator + numerator / c);
        value *= c * d;
        if (c * d - 1.0).abs() < NEGLIGIBLE * 10.0 {
            break;
        }
    }
    value
}

/// How likely a standard normal variable is at most `z`.
fn normal_below(z: f64) -> f64 {
    let tail = normal_tails(z) / 2.0;
    if z > 0.0 { 1.0 - tail } else { tail }
}

/// The value that the range of `groups` standard normal variables exceeds with probability
/// `alpha`: the studentized range where the variance is known.
pub fn studentized_range(alpha: f64, groups: usize) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    // Sixty halvings leave nothing of the interval.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        match range_below(middle, groups) < 1.0 - alpha {
            true => low = middle,
            false => high = middle,
        }
    }
    (low + high) / 2.0
}

/// How likely the range of `groups` normal variables is at most `q`: one of them is the largest,
/// at z, and the others are between z − q and z. The integral is Simpson's.
fn range_below(q: f64, groups: usize) -> f64 {
    const ENDS: (f64, f64) = (-8.0, 8.0);
    const STEPS: usize = 400;
    let step = (ENDS.1 - ENDS.0) / STEPS as f64;
    let density = |z: f64| (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
    let value = |z: f64| {
        let others = normal_below(z) - normal_below(z - q);
        density(z) * others.powi(groups as i32 - 1)
    };
    let weighted = |index: usize| {
        let weight = match index {
            0 | STEPS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * value(ENDS.0 + step * index as f64)
    };
    groups as f64 * (0..=STEPS).map(weighted).sum::<f64>() * step / 3.0
}
