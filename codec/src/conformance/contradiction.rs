//! Whether the elements of a `scidac-private-record-xml` contradict each other (QIO 2.3, section 4.2).
//!
//! Precision, size and colors of an item are given twice if its datatype is one of QIO's: `USQCD_F3_ColorMatrix` has
//! single precision and three colors, so that its size is 72 bytes. Where datatype and size agree, an element that
//! differs leaves the data certain. Where the width of the numbers differs, programs read different numbers.

use crate::field::ErrorKind;
use crate::scidac::PrivateRecord;
use crate::xml::Element;

/// The widest contradictions come first.
const MAX: usize = 3;

/// The elements that contradict the others, at most one finding for each.
pub(super) fn contradictions(record: &PrivateRecord) -> [Option<ErrorKind>; MAX] {
    let item = Item::of(record.datatype.as_bytes());
    let (precision, typesize, colors) = (record.precision.as_bytes(), record.typesize, record.colors);
    let width: u32 = match precision {
        b"D" => 8,
        b"F" | b"I" | b"S" => 4,
        _ => 1,
    };
    let contradiction = |element, ambiguous| ErrorKind::RecordContradiction { element, ambiguous };
    let Some(Item { letter, colors: of_type, size, row }) = item else {
        let is_broken = !typesize.is_multiple_of(width);
        return [is_broken.then(|| contradiction(Element::Typesize, true)), None, None];
    };
    let is_known = matches!(precision, b"F" | b"D" | b"I" | b"S" | b"U");
    // An item can hold several of its type, and a matrix can lack rows; most programs then refuse the file.
    let fits = size.is_none_or(|size| {
        typesize.is_multiple_of(size)
            || (typesize < size && row.is_some_and(|row| typesize.is_multiple_of(row)))
    });
    let differs = precision != [letter];
    let other_colors = of_type.is_some_and(|of_type| colors != 0 && colors != of_type);
    [
        differs.then(|| contradiction(Element::Precision, is_known || !fits)),
        (!fits).then(|| contradiction(Element::Typesize, true)),
        other_colors.then(|| contradiction(Element::Colors, !fits)),
    ]
}

/// What the name of a datatype says of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Item {
    /// `F` or `D`.
    letter: u8,
    /// Number of colors, if the type has any.
    colors: Option<u32>,
    /// Size in bytes, if it is known.
    size: Option<u32>,
    /// Size in bytes of a row of a matrix.
    row: Option<u32>,
}

impl Item {
    /// `None` unless the name is one that QIO, QDP and MILC give to floating-point numbers.
    fn of(datatype: &[u8]) -> Option<Self> {
        let prefixes: [&[u8]; 3] = [b"USQCD_", b"QDP_", b"QLA_"];
        let rest = prefixes.iter().find_map(|prefix| datatype.strip_prefix(*prefix))?;
        let (letter, rest) = rest.split_first()?;
        let width = match letter {
            b'F' => 4,
            b'D' => 8_u32,
            _ => return None,
        };
        let mut parts = rest.splitn(2, |byte| *byte == b'_');
        let (digits, name) = (parts.next()?, parts.next()?);
        let colors = match digits {
            [] => None,
            digits => Some(number(digits)?),
        };
        let numbers = match (name, colors) {
            (b"Real", None) => Some(1),
            (b"Complex", None) => Some(2),
            (b"ColorVector", Some(n)) => n.checked_mul(2),
            (b"HalfFermion", Some(n)) => n.checked_mul(4),
            (b"DiracFermion", Some(n)) => n.checked_mul(8),
            (b"ColorMatrix", Some(n)) => n.checked_mul(n).and_then(|square| square.checked_mul(2)),
            (b"DiracPropagator", Some(n)) => n.checked_mul(n).and_then(|square| square.checked_mul(32)),
            _ => None,
        };
        let bytes = |numbers: Option<u32>| {
            numbers.and_then(|numbers| numbers.checked_mul(width)).filter(|size| *size > 0)
        };
        let of_row = colors.filter(|_| name == b"ColorMatrix").and_then(|n| n.checked_mul(2));
        Some(Self { letter: *letter, colors, size: bytes(numbers), row: bytes(of_row) })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{Precision, Region};

    fn record(datatype: &str, precision: &str, typesize: u32, colors: u32) -> PrivateRecord {
        let mut record = PrivateRecord::new(&Region::Lattice);
        record.datatype = datatype.try_into().unwrap();
        record.precision = precision.try_into().unwrap();
        (record.typesize, record.colors, record.datacount) = (typesize, colors, 4);
        record
    }

    /// Each element with whether it makes the layout ambiguous.
    fn found(record: &PrivateRecord) -> std::vec::Vec<(Element, bool)> {
        let all = contradictions(record).into_iter().flatten();
        all.map(|kind| match kind {
            ErrorKind::RecordContradiction { element, ambiguous } => (element, ambiguous),
            other => panic!("{other}"),
        })
        .collect()
    }

    #[test]
    fn what_is_constructed_does_not_contradict_itself() {
        for precision in [Precision::F32, Precision::F64] {
            for record in [
                PrivateRecord::gauge_field(3, precision, 4),
                PrivateRecord::gauge_field(2, precision, 1),
                PrivateRecord::propagator(precision),
                PrivateRecord::dirac_fermion(precision),
                PrivateRecord::color_vector(precision),
                PrivateRecord::complex_field(precision),
                PrivateRecord::real_field(precision),
                PrivateRecord::global(precision, 5),
            ] {
                assert_eq!(found(&record), [], "{record:?}");
            }
        }
        for (datatype, precision, typesize) in [
            ("QDP_I_Int", "I", 4),
            ("MILC_RandomState", "S", 72),
            ("other", "", 7),
            ("USQCD_F3_Other", "F", 5),
        ] {
            assert_eq!(found(&record(datatype, precision, typesize, 3)), []);
        }
    }

    #[test]
    fn contradictions_are_found() {
        use Element::{Colors, Precision, Typesize};
        type Case = (&'static str, &'static str, u32, u32, &'static [(Element, bool)]);
        let cases: [Case; 13] = [
            ("USQCD_F3_ColorMatrix", "D", 72, 3, &[(Precision, true)]),
            ("USQCD_F3_ColorMatrix", "", 72, 3, &[(Precision, false)]),
            ("USQCD_F3_ColorMatrix", "X", 72, 3, &[(Precision, false)]),
            ("USQCD_F3_ColorMatrix", "U", 72, 3, &[(Precision, true)]),
            ("QDP_D_Complex", "I", 16, 0, &[(Precision, true)]),
            ("QDP_D3_ColorMatrix", "D", 72, 3, &[(Typesize, true)]),
            ("QDP_D3_ColorMatrix", "", 72, 3, &[(Precision, true), (Typesize, true)]),
            ("QDP_F3_ColorMatrix", "F", 72, 2, &[(Colors, false)]),
            ("QDP_F3_ColorMatrix", "F", 32, 2, &[(Typesize, true), (Colors, true)]),
            ("QDP_F3_ColorMatrix", "F", 288, 3, &[]),
            ("QDP_F3_ColorMatrix", "F", 48, 3, &[]),
            ("QDP_F3_ColorMatrix", "F", 5, 0, &[(Typesize, true)]),
            ("other", "D", 12, 0, &[(Typesize, true)]),
        ];
        for (datatype, precision, typesize, colors, expected) in cases {
            assert_eq!(
                found(&record(datatype, precision, typesize, colors)),
                expected,
                "{datatype} {precision}"
            );
        }
    }
}
