//! Directories for new files, which are removed unless the files are kept.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::incomplete::{Incomplete, Partial};
use super::new_file::folder as folder_of;
use crate::system::{Folder, create_dir, remove_dir};

/// Newly made directories. When this is dropped, empty ones are removed.
#[derive(Debug, Default)]
pub struct NewFolders {
    made: Vec<PathBuf>,
    incomplete: Incomplete,
}

impl NewFolders {
    /// No directories so far. New ones are in the list of `incomplete` files until they are kept.
    #[must_use]
    pub const fn new(incomplete: Incomplete) -> Self {
        Self { made: Vec::new(), incomplete }
    }

    /// Makes a directory and its missing parents, as `create_dir_all` does.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn make(&mut self, folder: &Path) -> io::Result<()> {
        self.incomplete.clone().update(|partial| self.make_while(folder, partial))
    }

    /// Implements [`Self::make`] while the list of incomplete files is locked. `partial` gets the new directories.
    fn make_while(&mut self, folder: &Path, partial: &mut Partial) -> io::Result<()> {
        let made = match create_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
                self.make_while(above.ok_or(error)?, partial)?;
                create_dir(folder)
            }
            made => made,
        };
        match made {
            Ok(()) => {
                partial.folders.insert(folder.to_owned());
                self.made.push(folder.to_owned());
                Folder::open(folder_of(folder))?.sync()
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Keeps the directories.
    pub fn keep(mut self) {
        let kept = std::mem::take(&mut self.made);
        self.incomplete.update(|partial| partial.folders.retain(|folder| !kept.contains(folder)));
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        self.incomplete.update(|partial| {
            for folder in self.made.iter().rev() {
                partial.folders.remove(folder);
                // This fails if the directory is not empty, and then it is kept for those files.
                let _ = remove_dir(folder);
            }
        });
    }
}
