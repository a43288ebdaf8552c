//! Checksums of parts of a field. The sums of disjoint parts can be combined, in any order, to the checksum of the
//! field.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use linkstream::field::Field as Layout;
use linkstream::lattice::{ByteOrder, Checksum, SiteOrder};
use linkstream::nersc::WordSums;
use linkstream::{Class, lime, milc};
use linkstream_arithmetic::{Cksum, SiteSums};
use linkstream_memory as memory;

use crate::array::slices_of;
use crate::broken::Broken;

/// A checksum of data. The meaning of its two words depends on the format: `suma` and `sumb` (SciDAC), `sum29` and
/// `sum31` (MILC), or the sums of 32-bit words read as big-endian and as little-endian numbers (NERSC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum(pub [u32; 2]);

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x} {:x}", self.0[0], self.0[1])
    }
}

/// Length of the checksums of a MILC file, which precede the data.
const SUMS_LEN: u64 = 8;
impl From<Checksum> for Sum {
    fn from(checksum: Checksum) -> Self {
        Self([checksum.suma, checksum.sumb])
    }
}

impl From<Sum> for Checksum {
    fn from(sum: Sum) -> Self {
        Self { suma: sum.0[0], sumb: sum.0[1] }
    }
}

/// Method to compute a checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// The CRC-32 of each site, rotated by its rank (QIO 2.3, section 2.1.1).
    Sites,
    /// 32-bit words.
    Words,
    /// 32-bit words, rotated by their place in the data.
    PlacedWords(ByteOrder),
    /// The sum of POSIX of all bytes, with their number.
    Bytes(u64),
}

impl Method {
    pub(crate) fn combine(self, a: Sum, b: Sum) -> Sum {
        let ([a0, a1], [b0, b1]) = (a.0, b.0);
        match self {
            Self::Sites | Self::PlacedWords(_) | Self::Bytes(_) => Sum([a0 ^ b0, a1 ^ b1]),
            Self::Words => Sum([a0.wrapping_add(b0), a1.wrapping_add(b1)]),
        }
    }
}

/// The sum of a part of a field, while it is read.
#[derive(Debug)]
pub(crate) enum Partial {
    None,
    Sites(Box<SiteSums>),
    Words(WordSums),
    PlacedWords(ByteOrder, [u32; 2]),
    Bytes(Cksum, u32),
}

impl Partial {
    pub(crate) fn new(method: Option<Method>, bytes_per_site: u64) -> Self {
        match method {
            None => Self::None,
            Some(Method::Sites) => Self::Sites(Box::new(SiteSums::new(bytes_per_site as usize))),
            Some(Method::Words) => Self::Words(WordSums::default()),
            Some(Method::PlacedWords(order)) => Self::PlacedWords(order, [0; 2]),
            Some(Method::Bytes(length)) => Self::Bytes(Cksum::new(length), 0),
        }
    }

    /// Adds whole sites in the form of a SciDAC file. `order` is at the first of them and moves to the one after the
    /// last.
    pub(crate) fn add_sites(&mut self, order: &mut SiteOrder, sites: &[u8], size: usize) {
        if let Self::Sites(sums) = self {
            for site in sites.chunks_exact(size.max(1)) {
                sums.add(order.residues(), site);
                order.step();
            }
        }
    }

    /// Adds bytes of a LIME file, which begin at this offset in the data.
    pub(crate) fn add_bytes(&mut self, at: u64, bytes: &[u8]) {
        if let Self::Bytes(cksum, sum) = self {
            *sum ^= cksum.part(at, bytes);
        }
    }

    /// Adds stored bytes of an archive, from the word with this index on.
    #[expect(clippy::arithmetic_side_effects, reason = "the remainders are less than 29 and 31")]
    pub(crate) fn add_words(&mut self, first: u64, stored: &[u8]) {
        match self {
            Self::None | Self::Sites(_) | Self::Bytes(..) => {}
            Self::Words(sums) => sums.feed(stored),
            Self::PlacedWords(order, sums) => {
                let (mut mod_29, mut mod_31) = ((first % 29) as u32, (first % 31) as u32);
                for word in stored.as_chunks().0 {
                    let word = order.u32(*word);
                    sums[0] ^= word.rotate_left(mod_29);
                    sums[1] ^= word.rotate_left(mod_31);
                    mod_29 = if mod_29 == 28 { 0 } else { mod_29 + 1 };
                    mod_31 = if mod_31 == 30 { 0 } else { mod_31 + 1 };
                }
            }
        }
    }

