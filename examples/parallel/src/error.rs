//! Errors: of one rank, and as all ranks agree on them.

use std::fmt;

use linkstream::Class;
use linkstream_memory::Short;

use crate::comm::{Comm, CommError, Op};

/// Group of an error (scda A.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The contents of the file are invalid or damaged.
    File,
    /// The file system or the operating system reported an error.
    System,
    /// Arguments without meaning, or calls in the wrong order.
    Usage,
    /// The ranks cannot communicate. The only kind that can differ between ranks.
    Communication,
    /// A consequence of an error that another rank reports. Ranks agree on that error instead.
    Elsewhere,
}

/// Error of one rank, before the ranks have agreed on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Group of the error.
    pub kind: ErrorKind,
    /// Absolute offset in the file, if the error has one.
    pub offset: Option<u64>,
    /// Number that refines the kind: `errno` of the system, [`DIFFERENT`](crate::DIFFERENT), or a number
    /// of the caller; 0 if there is none.
    pub code: i32,
    /// Name of the broken rule; empty if no rule is broken.
    pub rule: String,
    /// Description, as a sentence without the offset.
    pub message: String,
}

/// The words of an error of the system, without the number that the standard library appends.
fn without_number(error: &std::io::Error) -> String {
    let words = error.to_string();
    let number = error.raw_os_error().map(|number| format!(" (os error {number})"));
    number.and_then(|number| words.strip_suffix(&number)).map_or_else(|| words.clone(), str::to_owned)
}

impl Fault {
    /// Arguments without meaning, or calls in the wrong order.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Usage, offset: None, code: 0, rule: String::new(), message: message.into() }
    }

    /// A failed call of the system that was to read or write at this offset.
    pub fn system(offset: Option<u64>, error: &std::io::Error) -> Self {
        Self {
            kind: ErrorKind::System,
            offset,
            code: error.raw_os_error().unwrap_or(0),
            rule: String::new(),
            message: without_number(error),
        }
    }

    /// Invalid contents of the file.
    pub fn file(offset: u64, rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::File,
            offset: Some(offset),
            code: 0,
            rule: rule.into(),
            message: message.into(),
        }
    }

    /// The file does not have the bytes that were written from this offset on.
    pub(crate) fn lost(offset: u64) -> Self {
        let message = "the bytes that were written differ from the bytes of the file";
        Self { kind: ErrorKind::System, ..Self::file(offset, "", message) }
    }

    /// This rank misses something, because another rank has an error that it reports itself.
    #[must_use]
    pub fn elsewhere() -> Self {
        let message = "an error of another rank, which did not report it".into();
        Self { kind: ErrorKind::Elsewhere, offset: None, code: 0, rule: String::new(), message }
    }

    /// The error of a decoder or encoder of the codec. Its class decides whether the file or the caller is wrong.
    pub fn codec(offset: u64, class: Class, rule: &str, message: impl fmt::Display) -> Self {
        let kind = if class == Class::Misuse { ErrorKind::Usage } else { ErrorKind::File };
        Self { kind, offset: Some(offset), code: 0, rule: rule.into(), message: message.to_string() }
    }
}

/// As a call of the system that is refused for this reason.
impl From<Short> for Fault {
    fn from(short: Short) -> Self {
        Self { message: short.to_string(), ..Self::system(None, &short.into()) }
    }
}

impl From<CommError> for Fault {
    fn from(error: CommError) -> Self {
        Self {
            kind: ErrorKind::Communication,
            offset: None,
            code: 0,
            rule: String::new(),
            message: error.to_string(),
        }
    }
}

/// Error of a collective call: the same on all ranks, unless the ranks cannot communicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The lowest rank that failed, other than as a consequence.
    pub rank: usize,
    /// The error of this rank.
    pub fault: Fault,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}: {}", self.rank, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (self.offset, self.rule.as_str()) {
            (Some(offset), "") => write!(f, " (at byte {offset})"),
            (Some(offset), rule) => write!(f, " (at byte {offset}, {rule})"),
            (None, "") => Ok(()),
            (None, rule) => write!(f, " ({rule})"),
        }
    }
}

