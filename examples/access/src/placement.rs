//! The places of the data of a field, and the reading of whole sites from there.

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use linkstream::field::Field;
use linkstream::lattice::{ByteOrder, SiteOrder};
use linkstream::milc::{self, HEADER_LEN, SITE_LEN};
use linkstream::nersc::{LinkFormat, StoredRows};
use linkstream::volume::SiteAccount;
use linkstream_memory as memory;

use crate::archive::Shape;
use crate::broken::Broken;
use crate::changed::{Changed, blame};
use crate::error::Error;
use crate::open_qcd::Geometry;
use crate::set::{Joined, Places, SetBytes, SetFault};
use crate::source::{SharedSource, fill};
use crate::sums::Partial;

/// A set that is open.
pub(crate) type OpenedSet = Joined<'static, io::Error>;

/// Places of the data of a field.
pub(crate) enum Placement {
    /// In one place, as in a LIME file.
    Contiguous { source: SharedSource<'static, io::Error>, start: u64 },
    /// In the volumes of a file set. `number` is the index of the field in it.
    Set { set: Arc<OpenedSet>, number: usize, places: OnceLock<Places> },
    /// In an archive, in the order of the sites.
    Links { source: SharedSource<'static, io::Error>, start: u64, order: Mutex<ByteOrder>, shape: Shape },
    /// In a configuration of openQCD. The slices that were read last are kept.
    OpenQcd {
        source: SharedSource<'static, io::Error>,
        geometry: Geometry,
        slices: Mutex<Vec<(usize, Arc<Vec<u8>>)>>,
    },
    /// In an archive with a list of sites. `stored` is the field as it is stored.
    Listed {
        source: SharedSource<'static, io::Error>,
        shape: Shape,
        stored: Box<Field>,
        places: OnceLock<Places>,
    },
}

/// A placement that is ready for reading.
pub(crate) enum Ready<'p> {
    Contiguous { source: &'p SharedSource<'static, io::Error>, start: u64 },
    Set(SetBytes<'p, io::Error>),
    Links { source: &'p SharedSource<'static, io::Error>, start: u64, format: LinkFormat },
    Listed(SetBytes<'p, io::Error>, ByteOrder),
    OpenQcd(&'p Placement, Geometry),
}

/// Memory of a thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch(Vec<u8>);

impl Placement {
    pub(crate) fn of_archive(
        source: SharedSource<'static, io::Error>,
        shape: Shape,
        order: ByteOrder,
    ) -> Self {
        if shape.has_site_list {
            let mut stored = shape.field();
            stored.bytes_per_site = SITE_LEN as u64;
            return Self::Listed { source, shape, stored: Box::new(stored), places: OnceLock::new() };
        }
        Self::Links { source, start: shape.data_at, order: Mutex::new(order), shape }
    }

    /// Offset and byte order of the data, if they are in one place of one file as their array has them.
    pub(crate) fn contiguous(&self) -> Option<(u64, ByteOrder)> {
        match self {
            Self::Contiguous { start, .. } => Some((*start, ByteOrder::Big)),
            Self::Links { start, order, shape, .. } if shape.rows == StoredRows::Full => {
                Some((*start, locked(order)))
            }
            _ => None,
        }
    }

    /// True if the file states the byte order of its numbers.
    pub(crate) const fn has_order(&self) -> bool {
        match self {
            Self::Links { shape, .. } | Self::Listed { shape, .. } => shape.order.is_some(),
            // LIME files have one byte order.
            Self::Contiguous { .. } | Self::Set { .. } | Self::OpenQcd { .. } => true,
        }
    }

    /// True if consecutive sites can be anywhere in the file.
    pub(crate) const fn is_scattered(&self) -> bool {
        matches!(self, Self::Listed { .. } | Self::OpenQcd { .. })
    }

    /// The error of a checksum, with the place of the damage as far as it is known.
    pub(crate) fn located(&self, broken: Broken, changed: Option<&Changed>) -> Broken {
        match (self, changed) {
            (Self::Set { set, .. }, _) => {
                let (message, place) = blame(&broken.message, changed, set);
                let (_, record) = set.origin(broken.offset);
                let volume = place.and_then(|(volume, _)| set.set.volumes.get(volume));
                let file = volume.map(|volume| volume.entry.file.clone());
                Broken { file, offset: place.map_or(record, |(_, offset)| offset), message, ..broken }
            }
            (_, Some(changed)) => Broken { message: changed.explain(&broken.message), ..broken },
            _ => broken,
        }
    }

    /// The byte order of an archive that all reads assume which begin now.
    pub(crate) fn order(&self) -> Option<ByteOrder> {
        match self {
            Self::Links { order, .. } => Some(locked(order)),
            _ => None,
        }
    }

    /// Sets the byte order of an archive whose checksum has shown it.
    pub(crate) fn set_order(&self, found: ByteOrder) {
        if let Self::Links { order, .. } = self {
            *order.lock().unwrap_or_else(PoisonError::into_inner) = found;
        }
    }

    /// Finds the places of all sites, unless they are known already. `assumed` is the [`order`](Self::order) at the
    /// start of the read.
    pub(crate) fn ready<'p>(
        &'p self,
        field: &'p Field,
        assumed: Option<ByteOrder>,
    ) -> Result<Ready<'p>, Error> {
        Ok(match self {
            Self::OpenQcd { geometry, .. } => Ready::OpenQcd(self, *geometry),
            Self::Contiguous { source, start } => Ready::Contiguous { source, start: *start },
            Self::Links { source, start, order, shape } => {
                let order = assumed.unwrap_or_else(|| locked(order));
                Ready::Links { source, start: *start, format: shape.format(order) }
            }
            Self::Set { set, number, places } => {
                let find = || Ok(Places::of_set(&set.set, field)?.ok_or(SetFault::LargeSites)?);
                let places = known(places, find)?;
                Ready::Set(SetBytes::of_set(&set.set, *number, field, places))
            }
            Self::Listed { source, shape, stored, places } => {
                let places = known(places, || places_of_list(source, shape))?;
                let volumes = vec![(&**source as _, shape.data_at)];
                Ready::Listed(
                    SetBytes { volumes, places, field: stored },
                    shape.order.unwrap_or(ByteOrder::Big),
                )
            }
        })
    }
}

/// Number of time slices of openQCD that are kept in memory: two for the sites that are being read, and one that other
/// threads still read.
const SLICES: usize = 3;

impl Placement {
    /// A time slice of a configuration of openQCD.
    fn slice(&self, t: usize) -> Result<Arc<Vec<u8>>, Error> {
        let Self::OpenQcd { source, geometry, slices } = self else { return Err(Error::Changed) };
        // Other threads wait for the slice that one of them reads.
        let mut slices = slices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, slice)) = slices.iter().find(|(number, _)| *number == t) {
            return Ok(slice.clone());
        }
        if slices.len() >= SLICES {
            slices.remove(0);
        }
        let mut slice = memory::zeroed(geometry.slice_bytes())?;
        fill(&**source, geometry.slice_at(t), &mut slice)?;
        let slice = Arc::new(slice);
        slices.push((t, slice.clone()));
        Ok(slice)
    }
}

