//! The commands `ensemble` and `table`: the files of a store, or of its manifest, together.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use linkstream_access::digest::HashFunction;
use linkstream_report::ensemble::columns::{COLUMNS, Column, Value, by_name};
use linkstream_report::ensemble::condition::Condition;
use linkstream_report::ensemble::entry::{Entry, Verdict};
use linkstream_report::ensemble::findings::{Ensembles, Finding, Judged, judge};
use linkstream_report::ensemble::groups::{Template, groups};
use linkstream_report::ensemble::manifest::Entries;
use linkstream_report::ensemble::members::with_members;
use linkstream_report::ensemble::name::Name;
use linkstream_report::ensemble::read::Reader;
use linkstream_report::json_line::line_of;
use serde_json::{Map, Value as Json};

use super::arguments::Which;
use super::human::{warn, warn_of_skipped};
use super::store::{Store, identity, manifest, stdout_identity};
use crate::color;
use crate::failure::{FAILED, Failure, INVALID, output_name, wrong_arguments};
use crate::human::{counted, one_line};
use crate::output::unless_nobody_reads;
use crate::stdio::{colored, stdout};
use crate::system::metadata;
use crate::threads::at_least_one;

/// A store, or its manifest.
#[derive(Debug, Args)]
struct Source {
    /// A directory, or a manifest of it; - is a manifest on standard input.
    #[arg(value_name = "STORE|MANIFEST")]
    store: PathBuf,
    #[command(flatten)]
    which: Which,
    /// Number of threads, at most the number of cores [default: number of cores]. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    threads: Option<NonZeroUsize>,
}

/// The arguments of `ensemble`.
#[derive(Debug, Args)]
pub struct Ensemble {
    #[command(flatten)]
    source: Source,
    /// Only files named like `lat.{n}.ildg` or `cfg_{n}/lat.ildg`: {n} is the number, * any text.
    #[arg(long, value_name = "PATTERN")]
    name: Option<Template>,
    /// Print one JSON object per ensemble, and one for the store.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print one row per file, as CSV.
    #[arg(long)]
    csv: bool,
}

/// The arguments of `table`.
#[derive(Debug, Args)]
pub struct Table {
    #[command(flatten)]
    source: Source,
    /// Names of the columns, separated by commas.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "file,verdict,extents,update,plaquette"
    )]
    columns: Vec<Column>,
    /// Only files that meet CONDITION, such as 'precision == 64 and beta == 6.3'.
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<Condition>,
    /// Print CSV.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object per file.
    #[arg(long)]
    json: bool,
}

pub const ENSEMBLE_EXAMPLES: &str = "\
Exit status:
  0  no findings
  1  there are findings
  2  a file is unreadable, or the arguments are wrong

Examples:
  linkstream ensemble /data/24c
  linkstream ensemble --name 'lat.{n}.ildg' 24c.manifest
  linkstream ensemble --csv 24c.manifest > history.csv

The files of a directory whose names differ in a number are an ensemble. The
number is the one that has most values; others tell ensembles apart.

Findings on an ensemble:
  gap                numbers are missing in the sequence
  irregular-step     a number does not fit into the sequence
  same-number        several files have the same number
  number-update      the update in the file is not the number in the name
  number-lfn         the same for the logical file name
  same-lfn           several files have the same logical file name
  other-…            a file has another format, lattice, precision, gauge group,
                     datatype, boundary, beta or ENSEMBLE_ID, or no checksum
  plaquette-outlier  the plaquette is far from its neighbours, in terms of
                     the median absolute deviation
  stands-still       consecutive files have the same plaquette and link trace
  not-recognised     a file has no format that linkstream reads
  wrong, unreadable  as `check` finds
Numbers in a file may differ from the names by a constant or a factor.
Findings on the store:
  same-content       files are equal
  same-data          files have the same data, and other texts
  number-too-large   a file is in no ensemble, because the number in its name
                     has more than 64 bits";

