//! Where the rules stand, and what is told where one is broken: ILDG 1.2, section 2 and appendix A.1, sentence by
//! sentence.
//!
//! | rule | told as |
//! | --- | --- |
//! | 2.1: the file is a LIME file | `lime-…` |
//! | 2.2: types are compared case sensitively | no finding: another type is another record |
//! | 2.2: `ildg-` is reserved | `ildg-type-unknown` |
//! | 2.2: format and data in one message | `data-undescribed`, `data-described-in-another-message`, `data-missing`; `ildg-format-missing` where SciDAC documents describe the data |
//! | 2.2: format in front of the data | `ildg-format-behind-data`; two of them: `ildg-format-repeated` |
//! | 2.2: update between the two | `ildg-update-misplaced`, `ildg-update-repeated` |
//! | 2.2, 2.4: with two fields of a kind, or of different updates, every message has an update | `ildg-update-missing` |
//! | 2.2: field and update name a message uniquely | `ildg-field-repeated`; beyond what is remembered `ildg-fields-not-judged` |
//! | 2.2: characters of the text records | `ildg-text-byte`; bytes behind a NUL mean nothing |
//! | 2.2: every file has its identifier | `ildg-lfn-missing`, `ildg-lfn-repeated` |
//! | 2.3, 2.5: the data are those that the format describes | `data-length`, `data-length-overflow`, `descriptions-differ` |
//! | 2.3: `rows` in files before 1.2 | `xml-rows-version` |
//! | 2.4: the update is a string of digits | `ildg-update-not-digits` |
//! | 2.5.1: values of `rows` | `xml-value` |
//! | 2.5.1: unphysical links | `ildg-link-unphysical`, `ildg-boundary-mixed`, by [`Boundaries`](super::Boundaries) |
//! | 2.6: the name is a single string | `ildg-lfn-empty`, `ildg-lfn-not-single` |
//! | A.1: an XML document of this root | `xml-…` |
//! | A.1: namespace, elements qualified | `xml-namespace-missing`, `xml-namespace` |
//! | A.1: these elements, each once, in this order | `xml-element-missing`, `xml-element-duplicate`, `xml-element-order`, `xml-element-unknown` |
//! | A.1: types of their values | `xml-value`, `xml-number-…`, `xml-not-a-number`, `xml-extents`; a version that no revision has: `xml-version` |
//!
//! Not judged: what only the metadata can tell (that update and name are those of the configuration, registered
//! names of groups), and attributes, of which the schema has none.

use super::error::{DocumentName, ErrorKind};
use crate::error::Diagnostic as _;
use crate::xml;

pub(super) fn clause(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Lime(kind) => kind.clause(),
        ErrorKind::Document(name, kind) => of_document(*name, *kind),
        ErrorKind::VolumeSet(_) => "QIO 2.3, section 2.2",
        ErrorKind::DataMissing(DocumentName::Format)
        | ErrorKind::Undescribed
        | ErrorKind::DescribedElsewhere
        | ErrorKind::FormatMissing
        | ErrorKind::FormatBehindData
        | ErrorKind::FormatRepeated
        | ErrorKind::UpdateMisplaced
        | ErrorKind::UpdateRepeated
        | ErrorKind::FieldRepeated
        | ErrorKind::FieldsNotJudged
        | ErrorKind::LfnMissing
        | ErrorKind::LfnRepeated { .. }
        | ErrorKind::TypeUnknown
        | ErrorKind::TextByte { .. } => "ILDG 1.2, section 2.2",
        // One names the kinds, the other the updates.
        ErrorKind::UpdateMissing { .. } => "ILDG 1.2, sections 2.2 and 2.4",
        ErrorKind::DescriptionsDiffer => "ILDG 1.2, section 2.3",
        ErrorKind::UpdateNotDigits => "ILDG 1.2, section 2.4",
        ErrorKind::LinkUnphysical(_) | ErrorKind::BoundaryMixed(_) => "ILDG 1.2, section 2.5.1",
        ErrorKind::LfnEmpty | ErrorKind::LfnNotSingle => "ILDG 1.2, section 2.6",
        ErrorKind::DataOverflow | ErrorKind::DataLength { .. } => {
            "QIO 2.3, section 4.2; ILDG 1.2, section 2.5"
        }
        ErrorKind::DataMissing(_)
        | ErrorKind::FileMissing
        | ErrorKind::ChecksumMismatch { .. }
        | ErrorKind::ChecksumMissing
        | ErrorKind::ChecksumAbsent
        | ErrorKind::ChecksumWithoutData
        | ErrorKind::FileXmlMissing
        | ErrorKind::RecordXmlMissing => "QIO 2.3, section 2.1.1",
    }
}

/// Where it stands what such a document must hold, if it is not XML itself that is violated.
fn of_document(name: DocumentName, kind: xml::ErrorKind) -> &'static str {
    match (name, kind.clause()) {
        (_, clause) if clause.starts_with("XML") => clause,
        (DocumentName::PrivateRecord, _) => "QIO 2.3, section 4.2",
        (DocumentName::PrivateFile | DocumentName::Checksum, _) => "QIO 2.3, section 2.1.1",
        // The schema allows rows in any number and in any version.
        (DocumentName::Format, _) => match kind {
            xml::ErrorKind::RowsTooEarly => "ILDG 1.2, section 2.3",
            xml::ErrorKind::Value(xml::Element::Rows) => "ILDG 1.2, section 2.5.1",
            _ => "ILDG 1.2, appendix A.1",
        },
    }
}