/// An error in the single file with the same fields as a set, with its place in the volumes.
pub(crate) fn in_volume(broken: Broken, set: &OpenedSet) -> Broken {
    let (volume, offset) = set.origin(broken.offset);
    let file = set.set.volumes.get(volume).map(|volume| volume.entry.file.clone());
    Broken { file, offset, ..broken }
}

fn locked(order: &Mutex<ByteOrder>) -> ByteOrder {
    *order.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The places in the cell, which are found first if it is empty.
fn known(cell: &OnceLock<Places>, find: impl FnOnce() -> Result<Places, Error>) -> Result<&Places, Error> {
    if let Some(places) = cell.get() {
        return Ok(places);
    }
    let found = find()?;
    Ok(cell.get_or_init(|| found))
}

/// Number of ranks of a site list that are read at a time.
const RANKS: u64 = 16 << 10;

/// The places of the sites of an archive with a site list.
fn places_of_list(source: &SharedSource<'static, io::Error>, shape: &Shape) -> Result<Places, Error> {
    let sites = shape.extents.sites();
    let mut places = Places::new(sites).ok_or(Error::LargeSites(sites))?;
    let mut map = memory::zeroed(SiteAccount::map_length(&shape.extents) as usize)?;
    let mut account =
        SiteAccount::with_map(&shape.extents, &mut map).map_err(|_| Error::LargeSites(sites))?;
    account.begin_volume();
    let (mut index, mut buffer) = (0_u64, Vec::new());
    let order = shape.order.unwrap_or(ByteOrder::Big);
    while index < sites {
        let count = sites.saturating_sub(index).min(RANKS) as usize;
        buffer.resize(count.saturating_mul(4), 0);
        fill(&**source, offset_of(HEADER_LEN as u64, index, 4)?, &mut buffer)?;
        for rank in buffer.as_chunks().0 {
            let rank = order.u32(*rank).into();
            account.take(rank);
            places.add(rank, index);
            index = index.saturating_add(1);
        }
    }
    // The decoder checks the list by sums, which do not detect every repeated site.
    match account.end() {
        None => Ok(places),
        Some(_) => {
            let error = linkstream::Error::new(HEADER_LEN as u64, milc::ErrorKind::SiteList);
            let message = "the site list names a site twice, and another one not at all".to_owned();
            Err(Broken { message, ..error.into() }.into())
        }
    }
}

/// The offset of a site in data that begin at `start`, if each site has `size` bytes there.
fn offset_of(start: u64, site: u64, size: u64) -> Result<u64, Error> {
    // No file is as long as this, so it would end before the site.
    site.checked_mul(size).and_then(|from| start.checked_add(from)).ok_or(Error::Changed)
}

impl Ready<'_> {
    /// Fills `out` with whole sites of a field, from the site with the index `first` on, and adds them to the sum.
    /// Returns the byte order of the numbers.
    #[expect(clippy::arithmetic_side_effects, reason = "the divisor is at least 1")]
    pub(crate) fn read(
        &self,
        field: &Field,
        first: u64,
        out: &mut [u8],
        scratch: &mut Scratch,
        sum: &mut Partial,
    ) -> Result<ByteOrder, Error> {
        let size = field.bytes_per_site;
        let add_sites = |out: &[u8], sum: &mut Partial| {
            let mut order = SiteOrder::at(field.extents, field.region, first);
            sum.add_sites(&mut order, out, size as usize);
        };
        match self {
            Self::Contiguous { source, start } => {
                fill(&***source, offset_of(*start, first, size)?, out)?;
                add_sites(out, sum);
                sum.add_bytes(offset_of(0, first, size)?, out);
                Ok(ByteOrder::Big)
            }
            Self::Set(bytes) => {
                bytes.read(first, out, &mut scratch.0, |_, _| {})?;
                add_sites(out, sum);
                Ok(ByteOrder::Big)
            }
            Self::Links { source, start, format } => {
                let stored = (format.length() as u64).saturating_mul(4);
                let at = offset_of(*start, first, stored)?;
                let word = offset_of(0, first, stored)? / 4;
                if format.rows == StoredRows::Full {
                    fill(&***source, at, out)?;
                    sum.add_words(word, out);
                    return Ok(format.order);
                }
                let sites = out.len() as u64 / size.max(1);
                memory::resize(&mut scratch.0, sites.saturating_mul(stored) as usize)?;
                fill(&***source, at, &mut scratch.0)?;
                sum.add_words(word, &scratch.0);
                let links = out.chunks_exact_mut(format.whole_length());
                for (stored, link) in scratch.0.chunks_exact(format.length()).zip(links) {
                    // This cannot fail: both slices have the lengths that the format requires.
                    let _ = format.to_whole(stored, link);
                }
                Ok(ByteOrder::Big)
            }
            Self::OpenQcd(placement, geometry) => {
                let of_slice = geometry.slice_sites().max(1);
                let (mut at, mut rest) = (first as usize, &mut *out);
                while !rest.is_empty() {
                    let (t, number) = (at / of_slice, at % of_slice);
                    let left = of_slice.saturating_sub(number).saturating_mul(size as usize).min(rest.len());
                    let (now, others) = rest.split_at_mut(left);
                    let next = t.saturating_add(1).checked_rem(geometry.slices()).ok_or(Error::Changed)?;
                    let (here, after) = (placement.slice(t)?, placement.slice(next)?);
                    geometry.sites(t, number, &here, &after, now).ok_or(Error::Changed)?;
                    (at, rest) = (at.saturating_add(of_slice.saturating_sub(number)), others);
                }
                add_sites(out, sum);
                Ok(ByteOrder::Little)
            }
            Self::Listed(bytes, order) => {
                bytes.read(first, out, &mut scratch.0, |index, site| {
                    // The site has been read, so its offset fits.
                    sum.add_words(index.saturating_mul(SITE_LEN as u64) / 4, site)
                })?;
                Ok(*order)
            }
        }
    }
}
