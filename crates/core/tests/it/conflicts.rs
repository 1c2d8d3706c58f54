//! An oracle for conflicts in a line.

use slidebench::puzzle::Tile;

/// The tiles of `line` that have to leave it, by trying every subset that could stay.
pub fn conflicts_by_subsets(line: &[Tile], home: &[Tile]) -> u32 {
    let own: Vec<Tile> = line
        .iter()
        .copied()
        .filter(|tile| *tile != 0 && home.contains(tile))
        .collect();
    let can_stay = |subset: &u32| {
        let stay = (0..own.len()).filter(|place| subset >> place & 1 == 1);
        stay.map(|place| own[place]).is_sorted()
    };
    let subsets = (0..1u32 << own.len()).filter(can_stay);
    own.len() as u32 - subsets.map(u32::count_ones).max().unwrap()
}
