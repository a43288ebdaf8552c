//! What the current message holds, and what it lacks when it is over.

use super::error::ErrorKind;
use super::findings::Findings;
use crate::field::digest::Digest;
use crate::state::saved;

/// What the current message holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct MessageState {
    /// Absolute offset of the last `scidac-private-file-xml`.
    pub(super) private_file_at: Option<u64>,
    pub(super) file_xml: bool,
    /// Absolute offset of the last `scidac-private-record-xml`.
    pub(super) private_record_at: Option<u64>,
    pub(super) record_xml: bool,
    /// Of the `ildg-update` that precedes the data as it must.
    pub(super) update: Option<Digest>,
    /// A data record has begun.
    pub(super) has_data: bool,
    /// Data for which no checksum record has come yet.
    pub(super) data_unchecked: bool,
    /// Absolute offset of an `ildg-format` after data, until data follow it.
    pub(super) late_format_at: Option<u64>,
}

saved!(struct MessageState {
    private_file_at, file_xml, private_record_at, record_xml, update, has_data, data_unchecked, late_format_at,
});

impl MessageState {
    /// QIO 2.3, section 2.1.1, and ILDG 1.2, section 2.2.
    pub(super) fn at_end(&self, findings: &mut Findings) {
        if let Some(at) = self.private_file_at.filter(|_| !self.file_xml) {
            findings.report(at, ErrorKind::FileXmlMissing);
        }
        if let Some(at) = self.private_record_at.filter(|_| !self.record_xml) {
            findings.report(at, ErrorKind::RecordXmlMissing);
        }
        if let Some(at) = self.late_format_at {
            findings.report(at, ErrorKind::FormatBehindData);
        }
    }
}
