//! The events of the decoder, and the checksum that they report.

use core::fmt;

use super::error::ErrorKind;
use super::header::Header;
use crate::error::Error;
use crate::lattice::ByteOrder;
use crate::state::saved;

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::nersc::{Decoder, Event};
/// use linkstream::{Mode, drive, finish};
/// # let file = linkstream_example::file();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut lines, mut bytes, mut verdict) = (0, 0, None);
/// drive(&mut decoder, &file, |event, data, _| match event {
///     Event::Line => lines += 1,
///     Event::Data => bytes += data.len(),
///     Event::Verdict(found) => verdict = Some(found.is_match()),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((lines, bytes, verdict), (9, 192, Some(true)));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_nersc.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// A line of the header between the first and the last; [`Decoder::line`](super::Decoder::line) has it until the
    /// next step.
    Line,
    /// The header is complete. The data follow.
    Header(Header),
    /// The bytes consumed by this step are data: for each site, x fastest, the links in the directions x, y, z, t.
    Data,
    /// The data are complete; the file should end here.
    Verdict(Verdict),
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// The result of comparing the checksum of the data with that of the header. The checksum is a sum of words: it does not
/// change if blocks of the data are exchanged. An archive that names no byte order has that in which the sum is right:
/// [`DataSum::order`] of [`Verdict::Match`](crate::Verdict::Match).
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::{DataSum, Verdict, WordSums};
///
/// let mut sums = WordSums::default();
/// sums.feed(&[0, 0, 0, 3]);
/// let verdict = Verdict::Match { stored: 3, computed: DataSum::new(sums, ByteOrder::Big) };
/// assert_eq!(verdict.require_match()?.order, ByteOrder::Big);
/// # Ok::<(), linkstream::nersc::Unverified>(())
/// ```
pub type Verdict = crate::Verdict<u32, DataSum>;

/// The checksum of the data was not verified.
///
/// # Example
/// ```
/// use linkstream::nersc::Verdict;
///
/// let error = Verdict::Unchecked.require_not_refuted().err().ok_or("the data were skipped")?;
/// assert_eq!(error.to_string(), "data were skipped, so their checksum was not computed");
/// # Ok::<(), &str>(())
/// ```
pub type Unverified = crate::Unverified<u32, DataSum>;

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Verdict::Mismatch { .. } => {
                "checksum mismatch: the header contains another one, for either byte order"
            }
            Verdict::Absent { .. } => "the header has no valid checksum",
            Verdict::Unchecked => "data were skipped, so their checksum was not computed",
            Verdict::Match { .. } => "the checksum of the data matches the stored one",
        })
    }
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Line,
    Header,
    Data,
    Verdict,
    Finding,
}

/// The sum modulo 2^32 of the stored 32-bit words as integers, in both byte orders at once; a number of 64 bits is two
/// words. An archive that names no byte order has that in which the sum is right.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::WordSums;
///
/// let mut sums = WordSums::default();
/// // Data may be cut anywhere.
/// sums.feed(b"\0\0\0\x01\0");
/// sums.feed(b"\0\0\x02");
/// assert_eq!((sums.of(ByteOrder::Big), sums.of(ByteOrder::Little)), (3, 3 << 24));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WordSums {
    big: u32,
    little: u32,
    /// Bytes of the word that is incomplete.
    phase: u8,
}

saved!(struct WordSums { big, little, phase });

impl WordSums {
    pub(super) const fn new() -> Self {
        Self { big: 0, little: 0, phase: 0 }
    }

    /// The next bytes of the data.
    pub fn feed(&mut self, bytes: &[u8]) {
        let missing = usize::from(4_u8.wrapping_sub(self.phase) & 3);
        let (front, rest) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
        let (words, back) = rest.as_chunks::<4>();
        self.pieces(front);
        for word in words {
            self.big = self.big.wrapping_add(u32::from_be_bytes(*word));
            self.little = self.little.wrapping_add(u32::from_le_bytes(*word));
        }
        self.pieces(back);
    }

    /// The sum in this byte order.
    #[must_use]
    pub const fn of(&self, order: ByteOrder) -> u32 {
        match order {
            ByteOrder::Big => self.big,
            ByteOrder::Little => self.little,
        }
    }

    /// Bytes of words that are cut.
    fn pieces(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let up = u32::from(self.phase).wrapping_mul(8);
            self.little = self.little.wrapping_add(u32::from(*byte).wrapping_shl(up));
            self.big = self.big.wrapping_add(u32::from(*byte).wrapping_shl(24_u32.wrapping_sub(up)));
            self.phase = self.phase.wrapping_add(1) & 3;
        }
    }

    pub(super) const fn is_consistent(&self, bytes: u64) -> bool {
        self.phase as u64 == bytes & 3
    }
}

/// The sum of all data, and the byte order in which it is compared with that of the header: the one in which both are
/// equal; else the one that the header names; else big-endian.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::{DataSum, WordSums};
///
/// let mut sums = WordSums::default();
/// sums.feed(&[0, 0, 0, 3]);
/// assert_eq!(DataSum::new(sums, ByteOrder::Big).value(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct DataSum {
    /// The sums in both byte orders.
    pub sums: WordSums,
    /// The byte order.
    pub order: ByteOrder,
}

impl DataSum {
    /// The sum in this byte order.
    #[must_use]
    pub const fn new(sums: WordSums, order: ByteOrder) -> Self {
        Self { sums, order }
    }

    /// The sum modulo 2^32.
    #[must_use]
    pub const fn value(&self) -> u32 {
        self.sums.of(self.order)
    }
}
