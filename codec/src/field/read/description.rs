//! What a record is, the document that is being read, and the documents that describe data.

use crate::lime::{Header, Record};
use crate::state::{Put, Saved, Take, saved};
use crate::xml::{Found, Namespaces, Parser};
use crate::{ildg, scidac};

/// Whether there is a document to describe data with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum DescriptionState {
    /// None has been read.
    #[default]
    No,
    /// One that still waits for its data.
    Pending,
    /// One whose data have come.
    Used,
    /// One that is too damaged to describe anything. What depends on it is not reported: the damage itself has been.
    Spoilt,
}

saved!(enum DescriptionState: No, Pending, Used, Spoilt);

impl DescriptionState {
    pub(crate) const fn is_good(self) -> bool {
        matches!(self, Self::Pending | Self::Used)
    }

    /// Whether data that come now could be meant.
    pub(crate) const fn waits(self) -> bool {
        matches!(self, Self::Pending | Self::Spoilt)
    }

    /// Data have come that it describes, or would have described.
    pub(super) const fn mark_used(&mut self) {
        if !matches!(self, Self::No) {
            *self = Self::Used;
        }
    }
}

/// The last document of its kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Description<D> {
    pub(crate) document: D,
    pub(crate) state: DescriptionState,
}

/// The record of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Origin {
    /// The message that it is part of.
    pub(crate) message: u64,
    /// Absolute offset of its header.
    pub(crate) at: u64,
}

saved!(struct Origin { message, at });

impl Origin {
    pub(super) const fn of(record: &Record) -> Self {
        Self { message: record.message, at: record.offset }
    }
}

impl<D: Saved> Saved for Description<D> {
    const SIZE: usize = D::SIZE.saturating_add(DescriptionState::SIZE);

    fn put(&self, to: &mut Put<'_>) {
        let Self { document, state } = self;
        to.put(document);
        to.put(state);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        Some(Self { document: from.take()?, state: from.take()? })
    }

    fn fill(&mut self, from: &mut Take<'_>) -> Option<()> {
        from.fill(&mut self.document)?;
        from.fill(&mut self.state)
    }
}

/// The document that is being read.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) parser: Parser,
    /// Which of its elements count.
    pub(super) names: Namespaces,
    /// Something in it cannot be understood: it will describe nothing.
    pub(crate) spoilt: bool,
    /// What is wrong with the next byte as a part of the document, until it is reported.
    pub(super) found: Found,
    /// The parser has taken the next byte.
    pub(super) ahead: bool,
}

saved!(struct Reading { parser, names, spoilt, found, ahead });

impl Reading {
    /// For a document whose elements have a namespace, or not.
    pub(super) const fn new(namespaced: bool) -> Self {
        Self {
            parser: Parser::START,
            names: Namespaces::new(namespaced),
            spoilt: false,
            found: Found::Nothing,
            ahead: false,
        }
    }
}

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
