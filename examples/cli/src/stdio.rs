//! Standard output as it was given to the program.
//!
//! `std` opens `/dev/null` where standard output is closed (`>&-`), and ignores that one that was opened for reading
//! cannot be written to. A report would be lost without an error.

use std::fs::File;

use anstream::AutoStream;

use crate::failure::Failure;

/// Standard output, without a buffer.
pub fn stdout() -> Result<File, Failure> {
    imp::stdout().map_err(Failure::Output)
}

/// The same for text that may have colours, which are left out where nobody wants them.
pub fn colored() -> Result<AutoStream<File>, Failure> {
    stdout().map(AutoStream::auto)
}

#[cfg(unix)]
mod imp {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd as _;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::io::Errno;

    static CLOSED: AtomicBool = AtomicBool::new(false);

    // Only before `main`, and before what `std` does there, can a closed descriptor be seen. This makes one system
    // call and needs nothing of `std`.
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
        Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
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
}
