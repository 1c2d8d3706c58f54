//! Which printed line answers which wanted one.
//!
//! Lines are told apart by a key, such as the name before the colon. The pairs are those of the
//! shortest edit from one list of keys to the other, so that one line too many or too few does not
//! make all that follow it wrong.

/// A wanted line and a printed one, by their places; one of them may be missing.
pub(super) type Pair = (Option<usize>, Option<usize>);

pub(super) fn align(wanted: &[&str], printed: &[&str]) -> Vec<Pair> {
    let edits = edits(wanted, printed);
    let mut pairs = Vec::new();
    let (mut w, mut p) = (0, 0);
    while w < wanted.len() || p < printed.len() {
        let is_pair = w < wanted.len() && p < printed.len() && {
            let differs = u32::from(wanted[w] != printed[p]);
            edits[w][p] == edits[w + 1][p + 1] + differs
        };
        let is_missing = !is_pair && w < wanted.len() && edits[w][p] == edits[w + 1][p] + 1;
        let takes_wanted = is_pair || is_missing;
        let takes_printed = is_pair || !is_missing;
        pairs.push((takes_wanted.then_some(w), takes_printed.then_some(p)));
        w += usize::from(takes_wanted);
        p += usize::from(takes_printed);
    }
    pairs
}

/// The edits from the lines behind a place to those behind another.
fn edits(wanted: &[&str], printed: &[&str]) -> Vec<Vec<u32>> {
    let mut edits = vec![vec![0; printed.len() + 1]; wanted.len() + 1];
    for w in (0..=wanted.len()).rev() {
        for p in (0..=printed.len()).rev() {
            edits[w][p] = match (wanted.get(w), printed.get(p)) {
                (None, None) => 0,
                (Some(_), None) => edits[w + 1][p] + 1,
                (None, Some(_)) => edits[w][p + 1] + 1,
                (Some(key), Some(other)) => {
                    let pair = edits[w + 1][p + 1] + u32::from(key != other);
                    pair.min(edits[w + 1][p] + 1).min(edits[w][p + 1] + 1)
                }
            };
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(wanted: &str, printed: &str) -> String {
        let (wanted, printed): (Vec<&str>, Vec<&str>) = (
            wanted.split_terminator(' ').collect(),
            printed.split_terminator(' ').collect(),
        );
        let shown = |(w, p): Pair| {
            let w = w.map_or("-", |w| wanted[w]);
            format!("{w}{}", p.map_or("-", |p| printed[p]))
        };
        let pairs = align(&wanted, &printed).into_iter().map(shown);
        pairs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_more_or_less_moves_no_other() {
        for (wanted, printed, pairs) in [
            ("a b c", "a b c", "aa bb cc"),
            ("a b c", "a c", "aa b- cc"),
            ("a b c", "a b x c", "aa bb -x cc"),
            ("a b c", "x a b c y", "-x aa bb cc -y"),
            ("a b c", "a x c", "aa bx cc"),
            ("a b", "x y z", "ax by -z"),
            ("a b", "", "a- b-"),
            ("", "x", "-x"),
        ] {
            assert_eq!(aligned(wanted, printed), pairs);
        }
    }
}
