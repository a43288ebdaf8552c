//! Reports on one path or one source, for programs that report on one at a time.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use linkstream_access::meter::{Meter, Metered};
use linkstream_access::set::{Meaning, Meanings, VolumeSource, alone, numbered};
use linkstream_access::source::{SharedSource, SourceError};
use linkstream_access::{Error, FileSource, SourceReader, volumes_at};

use crate::identify::identify;
use crate::json_line::Unreadable;
use crate::options::Options;
use crate::report::Report;
use crate::survey::{BySeeking, survey};
use crate::volumes;

/// Smaller files are read in order, by one thread.
const WORTH_PARTS: u64 = 64 << 10;

/// A path or a source to report on.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use linkstream_report::job::Job;
/// use linkstream_report::options::Options;
/// use linkstream_report::verdict::Verdict;
///
/// let options = Options { read_data: true, ..Options::default() };
/// let report = Job::at(Path::new("../su3-4x4x4x8.lime")).open(&Arc::default())?.report(&options)?;
/// assert_eq!(report.verdict(), Verdict::Ok);
/// let missing = Job::at(Path::new("no such file"));
/// let name = missing.name.clone();
/// assert!(missing.open(&Arc::default()).is_err() && name == "no such file");
/// # Ok::<(), linkstream_access::Error>(())
/// ```
#[derive(Debug)]
pub struct Job {
    /// The name for the report. A set has its own name, whichever of its volumes the path names.
    pub name: String,
    name_bytes: Option<Vec<u8>>,
    path: PathBuf,
    meaning: io::Result<Meaning>,
}

impl Job {
    /// Looks what a path leads to: a file, or a file set.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        let meaning = Meanings::default().of(path);
        let path = match &meaning {
            Ok(Meaning::Set(set)) => set.path(),
            _ => path.to_owned(),
        };
        let name_bytes = path.to_str().is_none().then(|| path.as_os_str().as_encoded_bytes().to_vec());
        Self { name: path.display().to_string(), name_bytes, path, meaning }
    }

    /// The line of JSON for a path that cannot be read.
    #[must_use]
    pub fn unreadable(&self, error: String) -> Unreadable {
        Unreadable { file_bytes: self.name_bytes.clone(), ..Unreadable::new(self.name.clone(), error) }
    }

    /// Opens the file, or the volumes of the set. `meter` counts the bytes that are read.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(self, meter: &Arc<Meter>) -> Result<Open, Error> {
        let Self { name, name_bytes, path, meaning } = self;
        let found = match meaning? {
            Meaning::File => {
                let source = Arc::new(Metered::new(FileSource::open(&path)?, meter.clone()));
                return Ok(Open { name, name_bytes, sources: Sources::One(source) });
            }
            Meaning::Volume => alone(&path),
            Meaning::Set(set) => numbered(&set)?,
        };
        Ok(Open { name, name_bytes, sources: Sources::Set(volumes_at(&found, Some(meter))?) })
    }
}

/// Sources to report on.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct Open {
    name: String,
    name_bytes: Option<Vec<u8>>,
    sources: Sources,
}

enum Sources {
    One(SharedSource<'static, io::Error>),
    Set(Vec<VolumeSource<'static, io::Error>>),
}

impl Open {
    /// A source that the report calls `name`.
    pub fn source(source: SharedSource<'static, io::Error>, name: String) -> Self {
        Self { name, name_bytes: None, sources: Sources::One(source) }
    }

    /// The volumes of a set that the report calls `name`.
    #[must_use]
    pub const fn volumes(volumes: Vec<VolumeSource<'static, io::Error>>, name: String) -> Self {
        Self { name, name_bytes: None, sources: Sources::Set(volumes) }
    }

    /// Number of bytes of all sources.
    ///
    /// # Errors
    /// A source failed.
    pub fn bytes(&self) -> io::Result<u64> {
        match &self.sources {
            Sources::One(source) => source.length(),
            Sources::Set(volumes) => {
                volumes.iter().try_fold(0, |sum: u64, volume| Ok(sum.saturating_add(volume.source.length()?)))
            }
        }
    }

    /// Reads the sources to their end.
    ///
    /// # Errors
    /// A source failed.
    pub fn report(&self, options: &Options) -> io::Result<Report> {
        let mut report = match &self.sources {
            Sources::One(source) => {
                let length = source.length()?;
                let (first, format) = identify(&mut SourceReader::new(&**source))?;
                // The sums of time slices are only added up in parts.
                let in_parts = length >= WORTH_PARTS || options.slice_sums;
                let parts = in_parts.then_some(&**source);
                let reader = SourceReader::new(&**source);
                let survey =
                    survey::<BySeeking, _>(reader, parts, &self.name, &first, format, Some(length), options);
                let mut report = survey.map_err(failed)?;
                report.bytes = length;
                report
            }
            Sources::Set(volumes) => volumes::survey(volumes, &self.name, false, options).map_err(failed)?,
        };
        report.file_bytes.clone_from(&self.name_bytes);
        Ok(report)
    }
}

/// The error of a source that failed.
fn failed(error: SourceError<io::Error>) -> io::Error {
    match error {
        SourceError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
