//! The reader of SciDAC and ILDG fields. All of its calls use one job, which reads up to an event.

use core::borrow::BorrowMut;
use core::convert::Infallible;
use core::task::{Poll, ready};

use crate::bytes::{copy, suffix_mut};
use crate::callback::{CallbackError, Outcome};
use crate::error::Mode;
use crate::field::{
    Decoder, ErrorKind, Event, Field, ReadInto, Site, SiteError, SitePlace, SitesError, Verdict,
};
use crate::io::both::both;
use crate::io::buffer::Buffer;
use crate::io::error::{FieldError, ReadError};
use crate::io::format_reader::{FormatFrame, FormatReader, Progress, ReadState};
use crate::io::frame::{Job, until_stopped};
use crate::io::once::Once;
use crate::lattice::Float;

/// Result of reading up to an event: true if the event has been reached, false at the end of the file.
type Advanced<E, X> = Result<Result<bool, X>, ReadError<E, ErrorKind>>;

/// Result of asking for the next field: `None` at the end of the file.
type NextField<'r, R, B, D, E> = Result<Option<FieldData<'r, R, B, D>>, ReadError<E, ErrorKind>>;

/// Reads the fields of a SciDAC or ILDG file one after the other: the data into a slice or to a callback, and the
/// result of the checksum comparison. Fields whose data are not requested are read and verified as well, unless they
/// are skipped. The source is any [`embedded_io::Read`] or `embedded_io_async::Read`.
///
/// Only what makes data unreadable or wrong is an error or a finding here. Conformity to ILDG 1.2 and
/// QIO 2.3 is not checked: white space before `<?xml`, for example, which XML forbids and some programs write, is
/// accepted without a finding. To check that as well, use a [`Reader`](crate::io::Reader) with a
/// [`conformance::Decoder`](crate::conformance::Decoder).
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::FieldReader;
/// # let source = linkstream_example::file();
/// # let source = source.as_slice();
///
/// let mut buffer = [0; 8192];
/// let mut file = FieldReader::new(source, &mut buffer);
/// while let Some(mut field) = file.next_field()? {
///     let mut numbers = vec![0.0_f64; field.number_count()?];
///     field.read_into(&mut numbers)?.require_match()?;
///     assert_eq!(numbers[5], 5.0);
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
///
/// The decoder of a reader [`with_decoder`](FormatReader::with_decoder) is a [`Decoder`], or a `&mut Decoder`.
pub type FieldReader<R, B, D = Decoder> = FormatReader<R, B, D, FieldState>;

/// The use of the data of the current field.
#[derive(Debug)]
pub struct FieldState {
    data: Once<Verdict>,
}

impl ReadState for FieldState {
    type Decoder = Decoder;
    type ErrorKind = ErrorKind;

    const START: Self = Self { data: Once::START };
    const HALVES_BUFFER: bool = true;
}

impl<R, B: Buffer> FieldReader<R, B> {
    /// A reader of a file from its first byte, in [`Mode::Strict`]. The source is read into one half of the buffer.
    /// The other half is the site buffer, where a site that is split between two reads is assembled. If sites are
    /// to be passed to a callback, it must hold one site. 8,192 bytes suffice for every data type of SciDAC and ILDG
    /// with 3 colors: the largest site, a Dirac propagator in double precision, has 2,304 bytes.
    pub const fn new(source: R, buffer: B) -> Self {
        Self::with_decoder(source, buffer, Decoder::new(Mode::Strict))
    }
}

both! {
impl<R: Read, B: Buffer, D: BorrowMut<Decoder> > FieldReader<R, B, D> {
    #[asynchronous(next_field_async)]
    /// Goes to the next field, hypercube or global record; `None` at the end of the file. The unread rest of the
    /// previous field is read and verified first.
    ///
    /// # Errors
    /// The source failed, or the file is invalid. In [`Mode::Strict`] and [`Mode::Lenient`] that includes a checksum
    /// mismatch of the previous field.
    pub fn next_field(&mut self) -> NextField<'_, R, B, D, R::Error> {
        let found = never(wait!(self.advance | advance_async(is_field, ignore))?);
        Ok(found.then_some(FieldData { file: self }))
    }

    #[asynchronous(advance_async)]
    /// Reads up to an event; passes data to a callback.
    fn advance<X>(
        &mut self,
        until: fn(&Event) -> bool,
        data: impl FnMut(&Decoder, &[u8], &mut [u8]) -> Result<(), X>,
    ) -> Advanced<R::Error, X> {
        let mut advance = Advance::new(until, data);
        wait!(self.reader.run | run_async(|frame| advance.run(&mut self.progress, frame)))
    }
}
}

