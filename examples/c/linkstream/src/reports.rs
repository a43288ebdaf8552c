//! Reports, as `linkstream check` makes them.

use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;

use linkstream::Class;
use linkstream_access::findings::{Finding as Found, Level};
use linkstream_access::meter::{Meter, Metered};
use linkstream_access::text::without_number;
use linkstream_report::job::{Job, Open};
use linkstream_report::json_line::{self, Unreadable};
use linkstream_report::options::Options;
use linkstream_report::report;
use linkstream_report::verdict::Verdict;

use crate::answer::{CANCELLED, REFUSED, Refused};
use crate::opened::found;
use crate::progress::{Progress, run};
use crate::sources::Borrowed;
use crate::structures::{Finding, ReportInfo, sentence};

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
        polyakov_loop: !has(NO_OBSERVABLES),
        slices: has(SLICES),
        slice_sums: false,
        lenient: has(LENIENT),
        require_checksum: has(REQUIRE_CHECKSUM),
        receiver: None,
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
        let meter = Arc::<Meter>::default();
        let job = Job::at(path);
        let unreadable = job.unreadable(String::new());
        let open = job.open(&meter).map_err(Refused::from);
        Self::of(open.and_then(|open| report(&open, options, &meter, progress)), unreadable)
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
        let open = Open::source(Arc::new(Metered::new(bytes, meter.clone())), name.to_owned());
        let unreadable = Unreadable::new(name.to_owned(), String::new());
        Self::of(report(&open, options, &meter, progress), unreadable)
    }

    /// `unreadable` is the line of a file that cannot be read, without the reason.
    fn of(made: Result<report::Report, Refused>, unreadable: Unreadable) -> Result<Self, Refused> {
        let mut json = Vec::new();
        let not_written = |_| Refused::new(REFUSED, "the report cannot be written");
        let mut this = match made {
            Ok(mut report) => {
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
                let message = without_number(refused.failure.message);
                let unreadable = Unreadable { error: message.clone(), ..unreadable };
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

/// Reads sources to their end.
fn report(
    open: &Open,
    options: &Options,
    meter: &Meter,
    progress: &Progress,
) -> Result<report::Report, Refused> {
    run(meter, progress, open.bytes()?, || Ok(open.report(options)?))
}
