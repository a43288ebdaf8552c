//! Checks of a file set: it has its volumes, and each site of the lattice is in one of them.
//!
//! # Invariants of an account
//! | field | holds | changes |
//! |---|---|---|
//! | `sums` | sums over the entries inside the lattice, of all lists. They equal `whole` if each site came once | with each entry |
//! | `map` | a bit for each site that came; the bits after the last site stay clear | with each entry |
//! | `wrong` | entries that are outside or repeated, of all lists; without a map, only a repetition of the entry before is seen | with the entry |
//! | `volume` | of the current list: number of entries, the last one, the first one with each fault, and their numbers | cleared by `begin_volume` |

use super::decoder::VolumeKind;
use super::entry::EntryWidth;
use super::error::ErrorKind;
use super::tally::RankSums;
use crate::counter::Counter as _;
use crate::error::Error;
use crate::lattice::{Extents, Region};
use crate::lime::{HEADER_LEN, Record};
use crate::scidac::VolumeFormat;

/// The buffer is too small: it must have one bit for each site.
///
/// ```
/// use linkstream::lattice::Extents;
/// use linkstream::volume::SiteAccount;
///
/// let account = SiteAccount::with_map(&Extents::new(&[4, 5])?, &mut [0; 2]).err();
/// assert_eq!(account.map(|error| error.needed), Some(3));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct MapTooSmall {
    /// The required length in bytes. A claim of the file: see [`Limits::check`](crate::Limits::check).
    pub needed: u64,
}

impl core::fmt::Display for MapTooSmall {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the buffer is too small: one bit for each site takes {} bytes", self.needed)
    }
}

impl core::error::Error for MapTooSmall {}

/// Checks that the volumes of a file set contain each site of the lattice once: finds sites that are missing, repeated
/// or outside the lattice.
///
/// With a buffer of one bit per site, every such site is found. Without it, repeated sites are found in ascending
/// lists; otherwise the number of ranks, their sum and the sum of their squares are compared with the values
/// of the lattice.
///
/// ```
/// use linkstream::lattice::Extents;
/// use linkstream::lime::Record;
/// use linkstream::volume::{EntryWidth, ErrorKind, SiteAccount};
///
/// let mut map = [0; 1];
/// let mut account = SiteAccount::with_map(&Extents::new(&[4, 2])?, &mut map)?;
/// for ranks in [[0, 1, 4, 5], [2, 3, 6, 6]] {
///     account.begin_volume();
///     ranks.into_iter().for_each(|rank| account.take(rank));
///     for finding in account.end_volume(&Record::default(), EntryWidth::Bits32, true) {
///         // The error has the offset of the last entry.
///         assert_eq!(finding.kind, ErrorKind::SiteRepeated { rank: 6, count: 1 });
///         assert_eq!(finding.at, 144 + 3 * 4);
///     }
/// }
/// assert_eq!(account.sites(), 8);
/// assert_eq!(account.end(), Some(ErrorKind::SitesMissing { count: Some(1), first: Some(7) }));
/// // The same without a map: the sums show that the sites are not complete.
/// let mut account = SiteAccount::new(&Extents::new(&[4, 2])?);
/// account.begin_volume();
/// [0, 1, 4, 5, 2, 3, 6, 6].into_iter().for_each(|rank| account.take(rank));
/// assert_eq!(account.end(), Some(ErrorKind::SitesMissing { count: None, first: None }));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SiteAccount<'m> {
    /// Number of sites of the lattice.
    all: u64,
    map: Option<&'m mut [u8]>,
    /// Sums over the entries inside the lattice of all volumes, and sums over all sites of the lattice.
    sums: RankSums,
    whole: RankSums,
    /// Number of entries of all volumes that are outside the lattice or repeated.
    wrong: u64,
    volume: Volume,
}

/// The entries of the current volume seen so far.
#[derive(Debug, Clone, Copy, Default)]
struct Volume {
    entries: u64,
    last: Option<u64>,
    unordered: Option<Place>,
    outside: Option<Place>,
    outside_count: u64,
    repeated: Option<Place>,
    repeated_count: u64,
}

