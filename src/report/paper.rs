//! Figures and tables as files for a paper.
//!
//! A drawing of a page takes its colours from the page's style by names, which only browsers resolve.
//! The one for a paper has them written out, so that every program that makes a PDF of it draws
//! the same.

use std::collections::HashSet;

use regex_lite::Regex;

use super::facts::Facts;
use super::figure::Figure;
use super::html::escape;
use super::page::{COLOURS_LIGHT, PLOT_STYLE, figures};
use super::standings::tables;

/// A file of a paper.
pub struct PaperFile {
    /// Its name: letters, digits and hyphens, and its ending.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What every file for a paper has in its begin, and before the command that made it.
pub const MADE_BY: &str = "made by: slidebench ";

/// Each figure as SVG, each table as CSV and as LaTeX; `command` is what was typed behind the
/// program's name.
pub fn files(facts: &Facts<'_>, chosen: Option<(usize, usize)>, command: &str) -> Vec<PaperFile> {
    let made_by = made_by(command);
    let mut files = drawings(&figures(facts, chosen), command);
    let mut taken = HashSet::new();
    for table in tables(facts) {
        let plain = file_name(&format!("{}-{}", table.suite, table.id));
        let mut name = plain.clone();
        // Two suites may differ in nothing but what a file's name leaves out.
        for number in 2.. {
            if taken.insert(name.clone()) {
                break;
            }
            name = format!("{plain}-{number}");
        }
        for (ending, text) in [("csv", table.csv(&made_by)), ("tex", table.latex(&made_by))] {
            let name = format!("{name}.{ending}");
            files.push(PaperFile { name, text });
        }
    }
    files
}

/// Figures as SVG.
pub fn drawings(figures: &[Figure], command: &str) -> Vec<PaperFile> {
    let files = figures.iter().map(|figure| PaperFile {
        name: format!("{}.svg", figure.id),
        text: drawing(figure, &made_by(command)),
    });
    files.collect()
}

fn made_by(command: &str) -> String {
    format!("{MADE_BY}{}", command.replace(char::is_control, " "))
}

fn file_name(text: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    text.chars().map(keep).collect()
}

/// A drawing that needs no page: with its style and its size, without what a page's script reads.
fn drawing(figure: &Figure, made_by: &str) -> String {
    let svg = &figure.svg;
    let titles = pattern(r"<title>[^<]*</title>");
    let numbers = pattern(r#" data-[a-z]="[^"]*""#);
    let svg = numbers
        .replace_all(&titles.replace_all(svg, ""), "")
        .replace("></path>", "/>");
    let svg = coloured(&svg);
    let size = pattern(r#"viewBox="0 0 ([0-9.]+) ([0-9.]+)""#);
    let svg = size.replace(&svg, r#"width="$1" height="$2" $0"#);
    let head = format!(
        "<title>{}</title><desc>{}</desc><style>{}</style>",
        escape(figure.title),
        escape(made_by),
        style()
    );
    let (begin, rest) = svg.split_once('>').unwrap_or((&svg, ""));
    format!("{begin}>{head}{rest}\n")
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is right")
}

/// What groups of a series draw with, as an attribute that their paths inherit.
fn coloured(svg: &str) -> String {
    let groups = pattern(r#"<g class="((?:series|key)[a-z ]*) c([0-9])([a-z ]*)""#);
    let coloured = groups.replace_all(svg, |group: &regex_lite::Captures<'_>| {
        let colour = value_of(&format!("c{}", &group[2])).unwrap_or("black");
        format!(
            "<g class=\"{}{}\" stroke=\"{colour}\"",
            &group[1], &group[3]
        )
    });
    coloured.into_owned()
}

/// The style of plots with the values of the light colours instead of their names, for a font that
/// is everywhere, and without a ground.
fn style() -> String {
    let rules = PLOT_STYLE.lines().filter(|rule| !rule.starts_with(".c"));
    let plain = rules.collect::<Vec<_>>().join("\n");
    let plain = plain
        .replace(" stroke: var(--c);", "")
        .replace("background: var(--paper); ", "")
        .replace(
            "system-ui, -apple-system, \"Segoe UI\", sans-serif",
            "Helvetica, Arial, sans-serif",
        );
    let names = pattern(r"var\(--([a-z0-9-]+)\)");
    let plain = names.replace_all(&plain, |name: &regex_lite::Captures<'_>| {
        value_of(&name[1]).unwrap_or("black").to_owned()
    });
    // A group's colour is for its paths.
    format!("{plain}svg text {{ stroke: none; }}\n")
}

/// What a name stands for in the light colours.
fn value_of(name: &str) -> Option<&'static str> {
    let (_, rest) = COLOURS_LIGHT.split_once(&format!("--{name}: "))?;
    rest.split_once(';').map(|(value, _)| value)
}
