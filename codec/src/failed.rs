//! The error at which a decoder has stopped.

use crate::error::{Diagnostic, Error, Mode};
use crate::step::Step;

/// The error that a decoder has met, which every later call returns again. A decoder with one is not saved, so that
/// it takes no room in a saved state.
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

    pub(crate) const fn set(&mut self, error: Error<K>) -> Error<K> {
        self.0 = Some(error);
        error
    }

    /// Stops for good.
    pub(crate) fn fail<T>(&mut self, at: u64, kind: K) -> Result<T, Error<K>> {
        Err(self.set(Error::new(at, kind)))
    }
}

impl<K: Diagnostic> Failed<K> {
    /// Refuses what the mode refuses, and reports the rest as a finding of a step that has consumed `consumed` bytes.
    pub(crate) fn report<E>(
        &mut self,
        mode: Mode,
        consumed: usize,
        error: Error<K>,
        finding: fn(Error<K>) -> E,
    ) -> Result<Step<E>, Error<K>> {
        if mode.refuses(error.kind.severity()) {
            return Err(self.set(error));
        }
        Ok(Step::event(consumed, finding(error)))
    }
}
