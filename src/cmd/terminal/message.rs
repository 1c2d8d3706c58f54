//! What went wrong, in one line on stderr.

use std::error::Error;
use std::io::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::puzzle::excerpt;

/// Tells a mistake or a failure. Control characters, which come from what was read, are shown
/// and not sent to the terminal.
pub fn tell(message: &str) {
    // Where stderr cannot be written there is nobody to tell; the exit code remains.
    let _ = writeln!(std::io::stderr(), "slidebench: {}", escaped(message));
}

/// A text of several lines with its control characters shown.
pub fn escape_sequences_shown(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escaped).collect();
    lines.join("\n")
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c.is_control() {
            true => escaped.extend(c.escape_debug()),
            false => escaped.push(c),
        }
    }
    escaped
}

/// What clap says about wrong usage, folded into one line: what is wrong comes first, then
/// tips, and what the user typed is cut short.
pub fn of_usage(mut error: clap::Error) -> String {
    let typed = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => ContextKind::InvalidValue,
    };
    let mut text = String::new();
    if let Some(ContextValue::String(long)) = error.get(typed).cloned() {
        let short = escaped(&excerpt(&long));
        // Clap writes out why a value was refused as the value's parser says it.
        if let (Some(flag), Some(why)) = (error.get(ContextKind::InvalidArg), error.source()) {
            let why = escaped(&why.to_string());
            let why = why.replace(&quoted(&escaped(&long)), &quoted(&short));
            text = format!("invalid value '{short}' for '{flag}': {why}");
        }
        error.insert(typed, ContextValue::String(short));
    }
    if text.is_empty() {
        text = error.to_string();
    }
    let message = text.split("\n\nUsage:").next().unwrap_or_default();
    let message = message.split("\n\nFor more information").next();
    let parts: Vec<String> = message
        .unwrap_or_default()
        .trim_start_matches("error: ")
        .split("\n\n")
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    format!("{} (see --help)", parts.join("; "))
}

fn quoted(text: &str) -> String {
    format!("'{text}'")
}
