//! What a step of the field decoder can be.

use core::fmt;

use crate::error::Error;
use crate::field::error::ErrorKind;
use crate::lattice::Checksum;
use crate::lime;

/// The events of a [`Decoder`](crate::field::Decoder), and of a [`conformance::Decoder`](crate::conformance::Decoder),
/// whose findings have another `Kind`.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{Decoder, Event};
/// use linkstream::{Mode, drive, finish};
/// # let file = linkstream_example::file();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut records, mut bytes, mut verdict) = (0, 0, None);
/// drive(&mut decoder, &file, |event, data, _| match event {
///     Event::Record(_) => records += 1,
///     Event::Data => bytes += data.len(),
///     Event::FieldEnd(checksum) => assert!(checksum.is_some()),
///     Event::Verdict(reported) => verdict = Some(reported),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((records, bytes), (6, 128));
/// assert!(verdict.is_some_and(|verdict| verdict.is_match()));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event<Kind = ErrorKind> {
    /// A record begins; its type is in [`Decoder::record_type`](crate::field::Decoder::record_type).
    Record(lime::Record),
    /// The bytes consumed by this step are payload: of a document, of a record of another type, or of data without a
    /// description.
    Payload,
    /// The record that has just begun contains data that a document describes: a field, a hypercube, or global data.
    /// Their layout is in [`Decoder::field`](crate::field::Decoder::field).
    Field,
    /// The bytes consumed by this step are data of the field.
    Data,
    /// The data are complete. Contains their checksum, unless bytes were skipped.
    FieldEnd(Option<Checksum>),
    /// The record is complete. If it is a document, the decoder now has its values.
    End,
    /// The result of comparing the checksum of the last field with the stored one. Reported when the stored one has
    /// been read, or can no longer follow.
    Verdict(Verdict),
    /// A broken rule that the mode does not refuse, or a remark. Reading continues.
    Finding(Error<Kind>),
}

/// The result of comparing the checksum of a field with the stored one. [`Verdict::Absent`](crate::Verdict::Absent) if
/// only one of the two sums is stored and agrees.
///
/// # Example
/// ```
/// use linkstream::field::Verdict;
/// use linkstream::lattice::Checksum;
///
/// let sums = Checksum { suma: 1, sumb: 2 };
/// assert_eq!(Verdict::Match { stored: sums, computed: sums }.require_match()?, sums);
/// # Ok::<(), linkstream::field::Unverified>(())
/// ```
pub type Verdict = crate::Verdict<Checksum>;

/// The checksum of a field was not verified.
///
/// # Example
/// ```
/// use linkstream::field::{Unverified, Verdict};
/// use linkstream::lattice::Checksum;
///
/// let verdict = Verdict::Absent { computed: Checksum::default() };
/// let error: Unverified = verdict.require_match().err().ok_or("no checksum is stored")?;
/// assert_eq!(error.to_string(), "no checksum is stored with the data");
/// # Ok::<(), &str>(())
/// ```
pub type Unverified = crate::Unverified<Checksum>;

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict {
            Verdict::Mismatch { stored, .. } => {
                write!(f, "checksum mismatch: the file contains {stored}")
            }
            Verdict::Absent { .. } => f.write_str("no checksum is stored with the data"),
            Verdict::Unchecked => f.write_str(
                "data were skipped or are missing, so the checksum of all of them was not computed",
            ),
            Verdict::Match { computed, .. } => {
                write!(f, "the checksum of the data matches the stored one, {computed}")
            }
        }
    }
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    Record,
    Payload,
    Field,
    Data,
    FieldEnd,
    End,
    Match,
    Mismatch,
    Absent,
    Unchecked,
    /// Of this decoder or of the LIME decoder.
    Finding,
}
