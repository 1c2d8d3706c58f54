//! Where a record of a CSV with comments really begins, for messages about it.

/// The first line from `from` on that is neither empty nor a comment: a reader of CSV counts a
/// record from the comments before it.
pub(crate) fn data_line(text: &str, from: u64) -> u64 {
    let is_data = |line: &str| !line.is_empty() && !line.starts_with('#');
    let mut lines = text.lines().skip(from.saturating_sub(1) as usize);
    from + lines.position(is_data).unwrap_or(0) as u64
}
