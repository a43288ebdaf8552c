//! The numbers of a field.

use std::io;

use embedded_io::{Read, Seek, SeekFrom};
use linkstream::field::{Decoder, Event, Field};
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::sniff::{Format, Sniff, Sniffer, sniff};
use linkstream::{Mode, SeekPayload as _, lime};
use linkstream_access::SourceReader;
use linkstream_access::set::SetAsFile;
use linkstream_access::source::{ReadAtError, fill};
use wasm_bindgen::prelude::*;

use crate::numbers::{Numbers, PIECE, failure, no_field, place_of, read_part};
use crate::read_archive::{read_milc, read_nersc};
use crate::sink::JsSink;
use crate::source::{Source, failed, sources, volumes};
use crate::task;

/// A file, or a set that is read as a file.
trait File: Read<Error = io::Error> + Seek {}

impl<T: Read<Error = io::Error> + Seek> File for T {}

/// Prepares reading the numbers of a field, counted from 0, in the byte order of this machine, of a set if a number of
/// `volumes` is given. Without a `slice` all of them, and their checksum is verified. With one, only the sites of that
/// value of the slowest coordinate.
#[wasm_bindgen]
pub fn read_field(volumes: Option<u32>, index: u32, slice: Option<u32>, sink: JsSink) {
    task::prepare(move || {
        match volumes {
            None => of_file(&Source::ONLY, index, slice, &sink)?,
            Some(count) => of_set(&sources(count), index, slice, &sink)?,
        }
        Ok(Vec::new())
    });
}

fn of_file(source: &Source, index: u32, slice: Option<u32>, sink: &JsSink) -> Result<(), JsValue> {
    let mut first = [0; Sniffer::LONGEST];
    match fill(source, 0, &mut first) {
        // No archive is so short.
        Ok(()) | Err(ReadAtError::Ended) => {}
        Err(ReadAtError::Io(error)) => return Err(failed(&error)),
    }
    match sniff(&first) {
        Sniff::Is(Format::Nersc | Format::Milc) if index > 0 => Err(no_field(index, 1)),
        Sniff::Is(Format::Nersc) => read_nersc(source, None, slice, sink),
        Sniff::Is(Format::Milc) => read_milc(source, slice, sink),
        _ => {
            // What a header claims is not allocated.
            let most = source.at_most(u64::MAX);
            field(&mut SourceReader::new(source), most, index, slice, sink)
        }
    }
}

/// Reads from the volumes of a set, of which the checksum is that of all of them.
fn of_set(sources: &[Source], index: u32, slice: Option<u32>, sink: &JsSink) -> Result<(), JsValue> {
    let set = SetAsFile::open(&volumes(sources)).map_err(|error| failed(&error))?;
    let most = set.length();
    field(&mut FromStd(set), most, index, slice, sink)
}

/// Reads from a LIME file, of which a field has at most so many bytes.
fn field(
    mut file: &mut dyn File,
    most: u64,
    index: u32,
    slice: Option<u32>,
    sink: &JsSink,
) -> Result<(), JsValue> {
    let mut buffer = vec![0; PIECE];
    let mut reader = Reader::new(&mut file, &mut buffer[..], Decoder::new(Mode::Lenient));
    let mut count = 0;
    while let Some(event) = reader.next().map_err(failure)? {
        if event != Event::Field {
            continue;
        }
        let field = reader.decoder().field().copied();
        if let Some(field) = field.filter(|_| count == index) {
            let place = place_of(&field, slice)?;
            let numbers = Numbers::begin(&field, (place.end - place.start).min(most), sink)?;
            if slice.is_none() {
                return verified(&mut reader, &numbers);
            }
            let mut bytes = Vec::new();
            return read_part(&mut payload(file, &field, &mut buffer)?, place, |piece| {
                bytes.extend_from_slice(piece);
                numbers.put(&mut bytes)
            });
        }
        count += 1;
        reader.skip_seeking().map_err(failure)?;
    }
    Err(no_field(index, count))
}

/// All numbers; what is wrong with them, also with their checksum, is an error.
fn verified(
    reader: &mut Reader<&mut &mut dyn File, &mut [u8], Decoder>,
    numbers: &Numbers<'_>,
) -> Result<(), JsValue> {
    let mut bytes = Vec::new();
    while let Some(event) = reader.next().map_err(failure)? {
        match event {
            Event::Data => {
                bytes.extend_from_slice(reader.bytes());
                numbers.put(&mut bytes)?;
            }
            Event::Verdict(_) => break,
            _ => {}
        }
    }
    Ok(())
}

/// The record of a field, at the begin of its payload.
fn payload<'f>(
    file: &'f mut dyn File,
    field: &Field,
    buffer: &'f mut [u8],
) -> Result<Reader<&'f mut dyn File, &'f mut [u8], lime::Decoder>, JsValue> {
    let at = field.record.offset;
    file.seek(SeekFrom::Start(at)).map_err(|error| failed(&error))?;
    let mut record = Reader::new(file, buffer, lime::Decoder::at(at, Mode::Lenient));
    while record.decoder().payload_position().is_none() && record.next().map_err(failure)?.is_some() {}
    Ok(record)
}
