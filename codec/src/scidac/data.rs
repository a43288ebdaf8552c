//! The elements of a record that describe the data of a site: names of datatypes, and consistency of the elements.

use crate::messages::messages;
use crate::state::saved;
use crate::xml::Text;

/// Description of the data of a site by a [`PrivateRecord`](super::PrivateRecord): `datacount` items of `typesize`
/// bytes each.
///
/// The elements determine each other: [`PrivateRecord::with_data`](super::PrivateRecord::with_data) refuses data that
/// contradict themselves. Common data have constructors, such as
/// [`PrivateRecord::propagator`](super::PrivateRecord::propagator).
///
/// ```
/// use linkstream::lattice::Region;
/// use linkstream::scidac::{PrivateRecord, RecordData};
///
/// let data = RecordData {
///     datatype: "QDP_Int".try_into()?,
///     precision: "I".try_into()?,
///     typesize: 4,
///     datacount: 1,
///     ..RecordData::default()
/// };
/// let record = PrivateRecord::new(&Region::Lattice).with_data(data)?;
/// assert_eq!((record.typesize, record.bytes_per_site()), (4, 4));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RecordData {
    /// Name of the type of an item, as free text. A text of more than 64 bytes is truncated when it is read, which is a
    /// finding.
    pub datatype: Text<64>,
    /// A letter: `F` for 32-bit and `D` for 64-bit floating-point numbers, `I` for 32-bit integers, `S` for the 32-bit
    /// words of a random-number state (QIO 2.3, section 4.2); also `U` for bytes, which QDP++ writes. MILC leaves
    /// it empty for random-number states.
    pub precision: Text<8>,
    /// Number of colors; 0 if missing.
    pub colors: u32,
    /// Number of spins; 0 if missing.
    pub spins: u32,
    /// Size of an item in bytes.
    pub typesize: u32,
    /// Number of items per site.
    pub datacount: u32,
}

saved!(struct RecordData { datatype, precision, colors, spins, typesize, datacount });

impl RecordData {
    pub(super) const EMPTY: Self = Self {
        datatype: Text::new(),
        precision: Text::new(),
        colors: 0,
        spins: 0,
        typesize: 0,
        datacount: 0,
    };
}

/// Number of real numbers in an item, as coefficients of a polynomial in the number of colors: `(name, quadratic,
/// linear, constant)`.
const ITEMS: [(&[u8], u32, u32, u32); 8] = [
    (b"Real", 0, 0, 1),
    (b"Complex", 0, 0, 2),
    (b"ColorVector", 0, 2, 0),
    (b"ColorMatrix", 2, 0, 0),
    (b"HalfFermion", 0, 4, 0),
    (b"DiracFermion", 0, 8, 0),
    (b"DiracPropagator", 32, 0, 0),
    (b"Propagator", 32, 0, 0),
];

/// Number of spins of the items that have any (QIO 2.3, section 4.2).
const SPINS: [(&[u8], u32); 4] =
    [(b"HalfFermion", 2), (b"DiracFermion", 4), (b"DiracPropagator", 4), (b"Propagator", 4)];

/// Names of the types of integers, each with its precision.
const INTEGERS: [(&[u8], u8); 2] = [(b"Int", b'I'), (b"RandomState", b'S')];

/// The precision of a named type of integers; `None` for other names.
fn integer(name: &[u8]) -> Option<u8> {
    let item = name.strip_prefix(b"QDP_").or_else(|| name.strip_prefix(b"QLA_"))?;
    INTEGERS.into_iter().find(|(name, _)| *name == item).map(|(_, letter)| letter)
}

/// The parts of the name of a datatype.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Datatype<'d> {
    /// `F` or `D`.
    pub(crate) letter: u8,
    /// Number of colors, if the name has any.
    pub(crate) colors: Option<u32>,
    item: &'d [u8],
}

impl<'d> Datatype<'d> {
    /// `None` for names of other patterns: their meaning is unknown.
    pub(crate) fn parse(name: &'d [u8]) -> Option<Self> {
        let programs: [&[u8]; 3] = [b"USQCD_", b"QDP_", b"QLA_"];
        let rest = programs.iter().find_map(|program| name.strip_prefix(*program))?;
        let (letter, rest) = rest.split_first()?;
        let mut parts = rest.splitn(2, |byte| *byte == b'_');
        let (digits, item) = (parts.next()?, parts.next()?);
        let colors = if digits.is_empty() { None } else { Some(number(digits)?) };
        matches!(letter, b'F' | b'D').then_some(Self { letter: *letter, colors, item })
    }

