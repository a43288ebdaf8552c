//! The writes of a node to its card, in order, as QEMU's driver `blklogwrites` records them; and cards as they are after
//! a power failure.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::random::Random;

const SECTOR: usize = 512;
/// The first bytes of a sector of the list of files.
const LIST: &[u8] = b"LSN1";

/// A write of one sector.
#[derive(Debug, Clone)]
pub struct Write {
    pub sector: u64,
    pub contents: [u8; SECTOR],
}

impl Write {
    /// True for the list of files. Everything before such a write was completed before it.
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

/// Effect of the power failure on the card.
#[derive(Debug, Clone, Copy, Default)]
pub struct Failure {
    /// Writes before the failure.
    pub writes: usize,
    /// Writes of data since the last record that were lost although later ones were not.
    pub lost: usize,
    /// True if the last write is only half done.
    pub torn: bool,
}

/// Makes the card, which is as it was before the writes, what it may be after a power failure at one of the last of them.
/// Sectors of data since the last record may be lost, in any choice. The last sector may be torn: its first words are
/// new, the others old.
pub fn fail(card: &Path, writes: &[Write], random: &mut Random) -> Result<Failure> {
    let undone = random.below(30).min(writes.len() as u64) as usize;
    let kept = writes.get(..writes.len() - undone).unwrap_or(&[]);
    let record = kept.iter().rposition(Write::is_record).unwrap_or(0);
    let file = OpenOptions::new().read(true).write(true).open(card)?;
    // Sectors that are written more than once belong to the file system or to a record; a card completes these before it goes on.
    let mut times = BTreeMap::new();
    for write in writes {
        *times.entry(write.sector).or_insert(0) += 1;
    }
    let mut failure = Failure { writes: kept.len(), ..Failure::default() };
    for (index, write) in kept.iter().enumerate() {
        let is_data = times.get(&write.sector) == Some(&1);
        if index > record && is_data && random.happens(50) {
            failure.lost += 1;
            continue;
        }
        let mut contents = write.contents;
        if index + 1 == kept.len() && random.happens(70) {
            let mut old = [0; SECTOR];
            file.read_exact_at(&mut old, write.sector * SECTOR as u64)?;
            let new = random.below(SECTOR as u64 / 4) as usize * 4;
            contents.iter_mut().zip(old).skip(new).for_each(|(place, old)| *place = old);
            failure.torn = true;
        }
        file.write_all_at(&contents, write.sector * SECTOR as u64)?;
    }
    Ok(failure)
}
