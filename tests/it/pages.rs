//! Pages in a real browser: they load without errors, sort, filter, choose and play.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use slidebench::harness::record::{Row, RowFormat, Status, parse_rows};

use crate::browser::{Browser, Window, wait_until};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const RIGHT: &str = "\u{e014}";
const END: &str = "\u{e010}";

fn slidebench(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slidebench"));
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
}

/// Two configurations on small boards, some of them stopped by a limit.
fn small_report(folder: &Path) -> (PathBuf, Vec<Row>) {
    let run = "run smoke -H md,lc --node-limit 10000 -o runs.csv --iterations thresholds.csv";
    slidebench(folder, &run.split(' ').collect::<Vec<_>>());
    slidebench(
        folder,
        &["report", "runs.csv", "thresholds.csv", "-o", "page.html"],
    );
    let rows = parse_rows(&fs::read_to_string(folder.join("runs.csv")).unwrap()).unwrap();
    assert!(rows.iter().any(|row| row.status == Status::NodeLimit));
    (folder.join("page.html"), rows)
}

/// The runs that the table shows, in its order.
fn listed(browser: &Browser) -> Vec<usize> {
    let script =
        "return [...document.querySelectorAll('#run-table tbody tr')].map(row => +row.dataset.r)";
    serde_json::from_value(browser.script(script)).unwrap()
}

#[test]
fn a_report_loads_and_has_a_mark_for_each_row() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (page, rows) = small_report(folder.path());
    browser.open(&page);
    assert_eq!(browser.console(), [""; 0]);
    for plot in ["cactus", "speed", "cost"] {
        assert_eq!(
            browser.count(&format!("#{plot} path[data-r]")),
            rows.len(),
            "{plot}"
        );
    }
    assert_eq!(browser.count("#scatter .pairs path"), rows.len() / 2);
    let thresholds = fs::read_to_string(folder.path().join("thresholds.csv")).unwrap();
    let marks = browser.count("#thresholds .series path:not(.line)");
    assert_eq!(marks, thresholds.lines().count() - 1);
    assert_eq!(browser.count("#percentiles .series path:not(.line)"), 2 * 4);

    // Another choice redraws the pairs.
    let before = browser.text("document.querySelector('#scatter .pairs').innerHTML");
    browser.keys("#scatter-across", "idastar with lc");
    browser.keys("#scatter-up", "idastar with md");
    assert_eq!(
        browser.text("document.querySelector('#scatter .name.y').textContent"),
        "idastar with md, 1 thread"
    );
    assert_eq!(browser.count("#scatter .pairs path"), rows.len() / 2);
    assert_ne!(
        browser.text("document.querySelector('#scatter .pairs').innerHTML"),
        before
    );

    // A series can be hidden.
    assert!(browser.is_shown("#cactus g[data-s='1'] path[data-r]"));
    browser.click("[data-show='1']");
    assert!(!browser.is_shown("#cactus g[data-s='1'] path[data-r]"));
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn the_table_sorts_filters_and_gives_its_data_back() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (page, rows) = small_report(folder.path());
    browser.open(&page);
    let mut by_time: Vec<usize> = (0..rows.len()).collect();
    assert_eq!(listed(&browser), by_time);
    by_time.sort_by_key(|&run| rows[run].time_ns);
    browser.click("th[data-column='time_ns'] button");
    assert_eq!(listed(&browser), by_time);
    let slowest = *by_time.last().unwrap();
    browser.keys("th[data-column='time_ns'] button", ENTER);
    assert_eq!(listed(&browser)[0], slowest, "keys sort the other way");
    browser.click("th[data-column='cost'] button");
    let first = &rows[listed(&browser)[0]];
    let least = rows.iter().filter_map(|row| row.cost).min();
    assert_eq!(first.cost, least, "what is empty comes last");

    browser.keys("#filter", "lc solved");
    let fits = |row: &&Row| row.heuristic == "lc" && row.status == Status::Solved;
    assert_eq!(listed(&browser).len(), rows.iter().filter(fits).count());
    assert!(listed(&browser).iter().all(|&run| fits(&&rows[run])));
    browser.script("document.getElementById('filter').value = ''");
    browser.keys("#filter-status", "node-limit");
    let stopped = rows.iter().filter(|row| row.status == Status::NodeLimit);
    assert_eq!(listed(&browser).len(), stopped.count());
    browser.keys("#filter", "no such run");
    assert_eq!(
        browser.text("document.getElementById('place').textContent"),
        "none of 0 runs"
    );

    let csv = fs::read_to_string(folder.path().join("runs.csv")).unwrap();
    let svg = "svgText(document.querySelector('#cactus svg'))";
    let parsed =
        format!("new DOMParser().parseFromString({svg}, 'image/svg+xml').documentElement.tagName");
    assert_eq!(browser.text(&parsed), "svg");
    assert!(
        browser.text(svg).contains("--c0: #0072b2"),
        "its colours go with it"
    );
    let saved = folder.path().join("saved");
    let allow = json!({ "behavior": "allow", "downloadPath": saved });
    browser.devtools("Browser.setDownloadBehavior", &allow);
    for (button, name, text) in [
        ("#save-csv", "runs.csv", csv),
        ("[data-save='cactus']", "cactus.svg", browser.text(svg)),
    ] {
        browser.click(button);
        let file = saved.join(name);
        wait_until(|| fs::read_to_string(&file).is_ok_and(|saved| saved == text));
    }
    assert_eq!(browser.console(), [""; 0]);
}

