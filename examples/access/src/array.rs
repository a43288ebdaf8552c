//! The data of a field as an array: type of the numbers, shape, and names of the axes.

use std::fmt;

use linkstream::field::{Field, LinkLayout};
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::RecordData;

/// Type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElementType {
    F32,
    F64,
    I32,
    /// Data that are not known to be numbers.
    U8,
}

impl ElementType {
    /// Size of a number in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::F32 | Self::I32 => 4,
            Self::F64 => 8,
            Self::U8 => 1,
        }
    }

    /// The name of the type in Rust.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I32 => "i32",
            Self::U8 => "u8",
        }
    }
}

impl From<Precision> for ElementType {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::F32 => Self::F32,
            Precision::F64 => Self::F64,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A number that data can be read as.
pub trait Element: bytemuck::Pod + sealed::Sealed {
    const TYPE: ElementType;
}

macro_rules! elements {
    ($($number:ty: $name:ident;)*) => {$(
        impl sealed::Sealed for $number {}
        impl Element for $number {
            const TYPE: ElementType = ElementType::$name;
        }
    )*};
}

elements! {
    f32: F32;
    f64: F64;
    i32: I32;
    u8: U8;
}

/// An axis of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// `t`, `z`, `y`, `x` (`x4` and so on in more than four dimensions); then, for links, `mu`, `row`, `column`; for
    /// other items, `item` if a site has several, `spin`, `spin_source`, `color`, `color_source` (`row`, `column` of
    /// color matrices that are not one for each direction), or `number`; last, for complex numbers, `re/im`. Names in
    /// an array differ.
    pub name: String,
    pub extent: u64,
}

/// The data of a field as an array, whose last axis changes fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Array {
    pub element: ElementType,
    pub axes: Vec<Axis>,
    /// Number of axes that belong to the lattice or hypercube. They are the first ones. 0 for global data.
    pub lattice_axes: usize,
    /// The last axis consists of real part and imaginary part.
    pub is_complex: bool,
}

impl Array {
    /// The array of a field. `data` describes it, unless an `ildg-format` does.
    #[must_use]
    pub fn of(field: &Field, data: Option<&RecordData>) -> Self {
        let mut axes = sites(field);
        let lattice_axes = axes.len();
        let inside = match &field.links {
            Some(links) => of_links(links, data.is_none() || is_in_directions(field, links)),
            None => data.and_then(|data| of_items(field, data)).unwrap_or_else(|| flat(field, data)),
        };
        axes.extend(
            inside.axes.iter().map(|(name, extent)| Axis { name: (*name).to_owned(), extent: *extent }),
        );
        Self { element: inside.element, axes, lattice_axes, is_complex: inside.is_complex }
    }

    /// The extent of each axis; real and imaginary part are an axis.
    #[must_use]
    pub fn shape(&self) -> Vec<u64> {
        self.axes.iter().map(|axis| axis.extent).collect()
    }

    /// The extents of the axes of the lattice or hypercube, slowest first.
    #[must_use]
    pub fn sites(&self) -> Vec<u64> {
        self.axes.iter().take(self.lattice_axes).map(|axis| axis.extent).collect()
    }

    /// Number of elements; `u64::MAX` if there are more, which no field has.
    #[must_use]
    pub fn number_count(&self) -> u64 {
        if self.axes.iter().any(|axis| axis.extent == 0) {
            return 0;
        }
        self.axes.iter().fold(1, |numbers, axis| numbers.saturating_mul(axis.extent))
    }
}

