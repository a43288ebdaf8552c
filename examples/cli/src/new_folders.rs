//! Folders for new files, which are removed unless the files are kept.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::new_file::folder as folder_of;
use crate::signals::{Partial, deferred, forget};
use crate::system::{Folder, create_dir, remove_dir};

/// Newly made folders. When this is dropped, or a signal ends the program, those that are empty are removed.
#[derive(Debug, Default)]
pub struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// Makes a folder and its missing parents, as `create_dir_all` does.
    pub fn make(&mut self, folder: &Path) -> io::Result<()> {
        deferred(|partial| self.make_while(folder, partial))
    }

    /// Implements [`Self::make`] while signals are deferred. `partial` gets the new folders.
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
                self.0.push(folder.to_owned());
                Folder::open(folder_of(folder))?.sync()
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Keeps the folders.
    pub fn keep(mut self) {
        let kept = std::mem::take(&mut self.0);
        forget(|partial| partial.folders.retain(|folder| !kept.contains(folder)));
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        forget(|partial| {
            for folder in self.0.iter().rev() {
                partial.folders.remove(folder);
                // This fails if the folder is not empty, and then it is kept for those files.
                let _ = remove_dir(folder);
            }
        });
    }
}
