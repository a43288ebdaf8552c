//! The sites of a field in a volume, as [`VolumeWriter`](crate::io::VolumeWriter) takes them from a source.

use core::ops::ControlFlow;

use crate::callback::Outcome;
use crate::field::{self, Field, Filled, Room, SiteMut, TakesData, fill_places, fill_site};
use crate::lattice::Region;
use crate::volume::{EncodeErrorKind, Encoder, SitePositions, Want};

/// The encoder, and the ranks of the sites that are missing.
pub(super) struct Sites<'e, I> {
    encoder: &'e mut Encoder,
    ranks: &'e mut I,
    positions: SitePositions,
    field: Field,
}

impl<'e, I: Iterator<Item = u64>> Sites<'e, I> {
    /// The sites of a field whose data are expected.
    pub(super) fn new(encoder: &'e mut Encoder, ranks: &'e mut I) -> Result<Self, EncodeErrorKind> {
        let field = *encoder.field().ok_or(field::EncodeErrorKind::NoData)?;
        Ok(Self { encoder, ranks, positions: SitePositions::new(field.extents), field })
    }

    /// Number of sites that are missing.
    const fn missing(&self) -> u64 {
        if let Some(Want::Sites(missing)) = self.encoder.next_want() { missing } else { 0 }
    }

    /// Rank of the next site. Global data belong to no site.
    fn rank(&mut self) -> Option<u64> {
        if self.field.region == Region::Global { Some(0) } else { self.ranks.next() }
    }
}

/// The room for all data of a field in this volume.
pub(super) fn room_of(field: &Field) -> Room {
    // Global data that another volume has take no room.
    let bytes_per_site = field.bytes_per_site.min(field.record.length);
    Room { bytes_per_site, whole_sites: true, ..Room::of(field, field.record.length) }
}

impl<I: Iterator<Item = u64>> TakesData for Sites<'_, I> {
    type ErrorKind = EncodeErrorKind;

    fn data_room(&self) -> Result<Room, EncodeErrorKind> {
        Ok(room_of(&self.field))
    }

    fn pass<'b>(&mut self, numbers: &'b mut [u8]) -> Result<&'b mut [u8], EncodeErrorKind> {
        self.bytes(numbers)?;
        Ok(numbers)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        let size = usize::try_from(self.field.bytes_per_site).unwrap_or(usize::MAX);
        for site in bytes.chunks(size.max(1)) {
            let rank = self.rank().ok_or(EncodeErrorKind::SitesDiffer)?;
            self.encoder.site(rank, site)?;
        }
        Ok(())
    }

    fn sites<'b, O: Outcome>(
        &mut self,
        most: u64,
        mut fill: impl FnMut(&mut SiteMut<'_>) -> O,
        buffer: &'b mut [u8],
    ) -> Result<Filled<'b, O::Error>, EncodeErrorKind> {
        let (field, most) = (self.field, most.min(self.missing()));
        let mut refused = None;
        let mut filled = fill_places(&field, most, buffer, |place| {
            let rank = self.rank();
            let Some(position) = rank.and_then(|rank| self.positions.next(rank)) else {
                refused = Some(EncodeErrorKind::SitesDiffer);
                return Ok(ControlFlow::Break(()));
            };
            let rank = position.rank;
            let outcome = fill_site(&field, position, place, &mut fill)?;
            if outcome.is_continue() {
                refused = self.encoder.site(rank, place).err();
            }
            Ok(if refused.is_some() { ControlFlow::Break(()) } else { outcome })
        })?;
        match refused {
            Some(kind) if filled.sites == 0 => Err(kind),
            // The sites before are written first. Then the ranks do not suffice, which the next call finds.
            Some(_) => {
                filled.outcome = Ok(ControlFlow::Continue(()));
                Ok(filled)
            }
            None => Ok(filled),
        }
    }
}
