//! Errors of one rank, and the agreement of all ranks on them.

use std::ffi::c_int;

use linkstream::{Diagnostic, field, lime, volume, xml};
use linkstream_c_border::Failure;
use linkstream_c_ranks::Ranks;
use linkstream_memory::Short;
use linkstream_parallel::comm::{Comm as _, CommError};
use linkstream_parallel::error::agree as agree_on;
use linkstream_parallel::{Arguments, DIFFERENT, Error, ErrorKind, Fault};

use crate::code::{BAD_ARG, EOF, ERR_ALLOC, ERR_BAD_READ_BYTES, ERR_BAD_SUBSET, Refused};

/// An error of this rank, before the ranks have agreed on it: the code of the call, and the description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// Status of the call, as `qio.h` defines it.
    pub code: c_int,
    /// Failure and its description, before the ranks agree.
    pub fault: Fault,
}

impl Stop {
    /// A code with a sentence about a wrong argument or call.
    pub fn because(code: c_int, message: impl Into<String>) -> Self {
        Self { code, fault: Fault::usage(message) }
    }

    /// A wrong argument, or a call at a wrong time.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::because(BAD_ARG, message)
    }

    /// A code with a sentence about the file.
    pub fn file(code: c_int, offset: u64, message: impl Into<String>) -> Self {
        Self { code, fault: Fault::file(offset, "", message) }
    }

    /// An error of the codec. `start` is the offset in the file that the error is counted from.
    #[must_use]
    pub fn codec<K: Diagnostic>(code: c_int, start: u64, error: linkstream::Error<K>) -> Self {
        let linkstream::Error { at, kind, .. } = error;
        Self { code, fault: Fault::codec(start.saturating_add(at), kind.class(), kind.rule(), kind) }
    }

    /// The description with the file in front of it.
    #[must_use]
    pub fn in_file(mut self, path: &std::path::Path) -> Self {
        if self.fault.kind == ErrorKind::File {
            self.fault.message = format!("{}: {}", path.display(), self.fault.message);
        }
        self
    }
}

/// A fault of reading or writing the file: the code says which, unless there was not enough memory.
pub fn with_code(code: c_int) -> impl Fn(Fault) -> Stop {
    move |fault| {
        let is_memory = fault.kind == ErrorKind::System && fault.code == libc::ENOMEM;
        Stop { code: if is_memory { ERR_ALLOC } else { code }, fault }
    }
}

/// The work of a handle may be incomplete, as after an error of the system.
impl From<Short> for Stop {
    fn from(short: Short) -> Self {
        Self { code: ERR_ALLOC, fault: short.into() }
    }
}

impl From<CommError> for Stop {
    fn from(error: CommError) -> Self {
        Self { code: ERR_BAD_READ_BYTES, fault: error.into() }
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        let Failure { rule, offset, message, .. } = refused.failure.unwrap_or_default();
        let kind = if offset.is_some() { ErrorKind::File } else { ErrorKind::Usage };
        Self { code: refused.code, fault: Fault { kind, offset, code: 0, rule, message } }
    }
}

impl From<Stop> for Refused {
    fn from(stop: Stop) -> Self {
        let Fault { offset, rule, message, .. } = stop.fault;
        let clause = clause_of(&rule).to_owned();
        Self::new(stop.code, Failure { rule, clause, offset, message })
    }
}

/// The clause of the document that a rule is in.
fn clause_of(rule: &str) -> &'static str {
    let all =
        [lime::ErrorKind::RULES, xml::ErrorKind::RULES, field::ErrorKind::RULES, volume::ErrorKind::RULES];
    all.into_iter().flatten().find(|entry| entry.name == rule).map_or("", |entry| entry.clause)
}

/// Collective: agrees on the outcome of a step. It is good if it is good on all ranks; otherwise all get the same error
/// and code.
///
/// # Errors
/// A rank failed, or the ranks cannot communicate.
pub fn agree<T>(comm: &Ranks, outcome: Result<T, Stop>) -> Result<T, Stop> {
    with_codes(comm, outcome, |outcome| agree_on(comm, outcome))
}

/// Collective: begins a call. It is an error of all ranks if one of them makes another call, or is not ready.
///
/// # Errors
/// As above, or the ranks cannot communicate.
pub fn enter<T>(comm: &Ranks, call: &'static str, ready: Result<T, Stop>) -> Result<T, Stop> {
    enter_with(comm, Arguments::new(call), ready)
}

/// Collective: begins a call like [`enter`], with arguments that must be the same on all ranks.
///
/// # Errors
/// As above.
pub fn enter_with<T>(comm: &Ranks, arguments: Arguments, ready: Result<T, Stop>) -> Result<T, Stop> {
    with_codes(comm, ready, |ready| arguments.enter(comm, ready))
}

/// True for the error of ranks that make different calls.
#[must_use]
pub fn is_other_call(stop: &Stop) -> bool {
    stop.fault.kind == ErrorKind::Usage && stop.fault.code == DIFFERENT
}

/// Agrees on faults, and on the codes beside them.
fn with_codes<T>(
    comm: &Ranks,
    outcome: Result<T, Stop>,
    agree_on: impl FnOnce(Result<T, Fault>) -> Result<T, Error>,
) -> Result<T, Stop> {
    let (outcome, code) = match outcome {
        Ok(value) => (Ok(value), 0),
        Err(Stop { code, fault }) => (Err(fault), code),
    };
    agree_on(outcome).or_else(|error| {
        let mut fault = error.fault;
        let mut bytes = code.to_le_bytes();
        if fault.kind == ErrorKind::Communication {
            return Err(Stop { code: if code == 0 { ERR_BAD_READ_BYTES } else { code }, fault });
        }
        comm.broadcast(error.rank, &mut bytes)?;
        if comm.size() > 1 {
            fault.message = format!("rank {}: {}", error.rank, fault.message);
        }
        Err(Stop { code: received(c_int::from_le_bytes(bytes)), fault })
    })
}

/// The code of an error that another rank has sent. No rank has one if they make different calls; and functions of the
/// program that send something else must not make a success, or the end of the file, of an error.
fn received(code: c_int) -> c_int {
    if (ERR_BAD_SUBSET..EOF).contains(&code) { code } else { BAD_ARG }
}

/// Collective: passes bytes of one rank, whose length only that rank knows, to all ranks.
///
/// # Errors
/// The ranks cannot communicate, or have no memory for the bytes.
pub fn share(comm: &Ranks, root: usize, bytes: Vec<u8>) -> Result<Vec<u8>, Stop> {
    if comm.size() == 1 {
        return Ok(bytes);
    }
    let mut length = (bytes.len() as u64).to_le_bytes();
    comm.broadcast(root, &mut length)?;
    let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
    let mut all = bytes;
    if comm.rank() != root {
        all = Vec::new();
        let room = all.try_reserve_exact(length);
        // Without memory this rank cannot take part in the next call.
        room.map_err(|_| Stop::from(CommError::new(format!("there is no memory for {length} bytes"))))?;
        all.resize(length, 0);
    }
    comm.broadcast(root, &mut all)?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_another_rank_stays_an_error() {
        for code in [0, EOF, 5, 0x0505_0505, -25, c_int::MIN, c_int::MAX] {
            assert_eq!(received(code), BAD_ARG);
        }
        for code in [-2, BAD_ARG, ERR_BAD_SUBSET] {
            assert_eq!(received(code), code);
        }
    }
}
