//! A source that counts its bytes and remembers why it failed: decoders wrap errors, so that they look like
//! damage.

use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Knowledge about a source.
#[derive(Debug, Default)]
pub(super) struct State {
    pub bytes: u64,
    /// The source has ended.
    pub has_ended: bool,
    failure: Option<io::Error>,
    /// Number of bytes that may still be read.
    budget: Option<u64>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Watch(Arc<Mutex<State>>);

impl Watch {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the source failed, if it did.
    pub fn failure(&self) -> Option<io::Error> {
        self.state().failure.take()
    }

    /// Reading more bytes than this from now on fails.
    pub fn allow(&self, bytes: Option<u64>) {
        self.state().budget = bytes;
    }
}

#[derive(Debug)]
pub(super) struct Counted<R> {
    source: R,
    watch: Watch,
}

impl<R> Counted<R> {
    pub fn new(source: R) -> (Self, Watch) {
        let watch = Watch::default();
        (Self { source, watch: watch.clone() }, watch)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = self.watch.state().budget.unwrap_or(u64::MAX);
        if most == 0 && !out.is_empty() {
            return Err(io::Error::new(ErrorKind::InvalidData, "a header is longer than 1 MB"));
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(out.len());
        let Some(out) = out.get_mut(..most) else { return Ok(0) };
        loop {
            let read = self.source.read(out);
            let mut state = self.watch.state();
            match read {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let said = io::Error::new(error.kind(), error.to_string());
                    state.failure = Some(error);
                    return Err(said);
                }
                Ok(n) => {
                    state.has_ended |= n == 0 && !out.is_empty();
                    state.bytes = state.bytes.saturating_add(n as u64);
                    state.budget = state.budget.map(|budget| budget.saturating_sub(n as u64));
                    return Ok(n);
                }
            }
        }
    }
}
