//! The command `locate`: where the damage of a file is.

use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use linkstream::lattice::Region;
use linkstream_access::source::SharedSource;
use linkstream_access::{self as access, FileSource};
use linkstream_report::json::{Entries, Object, SCHEMA};
use linkstream_report::json_line::line_of;
use linkstream_report::locate::{Located, locate};
use serde::ser::SerializeMap;

use crate::complain::complain;
use crate::counting::from_zero;
use crate::failure::{Failure, INVALID, failed, of_input, output_name};
use crate::human::{counted, shown_path, thousands};
use crate::output::unless_nobody_reads;
use crate::source::rereadable;
use crate::stdio::{colored, stdout};

/// Ranges that are printed of each kind.
const SHOWN: usize = 20;

#[derive(Debug, Args)]
pub struct Locate {
    /// The file to read, however damaged; `-` is standard input.
    file: PathBuf,
    /// Another copy of the file: sites that differ are listed too.
    #[arg(long, value_name = "OTHER")]
    reference: Option<PathBuf>,
    /// Only this field, counted from 0.
    #[arg(long, value_name = "NUMBER", value_parser = from_zero::<usize>)]
    field: Option<usize>,
    /// Print one JSON object for each field, with all ranges up to 10,000 of each kind.
    #[arg(long)]
    json: bool,
}

pub const EXAMPLES: &str = "\
Exit status:
  0  no such site
  1  there are sites that are missing, zero, not finite, not unitary or
     different
  2  a file cannot be read, has no such field, or the arguments are wrong

Examples:
  linkstream locate damaged.lime
  linkstream locate damaged.lime --reference tape/lat.0100.lime
  linkstream locate --json damaged.lime | jq '.places[].bytes'

Ranges of sites are in the order of the data, and so are the bytes of the file
that have them; neither includes its end. Coordinates begin with x. `zero` sites
have nothing but zeros, `not-unitary` ones a link that deviates from unitarity
by more than 1.2e-4. Links that do not exist (open boundaries) are none of that:
all that lead out of the lattice in one direction. Sites after the end of a file
that was cut are `missing`.
Numbers of different precision are compared in single precision.";

pub fn run(arguments: &Locate) -> anyhow::Result<ExitCode> {
    let file = opened(&arguments.file, access::File::open_cut)?;
    let reference = arguments.reference.as_deref();
    let reference = reference.map(|path| opened(path, access::File::open_damaged)).transpose()?;
    let numbers = match arguments.field {
        Some(number) => number..number.saturating_add(1),
        None => 0..file.fields().len(),
    };
    let in_file = |error: anyhow::Error| of_input(error, &arguments.file);
    if numbers.is_empty() {
        return Err(in_file(anyhow::anyhow!("there are no fields whose data can be found")));
    }
    let mut status = 0;
    if let Some(end) = file.end() {
        complain(&in_file(anyhow::anyhow!("{end}; what follows is not listed")));
        status = INVALID;
    }
    for number in numbers {
        let field = file.field(number).map_err(|error| in_file(failed(error)))?;
        let other = match &reference {
            Some(reference) => Some(reference.field(number).map_err(|error| {
                of_input(failed(error), arguments.reference.as_deref().unwrap_or(Path::new("-")))
            })?),
            None => None,
        };
        let length = file.source().length().map_err(|error| in_file(Failure::Input(error).into()))?;
        let located = locate(field, length, other).map_err(|error| in_file(anyhow::Error::from(error)))?;
        if !located.places.is_empty() {
            status = INVALID;
        }
        let printed = if arguments.json {
            let line = line_of(&Object(Line { file: &arguments.file, number, located: &located }))?;
            stdout().and_then(|mut out| out.write_all(&line).map_err(Failure::Output))
        } else {
            let text = text(&arguments.file, number, &located);
            colored().and_then(|mut out| out.write_all(text.as_bytes()).map_err(Failure::Output))
        };
        unless_nobody_reads(printed.with_context(|| output_name(Path::new("-"))))?;
    }
    Ok(ExitCode::from(status))
}

fn opened(
    path: &Path,
    open: impl Fn(SharedSource<'static, std::io::Error>) -> Result<access::File, access::Error>,
) -> anyhow::Result<access::File> {
    let opened = || {
        let source = FileSource::from(std::fs::File::from(rereadable(path)?));
        open(Arc::new(source)).map_err(failed)
    };
    opened().map_err(|error| of_input(error, path))
}

struct Line<'a> {
    file: &'a Path,
    number: usize,
    located: &'a Located<'a>,
}

impl Entries for Line<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("schema", &SCHEMA)?;
        object.serialize_entry("file", &self.file.display().to_string())?;
        object.serialize_entry("field", &self.number)?;
        self.located.entries(object)
    }
}

fn text(file: &Path, number: usize, located: &Located<'_>) -> String {
    let layout = located.field.layout();
    let all = thousands(layout.sites());
    let mut text =
        format!("{}: field {number}, {all} sites of {} bytes\n", shown_path(file), layout.bytes_per_site);
    if located.places.is_empty() {
        return text + "  nothing found\n";
    }
    for places in &located.places {
        let sites = usize::try_from(places.sites.count()).unwrap_or(usize::MAX);
        text += &format!("  {}: {}\n", places.kind.as_str(), counted(sites, "site", "sites"));
        let ranges = places.sites.as_slice();
        for range in ranges.iter().take(SHOWN) {
            text += &line(range, located);
        }
        let more = (ranges.len().saturating_sub(SHOWN) as u64).saturating_add(places.sites.left_out());
        if more > 0 {
            text += &format!("    and {} more ranges\n", thousands(more));
        }
    }
    text
}

fn line(range: &Range<u64>, located: &Located<'_>) -> String {
    let layout = located.field.layout();
    let last = range.end.saturating_sub(1);
    let place = |site: u64| {
        let mut rest = site;
        let of = |extent: &u32| {
            let extent = u64::from(*extent).max(1);
            let coordinate = rest % extent;
            rest /= extent;
            coordinate.to_string()
        };
        let coordinates: Vec<String> = layout.extents.as_slice().iter().map(of).collect();
        if layout.region == Region::Lattice { format!(" ({})", coordinates.join(" ")) } else { String::new() }
    };
    let mut line = format!("    site {}{}", thousands(range.start), place(range.start));
    if last > range.start {
        line += &format!(" to {}{}", thousands(last), place(last));
    }
    if let Some(bytes) = located.bytes(range) {
        line += &format!(", bytes {} to {}", thousands(bytes.start), thousands(bytes.end));
    }
    line + "\n"
}
