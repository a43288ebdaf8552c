//! The writer of NERSC archives.

use embedded_io::{Seek, Write};

use super::layout::Layout;
use crate::bytes::{prefix, prefix_mut};
use crate::callback::Outcome;
use crate::counter::Counter as _;
use crate::encode::Encode as _;
use crate::field::{Extent, Field, FieldSource, Filled, Room, SiteMut, TakesData, fill_in_order};
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::{Output, Taken};
use crate::lattice::{ByteOrder, SiteOrder};
use crate::nersc::{EncodeErrorKind, Encoder, Header, LINKS, LinkFormat};

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
/// archive.put(&[0.5_f64; 16 * 72][..])?;
/// archive.finish_seeking()?;
/// # assert!(disk.bytes.borrow().starts_with(b"BEGIN_HEADER\n"));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` or `finish_seeking` has returned `Ok`"]
pub struct ArchiveWriter<'t, W, B> {
    output: Output<W>,
    encoder: Encoder,
    more: &'t [(&'t str, &'t str)],
    buffer: B,
    /// The header has been written.
    is_headed: bool,
}

impl<'t, W, B: Buffer> ArchiveWriter<'t, W, B> {
    /// A writer of a new file; `more` are further lines of the header, keys and values. The buffer must hold the text
    /// of the header (1,024 bytes suffice for about ten further lines) and one site with all rows: 576 bytes at most for
    /// SU(3), 1024 for SU(4), the largest group of this writer.
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
        if Layout::of(header).field().bytes_per_site > buffer.as_ref().len() as u64 {
            return Err(EncodeErrorKind::BufferTooSmall);
        }
        Ok(Self { output: Output::new(sink), encoder, more, buffer, is_headed: false })
    }

    /// The encoder, which holds header, position and checksum.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Returns the sink and the encoder.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.output.sink, self.encoder)
    }
}

impl<W: Write, B: Buffer> ArchiveWriter<'_, W, B> {
    /// Writes the next data, with the sites in natural order (x fastest). Numbers have the shape `(sites, 4, 3, 3, 2)`:
    /// direction (x, y, z, t), row, column, real and imaginary part. If the header leaves out the last row, it is not
    /// written: it must follow from the others, as in a special unitary matrix. Bytes are written as they are.
    ///
    /// ```
    /// use linkstream::io::{ArchiveWriter, Fill};
    /// use linkstream::lattice::{ByteOrder, Extents, Precision};
    /// use linkstream::nersc::{Header, StoredRows};
    ///
    /// let mut header = Header::new(Extents::new(&[1, 1, 1, 3])?, Precision::F32, StoredRows::Reduced, ByteOrder::Big)?;
    /// header.checksum = Some(0);
    /// let (mut sink, mut buffer) = ([0; 1024], [0; 1024]);
    /// let mut archive = ArchiveWriter::create(&mut sink[..], &mut buffer, &header, &[])?;
    /// archive.put(&[0.0_f64; 72][..])?;
    /// archive.put(Fill::sites(|site| site.put(&[0.0_f32; 72])).at_most(1))?;
    /// archive.put(&[0_u8; 192][..])?;
    /// archive.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`FieldSource`] and [`EncodeErrorKind::TooMany`]: nothing is written then. The error of a callback:
    /// the sites before the failed one have been written, and the next call continues with that site. The sink failed.
    pub fn put<S: FieldSource>(&mut self, mut source: S) -> Taken<W::Error, EncodeErrorKind, S::Error> {
        self.output.usable()?;
        let mut links = Links::of(&mut self.encoder);
        let room = links.data_room().map_err(WriteError::Refused)?;
        source
            .check(&room, Extent::Part, self.buffer.as_ref().len())
            .map_err(|error| error.map_failed(|kind| WriteError::Refused(kind.into())))?;
        // The encoder would refuse them only after the header has been written.
        if source.raw_bytes() as u64 > links.encoder.room() {
            return Err(WriteError::from(EncodeErrorKind::TooMany).into());
        }
        if !self.is_headed {
            let text = links.encoder.header().write(&[], self.more, self.buffer.as_mut());
            let length = text.map_err(WriteError::Refused)?;
            self.output.put(prefix(self.buffer.as_ref(), length))?;
            self.is_headed = true;
        }
        loop {
            let next = source.next(&mut links, self.buffer.as_mut());
            match next.map_err(|error| error.map_failed(WriteError::Refused))? {
                Some(bytes) => self.output.put(bytes)?,
                None => return Ok(()),
            }
        }
    }

    /// Checks that the archive is complete and its header has the right checksum, flushes the sink and returns it.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooFew`], [`EncodeErrorKind::Checksum`], or the sink failed.
    pub fn finish(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        let can_end = self.encoder.finish();
        self.output.close(can_end)?;
        Ok(self.into_parts().0)
    }
}

impl<W: Write + Seek, B: Buffer> ArchiveWriter<'_, W, B> {
    /// Checks that the archive is complete, writes the header again with the checksum of the data, flushes the sink and
    /// returns it. The sink is then at the end of the archive.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooFew`], or the sink failed.
    pub fn finish_seeking(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.output.usable()?;
        let header = self.encoder.final_header()?;
        let end = self.encoder.position();
        self.output.shift(0_u64.wrapping_sub(end))?;
        let length = header.write(&[], self.more, self.buffer.as_mut())?;
        self.output.put(prefix(self.buffer.as_ref(), length))?;
        self.output.shift(end.minus(length as u64))?;
        self.finish()
    }
}

/// The encoder, which takes sites of links with all rows.
struct Links<'e> {
    encoder: &'e mut Encoder,
    field: Field,
    format: LinkFormat,
}

impl<'e> Links<'e> {
    fn of(encoder: &'e mut Encoder) -> Self {
        let header = encoder.header();
        let format = header.link_format(header.order().unwrap_or(ByteOrder::Big));
        Self { field: Layout::of(header).field(), format, encoder }
    }

    /// Bytes of a site in the file.
    fn stored(&self) -> u64 {
        self.format.length().times(LINKS) as u64
    }

    /// Number of sites that are missing.
    fn missing(&self) -> u64 {
        self.encoder.room().checked_div(self.stored()).unwrap_or(0)
    }
}

impl TakesData for Links<'_> {
    type ErrorKind = EncodeErrorKind;

    fn data_room(&self) -> Result<Room, EncodeErrorKind> {
        let left = self.missing().saturating_mul(self.field.bytes_per_site);
        let written = self.encoder.header().data_length().minus(self.encoder.room());
        let in_site = written.checked_rem(self.stored()).unwrap_or(0);
        Ok(Room { in_site, whole_sites: true, ..Room::of(&self.field, left) })
    }

    fn pass<'b>(&mut self, numbers: &'b mut [u8]) -> Result<&'b mut [u8], EncodeErrorKind> {
        let length = self.format.store(numbers);
        let bytes = prefix_mut(numbers, length);
        self.encoder.put(bytes)?;
        Ok(bytes)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        self.encoder.put(bytes)
    }

    fn sites<'b, O: Outcome>(
        &mut self,
        most: u64,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
        buffer: &'b mut [u8],
    ) -> Result<Filled<'b, O::Error>, EncodeErrorKind> {
        let done = self.field.sites().minus(self.missing());
        let walk = SiteOrder::at(self.field.extents, self.field.region, done);
        let filled = fill_in_order(&self.field, walk, most, buffer, fill)?;
        let bytes = self.pass(filled.bytes)?;
        Ok(Filled { bytes, ..filled })
    }
}
