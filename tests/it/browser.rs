//! A real browser, driven over the WebDriver protocol: JSON over HTTP to chromedriver.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Set where a missing browser is a mistake: nothing is skipped then.
const NEEDED: &str = "SLIDEBENCH_NEEDS_BROWSER";
/// The name that WebDriver gives the field with an element's number.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// The longest wait for something to come about.
const PATIENCE: Duration = Duration::from_secs(30);

/// A page in a window of its own.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// What a session begins with.
#[derive(Clone, Copy, Default)]
pub struct Window {
    pub without_script: bool,
}

impl Browser {
    /// Starts one, or says why there is none and returns nothing.
    pub fn start(window: Window) -> Option<Browser> {
        let mut driver = match start_driver() {
            Ok(driver) => driver,
            Err(error) => {
                let told = format!(
                    "skipped: no browser to test pages with (chromedriver: {error}); \
                     on Debian: apt-get install chromium chromium-driver\n"
                );
                assert!(std::env::var_os(NEEDED).is_none(), "{told}");
                // Past the capture of tests that pass: a skipped test has to be seen.
                let _ = io::stderr().write_all(told.as_bytes());
                return None;
            }
        };
        let port = port(&mut driver);
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
        };
        let mut options = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--window-size=1300,1000",
        ]});
        if window.without_script {
            let setting = "profile.managed_default_content_settings.javascript";
            options["prefs"] = json!({ setting: 2 });
        }
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        }}});
        let session = browser.ask("POST", "/session", &capabilities);
        browser.session = session["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    pub fn open(&self, file: &Path) {
        let url = format!("file://{}", file.display());
        self.post("/url", &json!({ "url": url }));
    }

    /// What a script returns.
    pub fn script(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    pub fn number(&self, script: &str) -> usize {
        let number = self.script(&format!("return {script}"));
        number
            .as_u64()
            .unwrap_or_else(|| panic!("{script} is {number}")) as usize
    }

    pub fn text(&self, script: &str) -> String {
        let text = self.script(&format!("return {script}"));
        let told = || panic!("{script} is {text}");
        text.as_str().map_or_else(told, ToOwned::to_owned)
    }

    /// Clicks where a person would.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Types into an element; WebDriver has private characters for keys.
    pub fn keys(&self, selector: &str, keys: &str) {
        let element = self.element(selector);
        self.post(
            &format!("/element/{element}/value"),
            &json!({ "text": keys }),
        );
    }

    pub fn is_shown(&self, selector: &str) -> bool {
        let element = self.element(selector);
        self.ask_session(
            "GET",
            &format!("/element/{element}/displayed"),
            &Value::Null,
        ) == true
    }

    /// How many elements there are; needs no script on the page.
    pub fn count(&self, selector: &str) -> usize {
        let found = self.post(
            "/elements",
            &json!({ "using": "css selector", "value": selector }),
        );
        found.as_array().unwrap().len()
    }

    /// A command of the browser's own debugger.
    pub fn devtools(&self, command: &str, parameters: &Value) {
        let call = json!({ "cmd": command, "params": parameters });
        self.post("/goog/cdp/execute", &call);
    }

    /// Waits until a script returns true.
    pub fn wait_until(&self, condition: &str) {
        let script = format!("return {condition}");
        wait_until(|| self.script(&script) == true);
    }

    /// What the console has been told since the last time: errors and warnings.
    pub fn console(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({ "type": "browser" }));
        let entries = entries.as_array().unwrap().iter();
        let bad = entries.filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
        bad.map(|entry| entry["message"].to_string()).collect()
    }

    fn element(&self, selector: &str) -> String {
        let found = self.post(
            "/element",
            &json!({ "using": "css selector", "value": selector }),
        );
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.ask_session("POST", path, body)
    }

    fn ask_session(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, &format!("/session/{}{path}", self.session), body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = http(self.port, method, path, body).unwrap();
        let value = &answer["value"];
        assert!(
            value.get("error").is_none(),
            "{method} {path} {body}: {value}"
        );
        value.clone()
    }
}

/// Waits for something to come about.
pub fn wait_until(condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < PATIENCE, "waited for {PATIENCE:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let session = format!("/session/{}", self.session);
        let _ = http(self.port, "DELETE", &session, &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn start_driver() -> io::Result<Child> {
    Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

/// The port that the driver says it listens on.
fn port(driver: &mut Child) -> u16 {
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = lines.map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    port.expect("chromedriver names its port")
}

/// One request with its answer.
fn http(port: u16, method: &str, path: &str, body: &Value) -> io::Result<Value> {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut answer = vec![0; length];
    reader.read_exact(&mut answer)?;
    serde_json::from_slice(&answer).map_err(io::Error::other)
}
