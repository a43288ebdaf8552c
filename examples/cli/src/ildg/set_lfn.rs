//! `ildg set-lfn`: appends the logical file name as a message of its own to a file that is otherwise complete (ILDG
//! 1.2, note 4). A file that begins as QIO's do is rewritten with the name in the message of its data instead: QIO
//! identifies records by their position, and its `QIO_read_record_info` fails if a message follows where it expects the
//! end of the file.

use std::fs::{Metadata, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use anyhow::Context as _;
use linkstream::Encode as _;
use linkstream::Mode;
use linkstream::conformance::{Decoder, Event};
use linkstream::field::{Encoder, OutgoingMessage, Want};
use linkstream::ildg;
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::scidac;
use linkstream_access::write::{Edits, Names, check_new_lfn};

use super::interrupted::{MAX_NAME, repaired};
use super::lock::{is_same_file, locked};
use crate::complain::done;
use crate::edit::replace;
use crate::failure::{Failure, failed, of_input, wrong_arguments};
use crate::fields::{next, pass_over};
use crate::human::{one_line, shown_path};
use crate::judged::{Permission, judged};
use crate::signals::deferred;
use crate::system::File;

pub fn set_lfn(path: &Path, name: &str, force: bool, permission: Permission) -> anyhow::Result<()> {
    let shown = || shown_path(path);
    if path == Path::new("-") {
        wrong_arguments!("standard input cannot be modified in place: name a file");
    }
    // An invalid name is refused before the file is opened.
    check_new_lfn(name).with_context(|| one_line(name))?;
    let file = locked(path).with_context(shown)?;
    let looked = match look(&file) {
        Err(error) => repaired(path, &file, error).and_then(|()| look(&file)),
        looked => looked,
    };
    let looked = looked.map_err(|error| of_input(error, path))?;
    judged(&file, path, permission).map_err(|error| of_input(error, path))?;
    match looked.names.as_slice() {
        _ if !looked.has_name && looked.is_native => {}
        _ if !looked.has_name => {
            append(path, &looked, name).with_context(shown)?;
            return said(path, "");
        }
        [one, other, ..] => {
            let why = format!(
                "it has several logical file names, {} and {}, where one is allowed; which of them is to be replaced \
                 is unknown",
                one_line(one),
                one_line(other)
            );
            return Err(failed(Failure::invalid(&why))).with_context(shown);
        }
        // Also after a run with many files that was killed before its log had this one.
        [named] if named == name && !force => {
            done(format_args!("{} has this name already", shown()));
            return Ok(());
        }
        _ if force => {}
        names => {
            let named = names.first().map_or_else(
                || "an empty logical file name".to_owned(),
                |named| format!("the logical file name {}", one_line(named)),
            );
            return Err(anyhow::anyhow!("it has {named}; --force replaces it")).with_context(shown);
        }
    }
    let links = replace(path, file, &Edits { lfn: Some(name.to_owned()), ..Edits::default() })?;
    said(path, links.as_deref().unwrap_or_default())
}

fn said(path: &Path, links: &str) -> anyhow::Result<()> {
    crate::edit::said(&format!("named {}", shown_path(path)), links);
    Ok(())
}

/// The result of reading a file.
struct Looked {
    /// True if a record has a logical file name.
    has_name: bool,
    /// The different names in them.
    names: Names,
    /// True if the first record is one that QIO writes.
    is_native: bool,
    encoder: Encoder,
    about: Metadata,
}

impl Looked {
    /// Fails if the file has changed since it was read. Other programs do not use the lock and can write to it.
    fn still(&self, about: &Metadata) -> anyhow::Result<()> {
        let unchanged =
            about.len() == self.about.len() && about.modified().ok() == self.about.modified().ok();
        if unchanged && is_same_file(about, &self.about) {
            Ok(())
        } else {
            anyhow::bail!("has changed while it was read")
        }
    }
}

fn look(mut file: &File) -> anyhow::Result<Looked> {
    let about = file.metadata()?;
    file.rewind()?;
    let mut buffer = vec![0; 64 << 10];
    let mut reader = Reader::new(FromStd(file), &mut buffer[..], Decoder::new(Mode::Lenient));
    let (mut names, mut has_name) = (Names::default(), false);
    let (mut is_native, mut has_format) = (false, false);
    let mut text = Vec::new();
    while let Some(event) = next(&mut reader)? {
        let is_name = reader.decoder().content().record_type() == ildg::DATA_LFN.as_bytes();
        match event {
            Event::Record(_) if is_name => {
                text.clear();
                has_name = true;
            }
            Event::Payload if is_name && text.len() < MAX_NAME => text.extend_from_slice(reader.bytes()),
            Event::End if is_name => {
                let name = text.split(|byte| *byte == 0).next().unwrap_or_default();
                names.add(String::from_utf8_lossy(name).trim());
            }
            Event::Record(record) => {
                let is = |name: &str| reader.decoder().content().record_type() == name.as_bytes();
                is_native |= record.offset == 0 && is(scidac::PRIVATE_FILE_XML);
                has_format |= is(ildg::FORMAT);
            }
            Event::Field | Event::Payload => pass_over(&mut reader)?,
            _ => {}
        }
    }
    if !has_format {
        anyhow::bail!("has no {}, so it is not an ILDG file", ildg::FORMAT);
    }
    let decoder = reader.decoder();
    let whole = Encoder::after(decoder).filter(|_| decoder.content().lime().record().end);
    let why = "it does not end at the end of a message: nothing can be appended";
    let encoder = whole.ok_or_else(|| failed(Failure::invalid(&why)))?;
    Ok(Looked { has_name, names, is_native, encoder, about })
}

/// Appends the name. If it cannot be written completely, the file is truncated to its previous length.
fn append(path: &Path, looked: &Looked, name: &str) -> anyhow::Result<()> {
    let file = File::from(OpenOptions::new().write(true).open(path).map_err(Failure::Output)?);
    let before = looked.encoder.position();
    looked.still(&file.metadata()?)?;
    let bytes = message(&mut looked.encoder.clone(), name)?;
    // Signals are deferred until the message is complete or removed.
    let (written, undone) = deferred(|| {
        let written = write_at(&file, before, &bytes);
        let undone = if written.is_err() { file.set_len(before) } else { Ok(()) };
        Ok((written, undone))
    })
    .map_err(Failure::Output)?;
    written.or_else(|error| {
        undone.with_context(|| {
            format!(
                "the name could not be written ({error}), and the part that was written could not be removed"
            )
        })?;
        Err(failed(Failure::Output(error)).context("the file was not modified"))
    })
}

fn write_at(mut file: &File, position: u64, bytes: &[u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(position))?;
    file.write_all(bytes)?;
    // Some file systems report a full disk only when synchronised.
    file.sync_all()
}

/// The bytes of the message with the name.
fn message(encoder: &mut Encoder, name: &str) -> anyhow::Result<Vec<u8>> {
    let message = OutgoingMessage::lfn(name);
    let mut bytes = Vec::new();
    let begun = encoder.begin(&message, &mut [])?;
    while let Want::Bytes(more) = encoder.next(&begun, &mut [])? {
        bytes.extend_from_slice(more);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_has_changed_since_it_was_looked_at_is_left_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("f");
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
        std::fs::copy(sample, &path).expect("the sample is part of the repository");
        let looked = look(&locked(&path).expect("the file belongs to this test")).expect("complete");
        let mut file = OpenOptions::new().append(true).open(&path).expect("the file belongs to this test");
        file.write_all(&message(&mut Encoder::new(), "lfn://other").expect("a name"))
            .expect("the temporary folder is writable");
        let changed = std::fs::read(&path).expect("the file exists");
        let said = append(&path, &looked, "lfn://new").expect_err("changed");
        assert_eq!(said.root_cause().to_string(), "has changed while it was read");
        assert!(std::fs::read(&path).expect("the file exists") == changed);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a readable folder").count(), 1);
    }
}
