//! The writer of NERSC archives.

use core::convert::Infallible;
use core::ops::ControlFlow;

use embedded_io::{Seek, Write};

use super::layout::Layout;
use crate::bytes::{prefix, prefix_mut, split, split_mut};
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::encode::Encode;
use crate::field::{Field, SiteError, SiteMut, SitePosition, fill_site};
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::{NextPiece, Pieces, Writer};
use crate::lattice::{ByteOrder, Cursor, Float};
use crate::nersc::{EncodeErrorKind, Encoder, Header, LinkFormat, SITE};

type Written<E> = Result<(), WriteError<E, EncodeErrorKind>>;
/// Result of a call that takes a callback.
type Filled<E, C> = Result<(), CallbackError<WriteError<E, EncodeErrorKind>, C>>;

/// Writes a NERSC archive to any [`embedded_io::Write`], through a buffer of the
/// caller.
///
/// The header precedes the data and contains their checksum. A single pass over the data is therefore enough only if
/// the checksum is known in advance: put it into the header, and end with [`finish`](Self::finish). Otherwise the sink
/// must be able to seek: end with [`finish_seeking`](Self::finish_seeking), which writes the header again.
///
/// Short and interrupted writes are continued; a sink that accepts no bytes is an error ([`WriteError::WriteZero`]).
/// After an error of the sink, every call returns [`WriteError::Broken`]. A call that the encoder refuses writes
/// nothing and changes nothing.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::ArchiveWriter;
/// use linkstream::lattice::{ByteOrder, Extents, Precision};
/// use linkstream::nersc::{Header, StoredRows};
/// # use linkstream_example::Disk;
/// # let disk = Disk::default();
///
/// let header = Header::new(Extents::new(&[2, 2, 2, 2])?, Precision::F32, StoredRows::Reduced, ByteOrder::Big)?;
/// let (more, mut buffer) = ([("ENSEMBLE_ID", "example")], [0; 2048]);
/// let mut archive = ArchiveWriter::create(disk.clone(), &mut buffer, &header, &more)?;
/// archive.numbers(&[0.5_f64; 16 * 72])?;
/// archive.finish_seeking()?;
/// # assert!(disk.bytes.borrow().starts_with(b"BEGIN_HEADER\n"));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` or `finish_seeking` has returned `Ok`"]
pub struct ArchiveWriter<'t, W, B> {
    writer: Writer<W, Content<'t, B>>,
}

impl<'t, W, B: Buffer> ArchiveWriter<'t, W, B> {
    /// A writer of a new file; `more` are further lines of the header, keys and values. The buffer must hold the text
    /// of the header (1,024 bytes suffice for about ten further lines) and one site of the file: 576 bytes at most for SU(3), 1024 for SU(4), the
    /// largest group of this writer.
    ///
    /// # Errors
    /// The errors of [`Header::write`]; [`EncodeErrorKind::BufferTooSmall`]. Nothing is written.
    pub fn create(
        sink: W,
        mut buffer: B,
        header: &Header,
        more: &'t [(&'t str, &'t str)],
    ) -> Result<Self, EncodeErrorKind> {
        if !Layout::of(header).is_small() {
            return Err(EncodeErrorKind::Colors { found: header.colors() });
        }
        let length = header.write(&[], more, buffer.as_mut())?;
        let encoder = Encoder::new(header, length)?;
        let content = Content { encoder, more, buffer, is_headed: false };
        if content.buffer.as_ref().len() < content.format().length().times(4) {
            return Err(EncodeErrorKind::BufferTooSmall);
        }
        Ok(Self { writer: Writer::new(sink, content) })
    }

    /// The encoder, which holds header, position and checksum.
    pub const fn encoder(&self) -> &Encoder {
        &self.writer.encoder().encoder
    }

    /// Returns the sink and the encoder.
    pub fn into_parts(self) -> (W, Encoder) {
        let (sink, content) = self.writer.into_parts();
        (sink, content.encoder)
    }
}

