//! The sites of one rank, and their order in its memory.

use std::cell::Cell;
use std::fmt;
use std::ops::Range;

use super::boxes::BoxPart;
use linkstream::field::Field;
use linkstream::lattice::{Coordinates, Extents, Hypercube, Region, SiteOrder};
use linkstream_memory as memory;

use super::fingerprint::{self, Fingerprint};
use super::grid::Grid;
use crate::arguments::Arguments;
use crate::comm::{Comm, Op};
use crate::error::Fault;

/// A function of the coordinates of a site.
type OfSite<'f> = Box<dyn Fn(&Coordinates) -> usize + 'f>;

/// The place of a site in memory, counted in sites; `None` for stored order.
pub(super) type OwnedPlace<'p> = Option<Box<dyn Fn(&SiteOrder) -> usize + 'p>>;

/// The sites that one rank has, and the place of each in its memory.
///
/// Each site of the lattice belongs to exactly one rank. The ranks count their sites when a file is opened or a field
/// is read, and refuse layouts with missing or repeated sites. A mistake in a layout is reported there, too, on
/// all ranks: making a layout never fails, so that no rank waits for one that has given up.
///
/// ```
/// use linkstream::lattice::Extents;
/// use linkstream_parallel::field::{Grid, Layout};
///
/// let lattice = Extents::new(&[4, 4, 4, 8])?;
/// let grid = Grid::new(&lattice, &[2, 1, 1, 2])?;
/// // In memory, even sites come before odd ones, each in lexicographic order.
/// let half = 2 * 4 * 4 * 4 / 2;
/// let layout = Layout::grid(&grid, 0).in_order(move |site| {
///     let c = site.as_slice();
///     let local = c[0] % 2 + 2 * (c[1] + 4 * (c[2] + 4 * (c[3] % 4)));
///     let is_odd = c.iter().sum::<u32>() % 2 == 1;
///     local as usize / 2 + if is_odd { half } else { 0 }
/// });
/// assert_eq!(layout.sites(), 128);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Layout<'f> {
    lattice: Extents,
    own: Own,
    /// Place of a site of the box in memory, if it is not in lexicographic order.
    order: Option<OfSite<'f>>,
    /// The rank that has a site, if it is known.
    owner: Option<OfSite<'f>>,
    fault: Option<Fault>,
}

/// The sites of a rank.
#[derive(Debug)]
enum Own {
    Box(Option<Hypercube>),
    /// Rank in the lattice and place in memory of each site, by ascending rank.
    Sites(Vec<(u64, usize)>),
}

impl fmt::Debug for Layout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layout")
            .field("lattice", &self.lattice)
            .field("own", &self.own)
            .finish_non_exhaustive()
    }
}

impl<'f> Layout<'f> {
    /// The box of a rank of a grid. In memory, its sites are in lexicographic order, the first coordinate fastest.
    #[must_use]
    pub fn grid(grid: &Grid, rank: usize) -> Self {
        let owner = *grid;
        Self {
            owner: Some(Box::new(move |site| owner.rank_of(site))),
            ..Self::of(grid.lattice(), Own::Box(grid.part(rank)))
        }
    }

