//! What a step of the field decoder can be.

use crate::error::Error;
use crate::field::error::ErrorKind;
use crate::lattice::Checksum;
use crate::lime;

/// The events of a [`Decoder`](crate::field::Decoder).
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
pub enum Event {
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
    Finding(Error<ErrorKind>),
}

/// The result of comparing the checksum of a field with the stored one.
///
/// # Example
/// ```
/// use linkstream::field::Verdict;
/// use linkstream::lattice::Checksum;
///
/// let stored = Checksum { suma: 1, sumb: 2 };
/// assert!(Verdict::Match(stored).is_match());
/// // Without a stored checksum the data are neither confirmed nor refuted.
/// assert!(!Verdict::Absent.is_match() && !Verdict::Mismatch(stored).is_match());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "data without a matching checksum are not verified: use `require_match` or `require_not_refuted`"]
#[non_exhaustive]
pub enum Verdict {
    /// The checksums are equal.
    Match(Checksum),
    /// The checksums differ; this is the stored one.
    Mismatch(Checksum),
    /// No checksum is stored, or only one of its two sums.
    Absent,
    /// Data were skipped, or the sites of a set of volumes are not each there once: the checksum of all data is not
    /// known.
    Unchecked,
}

impl Verdict {
    /// Whether the checksum was computed and equals the stored one.
    #[must_use]
    pub const fn is_match(&self) -> bool {
        matches!(self, Self::Match(_))
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