/// An entry of the list.
#[derive(Debug, Clone, Copy)]
struct Place {
    index: u64,
    rank: u64,
}

impl<'m> SiteAccount<'m> {
    /// The length in bytes of the buffer for [`with_map`](Self::with_map).
    ///
    /// ```
    /// use linkstream::{lattice::Extents, volume::SiteAccount};
    ///
    /// assert_eq!(SiteAccount::map_length(&Extents::new(&[4, 5])?), 3);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn map_length(lattice: &Extents) -> u64 {
        lattice.sites().div_ceil(8)
    }

    /// An account without a buffer.
    #[must_use]
    pub fn new(lattice: &Extents) -> Self {
        Self {
            all: lattice.sites(),
            map: None,
            sums: RankSums::default(),
            whole: RankSums::of(&Region::Lattice, lattice),
            wrong: 0,
            volume: Volume::default(),
        }
    }

    /// An account with a buffer of one bit for each site.
    ///
    /// # Errors
    /// [`MapTooSmall`], with the required length.
    pub fn with_map(lattice: &Extents, map: &'m mut [u8]) -> Result<Self, MapTooSmall> {
        let needed = Self::map_length(lattice);
        if (map.len() as u64) < needed {
            return Err(MapTooSmall { needed });
        }
        map.fill(0);
        Ok(Self { map: Some(map), ..Self::new(lattice) })
    }

    /// Begins the site list of another volume.
    pub fn begin_volume(&mut self) {
        self.volume = Volume::default();
    }

    /// Takes the next entry of the current site list.
    pub fn take(&mut self, rank: u64) {
        let place = Place { index: self.volume.entries, rank };
        self.volume.entries = self.volume.entries.saturating_add(1);
        let repeats_last = self.volume.last == Some(rank);
        if self.volume.last.is_some_and(|last| last > rank) {
            self.volume.unordered = self.volume.unordered.or(Some(place));
        }
        self.volume.last = Some(rank);
        if rank >= self.all {
            self.volume.outside = self.volume.outside.or(Some(place));
            self.volume.outside_count = self.volume.outside_count.saturating_add(1);
            self.wrong = self.wrong.saturating_add(1);
            return;
        }
        self.sums.take(rank);
        // Without a map, only a repetition of the previous entry is certain here. The sums show the others at the end.
        if self.is_marked(rank) || (self.map.is_none() && repeats_last) {
            self.volume.repeated = self.volume.repeated.or(Some(place));
            self.volume.repeated_count = self.volume.repeated_count.saturating_add(1);
            self.wrong = self.wrong.saturating_add(1);
        }
    }

    /// Marks a site; returns whether it was marked before.
    fn is_marked(&mut self, rank: u64) -> bool {
        let bit = 1_u8 << (rank % 8);
        let byte = usize::try_from(rank / 8).ok();
        let Some(byte) = self.map.as_mut().and_then(|map| map.get_mut(byte?)) else { return false };
        let was = *byte & bit != 0;
        *byte |= bit;
        was
    }

    /// Ends the current site list, and returns its errors, at most one each about sites outside the lattice, repeated
    /// sites and the order. `list` is the record of the site list and `width` the width of its entries. The list of a
    /// partition must be in ascending order.
    pub fn end_volume(
        &self,
        list: &Record,
        width: EntryWidth,
        is_partition: bool,
    ) -> impl Iterator<Item = Error<ErrorKind>> + use<> {
        let volume = self.volume;
        let at = list.offset.saturating_add(HEADER_LEN as u64);
        let error = move |place: Place, kind| {
            Error::new(at.saturating_add(place.index.saturating_mul(width.size() as u64)), kind)
        };
        let all = self.all;
        let outside = volume.outside.map(|place| {
            let kind = ErrorKind::SiteOutside { rank: place.rank, sites: all, count: volume.outside_count };
            error(place, kind)
        });
        // A volume without any new site is a copy of another volume, and is reported as such.
        let is_surplus = volume.repeated_count == volume.entries;
        let repeated = volume.repeated.map(|place| {
            let (rank, count) = (place.rank, volume.repeated_count);
            error(
                place,
                if is_surplus { ErrorKind::Surplus } else { ErrorKind::SiteRepeated { rank, count } },
            )
        });
        let unordered = volume.unordered.filter(|_| is_partition);
        let unordered = unordered.map(|place| error(place, ErrorKind::SitesUnordered { rank: place.rank }));
        [outside, repeated, unordered].into_iter().flatten()
    }

    /// Number of entries of all lists that are inside the lattice.
    #[must_use]
    pub const fn sites(&self) -> u64 {
        self.sums.count
    }

    /// The error of the whole set, after the lists of all volumes.
    #[must_use]
    pub fn end(&self) -> Option<ErrorKind> {
        if let Some(map) = &self.map {
            let distinct = map.iter().fold(0_u64, |n, byte| n.plus(u64::from(byte.count_ones())));
            // If no site is missing, entries that came twice were reported with their lists.
            let count = self.all.checked_sub(distinct).filter(|missing| *missing > 0)?;
            // All entries were right, so whole volumes are missing, not single sites.
            if self.wrong == 0 {
                return Some(ErrorKind::Missing { count });
            }
            // The unused bits of the last byte come after all sites, so they are never the first gap.
            let first = map.iter().position(|byte| *byte != 0xff);
            let first = first.and_then(|index| {
                let bits = map.get(index)?.trailing_ones();
                Some((index as u64).times(8).plus(u64::from(bits)))
            });
            return Some(ErrorKind::SitesMissing { count: Some(count), first });
        }
        if self.sums.count < self.all && self.wrong == 0 {
            return Some(ErrorKind::Missing { count: self.all.minus(self.sums.count) });
        }
        let agrees = self.sums == self.whole;
        (!agrees).then_some(ErrorKind::SitesMissing { count: None, first: None })
    }
}

