//! The files of an archive, which is read once, from its beginning: nothing can be looked at before or again.
//!
//! As in a directory, files of no known format are unrelated, unless they are named like others that are data. Later
//! files are not known yet, so that these wait until the end.

use std::collections::HashSet;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use linkstream_access::isolated::isolated;
use linkstream_access::packed::{Content, Fault, Kind, What, is_packed, unpack, unpacked_name};
use linkstream_report::identify::has_ending;
use linkstream_report::options::Options;
use linkstream_report::other::other;
use linkstream_report::report::{Body, Report};

use crate::files::{Candidate, Volumes};
use crate::human::not_utf8;
use crate::skipped::{
    Aside, BEGINS_WITH_ZEROS, OtherProgram, any_member, begins_with_zeros, no_known, pattern, put_first,
};
use crate::source::{condemn, content_report, open};
use crate::{json_records, packed};

/// Maximum number of files of no known format that wait, and of patterns of names.
const MOST: usize = 20_000;

/// Knowledge about the files of an archive so far.
#[derive(Debug)]
pub struct Members {
    /// False if files of no known format are wrong.
    skips: bool,
    /// The patterns of the names of data.
    known: HashSet<Vec<u8>>,
    /// Files of no known format, and of other programs. The last entry is the reason to skip a file if nothing shows that it
    /// is data.
    unknown: Vec<(PathBuf, Report, Option<OtherProgram>, String)>,
}

/// An entry of an archive.
#[expect(clippy::large_enum_variant, reason = "one at a time")]
pub enum Member {
    File(Candidate, Report),
    /// It is not checked.
    Aside(PathBuf, Aside),
}

type Each<'e> = &'e mut dyn FnMut(Member) -> anyhow::Result<()>;

impl Members {
    /// Nothing is known. Unless it `skips` them, files of no known format are wrong.
    pub fn new(skips: bool) -> Self {
        Self { skips, known: HashSet::new(), unknown: Vec::new() }
    }

    /// Reads the archive at `path`, or from `source`, and passes the report on each file to `each`.
    pub fn read(
        &mut self,
        path: &Path,
        source: Option<Box<dyn Read + Send>>,
        options: &Options,
        each: Each<'_>,
    ) -> anyhow::Result<()> {
        let (path, wanted) = match packed::in_archive(path) {
            Some((archive, member)) => (archive, Some(member)),
            None => (path.to_owned(), None),
        };
        let source = match source {
            Some(source) => source,
            None => Box::new(open(&path)?),
        };
        let (mut is_found, mut of_single) = (false, None);
        let unpacked = unpack(source, |content| {
            let Some(name) = content.name.clone() else {
                anyhow::ensure!(
                    wanted.is_none(),
                    "this is a compressed file, and no archive: it has no files"
                );
                // A compressed file without an archive, from a pipe.
                of_single = Some(report_on(content, &path, options)?);
                return anyhow::Ok(ControlFlow::Continue(()));
            };
            if wanted.as_ref().is_none_or(|wanted| *wanted == name) {
                is_found = true;
                self.member(content, &packed::member_path(&path, &name), wanted.is_some(), options, each)?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        for (of, mut report, program, why) in std::mem::take(&mut self.unknown) {
            let is_named = self.known.contains(&pattern(&of));
            if let Some(program) = program {
                each(Member::Aside(of, program.aside(is_named)))?;
                continue;
            }
            if !is_named {
                each(unrelated(of, &why))?;
                continue;
            }
            let message =
                "the file has no known format, but is named like others in the archive that have one";
            put_first(&mut report, "file-named-like-data", message.to_owned());
            each(file(of, report))?;
        }
        if let Some(mut report) = of_single {
            report.bytes = unpacked.bytes;
            if let Some(fault) = &unpacked.fault {
                condemn(&mut report, fault);
            }
            return each(file(path, report));
        }
        if let Some(fault) = &unpacked.fault {
            let mut report = packed::unknown(&path, fault);
            report.file_bytes = not_utf8(&path);
            report.packing = unpacked.packing;
            each(file(path, report))?;
        } else if !is_found && wanted.is_some() {
            anyhow::bail!("there is no such file in the archive");
        }
        Ok(())
    }

    fn member(
        &mut self,
        content: Content<'_>,
        path: &Path,
        is_named: bool,
        options: &Options,
        each: Each<'_>,
    ) -> anyhow::Result<()> {
        let not_read = match content.kind {
            Kind::Sparse => Some("this is a sparse file in an archive"),
            Kind::Rest => Some("this is the rest of a file that begins in another volume of the archive"),
            Kind::File | Kind::Link | Kind::Device => None,
        };
        if let Some(what) = not_read {
            let message = format!("{what}, which is not read: unpack the archive first");
            let mut report = packed::unknown(path, &Fault { what: What::Bounds, offset: 0, message });
            report.packing = content.packing;
            return each(file(path.to_owned(), report));
        }
        if let Some(what) = packed::not_a_file(content.kind) {
            return each(unrelated(path.to_owned(), what));
        }
        let size = content.size;
        let first = packed::beginning(content.reader)?;
        let content = Content { reader: &mut first.chain(content.reader), ..content };
        let report = isolated(|| json_records::of(path, options, || report_on(content, path, options)));
        let mut report = report.unwrap_or_else(|error| Err(error.into()))?;
        let program = OtherProgram::of(&first, size).filter(|_| matches!(report.body, Body::Unknown));
        if matches!(report.body, Body::Unknown) && !is_packed(&first) && self.skips {
            if let Some(fault) = unpacked_name(path).filter(|_| other(&first, size).is_none()) {
                report.findings.put_first(fault.finding());
                return each(file(path.to_owned(), report));
            }
            if begins_with_zeros(&first) {
                put_first(&mut report, "file-begins-with-zeros", BEGINS_WITH_ZEROS.to_owned());
                return each(file(path.to_owned(), report));
            }
        }
        if is_named || !self.skips || !is_unrelated(&report, path, &first) {
            if self.known.len() < MOST && !matches!(report.body, Body::Unknown) {
                self.known.insert(pattern(path));
            }
            return each(file(path.to_owned(), report));
        }
        let why = no_known(other(&first, size));
        if self.unknown.len() < MOST {
            self.unknown.push((path.to_owned(), report, program, why));
            return Ok(());
        }
        each(program.map_or_else(
            || unrelated(path.to_owned(), &why),
            |program| Member::Aside(path.to_owned(), program.aside(false)),
        ))
    }
}

fn unrelated(path: PathBuf, why: &str) -> Member {
    Member::Aside(path, Aside::Unrelated(why.to_owned()))
}

/// True for a file of no known format, unless its name or its format say that it should be one, or it is packed, so that its
/// content is not read.
fn is_unrelated(report: &Report, path: &Path, first: &[u8]) -> bool {
    matches!(report.body, Body::Unknown)
        && report.bytes > 0
        && !is_packed(first)
        && !any_member(first, |name| std::str::from_utf8(name).is_ok_and(|name| has_ending(Path::new(name))))
        && !has_ending(path)
        && !has_ending(&path.with_extension(""))
}

fn report_on(content: Content<'_>, path: &Path, options: &Options) -> anyhow::Result<Report> {
    let mut report = content_report(content, path, options)?;
    report.file_bytes = not_utf8(path);
    Ok(report)
}

/// A file that counts whatever it is.
fn file(path: PathBuf, report: Report) -> Member {
    let bytes = report.bytes;
    Member::File(Candidate { path, is_found: false, bytes, failure: None, volumes: Volumes::None }, report)
}
