//! Files and standard input as sources, with a progress bar where somebody watches.

use std::fs::File;
use std::io::IsTerminal as _;
use std::path::Path;
use std::time::Duration;

use embedded_io_adapters::std::FromStd;
use indicatif::{ProgressBar, ProgressStyle};
use linkstream::field::Decoder;
use linkstream::io::Reader;
use linkstream::{Decode as _, Mode};

use crate::check::Options;
use crate::report::Report;
use crate::survey::survey as read;

/// Bytes read at a time.
const BUFFER: usize = 256 << 10;
/// Below this a file is read before a bar could be looked at.
const WORTH_A_BAR: u64 = 64 << 20;

/// Surveys a file, or standard input where its name is `-`.
pub fn survey(path: &Path, options: &Options) -> anyhow::Result<Report> {
    let mut buffer = vec![0; BUFFER];
    let decoder = Decoder::new(Mode::Survey);
    let mut report = Report::of(path);
    if path == Path::new("-") {
        let bar = bar(None);
        let source = FromStd::new(bar.wrap_read(std::io::stdin().lock()));
        let mut reader = Reader::new(source, &mut buffer, decoder);
        let outcome = read(&mut reader, options, Reader::skip, &mut report);
        report.bytes = reader.decoder().position();
        bar.finish_and_clear();
        return outcome.map(|()| report);
    }
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        anyhow::bail!("is a directory");
    }
    let bar = bar(Some(about.len()).filter(|_| options.read_data && about.is_file()));
    let source = FromStd::new(bar.wrap_read(file));
    let mut reader = Reader::new(source, &mut buffer, decoder);
    // A named pipe or a device cannot seek.
    let pass_over = if about.is_file() { Reader::skip_seeking } else { Reader::skip };
    let outcome = read(&mut reader, options, pass_over, &mut report);
    report.bytes = if about.is_file() { about.len() } else { reader.decoder().position() };
    bar.finish_and_clear();
    outcome.map(|()| report)
}

/// A bar on standard error if that is a terminal and the work is long; otherwise one that shows nothing.
fn bar(length: Option<u64>) -> ProgressBar {
    if !std::io::stderr().is_terminal() || length.is_some_and(|length| length < WORTH_A_BAR) {
        return ProgressBar::hidden();
    }
    let template = match length {
        Some(_) => "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        None => "{spinner} {bytes} {bytes_per_sec}",
    };
    let bar = ProgressBar::new(length.unwrap_or(0));
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
