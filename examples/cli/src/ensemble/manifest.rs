//! The command `manifest`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use linkstream_access::digest::HashFunction;
use linkstream_report::ensemble::changes::{Now, reason};
use linkstream_report::ensemble::entry::{Entry, Verdict};
use linkstream_report::ensemble::manifest::{Entries, sum_line, write};
use linkstream_report::ensemble::read::Reader;

use super::arguments::{Hash, Which};
use super::human;
use super::store::{Store, identity, stdout_identity};
use crate::failure::{FAILED, Failure, INVALID};
use crate::output;
use crate::threads::at_least_one;

/// The form of a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Form {
    /// JSON lines: everything about each file.
    #[default]
    Json,
    /// The list that `md5sum -c` reads.
    Md5sum,
    /// The list that `sha256sum -c` reads.
    Sha256sum,
}

/// The arguments of `manifest`.
#[derive(Debug, Args)]
pub struct Manifest {
    /// A directory. All files in it and in the directories in it are read.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// The file to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// Form of the manifest.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    format: Form,
    /// Hash function.
    #[arg(long, value_enum, default_value_t = Hash::Sha256, value_name = "FUNCTION")]
    hash: Hash,
    /// Do not compute plaquette, link trace and unitarity of gauge fields.
    #[arg(long)]
    no_observables: bool,
    #[command(flatten)]
    which: Which,
    /// Number of threads, at most the number of cores [default: number of cores]. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    threads: Option<NonZeroUsize>,
}

pub const EXAMPLES: &str = "\
Exit status:
  0  no file is wrong
  1  a file is wrong; the manifest says which
  2  a file is unreadable, or the arguments are wrong

Examples:
  linkstream manifest /data/24c > 24c.manifest
  linkstream check --manifest 24c.manifest /data/24c
  linkstream manifest --format md5sum . > MD5SUMS && md5sum -c MD5SUMS
  linkstream manifest --resume 24c.journal /data/24c > 24c.manifest

A manifest has one JSON object per file of the store, in the order of the names:
name, size, times, format, verdict, SHA-256 of the file, sums and observables of
its fields. Files of other formats are listed too, with the verdict `other`.
Each file is read once, for its hash and for the verdict; the hash is that of
all bytes. `read` is the time when that was done.
Of a compressed file or a tar archive, `packing` names the form; the contents
are judged, and those of an archive are listed in `members`.
The last line has the SHA-256 of the others: a manifest that was altered or cut
is refused. The file is written when everything has been read.
The manifest itself is no part of the store, even if it is in that directory.
Names that are not UTF-8 are also given in hexadecimal (`file_hex`).";

pub fn run(arguments: &Manifest) -> anyhow::Result<ExitCode> {
    let function = match arguments.format {
        Form::Json => arguments.hash.into(),
        Form::Md5sum => HashFunction::Md5,
        Form::Sha256sum => HashFunction::Sha256,
    };
    let is_stdout = arguments.out == Path::new("-");
    anyhow::ensure!(
        is_stdout || arguments.force || !crate::system::exists(&arguments.out)?,
        "{} exists; --force replaces it",
        crate::human::shown_path(&arguments.out)
    );
    let reader = Reader {
        function,
        xml: if arguments.which.xml.is_empty() {
            vec!["beta".to_owned()]
        } else {
            arguments.which.xml.clone()
        },
        observables: !arguments.no_observables && arguments.format == Form::Json,
        meter: Arc::default(),
    };
    let journal = arguments.which.resume.as_deref();
    let store = Store {
        root: &arguments.store,
        reader: &reader,
        which: &arguments.which,
        threads: arguments.threads,
        own: vec![
            if is_stdout { stdout_identity() } else { identity(&arguments.out) },
            journal.and_then(identity),
        ],
    };
    let now = store.read(&Entries::new(), None)?;
    output::streamed(&arguments.out, arguments.force, |out| {
        let written = match arguments.format {
            Form::Json => write(now.read.values(), out),
            Form::Md5sum | Form::Sha256sum => {
                let mut lines =
                    now.read.values().filter_map(|entry| Some(sum_line(entry.hash()?, &entry.name)));
                lines.try_for_each(|line| out.write_all(&line))
            }
        };
        Ok(written.map_err(Failure::Output)?)
    })?;
    store.complete()?;
    Ok(ExitCode::from(complain(&now)))
}

/// Names the files that are wrong or unreadable on standard error. Returns the exit status.
fn complain(now: &Now) -> u8 {
    human::warn_of_skipped(now);
    let mut status = 0;
    for (name, error) in &now.unknown {
        human::warn(&format!("{name}: {error}"));
        status = FAILED;
    }
    let bad = |entry: &&Entry| entry.verdict.is_bad();
    for entry in now.read.values().filter(bad) {
        let why = reason(entry).map(|why| format!(": {why}")).unwrap_or_default();
        human::warn(&format!("{}: {}{why}", entry.name, entry.verdict.as_str()));
        status = status.max(if entry.verdict == Verdict::Unreadable { FAILED } else { INVALID });
    }
    status
}