/// A field whose data come next in the file; see [`FieldReader::next_field`]. The data can be read once. Each call
/// that reads them also reads what follows, up to their stored checksum, and returns the [`Verdict`] on them.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::FieldReader;
/// # let source = linkstream_example::file();
///
/// let mut buffer = [0; 8192];
/// let mut file = FieldReader::new(source.as_slice(), &mut buffer);
/// let mut field = file.next_field()?.ok_or("no field")?;
/// let mut bytes = vec![0; field.byte_count()?];
/// field.read_bytes_into(&mut bytes)?.require_match()?;
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug)]
#[must_use = "its data are verified only when they are read, or when the reader goes to the next field"]
pub struct FieldData<'r, R, B, D = Decoder> {
    pub(super) file: &'r mut FieldReader<R, B, D>,
}

impl<R, B: Buffer, D: BorrowMut<Decoder>> FieldData<'_, R, B, D> {
    /// The layout of the data, from the documents: the lattice, and what a site holds. Always `Some` while the file
    /// is read in order.
    #[must_use]
    pub fn layout(&self) -> Option<&Field> {
        self.file.decoder().field()
    }

    /// The number of floating-point numbers in the data, for allocating memory for
    /// [`read_into`](Self::read_into); see [`Field::number_count`].
    ///
    /// # Errors
    /// [`SiteError::Limit`], [`SiteError::NotNumbers`], [`SiteError::Length`].
    pub fn number_count(&self) -> Result<usize, SiteError> {
        self.layout().ok_or(SiteError::NotNumbers)?.number_count(self.file.progress.limits)
    }

    /// The length of the data in bytes, for allocating memory for [`read_bytes_into`](Self::read_bytes_into); see
    /// [`Field::byte_count`].
    ///
    /// # Errors
    /// [`SiteError::Limit`].
    pub fn byte_count(&self) -> Result<usize, SiteError> {
        self.layout().ok_or(SiteError::NotNumbers)?.byte_count(self.file.progress.limits)
    }

    /// The decoder, which holds the documents that describe the field.
    #[must_use]
    pub fn decoder(&self) -> &Decoder {
        self.file.decoder()
    }

    /// A destination for all numbers of the field, if `numbers` has their length.
    fn numbers_into<'n, T: Float, E>(
        &mut self,
        numbers: &'n mut [T],
    ) -> Result<ReadInto<'n, T>, FieldError<E>> {
        let into = ReadInto::new(self.layout().ok_or(SiteError::NotNumbers)?, numbers)?;
        self.file.progress.begin()?;
        Ok(into)
    }

    /// Checks that the data have this length in bytes.
    fn check_length<E>(&mut self, given: usize) -> Result<(), FieldError<E>> {
        let needed = self.layout().and_then(Field::data_length).unwrap_or(u64::MAX);
        if needed != given as u64 {
            return Err(SiteError::Length { needed, given: given as u64 }.into());
        }
        self.file.progress.begin()
    }

    /// A splitter of the data into sites, if a site fits into its half of the buffer.
    fn begin_sites<E>(&mut self) -> Result<SitePlace, FieldError<E>> {
        let FormatReader { reader, progress } = &mut *self.file;
        let (mut sites, room) = (SitePlace::NONE, reader.frame.room_beside());
        sites.begin(reader.decoder().get().field(), room).map_err(|error| match error {
            SitesError::BufferTooSmall { needed } => match progress.limits.check(needed) {
                Ok(_) => FieldError::BufferTooSmall { needed: needed.saturating_mul(2) },
                Err(error) => FieldError::Read(error.into()),
            },
            error => error.into(),
        })?;
        progress.begin()?;
        Ok(sites)
    }
}

