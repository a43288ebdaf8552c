//! The order of the links of a gauge field: sites in rows along x, rows in time slices.

use linkstream::field::{Field, LinkLayout};
use linkstream::lattice::Region;

/// Number of sites of a row that are computed together. The last group of a row is padded with zeros.
pub const LANES: usize = 4;

/// A gauge field with any number of dimensions, divided into rows.
///
/// The last dimension is time. A row consists of all sites of a time slice that differ only in the first coordinate. A
/// field with one dimension has a single slice with a single row.
#[derive(Debug, Clone)]
pub struct Geometry {
    /// Number of sites in a row.
    pub row: usize,
    /// Extents of the dimensions between the first one and time.
    middle: Vec<usize>,
    /// Number of rows in a time slice.
    pub rows: usize,
    /// Number of rows whose links and plaquettes count, the first ones of each slice: all, unless the others only
    /// complete the plaquettes of these.
    pub counted: usize,
    /// Number of time slices.
    pub slices: u32,
    /// Directions that have links. Each site has one link per direction.
    pub axes: Vec<Axis>,
    /// Number of rows, and of columns, of a link's matrix.
    pub colors: usize,
    pub planes: Vec<Plane>,
}

/// Two directions that both have links.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    pub mu: Axis,
    pub nu: Axis,
}

/// A direction with links.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// Number of the dimension of the lattice, from 0.
    pub direction: u8,
    /// Index of the link in this direction among the links of a site.
    pub link: usize,
    pub neighbour: Neighbour,
}

/// Place of the next site in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbour {
    /// In the same row: the next site.
    InRow,
    /// In another row of the slice. The number is an index of `middle`.
    InSlice(usize),
    /// In the same row of the next slice.
    NextSlice,
}

impl Geometry {
    /// The geometry of a field whose links cover the whole lattice, in every direction or, if `only_long`, in those
    /// with more than one site (ILDG 1.2, section 2.5.1). `None` for other fields, if there are no links (on a lattice of
    /// one site, `only_long`) or links without elements, and if a time slice is too large for memory. So no size of
    /// links, rows or slices is 0.
    pub fn of(field: &Field, layout: &LinkLayout, only_long: bool) -> Option<Self> {
        let extents = field.extents.as_slice();
        if field.region != Region::Lattice {
            return None;
        }
        let all = usize::try_from(layout.links) == Ok(extents.len());
        let long = only_long && layout.links == u32::from(field.extents.directions());
        if !all && !long {
            return None;
        }
        let (&first, others) = extents.split_first()?;
        // A lattice with one dimension is treated as one with two. The second has one site and no link.
        let (&last, middle) = others.split_last().unwrap_or((&1, &[]));
        let time = others.len();
        let directions = (0_u8..).zip(extents).filter(|(_, extent)| all || **extent > 1);
        let axes: Vec<Axis> = directions
            .enumerate()
            .map(|(link, (direction, _))| Axis {
                direction,
                link,
                neighbour: match usize::from(direction).checked_sub(1) {
                    None => Neighbour::InRow,
                    Some(_) if usize::from(direction) == time => Neighbour::NextSlice,
                    Some(dimension) => Neighbour::InSlice(dimension),
                },
            })
            .collect();
        // A lattice of one site has no links if only long directions have them: there is nothing to measure.
        if axes.is_empty() {
            return None;
        }
        let planes = axes
            .iter()
            .enumerate()
            .flat_map(|(i, &nu)| axes.iter().take(i).map(move |&mu| Plane { mu, nu }))
            .collect();
        let middle = middle.iter().map(|extent| usize::try_from(*extent).ok()).collect::<Option<Vec<_>>>()?;
        let rows = middle.iter().try_fold(1_usize, |rows, extent| rows.checked_mul(*extent))?;
        let geometry = Self {
            row: usize::try_from(first).ok()?,
            middle,
            rows,
            counted: rows,
            slices: last,
            axes,
            colors: usize::try_from(layout.columns).ok()?,
            planes,
        };
        let is_empty = geometry.links() == 0 || geometry.colors == 0;
        (!is_empty && geometry.slice_bytes()? > 0).then_some(geometry)
    }

    /// Size of a time slice in memory, in bytes; `None` if it cannot be addressed.
    fn slice_bytes(&self) -> Option<usize> {
        let elements = self.colors.checked_mul(self.colors)?;
        let numbers = [2, self.links(), self.row.checked_next_multiple_of(LANES)?];
        let row = numbers.into_iter().try_fold(elements, usize::checked_mul)?;
        let bytes = row.checked_mul(self.rows)?.checked_mul(size_of::<f64>())?;
        isize::try_from(bytes).ok().map(|_| bytes)
    }

    /// Only the first planes of a slice count.
    pub fn count_planes(&mut self, planes: usize) {
        let last = self.middle.last().copied().unwrap_or(1).max(1);
        self.counted = self.rows.checked_div(last).unwrap_or(0).saturating_mul(planes.min(last));
    }

    /// Number of links at a site.
    pub const fn links(&self) -> usize {
        self.axes.len()
    }

    /// Count of numbers in a link: real and imaginary parts of its elements.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`of` has checked that a time slice with these sizes fits into memory"
    )]
    pub const fn components(&self) -> usize {
        2 * self.colors * self.colors
    }

    /// Count of numbers in a site.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`of` has checked that a time slice with these sizes fits into memory"
    )]
    pub const fn site_numbers(&self) -> usize {
        self.links() * self.components()
    }

    /// Number of sites in a row, including the padding.
    pub const fn lanes(&self) -> usize {
        self.row.next_multiple_of(LANES)
    }

    /// Distance between the beginnings of two consecutive rows in memory, in numbers.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`of` has checked that a time slice with these sizes fits into memory"
    )]
    pub const fn row_stride(&self) -> usize {
        self.site_numbers() * self.lanes()
    }

    /// The same distance in the products of temporal links, which have one matrix for each site.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`of` has checked that a time slice with more links fits into memory"
    )]
    pub const fn line_stride(&self) -> usize {
        self.components() * self.lanes()
    }

    /// Index of the link in the direction of time among the links of a site.
    pub fn time_link(&self) -> Option<usize> {
        self.axes.iter().find(|axis| axis.neighbour == Neighbour::NextSlice).map(|axis| axis.link)
    }

    /// Number of sites in a time slice that count.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`of` has checked that a time slice with these sizes fits into memory"
    )]
    pub const fn slice_sites(&self) -> usize {
        self.row * self.counted
    }

    /// The next row along a dimension in `middle`, with periodic boundary conditions.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no extent is 0, and the result is a row of the same slice"
    )]
    pub fn next_row(&self, row: usize, dimension: usize) -> usize {
        let stride: usize = self.middle.iter().take(dimension).product();
        let extent = self.middle.get(dimension).copied().unwrap_or(1);
        let coordinate = row / stride % extent;
        if coordinate + 1 == extent { row - stride * coordinate } else { row + stride }
    }
}
