//! Reads the data of a field at arbitrary offsets, with several threads if the data are large enough: from files, and
//! from the volumes of a set.

use std::ops::Range;

use linkstream::field::Field;
use linkstream::lattice::Checksum;
use linkstream_access::SliceSums;
use linkstream_access::data::{Contiguous, Data};
use linkstream_access::source::{ReadAtError, Source};
use linkstream_arithmetic::parallel;
use linkstream_memory as memory;

use super::any_order::AnyOrder;
use super::boundaries::look_at_boundaries;
use super::data::Examination;
use crate::figures::Bytes;

/// Number of bytes that a thread reads at a time if the data are not measured.
const PIECE: u64 = 1 << 20;

/// Reads all data of a field and examines them. Returns their checksum, or `None` if the data are too small for this
/// method or not all of them exist; the examination must not be used then.
pub fn read<E: embedded_io::Error + Send>(
    source: &dyn Source<Error = E>,
    examination: &mut Examination,
) -> Result<Option<Checksum>, E> {
    let field = &examination.field;
    let start = field.record.payload_offset();
    let Some(length) = field.data_length() else { return Ok(None) };
    let is_there = start.checked_add(length).is_some_and(|end| source.length().is_ok_and(|all| end <= all));
    let is_worthwhile = length >= source.worthwhile() || examination.keeps_slice_sums;
    if !is_there || !is_worthwhile || field.bytes_per_site > PIECE {
        return Ok(None);
    }
    match examine(&Contiguous { source, start }, examination) {
        Ok(checksum) => Ok(Some(checksum)),
        Err(ReadAtError::Io(error)) => Err(error),
        // The file was truncated while it was read. The remaining data are read in order.
        Err(ReadAtError::Ended) => Ok(None),
    }
}

/// Reads all data of a field and examines them. Returns their checksum.
pub fn examine<D: Data>(data: &D, examination: &mut Examination) -> Result<Checksum, ReadAtError<D::Error>> {
    let field = examination.field;
    let of = if examination.keeps_slice_sums { SliceSums::of_slices } else { SliceSums::of_all };
    let bytes = Examined { data, field: &field, sums: of(&field), found: AnyOrder::new(examination) };
    match &mut examination.observables {
        Some(observables) => observables.read(&bytes)?,
        None => bytes.read_all()?,
    }
    if let Some(boundaries) = examination.boundaries.as_mut().filter(|_| bytes.found.has_absent()) {
        look_at_boundaries(&field, boundaries, |each| in_order(data, &field, each))?;
    }
    examination.word_sum = bytes.found.word_sum();
    examination.of_cksum = bytes.found.of_cksum();
    let sums = bytes.sums.finish();
    let checksum = sums.iter().copied().map(Checksum::from).fold(Checksum::default(), Checksum::combine);
    examination.slice_sums = examination.keeps_slice_sums.then_some(sums);
    Ok(checksum)
}

/// Passes all data to `each`, in their order.
pub fn in_order<D: Data>(
    data: &D,
    field: &Field,
    each: &mut dyn FnMut(&[u8]),
) -> Result<(), ReadAtError<D::Error>> {
    let mut buffer = Vec::new();
    for range in pieces(field).ok_or(ReadAtError::Ended)? {
        memory::unwinding::resize(&mut buffer, length(&range).ok_or(ReadAtError::Ended)?);
        data.fill(&range, &mut buffer)?;
        each(&buffer);
    }
    Ok(())
}

/// Divides the data into pieces of whole sites. `None` if no file can hold as many bytes as the field claims to have.
fn pieces(field: &Field) -> Option<impl Iterator<Item = Range<u64>> + use<>> {
    let (size, length) = (field.bytes_per_site, field.data_length()?);
    let piece = PIECE.checked_div(size).unwrap_or(0).max(1).checked_mul(size)?;
    let pieces = 0..length.div_ceil(piece.max(1));
    // Only the end of the last piece can exceed the length, or 2^64.
    Some(pieces.map(move |i| i.saturating_mul(piece)..i.saturating_add(1).saturating_mul(piece).min(length)))
}

/// Number of bytes in a range; `None` if memory cannot hold as many.
fn length(range: &Range<u64>) -> Option<usize> {
    usize::try_from(range.end.checked_sub(range.start)?).ok()
}

/// The data of a field. All sites that are read are added to the checksum, which does not depend on their order.
struct Examined<'d, D> {
    data: &'d D,
    field: &'d Field,
    sums: SliceSums,
    found: AnyOrder,
}

impl<D: Data> Bytes for Examined<'_, D> {
    type Error = ReadAtError<D::Error>;

    fn get<'s>(&'s self, range: Range<u64>, scratch: &'s mut Vec<u8>) -> Result<&'s [u8], Self::Error> {
        memory::unwinding::resize(scratch, length(&range).ok_or(ReadAtError::Ended)?);
        self.data.fill(&range, scratch)?;
        let first = range.start.checked_div(self.field.bytes_per_site).ok_or(ReadAtError::Ended)?;
        self.sums.add_sites(first, scratch);
        self.found.look(range.start, scratch);
        Ok(scratch)
    }
}

impl<D: Data> Examined<'_, D> {
    fn read_all(&self) -> Result<(), ReadAtError<D::Error>> {
        // A list is small enough: 100 GB are 100,000 pieces.
        let pieces = in_turn(pieces(self.field).ok_or(ReadAtError::Ended)?.collect(), self.data.places());
        let several = self.field.data_length().is_some_and(parallel::is_worthwhile);
        parallel::each(several, pieces, |range, buffer: &mut Vec<u8>| self.get(range, buffer).map(|_| ()))
    }
}

/// Divides the items into equal parts, and reorders them: the first of each part, then the second of each, and so on.
fn in_turn<T>(items: Vec<T>, parts: u64) -> Vec<T> {
    let length = items.len().div_ceil(parts.max(1) as usize);
    let mut numbered: Vec<_> = items.into_iter().enumerate().collect();
    numbered.sort_by_key(|(index, _)| (index.checked_rem(length), index.checked_div(length)));
    numbered.into_iter().map(|(_, item)| item).collect()
}
