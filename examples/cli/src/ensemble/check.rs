//! `check --manifest`: what has changed in a store since its manifest was written.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use linkstream_report::ensemble::changes::{Change, Changes, compare};
use linkstream_report::ensemble::manifest::write;
use linkstream_report::ensemble::read::Reader;
use linkstream_report::ensemble::words::summary;
use linkstream_report::json::Object;
use linkstream_report::json_line::line_of;

use super::arguments::{Which, runs};
use super::human;
use super::store::{Store, identity, manifest, stdout_identity};
use crate::complain;
use crate::failure::{Failure, output_name, wrong_arguments};
use crate::output::{Output, unless_nobody_reads};
use crate::stdio::{colored, stdout};

/// The arguments of `check` about a manifest.
#[derive(Debug, Args)]
pub struct Against {
    /// Compare the directory FILE with MANIFEST, which `linkstream manifest` has written: print what is new, gone,
    /// modified, moved, copied, damaged or repaired. - is standard input.
    #[arg(long, value_name = "MANIFEST", conflicts_with_all = ["files_from", "files0_from", "volume", "from", "all", "verbose", "lenient",
        "require_checksum", "slices", "programs"])]
    manifest: Option<PathBuf>,
    /// Write the manifest of the store as it is now, to MANIFEST or to the other file NEXT. Damaged files
    /// are reported again the next time.
    #[arg(long, value_name = "NEXT", requires = "manifest", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "absent, without a value, or with one")]
    update: Option<Option<PathBuf>>,
    /// Also read a part of the files whose size and times agree with the manifest, beginning with the files that were not
    /// read for the longest time: with 7d a seventh of the store, with 1d all of it.
    #[arg(long, value_name = "DAYS", requires = "manifest", value_parser = runs)]
    scrub: Option<u32>,
    #[command(flatten)]
    pub which: Which,
}

impl Against {
    /// The manifest to compare with, if there is one.
    pub fn manifest(&self) -> anyhow::Result<Option<&Path>> {
        let Which { resume, xml, .. } = &self.which;
        if self.manifest.is_none() && (resume.is_some() || !xml.is_empty()) {
            wrong_arguments!("--resume and --xml need --manifest");
        }
        if self.update == Some(None) && self.manifest.as_deref() == Some(Path::new("-")) {
            wrong_arguments!(
                "with --manifest -, --update needs the name of the next manifest: --update=NEXT"
            );
        }
        Ok(self.manifest.as_deref())
    }
}

/// The form of the output.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    pub json: bool,
    pub only_failed: bool,
    /// Nothing is printed if nothing has changed.
    pub quiet_if_ok: bool,
    pub observables: bool,
}

/// Compares the store with its manifest.
pub fn check(
    against: &Against,
    path: &Path,
    stores: &[PathBuf],
    shown: Shown,
    threads: Option<NonZeroUsize>,
) -> anyhow::Result<ExitCode> {
    let [root] = stores else { wrong_arguments!("--manifest needs one directory, the store") };
    let old = manifest(path)?;
    let reader = Reader::like(&old, against.which.xml.clone(), shown.observables);
    let next = against.update.as_ref().map(|next| next.as_deref().unwrap_or(path));
    let journal = against.which.resume.as_deref();
    let mut own = [Some(path), next, journal].map(|path| path.and_then(identity)).to_vec();
    own.push(stdout_identity());
    let store = Store { root, reader: &reader, which: &against.which, threads, own };
    let now = store.read(&old, against.scrub)?;
    let changes = compare(&old, &now);
    unless_nobody_reads(print(&changes, shown))?;
    if let Some(next) = next {
        let mut out = Output::create(next, true)?;
        let mut lines = std::io::BufWriter::new(&mut out);
        let written = write(changes.next.values(), &mut lines).and_then(|()| lines.flush());
        written.map_err(Failure::Output).with_context(|| output_name(next))?;
        drop(lines);
        out.keep_silently()?;
    }
    store.complete()?;
    Ok(ExitCode::from(changes.status()))
}

fn print(changes: &Changes, shown: Shown) -> anyhow::Result<()> {
    if shown.quiet_if_ok && changes.list.is_empty() {
        return Ok(());
    }
    let wanted = |change: &&Change| change.is_bad() || !shown.only_failed;
    let list = changes.list.iter().filter(wanted);
    let written = if shown.json {
        let mut lines = Vec::new();
        for change in list {
            lines.extend(line_of(&Object(change))?);
        }
        lines.extend(line_of(&Object(changes))?);
        stdout().and_then(|mut out| out.write_all(&lines).map_err(Failure::Output))
    } else {
        let text: String = list.map(human::line).collect::<String>() + &summary(changes);
        let text = complain::for_log(&text);
        colored().and_then(|mut out| out.write_all(text.as_bytes()).map_err(Failure::Output))
    };
    written.with_context(|| output_name(Path::new("-")))
}
