//! Number of ranks that access a file, and the parts that each of them accesses.

use std::env::{self, VarError};

use super::rounds::ALIGNMENT;
use crate::comm::Comm;
use crate::error::Fault;

/// Bytes that an I/O rank holds at a time, unless another number is requested.
pub const BUFFER: u64 = 16 << 20;

/// Most bytes that an I/O rank holds at a time.
const MAX_BUFFER: u64 = 1 << 30;

/// I/O ranks of a node, unless another number is requested: one process rarely uses all that a node can transfer.
pub const PER_NODE: u64 = 4;

/// Ways of the ranks of a node to access a file. 0, or `None`, is the default.
///
/// Users set them by environment variables, of rank 0, if the program has set none: `LINKSTREAM_IO_RANKS`,
/// `LINKSTREAM_IO_BUFFER`, `LINKSTREAM_IO_STRIPE` (bytes, or with K, M or G), and `LINKSTREAM_IO_ENGINE` (`ranks` or
/// `direct`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IoOptions {
    /// I/O ranks of each node, 4 by default; all ranks if it has fewer.
    pub per_node: u64,
    /// Bytes that an I/O rank holds at a time, 16 MiB by default: from 1 MiB to 1 GiB, or else the nearest of these.
    pub buffer: u64,
    /// Bytes of a stripe of the file system, at most 1 GiB. The I/O ranks then take turns: together they have one contiguous part of the
    /// file in each round, of whole stripes, so that the work is on all storage targets. By default, each has one
    /// contiguous part in all rounds together; then the I/O ranks can have all their stripes on the same few targets.
    pub stripe: u64,
    /// Each rank accesses its own bytes, without rounds: for a few ranks with long pieces. By default, I/O ranks do.
    pub direct: Option<bool>,
}

impl IoOptions {
    /// The options of the environment of this process.
    ///
    /// # Errors
    /// A variable has no valid value.
    pub fn from_environment() -> Result<Self, Fault> {
        let value = |name: &str| match env::var(name) {
            Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
            Err(VarError::NotPresent) => Ok(None),
            Err(error @ VarError::NotUnicode(_)) => Err(Fault::usage(format!("{name}: {error}"))),
        };
        let number = |name: &str| match value(name)? {
            None => Ok(0),
            Some(text) => number(&text).ok_or_else(|| {
                Fault::usage(format!(
                    "{name} is {text}: a positive number was expected, such as 8, 512K, 16M or 1G"
                ))
            }),
        };
        let direct = match value("LINKSTREAM_IO_ENGINE")?.as_deref() {
            None => None,
            Some("ranks") => Some(false),
            Some("direct") => Some(true),
            Some(other) => {
                let message = format!("LINKSTREAM_IO_ENGINE is {other}: there are ranks and direct");
                return Err(Fault::usage(message));
            }
        };
        Ok(Self {
            per_node: number("LINKSTREAM_IO_RANKS")?,
            buffer: number("LINKSTREAM_IO_BUFFER")?,
            stripe: number("LINKSTREAM_IO_STRIPE")?,
            direct,
        })
    }

    /// Collective: these options, completed by the environment of rank 0, and by the defaults.
    pub(super) fn agree(self, comm: &impl Comm) -> Result<Self, Fault> {
        let own = if comm.rank() == 0 { Self::from_environment() } else { Ok(Self::default()) };
        let Self { per_node, buffer, stripe, direct } = *own.as_ref().unwrap_or(&Self::default());
        let coded = |direct: Option<bool>| direct.map_or(0, |direct| 1 + u64::from(direct));
        let mut bytes = [0; 40];
        let numbers = [u64::from(own.is_ok()), per_node, buffer, stripe, coded(direct)];
        for (to, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        comm.broadcast(0, &mut bytes)?;
        let mut numbers =
            bytes.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default()));
        if numbers.next() == Some(0) {
            let mut message = [0; 256];
            if let Err(fault) = own {
                let text = fault.message.as_bytes();
                let length = text.len().min(message.len());
                message[..length].copy_from_slice(&text[..length]);
            }
            comm.broadcast(0, &mut message)?;
            return Err(Fault::usage(String::from_utf8_lossy(&message).trim_end_matches('\0')));
        }
        let mut or = |own: u64, default: u64| match (own, numbers.next().unwrap_or(0)) {
            (0, 0) => default,
            (0, of_environment) => of_environment,
            (own, _) => own,
        };
        let per_node = or(self.per_node, PER_NODE);
        let buffer = or(self.buffer, BUFFER).clamp(ALIGNMENT, MAX_BUFFER) / ALIGNMENT * ALIGNMENT;
        let stripe = or(self.stripe, 0);
        if stripe > MAX_BUFFER {
            return Err(Fault::usage(format!(
                "a stripe of {stripe} bytes was passed; at most 1 GiB is possible"
            )));
        }
        let direct = Some(or(coded(self.direct), 1) == 2);
        Ok(Self { per_node, buffer, stripe, direct })
    }
}

/// A positive number, perhaps with K, M or G.
fn number(text: &str) -> Option<u64> {
    let (digits, factor) = match text.strip_suffix(['K', 'M', 'G', 'k', 'm', 'g']) {
        Some(digits) => (
            digits,
            match text.as_bytes().last() {
                Some(b'K' | b'k') => 1 << 10,
                Some(b'M' | b'm') => 1 << 20,
                _ => 1 << 30,
            },
        ),
        None => (text, 1),
    };
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse::<u64>().ok().filter(|number| is_number && *number > 0)?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_environment() {
        let found = [
            "8",
            "512K",
            "16m",
            "1G",
            "0",
            "",
            "K",
            "-1",
            "+1",
            "1.5M",
            "99999999999G",
            "12345678901234567890123",
        ];
        let expected = [Some(8), Some(512 << 10), Some(16 << 20), Some(1 << 30)];
        assert_eq!(found.map(number)[..4], expected);
        assert!(found[4..].iter().all(|text| number(text).is_none()));
    }
}
