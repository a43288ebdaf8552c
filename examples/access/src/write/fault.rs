//! Reasons in the content of a file why it is not converted or written.

use std::fmt;

use linkstream::Diagnostic as _;
use linkstream::conformance::ErrorKind;
use linkstream::field::EncodeErrorKind;

use crate::array::labelled;
use crate::noted::WHAT;
use crate::text::one_line;

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
        /// The number that cannot be written.
        value: f64,
    },
    /// A text that is too long to be copied.
    LongText {
        /// The type of its record.
        record_type: String,
    },
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
        /// Name of the datatype.
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
        /// The name as the caller gave it.
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
                write!(f, "the link at site {} in direction {direction} needs all its rows: ", labelled(site))?;
                if deviation.is_finite() {
                    write!(f, "they differ by {deviation:.3e} from what the others give, ")?;
                } else {
                    f.write_str("some of its numbers are infinite or NaN, ")?;
                }
                write!(f, "and {tolerance:e} is tolerated")
            }
            Self::NoRows { site, direction } => write!(
                f,
                "the link at site {} in direction {direction} cannot have all its rows: \
                 some of its numbers are, or would be, infinite or NaN",
                labelled(site)
            ),
            Self::Overflow { site, value } => {
                write!(f, "the site of rank {site} holds {value:e}, more than single precision can")
            }
            Self::LongText { record_type } => {
                write!(f, "the {record_type} is longer than 16 MiB, too long to be copied")
            }
            Self::NotUnitary { deviation } => write!(
                f,
                "a NERSC archive has links of SU(N), but these deviate from unitarity or from the determinant 1 by up to \
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
