//! Reading the data of arrays (scda A.5.4 to A.5.6).

use linkstream::scda::SectionType;
use linkstream_memory::resize;

use super::elements::{ElementsMut, Sizes};
use super::joined::{read_all, read_slices};
use super::partition::{Partition, elements, misuse};
use super::parts::{PartDecoder, RankExtent};
use super::read::{Reader, State};
use super::sizes::{OwnSizes, damaged, own_sizes, reached};
use super::unpack::Unpacking;
use crate::arguments::Arguments;
use crate::comm::{Comm, Op};
use crate::error::{Error, Fault};
use crate::file::{PieceMut, SharedFile};

impl<C: Comm, F: SharedFile<C>> Reader<'_, C, F> {
    /// Reads the data of an array (A.5.4). Two small collective calls and one collective access; five and two if it is
    /// compressed, and one access more for each further 16 MiB of texts of a rank.
    ///
    /// `dbytes` is the room for the elements of this rank, or `None` to skip them on this rank.
    ///
    /// # Errors
    /// The file ends in the data, or compressed elements of a rank are damaged; the partition does not have the elements
    /// of the section, the room of a rank does not have the size of its elements, or the section is no array.
    pub fn array_data(
        &mut self,
        partition: Partition<'_>,
        dbytes: Option<ElementsMut<'_>>,
    ) -> Result<(), Error> {
        let arguments = partition.digest(Arguments::new("read array data"));
        let Self { session, decoder, state, .. } = self;
        session.call_checked(arguments, |comm, file| {
            let section = state.section(decoder, &[SectionType::Array])?;
            let own = partition.own(comm).and_then(|count| match &dbytes {
                None => Ok(Sizes::Equal { count, size: 0 }),
                Some(room) => {
                    // Any size is possible if there are no elements.
                    let size = section.e.to_u64().unwrap_or(u64::MAX);
                    let sizes = Sizes::Equal { count, size };
                    room.check(sizes).map(|()| sizes)
                }
            });
            let ready = own.as_ref().map(|_| ()).map_err(Clone::clone);
            if section.is_compressed() {
                let sizes = own_sizes(comm, file, decoder, partition, ready)?;
                *state = State::Between;
                return texts(comm, file, decoder, &sizes, dbytes.map(|room| (room, own)));
            }
            let part = elements(comm, partition, Some(section.n), ready)?;
            let total =
                section.stored().data_length().ok_or_else(|| Fault::usage("the section is too long"))?;
            decoder.data(total).map_err(damaged)?;
            *state = State::Between;
            let slices = part.and_then(|part| {
                let extent = RankExtent::array(comm.rank(), &section.stored(), &part).map_err(misuse)?;
                Ok((extent.data().offset(), dbytes.map_or(Vec::new(), ElementsMut::slices)))
            });
            read_slices(comm, file, slices)
        })
    }

    /// Reads the sizes of the elements of a varray (A.5.5), in bytes, before compression. Four small collective calls
    /// and one collective access.
    ///
    /// `sizes` is the room for one number for each element of this rank, or `None` if it needs none. The call may be
    /// repeated with another partition.
    ///
    /// # Errors
    /// The sizes are damaged, or the file ends in the sizes or the data; the partition does not have the elements of the
    /// section, the room of a rank is for another number of elements, or the section is no varray.
    pub fn varray_sizes(&mut self, partition: Partition<'_>, sizes: Option<&mut [u64]>) -> Result<(), Error> {
        let arguments = partition.digest(Arguments::new("read varray sizes"));
        let Self { session, decoder, state, .. } = self;
        session.call_checked(arguments, |comm, file| {
            state.section(decoder, &[SectionType::Varray])?;
            let ready = partition.own(comm).and_then(|count| match &sizes {
                Some(room) if room.len() as u64 != count => {
                    let room = room.len();
                    Err(Fault::usage(format!("room for {room} sizes was passed for {count} elements")))
                }
                _ => Ok(()),
            });
            let own = own_sizes(comm, file, decoder, partition, ready)?;
            if let Some(room) = sizes {
                room.copy_from_slice(&own.sizes);
            }
            *state = State::Sizes(own);
            Ok(())
        })
    }

    /// Reads the data of a varray (A.5.6), after its [sizes](Self::varray_sizes) with the same partition. One small
    /// collective call and one collective access; two and one if it is compressed, and one access more for each further
    /// 16 MiB of texts of a rank.
    ///
    /// `dbytes` is the room for the elements of this rank, whose sizes in bytes are `sizes` (`E_i`). With `None`, they are
    /// skipped on this rank, and `sizes` is ignored.
    ///
    /// # Errors
    /// Compressed elements of a rank are damaged; the sizes have not been read, or with another partition; `sizes` or the
    /// room of a rank differ from them.
    pub fn varray_data(
        &mut self,
        partition: Partition<'_>,
        sizes: &[u64],
        dbytes: Option<ElementsMut<'_>>,
    ) -> Result<(), Error> {
        let arguments = partition.digest(Arguments::new("read varray data"));
        let Self { session, decoder, state, .. } = self;
        session.call_checked(arguments, |comm, file| {
            let section = state.section(decoder, &[SectionType::Varray])?;
            let State::Sizes(own) = std::mem::replace(state, State::Between) else {
                return Err(Fault::usage("the sizes of the elements must be read before their data"));
            };
            let ready = same_part(comm, partition, &own).and_then(|()| match &dbytes {
                Some(_) if sizes != own.sizes => Err(Fault::usage("the sizes differ from those in the file")),
                Some(room) => room.check(Sizes::Each(sizes)),
                None => Ok(()),
            });
            if section.is_compressed() {
                let room = dbytes.map(|room| (room, ready.clone().map(|()| Sizes::Each(sizes))));
                return texts(comm, file, decoder, &own, room).and(ready);
            }
            let slices = ready.and_then(|()| {
                let extent = extent(comm, decoder, &own)?;
                Ok((extent.data().offset(), dbytes.map_or(Vec::new(), ElementsMut::slices)))
            });
            read_slices(comm, file, slices)
        })
    }
}

