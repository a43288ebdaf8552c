//! How many rows of a link an archive has.

use crate::state::saved;

/// Rows of each link that are stored.
///
/// # Example
/// ```
/// use linkstream::nersc::Rows;
///
/// assert_eq!((Rows::Two.count(), Rows::Two.datatype()), (2, "4D_SU3_GAUGE"));
/// assert_eq!((Rows::Three.count(), Rows::Three.datatype()), (3, "4D_SU3_GAUGE_3x3"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Rows {
    /// The third follows from them.
    Two,
    /// All.
    Three,
}

saved!(enum Rows: Two, Three);

impl Rows {
    /// The number of dimensions.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }

    /// The value of `DATATYPE`.
    #[must_use]
    pub const fn datatype(self) -> &'static str {
        match self {
            Self::Two => "4D_SU3_GAUGE",
            Self::Three => "4D_SU3_GAUGE_3x3",
        }
    }
}