    /// Size of a number in bytes.
    pub(crate) const fn word(&self) -> u32 {
        if self.letter == b'F' { 4 } else { 8 }
    }

    /// True if a record of such items can have this number of spins; 0 means that it is not given. For items without
    /// spins, QDP++ writes 4 and Grid 1.
    pub(crate) fn has_spins(&self, spins: u32) -> bool {
        let is_known = ITEMS.into_iter().any(|(name, ..)| name == self.item);
        match SPINS.into_iter().find(|(name, _)| *name == self.item) {
            Some((_, of_item)) => spins == of_item || spins == 0,
            None => !is_known || matches!(spins, 0 | 1 | 4),
        }
    }

    /// Size of an item in bytes, if it is known. `colors` is used if the name has no number of colors.
    pub(crate) fn size(&self, colors: u32) -> Option<u32> {
        let (_, squares, singles, others) = ITEMS.into_iter().find(|(name, ..)| *name == self.item)?;
        let colors = self.colors.unwrap_or(colors);
        let of_colors = squares.checked_mul(colors)?.checked_add(singles)?.checked_mul(colors)?;
        let size = of_colors.checked_add(others)?.checked_mul(self.word())?;
        (size > 0).then_some(size)
    }

    /// True if an item of `bytes` bytes can be a matrix in reduced storage, whose rows an `ildg-format` describes (ILDG
    /// 1.2, section 2.5.1): all rows but one, or half of them.
    pub(crate) fn is_reduced(&self, colors: u32, bytes: u32) -> bool {
        let colors = self.colors.unwrap_or(colors);
        let row = colors.checked_mul(2).and_then(|numbers| numbers.checked_mul(self.word()));
        let holds = |rows| bytes > 0 && row.and_then(|row| row.checked_mul(rows)) == Some(bytes);
        let is_half = colors.is_multiple_of(2) && holds(colors / 2);
        self.item == b"ColorMatrix" && (colors.checked_sub(1).is_some_and(holds) || is_half)
    }
}

/// Axes of the numbers of an item, derived from the name of its type. From the slowest to the fastest: spins, colors,
/// real and imaginary part.
///
/// ```
/// use linkstream::lattice::Precision;
/// use linkstream::scidac::PrivateRecord;
///
/// let item = PrivateRecord::propagator(Precision::F64).item().ok_or("a known name")?;
/// // Spin, spin, color, color: of each pair, the sink comes first.
/// assert_eq!((item.spin_axes, item.spins, item.color_axes, item.colors), (2, 4, 2, 3));
/// assert!(item.is_complex);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Item {
    /// Number of axes of spins: 0, 1, or 2 for matrices.
    pub spin_axes: u8,
    /// Extent of each of these axes.
    pub spins: u32,
    /// Number of axes of colors: 0, 1, or 2 for matrices.
    pub color_axes: u8,
    /// Extent of each of these axes.
    pub colors: u32,
    /// True if the numbers are complex.
    pub is_complex: bool,
}

impl RecordData {
    /// The axes of an item, derived from the last word of the name of its type; the name of the program at its
    /// beginning does not matter. `None` for other names. [`typesize`](Self::typesize) can contradict the name.
    #[must_use]
    pub fn item(&self) -> Option<Item> {
        let name = self.datatype.as_bytes();
        let last = name.rsplit(|byte| *byte == b'_').next()?;
        let (_, squares, singles, others) = ITEMS.into_iter().find(|(item, ..)| *item == last)?;
        let colors = Datatype::parse(name).and_then(|named| named.colors).unwrap_or(self.colors);
        let (color_axes, per_color) = match (squares, singles) {
            (0, 0) => (0, others),
            (0, _) => (1, singles),
            _ => (2, squares),
        };
        let spins = SPINS.into_iter().find(|(item, _)| *item == last).map_or(1, |(_, spins)| spins);
        // An item with one axis of spins has two numbers (real and imaginary part) for each spin and color.
        let spin_axes = match spins {
            1 => 0,
            _ if per_color == spins.wrapping_mul(2) => 1,
            _ => 2,
        };
        Some(Item { spin_axes, spins, color_axes, colors, is_complex: per_color > 1 })
    }
}

