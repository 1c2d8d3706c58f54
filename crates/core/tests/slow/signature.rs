//! The node total that tells whether a search has changed.

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn the_signature_is_the_committed_one() {
    let searches: Vec<_> = slidebench::harness::signature().collect();
    let lines: String = searches
        .iter()
        .map(|signed| format!("{signed}\n"))
        .collect();
    let total: u64 = searches.iter().map(|signed| signed.generated).sum();
    let committed = include_str!("../../../../benchmarks/signature.txt");
    assert_eq!(format!("{lines}total {total}\n"), committed);
}
