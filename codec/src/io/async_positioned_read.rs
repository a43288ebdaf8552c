//! Reading at given places of an asynchronous source.

use embedded_io::{Error as _, ErrorKind, SeekFrom};
use embedded_io_async::{Read, Seek};

use super::positioned_read::PositionedRead;

/// A future that is dropped leaves the position unknown: the next call seeks.
impl<R: Read + Seek> PositionedRead<R> {
    /// The end of the source.
    pub(super) async fn end_async(&mut self) -> Result<u64, R::Error> {
        self.at = None;
        self.inner.seek(SeekFrom::End(0)).await
    }

    /// Fills `out` from the absolute `offset` on; returns how much there was before the end of the source.
    pub(super) async fn fill_async(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, R::Error> {
        if self.at.take() != Some(offset) {
            self.inner.seek(SeekFrom::Start(offset)).await?;
        }
        let all = out.len();
        let mut rest = out;
        while !rest.is_empty() {
            match self.inner.read(rest).await {
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
