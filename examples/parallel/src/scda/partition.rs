//! Partitions of elements and bytes among the ranks (scda A.1).

use std::fmt::Display;

use linkstream::scda::Count;

use super::parts::{DataPart, ElementPart};

use crate::arguments::Arguments;
use crate::comm::{Comm, CommError, Op};
use crate::error::Fault;

/// Division of the elements of an array among the ranks, in the order of the ranks: rank `q` has `N_q` elements,
/// possibly none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partition<'a> {
    /// The numbers of elements of all ranks: the table `(N_q)` of the paper. It costs no communication.
    Table(&'a [u64]),
    /// The number of elements of this rank. The ranks add up their numbers.
    Own(u64),
}

impl Partition<'_> {
    /// `N_q` of this rank.
    ///
    /// # Errors
    /// The table does not have one number for each rank.
    pub(super) fn own<C: Comm>(self, comm: &C) -> Result<u64, Fault> {
        match self {
            Self::Own(own) => Ok(own),
            Self::Table(table) if table.len() == comm.size() => Ok(table[comm.rank()]),
            Self::Table(table) => {
                let (found, ranks) = (table.len(), comm.size());
                Err(Fault::usage(format!(
                    "the partition has {found} numbers of elements, but there are {ranks} ranks"
                )))
            }
        }
    }

    /// Adds what is collective of it.
    pub(super) fn digest(self, arguments: Arguments) -> Arguments {
        match self {
            Self::Table(table) => arguments.text("the partition", b"Table").list("N_q", table),
            Self::Own(_) => arguments.text("the partition", b"Own"),
        }
    }

    /// The part of this rank, if it is known without communication.
    fn part<C: Comm>(self, comm: &C) -> Option<Result<ElementPart, Fault>> {
        let Self::Table(table) = self else { return None };
        let part = self.own(comm).and_then(|_| {
            let total = table.iter().map(|n| u128::from(*n)).sum();
            let total = Count::new(total).ok_or_else(|| Fault::usage("too many elements"))?;
            ElementPart::of(comm.rank(), table.iter().copied(), total).map_err(misuse)
        });
        Some(part)
    }
}

/// Errors in arguments, which the codec has refused.
pub(super) fn misuse(error: impl Display) -> Fault {
    Fault::usage(error.to_string())
}

/// Sums of numbers over the ranks before this one, and over all ranks. They are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sums<const K: usize> {
    /// Sums over the ranks before this one.
    pub before: [u128; K],
    /// Sums over all ranks.
    pub total: [u128; K],
}

impl<const K: usize> Sums<K> {
    /// Collective: adds up numbers. The sums are `None` on all ranks if a rank has failed, and has no numbers. Two small
    /// collective calls.
    pub fn of<C: Comm>(comm: &C, own: Option<[u64; K]>) -> Result<Option<Self>, CommError> {
        // Both halves of each number by themselves: these sums cannot overflow.
        let halves = own.unwrap_or([0; K]).map(|number| [number & 0xffff_ffff, number >> 32]);
        let mut before = halves.as_flattened().to_vec();
        let mut total = before.clone();
        total.push(u64::from(own.is_none()));
        comm.combine(Op::Scan, &mut before)?;
        comm.combine(Op::Sum, &mut total)?;
        if total[2 * K] > 0 {
            return Ok(None);
        }
        let join = |halves: &[u64]| {
            std::array::from_fn(|k| u128::from(halves[2 * k]) + (u128::from(halves[2 * k + 1]) << 32))
        };
        Ok(Some(Self { before: join(&before), total: join(&total) }))
    }
}

/// The elements of this rank, given its number of them.
fn part_of(before: u128, own: u64, total: u128) -> Result<ElementPart, Fault> {
    let count = |n| Count::new(n).ok_or_else(|| Fault::usage("too many elements"));
    ElementPart::new(count(before)?, own.into(), count(total)?).map_err(misuse)
}

