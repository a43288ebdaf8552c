//! A list of files, divided among the ranks.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use linkstream::sniff::{Format, Sniff, Sniffer, sniff};
use linkstream_access::FileSource;
use linkstream_access::set::VolumeSource;
use linkstream_access::text::without_number;
use linkstream_parallel::comm::{Comm, Message, Solo};
use linkstream_parallel::file::{Direct, Disk, Engine};
use linkstream_parallel::{Error, ErrorKind, Fault};
use linkstream_report::report::Report;
use linkstream_report::volumes;

use crate::divided::lost;
use crate::one::{file, reason};
use crate::queue::{divided_from, ranks_of};
use crate::settings::Settings;

/// Number of files for each rank in a batch. The results of a batch are in the memory of rank 0.
const FILES_OF_RANK: usize = 64;

/// A file of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The path. For a file set, the name of the set.
    pub path: PathBuf,
    /// The size in bytes; for a file set, of all its volumes.
    pub bytes: u64,
    /// The volumes, if the file is a file set or a part of one.
    pub volumes: Volumes,
}

/// The files of an [`Item`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Volumes {
    /// A single file.
    None,
    /// Number and path of each volume of a file set.
    Set(Vec<(Option<u64>, PathBuf)>),
    /// A volume that is read by itself: its number and path.
    Alone(Vec<(Option<u64>, PathBuf)>),
}

/// Collective: makes a report on each file of a list, and passes the results to `each` on rank 0 in the order of the
/// list, until it returns false. `items` is the list of rank 0; the lists of other ranks are ignored.
///
/// Rank 0 divides the list into batches. All ranks read each large LIME file of a batch together, by `engine`. Every
/// other file is read by one rank, alone, by `disk`; file sets are read by the calls of the system. `present` turns a
/// report, or the reason why there is none, into the bytes of the result. It is called on the rank that has the report.
///
/// # Errors
/// The ranks cannot communicate. A file that cannot be read is a result.
pub fn list<C: Comm, E: Engine<C>, D: Disk + Clone>(
    comm: &C,
    engine: &E,
    disk: &D,
    items: &[Item],
    settings: &Settings<'_>,
    present: impl Fn(&Item, Result<Report, String>) -> Vec<u8>,
    mut each: impl FnMut(&Item, Vec<u8>) -> bool,
) -> Result<(), Error> {
    let is_first = comm.rank() == 0;
    let all = items.iter().fold(0_u64, |all, item| all.saturating_add(item.bytes));
    let divided_from = divided_from(all, comm.size()).max(settings.least);
    let mut batches = items.chunks(FILES_OF_RANK * comm.size());
    let mut goes_on = true;
    loop {
        let batch = if is_first && goes_on { batches.next() } else { None };
        let bytes =
            batch.map(|batch| encode(batch, |item| is_divided(item, divided_from))).unwrap_or_default();
        let bytes = broadcast(comm, bytes)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let batch = decode(&bytes).ok_or_else(|| Error { rank: comm.rank(), fault: malformed() })?;
        let mut results = vec![None; if is_first { batch.len() } else { 0 }];
        let (mut queued, mut sizes) = (Vec::new(), Vec::new());
        for (index, (item, is_divided)) in batch.iter().enumerate() {
            if !is_divided {
                queued.push(index);
                sizes.push(item.bytes);
                continue;
            }
            let report = match file(comm, engine, &item.path, &name(&item.path), settings) {
                Err(error) if error.fault.kind == ErrorKind::Communication => return Err(error),
                report => report.map_err(|error| reason(&error, &item.path)).transpose(),
            };
            if let (Some(place), Some(report)) = (results.get_mut(index), report) {
                *place = Some(present(item, report));
            }
        }
        let mut bytes = Vec::new();
        for (index, rank) in queued.into_iter().zip(ranks_of(&sizes, comm.size())) {
            if rank == comm.rank() {
                let item = &batch[index].0;
                put(&mut bytes, index as u64, &present(item, alone(item, disk, settings)));
            }
        }
        let message = Message { rank: 0, bytes };
        for message in comm.exchange(vec![message]).map_err(|error| lost(comm, error))? {
            let mut rest = &message.bytes[..];
            while !rest.is_empty() {
                let (index, result) = take(&mut rest).ok_or_else(|| lost(comm, malformed_message()))?;
                let place = usize::try_from(index).ok().and_then(|index| results.get_mut(index));
                *place.ok_or_else(|| lost(comm, malformed_message()))? = Some(result.to_vec());
            }
        }
        for ((item, _), result) in batch.iter().zip(results) {
            goes_on = goes_on && each(item, result.unwrap_or_default());
        }
    }
}

/// Reads a file on this rank alone.
fn alone<D: Disk + Clone>(item: &Item, disk: &D, settings: &Settings<'_>) -> Result<Report, String> {
    let (volumes, is_alone) = match &item.volumes {
        Volumes::None => {
            let report = file(&Solo, &Direct { disk: disk.clone() }, &item.path, &name(&item.path), settings);
            let report = report.map_err(|error| reason(&error, &item.path))?;
            return report.ok_or_else(|| "there is no report".to_owned());
        }
        Volumes::Set(volumes) => (volumes, false),
        Volumes::Alone(volumes) => (volumes, true),
    };
    let mut sources = Vec::new();
    for (number, path) in volumes {
        let source =
            FileSource::open(path).map_err(|error| without_number(format!("{}: {error}", path.display())))?;
        sources.push(VolumeSource { name: name(path), number: *number, source: Arc::new(source) });
    }
    let report = volumes::survey(&sources, &name(&item.path), is_alone, settings.options);
    report.map_err(|error| without_number(error.to_string()))
}

