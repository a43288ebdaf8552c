//! Arrays of several axes as fields: what the numbers of a site are, from a name or from the axes.

use std::fmt;
use std::str::FromStr;

use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::{PrivateRecord, RecordData};

use super::document::letter;
use super::error::Error;
use super::new_fields::Content;
use super::wish::Rows;
use crate::array::{LINK_AXES, item_axes, lattice_axis};

/// What the numbers of a site are. Parsed from a kind of ILDG such as `su3gauge`, or from the name of an item.
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
type About = (ItemKind, &'static str, &'static str, u32, u8, u8);

const ITEMS: [About; 7] = [
    (ItemKind::Real, "real", "Real", 0, 0, 0),
    (ItemKind::Complex, "complex", "Complex", 0, 0, 0),
    (ItemKind::ColorVector, "color_vector", "ColorVector", 0, 0, 1),
    (ItemKind::ColorMatrix, "color_matrix", "ColorMatrix", 0, 0, 2),
    (ItemKind::HalfFermion, "half_fermion", "HalfFermion", 2, 1, 1),
    (ItemKind::DiracFermion, "dirac_fermion", "DiracFermion", 4, 1, 1),
    (ItemKind::Propagator, "propagator", "DiracPropagator", 4, 2, 2),
];

impl ItemKind {
    fn about(self) -> About {
        ITEMS.into_iter().find(|(kind, ..)| *kind == self).unwrap_or(ITEMS[0])
    }

    fn axes(self) -> &'static [&'static str] {
        let (.., spins, colors) = self.about();
        item_axes(spins, colors).unwrap_or_default()
    }

    /// True if the axes of an array can be those of this item.
    fn has(self, extents: &[u64]) -> bool {
        let (.., spins, spin_axes, color_axes) = self.about();
        let (of_spins, of_colors) = extents.split_at_checked(spin_axes.into()).unwrap_or((extents, &[]));
        of_colors.len() == usize::from(color_axes)
            && of_spins.iter().all(|extent| *extent == u64::from(spins))
            && of_colors.windows(2).all(|pair| pair[0] == pair[1])
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
    const fn is_complex(self) -> bool {
        match self {
            Self::Links(kind) => !kind.is_real(),
            Self::Items(item) => !matches!(item, ItemKind::Real),
        }
    }

    fn axes(self) -> &'static [&'static str] {
        match self {
            Self::Links(_) => &LINK_AXES,
            Self::Items(item) => item.axes(),
        }
    }

    /// Real and complex numbers can have any axes inside of a site, which are one axis in the file.
    const fn is_number(self) -> bool {
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
        /// The kind.
        kind: Kind,
        /// True if the kind has complex numbers.
        is_complex: bool,
    },
    /// Axes inside of a site that the kind does not have.
    #[error("{kind} has {expected} in each site, but the array has {}", extents(found))]
    Inside {
        /// The kind.
        kind: Kind,
        /// Description of the right axes.
        expected: String,
        /// The extents of the axes after those of the lattice.
        found: Vec<u64>,
    },
    /// An array whose kind does not follow from its axes.
    #[error("what the numbers are does not follow from {} in each site: give a kind", extents(.0))]
    Ambiguous(Vec<u64>),
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

fn item_names() -> String {
    ITEMS.iter().map(|(_, name, ..)| *name).collect::<Vec<_>>().join(", ")
}

