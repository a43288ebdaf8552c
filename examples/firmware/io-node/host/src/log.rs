//! The writes of a node to its card, in order, as QEMU's driver `blklogwrites` records them; and cards as they are after
//! a power failure.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::random::Random;

const SECTOR: usize = 512;
/// The first bytes of a sector of the list of files.
const LIST: &[u8] = b"LSN2";
/// Number of sectors that a card holds in its cache before they are on the medium.
const CACHE: usize = 8;

/// A write of one sector.
#[derive(Debug, Clone)]
pub struct Write {
    pub sector: u64,
    pub contents: [u8; SECTOR],
}

impl Write {
    /// True for the list of files. Everything before such a write is on the medium when it has been completed.
    pub fn is_record(&self) -> bool {
        self.contents.starts_with(LIST)
    }
}

/// Number of writes in a log that may still grow.
pub fn count(path: &Path) -> Result<u64> {
    // Each takes two sectors.
    Ok(fs::metadata(path)?.len() / (2 * SECTOR as u64))
}

/// All complete writes in a log.
pub fn read(path: &Path) -> Result<Vec<Write>> {
    let log = fs::read(path).with_context(|| path.display().to_string())?;
    let mut writes = Vec::new();
    // The first sector describes the log. An entry is a sector with the position and the number of sectors, and these.
    let mut rest = log.get(SECTOR..).unwrap_or(&[]);
    while let Some((head, after)) = rest.split_at_checked(SECTOR) {
        let word = |at: usize| head.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let (sector, count, flags) = (word(0).context("")?, word(8).context("")?, word(16).context("")?);
        if count == 0 && flags == 0 {
            break;
        }
        let Some((data, after)) = after.split_at_checked(count as usize * SECTOR) else { break };
        for (sector, contents) in (sector..).zip(data.as_chunks().0) {
            writes.push(Write { sector, contents: *contents });
        }
        rest = after;
    }
    Ok(writes)
}

/// Effect of a power failure on the card.
#[derive(Debug, Clone, Copy, Default)]
pub struct Failure {
    /// Number of writes that were lost although later ones were not.
    pub lost: usize,
    /// True if the last write is only half done.
    pub torn: bool,
    /// True if the last write belongs to the list of files.
    pub in_record: bool,
}

/// Makes the card, which is as it was before the writes, what it may be after a power failure during the last of them.
/// The last sector may be torn: its first words are new, the others old. Sectors that are in the card's cache may be
/// lost, in any choice. A record that has been completed proves that everything before it has left the cache.
pub fn fail(card: &Path, writes: &[Write], random: &mut Random) -> Result<Failure> {
    let file = OpenOptions::new().read(true).write(true).open(card)?;
    let Some((last, before)) = writes.split_last() else { return Ok(Failure::default()) };
    let mut failure = Failure { torn: random.happens(60), in_record: last.is_record(), ..Failure::default() };
    let is_complete = last.is_record() && !failure.torn;
    let secured = before.iter().rposition(Write::is_record).map_or(0, |record| record + 1);
    let secured = if is_complete { before.len() } else { secured.max(before.len().saturating_sub(CACHE)) };
    for (index, write) in before.iter().enumerate() {
        if index >= secured && random.happens(40) {
            failure.lost += 1;
        } else {
            file.write_all_at(&write.contents, write.sector * SECTOR as u64)?;
        }
    }
    let mut contents = last.contents;
    if failure.torn {
        let mut old = [0; SECTOR];
        file.read_exact_at(&mut old, last.sector * SECTOR as u64)?;
        let new = random.below(SECTOR as u64 / 4) as usize * 4;
        contents.iter_mut().zip(old).skip(new).for_each(|(place, old)| *place = old);
    }
    file.write_all_at(&contents, last.sector * SECTOR as u64)?;
    Ok(failure)
}

/// A number of writes before a power failure: any, or in one of three cases one that ends at a record or next to it.
pub fn cut(writes: &[Write], most: usize, random: &mut Random) -> usize {
    let most = most.min(writes.len());
    let records: Vec<usize> =
        (0..most).filter(|&index| writes.get(index).is_some_and(Write::is_record)).collect();
    if records.is_empty() || !random.happens(33) {
        return most;
    }
    let record = records.get(random.below(records.len() as u64) as usize).copied().unwrap_or(0);
    (record + random.below(4) as usize).min(most)
}
