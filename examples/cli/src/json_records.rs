//! The lines of `--json=records`: one for each record, field, section and finding, printed while the file is read, so that
//! memory does not depend on their number.

use std::io::{BufWriter, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use linkstream_report::entries::{Entry, Receiver};
use linkstream_report::findings::Finding;
use linkstream_report::json::{Entries, Object, SCHEMA};
use linkstream_report::json_line;
use linkstream_report::options::Options;
use serde::ser::SerializeMap;

use crate::failure::{Failure, output_name};
use crate::stdio::stdout;
use crate::system::File;

/// The functions that print the lines.
pub const RECEIVER: Receiver = Receiver { entry: print, finding };

/// The output of the current file. A receiver is a plain function, and so has no state of its own.
static OUT: Mutex<Option<Out>> = Mutex::new(None);

struct Out {
    file: String,
    to: BufWriter<File>,
    failure: Option<std::io::Error>,
}

/// A line: the entries that all lines have, and one entry of the report.
struct Line<'a> {
    file: &'a str,
    entry: &'a Entry<'a>,
}

impl Entries for Line<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("schema", &SCHEMA)?;
        object.serialize_entry("file", self.file)?;
        self.entry.entries(object)
    }
}

/// Surveys a file, and prints its entries if the options have a receiver.
pub fn of<T>(
    path: &Path,
    options: &Options,
    survey: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if options.receiver.is_none() {
        return survey();
    }
    let named = || output_name(Path::new("-"));
    let to = BufWriter::new(stdout().with_context(named)?);
    let set = |out| std::mem::replace(&mut *OUT.lock().unwrap_or_else(PoisonError::into_inner), out);
    set(Some(Out { file: path.display().to_string(), to, failure: None }));
    let surveyed = survey();
    if let Some(Out { mut to, failure, .. }) = set(None) {
        failure.map_or_else(|| to.flush(), Err).map_err(Failure::Output).with_context(named)?;
    }
    surveyed
}

fn print(entry: &Entry<'_>) -> ControlFlow<()> {
    let mut out = OUT.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Out { file, to, failure }) = &mut *out else { return ControlFlow::Continue(()) };
    if failure.is_none() {
        let line = Object(Line { file, entry });
        *failure = json_line::write(&line, to).map_err(std::io::Error::from).err();
    }
    if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A failure to print a finding ends the survey at the next record, or at its end.
fn finding(finding: &Finding) {
    let _ = print(&Entry::Finding(finding));
}
