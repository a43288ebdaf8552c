//! The sites of the ranks, as the functions of the program describe them.

use linkstream::lattice::{Coordinates, Extents};
use linkstream_c_ranks::Ranks;
use linkstream_parallel::comm::Comm as _;
use linkstream_parallel::field::{Grid, Layout as Sites};

use crate::code::BAD_ARG;
use crate::layout::{Layout, SiteMap as _};
use crate::stop::{Stop, with_code};

/// Checks the numbers of the nodes of a layout against the ranks that communicate, and the number of its sites.
///
/// # Errors
/// They differ.
pub fn check(layout: &Layout, comm: &Ranks) -> Result<(), Stop> {
    layout.check_sites_on_node()?;
    let (this, nodes, rank, size) = (layout.this_node(), layout.nodes(), comm.rank(), comm.size());
    if (this, nodes) == (rank, size) {
        return Ok(());
    }
    Err(Stop::usage(format!(
        "the layout is of node {this} of {nodes}, but this is rank {rank} of {size} (see linkstream_set_world)"
    )))
}

/// Number of sites of this rank.
///
/// # Errors
/// The program has not given it.
pub fn own(layout: &Layout) -> Result<u64, Stop> {
    Ok(layout.num_sites(layout.this_node())?)
}

/// The sites of this rank. If there is one rank, the functions are called while data are transferred; otherwise a list
/// is made.
///
/// # Errors
/// The functions describe no sites of the lattice, or contradict each other.
pub fn sites(layout: Layout, comm: &Ranks, lattice: &Extents) -> Result<Sites<'static>, Stop> {
    let layout = layout.with_lattice(*lattice);
    let own = own(&layout)?;
    if comm.size() == 1 {
        if own != lattice.sites() {
            let message =
                format!("sites_on_node is {own}, but the lattice {lattice} has {} sites", lattice.sites());
            return Err(Stop::usage(message));
        }
        let grid = Grid::new(lattice, &[1]).map_err(with_code(BAD_ARG))?;
        let index = move |site: &Coordinates| place(layout.node_index(site).unwrap_or(u64::MAX));
        return Ok(Sites::grid(&grid, 0).in_order(index));
    }
    let ranks = layout.ranks(layout.this_node())?;
    let none = Coordinates::default();
    let owner = move |site: &Coordinates| layout.node_number(site).unwrap_or(usize::MAX);
    let site = |index: usize| ranks.get(index).and_then(|rank| lattice.coordinates(*rank)).unwrap_or(none);
    Ok(Sites::listed(lattice, ranks.len(), site, owner))
}

/// An index as a place in memory.
pub(crate) fn place(index: u64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}
