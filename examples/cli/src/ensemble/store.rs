//! Finds and reads the files of a store.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{BufReader, ErrorKind, Write as _};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use anyhow::Context as _;
use linkstream_access::store::{Found, Stat, walk};
use linkstream_report::ensemble::changes::Now;
use linkstream_report::ensemble::entry::Entry;
use linkstream_report::ensemble::manifest::{Entries, read, read_journal};
use linkstream_report::ensemble::name::Name;
use linkstream_report::ensemble::plan::{Known, to_read};
use linkstream_report::ensemble::read::{Reader, Unit, known, units};
use linkstream_report::json_line::line_of;

use super::arguments::Which;
use crate::failure::{Failure, output_name};
use crate::human::{one_line, shown_path};
use crate::side_by_side::in_order;
use crate::system::{File, metadata, remove_file, uninterrupted};
use crate::{source, threads};

/// A store, and how it is read.
pub struct Store<'a> {
    pub root: &'a Path,
    pub reader: &'a Reader,
    pub which: &'a Which,
    pub threads: Option<NonZeroUsize>,
    /// Files that are no part of the store even if they are in it: outputs of the program.
    pub own: Vec<Option<(u64, u64)>>,
}

/// Device and number of a file.
pub fn identity(path: &Path) -> Option<(u64, u64)> {
    Stat::of(path).ok()?.identity
}

/// Device and number of standard output.
pub fn stdout_identity() -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        let about = rustix::fs::fstat(rustix::stdio::stdout()).ok()?;
        #[allow(
            clippy::useless_conversion,
            clippy::unnecessary_cast,
            reason = "the types differ between systems"
        )]
        Some((about.st_dev as u64, about.st_ino as u64))
    }
    #[cfg(not(unix))]
    None
}

