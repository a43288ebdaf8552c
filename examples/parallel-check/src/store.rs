//! The files of a store, divided among the ranks.

use std::path::Path;

use linkstream_access::store::{Found, Stat};
use linkstream_access::text::without_number;
use linkstream_parallel::comm::{Comm, Message};
use linkstream_parallel::error::agree;
use linkstream_parallel::{Error, Fault};
use linkstream_report::ensemble::changes::Now;
use linkstream_report::ensemble::entry::Entry;
use linkstream_report::ensemble::manifest::{Entries, entry_of_line};
use linkstream_report::ensemble::read::{Reader, Unit, units};
use linkstream_report::ensemble::stamp::Stamp;
use linkstream_report::ensemble::store::{LeftOut, choose, find};
use linkstream_report::json_line::line_of;

use crate::divided::lost;
use crate::listed::{broadcast, malformed_message, path, put, take};
use crate::queue::ranks_of;

/// Number of files, or of file sets, for each rank in a batch. The entries of a batch are in the memory of rank 0.
const FILES_OF_RANK: usize = 64;

/// Collective: reads the files of a store that are unknown to the manifest `old`, and a part of the others with `scrub`,
/// like `linkstream check --manifest` and, with an empty manifest, `linkstream manifest`. Every file, and every file set, is
/// read by one rank, because a hash is computed in order. The entries are on rank 0; other ranks get `None`. `root` and
/// `reader` must be equal on all ranks; `old` and `left_out` count on rank 0 only.
///
/// All entries have the time `present` of rank 0 as the time when they were read, so that they do not depend on the number
/// of ranks.
///
/// # Errors
/// The directory cannot be listed, a name cannot be in a manifest, or the ranks cannot communicate. A file that cannot be read
/// has an entry.
pub fn store<C: Comm>(
    comm: &C,
    root: &Path,
    reader: &Reader,
    old: &Entries,
    scrub: Option<u32>,
    left_out: LeftOut<'_>,
    present: Stamp,
) -> Result<Option<Now>, Error> {
    let is_first = comm.rank() == 0;
    let mut now = Now::default();
    let found = if is_first {
        let named = |error: std::io::Error| without_number(format!("{}: {error}", root.display()));
        find(root, left_out, old, &mut now).map_err(|error| Fault::usage(named(error)))
    } else {
        Ok(Vec::new())
    };
    let found = agree(comm, found)?;
    let chosen = choose(&found, old, scrub, &mut now)
        .map_err(|error| Fault::usage(format!("{}: {}", error.path.display(), error.why)));
    let chosen = agree(comm, chosen)?;
    let present = agreed(comm, present)?;
    let mut batches = chosen.chunks(FILES_OF_RANK.saturating_mul(comm.size()));
    loop {
        let batch = batches.next().unwrap_or_default();
        let bytes = broadcast(comm, encode(batch))?;
        if bytes.is_empty() {
            return Ok(is_first.then_some(now));
        }
        let batch = decode(&bytes, root).ok_or_else(|| lost(comm, malformed_message()))?;
        let sizes: Vec<u64> = batch.iter().map(|(bytes, _)| *bytes).collect();
        let ranks = ranks_of(&sizes, comm.size());
        let mine =
            batch.iter().zip(ranks).filter(|(_, rank)| *rank == comm.rank()).map(|((_, files), _)| files);
        let lines = mine.flat_map(|files| {
            let entries = units(files).into_iter().flat_map(|unit| reader.read_at(&unit, present));
            entries.map(|entry| line_of(&entry)).collect::<Vec<_>>()
        });
        let lines: Result<Vec<_>, _> = lines.collect();
        let lines = agree(comm, lines.map_err(|error| Fault::usage(error.to_string())))?;
        let mut bytes = Vec::new();
        lines.iter().for_each(|line| put(&mut bytes, 0, line));
        let message = Message { rank: 0, bytes };
        for message in comm.exchange(vec![message]).map_err(|error| lost(comm, error))? {
            let mut rest = &message.bytes[..];
            while !rest.is_empty() {
                let entry = take(&mut rest).and_then(|(_, line)| entry_of_line(line).ok());
                let entry: Entry = entry.ok_or_else(|| lost(comm, malformed_message()))?;
                now.read.insert(entry.name.clone(), entry);
            }
        }
    }
}

/// The time of rank 0, on all ranks.
fn agreed(comm: &impl Comm, present: Stamp) -> Result<Stamp, Error> {
    let text = broadcast(comm, present.to_string().into_bytes())?;
    let stamp = std::str::from_utf8(&text).ok().and_then(|text| text.parse().ok());
    stamp.ok_or_else(|| lost(comm, malformed_message()))
}

/// The names of the files of each unit, and its size.
fn encode(units: &[Unit<'_>]) -> Vec<u8> {
    let mut to = Vec::new();
    for unit in units {
        put(&mut to, unit.bytes(), &(unit.files.len() as u64).to_le_bytes());
        for file in &unit.files {
            put(&mut to, 0, &file.name);
        }
    }
    to
}

/// Sizes and files of the units. A file that is gone meanwhile, or that this rank does not see, cannot be read.
fn decode(mut bytes: &[u8], root: &Path) -> Option<Vec<(u64, Vec<Found>)>> {
    let from = &mut bytes;
    let mut units = Vec::new();
    while !from.is_empty() {
        let (size, count) = take(from)?;
        let mut files = Vec::new();
        for _ in 0..u64::from_le_bytes(count.try_into().ok()?) {
            let (_, name) = take(from)?;
            let path = root.join(path(name)?);
            let none = Stat { size: 0, modified: None, changed: None, identity: None };
            files.push(Found { name: name.to_vec(), stat: Stat::of(&path).unwrap_or(none), path });
        }
        units.push((size, files));
    }
    Some(units)
}
