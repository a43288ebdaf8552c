//! The reader of one volume of a file set.

use core::ops::Range;
use core::task::Poll;

use embedded_io::{Read, Seek};

use super::jobs::{Join, Need, Ranks, VolumeError, VolumeFrame};
use crate::callback::{CallbackError, Outcome};
use crate::field::{Field, Site};
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::frame::Job;
use crate::io::reader::PositionedRead;
use crate::limits::Limits;
use crate::volume::{Decoder, ErrorKind, Event, SitesRead};

/// `T`, or an error of the volume or of a callback.
type Run<T, E, C> = Result<T, CallbackError<VolumeError<E>, C>>;

/// Reads a volume from a source that can seek. The site list is read a second time together with the data, so that
/// memory use does not depend on its length. A pipe is therefore not enough. The caller provides two buffers: one for a
/// part of the list, and one that must hold at least one site.
///
/// The volumes of a file set are read one after the other: the first volume, which describes the fields, before all
/// others, which can be in any order. For each of the others the decoder must be given the fields, with
/// [`Decoder::expect_field`] or [`Decoder::expect_no_field`]; their data are refused otherwise, except in
/// [`Mode::Survey`](crate::Mode::Survey). A volume has no checksum of its own: the verdict on a field comes from the
/// [`Tally`](crate::volume::Tally) of all volumes.
///
/// ```
/// use linkstream::Mode;
/// use linkstream::io::VolumeReader;
/// use linkstream::volume::{Decoder, Event, Tally};
/// # fn read(files: [linkstream_example::Disk; 2]) -> Result<(), Box<dyn core::error::Error>> {
/// let mut fields = Vec::new();
/// for file in files {
///     let (mut list, mut buffer) = ([0; 512], [0; 4096]);
///     let mut volume = VolumeReader::new(file, &mut list, &mut buffer, Decoder::new(Mode::Strict));
///     let (mut number, is_first) = (0, fields.is_empty());
///     match fields.first() {
///         Some((field, _, _)) => volume.decoder_mut().expect_field(field),
///         None => volume.decoder_mut().expect_no_field(),
///     }
///     while let Some(event) = volume.next()? {
///         match (event, volume.decoder().field().copied()) {
///             (Event::Field, Some(field)) => {
///                 if is_first {
///                     fields.push((field, Tally::new(&field), None));
///                 }
///                 // Each site with its rank, in the order of the list.
///                 let read = volume.for_each_site(|site| println!("{}: {:?}", site.rank(), site.bytes()))?;
///                 if let Some((_, tally, _)) = fields.get_mut(number) {
///                     tally.add(read);
///                 }
///                 number += 1;
///             }
///             (Event::Checksum, _) => {
///                 if let Some((_, _, stored)) = fields.last_mut() {
///                     *stored = Some(volume.decoder().content().stored_checksum().clone());
///                 }
///             }
///             (Event::End, _) if !is_first => {
///                 if let Some((field, _, _)) = fields.get(number).filter(|_| number > 0) {
///                     volume.decoder_mut().expect_field(field);
///                 }
///             }
///             _ => {}
///         }
///     }
///     volume.for_each_rank(|rank| println!("site {rank}"))?;
/// }
/// for (_, tally, stored) in &fields {
///     assert!(stored.as_ref().is_some_and(|stored| tally.verdict(stored).is_match()));
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug)]
pub struct VolumeReader<R, L, B> {
    source: PositionedRead<R>,
    frame: VolumeFrame<L, B>,
}

impl<R, L: Buffer, B: Buffer> VolumeReader<R, L, B> {
    /// A reader of a volume. Byte 0 of the source must be byte 0 of the volume.
    pub const fn new(source: R, list: L, buffer: B, decoder: Decoder) -> Self {
        Self { source: PositionedRead::new(source), frame: VolumeFrame::new(list, buffer, decoder) }
    }

    /// Sets the limit for the sizes in [`ReadError::TooSmall`]. If a call needs more, the error is
    /// [`ReadError::Limit`]. Without it, the limit is the length of the volume.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.frame.limits = Some(limits);
        self
    }

    /// The decoder, which holds the current record and field, and the position of the site list.
    pub const fn decoder(&self) -> &Decoder {
        &self.frame.decoder
    }

    /// The decoder, for [`Decoder::expect_field`] and [`Decoder::expect_no_field`]. Do not push input to it through
    /// this reference.
    pub const fn decoder_mut(&mut self) -> &mut Decoder {
        &mut self.frame.decoder
    }

    /// Returns the source and the decoder; the position of the source is unspecified.
    pub fn into_parts(self) -> (R, Decoder) {
        (self.source.into_inner(), self.frame.decoder)
    }
}

