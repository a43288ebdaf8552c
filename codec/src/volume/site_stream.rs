//! The site list and the data of a record, joined: each site gets its rank.

use super::entry::EntryWidth;
use super::error::ErrorKind;
use super::rank_sums::RankSums;
use super::tally::SitesRead;
use crate::bytes::prefix;
use crate::counter::{Counter as _, at_most};
use crate::field::Field;
use crate::lattice::{Checksum, Region, Residues, SiteSum};
use crate::state::{self, LoadError, Put, Saved, State, Take, resumable};

/// Data of one site.
///
/// ```
/// let piece = linkstream::volume::SitePiece { rank: 7, offset: 0 };
/// assert_eq!(piece.rank, 7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SitePiece {
    /// Rank of the site in the lattice.
    pub rank: u64,
    /// The offset of these bytes in the site.
    pub offset: u64,
}

/// The result of [`SiteStream::push`].
///
/// ```
/// use linkstream::volume::SiteStep;
///
/// let step = SiteStep { list: 4, data: 0, piece: None };
/// assert!(step.piece.is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the consumed bytes must not be pushed again"]
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
/// use linkstream::field::FieldDocuments;
/// use linkstream::lattice::{Checksum, Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
/// use linkstream::volume::{EntryWidth, SiteStream};
///
/// // Sites of 4 bytes: those of rank 5 and 2 of a lattice of 8 sites.
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
/// assert_eq!((ranks, stream.sites(), stream.checksum()), (vec![5, 2], 2, expected));
/// assert!(stream.fault(data.len() as u64).is_none());
/// // The state is an array of bytes.
/// assert_eq!(SiteStream::load(&stream.save())?.sites(), 2);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteStream {
    field: Field,
    width: EntryWidth,
    /// The entry that is incomplete.
    entry: [u8; 8],
    filled: u8,
    /// Of the site whose data come next.
    rank: Option<u64>,
    /// Bytes of it that have come.
    in_site: u64,
    /// Of complete sites.
    ranks: RankSums,
    sum: SiteSum,
}

resumable!(SiteStream, 15);

impl SiteStream {
    /// A stream for the data of `field` in a volume whose site list has entries of this width.
    #[must_use]
    pub fn new(field: &Field, width: EntryWidth) -> Self {
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
            if let Some(place) = self.entry.get_mut(usize::from(self.filled)) {
                *place = *byte;
            }
            self.filled.increase(1);
            if usize::from(self.filled) == self.width.bytes() {
                let rank = self.width.rank(prefix(&self.entry, self.width.bytes()));
                self.rank = rank.filter(|rank| self.is_in_region(*rank));
                self.filled = 0;
            }
        };
        let missing = self.field.bytes_per_site.minus(self.in_site);
        let n = at_most(missing, data.len());
        let piece = SitePiece { rank, offset: self.in_site };
        if n == 0 && missing > 0 {
            return SiteStep { list: taken, data: 0, piece: None };
        }
        self.sum.piece(prefix(data, n));
        self.in_site.increase(n as u64);
        if n as u64 == missing {
            self.sum.close(Residues::of(rank));
            self.in_site = 0;
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

    /// The number of complete sites.
    #[must_use]
    pub const fn sites(&self) -> u64 {
        self.ranks.count
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
    /// let _ = stream.push(&[0, 0, 0, 5], b"five");
    /// assert_eq!((stream.sites_read().sites(), stream.sites_read().checksum()), (1, stream.checksum()));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn sites_read(&self) -> SitesRead {
        SitesRead { ranks: self.ranks, checksum: self.sum.sum() }
    }

    /// The checksum of the complete sites.
    #[must_use]
    pub const fn checksum(&self) -> Checksum {
        self.sum.sum()
    }

    /// The error at the end of the streams, after all of the list has been pushed; `unread` is the number of bytes
    /// of the data that have not been pushed.
    #[must_use]
    pub fn fault(&self, unread: u64) -> Option<ErrorKind> {
        let waits = self.rank.is_some();
        let stored =
            self.field.record.length.checked_div(self.field.bytes_per_site).unwrap_or(self.ranks.count);
        let listed = self.ranks.count.saturating_add(u64::from(waits));
        (waits || unread > 0).then_some(ErrorKind::DataSites { stored, listed })
    }

    /// Saves the state, to be stored or passed to another process. Restore it with `load`.
    #[must_use]
    pub fn save(&self) -> State<Self> {
        state::seal(self)
    }

    /// Restores a state from [`SiteStream::save`].
    ///
    /// # Errors
    /// [`LoadError::Inconsistent`]: the fields contradict each other.
    pub fn load(saved: &State<Self>) -> Result<Self, LoadError> {
        state::load(saved, |stream: &Self| {
            let size = stream.field.bytes_per_site;
            let in_site = stream.in_site == 0 || (stream.in_site < size && stream.rank.is_some());
            let in_entry = stream.filled == 0 || stream.rank.is_none();
            in_site && in_entry && usize::from(stream.filled) < stream.width.bytes()
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
