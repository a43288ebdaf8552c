//! The documents of a file, which the codec's writer produces in memory: all ranks know where data begin, and rank 0
//! writes everything that is not data.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use embedded_io::{ErrorType, Seek, SeekFrom, Write};
use linkstream::CallbackError;
use linkstream::field::{EncodeErrorKind, Field, FieldDocuments, Form, SiteError};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, Positioned, WriteError};
use linkstream::lattice::{Checksum, Extents, Precision};
use linkstream::scidac::{Date, PrivateRecord};

use crate::error::Fault;

/// Room for documents, and for a site of data that are not floating-point numbers: the codec requires it, although no
/// data are written here.
const ROOM: usize = 1 << 20;

/// Bytes that are contiguous in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Staged {
    /// Absolute offset of the first byte.
    pub(super) offset: u64,
    pub(super) bytes: Vec<u8>,
}

/// A sink that keeps what is written to it.
#[derive(Debug, Clone, Default)]
struct Stage {
    staged: Rc<RefCell<Staged>>,
}

impl ErrorType for Stage {
    type Error = io::Error;
}

impl Write for Stage {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, io::Error> {
        self.staged.borrow_mut().bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), io::Error> {
        Ok(())
    }
}

impl Seek for Stage {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, io::Error> {
        let mut staged = self.staged.borrow_mut();
        let end = staged.offset + staged.bytes.len() as u64;
        match to {
            SeekFrom::Start(offset) if staged.bytes.is_empty() => staged.offset = offset,
            SeekFrom::Start(offset) if offset == end => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(staged.offset)
    }
}

/// A field that can be written, as the codec's writer takes it.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Gauge(GaugeKind, Precision, Form),
    Scidac(Box<PrivateRecord>),
}

/// The documents of one file. All ranks make the same calls; only rank 0 gets bytes.
#[derive(Debug)]
pub(super) struct Documents<'t> {
    writer: FieldWriter<'t, Positioned<Stage>, Vec<u8>>,
    stage: Stage,
}

fn refused(error: &WriteError<io::Error, EncodeErrorKind>) -> Fault {
    Fault::usage(error.to_string())
}

fn refused_data(error: CallbackError<WriteError<io::Error, EncodeErrorKind>, SiteError>) -> Fault {
    match error {
        CallbackError::Failed(error) => refused(&error),
        CallbackError::Callback(error) => Fault::usage(error.to_string()),
    }
}

impl<'t> Documents<'t> {
    pub(super) fn new(lattice: Extents, is_root: bool) -> Result<Self, Fault> {
        let stage = Stage::default();
        let writer =
            FieldWriter::create_part(Positioned::new(stage.clone()), vec![0; ROOM], lattice, is_root);
        Ok(Self { writer: writer.map_err(|error| Fault::usage(error.to_string()))?, stage })
    }

    pub(super) fn set_title(&mut self, text: &'t str) -> Result<(), Fault> {
        self.writer.set_title(text).map_err(|error| Fault::usage(error.to_string()))
    }

    pub(super) const fn next_text(&mut self, text: &'t str) {
        self.writer.next_text(text);
    }

    pub(super) const fn next_date(&mut self, date: Date) {
        self.writer.next_date(date);
    }

    pub(super) const fn next_update(&mut self, update: &'t str) {
        self.writer.next_update(update);
    }

    pub(super) const fn next_lfn(&mut self, name: &'t str) {
        self.writer.next_lfn(name);
    }

    /// Begins a field. Returns its documents, which end it, its layout, and the bytes before its data. They include
    /// the file message if the field is the first one that needs it.
    pub(super) fn begin(&mut self, content: Content) -> Result<(FieldDocuments, Field, Staged), Fault> {
        // No sites of this writer: the ranks write all of them.
        let documents = match content {
            Content::Gauge(kind, precision, form) => {
                self.writer.gauge_field_part_from::<f32>(kind, precision, form, 0, &[])
            }
            Content::Scidac(record) if matches!(record.precision.as_bytes(), b"F" | b"D") => {
                self.writer.scidac_field_part_from::<f32>(*record, 0, &[])
            }
            Content::Scidac(record) => {
                self.writer.scidac_field_part(*record, 0..0, |_| Ok::<(), SiteError>(()))
            }
        };
        let documents = documents.map_err(refused_data)?;
        let field = self.writer.encoder().field().copied();
        Ok((documents, field.ok_or_else(|| Fault::usage("the message has no data"))?, self.take()))
    }

    /// Ends a field whose data have this checksum. Returns the bytes after its data.
    pub(super) fn end(&mut self, documents: &FieldDocuments, checksum: Checksum) -> Result<Staged, Fault> {
        self.writer.end_part(documents, checksum).map_err(|error| refused(&error))?;
        Ok(self.take())
    }

    /// Checks that everything that was set has been written.
    pub(super) fn complete(&mut self) -> Result<(), Fault> {
        self.writer.complete().map_err(|error| refused(&error))
    }

    /// Takes the staged bytes. The next ones follow them unless the writer seeks.
    fn take(&self) -> Staged {
        let mut staged = self.stage.staged.borrow_mut();
        let next = Staged { offset: staged.offset + staged.bytes.len() as u64, bytes: Vec::new() };
        std::mem::replace(&mut staged, next)
    }
}
