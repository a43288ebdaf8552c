//! An open file and its ranks: agreement on the outcome of each call, and the end after an error.

use std::path::Path;

use crate::arguments::Arguments;
use crate::comm::Comm;
use crate::error::{Error, ErrorKind, Fault, agree_with};
use crate::file::{Access, Engine, SharedFile};

/// A file that all ranks have opened. Each call on it ends with one agreement of the ranks.
///
/// After an error, the file is closed on all ranks as it is, and every later call returns the same error: the ranks'
/// knowledge of the file may differ from then on (scda A.2).
#[derive(Debug)]
pub struct Session<'c, C, F> {
    comm: &'c C,
    file: F,
    /// Reason why the file is closed.
    failed: Option<Error>,
}

impl<'c, C: Comm, F: SharedFile<C>> Session<'c, C, F> {
    /// Collective: opens a file, and lets rank 0 do something with it before the outcome is agreed on.
    ///
    /// # Errors
    /// The file cannot be opened on some rank, or rank 0 failed.
    pub fn open<E: Engine<C, File = F>, T: Default>(
        comm: &'c C,
        engine: &E,
        path: &Path,
        access: Access,
        first: impl FnOnce(&mut F) -> Result<T, Fault>,
    ) -> Result<(Self, T), Error> {
        let opened = engine.open(comm, path, access).and_then(|mut file| {
            let value = if comm.rank() == 0 { first(&mut file)? } else { T::default() };
            Ok((file, value))
        });
        let (file, value) = agree_with(comm, opened, &mut [])?;
        Ok((Self { comm, file, failed: None }, value))
    }

    /// Collective: begins with a file that the ranks have opened by [`Engine::open`], and agrees on the outcome.
    ///
    /// # Errors
    /// It could not be opened on some rank.
    pub fn begin<T>(comm: &'c C, opened: Result<(F, T), Fault>) -> Result<(Self, T), Error> {
        let (file, value) = agree_with(comm, opened, &mut [])?;
        Ok((Self { comm, file, failed: None }, value))
    }

    /// The ranks.
    pub const fn comm(&self) -> &'c C {
        self.comm
    }

    /// Collective: runs one call on all ranks, and agrees on its outcome. If `run` makes collective calls, it makes all
    /// of them on every rank, also after an error, with no pieces then.
    ///
    /// # Errors
    /// `run` failed on a rank, in this call or an earlier one.
    pub fn call<T>(&mut self, run: impl FnOnce(&C, &mut F) -> Result<T, Fault>) -> Result<T, Error> {
        self.call_with(&mut [], |comm, file, _| run(comm, file))
    }

    /// Collective: like [`call`](Self::call), and replaces numbers that `run` may change by the largest ones of all
    /// ranks, each below 2^63.
    ///
    /// # Errors
    /// The errors of [`call`](Self::call).
    pub fn call_with<T>(
        &mut self,
        largest: &mut [u64],
        run: impl FnOnce(&C, &mut F, &mut [u64]) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let outcome = run(self.comm, &mut self.file, largest);
        let agreed = agree_with(self.comm, outcome, largest);
        self.closed_after(agreed)
    }

    /// Collective: begins a call on all ranks, with the same arguments. Without it, ranks that make different calls, or
    /// one with arguments that need other messages, would wait for each other, or end inside MPI.
    ///
    /// # Errors
    /// The errors of [`Arguments::enter`], or an earlier call failed.
    pub fn enter(&mut self, arguments: Arguments) -> Result<(), Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let entered = arguments.enter(self.comm, Ok(()));
        self.closed_after(entered)
    }

    /// Collective: like [`call`](Self::call), after [`enter`](Self::enter).
    ///
    /// # Errors
    /// The errors of both.
    pub fn call_checked<T>(
        &mut self,
        arguments: Arguments,
        run: impl FnOnce(&C, &mut F) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        self.enter(arguments)?;
        self.call(run)
    }

    /// Closes the file after an error.
    fn closed_after<T>(&mut self, agreed: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &agreed {
            self.failed = Some(error.clone());
            // Ranks that cannot communicate any more must not meet others in collective calls of another kind.
            if error.fault.kind != ErrorKind::Communication {
                self.file.abandon(self.comm);
            }
        }
        agreed
    }

    /// Collective: closes the file, after all bytes are on the storage device.
    ///
    /// # Errors
    /// Bytes may be lost, or an earlier call failed.
    pub fn close(mut self) -> Result<(), Error> {
        self.call_checked(Arguments::new("close a file"), |comm, file| file.close(comm))
    }
}
