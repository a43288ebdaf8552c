//! Fields one by one, from an asynchronous source.

use embedded_io_async::{Read, Seek};

use super::error::ReadError;
use super::field_error::FieldError;
use super::field_progress::{
    Advance, Progress, copy_front, ignore, is_end, is_field, is_verdict, never, until_stopped,
};
use super::field_reader::{Advanced, FieldData, FieldReader};
use super::reader::Reader;
use crate::callback::{CallbackError, Outcome};
use crate::field::{Decoder, ErrorKind, Event, Site, Verdict};
use crate::lattice::Float;

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::io::{FieldError, FieldReader};
///
/// async fn verify<R: embedded_io_async::Read>(source: R) -> Result<bool, FieldError<R::Error>> {
///     let (mut buffer, mut all_match) = ([0; 8192], true);
///     let mut file = FieldReader::new(source, &mut buffer);
///     while let Some(mut field) = file.next_field_async().await? {
///         all_match &= field.verdict_async().await?.is_match();
///     }
///     Ok(all_match)
/// }
/// ```
impl<'b, R: Read> FieldReader<'b, R> {
    /// The next field, hypercube or global record; `None` at the end of the file. The unread rest of the previous
    /// field is read and verified first.
    ///
    /// # Errors
    /// The source failed, or the file is invalid. In [`Mode::Strict`](crate::Mode::Strict) and
    /// [`Mode::Lenient`](crate::Mode::Lenient) that includes a checksum mismatch of the previous field.
    pub async fn next_field_async(
        &mut self,
    ) -> Result<Option<FieldData<'_, 'b, R>>, ReadError<R::Error, ErrorKind>> {
        let found = never(advance(&mut self.reader, &mut self.progress, is_field, ignore).await?);
        Ok(found.then_some(FieldData { file: self }))
    }
}

/// Reads up to an event; passes data to a callback.
async fn advance<R: Read, X>(
    reader: &mut Reader<'_, R, Decoder>,
    progress: &mut Progress,
    until: fn(&Event) -> bool,
    data: impl FnMut(&Decoder, &[u8]) -> Result<(), X>,
) -> Advanced<R::Error, X> {
    let mut advance = Advance::new(until, data);
    reader.run_async(|frame| advance.run(progress, frame)).await
}

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does. If the future of a
/// call that delivers data is dropped after it has delivered a part, the rest cannot be read, and there is no verdict:
/// these calls return [`ReadError::Interrupted`]. [`FieldReader::next_field_async`] goes to the next field.
///
/// ```
/// use linkstream::io::{FieldError, FieldReader};
///
/// /// The first field, then the bytes of the second one, then a sum over the sites of the fourth.
/// async fn some<R: embedded_io_async::Read>(source: R, out: &mut [u8]) -> Result<f64, FieldError<R::Error>> {
///     let (mut buffer, mut numbers, mut sum) = ([0; 8192], [0.0; 72], 0.0);
///     let mut file = FieldReader::new(source, &mut buffer);
///     if let Some(mut field) = file.next_field_async().await? {
///         let _verdict = field.read_into_async(&mut numbers).await?;
///     }
///     if let Some(mut field) = file.next_field_async().await? {
///         let _verdict = field.read_bytes_into_async(out).await?;
///     }
///     if let Some(mut field) = file.next_field_async().await? {
///         field.skip_async().await?;
///     }
///     if let Some(mut field) = file.next_field_async().await? {
///         let _verdict = field.for_each_site_async(|site| sum += site.rank() as f64).await?;
///     }
///     Ok(sum)
/// }
/// ```
impl<R: Read> FieldData<'_, '_, R> {
    /// Reads all numbers of the field and converts them: `f32` to `f64` exactly, `f64` to `f32` rounded to nearest.
    /// Sites are in stored order. At each site of a gauge field there are the links, direction 0 first; of each link
    /// the elements, row by row; of each element the real part, then the imaginary part. Returns the result of
    /// comparing the checksum of the data with the stored one, which is read as well.
    ///
    /// # Errors
    /// [`FieldError::Site`] if the length of `numbers` is not [`numbers()`](Self::numbers), or the field does not
    /// consist of floating-point numbers; nothing is read then. [`FieldError::AlreadyRead`]; [`FieldError::Read`]. In
    /// strict and lenient mode that includes a checksum mismatch.
    pub async fn read_into_async<T: Float>(
        &mut self,
        numbers: &mut [T],
    ) -> Result<Verdict, FieldError<R::Error>> {
        let mut into = self.numbers_into(numbers)?;
        let FieldReader { reader, progress, .. } = &mut *self.file;
        advance(reader, progress, is_verdict, |_, bytes| into.feed(bytes)).await??;
        Ok(progress.settled()?)
    }

