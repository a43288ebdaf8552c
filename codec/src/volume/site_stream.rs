//! Joining the site list and the data of a volume.
//!
//! Between two calls:
//!
//! | field | invariant |
//! |---|---|
//! | `filled` | number of bytes in `entry`, less than its width; 0 while `rank` is known |
//! | `rank` | the site whose data come next; `None` if an entry must be read before. Global data are site 0, once |
//! | `in_site` | number of its bytes that have come, less than a site has; 0 without `rank` |
//! | `ranks`, `sum` | of complete sites only; `sum` also has the CRC of the bytes of the incomplete one |
//!
//! Each call consumes up to the end of one site, so that a caller sees its rank before any byte of the next one.

use super::entry::EntryWidth;
use super::error::ErrorKind;
use super::tally::{RankSums, SitesRead};
use crate::bytes::prefix;
use crate::counter::{Counter as _, at_most};
use crate::field::{Field, SitePosition};
use crate::lattice::{Coordinates, Extents, Region, Residues, SiteSum};
use crate::state::{self, LoadError, Put, Resumable, Saved, State, Take, resumable};

/// Data of one site.
///
/// ```
/// use linkstream::field::FieldDocuments;
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
/// use linkstream::volume::{EntryWidth, SiteStream};
///
/// let lattice = Extents::new(&[4, 2])?;
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
/// let mut stream = SiteStream::new(&field, EntryWidth::Bits32);
/// let piece = stream.push(&[0, 0, 0, 7], b"ab").piece.ok_or("bytes of a site")?;
/// assert_eq!((piece.rank, piece.offset), (7, 0));
/// let piece = stream.push(&[], b"cd").piece.ok_or("bytes of a site")?;
/// assert_eq!((piece.rank, piece.offset), (7, 2));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct SitePiece {
    /// Rank of the site in the lattice. A damaged list can have ranks outside of it.
    pub rank: u64,
    /// The offset of these bytes in the site.
    pub offset: u64,
}

/// The result of [`SiteStream::push`].
///
/// ```
/// use linkstream::field::FieldDocuments;
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
/// use linkstream::volume::{EntryWidth, SiteStream};
///
/// let lattice = Extents::new(&[4, 2])?;
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
/// let mut stream = SiteStream::new(&field, EntryWidth::Bits32);
/// // The first entry and half of the second, and two bytes of the data.
/// let step = stream.push(&[0, 0, 0, 7, 0, 0], b"ab");
/// assert_eq!((step.list, step.data), (4, 2));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the consumed bytes must not be pushed again"]
#[non_exhaustive]
pub struct SiteStep {
    /// Number of bytes consumed from the list.
    pub list: usize,
    /// Number of bytes consumed from the data, all of one site.
    pub data: usize,
    /// The site of these data. `None` if more bytes are needed: of the list if all of it has been consumed,
    /// otherwise of the data.
    pub piece: Option<SitePiece>,
}

/// Joins the site list of a volume with the data of one of its records, both in chunks of any size. It stores one
/// entry and one CRC, however long the list is.
///
/// Sites of the list that are outside the region of the field have no data and are skipped.
///
/// ```
/// use linkstream::Resumable;
/// use linkstream::field::FieldDocuments;
/// use linkstream::lattice::{Checksum, Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
/// use linkstream::volume::{EntryWidth, SiteStream};
///
/// // The sites of rank 5 and 2, of 4 bytes each, of a lattice of 8 sites.
/// let lattice = Extents::new(&[4, 2])?;
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
/// let (mut list, mut data) = (&[0, 0, 0, 5, 0, 0, 0, 2][..], &b"fivetwo!"[..]);
/// let mut stream = SiteStream::new(&field, EntryWidth::Bits32);
/// let (mut ranks, mut expected) = (Vec::new(), Checksum::default());
/// loop {
///     let step = stream.push(list, data);
///     let Some(piece) = step.piece else { break };
///     ranks.push(piece.rank);
///     expected.add(piece.rank, &data[..step.data]);
///     (list, data) = (&list[step.list..], &data[step.data..]);
/// }
/// let read = stream.sites_read();
/// assert_eq!((ranks, read.sites(), read.checksum()), (vec![5, 2], 2, expected));
/// assert!(stream.fault(data.len() as u64).is_none());
/// // The state is an array of bytes.
/// assert_eq!(SiteStream::load(&stream.save())?.sites_read(), read);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteStream {
    field: Field,
    width: EntryWidth,
    /// The entry that is incomplete.
    entry: [u8; 8],
    filled: u8,
    /// Position of the site whose data come next.
    rank: Option<u64>,
    /// Number of its bytes that have come.
    in_site: u64,
    /// Sums over the complete sites.
    ranks: RankSums,
    sum: SiteSum,
}

