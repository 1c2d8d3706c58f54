//! Text on its way into a page: whatever a user typed stays text.

use std::fmt::Write;

/// Text as HTML or SVG shows it, in an element or in a quoted attribute. Control characters,
/// which neither may hold, become the sign for what cannot be shown.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(' '),
            _ if c.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// JSON inside a `script` element: no `<` in it can end the element.
pub fn script_json(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// A length of a drawing, to a tenth: more is not seen, and pages have many.
pub fn tenth(length: f64) -> String {
    let tenths = (length * 10.0).round() as i64;
    let mut text = String::new();
    if tenths < 0 {
        text.push('-');
    }
    let _ = write!(text, "{}", tenths.unsigned_abs() / 10);
    match tenths.unsigned_abs() % 10 {
        0 => {}
        rest => {
            let _ = write!(text, ".{rest}");
        }
    }
    text
}
