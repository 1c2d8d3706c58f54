//! Large pages for tables that are read at random.

/// Advises the system to back a range with huge pages, where it fills some: reads at random from
/// small pages miss the TLB as well as the cache.
pub(crate) fn use_huge_pages<T>(entries: &mut [T]) {
    const HUGE_PAGE: usize = 2 << 20;
    let bytes = size_of_val(entries);
    let start = entries.as_mut_ptr().cast::<u8>();
    let lead = start.align_offset(HUGE_PAGE);
    if bytes < lead.saturating_add(HUGE_PAGE) {
        return;
    }
    #[cfg(target_os = "linux")]
    // SAFETY: the range lies inside the slice, and the advice changes no content.
    unsafe {
        let length = (bytes - lead) / HUGE_PAGE * HUGE_PAGE;
        libc::madvise(start.add(lead).cast(), length, libc::MADV_HUGEPAGE);
    }
}
