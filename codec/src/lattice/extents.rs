//! Extents of a lattice, and the numbering of its sites.

use core::fmt;

use crate::bytes::{prefix, prefix_mut};
use crate::counter::Counter as _;
use crate::messages::messages;
use crate::state::{Put, Saved, Take};

/// The maximum number of dimensions of a lattice, as in QIO.
pub const MAX_DIMENSIONS: usize = 8;

messages! {
    /// Reason why numbers are not the extents of a lattice.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Extents, ExtentsError};
    ///
    /// assert_eq!(Extents::new(&[4, 0]), Err(ExtentsError::Zero));
    /// ```
    pub enum ExtentsError {
        /// No dimension, or more than 8.
        Dimensions {
            /// The number of dimensions.
            found: usize,
        } => ("a lattice of {found} dimensions; 1 to 8 can be read"),
        /// An extent is zero.
        Zero => ("an extent of the lattice is zero"),
        /// The number of sites does not fit in 64 bits.
        Overflow => ("the number of lattice sites does not fit in 64 bits"),
    }
}

/// A list of one number per dimension: coordinates of a site, in units of sites.
///
/// # Example
/// ```
/// use linkstream::lattice::Coordinates;
///
/// let site = Coordinates::new(&[1, 0, 3]).ok_or("more than 8 dimensions")?;
/// assert_eq!(site.as_slice(), [1, 0, 3]);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Coordinates {
    values: [u32; MAX_DIMENSIONS],
    dimensions: u8,
}

impl Coordinates {
    /// An empty list.
    pub(crate) const EMPTY: Self = Self { values: [0; MAX_DIMENSIONS], dimensions: 0 };

    /// A list of the numbers in `values`; `None` for more than 8.
    #[must_use]
    pub fn new(values: &[u32]) -> Option<Self> {
        let mut list = Self { values: [0; MAX_DIMENSIONS], dimensions: u8::try_from(values.len()).ok()? };
        list.values.get_mut(..values.len())?.copy_from_slice(values);
        Some(list)
    }

    pub(super) fn zero(dimensions: u8) -> Self {
        Self { values: [0; MAX_DIMENSIONS], dimensions: dimensions.min(MAX_DIMENSIONS as u8) }
    }

    /// The numbers, dimension 0 first.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        prefix(&self.values, usize::from(self.dimensions))
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u32] {
        prefix_mut(&mut self.values, usize::from(self.dimensions))
    }

    /// Advances by `n` sites in lexicographic order; `n` is at most the first extent. The first site follows the last.
    ///
    /// As in an odometer, most steps change only the first coordinate.
    #[inline]
    pub(crate) fn advance(&mut self, mut n: u32, extents: &Extents) {
        for (c, extent) in self.as_mut_slice().iter_mut().zip(extents.as_slice()) {
            let left = extent.minus(*c);
            if n < left {
                c.increase(n);
                return;
            }
            // Less than the extent, since `n` was not more than it. The carry into the next dimension is 1.
            *c = n.minus(left);
            n = 1;
        }
    }

    /// Adds a dimension after the last; `None` if there are 8 already.
    pub(crate) fn append(&mut self, value: u32) -> Option<()> {
        *self.values.get_mut(usize::from(self.dimensions))? = value;
        self.dimensions.increase(1);
        Some(())
    }
}

impl fmt::Debug for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Coordinates {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{=[?]}", self.as_slice());
    }
}

impl Saved for Coordinates {
    const SIZE: usize = 1 + 4 * MAX_DIMENSIONS;

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.dimensions);
        to.put(&self.values);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        let dimensions = from.take()?;
        let values = from.take()?;
        (usize::from(dimensions) <= MAX_DIMENSIONS).then_some(Self { values, dimensions })
    }
}

/// Extents of a lattice of 1 to 8 dimensions, in sites. The number of sites fits in 64 bits.
///
/// ```
/// use linkstream::lattice::{Coordinates, Extents};
///
/// let extents = Extents::new(&[4, 4, 4, 8])?;
/// assert_eq!(extents.sites(), 512);
/// let site = extents.coordinates(70).ok_or("outside the lattice")?;
/// assert_eq!(site.as_slice(), [2, 1, 0, 1]); // 2 + 4 * (1 + 4 * (0 + 4 * 1))
/// assert_eq!(extents.rank(&site), Some(70));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Extents {
    extents: Coordinates,
}

impl Extents {
    /// The lattice of one dimension and one site.
    pub(crate) const ONE_SITE: Self =
        Self { extents: Coordinates { values: [1, 0, 0, 0, 0, 0, 0, 0], dimensions: 1 } };