resumable!(SiteStream, 15);

impl SiteStream {
    /// A stream for the data of `field` in a volume whose site list has entries of this width.
    #[must_use]
    pub fn new(field: &Field, width: EntryWidth) -> Self {
        // Global data have no entry in the list.
        let rank = if field.region == Region::Global { Some(0) } else { None };
        Self {
            field: *field,
            width,
            entry: [0; 8],
            filled: 0,
            rank,
            in_site: 0,
            ranks: RankSums::default(),
            sum: SiteSum::default(),
        }
    }

    /// Takes bytes from the front of the site list and of the data, up to the end of a site.
    pub fn push(&mut self, list: &[u8], data: &[u8]) -> SiteStep {
        let mut taken = 0_usize;
        let rank = loop {
            if let Some(rank) = self.rank {
                break rank;
            }
            let Some(byte) = list.get(taken) else {
                return SiteStep { list: taken, data: 0, piece: None };
            };
            taken.increase(1);
            // Always inside: an entry has at most 8 bytes, and a complete one is taken at once.
            if let Some(place) = self.entry.get_mut(usize::from(self.filled)) {
                *place = *byte;
            }
            self.filled.increase(1);
            if usize::from(self.filled) == self.width.size() {
                let rank = self.width.rank(prefix(&self.entry, self.width.size()));
                // Sites outside the region have no data: the loop goes on to the next entry.
                self.rank = rank.filter(|rank| self.is_in_region(*rank));
                self.filled = 0;
            }
        };
        let missing = self.field.bytes_per_site.minus(self.in_site);
        let n = at_most(missing, data.len());
        let piece = SitePiece { rank, offset: self.in_site };
        // Only a site without bytes is complete without data.
        if n == 0 && missing > 0 {
            return SiteStep { list: taken, data: 0, piece: None };
        }
        self.sum.piece(prefix(data, n));
        self.in_site.increase(n as u64);
        if n as u64 == missing {
            self.sum.close(Residues::of(rank));
            self.in_site = 0;
            // For global data no entry is accepted from here on (`is_in_region`): they remain one site.
            self.ranks.take(rank);
            self.rank = None;
        }
        SiteStep { list: taken, data: n, piece: Some(piece) }
    }

    fn is_in_region(&self, rank: u64) -> bool {
        match &self.field.region {
            Region::Hypercube(cube) => {
                self.field.extents.coordinates(rank).is_some_and(|site| cube.contains(&site))
            }
            Region::Lattice => true,
            Region::Global => false,
        }
    }

    /// The complete sites, for a [`Tally`](super::Tally).
    ///
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    /// use linkstream::volume::{EntryWidth, SiteStream};
    ///
    /// let lattice = Extents::new(&[4, 2])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
    /// let mut stream = SiteStream::new(&field, EntryWidth::Bits32);
    /// assert_eq!(stream.push(&[0, 0, 0, 5], b"five").data, 4);
    /// assert_eq!(stream.sites_read().sites(), 1);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn sites_read(&self) -> SitesRead {
        SitesRead { ranks: self.ranks, checksum: self.sum.sum() }
    }

    /// The error at the end of the streams, after all of the list has been pushed; `unread` is the number of bytes
    /// of the data that have not been pushed.
    #[must_use]
    pub fn fault(&self, unread: u64) -> Option<ErrorKind> {
        // The first bytes of an entry list a site without data, too.
        let waits = self.rank.is_some() || self.filled > 0;
        // Of sites without bytes, any number fits.
        let stored =
            self.field.record.length.checked_div(self.field.bytes_per_site).unwrap_or(self.ranks.count);
        // The entry whose data are missing is listed, too.
        let listed = self.ranks.count.saturating_add(u64::from(waits));
        (waits || unread > 0).then_some(ErrorKind::DataSites { stored, listed })
    }
}

