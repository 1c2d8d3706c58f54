//! The critical-difference diagram: mean ranks of three configurations or more on an axis, and a bar
//! over those that do not differ beyond chance.

use std::fmt::Write;

use super::facts::Facts;
use super::figure::Figure;
use super::html::{escape, tenth};
use super::plot::{COLOURS, WIDTH, shortened};
use crate::harness::analysis::{Ranking, SuiteResults};
use crate::harness::humanize::{counted, probability};

/// The axis, the bar of the critical difference above it, and the first name below.
const AXIS: f64 = 72.0;
const DIFFERENCE: f64 = 24.0;
const FIRST_NAME: f64 = 36.0;
/// From one name to the next, and from one bar to the next.
const LINE: f64 = 24.0;
const BAR: f64 = 9.0;
/// What a letter takes at most, on a narrow screen; what is left of a name.
const LETTER: f64 = 8.2;
const LETTERS: usize = 22;
/// From a name to the border.
const MARGIN: f64 = 8.0;
/// What nearly all names end with, and where they all do, nobody has to read.
const USUAL: &str = ", 1 thread";

pub fn figures(facts: &Facts<'_>) -> Vec<Figure> {
    let figure = |(number, results): (usize, &SuiteResults<'_>)| {
        let ranking = results.ranking()?;
        Some(Figure {
            id: match facts.results.len() {
                1 => "ranks".to_owned(),
                _ => format!("ranks-{}", number + 1),
            },
            title: "Ranks",
            note: note(results, &ranking),
            controls: String::new(),
            svg: Diagram::new(facts, &ranking).svg(&ranking),
        })
    };
    facts
        .results
        .iter()
        .enumerate()
        .filter_map(figure)
        .collect()
}

fn note(results: &SuiteResults<'_>, ranking: &Ranking) -> String {
    let test = &ranking.test;
    let p = match probability(test.p) {
        below if below.starts_with('<') => format!("p {below}"),
        p => format!("p = {p}"),
    };
    format!(
        "{}: mean ranks by {} over {}, 1 is best; an unsolved instance is last. A bar joins \
         configurations whose ranks are less than the critical difference (CD, Nemenyi, 5 %) apart. \
         Friedman’s test that all are alike: χ² = {:.1}, {p}.",
        results.suite,
        ranking.by.words(),
        counted(test.blocks, "instance"),
        test.chi_square,
    )
}

/// Where things are.
struct Diagram {
    names: Vec<String>,
    left: f64,
    right: f64,
    ranks: f64,
    /// Below the last bar.
    names_from: f64,
}

impl Diagram {
    fn new(facts: &Facts<'_>, ranking: &Ranking) -> Diagram {
        let labels = || {
            ranking
                .entrants
                .iter()
                .map(|&it| &facts.runs.series[it].label)
        };
        let is_usual = labels().all(|label| label.ends_with(USUAL));
        let names: Vec<String> = labels()
            .map(|label| match is_usual {
                true => label.trim_end_matches(USUAL),
                false => label,
            })
            .map(|label| shortened(label, LETTERS))
            .collect();
        let longest = names.iter().map(|name| name.chars().count()).max();
        let room = MARGIN + LETTER * longest.unwrap_or(0) as f64 + MARGIN;
        Diagram {
            left: room,
            right: WIDTH - room,
            ranks: (names.len() - 1) as f64,
            names_from: AXIS + FIRST_NAME + BAR * ranking.groups.len() as f64,
            names,
        }
    }

    fn at(&self, rank: f64) -> f64 {
        self.left + (rank - 1.0) / self.ranks * (self.right - self.left)
    }

    fn svg(&self, ranking: &Ranking) -> String {
        let rows = self.names.len().div_ceil(2);
        let height = self.names_from + LINE * rows as f64;
        let mut body = self.axis();
        body += &self.difference(ranking.critical_difference);
        for place in 0..self.names.len() {
            body += &self.entrant(place, rows, ranking);
        }
        for (number, &(first, last)) in ranking.groups.iter().enumerate() {
            let ends = [first, last].map(|place| self.at(ranking.test.mean_ranks[place]));
            let y = AXIS + 12.0 + BAR * number as f64;
            let (from, to) = (tenth(ends[0] - 3.0), tenth(ends[1] + 3.0));
            let _ = write!(
                body,
                "<path class=\"group\" d=\"M{from} {}H{to}\"/>",
                tenth(y)
            );
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" \
             aria-label=\"Critical-difference diagram of mean ranks\">{body}</svg>",
            tenth(height)
        )
    }

    /// The axis with its whole ranks; of many only some have room.
    fn axis(&self) -> String {
        let (left, right) = (tenth(self.left), tenth(self.right));
        let mut body = format!("<path class=\"rule\" d=\"M{left} {AXIS}H{right}\"/>");
        let every = (self.names.len() / 8 + 1) as u32;
        for rank in (1..=self.names.len() as u32).step_by(every as usize) {
            let x = tenth(self.at(f64::from(rank)));
            let _ = write!(
                body,
                "<path class=\"rule\" d=\"M{x} {AXIS}v-6\"/>\
                 <text class=\"tick across\" x=\"{x}\" y=\"{}\">{rank}</text>",
                AXIS - 11.0
            );
        }
        body
    }

    /// The critical difference as a length, which many configurations may make longer than the axis.
    fn difference(&self, difference: f64) -> String {
        let end = self.at(1.0 + difference).min(WIDTH - MARGIN);
        let (left, end) = (tenth(self.left), tenth(end));
        format!(
            "<path class=\"rule\" d=\"M{left} {DIFFERENCE}H{end}M{left} {0}v8M{end} {0}v8\"/>\
             <text x=\"{left}\" y=\"{1}\">CD = {difference:.2}</text>",
            DIFFERENCE - 4.0,
            DIFFERENCE - 9.0,
        )
    }

    /// A line from the rank to the name: the better half stands at the left, from the top, the
    /// other at the right, from the bottom, so that no line crosses a name.
    fn entrant(&self, place: usize, rows: usize, ranking: &Ranking) -> String {
        let is_left = place < rows;
        let row = if is_left {
            place
        } else {
            self.names.len() - 1 - place
        };
        let y = self.names_from + LINE * row as f64;
        let rank = ranking.test.mean_ranks[place];
        let x = tenth(self.at(rank));
        let (end, anchor, text) = match is_left {
            true => (self.left - MARGIN, "end", self.left - 1.5 * MARGIN),
            false => (self.right + MARGIN, "start", self.right + 1.5 * MARGIN),
        };
        let entrant = ranking.entrants[place];
        format!(
            "<g class=\"series c{}\" data-s=\"{entrant}\"><title>{}: mean rank {rank:.2}</title>\
             <path class=\"line\" d=\"M{x} {AXIS}V{}H{}\"/></g>\
             <text text-anchor=\"{anchor}\" x=\"{}\" y=\"{}\">{}</text>",
            entrant % COLOURS,
            escape(&self.names[place]),
            tenth(y),
            tenth(end),
            tenth(text),
            tenth(y + 4.5),
            escape(&self.names[place]),
        )
    }
}