/// Checks that the partition is the one that the sizes were read with.
fn same_part<C: Comm>(comm: &C, partition: Partition<'_>, own: &OwnSizes) -> Result<(), Fault> {
    let count = partition.own(comm)?;
    let is_same = match partition {
        Partition::Own(_) => own.elements.count() == count.into(),
        Partition::Table(table) => {
            let before: u128 = table[..comm.rank()].iter().map(|n| u128::from(*n)).sum();
            own.elements.count() == count.into() && own.elements.first().get() == before
        }
    };
    if is_same { Ok(()) } else { Err(Fault::usage("the sizes were read with another partition")) }
}

fn extent<C: Comm>(comm: &C, decoder: &PartDecoder, own: &OwnSizes) -> Result<RankExtent, Fault> {
    RankExtent::varray(comm.rank(), &decoder.section().stored(), &own.elements, &own.data).map_err(misuse)
}

/// Bytes of texts that a rank reads in a round, unless a single one has more.
const ROUND: u64 = 16 << 20;

/// Number of texts in each round, and of their bytes.
fn rounds(lengths: &[u64]) -> Vec<(usize, u64)> {
    let mut rounds: Vec<(usize, u64)> = Vec::new();
    for length in lengths {
        match rounds.last_mut() {
            Some((count, bytes)) if bytes.saturating_add(*length) <= ROUND => {
                (*count, *bytes) = (*count + 1, *bytes + length)
            }
            _ => rounds.push((1, *length)),
        }
    }
    rounds
}

/// Collective: reads and decompresses the elements of this rank into the room for elements of these sizes. One small
/// collective call, and one collective access for each 16 MiB of texts of a rank.
fn texts<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    decoder: &PartDecoder,
    own: &OwnSizes,
    room: Option<(ElementsMut<'_>, Result<Sizes<'_>, Fault>)>,
) -> Result<(), Fault> {
    let ready = room.map(|(room, sizes)| {
        let sizes = sizes?;
        Ok((room.each(sizes), Unpacking::new(decoder, extent(comm, decoder, own)?.data().offset())))
    });
    let (mut work, mut outcome) = match ready {
        Some(Ok(work)) => (Some(work), Ok(())),
        Some(Err(fault)) => (None, Err(fault)),
        None => (None, Ok(())),
    };
    let rounds = if work.is_some() { rounds(&own.texts) } else { Vec::new() };
    let mut most = [rounds.len() as u64];
    comm.combine(Op::Max, &mut most)?;
    let (mut bytes, mut rest) = (Vec::new(), own.texts.as_slice());
    for round in 0..most[0] {
        let next = usize::try_from(round).ok().and_then(|round| rounds.get(round));
        let (Some((count, length)), Some((rooms, unpacking)), Ok(())) = (next, &mut work, &outcome) else {
            // This rank still takes part.
            outcome = reached(read_all(comm, file, Ok(Vec::new())))?.and(outcome);
            continue;
        };
        let (lengths, after) = rest.split_at((*count).min(rest.len()));
        rest = after;
        let piece = resize(&mut bytes, *length as usize).map_err(Fault::from);
        let offset = unpacking.offset();
        let piece = piece.map(|()| vec![PieceMut { offset, bytes: &mut bytes }]);
        outcome = reached(read_all(comm, file, piece))?;
        if outcome.is_ok() {
            outcome = unpacking.unpack(&bytes, lengths, rooms);
        }
    }
    outcome?;
    work.map_or(Ok(()), |(_, unpacking)| unpacking.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_have_all_texts() {
        assert_eq!(rounds(&[]), []);
        assert_eq!(rounds(&[0, 0]), [(2, 0)]);
        assert_eq!(
            rounds(&[ROUND, 1, 2, ROUND - 3, 1, ROUND + 5, u64::MAX, 0]),
            [(1, ROUND), (3, ROUND), (1, 1), (1, ROUND + 5), (1, u64::MAX), (1, 0)]
        );
    }
}