impl Store<'_> {
    /// Reads what the manifest `old` does not tell about, and a part of the rest with `scrub`.
    pub fn read(&self, old: &Entries, scrub: Option<u32>) -> anyhow::Result<Now> {
        let name = || shown_path(self.root);
        anyhow::ensure!(metadata(self.root).with_context(name)?.is_dir(), "{} is not a directory", name());
        let mut now = Now::default();
        let files = self.files(&mut now).with_context(name)?;
        let mut knowns = Vec::with_capacity(files.len());
        for file in &files {
            knowns.push(known(file).with_context(|| shown_path(&file.path))?);
        }
        let journal = self.which.resume.as_deref().map(Journal::open).transpose()?;
        let read = to_read(&knowns, old, scrub);
        let mut wanted: BTreeSet<&[u8]> = BTreeSet::new();
        for (known, read) in knowns.iter().zip(read) {
            if read {
                wanted.insert(known.name.as_bytes());
            }
        }
        let mut left: Vec<Unit<'_>> = Vec::new();
        for unit in units(&files) {
            if !unit.files.iter().any(|file| wanted.contains(&file.name[..])) {
                now.trusted.extend(unit.files.iter().filter_map(|file| Name::new(file.name.clone()).ok()));
                continue;
            }
            match journal.as_ref().and_then(|journal| journal.of(&unit)) {
                Some(entries) => {
                    now.read.extend(entries.into_iter().map(|entry| (entry.name.clone(), entry)))
                }
                None => left.push(unit),
            }
        }
        self.read_units(&left, journal.as_ref(), &mut now)?;
        Ok(now)
    }

    /// The files of the store that are not left out.
    fn files(&self, now: &mut Now) -> std::io::Result<Vec<Found>> {
        let left_out = RefCell::new(BTreeSet::new());
        let mut walk = walk(self.root, |name| {
            let is_left_out = self.which.excludes(name);
            if is_left_out {
                left_out.borrow_mut().extend(Name::new(name.to_vec()));
            }
            is_left_out
        })?;
        now.left_out = left_out.into_inner();
        let own: Vec<(u64, u64)> = self.own.iter().copied().flatten().collect();
        walk.files.retain(|file| file.stat.identity.is_none_or(|identity| !own.contains(&identity)));
        if let Some(least) = self.which.min_age {
            let present = SystemTime::now();
            walk.files.retain(|file| {
                let age =
                    file.stat.modified.map(|modified| present.duration_since(modified).unwrap_or_default());
                let is_old = age.is_none_or(|age| age >= least);
                if !is_old {
                    now.left_out.extend(Name::new(file.name.clone()));
                }
                is_old
            });
        }
        for (name, error) in walk.failed {
            now.unknown.extend(Name::new(name).map(|name| (name, one_line(&error.to_string()))));
        }
        Ok(walk.files)
    }

    fn read_units(
        &self,
        units: &[Unit<'_>],
        journal: Option<&Journal<'_>>,
        now: &mut Now,
    ) -> anyhow::Result<()> {
        const PIECE: u64 = 1 << 20;
        let all = units.iter().fold(0_u64, |sum, unit| sum.saturating_add(unit.bytes()));
        let pieces =
            units.iter().map(|unit| unit.bytes().div_ceil(PIECE).max(1)).fold(0, u64::saturating_add);
        threads::limit(self.threads, pieces);
        let bar = source::bar(Some(all).filter(|all| *all > 0));
        let ended = in_order(
            units,
            |unit| unit.bytes().max(1),
            |unit| self.reader.read(unit),
            |unit, entries| {
                bar.inc(unit.bytes());
                if let Some(Err(error)) = journal.map(|journal| journal.add(&entries)) {
                    return ControlFlow::Break(error);
                }
                now.read.extend(entries.into_iter().map(|entry| (entry.name.clone(), entry)));
                ControlFlow::Continue(())
            },
        );
        bar.finish_and_clear();
        match ended {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    /// Removes the journal of a complete run.
    pub fn complete(&self) -> anyhow::Result<()> {
        match self.which.resume.as_deref().map(remove_file) {
            Some(Err(error)) if error.kind() != ErrorKind::NotFound => Err(Failure::Output(error).into()),
            _ => Ok(()),
        }
    }
}

/// The entries that a run has read so far.
struct Journal<'p> {
    path: &'p Path,
    file: std::fs::File,
    before: Entries,
}

impl<'p> Journal<'p> {
    fn open(path: &'p Path) -> anyhow::Result<Self> {
        let before = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Entries::new(),
            file => read_journal(&mut BufReader::new(file.with_context(|| shown_path(path))?))
                .with_context(|| format!("{} is no journal", shown_path(path)))?,
        };
        // A cut line at the end is not continued: what was read is written anew.
        let mut options = OpenOptions::new();
        options.create(true).write(true).truncate(true);
        let file = uninterrupted(|| options.open(path)).map_err(Failure::Output);
        let journal = Self { path, file: file.with_context(|| output_name(path))?, before };
        let entries: Vec<Entry> = journal.before.values().cloned().collect();
        journal.add(&entries)?;
        Ok(journal)
    }

    /// The entries about files, if all are there, and the files are still the same.
    fn of(&self, unit: &Unit<'_>) -> Option<Vec<Entry>> {
        let entry = |found: &&Found| {
            let known: Known = known(found).ok()?;
            known.trusted(&self.before).cloned()
        };
        unit.files.iter().map(entry).collect()
    }

    fn add(&self, entries: &[Entry]) -> anyhow::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            lines.extend(line_of(entry)?);
        }
        let written = (&self.file).write_all(&lines).map_err(Failure::Output);
        written.with_context(|| output_name(self.path))
    }
}

/// Reads a manifest.
pub fn manifest(path: &Path) -> anyhow::Result<Entries> {
    let entries = File::open(path).map_err(Into::into).and_then(|file| read(&mut BufReader::new(file)));
    entries.with_context(|| format!("manifest {}", shown_path(path)))
}