    /// Reads all data as the bytes of the file, which are big-endian. Of use for records that do not hold
    /// floating-point numbers. Returns the same as [`read_into_async`](Self::read_into_async).
    ///
    /// # Errors
    /// [`FieldError::Site`] if `out` does not have the length of the data; nothing is read then. Otherwise those of
    /// [`read_into_async`](Self::read_into_async).
    pub async fn read_bytes_into_async(&mut self, out: &mut [u8]) -> Result<Verdict, FieldError<R::Error>> {
        self.check_length(out.len())?;
        let (mut rest, FieldReader { reader, progress, .. }) = (out, &mut *self.file);
        never(advance(reader, progress, is_verdict, |_, bytes| copy_front(&mut rest, bytes)).await?);
        Ok(progress.settled()?)
    }

    /// Passes each site to a callback, in stored order. The callback may fail or stop (see [`Outcome`]); it is then
    /// not called again, but the rest of the field is still read and verified before this call returns. Returns the
    /// same as [`read_into_async`](Self::read_into_async).
    ///
    /// # Errors
    /// The error of the callback, unless the file is invalid; [`FieldError::BufferTooSmall`], with the length that
    /// is needed, if a site does not fit into the buffer; nothing is read then. Otherwise those of
    /// [`read_into_async`](Self::read_into_async).
    pub async fn for_each_site_async<O: Outcome>(
        &mut self,
        each: impl FnMut(Site<'_>) -> O,
    ) -> Result<Verdict, CallbackError<FieldError<R::Error>, O::Error>> {
        let mut each = until_stopped(each);
        let (mut sites, reader, progress) = self.begin_sites()?;
        let feed = |decoder: &Decoder, bytes: &[u8]| sites.feed(decoder.field(), bytes, &mut each);
        let fed = advance(reader, progress, is_verdict, feed).await.map_err(FieldError::from)?;
        fed.map_err(|error| error.map_failed(FieldError::from))?;
        Ok(progress.settled().map_err(FieldError::from)?)
    }

    /// Skips the data by reading and discarding them. Their checksum is not computed: the verdict is
    /// [`Verdict::Unchecked`].
    ///
    /// # Errors
    /// [`FieldError::AlreadyRead`]; [`FieldError::Read`].
    pub async fn skip_async(&mut self) -> Result<(), FieldError<R::Error>> {
        self.file.progress.skip()?;
        self.file.reader.skip_async().await?;
        never(advance(&mut self.file.reader, &mut self.file.progress, is_end, ignore).await?);
        Ok(())
    }

    /// Returns the result of comparing the computed checksum with the stored one. Data that have not been read yet
    /// are read first. Calls that read the data return the same verdict.
    ///
    /// # Errors
    /// The source failed, or the file is invalid. In [`Mode::Strict`](crate::Mode::Strict) and
    /// [`Mode::Lenient`](crate::Mode::Lenient) that includes a checksum mismatch. [`ReadError::Interrupted`] after a
    /// call that has delivered only a part of the data.
    pub async fn verdict_async(&mut self) -> Result<Verdict, ReadError<R::Error, ErrorKind>> {
        if self.file.progress.judge()? {
            never(advance(&mut self.file.reader, &mut self.file.progress, is_verdict, ignore).await?);
        }
        self.file.progress.settled()
    }
}

///
/// ```
/// use embedded_io_async::{Read, Seek};
/// use linkstream::io::{FieldError, FieldReader};
///
/// async fn count<R: Read + Seek>(source: R) -> Result<u64, FieldError<R::Error>> {
///     let (mut buffer, mut count) = ([0; 8192], 0);
///     let mut file = FieldReader::new(source, &mut buffer);
///     while let Some(mut field) = file.next_field_async().await? {
///         field.skip_seeking_async().await?;
///         count += 1;
///     }
///     Ok(count)
/// }
/// ```
impl<R: Read + Seek> FieldData<'_, '_, R> {
    /// Skips the data by seeking; otherwise as [`skip_async`](Self::skip_async). Truncated data are an error, as
    /// when they are read.
    ///
    /// # Errors
    /// [`FieldError::AlreadyRead`]; [`FieldError::Read`].
    pub async fn skip_seeking_async(&mut self) -> Result<(), FieldError<R::Error>> {
        self.file.progress.skip()?;
        self.file.reader.skip_seeking_async().await?;
        never(advance(&mut self.file.reader, &mut self.file.progress, is_end, ignore).await?);
        Ok(())
    }
}
