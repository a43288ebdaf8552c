//! A file that only one process changes in place at a time.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::source::open;

/// Opens a file for reading and locks it until it is closed. Where another process has it locked, this waits: what the
/// other one writes is found then.
pub fn locked(path: &Path) -> anyhow::Result<File> {
    // Whoever opens a pipe waits for its other end.
    let about = path.metadata()?;
    if !about.is_file() && !about.is_dir() {
        anyhow::bail!("is not a file");
    }
    loop {
        let file = opened(path)?;
        lock(&file, path)?;
        // One that was replaced while this waited is not the one that is to be changed.
        if is_same_file(&file.metadata()?, &path.metadata()?) {
            return Ok(file);
        }
    }
}

/// Opened for writing as well where that is allowed: some network file systems lock nothing else.
fn opened(path: &Path) -> anyhow::Result<File> {
    match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if is_read_only(&error) => open(path),
        file => Ok(file?),
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
    use crate::human::one_line;

    match retry_on_intr(|| flock(file, FlockOperation::LockExclusive)) {
        // Of network file systems, some lock nothing, and some nothing that is read only.
        Err(error @ (Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK | Errno::BADF)) => {
            let name = one_line(&path.display().to_string());
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

/// Whether two names or descriptors are of one file.
#[cfg(unix)]
pub fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
pub fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}
