//! An asynchronous sink that is given up at its first failure.

use embedded_io::{Error as _, ErrorKind};
use embedded_io_async::Write;

use super::error::WriteError;

/// A sink and whether it has failed, or was left while it was written to. What it holds then is not known, so every
/// call after that is refused.
#[derive(Debug)]
pub(super) struct AsyncSink<W> {
    inner: W,
    broken: bool,
}

impl<W> AsyncSink<W> {
    pub(super) const fn new(inner: W) -> Self {
        Self { inner, broken: false }
    }

    pub(super) fn into_inner(self) -> W {
        self.inner
    }

    pub(super) const fn usable<E, K>(&self) -> Result<(), WriteError<E, K>> {
        if self.broken { Err(WriteError::Broken) } else { Ok(()) }
    }
}

impl<W: Write> AsyncSink<W> {
    /// Writes everything.
    pub(super) async fn put<K>(&mut self, mut bytes: &[u8]) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        while !bytes.is_empty() {
            match self.inner.write(bytes).await {
                Ok(0) => return Err(WriteError::WriteZero),
                Ok(n) => bytes = bytes.get(n..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(WriteError::Io(error)),
            }
        }
        self.broken = false;
        Ok(())
    }

    pub(super) async fn flush<K>(&mut self) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        self.inner.flush().await.map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}
