//! Reads the files of a store: each byte once, for its hash and for the verdict.

use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use linkstream_access::digest::{Digests, HashFunction, digests};
use linkstream_access::isolated::isolated;
use linkstream_access::meter::{Meter, Metered};
use linkstream_access::packed;
use linkstream_access::set::{Meaning, Meanings, SetName, alone};
use linkstream_access::source::{ReadAtError, SharedSource, Source, fill, fill_most};
use linkstream_access::store::{Found, Stat};
use linkstream_access::text::without_number;
use linkstream_access::{Error, FileSource, volumes_at};

use super::entry::{Entry, Verdict};
use super::facts;
use super::manifest::Entries;
use super::name::{Name, NameError};
use super::plan::Known;
use super::stamp::Stamp;
use crate::job::{Job, Open};
use crate::options::Options;
use crate::parallel::beside;
use crate::report::Report;

/// Files up to this size are read into memory: what is hashed is then certainly what is checked.
pub(super) const SMALL: u64 = 8 << 20;

/// The rule that a volume breaks which is read as a single file.
const VOLUME: &str = "scidac-volume-set";

/// Reads files, with these settings.
#[derive(Debug, Clone)]
pub struct Reader {
    pub function: HashFunction,
    /// The paths of the XML values that are kept.
    pub xml: Vec<String>,
    /// False if plaquettes, link traces and Polyakov loops are not computed.
    pub observables: bool,
    /// Counts the bytes that are read, and ends the reading if it is cancelled.
    pub meter: Arc<Meter>,
}

/// A file, or the volumes of a file set that were found in a store.
#[derive(Debug)]
pub struct Unit<'f> {
    pub files: Vec<&'f Found>,
    set: Option<SetName>,
}

impl Unit<'_> {
    /// Number of bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.stat.size))
    }

    /// About the number of bytes that a [`Reader`] counts: larger files are read for their hash and for the verdict.
    #[must_use]
    pub fn counted(&self) -> u64 {
        let of_file =
            |size: u64| if size > SMALL || self.set.is_some() { size.saturating_mul(2) } else { size };
        self.files.iter().fold(0, |sum, file| sum.saturating_add(of_file(file.stat.size)))
    }
}

/// The properties of a file that was found.
///
/// # Errors
/// No manifest can have its name.
pub fn known(found: &Found) -> Result<Known, NameError> {
    let Stat { size, modified, changed, .. } = found.stat;
    let stamp = |time: Option<SystemTime>| time.and_then(Stamp::of);
    let name = Name::new(found.name.clone())?;
    Ok(Known { name, bytes: size, modified: stamp(modified), changed: stamp(changed) })
}

/// Groups files: the volumes of each set are together, at the position of the first.
#[must_use]
pub fn units(files: &[Found]) -> Vec<Unit<'_>> {
    let mut meanings = Meanings::default();
    let mut units: Vec<Unit<'_>> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for file in files {
        // Only names of volumes are looked into. An error is reported when the file is read.
        let set = SetName::of_volume(&file.path).filter(|_| {
            isolated(|| matches!(meanings.of(&file.path), Ok(Meaning::Set(_)))).unwrap_or_default()
        });
        match set {
            None => units.push(Unit { files: vec![file], set: None }),
            Some(set) => {
                let place = *places.entry(set.clone()).or_insert(units.len());
                match units.get_mut(place) {
                    Some(unit) => unit.files.push(file),
                    None => units.push(Unit { files: vec![file], set: Some(set) }),
                }
            }
        }
    }
    units
}

/// Returns whether a file of a store is packed.
fn is_packed(source: &dyn Source<Error = io::Error>) -> io::Result<bool> {
    let mut first = [0; packed::FIRST];
    let n = fill_most(source, 0, &mut first)?;
    Ok(packed::is_packed(first.get(..n).unwrap_or_default()))
}

impl Reader {
    /// Reads files as they were read for the manifest `old`. Without paths, `xml` keeps the same values.
    #[must_use]
    pub fn like(old: &Entries, mut xml: Vec<String>, observables: bool) -> Self {
        let is_blake3 = old.values().any(|entry| entry.blake3.is_some());
        let function = if is_blake3 { HashFunction::Blake3 } else { HashFunction::Sha256 };
        if xml.is_empty() {
            xml = old.values().flat_map(|entry| entry.xml.keys().cloned()).collect();
            xml.push(facts::BETA.to_owned());
            xml.sort();
            xml.dedup();
        }
        Self { function, xml, observables, meter: Arc::default() }
    }

    /// Reads the files. There is an entry for each, also if it cannot be read.
    #[must_use]
    pub fn read(&self, unit: &Unit<'_>) -> Vec<Entry> {
        // Before the first byte: what is modified later has a later time.
        self.read_at(unit, Stamp::of(SystemTime::now()).unwrap_or(Stamp::EPOCH))
    }

    /// Reads the files like [`read`](Self::read). The entries have this time, which must not be later than the present.
    #[must_use]
    pub fn read_at(&self, unit: &Unit<'_>, read: Stamp) -> Vec<Entry> {
        let entries = isolated(|| match &unit.set {
            None => unit.files.iter().filter_map(|file| self.file(file, read)).collect(),
            Some(set) => self.set(unit, set, read),
        });
        entries.unwrap_or_else(|error| {
            let failed = |file: &&Found| Some(unreadable(entry(file, read)?, &error.to_string()));
            unit.files.iter().filter_map(failed).collect()
        })
    }

