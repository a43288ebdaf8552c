//! The reader of archives.

use core::ops::ControlFlow;

use embedded_io::{Read, Seek};

use super::layout::{Archive, ArchiveFrame, ArchiveState, Layout, Ranks, Stage};
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::error::Mode;
use crate::field::{ReadInto, Site};
use crate::io::buffer::Buffer;
use crate::io::error::{ArchiveError, ReadError};
use crate::io::format_reader::FormatReader;
use crate::io::frame::until_stopped;
use crate::lattice::{ByteOrder, Float};
use crate::volume::SitePositions;
use crate::{milc, nersc};

/// Result of a call that takes a callback.
type Passed<T, E, K, C> = Result<T, CallbackError<ArchiveError<E, K>, C>>;
/// A header, and the storage format of the links that it describes.
type Found<E, H, K> = Result<(H, Layout), ReadError<E, K>>;

/// Reads a NERSC archive or a MILC file: the header, then the links, with all rows, and the result of the checksum
/// comparison. The source is any [`embedded_io::Read`].
///
/// Numbers are returned in the shape `(sites, 4, 3, 3, 2)`: direction (x, y, z, t), row, column, real and imaginary
/// part; links of SU(2) and SU(4) have two and four rows and columns. Sites are in natural order, x fastest, except in
/// a MILC file with a site list. Callers get native numbers of complete links for every byte order and number of stored
/// rows. A last row that is not stored is computed as by [`LinkFormat::to_whole`](crate::nersc::LinkFormat::to_whole).
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::ArchiveReader;
/// # let source = linkstream_example::nersc();
/// # let source = source.as_slice();
///
/// let mut buffer = [0; 4096];
/// let mut archive = ArchiveReader::nersc(source, &mut buffer);
/// assert_eq!(archive.header()?.extents().as_slice(), [1, 1, 1, 1]);
/// let mut links = vec![0.0_f64; archive.number_count()?];
/// archive.read_into(&mut links)?.require_not_refuted()?;
/// archive.finish()?;
/// assert_eq!((links.len(), links[16]), (72, 1.0));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
///
/// The decoder of a reader [`with_decoder`](FormatReader::with_decoder) is a [`nersc::Decoder`], a [`milc::Decoder`], or
/// a mutable reference to one.
pub type ArchiveReader<R, B, D> = FormatReader<R, B, D, ArchiveState<D>>;

impl<R, B: Buffer> ArchiveReader<R, B, nersc::Decoder> {
    /// A reader of a NERSC archive from its first byte, in [`Mode::Strict`]. The buffer must not be empty; a larger one
    /// means fewer reads.
    pub const fn nersc(source: R, buffer: B) -> Self {
        Self::with_decoder(source, buffer, nersc::Decoder::new(Mode::Strict))
    }
}

impl<R, B: Buffer> ArchiveReader<R, B, milc::Decoder> {
    /// A reader of a MILC file from its first byte, in [`Mode::Strict`]. The buffer must not be empty; a larger one
    /// means fewer reads.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::ArchiveReader;
    /// # let source = linkstream_example::milc();
    /// # let source = source.as_slice();
    ///
    /// let mut buffer = [0; 4096];
    /// let mut archive = ArchiveReader::milc(source, &mut buffer);
    /// let mut links = vec![0.0_f32; archive.number_count()?];
    /// archive.read_into(&mut links)?.require_match()?;
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    pub const fn milc(source: R, buffer: B) -> Self {
        Self::with_decoder(source, buffer, milc::Decoder::new(Mode::Strict))
    }
}

impl<R, B: Buffer, D: Archive> ArchiveReader<R, B, D> {
    /// Sets the byte order of data whose header does not name it. Without this call the order is derived from the first
    /// link: its first row has norm 1 in the right byte order.
    #[must_use]
    pub const fn with_byte_order(mut self, order: ByteOrder) -> Self {
        self.progress.state.order = Some(order);
        self
    }

    /// The verdict, or an error if the checksum shows another byte order than the one used for the numbers.
    fn proven_verdict<E>(&self, order: ByteOrder) -> Result<D::Verdict, ArchiveError<E, D::ErrorKind>> {
        let verdict = self.progress.state.data.final_verdict()?;
        match D::proven(&verdict) {
            Some(stored) if stored != order => Err(ArchiveError::ByteOrder { stored }),
            _ => Ok(verdict),
        }
    }
}

