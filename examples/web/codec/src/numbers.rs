//! The numbers of a field on their way to JavaScript.

use std::io;
use std::ops::Range;

use embedded_io::{Read, Seek};
use linkstream::field::Field;
use linkstream::io::{ReadError, Reader};
use linkstream::lattice::{Precision, Region, reverse_words};
use linkstream::{Class, Diagnostic, SeekPayload};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::sink::JsSink;
use crate::source::failed;

/// Bytes read at a time; whole numbers of any precision.
pub const PIECE: usize = 256 << 10;

/// Takes the big-endian numbers of files (ILDG 1.2, section 2.5) and passes them on in the byte order of this machine,
/// which is little endian as all WebAssembly is.
pub struct Numbers<'s> {
    /// Bytes of a number.
    size: usize,
    sink: &'s JsSink,
}

impl<'s> Numbers<'s> {
    /// So many bytes of numbers of a field follow.
    pub fn begin(field: &Field, length: u64, sink: &'s JsSink) -> Result<Self, JsValue> {
        let (number_type, size) = match field.precision {
            Some(Precision::F32) => ("f32", 4),
            Some(Precision::F64) => ("f64", 8),
            None => return Err(Failure::request("the data of this field are not floating-point numbers")),
        };
        sink.begin(number_type, length as f64)?;
        Ok(Self { size, sink })
    }

    /// Passes on the whole numbers, and leaves the bytes after them.
    pub fn put(&self, bytes: &mut Vec<u8>) -> Result<(), JsValue> {
        let whole = bytes.len() / self.size * self.size;
        reverse_words(bytes, self.size);
        self.sink.put(&bytes[..whole])?;
        bytes.drain(..whole);
        Ok(())
    }

    /// Passes on whole numbers whose place is that many bytes after the first one's.
    pub fn put_at(&self, offset: u64, bytes: &mut Vec<u8>) -> Result<(), JsValue> {
        reverse_words(bytes, self.size);
        self.sink.put_at(offset as f64, bytes)?;
        bytes.clear();
        Ok(())
    }
}

/// Where the data of a time slice, or all data, are in those of the field: sites with the same slowest coordinate are
/// together.
pub fn place_of(field: &Field, slice: Option<u32>) -> Result<Range<u64>, JsValue> {
    // What a file cannot have is not there when it is read.
    let length = field.data_length().unwrap_or(u64::MAX);
    let Some(slice) = slice else { return Ok(0..length) };
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
    let length = length / u64::from(extent);
    let start = u64::from(slice) * length;
    Ok(start..start + length)
}

/// Reads a part of the open payload.
pub fn read_part<R: Read<Error = io::Error> + Seek, D: SeekPayload>(
    reader: &mut Reader<R, &mut [u8], D>,
    part: Range<u64>,
    mut put: impl FnMut(&[u8]) -> Result<(), JsValue>,
) -> Result<(), JsValue> {
    reader.seek_payload(part.start).map_err(failure)?;
    let mut piece = vec![0; PIECE];
    let mut rest = part.end - part.start;
    while rest > 0 {
        let most = rest.min(PIECE as u64) as usize;
        let n = reader.read(&mut piece[..most]).map_err(failure)?;
        if n == 0 {
            return Err(ended(reader));
        }
        put(&piece[..n])?;
        rest -= n as u64;
    }
    Ok(())
}

/// What the decoder reports of a file that ends within the open payload.
pub fn ended<R: Read<Error = io::Error> + Seek, D: SeekPayload>(
    reader: &mut Reader<R, &mut [u8], D>,
) -> JsValue {
    if let Err(error) = reader.skip_seeking() {
        return failure(error);
    }
    loop {
        match reader.next() {
            Ok(Some(_)) => {}
            Ok(None) => return Failure::request("the file ends within the field"),
            Err(error) => return failure(error),
        }
    }
}

/// There is no field with that number.
pub fn no_field(index: u32, count: u32) -> JsValue {
    Failure::request(&format!("there is no field {index}, but {count} of them, counted from 0"))
}

/// What ended the reading.
pub fn failure<K: Diagnostic>(error: ReadError<io::Error, K>) -> JsValue {
    match error {
        ReadError::Format(error) => Failure::of(&error),
        ReadError::Io(error) => failed(&error),
        other => Failure::thrown("not-read", Class::Misuse, 0, other.to_string()),
    }
}
