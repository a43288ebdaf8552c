//! Signals that end the program: incomplete files are removed first, and operations that must not be interrupted are
//! finished.

use std::io;
use std::sync::LazyLock;

use linkstream_access::write::Incomplete;

/// Locked while files are created, renamed or changed in place. The thread that handles signals waits for the lock
/// before it ends the program.
static INCOMPLETE: LazyLock<Incomplete> = LazyLock::new(Incomplete::default);

/// The list of incomplete files, which are removed when a signal ends the program.
pub fn incomplete() -> io::Result<Incomplete> {
    imp::watch()?;
    Ok(INCOMPLETE.clone())
}

/// Runs `work`, which a signal must not interrupt.
pub fn deferred<T>(work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    incomplete()?.update(|_| work())
}

pub use imp::survive_size_limits;

#[cfg(unix)]
mod imp {
    use std::io;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Mutex, PoisonError};

    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
    };
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::INCOMPLETE;
    use crate::system::uninterrupted;

    /// Signals sent by users, terminals, limits and the schedulers of clusters.
    const ENDING: [i32; 8] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM];

    /// Makes a write beyond the limit of file sizes fail like any other, instead of ending the program by a signal.
    pub fn survive_size_limits() -> io::Result<()> {
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(|_| ())
    }

    /// Starts the thread that receives signals, unless it is running.
    pub fn watch() -> io::Result<()> {
        static WATCHING: Mutex<bool> = Mutex::new(false);
        let mut watching = WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
        if *watching {
            return Ok(());
        }
        let ignored = ignored();
        let ending = || ENDING.iter().filter(|signal| ignored >> (*signal - 1) & 1 == 0);
        let mut signals = uninterrupted(|| Signals::new(ending()))?;
        linkstream_memory::afford_thread()?;
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                // Locked until the process ends, so that no new operation begins.
                let partial = INCOMPLETE.lock();
                partial.remove_all();
                let _ = emulate_default_handler(signal);
            }
        })?;
        *watching = true;
        Ok(())
    }

    /// Set of ignored signals, where bit 0 is signal 1. `nohup` ignores signals, and so do shells for commands in the
    /// background.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

#[cfg(not(unix))]
mod imp {
    use std::io;

    pub fn survive_size_limits() -> io::Result<()> {
        Ok(())
    }

    pub fn watch() -> io::Result<()> {
        Ok(())
    }
}
