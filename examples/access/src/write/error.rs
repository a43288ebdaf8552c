//! Reasons why a file is not written.

use std::fmt;
use std::io;
use std::path::PathBuf;

use linkstream::conformance::ErrorKind;
use linkstream::field::{EncodeErrorKind, SitesError};
use linkstream::ildg::GaugeKind;
use linkstream::inebin;
use linkstream::io::{ReadError, WriteError};
use linkstream::lattice::{Extents, Precision};
use linkstream::nersc;
use linkstream::scda;
use linkstream::scidac::Contradiction;
use linkstream::volume::{self, MeshError};
use linkstream::xml;
use linkstream::{Class, Diagnostic as _};

use super::atomic::FileError;
use super::input::{Place, Rereadable};
use super::kind::ShapeError;
use crate::noted::WHAT;
use crate::set::LayoutError;
use crate::text::{bytes, counted, one_line, shown_path};

/// Reason why a file is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input cannot be read.
    #[error(transparent)]
    Input(io::Error),
    /// The input breaks a rule of its format.
    #[error("at {place}: {kind}")]
    Format {
        /// Place of the broken rule.
        place: Place,
        /// The rule.
        kind: ErrorKind,
    },
    /// The content of the input cannot be written as requested.
    #[error("{}{fault}", Location::prefix(at.as_deref()))]
    Fault {
        /// Place, unless the fault contains it.
        at: Option<Box<Location>>,
        /// Reason why it cannot be written.
        fault: Fault,
    },
    /// No file has the requested form.
    #[error("{}{refusal}", Location::prefix(at.as_deref()))]
    Refused {
        /// The data record concerned.
        at: Option<Box<Location>>,
        /// Reason why it cannot be written.
        refusal: Refusal,
    },
    /// The input has changed since its records were listed.
    #[error("the file has changed while it was read")]
    Changed,
    /// The data cannot be divided into sites.
    #[error(transparent)]
    Sites(#[from] SitesError),
    /// The codec refuses the documents of the output.
    #[error(transparent)]
    Encode(EncodeErrorKind),
    /// The output cannot be written.
    #[error(transparent)]
    Output(io::Error),
    /// An array is not the field that it shall be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The output cannot be created or given its name.
    #[error(transparent)]
    File(#[from] FileError),
    /// The codec refuses the documents or the sites of a file set.
    #[error(transparent)]
    EncodeVolume(#[from] volume::EncodeErrorKind),
    /// There are more sites than the lattice has.
    #[error("the data have more sites than the lattice")]
    TooManySites,
    /// A set has no place for a volume.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// This volume exists, and would be taken for part of the new set.
    #[error("{} is a volume of another file set of that name; remove that file set first", shown_path(.0))]
    OtherSet(PathBuf),
    /// A temporary file cannot be written or read.
    #[error(transparent)]
    Temporary(io::Error),
    /// The codec refuses the header or the links of an archive.
    #[error(transparent)]
    EncodeArchive(#[from] nersc::EncodeErrorKind),
    /// The written archive does not read back as expected. The input is not at fault.
    #[error("the written archive does not read back as expected: {0}")]
    ReadBackArchive(String),
    /// The codec refuses a section of an scda file.
    #[error(transparent)]
    EncodeSection(#[from] scda::EncodeErrorKind),
    /// The codec refuses a matrix.
    #[error(transparent)]
    EncodeMatrix(#[from] inebin::EncodeErrorKind),
    /// An element of a section that is too long to be compressed.
    #[error("an element of {}; at most {} can be compressed", bytes(*size), bytes(*most))]
    LongElement {
        /// Its size in bytes.
        size: u64,
        /// The largest size in bytes.
        most: u64,
    },
    /// Elements cannot be compressed.
    #[error("{0}")]
    Compressor(String),
    /// The written file does not read back as expected. The input is not at fault.
    #[error("the written file does not read back as expected: {0}")]
    ReadBack(String),
}

impl Error {
    pub(super) fn at_byte(at: u64, fault: Fault) -> Self {
        Self::Fault { at: Some(Box::new(Location::Byte(Place::byte(at)))), fault }
    }

    /// True if the input does not begin like a LIME file.
    #[must_use]
    pub fn is_other_format(&self) -> bool {
        matches!(self, Self::Format { place, kind } if place.at == 0 && kind.class() == Class::Magic)
    }

    /// Names the data record concerned.
    pub(super) fn in_record(self, number: usize, place: &Place) -> Self {
        let at = Some(Box::new(Location::Record { number, place: place.clone() }));
        match self {
            Self::Fault { fault, .. } => Self::Fault { at, fault },
            Self::Refused { refusal, .. } => Self::Refused { at, refusal },
            other => other,
        }
    }

    /// Replaces an offset in the source by its place: if the source is a set, the bytes are in several files.
    pub(super) fn placed(mut self, source: &dyn Rereadable) -> Self {
        // An input of another format is one file.
        let is_one_file = self.is_other_format();
        let place = match &mut self {
            Self::Format { place, .. } if !is_one_file => Some(place),
            Self::Fault { at: Some(at), .. } => match &mut **at {
                Location::Byte(place) => Some(place),
                Location::Record { .. } => None,
            },
            _ => None,
        };
        if let Some(place) = place {
            *place = source.place(place.at);
        }
        self
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Fault { at: None, fault }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused { at: None, refusal }
    }
}

impl<K: Into<ErrorKind> + linkstream::Diagnostic + fmt::Debug + Send + Sync + 'static>
    From<ReadError<io::Error, K>> for Error
{
    fn from(error: ReadError<io::Error, K>) -> Self {
        match error {
            ReadError::Format(error) => {
                Self::Format { place: Place::byte(error.at), kind: error.kind.into() }
            }
            ReadError::Io(error) => Self::Input(error),
            other => Self::Input(io::Error::other(other)),
        }
    }
}

macro_rules! from_write_error {
    ($($kind:ty => $variant:ident;)*) => {$(
        impl From<WriteError<io::Error, $kind>> for Error {
            fn from(error: WriteError<io::Error, $kind>) -> Self {
                match error {
                    WriteError::Io(error) => Self::Output(error),
                    WriteError::WriteZero => Self::Output(io::ErrorKind::WriteZero.into()),
                    WriteError::Refused(kind) => Self::$variant(kind),
                    other => Self::Output(io::Error::other(other)),
                }
            }
        }
    )*};
}

from_write_error! {
    EncodeErrorKind => Encode;
    scda::EncodeErrorKind => EncodeSection;
    inebin::EncodeErrorKind => EncodeMatrix;
}

/// Object that an error is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A byte of the input.
    Byte(Place),
    /// A data record of the input.
    Record {
        /// Its number, counted from 0.
        number: usize,
        /// Place of the record.
        place: Place,
    },
}

impl Location {
    fn prefix(at: Option<&Self>) -> String {
        match at {
            None => String::new(),
            Some(Self::Byte(place)) => format!("at {place}: "),
            Some(Self::Record { number, place }) => format!("field {number} at {place}: "),
        }
    }
}

/// A reason in the content of the input.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// Rows to be left out differ from those computed from the others.
    Rows {
        /// The coordinates of the site.
        site: Vec<u32>,
        /// The direction of the link.
        direction: char,
        /// The largest difference; not finite if numbers of the link are not.
        deviation: f64,
        /// The largest difference that is tolerated.
        tolerance: f64,
    },
    /// Rows that the file leaves out cannot be computed.
    NoRows {
        /// The coordinates of the site.
        site: Vec<u32>,
        /// The direction of the link.
        direction: char,
    },
    /// A number outside the range of single precision.
    Overflow {
        /// The rank of the site.
        site: u64,
        /// The number.
        value: f64,
    },
    /// A text that is too long to be copied.
    LongText {
        /// The type of its record.
        record_type: String,
    },
    /// The header of an archive is too long to be copied.
    LongHeader,
    /// Links that an archive cannot have.
    NotUnitary {
        /// The largest deviation from unitarity, or from the determinant 1.
        deviation: f64,
    },
    /// A note says that the data were damaged when they were copied.
    DamageNoted,
    /// The documents of a data record contradict each other.
    DescriptionsDiffer,
    /// The type and the precision of a SciDAC record contradict each other.
    PrecisionsDiffer {
        /// The type.
        datatype: String,
        /// The precision, as in the record.
        precision: &'static str,
    },
    /// Links are marked as absent where ILDG does not allow it.
    Boundary(ErrorKind),
    /// Different logical file names, and no way to choose between them.
    NamesDiffer {
        /// One name.
        one: String,
        /// Another one.
        other: String,
    },
    /// An invalid logical file name.
    Name {
        /// The name.
        name: String,
        /// The rule that it breaks.
        why: EncodeErrorKind,
    },
    /// An invalid update number.
    Update {
        /// The text in its place.
        text: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { site, direction, deviation, tolerance } => {
                write!(f, "the link at site {site:?} in direction {direction} needs all its rows: ")?;
                if deviation.is_finite() {
                    write!(f, "they differ by {deviation:.3e} from what the others give, ")?;
                } else {
                    f.write_str("some of its numbers are infinite or NaN, ")?;
                }
                write!(f, "and {tolerance:e} is tolerated")
            }
            Self::NoRows { site, direction } => write!(
                f,
                "the link at site {site:?} in direction {direction} cannot have all its rows: \
                 some of its numbers are, or would be, infinite or NaN"
            ),
            Self::Overflow { site, value } => {
                write!(f, "the site of rank {site} holds {value:e}, more than single precision can")
            }
            Self::LongText { record_type } => {
                write!(f, "the {record_type} is longer than 16 MiB, too long to be copied")
            }
            Self::LongHeader => f.write_str("the header is longer than 16 MiB, too long to be copied"),
            Self::NotUnitary { deviation } => write!(
                f,
                "a NERSC archive has links of SU(3), but these deviate from unitarity or from the determinant 1 by up to \
                 {deviation:.3e}"
            ),
            Self::DamageNoted => f.write_str(WHAT),
            Self::DescriptionsDiffer => f.write_str(
                "the SciDAC record and the ildg-format describe different data; which of them is right is unknown",
            ),
            Self::PrecisionsDiffer { datatype, precision } => write!(
                f,
                "its SciDAC record has the type {} and the precision {precision}; which of them is right \
                 is unknown, so its numbers are not converted",
                one_line(datatype)
            ),
            Self::Boundary(kind) => write!(f, "what would be written breaks {}: {kind}", kind.clause()),
            Self::NamesDiffer { one, other } => {
                write!(f, "it has several logical file names, {} and {}", one_line(one), one_line(other))
            }
            Self::Name { name, why } => {
                write!(f, "its logical file name {} cannot be carried over: {why}", one_line(name))
            }
            Self::Update { text } if text.is_empty() => f.write_str("its update number is empty"),
            Self::Update { text } => {
                write!(f, "its update number {} is not a string of digits", one_line(text))
            }
        }
    }
}

impl std::error::Error for Fault {}

/// A reason in the request: no file can have the requested form, or the request does not fit the input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// An `ildg-format`, or a number of rows, for data that are no links.
    #[error("it is not a gauge field")]
    NoGaugeField,
    /// No SciDAC record describes the data, and they cannot have an `ildg-format`, which could be written instead.
    #[error("it is not a gauge field, and no SciDAC record describes it")]
    Undescribed,
    /// SciDAC documents describe links with all rows.
    #[error("a SciDAC file without ildg-format cannot record that rows are omitted")]
    RowsUnrecorded,
    /// An update number without an `ildg-format`.
    #[error("an update number requires an ildg-format")]
    UpdateWithoutFormat,
    /// Another kind of gauge field than the file states.
    #[error("the file says that the field is {described}, not {wished}")]
    KindDiffers {
        /// The kind in the file.
        described: GaugeKind,
        /// The requested kind.
        wished: GaugeKind,
    },
    /// No kind of ILDG 1.2 has this number of colors.
    #[error("there is no kind of gauge field with this number of colors")]
    NoKind,
    /// The matrices do not have the size of the requested kind.
    #[error("its matrices of {columns} x {columns} complex numbers are not {kind}")]
    OtherMatrices {
        /// Number of columns of the matrices.
        columns: u32,
        /// The requested kind.
        kind: GaugeKind,
    },
    /// A lattice without four dimensions.
    #[error("an ildg-format has four extents, but the lattice is {0}")]
    Dimensions(Extents),
    /// Rows should be left out in a file with links in directions with a single site.
    #[error(
        "only ILDG 1.2 can leave rows out, and it has no links in directions with a single site, which this file has"
    )]
    RowsOrLinks,
    /// Another number of rows than the kind allows.
    #[error("links of {kind} are stored with {}", allowed(*kind, *rows))]
    Rows {
        /// The kind of links.
        kind: GaugeKind,
        /// The requested number; `None`: fewer rows than all.
        rows: Option<u16>,
    },
    /// The format cannot state this number of rows.
    #[error("links of this kind cannot be stored with this number of rows")]
    RowsOfKind,
    /// Rows that would take too long to compute.
    #[error("rows of {kind} take too long to compute: {most} colors can be done")]
    RowsTooCostly {
        /// The kind of links.
        kind: GaugeKind,
        /// The largest number of colors.
        most: u16,
    },
    /// Sites that are too large to be changed.
    #[error("a site has {}; rows and links can be changed in at most {}", bytes(*size), bytes(*most))]
    LargeSite {
        /// Size of a site in bytes.
        size: u64,
        /// The largest size in bytes.
        most: u64,
    },
    /// Numbers of links that do not follow from one another.
    #[error("the {from} links of a site of {extents} cannot be converted to {to}")]
    Links {
        /// The lattice.
        extents: Extents,
        /// Number of links at a site of the input.
        from: u32,
        /// Number of links at a site of the output.
        to: u32,
    },
    /// Items larger than 32 bits can state.
    #[error("its items would be larger than a SciDAC record can describe")]
    LargeItem,
    /// Links larger than 32 bits can state.
    #[error("a link of {0} is larger than a SciDAC document can describe")]
    LargeLink(GaugeKind),
    /// Items that do not consist of numbers of their precision.
    #[error("its items of {size} do not consist of numbers of {} bits", precision.bits())]
    Item {
        /// Size of an item in bytes.
        size: u32,
        /// The precision in the SciDAC record.
        precision: Precision,
    },
    /// A SciDAC record whose precision is neither single nor double.
    #[error("the SciDAC record has the precision {}, not F or D", one_line(.0))]
    Letter(String),
    /// The sites of a SciDAC record are not in the lattice.
    #[error(transparent)]
    Region(xml::ErrorKind),
    /// An array of another length.
    #[error("the array has {found} numbers, but its description demands {expected}")]
    Length {
        /// Number of real numbers in the array.
        found: u64,
        /// The right number.
        expected: u64,
    },
    /// An array with another number of links at each site.
    #[error("the array has {found} links at each site, but the file has {expected}{}", single_sites(*found, *expected))]
    LinksOfSite {
        /// Number of links in the array.
        found: u64,
        /// The right number.
        expected: u64,
    },
    /// The SciDAC record would contradict itself.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// A date that a SciDAC record cannot hold.
    #[error("a date has at most 64 bytes: {}", one_line(.0))]
    Date(String),
    /// An update number for several fields.
    #[error("an update number belongs to one field")]
    UpdateOfSeveral,
    /// A logical file name for a file without `ildg-format`.
    #[error("only ILDG files have a logical file name")]
    NameWithoutFormat,
    /// The file has no field of this number.
    #[error(
        "there {} {}, counted from 0, so no {number}",
        if *count == 1 { "is" } else { "are" },
        counted(*count, "field", "fields")
    )]
    NoSuchRecord {
        /// The requested number, counted from 0.
        number: usize,
        /// Number of fields.
        count: usize,
    },
    /// The file has no data at all.
    #[error("there is no gauge field: the file has no data at all")]
    NoRecords,
    /// None of this number of fields can be written.
    #[error("there is no gauge field among {}", counted(*.0, "field", "fields"))]
    NoneWritable(usize),
    /// One field should be written, and there are several, with these numbers.
    #[error("there are {} fields", .0.len())]
    Several(Vec<usize>),
    /// Several fields of one kind without different update numbers (ILDG 1.2, section 2.2).
    #[error("several fields are {0}, and their update numbers do not distinguish them")]
    SameUpdates(GaugeKind),
    /// A file without gauge field as the source of an archive.
    #[error("there is no gauge field")]
    NoLinks,
    /// Data whose plaquette is unknown.
    #[error("there is no gauge field of SU(3) on four dimensions")]
    NotMeasured,
    /// Links that an archive cannot have.
    #[error("a NERSC archive has four links of SU(3) at a site")]
    NotFourLinks,
    /// Links without plaquette and link trace.
    #[error(
        "links contain numbers that are infinite or NaN: the header would have no plaquette or link trace"
    )]
    NoFigures,
    /// The header of the archive cannot state this.
    #[error(transparent)]
    Header(nersc::EncodeErrorKind),
    /// The lattice cannot be divided among these nodes and volumes.
    #[error("the lattice {lattice} as {} nodes and {} volumes: {why}", by(nodes), by(io))]
    Mesh {
        /// The lattice.
        lattice: Extents,
        /// Number of nodes in each dimension.
        nodes: Vec<u32>,
        /// Number of volumes in each dimension.
        io: Vec<u32>,
        /// The reason.
        why: MeshError,
    },
    /// A file document without lattice.
    #[error("the file has no lattice")]
    NoLattice,
    /// Volumes have SciDAC documents.
    #[error("a file set always has SciDAC documents")]
    SetWithoutScidac,
    /// Sites that are too large for sets.
    #[error("sites of {size} bytes are too large: at most {most} can be converted")]
    LargeSetSite {
        /// Size of a site in bytes.
        size: u64,
        /// The largest size in bytes.
        most: u64,
    },
    /// Fields on different lattices.
    #[error("a SciDAC file has one lattice, but the fields have {one} and {other}")]
    Lattices {
        /// One lattice.
        one: Extents,
        /// Another one.
        other: Extents,
    },
}

/// The reason why a file has fewer links than directions, or more.
fn single_sites(found: u64, expected: u64) -> &'static str {
    if found > expected {
        ": ILDG 1.2 has none in directions with a single site"
    } else {
        ": one in each direction, also if that has a single site"
    }
}

/// Numbers with `x` between them.
fn by(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

/// The numbers of rows that links of this kind can have.
fn allowed(kind: GaugeKind, rows: Option<u16>) -> String {
    let (full, reduced) = (kind.colors(), kind.reduced_rows());
    match (rows, reduced) {
        (None, _) => "all rows only".to_owned(),
        (Some(rows), Some(reduced)) => format!("{full} rows or {reduced}, not {rows}"),
        (Some(rows), None) => format!("{full} rows, not {rows}"),
    }
}
