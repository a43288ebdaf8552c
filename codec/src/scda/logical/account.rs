//! Keeping account of the sizes of elements in constant memory.

use crate::state::saved;

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
