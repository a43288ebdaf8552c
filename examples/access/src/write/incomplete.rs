//! Files and directories that are not complete yet. A program that is ended by a signal must remove them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::system::{remove_dir, remove_file};

/// The list of incomplete files of a program. Clones share one list, which is locked while files are created, renamed
/// or removed.
///
/// Files and directories are removed when they are dropped; a program that handles signals keeps a clone for the thread
/// that receives them, which [locks](Self::lock) the list, [removes](Partial::remove_all) its files and directories,
/// and ends the program.
#[derive(Debug, Clone, Default)]
pub struct Incomplete(Arc<Mutex<Partial>>);

/// Files and directories that are not complete.
#[derive(Debug, Default)]
pub struct Partial {
    /// Files that are not complete.
    pub files: BTreeSet<PathBuf>,
    /// New directories. Only empty ones are removed.
    pub folders: BTreeSet<PathBuf>,
}

impl Partial {
    /// Removes all of them. Errors are ignored: the program ends.
    pub fn remove_all(&self) {
        for file in &self.files {
            let _ = remove_file(file);
        }
        // In reverse order, subfolders precede their parent.
        for folder in self.folders.iter().rev() {
            let _ = remove_dir(folder);
        }
    }
}

impl Incomplete {
    /// Locks the list: no file is created, renamed or removed meanwhile.
    pub fn lock(&self) -> MutexGuard<'_, Partial> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work` while the list is locked.
    pub fn update<T>(&self, work: impl FnOnce(&mut Partial) -> T) -> T {
        work(&mut self.lock())
    }
}