both! {
impl<R: Read, B: Buffer, D: BorrowMut<Decoder> > FieldData<'_, R, B, D> {
    #[asynchronous(read_into_async)]
    /// Reads all numbers of the field and converts them: `f32` to `f64` exactly, `f64` to `f32` rounded to nearest.
    /// Sites are in stored order. At each site of a gauge field there are the links, direction 0 first; of each link
    /// the elements, row by row; of each element the real part, then the imaginary part. Returns the result of
    /// comparing the checksum of the data with the stored one, which is read as well.
    ///
    /// # Errors
    /// [`FieldError::Site`] if the length of `numbers` is not [`number_count`](Self::number_count), or the field does not
    /// consist of floating-point numbers; nothing is read then. [`FieldError::AlreadyRead`]; [`FieldError::Read`]. In
    /// strict and lenient mode that includes a checksum mismatch.
    pub fn read_into<T: Float>(&mut self, numbers: &mut [T]) -> Result<Verdict, FieldError<R::Error>> {
        let mut into = self.numbers_into(numbers)?;
        wait!(self.file.advance | advance_async(is_verdict, |_, bytes, _| into.feed(bytes)))??;
        Ok(self.file.progress.state.data.final_verdict()?)
    }

    #[asynchronous(read_bytes_into_async)]
    /// Reads all data as the bytes of the file, which are big-endian. Of use for records that do not hold
    /// floating-point numbers. Returns the same as [`read_into`](Self::read_into).
    ///
    /// # Errors
    /// [`FieldError::Site`] if `out` does not have the length of the data; nothing is read then. Otherwise the errors
    /// of [`read_into`](Self::read_into).
    pub fn read_bytes_into(&mut self, out: &mut [u8]) -> Result<Verdict, FieldError<R::Error>> {
        self.check_length(out.len())?;
        let mut rest = out;
        let copied = wait!(self.file.advance | advance_async(is_verdict, |_, bytes, _| copy_front(&mut rest, bytes)))?;
        never(copied);
        Ok(self.file.progress.state.data.final_verdict()?)
    }

    #[asynchronous(for_each_site_async)]
    /// Passes each site to a callback, in stored order. The callback may fail or stop (see [`Outcome`]); it is then
    /// not called again, but the rest of the field is still read and verified before this call returns. Returns the
    /// same as [`read_into`](Self::read_into).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::field::{Site, SiteError};
    /// use linkstream::io::FieldReader;
    /// # let source = linkstream_example::file();
    /// # let source = source.as_slice();
    ///
    /// let mut buffer = [0; 8192];
    /// let mut file = FieldReader::new(source, &mut buffer);
    /// let mut sum = 0.0;
    /// while let Some(mut field) = file.next_field()? {
    ///     let add = |site: Site<'_>| -> Result<(), SiteError> { Ok(sum += site.numbers()?.sum::<f64>()) };
    ///     field.for_each_site(add)?.require_match()?;
    /// }
    /// assert_eq!(sum, 120.0);
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The error of the callback, unless the file is invalid; [`FieldError::BufferTooSmall`], with the length that
    /// is needed, if a site does not fit into the buffer; nothing is read then. Otherwise the errors of
    /// [`read_into`](Self::read_into).
    pub fn for_each_site<O: Outcome>(
        &mut self,
        each: impl FnMut(Site<'_>) -> O,
    ) -> Result<Verdict, CallbackError<FieldError<R::Error>, O::Error>> {
        let mut each = until_stopped(each);
        let mut sites = self.begin_sites()?;
        let feed = |decoder: &Decoder, bytes: &[u8], buffer: &mut [u8]| sites.feed(buffer, decoder.field(), bytes, &mut each);
        let fed = wait!(self.file.advance | advance_async(is_verdict, feed)).map_err(FieldError::from)?;
        fed.map_err(|error| error.map_failed(FieldError::from))?;
        Ok(self.file.progress.state.data.final_verdict().map_err(FieldError::from)?)
    }

    #[asynchronous(skip_async)]
    /// Skips the data by reading and discarding them. Their checksum is not computed: the verdict is
    /// [`Verdict::Unchecked`].
    ///
    /// # Errors
    /// [`FieldError::AlreadyRead`]; [`FieldError::Read`].
    pub fn skip(&mut self) -> Result<(), FieldError<R::Error>> {
        self.file.progress.begin_skip()?;
        wait!(self.file.reader.skip | skip_async())?;
        never(wait!(self.file.advance | advance_async(is_end, ignore))?);
        Ok(())
    }

    #[asynchronous(verdict_async)]
    /// Returns the result of comparing the computed checksum with the stored one. Data that have not been read yet
    /// are read first. Calls that read the data return the same verdict.
    ///
    /// # Errors
    /// The source failed, or the file is invalid. In [`Mode::Strict`] and [`Mode::Lenient`] that includes a checksum
    /// mismatch. [`ReadError::Interrupted`] after a call that has delivered only a part of the data.
    pub fn verdict(&mut self) -> Result<Verdict, ReadError<R::Error, ErrorKind>> {
        self.file.progress.delivery.begin()?;
        self.file.progress.state.data.give_up();
        if self.file.progress.state.data.verdict.is_none() {
            never(wait!(self.file.advance | advance_async(is_verdict, ignore))?);
        }
        self.file.progress.state.data.final_verdict()
    }
}
}

