//! What was read, as short as an error message needs it.

const MOST_CHARACTERS: usize = 20;

/// The text, or its beginning and `…`.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
