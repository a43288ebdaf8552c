//! Destinations for data records.

use std::io::BufWriter;

use embedded_io_adapters::std::FromStd;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};
use linkstream::io::{FieldWriter, WriteError};
use linkstream::lattice::Checksum;
use linkstream::scidac::PrivateFile;

use super::document::Planned;
use crate::failure::{failed, not_possible};
use crate::source::BUFFER;
use crate::system::File;

/// Accepts the documents and data of a file in order.
pub trait FieldSink {
    /// Writes the documents about the file.
    fn file(&mut self, file: &PrivateFile, text: &[u8]) -> anyhow::Result<()>;

    /// Begins a data record. Returns the number of bytes per site.
    fn begin(&mut self, planned: &Planned) -> anyhow::Result<u64>;

    /// Writes the next bytes of the record, in lexicographic order of sites.
    fn data(&mut self, bytes: &[u8]) -> anyhow::Result<()>;

    /// Ends the data record. Returns its checksum.
    fn end(&mut self, planned: &Planned) -> anyhow::Result<Option<Checksum>>;

    /// Completes the file after the last data record.
    fn finish(&mut self) -> anyhow::Result<()>;
}

/// A single file.
pub struct FileSink<'b, 'f> {
    writer: FieldWriter<'b, FromStd<BufWriter<&'f File>>>,
}

impl<'b, 'f> FileSink<'b, 'f> {
    /// `scratch` holds one document at a time.
    pub fn new(file: &'f File, scratch: &'b mut [u8]) -> Self {
        let sink = FromStd::new(BufWriter::with_capacity(BUFFER, file));
        Self { writer: FieldWriter::with_encoder(sink, scratch, Encoder::new()) }
    }
}

impl FieldSink for FileSink<'_, '_> {
    fn file(&mut self, file: &PrivateFile, text: &[u8]) -> anyhow::Result<()> {
        self.writer.message(&OutgoingMessage::file(file, text)).map_err(refused)
    }

    fn begin(&mut self, planned: &Planned) -> anyhow::Result<u64> {
        self.writer.begin(&planned.message()).map_err(refused)?;
        Ok(self.writer.encoder().field().map_or(0, |field| field.bytes_per_site))
    }

    fn data(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.writer.data(bytes).map_err(refused)
    }

    fn end(&mut self, planned: &Planned) -> anyhow::Result<Option<Checksum>> {
        self.writer.end(&planned.message()).map_err(refused)?;
        Ok(self.writer.encoder().checksum())
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        self.writer.complete().map_err(refused)
    }
}

/// An error of the encoder is caused by the content of the input.
fn refused(error: WriteError<std::io::Error, EncodeErrorKind>) -> anyhow::Error {
    not_possible(failed(error))
}
