//! Reading at given places: what the readers of windows share.

use crate::io::both::both;
use embedded_io::{Error as _, ErrorKind, SeekFrom};

/// A source and its position, if known.
#[derive(Debug)]
pub(super) struct PositionedRead<R> {
    pub(super) inner: R,
    pub(super) at: Option<u64>,
}

impl<R> PositionedRead<R> {
    pub(super) const fn new(inner: R) -> Self {
        Self { inner, at: None }
    }

    pub(super) fn into_inner(self) -> R {
        self.inner
    }
}

both! {
impl<R: Read + Seek> PositionedRead<R> {
    /// The end of the source.
    pub(super) fn end | end_async(&mut self) -> Result<u64, R::Error> {
        self.at = None;
        wait!(self.inner.seek | seek(SeekFrom::End(0)))
    }

    /// Fills `out` from the absolute `offset` on; returns how much there was before the end of the source.
    pub(super) fn fill | fill_async(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, R::Error> {
        // The position of the source after a failure, or after a future that was dropped, is unknown.
        if self.at.take() != Some(offset) {
            wait!(self.inner.seek | seek(SeekFrom::Start(offset)))?;
        }
        let all = out.len();
        let mut rest = out;
        while !rest.is_empty() {
            match wait!(self.inner.read | read(rest)) {
                Ok(0) => break,
                Ok(n) => rest = rest.get_mut(n..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let filled = all.saturating_sub(rest.len());
        self.at = offset.checked_add(filled as u64);
        Ok(filled)
    }
}
}
