//! The length of a source that can seek.

use embedded_io::{Seek, SeekFrom};

use crate::limits::Limits;

impl Limits {
    /// Limit for the content of the source; see [`source`](Self::source). Asks the source for its length by seeking to its end
    /// and back.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::Limits;
    /// use linkstream::io::FieldReader;
    /// # let mut source = linkstream_example::Disk::default();
    /// # source.bytes.borrow_mut().extend(linkstream_example::file());
    ///
    /// let mut buffer = [0; 8192];
    /// let limits = Limits::of_source(&mut source)?;
    /// let mut file = FieldReader::new(source, &mut buffer).with_limits(limits);
    /// let mut field = file.next_field()?.ok_or("no field")?;
    /// assert_eq!(field.number_count()?, 16);
    /// field.verdict()?.require_match()?;
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The source failed; its position is then unknown.
    pub fn of_source<S: Seek>(source: &mut S) -> Result<Self, S::Error> {
        let here = source.stream_position()?;
        let length = source.seek(SeekFrom::End(0))?;
        source.seek(SeekFrom::Start(here))?;
        Ok(Self::source(length))
    }

    /// [`of_source`](Self::of_source) over `embedded_io_async`, with its errors.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::Limits;
    /// # use linkstream_example::run;
    /// # let mut source = linkstream_example::disk(&[0; 100]);
    ///
    /// let limits = run(Limits::of_source_async(&mut source))?;
    /// assert_eq!(limits, Limits::source(100));
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_async.rs")); }
    /// ```
    #[cfg(feature = "async")]
    pub async fn of_source_async<S: embedded_io_async::Seek>(source: &mut S) -> Result<Self, S::Error> {
        let here = source.stream_position().await?;
        let length = source.seek(SeekFrom::End(0)).await?;
        source.seek(SeekFrom::Start(here)).await?;
        Ok(Self::source(length))
    }
}
