//! Signals that end the program: what is not complete is removed first, and what must not be cut in two is finished.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is removed when a signal ends the program.
#[derive(Debug)]
pub struct Partial {
    /// Files that are not complete.
    pub files: BTreeSet<PathBuf>,
    /// New folders, of which those that are empty are removed.
    pub folders: BTreeSet<PathBuf>,
}

impl Partial {
    fn remove_all(&self) {
        for file in &self.files {
            let _ = std::fs::remove_file(file);
        }
        // Those below a folder come after it.
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Held while files are created, renamed or changed in place. A signal that ends the program waits for it.
static PARTIAL: Mutex<Partial> = Mutex::new(Partial { files: BTreeSet::new(), folders: BTreeSet::new() });

/// Does what a signal must not cut in two.
pub fn deferred<T>(work: impl FnOnce(&mut Partial) -> io::Result<T>) -> io::Result<T> {
    imp::watch()?;
    work(&mut partial())
}

/// The same, to undo something: it is done in any case.
pub fn forget(work: impl FnOnce(&mut Partial)) {
    work(&mut partial());
}

fn partial() -> MutexGuard<'static, Partial> {
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
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

    use super::partial;

    /// What people, terminals, limits and schedulers of clusters send.
    const ENDING: [i32; 8] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM];

    /// A file that becomes too large is an error of the write then, and reported as any other.
    pub fn survive_size_limits() -> io::Result<()> {
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(|_| ())
    }

    /// Starts the thread that receives signals, if there is none.
    pub fn watch() -> io::Result<()> {
        static WATCHING: Mutex<bool> = Mutex::new(false);
        let mut watching = WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
        if *watching {
            return Ok(());
        }
        let ignored = ignored();
        let mut signals = Signals::new(ENDING.iter().filter(|signal| ignored >> (*signal - 1) & 1 == 0))?;
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                // Held to the end: nothing is begun any more.
                let partial = partial();
                partial.remove_all();
                let _ = emulate_default_handler(signal);
            }
        })?;
        *watching = true;
        Ok(())
    }

    /// The signals that are ignored, as `nohup` has it and shells for commands in the background: bit 0 is signal 1.
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
