//! The place of a link.

use core::fmt;

use crate::state::saved;

/// The position of a link in a gauge field.
///
/// ```
/// use linkstream::field::Place;
///
/// let place = Place { direction: 3, rank: 511 };
/// assert_eq!(place.to_string(), "the link in t at the site of rank 511");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Place {
    /// Its direction in the lattice: 0 to 3 for x, y, z, t.
    pub direction: u8,
    /// The rank of its site in the lattice.
    pub rank: u64,
}

saved!(struct Place { direction, rank });

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the link in {} at the site of rank {}", letter(self.direction), self.rank)
    }
}

/// `x`, `y`, `z` or `t`.
pub(crate) fn letter(direction: u8) -> &'static str {
    ["x", "y", "z", "t"].get(usize::from(direction)).copied().unwrap_or("?")
}
