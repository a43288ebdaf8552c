//! Fields whose sites are distributed over processes in boxes: the bytes equal the bytes of one process for every
//! process grid, layout, order of the sites in memory, and length of the windows.

mod grids;
mod properties;
mod refused;
mod runs;

use linkstream::field::Field;
use linkstream::lattice::{Hypercube, SiteOrder};
use linkstream_parallel::field::BoxPart;

/// The part of a process.
pub fn part(field: &Field, cube: Option<Hypercube>) -> BoxPart {
    match cube {
        Some(cube) => BoxPart::new(field, cube).expect("a box of the lattice"),
        None => BoxPart::empty(field),
    }
}

/// A permutation of the sites of a box in memory: even sites before odd ones, in descending order.
pub fn checkerboard(part: &BoxPart, site: &SiteOrder) -> usize {
    let sites = part.box_sites() as usize;
    let index = site.done() as usize;
    let place = if index.is_multiple_of(2) { index / 2 } else { sites.div_ceil(2) + index / 2 };
    sites - 1 - place
}
