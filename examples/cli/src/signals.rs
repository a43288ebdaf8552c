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
    use std::mem::MaybeUninit;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Mutex, PoisonError};
    use std::{io, ptr};

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
        let ending: Vec<i32> = ENDING.into_iter().filter(|signal| !is_ignored(*signal)).collect();
        let mut signals = uninterrupted(|| Signals::new(&ending))?;
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

    /// True if the program was started with this signal ignored, as by `nohup`, or by a shell for commands in the
    /// background.
    #[allow(unsafe_code, reason = "no safe call says what happens on a signal")]
    fn is_ignored(signal: i32) -> bool {
        let mut action = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: without a new action, the call only fills in the old one.
        let code = unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) };
        // SAFETY: the call has filled it in if it has succeeded.
        code == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(windows)]
mod imp {
    use std::io;
    use std::sync::{Mutex, PoisonError};

    use super::INCOMPLETE;

    /// Status of a program that Ctrl-C has ended: `STATUS_CONTROL_C_EXIT`.
    const INTERRUPTED: i32 = 0xC000_013A_u32.cast_signed();

    pub fn survive_size_limits() -> io::Result<()> {
        Ok(())
    }

    /// Handles Ctrl-C, unless it is handled already.
    pub fn watch() -> io::Result<()> {
        static WATCHING: Mutex<bool> = Mutex::new(false);
        let mut watching = WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
        if !*watching {
            let end = || {
                // Locked until the process ends, so that no new operation begins.
                let partial = INCOMPLETE.lock();
                partial.remove_all();
                std::process::exit(INTERRUPTED);
            };
            ctrlc::set_handler(end).map_err(io::Error::other)?;
            *watching = true;
        }
        Ok(())
    }
}

#[cfg(not(any(unix, windows)))]
mod imp {
    use std::io;

    pub fn survive_size_limits() -> io::Result<()> {
        Ok(())
    }

    pub fn watch() -> io::Result<()> {
        Ok(())
    }
}
