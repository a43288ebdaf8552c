//! The list of files on the card: groups of two sectors; the valid one with the larger sequence number counts.
//! A group is changed by writing its other sector, so that a sector that is only half written costs the last change.

use linkstream::crc::crc32;

use crate::digest::Digest;
use crate::name::Name;

pub const SECTOR: usize = 512;
/// Number of groups.
pub const GROUPS: u32 = 160;
/// Records in a sector.
pub const RECORDS: usize = 8;
/// A group without records, whose sequence number counts the starts of the node.
pub const STARTS: u32 = GROUPS;
/// Size of the file with the list.
pub const LENGTH: u32 = (GROUPS + 1) * 2 * SECTOR as u32;

const MAGIC: [u8; 4] = *b"LSN2";
/// Offsets in a sector: the sequence number follows the magic bytes; the records; the CRC-32 of everything before it.
const AT_SEQUENCE: usize = 4;
const AT_RECORDS: usize = 8;
const AT_CRC: usize = 508;
/// Size of a record: name, state, length, CRC-32, bytes that are safe, SHA-256.
const RECORD: usize = 56;
const AT_SHA: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Unfinished,
    Stored,
}

/// A file on the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    pub name: Name,
    pub state: State,
    pub length: u32,
    pub digest: Digest,
    /// Number of bytes from the beginning that are certainly on the card.
    pub safe: u32,
}

/// Place of a record in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub group: u32,
    pub index: usize,
}

impl Place {
    pub const FIRST: Self = Self { group: 0, index: 0 };

    pub const fn next(self) -> Self {
        if self.index + 1 < RECORDS {
            Self { index: self.index + 1, ..self }
        } else {
            Self { group: self.group + 1, index: 0 }
        }
    }
}

/// Both sectors of a group, in memory.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    sectors: [[u8; SECTOR]; 2],
    /// Index and sequence number of the sector that counts; number 0 if none is valid.
    current: (usize, u32),
}

impl Group {
    pub const fn new() -> Self {
        Self { sectors: [[0; SECTOR]; 2], current: (0, 0) }
    }

    /// Takes both sectors from the card, sector `first` before the other one. `read` fills them.
    ///
    /// # Errors
    /// The error of `read`.
    pub fn load<E>(
        &mut self,
        first: usize,
        mut read: impl FnMut(usize, &mut [u8; SECTOR]) -> Result<(), E>,
    ) -> Result<(), E> {
        for index in [first, 1 - first] {
            if let Some(sector) = self.sectors.get_mut(index) {
                read(index, sector)?;
            }
        }
        let [first, second] = &self.sectors;
        self.current = match (sequence(first), sequence(second)) {
            (Some(first), Some(second)) if second > first => (1, second),
            (None, Some(second)) => (1, second),
            (first, _) => (0, first.unwrap_or(0)),
        };
        Ok(())
    }

    /// Sequence number of the sector that counts; 0 if none is valid.
    pub const fn sequence(&self) -> u32 {
        self.current.1
    }

    /// True if the group has a valid sector.
    pub const fn is_written(&self) -> bool {
        self.current.1 > 0
    }

    /// A sector, to be written to the card.
    pub fn sector(&self, index: usize) -> &[u8] {
        self.sectors.get(index).map_or(&[], |sector| sector)
    }

    /// Record number `index`, if the sector that counts has one there.
    pub fn record(&self, index: usize) -> Option<Record> {
        let (current, sequence) = self.current;
        let sector = self.sectors.get(current).filter(|_| sequence > 0)?;
        parse(sector.get(AT_RECORDS..AT_CRC)?.chunks_exact(RECORD).take(RECORDS).nth(index)?)
    }

    /// Changes a record in the other sector, and returns that sector's index: it must be written to the card.
    pub fn change(&mut self, index: usize, record: Option<&Record>) -> usize {
        let (current, sequence) = self.current;
        let [first, second] = &mut self.sectors;
        let (from, to) = if current == 0 { (&*first, second) } else { (&*second, first) };
        if sequence > 0 {
            to.copy_from_slice(from)
        } else {
            to.fill(0)
        }
        let records = to.get_mut(AT_RECORDS..AT_CRC).unwrap_or(&mut []);
        if let Some(place) = records.chunks_exact_mut(RECORD).take(RECORDS).nth(index) {
            write(place, record);
        }
        seal(to, sequence.wrapping_add(1));
        self.current = (usize::from(current == 0), sequence.wrapping_add(1));
        self.current.0
    }
}

