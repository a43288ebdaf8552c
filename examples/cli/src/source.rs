//! Files and standard input as sources: their format, and a progress bar on a terminal.

use std::borrow::Borrow;
#[cfg(not(unix))]
use std::io::SeekFrom;
use std::io::{ErrorKind, IsTerminal as _, Read, Seek as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use linkstream::Diagnostic;
use linkstream::io::FromStd;
use linkstream::io::ReadError;
use linkstream::sniff::Format;
use linkstream_access::isolated::provoked;
use linkstream_access::packed::{Content, Fault, What, is_packed, unpack};
use linkstream_access::set::{FIRST, VolumeSource, is_volume};
use linkstream_access::source::Source;
pub use linkstream_access::write::{Place, Rereadable, length};
use linkstream_report::findings::Findings;
use linkstream_report::identify::identify;
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::survey::{self, ByReading, BySeeking, or_finding};
use linkstream_report::volumes;

use crate::counted::{Counted, advance};
use crate::cut::within;
use crate::failure::{Failure, failed};
use crate::human::shown_name;
use crate::own_input;
use crate::packed;
use crate::spool;
pub use crate::spool::BUFFER;
use crate::system::{File, metadata};
use crate::volumes::allow_open_files;

/// Smaller files and fields are read in order. Reading in parts saves a copy of the data.
const WORTH_PARTS: u64 = 64 << 10;
/// Smaller files are read before a bar would be noticed.
const WORTH_A_BAR: u64 = 64 << 20;

/// Surveys a file, or standard input if the name is `-`. Each byte read advances the bar. A volume of a set that comes
/// through a pipe is read on its own if `is_alone`; otherwise the other volumes are reported as missing.
pub fn survey(path: &Path, is_alone: bool, options: &Options, bar: &ProgressBar) -> anyhow::Result<Surveyed> {
    if path == Path::new("-") {
        return streamed(std::io::stdin(), path, is_alone, options, bar);
    }
    if packed::in_archive(path).is_some() {
        return Ok(Surveyed::Archive(None));
    }
    let file = open(path)?;
    // A named pipe or a device cannot seek.
    if !file.metadata()?.is_file() {
        return streamed(file, path, is_alone, options, bar);
    }
    if packed::is(&file)? {
        let surveyed = compressed(Counted { source: file, bar: bar.clone() }, path, options)?;
        return Ok(surveyed.map_or(Surveyed::Archive(None), Surveyed::File));
    }
    survey_file(file, path, options, bar).map(Surveyed::File)
}

/// The outcome of reading a file.
#[expect(clippy::large_enum_variant, reason = "one for a file")]
pub enum Surveyed {
    File(Report),
    /// An archive, whose files are reported on one by one. A source that cannot be opened again is returned as it was.
    Archive(Option<Box<dyn Read + Send>>),
}

fn streamed(
    mut source: impl Read + Send + 'static,
    path: &Path,
    is_alone: bool,
    options: &Options,
    bar: &ProgressBar,
) -> anyhow::Result<Surveyed> {
    let first = packed::beginning(&mut source)?;
    let is_packed = is_packed(&first);
    let whole = std::io::Cursor::new(first).chain(source);
    if is_packed {
        // The beginning of its content shows whether it is an archive.
        return Ok(Surveyed::Archive(Some(Box::new(whole))));
    }
    stream(whole, None, path, is_alone, options, bar).map(Surveyed::File)
}

/// The report on the content of a compressed file; `None` if that is an archive.
fn compressed(source: impl Read, path: &Path, options: &Options) -> anyhow::Result<Option<Report>> {
    let mut report = None;
    let unpacked = unpack(source, |content| {
        if content.name.is_some() {
            return anyhow::Ok(ControlFlow::Break(()));
        }
        report = Some(content_report(content, path, options)?);
        Ok(ControlFlow::Continue(()))
    })?;
    if let Some(report) = &mut report {
        report.bytes = unpacked.bytes;
        if let Some(fault) = unpacked.fault {
            condemn(report, &fault);
        }
    }
    Ok(report)
}

/// The report on a file in a packed file, which is called `path`.
pub fn content_report(content: Content<'_>, path: &Path, options: &Options) -> anyhow::Result<Report> {
    let Content { reader, size, packing, .. } = content;
    let first = packed::beginning(reader)?;
    let mut report = if is_packed(&first) {
        packed::unknown(path, &Fault { what: What::Bounds, offset: 0, message: spool::NESTED.to_owned() })
    } else {
        // A volume of a set is read by itself: the others cannot be read at the same time.
        stream(first.chain(reader), size, path, true, options, &ProgressBar::hidden())?
    };
    report.packing = packing;
    if let (Some(size), Body::Unknown) = (size, &report.body) {
        report.bytes = size;
    }
    Ok(report)
}

/// Adds what is wrong with the packed file before everything that was found in its content.
pub fn condemn(report: &mut Report, fault: &Fault) {
    if report.bytes == 0 {
        // The content is empty only because of the damage.
        report.findings.take();
    }
    report.findings.put_first(fault.finding());
}

/// Surveys a regular file from its start. `path` is its name in the report.
pub fn survey_file(
    mut file: File,
    path: &Path,
    options: &Options,
    bar: &ProgressBar,
) -> anyhow::Result<Report> {
    let about = file.metadata()?;
    file.rewind()?;
    let (first, format) = identify(&mut FromStd(&mut file))?;
    file.rewind()?;
    let is_small = about.len() < WORTH_PARTS && !options.slice_sums;
    let parts = if is_small { None } else { parts(&file, bar)? };
    let source = FromStd(Counted { source: file, bar: bar.clone() });
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

/// Surveys a file set, each with the number from its name, or one volume on its own if `is_alone`.
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
        files.push(FileParts::new(open(path).with_context(|| shown_name(&name(path)))?, bar));
    }
    let sources: Vec<_> = volumes
        .iter()
        .zip(&files)
        .map(|((number, path), file)| VolumeSource {
            name: name(path),
            number: *number,
            source: Arc::new(file),
        })
        .collect();
    volumes::survey(&sources, &name(path), is_alone, options).map_err(failed)
}