fn extents(extents: &[u64]) -> String {
    match extents {
        [] => "no axis".to_owned(),
        [one] => format!("an axis of {one}"),
        _ => format!("axes of {}", extents.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// An array that shall be a field.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The extent of each axis, the slowest first; real and imaginary part are no axis.
    pub extents: Vec<u64>,
    /// The names of the axes, if they are known: as in [`Array`](crate::Array).
    pub names: Option<Vec<String>>,
    /// True for complex numbers.
    pub is_complex: bool,
    /// True for global data, which have no axes of a lattice.
    pub is_global: bool,
    /// The precision.
    pub precision: Precision,
}

/// An array as the field that it is.
#[derive(Debug, Clone)]
pub struct Described {
    /// What the numbers of a site are.
    pub kind: Kind,
    /// Number of sites of the array in each dimension, x first. Empty for global data.
    pub sites: Vec<u32>,
    /// The extents of the axes after those of the lattice.
    inside: Vec<u64>,
    precision: Precision,
}

impl Shape {
    /// Compares the axes with those of a kind. Without one, it follows from the names of the axes; or from the extents,
    /// for links of SU(N), and Dirac fermions and propagators of three colors.
    ///
    /// An array has the axes t, z, y, x, and then those of the kind. Without names, the first four axes are those of the
    /// lattice.
    ///
    /// # Errors
    /// The axes are not those of the kind, or no kind follows from them.
    pub fn describe(&self, kind: Option<Kind>) -> Result<Described, ShapeError> {
        let dimensions = self.dimensions()?;
        let (sites, inside) = self.extents.split_at(dimensions);
        let kind = kind.map_or_else(|| self.kind(dimensions, inside), Ok)?;
        self.check_order(kind, dimensions)?;
        check_inside(kind, inside)?;
        if kind.is_complex() != self.is_complex {
            return Err(ShapeError::Numbers { kind, is_complex: kind.is_complex() });
        }
        let extent =
            |extent: &u64| u32::try_from(*extent).ok().filter(|n| *n > 0).ok_or(ShapeError::Extent(*extent));
        let sites = sites.iter().rev().map(extent).collect::<Result<_, _>>()?;
        Ok(Described { kind, sites, inside: inside.to_vec(), precision: self.precision })
    }

    /// Number of axes of the lattice.
    fn dimensions(&self) -> Result<usize, ShapeError> {
        let axes = self.extents.len();
        if let Some(names) = &self.names {
            if names.len() != axes {
                return Err(ShapeError::Names { axes, names: names.len() });
            }
            let is_lattice = |name: &&String| (0..MAX_DIMENSIONS).any(|axis| **name == lattice_axis(axis));
            // Wherever they are: the order is checked later.
            return Ok(if self.is_global { 0 } else { names.iter().filter(is_lattice).count() });
        }
        match (self.is_global, axes) {
            (true, _) => Ok(0),
            (false, 4..) => Ok(4),
            (false, _) => Err(ShapeError::NoLattice(extents(&self.extents))),
        }
    }

    /// The kind that follows from the axes.
    fn kind(&self, dimensions: usize, inside: &[u64]) -> Result<Kind, ShapeError> {
        let numbers = if self.is_complex { ItemKind::Complex } else { ItemKind::Real };
        if let Some(names) = &self.names {
            let own: Vec<_> = names.iter().map(String::as_str).filter(|name| !is_of_lattice(name)).collect();
            let has = |axes: &[&str]| !axes.is_empty() && axes.iter().all(|axis| own.contains(axis));
            let links = self.is_complex.then(|| inside.last()).flatten().and_then(|colors| special(*colors));
            if has(&LINK_AXES)
                && let Some(kind) = links
            {
                return Ok(Kind::Links(kind));
            }
            // Of items with the same axes, the one whose extents fit; the order is checked later.
            let fits = |item: &ItemKind| has(item.axes()) && own.len() - item.axes().len() <= 1;
            let has_extents = |item: &ItemKind| item.has(&inside[inside.len() - item.axes().len()..]);
            let fitting = || ITEMS.into_iter().map(|(item, ..)| item).rev().filter(fits);
            let most = fitting().map(|item| item.axes().len()).max();
            let items = || fitting().filter(|item| Some(item.axes().len()) == most);
            let item = items().find(has_extents).or_else(|| items().next());
            return match item {
                Some(item) if self.is_complex => Ok(Kind::Items(item)),
                _ if own.iter().any(|name| LINK_AXES.contains(name)) => {
                    Err(ShapeError::Ambiguous(inside.to_vec()))
                }
                _ => Ok(Kind::Items(numbers)),
            };
        }
        match inside {
            // A part of a field with more axes would look like another field on another lattice.
            [] | [_] if self.is_global => Ok(Kind::Items(numbers)),
            // Directions with a single site can have no link.
            [links, rows, colors]
                if self.is_complex && (1..=dimensions as u64).contains(links) && rows <= colors =>
            {
                let kind = special(*colors)
                    .filter(|kind| *rows == *colors || Some(*rows) == kind.reduced_rows().map(u64::from));
                kind.map(Kind::Links).ok_or_else(|| ShapeError::Ambiguous(inside.to_vec()))
            }
            [4, 3] | [4, 4, 3, 3] if self.is_complex => {
                let item = if inside.len() == 2 { ItemKind::DiracFermion } else { ItemKind::Propagator };
                Ok(Kind::Items(item))
            }
            _ => Err(ShapeError::Ambiguous(inside.to_vec())),
        }
    }

    /// Compares the names of the axes, if they are known, with those of the kind.
    fn check_order(&self, kind: Kind, dimensions: usize) -> Result<(), ShapeError> {
        let Some(names) = &self.names else { return Ok(()) };
        let lattice = (0..dimensions).rev().map(lattice_axis);
        let of_kind = kind.axes().iter().map(|name| (*name).to_owned());
        let several = names.len().saturating_sub(dimensions + kind.axes().len());
        let inside: Vec<String> = if kind.is_number() {
            names.iter().filter(|name| !is_of_lattice(name)).cloned().collect()
        } else {
            // A color matrix is read like a link.
            let is_link = matches!(kind, Kind::Items(ItemKind::ColorMatrix))
                && names.get(dimensions).is_some_and(|name| name == LINK_AXES[0]);
            let item = if is_link { LINK_AXES[0] } else { "item" };
            std::iter::repeat_n(item.to_owned(), several).chain(of_kind).collect()
        };
        let expected: Vec<String> = lattice.chain(inside).collect();
        if *names == expected {
            return Ok(());
        }
        Err(ShapeError::Order { found: names.join(", "), expected: expected.join(", ") })
    }
}

/// The largest number of dimensions of a lattice.
const MAX_DIMENSIONS: usize = 8;

fn is_of_lattice(name: &str) -> bool {
    (0..MAX_DIMENSIONS).any(|axis| name == lattice_axis(axis))
}

/// The usual kind of links with so many colors.
fn special(colors: u64) -> Option<GaugeKind> {
    GaugeKind::parse(format!("su{colors}gauge").as_bytes())
}

fn check_inside(kind: Kind, inside: &[u64]) -> Result<(), ShapeError> {
    let (fits, expected) = match kind {
        Kind::Links(links) => {
            let (colors, rows) = (links.colors(), links.reduced_rows());
            let fits = matches!(inside, [_, stored, columns] if *columns == u64::from(colors)
                && (*stored == *columns || Some(*stored) == rows.map(u64::from)));
            let rows = rows.map_or_else(|| colors.to_string(), |rows| format!("{colors} (or {rows})"));
            (fits, format!("the axes mu, row, column with {rows} rows and {colors} columns"))
        }
        Kind::Items(_) if kind.is_number() => (!inside.contains(&0), "at least one number".to_owned()),
        Kind::Items(item) => {
            let axes = item.axes();
            let own = inside.len().checked_sub(axes.len()).filter(|several| *several <= 1);
            let fits = own.is_some_and(|several| item.has(&inside[several..])) && !inside.contains(&0);
            let (.., spins, spin_axes, _) = item.about();
            let spins = if spin_axes > 0 { format!(" with {spins} spins") } else { String::new() };
            (fits, format!("the axes {}{spins}, after an axis if there are several items,", axes.join(", ")))
        }
    };
    if fits { Ok(()) } else { Err(ShapeError::Inside { kind, expected, found: inside.to_vec() }) }
}

impl Described {
    /// The content of a new field in this region. `datatype` replaces the usual name of the type.
    ///
    /// # Errors
    /// The documents cannot describe it.
    pub fn content(&self, region: &Region, datatype: Option<&str>) -> Result<Content, Error> {
        let item = match self.kind {
            Kind::Links(_) if *region != Region::Lattice || datatype.is_some() => {
                return Err(ShapeError::PartOfLinks.into());
            }
            Kind::Links(kind) => {
                let rows = self.inside.get(1).and_then(|rows| u16::try_from(*rows).ok());
                return Ok(Content::Links { kind, rows: rows.map_or(Rows::Full, Rows::Number) });
            }
            Kind::Items(item) => item,
        };
        let (_, _, word, spins, ..) = item.about();
        let of_item = item.axes().len();
        let (several, own) = self.inside.split_at(self.inside.len() - of_item);
        let count = |extents: &[u64]| {
            let product = extents.iter().try_fold(1, |product: u64, extent| product.checked_mul(*extent));
            product.and_then(|product| u32::try_from(product).ok()).ok_or(ShapeError::Large)
        };
        let colors = if of_item == 0 { 0 } else { own.last().map_or(Ok(0), |colors| count(&[*colors]))? };
        let size = self.precision.bytes() as u32 * if self.kind.is_complex() { 2 } else { 1 };
        let typesize = count(own)?.checked_mul(size).ok_or(ShapeError::Large)?;
        let letter = letter(self.precision);
        let name = match (item, colors) {
            _ if *region == Region::Global && of_item == 0 => format!("QLA_{letter}_{word}"),
            (ItemKind::Real, _) => format!("QDP_{letter}_{word}"),
            (ItemKind::Complex, _) => format!("USQCD_{letter}_{word}"),
            (_, 3) => format!("USQCD_{letter}3_{word}"),
            _ => format!("QDP_{letter}{colors}_{word}"),
        };
        let name = datatype.unwrap_or(&name);
        let data = RecordData {
            datatype: name.try_into().map_err(|_| ShapeError::Large)?,
            precision: letter.try_into().unwrap_or_default(),
            colors,
            spins,
            typesize,
            datacount: count(several)?,
        };
        let record = PrivateRecord::new(region).with_data(data).map_err(super::error::Refusal::from)?;
        Ok(Content::Record(Box::new(record)))
    }
}

#[cfg(test)]
mod tests;
