//! `diff`: opens and compares two files. It has the same exit status as `diff` and `h5diff`.

use std::fmt::Display;
use std::io::{SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use linkstream::io::FromStd;
use linkstream_report::diff::{Comparison, Damage, DiffError, Options, Side, Tolerance, compare, json};

use linkstream_report::json_line::line_of;

use super::human;
use crate::convert::tolerance;
use crate::failure::{Failure, input_name, output_name, sentence, wrong_arguments};
use crate::fields::warn;
use crate::judged::Permission;
use crate::output::unless_nobody_reads;
use crate::source::{Rereadable, bar};
use crate::stdio::{colored, stdout};
use crate::volumes::{Layout, with_opened};

#[derive(Debug, Args)]
pub struct Diff {
    /// The first file; `-` is standard input.
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The second file; `-` is standard input, for one of the two.
    #[arg(value_name = "B")]
    second: PathBuf,
    /// Numbers count as equal up to this absolute difference.
    #[arg(long, value_name = "ABSOLUTE", value_parser = tolerance, default_value = "0")]
    tolerance: f64,
    /// Numbers count as equal up to this difference relative to the larger one.
    #[arg(long, value_name = "RELATIVE", value_parser = tolerance, default_value = "0")]
    relative_tolerance: f64,
    /// Compare data only: records, documents and user strings may differ.
    #[arg(long)]
    data: bool,
    #[command(flatten)]
    permission: Permission,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Print nothing; only set the exit status.
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

impl Diff {
    fn path(&self, side: Side) -> &Path {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

pub const EXAMPLES: &str = "\
Exit status:
  0  equal
  1  different
  2  a file cannot be read or is damaged (without --damaged), or the arguments
     are wrong

Examples:
  linkstream diff lat.0100.ildg copy.ildg
  linkstream diff --data --tolerance 1e-6 double.ildg single.lime
  linkstream diff archive/lat.0100.lime lat.0100.lime
  linkstream diff --json --relative-tolerance 1e-12 a.bin b.bin

LIME: records are paired by type. XML documents are compared element by element,
other texts line by line, and fields in their order. Numbers of different
precision are compared by value; of links with different numbers of stored rows,
the rows in both files are compared.

INEBIN: two matrices of the same type are compared entry by entry.

scda: sections are compared in their order, byte by byte, after decompression.

NERSC archives and MILC files are compared in the form that `convert` gives
them, also with LIME files.

A QIO file set is compared as the single file that `convert` makes of it: give
the name of the set, or one of its volumes.

Two NaNs are equal, and so are zeros of different sign. The largest differences
are listed even if they are within the tolerance. Rows, columns and coordinates
count from 0. Memory use does not depend on the size of the data.

Both files are verified first. --damaged compares what can be read of damaged
files, and names the damage in the output.";

pub fn run(diff: &Diff) -> anyhow::Result<ExitCode> {
    if [&diff.first, &diff.second].iter().all(|path| path.as_path() == Path::new("-")) {
        wrong_arguments!("only one of the files can be standard input");
    }
    let compared = compared(diff);
    unless_nobody_reads(print(diff, &compared).with_context(|| output_name(Path::new("-"))))?;
    let comparison = compared.map_err(|error| blamed(error, diff))?;
    Ok(ExitCode::from(match comparison {
        _ if comparison.is_same() => 0,
        _ => 1,
    }))
}

fn compared(diff: &Diff) -> Result<Comparison, DiffError> {
    let tolerance = Tolerance { absolute: diff.tolerance, relative: diff.relative_tolerance };
    let options = Options { tolerance, data_only: diff.data };
    with_side(diff, Side::First, |first, damaged_first, surplus_first| {
        with_side(diff, Side::Second, |second, damaged_second, surplus_second| {
            let length = first.seek(SeekFrom::End(0));
            let length = length.and_then(|length| first.rewind().map(|()| length));
            let length = length
                .map_err(|error| DiffError::Source { side: Side::First, message: error.to_string() })?;
            let first = FromStd(bar(Some(length)).wrap_read(first));
            let mut comparison = compare(first, FromStd(second), &options)?;
            let surplus = [surplus_first, surplus_second];
            comparison.structure.unless_equal("bytes after the last link", &surplus[0], &surplus[1]);
            comparison.damage = damaged_first.into_iter().chain(damaged_second).collect();
            Ok(comparison)
        })
    })
}

/// Calls `work` with the file, with the LIME file made from an archive, or with a file set as a single file; and
/// with the damage that `--damaged` permits, and the number of bytes after the last link of an archive. Since status 1
/// means that two sound files differ, a damaged file counts as one that cannot be read.
fn with_side<T>(
    diff: &Diff,
    side: Side,
    work: impl FnOnce(&mut dyn Rereadable, Option<Damage>, u64) -> Result<T, DiffError>,
) -> Result<T, DiffError> {
    let path = diff.path(side);
    let say = |warning: &dyn Display| warn(&format!("{}: {warning}", input_name(path)));
    let worked = with_opened(path, &Layout::default(), diff.permission, &say, |source, origin| {
        let damage = origin.trust.damage.as_ref();
        let damage = damage.map(|damage| Damage {
            side,
            at: damage.offset,
            message: format!("{} [{}]", damage.message, damage.rule),
        });
        Ok(work(source, damage, origin.surplus))
    });
    worked.map_err(|error| DiffError::Source { side, message: sentence(&error) })?
}

fn print(diff: &Diff, compared: &Result<Comparison, DiffError>) -> Result<(), Failure> {
    if diff.json {
        let [a, b] = [&diff.first, &diff.second].map(|path| path.display().to_string());
        let mut out = stdout()?;
        let object = match compared {
            Ok(comparison) => json::object(&a, &b, comparison),
            Err(error) => json::trouble(&a, &b, error),
        };
        let line = line_of(&object).map_err(std::io::Error::from);
        return line.and_then(|line| out.write_all(&line)).map_err(Failure::Output);
    }
    let Some(comparison) = compared.as_ref().ok().filter(|_| !diff.quiet) else { return Ok(()) };
    let names = [&diff.first, &diff.second].map(|path| input_name(path));
    colored()?.write_all(human::text(&names, comparison).as_bytes()).map_err(Failure::Output)
}

fn blamed(error: DiffError, diff: &Diff) -> anyhow::Error {
    let path = diff.path(error.side());
    anyhow::Error::from(error).context(input_name(path))
}