/// The path as the user gave it.
fn name(path: &Path) -> String {
    path.display().to_string()
}

/// Returns whether all ranks read a file together: a large LIME file.
fn is_divided(item: &Item, from: u64) -> bool {
    let is_lime = |path: &Path| -> io::Result<bool> {
        let mut first = Vec::new();
        std::fs::File::open(path)?.take(Sniffer::LONGEST as u64).read_to_end(&mut first)?;
        Ok(matches!(sniff(&first), Sniff::Is(Format::Lime)))
    };
    // A file that cannot be opened is reported by the rank that reads it.
    item.volumes == Volumes::None && item.bytes >= from && is_lime(&item.path).unwrap_or(false)
}

/// Collective: the bytes of rank 0, on all ranks.
///
/// # Errors
/// The ranks cannot communicate.
pub fn broadcast(comm: &impl Comm, mut bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    let mut length = (bytes.len() as u64).to_le_bytes();
    comm.broadcast(0, &mut length).map_err(|error| lost(comm, error))?;
    bytes.resize(u64::from_le_bytes(length) as usize, 0);
    if !bytes.is_empty() {
        comm.broadcast(0, &mut bytes).map_err(|error| lost(comm, error))?;
    }
    Ok(bytes)
}

pub fn malformed_message() -> linkstream_parallel::comm::CommError {
    linkstream_parallel::comm::CommError::new("a message between ranks is malformed")
}

fn malformed() -> Fault {
    malformed_message().into()
}

/// Appends a number and some bytes.
pub fn put(to: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    to.extend_from_slice(&number.to_le_bytes());
    to.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    to.extend_from_slice(bytes);
}

/// The next number and bytes.
pub fn take<'b>(from: &mut &'b [u8]) -> Option<(u64, &'b [u8])> {
    let (number, rest) = from.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (bytes, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    *from = rest;
    Some((u64::from_le_bytes(*number), bytes))
}

/// Kinds of files in a batch.
const FILE: u64 = 0;
const DIVIDED: u64 = 1;
const SET: u64 = 2;
const ALONE: u64 = 3;

/// The items of a batch, and whether each is divided, as bytes.
fn encode(items: &[Item], is_divided: impl Fn(&Item) -> bool) -> Vec<u8> {
    let mut to = Vec::new();
    for item in items {
        let (kind, volumes) = match &item.volumes {
            Volumes::None if is_divided(item) => (DIVIDED, &[][..]),
            Volumes::None => (FILE, &[][..]),
            Volumes::Set(volumes) => (SET, &volumes[..]),
            Volumes::Alone(volumes) => (ALONE, &volumes[..]),
        };
        put(&mut to, kind, item.path.as_os_str().as_encoded_bytes());
        put(&mut to, item.bytes, &(volumes.len() as u64).to_le_bytes());
        for (number, path) in volumes {
            put(&mut to, number.unwrap_or(u64::MAX), path.as_os_str().as_encoded_bytes());
        }
    }
    to
}

fn decode(mut bytes: &[u8]) -> Option<Vec<(Item, bool)>> {
    let from = &mut bytes;
    let mut items = Vec::new();
    while !from.is_empty() {
        let (kind, name) = take(from)?;
        let (bytes, count) = take(from)?;
        let mut volumes = Vec::new();
        for _ in 0..u64::from_le_bytes(count.try_into().ok()?) {
            let (number, name) = take(from)?;
            volumes.push((Some(number).filter(|number| *number != u64::MAX), path(name)?));
        }
        let volumes = match kind {
            SET => Volumes::Set(volumes),
            ALONE => Volumes::Alone(volumes),
            _ => Volumes::None,
        };
        items.push((Item { path: path(name)?, bytes, volumes }, kind == DIVIDED));
    }
    Some(items)
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere names are text")]
pub fn path(name: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(std::ffi::OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
pub fn path(name: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(name).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_the_same_on_all_ranks() {
        let volume = |number, name: &str| (number, PathBuf::from(name));
        let items = [
            Item { path: "a b".into(), bytes: 7, volumes: Volumes::None },
            Item { path: "large".into(), bytes: 1 << 40, volumes: Volumes::None },
            Item { path: "".into(), bytes: 0, volumes: Volumes::Set(Vec::new()) },
            Item {
                path: "set".into(),
                bytes: 9,
                volumes: Volumes::Set(vec![volume(Some(0), "set.vol0000"), volume(None, "x")]),
            },
            Item { path: "v".into(), bytes: 1, volumes: Volumes::Alone(vec![volume(Some(3), "v")]) },
        ];
        let bytes = encode(&items, |item| item.bytes > 100);
        let decoded = decode(&bytes).unwrap();
        assert!(decoded.iter().map(|(item, _)| item).eq(&items));
        assert!(decoded.iter().map(|(_, is_divided)| *is_divided).eq([false, true, false, false, false]));
        assert_eq!(decode(&bytes[..bytes.len() - 1]), None);
    }
}