/// A number of at most 5 digits.
fn number(digits: &[u8]) -> Option<u32> {
    if digits.len() > 5 {
        return None;
    }
    digits.iter().try_fold(0_u32, |number, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(u32::from(digit))
    })
}

messages! {
    /// The reason why the elements of a [`PrivateRecord`](super::PrivateRecord) contradict each other.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::Region;
    /// use linkstream::scidac::{Contradiction, PrivateRecord, RecordData};
    ///
    /// let data = RecordData { precision: "F".try_into()?, typesize: 5, datacount: 1, ..RecordData::default() };
    /// let refused = PrivateRecord::new(&Region::Lattice).with_data(data);
    /// assert_eq!(refused, Err(Contradiction::Words { typesize: 5, word: 4 }));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum Contradiction {
        /// The size of an item is not a multiple of the word size of the precision.
        Words {
            /// The element `typesize`: size of an item in bytes.
            typesize: u32,
            /// The size of a word in bytes.
            word: u32,
        } => ("an item of {typesize} bytes does not consist of words of {word} bytes, as the precision demands"),
        /// The precision in the name of the datatype differs from the element `precision`, which may be missing.
        Precision {
            /// The letter that the datatype requires: `F`, `D`, `I` or `S`.
            named: char,
        } => ("the datatype has the precision {named}, but the element `precision` does not"),
        /// The number of colors in the name of the datatype differs from the element `colors`.
        Colors {
            /// The number of colors in the datatype.
            named: u32,
            /// The element `colors`.
            given: u32,
        } => ("the datatype has {named} colors, but the element `colors` is {given}"),
        /// An item of the datatype cannot have this number of spins.
        Spins {
            /// The element `spins`.
            given: u32,
        } => ("an item of this datatype does not have {given} spins"),
        /// The size of an item of the datatype is known, and differs from `typesize`.
        Size {
            /// The size of an item of this datatype in bytes.
            needed: u64,
            /// The element `typesize`.
            typesize: u32,
        } => ("an item of this datatype has {needed} bytes, but `typesize` is {typesize}"),
    }
}

impl RecordData {
    /// Checks that the elements agree with each other. Only datatypes of QDP, QLA and the USQCD formats and the
    /// precisions `F`, `D`, `I`, `S` and `U` are known; others agree with everything. So do `colors`, `spins` and
    /// `datacount` if they are 0, and `typesize` if the size of the datatype is unknown: a record for
    /// [`differences`](super::PrivateRecord::differences) may leave them open.
    ///
    /// # Errors
    /// The first contradiction.
    pub(crate) fn consistency(&self) -> Result<(), Contradiction> {
        let (precision, typesize) = (self.precision.as_bytes(), self.typesize);
        let named = Datatype::parse(self.datatype.as_bytes());
        if let Some(letter) = integer(self.datatype.as_bytes()).filter(|letter| precision != [*letter]) {
            return Err(Contradiction::Precision { named: char::from(letter) });
        }
        if let Some(datatype @ Datatype { letter, colors, .. }) = named {
            if precision != [letter] {
                return Err(Contradiction::Precision { named: char::from(letter) });
            }
            if let Some(named) = colors.filter(|named| self.colors != 0 && self.colors != *named) {
                return Err(Contradiction::Colors { named, given: self.colors });
            }
            if !datatype.has_spins(self.spins) {
                return Err(Contradiction::Spins { given: self.spins });
            }
        }
        let word = self.word();
        if !typesize.is_multiple_of(word) {
            return Err(Contradiction::Words { typesize, word });
        }
        let fits =
            |needed| needed == typesize || named.is_some_and(|it| it.is_reduced(self.colors, typesize));
        match named.and_then(|named| named.size(self.colors)) {
            Some(needed) if !fits(needed) => Err(Contradiction::Size { needed: needed.into(), typesize }),
            _ => Ok(()),
        }
    }