/// Checks that one volume of a set is the first one, and that it has the lowest number.
///
/// ```
/// use linkstream::scidac::VolumeFormat;
/// use linkstream::volume::{ErrorKind, Members, VolumeKind};
///
/// let mut members = Members::new();
/// assert_eq!(members.add(0, VolumeKind::First, Some(VolumeFormat::Partition)), None);
/// assert_eq!(members.add(2, VolumeKind::Other, None), None);
/// assert_eq!(members.end(), None);
/// assert_eq!(members.add(3, VolumeKind::First, Some(VolumeFormat::Partition)), Some(ErrorKind::FirstRepeated));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Members {
    lowest: Option<u64>,
    first: Option<u64>,
    format: Option<VolumeFormat>,
}

impl Members {
    /// A set without volumes.
    #[must_use]
    pub const fn new() -> Self {
        Self { lowest: None, first: None, format: None }
    }

    /// Adds a volume with this number and kind, and with the format from its file document if it has one. Returns an
    /// error if it does not fit the volumes added before.
    pub fn add(&mut self, number: u64, kind: VolumeKind, format: Option<VolumeFormat>) -> Option<ErrorKind> {
        self.lowest = Some(self.lowest.map_or(number, |lowest| lowest.min(number)));
        if kind == VolumeKind::Other {
            return None;
        }
        if self.first.is_none() {
            (self.first, self.format) = (Some(number), format);
            None
        } else if self.format != format {
            Some(ErrorKind::FormatMixed)
        } else {
            Some(ErrorKind::FirstRepeated)
        }
    }

    /// The error of the whole set, after all volumes have been added.
    #[must_use]
    pub fn end(&self) -> Option<ErrorKind> {
        match self.first {
            None => Some(ErrorKind::FirstMissing),
            Some(number) if self.lowest != Some(number) => Some(ErrorKind::FirstMisplaced { number }),
            Some(_) => None,
        }
    }
}
