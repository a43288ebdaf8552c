//! What a record is, by its type. Types are compared byte for byte (ILDG 1.2, section 2.2).

use crate::lime::Header;
use crate::state::saved;
use crate::{ildg, scidac};

/// What the decoder does with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordKind {
    /// Its payload passes through.
    Foreign,
    PrivateFile,
    PrivateRecord,
    Format,
    Data,
    Checksum,
}

saved!(enum RecordKind: Foreign, PrivateFile, PrivateRecord, Format, Data, Checksum);

impl RecordKind {
    pub(crate) fn of(header: &Header) -> Self {
        const KINDS: [(&str, RecordKind); 6] = [
            (scidac::PRIVATE_FILE_XML, RecordKind::PrivateFile),
            (scidac::PRIVATE_RECORD_XML, RecordKind::PrivateRecord),
            (scidac::BINARY_DATA, RecordKind::Data),
            (scidac::CHECKSUM, RecordKind::Checksum),
            (ildg::FORMAT, RecordKind::Format),
            (ildg::BINARY_DATA, RecordKind::Data),
        ];
        let found = KINDS.iter().find(|(name, _)| header.has_type(name.as_bytes()));
        found.map_or(Self::Foreign, |(_, kind)| *kind)
    }

    /// Whether the decoder must see the payload even if no one else reads it.
    pub(crate) const fn is_document(self) -> bool {
        matches!(self, Self::PrivateFile | Self::PrivateRecord | Self::Format | Self::Checksum)
    }
}
