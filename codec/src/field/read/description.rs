//! A document that describes data, and what became of it.

use crate::lime::Record;
use crate::state::{Put, Saved, Take, saved};

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
