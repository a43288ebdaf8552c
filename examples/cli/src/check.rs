//! The commands `check` and `inspect`: one report a file, and an exit status over all.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;

use linkstream_report::json_line;
use linkstream_report::options::Options;
use linkstream_report::report::Report;

use crate::failure::{FAILED, Failure, output_name};
use crate::output::nobody_reads;
use crate::stdio::{colored, stdout};
use crate::{color, describe, human, source};

/// Reports on every file, also after one that cannot be read. When the reader of the reports is gone, as in
/// `linkstream check … | head -1`, what was found until then still makes the exit status.
pub fn run(files: &[PathBuf], options: &Options) -> anyhow::Result<ExitCode> {
    let mut status = 0;
    for file in files {
        match report(file, options) {
            Ok(report) => {
                status = status.max(u8::from(!report.is_ok()));
                match print(&report, options) {
                    Err(error) if nobody_reads(&error) => break,
                    printed => printed?,
                }
            }
            Err(error) => {
                complain(&error);
                status = FAILED;
            }
        }
    }
    Ok(ExitCode::from(status))
}

/// Says on standard error what went wrong.
pub fn complain(error: &anyhow::Error) {
    let _ = writeln!(anstream::stderr(), "{} {error:#}", color::bad("linkstream:"));
}

fn report(file: &Path, options: &Options) -> anyhow::Result<Report> {
    source::survey(file, options).with_context(|| human::one_line(&file.display().to_string()))
}

fn print(report: &Report, options: &Options) -> anyhow::Result<()> {
    let written = || {
        if options.json {
            let mut out = BufWriter::new(stdout()?);
            json_line::write_line(report, &mut out).and_then(|()| out.flush()).map_err(Failure::Output)
        } else {
            let text =
                if options.read_data { describe::checked(report) } else { describe::inspected(report) };
            colored()?.write_all(text.as_bytes()).map_err(Failure::Output)
        }
    };
    written().with_context(|| output_name(Path::new("-")))
}