pub const TABLE_EXAMPLES: &str = "\
Exit status:
  0  all files were read
  2  a file is unreadable, or the arguments are wrong

Examples:
  linkstream table --columns file,update,plaquette --csv 24c.manifest
  linkstream table --columns file,lfn,xml:beta,header:ENSEMBLE_ID /data/24c
  linkstream table --where 'precision == 64 and beta == 6.3' --json /data/24c

Columns:
  file, bytes, format, verdict, modified, read, hash, sha256, blake3, set,
  error, rules, fields, texts, data; and of the first field of a file
  region, extents, precision, datatype, group, boundary, lfn, update, checksum,
  cksum, suma, sumb, data_offset, data_bytes, plaquette, spatial_plaquette,
  temporal_plaquette, link_trace, polyakov_loop_re, polyakov_loop_im
  xml:PATH            value of an XML element or attribute (field/@name)
  header:KEY          value of a key of a header, or of a text KEY = VALUE
  recorded:QUANTITY   value that a text records, such as plaquette
  checksum:NAME       a checksum, such as suma, sum29 or word_sum
A manifest has the XML values that `manifest --xml` was asked for.

Conditions:
Values are compared with == != < <= > >=, as numbers if both are numbers, else
as texts. `and`, `or`, `not` and parentheses combine comparisons; a name alone
holds if the file has such a value. A name that is no column is looked up in
XML values and headers. Texts are quoted. Names, sums and times are compared as
texts. A comparison with a value that a file does not have does not hold.

CSV and JSON lines can be read by DuckDB (`SELECT * FROM 'table.csv'`) and
SQLite (`.import --csv table.csv t`).";

impl Source {
    fn is_manifest(&self) -> bool {
        self.store == Path::new("-") || metadata(&self.store).is_ok_and(|about| about.is_file())
    }

    /// The entries of the manifest, or of the store, which is read; and whether these are all. Unreadable files are
    /// named.
    fn entries(&self, paths: &[String]) -> anyhow::Result<(Entries, bool)> {
        if self.is_manifest() {
            let Which { exclude, min_age, resume, xml } = &self.which;
            if !exclude.is_empty() || min_age.is_some() || resume.is_some() || !xml.is_empty() {
                wrong_arguments!("--exclude, --min-age, --resume and --xml need a directory, not a manifest");
            }
            return Ok((with_members(manifest(&self.store)?), true));
        }
        let xml = [&self.which.xml[..], paths, &["beta".to_owned()]].concat();
        let reader = Reader { function: HashFunction::Sha256, xml, observables: true, meter: Arc::default() };
        let store = Store {
            root: &self.store,
            reader: &reader,
            which: &self.which,
            threads: self.threads,
            own: vec![stdout_identity(), self.which.resume.as_deref().and_then(identity)],
        };
        let now = store.read(&Entries::new(), None)?;
        store.complete()?;
        warn_of_skipped(&now);
        for (name, error) in &now.unknown {
            warn(&format!("{name}: {error}"));
        }
        let are_all = now.unknown.is_empty();
        if !are_all {
            warn("the store was not read completely");
        }
        Ok((with_members(now.read), are_all))
    }
}

pub fn ensemble(arguments: &Ensemble) -> anyhow::Result<ExitCode> {
    let (entries, are_all) = arguments.source.entries(&[])?;
    let groups = groups(&entries, arguments.name.as_ref());
    anyhow::ensure!(
        !groups.is_empty(),
        "no files have names that differ in a number; if each has a directory, use --name, as in 'cfg_{{n}}/lat.ildg'"
    );
    let ensembles = judge(&entries, groups);
    let printed = if arguments.json {
        print(&ensembles.lines(are_all)?)
    } else if arguments.csv {
        rows(&ensembles)
    } else {
        colored()
            .and_then(|mut out| out.write_all(text(&ensembles).as_bytes()).map_err(Failure::Output))
            .map_err(Into::into)
    };
    unless_nobody_reads(printed.with_context(|| output_name(Path::new("-"))))?;
    let is_unreadable = |finding: &Finding| finding.kind == "unreadable";
    // Findings are about ensembles. A file in none may be one of an ensemble, too, if it could be read.
    let named = ensembles.names();
    let others = arguments.name.is_none()
        && warn_of_unreadable(entries.values().filter(|entry| !named.contains(&entry.name)));
    let status = if !are_all
        || others
        || ensembles.groups.iter().any(|group| group.findings.iter().any(is_unreadable))
    {
        FAILED
    } else if ensembles.count() > 0 {
        INVALID
    } else {
        0
    };
    Ok(ExitCode::from(status))
}

