//! Saved states: one process sends them to another one, so that both read or write the same record.
//!
//! A state has no pointers. Its last 16 bytes are checksums of the others: a state that was damaged on its way, or that
//! is none at all, is refused.

use linkstream::lime::HEADER_LEN;

use crate::code::Refused;

/// Length of a saved state: `LIME_STATE` in `lime_state.h`.
pub const LEN: usize = 192;

const _: () = assert!(
    SEAL_OF_OTHERS == 4 * 8 + HEADER_LEN && SEAL_OF_ALL + 8 == LEN,
    "the parts of a state are its length"
);

/// Offset of the place.
const PLACE: usize = 24;
/// Offset of the checksum of all but the place.
const SEAL_OF_OTHERS: usize = 176;
/// Offset of the checksum of the last one and of the place.
const SEAL_OF_ALL: usize = 184;

/// Type of the handle that a state belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A reader.
    Reader,
    /// A writer.
    Writer,
}

impl Owner {
    const fn mark(self) -> [u8; 8] {
        match self {
            Self::Reader => *b"LIMErea2",
            Self::Writer => *b"LIMEwri2",
        }
    }
}

/// The contents of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Facts, with a meaning that depends on the owner.
    pub flags: [bool; 4],
    /// Absolute offset of the header of the current record, or of the next one.
    pub offset: u64,
    /// Position in the data of the current record.
    pub place: u64,
    /// Header of the current record; zeros without one.
    pub header: [u8; HEADER_LEN],
}

impl State {
    /// Absolute offset of the data of the current record.
    #[must_use]
    pub const fn payload_offset(&self) -> u64 {
        self.offset.saturating_add(HEADER_LEN as u64)
    }

    /// The state as C stores it in the structure.
    #[must_use]
    pub fn save(&self, owner: Owner) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        let flags = self.flags.map(u8::from);
        bytes[..8].copy_from_slice(&owner.mark());
        bytes[8..12].copy_from_slice(&flags);
        bytes[16..24].copy_from_slice(&self.offset.to_le_bytes());
        bytes[PLACE..PLACE + 8].copy_from_slice(&self.place.to_le_bytes());
        bytes[32..SEAL_OF_OTHERS].copy_from_slice(&self.header);
        seal(&mut bytes);
        bytes
    }

    /// The contents of bytes.
    ///
    /// # Errors
    /// They are damaged, or no state of this owner.
    pub fn load(bytes: &[u8; LEN], owner: Owner) -> Result<Self, Refused> {
        if bytes[..8] != owner.mark() {
            return Err(Refused::usage(match owner {
                Owner::Reader => "the source is not a reader, or it has been destroyed",
                Owner::Writer => "the source is not a writer, or it has been destroyed",
            }));
        }
        let mut sealed = *bytes;
        seal(&mut sealed);
        if sealed != *bytes {
            return Err(Refused::usage("the state of the source is damaged: its checksum is wrong"));
        }
        let mut header = [0; HEADER_LEN];
        header.copy_from_slice(&bytes[32..SEAL_OF_OTHERS]);
        let flags = [8, 9, 10, 11].map(|at| bytes[at] != 0);
        Ok(Self { flags, offset: word(bytes, 16), place: word(bytes, PLACE), header })
    }
}

/// Changes the place in a saved state: this takes less time than to save it.
#[inline]
pub fn change_place(bytes: &mut [u8; LEN], place: u64) {
    put(bytes, PLACE, place);
    put(bytes, SEAL_OF_ALL, step(word(bytes, SEAL_OF_OTHERS), place));
}

/// Puts the checksums into a state: of all words but the place, and of these and the place.
fn seal(bytes: &mut [u8; LEN]) {
    let place = word(bytes, PLACE);
    put(bytes, PLACE, 0);
    let others = bytes[..SEAL_OF_OTHERS].as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
    put(bytes, SEAL_OF_OTHERS, others.fold(0xcbf2_9ce4_8422_2325, step));
    change_place(bytes, place);
}

fn word(bytes: &[u8; LEN], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

fn put(bytes: &mut [u8; LEN], at: usize, word: u64) {
    bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
}

/// A step of FNV-1a, but with words of 8 bytes. It can be undone, so that a change of one word always changes the result.
const fn step(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_damaged_byte_is_noticed() {
        let state =
            State { flags: [true, false, true, false], offset: 1 << 40, place: 7, header: [9; HEADER_LEN] };
        let bytes = state.save(Owner::Reader);
        assert_eq!(State::load(&bytes, Owner::Reader), Ok(state));
        assert!(State::load(&bytes, Owner::Writer).is_err());
        assert!(State::load(&[0; LEN], Owner::Reader).is_err());
        let mut moved = bytes;
        change_place(&mut moved, 1 << 33);
        assert_eq!(moved, State { place: 1 << 33, ..state }.save(Owner::Reader));
        for at in 0..LEN {
            for bit in 0..8 {
                let mut damaged = bytes;
                damaged[at] ^= 1 << bit;
                assert!(State::load(&damaged, Owner::Reader).is_err(), "byte {at}");
            }
        }
    }
}
