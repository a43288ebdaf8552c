//! Reads the data of a field at any place, by several threads if there are enough of them: from files.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use linkstream::conformance::Boundaries;
use linkstream::field::{Field, LinkLayout, SiteError, Sites};
use linkstream::lattice::{Checksum, SiteOrder};

use super::data::Examination;
use super::site_sums::SiteSums;
use super::word_sum::Words;
use crate::figures::Bytes;
use crate::parallel;
use crate::parts::{PartError, Parts, fill};

/// Bytes that a thread reads at a time, if they are not measured.
const PIECE: u64 = 1 << 20;

/// Reads all data of a field and examines them. Returns their checksum; `None` if there are too few of them to be worth it, or the
/// source does not have all of them. The examination is of no use then.
pub fn read<E: embedded_io::Error + Send>(
    parts: &dyn Parts<Error = E>,
    examination: &mut Examination,
) -> Result<Option<Checksum>, E> {
    let field = &examination.field;
    let start = field.record.payload_offset();
    let Some(length) = field.data_length() else { return Ok(None) };
    let is_there = start.checked_add(length).is_some_and(|end| parts.length().is_ok_and(|all| end <= all));
    if !is_there || length < parts.worthwhile() || field.bytes_per_site > PIECE {
        return Ok(None);
    }
    let links = field.links.filter(|_| examination.boundaries.is_some());
    let bytes = FieldBytes {
        parts,
        field,
        start,
        links,
        sums: Mutex::new(Vec::new()),
        has_absent: AtomicBool::new(false),
        words: examination.words,
        word_sum: AtomicU32::new(0),
    };
    let read = match &mut examination.observables {
        Some(observables) => observables.read(&bytes),
        None => bytes.read_all(),
    };
    let read = match (read, &mut examination.boundaries) {
        // Only links that do not exist can be in the wrong place.
        (Ok(()), Some(boundaries)) if bytes.has_absent.load(Ordering::Relaxed) => {
            bytes.look_at_boundaries(boundaries)
        }
        (read, _) => read,
    };
    match read {
        Ok(()) => {
            examination.word_sum = bytes.word_sum.into_inner();
            let sums = bytes.sums.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok(Some(sums.iter().map(SiteSums::finish).fold(Checksum::default(), Checksum::combine)))
        }
        Err(PartError::Io(error)) => Err(error),
        // The file was truncated while it was read. What is left of it is read in order.
        Err(PartError::Ended) => Ok(None),
    }
}

/// The data of a field. The sites that are asked for are summed up: any order of them gives the same checksum.
struct FieldBytes<'p, E> {
    parts: &'p dyn Parts<Error = E>,
    field: &'p Field,
    /// Of the data in the source.
    start: u64,
    /// How links lie in a site, if it matters whether they exist.
    links: Option<LinkLayout>,
    /// As many as threads have worked on the data at once.
    sums: Mutex<Vec<SiteSums>>,
    has_absent: AtomicBool,
    words: Option<Words>,
    word_sum: AtomicU32,
}

impl<E: embedded_io::Error + Send> Bytes for FieldBytes<'_, E> {
    type Error = PartError<E>;

    fn get<'s>(&'s self, range: Range<u64>, scratch: &'s mut Vec<u8>) -> Result<&'s [u8], PartError<E>> {
        self.fill(&range, scratch)?;
        let size = self.field.bytes_per_site;
        let mut sums = self.sums().pop().unwrap_or_else(|| SiteSums::new(size as usize));
        let mut order = SiteOrder::at(self.field.extents, self.field.region, range.start / size);
        for site in scratch.chunks_exact(size as usize) {
            sums.add(order.residues(), site);
            order.step();
        }
        self.sums().push(sums);
        if self.links.is_some_and(|links| has_absent(&links, scratch)) {
            self.has_absent.store(true, Ordering::Relaxed);
        }
        if let Some(words) = &self.words {
            self.word_sum.fetch_add(words.sum(scratch), Ordering::Relaxed);
        }
        Ok(scratch)
    }
}

impl<E: embedded_io::Error + Send> FieldBytes<'_, E> {
    /// The sums that no thread adds to at the moment.
    fn sums(&self) -> MutexGuard<'_, Vec<SiteSums>> {
        // Nothing that holds the lock can panic.
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a range of the data, which is at most some MiB.
    fn fill(&self, range: &Range<u64>, bytes: &mut Vec<u8>) -> Result<(), PartError<E>> {
        bytes.resize((range.end - range.start) as usize, 0);
        fill(self.parts, self.start + range.start, bytes)
    }

    /// Cuts all data into pieces of whole sites.
    fn pieces(&self) -> impl Iterator<Item = Range<u64>> + use<E> {
        let size = self.field.bytes_per_site;
        let (piece, length) = (PIECE / size * size, size * self.field.sites());
        (0..length.div_ceil(piece)).map(move |i| i * piece..((i + 1) * piece).min(length))
    }

    fn read_all(&self) -> Result<(), PartError<E>> {
        // A hundred gigabytes are 100,000 pieces.
        let pieces = in_turn(self.pieces().collect(), self.parts.places());
        let several = self.field.data_length().is_some_and(parallel::is_worthwhile);
        parallel::each(several, pieces, |range, buffer: &mut Vec<u8>| self.get(range, buffer).map(|_| ()))
    }

    /// Shows all links to the judge of boundaries, in their order.
    fn look_at_boundaries(&self, boundaries: &mut Boundaries) -> Result<(), PartError<E>> {
        let mut site = vec![0; self.field.bytes_per_site as usize];
        let mut sites = Sites::new(&mut site);
        // Neither the buffer, which was made for this field, nor the callback can fail.
        let _ = sites.begin(self.field);
        let mut buffer = Vec::new();
        for range in self.pieces() {
            self.fill(&range, &mut buffer)?;
            let _ = sites.feed(self.field, &buffer, |site| {
                boundaries.site(&site);
                Ok::<(), SiteError>(())
            });
        }
        Ok(())
    }
}

/// The items in another order: the first of each of some equal parts, then the second of each, and so on.
fn in_turn<T>(items: Vec<T>, parts: u64) -> Vec<T> {
    let length = items.len().div_ceil(parts.max(1) as usize);
    let mut numbered: Vec<_> = items.into_iter().enumerate().collect();
    numbered.sort_by_key(|(index, _)| (index % length, index / length));
    numbered.into_iter().map(|(_, item)| item).collect()
}

/// Whether whole sites have links that do not exist (ILDG 1.2, section 2.5.1).
fn has_absent(links: &LinkLayout, sites: &[u8]) -> bool {
    let fill = if links.absent_is_ones { 0xff } else { 0 };
    let is_absent = |link: &[u8]| link.iter().all(|byte| *byte == fill);
    links.bytes_per_link().is_some_and(|size| sites.chunks_exact(size.max(1)).any(is_absent))
}

#[cfg(test)]
mod tests {
    use super::in_turn;

    #[test]
    fn places_take_turns() {
        assert_eq!(in_turn(vec![0, 1, 2, 3, 4], 2), [0, 3, 1, 4, 2]);
        assert_eq!(in_turn(vec![0, 1, 2], 1), [0, 1, 2]);
        assert_eq!(in_turn(vec![0, 1], 5), [0, 1]);
        assert!(in_turn(Vec::<u8>::new(), 2).is_empty());
    }
}