/// The board that is shown.
const TILES: &str = "document.querySelector('#run .board').dataset.tiles";

/// The run that is open ends at the goal, or is one that has no solution.
fn is_played_to_the_goal(browser: &Browser, row: &Row) {
    if row.status == Status::Solved {
        browser.keys("#run .play", END);
        let goal: Vec<String> = (0..row.rows.unwrap() * row.cols.unwrap())
            .map(|tile| tile.to_string())
            .collect();
        assert_eq!(browser.text(TILES), goal.join(" "), "{row:?}");
        let caption = browser.text("document.querySelector('#run .caption').textContent");
        let cost = row.cost.unwrap();
        assert!(
            caption.starts_with(&format!("step {cost} of {cost}")),
            "{caption}"
        );
        assert!(caption.ends_with("taxicab 0"), "{caption}");
    } else {
        assert_eq!(browser.count("#run .board"), 1, "its suite knows the board");
        assert_eq!(browser.count("#run .play"), 0);
    }
}

/// Rows of schema 1 and of others have no board: where the suite is built in, it is known.
#[test]
fn rows_without_a_board_play_too() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/runs/smoke-md.csv");
    let rows = parse_rows(&fs::read_to_string(&old).unwrap()).unwrap();
    let mut others = "suite,instance,status,cost,time_ns,solution\n".to_owned();
    for row in &rows {
        let solution = row.solution.as_ref().unwrap();
        let (cost, instance) = (row.cost.unwrap(), &row.instance);
        others += &format!("smoke,{instance},solved,{cost},5000,{solution}\n");
    }
    // What does not lead to the goal is not played.
    others += "smoke,1,solved,2,5000,UU\nelsewhere,1,solved,2,5000,UU\n";
    fs::write(folder.path().join("old.csv"), fs::read(&old).unwrap()).unwrap();
    fs::write(folder.path().join("others.csv"), others).unwrap();
    for (file, more) in [("old", 0), ("others", 2)] {
        let (csv, page) = (format!("{file}.csv"), format!("{file}.html"));
        slidebench(folder.path(), &["report", &csv, "-o", &page]);
        browser.open(&folder.path().join(&page));
        for (run, row) in rows.iter().enumerate() {
            browser.script(&format!("openRun({run})"));
            is_played_to_the_goal(&browser, row);
        }
        for run in rows.len()..rows.len() + more {
            browser.script(&format!("openRun({run})"));
            assert_eq!(browser.count("#run .play"), 0);
        }
        assert_eq!(browser.console(), [""; 0]);
    }
}