impl<R: Read, B: Buffer, D: Archive> ArchiveReader<R, B, D> {
    /// Returns the header; reads it if necessary. The sizes in it are what the file claims, without a limit.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub fn header(&mut self) -> Result<D::Header, ReadError<R::Error, D::ErrorKind>> {
        let (header, _) = self.read_header()?;
        Ok(header)
    }

    /// The number of floating-point numbers in all links with all rows, for allocating memory for
    /// [`read_into`](Self::read_into); reads the header if necessary.
    ///
    /// # Errors
    /// [`ArchiveError::Read`]; [`ArchiveError::Colors`]; [`ArchiveError::Site`] if they have more bytes than the [`Limits`](crate::Limits) of this reader.
    pub fn number_count(&mut self) -> Result<usize, ArchiveError<R::Error, D::ErrorKind>> {
        let layout = self.deliverable()?;
        Ok(layout.field().number_count(self.progress.limits)?)
    }

    /// Passes each rank in the site list of a MILC file (x fastest) to a callback, in the order of the data. Passes
    /// nothing if there is no list: the sites are then in natural order. A list must be read before the data. The
    /// callback may fail or stop; see [`Outcome`]. Ranks outside the lattice are passed, too: a list is
    /// refused at its end.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::ArchiveReader;
    /// # let source = linkstream_example::milc();
    /// # let source = source.as_slice();
    ///
    /// let (mut buffer, mut ranks) = ([0; 4096], Vec::new());
    /// let mut archive = ArchiveReader::milc(source, &mut buffer);
    /// archive.for_each_rank(|rank| ranks.push(rank))?;
    /// let mut links = vec![0.0_f64; archive.number_count()?];
    /// archive.read_into(&mut links)?.require_match()?;
    /// // With a list, the links of the site with rank `ranks[i]` are those from `72 * i` on.
    /// assert_eq!((ranks.len(), links.len()), (0, 72));
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The error of the callback. If it fails or stops, the data can be skipped or verified, but not read.
    /// [`ArchiveError::AlreadyRead`] if data or list have been read, by this or another call; [`ArchiveError::Read`].
    pub fn for_each_rank<O: Outcome>(
        &mut self,
        each: impl FnMut(u64) -> O,
    ) -> Passed<(), R::Error, D::ErrorKind, O::Error> {
        let (_, layout) = self.read_header().map_err(ArchiveError::from)?;
        if !layout.has_list {
            return Ok(());
        }
        let mut ranks = Ranks { each, word: [0; 4], filled: 0, outcome: Ok(ControlFlow::Continue(())) };
        if self.progress.state.stage != Stage::Header || self.progress.state.is_list_passed {
            return Err(ArchiveError::AlreadyRead.into());
        }
        self.progress.delivery.begin().map_err(ArchiveError::Read)?;
        let order = layout.order.unwrap_or(ByteOrder::Big);
        let run = |frame: &mut ArchiveFrame<B, D>| {
            self.progress.advance(frame, Stage::Data, true, &mut |bytes| ranks.feed(bytes, order))
        };
        self.reader.run(run).map_err(ArchiveError::from)?;
        self.progress.delivery.end();
        let flow = ranks.outcome.map_err(CallbackError::Callback)?;
        self.progress.state.has_ranks = flow.is_continue();
        Ok(())
    }

    /// Reads all numbers and converts them: `f32` to `f64` exactly, `f64` to `f32` rounded to nearest. Their order is
    /// described at [`ArchiveReader`]. Returns the result of comparing the checksum of the data with the stored one.
    ///
    /// # Errors
    /// [`ArchiveError::Site`] if the length of `numbers` is not [`number_count`](Self::number_count),
    /// [`ArchiveError::SiteList`], [`ArchiveError::Colors`]: nothing of the data is read then. [`ArchiveError::AlreadyRead`];
    /// [`ArchiveError::ByteOrder`]; [`ArchiveError::Read`], which in strict and lenient mode includes a checksum
    /// mismatch.
    pub fn read_into<T: Float>(
        &mut self,
        numbers: &mut [T],
    ) -> Result<D::Verdict, ArchiveError<R::Error, D::ErrorKind>> {
        let layout = self.go_to_data()?;
        let mut into = ReadInto::new(&layout.field(), numbers)?;
        self.progress.begin()?;
        let (mut links, mut fed) = (layout.whole_links(self.progress.state.order), Ok(()));
        let mut each = |bytes: &[u8]| {
            links.feed(bytes, |site| {
                if fed.is_ok() {
                    fed = into.feed(site);
                }
            });
        };
        self.reader.run(|frame| self.progress.deliver(frame, &mut each))?;
        fed?;
        self.proven_verdict(links.order())
    }

    /// Passes each site to a callback, in stored order. The callback may fail or stop (see [`Outcome`]); it is then not
    /// called again, but the rest of the data is still read and verified before this call returns.
    /// [`Site::bytes`] are big-endian, with all rows. Returns the same as [`read_into`](Self::read_into).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::field::{Site, SiteError};
    /// use linkstream::io::ArchiveReader;
    /// # let source = linkstream_example::nersc();
    /// # let source = source.as_slice();
    ///
    /// let (mut buffer, mut trace) = ([0; 4096], 0.0);
    /// let mut archive = ArchiveReader::nersc(source, &mut buffer);
    /// let add = |site: Site<'_>| -> Result<(), SiteError> {
    ///     Ok(trace += site.link(0)?.numbers().step_by(8).sum::<f64>())
    /// };
    /// archive.for_each_site(add)?.require_match()?;
    /// assert_eq!(trace, 3.0);
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The error of the callback, unless the file is invalid; [`ArchiveError::SiteList`] for a file with a site list,
    /// even if it has been read. Otherwise the errors of [`read_into`](Self::read_into).
    pub fn for_each_site<O: Outcome>(
        &mut self,
        each: impl FnMut(Site<'_>) -> O,
    ) -> Passed<D::Verdict, R::Error, D::ErrorKind, O::Error> {
        let layout = self.go_to_data()?;
        if layout.has_list {
            return Err(ArchiveError::SiteList.into());
        }
        self.progress.begin()?;
        let (field, mut positions, mut rank) = (layout.field(), SitePositions::new(layout.extents), 0_u64);
        let (mut links, mut each, mut outcome) =
            (layout.whole_links(self.progress.state.order), until_stopped(each), Ok(()));
        let mut feed = |bytes: &[u8]| {
            links.feed(bytes, |site| {
                if let (Ok(()), Some(position)) = (&outcome, positions.next(rank)) {
                    outcome = each(Site::new(&field, position, site));
                }
                rank.increase(1);
            });
        };
        self.reader.run(|frame| self.progress.deliver(frame, &mut feed)).map_err(ArchiveError::from)?;
        outcome.map_err(CallbackError::Callback)?;
        Ok(self.proven_verdict(links.order())?)
    }

    /// Skips the data by reading and discarding them. Their checksum is not computed: the verdict is `Unchecked`.
    ///
    /// # Errors
    /// [`ArchiveError::AlreadyRead`]; [`ArchiveError::Read`].
    pub fn skip(&mut self) -> Result<(), ArchiveError<R::Error, D::ErrorKind>> {
        self.reader.run(|frame| self.progress.pass(frame, Stage::Data))?;
        self.progress.begin_skip()?;
        self.reader.skip()?;
        Ok(self.reader.run(|frame| self.progress.pass(frame, Stage::Judged))?)
    }

    /// Returns the result of comparing the computed checksum with the stored one. Data that have not been read yet are
    /// read first. Calls that read the data return the same verdict.
    ///
    /// # Errors
    /// The source failed, or the file is invalid. In [`Mode::Strict`] and [`Mode::Lenient`] that includes a checksum
    /// mismatch. [`ReadError::Interrupted`] after a call that has delivered only a part of the data.
    pub fn verdict(&mut self) -> Result<D::Verdict, ReadError<R::Error, D::ErrorKind>> {
        self.progress.delivery.begin()?;
        self.reader.run(|frame| self.progress.pass(frame, Stage::Judged))?;
        self.progress.state.data.final_verdict()
    }

    /// Reads and checks the rest of the file: the data, if they have not been read, and that nothing follows them.
    ///
    /// # Errors
    /// The errors of [`verdict`](Self::verdict).
    pub fn finish(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.progress.delivery.begin()?;
        self.reader.run(|frame| self.progress.pass(frame, Stage::Ended))
    }

    /// Reads the header.
    fn read_header(&mut self) -> Found<R::Error, D::Header, D::ErrorKind> {
        self.reader.run(|frame| self.progress.pass(frame, Stage::Header))?;
        self.decoder().found().ok_or(ReadError::NoProgress)
    }

    /// Reads the header, and refuses links that are too large to be delivered.
    fn deliverable(&mut self) -> Result<Layout, ArchiveError<R::Error, D::ErrorKind>> {
        let (_, layout) = self.read_header()?;
        if layout.is_small() { Ok(layout) } else { Err(ArchiveError::Colors { colors: layout.colors }) }
    }

    /// Goes to the data.
    fn go_to_data(&mut self) -> Result<Layout, ArchiveError<R::Error, D::ErrorKind>> {
        let layout = self.deliverable()?;
        if layout.has_list && !self.progress.state.has_ranks {
            return Err(ArchiveError::SiteList);
        }
        self.reader.run(|frame| self.progress.pass(frame, Stage::Data))?;
        Ok(layout)
    }
}

impl<R: Read + Seek, B: Buffer, D: Archive> ArchiveReader<R, B, D> {
    /// Skips the data by seeking; otherwise as [`skip`](Self::skip). Truncated data are an error, as when they are
    /// read.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::ArchiveReader;
    /// # let source = linkstream_example::Disk::default();
    /// # source.bytes.borrow_mut().extend(linkstream_example::nersc());
    ///
    /// let mut buffer = [0; 64];
    /// let mut archive = ArchiveReader::nersc(source, &mut buffer);
    /// archive.skip_seeking()?;
    /// archive.finish()?;
    /// assert!(!archive.verdict()?.is_match());
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// [`ArchiveError::AlreadyRead`]; [`ArchiveError::Read`].
    pub fn skip_seeking(&mut self) -> Result<(), ArchiveError<R::Error, D::ErrorKind>> {
        self.reader.run(|frame| self.progress.pass(frame, Stage::Data))?;
        self.progress.begin_skip()?;
        self.reader.skip_seeking()?;
        Ok(self.reader.run(|frame| self.progress.pass(frame, Stage::Judged))?)
    }
}
