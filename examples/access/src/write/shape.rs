//! Arrays of several axes as fields: the kind of their numbers, from a name or from the axes.

use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::{PrivateRecord, RecordData};

use super::document::letter;
use super::error::Error;
use super::kind::{ITEMS, ItemKind, Kind, ShapeError, extents};
use super::new_fields::Content;
use super::refusal::Refusal;
use super::wish::Rows;
use crate::array::{LINK_AXES, lattice_axis};

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
    /// Precision of the numbers in the new file.
    pub precision: Precision,
}

/// An array as the field that it is.
#[derive(Debug, Clone)]
pub struct Described {
    /// Kind of the numbers of a site.
    pub kind: Kind,
    /// Number of sites of the array in each dimension, x first. Empty for global data.
    pub sites: Vec<u32>,
    /// Extents of the axes inside of a site.
    inside: Vec<u64>,
    precision: Precision,
}

impl Shape {
    /// Compares the axes with the axes that the kind demands. Without a kind, it follows from the names of the axes; or
    /// from the extents, for links of SU(N), and Dirac fermions and propagators of three colors.
    ///
    /// An array has the axes t, z, y, x, followed by the axes of the kind. Without names, the first four axes are the
    /// lattice.
    ///
    /// # Errors
    /// The axes do not fit the kind, or no kind follows from them.
    pub fn describe(&self, kind: Option<Kind>) -> Result<Described, ShapeError> {
        let dimensions = self.dimensions()?;
        let (sites, inside) = self.extents.split_at(dimensions);
        let kind = kind.map_or_else(|| self.kind(dimensions, inside), Ok)?;
        self.check_order(kind, dimensions)?;
        check_inside(kind, inside)?;
        if let (Kind::Links(_), Some(&links)) = (kind, inside.first())
            && links > dimensions as u64
        {
            let is_mu_first = self.is_mu_first(dimensions);
            return Err(ShapeError::Directions { links, directions: dimensions, is_mu_first });
        }
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
            let fits = |item: &ItemKind| has(item.axes()) && own.len().saturating_sub(item.axes().len()) <= 1;
            let has_extents = |item: &ItemKind| {
                let several = inside.len().checked_sub(item.axes().len());
                several.and_then(|several| inside.get(several..)).is_some_and(|own| item.has(own))
            };
            let fitting = || ITEMS.into_iter().map(|(item, ..)| item).rev().filter(fits);
            let most = fitting().map(|item| item.axes().len()).max();
            let items = || fitting().filter(|item| Some(item.axes().len()) == most);
            let item = items().find(has_extents).or_else(|| items().next());
            return match item {
                Some(item) if self.is_complex => Ok(Kind::Items(item)),
                _ if own.iter().any(|name| LINK_AXES.contains(name)) => {
                    Err(self.ambiguous(dimensions, inside))
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
                kind.map(Kind::Links).ok_or_else(|| self.ambiguous(dimensions, inside))
            }
            [4, 3] | [4, 4, 3, 3] if self.is_complex => {
                let item = if inside.len() == 2 { ItemKind::DiracFermion } else { ItemKind::Propagator };
                Ok(Kind::Items(item))
            }
            _ => Err(self.ambiguous(dimensions, inside)),
        }
    }

    fn ambiguous(&self, dimensions: usize, inside: &[u64]) -> ShapeError {
        let is_mu_first = inside.len() == LINK_AXES.len() && self.is_mu_first(dimensions);
        ShapeError::Ambiguous { inside: inside.to_vec(), is_complex: self.is_complex, is_mu_first }
    }

    /// True if axes without names can be mu, followed by the lattice, as other libraries order them.
    fn is_mu_first(&self, dimensions: usize) -> bool {
        self.names.is_none() && self.extents.first() == Some(&(dimensions as u64))
    }

    /// Compares the names of the axes, if they are known, with the names that the kind demands.
    fn check_order(&self, kind: Kind, dimensions: usize) -> Result<(), ShapeError> {
        let Some(names) = &self.names else { return Ok(()) };
        let lattice = (0..dimensions).rev().map(lattice_axis);
        let of_kind = kind.axes().iter().map(|name| (*name).to_owned());
        let several = names.len().saturating_sub(dimensions).saturating_sub(kind.axes().len());
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
            let fits = own.and_then(|several| inside.get(several..)).is_some_and(|own| item.has(own))
                && !inside.contains(&0);
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
        let split = self.inside.len().checked_sub(of_item).and_then(|at| self.inside.split_at_checked(at));
        let (several, own) = split.ok_or(ShapeError::Large)?;
        let count = |extents: &[u64]| {
            let product = extents.iter().try_fold(1, |product: u64, extent| product.checked_mul(*extent));
            product.and_then(|product| u32::try_from(product).ok()).ok_or(ShapeError::Large)
        };
        let colors = if of_item == 0 { 0 } else { own.last().map_or(Ok(0), |colors| count(&[*colors]))? };
        let size = (self.precision.size() as u32).saturating_mul(if self.kind.is_complex() { 2 } else { 1 });
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
        let record = PrivateRecord::new(region).with_data(data).map_err(Refusal::from)?;
        Ok(Content::Record(Box::new(record)))
    }
}

#[cfg(test)]
mod tests;
