//! A lock on a file that is changed in place: one process at a time holds it.

use std::fs::{Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::source::open;
use crate::system::{File, metadata};

/// Opens a file for reading and locks it until it is closed. If another process holds the lock, this waits and then
/// sees the changes of that process.
pub fn locked(path: &Path) -> anyhow::Result<File> {
    // Opening a pipe would block until its other end is opened.
    let about = metadata(path)?;
    if !about.is_file() && !about.is_dir() {
        anyhow::bail!("is not a file");
    }
    loop {
        let file = opened(path)?;
        lock(&file, path)?;
        // If another process replaced the file in the meantime, the new file has to be locked.
        if is_same_file(&file.metadata()?, &metadata(path)?) {
            return Ok(file);
        }
    }
}

/// Opens the file for writing as well if permitted, since some network file systems lock only such files.
fn opened(path: &Path) -> anyhow::Result<File> {
    match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if is_read_only(&error) => open(path),
        file => Ok(file?.into()),
    }
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::IsADirectory
    )
}

#[cfg(unix)]
fn lock(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::{Errno, retry_on_intr};

    use crate::complain::complain;
    use crate::human::shown_path;

    match retry_on_intr(|| flock(file, FlockOperation::LockExclusive)) {
        // Some network file systems have no locks, or none on files opened read-only.
        Err(error)
            if [Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOLCK, Errno::BADF]
                .contains(&error) =>
        {
            let name = shown_path(path);
            let why = io::Error::from(error);
            complain(&anyhow::anyhow!(
                "warning: {name} cannot be locked ({why}): nothing else may change it at the same time"
            ));
            Ok(())
        }
        other => Ok(other?),
    }
}

#[cfg(not(unix))]
fn lock(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// True if two files are the same one.
#[cfg(unix)]
pub fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
pub fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}