impl Resumable for SiteStream {
    type Saved<S> = S;

    fn save(&self) -> State<Self> {
        state::seal(self)
    }

    fn save_into(&self, to: &mut Self::Bytes) {
        state::seal_into(self, to);
    }

    fn load(saved: &State<Self>) -> Result<Self, LoadError> {
        state::load(saved, |stream: &Self| {
            let size = stream.field.bytes_per_site;
            let in_site = stream.in_site == 0 || (stream.in_site < size && stream.rank.is_some());
            let in_entry = stream.filled == 0 || stream.rank.is_none();
            in_site && in_entry && usize::from(stream.filled) < stream.width.size()
        })
    }
}

impl Saved for SiteStream {
    const SIZE: usize = Field::SIZE
        .saturating_add(EntryWidth::SIZE)
        .saturating_add(8 + 1 + 9 + 8)
        .saturating_add(RankSums::SIZE)
        .saturating_add(SiteSum::SIZE);

    fn put(&self, to: &mut Put<'_>) {
        let Self { field, width, entry, filled, rank, in_site, ranks, sum } = self;
        to.put(field);
        to.put(width);
        to.bytes(entry);
        to.put(filled);
        to.put(rank);
        to.put(in_site);
        to.put(ranks);
        to.put(sum);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        Some(Self {
            field: from.take()?,
            width: from.take()?,
            entry: from.array()?,
            filled: from.take()?,
            rank: from.take()?,
            in_site: from.take()?,
            ranks: from.take()?,
            sum: from.take()?,
        })
    }
}

/// Positions of sites in any order. A step to a slightly larger rank, as in most site lists, needs no division.
#[derive(Debug, Clone)]
pub(crate) struct SitePositions {
    extents: Extents,
    /// The number of sites of the lattice.
    all: u64,
    /// Position of the last site.
    rank: u64,
    coordinates: Coordinates,
    /// Number of sites so far.
    count: u64,
}

impl SitePositions {
    pub(crate) fn new(extents: Extents) -> Self {
        let coordinates = extents.coordinates(0).unwrap_or(Coordinates::EMPTY);
        Self { extents, all: extents.sites(), rank: 0, coordinates, count: 0 }
    }

    /// Sets the index of the next site.
    #[inline]
    pub(crate) const fn go_to(&mut self, index: u64) {
        self.count = index;
    }

    /// The position of the next site, which has this rank. `None` if the lattice has no such site; it is counted
    /// nevertheless.
    #[inline]
    pub(crate) fn next(&mut self, rank: u64) -> Option<SitePosition<'_>> {
        let index = self.count;
        self.count.increase(1);
        let row = self.extents.as_slice().first().copied().unwrap_or(0);
        // `advance` carries at most into the next row; a larger step needs the divisions of `coordinates`.
        let ahead = rank.checked_sub(self.rank).filter(|ahead| *ahead <= u64::from(row));
        match ahead.filter(|_| rank < self.all) {
            Some(ahead) => self.coordinates.advance(ahead as u32, &self.extents),
            None => self.coordinates = self.extents.coordinates(rank)?,
        }
        self.rank = rank;
        Some(SitePosition { rank, index, coordinates: &self.coordinates })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_ranks_in_any_order() {
        let extents = Extents::new(&[3, 2, 2]).unwrap();
        let mut positions = SitePositions::new(extents);
        for (index, rank) in [0, 1, 2, 3, 5, 8, 11, 0, 0, 7, 8, 5, 9, 11].into_iter().enumerate() {
            let position = positions.next(rank).unwrap();
            assert_eq!((position.rank, position.index), (rank, index as u64));
            assert_eq!(Some(*position.coordinates), extents.coordinates(rank), "rank {rank}");
        }
        assert!(positions.next(12).is_none());
        assert_eq!(positions.next(11).map(|position| position.index), Some(15));
        let mut last = SitePositions::new(extents);
        assert_eq!(last.next(11).map(|position| *position.coordinates), extents.coordinates(11));
    }
}
