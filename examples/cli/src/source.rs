//! Files and standard input as sources: their format, and a progress bar where somebody watches.

use std::fs::File;
use std::io::{IsTerminal as _, Read as _, Seek as _};
use std::path::Path;
use std::time::Duration;

use embedded_io::{ErrorType, Read, Seek};
use embedded_io_adapters::std::FromStd;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use linkstream::io::{ReadError, Reader};
use linkstream::sniff::Format;
use linkstream::{Decode, Diagnostic};

use crate::options::Options;
use crate::report::{Body, Findings, Report};
use crate::{first, inebin, lime, scda};

/// Bytes read at a time.
pub const BUFFER: usize = 256 << 10;
/// Below this a file is read before a bar could be looked at.
const WORTH_A_BAR: u64 = 64 << 20;

/// Surveys a file, or standard input where its name is `-`.
pub fn survey(path: &Path, options: &Options) -> anyhow::Result<Report> {
    if path == Path::new("-") {
        return stream(std::io::stdin().lock(), path, options);
    }
    let mut file = open(path)?;
    let about = file.metadata()?;
    // A named pipe or a device cannot seek.
    if !about.is_file() {
        return stream(file, path, options);
    }
    let (first, format) = first::look(&mut file)?;
    file.rewind()?;
    let bar = bar(Some(about.len()).filter(|_| options.read_data));
    let source = FromStd::new(bar.wrap_read(file));
    let mut report = read::<BySeeking, _>(source, path, &first, format, options)?;
    report.bytes = about.len();
    Ok(report)
}

fn stream(mut source: impl std::io::Read, path: &Path, options: &Options) -> anyhow::Result<Report> {
    let (first, format) = first::look(&mut source)?;
    let bar = bar(None);
    let whole = FromStd::new(bar.wrap_read(first.chain(source)));
    read::<ByReading, _>(whole, path, &first, format, options)
}

/// Opens a file for reading.
pub fn open(path: &Path) -> anyhow::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        anyhow::bail!("is a directory");
    }
    Ok(file)
}

/// A file, or standard input (`-`), that can be read from its start again: what is no file is kept in a temporary one.
pub fn rereadable(input: &Path) -> anyhow::Result<File> {
    let mut source: Box<dyn std::io::Read> = if input == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let file = open(input)?;
        if file.metadata()?.is_file() {
            return Ok(file);
        }
        Box::new(file)
    };
    let mut kept = tempfile::tempfile()?;
    std::io::copy(&mut source, &mut kept)?;
    Ok(kept)
}

/// Reads a source from its first byte in the format recognised from those bytes.
fn read<P: PassOver<R>, R: Read>(
    source: R,
    path: &Path,
    first: &[u8],
    format: Option<Format>,
    options: &Options,
) -> anyhow::Result<Report>
where
    R::Error: Into<std::io::Error>,
{
    let mut buffer = vec![0; BUFFER];
    let mut findings = Findings::new(options.lenient);
    let (body, bytes) = match format {
        Some(Format::Lime) => {
            let (contents, bytes) = lime::survey::<P, R>(source, &mut buffer, options, &mut findings)?;
            (Body::Lime(contents), bytes)
        }
        Some(Format::Inebin) => {
            let (contents, bytes) = inebin::survey::<P, R>(source, &mut buffer, options, &mut findings)?;
            (Body::Inebin(contents), bytes)
        }
        Some(Format::Scda) => {
            let (contents, bytes) = scda::survey::<P, R>(source, &mut buffer, options, &mut findings)?;
            (Body::Scda(contents), bytes)
        }
        _ => {
            findings.push(first::unknown(first));
            (Body::Unknown, first.len() as u64)
        }
    };
    Ok(Report { file: path.display().to_string(), bytes, body, findings })
}

/// How payload that is not wanted is passed over.
pub trait PassOver<R: ErrorType> {
    fn pass_over<D: Decode>(reader: &mut Reader<'_, R, D>) -> Result<(), ReadError<R::Error, D::ErrorKind>>;
}

/// Reads it away.
pub struct ByReading;

impl<R: Read> PassOver<R> for ByReading {
    fn pass_over<D: Decode>(reader: &mut Reader<'_, R, D>) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        reader.skip()
    }
}

/// Moves the source.
pub struct BySeeking;

impl<R: Read + Seek> PassOver<R> for BySeeking {
    fn pass_over<D: Decode>(reader: &mut Reader<'_, R, D>) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        reader.skip_seeking()
    }
}

/// The next event. What ends the reading is a finding if it is the file's fault.
pub fn or_finding<T, E: Into<std::io::Error>, K: Diagnostic>(
    next: Result<Option<T>, ReadError<E, K>>,
    findings: &mut Findings,
) -> anyhow::Result<Option<T>> {
    match next {
        Ok(event) => Ok(event),
        Err(ReadError::Format(error)) => {
            findings.add(&error);
            Ok(None)
        }
        Err(ReadError::Io(error)) => Err(error.into().into()),
        Err(ReadError::Lost) => anyhow::bail!("the position in the file is unknown after a failed seek"),
        Err(_) => anyhow::bail!("the reader made no progress"),
    }
}

/// A bar on standard error if that is a terminal and the work is long; otherwise one that shows nothing. It is
/// gone when the work is.
pub fn bar(length: Option<u64>) -> ProgressBar {
    if !std::io::stderr().is_terminal() || length.is_some_and(|length| length < WORTH_A_BAR) {
        return ProgressBar::hidden();
    }
    let template = match length {
        Some(_) => "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        None => "{spinner} {bytes} {bytes_per_sec}",
    };
    let bar = ProgressBar::new(length.unwrap_or(0)).with_finish(ProgressFinish::AndClear);
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