    /// Number of rows and columns of the matrices of a gauge field, by the name of the datatype; `None` for names of
    /// other data. QUDA and programs that took over its writer name neither the item nor a program of USQCD, but
    /// the number of colors: `QUDA_FNc3_GaugeField`. Old versions of QUDA give the number of elements of a matrix as
    /// `colors` (9), so that the name decides.
    pub(crate) fn matrix_colors(&self) -> Option<u32> {
        let name = self.datatype.as_bytes();
        if name.ends_with(b"_ColorMatrix") {
            return Some(self.colors).filter(|colors| *colors > 0);
        }
        let mut parts = name.strip_suffix(b"_GaugeField")?.rsplitn(2, |byte| *byte == b'_');
        let (of_numbers, program) = (parts.next()?, parts.next()?);
        let digits = of_numbers.strip_prefix(b"FNc").or_else(|| of_numbers.strip_prefix(b"DNc"))?;
        if program.is_empty() || digits.is_empty() {
            None
        } else {
            number(digits).filter(|colors| *colors > 0)
        }
    }

    /// Word size of the precision in bytes; 1 if the precision is unknown.
    pub(crate) fn word(&self) -> u32 {
        match self.precision.as_bytes() {
            b"F" | b"I" | b"S" => 4,
            b"D" => 8,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_follow_from_names() {
        let axes = |name: &str, colors| {
            let datatype = name.try_into().expect("short enough");
            let item = RecordData { datatype, colors, ..RecordData::default() }.item()?;
            let axes = (item.spin_axes, item.spins, item.color_axes, item.colors, item.is_complex);
            let numbers = item.spins.pow(item.spin_axes.into()) * item.colors.pow(item.color_axes.into());
            let size =
                Datatype::parse(name.as_bytes()).and_then(|named| Some(named.size(colors)? / named.word()));
            let expected = numbers * if item.is_complex { 2 } else { 1 };
            assert!(size.is_none_or(|size| size == expected), "{name}");
            Some(axes)
        };
        assert_eq!(axes("USQCD_D3_DiracFermion", 0), Some((1, 4, 1, 3, true)));
        assert_eq!(axes("QDP_F_HalfFermion", 3), Some((1, 2, 1, 3, true)));
        assert_eq!(axes("QDP_D3_DiracPropagator", 0), Some((2, 4, 2, 3, true)));
        assert_eq!(axes("USQCD_F3_ColorMatrix", 0), Some((0, 1, 2, 3, true)));
        assert_eq!(axes("MILC_F3_ColorVector", 3), Some((0, 1, 1, 3, true)));
        assert_eq!(axes("QDP_F_Complex", 0), Some((0, 1, 0, 0, true)));
        assert_eq!(axes("QLA_F_Real", 0), Some((0, 1, 0, 0, false)));
        assert_eq!((axes("QDP_Int", 0), axes("double", 3), axes("", 0)), (None, None, None));
    }

    #[test]
    fn sizes_follow_from_names() {
        let size = |name: &str, colors| Datatype::parse(name.as_bytes()).and_then(|it| it.size(colors));
        let is_reduced =
            |name: &str, bytes| Datatype::parse(name.as_bytes()).is_some_and(|it| it.is_reduced(0, bytes));
        assert_eq!(size("USQCD_F3_ColorMatrix", 0), Some(72));
        assert_eq!(size("QDP_D_ColorMatrix", 2), Some(64));
        assert_eq!(size("QDP_D_ColorMatrix", 0), None);
        assert_eq!(size("QDP_D3_DiracPropagator", 0), Some(2304));
        assert_eq!(size("QLA_F_Complex", 3), Some(8));
        assert_eq!(size("USQCD_D3_DiracFermion", 0), Some(192));
        assert_eq!(size("QDP_F65536_ColorVector", 0), Some(524_288));
        assert_eq!(size("QDP_F99999_ColorMatrix", 0), None);
        assert_eq!(size("QDP_F3_Other", 0), None);
        assert!(is_reduced("USQCD_F3_ColorMatrix", 48) && is_reduced("QDP_D4_ColorMatrix", 128));
        assert!(!is_reduced("USQCD_F3_ColorMatrix", 24) && !is_reduced("USQCD_F1_ColorMatrix", 0));
        assert!(!is_reduced("USQCD_F3_ColorVector", 16));
        for unknown in
            ["MILC_F3_ColorMatrix", "QDP_I_Int", "QDP_F3", "QDP_", "QDP_F3x_Real", "QDP_F123456_Real"]
        {
            assert_eq!(Datatype::parse(unknown.as_bytes()), None, "{unknown}");
        }
    }
}
