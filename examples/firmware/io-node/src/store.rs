//! The files on the card, by embedded-sdmmc, and the list of the files that the node knows.

use embedded_sdmmc::{
    Block, BlockDevice, BlockIdx, Error, Mode, RawDirectory, RawFile, RawVolume, TimeSource, Timestamp,
    VolumeIdx, VolumeManager,
};

use crate::card::{CardError, Start};
use crate::catalogue::{self, GROUPS, Group, RECORDS, Record, SECTOR};
use crate::name::Name;

/// Name of the file with the list.
const CATALOGUE: &str = "LINKNODE.CAT";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreError {
    /// The card does not work, or its file system is damaged.
    Card,
    /// The card is full.
    Full,
    /// The list of files or the directory is full.
    TooManyFiles,
    /// There is no such file in the directory.
    NotFound,
}

impl From<Error<CardError>> for StoreError {
    fn from(error: Error<CardError>) -> Self {
        match error {
            Error::DiskFull | Error::NotEnoughSpace => Self::Full,
            Error::NotFound => Self::NotFound,
            _ => Self::Card,
        }
    }
}

/// The node has no calendar: every file gets the first day that FAT knows.
#[derive(Debug, Clone, Copy)]
struct NoCalendar;

impl TimeSource for NoCalendar {
    fn get_timestamp(&self) -> Timestamp {
        Timestamp {
            year_since_1970: 10,
            zero_indexed_month: 0,
            zero_indexed_day: 0,
            hours: 0,
            minutes: 0,
            seconds: 0,
        }
    }
}

/// Place of a record in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    group: u32,
    index: usize,
}

impl Place {
    pub const FIRST: Self = Self { group: 0, index: 0 };

    fn next(self) -> Self {
        if self.index + 1 < RECORDS {
            Self { index: self.index + 1, ..self }
        } else {
            Self { group: self.group + 1, index: 0 }
        }
    }
}

/// The first partition of the card.
pub struct Store<D: BlockDevice> {
    volumes: VolumeManager<D, NoCalendar, 1, 2, 1>,
    root: RawDirectory,
    list: RawFile,
    group: Group,
    /// Number of the group in memory.
    loaded: Option<u32>,
    /// Number of groups up to the last one that has ever been written: the others need not be read.
    used: u32,
}

impl<D: BlockDevice> core::fmt::Debug for Store<D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Store").field("list", &self.list).finish_non_exhaustive()
    }
}

impl<D: BlockDevice<Error = CardError> + Start + Copy> Store<D> {
    /// Starts the card, and creates or completes the file with the list. Puts the store where it stays, since the stack
    /// would have to hold it once more otherwise.
    ///
    /// # Errors
    /// The card cannot be used.
    #[inline(never)]
    pub fn open(device: D, place: &mut Option<Self>) -> Result<(), StoreError> {
        device.start().map_err(|_| StoreError::Card)?;
        forget_free_count(&device)?;
        let volumes = VolumeManager::new_with_limits(device, NoCalendar, 1);
        let volume: RawVolume = volumes.open_raw_volume(VolumeIdx(0))?;
        let root = volumes.open_root_dir(volume)?;
        let list = volumes.open_file_in_dir(root, CATALOGUE, Mode::ReadWriteCreateOrAppend)?;
        let mut length = volumes.file_length(list)?;
        if length < catalogue::LENGTH {
            while length < catalogue::LENGTH {
                volumes.write(list, &[0; SECTOR])?;
                length += SECTOR as u32;
            }
            volumes.flush_file(list)?;
        }
        let store = place.insert(Self { volumes, root, list, group: Group::new(), loaded: None, used: 0 });
        let counted = store.count_groups();
        if counted.is_err() {
            *place = None;
        }
        counted
    }

    fn count_groups(&mut self) -> Result<(), StoreError> {
        for group in 0..GROUPS {
            self.load(group)?;
            if self.group.is_written() {
                self.used = group + 1;
            }
        }
        Ok(())
    }