/// A goal in the middle, and moves of rows of tiles: as many steps as the row's cost.
#[test]
fn any_goal_and_rows_of_tiles_play_too() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("b.txt"), "2 8 3 1 6 4 7 0 5\n").unwrap();
    let flags = ["--goal", "spiral", "--metric", "multi"];
    slidebench(
        folder.path(),
        &[&["run", "b.txt", "-a", "astar", "-o", "o.csv"][..], &flags].concat(),
    );
    slidebench(folder.path(), &["report", "o.csv", "-o", "o.html"]);
    let rows = parse_rows(&fs::read_to_string(folder.path().join("o.csv")).unwrap()).unwrap();
    let (cost, moves) = (
        rows[0].cost.unwrap().whole().unwrap(),
        rows[0].moves.unwrap(),
    );
    assert!(cost < moves);
    browser.open(&folder.path().join("o.html"));
    browser.script("openRun(0)");
    assert_eq!(browser.count("#run .moves button"), cost);
    browser.keys("#run .play", END);
    assert_eq!(browser.text(TILES), "1 2 3 8 0 4 7 6 5");
    let caption = browser.text("document.querySelector('#run .caption').textContent");
    assert!(
        caption.starts_with(&format!("step {cost} of {cost}")),
        "{caption}"
    );
    assert!(caption.ends_with("taxicab 0"), "{caption}");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn every_solution_plays_to_the_goal() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (page, rows) = small_report(folder.path());
    browser.open(&page);
    for (run, row) in rows.iter().enumerate() {
        browser.script(&format!("openRun({run})"));
        is_played_to_the_goal(&browser, row);
        browser.script("document.getElementById('run').close()");
    }

    // By hand: a click on a row, then play at full speed.
    browser.click("#run-table tbody tr:nth-child(7) td:nth-child(3)");
    let steps = browser.number("+document.querySelector('#run input[type=range]').max");
    assert_eq!(Some(steps.into()), rows[6].cost);
    let start = browser.text(TILES);
    browser.keys("#run select", "16×");
    browser.click("#run .play");
    browser.wait_until(&format!(
        "+document.querySelector('#run input[type=range]').value === {steps}"
    ));
    assert_ne!(browser.text(TILES), start);
    browser.click("#run [aria-label='Step back']");
    browser.click("#run [aria-label='Step']");
    browser.click("#run .moves button:first-child");
    assert_eq!(
        browser.number("+document.querySelector('#run input[type=range]').value"),
        1
    );

    // By keys.
    browser.keys("#run .play", ESCAPE);
    assert!(!browser.is_shown("#run"));
    browser.keys("#run-table tbody tr:first-child .open", ENTER);
    assert!(browser.is_shown("#run .board"));
    browser.keys("#run .play", RIGHT);
    assert_eq!(
        browser.number("+document.querySelector('#run input[type=range]').value"),
        1
    );
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_board_plays_on_a_page_of_its_own() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("board.html");
    let tiles = "document.querySelector('.board').dataset.tiles";
    slidebench(
        folder.path(),
        &["solve", "8 6 7 2 5 4 3 0 1", "--html", "board.html"],
    );
    browser.open(&page);
    assert_eq!(browser.text(tiles), "8 6 7 2 5 4 3 0 1");
    // By hand: the tile above the gap comes down, and one from the right follows it.
    let press = |key: &str| {
        let event = format!("new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }})");
        browser.script(&format!("document.body.dispatchEvent({event})"));
    };
    press("ArrowDown");
    assert_eq!(browser.text(tiles), "8 6 7 2 0 4 3 5 1");
    browser.click("[aria-label='Move a tile left']");
    assert_eq!(browser.text(tiles), "8 6 7 2 4 0 3 5 1");
    let caption = "document.querySelector('.caption').textContent";
    assert_eq!(browser.text(caption), "2 moves of your own, taxicab 21");
    let saved = "drawingOf(boardPlayer.shown())";
    let place = "/data-tile=\"4\"[^>]*translate\\(66 66\\)/";
    assert!(browser.script(&format!("return {place}.test({saved})")) == json!(true));
    assert_eq!(browser.count(".goal [data-tile]"), 8);
    browser.click("[aria-label='To the start']");
    assert_eq!(browser.text(tiles), "8 6 7 2 5 4 3 0 1");

    browser.keys("select", "16×");
    browser.click(".play");
    browser.wait_until(&format!("{tiles} === '1 2 3 4 5 6 7 8 0'"));
    assert_eq!(browser.count(".moves button"), 31);

    for (board, caption) in [
        ("1 2 3 4 5 6 8 7 0", "taxicab 2"),
        ("1 2 3 4 5 6 7 8 0", "step 0 of 0, taxicab 0"),
    ] {
        slidebench(folder.path(), &["solve", board, "--html", "board.html"]);
        browser.open(&page);
        assert_eq!(
            browser.text("document.querySelector('.caption').textContent"),
            caption
        );
    }
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_page_is_readable_on_a_phone_in_the_dark_and_without_a_script() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (page, rows) = small_report(folder.path());
    let paper = "getComputedStyle(document.documentElement).backgroundColor";
    browser.devtools(
        "Emulation.setDeviceMetricsOverride",
        &json!({
            "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true,
        }),
    );
    for (scheme, colour) in [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 27)")] {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.devtools("Emulation.setEmulatedMedia", &media);
        browser.open(&page);
        assert_eq!(browser.text(paper), colour);
    }
    assert_eq!(browser.number("innerWidth"), 390);
    assert_eq!(
        browser.number("document.documentElement.scrollWidth"),
        390,
        "nothing sticks out"
    );
    drop(browser);

    let plain = Browser::start(Window {
        without_script: true,
    })
    .unwrap();
    plain.open(&page);
    assert_eq!(plain.count("html.has-script"), 0);
    assert_eq!(plain.count("#cactus path[data-r]"), rows.len());
    assert_eq!(plain.count("#run-table tbody tr"), rows.len());
    assert!(plain.is_shown("#cactus svg"));
    assert!(!plain.is_shown("#filter"), "no control that does nothing");
}