/// Collective: finds the elements of this rank. No collective call with a table, otherwise two small ones. A rank whose
/// arguments are wrong passes its fault as `ready`.
///
/// With `n`, the partition must have this number of elements.
pub(super) fn elements<C: Comm>(
    comm: &C,
    partition: Partition<'_>,
    n: Option<Count>,
    ready: Result<(), Fault>,
) -> Result<Result<ElementPart, Fault>, CommError> {
    let part = match (partition, partition.part(comm)) {
        (_, Some(part)) => ready.and(part),
        (Partition::Own(own), _) => {
            let sums = Sums::of(comm, ready.is_ok().then_some([own]))?;
            ready.and_then(|()| sums.ok_or_else(Fault::elsewhere)).and_then(|sums| {
                let ([before], [total]) = (sums.before, sums.total);
                part_of(before, own, total)
            })
        }
        (Partition::Table(_), None) => ready.and(Err(Fault::elsewhere())),
    };
    Ok(part.and_then(|part| has_all(&part, n).map(|()| part)))
}

fn has_all(part: &ElementPart, n: Option<Count>) -> Result<(), Fault> {
    match n {
        Some(n) if n != part.total() => {
            let total = part.total();
            Err(Fault::usage(format!("the partition has {total} elements, but the section has {n}")))
        }
        _ => Ok(()),
    }
}

/// Collective: finds the elements and bytes of this rank, given its number of bytes. Two small collective calls.
pub(super) fn elements_and_bytes<C: Comm>(
    comm: &C,
    partition: Partition<'_>,
    bytes: Result<u64, Fault>,
) -> Result<Result<(ElementPart, DataPart), Fault>, CommError> {
    let part = partition.part(comm);
    let own = bytes.and_then(|bytes| Ok([partition.own(comm)?, bytes]));
    let sums = Sums::of(comm, own.as_ref().ok().copied())?;
    Ok(own.and_then(|[own, bytes]| {
        let Sums { before, total } = sums.ok_or_else(Fault::elsewhere)?;
        let part = part.unwrap_or_else(|| part_of(before[0], own, total[0]))?;
        Ok((part, data_part(before[1], bytes, total[1])?))
    }))
}

/// The bytes of this rank.
pub(super) fn data_part(before: u128, own: u64, total: u128) -> Result<DataPart, Fault> {
    let fits = |n| u64::try_from(n).map_err(|_| Fault::usage("more bytes than 64-bit offsets can address"));
    DataPart::new(fits(before)?, own, fits(total)?).map_err(misuse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::Threads;

    #[test]
    fn sums_are_exact_beyond_64_bits() {
        let sums = Threads::new(3).run(|comm| Sums::of(comm, Some([u64::MAX, comm.rank() as u64])));
        let most = u128::from(u64::MAX);
        for (rank, sums) in sums.into_iter().enumerate() {
            let before = [most * rank as u128, [0, 0, 1][rank]];
            assert_eq!(sums, Ok(Some(Sums { before, total: [3 * most, 3] })));
        }
        let sums = Threads::new(3).run(|comm| Sums::of(comm, (comm.rank() != 1).then_some([7])));
        assert_eq!(sums, vec![Ok(None); 3]);
    }

    #[test]
    fn partitions_are_checked() {
        let find = |partition, n: Option<u64>| {
            let outcomes =
                Threads::new(2).run(|comm| elements(comm, partition, n.map(Count::from), Ok(())).unwrap());
            outcomes[1].clone().map_err(|fault| fault.message)
        };
        let part =
            |first: u64, count: u64, total: u64| ElementPart::new(first.into(), count.into(), total.into());
        assert_eq!(find(Partition::Table(&[2, 3]), Some(5)), Ok(part(2, 3, 5).unwrap()));
        assert_eq!(find(Partition::Own(4), None), Ok(part(4, 4, 8).unwrap()));
        assert!(find(Partition::Table(&[2, 3]), Some(6)).unwrap_err().contains("5 elements"));
        assert!(find(Partition::Own(4), Some(7)).unwrap_err().contains("8 elements"));
        assert!(find(Partition::Table(&[2]), None).unwrap_err().contains("1 numbers"));
    }
}
