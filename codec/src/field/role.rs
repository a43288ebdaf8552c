//! What a record is, by its type. Types are compared byte for byte (ILDG 1.2, section 2.2).

use crate::state::saved_enum;
use crate::{ildg, scidac};

saved_enum! {
    /// The part that a record plays.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Role {
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

impl Role {
    pub(super) fn of(record_type: &[u8]) -> Self {
        const ROLES: [(&str, Role); 11] = [
            (scidac::PRIVATE_FILE_XML, Role::PrivateFile),
            (scidac::FILE_XML, Role::FileXml),
            (scidac::PRIVATE_RECORD_XML, Role::PrivateRecord),
            (scidac::RECORD_XML, Role::RecordXml),
            (scidac::SITELIST, Role::SiteList),
            (scidac::BINARY_DATA, Role::Data),
            (scidac::CHECKSUM, Role::Checksum),
            (ildg::FORMAT, Role::Format),
            (ildg::UPDATE, Role::Update),
            (ildg::BINARY_DATA, Role::Data),
            (ildg::DATA_LFN, Role::Lfn),
        ];
        let found = ROLES.iter().find(|(name, _)| name.as_bytes() == record_type);
        found.map_or(Self::Foreign, |(_, role)| *role)
    }

    /// Whether the decoder must see the payload even if nobody else does.
    pub(super) const fn is_document(self) -> bool {
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
