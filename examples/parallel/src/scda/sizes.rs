//! Sizes of elements, which precede the data of arrays: each rank reads the lines of its own elements.

use linkstream::scda::{self, COUNT_LEN, Count, SectionType};
use linkstream::{Diagnostic, Error};

use super::joined::{read_all, room, zeros};
use super::partition::{Partition, Sums, data_part, elements, misuse};
use super::parts::{DataPart, ElementPart, PartDecoder, SizeLines};
use crate::comm::Comm;
use crate::error::{ErrorKind, Fault};
use crate::file::{PieceMut, SharedFile};

/// Lines that a rank reads at once if it does not keep the sizes.
const BATCH: u64 = 32 << 10;

/// Elements of a rank, after their sizes have been read.
#[derive(Debug)]
pub(super) struct OwnSizes {
    pub elements: ElementPart,
    /// The bytes in the file: data, or texts of compressed elements.
    pub data: DataPart,
    /// Sizes of the elements of a varray, before compression.
    pub sizes: Vec<u64>,
    /// Sizes of the texts, if the section is compressed.
    pub texts: Vec<u64>,
}

/// Damage that the codec has found.
pub(super) fn damaged<K: Diagnostic>(error: Error<K>) -> Fault {
    Fault::codec(error.at, error.kind.class(), error.kind.rule(), error.kind)
}

/// Passes on a failure of communication: no collective call can be entered any more.
pub(super) fn reached<T>(outcome: Result<T, Fault>) -> Result<Result<T, Fault>, Fault> {
    match outcome {
        Err(fault) if fault.kind == ErrorKind::Communication => Err(fault),
        outcome => Ok(outcome),
    }
}

/// Lines of one list of sizes.
struct List {
    lines: SizeLines,
    bytes: Vec<u8>,
    found: Vec<u64>,
}

impl List {
    /// Memory for the lines that are in the file.
    fn new(decoder: &PartDecoder, lines: SizeLines) -> Result<Self, Fault> {
        let present = decoder.present(lines.window()).length() as usize;
        Ok(Self { lines, bytes: zeros(present)?, found: room(present / COUNT_LEN)? })
    }

    fn piece(&mut self) -> PieceMut<'_> {
        PieceMut { offset: self.lines.window().offset(), bytes: &mut self.bytes }
    }

    /// Takes the lines, after elements of `before` bytes. Returns the sum of the sizes, `before` included.
    fn take(&mut self, before: u64) -> Result<u64, Damage> {
        let mut lines = self.lines.clone().after(before);
        self.found.clear();
        for line in self.bytes.as_chunks::<COUNT_LEN>().0 {
            self.found.push(lines.size(line)?);
        }
        Ok(lines.sum())
    }
}

type Damage = Error<scda::ErrorKind>;

/// The sum of sizes, or `None` if it is too large: only with the sums of the ranks before can be decided where.
fn unless_too_long(sum: Result<u64, Damage>) -> Result<Option<u64>, Fault> {
    match sum {
        Ok(sum) => Ok(Some(sum)),
        Err(Error { kind: scda::ErrorKind::TooLong { .. }, .. }) => Ok(None),
        Err(error) => Err(damaged(error)),
    }
}

/// Collective: reads the sizes of the elements of each rank. Three small collective calls, or five without a table; one
/// collective access. If it fails on a rank, it fails on all of them.
pub(super) fn own_sizes<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    decoder: &mut PartDecoder,
    partition: Partition<'_>,
    ready: Result<(), Fault>,
) -> Result<OwnSizes, Fault> {
    let section = *decoder.section();
    let is_varray = section.section_type == SectionType::Varray;
    let part = elements(comm, partition, Some(section.n), ready)?;
    let lists = part.clone().and_then(|part| {
        let first = (is_varray && section.is_compressed()).then(|| decoder.uncompressed(&part));
        let lists = first.into_iter().chain([decoder.sizes(&part)]);
        lists.map(|lines| List::new(decoder, lines.map_err(misuse)?)).collect::<Result<Vec<_>, _>>()
    });
    let mut lists = match lists {
        Ok(mut lists) => {
            let pieces = lists.iter_mut().map(List::piece).filter(|piece| !piece.bytes.is_empty()).collect();
            reached(read_all(comm, file, Ok(pieces)))?.map(|()| lists)
        }
        Err(fault) => Err(reached(read_all(comm, file, Err(fault)))?.err().unwrap_or_else(Fault::elsewhere)),
    };
    // The last list is the one that determines where the data are.
    let own = lists
        .as_mut()
        .map_err(|fault| fault.clone())
        .and_then(|lists| lists.iter_mut().try_fold(Some(0), |_, list| unless_too_long(list.take(0))));
    let data = total_of(comm, decoder, own, |_, before| match lists.as_mut() {
        Ok(lists) => match lists.last_mut() {
            Some(list) => list.take(before).map(drop).map_err(damaged),
            None => Ok(()),
        },
        Err(fault) => Err(fault.clone()),
    })?;
    let mut lists = lists?;
    let last = lists.pop().map(|list| list.found).unwrap_or_default();
    let first = lists.pop().map(|list| list.found).unwrap_or_default();
    let (sizes, texts) = if section.is_compressed() { (first, last) } else { (last, first) };
    Ok(OwnSizes { elements: part?, data, sizes, texts })
}

