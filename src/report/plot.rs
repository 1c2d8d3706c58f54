//! A plot as SVG: a frame with two axes, guides, and a line and marks for each series.
//!
//! Colours are classes that the page's style defines. A mark is one small element: what follows
//! the place in its path is the shape of its series, so that shapes tell series apart where
//! colours do not.

use std::fmt::Write;

use super::axis::Axis;
use super::html::{escape, tenth};
use super::series::Series;

/// The drawing without its legend.
pub const WIDTH: f64 = 528.0;
const HEIGHT: f64 = 350.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 508.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 294.0;
/// What has no value is marked on the border, so far from the last place that has one.
const BORDER: f64 = 16.0;
/// The least distance of two labels, across and down.
const TICK_GAP: (f64, f64) = (78.0, 34.0);
/// More lines than that in one colour are drawn paler.
const MANY_LINES: usize = 12;
/// More marks than that are drawn paler.
const DENSE: usize = 2000;
const LEGEND_LEFT: f64 = 16.0;
const LEGEND_LINE: f64 = 22.0;
const LEGEND_LETTERS: usize = 58;
/// A longer name of an axis would not fit beside it.
pub const AXIS_LETTERS: usize = 39;
/// A legend of more lines would be larger than its plot.
const LEGEND_LINES: usize = 12;

/// How many colours the style has.
pub const COLOURS: usize = 8;

/// The shapes of marks, as what follows their place in a path. The first two have no length:
/// they are the ends of the pen, round and square.
pub const SHAPES: [&str; 6] = [
    "h0",
    "m-2.5-2.5h5v5h-5z",
    "m0-4l3.6 6.2h-7.2z",
    "m-3 0h6m-3-3v6",
    "m0-4l4 4-4 4-4-4z",
    "m-2.6-2.6l5.2 5.2m0-5.2l-5.2 5.2",
];

/// One run, or one pair of runs.
pub struct Mark {
    /// `None` is on the border: there is no value.
    pub x: Option<f64>,
    pub y: Option<f64>,
    /// The run that it stands for, by its number in the page's data.
    pub run: Option<usize>,
    /// Whether it is of a run without a solution.
    pub is_pale: bool,
    /// Shown when the mark is pointed at; empty where the page's script says it.
    pub title: String,
}

pub struct Plot {
    x: Axis,
    y: Axis,
    body: String,
    /// Words that marks must not hide.
    words: String,
    marks: usize,
    legend: Vec<(usize, String)>,
}

impl Plot {
    pub fn new(mut x: Axis, mut y: Axis) -> Plot {
        x.scale = x.scale.between(LEFT, RIGHT - BORDER);
        y.scale = y.scale.between(BOTTOM, TOP + BORDER);
        let mut plot = Plot {
            x,
            y,
            body: String::new(),
            words: String::new(),
            marks: 0,
            legend: Vec::new(),
        };
        plot.draw_axes();
        plot
    }

    fn draw_axes(&mut self) {
        for tick in self.x.scale.ticks(TICK_GAP.0) {
            let (x, label) = (tenth(self.x.scale.at(tick)), escape(&(self.x.write)(tick)));
            let _ = write!(
                self.body,
                "<path class=\"grid\" d=\"M{x} {TOP}V{BOTTOM}\"/>\
                 <text class=\"tick across\" x=\"{x}\" y=\"{}\">{label}</text>",
                BOTTOM + 19.0
            );
        }
        for tick in self.y.scale.ticks(TICK_GAP.1) {
            let (y, label) = (self.y.scale.at(tick), escape(&(self.y.write)(tick)));
            let _ = write!(
                self.body,
                "<path class=\"grid\" d=\"M{LEFT} {}H{RIGHT}\"/>\
                 <text class=\"tick down\" x=\"{}\" y=\"{}\">{label}</text>",
                tenth(y),
                LEFT - 7.0,
                tenth(y + 4.5)
            );
        }
        let _ = write!(
            self.body,
            "<path class=\"frame\" d=\"M{LEFT} {TOP}H{RIGHT}V{BOTTOM}H{LEFT}z\"/>\
             <text class=\"name x\" x=\"{}\" y=\"{}\">{}</text>\
             <text class=\"name y\" transform=\"translate(16 {}) rotate(-90)\">{}</text>",
            (LEFT + RIGHT) / 2.0,
            HEIGHT - 10.0,
            escape(&self.x.label),
            (TOP + BOTTOM) / 2.0,
            escape(&self.y.label),
        );
    }

