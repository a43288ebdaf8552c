//! The error that a decoder keeps: the error that stopped it, or the finding that it is about to report.

use crate::error::{Diagnostic, Error, Misuse, Mode};
use crate::step::Step;

/// A step has ended with an error, which is in the decoder's [`Failed`]. If that is empty, the caller has pushed input
/// after the end.
///
/// Inside a decoder, a step returns `Result<Step<Signal>, Stopped>`; the signal is an event without its contents. This
/// fits in two registers, while an event or an error takes many words that each function would copy. The contents are
/// added in one place, before the step is returned to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The error that stopped a decoder. Every later call returns it again. A decoder that has stopped is not saved, so the
/// error takes no room in a saved state.
///
/// In a step that reports a finding, it holds the finding until the step is returned to the caller.
#[derive(Debug, Clone)]
pub(crate) struct Failed<K>(Option<Error<K>>);

impl<K> Default for Failed<K> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: Copy> Failed<K> {
    pub(crate) const fn new() -> Self {
        Self(None)
    }

    pub(crate) const fn check(&self) -> Result<(), Error<K>> {
        match self.0 {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Fails if the decoder has stopped.
    pub(crate) const fn check_usable(&self) -> Result<(), Stopped> {
        if self.0.is_some() { Err(Stopped) } else { Ok(()) }
    }

    pub(crate) const fn set(&mut self, error: Error<K>) -> Error<K> {
        self.0 = Some(error);
        error
    }

    /// Stops the decoder with this error.
    pub(crate) fn fail<T>(&mut self, at: u64, kind: K) -> Result<T, Stopped> {
        self.0 = Some(Error::new(at, kind));
        Err(Stopped)
    }

    /// Stops the decoder at `position` because of a mistake of this crate.
    pub(crate) fn internal_error(&mut self, position: u64, misuse: fn(Misuse) -> K) -> Error<K> {
        self.set(Error::new(position, misuse(Misuse::Internal)))
    }

    /// Keeps the finding of the layer below for the current step.
    pub(crate) const fn put(&mut self, finding: Option<Error<K>>) {
        self.0 = finding;
    }

    /// The error that stopped a decoder at `position`.
    pub(crate) fn error(&self, position: u64, misuse: fn(Misuse) -> K) -> Error<K> {
        let after_end = Error::new(position, misuse(Misuse::AfterEnd));
        self.0.unwrap_or(after_end)
    }

    /// The finding of the current step.
    pub(crate) const fn take(&mut self) -> Option<Error<K>> {
        self.0.take()
    }
}

impl<K: Diagnostic> Failed<K> {
    /// Stops with the error if the mode refuses it, else reports it as a finding of a step that has consumed `consumed`
    /// bytes.
    pub(crate) fn report<S>(
        &mut self,
        mode: Mode,
        consumed: usize,
        error: Error<K>,
        finding: S,
    ) -> Result<Step<S>, Stopped> {
        self.0 = Some(error);
        if mode.refuses(error.kind.severity()) { Err(Stopped) } else { Ok(Step::event(consumed, finding)) }
    }
}
