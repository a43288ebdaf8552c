//! Destinations for data records.

use std::fmt;
use std::io::{BufWriter, Write};

use linkstream::CallbackError;
use linkstream::Encode as _;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::io::FieldWriter;
use linkstream::io::FromStd;
use linkstream::lattice::Checksum;
use linkstream::scidac::PrivateFile;

use super::document::Planned;
use super::error::Error;
use super::input::BUFFER;

/// Accepts the documents and data of a file in order.
///
/// Every call fails if the codec refuses the documents or the data, or if the output cannot be written.
pub trait FieldSink {
    /// Writes the documents about the file.
    ///
    /// # Errors
    /// See the trait.
    fn file(&mut self, file: &PrivateFile, text: &[u8]) -> Result<(), Error>;

    /// Begins a data record. Returns the number of bytes per site.
    ///
    /// # Errors
    /// See the trait.
    fn begin(&mut self, planned: &Planned) -> Result<u64, Error>;

    /// Writes the next bytes of the record, in lexicographic order of sites.
    ///
    /// # Errors
    /// See the trait.
    fn data(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// Ends the data record. Returns its checksum.
    ///
    /// # Errors
    /// See the trait.
    fn end(&mut self, planned: &Planned) -> Result<Option<Checksum>, Error>;

    /// Completes the file after the last data record.
    ///
    /// # Errors
    /// See the trait.
    fn finish(&mut self) -> Result<(), Error>;
}

/// A single file.
pub struct FileSink<'b, W: Write> {
    writer: FieldWriter<FromStd<BufWriter<W>>, &'b mut [u8]>,
}

impl<'b, W: Write> FileSink<'b, W> {
    /// A sink that writes to the start of `file`. `scratch` holds one document at a time: [`SCRATCH`](super::SCRATCH)
    /// bytes are enough for all but the user's texts, which need no room there.
    pub fn new(file: W, scratch: &'b mut [u8]) -> Self {
        Self::after(file, scratch, Encoder::new())
    }

    /// A sink that continues a file: `encoder` comes from what was read of it, and `file` is at its end.
    pub fn after(file: W, scratch: &'b mut [u8], encoder: Encoder) -> Self {
        let sink = FromStd(BufWriter::with_capacity(BUFFER, file));
        Self { writer: FieldWriter::with_encoder(sink, scratch, encoder) }
    }
}

impl<W: Write> fmt::Debug for FileSink<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileSink")
            .field("position", &self.writer.encoder().position())
            .finish_non_exhaustive()
    }
}

impl<W: Write> FieldSink for FileSink<'_, W> {
    fn file(&mut self, file: &PrivateFile, text: &[u8]) -> Result<(), Error> {
        Ok(self.writer.write_message(&OutgoingMessage::file(file, text))?)
    }

    fn begin(&mut self, planned: &Planned) -> Result<u64, Error> {
        self.writer.begin(&planned.message())?;
        Ok(self.writer.encoder().field().map_or(0, |field| field.bytes_per_site))
    }

    fn data(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.writer.put(bytes).map_err(CallbackError::into_failed)?)
    }

    fn end(&mut self, planned: &Planned) -> Result<Option<Checksum>, Error> {
        self.writer.end(&planned.message())?;
        Ok(self.writer.encoder().checksum())
    }

    fn finish(&mut self) -> Result<(), Error> {
        Ok(self.writer.complete()?)
    }
}
