//! Parts of the data of a field. Several processes read and examine one part each, and combine the results.

use std::ops::Range;

use linkstream::field::Field;
use linkstream::lattice::Checksum;
use linkstream_access::SliceSums;

use super::any_order::AnyOrder;
use super::boundaries::look_at_boundaries;
use super::data::Examination;
use crate::figures::Observables;

/// Maximum number of bytes that must be read at a time: a row of sites.
const MAX_UNIT: u64 = 256 << 20;
/// Maximum count of words in the sums of a part.
const MAX_WORDS: usize = 8 << 20;
/// Count of words in the sums of a part, besides the observables: the sum of words, and the number of parts with absent
/// links.
const COUNTS: usize = 2;

/// One part of the data of a field, while it is read.
///
/// The part has some of the sites ([`own`](Self::own)). To measure a gauge field, the sites [`after`](Self::after) them
/// are needed as well.
#[derive(Debug)]
pub struct Part {
    field: Field,
    own: Range<u64>,
    after: Range<u64>,
    unit: u64,
    /// Number of bytes that have been taken.
    taken: u64,
    sums: SliceSums,
    found: AnyOrder,
    observables: Option<Observables>,
}

/// Results of reading a part. The results of all parts are combined word by word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartSums {
    /// The checksum, and the contributions to the sum of POSIX; parts are combined by exclusive or.
    pub xor: [u64; 2],
    /// All other results; parts are combined by addition modulo 2^64. Their count is the same for all parts of a field.
    pub added: Vec<u64>,
}

/// Combined results of all parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combined {
    /// The checksum of the field.
    pub checksum: Checksum,
    /// True if the examination must see all data in order:
    /// [`look_at_boundaries`](Examination::look_at_boundaries).
    pub needs_boundaries: bool,
}

impl Examination {
    /// The part of the data with this index, from 0, if the data are divided into `count` parts: whole time slices of
    /// a gauge field that is measured, otherwise whole sites. There can be empty parts. `None` if the data cannot be
    /// divided.
    #[must_use]
    pub fn part(&self, index: u64, count: u64) -> Option<Part> {
        let field = self.field;
        let size = field.bytes_per_site;
        let length = field.data_length().filter(|length| size > 0 && *length > 0)?;
        if self.keeps_slice_sums || index >= count {
            return None;
        }
        #[expect(
            clippy::arithmetic_side_effects,
            reason = "the product of two u64 fits in a u128, and `count` is not 0 because `index` is below it"
        )]
        let first_of =
            |all: u64, index: u64| (u128::from(all) * u128::from(index) / u128::from(count)) as u64;
        let share = |all: u64| first_of(all, index)..first_of(all, index.saturating_add(1));
        let (mut after, mut unit, mut observables) = (0..0, size, None);
        let own = match &self.observables {
            Some(whole) => {
                whole.slab_words().filter(|words| *words <= MAX_WORDS)?;
                let (all, slice) = (u64::from(whole.slices()), whole.slice_bytes());
                let Range { start, end } = share(all);
                if start < end && end.saturating_sub(start) < all {
                    let next = end.checked_rem(all)?;
                    after = next.checked_mul(slice)?..next.checked_add(1)?.checked_mul(slice)?;
                }
                unit = whole.row_bytes() as u64;
                observables = Some(whole.of_slab(start as u32..end as u32));
                start.checked_mul(slice)?..end.checked_mul(slice)?
            }
            None => {
                let Range { start, end } = share(length.checked_div(size)?);
                start.checked_mul(size)?..end.checked_mul(size)?
            }
        };
        if unit > MAX_UNIT {
            return None;
        }
        let (sums, found) = (SliceSums::of_all(&field), AnyOrder::new(self));
        Some(Part { field, own, after, unit, taken: 0, sums, found, observables })
    }

    /// Supplies the combined results of all parts instead of the data.
    ///
    /// `None` if they have another length than the results of a part of this field: the examination must not be used then.
    pub fn supply(&mut self, sums: &PartSums) -> Option<Combined> {
        let (&[word_sum, absent], observables) = sums.added.split_first_chunk::<COUNTS>()?;
        match &mut self.observables {
            Some(whole) => whole.supply(observables)?,
            None if !observables.is_empty() => return None,
            None => {}
        }
        self.word_sum = word_sum as u32;
        let [xor, of_cksum] = sums.xor;
        self.of_cksum = of_cksum as u32;
        let checksum = Checksum { suma: xor as u32, sumb: (xor >> 32) as u32 };
        Some(Combined { checksum, needs_boundaries: absent > 0 && self.boundaries.is_some() })
    }

    /// Examines which links are absent. `feed` must pass all data to its argument, in their order, in pieces of any
    /// length.
    ///
    /// # Errors
    /// The errors of `feed`.
    pub fn look_at_boundaries<E>(
        &mut self,
        feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), E>,
    ) -> Result<(), E> {
        match &mut self.boundaries {
            Some(boundaries) => look_at_boundaries(&self.field, boundaries, feed),
            None => Ok(()),
        }
    }

    /// The field whose data are examined.
    #[must_use]
    pub const fn field(&self) -> &Field {
        &self.field
    }

    /// The number of rows of each link whose words are summed, if a text records their sum.
    #[must_use]
    pub fn word_sum_rows(&self) -> Option<u32> {
        self.words.map(|words| words.rows)
    }
}

impl Part {
    /// The bytes of the part: offsets from the beginning of the data.
    #[must_use]
    pub const fn own(&self) -> &Range<u64> {
        &self.own
    }

    /// The bytes to be read after the bytes of the part: offsets from the beginning of the data.
    #[must_use]
    pub const fn after(&self) -> &Range<u64> {
        &self.after
    }

    /// The part takes multiples of this number of bytes.
    #[must_use]
    pub const fn unit(&self) -> u64 {
        self.unit
    }

    /// Processes the next bytes: first the bytes of this part, then the bytes after it. Their number is a multiple of
    /// [`unit`](Self::unit).
    pub fn feed(&mut self, bytes: &[u8]) {
        let left = self.own.end.saturating_sub(self.own.start).saturating_sub(self.taken);
        let own = usize::try_from(left).ok().and_then(|left| bytes.get(..left)).unwrap_or(bytes);
        if !own.is_empty() {
            #[expect(
                clippy::arithmetic_side_effects,
                reason = "own bytes are left, so the sum is below `own.end`; `part` refuses fields without bytes at a site"
            )]
            let first = (self.own.start + self.taken) / self.field.bytes_per_site;
            self.sums.add_sites(first, own);
            self.found.look(self.own.start.saturating_add(self.taken), own);
        }
        if let Some(observables) = &mut self.observables {
            observables.feed(bytes);
        }
        self.taken = self.taken.saturating_add(bytes.len() as u64);
    }

    /// The results, once all bytes have been processed.
    #[must_use]
    pub fn finish(self) -> PartSums {
        let checksums = self.sums.finish().into_iter().map(Checksum::from);
        let checksum = checksums.fold(Checksum::default(), Checksum::combine);
        let mut added = vec![u64::from(self.found.word_sum()), u64::from(self.found.has_absent())];
        added.extend(self.observables.and_then(Observables::into_slab_sums).unwrap_or_default());
        let sums = u64::from(checksum.suma) | u64::from(checksum.sumb) << 32;
        PartSums { xor: [sums, self.found.of_cksum().into()], added }
    }
}
