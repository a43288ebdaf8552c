//! The data of one rank in the rounds of a collective call: their bytes, their stretches in the file, their checksum.

use super::boxes::BoxPart;
use linkstream::field::Field;
use linkstream::lattice::Checksum;
use linkstream_memory as memory;

use super::data::{Source, Target};
use super::layout::{Layout, OwnedPlace};
use crate::comm::{Comm, Op};
use crate::error::Fault;
use crate::file::{Piece, PieceMut};

/// The bytes of one rank in the current round.
pub(super) struct Transfer<'a> {
    place: OwnedPlace<'a>,
    windows: Vec<BoxPart>,
    /// The bytes of all windows, one after the other.
    bytes: Vec<u8>,
    sum: Checksum,
}

impl<'a> Transfer<'a> {
    pub(super) fn new(layout: &'a Layout<'_>, field: &Field) -> Self {
        let place = layout.place(field);
        Self { place, windows: Vec::new(), bytes: Vec::new(), sum: Checksum::default() }
    }

    /// The checksum of all rounds so far.
    pub(super) const fn checksum(&self) -> Checksum {
        self.sum
    }

    /// Goes to the sites of a round, whose bytes are not known yet.
    pub(super) fn prepare(&mut self, windows: Vec<BoxPart>) -> Result<(), Fault> {
        let length: u64 = windows.iter().map(BoxPart::byte_count).sum();
        memory::resize(&mut self.bytes, usize::try_from(length).unwrap_or(usize::MAX))?;
        self.windows = windows;
        Ok(())
    }

    /// Goes to the sites of a round, fills their bytes and adds them to the checksum.
    pub(super) fn fill(&mut self, windows: Vec<BoxPart>, data: &mut impl Source) -> Result<(), Fault> {
        self.prepare(windows)?;
        let place = self.place.as_deref();
        let mut rest = &mut self.bytes[..];
        for window in &self.windows {
            let (bytes, after) = rest.split_at_mut(window.byte_count() as usize);
            data.fill(window, place, bytes)?;
            rest = after;
        }
        self.sum()
    }

    /// Adds the bytes of the round to the checksum.
    pub(super) fn sum(&mut self) -> Result<(), Fault> {
        let mut rest = &self.bytes[..];
        for window in &self.windows {
            let (bytes, after) = rest.split_at(window.byte_count() as usize);
            let sum = window.checksum(bytes).map_err(|error| Fault::usage(error.to_string()))?;
            self.sum = self.sum.combine(sum);
            rest = after;
        }
        Ok(())
    }

    /// Passes the bytes of the round on.
    pub(super) fn take(&self, data: &mut impl Target) -> Result<(), Fault> {
        let place = self.place.as_deref();
        let mut rest = &self.bytes[..];
        for window in &self.windows {
            let (bytes, after) = rest.split_at(window.byte_count() as usize);
            data.take(window, place, bytes)?;
            rest = after;
        }
        Ok(())
    }

    /// The sites of the round.
    pub(super) fn windows(&self) -> &[BoxPart] {
        &self.windows
    }

    /// The bytes of the round: of all windows, one after the other.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The room for the bytes of the round.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The bytes of the round, and where they belong in the file.
    pub(super) fn pieces(&self) -> Vec<Piece<'_>> {
        let mut pieces = Vec::new();
        let mut rest = &self.bytes[..];
        for run in self.windows.iter().flat_map(BoxPart::runs) {
            let (bytes, after) = rest.split_at(run.length as usize);
            pieces.push(Piece { offset: run.offset, bytes });
            rest = after;
        }
        pieces
    }

    /// Room for the bytes of the round, and where they are in the file.
    pub(super) fn pieces_mut(&mut self) -> Vec<PieceMut<'_>> {
        let mut pieces = Vec::new();
        let mut rest = &mut self.bytes[..];
        for run in self.windows.iter().flat_map(BoxPart::runs) {
            let (bytes, after) = rest.split_at_mut(run.length as usize);
            pieces.push(PieceMut { offset: run.offset, bytes });
            rest = after;
        }
        pieces
    }
}

/// Collective: the checksum of the data of all ranks.
pub(super) fn combined(comm: &impl Comm, own: Checksum) -> Result<Checksum, Fault> {
    let mut sums = [u64::from(own.suma), u64::from(own.sumb)];
    comm.combine(Op::Xor, &mut sums)?;
    let [suma, sumb] = sums.map(|sum| sum as u32);
    Ok(Checksum { suma, sumb })
}