/// What users name things is text, whatever it looks like.
#[test]
fn names_are_no_markup() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (_, mut rows) = small_report(folder.path());
    let evil =
        "</script><script>window.broken = 1</script>\"'><img src=x onerror='window.broken=1'>";
    for row in &mut rows {
        row.suite = evil.to_owned();
        row.heuristic += evil;
        row.version += evil;
        row.cpu += evil;
    }
    let mut csv = RowFormat::Csv.header::<Row>();
    rows.iter().for_each(|row| csv += &RowFormat::Csv.line(row));
    fs::write(folder.path().join("evil.csv"), &csv).unwrap();
    slidebench(folder.path(), &["report", "evil.csv", "-o", "evil.html"]);
    browser.open(&folder.path().join("evil.html"));
    browser.script("openRun(0)");
    assert_eq!(browser.script("return window.broken ?? null"), json!(null));
    assert_eq!(browser.count("img"), 0);
    assert_eq!(
        browser.text("document.querySelector('h1').textContent"),
        evil
    );
    assert_eq!(browser.text("csvText()"), csv);
    assert_eq!(browser.console(), [""; 0]);
}

/// Ten thousand runs are drawn, sorted and filtered.
#[test]
fn a_large_report_is_usable() {
    let Some(browser) = Browser::start(Window::default()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (_, rows) = small_report(folder.path());
    let mut csv = RowFormat::Csv.header::<Row>();
    for copy in 0..10_000 {
        let mut row = rows[copy % rows.len()].clone();
        row.suite = (copy % 2).to_string();
        row.instance = (copy / 2).to_string();
        row.time_ns += copy as u64;
        row.known_optimal = None;
        csv += &RowFormat::Csv.line(&row);
    }
    fs::write(folder.path().join("large.csv"), csv).unwrap();
    slidebench(folder.path(), &["report", "large.csv", "-o", "large.html"]);
    browser.open(&folder.path().join("large.html"));
    // A busy machine takes a while to draw them.
    let drawn = || browser.number("document.querySelectorAll('#cactus path[data-r]').length");
    wait_until(|| drawn() == 10_000);
    browser.click("th[data-column='instance'] button");
    browser.click("th[data-column='instance'] button");
    assert_eq!(
        browser.text("document.querySelector('#run-table .open').textContent"),
        "4999"
    );
    browser.click("#next");
    assert_eq!(
        browser.text("document.getElementById('place').textContent"),
        "51–100 of 10,000 runs"
    );
    browser.keys("#filter", "4321");
    assert_eq!(listed(&browser).len(), 2);
    browser.keys("#filter-suite", "1");
    assert_eq!(listed(&browser), [8643]);
    assert_eq!(browser.console(), [""; 0]);
}