    pub(crate) fn finish(self) -> Sum {
        match self {
            Self::None => Sum::default(),
            Self::Sites(sums) => sums.finish().into(),
            Self::Words(sums) => Sum([sums.of(ByteOrder::Big), sums.of(ByteOrder::Little)]),
            Self::PlacedWords(_, sums) => Sum(sums),
            Self::Bytes(_, sum) => Sum([sum, 0]),
        }
    }
}

/// The sums of the time slices of a field. Several threads can add parts of it, in any order.
#[derive(Debug)]
pub struct SliceSums {
    layout: Layout,
    method: Option<Method>,
    sites_of_slice: u64,
    /// The slices that are summed.
    slices: Range<u64>,
    /// Parts of slices that no thread is using, each with the index of its slice. There are at most as many as threads
    /// that worked at the same time.
    partial: Mutex<Vec<(u64, Partial)>>,
    finished: Mutex<Vec<Sum>>,
}

impl SliceSums {
    /// The sums of all time slices, for data in the form of a SciDAC file.
    #[must_use]
    pub fn of_slices(layout: &Layout) -> Self {
        Self::new(layout, Some(Method::Sites), slices_of(layout), 0..slices_of(layout))
    }

    /// One sum of all data, as if the field had only one time slice.
    #[must_use]
    pub fn of_all(layout: &Layout) -> Self {
        Self::new(layout, Some(Method::Sites), 1, 0..1)
    }

    /// The sums of some of the slices of a field that is divided into `all` slices.
    #[expect(clippy::arithmetic_side_effects, reason = "the divisor is at least 1")]
    pub(crate) fn new(layout: &Layout, method: Option<Method>, all: u64, slices: Range<u64>) -> Self {
        let number = slices.end.saturating_sub(slices.start) as usize;
        let sums = memory::unwinding::collect(std::iter::repeat_n(Sum::default(), number));
        Self {
            layout: *layout,
            method,
            sites_of_slice: (layout.sites() / all.max(1)).max(1),
            slices,
            partial: Mutex::default(),
            finished: sums.into(),
        }
    }

