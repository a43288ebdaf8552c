//! What a record is, by its type. Types are compared byte for byte (ILDG 1.2, section 2.2).

use crate::state::saved_enum;
use crate::{ildg, scidac};

saved_enum! {
    /// The part that a record plays.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in crate::field) enum RecordKind {
        /// A type that means nothing here.
        Foreign,
        PrivateFile,
        FileXml,
        PrivateRecord,
        RecordXml,
        Format,
        Update,
        Lfn,
        Data,
        Checksum,
        SiteList,
    }
}

impl RecordKind {
    pub(in crate::field) fn of(record_type: &[u8]) -> Self {
        const ROLES: [(&str, RecordKind); 11] = [
            (scidac::PRIVATE_FILE_XML, RecordKind::PrivateFile),
            (scidac::FILE_XML, RecordKind::FileXml),
            (scidac::PRIVATE_RECORD_XML, RecordKind::PrivateRecord),
            (scidac::RECORD_XML, RecordKind::RecordXml),
            (scidac::SITELIST, RecordKind::SiteList),
            (scidac::BINARY_DATA, RecordKind::Data),
            (scidac::CHECKSUM, RecordKind::Checksum),
            (ildg::FORMAT, RecordKind::Format),
            (ildg::UPDATE, RecordKind::Update),
            (ildg::BINARY_DATA, RecordKind::Data),
            (ildg::DATA_LFN, RecordKind::Lfn),
        ];
        let found = ROLES.iter().find(|(name, _)| name.as_bytes() == record_type);
        found.map_or(Self::Foreign, |(_, role)| *role)
    }

    /// Whether the decoder must see the payload even if nobody else does.
    pub(in crate::field) const fn is_document(self) -> bool {
        matches!(
            self,
            Self::PrivateFile
                | Self::PrivateRecord
                | Self::Format
                | Self::Update
                | Self::Lfn
                | Self::Checksum
        )
    }
}