both! {
impl<R: Read + Seek, B: Buffer, D: BorrowMut<Decoder> > FieldData<'_, R, B, D> {
    #[asynchronous(skip_seeking_async)]
    /// Skips the data by seeking; otherwise as [`skip`](Self::skip). Truncated data are an error, as when they are
    /// read.
    ///
    /// # Errors
    /// [`FieldError::AlreadyRead`]; [`FieldError::Read`].
    pub fn skip_seeking(&mut self) -> Result<(), FieldError<R::Error>> {
        self.file.progress.begin_skip()?;
        wait!(self.file.reader.skip_seeking | skip_seeking_async())?;
        never(wait!(self.file.advance | advance_async(is_end, ignore))?);
        Ok(())
    }
}
}

impl Progress<FieldState> {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Field => {
                self.state = FieldState::START;
                self.delivery.end();
            }
            Event::Verdict(verdict) => self.state.data.verdict = Some(*verdict),
            Event::Finding(error) => self.findings.note(*error),
            _ => {}
        }
    }

    /// Begins a call that delivers the data.
    fn begin<E>(&mut self) -> Result<(), FieldError<E>> {
        self.delivery.begin()?;
        if self.state.data.begin() { Ok(()) } else { Err(FieldError::AlreadyRead) }
    }

    /// Begins a call that skips the data.
    fn begin_skip<E>(&mut self) -> Result<(), FieldError<E>> {
        self.begin()?;
        self.state.data.give_up();
        Ok(())
    }
}

/// Reads up to an event, and passes data to a callback together with the half of the buffer that is free for it. After
/// the first error of the callback it is not called again, but reading continues, so that the field is verified.
#[derive(Debug)]
struct Advance<F, X> {
    until: fn(&Event) -> bool,
    data: F,
    failed: Option<X>,
}

impl<F: FnMut(&Decoder, &[u8], &mut [u8]) -> Result<(), X>, X> Advance<F, X> {
    const fn new(until: fn(&Event) -> bool, data: F) -> Self {
        Self { until, data, failed: None }
    }

    /// `false` at the end of the file.
    fn run<E>(
        &mut self,
        progress: &mut Progress<FieldState>,
        frame: &mut FormatFrame<impl Buffer, impl BorrowMut<Decoder>, FieldState>,
    ) -> Job<Result<bool, X>, E, ErrorKind> {
        let advanced = ready!(self.advance(progress, frame));
        progress.state.data.complete(&mut progress.delivery);
        Poll::Ready(advanced)
    }

    fn advance<E>(
        &mut self,
        progress: &mut Progress<FieldState>,
        frame: &mut FormatFrame<impl Buffer, impl BorrowMut<Decoder>, FieldState>,
    ) -> Job<Result<bool, X>, E, ErrorKind> {
        let mut found = false;
        while let Some(event) = ready!(frame.next()?) {
            progress.note(&event);
            if event == Event::Data {
                if progress.state.data.is_delivered() {
                    progress.delivery.add(frame.last().len());
                }
                if self.failed.is_none() {
                    let data = &mut self.data;
                    let failed =
                        frame.with_other_half(|decoder, bytes, other| data(decoder.get(), bytes, other));
                    self.failed = failed.err();
                }
            }
            found = (self.until)(&event);
            if found {
                break;
            }
        }
        Poll::Ready(Ok(match self.failed.take() {
            Some(error) => Err(error),
            None => Ok(found),
        }))
    }
}

fn is_field(event: &Event) -> bool {
    matches!(event, Event::Field)
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::FieldEnd(_))
}

fn is_verdict(event: &Event) -> bool {
    matches!(event, Event::Verdict(_))
}

/// A callback that ignores the data.
#[allow(clippy::unnecessary_wraps, reason = "a callback that could fail")]
const fn ignore(_: &Decoder, _: &[u8], _: &mut [u8]) -> Result<(), Infallible> {
    Ok(())
}

/// Unwraps the result of a call whose callback cannot fail.
fn never(found: Result<bool, Infallible>) -> bool {
    let Ok(found) = found;
    found
}

/// Copies to the front of what is left.
#[allow(clippy::unnecessary_wraps, reason = "a callback that could fail")]
fn copy_front(rest: &mut &mut [u8], bytes: &[u8]) -> Result<(), Infallible> {
    let n = copy(rest, bytes);
    *rest = suffix_mut(core::mem::take(rest), n);
    Ok(())
}