    /// A box of the lattice, or no sites. In memory, they are in lexicographic order. The ranks need not form a grid.
    /// File sets cannot be read with such a layout, since the ranks do not know the boxes of each other.
    ///
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    /// use linkstream_parallel::field::Layout;
    ///
    /// let lattice = Extents::new(&[4, 8])?;
    /// let corner = |c| Coordinates::new(c).ok_or("more than 8 dimensions");
    /// let cube = Hypercube::new(corner(&[1, 0])?, corner(&[3, 7])?, &lattice)?;
    /// assert_eq!((Layout::part(&lattice, Some(cube)).sites(), Layout::part(&lattice, None).sites()), (24, 0));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn part(lattice: &Extents, cube: Option<Hypercube>) -> Self {
        let inside = cube.map(|cube| Hypercube::new(*cube.lower(), *cube.upper(), lattice)).transpose();
        let fault = inside.err().map(|error| Fault::usage(error.to_string()));
        Self { fault, ..Self::of(lattice, Own::Box(cube)) }
    }

    /// Any sites, as QIO describes them: `node_number` is the rank that has a site, and `node_index` its place in the
    /// memory of this rank. Both are called for all sites of the lattice;
    /// [`listed`](Self::listed) needs only the sites of this rank.
    #[must_use]
    pub fn functions(
        lattice: &Extents,
        rank: usize,
        node_number: impl Fn(&Coordinates) -> usize + 'f,
        node_index: impl Fn(&Coordinates) -> usize,
    ) -> Self {
        let mut order = SiteOrder::new(*lattice, Region::Lattice);
        let mut sites = Vec::new();
        while order.done() < lattice.sites() {
            if node_number(order.coordinates()) == rank {
                sites.push((order.rank(), node_index(order.coordinates())));
            }
            order.step();
        }
        Self { owner: Some(Box::new(node_number)), ..Self::of(lattice, Own::Sites(sites)) }
    }

    /// Any `count` sites, as QIO describes them: `get_coords` returns the coordinates of the site
    /// at a place in the memory of this rank, and `node_number` the rank that has a site, for reading file sets.
    #[must_use]
    pub fn listed(
        lattice: &Extents,
        count: usize,
        get_coords: impl Fn(usize) -> Coordinates,
        node_number: impl Fn(&Coordinates) -> usize + 'f,
    ) -> Self {
        let (mut sites, mut fault) = match memory::room(count) {
            Ok(room) => (room, None),
            Err(short) => (Vec::new(), Some(Fault::from(short))),
        };
        let listed = if fault.is_none() { count } else { 0 };
        for place in 0..listed {
            let site = get_coords(place);
            match lattice.rank(&site) {
                Some(rank) => sites.push((rank, place)),
                None => {
                    let message = format!("the site {:?} is outside the lattice {lattice}", site.as_slice());
                    fault.get_or_insert(Fault::usage(message));
                }
            }
        }
        sites.sort_unstable();
        Self { owner: Some(Box::new(node_number)), fault, ..Self::of(lattice, Own::Sites(sites)) }
    }

    fn of(lattice: &Extents, own: Own) -> Self {
        Self { lattice: *lattice, own, order: None, owner: None, fault: None }
    }

    /// Sets the place of each site of the box in memory, counted in sites: QIO's `node_index`. The memory can have more
    /// places than the box has sites.
    #[must_use]
    pub fn in_order(self, node_index: impl Fn(&Coordinates) -> usize + 'f) -> Self {
        Self { order: Some(Box::new(node_index)), ..self }
    }

    /// Number of sites in each direction.
    #[must_use]
    pub const fn lattice(&self) -> &Extents {
        &self.lattice
    }

    /// Number of sites of this rank.
    #[must_use]
    pub fn sites(&self) -> u64 {
        match &self.own {
            Own::Box(cube) => cube.map_or(0, |cube| cube.sites()),
            Own::Sites(sites) => sites.len() as u64,
        }
    }

    /// The rank that has a site; `None` if it is not known.
    pub(super) fn owner(&self, site: &Coordinates) -> Option<usize> {
        self.owner.as_ref().map(|owner| owner(site))
    }

    /// The place of a site of this rank in memory; `None` if the memory has the lexicographic order of the box, and for
    /// global data.
    pub(super) fn place(&self, field: &Field) -> OwnedPlace<'_> {
        match (&self.own, &self.order) {
            _ if field.region == Region::Global => None,
            (Own::Sites(sites), _) => {
                // Most calls are for the next site of the list.
                let next = Cell::new(0);
                Some(Box::new(move |site| {
                    let rank = site.rank();
                    let found = match sites.get(next.get()) {
                        Some((expected, _)) if *expected == rank => Ok(next.get()),
                        _ => sites.binary_search_by_key(&rank, |(rank, _)| *rank),
                    };
                    found.map_or(usize::MAX, |found| {
                        next.set(found + 1);
                        sites[found].1
                    })
                }))
            }
            (Own::Box(_), Some(order)) => Some(Box::new(|site| order(site.coordinates()))),
            (Own::Box(_), None) => None,
        }
    }

    /// The sites of a part of a field of this layout, in the order of the memory of this rank.
    pub(super) fn in_order_of_memory(&self, field: &Field, part: OwnPart) -> OwnPart {
        let Some(place) = self.place(field) else { return part };
        let mut sites = Vec::new();
        for window in part.own(0..part.sites()) {
            let Some(mut site) = window.first_site() else { continue };
            for _ in 0..window.sites() {
                let stored = match &field.region {
                    Region::Hypercube(cube) => cube.index(site.coordinates()),
                    _ => Some(site.rank()),
                };
                let stored = stored.map(|stored| (place(&site), stored));
                stored.into_iter().for_each(|stored| memory::unwinding::push(&mut sites, stored));
                site.step();
            }
        }
        sites.sort_unstable();
        let stored = sites.into_iter().map(|(_, stored)| stored);
        OwnPart::Runs { whole: BoxPart::whole(field), runs: runs(stored) }
    }

    /// True if the ranks know which of them has a site.
    pub(super) const fn has_owners(&self) -> bool {
        self.owner.is_some()
    }

    /// The lowest and the largest rank in the lattice of the sites of this rank; `None` if it has no sites.
    pub(super) fn bounds(&self) -> Option<[u64; 2]> {
        match &self.own {
            Own::Box(cube) => {
                let cube = (*cube)?;
                Some([self.lattice.rank(cube.lower())?, self.lattice.rank(cube.upper())?])
            }
            Own::Sites(sites) => Some([sites.first()?.0, sites.last()?.0]),
        }
    }

    /// The sites of this rank in a field of the lattice. Global data belong to rank 0.
    pub(super) fn of_field(&self, field: &Field, is_root: bool) -> Result<OwnPart, Fault> {
        if field.extents != self.lattice {
            let message =
                format!("the layout is of the lattice {}, the field of {}", self.lattice, field.extents);
            return Err(Fault::usage(message));
        }
        if field.region == Region::Global {
            return Ok(OwnPart::Box(if is_root { BoxPart::whole(field) } else { BoxPart::empty(field) }));
        }
        Ok(match &self.own {
            Own::Box(None) => OwnPart::Box(BoxPart::empty(field)),
            Own::Box(Some(cube)) => {
                OwnPart::Box(BoxPart::new(field, *cube).map_err(|error| Fault::usage(error.to_string()))?)
            }
            Own::Sites(sites) => {
                let stored = sites.iter().filter_map(|(rank, _)| match &field.region {
                    Region::Hypercube(cube) => cube.index(&self.lattice.coordinates(*rank)?),
                    _ => Some(*rank),
                });
                OwnPart::Runs { whole: BoxPart::whole(field), runs: runs(stored) }
            }
        })
    }

    /// Collective: checks that each site of the lattice belongs to one rank, and that all ranks have the same lattice. One
    /// small collective call. The result is the same on all ranks.
    pub(super) fn cover(&self, comm: &impl Comm) -> Result<(), Fault> {
        let own = match &self.own {
            Own::Box(None) => Fingerprint::default(),
            Own::Box(Some(cube)) => Fingerprint::of_box(cube),
            Own::Sites(list) => {
                let mut sites = fingerprint::Sites::new();
                list.iter()
                    .filter_map(|(rank, _)| self.lattice.coordinates(*rank))
                    .for_each(|site| sites.add(&site));
                sites.total()
            }
        };
        let extents: Vec<_> = self.lattice.as_slice().iter().map(|extent| u64::from(*extent)).collect();
        let lattice = Arguments::new("a lattice").numbers(&extents).digest();
        let [sites, low, high] = own.words();
        let mut sums = [sites, low, high, lattice];
        comm.combine(Op::Sum, &mut sums)?;
        let [sites, low, high, lattices] = sums;
        let expected = Fingerprint::of_lattice(&self.lattice);
        let found = Fingerprint::from_words([sites, low, high]);
        let lattices = lattices == lattice.wrapping_mul(comm.size() as u64);
        if lattices && found == expected {
            return Ok(());
        }
        let message = if !lattices {
            "the ranks have layouts of different lattices".to_owned()
        } else if found.sites() != expected.sites() {
            format!(
                "the ranks have {} sites together, but the lattice {} has {}",
                found.sites(),
                self.lattice,
                expected.sites()
            )
        } else {
            format!("sites of the lattice {} are missing or belong to several ranks", self.lattice)
        };
        Err(Fault::usage(message))
    }

    /// Collective: checks that the layouts of all ranks have each site of one lattice once. One small collective call.
    /// Calls of this crate that take a layout check it themselves; [`write_data`](super::write_data) and
    /// [`read_data`](super::read_data) do not.
    ///
    /// # Errors
    /// They have not, or the layout of this rank has a mistake.
    pub fn agree(&self, comm: &impl Comm) -> Result<(), Fault> {
        let covered = self.cover(comm);
        self.check().and(covered)
    }

    /// A mistake of this rank's layout.
    pub(super) fn check(&self) -> Result<(), Fault> {
        self.fault.clone().map_or(Ok(()), Err)
    }
}

