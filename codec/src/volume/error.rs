//! Errors, and the events that carry them.

use crate::error::Error;
use crate::messages::messages;
use crate::rules::rules;
use crate::state::saved;
use crate::{field, lime, scidac};

rules! {
    /// The errors of volumes and of file sets.
    ///
    /// # Example
    /// ```
    /// use linkstream::volume::ErrorKind;
    /// use linkstream::{Diagnostic, Severity};
    ///
    /// let kind = ErrorKind::SiteOutside { rank: 64, sites: 32, count: 1 };
    /// assert_eq!((kind.rule(), kind.severity()), ("volume-site-outside", Severity::Error));
    /// assert_eq!(kind.to_string(), "the site list has rank 64, but the lattice has 32 sites (1 such entry)");
    /// ```
    pub enum ErrorKind {
        /// An error that single files can have as well, see [`field::ErrorKind`].
        Field(kind: field::ErrorKind) => (..kind),

        // One volume.

        /// The file document describes a single file.
        SingleFile => (
            "volume-single-file", Fatal, Rule, "QIO 2.3, section 2.2",
            "the file is a single file, not a volume of a set"
        ),
        /// Data without a site list before them.
        ListMissing => (
            "volume-site-list-missing", Fatal, Rule, "QIO 2.3, section 2.2",
            "no scidac-sitelist precedes the data: their sites are unknown"
        ),
        /// A second site list that is equal to the first: QIO writes one when it appends to a set.
        ListRepeated => (
            "volume-site-list-repeated", Warning, Rule, "QIO 2.3, section 2.2",
            "the site list is repeated; QIO writes it again when it appends, and cannot read what follows"
        ),
        /// A second site list that differs from the first.
        ListDiffers => (
            "volume-site-list-differs", Fatal, Rule, "QIO 2.3, section 2.2",
            "a second site list differs from the first"
        ),
        /// The length of the site list is not a whole number of entries.
        ListLength {
            /// The length of the list in bytes.
            length: u64,
        } => (
            "volume-site-list-length", Error, Format, "QIO 2.3, section 2.2",
            "the site list has {length} bytes, which is not a multiple of 4"
        ),
        /// The data have another number of sites than the site list.
        ListSites {
            /// The length of the list in bytes.
            length: u64,
            /// The number of sites of the data.
            sites: u64,
        } => (
            "volume-site-list-sites", Error, Format, "QIO 2.3, section 2.2",
            "the data have {sites} sites, but the site list has {length} bytes, neither 4 nor 8 for each of them"
        ),
        /// The data do not consist of whole sites, or of more sites than the field has.
        DataLength {
            /// The length of the data in bytes.
            length: u64,
            /// The size of a site in bytes.
            bytes_per_site: u64,
            /// The number of sites of the whole field.
            sites: u64,
        } => (
            "volume-data-length", Error, Format, "QIO 2.3, section 2.2",
            "the data have {length} bytes: not a number of sites up to {sites} with {bytes_per_site} bytes each; \
             the volume may belong to another set"
        ),
        /// The data of a hypercube have another number of sites than the site list has in it.
        DataSites {
            /// The number of sites of the data.
            stored: u64,
            /// The number of sites of the list in the hypercube, at least.
            listed: u64,
        } => (
            "volume-data-sites", Error, Format, "QIO 2.3, section 2.2",
            "the data have {stored} sites, but the site list has {listed} sites of their region"
        ),
        /// The volume has fewer data records than the first volume describes.
        RecordMissing => (
            "volume-record-missing", Error, Rule, "QIO 2.3, section 2.2",
            "the first volume describes a data record that this volume does not have"
        ),
        /// The volume has more data records than the first volume describes.
        RecordSurplus => (
            "volume-record-surplus", Error, Rule, "QIO 2.3, section 2.2",
            "the first volume does not describe this data record; the volume may belong to another set"
        ),

        // The sites.

        /// The site list contains ranks that the lattice does not have.
        SiteOutside {
            /// The first of them.
            rank: u64,
            /// The number of sites of the lattice.
            sites: u64,
            /// Number of such entries.
            count: u64,
        } => (
            "volume-site-outside", Error, Format, "QIO 2.3, section 2.2",
            "the site list has rank {rank}, but the lattice has {sites} sites ({count} such {})",
            plural(*count)
        ),
        /// Sites that are already in this volume or in an earlier one.
        SiteRepeated {
            /// The first of them.
            rank: u64,
            /// Number of such entries.
            count: u64,
        } => (
            "volume-site-repeated", Error, Rule, "QIO 2.3, section 2.2",
            "the site of rank {rank} is in the set more than once ({count} such {})", plural(*count)
        ),
        /// All sites of the volume are in earlier volumes.
        Surplus => (
            "volume-surplus", Error, Rule, "QIO 2.3, section 2.2",
            "surplus volume: all of its sites are in other volumes"
        ),
        /// The site list of a partition is not ascending.
        SitesUnordered {
            /// The first rank that is less than the one before it.
            rank: u64,
        } => (
            "volume-sites-unordered", Warning, Rule, "QIO 2.3, section 2.2",
            "the site list of a partition is not in lexicographic order: rank {rank} follows a larger one"
        ),
        /// Sites that are in no volume, in a set without repeated sites or sites outside the lattice.
        Missing {
            /// Number of these sites.
            count: u64,
        } => (
            "volume-missing", Error, Rule, "QIO 2.3, section 2.2",
            "a volume is missing: {count} {} in no volume",
            if *count == 1 { "site of the lattice is" } else { "sites of the lattice are" }
        ),
        /// Sites that are in no volume.
        SitesMissing {
            /// Their number, if repeated sites could be counted.
            count: Option<u64>,
            /// The first of them, if it is known.
            first: Option<u64>,
        } => (
            "volume-sites-missing", Error, Rule, "QIO 2.3, section 2.2",
            "sites of the lattice are in no volume{}", IfKnown(*first)
        ),

        // The set.

        /// No volume has the documents of the set.
        FirstMissing => (
            "volume-first-missing", Error, Rule, "QIO 2.3, section 2.2",
            "the first volume is missing: no volume begins with a scidac-private-file-xml"
        ),
        /// Two volumes contain the documents of a set.
        FirstRepeated => (
            "volume-first-repeated", Error, Rule, "QIO 2.3, section 2.2",
            "two volumes begin with a scidac-private-file-xml; only the first volume of a set does"
        ),
        /// The documents are not in the volume with the lowest number.
        FirstMisplaced {
            /// Its number.
            number: u64,
        } => (
            "volume-first-misplaced", Warning, Rule, "QIO 2.3, section 2.2",
            "the first volume has number {number}, but there are volumes with lower numbers: they may be swapped"
        ),
        /// The file documents of two volumes have different formats.
        FormatMixed => (
            "volume-format-mixed", Error, Rule, "QIO 2.3, section 2.1",
            "volumes of different formats: the set mixes single file, partition and multifile"
        ),
    }
}