    /// The line y = `factor` · x, as far as it is inside; straight where both axes are alike.
    pub fn ray(&mut self, factor: f64, class: &str, label: &str) {
        let (x, y) = (&self.x.scale, &self.y.scale);
        let from = x.low.max(y.low / factor);
        let to = x.high.min(y.high / factor);
        if from >= to {
            return;
        }
        let ends_above = y.high / factor < x.high;
        let (x2, y2) = (x.at(to), y.at(factor * to));
        let _ = write!(
            self.body,
            "<path class=\"{class}\" d=\"M{} {}L{} {}\"/>",
            tenth(x.at(from)),
            tenth(y.at(factor * from)),
            tenth(x2),
            tenth(y2),
        );
        let (dx, dy) = if ends_above {
            (-6.0, 10.0)
        } else {
            (-1.0, -5.0)
        };
        self.word(x2 + dx, y2 + dy, "end", label);
    }

    /// Words in the drawing, over everything else.
    fn word(&mut self, x: f64, y: f64, anchor: &str, word: &str) {
        let _ = write!(
            self.words,
            "<text class=\"guide\" text-anchor=\"{anchor}\" x=\"{}\" y=\"{}\">{}</text>",
            tenth(x),
            tenth(y),
            escape(word),
        );
    }

    /// Says why there is nothing to see.
    pub fn say(&mut self, why: &str) {
        self.word((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0, "middle", why);
    }

    /// The length of a factor of ten on a logarithmic axis of x.
    pub fn decade(&self) -> f64 {
        self.x.scale.log_line().1
    }

    /// What so much of a linear axis of x is worth.
    pub fn value_across(&self, length: f64) -> f64 {
        length * (self.x.scale.high - self.x.scale.low) / (RIGHT - BORDER - LEFT)
    }

    /// A line that stands on the axis of x, such as a limit.
    pub fn upright(&mut self, value: f64, label: &str) {
        let x = self.x.scale.at(value);
        let _ = write!(
            self.body,
            "<path class=\"limit\" d=\"M{} {TOP}V{BOTTOM}\"/>",
            tenth(x),
        );
        self.word(x - 5.0, BOTTOM - 8.0, "end", label);
    }

    /// Says what the marks on the right border are.
    pub fn name_right_border(&mut self, label: &str) {
        let _ = write!(
            self.words,
            "<text class=\"guide\" text-anchor=\"end\" transform=\"translate({} {TOP}) rotate(-90)\">{}</text>",
            RIGHT + 15.0,
            escape(label),
        );
    }

    /// Says what the marks on the upper border are.
    pub fn name_upper_border(&mut self, label: &str) {
        self.word(LEFT, TOP - 7.0, "start", label);
    }

    /// Lines through values, each a path of its own, and marks, all of one series.
    pub fn series(
        &mut self,
        number: usize,
        series: &Series,
        lines: &[Vec<(f64, f64)>],
        marks: &[Mark],
    ) {
        if lines.is_empty() && marks.is_empty() {
            return;
        }
        self.legend.push((number, series.label.clone()));
        let colour = number % COLOURS;
        let many = if lines.len() > MANY_LINES {
            " many"
        } else {
            ""
        };
        let group = format!("class=\"series c{colour}{many}\" data-s=\"{number}\"");
        let _ = write!(self.body, "<g {group}>");
        for line in lines {
            self.line(line);
        }
        self.body.push_str("</g>");
        self.marks(&group, SHAPES[number % SHAPES.len()], marks);
    }

    /// A thick line over the others of a series.
    pub fn middle(&mut self, number: usize, line: &[(f64, f64)]) {
        let colour = number % COLOURS;
        let _ = write!(
            self.body,
            "<g class=\"series middle c{colour}\" data-s=\"{number}\">"
        );
        self.line(line);
        self.body.push_str("</g>");
    }

    /// Marks of one shape in a group with these attributes.
    pub fn marks(&mut self, group: &str, shape: &str, marks: &[Mark]) {
        self.marks += marks.len();
        let _ = write!(self.body, "<g {group}>");
        for mark in marks {
            self.mark(mark, shape);
        }
        self.body.push_str("</g>");
    }

    fn line(&mut self, line: &[(f64, f64)]) {
        self.body.push_str("<path class=\"line\" d=\"");
        for (index, &(x, y)) in line.iter().enumerate() {
            let pen = if index == 0 { 'M' } else { 'L' };
            let (x, y) = (self.x.scale.at(x), self.y.scale.at(y));
            let _ = write!(self.body, "{pen}{} {}", tenth(x), tenth(y));
        }
        self.body.push_str("\"/>");
    }

    fn mark(&mut self, mark: &Mark, shape: &str) {
        let x = mark.x.map_or(RIGHT, |x| self.x.scale.at(x));
        let y = mark.y.map_or(TOP, |y| self.y.scale.at(y));
        let _ = write!(self.body, "<path d=\"M{} {}{shape}\"", tenth(x), tenth(y));
        if let Some(run) = mark.run {
            let _ = write!(self.body, " data-r=\"{run}\"");
        }
        if mark.is_pale {
            self.body.push_str(" class=\"u\"");
        }
        let _ = match mark.title.is_empty() {
            true => write!(self.body, "/>"),
            false => write!(self.body, "><title>{}</title></path>", escape(&mark.title)),
        };
    }

    /// The drawing; `about` says in words what it shows. `data` are further attributes.
    pub fn svg(mut self, about: &str, data: &str) -> String {
        let lines = self.legend.len().min(LEGEND_LINES);
        let hidden = self.legend.len() - lines;
        for (line, (number, label)) in self.legend.iter().take(lines).enumerate() {
            let y = HEIGHT + 8.0 + LEGEND_LINE * line as f64;
            let shape = SHAPES[number % SHAPES.len()];
            let _ = write!(
                self.body,
                "<g class=\"key c{}\" data-s=\"{number}\"><path d=\"M{} {y}{shape}\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text></g>",
                number % COLOURS,
                LEGEND_LEFT,
                LEGEND_LEFT + 14.0,
                y + 4.5,
                escape(&shortened(label, LEGEND_LETTERS)),
            );
        }
        let mut height = HEIGHT + LEGEND_LINE * lines as f64;
        if hidden > 0 {
            height += LEGEND_LINE;
            let _ = write!(
                self.body,
                "<text class=\"more\" x=\"{}\" y=\"{}\">and {hidden} more</text>",
                LEGEND_LEFT + 14.0,
                height - LEGEND_LINE + 12.5,
            );
        }
        let class = if self.marks > DENSE {
            " class=\"dense\""
        } else {
            ""
        };
        format!(
            "<svg{class} xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-label=\"{}\"{data}>{}</svg>",
            escape(about),
            self.body + &self.words,
        )
    }

    /// The scales, and where the borders are, for a script that moves marks.
    pub fn scales(&self) -> String {
        let (a, b) = self.x.scale.log_line();
        let (c, d) = self.y.scale.log_line();
        format!(" data-x=\"{a:.3} {b:.3} {RIGHT}\" data-y=\"{c:.3} {d:.3} {TOP}\"")
    }
}

/// A name of at most so many letters: of a long one the middle is left out, for its end is what
/// tells it apart.
pub fn shortened(label: &str, most: usize) -> String {
    let letters: Vec<char> = label.chars().collect();
    if letters.len() <= most {
        return label.to_owned();
    }
    let half = (most - 1) / 2;
    let start = letters[..half].iter();
    start
        .chain(['…'].iter())
        .chain(&letters[letters.len() - half..])
        .collect()
}
