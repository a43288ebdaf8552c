//! Files and standard input as sources: their format, and a progress bar where somebody watches.

use std::borrow::Borrow;
use std::fmt::{Display, Formatter};
use std::fs::File;
use std::io::{ErrorKind, IsTerminal as _, Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use embedded_io_adapters::std::FromStd;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use linkstream::Diagnostic;
use linkstream::io::ReadError;
use linkstream::sniff::Format;
use linkstream_report::findings::Findings;
use linkstream_report::identify::identify;
use linkstream_report::options::Options;
use linkstream_report::parts::Parts;
use linkstream_report::report::Report;
use linkstream_report::survey::{self, ByReading, BySeeking, or_finding};
use linkstream_report::volumes::{self, FIRST, SetAsFile, VolumeSource, is_volume};

use crate::counted::{Counted, advance};
use crate::failure::{Failure, failed};
use crate::human::one_line;
use crate::output::temporary;
use crate::volumes::allow_open_files;

/// Bytes read at a time.
pub const BUFFER: usize = 256 << 10;
/// Below this a field is read in order. What is read in parts is not copied once more.
const WORTH_PARTS: u64 = 64 << 10;
/// Below this a file is read before a bar could be looked at.
const WORTH_A_BAR: u64 = 64 << 20;

/// Surveys a file, or standard input where its name is `-`. The bytes that are read move the bar. A volume of a set
/// that comes through a pipe is read by itself if `is_alone`; otherwise the other volumes are missing.
pub fn survey(path: &Path, is_alone: bool, options: &Options, bar: &ProgressBar) -> anyhow::Result<Report> {
    if path == Path::new("-") {
        return stream(std::io::stdin().lock(), path, is_alone, options, bar);
    }
    let mut file = open(path)?;
    let about = file.metadata()?;
    // A named pipe or a device cannot seek.
    if !about.is_file() {
        return stream(file, path, is_alone, options, bar);
    }
    let (first, format) = identify(&mut FromStd::new(&mut file))?;
    file.rewind()?;
    let parts = if about.len() < WORTH_PARTS { None } else { parts(&file, bar)? };
    let source = FromStd::new(Counted { source: file, bar: bar.clone() });
    let mut report = survey::survey::<BySeeking, _>(
        source,
        parts.as_deref(),
        &name(path),
        &first,
        format,
        Some(about.len()),
        options,
    )
    .map_err(failed)?;
    report.bytes = about.len();
    Ok(report)
}

/// Surveys a set of volumes, each with the number in its name, or with `is_alone` one volume by itself.
pub fn survey_set(
    path: &Path,
    volumes: &[(Option<u64>, PathBuf)],
    is_alone: bool,
    options: &Options,
    bar: &ProgressBar,
) -> anyhow::Result<Report> {
    let _allowed = allow_open_files(volumes.len() as u64)?;
    let mut files = Vec::new();
    for (_, path) in volumes {
        files.push(FileParts::new(open(path).with_context(|| name(path))?, bar));
    }
    let sources: Vec<_> = volumes
        .iter()
        .zip(&files)
        .map(|((number, path), file)| VolumeSource { name: name(path), number: *number, parts: file })
        .collect();
    volumes::survey(&sources, &name(path), is_alone, options).map_err(failed)
}

fn stream(
    mut source: impl Read,
    path: &Path,
    is_alone: bool,
    options: &Options,
    bar: &ProgressBar,
) -> anyhow::Result<Report> {
    let (first, format) = identify(&mut FromStd::new(&mut source))?;
    let mut more = Vec::new();
    if format == Some(Format::Lime) {
        more = vec![0; FIRST.saturating_sub(first.len())];
        let n = filled(&mut source, &mut more)?;
        more.truncate(n);
    }
    let begin = [&first[..], &more].concat();
    let whole = begin.chain(source);
    if is_volume(&begin) == Some(true) {
        // A volume is read at several places at once.
        let file = FileParts::new(kept(whole)?, bar);
        let source = VolumeSource { name: name(path), number: None, parts: &file };
        return volumes::survey(&[source], &name(path), is_alone, options).map_err(failed);
    }
    let whole = FromStd::new(Counted { source: whole, bar: bar.clone() });
    let surveyed = survey::survey::<ByReading, _>(whole, None, &name(path), &first, format, None, options);
    surveyed.map_err(failed)
}

/// What several threads read a file through. Elsewhere a read at some place moves the file, and it is read in order.
fn parts(file: &File, bar: &ProgressBar) -> std::io::Result<Option<Box<dyn Parts<Error = std::io::Error>>>> {
    #[cfg(unix)]
    return Ok(Some(Box::new(FileParts::new(file.try_clone()?, bar))));
    #[cfg(not(unix))]
    Ok(None)
}

/// A file that several threads read at once.
#[derive(Debug)]
pub struct FileParts<F = File> {
    #[cfg(unix)]
    file: F,
    /// Reading at some place moves the file.
    #[cfg(not(unix))]
    file: std::sync::Mutex<F>,
    bar: ProgressBar,
}

impl<F: Borrow<File>> FileParts<F> {
    pub fn new(file: F, bar: &ProgressBar) -> Self {
        #[cfg(not(unix))]
        let file = file.into();
        Self { file, bar: bar.clone() }
    }

    #[cfg(unix)]
    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self.file.borrow(), out, offset)
    }

    #[cfg(not(unix))]
    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        let file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file: &File = (*file).borrow();
        file.seek(SeekFrom::Start(offset))?;
        file.read(out)
    }
}

