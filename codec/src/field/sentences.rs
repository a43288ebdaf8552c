//! What is wrong with the content of a file, in sentences.

use core::fmt;

use super::error::ErrorKind;

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lime(kind) => kind.fmt(f),
            Self::Document(name, kind) => write!(f, "in {}: {kind}", name.as_str()),
            Self::VolumeSet(_) => {
                f.write_str("the file is one volume of a set; only files that are whole by themselves are read")
            }
            Self::Undescribed => f.write_str(
                "no document describes this data: neither scidac-private-record-xml nor ildg-format precedes it",
            ),
            Self::DescribedElsewhere => {
                f.write_str("the document that describes this data stands in another message")
            }
            Self::DataMissing(name) => {
                write!(f, "this {} is not followed by the data that it describes", name.as_str())
            }
            Self::FormatMissing => {
                f.write_str("no ildg-format stands in front of this ildg-binary-data: SciDAC documents describe it")
            }
            Self::FormatBehindData => f.write_str("this ildg-format stands behind the data of its message"),
            Self::FormatRepeated => f.write_str(
                "a second ildg-format in front of the same data: the last one is taken to describe them",
            ),
            Self::UpdateMisplaced => {
                f.write_str("this ildg-update does not stand between the ildg-format and the data of its message")
            }
            Self::UpdateRepeated => f.write_str("a second ildg-update for the same data"),
            Self::FieldRepeated => {
                f.write_str("another gauge field of this kind with the same ildg-update stands in the file")
            }
            Self::FieldsNotJudged => f.write_str(
                "so many gauge fields are not remembered: from here on it is not judged whether each is unique and \
                 whether it needs an ildg-update",
            ),
            Self::LfnRepeated { same: true } => f.write_str("the logical file name is given again"),
            Self::LfnRepeated { same: false } => {
                f.write_str("a second logical file name, other than the first; a file has one")
            }
            Self::LfnNotSingle => {
                f.write_str("the logical file name is not a single string: it has white space inside")
            }
            Self::TypeUnknown => f.write_str(
                "ILDG has no such record type; other records must not use its namespace, which is ildg-",
            ),
            Self::LinkUnphysical(place) => write!(
                f,
                "{place} is stored as one that does not exist, which only the last slice of its direction can have"
            ),
            Self::BoundaryMixed(place) => write!(
                f,
                "{place} is the first on the last slice of its direction that differs from those before: some \
                 exist there and some do not"
            ),
            Self::FileMissing => {
                f.write_str("no scidac-private-file-xml precedes, so that the lattice is not known")
            }
            Self::DataOverflow => f.write_str("the description demands more bytes than 64 bits can count"),
            Self::DataLength { expected, found } => {
                write!(f, "the data record has {found} bytes where its description demands {expected}")
            }
            Self::DescriptionsDiffer => {
                f.write_str("the SciDAC record and the ildg-format describe different data")
            }
            Self::ChecksumMismatch { computed, stored } => {
                write!(f, "the data were changed: their checksum is {computed}, but {stored} is stored")
            }
            Self::ChecksumMissing => f.write_str("no scidac-checksum follows the data"),
            Self::ChecksumAbsent => {
                f.write_str("the checksum record does not hold both sums (QIO leaves them out if one is zero)")
            }
            Self::ChecksumWithoutData => f.write_str("no data precede this checksum"),
            Self::FileXmlMissing => f.write_str("no scidac-file-xml follows the scidac-private-file-xml"),
            Self::RecordXmlMissing => {
                f.write_str("the message of this SciDAC record has no scidac-record-xml")
            }
            Self::TextByte { found } => write!(
                f,
                "the byte {found:02x} may not stand in an ILDG text record (printable ASCII, tab, line feed)"
            ),
            Self::LfnEmpty => f.write_str("the logical file name is empty"),
            Self::LfnMissing => {
                f.write_str("no ildg-data-lfn: the file has no logical file name (one can be appended)")
            }
            Self::UpdateNotDigits => f.write_str("the update number is not a string of digits"),
            Self::UpdateMissing { .. } => f.write_str(
                "the file holds gauge fields of the same kind or of several updates, but not each message has an \
                 ildg-update",
            ),
        }
    }
}
