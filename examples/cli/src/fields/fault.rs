//! Reasons in the content of a file why its data cannot be written as requested.

use std::fmt;

use linkstream::conformance;
use linkstream::field::{self, EncodeErrorKind};
use linkstream::{Diagnostic as _, Error};

use crate::failure::{Failure, failed};
use crate::human::one_line;
use crate::source::Rereadable;

/// A fault of the input file, not of the arguments.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// Rows to be left out differ from those computed from the others.
    Rows { site: Vec<u32>, direction: char, deviation: f64, tolerance: f64 },
    /// Rows that the file leaves out cannot be computed.
    NoRows { site: Vec<u32>, direction: char },
    /// A number outside the range of single precision.
    Overflow { site: u64, value: f64 },
    /// A text that is too long to be copied.
    LongText { record_type: String, at: u64 },
    /// The documents of a data record contradict each other.
    DescriptionsDiffer { at: u64 },
    /// The type and the precision of a SciDAC record contradict each other.
    PrecisionsDiffer { datatype: String, precision: &'static str },
    /// Bytes follow the last message, or the message is incomplete.
    OpenMessage,
    /// Links are marked as absent where ILDG does not allow it.
    Boundary(conformance::ErrorKind),
    /// Different logical file names, one of which is to be replaced.
    SeveralNames { one: String, other: String },
    /// Different logical file names, and no way to choose between them.
    NamesDiffer { one: String, other: String },
    /// An invalid logical file name.
    Name { name: String, why: EncodeErrorKind },
    /// An invalid update number.
    Update { text: String },
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
                write!(f, "and {tolerance:e} is tolerated (--tolerance)")
            }
            Self::NoRows { site, direction } => write!(
                f,
                "the link at site {site:?} in direction {direction} cannot have all its rows: \
                 some of its numbers are, or would be, infinite or NaN"
            ),
            Self::Overflow { site, value } => {
                write!(f, "the site of rank {site} holds {value:e}, more than single precision can")
            }
            Self::LongText { record_type, .. } => {
                write!(f, "the {record_type} is longer than 16 MiB, too long to be copied")
            }
            Self::DescriptionsDiffer { .. } => f.write_str(
                "the SciDAC record and the ildg-format describe different data; which of them is right is unknown",
            ),
            Self::PrecisionsDiffer { datatype, precision } => write!(
                f,
                "its SciDAC record has the type {} and the precision {precision}; which of them is right \
                 is unknown, so its numbers are not converted",
                one_line(datatype)
            ),
            Self::OpenMessage => {
                f.write_str("it does not end at the end of a message: nothing can be appended")
            }
            Self::Boundary(kind) => write!(f, "what would be written breaks {}: {kind}", kind.clause()),
            Self::NamesDiffer { one, other } => write!(
                f,
                "it has several logical file names, {} and {}; choose the name of the new file with --lfn",
                one_line(one),
                one_line(other)
            ),
            Self::Name { name, why } => {
                let name = one_line(name);
                write!(f, "its logical file name {name} cannot be carried over: {why}; --lfn gives another")
            }
            Self::Update { text } if text.is_empty() => f.write_str("its update number is empty"),
            Self::Update { text } => {
                write!(f, "its update number {} is not a string of digits", one_line(text))
            }
            Self::SeveralNames { one, other } => write!(
                f,
                "it has several logical file names, {} and {}, where one is allowed; which of them is to be \
                 replaced is unknown",
                one_line(one),
                one_line(other)
            ),
        }
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// The offset of the fault, if the message does not contain it.
    const fn at(&self) -> Option<u64> {
        match self {
            Self::LongText { at, .. } | Self::DescriptionsDiffer { at } => Some(*at),
            _ => None,
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Invalid(fault.into())
    }
}

/// Adds the place of the fault in the source: if it is a set, the bytes are in several files.
pub fn placed(error: anyhow::Error, source: &dyn Rereadable) -> anyhow::Error {
    let Some(Failure::Invalid(why)) = error.downcast_ref() else { return error };
    let (at, what) = if let Some(Error { at, kind, .. }) = why.downcast_ref::<Error<field::ErrorKind>>() {
        (*at, kind.to_string())
    } else if let Some(Error { at, kind, .. }) = why.downcast_ref::<Error<conformance::ErrorKind>>() {
        (*at, kind.to_string())
    } else if let Some((at, fault)) = why.downcast_ref().and_then(|fault: &Fault| fault.at().zip(Some(fault)))
    {
        (at, fault.to_string())
    } else {
        return error;
    };
    failed(Failure::invalid(&format!("at {}: {what}", source.place(at))))
}
