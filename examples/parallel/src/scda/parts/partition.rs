//! Partitions (scda A.1): the elements of an array, and the bytes of its data, that belong to a process.

use linkstream::scda::{Count, SectionType};

/// The elements of process q: `N_q` elements from element `C_q` on, out of `N`.
///
/// For writing, the parts of all processes must be a partition: without gaps and in the order of the processes'
/// numbers; parts may be empty. For reading, a process may read any part.
///
/// # Example
/// ```
/// use linkstream::scda::Count;
/// use linkstream_parallel::scda::parts::ElementPart;
///
/// // Process 1 of three, which have 2, 3 and 5 elements.
/// let part = ElementPart::of(1, [2, 3, 5], 10.into())?;
/// assert_eq!((part.first(), part.count(), part.total()), (Count::from(2), Count::from(3), Count::from(10)));
/// assert_eq!(part, ElementPart::new(2.into(), 3.into(), 10.into())?);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementPart {
    first: Count,
    count: Count,
    total: Count,
}

impl ElementPart {
    /// `count` elements (`N_q`) from `first` (`C_q`) on, of `total` (`N`).
    ///
    /// # Errors
    /// [`PartitionError::Outside`].
    pub fn new(first: Count, count: Count, total: Count) -> Result<Self, PartitionError> {
        inside(first.get(), count.get(), total.get())?;
        Ok(Self { first, count, total })
    }

    /// The part of process `q`, from the counts `N_0`, `N_1`, ... of all processes and `N`.
    ///
    /// # Errors
    /// [`PartitionError::Sum`], [`PartitionError::NoProcess`].
    pub fn of(
        q: usize,
        counts: impl IntoIterator<Item: Into<Count>>,
        total: Count,
    ) -> Result<Self, PartitionError> {
        let counts = counts.into_iter().map(|count| count.into().get());
        let (first, count, sum) = scan(q, counts)?;
        match (Count::new(first), Count::new(count)) {
            (Some(first), Some(count)) if sum == total.get() => Ok(Self { first, count, total }),
            _ => Err(PartitionError::Sum { sum, total }),
        }
    }

    /// `C_q`: the number of elements that precede the part of the process.
    #[must_use]
    pub const fn first(&self) -> Count {
        self.first
    }

    /// `N_q`: the number of elements of the process.
    #[must_use]
    pub const fn count(&self) -> Count {
        self.count
    }

    /// `N`: the number of elements of all processes.
    #[must_use]
    pub const fn total(&self) -> Count {
        self.total
    }

    /// True if the last element is in this part, or before it.
    pub(super) fn reaches_end(&self) -> bool {
        self.first.get() + self.count.get() == self.total.get()
    }
}

/// The data of process q in a variable array: `S_q` bytes after the first `B_q`, out of `S`.
///
/// # Example
/// ```
/// use linkstream_parallel::scda::parts::DataPart;
///
/// // Process 1 of three, which have 20, 0 and 5 bytes.
/// let part = DataPart::of(1, [20, 0, 5])?;
/// assert_eq!((part.before(), part.length(), part.total()), (20, 0, 25));
/// assert_eq!(part, DataPart::new(20, 0, 25)?);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataPart {
    before: u64,
    length: u64,
    total: u64,
}

impl DataPart {
    /// `length` bytes (`S_q`) after the first `before` (`B_q`), out of `total` (`S`). Processes compute `B_q` with
    /// an exclusive scan and `S` with a reduction.
    ///
    /// # Errors
    /// [`PartitionError::Outside`].
    pub fn new(before: u64, length: u64, total: u64) -> Result<Self, PartitionError> {
        inside(before.into(), length.into(), total.into())?;
        Ok(Self { before, length, total })
    }

    /// The part of process `q`, from the lengths `S_0`, `S_1`, ... of all processes.
    ///
    /// # Errors
    /// [`PartitionError::TooLong`], [`PartitionError::NoProcess`].
    pub fn of(q: usize, lengths: impl IntoIterator<Item = u64>) -> Result<Self, PartitionError> {
        let (before, length, total) = scan(q, lengths.into_iter().map(u128::from))?;
        let fits = |n| u64::try_from(n).map_err(|_| PartitionError::TooLong);
        Ok(Self { before: fits(before)?, length: fits(length)?, total: fits(total)? })
    }

    /// `B_q`: the number of bytes that precede the part of the process.
    #[must_use]
    pub const fn before(&self) -> u64 {
        self.before
    }

    /// `S_q`: the number of bytes of the process.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// `S`: the number of bytes of all processes.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// True if the last byte is in this part, or before it.
    pub(super) fn reaches_end(&self) -> bool {
        self.before + self.length == self.total
    }
}

