//! Reading at given places: what the readers of windows share.

use embedded_io::{Error as _, ErrorKind, Read, Seek, SeekFrom};

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

impl<R: Read + Seek> PositionedRead<R> {
    /// The end of the source.
    pub(super) fn end(&mut self) -> Result<u64, R::Error> {
        self.at = None;
        self.inner.seek(SeekFrom::End(0))
    }

    /// Fills `out` from the absolute `offset` on; returns how much there was before the end of the source.
    pub(super) fn fill(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, R::Error> {
        if self.at != Some(offset) {
            self.at = None;
            self.inner.seek(SeekFrom::Start(offset))?;
        }
        // The position of the source after a failure is unknown.
        self.at = None;
        let all = out.len();
        let mut rest = out;
        while !rest.is_empty() {
            match self.inner.read(rest) {
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
