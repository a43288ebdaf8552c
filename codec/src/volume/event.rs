//! What the records of a volume are, and what a step of its decoder can be.

use super::error::ErrorKind;
use crate::error::Error;
use crate::state::saved;
use crate::{lime, scidac};

/// The events of a [`Decoder`](super::Decoder).
///
/// ```
/// use linkstream::volume::{Decoder, Event};
/// use linkstream::{Mode, drive, lime::Header};
///
/// // A volume with the site of rank 5, and no data.
/// let header = Header::new(b"scidac-sitelist", 4, true, true)?;
/// let file = [&header.as_bytes()[..], &[0, 0, 0, 5, 0, 0, 0, 0]].concat();
/// let (mut decoder, mut entries) = (Decoder::new(Mode::Strict), Vec::new());
/// drive(&mut decoder, &file, |event, bytes, _| {
///     if event == Event::SiteList {
///         entries.extend_from_slice(bytes);
///     }
/// })?;
/// assert_eq!(entries, [0, 0, 0, 5]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// A record begins; its type is in [`Decoder::record_type`](super::Decoder::record_type).
    Record(lime::Record),
    /// The bytes consumed by this step are payload of a document, of a record of another type, or of data without a
    /// description.
    Payload,
    /// The bytes consumed by this step are entries of the site list.
    SiteList,
    /// The record that has just begun has data of this volume's sites, or global data; their layout is in
    /// [`Decoder::field`](super::Decoder::field).
    Field,
    /// The bytes consumed by this step are data.
    Data,
    /// The data are complete.
    FieldEnd,
    /// The stored checksum of the last field, over all volumes, is in
    /// [`Decoder::stored_checksum`](super::Decoder::stored_checksum).
    Checksum,
    /// The record is complete.
    End,
    /// A broken rule that the mode does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// What the current record is to a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Foreign,
    PrivateFile,
    PrivateRecord,
    List,
    Data,
    Checksum,
}

saved!(enum Part: Foreign, PrivateFile, PrivateRecord, List, Data, Checksum);

impl Part {
    pub(super) fn of(record_type: &[u8]) -> Self {
        const BINARY: [&str; 2] = [scidac::BINARY_DATA, crate::ildg::BINARY_DATA];
        let is = |name: &str| record_type == name.as_bytes();
        if is(scidac::PRIVATE_FILE_XML) {
            Self::PrivateFile
        } else if is(scidac::PRIVATE_RECORD_XML) {
            Self::PrivateRecord
        } else if is(scidac::SITELIST) {
            Self::List
        } else if BINARY.into_iter().any(is) {
            Self::Data
        } else if is(scidac::CHECKSUM) {
            Self::Checksum
        } else {
            Self::Foreign
        }
    }
}
