//! How the links of a gauge field lie: sites in rows along x, rows in time slices.

use linkstream::field::{Field, LinkLayout};
use linkstream::lattice::Region;

/// Sites of a row that the arithmetic takes together. The last ones of a row are filled up with zeros.
pub const LANES: usize = 4;

/// A gauge field of any number of dimensions, cut into rows.
///
/// The last dimension is time. All sites of a slice that differ in the first coordinate only are a row. A field of one
/// dimension has a single slice with a single row.
#[derive(Debug, Clone)]
pub struct Geometry {
    /// Sites of a row.
    pub row: usize,
    /// Extents between the first dimension and time.
    middle: Vec<usize>,
    /// Rows of a time slice.
    pub rows: usize,
    /// Time slices.
    pub slices: u32,
    /// Directions that have links, one link each at a site.
    pub axes: Vec<Axis>,
    /// Rows and columns of a link's matrix.
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
    /// In the lattice, from 0.
    pub direction: u8,
    /// Index of its link at a site.
    pub link: usize,
    pub neighbour: Neighbour,
}

/// Where the next site in a direction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbour {
    /// The next one of the same row.
    InRow,
    /// In another row of the slice, along this one of the middle dimensions.
    InSlice(usize),
    /// In the same row of the next slice.
    NextSlice,
}

impl Geometry {
    /// `None` unless the field has links on the whole lattice, in every direction or, if `only_long`, in those with
    /// more than one site (ILDG 1.2, section 2.5.1), and memory can address a time slice.
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
        // One dimension: a lattice of two of which the second has one site and no link.
        let (&last, middle) = others.split_last().unwrap_or((&1, &[]));
        let time = others.len();
        let directions = (0_u8..).zip(extents).filter(|(_, extent)| all || **extent > 1);
        let axes: Vec<Axis> = directions
            .enumerate()
            .map(|(link, (direction, _))| Axis {
                direction,
                link,
                neighbour: match usize::from(direction) {
                    0 => Neighbour::InRow,
                    d if d == time => Neighbour::NextSlice,
                    d => Neighbour::InSlice(d - 1),
                },
            })
            .collect();
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
            slices: last,
            axes,
            colors: usize::try_from(layout.columns).ok()?,
            planes,
        };
        geometry.slice_bytes()?;
        Some(geometry)
    }

    /// Bytes that one time slice takes in memory; `None` if it cannot be addressed.
    fn slice_bytes(&self) -> Option<usize> {
        let elements = self.colors.checked_mul(self.colors)?;
        let numbers = [2, self.links(), self.row.checked_next_multiple_of(LANES)?];
        let row = numbers.into_iter().try_fold(elements, usize::checked_mul)?;
        let bytes = row.checked_mul(self.rows)?.checked_mul(size_of::<f64>())?;
        isize::try_from(bytes).ok().map(|_| bytes)
    }

    /// Links at a site.
    pub const fn links(&self) -> usize {
        self.axes.len()
    }

    /// Numbers of a link: real and imaginary parts of its elements.
    pub const fn components(&self) -> usize {
        2 * self.colors * self.colors
    }

    /// Numbers of a site.
    pub const fn site_numbers(&self) -> usize {
        self.links() * self.components()
    }

    /// Sites of a row and those that fill it up.
    pub const fn lanes(&self) -> usize {
        self.row.next_multiple_of(LANES)
    }

    /// Distance in memory of two rows.
    pub const fn row_stride(&self) -> usize {
        self.site_numbers() * self.lanes()
    }

    /// Sites of a time slice.
    pub const fn slice_sites(&self) -> usize {
        self.row * self.rows
    }

    /// The next row along one of the middle dimensions, periodically.
    pub fn next_row(&self, row: usize, dimension: usize) -> usize {
        let stride: usize = self.middle.iter().take(dimension).product();
        let extent = self.middle.get(dimension).copied().unwrap_or(1);
        let coordinate = row / stride % extent;
        if coordinate + 1 == extent { row - stride * coordinate } else { row + stride }
    }
}
