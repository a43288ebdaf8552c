//! The file allocation table (FAT), read without embedded-sdmmc, which does not count free clusters and does not examine
//! chains.
//!
//! When all clusters are used, embedded-sdmmc takes an entry of the table for free that belongs to no cluster, and writes
//! past the end of the partition. Therefore a file is begun only if there is room for it. And a chain with a missing link
//! leads it to the first sectors of the partition. Therefore the chains of unfinished files are examined when the card is
//! started.

use embedded_sdmmc::{Block, BlockDevice, BlockIdx};

use crate::card::CardError;

/// Clusters 0 and 1 do not exist.
const FIRST: u32 = 2;
/// A volume with fewer clusters is FAT16.
const FAT32_FROM: u32 = 65_525;

/// Entries. FAT16 takes the first two bytes. The upper four bits of FAT32 are reserved, and 0 here.
const FREE: [u8; 4] = [0; 4];
const END: [u8; 4] = [0xff, 0xff, 0xff, 0x0f];

/// The table of a volume.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// First sector.
    start: u32,
    /// Sectors of one copy.
    length: u32,
    copies: u32,
    /// Number of the first cluster that does not exist.
    end: u32,
    /// Bytes of a cluster.
    cluster: u32,
    /// True for FAT32, whose entries have four bytes.
    is_wide: bool,
    /// Sector with the number of free clusters of FAT32.
    info: u32,
}

/// A sector of the table in memory.
struct Cached {
    block: [Block; 1],
    at: Option<u32>,
}

impl Cached {
    const fn new() -> Self {
        Self { block: [Block { contents: [0; 512] }], at: None }
    }
}

enum Link {
    Free,
    To(u32),
    End,
    /// The number of a cluster that does not exist, or a mark for a bad cluster.
    Invalid,
}

impl Table {
    /// Finds the table of the first partition.
    ///
    /// # Errors
    /// The card does not work, or has no such volume.
    pub fn find<D: BlockDevice<Error = CardError>>(device: &D) -> Result<Self, CardError> {
        let mut block = [Block::new()];
        device.read(&mut block, BlockIdx(0))?;
        let partition = word(&block, 454);
        device.read(&mut block, BlockIdx(partition))?;
        let in_cluster = byte(&block, 13);
        let (reserved, copies, entries) = (half(&block, 14), byte(&block, 16), half(&block, 17));
        let or_wide = |narrow, wide| if narrow == 0 { word(&block, wide) } else { narrow };
        let (sectors, length) = (or_wide(half(&block, 19), 32), or_wide(half(&block, 22), 36));
        let before = copies.wrapping_mul(length).wrapping_add(reserved).wrapping_add(entries.div_ceil(16));
        let clusters = sectors.checked_sub(before).and_then(|data| data.checked_div(in_cluster));
        let clusters = clusters.ok_or(CardError::NoAnswer)?;
        let is_wide = clusters >= FAT32_FROM;
        Ok(Self {
            start: partition.wrapping_add(reserved),
            length,
            copies,
            end: clusters.saturating_add(FIRST),
            cluster: in_cluster * 512,
            is_wide,
            info: if is_wide { partition.wrapping_add(half(&block, 48)) } else { 0 },
        })
    }

    /// Marks the number of free clusters of FAT32 as unknown, which is allowed: it would be wrong after a power failure,
    /// and embedded-sdmmc does not always count as it should.
    ///
    /// # Errors
    /// The card does not work.
    pub fn forget_free_count<D: BlockDevice<Error = CardError>>(&self, device: &D) -> Result<(), CardError> {
        /// The number of free clusters, and the first one to try.
        const UNKNOWN: [u8; 8] = [0xff; 8];
        if !self.is_wide {
            return Ok(());
        }
        let mut block = [Block::new()];
        device.read(&mut block, BlockIdx(self.info))?;
        let [sector] = &mut block;
        let is_info = sector.starts_with(b"RRaA") && sector.get(484..488) == Some(b"rrAa");
        match sector.get_mut(488..496) {
            Some(counts) if is_info && *counts != UNKNOWN => counts.copy_from_slice(&UNKNOWN),
            _ => return Ok(()),
        }
        device.write(&block, BlockIdx(self.info))
    }

    /// Number of clusters for so many bytes.
    pub const fn clusters(&self, bytes: u32) -> u32 {
        // The linked program has no panic here: the compiler does not know that a cluster has bytes.
        if self.cluster == 0 { u32::MAX } else { bytes.div_ceil(self.cluster) }
    }

    /// True if so many clusters are free.
    ///
    /// # Errors
    /// The card cannot be read.
    pub fn has_free<D: BlockDevice<Error = CardError>>(
        &self,
        device: &D,
        mut wanted: u32,
    ) -> Result<bool, CardError> {
        let mut cached = Cached::new();
        for cluster in FIRST..self.end {
            if wanted == 0 {
                break;
            }
            wanted -= u32::from(matches!(self.link(device, &mut cached, cluster)?, Link::Free));
        }
        Ok(wanted == 0)
    }

