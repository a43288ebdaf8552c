//! Finds and reads the files of a store.

use std::fs::OpenOptions;
use std::io::{BufReader, ErrorKind, Write as _};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context as _;
use linkstream_access::store::{Found, Stat};
use linkstream_report::ensemble::changes::Now;
use linkstream_report::ensemble::entry::Entry;
use linkstream_report::ensemble::manifest::{Entries, JournalHead, read, read_journal};
use linkstream_report::ensemble::plan::Known;
use linkstream_report::ensemble::read::{Reader, Unit, known};
use linkstream_report::ensemble::store::{LeftOut, choose, find};
use linkstream_report::json_line::line_of;

use super::arguments::Which;
use crate::failure::{Failure, input_name, output_name};
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

/// Device and number of an input, with `-` of standard input.
pub fn identity(path: &Path) -> Option<(u64, u64)> {
    #[cfg(unix)]
    if path == Path::new("-") {
        return of_stream(rustix::stdio::stdin());
    }
    Stat::of(path).ok()?.identity
}

/// Device and number of standard output.
pub fn stdout_identity() -> Option<(u64, u64)> {
    #[cfg(unix)]
    return of_stream(rustix::stdio::stdout());
    #[cfg(not(unix))]
    None
}

#[cfg(unix)]
fn of_stream(stream: rustix::fd::BorrowedFd<'_>) -> Option<(u64, u64)> {
    let about = rustix::fs::fstat(stream).ok()?;
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        reason = "the types differ between systems"
    )]
    Some((about.st_dev as u64, about.st_ino as u64))
}

impl Store<'_> {
    /// Reads what the manifest `old` does not tell about, and a part of the rest with `scrub`.
    pub fn read(&self, old: &Entries, scrub: Option<u32>) -> anyhow::Result<Now> {
        let name = || shown_path(self.root);
        anyhow::ensure!(metadata(self.root).with_context(name)?.is_dir(), "{} is not a directory", name());
        let mut now = Now::default();
        let own: Vec<(u64, u64)> = self.own.iter().copied().flatten().collect();
        let left_out =
            LeftOut { by_name: &|name| self.which.excludes(name), own: &own, min_age: self.which.min_age };
        let files = find(self.root, left_out, old, &mut now).with_context(name)?;
        let wanted = choose(&files, old, scrub, &mut now);
        let wanted = wanted.map_err(|error| {
            let path = shown_path(&error.path);
            anyhow::Error::from(error.why).context(path)
        })?;
        for (_, error) in &mut now.unknown {
            *error = one_line(error);
        }
        let journal =
            self.which.resume.as_deref().map(|path| Journal::open(path, self.reader)).transpose()?;
        let mut left: Vec<Unit<'_>> = Vec::new();
        for unit in wanted {
            match journal.as_ref().and_then(|journal| journal.of(&unit, old)) {
                Some(entries) => {
                    now.read.extend(entries.into_iter().map(|entry| (entry.name.clone(), entry)))
                }
                None => left.push(unit),
            }
        }
        self.read_units(&left, journal.as_ref(), &mut now)?;
        Ok(now)
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
    fn open(path: &'p Path, reader: &Reader) -> anyhow::Result<Self> {
        // A device, for example, is neither continued nor removed.
        let is_other = metadata(path).is_ok_and(|about| !about.is_file());
        anyhow::ensure!(!is_other, "{} is no file that --resume can keep a journal in", shown_path(path));
        let Reader { function, xml, observables, .. } = reader;
        let head = JournalHead::new(function.as_str().to_owned(), xml.clone(), *observables);
        let (before, complete) = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => (Entries::new(), 0),
            file => read_journal(&mut BufReader::new(file.with_context(|| shown_path(path))?), &head)
                .with_context(|| format!("{} is no journal of such a run", shown_path(path)))?,
        };
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        let open = || {
            let file = options.open(path)?;
            // A cut line at the end is not continued.
            file.set_len(complete)?;
            Ok(file)
        };
        let file = uninterrupted(open).map_err(Failure::Output).with_context(|| output_name(path))?;
        let journal = Self { path, file, before };
        if complete == 0 {
            journal.write(&line_of(&head)?)?;
        }
        Ok(journal)
    }

    /// The entries about files, if all are there, and the files are still the same. They were read after the entries of the
    /// manifest `old`.
    fn of(&self, unit: &Unit<'_>, old: &Entries) -> Option<Vec<Entry>> {
        let entry = |found: &&Found| {
            let known: Known = known(found).ok()?;
            let entry = known.trusted(&self.before)?;
            let is_new = old.get(&known.name).is_none_or(|old| old.read < entry.read);
            is_new.then(|| entry.clone())
        };
        unit.files.iter().map(entry).collect()
    }

    fn add(&self, entries: &[Entry]) -> anyhow::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            lines.extend(line_of(entry)?);
        }
        self.write(&lines)
    }

    fn write(&self, lines: &[u8]) -> anyhow::Result<()> {
        let written = (&self.file).write_all(lines).map_err(Failure::Output);
        written.with_context(|| output_name(self.path))
    }
}

/// Reads a manifest, with `-` from standard input.
pub fn manifest(path: &Path) -> anyhow::Result<Entries> {
    let entries = if path == Path::new("-") {
        read(&mut std::io::stdin().lock())
    } else {
        File::open(path).map_err(Into::into).and_then(|file| read(&mut BufReader::new(file)))
    };
    entries.with_context(|| format!("manifest {}", input_name(path)))
}
