//! An open file together with the ranks that it borrows.
#![allow(unsafe_code, reason = "a value and its borrower in one structure")]

use std::mem::ManuallyDrop;

use linkstream_c_ranks::Ranks;
use linkstream_parallel::Error;
use linkstream_parallel::file::{IoFile, SystemDisk};
use linkstream_parallel::scda::{Reader, Writer};

/// A file that is open for writing or for reading.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one value of it in each open file")]
pub(crate) enum File<'c> {
    Writing(Writer<'c, Ranks, IoFile<SystemDisk>>),
    Reading(Reader<'c, Ranks, IoFile<SystemDisk>>),
}

/// A file with its ranks. The file is always dropped first.
#[derive(Debug)]
pub(crate) struct Owned {
    file: ManuallyDrop<File<'static>>,
    /// A box, which the file refers to.
    ranks: *mut Ranks,
}

impl Owned {
    /// A file that `open` opens.
    pub fn open(
        ranks: Ranks,
        open: impl for<'c> FnOnce(&'c Ranks) -> Result<File<'c>, Error>,
    ) -> Result<Self, Error> {
        let ranks = Box::into_raw(Box::new(ranks));
        // SAFETY: the box lives until this structure is dropped, and is not changed.
        let opened = open(unsafe { &*ranks });
        match opened {
            Ok(file) => Ok(Self { file: ManuallyDrop::new(file), ranks }),
            Err(error) => {
                // SAFETY: the box was made above, and nothing refers to it: an error contains no reference.
                drop(unsafe { Box::from_raw(ranks) });
                Err(error)
            }
        }
    }

    /// Calls a function with the file. For the function, the file may live shorter than this structure, so it cannot
    /// keep it or exchange it for another one.
    pub fn with<R>(&mut self, call: impl for<'c> FnOnce(&mut File<'c>) -> R) -> R {
        call(&mut self.file)
    }

    /// Closes the file by a function.
    pub fn close<R>(self, call: impl for<'c> FnOnce(File<'c>) -> R) -> R {
        let mut this = ManuallyDrop::new(self);
        let ranks = Boxed(this.ranks);
        // SAFETY: the file is not used again: this structure is not dropped.
        let file = unsafe { ManuallyDrop::take(&mut this.file) };
        let result = call(file);
        drop(ranks);
        result
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let _ranks = Boxed(self.ranks);
        // SAFETY: the file is dropped once, here, before the ranks.
        unsafe { ManuallyDrop::drop(&mut self.file) };
    }
}

/// The ranks, which are freed when this value is dropped, also by a panic.
struct Boxed(*mut Ranks);

impl Drop for Boxed {
    fn drop(&mut self) {
        // SAFETY: this is the box of an `Owned`, whose file exists no more.
        drop(unsafe { Box::from_raw(self.0) });
    }
}