/// Returns the sum of the numbers before the one at `q`, that number, and the sum of all.
fn scan(q: usize, numbers: impl Iterator<Item = u128>) -> Result<(u128, u128, u128), PartitionError> {
    let (mut before, mut own, mut sum, mut processes) = (0_u128, None, 0_u128, 0_usize);
    for number in numbers {
        if processes == q {
            (before, own) = (sum, Some(number));
        }
        sum = sum.checked_add(number).ok_or(PartitionError::TooLong)?;
        processes += 1;
    }
    let own = own.ok_or(PartitionError::NoProcess { q, processes })?;
    Ok((before, own, sum))
}

pub(super) fn inside(first: u128, count: u128, total: u128) -> Result<(), PartitionError> {
    match first.checked_add(count) {
        Some(end) if end <= total => Ok(()),
        _ => Err(PartitionError::Outside { first, count, total }),
    }
}

/// Errors of dividing a section between processes.
///
/// ```
/// use linkstream_parallel::scda::parts::{DataPart, PartitionError};
///
/// assert!(matches!(DataPart::of(3, [20, 0, 5]), Err(PartitionError::NoProcess { .. })));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PartitionError {
    /// The element counts of the processes do not add up to the count of the section.
    #[error("the processes have {sum} elements together, but the section has {total}")]
    Sum {
        /// Their sum.
        sum: u128,
        /// `N`.
        total: Count,
    },
    /// There is no process with this number.
    #[error("there is no process {q} (counted from 0): the partition has {processes} processes")]
    NoProcess {
        /// The requested process, counted from 0.
        q: usize,
        /// The number of processes.
        processes: usize,
    },
    /// The section does not have the requested elements or bytes.
    #[error("{count} elements or bytes from {first} on were requested, but there are {total}")]
    Outside {
        /// The first requested one.
        first: u128,
        /// The requested number.
        count: u128,
        /// The number that the section has.
        total: u128,
    },
    /// The section would end beyond the largest 64-bit offset.
    #[error("the section would end beyond the largest 64-bit offset")]
    TooLong,
    /// The part was made for another number of elements than the section has.
    #[error("the part was made for {part} elements in all, but the section has {section}")]
    OtherTotal {
        /// `N` of the part.
        part: Count,
        /// `N` of the section.
        section: Count,
    },
    /// The bytes of a process contradict its elements: data without elements, data before the first element, or after
    /// the last. An exclusive scan of the sizes gives none of these.
    #[error("the numbers of bytes before, in and after the part of this process contradict its elements")]
    Contradiction,
    /// A section of this type cannot be divided in this way.
    #[error("a section of type {} cannot be divided in this way", char::from(section_type.letter()))]
    OtherType {
        /// Its type.
        section_type: SectionType,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_has_all_elements_and_no_others() {
        let part = ElementPart::of(1, [2, 0, 3], 5.into()).unwrap();
        assert_eq!((part.first(), part.count(), part.total()), (2.into(), 0.into(), 5.into()));
        let of = |q, counts: &[u64]| ElementPart::of(q, counts.iter().copied(), 5.into());
        assert_eq!(of(0, &[2, 2]), Err(PartitionError::Sum { sum: 4, total: 5.into() }));
        assert_eq!(of(0, &[5, 1]), Err(PartitionError::Sum { sum: 6, total: 5.into() }));
        assert_eq!(of(2, &[2, 3]), Err(PartitionError::NoProcess { q: 2, processes: 2 }));
        assert_eq!(of(0, &[]), Err(PartitionError::NoProcess { q: 0, processes: 0 }));
        // More than 64 bits count, exactly; nothing wraps around to 5.
        assert_eq!(
            of(0, &[u64::MAX, 6]),
            Err(PartitionError::Sum { sum: u128::from(u64::MAX) + 6, total: 5.into() })
        );
        let (half, most) = (Count::new(Count::MAX.get() / 3).unwrap(), Count::MAX);
        assert_eq!(ElementPart::of(2, [half; 3], most).unwrap().first().get(), half.get() * 2);
        let outside = ElementPart::new(1.into(), most, most);
        assert_eq!(outside, Err(PartitionError::Outside { first: 1, count: most.get(), total: most.get() }));
    }

    #[test]
    fn bytes_are_counted_up_to_64_bits() {
        let part = DataPart::of(1, [u64::MAX - 2, 2]).unwrap();
        assert_eq!((part.before(), part.length(), part.total()), (u64::MAX - 2, 2, u64::MAX));
        assert_eq!(DataPart::of(1, [u64::MAX, 1]), Err(PartitionError::TooLong));
        assert!(matches!(DataPart::new(u64::MAX, 1, u64::MAX), Err(PartitionError::Outside { .. })));
    }
}
