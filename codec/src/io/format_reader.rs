//! The common part of the readers of one format each.

use core::borrow::BorrowMut;

use super::buffer::Buffer;
use super::findings::Findings;
use super::frame::{Delivery, Frame};
use super::held::Held;
use super::reader::Reader;
use crate::error::Diagnostic;
use crate::limits::Limits;
use crate::step::Decode;

/// The common type of the readers of one format each: [`RecordReader`](super::RecordReader),
/// [`FieldReader`](super::FieldReader), [`ArchiveReader`](super::ArchiveReader),
/// [`SectionReader`](super::SectionReader) and [`MatrixReader`](super::MatrixReader) are names of this type, each with
/// another state `S`. The state itself has no public name.
///
/// Each of them has a constructor of its own that begins a file, such as [`RecordReader::new`](super::RecordReader::new).
/// A reader owns or borrows its buffer and its decoder.
///
/// ```
/// use linkstream::Decode;
/// use linkstream::io::RecordReader;
/// use linkstream::lime::Header;
///
/// let file = *Header::new(b"empty", 0, true, true)?.as_bytes();
/// let mut records = RecordReader::new(&file[..], [0; 64]);
/// while records.next_record()?.is_some() {}
/// assert_eq!((records.findings().count, records.decoder().position()), (0, 144));
/// let (source, _decoder) = records.into_parts();
/// assert!(source.is_empty());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FormatReader<R, B, D, S: ReadState> {
    pub(super) reader: Reader<R, B, Held<S::Decoder, D>>,
    pub(super) progress: Progress<S>,
}

impl<R, B: Buffer, D: BorrowMut<S::Decoder>, S: ReadState> FormatReader<R, B, D, S> {
    /// A reader with a given decoder: in another mode ([`findings`](Self::findings) counts the broken rules that it does
    /// not refuse), from the middle of a file, or to continue. The source must be at the position of the decoder, and
    /// the buffer is used as by `new`. A decoder in a `static` is lent as `&mut Decoder`: it is then not moved through
    /// the stack.
    ///
    /// | reader | position of the decoder |
    /// |---|---|
    /// | [`RecordReader`](super::RecordReader), [`SectionReader`](super::SectionReader), [`FieldReader`](super::FieldReader) | anywhere: if it is inside a record, section or field, reading continues with the next one |
    /// | [`MatrixReader`](super::MatrixReader) | before an entry; for booleans, the next entry is the first one of the next byte. If the decoder is inside an entry, that entry is lost: `read` returns [`ReadError::NotOpen`](super::ReadError::NotOpen) until `next_row` or `read_entries_seeking` goes to another one |
    /// | [`ArchiveReader`](super::ArchiveReader) | the beginning of the file |
    ///
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::io::RecordReader;
    /// # use linkstream::io::RecordWriter;
    /// use linkstream::lime::Decoder;
    /// # let mut file = [0; 304];
    /// # RecordWriter::create(&mut file[..]).write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
    ///
    /// // The second record begins at 152.
    /// let mut buffer = [0; 64];
    /// let mut decoder = Decoder::at(152, Mode::Strict);
    /// let mut records = RecordReader::with_decoder(&file[152..], &mut buffer, &mut decoder);
    /// records.next_record()?;
    /// assert_eq!(records.record_type(), b"name");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn with_decoder(source: R, buffer: B, decoder: D) -> Self {
        let frame = Frame::new(buffer, S::HALVES_BUFFER, Held::new(decoder));
        Self { reader: Reader { source, frame }, progress: Progress::START }
    }

    /// Sets the limit for the sizes that the reader returns for allocating memory. The sizes in
    /// [`ReadError::TooSmall`](super::ReadError::TooSmall) have the same limit.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::Limits;
    /// use linkstream::io::ArchiveReader;
    /// # let source = linkstream_example::nersc();
    /// # let source = source.as_slice();
    ///
    /// let mut buffer = [0; 4096];
    /// let mut archive = ArchiveReader::nersc(source, &mut buffer).with_limits(Limits::new(100));
    /// assert!(archive.number_count().is_err());
    /// assert!(archive.verdict()?.is_match());
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.progress.limits = limits;
        self
    }

    /// The decoder, with its position and what it has read: a header, documents, the strings of a section.
    pub fn decoder(&self) -> &S::Decoder {
        self.reader.decoder().get()
    }

    /// The findings so far: broken rules and remarks that the mode does not refuse. A [`Reader`] reports each finding
    /// as an event.
    ///
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::io::RecordReader;
    /// use linkstream::lime::{Decoder, ErrorKind, Header};
    ///
    /// // The last record does not end its message.
    /// let file = *Header::new(b"type", 0, true, false)?.as_bytes();
    /// let mut buffer = [0; 64];
    /// let mut records = RecordReader::with_decoder(&file[..], &mut buffer, Decoder::new(Mode::Survey));
    /// while records.next_record()?.is_some() {}
    /// let findings = records.findings();
    /// assert_eq!((findings.count, findings.first), (1, findings.last));
    /// assert!(findings.first.is_some_and(|finding| finding.kind == ErrorKind::MessageOpen));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn findings(&self) -> &Findings<S::ErrorKind> {
        &self.progress.findings
    }

    /// Returns the source and the decoder. Bytes that were read ahead into the buffer are discarded.
    pub fn into_parts(self) -> (R, D) {
        let (source, decoder) = self.reader.into_parts();
        (source, decoder.into_inner())
    }
}

