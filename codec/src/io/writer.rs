//! The writer that drives any encoder, and its sink, which is given up at its first failure: the frame of all writers
//! of this module.

use embedded_io::{Error, ErrorKind, Seek, SeekFrom, Write};

use super::error::WriteError;
use crate::bytes::suffix;
use crate::callback::CallbackError;
use crate::encode::Encode;
use crate::io::both::both;

/// Result of a call of a writer whose sink fails with `E`, and whose encoder with `K`.
pub(super) type Written<E, K> = Result<(), WriteError<E, K>>;
/// Result of a call that takes data of a source or a callback, which can fail with `C`.
pub(super) type Taken<E, K, C> = Result<(), CallbackError<WriteError<E, K>, C>>;

/// Drives an encoder, and writes the bytes that it returns to any [`embedded_io::Write`], one after the other. After an
/// error of the sink, every call returns [`WriteError::Broken`](super::WriteError::Broken).
///
/// ```
/// use linkstream::io::Writer;
/// use linkstream::lime::{Encoder, Header};
///
/// let (mut file, header) = ([0; 152], Header::new(b"greeting", 5, true, true)?);
/// let mut writer = Writer::with_encoder(&mut file[..], Encoder::new());
/// writer.emit(|encoder| encoder.begin(&header).map(|header| &header[..]))?;
/// writer.put(b"hello")?;
/// writer.emit(|encoder| encoder.end())?;
/// writer.finish()?;
/// assert_eq!(&file[144..], b"hello\0\0\0");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct Writer<W, E> {
    pub(super) output: Output<W>,
    pub(super) encoder: E,
}

impl<W, E> Writer<W, E> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn with_encoder(sink: W, encoder: E) -> Self {
        Self { output: Output::new(sink), encoder }
    }

    /// The encoder, with its position.
    pub const fn encoder(&self) -> &E {
        &self.encoder
    }

    /// Returns the sink and the encoder.
    pub fn into_parts(self) -> (W, E) {
        (self.output.sink, self.encoder)
    }
}

both! {
impl<W: Write, E: Encode> Writer<W, E> {
    #[asynchronous(emit_async)]
    /// Calls the encoder and writes the bytes that it returns.
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    pub fn emit(
        &mut self,
        call: impl for<'e> FnOnce(&'e mut E) -> Result<&'e [u8], E::ErrorKind>,
    ) -> Written<W::Error, E::ErrorKind> {
        self.output.usable()?;
        let bytes = call(&mut self.encoder).map_err(WriteError::Refused)?;
        wait!(self.output.put | put_async(bytes))
    }

    #[asynchronous(put_async)]
    /// Writes the next payload.
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    pub fn put(&mut self, payload: &[u8]) -> Written<W::Error, E::ErrorKind> {
        self.output.usable()?;
        self.encoder.put(payload).map_err(WriteError::Refused)?;
        wait!(self.output.put | put_async(payload))
    }

    #[asynchronous(finish_async)]
    /// Checks that the file can end here, flushes the sink and returns it. Call it after the last write.
    ///
    /// # Errors
    /// A record or section is still open, data are missing, or the sink failed.
    pub fn finish(mut self) -> Result<W, WriteError<W::Error, E::ErrorKind>> {
        wait!(self.complete | complete_async())?;
        Ok(self.into_parts().0)
    }

    #[asynchronous(complete_async)]
    /// Does the same for a writer that is borrowed. A refused call changes nothing.
    ///
    /// # Errors
    /// A record or section is still open, data are missing, or the sink failed.
    pub fn complete(&mut self) -> Written<W::Error, E::ErrorKind> {
        let can_end = self.encoder.finish();
        wait!(self.output.close | close_async(can_end))
    }
}
}

/// A sink, and a flag that is set when it has failed. Its content is then unknown, so every later call is refused.
#[derive(Debug)]
pub(super) struct Output<W> {
    pub(super) sink: W,
    pub(super) broken: bool,
    /// Bytes that an asynchronous writer has written since its task has waited.
    written: u16,
}

impl<W> Output<W> {
    pub(super) const fn new(sink: W) -> Self {
        Self { sink, broken: false, written: 0 }
    }

    pub(super) const fn usable<E, K>(&self) -> Result<(), WriteError<E, K>> {
        if self.broken { Err(WriteError::Broken) } else { Ok(()) }
    }

    /// A synchronous writer does not pause.
    #[allow(clippy::unused_self, reason = "the twin of the call below")]
    #[inline]
    const fn pause(&self) {}

    /// Lets other tasks run, if much has been written since they could.
    #[cfg(feature = "async")]
    async fn pause_async(&mut self) {
        if self.written >= super::fair::MOST_WRITTEN {
            self.written = 0;
            super::fair::asynchronous::pause().await;
        }
    }
}

/// Rest of `bytes` after one call of the sink. A sink that accepts no bytes is an error, neither a panic nor an endless
/// loop. A sink that claims to have accepted more bytes than it was given is taken to have accepted all.
pub(super) fn after_write<E: Error, K>(
    bytes: &[u8],
    written: Result<usize, E>,
) -> Result<&[u8], WriteError<E, K>> {
    match written {
        Ok(0) => Err(WriteError::WriteZero),
        Ok(n) => Ok(suffix(bytes, n.min(bytes.len()))),
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(bytes),
        Err(error) => Err(WriteError::Io(error)),
    }
}

both! {
impl<W: Write> Output<W> {
    #[asynchronous(put_async)]
    /// Writes everything. A future that is dropped leaves the sink broken.
    pub(super) fn put<K>(&mut self, bytes: &[u8]) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        let mut rest = bytes;
        while !rest.is_empty() {
            wait!(self.pause | pause_async());
            rest = after_write(rest, wait!(self.sink.write_noting | write_noting(rest, &mut self.written)))?;
        }
        self.broken = false;
        Ok(())
    }

    #[asynchronous(close_async)]
    /// Flushes the sink, if the file can end here.
    pub(super) fn close<K>(&mut self, can_end: Result<(), K>) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        can_end.map_err(WriteError::Refused)?;
        self.broken = true;
        wait!(self.sink.flush | flush()).map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}
}

impl<W: Write + Seek> Output<W> {
    /// Moves by `by` bytes. A move backwards is a difference that wraps around.
    pub(super) fn shift<K>(&mut self, by: u64) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        let here = self.sink.seek(SeekFrom::Current(0)).map_err(WriteError::Io)?;
        self.sink.seek(SeekFrom::Start(here.wrapping_add(by))).map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}