impl<F: Borrow<File> + Sync + Send> Parts for FileParts<F> {
    type Error = std::io::Error;

    fn length(&self) -> std::io::Result<u64> {
        #[cfg(unix)]
        let about = self.file.borrow().metadata()?;
        #[cfg(not(unix))]
        let about =
            (*self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner)).borrow().metadata()?;
        Ok(about.len())
    }

    fn worthwhile(&self) -> u64 {
        WORTH_PARTS
    }

    /// Device and inode.
    #[cfg(unix)]
    fn identity(&self) -> Option<(u64, u64)> {
        use std::os::unix::fs::MetadataExt as _;
        let about = self.file.borrow().metadata().ok()?;
        Some((about.dev(), about.ino()))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.read(offset, out)?;
        advance(&self.bar, n);
        Ok(n)
    }
}

/// The file as the user named it.
fn name(path: &Path) -> String {
    path.display().to_string()
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
    if input == Path::new("-") {
        return kept(std::io::stdin().lock());
    }
    let file = open(input)?;
    if file.metadata()?.is_file() { Ok(file) } else { kept(file) }
}

/// A temporary file with all that a source has.
fn kept(mut source: impl Read) -> anyhow::Result<File> {
    let mut kept = temporary()?;
    let mut buffer = vec![0; BUFFER];
    // Not `copy`, whose error may be that of either file.
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(kept),
            Ok(n) => kept.write_all(&buffer[..n]).map_err(Failure::Temporary)?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::Input(error).into()),
        }
    }
}

/// What can be read from its start again.
pub trait Rereadable: Read + Seek {
    /// Where a byte is, for messages.
    fn place(&self, at: u64) -> Place {
        Place::byte(at)
    }
}

impl Rereadable for File {}

/// The volume, and the offset there.
impl Rereadable for SetAsFile<'_> {
    fn place(&self, at: u64) -> Place {
        let (volume, at) = self.origin(at);
        Place { at, file: Some(one_line(volume)) }
    }
}

/// Where a byte of the input is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    at: u64,
    /// One of several files.
    file: Option<String>,
}

impl Place {
    /// In the only file.
    pub const fn byte(at: u64) -> Self {
        Self { at, file: None }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {}", self.at)?;
        self.file.iter().try_for_each(|file| write!(f, " of {file}"))
    }
}

/// Bytes of a source; its position moves.
pub fn length(source: &mut dyn Rereadable) -> std::io::Result<u64> {
    source.seek(SeekFrom::End(0))
}

/// As many bytes as there are, until the buffer is full.
pub fn filled(source: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The next event. What ends the reading is a finding if it is the file's fault.
pub fn read_on<T, K: Diagnostic>(
    next: Result<Option<T>, ReadError<std::io::Error, K>>,
    findings: &mut Findings,
) -> anyhow::Result<Option<T>> {
    or_finding(next, findings).map_err(failed)
}

/// A bar on standard error if that is a terminal and the work is long; otherwise one that shows nothing. It is
/// gone when the work is.
pub fn bar(length: Option<u64>) -> ProgressBar {
    if !std::io::stderr().is_terminal() || length.is_some_and(|length| length < WORTH_A_BAR) {
        return ProgressBar::hidden();
    }
    let template = match length {
        Some(_) if is_narrow() => "{wide_bar} {percent:>3} %",
        Some(_) => "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        None if is_narrow() => "{spinner} {bytes}",
        None => "{spinner} {bytes} {bytes_per_sec}",
    };
    let bar = ProgressBar::new(length.unwrap_or(0)).with_finish(ProgressFinish::AndClear);
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Whether a line of a terminal is too short for all that a bar can show.
fn is_narrow() -> bool {
    const WIDTH: u16 = 60;
    #[cfg(unix)]
    return rustix::termios::tcgetwinsize(rustix::stdio::stderr()).is_ok_and(|size| size.ws_col < WIDTH);
    #[cfg(not(unix))]
    false
}