/// The ranges of consecutive numbers.
fn runs(numbers: impl Iterator<Item = u64>) -> Vec<Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => runs.push(number..number + 1),
        }
    }
    runs
}

/// The sites of a rank in one field.
#[derive(Debug, Clone)]
pub(super) enum OwnPart {
    Box(BoxPart),
    /// Ranges of indices in the stored order of the field.
    Runs {
        whole: BoxPart,
        runs: Vec<Range<u64>>,
    },
}

impl OwnPart {
    pub(super) fn sites(&self) -> u64 {
        match self {
            Self::Box(part) => part.sites(),
            Self::Runs { runs, .. } => runs.iter().map(|run| run.end - run.start).sum(),
        }
    }

    /// The number of a site of this rank for [`window`](Self::window); `None` if the rank does not have this site.
    /// Global data are the site of rank 0.
    pub(super) fn index_of(&self, rank: u64) -> Option<u64> {
        let of_region = |region: &Region, field: &Field| match region {
            Region::Hypercube(cube) => cube.index(&field.extents.coordinates(rank)?),
            Region::Lattice => Some(rank),
            Region::Global => Some(0),
        };
        match self {
            Self::Box(part) => of_region(part.region()?, part.field()),
            Self::Runs { whole, runs } => {
                let stored = of_region(&whole.field().region, whole.field())?;
                let at = runs.partition_point(|run| run.end <= stored);
                runs.get(at).filter(|run| run.contains(&stored)).map(|_| stored)
            }
        }
    }

