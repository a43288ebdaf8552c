//! Records that mean something to the rules only.

use super::error::UserText;
use crate::state::saved;
use crate::{ildg, scidac};

/// What a record is that the decoder of fields passes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// A type that means nothing here either.
    Other,
    FileXml,
    RecordXml,
    Update,
    Lfn,
}

saved!(enum TextKind: Other, FileXml, RecordXml, Update, Lfn);

impl TextKind {
    /// Whether it is a text of the user, which can be a document of USQCD (QIO 2.3, appendix A).
    pub(super) const fn is_of_user(self) -> bool {
        matches!(self, Self::FileXml | Self::RecordXml)
    }

    /// The same as a name for messages.
    pub(super) const fn user_text(self) -> Option<UserText> {
        match self {
            Self::FileXml => Some(UserText::File),
            Self::RecordXml => Some(UserText::Record),
            Self::Other | Self::Update | Self::Lfn => None,
        }
    }

    pub(super) fn of(record_type: &[u8]) -> Self {
        const KINDS: [(&str, TextKind); 4] = [
            (scidac::FILE_XML, TextKind::FileXml),
            (scidac::RECORD_XML, TextKind::RecordXml),
            (ildg::UPDATE, TextKind::Update),
            (ildg::DATA_LFN, TextKind::Lfn),
        ];
        let found = KINDS.iter().find(|(name, _)| name.as_bytes() == record_type);
        found.map_or(Self::Other, |(_, kind)| *kind)
    }
}