impl<W: Write, B: Buffer> ArchiveWriter<'_, W, B> {
    /// Writes the next numbers, converted to the precision of the file: `f32` to `f64` exactly, `f64` to `f32` rounded
    /// to nearest. The numbers must be whole sites in natural order (x fastest), in the shape `(sites, 4, 3, 3, 2)`:
    /// direction (x, y, z, t), row, column, real and imaginary part. If the header leaves out the last row, it is not written:
    /// it must follow from the others, as in a special unitary matrix.
    ///
    /// # Errors
    /// [`SiteError::Length`] for a part of a site, [`SiteError::Overflow`] for a number that is too large for single
    /// precision, [`EncodeErrorKind::TooMany`], [`EncodeErrorKind::TooFew`] after [`data`](Self::data) that ends
    /// inside a site: nothing is written then. The sink failed.
    pub fn numbers<T: Float>(&mut self, numbers: &[T]) -> Filled<W::Error, SiteError> {
        self.fits(numbers)?;
        self.writer.run(Numbers { left: numbers })
    }

    /// Writes all sites that are left, each filled by a callback with links of all rows, in the order of
    /// [`numbers`](Self::numbers). The callback may fail or stop (see [`Outcome`]); the next call continues with that
    /// site.
    ///
    /// ```
    /// use linkstream::io::ArchiveWriter;
    /// use linkstream::lattice::{ByteOrder, Extents, Precision};
    /// use linkstream::nersc::{Header, StoredRows};
    ///
    /// let lattice = Extents::new(&[1, 1, 1, 2])?;
    /// let mut header = Header::new(lattice, Precision::F32, StoredRows::Full, ByteOrder::Little)?;
    /// header.checksum = Some(0);
    /// let (mut sink, mut buffer) = ([0; 1024], [0; 1024]);
    /// let mut archive = ArchiveWriter::create(&mut sink[..], &mut buffer, &header, &[])?;
    /// archive.sites(|site| site.put(&[0.0_f32; 72]))?;
    /// archive.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of the callback; the sites before have been written. [`EncodeErrorKind::TooFew`] for a site that it
    /// has not filled, and after [`data`](Self::data) that ends inside a site; the sink failed.
    pub fn sites<O: Outcome>(
        &mut self,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Filled<W::Error, O::Error> {
        self.at_site()?;
        let field = self.writer.encoder().layout().field();
        self.writer.run(Sites { field, fill, whole: [0; SITE] })
    }

    /// Writes the next bytes of the data as they are in the file, in pieces of any size.
    ///
    /// ```
    /// use linkstream::io::ArchiveWriter;
    /// use linkstream::lattice::{ByteOrder, Extents, Precision};
    /// use linkstream::nersc::{Header, StoredRows};
    ///
    /// let lattice = Extents::new(&[1, 1, 1, 1])?;
    /// let mut header = Header::new(lattice, Precision::F32, StoredRows::Reduced, ByteOrder::Big)?;
    /// header.checksum = Some(0x3030_3030);
    /// let (mut sink, mut buffer) = ([0; 1024], [0; 1024]);
    /// let mut archive = ArchiveWriter::create(&mut sink[..], &mut buffer, &header, &[])?;
    /// archive.data(&[1; 100])?;
    /// archive.data(&[1; 92])?;
    /// archive.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooMany`], and nothing is written; the sink failed.
    pub fn data(&mut self, bytes: &[u8]) -> Written<W::Error> {
        self.writer.output.usable()?;
        if bytes.len() as u64 > self.encoder().room() {
            return Err(EncodeErrorKind::TooMany.into());
        }
        self.writer.run(Head)?;
        self.writer.write(bytes)
    }

    /// Checks that the archive is complete and its header has the right checksum, flushes the sink and returns it.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooFew`], [`EncodeErrorKind::Checksum`], or the sink failed.
    pub fn finish(self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.writer.finish()
    }
}