impl From<field::ErrorKind> for ErrorKind {
    fn from(kind: field::ErrorKind) -> Self {
        Self::Field(kind)
    }
}

impl From<lime::ErrorKind> for ErrorKind {
    fn from(kind: lime::ErrorKind) -> Self {
        Self::Field(kind.into())
    }
}

const fn plural(count: u64) -> &'static str {
    if count == 1 { "entry" } else { "entries" }
}

/// The first rank, if it is known.
struct IfKnown(Option<u64>);

impl core::fmt::Display for IfKnown {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Some(rank) => write!(f, ", the first of them of rank {rank}"),
            None => Ok(()),
        }
    }
}

messages! {
    /// Errors of an [`Encoder`](super::Encoder). The call that returns one has no effect.
    ///
    /// # Example
    /// ```
    /// use linkstream::volume::{EncodeErrorKind, Encoder, VolumeKind};
    ///
    /// // No site list is being written.
    /// assert_eq!(Encoder::new(VolumeKind::Other, 4, 3).entry(0), Err(EncodeErrorKind::NoList));
    /// ```
    pub enum EncodeErrorKind {
        /// An error that single files can have as well, see [`field::EncodeErrorKind`].
        Field(kind: field::EncodeErrorKind) => (..kind),
        /// The file document describes a single file.
        SingleFile => ("the file document is that of a single file, not of a volume"),
        /// The volume would have more sites than the lattice, the region, or the site list.
        TooManySites {
            /// The number of sites of the volume.
            sites: u64,
            /// Largest number that is accepted.
            most: u64,
        } => ("the volume would have {sites} sites; at most {most} are possible"),
        /// No entries of the site list are expected.
        NoList => ("no entries of a site list are expected"),
        /// The rank is outside the lattice, larger than the declared largest rank, or repeated; or, in a partition,
        /// not larger than the previous one.
        Rank {
            /// Rank of the site in the lattice.
            rank: u64,
        } => ("rank {rank} cannot be the next entry of the site list"),
        /// The data of a site do not have the length that the field requires.
        SiteLength {
            /// The required length in bytes.
            needed: u64,
        } => ("wrong length of data: a site of this field has {needed} bytes"),
        /// The sites of the data differ from the site list or from its order, or are outside the hypercube of the
        /// field; or there are more or fewer ranks than sites.
        SitesDiffer => ("the sites that were written are not those of the site list, or are in another order"),
    }
}

impl From<field::EncodeErrorKind> for EncodeErrorKind {
    fn from(kind: field::EncodeErrorKind) -> Self {
        Self::Field(kind)
    }
}

impl From<lime::EncodeErrorKind> for EncodeErrorKind {
    fn from(kind: lime::EncodeErrorKind) -> Self {
        Self::Field(kind.into())
    }
}

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
    /// A record begins; its type is in [`Decoder::content`](super::Decoder::content).
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
    /// [`Decoder::content`](super::Decoder::content).
    Checksum,
    /// The record is complete.
    End,
    /// A broken rule that the mode does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// Content of the current record of a volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VolumeRecord {
    Foreign,
    PrivateFile,
    PrivateRecord,
    List,
    Data,
    Checksum,
}

saved!(enum VolumeRecord: Foreign, PrivateFile, PrivateRecord, List, Data, Checksum);

impl VolumeRecord {
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
