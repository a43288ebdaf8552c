//! Work on all cores, or on one where the feature `parallel` is off.

/// Fewer bytes are not worth more than one thread: of many small files, each is read by another thread instead.
pub const WORTHWHILE: u64 = 16 << 20;

/// Whether so many bytes are worth more than one thread.
pub const fn is_worthwhile(bytes: u64) -> bool {
    bytes >= WORTHWHILE
}

/// Threads that work.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Works on every item, on several threads if `several`; each keeps some memory from one item to the next. The order is
/// left open.
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

/// Pieces that a number of items are worked on in: enough for every thread to have some, if they are not too small.
pub fn piece_length(items: usize, longest: usize) -> usize {
    /// So that a thread that is slow, or begins late, does not keep the others waiting for long.
    const PIECES_PER_THREAD: usize = 4;
    items.div_ceil(threads().saturating_mul(PIECES_PER_THREAD)).clamp(1, longest.max(1))
}

/// Does one thing on other threads while this one does another.
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