    /// The lattice of these extents, dimension 0 (x) first.
    ///
    /// # Errors
    /// See [`ExtentsError`].
    pub fn new(extents: &[u32]) -> Result<Self, ExtentsError> {
        let wrong = ExtentsError::Dimensions { found: extents.len() };
        if extents.is_empty() {
            return Err(wrong);
        }
        let list = Coordinates::new(extents).ok_or(wrong)?;
        let mut sites = 1_u64;
        for extent in extents {
            if *extent == 0 {
                return Err(ExtentsError::Zero);
            }
            sites = sites.checked_mul(u64::from(*extent)).ok_or(ExtentsError::Overflow)?;
        }
        Ok(Self { extents: list })
    }

    /// The extents, dimension 0 first.
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        self.extents.as_slice()
    }

    /// The extents as a list; see [`as_slice`](Self::as_slice).
    pub(crate) const fn list(&self) -> &Coordinates {
        &self.extents
    }

    /// The number of dimensions.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::Extents;
    ///
    /// let extents = Extents::new(&[8, 8, 1, 16])?;
    /// assert_eq!((extents.dimensions(), extents.directions(), extents.sites()), (4, 3, 1024));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn dimensions(&self) -> u8 {
        self.extents.dimensions
    }

    /// The number of sites.
    #[must_use]
    pub fn sites(&self) -> u64 {
        // `new` has checked the product.
        self.as_slice().iter().fold(1, |sites: u64, extent| sites.times(u64::from(*extent)))
    }

    /// The number of directions with more than one site. Since revision 1.2, ILDG stores links only in these
    /// directions.
    #[must_use]
    pub fn directions(&self) -> u8 {
        self.as_slice().iter().fold(0, |n: u8, extent| n.plus(u8::from(*extent > 1)))
    }

    /// The rank of the site at these coordinates, c_0 + L_0 (c_1 + L_1 (c_2 + ...)); `None` if they are outside the
    /// lattice.
    #[must_use]
    pub fn rank(&self, site: &Coordinates) -> Option<u64> {
        if site.dimensions != self.dimensions() {
            return None;
        }
        // The formula is evaluated from its innermost bracket outwards.
        let mut rank = 0_u64;
        for (c, extent) in site.as_slice().iter().zip(self.as_slice()).rev() {
            if c >= extent {
                return None;
            }
            rank = rank.checked_mul(u64::from(*extent))?.checked_add(u64::from(*c))?;
        }
        Some(rank)
    }

    /// The coordinates of the site with this rank; `None` if the lattice has fewer sites.
    #[must_use]
    pub fn coordinates(&self, rank: u64) -> Option<Coordinates> {
        if rank >= self.sites() {
            return None;
        }
        // The digits of the rank, with the extents as bases.
        let mut site = Coordinates::zero(self.dimensions());
        let mut rest = rank;
        for (c, extent) in site.as_mut_slice().iter_mut().zip(self.as_slice()) {
            let extent = u64::from(*extent);
            *c = u32::try_from(rest.checked_rem(extent)?).ok()?;
            rest = rest.checked_div(extent)?;
        }
        Some(site)
    }
}

impl fmt::Debug for Extents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.extents.fmt(f)
    }
}

/// With `x` between the extents: `4x4x4x8`.
impl fmt::Display for Extents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, extent) in self.as_slice().iter().enumerate() {
            if i > 0 {
                f.write_str("x")?;
            }
            write!(f, "{extent}")?;
        }
        Ok(())
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Extents {
    fn format(&self, f: defmt::Formatter<'_>) {
        self.extents.format(f);
    }
}

impl Saved for Extents {
    const SIZE: usize = Coordinates::SIZE;

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.extents);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        Self::new(from.take::<Coordinates>()?.as_slice()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_checked() {
        assert_eq!(Extents::new(&[u32::MAX, u32::MAX, 2]), Err(ExtentsError::Overflow));
        assert_eq!(Extents::new(&[1 << 31, 1 << 31, 3]).unwrap().sites(), 3 << 62);
        assert_eq!(Extents::new(&[2, 0]), Err(ExtentsError::Zero));
        assert_eq!(Extents::new(&[]), Err(ExtentsError::Dimensions { found: 0 }));
        assert_eq!(Extents::new(&[1; 9]), Err(ExtentsError::Dimensions { found: 9 }));
    }

    #[test]
    fn rank_and_coordinates_are_inverse() {
        let extents = Extents::new(&[2, 3, 1, 4, 2]).unwrap();
        for rank in 0..extents.sites() {
            let site = extents.coordinates(rank).unwrap();
            assert_eq!(extents.rank(&site), Some(rank));
        }
        assert_eq!(extents.coordinates(extents.sites()), None);
        assert_eq!(extents.rank(&Coordinates::new(&[0, 3, 0, 0, 0]).unwrap()), None);
        assert_eq!(extents.rank(&Coordinates::new(&[0, 0]).unwrap()), None);
        assert_eq!(extents.directions(), 4);
    }
}
