//! Code that is compiled for vectors of 256 bits, where the processor has them.

/// Calls `work` as compiled for AVX2, BMI and the counting of bits, if the processor has all of
/// that. It and what it calls must be inlined, or stay as they are.
#[inline(always)]
pub(crate) fn with_vectors<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn compiled<T>(work: impl FnOnce() -> T) -> T {
            work()
        }
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        if has_all {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { compiled(work) };
        }
    }
    work()
}
