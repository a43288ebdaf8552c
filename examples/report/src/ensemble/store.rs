//! Finds the files of a store, and chooses the files to be read: what a manifest does not tell about.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use linkstream_access::store::{Found, walk};
use linkstream_access::text::without_number;

use super::changes::Now;
use super::entry::Entry;
use super::manifest::Entries;
use super::name::{Name, NameError};
use super::plan::{Known, to_read};
use super::read::{Unit, known, units};
use super::stamp::Stamp;

/// Files and directories that are left out.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a function has none")]
pub struct LeftOut<'a> {
    /// By their name in the store.
    pub by_name: &'a (dyn Fn(&[u8]) -> bool + Sync),
    /// By device and number: files that do not belong to the store even if they are in it, such as its manifest.
    pub own: &'a [(u64, u64)],
    /// Files that were modified less than this time ago.
    pub min_age: Option<Duration>,
}

/// A file whose name no manifest can have.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub struct NoName {
    pub path: PathBuf,
    pub why: NameError,
}

/// The files of the store that are not left out. `now` receives the names of the others, and the names in the manifest `old` that
/// are left out although there is no such file any more.
///
/// # Errors
/// The directory of the store cannot be listed.
pub fn find(root: &Path, left_out: LeftOut<'_>, old: &Entries, now: &mut Now) -> io::Result<Vec<Found>> {
    let names = RefCell::new(BTreeSet::new());
    let mut walk = walk(root, |name| {
        let is_left_out = (left_out.by_name)(name);
        if is_left_out {
            names.borrow_mut().extend(Name::new(name.to_vec()));
        }
        is_left_out
    })?;
    now.left_out = names.into_inner();
    let present = SystemTime::now();
    walk.files.retain(|file| {
        let is_own = file.stat.identity.is_some_and(|identity| left_out.own.contains(&identity));
        let age = file.stat.modified.map(|modified| present.duration_since(modified).unwrap_or_default());
        let is_old = age.zip(left_out.min_age).is_none_or(|(age, least)| age >= least);
        let is_kept = is_old && !is_own;
        if !is_kept {
            // An earlier manifest may list a file of that name: it is not gone.
            now.left_out.extend(Name::new(file.name.clone()));
        }
        is_kept
    });
    let found: BTreeSet<&[u8]> = walk.files.iter().map(|file| &file.name[..]).collect();
    let absent = old.keys().filter(|name| !found.contains(name.as_bytes()));
    now.left_out.extend(absent.filter(|name| name.and_folders().any(left_out.by_name)).cloned());
    let skipped = walk.skipped.into_iter().filter_map(|(name, why)| Some((Name::new(name).ok()?, why)));
    now.skipped = skipped.collect();
    for (name, error) in walk.failed {
        now.unknown.extend(Name::new(name).map(|name| (name, without_number(error.to_string()))));
    }
    Ok(walk.files)
}

/// The files that the manifest `old` does not tell about, and a part of the others with `scrub`: see [`to_read`]. `now`
/// receives the names of the files that the manifest is trusted about.
///
/// # Errors
/// No manifest can have the name of a file.
pub fn choose<'f>(
    files: &'f [Found],
    old: &Entries,
    scrub: Option<u32>,
    now: &mut Now,
) -> Result<Vec<Unit<'f>>, NoName> {
    let known = |file: &Found| known(file).map_err(|why| NoName { path: file.path.clone(), why });
    let knowns = files.iter().map(known).collect::<Result<Vec<Known>, _>>()?;
    let present = Stamp::of(SystemTime::now()).unwrap_or(Stamp::EPOCH);
    let read = to_read(&knowns, old, scrub, present);
    let broken = broken_sets(&knowns, old);
    let is_of_broken =
        |known: &Known| old.get(&known.name).and_then(set_of).is_some_and(|set| broken.contains(&set));
    let wanted = knowns.iter().zip(read).filter(|(known, read)| *read || is_of_broken(known));
    let wanted: BTreeSet<&[u8]> = wanted.map(|(known, _)| known.name.as_bytes()).collect();
    let is_wanted = |unit: &Unit<'_>| unit.files.iter().any(|file| wanted.contains(&file.name[..]));
    let (chosen, trusted): (Vec<Unit<'_>>, Vec<Unit<'_>>) = units(files).into_iter().partition(is_wanted);
    let trusted = trusted.iter().flat_map(|unit| &unit.files);
    now.trusted.extend(trusted.filter_map(|file| Name::new(file.name.clone()).ok()));
    Ok(chosen)
}

/// Directory and name of the file set that a file of a manifest is a volume of.
fn set_of(entry: &Entry) -> Option<(&[u8], &str)> {
    Some((entry.name.parts().0, entry.set.as_deref()?))
}

/// The file sets of a manifest that have lost a volume. The verdict on the others is no longer true, even if they are
/// unchanged.
fn broken_sets<'e>(files: &[Known], old: &'e Entries) -> BTreeSet<(&'e [u8], &'e str)> {
    let names: BTreeSet<&Name> = files.iter().map(|file| &file.name).collect();
    old.values().filter(|entry| !names.contains(&entry.name)).filter_map(set_of).collect()
}
