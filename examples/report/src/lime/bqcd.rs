//! The checksum of BQCD: the sum of the command `cksum` over the data, in decimal, in a record after them.

use linkstream::Class;
use linkstream::field::DescribedBy;

use super::contents::{Bqcd, Contents, FieldEntry};
use crate::findings::{Finding, Level};

/// The type of the record.
const CKSUM: &str = "bqcd-cksum";
/// The rule that data break which have another sum.
pub(crate) const RULE: &str = "bqcd-cksum";

/// The sum that a record of BQCD has for a field, and the finding about it.
pub fn compared(contents: &Contents, entry: &FieldEntry) -> (Option<Bqcd>, Option<Finding>) {
    // Data with SciDAC documents can be another form of the field that BQCD has written.
    let Some((record, text)) = contents
        .record_about(entry, CKSUM)
        .zip(contents.text_about(entry, CKSUM))
        .filter(|_| entry.field.described_by == DescribedBy::Ildg)
    else {
        return (None, None);
    };
    let offset = record.record.payload_offset();
    let finding = |severity, message| {
        Some(Finding { severity, class: Class::Checksum, rule: RULE, clause: "", offset, message })
    };
    let Ok(sum) = text.parse::<u32>() else {
        let message =
            "the record is not the decimal number of the command cksum, so it verifies nothing".to_owned();
        return (None, finding(Level::Warning, message));
    };
    let differs = entry.cksum.filter(|computed| *computed != sum);
    let finding = differs.and_then(|computed| {
        let message = format!(
            "checksum mismatch: the record has the sum {sum} of the command cksum, the data have {computed}"
        );
        finding(Level::Error, message)
    });
    (Some(Bqcd { sum, offset }), finding)
}