    /// Number of sites before each of the ranges of [`Runs`](Self::Runs), for [`place`](Self::place).
    pub(super) fn before(&self) -> Vec<u64> {
        let mut before = 0_u64;
        match self {
            Self::Box(_) => Vec::new(),
            Self::Runs { runs, .. } => runs
                .iter()
                .map(|run| {
                    let here = before;
                    before += run.end - run.start;
                    here
                })
                .collect(),
        }
    }

    /// The place among the rank's sites, from 0, of a site with this number from [`index_of`](Self::index_of). `before`
    /// are the numbers from [`before`](Self::before).
    pub(super) fn place(&self, index: u64, before: &[u64]) -> u64 {
        match self {
            Self::Box(_) => index,
            Self::Runs { runs, .. } => {
                let at = runs.partition_point(|run| run.end <= index);
                let run = runs.get(at).zip(before.get(at));
                run.map_or(u64::MAX, |(run, before)| before + index.saturating_sub(run.start))
            }
        }
    }

    /// The window that has the sites with these numbers from [`index_of`](Self::index_of).
    pub(super) fn window(&self, numbers: Range<u64>) -> Option<BoxPart> {
        match self {
            Self::Box(part) => part.window(numbers).ok(),
            Self::Runs { whole, .. } => whole.window(numbers).ok(),
        }
    }

    /// Number of sites in the shortest run of a box; `None` for other sites.
    pub(super) fn sites_per_run(&self) -> Option<u64> {
        match self {
            Self::Box(part) if part.sites() == part.sites_per_run() => Some(u64::MAX),
            Self::Box(part) => Some(part.sites_per_run()),
            Self::Runs { .. } => None,
        }
    }

