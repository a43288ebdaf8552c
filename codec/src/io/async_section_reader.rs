//! Sections of scda files one by one, from an asynchronous source.

use embedded_io_async::{Read, Seek};

use super::error::ReadError;
use super::section_reader::SectionReader;
use super::sections::Sections;
use crate::bytes::prefix_mut;
use crate::scda::logical::{ErrorKind, Section};

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::io::{ReadError, SectionReader};
/// use linkstream::scda::logical::ErrorKind;
///
/// /// Bytes of data, by element, as they come, or by the sizes of a variable array.
/// async fn length<R: embedded_io_async::Read>(source: R) -> Result<usize, ReadError<R::Error, ErrorKind>> {
///     let (mut buffer, mut out, mut sizes, mut length) = ([0; 64], [0; 100], [0; 3], 0);
///     let mut sections = SectionReader::new(source, &mut buffer);
///     while sections.next_section_async().await?.is_some() {
///         if sections.user() == b"by element" {
///             while let Some(element) = sections.element_async(&mut out).await? {
///                 length += element.len();
///             }
///         } else if sections.sizes_async(&mut sizes).await? > 0 {
///             sections.read_exact_async(&mut out[..sizes[0] as usize]).await?;
///             length += sizes[0] as usize;
///         } else {
///             length += sections.read_async(&mut out).await?;
///         }
///     }
///     Ok(length)
/// }
/// ```
impl<R: Read, D: Sections> SectionReader<'_, R, D> {
    /// Goes to the next section; `None` at the end of the file. The unread rest of the current one is read and
    /// discarded.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub async fn next_section_async(&mut self) -> Result<Option<Section>, ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.place.next(frame)).await
    }

    /// Reads the next element into the front of `out` and returns that part of `out`; `None` after the last one. A
    /// block or an inline section is one element; an array whose elements have 0 bytes has none.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`ReadError::TooSmall`] if `out` does not hold the element:
    /// repeat the call with more room; or if the table does not hold all sizes, which are then still unread: repeat
    /// the call after [`with_table`](Self::with_table); [`ReadError::Limit`] if what is missing is also above the
    /// limit; [`ReadError::NotOpen`] if no section is open, it was skipped or read by bytes, or sizes were read
    /// without a table that holds them; [`ReadError::Interrupted`].
    pub async fn element_async<'o>(
        &mut self,
        out: &'o mut [u8],
    ) -> Result<Option<&'o mut [u8]>, ReadError<R::Error, ErrorKind>> {
        self.place.delivery.begin()?;
        let Some((size, done)) = self.reader.run_async(|frame| self.place.element(frame, out)).await? else {
            return Ok(None);
        };
        let element = prefix_mut(out, size);
        if !done {
            self.reader.fill_async(element, &mut self.place.delivery).await?;
            self.place.element_is_read();
        }
        Ok(Some(element))
    }

    /// Reads the next sizes of the elements of a variable array (in bytes) into the front of `out` and returns how
    /// many; 0 after the last one, and in other sections. Must be called before data are read.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`ReadError::NotOpen`] if no section is open, or its data were
    /// read or skipped, or are decompressed; [`ReadError::Interrupted`].
    pub async fn sizes_async(&mut self, out: &mut [u64]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.place.delivery.begin()?;
        self.reader.run_async(|frame| self.place.sizes(frame, out)).await
    }

    /// Reads the next bytes of data into the front of `out`, across elements, and returns how many; 0 after the last
    /// one.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`ReadError::NotOpen`] if no section is open, or it was skipped or
    /// read by element; [`ReadError::Interrupted`].
    pub async fn read_async(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.place.delivery.begin()?;
        self.some_async(out).await
    }

    /// Fills `out` with the next bytes of data.
    ///
    /// # Errors
    /// As [`read_async`](Self::read_async); [`ReadError::TooFew`] if fewer bytes are left in the section. None of them is
    /// read then, unless they are decompressed: their number is only known at the end. In that case they are in
    /// `out`, and the call counts as interrupted.
    pub async fn read_exact_async(&mut self, out: &mut [u8]) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.place.delivery.begin()?;
        self.reader.run_async(|frame| self.place.begin_exact(frame, out.len())).await?;
        while let Some(rest) = out.get_mut(self.place.delivery.done..).filter(|rest| !rest.is_empty()) {
            match self.some_async(rest).await? {
                0 => return Err(ReadError::TooFew { left: self.place.delivery.done as u64 }),
                n => self.place.delivery.add(n),
            }
        }
        self.place.delivery.end();
        Ok(())
    }

    async fn some_async(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        match self.reader.run_async(|frame| self.place.bytes(frame, out)).await? {
            Some(n) => Ok(n),
            None => match self.reader.read_async(out).await? {
                0 if !out.is_empty() && self.reader.frame.payload() > 0 => Err(self.reader.frame.truncated()),
                n => Ok(n),
            },
        }
    }
}

///
/// ```
/// use embedded_io_async::{Read, Seek};
/// use linkstream::io::{ReadError, SectionReader};
/// use linkstream::scda::logical::ErrorKind;
///
/// async fn count<R: Read + Seek>(source: R) -> Result<u64, ReadError<R::Error, ErrorKind>> {
///     let (mut buffer, mut count) = ([0; 64], 0);
///     let mut sections = SectionReader::new(source, &mut buffer);
///     while sections.next_section_async().await?.is_some() {
///         sections.skip_seeking_async().await?;
///         count += 1;
///     }
///     Ok(count)
/// }
/// ```
impl<R: Read + Seek, D: Sections> SectionReader<'_, R, D> {
    /// Skips the data of the current section by seeking. If the file ends inside the data,
    /// [`next_section_async`](Self::next_section_async) reports it.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub async fn skip_seeking_async(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.place.pass_sizes(frame)).await?;
        self.place.close(&mut self.reader.frame);
        self.reader.skip_seeking_async().await
    }
}
