//! Reports, as `linkstream check` makes them.

use std::ffi::CString;
use std::io;
use std::path::Path;
use std::sync::Arc;

use linkstream::Class;
use linkstream_access::SourceReader;
use linkstream_access::findings::{Finding as Found, Level};
use linkstream_access::set::{Meaning, Meanings, alone, numbered};
use linkstream_access::source::{Source, SourceError};
use linkstream_report::identify::identify;
use linkstream_report::json_line::{self, Unreadable};
use linkstream_report::options::Options;
use linkstream_report::report;
use linkstream_report::survey::{BySeeking, survey};
use linkstream_report::verdict::Verdict;
use linkstream_report::volumes;

use crate::answer::{CANCELLED, REFUSED, Refused};
use crate::opened::found;
use crate::progress::{Meter, Progress};
use crate::sources::{Borrowed, Metered, file, volumes as sources_of};
use crate::structures::{Finding, ReportInfo, sentence};

/// Smaller files are read in order, by one thread, as the program does it.
const WORTH_PARTS: u64 = 64 << 10;

const LENIENT: u32 = 1;
const REQUIRE_CHECKSUM: u32 = 2;
const NO_OBSERVABLES: u32 = 4;
const SLICES: u32 = 8;

/// The options with these flags.
///
/// # Errors
/// There is no such option, or two exclude each other.
pub fn options(flags: u32) -> Result<Options, Refused> {
    if flags >= 2 * SLICES {
        return Err(Refused::usage(format!("there are no options {flags:#x}")));
    }
    let has = |flag| flags & flag != 0;
    if has(NO_OBSERVABLES) && has(SLICES) {
        return Err(Refused::usage("time slices have no observables if these are not computed"));
    }
    Ok(Options {
        read_data: true,
        observables: !has(NO_OBSERVABLES),
        slices: has(SLICES),
        slice_sums: false,
        lenient: has(LENIENT),
        require_checksum: has(REQUIRE_CHECKSUM),
    })
}

/// A finished report.
#[derive(Debug)]
pub struct Report {
    bytes: u64,
    verdict: Verdict,
    is_ok: bool,
    format: &'static str,
    findings: Vec<Found>,
    json: CString,
}

impl Report {
    /// Reports on a file, or on the set that `path` is a volume or the name of.
    ///
    /// # Errors
    /// The caller cancels the work.
    pub fn at(path: &Path, options: &Options, progress: &Progress) -> Result<Self, Refused> {
        use std::os::unix::ffi::OsStrExt as _;

        let meaning = Meanings::default().of(path);
        // A set has its own name, whichever of its volumes the caller names.
        let path = match &meaning {
            Ok(Meaning::Set(set)) => set.path(),
            _ => path.to_owned(),
        };
        let name = path.display().to_string();
        let bytes = path.to_str().is_none().then(|| path.as_os_str().as_bytes().to_vec());
        let meter = Arc::<Meter>::default();
        let read = || -> Result<report::Report, Refused> {
            let found = match meaning? {
                Meaning::File => return of_source(&file(&path, &meter)?, &name, options, &meter, progress),
                Meaning::Volume => alone(&path),
                Meaning::Set(set) => numbered(&set)?,
            };
            let sources = sources_of(&found, &meter)?;
            let mut total = 0;
            for volume in &sources {
                total += volume.source.length()?;
            }
            let survey = || volumes::survey(&sources, &name, false, options).map_err(failed);
            meter.run(progress, total, survey)
        };
        Self::of(read(), name.clone(), bytes)
    }

    /// Reports on the bytes of a file.
    ///
    /// # Errors
    /// The caller cancels the work.
    pub fn of_bytes(
        bytes: Borrowed,
        name: &str,
        options: &Options,
        progress: &Progress,
    ) -> Result<Self, Refused> {
        let meter = Arc::<Meter>::default();
        let source = Metered::new(bytes, meter.clone());
        Self::of(of_source(&source, name, options, &meter, progress), name.to_owned(), None)
    }

    fn of(
        made: Result<report::Report, Refused>,
        file: String,
        file_bytes: Option<Vec<u8>>,
    ) -> Result<Self, Refused> {
        let mut json = Vec::new();
        let not_written = |_| Refused::new(REFUSED, "the report cannot be written");
        let mut this = match made {
            Ok(mut report) => {
                report.file_bytes = file_bytes;
                json_line::write_line(&report, &mut json).map_err(not_written)?;
                Self {
                    bytes: report.bytes,
                    verdict: report.verdict(),
                    is_ok: report.is_ok(),
                    format: report.body.format(),
                    findings: report.findings.take(),
                    json: CString::default(),
                }
            }
            Err(refused) if refused.code == CANCELLED => return Err(refused),
            Err(refused) => {
                let message = refused.failure.message;
                let unreadable = Unreadable { file, file_bytes, error: message.clone() };
                unreadable.write_line(&mut json).map_err(not_written)?;
                Self {
                    bytes: 0,
                    verdict: Verdict::Unreadable,
                    is_ok: false,
                    format: "",
                    findings: vec![Found {
                        severity: Level::Error,
                        class: Class::Rule,
                        rule: "",
                        clause: "",
                        offset: 0,
                        message,
                    }],
                    json: CString::default(),
                }
            }
        };
        json.pop_if(|last| *last == b'\n');
        // JSON has no zero bytes.
        this.json = CString::new(json).map_err(|_| Refused::new(REFUSED, "the report has a zero byte"))?;
        Ok(this)
    }

    /// The report as a whole.
    #[must_use]
    pub fn info(&self) -> ReportInfo {
        ReportInfo {
            struct_size: 0,
            bytes: self.bytes,
            findings: self.findings.len() as u64,
            json_length: self.json.count_bytes() as u64,
            verdict: match self.verdict {
                Verdict::Ok => 0,
                Verdict::Unverified => 1,
                Verdict::Wrong => 2,
                Verdict::Unreadable => 3,
            },
            is_ok: i32::from(self.is_ok),
            format: sentence(self.format),
        }
    }

    /// The finding with this index.
    ///
    /// # Errors
    /// There is none.
    pub fn finding(&self, index: u64) -> Result<Finding, Refused> {
        Ok(found(&self.findings, index, "finding")?.into())
    }

    /// The report as a line of JSON, without a line feed.
    #[must_use]
    pub fn json(&self) -> &CString {
        &self.json
    }
}

/// Reads a source to its end.
fn of_source<S: Source<Error = io::Error>>(
    source: &S,
    name: &str,
    options: &Options,
    meter: &Meter,
    progress: &Progress,
) -> Result<report::Report, Refused> {
    let length = source.length()?;
    let mut report = meter.run(progress, length, || {
        let (first, format) = identify(&mut SourceReader::new(source))?;
        let parts = (length >= WORTH_PARTS).then_some(source as &dyn Source<Error = io::Error>);
        let reader = SourceReader::new(source);
        survey::<BySeeking, _>(reader, parts, name, &first, format, Some(length), options).map_err(failed)
    })?;
    report.bytes = length;
    Ok(report)
}

/// The error of a source that failed.
fn failed(error: SourceError<io::Error>) -> Refused {
    match error {
        SourceError::Io(error) => error.into(),
        other => io::Error::other(other.to_string()).into(),
    }
}
