//! Standard output as the program's parent passed it.
//!
//! `std` opens `/dev/null` if standard output is closed (`>&-`), and ignores errors if standard output was opened only
//! for reading. A report would be lost without an error.

use anstream::AutoStream;

use crate::failure::Failure;
use crate::system::File;

/// Standard output, without a buffer.
pub fn stdout() -> Result<File, Failure> {
    Ok(imp::stdout().map_err(Failure::Output)?.into())
}

/// Unbuffered standard output for text with colours, which are removed unless it is a terminal.
pub fn colored() -> Result<AutoStream<imp::Text>, Failure> {
    imp::text().map(AutoStream::auto).map_err(Failure::Output)
}

#[cfg(unix)]
mod imp {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd as _;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::io::Errno;

    use crate::system::uninterrupted;

    pub type Text = File;

    static CLOSED: AtomicBool = AtomicBool::new(false);

    // A closed descriptor can be detected only before `main`, and before `std` opens it again. The function makes one
    // system call and uses nothing of `std`.
    ctor::declarative::ctor! {
        #[ctor(unsafe)]
        fn look() {
            let found = rustix::io::fcntl_getfd(rustix::stdio::stdout());
            CLOSED.store(found == Err(Errno::BADF), Ordering::Relaxed);
        }
    }

    pub fn stdout() -> io::Result<File> {
        if CLOSED.load(Ordering::Relaxed) {
            return Err(Errno::BADF.into());
        }
        Ok(uninterrupted(|| io::stdout().as_fd().try_clone_to_owned())?.into())
    }

    pub fn text() -> io::Result<Text> {
        stdout()
    }
}

#[cfg(not(unix))]
mod imp {
    use std::fs::File;
    use std::io;
    use std::os::windows::io::AsHandle as _;

    pub fn stdout() -> io::Result<File> {
        Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
    }

    /// A console shows bytes in its own code page: only `std` passes UTF-8 to it as characters.
    pub type Text = io::Stdout;

    pub fn text() -> io::Result<Text> {
        Ok(io::stdout())
    }
}
