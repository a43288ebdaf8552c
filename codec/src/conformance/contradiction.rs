//! Whether the elements of a `scidac-private-record-xml` contradict each other (QIO 2.3, section 4.2).
//!
//! Precision, size and colors of an item are given twice if its datatype is one of QIO's: `USQCD_F3_ColorMatrix` has
//! single precision and three colors, so that its size is 72 bytes. Where datatype and size agree, an element that
//! differs leaves the data certain. Where the width of the numbers differs, programs read different numbers.

use super::error::ErrorKind;
use crate::scidac::{Datatype, PrivateRecord};
use crate::xml::Element;

/// The widest contradictions come first.
const MAX: usize = 3;

/// The elements that contradict the others, at most one finding for each.
pub(super) fn contradictions(record: &PrivateRecord) -> [Option<ErrorKind>; MAX] {
    let named = Datatype::parse(record.datatype.as_bytes());
    let (precision, typesize, colors) = (record.precision.as_bytes(), record.typesize, record.colors);
    let contradiction = |element, ambiguous| ErrorKind::RecordContradiction { element, ambiguous };
    let Some(datatype) = named else {
        let is_broken = !typesize.is_multiple_of(record.data().word());
        return [is_broken.then(|| contradiction(Element::Typesize, true)), None, None];
    };
    let is_known = matches!(precision, b"F" | b"D" | b"I" | b"S" | b"U");
    // An item can hold several of its type, and a matrix can lack rows; most programs then refuse the file.
    let fits = datatype
        .size(colors)
        .is_none_or(|size| typesize.is_multiple_of(size) || datatype.is_reduced(colors, typesize));
    let differs = precision != [datatype.letter];
    let other_colors = datatype.colors.is_some_and(|of_type| colors != 0 && colors != of_type);
    [
        differs.then(|| contradiction(Element::Precision, is_known || !fits)),
        (!fits).then(|| contradiction(Element::Typesize, true)),
        other_colors.then(|| contradiction(Element::Colors, !fits)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Precision;

    /// A record as it is read: those that contradict themselves cannot be made.
    fn record(datatype: &str, precision: &str, typesize: u32, colors: u32) -> PrivateRecord {
        let document = std::format!(
            "<?xml version=\"1.0\"?><scidacRecord><version>1.1</version><date>now</date><recordtype>0</recordtype>\
             <datatype>{datatype}</datatype><precision>{precision}</precision><colors>{colors}</colors>\
             <typesize>{typesize}</typesize><datacount>4</datacount></scidacRecord>"
        );
        PrivateRecord::parse(document.as_bytes()).unwrap()
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
