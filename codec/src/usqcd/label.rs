//! Source spin and color.

use crate::state::saved;

/// The number of colors.
pub(crate) const COLORS: u8 = 3;
/// The number of spins of a Dirac fermion.
pub(crate) const SPINS: u8 = 4;

/// Source spin and color of a record, as far as its text has them.
///
/// ```
/// use linkstream::usqcd::Label;
///
/// assert_eq!(Label { spin: Some(1), color: Some(2) }.to_string(), "spin 1, color 2");
/// assert_eq!(Label { spin: None, color: Some(2) }.to_string(), "color 2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Label {
    /// The source spin, 0 to 3.
    pub spin: Option<u8>,
    /// The source color, 0 to 2.
    pub color: Option<u8>,
}

saved!(struct Label { spin, color });

impl Label {
    /// The label of the solution with this number, counted from 0: the color varies fastest (QIO 2.3, appendix A.2).
    ///
    /// # Example
    /// ```
    /// use linkstream::usqcd::Label;
    ///
    /// assert_eq!(Label::of_solution(7, false), Label { spin: Some(2), color: Some(1) });
    /// assert_eq!(Label::of_solution(2, true), Label { spin: None, color: Some(2) });
    /// ```
    #[must_use]
    pub const fn of_solution(number: u8, staggered: bool) -> Self {
        let color = Some(number % COLORS);
        Self { spin: if staggered { None } else { Some(number / COLORS % SPINS) }, color }
    }

    /// The number of the solution with this label; `None` if a part is missing that is needed.
    pub(crate) fn number(self, staggered: bool) -> Option<u8> {
        let spin = if staggered { 0 } else { self.spin? };
        spin.checked_mul(COLORS)?.checked_add(self.color?)
    }

    /// Whether spin and color are in their ranges, as those that are read are.
    pub(crate) fn is_consistent(self) -> bool {
        self.spin.is_none_or(|spin| spin < SPINS) && self.color.is_none_or(|color| color < COLORS)
    }
}

impl core::fmt::Display for Label {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (self.spin, self.color) {
            (Some(spin), Some(color)) => write!(f, "spin {spin}, color {color}"),
            (Some(spin), None) => write!(f, "spin {spin}"),
            (None, Some(color)) => write!(f, "color {color}"),
            (None, None) => f.write_str("no spin and color"),
        }
    }
}
