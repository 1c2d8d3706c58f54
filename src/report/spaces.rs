//! Whole spaces: how many states are at each distance from the goal.

use std::fmt::Write;

use super::axis::{Axis, short};
use super::figure::Figure;
use super::html::escape;
use super::page::page;
use super::plot::{Mark, Plot};
use super::scale::Scale;
use super::series::Series;
use crate::harness::humanize::{count, counted};
use crate::puzzle::{Metric, Size};
use crate::space::LayerCount;

/// The layers of one space, the goal's first.
struct Layers {
    size: Size,
    metric: Metric,
    /// Each with its distance.
    layers: Vec<(u32, u64)>,
}

/// Layers by the space that they are of, in the order of the files; a layer that two files have is one.
fn spaces(layers: &[LayerCount]) -> Vec<Layers> {
    let mut spaces: Vec<Layers> = Vec::new();
    for layer in layers {
        let is_of = |it: &&mut Layers| (it.size, it.metric) == (layer.size, layer.metric);
        let counted = (layer.depth, layer.count);
        match spaces.iter_mut().find(is_of) {
            Some(space) => space.layers.push(counted),
            None => spaces.push(Layers {
                size: layer.size,
                metric: layer.metric,
                layers: vec![counted],
            }),
        }
    }
    for space in &mut spaces {
        space.layers.sort_unstable();
        space.layers.dedup_by_key(|(depth, _)| *depth);
    }
    spaces
}

impl Layers {
    /// `3x4`, or `3x4 (multi)` where a row of tiles is one move.
    fn name(&self) -> String {
        match self.metric {
            Metric::Single => self.size.to_string(),
            Metric::Multi => format!("{} ({})", self.size, self.metric),
        }
    }

    fn states(&self) -> u64 {
        let counts = self.layers.iter().map(|(_, count)| *count);
        counts.fold(0, u64::saturating_add)
    }

    fn cells(&self) -> [String; 6] {
        let &(radius, farthest) = self.layers.last().unwrap_or(&(0, 0));
        let most = self.layers.iter().max_by_key(|(_, count)| *count);
        let sum: f64 = (self.layers.iter())
            .map(|&(depth, count)| f64::from(depth) * count as f64)
            .sum();
        [
            self.name(),
            count(self.states()),
            radius.to_string(),
            count(farthest),
            most.map_or(String::new(), |(depth, _)| depth.to_string()),
            format!("{:.2}", sum / self.states().max(1) as f64),
        ]
    }
}

/// A line for each space, or nothing where no layers were given. Their numbers follow those of `series`
/// others.
pub fn figure(layers: &[LayerCount], series: usize) -> Option<Figure> {
    if layers.is_empty() {
        return None;
    }
    let depths = layers.iter().map(|layer| f64::from(layer.depth));
    let mut plot = Plot::new(
        Axis::counted(Scale::linear(depths, true), "moves from the goal"),
        Axis {
            scale: Scale::log(layers.iter().map(|layer| layer.count as f64)),
            label: "states".to_owned(),
            write: short,
        },
    );
    for (number, space) in (series..).zip(spaces(layers)) {
        let label = space.name();
        let points = (space.layers.iter()).map(|&(depth, count)| (f64::from(depth), count as f64));
        let marks: Vec<Mark> = (space.layers.iter())
            .map(|&(depth, states)| Mark {
                x: Some(f64::from(depth)),
                y: Some(states as f64),
                run: None,
                is_pale: false,
                title: format!(
                    "{label}: {} at distance {depth}",
                    counted(states as usize, "state")
                ),
            })
            .collect();
        plot.series(number, &Series { label }, &[points.collect()], &marks);
    }
    Some(Figure {
        id: "spaces".to_owned(),
        title: "Whole spaces",
        note: "How many states are at each distance from the goal; the last mark is at the radius. multi: a row of tiles is one move."
            .to_owned(),
        controls: String::new(),
        svg: plot.svg("States of whole spaces by their distance from the goal", ""),
    })
}

/// A table of the spaces, or nothing.
pub fn table(layers: &[LayerCount], title: &str) -> String {
    if layers.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<section id=\"spaces-table\"><h2>{title}</h2><div class=\"wide\">\
         <table class=\"standings\" aria-label=\"Whole spaces\"><thead><tr>"
    );
    for head in ["space", "states", "radius", "farthest", "most at", "mean"] {
        let _ = write!(html, "<th scope=\"col\">{head}</th>");
    }
    html.push_str("</tr></thead><tbody>");
    for space in spaces(layers) {
        for (number, cell) in space.cells().iter().enumerate() {
            let cell = escape(cell);
            let _ = match number {
                0 => write!(html, "<tr><th scope=\"row\">{cell}</th>"),
                _ => write!(html, "<td>{cell}</td>"),
            };
        }
        html.push_str("</tr>");
    }
    html + "</tbody></table></div><p class=\"about\">farthest: states at the distance of the radius; most at: the \
            distance that most states have; mean: of all distances.</p></section>\n"
}

/// The page of spaces alone; `files` are where they come from.
pub fn spaces_page(layers: &[LayerCount], files: &[String]) -> String {
    let names: Vec<String> = spaces(layers).iter().map(Layers::name).collect();
    let figure = figure(layers, 0).map(|figure| figure.html());
    let body = format!(
        "<header><h1>Whole spaces</h1><p>{}, from {}.</p></header>\n<main>\n{}\
         <section id=\"plots\"><h2>Plots</h2><div class=\"figures alone\">{}</div></section>\n</main>",
        escape(&names.join("; ")),
        escape(&files.join(", ")),
        table(layers, "Facts"),
        figure.unwrap_or_default(),
    );
    page("Whole spaces – slidebench", &body, &[])
}