/// The numbers of a site.
struct Inside {
    element: ElementType,
    axes: Vec<(&'static str, u64)>,
    is_complex: bool,
}

impl Inside {
    fn new(element: ElementType, mut axes: Vec<(&'static str, u64)>, is_complex: bool) -> Self {
        if is_complex {
            axes.push(("re/im", 2));
        }
        Self { element, axes, is_complex }
    }

    fn bytes(&self) -> Option<u64> {
        let size = self.element.size() as u64;
        self.axes.iter().try_fold(size, |bytes, (_, extent)| bytes.checked_mul(*extent))
    }
}

/// The names of the axes of links.
pub(crate) const LINK_AXES: [&str; 3] = ["mu", "row", "column"];

/// True if a site has one matrix for each direction of the lattice, or for each direction with more than one site. A
/// SciDAC record calls others color matrices as well, such as a gauge transformation.
fn is_in_directions(field: &Field, links: &LinkLayout) -> bool {
    let extents = field.extents;
    links.links == u32::from(extents.dimensions()) || links.links == u32::from(extents.directions())
}

fn of_links(links: &LinkLayout, is_in_directions: bool) -> Inside {
    let [mu, row, column] = LINK_AXES;
    let several = match links.links {
        count if is_in_directions => Some((mu, count)),
        1 => None,
        count => Some(("item", count)),
    };
    let axes = several.into_iter().chain([(row, links.rows), (column, links.columns)]);
    let axes = axes.map(|(name, extent)| (name, u64::from(extent))).collect();
    Inside::new(links.precision.into(), axes, links.parts == 2)
}

/// The names of the axes of an item with so many axes of spins and colors.
pub(crate) const fn item_axes(spins: u8, colors: u8) -> Option<&'static [&'static str]> {
    match (spins, colors) {
        (0, 2) => Some(&["row", "column"]),
        (0, 1) => Some(&["color"]),
        (1, 1) => Some(&["spin", "color"]),
        (2, 2) => Some(&["spin", "spin_source", "color", "color_source"]),
        (0, 0) => Some(&[]),
        _ => None,
    }
}

/// The name of an axis of the lattice: `x`, `y`, `z`, `t`, `x4` and so on.
#[must_use]
pub fn lattice_axis(dimension: usize) -> String {
    ["x", "y", "z", "t"].get(dimension).map_or_else(|| format!("x{dimension}"), |name| (*name).to_owned())
}

/// Extents or coordinates with the names of their axes, x first: `x=4 y=4 z=4 t=8`.
#[must_use]
pub fn labelled(numbers: &[u32]) -> String {
    let axes = numbers.iter().enumerate().map(|(axis, number)| format!("{}={number}", lattice_axis(axis)));
    axes.collect::<Vec<_>>().join(" ")
}

/// Items of a type whose name implies their axes; `None` if the size of the items contradicts the name.
fn of_items(field: &Field, data: &RecordData) -> Option<Inside> {
    let item = data.item()?;
    let names = item_axes(item.spin_axes, item.color_axes)?;
    let spins = std::iter::repeat_n(item.spins, item.spin_axes.into());
    let extents = spins.chain(std::iter::repeat_n(item.colors, item.color_axes.into()));
    let several = Some(("item", u64::from(data.datacount))).filter(|(_, count)| *count != 1);
    let of_item = names.iter().copied().zip(extents.map(u64::from));
    let axes = several.into_iter().chain(of_item).collect();
    let inside = Inside::new(field.precision?.into(), axes, item.is_complex);
    (inside.bytes() == Some(field.bytes_per_site)).then_some(inside)
}

/// Suffixes of the names of types that consist of complex numbers (QIO 2.3, section 4.2).
const COMPLEX: [&str; 7] = [
    "_Complex",
    "_ColorVector",
    "_ColorMatrix",
    "_DiracFermion",
    "_HalfFermion",
    "_DiracPropagator",
    "_Propagator",
];

/// Items whose axes are not known: a site holds numbers, or lists of numbers. A single number has no axis.
#[expect(clippy::arithmetic_side_effects, reason = "the divisor is the size of a number, which is not 0")]
fn flat(field: &Field, data: Option<&RecordData>) -> Inside {
    let name = data.map_or("", |data| data.datatype.as_str());
    let size = field.bytes_per_site;
    let named = match field.precision {
        Some(precision) => (ElementType::from(precision), COMPLEX.iter().any(|end| name.ends_with(end))),
        None if name.ends_with("_Int") => (ElementType::I32, false),
        None => (ElementType::U8, false),
    };
    let real = (field.precision.map_or(ElementType::U8, ElementType::from), false);
    let bytes = |(element, is_complex): &(ElementType, bool)| {
        (element.size() as u64).saturating_mul(if *is_complex { 2 } else { 1 })
    };
    let fits = |of: &(ElementType, bool)| size.is_multiple_of(bytes(of));
    let of = [named, real].into_iter().find(fits).unwrap_or((ElementType::U8, false));
    let each = bytes(&of);
    let (count, numbers) = match data.map(|data| (u64::from(data.datacount), u64::from(data.typesize))) {
        Some((count, item)) if item.is_multiple_of(each) && count.checked_mul(item) == Some(size) => {
            (count, item / each)
        }
        _ => (1, size / each),
    };
    let axes = [("item", count), ("number", numbers)];
    Inside::new(of.0, axes.into_iter().filter(|(_, extent)| *extent != 1).collect(), of.1)
}

/// Number of time slices of a field: the extent of its first axis. Global data count as one.
pub(crate) fn slices_of(field: &Field) -> u64 {
    sites(field).first().map_or(1, |axis| axis.extent)
}

/// The axes of the region, slowest first; none for global data.
fn sites(field: &Field) -> Vec<Axis> {
    let extents: Vec<u64> = match &field.region {
        Region::Lattice => field.extents.as_slice().iter().map(|extent| u64::from(*extent)).collect(),
        Region::Hypercube(cube) => {
            let ends = cube.lower().as_slice().iter().zip(cube.upper().as_slice());
            ends.map(|(lower, upper)| u64::from(upper.saturating_sub(*lower)).saturating_add(1)).collect()
        }
        Region::Global => Vec::new(),
    };
    let axis = |(dimension, extent)| Axis { name: lattice_axis(dimension), extent };
    let axes = extents.into_iter().enumerate().map(axis);
    let mut axes: Vec<Axis> = axes.collect();
    axes.reverse();
    axes
}

#[cfg(test)]
mod tests {
    use linkstream::field::{DescribedBy, LinkLayout};
    use linkstream::lattice::Extents;
    use linkstream::lime::Record;
    use linkstream::scidac::PrivateRecord;

