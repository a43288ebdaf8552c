//! Kinds of the numbers of a site, and reasons why an array is not of a kind.

use std::fmt;
use std::str::FromStr;

use linkstream::ildg::GaugeKind;

use crate::array::{LINK_AXES, item_axes};

/// Kind of the numbers of a site. Parsed from a kind of ILDG such as `su3gauge`, or from the name of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The links of a gauge field: the axes mu, row, column.
    Links(GaugeKind),
    /// Items, with an axis in front of theirs if a site has several.
    Items(ItemKind),
}

/// An item of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// A real number.
    Real,
    /// A complex number.
    Complex,
    /// The axis color.
    ColorVector,
    /// The axes row, column.
    ColorMatrix,
    /// The axes spin, color, with 2 spins.
    HalfFermion,
    /// The axes spin, color, with 4 spins.
    DiracFermion,
    /// The axes spin, `spin_source`, color, `color_source`.
    Propagator,
}

/// An item: its name here, its name in SciDAC records, its number of spins, and its axes of spins and colors.
pub(super) type About = (ItemKind, &'static str, &'static str, u32, u8, u8);

pub(super) const ITEMS: [About; 7] = [
    (ItemKind::Real, "real", "Real", 0, 0, 0),
    (ItemKind::Complex, "complex", "Complex", 0, 0, 0),
    (ItemKind::ColorVector, "color_vector", "ColorVector", 0, 0, 1),
    (ItemKind::ColorMatrix, "color_matrix", "ColorMatrix", 0, 0, 2),
    (ItemKind::HalfFermion, "half_fermion", "HalfFermion", 2, 1, 1),
    (ItemKind::DiracFermion, "dirac_fermion", "DiracFermion", 4, 1, 1),
    (ItemKind::Propagator, "propagator", "DiracPropagator", 4, 2, 2),
];

impl ItemKind {
    pub(super) fn about(self) -> About {
        ITEMS.into_iter().find(|(kind, ..)| *kind == self).unwrap_or(ITEMS[0])
    }

    pub(super) fn axes(self) -> &'static [&'static str] {
        let (.., spins, colors) = self.about();
        item_axes(spins, colors).unwrap_or_default()
    }

    /// True if an array of this item can have these extents.
    pub(super) fn has(self, extents: &[u64]) -> bool {
        let (.., spins, spin_axes, color_axes) = self.about();
        let (of_spins, of_colors) = extents.split_at_checked(spin_axes.into()).unwrap_or((extents, &[]));
        of_colors.len() == usize::from(color_axes)
            && of_spins.iter().all(|extent| *extent == u64::from(spins))
            && of_colors.iter().zip(of_colors.iter().skip(1)).all(|(one, next)| one == next)
            && !of_colors.contains(&0)
    }
}

impl FromStr for Kind {
    type Err = ShapeError;

    fn from_str(name: &str) -> Result<Self, ShapeError> {
        let item = ITEMS.into_iter().find(|(_, own, ..)| *own == name).map(|(kind, ..)| Self::Items(kind));
        let links = || GaugeKind::parse(name.as_bytes()).map(Self::Links);
        item.or_else(links).ok_or_else(|| ShapeError::NoKind(name.to_owned()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Links(kind) => kind.fmt(f),
            Self::Items(item) => f.write_str(item.about().1),
        }
    }
}

impl Kind {
    pub(super) const fn is_complex(self) -> bool {
        match self {
            Self::Links(kind) => !kind.is_real(),
            Self::Items(item) => !matches!(item, ItemKind::Real),
        }
    }

    pub(super) fn axes(self) -> &'static [&'static str] {
        match self {
            Self::Links(_) => &LINK_AXES,
            Self::Items(item) => item.axes(),
        }
    }

    /// Real and complex numbers can have any axes inside of a site, which are one axis in the file.
    pub(super) const fn is_number(self) -> bool {
        matches!(self, Self::Items(ItemKind::Real | ItemKind::Complex))
    }
}

/// Reason why an array cannot be the field that it shall be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A name of no kind.
    #[error("there is no kind {0}: a kind is one of {names}, or a kind of ILDG such as su3gauge", names = item_names())]
    NoKind(String),
    /// Fewer axes than the lattice has.
    #[error("the array has the axes {0}, which are fewer than those of the lattice: t, z, y, x")]
    NoLattice(String),
    /// Axes of the lattice in another order, or after others.
    #[error("the array has the axes {found}, but a field has the axes {expected}: transpose it")]
    Order {
        /// The names of the axes.
        found: String,
        /// The right ones.
        expected: String,
    },
    /// Names for another number of axes.
    #[error("the array has {axes} axes, but there are {names} names of axes")]
    Names {
        /// Number of axes.
        axes: usize,
        /// Number of names.
        names: usize,
    },
    /// Complex numbers for real ones, or the other way round.
    #[error("{kind} has {} numbers, but the array has {}", number(*.is_complex), number(!*.is_complex))]
    Numbers {
        /// Kind that the array was said to have.
        kind: Kind,
        /// True if the kind has complex numbers.
        is_complex: bool,
    },
    /// Axes inside of a site that the kind does not have.
    #[error("{kind} has {expected} in each site, but the array has {}", extents(found))]
    Inside {
        /// Kind that the array was said to have.
        kind: Kind,
        /// Description of the right axes.
        expected: String,
        /// Extents of the axes inside of a site.
        found: Vec<u64>,
    },
    /// An array whose kind does not follow from its axes.
    #[error(
        "what the numbers are does not follow from {} numbers with {} in each site: give a kind{}{}",
        number(*.is_complex), extents(inside), real_links(*.is_complex, inside), hint(*.is_mu_first)
    )]
    Ambiguous {
        /// The extents of the axes inside of a site.
        inside: Vec<u64>,
        /// True for complex numbers.
        is_complex: bool,
        /// True if the first axis can be the direction of links.
        is_mu_first: bool,
    },
    /// More links at a site than directions.
    #[error(
        "the array has {links} links at each site, but the lattice has {directions} directions{}",
        hint(*.is_mu_first)
    )]
    Directions {
        /// Number of links at a site.
        links: u64,
        /// Number of directions.
        directions: usize,
        /// True if the first axis can be the direction of links.
        is_mu_first: bool,
    },
    /// An extent of the lattice that 32 bits cannot hold, or zero.
    #[error("an axis of a lattice has 1 to 2^32 - 1 sites, not {0}")]
    Extent(u64),
    /// Links that are not on a whole lattice.
    #[error("the links of a gauge field are on the whole lattice, not in a part of it")]
    PartOfLinks,
    /// A record would be too large.
    #[error("a site has more numbers than a SciDAC record can describe")]
    Large,
}

fn number(is_complex: bool) -> &'static str {
    if is_complex { "complex" } else { "real" }
}

/// A remark about real numbers with the axes of links.
fn real_links(is_complex: bool, inside: &[u64]) -> &'static str {
    match inside {
        [_, row, column] if !is_complex && row == column => "; links of SU(N) are complex numbers",
        _ => "",
    }
}

/// A question about the order of the axes.
fn hint(is_mu_first: bool) -> &'static str {
    if is_mu_first {
        "; or is mu the first axis? links have the axes t, z, y, x, mu, row, column: transpose the array"
    } else {
        ""
    }
}

fn item_names() -> String {
    ITEMS.iter().map(|(_, name, ..)| *name).collect::<Vec<_>>().join(", ")
}

pub(super) fn extents(extents: &[u64]) -> String {
    match extents {
        [] => "no axis".to_owned(),
        [one] => format!("an axis of {one}"),
        _ => format!("axes of {}", extents.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}