    fn load(&mut self, group: u32) -> Result<(), StoreError> {
        if self.loaded != Some(group) {
            self.loaded = None;
            self.volumes.file_seek_from_start(self.list, group * 2 * SECTOR as u32)?;
            let (volumes, list) = (&self.volumes, self.list);
            self.group.load(|sector| volumes.read(list, sector).map(|_| ()))?;
            self.loaded = Some(group);
        }
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
    /// The card cannot be written.
    pub fn record(&mut self, place: Place, record: Option<&Record>) -> Result<(), StoreError> {
        self.load(place.group)?;
        let changed = self.group.change(place.index, record);
        // If writing fails, the group in memory differs from the card.
        self.loaded = None;
        let at = place.group * 2 + u32::from(changed == 1);
        self.volumes.file_seek_from_start(self.list, at * SECTOR as u32)?;
        self.volumes.write(self.list, self.group.sector(changed))?;
        self.loaded = Some(place.group);
        self.used = self.used.max(place.group + 1);
        Ok(())
    }

    /// Length of a file of the directory, also of one that is not in the list.
    ///
    /// # Errors
    /// There is no such file, or the card cannot be read.
    pub fn length(&self, name: &Name) -> Result<u32, StoreError> {
        Ok(name.with_str(|name| self.volumes.find_directory_entry(self.root, name))?.size)
    }

    /// Opens a file to write from `offset` on, and creates it if it is missing. Returns the file and the offset, which
    /// is 0 if the file is shorter. The file is shortened if it is longer than `length`.
    ///
    /// # Errors
    /// The directory is full, or the card cannot be written.
    pub fn open_to_write(&self, name: &Name, offset: u32, length: u32) -> Result<(RawFile, u32), StoreError> {
        let mode = match self.length(name) {
            Ok(found) if found <= length && found > 0 => Mode::ReadWriteCreateOrAppend,
            Ok(_) | Err(StoreError::NotFound) => Mode::ReadWriteCreateOrTruncate,
            Err(error) => return Err(error),
        };
        let open = name.with_str(|name| self.volumes.open_file_in_dir(self.root, name, mode));
        let file = open.map_err(|error| match error.into() {
            StoreError::Full => StoreError::TooManyFiles,
            error => error,
        })?;
        let offset = if self.volumes.file_length(file)? < offset { 0 } else { offset };
        Ok((file, offset))
    }

    /// Opens a file to read.
    ///
    /// # Errors
    /// There is no such file, or the card cannot be read.
    pub fn open_to_read(&self, name: &Name) -> Result<RawFile, StoreError> {
        Ok(name.with_str(|name| self.volumes.open_file_in_dir(self.root, name, Mode::ReadOnly))?)
    }

    /// Reads at `offset`; less than requested only at the end of the file.
    ///
    /// # Errors
    /// The card cannot be read.
    pub fn read(&self, file: RawFile, offset: u32, to: &mut [u8]) -> Result<usize, StoreError> {
        self.volumes.file_seek_from_start(file, offset)?;
        Ok(self.volumes.read(file, to)?)
    }

    /// Writes at `offset`.
    ///
    /// # Errors
    /// The card is full, or cannot be written.
    pub fn write(&self, file: RawFile, offset: u32, from: &[u8]) -> Result<(), StoreError> {
        self.volumes.file_seek_from_start(file, offset)?;
        Ok(self.volumes.write(file, from)?)
    }

    /// Writes the length of the file into the directory.
    ///
    /// # Errors
    /// The card cannot be written.
    pub fn flush(&self, file: RawFile) -> Result<(), StoreError> {
        Ok(self.volumes.flush_file(file)?)
    }

    /// Closes a file; one that was written must have been flushed.
    ///
    /// # Errors
    /// The card cannot be written.
    pub fn close(&self, file: RawFile) -> Result<(), StoreError> {
        Ok(self.volumes.close_file(file)?)
    }

    /// Removes the record and frees the clusters of the file, which keeps one byte: embedded-sdmmc would lose the
    /// cluster of an empty or deleted file.
    ///
    /// # Errors
    /// The card cannot be written.
    pub fn drop(&mut self, place: Place, name: &Name) -> Result<(), StoreError> {
        self.record(place, None)?;
        if self.length(name) == Err(StoreError::NotFound) {
            return Ok(());
        }
        let mode = Mode::ReadWriteTruncate;
        let file = name.with_str(|name| self.volumes.open_file_in_dir(self.root, name, mode))?;
        self.volumes.write(file, &[0])?;
        self.close(file)
    }
}

/// Marks the number of free clusters of a FAT32 volume as unknown, which is allowed. The number would be wrong after a
/// power failure, and embedded-sdmmc does not always count as it should.
fn forget_free_count<D: BlockDevice<Error = CardError>>(device: &D) -> Result<(), StoreError> {
    const UNKNOWN: [u8; 4] = [0xff; 4];
    let mut block = [Block::new()];
    let read = |block: &mut [Block; 1], at| device.read(block, BlockIdx(at)).map_err(|_| StoreError::Card);
    read(&mut block, 0)?;
    let [mbr] = &block;
    let Some(start) = mbr.get(454..).and_then(|bytes| bytes.first_chunk()).map(|at| u32::from_le_bytes(*at))
    else {
        return Ok(());
    };
    read(&mut block, start)?;
    let [boot] = &block;
    // FAT32 has no size of the FAT in 16 bits.
    let is_fat32 = boot.get(22..24) == Some(&[0, 0]) && boot.get(82..87) == Some(b"FAT32");
    let info = boot.get(48..).and_then(|bytes| bytes.first_chunk()).map_or(0, |at| u16::from_le_bytes(*at));
    if !is_fat32 || info == 0 {
        return Ok(());
    }
    let at = start.wrapping_add(info.into());
    read(&mut block, at)?;
    let [sector] = &mut block;
    let is_info = sector.starts_with(b"RRaA") && sector.get(484..488) == Some(b"rrAa");
    match sector.get_mut(488..492) {
        Some(count) if is_info && *count != UNKNOWN => count.copy_from_slice(&UNKNOWN),
        _ => return Ok(()),
    }
    device.write(&block, BlockIdx(at)).map_err(|_| StoreError::Card)
}
