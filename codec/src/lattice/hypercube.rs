//! Boxes of sites, which QIO calls hypercubes.

use super::extents::{Coordinates, Extents};
use crate::counter::Counter as _;
use crate::messages::messages;
use crate::state::{Put, Saved, Take};

messages! {
    /// Why bounds do not describe a hypercube of a lattice.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    ///
    /// let corner = Coordinates::new(&[4, 0]).ok_or("more than 8 dimensions")?;
    /// assert!(Hypercube::new(corner, corner, &Extents::new(&[4, 4])?).is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum HypercubeError {
        /// The number of bounds is not that of the dimensions of the lattice.
        Dimensions => ("the bounds of the hypercube have another number of dimensions than the lattice"),
        /// A lower bound lies above its upper bound.
        Reversed => ("a lower bound of the hypercube is greater than its upper bound"),
        /// An upper bound lies outside the lattice. Both bounds are inclusive.
        Outside => ("an upper bound of the hypercube is outside the lattice (bounds are inclusive)"),
    }
}

/// The sites between two corners, both included.
///
/// ```
/// use linkstream::lattice::{Coordinates, Extents, Hypercube};
///
/// let extents = Extents::new(&[4, 4, 4, 8])?;
/// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
/// let slice = Hypercube::new(corner(&[0, 0, 0, 2])?, corner(&[3, 3, 3, 2])?, &extents)?;
/// assert_eq!(slice.sites(), 64);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Hypercube {
    lower: Coordinates,
    upper: Coordinates,
}

impl Hypercube {
    /// The box between `lower` and `upper` in a lattice of these extents.
    ///
    /// # Errors
    /// See [`HypercubeError`].
    pub fn new(lower: Coordinates, upper: Coordinates, extents: &Extents) -> Result<Self, HypercubeError> {
        let dimensions = usize::from(extents.dimensions());
        if lower.as_slice().len() != dimensions || upper.as_slice().len() != dimensions {
            return Err(HypercubeError::Dimensions);
        }
        let bounds = lower.as_slice().iter().zip(upper.as_slice());
        for ((lower, upper), extent) in bounds.zip(extents.as_slice()) {
            if lower > upper {
                return Err(HypercubeError::Reversed);
            }
            if upper >= extent {
                return Err(HypercubeError::Outside);
            }
        }
        Ok(Self { lower, upper })
    }

    /// The corner nearest the origin.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    ///
    /// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
    /// let cube = Hypercube::new(corner(&[1, 0])?, corner(&[2, 3])?, &Extents::new(&[4, 4])?)?;
    /// assert_eq!((cube.lower().as_slice(), cube.upper().as_slice()), (&[1, 0][..], &[2, 3][..]));
    /// assert!(cube.sites() == 8 && cube.contains(&corner(&[2, 0])?) && !cube.contains(&corner(&[3, 0])?));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn lower(&self) -> &Coordinates {
        &self.lower
    }

    /// The opposite corner, still inside.
    #[must_use]
    pub const fn upper(&self) -> &Coordinates {
        &self.upper
    }

    /// The number of sites.
    #[must_use]
    pub fn sites(&self) -> u64 {
        // Never more than the lattice, whose sites were counted without overflow.
        let bounds = self.lower.as_slice().iter().zip(self.upper.as_slice());
        bounds.fold(1, |sites, (lower, upper)| sites.times(u64::from(upper.minus(*lower)).plus(1)))
    }

    /// The time of the sites, if they are all sites of one time slice: time is the last dimension.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    ///
    /// let (extents, corner) = (Extents::new(&[4, 8])?, |values| Coordinates::new(values).ok_or("more than 8"));
    /// assert_eq!(Hypercube::new(corner(&[0, 5])?, corner(&[3, 5])?, &extents)?.time_slice(&extents), Some(5));
    /// assert_eq!(Hypercube::new(corner(&[1, 5])?, corner(&[3, 5])?, &extents)?.time_slice(&extents), None);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn time_slice(&self, extents: &Extents) -> Option<u32> {
        let (first, space) = self.lower.as_slice().split_last()?;
        let (last, space_upper) = self.upper.as_slice().split_last()?;
        let (_, space_extents) = extents.as_slice().split_last()?;
        let lengths = space.iter().zip(space_upper).zip(space_extents);
        let is_whole = lengths
            .clone()
            .all(|((lower, upper), extent)| *lower == 0 && upper.checked_add(1) == Some(*extent));
        (is_whole && first == last && lengths.count() == space_extents.len()).then_some(*first)
    }

    /// Whether a site lies inside.
    #[must_use]
    pub fn contains(&self, site: &Coordinates) -> bool {
        site.as_slice().len() == self.lower.as_slice().len()
            && site
                .as_slice()
                .iter()
                .zip(self.lower.as_slice())
                .zip(self.upper.as_slice())
                .all(|((c, lower), upper)| lower <= c && c <= upper)
    }
}

impl Saved for Hypercube {
    const SIZE: usize = 2 * Coordinates::SIZE;

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.lower);
        to.put(&self.upper);
    }

    /// Bounds that are reversed, or between which lie more sites than 64 bits can count, are no hypercube.
    fn take(from: &mut Take<'_>) -> Option<Self> {
        let (lower, upper) = (from.take::<Coordinates>()?, from.take::<Coordinates>()?);
        let mut between = 1_u64;
        for (lower, upper) in lower.as_slice().iter().zip(upper.as_slice()) {
            let length = u64::from(upper.checked_sub(*lower)?).plus(1);
            between = between.checked_mul(length)?;
        }
        (lower.as_slice().len() == upper.as_slice().len()).then_some(Self { lower, upper })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lower: &[u32], upper: &[u32]) -> Result<Hypercube, HypercubeError> {
        let extents = Extents::new(&[2, 3, 4]).unwrap();
        Hypercube::new(Coordinates::new(lower).unwrap(), Coordinates::new(upper).unwrap(), &extents)
    }

    #[test]
    fn bounds_are_inclusive_and_checked() {
        assert_eq!(of(&[0, 0, 0], &[1, 2, 3]).unwrap().sites(), 24);
        assert_eq!(of(&[1, 1, 1], &[1, 1, 1]).unwrap().sites(), 1);
        assert_eq!(of(&[0, 0, 0], &[1, 2, 4]), Err(HypercubeError::Outside));
        assert_eq!(of(&[0, 2, 0], &[1, 1, 3]), Err(HypercubeError::Reversed));
        assert_eq!(of(&[0, 0], &[1, 1]), Err(HypercubeError::Dimensions));
    }

    #[test]
    fn contains_both_corners() {
        let cube = of(&[0, 1, 1], &[1, 2, 3]).unwrap();
        assert!(cube.contains(cube.lower()) && cube.contains(cube.upper()));
        assert!(!cube.contains(&Coordinates::new(&[0, 0, 1]).unwrap()));
        assert!(!cube.contains(&Coordinates::new(&[0, 1]).unwrap()));
    }
}
