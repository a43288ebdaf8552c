//! Reads the data of a field in order: from pipes, and if they are too small for several threads.

use embedded_io::Read;
use linkstream::conformance::{Boundaries, Decoder, Event};
use linkstream::field::{Field, SiteError, Sites};
use linkstream::ildg;
use linkstream::io::{NextEvent, Reader};
use linkstream_access::Sum;
use linkstream_access::source::MAX_SITE;
use linkstream_arithmetic::parallel;
use linkstream_arithmetic::{Cksum, WordSum, Words};
use linkstream_memory as memory;

use super::contents::FieldEntry;
use super::fields;
use crate::figures::Observables;
use crate::options::Options;

/// Number of bytes that are measured on other threads while the next ones are read.
const BLOCK: usize = 8 << 20;

/// Results computed from the data of a field in addition to the checksum, while the data are read.
#[derive(Debug)]
pub struct Examination {
    pub(crate) field: Field,
    pub(crate) observables: Option<Observables>,
    pub(crate) boundaries: Option<Boundaries>,
    /// Selection of the words to sum, if a text records their sum.
    pub(crate) words: Option<Words>,
    /// The sum of the words.
    pub(crate) word_sum: u32,
    /// The sum of POSIX (`cksum`) of the data of ILDG.
    pub(crate) cksum: Option<Cksum>,
    /// The combined contributions to it.
    pub(crate) of_cksum: u32,
    /// True if the checksum of each time slice is requested.
    pub(crate) keeps_slice_sums: bool,
    /// The checksum of each time slice, if it is requested and the data were not read in order.
    pub(crate) slice_sums: Option<Vec<Sum>>,
}

impl Examination {
    /// The examination of the field that the decoder has reported. With `word_sum_rows`, the words of so many rows of
    /// each link are summed. `None` if a site is too large.
    #[must_use]
    pub fn of(decoder: &Decoder, options: &Options, word_sum_rows: Option<u32>) -> Option<Self> {
        let field = *decoder.content().field().filter(|field| field.bytes_per_site <= MAX_SITE)?;
        let observables =
            if options.observables { fields::measurement(&field, decoder, options) } else { None };
        let words = word_sum_rows.and_then(|rows| Words::of(&field, rows));
        // Catalogues of ILDG have the sum of its data records; without SciDAC documents, BQCD's can be about them too.
        let is_of_ildg = decoder.content().record_type() == ildg::BINARY_DATA.as_bytes();
        let cksum = field.data_length().filter(|_| is_of_ildg).map(Cksum::new);
        Some(Self {
            field,
            observables,
            boundaries: Boundaries::of(decoder.content()),
            words,
            word_sum: 0,
            cksum,
            of_cksum: 0,
            keeps_slice_sums: options.slice_sums,
            slice_sums: None,
        })
    }

    /// Adds the results to the entry of the field. `whole` means that the data were read to their end. Returns the
    /// error in the boundaries, if there is one.
    pub(crate) fn finish(self, whole: bool, entry: &mut FieldEntry) {
        entry.measured = self.observables.and_then(Observables::finish);
        let sum = self.words.filter(|_| whole).map(|words| WordSum { rows: words.rows, sum: self.word_sum });
        entry.word_sum = sum;
        entry.cksum = self.cksum.filter(|_| whole).map(|cksum| cksum.finish(self.of_cksum));
        entry.slice_sums = self.slice_sums.filter(|_| whole);
        entry.open = self.boundaries.as_ref().filter(|_| whole).map(|found| found.open().collect());
        entry.fault = self.boundaries.and_then(|boundaries| boundaries.fault());
    }
}

/// Reads the data to their end and examines them. Returns the first event after them.
pub fn read<R: Read>(
    reader: &mut Reader<R, &mut [u8], Decoder>,
    examination: Option<&mut Examination>,
) -> NextEvent<Decoder, R::Error> {
    let Some(Examination { field, observables, boundaries, words, word_sum, cksum, of_cksum, .. }) =
        examination
    else {
        return loop {
            match reader.next() {
                Ok(Some(Event::Data)) => {}
                other => break other,
            }
        };
    };
    let looks_at_sites = boundaries.is_some() || words.is_some();
    let size = if looks_at_sites { field.bytes_per_site } else { 0 };
    let mut site = memory::unwinding::zeroed(usize::try_from(size).unwrap_or(0));
    let mut sites = Sites::new(&mut site);
    if looks_at_sites {
        // This cannot fail: the buffer has the size of a site of this field.
        let _ = sites.begin(&*field);
    }
    let mut at = 0_u64;
    let mut each_data = |bytes: &[u8]| {
        if let Some(cksum) = cksum {
            *of_cksum ^= cksum.part(at, bytes);
            at = at.saturating_add(bytes.len() as u64);
        }
        if looks_at_sites {
            // This cannot fail: the field was begun above, and the callback returns no error.
            let _ = sites.feed(&*field, bytes, |site| {
                if let Some(boundaries) = boundaries {
                    boundaries.site(&site);
                }
                if let Some(words) = words {
                    *word_sum = word_sum.wrapping_add(words.sum(site.bytes()));
                }
                Ok::<(), SiteError>(())
            });
        }
    };
    let Some(observables) = observables else {
        return loop {
            match reader.next() {
                Ok(Some(Event::Data)) => each_data(reader.bytes()),
                other => break other,
            }
        };
    };
    let row = observables.row_bytes();
    let mut fill = |block: &mut Vec<u8>| {
        while block.len() < BLOCK.max(row) {
            match reader.next() {
                Ok(Some(Event::Data)) => {
                    each_data(reader.bytes());
                    memory::unwinding::extend(block, reader.bytes());
                }
                other => return Some(other),
            }
        }
        None
    };
    let length = usize::try_from(field.record.length).unwrap_or(BLOCK);
    let (mut block, mut ahead) = (memory::unwinding::or_end(memory::room(length.min(BLOCK))), Vec::new());
    let mut next = fill(&mut block);
    loop {
        if let Some(next) = next {
            observables.feed(&block);
            return next;
        }
        // An incomplete row at the end is moved to the beginning of the next block.
        ahead.clear();
        let incomplete = block.len().checked_rem(row).unwrap_or(0);
        let incomplete = block.get(block.len().saturating_sub(incomplete)..).unwrap_or_default();
        memory::unwinding::extend(&mut ahead, incomplete);
        let measure = || {
            observables.feed(&block);
        };
        next = parallel::beside(measure, || fill(&mut ahead));
        std::mem::swap(&mut block, &mut ahead);
    }
}
