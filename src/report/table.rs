//! Tables of figures: as a part of a page, as CSV, and as LaTeX.

use std::fmt::Write;

use super::html::escape;
use super::plot::COLOURS;

/// A table; its first columns name the rows, the others are figures.
pub struct Table {
    /// What its file is called, behind the suite's name.
    pub id: &'static str,
    /// The suite that it is about.
    pub suite: String,
    /// What it shows, in words that end without a point.
    pub about: String,
    /// How many columns are names.
    pub names: usize,
    /// The names of the columns, for people.
    pub heads: Vec<&'static str>,
    /// The names of the values, with their units, for programs; there may be more of these.
    pub columns: Vec<&'static str>,
    pub rows: Vec<TableRow>,
}

pub struct TableRow {
    /// The number of a series, which has a colour.
    pub series: Option<usize>,
    /// For people.
    pub cells: Vec<String>,
    /// For programs, without units and not rounded; empty where there is none.
    pub values: Vec<String>,
}

/// A cell without a value.
pub const NONE: &str = "–";

/// What a program reads where there may be no value.
pub fn value<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

impl Table {
    /// A part of a page.
    pub fn html(&self) -> String {
        let mut html = format!(
            "<p class=\"about\">{0}</p><div class=\"wide\">\
             <table class=\"standings\" aria-label=\"{0}\"><thead><tr>",
            escape(&format!("{}: {}.", self.suite, self.about))
        );
        for (number, head) in self.heads.iter().enumerate() {
            let class = self.class_of(number);
            let _ = write!(html, "<th scope=\"col\"{class}>{head}</th>");
        }
        html.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            let (class, swatch) = match row.series {
                Some(series) => (
                    format!(" class=\"c{}\"", series % COLOURS),
                    "<span class=\"swatch\"></span>",
                ),
                None => (String::new(), ""),
            };
            let cells = row.cells.iter().map(|cell| escape(cell));
            for (number, cell) in cells.enumerate() {
                let _ = match number {
                    0 => write!(html, "<tr><th scope=\"row\"{class}>{swatch}{cell}</th>"),
                    _ => write!(html, "<td{}>{cell}</td>", self.class_of(number)),
                };
            }
            html.push_str("</tr>");
        }
        html + "</tbody></table></div>"
    }

    /// The first column is one of names anyhow.
    fn class_of(&self, column: usize) -> &'static str {
        match (1..self.names).contains(&column) {
            true => " class=\"words\"",
            false => "",
        }
    }

    /// A file for programs, which begins with a comment.
    pub fn csv(&self, made_by: &str) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = std::iter::once("suite").chain(self.columns.iter().copied());
        let written = writer.write_record(header);
        written.expect("memory takes everything");
        for row in &self.rows {
            let fields = std::iter::once(&self.suite).chain(&row.values);
            writer
                .write_record(fields)
                .expect("rows have a value for each column");
        }
        let rows = writer.into_inner().expect("memory takes everything");
        format!("# {made_by}\n{}", String::from_utf8_lossy(&rows))
    }

    /// A tabular for a paper; it wants the package booktabs.
    pub fn latex(&self, made_by: &str) -> String {
        let (names, figures) = (
            "l".repeat(self.names),
            "r".repeat(self.heads.len() - self.names),
        );
        let heads: Vec<String> = self.heads.iter().map(|head| latex(head)).collect();
        let mut text = format!(
            "% {made_by}\n% {}: {}.\n% \\usepackage{{booktabs}}\n\
             \\begin{{tabular}}{{{names}{figures}}}\n\\toprule\n{} \\\\\n\\midrule\n",
            one_line(&self.suite),
            one_line(&self.about),
            heads.join(" & ")
        );
        for (number, row) in self.rows.iter().enumerate() {
            // What is no configuration stands apart.
            let before = number.checked_sub(1).map(|before| &self.rows[before]);
            if row.series.is_none() && before.is_some_and(|before| before.series.is_some()) {
                text += "\\midrule\n";
            }
            let cells: Vec<String> = row.cells.iter().map(|cell| latex(cell)).collect();
            let _ = writeln!(text, "{} \\\\", cells.join(" & "));
        }
        text + "\\bottomrule\n\\end{tabular}\n"
    }
}

fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Text as LaTeX prints it.
fn latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("$<$"),
            '>' => escaped.push_str("$>$"),
            '–' => escaped.push_str("--"),
            'µ' => escaped.push_str("$\\mu$"),
            _ if c.is_control() => escaped.push(' '),
            _ => escaped.push(c),
        }
    }
    escaped
}
