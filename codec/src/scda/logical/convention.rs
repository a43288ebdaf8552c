//! How a compressed section is recognised, what the sizes of its texts can be, and an account of sizes in constant memory.

use crate::scda::section::SectionType;
use crate::state::saved;

const BLOCK: &[u8; 20] = b"B compressed scda 00";
const ARRAY: &[u8; 20] = b"A compressed scda 00";
const VARRAY: &[u8; 20] = b"V compressed scda 00";

/// The user string of the first half of a compressed section of this type; `None` where there is none.
///
/// # Example
/// ```
/// use linkstream::scda::SectionType;
/// use linkstream::scda::logical::user_string;
///
/// assert_eq!(user_string(SectionType::Block), Some(b"B compressed scda 00"));
/// assert_eq!(user_string(SectionType::Inline), None);
/// ```
#[must_use]
pub const fn user_string(section_type: SectionType) -> Option<&'static [u8; 20]> {
    match section_type {
        SectionType::Block => Some(BLOCK),
        SectionType::Array => Some(ARRAY),
        SectionType::Varray => Some(VARRAY),
        SectionType::Header | SectionType::Inline => None,
    }
}

/// The logical section that a raw one is the first half of: letter and user string must both match.
pub(super) fn recognise(first: SectionType, user: &[u8]) -> Option<SectionType> {
    match first {
        SectionType::Inline if user == BLOCK => Some(SectionType::Block),
        SectionType::Inline if user == ARRAY => Some(SectionType::Array),
        SectionType::Array if user == VARRAY => Some(SectionType::Varray),
        _ => None,
    }
}

/// The type of the second half.
pub(super) const fn second_half(logical: SectionType) -> SectionType {
    match logical {
        SectionType::Block => SectionType::Block,
        _ => SectionType::Varray,
    }
}

/// Code characters in a line of text (scda 3.1); two bytes of line break follow.
pub const LINE: u64 = 76;

/// Whether a text can have this number of bytes: lines of 76 characters and a break, the last one shorter but whole
/// groups of 4, and at least the 17 bytes that an empty element takes.
pub(super) const fn is_text_length(length: u64) -> bool {
    let last = length % (LINE + 2);
    length >= 26 && (last == 0 || (last > 2 && last % 4 == 2))
}

/// How many numbers have come, their sum, and a hash that depends on their order. Two lists with the same
/// account are the same but by design: it guards against mistakes, as a checksum does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    count: u64,
    sum: u64,
    hash: u64,
}

saved!(struct Account { count, sum, hash });

impl Account {
    /// The next number. Count, sum and hash are modulo 2^64: accounts are only compared.
    pub(crate) const fn add(&mut self, number: u64) {
        self.count = self.count.wrapping_add(1);
        self.sum = self.sum.wrapping_add(number);
        // An odd factor, and a rotation that brings high bits down: what comes first is mixed most.
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
}

#[cfg(test)]
mod account_tests {
    use super::*;

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
