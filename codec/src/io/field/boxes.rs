//! Reading and writing of the sites in a box of the lattice.

use core::borrow::BorrowMut;

use embedded_io::{Error as _, ErrorKind, Read, Seek, SeekFrom};

use super::parts::Begun;
use super::pieces::BoxNumbers;
use super::reader::FieldData;
use super::writer::{FieldWriter, Filled};
use crate::bytes::prefix_mut;
use crate::callback::CallbackError;
use crate::counter::at_most;
use crate::error::Error;
use crate::field::{self, BoxError, BoxPart, BoxRun, Decoder, FieldDocuments, Form};
use crate::ildg::GaugeKind;
use crate::io::buffer::Buffer;
use crate::io::error::{FieldError, ReadError, WriteError};
use crate::io::reader::PositionedRead;
use crate::io::sink::PositionedSink;
use crate::io::source::PositionedSource;
use crate::lattice::{Checksum, Float, Hypercube, Precision, SiteOrder};
use crate::lime;
use crate::scidac::PrivateRecord;
use crate::step::Decode as _;

/// Order of sites in memory that is never used.
type NoPlace = fn(&SiteOrder) -> usize;

/// The front of a buffer that the bytes of a window fill. Windows are made for the length of the buffer.
fn room<'b>(window: &BoxPart, buffer: &'b mut [u8]) -> &'b mut [u8] {
    let length = at_most(window.bytes(), buffer.len());
    prefix_mut(buffer, length)
}

/// The error for a source that ends `done` bytes after the beginning of a run.
fn truncated<E>(part: &BoxPart, run: &BoxRun, done: usize) -> FieldError<E> {
    let record = &part.field().record;
    let at = run.offset.saturating_add(done as u64);
    let missing = record.payload_offset().saturating_add(record.length).saturating_sub(at);
    let kind = field::ErrorKind::Lime(lime::ErrorKind::PayloadTruncated { missing });
    FieldError::Read(ReadError::Format(Error::new(at, kind)))
}

/// Reads the sites in a box of a field from a [`PositionedSource`]. It reads only these sites, in windows of its buffer,
/// one read for each run of a window. The layout of the field, which has its offset in the file, is known from
/// [`FieldReader`](crate::io::FieldReader) or from another process.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::BoxPart;
/// use linkstream::io::{BoxReader, FieldReader, Positioned};
/// use linkstream::lattice::{Coordinates, Hypercube};
/// # use linkstream_example::Disk;
/// # let disk = Disk::default();
/// # *disk.bytes.borrow_mut() = linkstream_example::file();
///
/// // The file has the rank of each site, as a number.
/// let mut buffer = [0; 512];
/// let mut file = FieldReader::new(disk.clone(), &mut buffer);
/// let layout = *file.next_field()?.and_then(|data| data.layout().copied()).as_ref().ok_or("no field")?;
///
/// let corner = |x| Coordinates::new(&[x, 0, 1, 0]).ok_or("more than 8 dimensions");
/// let part = BoxPart::new(&layout, Hypercube::new(corner(0)?, corner(1)?, &layout.extents)?)?;
/// let mut numbers = [0.0_f64; 2];
/// let mut boxes = BoxReader::new(Positioned::new(disk), [0; 8]);
/// boxes.read_into(&part, &mut numbers)?;
/// assert_eq!(numbers, [4.0, 5.0]);
/// // Or in another order in memory.
/// boxes.read_to(&part, |site| 1 - site.coordinates().as_slice()[0] as usize, &mut numbers)?;
/// assert_eq!(numbers, [5.0, 4.0]);
/// # drop(boxes.into_inner());
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
/// # }
/// ```
#[derive(Debug)]
pub struct BoxReader<S, B> {
    source: S,
    buffer: B,
}

impl<S, B> BoxReader<S, B> {
    /// A reader with a buffer, which must hold a site; more room means fewer reads if runs are long.
    pub const fn new(source: S, buffer: B) -> Self {
        Self { source, buffer }
    }

    /// Returns the source.
    pub fn into_inner(self) -> S {
        self.source
    }
}

impl<S: PositionedSource, B: Buffer> BoxReader<S, B> {
    /// Reads the sites of a part, or of a window of it, and converts them; see [`BoxPart::take`]. `numbers` has the
    /// numbers of all sites of the box. Returns the checksum of the sites read, which is compared by
    /// [`FieldData::verify_sum`] or by [`Decoder::supply_checksum`](crate::field::Decoder::supply_checksum) when all
    /// sites have been read somewhere.
    ///
    /// # Errors
    /// [`FieldError::Box`] if the slice does not have the length of the box, the data are not floating-point numbers,
    /// or a site does not fit into the buffer: nothing is read then. [`FieldError::Read`] if the source failed or ends
    /// inside the data.
    pub fn read_into<T: Float>(
        &mut self,
        part: &BoxPart,
        numbers: &mut [T],
    ) -> Result<Checksum, FieldError<S::Error>> {
        part.check_length(numbers)?;
        self.read(part, |window, bytes| window.take(bytes, numbers))
    }

