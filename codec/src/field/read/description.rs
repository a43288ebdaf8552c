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
}

/// The last document of its kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Description<D> {
    pub(crate) document: D,
    pub(crate) state: DescriptionState,
    /// The message that it is part of.
    pub(crate) message: u64,
    /// Absolute offset of its record.
    pub(crate) at: u64,
}

impl<D: Default> Description<D> {
    pub(super) fn begin(&mut self, record: &Record) {
        *self = Self {
            document: D::default(),
            state: DescriptionState::No,
            message: record.message,
            at: record.offset,
        };
    }
}

impl<D> Description<D> {
    pub(super) const fn finish(&mut self, spoilt: bool) {
        self.state = if spoilt { DescriptionState::Spoilt } else { DescriptionState::Pending };
    }

    /// Data have come that it describes, or would have described.
    pub(super) const fn mark_used(&mut self) {
        if !matches!(self.state, DescriptionState::No) {
            self.state = DescriptionState::Used;
        }
    }
}

impl<D: Saved> Saved for Description<D> {
    const SIZE: usize = D::SIZE.saturating_add(DescriptionState::SIZE + 8 + 8);

    fn put(&self, to: &mut Put<'_>) {
        let Self { document, state, message, at } = self;
        to.put(document);
        to.put(state);
        to.put(message);
        to.put(at);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        Some(Self { document: from.take()?, state: from.take()?, message: from.take()?, at: from.take()? })
    }

    fn fill(&mut self, from: &mut Take<'_>) -> Option<()> {
        from.fill(&mut self.document)?;
        from.fill(&mut self.state)?;
        from.fill(&mut self.message)?;
        from.fill(&mut self.at)
    }
}