impl<R, B: Buffer, D: BorrowMut<S::Decoder>, S: Resume> FormatReader<R, B, D, S> {
    /// Returns the amount that an interrupted call has delivered, and lets reading continue after it: the number of
    /// bytes of a payload or of a section, of sizes of a variable array, or of entries of a matrix. A call is
    /// interrupted if the source fails, or if its future is dropped, after it has delivered a part. The other reading
    /// calls then return [`ReadError::Interrupted`](super::ReadError::Interrupted) until this one is called.
    ///
    /// ```
    /// use linkstream::io::{Buffer, ReadError, RecordReader};
    /// use linkstream::lime::ErrorKind;
    ///
    /// /// Reads a payload from a source that may fail for a while.
    /// fn payload<R: embedded_io::Read, B: Buffer>(
    ///     records: &mut RecordReader<R, B>,
    ///     out: &mut [u8],
    /// ) -> Result<(), ReadError<R::Error, ErrorKind>> {
    ///     let mut done = 0;
    ///     while let Err(error) = records.read_into(&mut out[done..]) {
    ///         match error {
    ///             // The rest goes after what is in the slice.
    ///             ReadError::Io(_) => done += records.resume(),
    ///             error => return Err(error),
    ///         }
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[must_use = "the next call must not overwrite what has been delivered"]
    pub fn resume(&mut self) -> usize {
        let done = self.progress.delivery.end();
        self.progress.state.resume(done);
        done
    }
}

/// The part of a reader's state that only its format has.
pub trait ReadState: Sized {
    /// The decoder of the format.
    type Decoder: Decode<ErrorKind = Self::ErrorKind>;
    /// Its errors.
    type ErrorKind: Diagnostic;

    /// The state before the first call.
    const START: Self;

    /// Input is read into the first half of the buffer only.
    const HALVES_BUFFER: bool = false;
}

/// The state of a reader whose data are delivered in parts that fit together.
pub trait Resume: ReadState {
    /// Continues after the part that an interrupted call has delivered.
    fn resume(&mut self, done: usize);
}

/// The state of a reader: what it has found and delivered, and what its format adds.
#[derive(Debug)]
pub(super) struct Progress<S: ReadState> {
    pub(super) state: S,
    pub(super) limits: Limits,
    pub(super) findings: Findings<S::ErrorKind>,
    pub(super) delivery: Delivery,
}

impl<S: ReadState> Progress<S> {
    const START: Self =
        Self { state: S::START, limits: Limits::DEFAULT, findings: Findings::NONE, delivery: Delivery::NONE };
}

/// The frame of a reader with the state `S`.
pub(super) type FormatFrame<B, D, S> = Frame<B, Held<<S as ReadState>::Decoder, D>>;