fn stream(
    mut source: impl Read,
    size: Option<u64>,
    path: &Path,
    is_alone: bool,
    options: &Options,
    bar: &ProgressBar,
) -> anyhow::Result<Report> {
    let (first, format) = identify(&mut FromStd(&mut source))?;
    let mut more = Vec::new();
    if format == Some(Format::Lime) {
        more = vec![0; FIRST.saturating_sub(first.len())];
        let n = filled(&mut source, &mut more)?;
        more.truncate(n);
    }
    let begin = [&first[..], &more].concat();
    let whole = begin.chain(source);
    if is_volume(&begin) == Some(true) {
        // A volume is read at several positions at once.
        let file = FileParts::new(spool::any(whole, None)?, bar);
        let source = VolumeSource { name: name(path), number: None, source: Arc::new(&file) };
        return volumes::survey(&[source], &name(path), is_alone, options).map_err(failed);
    }
    let whole = FromStd(Counted { source: whole, bar: bar.clone() });
    let surveyed = survey::survey::<ByReading, _>(whole, None, &name(path), &first, format, size, options);
    surveyed.map_err(failed)
}

/// Access to a file for several threads. If reading at an offset moves the file position, there is none, and the
/// file is read in order.
#[cfg(unix)]
fn parts(file: &File, bar: &ProgressBar) -> std::io::Result<Option<Box<dyn Source<Error = std::io::Error>>>> {
    Ok(Some(Box::new(FileParts::new(file.try_clone()?, bar))))
}

#[cfg(not(unix))]
fn parts(_: &File, _: &ProgressBar) -> std::io::Result<Option<Box<dyn Source<Error = std::io::Error>>>> {
    Ok(None)
}

/// A file that several threads read at the same time.
#[derive(Debug)]
pub struct FileParts<F = File> {
    #[cfg(unix)]
    file: F,
    /// A mutex, because reading at an offset moves the file position.
    #[cfg(not(unix))]
    file: std::sync::Mutex<F>,
    /// Length of the part that can be read; `None` for the whole file.
    part: Option<u64>,
    bar: ProgressBar,
}

impl<F: Borrow<File>> FileParts<F> {
    pub fn new(file: F, bar: &ProgressBar) -> Self {
        #[cfg(not(unix))]
        let file = file.into();
        Self { file, part: None, bar: bar.clone() }
    }

    /// Only this part of the file, if it has one that can be read.
    pub fn of_part(self, part: Option<u64>) -> Self {
        Self { part, ..self }
    }

