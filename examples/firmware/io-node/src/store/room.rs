//! Clusters of the files: room for more, repairs after a power failure, and the release of files that are dropped.

use embedded_sdmmc::{Block, BlockDevice};

use super::{Store, StoreError};
use crate::card::{CardError, Start};
use crate::catalogue::{Place, Record, State};
use crate::name::Name;

impl<D: BlockDevice<Error = CardError> + Start + Copy> Store<D> {
    /// Repairs what a power failure has left, before any cluster is taken: chains without their last links, and files
    /// without certain bytes, which also those are that were being dropped.
    pub(super) fn repair(&mut self) -> Result<(), StoreError> {
        let mut from = Place::FIRST;
        while let Some((place, record, next)) = self.next(from)? {
            match record {
                Record { state: State::Unfinished, safe: 0, .. } => self.drop(place, &record)?,
                Record { state: State::Unfinished, .. } => drop(self.allocated(&record.name)?),
                _ => {}
            }
            from = next;
        }
        Ok(())
    }

    /// Number of clusters that a file of the directory has; 0 if there is none of this name.
    fn allocated(&self, name: &Name) -> Result<u32, StoreError> {
        match self.first_cluster(name) {
            Ok(0) | Err(StoreError::NotFound) => Ok(0),
            Ok(first) => Ok(self.table.chain(&self.device, first)?),
            Err(error) => Err(error),
        }
    }

    /// First cluster of a file of the directory; 0 if it has none.
    fn first_cluster(&self, name: &Name) -> Result<u32, StoreError> {
        let entry = self.entry(name)?;
        let mut block = [Block::new()];
        self.device.read(&mut block, entry.entry_block)?;
        let [block] = &block;
        let half = |at| {
            let bytes = block.get(entry.entry_offset as usize + at..).and_then(|bytes| bytes.first_chunk());
            bytes.map_or(0, |bytes| u32::from(u16::from_le_bytes(*bytes)))
        };
        // FAT16 has no upper half; it is 0 there.
        Ok(half(20) << 16 | half(26))
    }

    /// Examines whether a file of this length has room, which may be there already in part.
    ///
    /// # Errors
    /// It has none, or the card cannot be read.
    pub fn has_room(&self, name: &Name, length: u32) -> Result<(), StoreError> {
        let wanted = self.table.clusters(length).saturating_sub(self.allocated(name)?);
        // One cluster for a directory that grows, and one because embedded-sdmmc must not take the last one.
        let has_room = wanted == 0 || self.table.has_free(&self.device, wanted.saturating_add(2))?;
        if has_room { Ok(()) } else { Err(StoreError::Full) }
    }

    /// Removes a file: frees its clusters, its entry of the directory and its record.
    ///
    /// # Errors
    /// The card cannot be written.
    pub fn drop(&mut self, place: Place, record: &Record) -> Result<(), StoreError> {
        // After a power failure on the way, the next start drops the file again.
        let unfinished = Record { state: State::Unfinished, safe: 0, ..*record };
        self.record(place, Some(&unfinished))?;
        // Somebody may have put a directory in its place.
        let first = match self.length(&record.name)? {
            Some(u32::MAX) | None => Err(StoreError::NotFound),
            Some(_) => self.first_cluster(&record.name),
        };
        if first != Err(StoreError::NotFound) {
            // embedded-sdmmc frees clusters from the first on, and would lose the others if the power failed; and it frees
            // none of a file that it deletes. The records keep the order of the writes.
            if first != Ok(0) {
                while self.table.shorten(&self.device, first?)? {
                    self.record(place, Some(&unfinished))?;
                }
                // If the power fails now, the next start takes the cluster back, before another file gets it.
                self.table.free(&self.device, first?)?;
                self.record(place, Some(&unfinished))?;
            }
            self.told(record.name.with_str(|name| self.volumes.delete_entry_in_dir(self.root, name)))?;
        }
        self.record(place, None)
    }
}