fn print(bytes: &[u8]) -> anyhow::Result<()> {
    Ok(stdout().and_then(|mut out| out.write_all(bytes).map_err(Failure::Output))?)
}

fn text(ensembles: &Ensembles<'_>) -> String {
    let mut text = String::new();
    for judged in &ensembles.groups {
        text += &head(judged);
        text += &judged.findings.iter().map(finding).collect::<String>();
    }
    if !ensembles.findings.is_empty() {
        text += "the store\n";
        text += &ensembles.findings.iter().map(finding).collect::<String>();
    }
    let count = ensembles.count();
    let ensembles = counted(ensembles.groups.len(), "ensemble", "ensembles");
    text + &format!("{ensembles}, {}\n", counted(count, "finding", "findings"))
}

fn head(judged: &Judged<'_>) -> String {
    let members = &judged.group.members;
    let mut line = format!("{}: {}", one_line(&judged.group.name()), counted(members.len(), "file", "files"));
    if let Some((first, last)) = members.first().zip(members.last()) {
        line += &format!(", {} to {}", first.number, last.number);
    }
    if let Some(step) = judged.step {
        line += &format!(", step {step}");
    }
    if let Some((median, spread)) = judged.plaquette {
        line += &format!("; plaquette {median:.6}, spread {spread:.1e}");
    }
    line + "\n"
}

fn finding(finding: &Finding) -> String {
    /// Names in a line.
    const MOST: usize = 5;
    let mut names: Vec<String> = finding.files.iter().take(MOST).map(Name::to_string).collect();
    if finding.files.len() > MOST {
        names.push(format!("and {} more", finding.files.len() - MOST));
    }
    let names = if names.is_empty() { String::new() } else { names.join(", ") + ": " };
    format!("  {}: {names}{}\n", color::bad(finding.kind), one_line(&finding.message))
}

/// A row for each file of an ensemble, with the kinds of the findings on it.
fn rows(ensembles: &Ensembles<'_>) -> anyhow::Result<()> {
    const OF_FIELD: [&str; 6] =
        ["verdict", "update", "plaquette", "spatial_plaquette", "temporal_plaquette", "link_trace"];
    let mut of: BTreeMap<&Name, Vec<&str>> = BTreeMap::new();
    let of_groups = ensembles.groups.iter().flat_map(|group| &group.findings);
    for finding in of_groups.chain(&ensembles.findings) {
        finding.files.iter().for_each(|name| of.entry(name).or_default().push(finding.kind));
    }
    let columns = OF_FIELD.map(str::parse::<Column>).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(["ensemble", "number", "file"].iter().chain(&OF_FIELD).chain(&["findings"]))?;
    for judged in &ensembles.groups {
        for member in &judged.group.members {
            let mut row = vec![
                one_line(&judged.group.name()),
                member.number.to_string(),
                member.entry.name.to_string(),
            ];
            row.extend(columns.iter().map(|column| shown(column, member.entry)));
            row.push(of.get(&member.entry.name).map(|kinds| kinds.join(" ")).unwrap_or_default());
            out.write_record(&row)?;
        }
    }
    print(&out.into_inner()?)
}