impl<W: Write + Seek, B: Buffer> ArchiveWriter<'_, W, B> {
    /// Checks that the archive is complete, writes the header again with the checksum of the data, flushes the sink and
    /// returns it. The sink is then at the end of the archive.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooFew`], or the sink failed.
    pub fn finish_seeking(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.writer.output.usable()?;
        let Writer { output, encoder: content } = &mut self.writer;
        content.encoder.complete()?;
        let end = content.encoder.position();
        output.shift(0_u64.wrapping_sub(end))?;
        let text = content.header()?;
        let length = text.len() as u64;
        output.put(text)?;
        output.shift(end.minus(length))?;
        self.finish()
    }
}

impl<'t, W, B: Buffer> ArchiveWriter<'t, W, B> {
    /// Checks that these are numbers of whole sites, and no more than are left.
    fn fits<T: Float, E>(&self, numbers: &[T]) -> Filled<E, SiteError> {
        self.at_site()?;
        let layout = self.writer.encoder().layout();
        let precision = layout.precision;
        let given = (numbers.len() as u64).times(precision.size() as u64);
        let site = layout.field().bytes_per_site;
        if given.checked_rem(site) != Some(0) {
            let needed = given.checked_next_multiple_of(site).unwrap_or(u64::MAX);
            return Err(CallbackError::Callback(SiteError::Length { needed, given }));
        }
        if let Some(index) = precision.overflow(numbers) {
            return Err(CallbackError::Callback(SiteError::Overflow { index: index as u64 }));
        }
        let stored = (self.writer.encoder().format().length() as u64).times(4);
        let sites = self.encoder().room().checked_div(stored).unwrap_or(0);
        if given.checked_div(site).unwrap_or(0) > sites {
            return Err(WriteError::from(EncodeErrorKind::TooMany).into());
        }
        Ok(())
    }

    /// Checks that the next byte is the first of a site.
    fn at_site<E>(&self) -> Written<E> {
        self.writer.output.usable()?;
        let stored = (self.writer.encoder().format().length() as u64).times(4);
        match self.encoder().room().checked_rem(stored) {
            Some(missing @ 1..) => Err(EncodeErrorKind::TooFew { missing }.into()),
            _ => Ok(()),
        }
    }
}

/// The encoder with its buffer.
#[derive(Debug)]
struct Content<'t, B> {
    encoder: Encoder,
    more: &'t [(&'t str, &'t str)],
    buffer: B,
    /// The header has been written.
    is_headed: bool,
}

impl<B: Buffer> Content<'_, B> {
    fn layout(&self) -> Layout {
        Layout::of(self.encoder.header())
    }

    fn format(&self) -> LinkFormat {
        let header = self.encoder.header();
        header.link_format(header.order().unwrap_or(ByteOrder::Big))
    }

    /// The text of the header.
    fn header(&mut self) -> Result<&[u8], EncodeErrorKind> {
        let length = self.encoder.header().write(&[], self.more, self.buffer.as_mut())?;
        Ok(prefix(self.buffer.as_ref(), length))
    }

    /// The front of the buffer.
    fn piece(&self, length: usize) -> &[u8] {
        prefix(self.buffer.as_ref(), length)
    }

    /// The text of the header, if it has not been written.
    fn head(&mut self) -> Option<Result<usize, EncodeErrorKind>> {
        let is_due = !core::mem::replace(&mut self.is_headed, true);
        is_due.then(|| self.encoder.header().write(&[], self.more, self.buffer.as_mut()))
    }

    /// Stores a big-endian site with all rows at the front of the buffer. Returns its length.
    fn store(&mut self, site: &[u8]) -> Result<usize, EncodeErrorKind> {
        let format = self.format();
        let (mut whole, mut stored) = (site, self.buffer.as_mut());
        for _ in 0..4 {
            let (link, others) = split(whole, format.whole_length());
            let (room, rest) = split_mut(stored, format.length());
            format.from_whole(link, room).ok_or(EncodeErrorKind::BufferTooSmall)?;
            (whole, stored) = (others, rest);
        }
        let length = format.length().times(4);
        self.encoder.put(prefix(self.buffer.as_ref(), length))?;
        Ok(length)
    }
}