    /// Adds whole sites in the form of a SciDAC file. `first` is the index of the first of them. Each site must be
    /// added exactly once.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no divisor is 0, and a remainder is less than its divisor"
    )]
    pub fn add_sites(&self, first: u64, sites: &[u8]) {
        let size = self.layout.bytes_per_site.max(1);
        let (mut at, mut rest) = (first, sites);
        let mut order = SiteOrder::at(self.layout.extents, self.layout.region, first);
        while !rest.is_empty() {
            let slice = at / self.sites_of_slice;
            let in_slice = (self.sites_of_slice - at % self.sites_of_slice).saturating_mul(size);
            let length = in_slice.min(rest.len() as u64);
            let (of_slice, others) = rest.split_at(length as usize);
            self.add(slice, |partial| partial.add_sites(&mut order, of_slice, size as usize));
            (at, rest) = (at.saturating_add(length / size), others);
        }
    }

    /// Passes the sum of a part of this slice to `work`, which adds data to it.
    pub(crate) fn add<T>(&self, slice: u64, work: impl FnOnce(&mut Partial) -> T) -> T {
        if self.method.is_none() || !self.slices.contains(&slice) {
            return work(&mut Partial::None);
        }
        let mut partial = self.taken(slice);
        let done = work(&mut partial);
        locked(&self.partial).push((slice, partial));
        done
    }

    /// A sum of a part of this slice that no thread is using. One of another slice is finished in its favour, so that
    /// there are never more of them than threads.
    fn taken(&self, slice: u64) -> Partial {
        let taken = {
            let mut partial = locked(&self.partial);
            match partial.iter().position(|(of, _)| *of == slice) {
                Some(index) => return partial.swap_remove(index).1,
                None => partial.pop(),
            }
        };
        if let Some((slice, partial)) = taken {
            self.end(slice, partial);
        }
        Partial::new(self.method, self.layout.bytes_per_site)
    }

    /// Adds a finished part to the sum of its slice.
    fn end(&self, slice: u64, partial: Partial) {
        let sum = partial.finish();
        let index = slice.checked_sub(self.slices.start).and_then(|index| usize::try_from(index).ok());
        if let (Some(index), Some(method)) = (index, self.method)
            && let Some(of_slice) = locked(&self.finished).get_mut(index)
        {
            *of_slice = method.combine(*of_slice, sum);
        }
    }

    /// The sum of each slice.
    #[must_use]
    pub fn finish(self) -> Vec<Sum> {
        let partial = std::mem::take(&mut *locked(&self.partial));
        partial.into_iter().for_each(|(slice, partial)| self.end(slice, partial));
        self.finished.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code panics while it holds the lock.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The checksum that a file has for a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stored {
    /// None: the data cannot be verified.
    Absent,
    /// Checksum of a SciDAC record. QIO sometimes omits one or both sums. `offset` is the offset of the record.
    Scidac { suma: Option<u32>, sumb: Option<u32>, offset: u64 },
    /// Checksum of a NERSC archive. The header may not state the byte order of the words that are summed. `seen` is the
    /// only order that normalises the first link, if there is one: the numbers have this order, whatever the header
    /// states.
    Nersc { sum: u32, order: Option<ByteOrder>, seen: Option<ByteOrder> },
    /// The sum of the command `cksum` that BQCD stores for the data, which have this length. `offset` is the offset of
    /// its text.
    Cksum { sum: u32, length: u64, offset: u64 },
    /// Checksums of a MILC file.
    Milc(milc::Sums),
    /// No checksum, but the average plaquette in the header of openQCD. The links are compared with it when all of them are
    /// read for the first time.
    Plaquette,
}

/// Result of comparing a checksum with the stored one.
pub(crate) enum Comparison {
    Equal,
    /// Only one of the two sums is stored, or none.
    Incomplete,
    /// Both sums are missing from the checksum record, although QIO would have written them.
    Lost(u64),
    Different(Sum),
    /// The words have this byte order, by their sum.
    EqualIn(ByteOrder),
}

impl Stored {
    /// The rule that data with the checksum `computed` break, which were expected to have `stored`. The data begin at
    /// offset `data_at`.
    pub(crate) fn mismatch(&self, stored: Sum, computed: Sum, data_at: u64) -> Broken {
        use linkstream::{Error, field, nersc};

        match *self {
            Self::Absent | Self::Plaquette | Self::Scidac { .. } => {
                let at = match *self {
                    Self::Scidac { offset, .. } => offset.saturating_add(lime::HEADER_LEN as u64),
                    _ => data_at,
                };
                let (computed, stored) = (computed.into(), stored.into());
                Error::new(at, field::ErrorKind::ChecksumMismatch { computed, stored }).into()
            }
            Self::Cksum { sum, length, offset } => {
                let computed = Cksum::new(length).finish(computed.0[0]);
                let message = format!(
                    "checksum mismatch: the record has the sum {sum} of the command cksum, the data have {computed}"
                );
                Broken { file: None, offset, class: Class::Checksum, rule: "bqcd-cksum", clause: "", message }
            }
            Self::Nersc { order: Some(order), seen: Some(found), .. } if order != found => {
                Error::new(data_at, nersc::ErrorKind::OtherByteOrder { found }).into()
            }
            Self::Nersc { sum, order, seen } => {
                let [big, little] = computed.0;
                let order = order.or(seen);
                let (computed, other, found) = match order {
                    Some(ByteOrder::Little) => (little, big, ByteOrder::Big),
                    _ => (big, little, ByteOrder::Little),
                };
                if order.is_some() && seen.is_none() && other == sum {
                    return Error::new(data_at, nersc::ErrorKind::OtherByteOrder { found }).into();
                }
                Error::new(data_at, nersc::ErrorKind::Checksum { stored: sum, computed }).into()
            }
            Self::Milc(stored) => {
                let [sum29, sum31] = computed.0;
                let kind = milc::ErrorKind::Checksum { stored, computed: milc::Sums { sum29, sum31 } };
                Error::new(data_at.saturating_sub(SUMS_LEN), kind).into()
            }
        }
    }

    /// True if all sums that verify the data are there.
    pub(crate) const fn is_complete(&self) -> bool {
        match self {
            Self::Absent
            | Self::Plaquette
            | Self::Scidac { suma: None, .. }
            | Self::Scidac { sumb: None, .. } => false,
            Self::Scidac { .. } | Self::Nersc { .. } | Self::Milc(_) | Self::Cksum { .. } => true,
        }
    }

    pub(crate) fn compare(&self, computed: Sum) -> Comparison {
        let [first, second] = computed.0;
        match *self {
            Self::Absent | Self::Plaquette => Comparison::Incomplete,
            Self::Scidac { suma, sumb, offset } => {
                let differs = |stored: Option<u32>, computed| stored.is_some_and(|stored| stored != computed);
                match (suma, sumb) {
                    _ if differs(suma, first) || differs(sumb, second) => {
                        Comparison::Different(Sum([suma.unwrap_or(first), sumb.unwrap_or(second)]))
                    }
                    (Some(_), Some(_)) => Comparison::Equal,
                    // QIO leaves both out if one of them is zero.
                    (None, None) if first != 0 && second != 0 => Comparison::Lost(offset),
                    _ => Comparison::Incomplete,
                }
            }
            Self::Cksum { sum, length, .. } if Cksum::new(length).finish(first) == sum => Comparison::Equal,
            Self::Cksum { .. } => Comparison::Different(Sum([0; 2])),
            // The numbers have another byte order than the header states.
            Self::Nersc { sum, order: Some(order), seen: Some(seen) } if order != seen => {
                Comparison::Different(Sum([sum, sum]))
            }
            Self::Nersc { sum, order, seen } => {
                let order = order.or(seen);
                let is = |which: ByteOrder, value| order.is_none_or(|order| order == which) && value == sum;
                if is(ByteOrder::Big, first) {
                    Comparison::EqualIn(ByteOrder::Big)
                } else if is(ByteOrder::Little, second) {
                    Comparison::EqualIn(ByteOrder::Little)
                } else {
                    Comparison::Different(Sum([sum, sum]))
                }
            }
            Self::Milc(milc::Sums { sum29, sum31 }) if [sum29, sum31] == computed.0 => Comparison::Equal,
            Self::Milc(milc::Sums { sum29, sum31 }) => Comparison::Different(Sum([sum29, sum31])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if the stored sums agree with the sums 3 and 5 of the data; `None` if they do not show it.
    fn is_equal(stored: Stored) -> Option<bool> {
        let known = match stored.compare(Sum([3, 5])) {
            Comparison::Equal | Comparison::EqualIn(_) => Some(true),
            Comparison::Different(_) | Comparison::Lost(_) => Some(false),
            Comparison::Incomplete => None,
        };
        assert!(known != Some(true) || stored.is_complete(), "{stored:?}");
        assert!(known.is_some() || !stored.is_complete(), "{stored:?}");
        known
    }

    #[test]
    fn each_of_the_stored_sums_is_compared() {
        let scidac = |suma, sumb| is_equal(Stored::Scidac { suma, sumb, offset: 144 });
        assert_eq!(scidac(Some(3), Some(5)), Some(true));
        for (suma, sumb) in [(Some(2), Some(5)), (Some(3), Some(4)), (Some(2), None), (None, Some(4))] {
            assert_eq!(scidac(suma, sumb), Some(false));
        }
        assert_eq!((scidac(Some(3), None), scidac(None, Some(5))), (None, None));
        // QIO leaves out both if one is zero, which neither is.
        assert_eq!(scidac(None, None), Some(false));
        let of_zero = Stored::Scidac { suma: None, sumb: None, offset: 144 }.compare(Sum([0, 5]));
        assert!(matches!(of_zero, Comparison::Incomplete));
        let milc = |sum29, sum31| is_equal(Stored::Milc(milc::Sums { sum29, sum31 }));
        assert_eq!([milc(3, 5), milc(3, 4), milc(2, 5)], [Some(true), Some(false), Some(false)]);
        // The words as big-endian numbers, and as little-endian ones.
        let nersc = |sum, order| is_equal(Stored::Nersc { sum, order, seen: None });
        for (order, expected) in [
            (None, [Some(true), Some(true), Some(false)]),
            (Some(ByteOrder::Big), [Some(true), Some(false), Some(false)]),
            (Some(ByteOrder::Little), [Some(false), Some(true), Some(false)]),
        ] {
            assert_eq!([nersc(3, order), nersc(5, order), nersc(4, order)], expected);
        }
        assert_eq!(is_equal(Stored::Absent), None);
    }

    #[test]
    fn placed_words_are_those_of_milc_wherever_they_are_cut() {
        let bytes: Vec<u8> = (0..4 * 2000_u32).map(|i| ((i * i) >> 3) as u8).collect();
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let mut expected = milc::Summing::new(order);
            expected.feed(&bytes);
            let expected = expected.sums();
            let method = Method::PlacedWords(order);
            let mut sum = Sum::default();
            for (index, piece) in (0_u64..).zip(bytes.chunks(4 * 77)) {
                let mut partial = Partial::new(Some(method), 288);
                partial.add_words(77 * index, piece);
                sum = method.combine(partial.finish(), sum);
            }
            assert_eq!(sum, Sum([expected.sum29, expected.sum31]));
        }
    }
}
