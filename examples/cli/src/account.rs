//! The `--json` output of commands that write files: one object with the files read and written, and the warnings.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use indicatif::ProgressBar;
use linkstream_report::json::{SCHEMA, hex};
use linkstream_report::json_line::{line_of, write_line};
use linkstream_report::report::Report;
use serde_json::{Value, json};

use crate::check::INSPECT;
use crate::complain::complain;
use crate::failure::{Failure, output_name, sentence, wrong_arguments};
use crate::fields::warnings;
use crate::human::not_utf8;
use crate::judged::damages;
use crate::output::unless_nobody_reads;
use crate::source::{Surveyed, survey, survey_set};
use crate::stdio::stdout;
use crate::system::{exists, metadata};
use crate::volumes::{Layout, set_of, volumes_of};

/// A file or a file set.
#[derive(Debug, Clone)]
pub struct Place {
    path: PathBuf,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// No report: a file of numbers, or a set whose volumes could not be located.
    Unreported,
    /// A file, or a set with its volumes where the layout says.
    Any(Layout),
    /// A set, even if a file has the same name.
    Set(Layout),
}

impl Place {
    /// A file of numbers.
    pub fn numbers(path: &Path) -> Self {
        Self { path: path.to_owned(), content: Content::Unreported }
    }

    /// A file, or a set with its volumes where `layout` says.
    pub fn any(path: &Path, layout: &Layout) -> Self {
        Self { path: path.to_owned(), content: Content::Any(layout.clone()) }
    }

    /// A file.
    pub fn file(path: &Path) -> Self {
        Self::any(path, &Layout::default())
    }

    /// A set with its volumes where `layout` says.
    pub fn set(path: &Path, layout: &Layout) -> Self {
        Self { path: path.to_owned(), content: Content::Set(layout.clone()) }
    }

    /// The place that `make` returns for a layout; a place without a report if the layout could not be read.
    pub fn laid_out(
        path: &Path,
        layout: &anyhow::Result<Layout>,
        make: impl FnOnce(&Path, &Layout) -> Self,
    ) -> Self {
        let unreported = || Self { path: path.to_owned(), content: Content::Unreported };
        layout.as_ref().map_or_else(|_| unreported(), |layout| make(path, layout))
    }

    /// Name, length and the report of `inspect`. There is no report on a file that cannot be read, or that can be read
    /// only once.
    fn described(&self) -> Value {
        let mut object = json!({ "file": self.path.display().to_string() });
        if let Some(bytes) = not_utf8(&self.path) {
            object["file_hex"] = hex(&bytes).into();
        }
        let report = self.report().ok();
        object["bytes"] = report.as_ref().map(|report| report.bytes).or(self.length()).into();
        object["report"] = report.and_then(|report| value(&report)).unwrap_or_default();
        object
    }

    fn length(&self) -> Option<u64> {
        let about = metadata(&self.path).ok().filter(|_| self.path != Path::new("-"))?;
        about.is_file().then_some(about.len())
    }

    fn report(&self) -> anyhow::Result<Report> {
        let is_stream = !matches!(self.content, Content::Set(_))
            && exists(&self.path).unwrap_or(false)
            && self.length().is_none();
        anyhow::ensure!(!is_stream && self.path != Path::new("-"), "a stream can be read once");
        let volumes = match &self.content {
            Content::Unreported => anyhow::bail!("there is no report"),
            Content::Any(layout) => volumes_of(&self.path, layout)?,
            Content::Set(layout) => Some(set_of(&self.path, layout)?),
        };
        let mut report = match volumes {
            None => match survey(&self.path, false, &INSPECT, &ProgressBar::hidden())? {
                Surveyed::File(report) => report,
                Surveyed::Archive(_) => anyhow::bail!("this is an archive"),
            },
            Some(volumes) => survey_set(&self.path, &volumes, false, &INSPECT, &ProgressBar::hidden())?,
        };
        report.file_bytes = not_utf8(&self.path);
        Ok(report)
    }
}

fn value(report: &Report) -> Option<Value> {
    let mut line = Vec::new();
    write_line(report, &mut line).ok()?;
    serde_json::from_slice(&line).ok()
}

/// The files that a command reads and writes.
#[derive(Debug)]
pub struct Account {
    pub command: &'static str,
    pub read: Vec<Place>,
    pub written: Place,
}

impl Account {
    /// Runs `work`, then prints the object if it is wanted, even if the work failed.
    pub fn of(self, is_wanted: bool, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        if !is_wanted {
            return work();
        }
        if self.written.path == Path::new("-") {
            wrong_arguments!("with --json, standard output is the JSON object, so the new file needs a name");
        }
        // Described before the work begins, since the new file can replace one of these.
        let read: Vec<Value> = self.read.iter().map(Place::described).collect();
        let done = work();
        let written: Vec<Value> = done.iter().map(|()| self.written.described()).collect();
        let object = json!({
            "schema": SCHEMA,
            "command": self.command,
            "ok": done.is_ok(),
            "read": read,
            "written": written,
            "damaged": damages(),
            "warnings": warnings(),
            "error": done.as_ref().err().map(sentence),
        });
        let printed = stdout().and_then(|mut out| {
            let line = line_of(&object).map_err(std::io::Error::from);
            line.and_then(|line| out.write_all(&line)).map_err(Failure::Output)
        });
        let printed = unless_nobody_reads(printed.with_context(|| output_name(Path::new("-"))));
        // The error of the work decides the exit status.
        if let (Err(error), Err(_)) = (&printed, &done) {
            complain(error);
        }
        done.and(printed)
    }
}