    fn file(&self, found: &Found, read: Stamp) -> Option<Entry> {
        let mut entry = entry(found, read)?;
        match self.fill(found, &mut entry) {
            Ok(()) => Some(entry),
            Err(error) => Some(unreadable(self::entry(found, read)?, &error.to_string())),
        }
    }

    /// Reads a file, and fills its entry.
    fn fill(&self, found: &Found, entry: &mut Entry) -> Result<(), Error> {
        let source = Arc::new(Metered::new(FileSource::open(&found.path)?, self.meter.clone()));
        let small = match usize::try_from(found.stat.size) {
            Ok(length) if found.stat.size <= SMALL => {
                let mut bytes = vec![0; length];
                fill(&*source, 0, &mut bytes).map_err(|error| match error {
                    ReadAtError::Io(error) => error,
                    ReadAtError::Ended => changed(),
                })?;
                Some(Arc::new(bytes))
            }
            _ => None,
        };
        let bytes: SharedSource<'static, io::Error> =
            small.map_or_else(|| source.clone() as _, |small| small as _);
        let is_packed = is_packed(&*bytes)?;
        let digests = if is_packed {
            entry.verdict = Verdict::Other;
            self.packed(&found.path, &*bytes, entry)?
        } else {
            self.judged(found, bytes, entry)?
        };
        let now = Stat::of(&found.path)?;
        if now != found.stat || digests.bytes != found.stat.size || source.is_changed()? {
            return Err(changed().into());
        }
        entry.set_hash(self.function, digests.whole);
        Ok(())
    }

    /// Adds to the entry what is found in a file that is not packed. Returns its hashes.
    fn judged(
        &self,
        found: &Found,
        bytes: SharedSource<'static, io::Error>,
        entry: &mut Entry,
    ) -> Result<Digests, Error> {
        let open = Open::source(bytes.clone(), found.path.display().to_string());
        let (mut report, ranges, digests);
        if found.stat.size <= SMALL {
            report = open.report(&self.options(true))?;
            ranges = facts::data_ranges(&report);
            digests = self::digests(&*bytes, self.function, &ranges)?;
        } else {
            ranges = facts::data_ranges(&open.report(&self.options(false))?);
            let mut hashed = None;
            // Both read the file at the same time, so that it comes from the disk once.
            report = beside(
                || hashed = Some(self::digests(&*bytes, self.function, &ranges)),
                || open.report(&self.options(true)),
            )?;
            digests = hashed.unwrap_or_else(|| Err(changed()))?;
        }
        if report.findings.as_slice().iter().any(|finding| finding.rule == VOLUME) {
            report = self.volume(found)?;
        }
        facts::add(&report, facts::verdict(&report, &found.path), &self.xml, entry);
        if !facts::is_of_set(&report) {
            entry.parts(&ranges, &digests);
        }
        Ok(digests)
    }

    /// The report on a volume that is not named like one, without the others of its set.
    fn volume(&self, found: &Found) -> Result<Report, Error> {
        let volumes = volumes_at(&alone(&found.path), Some(&self.meter))?;
        Ok(Open::volumes(volumes, found.path.display().to_string()).report(&self.options(true))?)
    }

    fn set(&self, unit: &Unit<'_>, set: &SetName, read: Stamp) -> Vec<Entry> {
        let opened = Job::at(&set.path()).open(&self.meter);
        let report = opened.and_then(|open| Ok(open.report(&self.options(true))?));
        let mut entries: Vec<Entry> = Vec::new();
        for found in &unit.files {
            let Some(mut entry) = entry(found, read) else { continue };
            entry.set = set.path().file_name().map(|name| name.to_string_lossy().into_owned());
            let hashed = FileSource::open(&found.path).and_then(|source| {
                let source = Metered::new(source, self.meter.clone());
                let digests = digests(&source, self.function, &[])?;
                let is_same = Stat::of(&found.path)? == found.stat && digests.bytes == found.stat.size;
                if is_same { Ok(digests) } else { Err(changed()) }
            });
            match (&report, hashed) {
                (Ok(report), Ok(digests)) => {
                    let verdict = facts::verdict(report, &found.path);
                    if entries.is_empty() {
                        facts::add(report, verdict, &self.xml, &mut entry);
                    }
                    entry.verdict = verdict;
                    // Each volume says what is wrong with the set.
                    entry.rules = facts::rules(report);
                    entry.format = Some(report.body.format().to_owned());
                    entry.set_hash(self.function, digests.whole);
                    entries.push(entry);
                }
                (Err(error), _) => entries.push(unreadable(entry, &error.to_string())),
                (_, Err(error)) => entries.push(unreadable(entry, &error.to_string())),
            }
        }
        entries
    }

    pub(super) const fn options(&self, read_data: bool) -> Options {
        Options {
            read_data,
            observables: self.observables,
            polyakov_loop: self.observables,
            slices: false,
            slice_sums: false,
            lenient: false,
            require_checksum: false,
            receiver: None,
        }
    }
}

/// The entry about a file before it is read; `None` if no manifest can have its name.
fn entry(found: &Found, read: Stamp) -> Option<Entry> {
    let known = known(found).ok()?;
    let mut entry = Entry::new(known.name, known.bytes, read, Verdict::Unreadable);
    (entry.modified, entry.changed) = (known.modified, known.changed);
    Some(entry)
}

fn unreadable(mut entry: Entry, error: &str) -> Entry {
    entry.verdict = Verdict::Unreadable;
    entry.error = Some(without_number(error.to_owned()));
    entry
}

pub(super) fn changed() -> io::Error {
    io::Error::other("the file was changed while it was read")
}