impl std::error::Error for Error {}
impl std::error::Error for Fault {}

/// Length of the message that describes an error. Longer texts are cut, so that one broadcast of known length suffices.
const FAULT_LEN: usize = 512;

/// Length of the numbers in front of the texts.
const HEAD: usize = 17;

/// Bit of the number of a failed rank: its error is not a consequence of another rank's error.
const CAUSE: u64 = 1 << 62;

/// Agrees on the outcome of a call: it is good if it is good on all ranks. Otherwise, all ranks get the error at the
/// lowest offset, which is the one that a single process would meet first; among errors at the same offset, or if none
/// has an offset, the error of the lowest rank. One small collective call, and up to three more after an error.
///
/// # Errors
/// The call failed on a rank, or the ranks cannot communicate.
pub fn agree<T>(comm: &impl Comm, outcome: Result<T, Fault>) -> Result<T, Error> {
    agree_with(comm, outcome, &mut [])
}

/// Agrees on the outcome of a call like [`agree`], and computes the largest of numbers in the same collective call,
/// also after an error. Each number is below 2^63.
///
/// # Errors
/// The errors of [`agree`].
pub fn agree_with<T>(comm: &impl Comm, outcome: Result<T, Fault>, largest: &mut [u64]) -> Result<T, Error> {
    let lost = |error: CommError| Error { rank: comm.rank(), fault: error.into() };
    // A fault of communication cannot be agreed on: the other ranks learn of it when they wait for this one.
    if let Err(fault @ Fault { kind: ErrorKind::Communication, .. }) = outcome {
        return Err(Error { rank: comm.rank(), fault });
    }
    let mut numbers = vec![0; largest.len() + 1];
    let place = (comm.size() - comm.rank()) as u64;
    numbers[0] = match &outcome {
        Ok(_) => 0,
        Err(Fault { kind: ErrorKind::Elsewhere, .. }) => place,
        Err(_) => place | CAUSE,
    };
    numbers[1..].copy_from_slice(largest);
    comm.combine(Op::Max, &mut numbers).map_err(lost)?;
    largest.copy_from_slice(&numbers[1..]);
    if numbers[0] == 0 {
        return outcome.map_err(|fault| Error { rank: comm.rank(), fault });
    }
    let cause = outcome.as_ref().err().filter(|fault| fault.kind != ErrorKind::Elsewhere);
    let rank = first_cause(comm, numbers[0] & !CAUSE, cause).map_err(lost)?;
    let mut bytes = [0; FAULT_LEN];
    if let (true, Err(fault)) = (rank == comm.rank(), &outcome) {
        bytes = to_bytes(fault);
    }
    comm.broadcast(rank, &mut bytes).map_err(lost)?;
    Err(Error { rank, fault: from_bytes(&bytes) })
}

/// The rank whose error is reported. `lowest` is the place of the lowest rank that failed, counted from the last rank.
fn first_cause(comm: &impl Comm, lowest: u64, cause: Option<&Fault>) -> Result<usize, CommError> {
    const LARGEST: u64 = u64::MAX >> 1;
    // The lowest offset is found as the largest distance from the end of all numbers.
    let own = cause.and_then(|fault| fault.offset).map_or(0, |offset| LARGEST - offset.min(LARGEST - 1));
    let mut distance = [own];
    comm.combine(Op::Max, &mut distance)?;
    let mut place = [lowest];
    if distance[0] > 0 {
        place = [if own == distance[0] { (comm.size() - comm.rank()) as u64 } else { 0 }];
        comm.combine(Op::Max, &mut place)?;
    }
    rank_at(comm, place[0])
}

/// The rank at a place, counted from the last rank.
pub(crate) fn rank_at(comm: &impl Comm, place: u64) -> Result<usize, CommError> {
    let place = usize::try_from(place).ok().filter(|place| *place > 0);
    let rank = place.and_then(|place| comm.size().checked_sub(place));
    rank.ok_or_else(|| CommError::new("the largest number of all ranks is one that no rank has passed"))
}

