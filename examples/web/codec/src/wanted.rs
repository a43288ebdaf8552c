//! The part of a section's data that a call requests.

use std::ops::Range;

use linkstream::scda::{Section, SectionType};

/// Range of an element in the decompressed data of its section. `sizes` has the sizes of all elements of a variable
/// array. `None` if there is no such element.
pub fn place_of(section: &Section, sizes: &[u64], element: u64) -> Option<Range<u64>> {
    match section.section_type {
        SectionType::Array => {
            let size = section.e.to_u64()?;
            let start = element.checked_mul(size)?;
            (element < section.n.to_u64()?).then_some(start..start.checked_add(size)?)
        }
        SectionType::Varray => {
            let index = usize::try_from(element).ok()?;
            let size = sizes.get(index)?;
            let start = sum(sizes.get(..index)?)?;
            Some(start..start.checked_add(*size)?)
        }
        _ => None,
    }
}

/// Sum of the sizes of elements; `None` if it does not fit into 64 bits.
pub fn sum(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(0, |sum: u64, size| sum.checked_add(*size))
}

/// The bytes of a piece that lie in the range. The piece begins at byte `at` of the data.
pub fn overlap<'p>(piece: &'p [u8], at: u64, range: &Range<u64>) -> &'p [u8] {
    let inside =
        |place: u64| usize::try_from(place.saturating_sub(at)).unwrap_or(usize::MAX).min(piece.len());
    piece.get(inside(range.start)..inside(range.end)).unwrap_or_default()
}
