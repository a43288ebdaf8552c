//! The elements of a rank in its memory (scda A.2, parameter `indirect`).

use crate::error::Fault;

/// Elements to write. A rank without elements passes either kind, empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elements<'a> {
    /// All elements, one after the other.
    Contiguous(&'a [u8]),
    /// A slice for each element.
    Indirect(&'a [&'a [u8]]),
}

/// Room for elements to read. A rank without elements passes either kind, empty.
#[derive(Debug, PartialEq, Eq)]
pub enum ElementsMut<'a> {
    /// All elements, one after the other.
    Contiguous(&'a mut [u8]),
    /// A slice for each element.
    Indirect(Vec<&'a mut [u8]>),
}

impl<'a> Elements<'a> {
    /// The slices that hold the data.
    pub(super) const fn slices(&'a self) -> &'a [&'a [u8]] {
        match self {
            Self::Contiguous(all) => std::slice::from_ref(all),
            Self::Indirect(slices) => slices,
        }
    }

    /// Number of bytes.
    pub(super) fn length(&self) -> u64 {
        self.slices().iter().map(|slice| slice.len() as u64).sum()
    }

    /// Checks that these are elements of these sizes in bytes.
    pub(super) fn check(&self, sizes: Sizes<'_>) -> Result<(), Fault> {
        match self {
            Self::Contiguous(all) => sizes.check_total(all.len()),
            Self::Indirect(slices) => sizes.check_each(slices.iter().map(|slice| slice.len())),
        }
    }

    /// The elements. Their sizes have been checked.
    pub(super) fn each(&'a self, sizes: Sizes<'a>) -> Box<dyn Iterator<Item = &'a [u8]> + 'a> {
        match self {
            Self::Contiguous(all) => {
                let mut rest = *all;
                Box::new(sizes.iter().map_while(move |size| {
                    let (element, after) = rest.split_at_checked(size as usize)?;
                    rest = after;
                    Some(element)
                }))
            }
            Self::Indirect(slices) => Box::new(slices.iter().copied()),
        }
    }
}

impl<'a> ElementsMut<'a> {
    /// Checks that this is room for elements of these sizes in bytes.
    pub(super) fn check(&self, sizes: Sizes<'_>) -> Result<(), Fault> {
        match self {
            Self::Contiguous(all) => sizes.check_total(all.len()),
            Self::Indirect(slices) => sizes.check_each(slices.iter().map(|slice| slice.len())),
        }
    }

    /// The room as slices, of one element or of all.
    pub(super) fn slices(self) -> Vec<&'a mut [u8]> {
        match self {
            Self::Contiguous(all) => vec![all],
            Self::Indirect(slices) => slices,
        }
    }

    /// The room for each element. The sizes have been checked.
    pub(super) fn each<'s>(self, sizes: Sizes<'s>) -> Box<dyn Iterator<Item = &'a mut [u8]> + 's>
    where
        'a: 's,
    {
        match self {
            Self::Contiguous(all) => {
                let mut rest = all;
                Box::new(sizes.iter().map_while(move |size| {
                    let (element, after) = std::mem::take(&mut rest).split_at_mut_checked(size as usize)?;
                    rest = after;
                    Some(element)
                }))
            }
            Self::Indirect(slices) => Box::new(slices.into_iter()),
        }
    }
}

/// Sizes of the elements of a rank, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes<'a> {
    /// So many elements of one size.
    Equal {
        /// `N_q`.
        count: u64,
        /// `E`.
        size: u64,
    },
    /// Each element has its own: `(E_i)`.
    Each(&'a [u64]),
}

impl<'a> Sizes<'a> {
    pub fn iter(self) -> Box<dyn Iterator<Item = u64> + 'a> {
        match self {
            Self::Equal { count, size } => Box::new((0..count).map(move |_| size)),
            Self::Each(sizes) => Box::new(sizes.iter().copied()),
        }
    }

    /// Number of elements.
    pub const fn count(self) -> u64 {
        match self {
            Self::Equal { count, .. } => count,
            Self::Each(sizes) => sizes.len() as u64,
        }
    }

    fn check_total(self, given: usize) -> Result<(), Fault> {
        let total = match self {
            Self::Equal { count, size } => u128::from(count) * u128::from(size),
            Self::Each(sizes) => sizes.iter().map(|size| u128::from(*size)).sum(),
        };
        if given as u128 == total {
            return Ok(());
        }
        let count = self.count();
        Err(Fault::usage(format!("{given} bytes were passed for {count} elements, which have {total} bytes")))
    }

    fn check_each(self, given: impl ExactSizeIterator<Item = usize>) -> Result<(), Fault> {
        let (slices, count) = (given.len(), self.count());
        if slices as u64 != count {
            return Err(Fault::usage(format!("{slices} slices were passed for {count} elements")));
        }
        match given.zip(self.iter()).enumerate().find(|(_, (given, size))| *given as u64 != *size) {
            None => Ok(()),
            Some((i, (given, size))) => Err(Fault::usage(format!(
                "a slice of {given} bytes was passed for element {i} of this rank, which has {size} bytes"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_have_the_same_elements() {
        let sizes = [3, 0, 2];
        let all = Elements::Contiguous(b"abcde");
        let slices: [&[u8]; 3] = [b"abc", b"", b"de"];
        let each = Elements::Indirect(&slices);
        for elements in [all, each] {
            elements.check(Sizes::Each(&sizes)).unwrap();
            assert!(elements.each(Sizes::Each(&sizes)).eq(slices));
            assert_eq!(elements.length(), 5);
            assert!(elements.check(Sizes::Each(&[3, 0, 3])).is_err());
            assert!(elements.check(Sizes::Equal { count: 3, size: 2 }).is_err());
        }
        assert!(each.check(Sizes::Each(&[3, 2, 0])).is_err());
        assert!(each.check(Sizes::Each(&[3, 0, 2, 0])).is_err());
        let equal = Sizes::Equal { count: 2, size: 1 << 63 };
        assert!(all.check(equal).unwrap_err().message.contains("18446744073709551616 bytes"));
    }
}
