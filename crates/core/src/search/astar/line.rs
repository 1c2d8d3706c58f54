//! A cache line of the closed list, searched in one go.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::mem::size_of;

use super::byte_rows::ByteRows;
use crate::puzzle::Entry;

/// Slots that are probed before the next ones: a cache line of `u64`s.
pub(crate) const LINE: usize = 8;

/// How the slots of a line are compared.
pub(crate) trait Lanes: ByteRows {
    /// The slots that are empty or hold a state, whatever their notes, as a set of bits.
    fn matches<W: Entry>(self, line: &[W; LINE], state: W) -> u32;
}

/// One slot after the other.
#[derive(Clone, Copy)]
pub(crate) struct Single;

impl Lanes for Single {
    #[inline(always)]
    fn matches<W: Entry>(self, line: &[W; LINE], state: W) -> u32 {
        let is_match = |&entry: &W| entry.same_state(state) | (entry == W::default());
        let bits = line.iter().map(|entry| u32::from(is_match(entry)));
        bits.enumerate()
            .fold(0, |set, (slot, bit)| set | bit << slot)
    }
}

/// Four slots of a `u64` at a time, on a processor that has AVX2.
///
/// It is for code that is compiled for AVX2: elsewhere what is here is called and not inlined.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// `None` where the processor has no AVX2, or not what came with it.
    pub fn new() -> Option<Avx2> {
        let has_all = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2");
        has_all.then_some(Avx2(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Lanes for Avx2 {
    #[inline(always)]
    fn matches<W: Entry>(self, line: &[W; LINE], state: W) -> u32 {
        if size_of::<W>() != size_of::<u64>() {
            return Single.matches(line, state);
        }
        let line: &[u64; LINE] = bytemuck::cast_ref(line);
        let state: u64 = bytemuck::cast(state.with_tag(0));
        let tag: u64 = bytemuck::cast(W::default().with_tag((W::LAYERS - 1) as u8));
        // SAFETY: `new` has found AVX2; a line is two registers long.
        unsafe {
            let state = _mm256_set1_epi64x(state as i64);
            let cells = _mm256_set1_epi64x(!tag as i64);
            let half = |start: usize| {
                let entries = _mm256_loadu_si256(line[start..].as_ptr().cast());
                let is_same = _mm256_cmpeq_epi64(_mm256_and_si256(entries, cells), state);
                let is_empty = _mm256_cmpeq_epi64(entries, _mm256_setzero_si256());
                let is_match = _mm256_castsi256_pd(_mm256_or_si256(is_same, is_empty));
                _mm256_movemask_pd(is_match) as u32
            };
            half(0) | half(LINE / 2) << (LINE / 2)
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Few states with few notes, so that some are alike and some slots are empty.
        #[test]
        fn lanes_agree(line in prop::array::uniform8(0..64u64), state in 1..4u64, tag in 0..16u8) {
            let Some(lanes) = Avx2::new() else {
                return Ok(());
            };
            let state = u64::pack(state, tag);
            prop_assert_eq!(lanes.matches(&line, state), Single.matches(&line, state));
        }
    }
}
