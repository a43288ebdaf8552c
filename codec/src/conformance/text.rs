//! The text of one record: what the record is to the rules, its bytes, and what has been reported about it.

use super::error::{ErrorKind, UserText};
use crate::error::Error;
use crate::field::inventory::Digest;
use crate::state::saved;
use crate::{field, ildg, scidac, xml};

/// Maximum number of findings reported about the bytes of an unreadable document; more would not help.
const MAX_FINDINGS: u8 = 16;

/// The text that is being read.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// Findings about this document that have been reported.
    findings: u8,
    /// The NUL that ends the text has been read.
    over: bool,
    /// These are reported once in a text.
    byte_reported: bool,
    unknown_reported: bool,
    namespace_reported: bool,
    /// Bytes of the text that are not white space, as far as they are counted: whether there are any.
    pub(super) is_empty: bool,
    /// White space has come after the last of them.
    blank: bool,
    /// There is white space between them.
    pub(super) gap: bool,
    /// All of those are digits, without a gap.
    pub(super) digits: bool,
    pub(super) digest: Digest,
}

saved!(struct Text {
    findings, over, byte_reported, unknown_reported, namespace_reported, is_empty, blank, gap, digits, digest,
});

impl Text {
    pub(super) const fn new() -> Self {
        Self {
            findings: 0,
            over: false,
            byte_reported: false,
            unknown_reported: false,
            namespace_reported: false,
            is_empty: true,
            blank: false,
            gap: false,
            digits: true,
            digest: Digest::new(),
        }
    }

    /// A byte that ILDG does not allow in its text records (section 2.2).
    pub(super) fn refuses(&self, byte: u8) -> bool {
        !self.over && !self.byte_reported && byte != 0 && !ildg::is_text(byte)
    }

    /// Whether this is reported: what can be said of every element is said once, and a document that describes
    /// nothing is not compared with the schema any more.
    pub(super) fn wants(&self, kind: ErrorKind, spoilt: bool) -> bool {
        let ErrorKind::Field(field::ErrorKind::Document(_, kind)) = kind else { return true };
        (!spoilt || self.findings < MAX_FINDINGS)
            && match kind {
                xml::ErrorKind::ElementUnknown => !self.unknown_reported && !spoilt,
                xml::ErrorKind::NamespaceOther => !self.namespace_reported && !spoilt,
                xml::ErrorKind::NamespaceMissing | xml::ErrorKind::ElementOrder(_) => !spoilt,
                _ => true,
            }
    }

    pub(super) fn reported(&mut self, error: &Error<ErrorKind>) {
        match error.kind {
            ErrorKind::TextByte { .. } => self.byte_reported = true,
            ErrorKind::Field(field::ErrorKind::Document(_, kind)) => {
                self.unknown_reported |= kind == xml::ErrorKind::ElementUnknown;
                self.namespace_reported |= kind == xml::ErrorKind::NamespaceOther;
            }
            _ => {}
        }
        // Compared with `MAX_FINDINGS` only.
        self.findings = self.findings.saturating_add(1);
    }

    pub(super) fn took(&mut self, byte: u8) {
        self.over |= byte == 0;
        if self.over {
            return;
        }
        if byte.is_ascii_whitespace() {
            self.blank |= !self.is_empty;
            return;
        }
        if self.blank {
            self.gap = true;
            self.blank = false;
            self.digest.push(b' ');
        }
        self.is_empty = false;
        self.digits &= byte.is_ascii_digit() && !self.gap;
        self.digest.push(byte);
    }
}

/// Kind of a text record that the decoder of fields passes through without reading it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::DocumentName;

    #[test]
    fn an_unreadable_document_has_so_many_findings_and_no_more() {
        let kind = field::ErrorKind::Document(DocumentName::PrivateRecord, xml::ErrorKind::NotXml).into();
        let (mut text, error) = (Text::new(), Error::new(0, kind));
        for _ in 0..MAX_FINDINGS {
            assert!(text.wants(kind, true) && text.wants(kind, false));
            text.reported(&error);
        }
        for _ in 0..300 {
            assert!(!text.wants(kind, true) && text.wants(kind, false));
            text.reported(&error);
        }
    }
}
