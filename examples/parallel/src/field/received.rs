//! The sites of a file set that a rank has received from the ranks that read the volumes.

use linkstream::field::Field;
use linkstream::volume::ErrorKind;

use super::layout::OwnPart;
use super::set_scan::of_set;
use super::transfer::Transfer;
use crate::comm::{CommError, Message};
use linkstream_memory as memory;

use crate::error::Fault;

/// The sites of this rank that have been received.
pub(super) struct Received {
    pub(super) number: u64,
    /// One bit for each own site.
    seen: Vec<u8>,
    /// See [`OwnPart::before`].
    before: Vec<u64>,
}

impl Received {
    pub(super) fn new(part: &OwnPart) -> Self {
        let bytes = usize::try_from(part.sites().div_ceil(8)).unwrap_or(usize::MAX);
        // A bit for each site of this rank, which has memory for the sites themselves.
        Self { number: 0, seen: memory::unwinding::zeroed(bytes), before: part.before() }
    }

    /// Prepares the sites of messages in the order of the rank's sites, with their bytes. A site that has been received
    /// before is an error: volumes repeat it.
    pub(super) fn prepare(
        &mut self,
        inbox: &[Message],
        field: &Field,
        part: &OwnPart,
        transfer: &mut Transfer<'_>,
    ) -> Result<(), Fault> {
        let size = usize::try_from(field.bytes_per_site)
            .map_err(|_| Fault::usage("a site does not fit into memory"))?;
        let mut sites: Vec<(u64, &[u8])> = Vec::new();
        for message in inbox {
            let chunks = message.bytes.chunks_exact(8 + size);
            if !chunks.remainder().is_empty() {
                return Err(CommError::new("a message between ranks is malformed").into());
            }
            for chunk in chunks {
                let (rank, bytes) = chunk.split_at(8);
                let rank = rank.try_into().map_or(0, u64::from_le_bytes);
                let index = part.index_of(rank).ok_or_else(|| {
                    Fault::usage(format!(
                        "site {rank} belongs to this rank by the layout of another one, not by its own"
                    ))
                })?;
                let place = part.place(index, &self.before);
                let (byte, bit) = ((place / 8) as usize, 1 << (place % 8));
                match self.seen.get_mut(byte) {
                    Some(seen) if *seen & bit == 0 => *seen |= bit,
                    _ => return Err(of_set(ErrorKind::SiteRepeated { rank, count: 1 })),
                }
                self.number += 1;
                memory::push(&mut sites, (index, bytes))?;
            }
        }
        sites.sort_unstable_by_key(|(index, _)| *index);
        let mut windows = Vec::new();
        for run in sites.chunk_by(|(index, _), (next, _)| index + 1 == *next) {
            let start = run[0].0;
            windows.extend(part.window(start..start + run.len() as u64));
        }
        transfer.prepare(windows)?;
        for (room, (_, bytes)) in transfer.bytes_mut().chunks_exact_mut(size.max(1)).zip(&sites) {
            room.copy_from_slice(bytes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::boxes::BoxPart;
    use linkstream::field::FieldDocuments;
    use linkstream::lattice::{Extents, Precision};
    use linkstream::scidac::PrivateRecord;

    use super::super::layout::Layout;
    use super::*;

    /// A file set that is made for it can have the fingerprint of the lattice although it repeats sites.
    #[test]
    fn a_site_is_received_once() {
        let lattice = Extents::new(&[4, 2]).unwrap();
        let record = PrivateRecord::real_field(Precision::F32);
        let field = FieldDocuments::scidac(record).layout(&lattice).unwrap();
        let layout =
            Layout::listed(&lattice, 4, |place| lattice.coordinates([0, 1, 4, 6][place]).unwrap(), |_| 0);
        for part in [layout.of_field(&field, true).unwrap(), OwnPart::Box(BoxPart::whole(&field))] {
            let mut received = Received::new(&part);
            let mut transfer = Transfer::new(&layout, &field);
            let mut take = |ranks: &[u64]| {
                let bytes = ranks.iter().flat_map(|rank| [rank.to_le_bytes().to_vec(), vec![0; 4]].concat());
                let message = Message { rank: 1, bytes: bytes.collect() };
                received.prepare(&[message], &field, &part, &mut transfer).map_err(|fault| fault.rule)
            };
            assert_eq!(take(&[6, 0]), Ok(()));
            assert_eq!(take(&[4]), Ok(()));
            assert_eq!(take(&[1, 6]), Err("volume-site-repeated".into()));
            assert_eq!(received.number, 4);
        }
    }
}
