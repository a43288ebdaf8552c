//! An asynchronous sink that is given up at its first failure.

use embedded_io_async::Write;

use super::error::WriteError;
use super::output::{Output, after_write};

impl<W: Write> Output<W> {
    /// Writes everything. A future that is dropped leaves the sink broken.
    pub(super) async fn put_async<K>(&mut self, mut bytes: &[u8]) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        while !bytes.is_empty() {
            bytes = after_write(bytes, self.sink.write(bytes).await)?;
        }
        self.broken = false;
        Ok(())
    }

    pub(super) async fn flush_async<K>(&mut self) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        self.sink.flush().await.map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}
