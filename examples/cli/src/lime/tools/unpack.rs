//! `lime_unpack` (LIME 1.2, section 4): writes one file for each record, and a list of them.

use std::ffi::OsString;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use linkstream::lime::{Event, Record};
use linkstream::{Class, Diagnostic as _};
use linkstream_access::write::{NewFolders, Unsynced};

use super::records::Records;
use super::{list, name};
use crate::complain::{complain, done};
use crate::failure::{Failure, failed, of_input, output_name, wrong_arguments};
use crate::human::{counted, one_line, shown_path};
use crate::judged::{Permission, judged};
use crate::output::Output;
use crate::signals::incomplete;
use crate::source::{BUFFER, rereadable};
use crate::system::{exists, remove_file};

/// Name of the list. It cannot be the name of a record, since such names begin with msg.
const LIST: &str = "list";

/// Unpacks all records. With a permission to read a damaged file, those before the damage are unpacked.
pub fn unpack(
    file: &Path,
    folder: Option<&Path>,
    force: bool,
    permission: Permission,
) -> anyhow::Result<ExitCode> {
    let folder = match folder {
        Some(folder) => folder.to_owned(),
        None if file == Path::new("-") => {
            wrong_arguments!("name a directory to unpack standard input to: linkstream lime unpack - DIR")
        }
        None => beside(file),
    };
    let mut buffer = vec![0; BUFFER];
    let opened = rereadable(file).and_then(|opened| {
        let trust = judged(&opened, file, permission)?;
        Records::of_file(opened, trust.mode(), &mut buffer)
    });
    let mut records = opened.map_err(|error| of_input(error, file))?;
    let folders = NewFolders::new(incomplete().map_err(Failure::Output)?);
    let mut unpacking = Unpacking {
        folder,
        force,
        list: None,
        count: 0,
        is_cut: false,
        unsynced: Unsynced::default(),
        folders,
    };
    let unpacked = unpacking.all(&mut records, file);
    // The records before an error are kept too.
    let synced = unpacking.sync();
    let unpacked = unpacked.and(synced);
    let (count, name) = (unpacking.count, shown_path(&unpacking.folder));
    let counted = counted(usize::try_from(count).unwrap_or(usize::MAX), "record", "records");
    if unpacked.is_ok() {
        std::mem::take(&mut unpacking.folders).keep();
        done(format_args!("wrote {counted} to {name}"));
    } else if count > 0 {
        complain(&anyhow::anyhow!("wrote {counted} to {name} (those before the error), but no list"));
    }
    unpacked.map(|()| ExitCode::from(u8::from(unpacking.is_cut)))
}

/// The default directory: the name of the LIME file with `.contents`.
fn beside(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".contents");
    name.into()
}

struct Unpacking {
    folder: PathBuf,
    force: bool,
    /// `None` before the first record, and after a record that cannot be listed.
    list: Option<BufWriter<Output>>,
    /// Number of complete records.
    count: u64,
    /// True if the file ends too early, but after the last payload.
    is_cut: bool,
    /// The directory of the records. It is synchronised once: doing so for each file would double the time.
    unsynced: Unsynced,
    /// The last field, so that it is dropped after an incomplete list, whose file is in these directories.
    folders: NewFolders,
}

impl Unpacking {
    fn all(&mut self, records: &mut Records<'_>, file: &Path) -> anyhow::Result<()> {
        let next = |records: &mut Records<'_>| records.next().map_err(|error| of_input(error, file));
        // The first event is read before the directory is made, so that a file that is not LIME leaves no directory.
        let mut event = next(records)?;
        self.begin()?;
        let mut payload = None;
        while let Some(happened) = event {
            match happened {
                Event::Record(record) => {
                    let path = self.folder.join(name::of(&record, records.record_type()));
                    payload = Some((BufWriter::new(Output::create_inside(&path, self.force)?), path));
                }
                Event::Payload => {
                    if let Some((out, path)) = &mut payload {
                        out.write_all(records.bytes()).map_err(|error| unwritten(error, path))?;
                    }
                }
                Event::End => {
                    if let Some((out, path)) = payload.take() {
                        keep(out, &path, &mut self.unsynced)?;
                        self.count += 1;
                        self.enter(&records.record(), &path, records.record_type())?;
                    }
                }
                Event::Finding(error) => self.is_cut |= error.kind.class() == Class::Truncated,
                _ => {}
            }
            event = next(records)?;
        }
        match self.list.take() {
            Some(list) => keep(list, &self.list_path(), &mut self.unsynced),
            None => Ok(()),
        }
    }

    /// Writes the names of all files to the disk.
    fn sync(&self) -> anyhow::Result<()> {
        let synced = self.unsynced.sync().map_err(Failure::Output);
        synced.with_context(|| shown_path(&self.folder))
    }

    fn list_path(&self) -> PathBuf {
        self.folder.join(LIST)
    }

    /// Makes the directory and begins the list. An existing list belongs to an earlier unpacking.
    fn begin(&mut self) -> anyhow::Result<()> {
        let path = self.list_path();
        self.folders.make(&self.folder).with_context(|| shown_path(&self.folder))?;
        self.list = Some(BufWriter::new(Output::create_inside(&path, self.force)?));
        if self.force && exists(&path).unwrap_or(false) {
            // Removed because it would list records that are about to be replaced.
            remove_file(&path).with_context(|| shown_path(&path))?;
        }
        if list::line(&path, b"type").is_none() {
            self.no_list("the name of the directory");
        }
        Ok(())
    }

    fn no_list(&mut self, what: &str) {
        self.list = None;
        complain(&anyhow::anyhow!("warning: no list is written, because it cannot represent {what}"));
    }

    /// Adds a record to the list. If a record cannot be listed, there is no list: a list without it would pack another
    /// file.
    fn enter(&mut self, record: &Record, path: &Path, record_type: &[u8]) -> anyhow::Result<()> {
        let Some(list) = &mut self.list else { return Ok(()) };
        let Some(line) = list::line(path, record_type) else {
            self.no_list(&format!(
                "the type \"{}\" of record {} in message {}",
                one_line(&String::from_utf8_lossy(record_type)),
                record.number,
                record.message
            ));
            return Ok(());
        };
        let message_break: &[u8] = if record.number == 1 && record.message > 1 { b"\n" } else { b"" };
        let written = list.write_all(message_break).and_then(|()| list.write_all(&line));
        written.map_err(|error| unwritten(error, &self.list_path()))
    }
}

fn keep(out: BufWriter<Output>, path: &Path, unsynced: &mut Unsynced) -> anyhow::Result<()> {
    out.into_inner().map_err(|error| unwritten(error.into_error(), path))?.keep_unsynced(unsynced)
}

fn unwritten(error: std::io::Error, path: &Path) -> anyhow::Error {
    failed(Failure::Output(error)).context(output_name(path))
}