    use super::*;

    fn array(record: &PrivateRecord, precision: Option<Precision>) -> (String, Vec<u64>, bool) {
        let links = LinkLayout::new(1, 1, 1, Precision::F32);
        let extents = Extents::new(&[2, 3, 4, 5]).expect("a lattice");
        let mut field = Field::with_links(Record::default(), DescribedBy::Scidac, extents, links);
        (field.bytes_per_site, field.precision, field.links) = (record.bytes_per_site(), precision, None);
        let array = Array::of(&field, Some(record));
        assert_eq!(array.number_count() * array.element.size() as u64, 120 * record.bytes_per_site());
        let names: Vec<_> = array.axes.iter().map(|axis| axis.name.as_str()).collect();
        (names.join(" "), array.shape()[4..].to_vec(), array.is_complex)
    }

    #[test]
    fn spins_and_colors_are_axes_of_their_own() {
        let double = Precision::F64;
        let fermion = array(&PrivateRecord::dirac_fermion(double), Some(double));
        assert_eq!(fermion, ("t z y x spin color re/im".to_owned(), vec![4, 3, 2], true));
        let propagator = array(&PrivateRecord::propagator(double), Some(double));
        let names = "t z y x spin spin_source color color_source re/im";
        assert_eq!(propagator, (names.to_owned(), vec![4, 4, 3, 3, 2], true));
        let vector = array(&PrivateRecord::color_vector(double), Some(double));
        assert_eq!(vector, ("t z y x color re/im".to_owned(), vec![3, 2], true));
        assert_eq!(array(&PrivateRecord::real_field(double), Some(double)).1, Vec::<u64>::new());
    }

    #[test]
    fn color_matrices_are_links_only_if_there_is_one_for_each_direction() {
        let axes = |extents: &[u32], count| {
            let links = LinkLayout::new(count, 3, 3, Precision::F64);
            let extents = Extents::new(extents).expect("a lattice");
            let field = Field::with_links(Record::default(), DescribedBy::Scidac, extents, links);
            let record = PrivateRecord::gauge_field(3, Precision::F64, count);
            let array = Array::of(&field, Some(&record));
            let inside = array.axes.iter().skip(array.lattice_axes);
            inside.map(|axis| format!("{}={}", axis.name, axis.extent)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(axes(&[2, 3, 4, 5], 4), "mu=4 row=3 column=3 re/im=2");
        assert_eq!(axes(&[2, 3, 1, 5], 3), "mu=3 row=3 column=3 re/im=2");
        assert_eq!(axes(&[2, 3, 4, 5], 1), "row=3 column=3 re/im=2");
        assert_eq!(axes(&[2, 3, 4, 5], 2), "item=2 row=3 column=3 re/im=2");
    }

    #[test]
    fn unknown_names_are_lists_of_numbers() {
        let data = RecordData {
            datatype: "MINE_List".try_into().expect("short"),
            precision: "F".try_into().expect("short"),
            typesize: 24,
            datacount: 5,
            ..RecordData::default()
        };
        let record = PrivateRecord::new(&Region::Lattice).with_data(data).expect("consistent");
        let single = array(&record, Some(Precision::F32));
        assert_eq!(single, ("t z y x item number".to_owned(), vec![5, 6], false));
        assert_eq!(array(&record, None).1, [5, 24]);
    }
}
