//! Copies the volumes of a set: `volumes copy`.

use std::io::{BufWriter, Read, Seek as _, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use flate2::Crc;
use indicatif::ProgressBar;
use linkstream_access::set::Layout;
use linkstream_report::findings::Level;
use linkstream_report::report::Report;

use super::input::{open_all, set_of};
use super::open_files::allow_open_files;
use super::publish::{disk, keep, new_set, not_read, reported, room_for};
use crate::counted::Counted;
use crate::failure::{Failure, failed, of_input, output_name};
use crate::fields::{made, warn};
use crate::judged::{Permission, Trust, admitted};
use crate::source::{BUFFER, bar};

/// Source, destination and options.
pub struct Copying {
    pub set: PathBuf,
    /// The directories of its volumes.
    pub from: Layout,
    /// The name of the copy.
    pub out: PathBuf,
    /// The directories of the copied volumes.
    pub to: Layout,
    pub force: bool,
    /// True if a set with broken rules that do not affect data is copied.
    pub lenient: bool,
    /// True if a damaged set is copied.
    pub permission: Permission,
}

/// Copies the volumes of a set.
pub fn copy(how: &Copying) -> anyhow::Result<()> {
    let (set, out) = (&how.set, &how.out);
    let volumes = set_of(set, &how.from)?;
    let _allowed = allow_open_files(2 * volumes.len() as u64)?;
    let files = open_all(&volumes)?;
    let mut bytes = 0;
    for file in &files {
        bytes += file.metadata().map_err(|error| of_input(error.into(), set))?.len();
    }
    let progress = bar(Some(bytes));
    let numbers: Option<Vec<u64>> = volumes.iter().map(|(number, _)| *number).collect();
    let numbers =
        numbers.with_context(|| format!("{} does not have the name of a volume", output_name(set)))?;
    let mut new = new_set(out, &how.to, how.force)?;
    not_read(out, &how.to, numbers.iter().copied())?;
    let _room = room_for(&new, 0)?;
    let outputs = new.create(&numbers).map_err(made)?;
    let (mut copies, mut sums) = (Vec::new(), Vec::new());
    for (((_, source), mut file), mut copy) in volumes.iter().zip(files).zip(outputs) {
        let name = output_name(copy.file.path());
        let mut sink = BufWriter::with_capacity(BUFFER, &mut copy.file);
        let each = |bytes: &[u8]| sink.write_all(bytes).map_err(Failure::Output);
        let sum = summed(&mut file, &progress, each).map_err(|error| of_input(error, source))?;
        sink.flush().map_err(|error| failed(Failure::Output(error)).context(name))?;
        drop(sink);
        sums.push(sum);
        copies.push(copy);
    }
    progress.finish_and_clear();
    for (copy, sum) in copies.iter().zip(sums) {
        let mut file = copy.file.file();
        file.rewind().map_err(Failure::Output)?;
        let again = summed(&mut file, &ProgressBar::hidden(), |_| Ok(())).map_err(disk)?;
        if again != sum {
            return Err(disk(anyhow::anyhow!("{} differs", output_name(copy.file.path()))));
        }
    }
    // The copies equal their sources, so that the report on them is that on the set, whose volumes it names.
    let judged = reported(&copies, &volumes, how.lenient, true)
        .and_then(|report| said(&report, admitted(&report, set, how.permission)?));
    judged.map_err(|error| of_input(error, set))?;
    keep(new, copies)
}

/// Prints the warnings about a set that is copied nevertheless.
fn said(report: &Report, trust: Trust) -> anyhow::Result<Trust> {
    let findings = report.findings.as_slice().iter();
    for found in findings.filter(|found| found.severity == Level::Warning) {
        warn(&format!("at byte {}: {} [{}]", found.offset, found.message, found.rule));
    }
    Ok(trust)
}

/// Copies a file to its end. Returns CRC-32 and length.
fn summed(
    file: &mut impl Read,
    bar: &ProgressBar,
    mut each: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> anyhow::Result<(u32, u32)> {
    let mut source = Counted { source: file, bar: bar.clone() };
    let (mut crc, mut buffer) = (Crc::new(), vec![0; BUFFER]);
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok((crc.sum(), crc.amount())),
            Ok(n) => {
                crc.update(&buffer[..n]);
                each(&buffer[..n])?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::Input(error).into()),
        }
    }
}
