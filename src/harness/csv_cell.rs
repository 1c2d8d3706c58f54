//! Cells of files that strangers wrote, or will open in a spreadsheet.

/// No cell is as long: the longest is a solution.
pub(crate) const LONGEST_CELL: usize = 1 << 20;

/// What a spreadsheet takes for a formula where a cell begins so.
pub(crate) const FORMULAS: [char; 4] = ['=', '+', '-', '@'];

/// A cell that a spreadsheet shows as it is: an apostrophe says that it is text. No number that is
/// written has a sign, so a cell with one is a name.
pub fn text_cell(field: &str) -> String {
    match field.trim_start_matches('\'').starts_with(FORMULAS) {
        true => format!("'{field}"),
        false => field.to_owned(),
    }
}

/// The cell that [`text_cell`] wrote.
pub(crate) fn from_text_cell(field: &str) -> &str {
    match field.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(FORMULAS) => rest,
        _ => field,
    }
}