impl<B: Buffer> Encode for Content<'_, B> {
    type ErrorKind = EncodeErrorKind;

    fn room(&self) -> u64 {
        self.encoder.room()
    }

    fn put(&mut self, payload: &[u8]) -> Result<(), EncodeErrorKind> {
        self.encoder.put(payload)
    }

    fn position(&self) -> u64 {
        if self.is_headed { self.encoder.position() } else { 0 }
    }

    fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.encoder.finish()
    }
}

/// The header before the first data.
#[derive(Debug)]
struct Head;

impl<B: Buffer> Pieces<Content<'_, B>> for Head {
    type ErrorKind = EncodeErrorKind;
    type Callback = Infallible;

    fn next<'s>(&'s mut self, content: &'s mut Content<'_, B>) -> NextPiece<'s, EncodeErrorKind, Infallible> {
        let length = content.head().transpose()?;
        Ok(length.map(|length| content.piece(length)))
    }
}

/// Numbers of whole sites.
#[derive(Debug)]
struct Numbers<'n, T> {
    left: &'n [T],
}

impl<B: Buffer, T: Float> Pieces<Content<'_, B>> for Numbers<'_, T> {
    type ErrorKind = EncodeErrorKind;
    type Callback = SiteError;

    fn next<'s>(&'s mut self, content: &'s mut Content<'_, B>) -> NextPiece<'s, EncodeErrorKind, SiteError> {
        if self.left.is_empty() {
            return Ok(None);
        }
        if let Some(length) = content.head() {
            return Ok(Some(content.piece(length?)));
        }
        let Field { bytes_per_site, .. } = content.layout().field();
        let precision = content.encoder.header().precision();
        // At most the size of the buffer below.
        let numbers = (bytes_per_site as usize).checked_div(precision.size()).unwrap_or(0);
        let (now, later) = split(self.left, numbers);
        let mut whole = [0; SITE];
        let site = prefix_mut(&mut whole, precision.size().times(numbers));
        precision.store(now, site);
        let length = content.store(site)?;
        self.left = later;
        Ok(Some(content.piece(length)))
    }
}

/// Sites that a callback fills.
struct Sites<F> {
    field: Field,
    fill: F,
    whole: [u8; SITE],
}

impl<B: Buffer, O: Outcome, F: FnMut(&mut SiteMut<'_>) -> O> Pieces<Content<'_, B>> for Sites<F> {
    type ErrorKind = EncodeErrorKind;
    type Callback = O::Error;

    fn next<'s>(&'s mut self, content: &'s mut Content<'_, B>) -> NextPiece<'s, EncodeErrorKind, O::Error> {
        let room = content.encoder.room();
        if room == 0 {
            return Ok(None);
        }
        if let Some(length) = content.head() {
            return Ok(Some(content.piece(length?)));
        }
        let stored = (content.format().length() as u64).times(4);
        let rank = self.field.sites().minus(room.checked_div(stored).unwrap_or(0));
        let Field { extents, region, .. } = &self.field;
        let cursor = Cursor::at(extents, region, rank);
        let position = SitePosition::of(&cursor, extents, region);
        let size = usize::try_from(self.field.bytes_per_site).unwrap_or(SITE).min(SITE);
        let site = prefix_mut(&mut self.whole, size);
        let filled = fill_site(&self.field, position, site, &mut self.fill);
        // The only other error is a site that is not filled completely.
        let flow = filled.map_err(|error| error.map_failed(|_| EncodeErrorKind::TooFew { missing: room }))?;
        if flow == ControlFlow::Break(()) {
            return Ok(None);
        }
        let length = content.store(site)?;
        Ok(Some(content.piece(length)))
    }
}