fn shown(column: &Column, entry: &Entry) -> String {
    // A name is shown as other messages show it, and its bytes are not lost.
    if column.name() == "file" {
        return entry.name.to_string();
    }
    column.of(entry).map(|value| one_line(&value.text())).unwrap_or_default()
}

pub fn table(arguments: &Table) -> anyhow::Result<ExitCode> {
    let mut paths: Vec<String> =
        arguments.columns.iter().filter_map(|column| column.xml_path().map(str::to_owned)).collect();
    for name in arguments.condition.iter().flat_map(Condition::names) {
        match name.strip_prefix("xml:") {
            Some(path) => paths.push(path.to_owned()),
            None if !COLUMNS.contains(&name) && !name.contains(':') => paths.push(name.to_owned()),
            None => {}
        }
    }
    paths.sort();
    paths.dedup();
    let (entries, are_all) = arguments.source.entries(&paths)?;
    warn_of_unknown(arguments, &entries);
    let is_wanted =
        |entry: &&Entry| arguments.condition.as_ref().is_none_or(|condition| condition.holds(entry));
    let wanted: Vec<&Entry> = entries.values().filter(is_wanted).collect();
    let columns = &arguments.columns;
    let printed = if arguments.json {
        let mut lines = Vec::new();
        for entry in wanted {
            let row: Map<String, Json> =
                columns.iter().map(|column| (column.name().to_owned(), json_of(column.of(entry)))).collect();
            lines.extend(line_of(&row)?);
        }
        print(&lines)
    } else {
        let names = columns.iter().map(|column| column.name().to_owned()).collect();
        let rows = wanted.iter().map(|entry| columns.iter().map(|column| shown(column, entry)).collect());
        let rows: Vec<Vec<String>> = std::iter::once(names).chain(rows).collect();
        if arguments.csv {
            let mut out = csv::Writer::from_writer(Vec::new());
            rows.iter().try_for_each(|row| out.write_record(row))?;
            print(&out.into_inner()?)
        } else {
            print(aligned(&rows).as_bytes())
        }
    };
    unless_nobody_reads(printed.with_context(|| output_name(Path::new("-"))))?;
    let are_read = !warn_of_unreadable(entries.values());
    Ok(if are_all && are_read { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Names files that could not be read: no condition on their contents holds. Returns whether there are any.
fn warn_of_unreadable<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> bool {
    let mut is_any = false;
    for entry in entries.into_iter().filter(|entry| entry.verdict == Verdict::Unreadable) {
        warn(&format!("{}: unreadable: {}", entry.name, entry.error.as_deref().unwrap_or_default()));
        is_any = true;
    }
    is_any
}

/// Names values that are asked for and that no file has: a condition with a mistake looks like one that no file meets.
fn warn_of_unknown(arguments: &Table, entries: &Entries) {
    let columns = arguments.columns.iter().map(Column::name);
    let names = columns.chain(arguments.condition.iter().flat_map(Condition::names));
    let names: BTreeSet<&str> = names.filter(|name| !COLUMNS.contains(name)).collect();
    for name in names {
        if entries.is_empty() || entries.values().any(|entry| by_name(entry, name).is_some()) {
            continue;
        }
        let path = name.strip_prefix("xml:").unwrap_or(name);
        let remedy = match name.split_once(':') {
            Some(("xml", _)) | None if arguments.source.is_manifest() => {
                format!("; `manifest --xml {path}` would keep an XML value")
            }
            _ => String::new(),
        };
        let quotes =
            if name.contains(':') { String::new() } else { format!("; a text is in quotes: '{name}'") };
        warn(&format!("no file has a value {name}{quotes}{remedy}"));
    }
}

fn json_of(value: Option<Value>) -> Json {
    match value {
        None => Json::Null,
        Some(Value::Integer(number)) => number.into(),
        Some(Value::Number(number)) => number.into(),
        Some(Value::Text(text) | Value::Word(text)) => text.into(),
    }
}

/// Rows with columns of equal width.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