fn to_bytes(fault: &Fault) -> [u8; FAULT_LEN] {
    let mut bytes = [0; FAULT_LEN];
    bytes[0] = match fault.kind {
        ErrorKind::File => 0,
        ErrorKind::System => 1,
        ErrorKind::Usage => 2,
        ErrorKind::Communication => 3,
        ErrorKind::Elsewhere => 4,
    };
    bytes[1] = u8::from(fault.offset.is_some());
    bytes[2..10].copy_from_slice(&fault.offset.unwrap_or(0).to_le_bytes());
    bytes[13..HEAD].copy_from_slice(&fault.code.to_le_bytes());
    let rule = prefix(&fault.rule, 100);
    bytes[10] = rule.len() as u8;
    let (to_rule, to_text) = bytes[HEAD..].split_at_mut(rule.len());
    to_rule.copy_from_slice(rule.as_bytes());
    let text = prefix(&fault.message, to_text.len());
    to_text[..text.len()].copy_from_slice(text.as_bytes());
    let length = text.len() as u16;
    bytes[11..13].copy_from_slice(&length.to_le_bytes());
    bytes
}

fn from_bytes(bytes: &[u8; FAULT_LEN]) -> Fault {
    let kind = match bytes[0] {
        0 => ErrorKind::File,
        1 => ErrorKind::System,
        2 => ErrorKind::Usage,
        3 => ErrorKind::Communication,
        _ => ErrorKind::Elsewhere,
    };
    let offset = u64::from_le_bytes(bytes[2..10].try_into().unwrap_or_default());
    let length = usize::from(u16::from_le_bytes([bytes[11], bytes[12]]));
    let code = i32::from_le_bytes(bytes[13..HEAD].try_into().unwrap_or_default());
    let (rule, text) = bytes[HEAD..].split_at(usize::from(bytes[10]));
    let text = &text[..length.min(text.len())];
    Fault {
        kind,
        offset: (bytes[1] != 0).then_some(offset),
        code,
        rule: String::from_utf8_lossy(rule).into(),
        message: String::from_utf8_lossy(text).into(),
    }
}

/// The first characters of a text that fit into `most` bytes.
fn prefix(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::Threads;

    #[test]
    fn the_error_at_the_lowest_offset_is_reported_on_all_ranks() {
        let at = |offset| Some(Fault::file(offset, "rule", "damaged"));
        let usage = || Some(Fault::usage("x"));
        for (faults, rank) in [
            ([at(9), None, at(7), at(7)], 2),
            ([usage(), None, at(7), None], 2),
            ([None, usage(), usage(), None], 1),
            ([Some(Fault::elsewhere()), None, None, usage()], 3),
            ([at(u64::MAX), at(u64::MAX - 1), None, None], 0),
            ([at(u64::MAX >> 1), at(0), None, None], 1),
        ] {
            let outcomes = Threads::new(4).run(|comm| {
                agree(comm, faults[comm.rank()].clone().map_or(Ok(()), Err)).expect_err("failed")
            });
            assert_eq!(outcomes, vec![Error { rank, fault: faults[rank].clone().unwrap() }; 4]);
        }
    }

    #[test]
    fn long_descriptions_are_cut_on_all_ranks() {
        let faults = [
            None,
            None,
            Some(Fault { code: -7, ..Fault::file(1 << 40, "scda-padding", "ü".repeat(400)) }),
            Some(Fault::usage("x")),
        ];
        let outcomes = Threads::new(4).run(|comm| {
            let outcome = faults[comm.rank()].clone().map_or(Ok(comm.rank()), Err);
            agree(comm, outcome).expect_err("rank 2 failed")
        });
        let expected = Fault { message: "ü".repeat(241), ..faults[2].clone().unwrap() };
        assert_eq!(outcomes, vec![Error { rank: 2, fault: expected }; 4]);
    }

    #[test]
    fn a_call_that_is_good_on_all_ranks_returns_the_values_of_each() {
        let outcomes = Threads::new(3).run(|comm| {
            let mut largest = [comm.rank() as u64];
            (agree_with(comm, Ok(comm.rank()), &mut largest), largest)
        });
        assert_eq!(outcomes, [(Ok(0), [2]), (Ok(1), [2]), (Ok(2), [2])]);
    }
}