    /// The same for sites in any order in memory; see [`BoxPart::take_to`].
    ///
    /// # Errors
    /// The errors of [`read_into`](Self::read_into); [`BoxError::NoSuchPlace`].
    pub fn read_to<T: Float>(
        &mut self,
        part: &BoxPart,
        mut place: impl FnMut(&SiteOrder) -> usize,
        numbers: &mut [T],
    ) -> Result<Checksum, FieldError<S::Error>> {
        self.read(part, |window, bytes| window.take_to(bytes, &mut place, numbers))
    }

    fn read(
        &mut self,
        part: &BoxPart,
        mut take: impl FnMut(&BoxPart, &[u8]) -> Result<(), BoxError>,
    ) -> Result<Checksum, FieldError<S::Error>> {
        let buffer = self.buffer.as_mut();
        let mut sum = Checksum::default();
        for window in part.windows(buffer.len())? {
            let bytes = room(&window, buffer);
            for run in window.runs() {
                let out = run.slice_mut(bytes).unwrap_or_default();
                let n = fill(&mut self.source, run.offset, out).map_err(ReadError::Io)?;
                if n < out.len() {
                    return Err(truncated(&window, &run, n));
                }
            }
            take(&window, bytes)?;
            sum = sum.combine(window.checksum(bytes)?);
        }
        Ok(sum)
    }
}