    #[cfg(unix)]
    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        self.file.borrow().read_at(out, offset)
    }

    #[cfg(not(unix))]
    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        let file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file: &File = (*file).borrow();
        file.seek(SeekFrom::Start(offset))?;
        file.read(out)
    }
}

impl<F: Borrow<File> + Sync + Send> Source for FileParts<F> {
    type Error = std::io::Error;

    fn length(&self) -> std::io::Result<u64> {
        if let Some(length) = self.part {
            return Ok(length);
        }
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
        let n = match self.part {
            None => self.read(offset, out)?,
            Some(length) => self.read(offset, within(offset, length, out))?,
        };
        advance(&self.bar, n);
        Ok(n)
    }
}

/// The path as the user gave it.
fn name(path: &Path) -> String {
    path.display().to_string()
}

/// Opens a file for reading. Fails if an output would replace it.
pub fn open(path: &Path) -> anyhow::Result<File> {
    let file = File::open(path)?;
    provoked(path);
    if file.metadata()?.is_dir() {
        anyhow::bail!("is a directory");
    }
    own_input::reading(path)?;
    Ok(file)
}

/// A file of a known format, or standard input (`-`), that can be read again from its start. Input that is not a regular
/// file is copied to a temporary one, and so is the content of a packed file.
pub fn rereadable(input: &Path) -> anyhow::Result<File> {
    if let Some(content) = unpacked(input)? {
        return Ok(content);
    }
    copied_if_needed(input, |source, file| spool::known(source, file, input))
}

/// A copy of the content of a packed file, or of a file in an archive (`old.tar!lat.0360`); `None` for other files.
pub fn unpacked(input: &Path) -> anyhow::Result<Option<File>> {
    if let Some((archive, member)) = packed::in_archive(input) {
        return spool::packed(open(&archive)?, Some(&member), &archive).map(Some);
    }
    if input == Path::new("-") {
        return Ok(None);
    }
    // Opening a pipe could wait for ever. A file that does not exist is reported when it is opened.
    match metadata(input) {
        Ok(about) if about.is_file() => {}
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(Failure::Input(error).into()),
        _ => return Ok(None),
    }
    let file = open(input)?;
    if packed::is(&file)? { spool::packed(file, None, input).map(Some) } else { Ok(None) }
}

/// A file of any format, like [`rereadable`].
pub fn rereadable_data(input: &Path) -> anyhow::Result<File> {
    copied_if_needed(input, |source, file| spool::any(source, file))
}

fn copied_if_needed(
    input: &Path,
    copy: impl FnOnce(&mut dyn Read, Option<&File>) -> anyhow::Result<File>,
) -> anyhow::Result<File> {
    if input == Path::new("-") {
        own_input::reading(input)?;
        let same = stdin()?;
        return copy(&mut std::io::stdin().lock(), same.as_ref());
    }
    let mut file = open(input)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    let same = file.try_clone()?;
    copy(&mut file, Some(&same))
}

/// Standard input as a file, which shows its kind.
fn stdin() -> std::io::Result<Option<File>> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;

        use crate::system::uninterrupted;

        let same = uninterrupted(|| std::io::stdin().as_fd().try_clone_to_owned())?;
        Ok(Some(std::fs::File::from(same).into()))
    }
    #[cfg(not(unix))]
    Ok(None)
}

/// Reads until the buffer is full or the source ends. Returns the number of bytes read.
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

/// The next event. An error in the file becomes a finding; an error of the source is returned.
pub fn read_on<T, K: Diagnostic>(
    next: Result<Option<T>, ReadError<std::io::Error, K>>,
    findings: &mut Findings,
) -> anyhow::Result<Option<T>> {
    or_finding(next, findings).map_err(failed)
}

/// A progress bar on standard error if that is a terminal and the work takes long; otherwise a hidden bar. It is
/// removed when the work is done.
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

/// True if the terminal is too narrow for all parts of a bar.
#[cfg(unix)]
fn is_narrow() -> bool {
    const WIDTH: u16 = 60;
    rustix::termios::tcgetwinsize(rustix::stdio::stderr()).is_ok_and(|size| size.ws_col < WIDTH)
}

#[cfg(not(unix))]
const fn is_narrow() -> bool {
    false
}