impl Default for Group {
    fn default() -> Self {
        Self::new()
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn put_word(bytes: &mut [u8], at: usize, value: u32) {
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *place = value.to_le_bytes();
    }
}

/// The sequence number of a sector; `None` if the sector is not valid.
fn sequence(sector: &[u8; SECTOR]) -> Option<u32> {
    let sealed = sector.get(..AT_CRC).map(|bytes| crc32(0, bytes));
    let is_valid = sector.starts_with(&MAGIC) && word(sector, AT_CRC) == sealed;
    word(sector, AT_SEQUENCE).filter(|&sequence| is_valid && sequence > 0)
}

fn seal(sector: &mut [u8; SECTOR], sequence: u32) {
    if let Some(place) = sector.first_chunk_mut() {
        *place = MAGIC;
    }
    put_word(sector, AT_SEQUENCE, sequence);
    let crc = sector.get(..AT_CRC).map_or(0, |bytes| crc32(0, bytes));
    put_word(sector, AT_CRC, crc);
}

fn parse(bytes: &[u8]) -> Option<Record> {
    let state = match bytes.get(11)? {
        1 => State::Unfinished,
        2 => State::Stored,
        _ => return None,
    };
    let name = Name::from_padded(*bytes.first_chunk()?);
    let digest = Digest { crc: word(bytes, 16)?, sha: *bytes.get(AT_SHA..)?.first_chunk()? };
    Some(Record { name, state, length: word(bytes, 12)?, digest, safe: word(bytes, 20)? })
}

fn write(place: &mut [u8], record: Option<&Record>) {
    place.fill(0);
    let Some(record) = record else { return };
    if let Some(name) = place.first_chunk_mut() {
        *name = *record.name.padded();
    }
    if let Some(state) = place.get_mut(11) {
        *state = if record.state == State::Stored { 2 } else { 1 };
    }
    put_word(place, 12, record.length);
    put_word(place, 16, record.digest.crc);
    put_word(place, 20, record.safe);
    if let Some(sha) = place.get_mut(AT_SHA..).and_then(|rest| rest.first_chunk_mut()) {
        *sha = record.digest.sha;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(safe: u32) -> Option<Record> {
        let name = Name::parse(b"A.LIM")?;
        let digest = Digest { crc: 7, sha: [8; 32] };
        Some(Record { name, state: State::Unfinished, length: 9, digest, safe })
    }

    #[test]
    fn a_half_written_sector_costs_the_last_change_only() {
        let mut group = Group::new();
        assert_eq!(group.record(0), None);
        for safe in 1..6 {
            let before = group;
            let changed = group.change(3, record(safe).as_ref());
            assert_eq!(group.record(3), record(safe));
            assert_eq!((group.record(2), group.record(4)), (None, None));
            for cut in 0..SECTOR {
                let mut torn = before;
                torn.sectors[changed][..cut].copy_from_slice(&group.sectors[changed][..cut]);
                let sectors = torn.sectors;
                let loaded = torn
                    .load(cut % 2, |index, sector| sectors.get(index).map(|from| *sector = *from).ok_or(()));
                assert_eq!(loaded, Ok(()));
                let found = torn.record(3);
                assert!(found == before.record(3) || found == record(safe), "{safe} {cut}");
            }
        }
        group.change(3, None);
        assert_eq!(group.record(3), None);
    }

    #[test]
    fn the_records_fill_a_sector_without_its_seal() {
        const { assert!(AT_RECORDS + RECORDS * RECORD <= AT_CRC) };
        let mut group = Group::new();
        for index in 0..RECORDS {
            group.change(index, record(index as u32).as_ref());
        }
        assert!((0..RECORDS).all(|index| group.record(index) == record(index as u32)));
        assert_eq!(group.record(RECORDS), None);
    }
}