    /// Number of clusters in the chain that begins with `first`. A chain that has not been written completely is ended
    /// at its last link.
    ///
    /// # Errors
    /// The card does not work, or the chain has no end.
    pub fn chain<D: BlockDevice<Error = CardError>>(&self, device: &D, first: u32) -> Result<u32, CardError> {
        let mut cached = Cached::new();
        let (mut last, mut at, mut count) = (first, first, 1);
        while (FIRST..self.end).contains(&at) && count < self.end {
            match self.link(device, &mut cached, at)? {
                Link::To(next) => {
                    last = at;
                    at = next;
                    count += 1;
                }
                Link::End => return Ok(count),
                Link::Free | Link::Invalid => {
                    self.link(device, &mut cached, last)?;
                    self.mark(&mut cached, last, END);
                    self.flush(device, &cached)?;
                    return Ok(if at == first { 1 } else { count - 1 });
                }
            }
        }
        Err(CardError::NoAnswer)
    }

    /// Frees the last clusters of a chain, but not the first one: all whose entries are in one sector. The chain leads to
    /// a free cluster then, until [`chain`](Self::chain) ends it. Returns false if only one is left.
    ///
    /// # Errors
    /// The card does not work, or the chain has no end.
    pub fn shorten<D: BlockDevice<Error = CardError>>(
        &self,
        device: &D,
        first: u32,
    ) -> Result<bool, CardError> {
        if self.chain(device, first)? == 1 {
            return Ok(false);
        }
        let mut cached = Cached::new();
        let (mut begin, mut at) = (first, first);
        while let Link::To(next) = self.link(device, &mut cached, at)? {
            if at == first || self.place(next).0 != self.place(at).0 {
                begin = next;
            }
            at = next;
        }
        at = begin;
        while let Link::To(next) = self.link(device, &mut cached, at)? {
            self.mark(&mut cached, at, FREE);
            at = next;
        }
        self.mark(&mut cached, at, FREE);
        self.flush(device, &cached)?;
        Ok(true)
    }

    /// Frees the only cluster of a chain.
    ///
    /// # Errors
    /// The card does not work.
    pub fn free<D: BlockDevice<Error = CardError>>(&self, device: &D, cluster: u32) -> Result<(), CardError> {
        if !(FIRST..self.end).contains(&cluster) {
            return Ok(());
        }
        let mut cached = Cached::new();
        self.link(device, &mut cached, cluster)?;
        self.mark(&mut cached, cluster, FREE);
        self.flush(device, &cached)
    }

    /// Sector of the first copy with the entry of a cluster, and the place of the entry in it.
    const fn place(&self, cluster: u32) -> (u32, usize) {
        let at = if self.is_wide { cluster * 4 } else { cluster * 2 };
        (self.start.wrapping_add(at / 512), at as usize % 512)
    }

    fn link<D: BlockDevice<Error = CardError>>(
        &self,
        device: &D,
        cached: &mut Cached,
        cluster: u32,
    ) -> Result<Link, CardError> {
        let (sector, at) = self.place(cluster);
        if cached.at != Some(sector) {
            cached.at = None;
            device.read(&mut cached.block, BlockIdx(sector))?;
            cached.at = Some(sector);
        }
        let (entry, marks) = if self.is_wide {
            (word(&cached.block, at) & 0x0fff_ffff, 0x0fff_fff8)
        } else {
            (half(&cached.block, at), 0xfff8)
        };
        Ok(match entry {
            0 => Link::Free,
            entry if entry >= marks => Link::End,
            entry if (FIRST..self.end).contains(&entry) => Link::To(entry),
            _ => Link::Invalid,
        })
    }

    /// Changes the entry of a cluster in its sector.
    fn mark(&self, cached: &mut Cached, cluster: u32, entry: [u8; 4]) {
        let (_, at) = self.place(cluster);
        let [first, second, ..] = entry;
        let [block] = &mut cached.block;
        let rest = block.get_mut(at..).unwrap_or(&mut []);
        if self.is_wide {
            if let Some(place) = rest.first_chunk_mut() {
                *place = entry;
            }
        } else if let Some(place) = rest.first_chunk_mut() {
            *place = [first, second];
        }
    }

    /// Writes the sector into all copies.
    fn flush<D: BlockDevice<Error = CardError>>(&self, device: &D, cached: &Cached) -> Result<(), CardError> {
        let Some(sector) = cached.at else { return Ok(()) };
        for copy in 0..self.copies {
            device.write(&cached.block, BlockIdx(sector.wrapping_add(copy.wrapping_mul(self.length))))?;
        }
        Ok(())
    }
}

fn byte([block]: &[Block; 1], at: usize) -> u32 {
    block.get(at).map_or(0, |&byte| byte.into())
}

fn half([block]: &[Block; 1], at: usize) -> u32 {
    let bytes = block.get(at..).and_then(|bytes| bytes.first_chunk());
    bytes.map_or(0, |bytes| u16::from_le_bytes(*bytes).into())
}

fn word([block]: &[Block; 1], at: usize) -> u32 {
    let bytes = block.get(at..).and_then(|bytes| bytes.first_chunk());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
