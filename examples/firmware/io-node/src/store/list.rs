//! The list of the files that the node knows, in its file on the card.

use embedded_sdmmc::BlockDevice;

use super::{Store, StoreError};
use crate::card::{CardError, Start};
use crate::catalogue::{GROUPS, Place, Record, SECTOR, STARTS};
use crate::name::Name;

impl<D: BlockDevice<Error = CardError> + Start + Copy> Store<D> {
    pub(super) fn load(&mut self, group: u32) -> Result<(), StoreError> {
        if self.loaded == Some(group) { Ok(()) } else { self.read_group(group, 0) }
    }

    /// Reads both sectors of a group, sector `first` before the other one.
    fn read_group(&mut self, group: u32, first: usize) -> Result<(), StoreError> {
        self.loaded = None;
        let (volumes, list) = (&self.volumes, self.list);
        self.group.load(first, |index, sector| {
            volumes.file_seek_from_start(list, (group * 2 + index as u32) * SECTOR as u32)?;
            volumes.read(list, sector).map(|_| ())
        })?;
        self.loaded = Some(group);
        Ok(())
    }

    /// The first record at or after `place`.
    ///
    /// # Errors
    /// The card cannot be read.
    pub fn next(&mut self, mut place: Place) -> Result<Option<(Place, Record, Place)>, StoreError> {
        while place.group < self.used {
            self.load(place.group)?;
            if let Some(record) = self.group.record(place.index) {
                return Ok(Some((place, record, place.next())));
            }
            place = place.next();
        }
        Ok(None)
    }

    /// The record of this name.
    ///
    /// # Errors
    /// The card cannot be read.
    pub fn find(&mut self, name: &Name) -> Result<Option<(Place, Record)>, StoreError> {
        let mut from = Place::FIRST;
        while let Some((place, record, next)) = self.next(from)? {
            if record.name == *name {
                return Ok(Some((place, record)));
            }
            from = next;
        }
        Ok(None)
    }

    /// A place without a record.
    ///
    /// # Errors
    /// The list is full, or the card cannot be read.
    pub fn free_place(&mut self) -> Result<Place, StoreError> {
        let mut place = Place::FIRST;
        while place.group < self.used {
            self.load(place.group)?;
            if self.group.record(place.index).is_none() {
                return Ok(place);
            }
            place = place.next();
        }
        if place.group < GROUPS { Ok(place) } else { Err(StoreError::TooManyFiles) }
    }

    /// Writes a record, or removes it. Everything that the record counts must be on the card.
    ///
    /// # Errors
    /// The card cannot be written, or does not have the record afterwards.
    pub fn record(&mut self, place: Place, record: Option<&Record>) -> Result<(), StoreError> {
        if !self.is_writable {
            return Err(StoreError::Card);
        }
        self.change(place, record)?;
        self.used = self.used.max(place.group + 1);
        Ok(())
    }

    /// Counts a start of the node. Returns the number of all of them.
    ///
    /// # Errors
    /// The card cannot be written.
    pub fn count_start(&mut self) -> Result<u32, StoreError> {
        if !self.is_writable {
            return Err(StoreError::Card);
        }
        self.change(Place { group: STARTS, index: 0 }, None)?;
        Ok(self.group.sequence())
    }

    fn change(&mut self, place: Place, record: Option<&Record>) -> Result<(), StoreError> {
        self.load(place.group)?;
        let changed = self.group.change(place.index, record);
        let sequence = self.group.sequence();
        // If writing fails, the group in memory differs from the card.
        self.loaded = None;
        let at = place.group * 2 + u32::from(changed == 1);
        self.volumes.file_seek_from_start(self.list, at * SECTOR as u32)?;
        self.volumes.write(self.list, self.group.sector(changed))?;
        // A card that is protected or worn out may accept a sector and not store it. The other sector is read first,
        // since embedded-sdmmc keeps the last one in memory.
        self.read_group(place.group, 1 - changed)?;
        if self.group.sequence() == sequence { Ok(()) } else { Err(StoreError::Card) }
    }
}
