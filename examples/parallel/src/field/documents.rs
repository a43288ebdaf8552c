//! The documents of a file, which the codec's encoder produces: all ranks know where data begin, and rank 0 writes
//! everything that is not data.

use linkstream::Encode as _;
use linkstream::field::{
    BegunMessage, DescribedBy, EncodeErrorKind, Encoder, Field, FieldDocuments, Form, OutgoingMessage,
};
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Checksum, Extents, Precision};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord};

use crate::error::Fault;

/// Room for the longest document of a message.
const ROOM: usize = 4096;

/// Bytes that are contiguous in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Staged {
    /// Absolute offset of the first byte.
    pub(super) offset: u64,
    pub(super) bytes: Vec<u8>,
}

/// A field that can be written.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Gauge(GaugeKind, Precision, Form),
    Scidac(Box<PrivateRecord>),
}

/// Settings for the next field.
#[derive(Debug, Clone, Copy, Default)]
struct Next<'t> {
    text: Option<&'t str>,
    date: Option<Date>,
    update: Option<&'t str>,
    lfn: Option<&'t str>,
}

impl<'t> Next<'t> {
    /// The message of a field. The encoder refuses it if it has no place for one of the settings.
    fn message<'a>(&self, documents: &'a FieldDocuments) -> OutgoingMessage<'a>
    where
        't: 'a,
    {
        let mut message = documents.message(self.text.unwrap_or_default().as_bytes());
        if let Some(update) = self.update {
            message = message.with_update(update);
        }
        if let Some(lfn) = self.lfn {
            message = message.with_lfn(lfn);
        }
        message
    }
}

/// The documents of one file. All ranks make the same calls; only rank 0 gets bytes.
#[derive(Debug)]
pub(super) struct Documents<'t> {
    lattice: Extents,
    is_root: bool,
    encoder: Encoder,
    buffer: Vec<u8>,
    /// The file message has been written.
    has_file: bool,
    title: Option<&'t str>,
    next: Next<'t>,
}

/// The settings of the next field, as messages call them.
pub(super) const TEXT: &str = "the text of the next field";
pub(super) const DATE: &str = "the date of the next field";
pub(super) const UPDATE: &str = "the update number of the next field";
pub(super) const LFN: &str = "the logical file name";

/// Refuses the end of a file while something that was set has not been written.
pub(super) fn unused<const N: usize>(settings: [(bool, &str); N]) -> Result<(), Fault> {
    match settings.into_iter().find(|(is_set, _)| *is_set) {
        Some((_, name)) => {
            Err(Fault::usage(format!("{name} was set, but has not been written: no field followed")))
        }
        None => Ok(()),
    }
}

fn refused(kind: EncodeErrorKind) -> Fault {
    Fault::usage(kind.to_string())
}

impl<'t> Documents<'t> {
    pub(super) fn new(lattice: Extents, is_root: bool) -> Self {
        let (encoder, buffer, next) = (Encoder::new(), vec![0; ROOM], Next::default());
        Self { lattice, is_root, encoder, buffer, has_file: false, title: None, next }
    }

    pub(super) fn set_title(&mut self, text: &'t str) -> Result<(), Fault> {
        if self.has_file {
            return Err(Fault::usage("the title cannot be written: the file message has been written"));
        }
        self.title = Some(text);
        Ok(())
    }

    pub(super) const fn next_text(&mut self, text: &'t str) {
        self.next.text = Some(text);
    }

    pub(super) const fn next_date(&mut self, date: Date) {
        self.next.date = Some(date);
    }

    pub(super) const fn next_update(&mut self, update: &'t str) {
        self.next.update = Some(update);
    }

    pub(super) const fn next_lfn(&mut self, name: &'t str) {
        self.next.lfn = Some(name);
    }

    /// Begins a field. Returns its documents, which end it, its layout, and the bytes before its data. They include
    /// the file message if the field is the first one that needs it. A refused field changes nothing.
    pub(super) fn begin(&mut self, content: Content) -> Result<(FieldDocuments, Field, Staged), Fault> {
        let documents = match content {
            Content::Gauge(kind, precision, form) => {
                FieldDocuments::gauge_field(kind, precision, form, &self.lattice).map_err(refused)?
            }
            Content::Scidac(record) => FieldDocuments::scidac(*record),
        };
        let documents = match self.next.date {
            Some(date) => documents.dated(date),
            None => documents,
        };
        let layout = documents.layout(&self.lattice).map_err(refused)?;
        let has_file = self.has_file || layout.described_by == DescribedBy::Scidac;
        let mut encoder = self.encoder.clone();
        let mut staged = Staged { offset: encoder.position(), bytes: Vec::new() };
        if has_file && !self.has_file {
            let private = PrivateFile::new(&self.lattice);
            let file = OutgoingMessage::file(&private, self.title.unwrap_or_default().as_bytes());
            let begun = encoder.begin(&file, &mut self.buffer).map_err(refused)?;
            stage(&mut encoder, &begun, &mut self.buffer, &mut staged.bytes)?;
        }
        let message = self.next.message(&documents);
        let begun = encoder.begin(&message, &mut self.buffer).map_err(refused)?;
        if self.title.is_some() && has_file == self.has_file {
            return Err(refused(EncodeErrorKind::NoPlaceForText));
        }
        stage(&mut encoder, &begun, &mut self.buffer, &mut staged.bytes)?;
        let field = *encoder.field().ok_or_else(|| refused(EncodeErrorKind::NoData))?;
        (self.encoder, self.title, self.has_file) = (encoder, None, has_file);
        Ok((documents, field, self.of_root(staged)))
    }

    /// Ends a field whose data have this checksum. Returns the bytes after its data.
    pub(super) fn end(&mut self, documents: &FieldDocuments, checksum: Checksum) -> Result<Staged, Fault> {
        let message = self.next.message(documents);
        let begun = self.encoder.resume(&message, &mut self.buffer).map_err(refused)?;
        self.encoder.others(checksum).map_err(refused)?;
        let mut staged = Staged { offset: self.encoder.position(), bytes: Vec::new() };
        stage(&mut self.encoder, &begun, &mut self.buffer, &mut staged.bytes)?;
        self.next = Next::default();
        Ok(self.of_root(staged))
    }

    /// Checks that everything that was set has been written.
    pub(super) fn complete(&self) -> Result<(), Fault> {
        self.encoder.finish().map_err(refused)?;
        let Next { text, date, update, lfn } = self.next;
        let settings = [
            (self.title.is_some(), "the title"),
            (text.is_some(), TEXT),
            (date.is_some(), DATE),
            (update.is_some(), UPDATE),
            (lfn.is_some(), LFN),
        ];
        unused(settings)
    }

    /// The bytes, on rank 0 only.
    fn of_root(&self, staged: Staged) -> Staged {
        if self.is_root { staged } else { Staged { bytes: Vec::new(), ..staged } }
    }
}

/// Appends the next bytes of a message to `out`: those up to its data, or from there to its end.
fn stage(
    encoder: &mut Encoder,
    begun: &BegunMessage<'_>,
    buffer: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    // Without room, nothing is staged.
    if let Err(EncodeErrorKind::BufferTooSmall { needed }) = encoder.stage(begun, &mut []) {
        let needed = usize::try_from(needed).map_err(|_| Fault::usage("the texts do not fit into memory"))?;
        buffer.resize(needed.max(buffer.len()), 0);
    }
    out.extend_from_slice(encoder.stage(begun, buffer).map_err(refused)?.bytes);
    Ok(())
}
