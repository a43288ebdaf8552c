//! `ildg set-lfn`: the logical file name, appended as a message of its own to a file that is otherwise complete
//! (ILDG 1.2, note 4).

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use anyhow::Context as _;
use embedded_io_adapters::std::FromStd;
use linkstream::Mode;
use linkstream::conformance::Decoder;
use linkstream::field::{Encoder, Event, OutgoingMessage, Want};
use linkstream::ildg;
use linkstream::io::Reader;
use linkstream::lime::{Header, Record, padding};

use crate::fields::{Fault, Names, next, pass_over};
use crate::human::one_line;
use crate::output::{Output, OutputError};
use crate::source::{bar, open};

/// Names are short.
const MAX_NAME: usize = 64 << 10;

pub fn set_lfn(path: &Path, name: &str, force: bool) -> anyhow::Result<()> {
    let shown = || one_line(&path.display().to_string());
    if path == Path::new("-") {
        anyhow::bail!("the file is changed in place, which standard input cannot be");
    }
    // Refused before the file is looked at.
    Encoder::new().begin(&OutgoingMessage::lfn(name), &mut []).with_context(|| one_line(name))?;
    let looked = look(path).with_context(shown)?;
    match looked.names.as_slice() {
        _ if looked.records.is_empty() => append(path, &looked, name).with_context(shown)?,
        [one, other, ..] => {
            let (one, other) = (one.clone(), other.clone());
            return Err(Fault::SeveralNames { one, other }).with_context(shown);
        }
        _ if force => rewrite(path, &looked, name).with_context(shown)?,
        [] => anyhow::bail!("{} has an empty logical file name; --force replaces it", shown()),
        [named] => {
            anyhow::bail!("{} has the logical file name {}; --force replaces it", shown(), one_line(named))
        }
    }
    let _ = writeln!(std::io::stderr(), "named {}", shown());
    Ok(())
}

/// A file as it was found.
struct Looked {
    /// The records with names. QIO repeats the name of the file beside each data record.
    records: Vec<Record>,
    /// Their content.
    names: Names,
    encoder: Encoder,
    about: Metadata,
}

impl Looked {
    /// Somebody else can write to it: then what was found is not where it was.
    fn still(&self, file: &File) -> anyhow::Result<()> {
        let about = file.metadata()?;
        let same = about.len() == self.about.len() && about.modified().ok() == self.about.modified().ok();
        if same { Ok(()) } else { anyhow::bail!("has changed while it was read") }
    }
}

fn look(path: &Path) -> anyhow::Result<Looked> {
    // Whoever opens a pipe waits for its other end.
    let about = path.metadata()?;
    if !about.is_file() && !about.is_dir() {
        anyhow::bail!("is not a file");
    }
    let file = open(path)?;
    let about = file.metadata()?;
    let mut buffer = vec![0; 64 << 10];
    let mut reader = Reader::new(FromStd::new(file), &mut buffer, Decoder::new(Mode::Lenient));
    let (mut records, mut names, mut is_ildg) = (Vec::new(), Names::default(), false);
    let mut text = Vec::new();
    while let Some(event) = next(&mut reader)? {
        let is_name = reader.decoder().record_type() == ildg::DATA_LFN.as_bytes();
        match event {
            Event::Record(record) if is_name => {
                text.clear();
                records.push(record);
            }
            Event::Payload if is_name && text.len() < MAX_NAME => text.extend_from_slice(reader.bytes()),
            Event::End if is_name => {
                let name = text.split(|byte| *byte == 0).next().unwrap_or_default();
                names.add(String::from_utf8_lossy(name).trim());
            }
            Event::Record(_) => is_ildg |= reader.decoder().record_type() == ildg::FORMAT.as_bytes(),
            Event::Field | Event::Payload => pass_over(&mut reader)?,
            _ => {}
        }
    }
    if !is_ildg {
        anyhow::bail!("has no {}: it is no ILDG file", ildg::FORMAT);
    }
    let decoder = reader.decoder();
    let whole = Encoder::after(decoder).filter(|_| decoder.lime().record().end);
    let encoder = whole.ok_or(Fault::OpenMessage)?;
    Ok(Looked { records, names, encoder, about })
}

/// Appends the name. A file that cannot take all of it is cut back to what it was.
fn append(path: &Path, looked: &Looked, name: &str) -> anyhow::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path).map_err(OutputError)?;
    let before = looked.encoder.position();
    looked.still(&file)?;
    let bytes = message(&mut looked.encoder.clone(), name)?;
    file.seek(SeekFrom::Start(before)).map_err(OutputError)?;
    // Some disks are found to be full only when they are asked.
    let written = file.write_all(&bytes).and_then(|()| file.sync_all());
    written.or_else(|error| {
        let cut = file.set_len(before);
        cut.with_context(|| format!("the name could not be written ({error}), nor what was cut off again"))?;
        Err(anyhow::Error::from(OutputError(error)).context("the file stays as it was"))
    })
}

/// The bytes of the message.
fn message(encoder: &mut Encoder, name: &str) -> anyhow::Result<Vec<u8>> {
    let message = OutgoingMessage::lfn(name);
    let mut bytes = Vec::new();
    encoder.begin(&message, &mut [])?;
    while let Want::Bytes(more) = encoder.next(&message, &mut [])? {
        bytes.extend_from_slice(more);
    }
    Ok(bytes)
}

/// The same file with another name in each record that has one, and every other byte as it is.
fn rewrite(path: &Path, looked: &Looked, name: &str) -> anyhow::Result<()> {
    let mut source = open(path)?;
    // Not a link to it, which would be replaced by a file.
    let mut output = Output::create(&path.canonicalize()?, true)?;
    let permissions = source.metadata()?.permissions();
    output.file().set_permissions(permissions).map_err(OutputError)?;
    let padded = vec![0; padding(name.len() as u64) as usize];
    let mut behind = 0;
    for record in &looked.records {
        let Record { offset, length, begin, end, .. } = *record;
        let header = Header::new(ildg::DATA_LFN.as_bytes(), name.len() as u64, begin, end)?;
        copied(&mut source, &mut output, offset - behind)?;
        output.write_all(&[header.as_bytes(), name.as_bytes(), &padded].concat()).map_err(OutputError)?;
        behind = record.payload_offset() + length + u64::from(padding(length));
        source.seek(SeekFrom::Start(behind))?;
    }
    copied(&mut source, &mut output, u64::MAX)?;
    looked.still(&source)?;
    output.sync().map_err(OutputError)?;
    output.keep_silently()
}

/// So many bytes, or all there are.
fn copied(source: &mut File, output: &mut Output, most: u64) -> anyhow::Result<()> {
    let length = source.metadata()?.len().min(most);
    std::io::copy(&mut bar(Some(length)).wrap_read(source.take(most)), output).map_err(OutputError)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_has_changed_since_it_was_looked_at_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f");
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
        std::fs::copy(sample, &path).expect("the sample lies in the repository");
        let looked = look(&path).expect("whole");
        let mut file = OpenOptions::new().append(true).open(&path).expect("ours");
        file.write_all(&message(&mut Encoder::new(), "lfn://other").expect("a name")).expect("room");
        let changed = std::fs::read(&path).expect("it is there");
        let said = [
            append(&path, &looked, "lfn://new").expect_err("changed"),
            rewrite(&path, &looked, "lfn://new").expect_err("changed"),
        ];
        assert_eq!(said.map(|error| error.to_string()), ["has changed while it was read"; 2]);
        assert!(std::fs::read(&path).expect("it is there") == changed);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
