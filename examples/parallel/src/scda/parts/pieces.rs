//! All bytes of a section that one process writes.

use crate::file::Piece;

/// All bytes of a section that one process writes: heads, size lines and paddings, and the data, which are slices of the
/// caller's memory. One slice can hold all data, or a slice each element (the indirect addressing of scda A.2).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "the pieces must be written"]
pub struct Pieces<'a, D> {
    pub(super) front: Vec<(u64, Vec<u8>)>,
    pub(super) data_offset: u64,
    pub(super) data: &'a [D],
    pub(super) padding: (u64, Vec<u8>),
}

impl<D: AsRef<[u8]>> Pieces<'_, D> {
    /// The pieces in ascending order of their offsets, without empty ones.
    pub fn writes(&self) -> impl Iterator<Item = Piece<'_>> {
        fn of((offset, bytes): &(u64, Vec<u8>)) -> Piece<'_> {
            Piece { offset: *offset, bytes }
        }
        let mut next = self.data_offset;
        let data = self.data.iter().map(move |slice| {
            let piece = Piece { offset: next, bytes: slice.as_ref() };
            next += piece.bytes.len() as u64;
            piece
        });
        let all = self.front.iter().map(of).chain(data).chain(std::iter::once(of(&self.padding)));
        all.filter(|piece| !piece.bytes.is_empty())
    }
}
