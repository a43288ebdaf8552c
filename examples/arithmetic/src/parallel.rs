//! Work on all cores, or on one without the feature `parallel`.

/// Minimum number of bytes for which several threads are used. Of many smaller files, each is read by a thread of its
/// own instead.
pub const WORTHWHILE: u64 = 16 << 20;

/// Whether several threads are used for this number of bytes.
pub const fn is_worthwhile(bytes: u64) -> bool {
    bytes >= WORTHWHILE
}

/// Number of threads.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Calls `work` for every item, on several threads if `several`. Each thread passes the same scratch memory to all its
/// calls. The order of the calls is unspecified.
pub fn each<T: Send, S: Default, E: Send>(
    several: bool,
    items: Vec<T>,
    work: impl Fn(T, &mut S) -> Result<(), E> + Sync,
) -> Result<(), E> {
    #[cfg(not(feature = "parallel"))]
    let _ = several;
    #[cfg(feature = "parallel")]
    if several && threads() > 1 {
        use rayon::prelude::*;
        return items.into_par_iter().try_for_each_init(S::default, |scratch, item| work(item, scratch));
    }
    let mut scratch = S::default();
    items.into_iter().try_for_each(|item| work(item, &mut scratch))
}

/// Number of items in each piece of work: at most `longest`, and few enough that every thread has several pieces if
/// there are enough items.
pub fn piece_length(items: usize, longest: usize) -> usize {
    /// Several pieces per thread, so that the others do not wait long for a thread that is slow or begins late.
    const PIECES_PER_THREAD: usize = 4;
    items.div_ceil(threads().saturating_mul(PIECES_PER_THREAD)).clamp(1, longest.max(1))
}

/// Runs `work` on another thread while this one runs `here`; with one thread, one after the other.
pub fn beside<T>(work: impl FnOnce() + Send, here: impl FnOnce() -> T) -> T {
    #[cfg(feature = "parallel")]
    if threads() > 1 {
        return rayon::in_place_scope(|scope| {
            scope.spawn(|_| work());
            here()
        });
    }
    work();
    here()
}