impl<R: Read + Seek, L: Buffer, B: Buffer> VolumeReader<R, L, B> {
    /// Returns the next event; `None` at the end of the volume. Data that were not read with
    /// [`for_each_site`](Self::for_each_site) are skipped.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    #[allow(clippy::should_implement_trait, reason = "an iterator could not lend the decoder")]
    pub fn next(&mut self) -> Result<Option<Event>, VolumeError<R::Error>> {
        let event = self.run(VolumeFrame::next)?;
        self.frame.delivery.end();
        Ok(event)
    }

    /// Passes each site of the field that has just begun to the callback, in the order of the site list;
    /// [`Site::index`] counts the sites of this volume. Returns their number and their checksum. Sites whose rank is
    /// outside the lattice are counted, but not passed; [`SiteAccount`](crate::volume::SiteAccount) reports them.
    ///
    /// # Errors
    /// The source failed, or ends inside the data; the data have another number of sites than the list; the buffer
    /// is smaller than a site ([`ReadError::TooSmall`], or [`ReadError::Limit`] if the site is also above the limit);
    /// or the callback failed. [`ReadError::Interrupted`] if an earlier call for these data has failed or was dropped
    /// after it had passed sites: `for_each_site_of` can pass all of them again.
    pub fn for_each_site<O: Outcome>(
        &mut self,
        each: impl FnMut(Site<'_>) -> O,
    ) -> Run<SitesRead, R::Error, O::Error> {
        let field = self.frame.field()?;
        self.limit(&field)?;
        let mut join = Join::new(&mut self.frame, &field, true, each)?;
        let joined = self.run(|frame| join.run(frame))?.map_err(CallbackError::Callback)?;
        self.frame.pass_joined(&joined)?;
        Ok(joined.result(&field).map_err(ReadError::from)?)
    }

    /// The same for an earlier field, whose data in this volume are in `field.record`: for programs that read the
    /// records first and the data later. If the data are truncated, fewer sites are passed. The position of the
    /// decoder does not change.
    ///
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream::io::VolumeReader;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    /// use linkstream::volume::{Decoder, Event};
    /// use linkstream::{Mode, lime::Header};
    /// # fn read(source: linkstream_example::Disk) -> Result<(), Box<dyn core::error::Error>> {
    /// let lattice = Extents::new(&[4, 2])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
    /// let (mut list, mut buffer, mut found) = ([0; 64], [0; 512], Vec::new());
    /// let mut volume = VolumeReader::new(source, &mut list, &mut buffer, Decoder::new(Mode::Strict));
    /// volume.decoder_mut().expect_field(&field);
    /// while let Some(event) = volume.next()? {
    ///     found.extend(volume.decoder().field().filter(|_| event == Event::Field).copied());
    /// }
    /// for field in &found {
    ///     let read = volume.for_each_site_of(field, |site| println!("{}: {:?}", site.rank(), site.bytes()))?;
    ///     println!("{} sites", read.sites());
    /// }
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The errors of [`for_each_site`](Self::for_each_site).
    pub fn for_each_site_of<O: Outcome>(
        &mut self,
        field: &Field,
        each: impl FnMut(Site<'_>) -> O,
    ) -> Run<SitesRead, R::Error, O::Error> {
        self.limit(field)?;
        let mut join = Join::new(&mut self.frame, field, false, each)?;
        let joined = self.run(|frame| join.run(frame))?.map_err(CallbackError::Callback)?;
        Ok(joined.result(field).map_err(ReadError::from)?)
    }

    /// Passes the sites of a part of the list to the callback: its entries `entries`, counted from 0. The first
    /// of them that has data has the index `first` in the data of this volume: for a field on the whole lattice the
    /// number of the first entry, for a field on a hypercube the number of entries before it that lie in it. Neither the
    /// list nor the data before the part are read. For several processes that read one volume, and for programs that
    /// know the order of the sites, from a [`Mesh`](crate::volume::Mesh) for example.
    ///
    /// The ranks come from the file, so that a list in another order is noticed. [`Site::index`] is the index in the
    /// data of this volume. A [`Tally`](crate::volume::Tally) of the parts of all processes gives the verdict.
    ///
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream::io::VolumeReader;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    /// use linkstream::volume::{Decoder, Event};
    /// use linkstream::{Mode, lime::Header};
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    ///
    /// // A volume with the sites of rank 1, 3 and 6, and 4 bytes for each.
    /// let (list, data) = ([0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 6, 0, 0, 0, 0], b"1st.2nd.3rd.\0\0\0\0");
    /// let headers = [Header::new(b"scidac-sitelist", 12, true, true)?, Header::new(b"scidac-binary-data", 12, true, true)?];
    /// let file = [&headers[0].as_bytes()[..], &list, headers[1].as_bytes(), data].concat();
    /// let lattice = Extents::new(&[4, 2])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
    ///
    /// let disk = linkstream_example::Disk::default();
    /// disk.bytes.borrow_mut().extend_from_slice(&file);
    /// let (mut list, mut buffer, mut found) = ([0; 64], [0; 512], Vec::new());
    /// let mut volume = VolumeReader::new(disk, &mut list, &mut buffer, Decoder::new(Mode::Strict));
    /// volume.decoder_mut().expect_field(&field);
    /// while volume.next()? != Some(Event::Field) {}
    /// let field = volume.decoder().field().copied().ok_or("a field")?;
    /// volume.for_each_site_in(&field, 1..3, 1, |site| found.push((site.rank(), site.index(), site.bytes().to_vec())))?;
    /// assert_eq!(found, [(3, 1, b"2nd.".to_vec()), (6, 2, b"3rd.".to_vec())]);
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The errors of [`for_each_site_of`](Self::for_each_site_of); [`Misuse::Outside`](crate::Misuse::Outside) if the list or the data
    /// have fewer sites.
    pub fn for_each_site_in<O: Outcome>(
        &mut self,
        field: &Field,
        entries: Range<u64>,
        first: u64,
        each: impl FnMut(Site<'_>) -> O,
    ) -> Run<SitesRead, R::Error, O::Error> {
        self.limit(field)?;
        let mut join = Join::part(&mut self.frame, field, entries, first, each)?;
        let joined = self.run(|frame| join.run(frame))?.map_err(CallbackError::Callback)?;
        Ok(joined.result(field).map_err(ReadError::from)?)
    }

    /// Passes the rank of each site of the list to the callback, once the list is known. A damaged list can have ranks
    /// outside the lattice, which are passed, too.
    ///
    /// # Errors
    /// The source failed, or ends inside the list; there is no list ([`ReadError::NotOpen`]); or the callback
    /// failed.
    pub fn for_each_rank<O: Outcome>(&mut self, each: impl FnMut(u64) -> O) -> Run<(), R::Error, O::Error> {
        let mut ranks = Ranks::new(&mut self.frame, each)?;
        self.run(|frame| ranks.run(frame))?.map_err(CallbackError::Callback)
    }
}

impl<R: Read + Seek, L: Buffer, B: Buffer> VolumeReader<R, L, B> {
    /// Sets the limit to the length of the source, unless there is one, or the buffer holds a site of the field.
    fn limit(&mut self, field: &Field) -> Result<(), VolumeError<R::Error>> {
        if self.frame.limits.is_none() && self.frame.site_size(field).is_none() {
            let end = self.source.end().map_err(ReadError::Io)?;
            self.frame.limits = Some(Limits::source(end));
        }
        Ok(())
    }

    /// Runs a job to its end, and reads from the source when it needs input.
    fn run<T>(
        &mut self,
        mut job: impl FnMut(&mut VolumeFrame<L, B>) -> Job<T, R::Error, ErrorKind>,
    ) -> Result<T, VolumeError<R::Error>> {
        self.frame.begin();
        loop {
            if let Poll::Ready(done) = job(&mut self.frame) {
                return done;
            }
            if let Need::End = self.frame.need {
                let end = self.source.end().map_err(ReadError::Io)?;
                self.frame.end = Some(end);
                continue;
            }
            let (at, room) = self.frame.room()?;
            let n = self.source.fill(at, room).map_err(ReadError::Io)?;
            self.frame.filled(n);
        }
    }
}
