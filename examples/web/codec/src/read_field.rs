//! The numbers of a field.

use std::io;

use embedded_io::{Read, ReadExactError, Seek, SeekFrom};
use embedded_io_adapters::std::FromStd;
use linkstream::field::{Decoder, Event, Field};
use linkstream::io::{ReadError, Reader};
use linkstream::lattice::{Precision, Region};
use linkstream::{Class, Diagnostic, Mode};
use linkstream_report::volumes::{PartsReader, SetAsFile};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::sink::JsSink;
use crate::source::{Source, failed, sources, volumes};
use crate::task;

/// Bytes read at a time; whole numbers of any precision.
const PIECE: usize = 256 << 10;

/// A file, or a set that is read as a file.
trait File: Read<Error = io::Error> + Seek {}

impl<T: Read<Error = io::Error> + Seek> File for T {}

/// Prepares reading the numbers of a field, counted from 0, in the byte order of this machine, of a set if a number of
/// `volumes` is given. Without a `slice` all of them, and their checksum is verified. With one, only the sites of that
/// value of the slowest coordinate, which are together in the file.
#[wasm_bindgen]
pub fn read_field(volumes: Option<u32>, index: u32, slice: Option<u32>, sink: JsSink) {
    task::prepare(move || {
        match volumes {
            None => {
                let source = Source::ONLY;
                // What a header claims is not allocated.
                let most = source.size().unwrap_or(u64::MAX);
                field(&mut PartsReader::new(&source), most, index, slice, &sink)?;
            }
            Some(count) => of_set(&sources(count), index, slice, &sink)?,
        }
        Ok(Vec::new())
    });
}

/// Reads from the volumes of a set, of which the checksum is that of all of them.
fn of_set(sources: &[Source], index: u32, slice: Option<u32>, sink: &JsSink) -> Result<(), JsValue> {
    let set = SetAsFile::open(&volumes(sources)).map_err(|error| failed(&error))?;
    let most = set.length();
    field(&mut FromStd::new(set), most, index, slice, sink)
}

/// Reads from a file, of which a field has at most so many bytes.
fn field(
    mut file: &mut dyn File,
    most: u64,
    index: u32,
    slice: Option<u32>,
    sink: &JsSink,
) -> Result<(), JsValue> {
    let mut buffer = vec![0; PIECE];
    let mut reader = Reader::new(&mut file, &mut buffer, Decoder::new(Mode::Lenient));
    let mut count = 0;
    while let Some(event) = reader.next().map_err(failure)? {
        if event != Event::Field {
            continue;
        }
        let field = reader.decoder().field().copied();
        if let Some(field) = field.filter(|_| count == index) {
            return match slice {
                Some(slice) => one_slice(file, most, &field, slice, sink),
                None => verified(&mut reader, most, &field, sink),
            };
        }
        count += 1;
        reader.skip_seeking().map_err(failure)?;
    }
    Err(Failure::request(&format!("there is no field {index}, but {count} of them, counted from 0")))
}

/// All numbers; what is wrong with them, also with their checksum, is an error.
fn verified(
    reader: &mut Reader<'_, &mut &mut dyn File, Decoder>,
    most: u64,
    field: &Field,
    sink: &JsSink,
) -> Result<(), JsValue> {
    let size = announce(field, field.data_length().unwrap_or(0).min(most), sink)?;
    let mut numbers = Vec::new();
    while let Some(event) = reader.next().map_err(failure)? {
        match event {
            Event::Data => {
                numbers.extend_from_slice(reader.bytes());
                put_whole(&mut numbers, size, sink)?;
            }
            Event::Verdict(_) => break,
            _ => {}
        }
    }
    Ok(())
}

fn one_slice(
    file: &mut dyn File,
    most: u64,
    field: &Field,
    slice: u32,
    sink: &JsSink,
) -> Result<(), JsValue> {
    let extent = match &field.region {
        Region::Lattice => field.extents.as_slice().last().copied(),
        Region::Hypercube(cube) => {
            cube.lower().as_slice().last().zip(cube.upper().as_slice().last()).map(|(from, to)| to - from + 1)
        }
        Region::Global => None,
    };
    let Some(extent) = extent.filter(|extent| *extent > 0) else {
        return Err(Failure::request("global data have no time slices"));
    };
    if slice >= extent {
        let message = format!("there are {extent} time slices, counted from 0, so no {slice}");
        return Err(Failure::request(&message));
    }
    let length = field.data_length().unwrap_or(0) / u64::from(extent);
    let size = announce(field, length.min(most), sink)?;
    let offset = field.record.payload_offset() + u64::from(slice) * length;
    file.seek(SeekFrom::Start(offset)).map_err(|error| failed(&error))?;
    let mut rest = length;
    let mut numbers = Vec::new();
    while rest > 0 {
        let n = rest.min(PIECE as u64);
        numbers.resize(n as usize, 0);
        file.read_exact(&mut numbers).map_err(|error| match error {
            ReadExactError::Other(error) => failed(&error),
            ReadExactError::UnexpectedEof => Failure::request("the file ends within the field"),
        })?;
        put_whole(&mut numbers, size, sink)?;
        rest -= n;
    }
    Ok(())
}

/// Begins the numbers of a field; gives the bytes of one.
fn announce(field: &Field, length: u64, sink: &JsSink) -> Result<usize, JsValue> {
    let number_type = match field.precision {
        Some(Precision::F32) => "f32",
        Some(Precision::F64) => "f64",
        None => return Err(Failure::request("the data of this field are not floating-point numbers")),
    };
    sink.begin(number_type, length as f64)?;
    Ok(field.precision.map_or(1, Precision::bytes))
}

/// Passes on the whole numbers of big-endian bytes (ILDG 1.2, section 2.5) in the order of this machine, which is little
/// endian as all WebAssembly is.
fn put_whole(bytes: &mut Vec<u8>, size: usize, sink: &JsSink) -> Result<(), JsValue> {
    let whole = bytes.len() / size * size;
    if size == 4 {
        bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|number| number.reverse());
    } else {
        bytes.as_chunks_mut::<8>().0.iter_mut().for_each(|number| number.reverse());
    }
    sink.put(&bytes[..whole])?;
    bytes.drain(..whole);
    Ok(())
}

/// What ended the reading.
pub fn failure<K: Diagnostic>(error: ReadError<io::Error, K>) -> JsValue {
    match error {
        ReadError::Format(error) => Failure::of(&error),
        ReadError::Io(error) => failed(&error),
        other => Failure::thrown("not-read", Class::Misuse, 0, other.to_string()),
    }
}
