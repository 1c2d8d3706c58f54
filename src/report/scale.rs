//! From values to places on an axis.

/// How values are kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ScaleKind {
    Linear,
    /// A factor is a length; below 1 there is nothing.
    Log,
    /// The part 0 … 1 of runs that are behind: 0.9, 0.99 and 0.999 are equally far apart.
    Tail,
}

/// An axis of values between two places of a drawing.
#[derive(Clone, Debug)]
pub struct Scale {
    kind: ScaleKind,
    /// The values at both ends.
    pub low: f64,
    pub high: f64,
    start: f64,
    end: f64,
}

impl Scale {
    /// From 0, or just below the values, to just above them.
    pub fn linear(values: impl Iterator<Item = f64>, from_zero: bool) -> Scale {
        let (low, high) = range(values).unwrap_or((0.0, 1.0));
        let low = if from_zero { 0.0 } else { low };
        let margin = ((high - low) * 0.05).max(1.0);
        let low = if from_zero {
            0.0
        } else {
            (low - margin).max(0.0)
        };
        Scale::new(ScaleKind::Linear, low, high + margin)
    }

    /// Values below 1 count as 1.
    pub fn log(values: impl Iterator<Item = f64>) -> Scale {
        let (low, high) = range(values.map(|value| value.max(1.0))).unwrap_or((1.0, 10.0));
        // At least a decade is shown, or ticks have nothing to say.
        let widen = (10.0 / (high / low)).sqrt().max(1.3);
        let low = (low / widen).max(1.0);
        Scale::new(ScaleKind::Log, low, (high * widen).max(low * 10.0))
    }

    /// Parts of up to `runs` runs.
    pub fn tail(runs: usize) -> Scale {
        let last = 1.0 - 1.0 / (runs.max(2) as f64);
        Scale::new(ScaleKind::Tail, 0.0, last)
    }

    fn new(kind: ScaleKind, low: f64, high: f64) -> Scale {
        Scale {
            kind,
            low,
            high,
            start: 0.0,
            end: 1.0,
        }
    }

    /// The same values between other places.
    pub fn between(self, start: f64, end: f64) -> Scale {
        Scale { start, end, ..self }
    }

    /// Where a value is; those beyond the ends are at the ends.
    pub fn at(&self, value: f64) -> f64 {
        let (low, high) = (self.bent(self.low), self.bent(self.high));
        let part = (self.bent(value.clamp(self.low, self.high)) - low) / (high - low);
        self.start + part * (self.end - self.start)
    }

    /// `a` and `b` so that a value on a logarithmic axis is at `a + b · log10(value)`.
    pub fn log_line(&self) -> (f64, f64) {
        let slope = (self.end - self.start) / (self.high.log10() - self.low.log10());
        (self.start - slope * self.low.log10(), slope)
    }

    fn bent(&self, value: f64) -> f64 {
        match self.kind {
            ScaleKind::Linear => value,
            ScaleKind::Log => value.max(1.0).log10(),
            ScaleKind::Tail => -(1.0 - value).log10(),
        }
    }

    /// Round values at least `gap` apart.
    pub fn ticks(&self, gap: f64) -> Vec<f64> {
        let room = ((self.end - self.start).abs() / gap).max(2.0);
        match self.kind {
            ScaleKind::Linear => self.linear_ticks(room),
            ScaleKind::Log => self.log_ticks(room),
            ScaleKind::Tail => {
                let parts = [0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];
                parts
                    .into_iter()
                    .filter(|&part| part <= self.high)
                    .collect()
            }
        }
    }

    fn linear_ticks(&self, room: f64) -> Vec<f64> {
        let rough = (self.high - self.low) / room;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|&step| step >= rough)
            .unwrap_or(10.0 * power)
            // All that has a linear axis is counted.
            .max(1.0);
        let first = (self.low / step).ceil() as u64;
        let last = (self.high / step).floor() as u64;
        (first..=last).map(|tick| tick as f64 * step).collect()
    }

    fn log_ticks(&self, room: f64) -> Vec<f64> {
        let decades = self.high.log10() - self.low.log10();
        let steps: &[f64] = match decades {
            _ if decades * 3.0 <= room => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let every = (decades / room).ceil().max(1.0) as i32;
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        (first..=last)
            .filter(|power| power.rem_euclid(every) == 0)
            .flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)))
            .filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_at_the_ends_and_ticks_between() {
        let values = [3.0, 900.0, 5e7];
        let spreads = [
            Scale::linear(values.into_iter(), true),
            Scale::linear(values.into_iter(), false),
            Scale::log(values.into_iter()),
            Scale::tail(1000),
            Scale::log(std::iter::empty()),
            Scale::log([7.0, 7.0].into_iter()),
            Scale::linear([7.0].into_iter(), false),
        ];
        for scale in spreads.map(|scale| scale.between(300.0, 20.0)) {
            assert_eq!(scale.at(scale.low), 300.0, "{scale:?}");
            assert_eq!(scale.at(scale.high), 20.0, "{scale:?}");
            let ticks = scale.ticks(60.0);
            assert!((2..=8).contains(&ticks.len()), "{scale:?}: {ticks:?}");
            let places: Vec<f64> = ticks.iter().map(|&tick| scale.at(tick)).collect();
            assert!(
                places.windows(2).all(|pair| pair[0] - pair[1] > 15.0),
                "{scale:?}: {places:?}"
            );
        }
    }

    #[test]
    fn a_log_line_is_the_scale() {
        let scale = Scale::log([20.0, 1e9].into_iter()).between(60.0, 480.0);
        let (a, b) = scale.log_line();
        for value in [20.0, 12345.0, 1e9] {
            assert!((a + b * f64::log10(value) - scale.at(value)).abs() < 1e-9);
        }
    }
}
