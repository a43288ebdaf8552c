//! `lime_pack` (LIME 1.2, section 4): makes a LIME file with one record for each of several files.

use std::io::BufWriter;
use std::path::Path;

use anyhow::Context as _;
use linkstream::io::FromStd;
use linkstream::io::RecordWriter;
use linkstream::lime::Header;

use super::list::{self, Entry};
use crate::data::{Data, bytes_of};
use crate::failure::{failed, wrong_arguments};
use crate::judged::{Asked, Permission, judged, not_wrong};
use crate::lists::Below;
use crate::output::whole;
use crate::source::BUFFER;
use crate::system::File;

/// Packs all files of the list; on an error, nothing is written.
pub fn pack(
    list: &Path,
    out: &Path,
    is_anywhere: bool,
    force: bool,
    permission: Permission,
) -> anyhow::Result<()> {
    let entries = list::read(&bytes_of(list)?)?;
    let is_standard_input = |path: &Path| path == Path::new("-");
    let inputs = entries.iter().filter(|entry| is_standard_input(&entry.path)).count();
    if inputs + usize::from(is_standard_input(list)) > 1 {
        wrong_arguments!("standard input can only be read once");
    }
    // All types and places are checked before the first file is read, so that no error comes late in a long list.
    let below = Below::of(list, is_anywhere)?;
    for entry in &entries {
        header(entry, 0)?;
        below.admits(&entry.path).with_context(|| format!("line {} of the list", entry.line))?;
    }
    whole(out, force, |file| {
        write(&entries, permission, file)?;
        // Records that are sound one by one can contradict each other.
        judged(file, Path::new("the output"), permission).map(|_| ())?;
        // The texts of QIO's users need not be XML, and unpacked records are packed again.
        let asked = Asked { any_texts: true, ..Asked::default() };
        if permission.damaged { Ok(()) } else { not_wrong(file, out, asked) }
    })
}

fn write(entries: &[Entry], permission: Permission, file: &File) -> anyhow::Result<()> {
    let sink = FromStd(BufWriter::with_capacity(BUFFER, file));
    let mut writer = RecordWriter::create(sink);
    for entry in entries {
        let data = Data::of(&entry.path, permission)?;
        writer.begin(&header(entry, data.length)?).map_err(failed)?;
        data.read(BUFFER as u64, |bytes| writer.put(bytes).map_err(failed))?;
        writer.end().map_err(failed)?;
    }
    writer.finish().map_err(failed).map(drop)
}

fn header(entry: &Entry, length: u64) -> anyhow::Result<Header> {
    let header = Header::new(&entry.record_type, length, entry.begin, entry.end);
    header.with_context(|| format!("line {} of the list", entry.line))
}
