//! The files on the card, by embedded-sdmmc, and the list of the files that the node knows.

mod list;
mod room;

use embedded_sdmmc::{
    Block, BlockDevice, BlockIdx, DirEntry, Error, Mode, RawDirectory, RawFile, RawVolume, TimeSource,
    Timestamp, VolumeIdx, VolumeManager,
};

use crate::card::{CardError, Start};
use crate::catalogue::{self, GROUPS, Group, SECTOR};
use crate::fat::Table;
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

impl From<CardError> for StoreError {
    fn from(_: CardError) -> Self {
        Self::Card
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

/// The first partition of the card.
pub struct Store<D: BlockDevice> {
    device: D,
    table: Table,
    volumes: VolumeManager<D, NoCalendar, 1, 2, 1>,
    root: RawDirectory,
    list: RawFile,
    group: Group,
    /// Number of the group in memory.
    loaded: Option<u32>,
    /// False if the card is protected, or could not be repaired.
    is_writable: bool,
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
        device.start()?;
        let table = Table::find(&device)?;
        let is_writable = table.forget_free_count(&device).is_ok();
        let volumes = VolumeManager::new_with_limits(device, NoCalendar, 1);
        let volume: RawVolume = volumes.open_raw_volume(VolumeIdx(0))?;
        let root = volumes.open_root_dir(volume)?;
        // A list that cannot be read would be taken for one that does not exist.
        if let Err(error @ Error::DeviceError(_)) = volumes.find_directory_entry(root, CATALOGUE) {
            return Err(error.into());
        }
        let list = volumes.open_file_in_dir(root, CATALOGUE, Mode::ReadWriteCreateOrAppend)?;
        let mut length = volumes.file_length(list)?;
        if length < catalogue::LENGTH {
            while length < catalogue::LENGTH {
                volumes.write(list, &[0; SECTOR])?;
                length += SECTOR as u32;
            }
            volumes.flush_file(list)?;
        }
        let group = Group::new();
        let (loaded, used) = (None, 0);
        let store =
            place.insert(Self { device, table, volumes, root, list, group, loaded, is_writable: true, used });
        let counted = store.count_groups();
        if counted.is_ok() {
            // A card that is protected can be read nevertheless.
            store.is_writable = store.repair().is_ok() && is_writable;
        } else {
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

    fn entry(&self, name: &Name) -> Result<DirEntry, StoreError> {
        self.told(name.with_str(|name| self.volumes.find_directory_entry(self.root, name)))
    }

    /// embedded-sdmmc reports some failures of the card as a missing file, others as a full card.
    fn told<R>(&self, result: Result<R, Error<CardError>>) -> Result<R, StoreError> {
        match result {
            Err(_) if self.device.has_failed() => Err(StoreError::Card),
            result => Ok(result?),
        }
    }

    /// False if the card has been removed, or is another one that has not been started.
    pub fn is_present(&self) -> bool {
        self.device.read(&mut [Block::new()], BlockIdx(0)).is_ok()
    }

    /// Length of a file of the directory, also of one that is not in the list. An entry that is not a file, but a directory
    /// or the name of the card, counts as the longest file.
    ///
    /// # Errors
    /// The card cannot be read.
    pub fn length(&self, name: &Name) -> Result<Option<u32>, StoreError> {
        match self.entry(name) {
            Ok(entry) if entry.attributes.is_directory() || entry.attributes.is_volume() => {
                Ok(Some(u32::MAX))
            }
            Ok(entry) => Ok(Some(entry.size)),
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens a file to write from `offset` on, and creates it if it is missing. Returns the file and the offset, which
    /// is 0 if the file is shorter. The file is shortened if it is longer than `length`.
    ///
    /// # Errors
    /// The directory is full, or the card cannot be written.
    pub fn open_to_write(&self, name: &Name, offset: u32, length: u32) -> Result<(RawFile, u32), StoreError> {
        let mode = match self.length(name)? {
            Some(found) if found <= length && found > 0 => Mode::ReadWriteCreateOrAppend,
            _ => Mode::ReadWriteCreateOrTruncate,
        };
        let open = name.with_str(|name| self.volumes.open_file_in_dir(self.root, name, mode));
        let file = self.told(open).map_err(|error| match error {
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
        self.told(name.with_str(|name| self.volumes.open_file_in_dir(self.root, name, Mode::ReadOnly)))
    }

    /// Reads at `offset`; less than requested only at the end of the file.
    ///
    /// # Errors
    /// The card cannot be read.
    pub fn read(&self, file: RawFile, offset: u32, to: &mut [u8]) -> Result<usize, StoreError> {
        self.volumes.file_seek_from_start(file, offset)?;
        Ok(self.volumes.read(file, to)?)
    }

    /// Writes at `offset` to a file that has room.
    ///
    /// # Errors
    /// The card cannot be written.
    pub fn write(&self, file: RawFile, offset: u32, from: &[u8]) -> Result<(), StoreError> {
        self.volumes.file_seek_from_start(file, offset)?;
        // embedded-sdmmc reports every failure while it takes a cluster as a full card.
        self.volumes.write(file, from).map_err(|_| StoreError::Card)
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
}