/// Collective: adds up the sizes of the elements of all ranks, and passes the sum to the decoder. `own` is the sum on
/// this rank, `None` if it is too large. If the sum of all is too large, `again` takes the lines again to find the one
/// that makes it so.
fn total_of<C: Comm>(
    comm: &C,
    decoder: &mut PartDecoder,
    own: Result<Option<u64>, Fault>,
    again: impl FnOnce(&PartDecoder, u64) -> Result<(), Fault>,
) -> Result<DataPart, Fault> {
    let number = own.as_ref().ok().map(|own| own.unwrap_or(u64::MAX));
    let sums = Sums::of(comm, number.map(|number| [number]))?;
    let own = own?.unwrap_or(u64::MAX);
    let Some(Sums { before: [before], total: [total] }) = sums else { return Err(Fault::elsewhere()) };
    let fits =
        u64::try_from(total).ok().filter(|total| decoder.section().stored().next_offset(*total).is_some());
    let Some(fits) = fits else {
        // Beyond 64 bits, another rank has the line.
        again(decoder, u64::try_from(before).unwrap_or(u64::MAX))?;
        return Err(Fault::elsewhere());
    };
    decoder.data(fits).map_err(damaged)?;
    data_part(before, own, total)
}

/// Collective: adds up the sizes of all elements without keeping them. Each rank reads as many lines as the others.
/// Three small collective calls with the agreement, and one collective access for each batch of lines.
pub(super) fn pass_sizes<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    decoder: &mut PartDecoder,
) -> Result<(), Fault> {
    let n = decoder.section().stored().n;
    let all = ElementPart::new(Count::default(), n, n).and_then(|all| decoder.sizes(&all)).map_err(misuse)?;
    // The file may have fewer lines than it claims.
    let present = decoder.present(all.window()).length() / COUNT_LEN as u64;
    let (rank, ranks) = (comm.rank() as u64, comm.size() as u64);
    let each = present.div_ceil(ranks);
    let first = each.saturating_mul(rank).min(present);
    let end = first.saturating_add(each).min(present);
    let mut sum_up = |decoder: &PartDecoder, before: u64, is_again: bool| {
        let mut sum = Ok(Some(before));
        for round in 0..each.div_ceil(BATCH) {
            let from = first.saturating_add(round.saturating_mul(BATCH)).min(end);
            let count = if matches!(sum, Ok(Some(_))) { BATCH.min(end - from) } else { 0 };
            let batch = ElementPart::new(from.into(), count.into(), n)
                .and_then(|batch| decoder.sizes(&batch))
                .map_err(misuse)
                .and_then(|lines| List::new(decoder, lines));
            let mut batch = match batch {
                Ok(mut list) => reached(read_all(comm, file, Ok(vec![list.piece()])))?.map(|()| list),
                Err(fault) => {
                    Err(reached(read_all(comm, file, Err(fault)))?.err().unwrap_or_else(Fault::elsewhere))
                }
            };
            sum = match (sum, &mut batch) {
                (Ok(Some(sum)), Ok(list)) if is_again => list.take(sum).map(Some).map_err(damaged),
                (Ok(Some(sum)), Ok(list)) => unless_too_long(list.take(sum)),
                (Ok(_), Err(fault)) => Err(fault.clone()),
                (sum, _) => sum,
            };
        }
        Ok::<_, Fault>(sum)
    };
    let own = sum_up(decoder, 0, false)?;
    total_of(comm, decoder, own, |decoder, before| sum_up(decoder, before, true)?.map(drop)).map(drop)
}
