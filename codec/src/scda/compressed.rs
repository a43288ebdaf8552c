//! The form of compressed sections (scda 3): the letters and user strings of first halves, the
//! lengths that a text can have, and the comparison of two lists of sizes.

use super::count::{COUNT_LEN, Count};
use super::section::{SectionType, StoredSection};
use crate::state::saved;

const BLOCK: &[u8; 20] = b"B compressed scda 00";
const ARRAY: &[u8; 20] = b"A compressed scda 00";
const VARRAY: &[u8; 20] = b"V compressed scda 00";

/// The user string of the first half of a compressed section of this type; `None` if the type cannot be compressed.
pub(super) const fn user_string(section_type: SectionType) -> Option<&'static [u8; 20]> {
    match section_type {
        SectionType::Block => Some(BLOCK),
        SectionType::Array => Some(ARRAY),
        SectionType::Varray => Some(VARRAY),
        SectionType::Header | SectionType::Inline => None,
    }
}

/// The type of the compressed section whose first half a stored section is. Letter and user string must both match.
pub(super) fn recognise(first: SectionType, user: &[u8]) -> Option<SectionType> {
    match first {
        SectionType::Inline if user == BLOCK => Some(SectionType::Block),
        SectionType::Inline if user == ARRAY => Some(SectionType::Array),
        SectionType::Array if user == VARRAY => Some(SectionType::Varray),
        _ => None,
    }
}

/// The type of the first half that a stored section would be if not one byte of its letter and its padded user string
/// differed; `None` if it does not have the form of one.
pub(super) fn like_first_half(stored: &StoredSection, user: &[u8]) -> Option<SectionType> {
    // Compared with its padding, so that a byte at the end of the marker that became a space or a dash is found.
    let is_like = |section_type: SectionType, marker: &[u8]| {
        let mut differing = (0..PADDED).filter(|at| padded(user, *at) != padded(marker, *at));
        let one_differs = stored.section_type != section_type || differing.next().is_some();
        one_differs && differing.next().is_none()
    };
    let line = Count::from(COUNT_LEN as u64);
    match stored.section_type {
        SectionType::Inline if is_like(SectionType::Inline, BLOCK) || is_like(SectionType::Inline, ARRAY) => {
            Some(SectionType::Inline)
        }
        SectionType::Array if stored.e == line && is_like(SectionType::Array, VARRAY) => {
            Some(SectionType::Array)
        }
        // A list of one size is also a variable array of one element.
        SectionType::Varray if stored.n == Count::ONE && is_like(SectionType::Array, VARRAY) => {
            Some(SectionType::Array)
        }
        _ => None,
    }
}

/// Length of a user string with its padding, without the two bytes of any value at its end.
const PADDED: usize = 60;

/// A byte of a user string with its padding.
fn padded(user: &[u8], at: usize) -> u8 {
    match user.get(at) {
        Some(byte) => *byte,
        None if at == user.len() => b' ',
        None => b'-',
    }
}

/// The type of the second half.
pub(super) const fn second_half(section_type: SectionType) -> SectionType {
    match section_type {
        SectionType::Block => SectionType::Block,
        _ => SectionType::Varray,
    }
}

/// Code characters in a line of text (scda 3.1); two bytes of line break follow.
pub const LINE: u64 = 76;

/// True if a text can have this number of bytes. Lines have 76 characters and a break of 2 bytes; the last line may be
/// shorter, but has whole groups of 4 characters. The least length is 26: the 17 bytes of an empty element, encoded.
pub(super) const fn is_text_length(length: u64) -> bool {
    let last = length % (LINE + 2);
    length >= 26 && (last == 0 || (last > 2 && last % 4 == 2))
}

/// Count, sum and an order-dependent hash of a list of numbers, to compare two lists without storing them. Like a
/// checksum, it detects mistakes; different lists with the same account can be constructed on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    count: u64,
    sum: u64,
    hash: u64,
}

saved!(struct Account { count, sum, hash });

impl Account {
    pub(super) const NONE: Self = Self { count: 0, sum: 0, hash: 0 };

    /// The next number. Count, sum and hash are modulo 2^64: accounts are only compared.
    pub(crate) const fn add(&mut self, number: u64) {
        self.count = self.count.wrapping_add(1);
        self.sum = self.sum.wrapping_add(number);
        // The odd factor spreads bits upwards, the rotation brings them down again, so that order matters.
        let mixed = (self.hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.hash = mixed.rotate_left(29) ^ mixed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_texts() {
        // 4 characters for 3 bytes, 2 for each line begun.
        let possible: std::vec::Vec<u64> =
            (17..400_u64).map(|m| 4 * m.div_ceil(3) + 2 * m.div_ceil(57)).collect();
        for length in 0..500 {
            assert_eq!(is_text_length(length), possible.contains(&length), "{length}");
        }
    }

    #[test]
    fn order_and_zeros_count() {
        let account = |numbers: &[u64]| {
            let mut account = Account::default();
            numbers.iter().for_each(|number| account.add(*number));
            account
        };
        assert_eq!(account(&[3, 0, 5]), account(&[3, 0, 5]));
        for other in [&[0, 3, 5][..], &[3, 5, 0], &[3, 5], &[3, 0, 0, 5], &[4, 0, 4], &[]] {
            assert_ne!(account(&[3, 0, 5]), account(other), "{other:?}");
        }
    }
}