/// Fills `out` as far as the source reaches. Returns the number of bytes.
fn fill<S: PositionedSource>(source: &mut S, offset: u64, out: &mut [u8]) -> Result<usize, S::Error> {
    let mut done = 0_usize;
    while let Some(rest) = out.get_mut(done..).filter(|rest| !rest.is_empty()) {
        let room = rest.len();
        match source.read_at(offset.saturating_add(done as u64), rest) {
            Ok(0) => break,
            // A source can claim to have read more than there is room for.
            Ok(n) => done = done.saturating_add(n.min(room)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

impl<R: Read + Seek, B: Buffer, D: BorrowMut<Decoder>> FieldData<'_, R, B, D> {
    /// Reads only the sites in a box of the lattice, by seeking, and converts them: the sites of the box that the field
    /// covers, in stored order. Returns their checksum. The data count as unread: other boxes can be read, and all
    /// other calls are possible. [`verify_sum`](Self::verify_sum) compares the checksums of boxes that cover the field
    /// with the stored one; a single box cannot be verified.
    ///
    /// The half of the buffer that is not used for reading must hold one site; if it holds more, fewer reads are made.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::FieldReader;
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    /// # use linkstream_example::Disk;
    /// # let disk = Disk::default();
    /// # *disk.bytes.borrow_mut() = linkstream_example::file();
    /// # let source = disk;
    ///
    /// // The file has the rank of each site, as a number.
    /// let (mut buffer, extents) = ([0; 512], Extents::new(&[2, 2, 2, 2])?);
    /// let corner = |x, n| Coordinates::new(&[x, n, n, n]).ok_or("more than 8 dimensions");
    /// let mut file = FieldReader::new(source, &mut buffer);
    /// let mut field = file.next_field()?.ok_or("no field")?;
    /// let mut numbers = [0.0_f64; 8];
    /// let left = field.read_box_into(Hypercube::new(corner(0, 0)?, corner(0, 1)?, &extents)?, &mut numbers)?;
    /// assert_eq!(numbers[..3], [0.0, 2.0, 4.0]);
    /// let right = field.read_box_into(Hypercube::new(corner(1, 0)?, corner(1, 1)?, &extents)?, &mut numbers)?;
    /// assert_eq!(numbers[..3], [1.0, 3.0, 5.0]);
    /// field.verify_sum(left.combine(right))?.require_match()?;
    /// # Ok(())
    /// # }
    /// # mod linkstream_example {
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FieldError::Box`] if the box is not in the lattice, `numbers` does not have the length of the sites, or the
    /// data are not floating-point numbers; [`FieldError::BufferTooSmall`] if a site does not fit into the buffer.
    /// Nothing is read then. [`FieldError::Read`].
    pub fn read_box_into<T: Float>(
        &mut self,
        cube: Hypercube,
        numbers: &mut [T],
    ) -> Result<Checksum, FieldError<R::Error>> {
        let part = self.part_in(cube)?;
        part.check_length(numbers)?;
        self.read_box(&part, |window, bytes| window.take(bytes, numbers))
    }

    /// The same for sites in any order in memory: `place` returns the index of a site in `numbers`, counted in sites;
    /// see [`BoxPart::take_to`].
    ///
    /// # Errors
    /// The errors of [`read_box_into`](Self::read_box_into), except that `numbers` may have any length;
    /// [`BoxError::NoSuchPlace`].
    pub fn read_box_to<T: Float>(
        &mut self,
        cube: Hypercube,
        mut place: impl FnMut(&SiteOrder) -> usize,
        numbers: &mut [T],
    ) -> Result<Checksum, FieldError<R::Error>> {
        let part = self.part_in(cube)?;
        self.read_box(&part, |window, bytes| window.take_to(bytes, &mut place, numbers))
    }

    /// Reads the windows of a part, and returns to the position in the source.
    fn read_box(
        &mut self,
        part: &BoxPart,
        mut take: impl FnMut(&BoxPart, &[u8]) -> Result<(), BoxError>,
    ) -> Result<Checksum, FieldError<R::Error>> {
        let reader = &mut self.file.reader;
        let room_beside = reader.frame.room_beside();
        let windows = part.windows(room_beside).map_err(|error| match error {
            BoxError::TooSmall { needed } => FieldError::BufferTooSmall { needed: needed.saturating_mul(2) },
            error => error.into(),
        })?;
        reader.frame.usable()?;
        let ahead = reader.frame.unread().len() as u64;
        let here = reader.seek(SeekFrom::Current(0))?;
        // The file can begin inside the source.
        let start = here.wrapping_sub(ahead).wrapping_sub(reader.frame.decoder.position());
        reader.frame.desynchronised = true;
        let mut source = PositionedRead::new(&mut reader.source);
        let mut sum = Checksum::default();
        let mut outcome = Ok(());
        'windows: for window in windows {
            let bytes = room(&window, reader.frame.other_half());
            for run in window.runs() {
                let out = run.slice_mut(bytes).unwrap_or_default();
                let length = out.len();
                match source.fill(start.wrapping_add(run.offset), out) {
                    Ok(n) if n == length => {}
                    Ok(n) => outcome = Err(truncated(&window, &run, n)),
                    Err(error) => outcome = Err(ReadError::Io(error).into()),
                }
                if outcome.is_err() {
                    break 'windows;
                }
            }
            outcome = take(&window, bytes).and_then(|()| window.checksum(bytes)).map_or_else(
                |error| Err(error.into()),
                |checksum| {
                    sum = sum.combine(checksum);
                    Ok(())
                },
            );
            if outcome.is_err() {
                break;
            }
        }
        reader.seek(SeekFrom::Start(here))?;
        outcome.map(|()| sum)
    }
}

impl<R, B: Buffer, D: BorrowMut<Decoder>> FieldData<'_, R, B, D> {
    /// The sites of this field in a box.
    fn part_in(&self, cube: Hypercube) -> Result<BoxPart, BoxError> {
        let field = self.layout().ok_or(field::SiteError::NotNumbers)?;
        Ok(BoxPart::new(field, cube)?)
    }
}

/// Calls for a process whose sites are a box of the lattice, in any number of pieces of the file. They take the place
/// of [`gauge_field_part_from`](Self::gauge_field_part_from) and similar calls, whose sites are few pieces: one box for
/// each process and field, `None` for a process without sites. The checksum of the box is
/// [`checksum`](crate::field::Encoder::checksum) of the encoder; [`end_part`](Self::end_part) and
/// [`end_with`](Self::end_with) end the field.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::Form;
/// use linkstream::ildg::GaugeKind;
/// use linkstream::io::{FieldWriter, Positioned};
/// use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision};
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// let (lattice, links) = (Extents::new(&[4, 4, 2, 2])?, [0.5_f32; 32 * 72]);
/// let corner = |x, last: [u32; 3]| Coordinates::new(&[x, last[0], last[1], last[2]]).ok_or("more than 8 dimensions");
/// let (mut buffers, mut writers) = ([[0; 4096]; 2], Vec::new());
/// // Each process has half of the extent in x: 16 pieces of two sites.
/// for (x, buffer) in [0, 2].into_iter().zip(&mut buffers) {
///     let cube = Hypercube::new(corner(x, [0; 3])?, corner(x + 1, [3, 1, 1])?, &lattice)?;
///     let mut file = FieldWriter::create_part(Positioned::new(disk.clone()), buffer, lattice, x == 0)?;
///     let field = file.gauge_field_box_from(GaugeKind::SU3, Precision::F32, Form::Both, Some(cube), &links)?;
///     writers.push((file, field));
/// }
/// let sums = [0, 1].map(|q| writers[q].0.encoder().checksum().unwrap_or_default());
/// for (q, (mut file, field)) in writers.into_iter().enumerate() {
///     file.end_part(&field, sums[1 - q])?;
///     assert_eq!(disk.bytes.borrow().len() as u64, file.encoder().position());
///     file.finish()?;
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
/// # }
/// ```
impl<W: PositionedSink, B: Buffer> FieldWriter<'_, W, B> {
    /// Writes the sites of a box, after [`begin`](Self::begin), from a slice of their numbers: the sites that the field
    /// covers, in stored order. They are converted to the precision of the field.
    ///
    /// # Errors
    /// [`BoxError::Cube`] if the box is not in the lattice; [`BoxError::Site`] for a slice of another length, numbers
    /// that are too large for single precision, and data that are not floating-point numbers; [`BoxError::TooSmall`] if
    /// a site does not fit into the buffer. [`EncodeErrorKind::SitesRepeated`](field::EncodeErrorKind::SitesRepeated)
    /// if this process has already written data of this field. Nothing is written then. The errors of
    /// [`message`](Self::message).
    pub fn box_from<T: Float>(
        &mut self,
        cube: Option<Hypercube>,
        numbers: &[T],
    ) -> Filled<W::Error, BoxError> {
        self.write_box::<T, NoPlace>(cube, numbers, None)
    }

    /// The same for sites in any order in memory: `place` returns the index of a site in `numbers`, counted in sites;
    /// see [`BoxPart::fill_from`].
    ///
    /// # Errors
    /// The errors of [`box_from`](Self::box_from); [`BoxError::NoSuchPlace`]. Sites may have been written then; the
    /// call can be repeated.
    pub fn box_from_places<T: Float>(
        &mut self,
        cube: Option<Hypercube>,
        numbers: &[T],
        place: impl FnMut(&SiteOrder) -> usize,
    ) -> Filled<W::Error, BoxError> {
        self.write_box(cube, numbers, Some(place))
    }

    fn write_box<T: Float, P: FnMut(&SiteOrder) -> usize>(
        &mut self,
        cube: Option<Hypercube>,
        numbers: &[T],
        place: Option<P>,
    ) -> Filled<W::Error, BoxError> {
        self.writer.output.usable()?;
        let content = &self.writer.encoder;
        let part = part_of(content.encoder.untouched().map_err(WriteError::from)?, cube);
        let pieces =
            part.and_then(|part| BoxNumbers::new(&part, numbers, place, content.buffer.as_ref().len()));
        self.writer.run(pieces.map_err(CallbackError::Callback)?)
    }

    /// Begins a gauge field and writes the sites of a box; see [`box_from`](Self::box_from). Ended with
    /// [`end_part`](Self::end_part).
    ///
    /// # Errors
    /// The errors of [`gauge_field`](Self::gauge_field) and [`box_from`](Self::box_from). All occur before the first
    /// byte is written.
    pub fn gauge_field_box_from<T: Float>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        cube: Option<Hypercube>,
        numbers: &[T],
    ) -> Begun<W::Error, BoxError> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        self.planned_box(documents, cube, numbers)
    }

    /// Begins data that a SciDAC record describes, and writes the sites of a box; see [`box_from`](Self::box_from).
    /// Ended with [`end_part`](Self::end_part).
    ///
    /// # Errors
    /// The errors of [`gauge_field_box_from`](Self::gauge_field_box_from).
    pub fn scidac_field_box_from<T: Float>(
        &mut self,
        record: PrivateRecord,
        cube: Option<Hypercube>,
        numbers: &[T],
    ) -> Begun<W::Error, BoxError> {
        self.planned_box(FieldDocuments::scidac(record), cube, numbers)
    }

    fn planned_box<T: Float>(
        &mut self,
        documents: FieldDocuments,
        cube: Option<Hypercube>,
        numbers: &[T],
    ) -> Begun<W::Error, BoxError> {
        let documents = self.begin_planned(documents, |field, room| {
            let fits = part_of(field, cube)
                .and_then(|part| BoxNumbers::<T, NoPlace>::new(&part, numbers, None, room).map(drop));
            fits.map_err(CallbackError::Callback)
        })?;
        self.box_from(cube, numbers)?;
        Ok(documents)
    }
}

/// The sites of a box, or none.
fn part_of(field: &field::Field, cube: Option<Hypercube>) -> Result<BoxPart, BoxError> {
    match cube {
        Some(cube) => Ok(BoxPart::new(field, cube)?),
        None => Ok(BoxPart::empty(field)),
    }
}
