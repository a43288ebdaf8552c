//! Work on all cores, or on one without the feature `parallel`.

#[cfg(feature = "parallel")]
pub use pool::{limit, start};

/// Minimum number of bytes for the use of several threads. Many smaller files are instead read by one thread each.
pub const WORTHWHILE: u64 = 16 << 20;

/// Returns whether several threads are used for this number of bytes.
pub const fn is_worthwhile(bytes: u64) -> bool {
    bytes >= WORTHWHILE
}

/// Number of threads.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    {
        if !pool::is_needed() {
            return 1;
        }
        start();
        rayon::current_num_threads()
    }
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
pub(crate) fn piece_length(items: usize, longest: usize) -> usize {
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

/// The result of work on another thread.
#[cfg(feature = "parallel")]
#[derive(Debug)]
pub struct Aside<T>(std::sync::mpsc::Receiver<std::thread::Result<T>>);

#[cfg(feature = "parallel")]
impl<T> Aside<T> {
    /// Waits for the result; `None` if the thread no longer exists.
    ///
    /// # Panics
    /// With the panic of the work, if there was one.
    pub fn join(self) -> Option<T> {
        self.0.recv().ok().map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }
}

/// Runs `work` on another thread while this one continues; immediately, if there is no other thread.
#[cfg(feature = "parallel")]
pub fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Aside<T> {
    start();
    let (to, result) = std::sync::mpsc::sync_channel(1);
    // The pool ends the process at a panic, so the panic is handed to the thread that waits. If that has given up, the
    // result is dropped.
    let work = move || drop(to.send(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))));
    // This thread belongs to the pool only if the system has refused all others.
    let is_alone = rayon::current_thread_index().is_some() || pool::is_elsewhere();
    if is_alone {
        work()
    } else {
        rayon::spawn(work)
    }
    Aside(result)
}

/// The threads of the process.
#[cfg(feature = "parallel")]
mod pool {
    use std::num::NonZeroUsize;
    use std::process;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Once, OnceLock};
    use std::thread::{Builder, available_parallelism};

    use rayon::{ThreadBuilder, ThreadPoolBuilder};

    static LIMIT: OnceLock<usize> = OnceLock::new();

    /// Sets the maximum number of threads. It has no effect once the threads have been started.
    pub fn limit(most: NonZeroUsize) {
        let _ = LIMIT.set(most.get());
    }

    /// The process that has started the threads.
    static PROCESS: OnceLock<u32> = OnceLock::new();

    /// True if the threads belong to another process: this one has been forked from it, and has none of them.
    pub fn is_elsewhere() -> bool {
        PROCESS.get().is_some_and(|process| *process != process::id())
    }

    /// True if more than the calling thread may work.
    pub fn is_needed() -> bool {
        (LIMIT.get() != Some(&1) || rayon::current_thread_index().is_some()) && !is_elsewhere()
    }

    /// Starts the threads unless they are running: one for each core, or as many as the limit and the environment
    /// variable `RAYON_NUM_THREADS` allow. If the system refuses threads, fewer do the work; in the end, the calling
    /// thread does it alone.
    pub fn start() {
        static STARTED: Once = Once::new();
        // A thread of another pool does not need these.
        if rayon::current_thread_index().is_some() {
            return;
        }
        STARTED.call_once(|| {
            let _ = PROCESS.set(process::id());
            let cores = available_parallelism().map_or(1, NonZeroUsize::get);
            let named = std::env::var("RAYON_NUM_THREADS").ok().and_then(|threads| threads.parse().ok());
            let named = named.filter(|threads| *threads > 0).unwrap_or(usize::MAX);
            let most = LIMIT.get().copied().unwrap_or(cores).min(named);
            let mut waiting: Vec<_> = (0..most).map_while(|_| waiting_thread()).collect();
            let pool = match waiting.len() {
                // A pool of one thread works without starting any if this thread belongs to it.
                0 => ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global(),
                threads => {
                    let hand_over = |thread| {
                        let sent = waiting.pop().and_then(|to| to.send(thread).ok());
                        sent.ok_or_else(|| std::io::Error::other("a thread has ended"))
                    };
                    ThreadPoolBuilder::new().num_threads(threads).spawn_handler(hand_over).build_global()
                }
            };
            // Fails if the process has built this pool itself, which is then used.
            let _ = pool;
        });
    }

    /// A thread that waits for its part in the pool; `None` if the system does not start one. `rayon` gives up on the
    /// whole pool if one of its threads cannot be started, so the threads are started first.
    fn waiting_thread() -> Option<Sender<ThreadBuilder>> {
        linkstream_memory::afford_thread().ok()?;
        let (to, thread) = channel::<ThreadBuilder>();
        let wait = move || {
            if let Ok(thread) = thread.recv() {
                thread.run();
            }
        };
        Builder::new().spawn(wait).ok().map(|_| to)
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    /// Otherwise the process would end: the pool cannot hand the panic to a thread.
    #[test]
    fn panics_of_work_on_another_thread_are_those_of_the_caller() {
        assert_eq!(aside(|| 7).join(), Some(7));
        let work = aside(|| panic!("a defect"));
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work.join()));
        assert_eq!(caught.err().and_then(|panic| panic.downcast::<&str>().ok()), Some(Box::new("a defect")));
    }
}