    /// The windows that have the sites with these indices in the stored order of the field.
    pub(super) fn stored(&self, range: Range<u64>) -> Vec<BoxPart> {
        match self {
            Self::Box(part) => vec![part.stored(range)],
            Self::Runs { whole, runs } => {
                let first = runs.partition_point(|run| run.end <= range.start);
                let inside = runs[first..].iter().take_while(|run| run.start < range.end);
                let windows = inside.map(|run| run.start.max(range.start)..run.end.min(range.end));
                windows.filter_map(|window| whole.window(window).ok()).collect()
            }
        }
    }

    /// Number of the sites with these indices in the stored order of the field.
    pub(super) fn sites_stored(&self, range: Range<u64>) -> u64 {
        match self {
            Self::Box(part) => part.stored(range).sites(),
            Self::Runs { .. } => self.stored(range).iter().map(BoxPart::sites).sum(),
        }
    }

    /// The windows that have these of the rank's sites, counted in stored order.
    pub(super) fn own(&self, range: Range<u64>) -> Vec<BoxPart> {
        match self {
            Self::Box(part) => part.window(range).into_iter().collect(),
            Self::Runs { whole, runs } => {
                let mut windows = Vec::new();
                let mut before = 0;
                for run in runs {
                    let length = run.end - run.start;
                    let from = range.start.saturating_sub(before).min(length);
                    let to = range.end.saturating_sub(before).min(length);
                    if from < to {
                        let window = whole.window(run.start + from..run.start + to);
                        window.into_iter().for_each(|part| memory::unwinding::push(&mut windows, part));
                    }
                    before += length;
                }
                windows
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::Threads;

    #[test]
    fn missing_and_repeated_sites_are_refused_on_all_ranks() {
        let lattice = Extents::new(&[4, 6]).unwrap();
        let grid = Grid::new(&lattice, &[2, 2]).unwrap();
        let cover = |layout: &(dyn Fn(usize) -> Layout<'static> + Sync)| {
            Threads::new(5).run(|comm| layout(comm.rank()).cover(comm).map_err(|fault| fault.message))
        };
        assert_eq!(cover(&|rank| Layout::grid(&grid, rank)), vec![Ok(()); 5]);
        let repeated = cover(&|rank| Layout::grid(&grid, if rank == 3 { 2 } else { rank }));
        assert!(repeated.iter().all(|outcome| *outcome == repeated[0] && outcome.is_err()), "{repeated:?}");
        let missing = cover(&|rank| Layout::grid(&grid, if rank == 3 { 4 } else { rank }));
        let expected = "the ranks have 18 sites together, but the lattice 4x6 has 24".to_owned();
        assert_eq!(missing, vec![Err(expected); 5]);
        let other = Grid::new(&Extents::new(&[6, 4]).unwrap(), &[2, 2]).unwrap();
        let mixed = cover(&|rank| Layout::grid(if rank == 3 { &other } else { &grid }, rank));
        assert_eq!(mixed[4], Err("the ranks have layouts of different lattices".to_owned()));
    }

    #[test]
    fn functions_and_lists_describe_the_same_sites() {
        let lattice = Extents::new(&[3, 2, 2]).unwrap();
        let number = |site: &Coordinates| site.as_slice().iter().sum::<u32>() as usize % 2;
        let index = |site: &Coordinates| lattice.rank(site).unwrap() as usize / 2;
        let functions = Layout::functions(&lattice, 1, number, index);
        let own: Vec<_> =
            (0..12).filter_map(|rank| lattice.coordinates(rank)).filter(|site| number(site) == 1).collect();
        let listed = Layout::listed(&lattice, own.len(), |place| own[place], number);
        let sites = |layout: &Layout<'_>| match &layout.own {
            Own::Sites(sites) => sites.iter().map(|(rank, _)| *rank).collect::<Vec<_>>(),
            Own::Box(_) => Vec::new(),
        };
        assert_eq!(sites(&functions), sites(&listed));
        assert_eq!((functions.sites(), listed.owner(&own[2])), (6, Some(1)));
        let outside = Layout::listed(&lattice, 1, |_| Coordinates::new(&[3, 0, 0]).unwrap(), number);
        assert!(outside.check().is_err());
    }
}
