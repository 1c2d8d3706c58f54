//! Where a record of a CSV with comments really begins, for messages about it.

/// The first line from a place on that is neither empty nor a comment: a reader of CSV counts a
/// record from the comments before it.
pub(crate) fn data_line(text: &str, from: Option<&csv::Position>) -> u64 {
    let is_data = |line: &str| !line.is_empty() && !line.starts_with('#');
    let from = from.map_or(0, |position| line_breaks(text, position.byte() as usize));
    let mut lines = text.lines().skip(from);
    (1 + from + lines.position(is_data).unwrap_or(0)) as u64
}

/// How many lines end before a record. Where lines end with `\r\n`, the reader takes the `\n` for the
/// beginning of the next record.
fn line_breaks(text: &str, begin: usize) -> usize {
    let bytes = text.as_bytes();
    let begin = begin + usize::from(bytes.get(begin) == Some(&b'\n'));
    let before = &bytes[..begin.min(bytes.len())];
    before.iter().filter(|&&byte| byte == b'\n').count()
}
