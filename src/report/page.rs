//! The page: one file with its style, its data and its script.

use std::fmt::Write;

use super::data;
use super::facts::Facts;
use super::figure::Figure;
use super::html::{escape, script_json};
use super::plot::COLOURS;
use super::problems::Problems;
use super::{
    bounds, cactus, cost, incumbents, overview, percentiles, quality, ranks, run_table, scatter,
    spaces, speed, standings, thresholds,
};

pub const COLOURS_LIGHT: &str = include_str!("light.css");
const COLOURS_DARK: &str = include_str!("dark.css");
pub const PLOT_STYLE: &str = include_str!("plot.css");
const PAGE_STYLE: &str = include_str!("page.css");
const PLAYER_STYLE: &str = include_str!("player.css");
pub const PLAYER_SCRIPT: &str = include_str!("player.js");
const REPORT_SCRIPTS: [&str; 3] = [
    include_str!("data.js"),
    include_str!("run_table.js"),
    include_str!("plots.js"),
];

/// What a page has near its begin, and no page of another program.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"slidebench\">";

/// A whole page of some parts, that runs some scripts.
pub fn page(title: &str, body: &str, scripts: &[&str]) -> String {
    let scripts: String = scripts.join("\n");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{GENERATOR}\n<title>{}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <style id=\"light\">{COLOURS_LIGHT}</style>\n<style>{COLOURS_DARK}</style>\n\
         <style id=\"plot-style\">{PLOT_STYLE}</style>\n<style>{PAGE_STYLE}{PLAYER_STYLE}</style>\n\
         </head>\n<body>\n{body}\n<script>\n\"use strict\";\n{scripts}</script>\n</body>\n</html>\n",
        escape(title)
    )
}

/// The page about all runs; `chosen` are the series of the scatter plot.
pub fn report(facts: &Facts<'_>, problems: &Problems, chosen: Option<(usize, usize)>) -> String {
    let mut body = String::new();
    body += &problems.html(&facts.runs);
    body += &standings::html(facts);
    body += "<section id=\"plots\"><h2>Plots</h2>";
    body += &legend(facts);
    body += "<div class=\"figures\">";
    body.extend(figures(facts, chosen).iter().map(Figure::html));
    body += "</div></section>\n";
    body += &spaces::table(facts.spaces, "Whole spaces");
    body += &run_table::html(facts);
    let data = script_json(&data::json(facts, problems));
    let body = format!(
        "{}<main>\n{body}</main>\n<dialog id=\"run\" aria-label=\"One run\"></dialog>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>",
        overview::html(facts)
    );
    let title = format!("{} – slidebench", facts.runs.suites().join(", "));
    let mut scripts = vec![PLAYER_SCRIPT];
    scripts.extend(REPORT_SCRIPTS);
    page(&title, &body, &scripts)
}

pub fn figures(facts: &Facts<'_>, chosen: Option<(usize, usize)>) -> Vec<Figure> {
    let chosen = chosen.or((facts.runs.series.len() > 1).then_some((0, 1)));
    let first = std::iter::once(cactus::figure(facts)).chain(ranks::figures(facts));
    let others = [
        chosen.map(|chosen| scatter::figure(facts, chosen)),
        Some(speed::figure(facts)),
        Some(percentiles::figure(facts)),
        Some(cost::figure(facts)),
        quality::figure(facts),
        incumbents::figure(facts),
        thresholds::figure(facts),
        bounds::figure(facts),
        spaces::figure(facts.spaces, facts.runs.series.len()),
    ];
    first.chain(others.into_iter().flatten()).collect()
}

/// What shows and hides series in all plots.
fn legend(facts: &Facts<'_>) -> String {
    if facts.runs.series.len() < 2 {
        return String::new();
    }
    let mut html = "<fieldset class=\"legend scripted\"><legend>Show</legend>".to_owned();
    for (number, series) in facts.runs.series.iter().enumerate() {
        let _ = write!(
            html,
            "<label class=\"c{}\"><input type=\"checkbox\" checked data-show=\"{number}\">\
             <span class=\"swatch\"></span>{}</label> ",
            number % COLOURS,
            escape(&series.label)
        );
    }
    html + "</fieldset>"
}
