//! Files that appear under their name when they are complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use linkstream_access::set::{Meaning, Meanings};
use linkstream_access::write::give_name;
use linkstream_parallel::comm::Comm;
use linkstream_parallel::error::agree;
use linkstream_parallel::field::{Volumes, volume_path, volumes};
use linkstream_parallel::file::{Locked, SystemDisk, beside};
use linkstream_parallel::{Error, Fault};

use crate::world::World;

/// Treatment of a file that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced when the new one is complete.
    Replaced,
    /// It is an error.
    Refused,
}

/// A file or a file set that is written beside its place, as `.NAME.part`, and renamed at the end.
///
/// An error leaves an existing file as it is. [`discard`](Self::discard), or dropping this structure, removes what has been
/// written. The rest of a job that was killed is taken over; a file that another job is writing is an error, since rank
/// 0 has locked it.
#[derive(Debug)]
pub struct Output<'w> {
    world: &'w World,
    wanted: PathBuf,
    part: PathBuf,
    volumes: Option<Volumes>,
    existing: Existing,
    /// On rank 0: the incomplete file, or a file beside the volumes.
    lock: Option<Locked>,
}

fn named(path: &Path, error: &io::Error) -> Fault {
    let fault = Fault::system(None, error);
    Fault { message: format!("{}: {}", path.display(), fault.message), ..fault }
}

fn refused(path: &Path, reason: &str) -> Fault {
    Fault::usage(format!("{} {reason}", path.display()))
}

impl<'w> Output<'w> {
    /// Collective: a single file. It is created at once, empty, so that no other job writes it as well.
    ///
    /// # Errors
    /// A file of this name exists and is not to be replaced, or is no regular file; a file set has this name; the
    /// directory does not exist; or another job is writing the file.
    pub fn file(world: &'w World, wanted: &Path, existing: Existing) -> Result<Self, Error> {
        let part = beside(wanted);
        let made = if world.rank() == 0 {
            check_file(wanted, existing).and_then(|()| Locked::create(part.clone())).map(Some)
        } else {
            Ok(None)
        };
        let lock = agree(world, made)?;
        Ok(Self { world, wanted: wanted.to_owned(), part, volumes: None, existing, lock })
    }

    /// Collective: a file set with these volumes.
    ///
    /// # Errors
    /// A file or a set of this name exists, or another job is writing one.
    pub fn set(world: &'w World, wanted: &Path, volumes: Volumes) -> Result<Self, Error> {
        let part = beside(wanted);
        let free = if world.rank() == 0 {
            check_set(wanted).and_then(|()| lock_set(&part)).map(Some)
        } else {
            Ok(None)
        };
        let lock = agree(world, free)?;
        Ok(Self {
            world,
            wanted: wanted.to_owned(),
            part,
            volumes: Some(volumes),
            existing: Existing::Refused,
            lock,
        })
    }

    /// The path, or name of the set, that is written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.part
    }

    /// Collective: gives the complete file, or the volumes of the set, their name. The volume of the lowest rank is the
    /// last one: without it, a set is not taken for complete.
    ///
    /// # Errors
    /// The system refuses to rename, or another program has made a file of this name meanwhile.
    pub fn complete(self) -> Result<(), Error> {
        let (world, rank) = (self.world, self.world.rank());
        let Some(volumes) = &self.volumes else {
            let renamed = if rank == 0 { self.give_name(&self.part, &self.wanted) } else { Ok(()) };
            return agree(world, renamed);
        };
        let [part, wanted] = [&self.part, &self.wanted].map(|set| volumes.path(set, rank));
        let has_volume = part.exists();
        let mut first = [if has_volume { (world.size() - rank) as u64 } else { 0 }];
        let combined = world.combine(linkstream_parallel::comm::Op::Max, &mut first);
        agree(world, combined.map_err(Fault::from))?;
        let is_first = has_volume && first[0] == (world.size() - rank) as u64;
        agree(world, if has_volume && !is_first { self.give_name(&part, &wanted) } else { Ok(()) })?;
        agree(world, if is_first { self.give_name(&part, &wanted) } else { Ok(()) })
    }

    fn give_name(&self, part: &Path, wanted: &Path) -> Result<(), Fault> {
        give_name(part, wanted, self.existing == Existing::Replaced).map_err(|error| named(wanted, &error))
    }

    /// Removes what this rank has written, after an error.
    pub fn discard(self) {
        drop(self);
    }
}

impl Drop for Output<'_> {
    /// The error that led here is reported; what cannot be removed is seen by its name.
    fn drop(&mut self) {
        if let Some(volumes) = &self.volumes {
            // A volume of the complete set has another name by now.
            let _ = fs::remove_file(volumes.path(&self.part, self.world.rank()));
        }
        self.lock = None;
    }
}

/// Locks the name of an incomplete set, and removes the volumes of a killed job, including volumes that no rank will replace.
fn lock_set(part: &Path) -> Result<Locked, Fault> {
    if fs::symlink_metadata(part).is_ok() {
        return Err(refused(part, "exists, and would be read instead of the set; remove it first"));
    }
    let mut name = part.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let lock = Locked::create(part.with_file_name(name))?;
    let (numbers, format) = volumes(&SystemDisk, part).map_err(|error| named(part, &error))?;
    for number in numbers {
        let volume = volume_path(part, format, number);
        fs::remove_file(&volume).map_err(|error| named(&volume, &error))?;
    }
    Ok(lock)
}

fn check_file(path: &Path, existing: Existing) -> Result<(), Fault> {
    if path.file_name().is_none() {
        return Err(refused(path, "is no name of a file"));
    }
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => Err(refused(path, "exists and is not a regular file")),
        Ok(_) if existing == Existing::Refused => Err(refused(path, "exists; --force replaces it")),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match Meanings::default().of(path) {
            Ok(Meaning::Set(_)) => Err(refused(path, "is the name of a file set")),
            _ => Ok(()),
        },
        Err(error) => Err(named(path, &error)),
    }
}

fn check_set(path: &Path) -> Result<(), Fault> {
    if path.file_name().is_none() {
        return Err(refused(path, "is no name of a file set"));
    }
    if fs::symlink_metadata(path).is_ok() {
        return Err(refused(path, "exists, and would be read instead of the set; remove it first"));
    }
    match Meanings::default().of(path) {
        Ok(Meaning::Set(_)) => {
            Err(refused(path, "is the name of an existing file set; remove its volumes first"))
        }
        _ => Ok(()),
    }
}
