//! What a table's header says, for people.

use std::fmt::Write;
use std::path::Path;

use bytesize::ByteSize;

use crate::lookup::Header;

/// The longest bar of a histogram.
const WIDEST: u64 = 40;

/// The fields of a header, and its histogram as bars.
pub fn lines(path: &Path, header: &Header) -> String {
    let table = &header.table;
    let fields = [
        ("file", path.display().to_string()),
        ("table", format!("{} {}", table.size, table.kind)),
        ("entries", table.entries.to_string()),
        (
            "payload",
            format!(
                "{} ({} bytes)",
                ByteSize(header.payload_len),
                header.payload_len
            ),
        ),
        ("encoding", table.encoding.to_string()),
        ("checksum", format!("{:016x}", header.payload_checksum)),
        ("built by", table.command.clone()),
    ];
    let mut text = String::new();
    for (name, value) in fields {
        let _ = writeln!(text, "{name:<11}{value}");
    }
    text + "\n" + &bars(&table.histogram)
}

/// A line for each value, from the first that occurs to the last.
fn bars(histogram: &[u64]) -> String {
    let most = *histogram.iter().max().unwrap_or(&0);
    let occurs = |count: &u64| *count > 0;
    let first = histogram.iter().position(occurs).unwrap_or(0);
    let last = histogram.iter().rposition(occurs).unwrap_or(0);
    let mut text = String::new();
    for (value, &count) in histogram.iter().enumerate().take(last + 1).skip(first) {
        // In 128 bits, as a table may have 2^58 entries of a value; rounded up, to show all.
        let width = (u128::from(count) * u128::from(WIDEST)).div_ceil(u128::from(most.max(1)));
        let bar = "█".repeat(width as usize);
        let _ = writeln!(
            text,
            "{}",
            format!("{value:>3} {count:>12} {bar}").trim_end()
        );
    }
    text
}
