//! The numbers of a field.

use std::io;

use linkstream::lattice::ByteOrder;
use linkstream_access::{ElementType, Error, Field, Selection, SelectionError, Verify};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::opened::{opened, refused};
use crate::sink::JsSink;
use crate::task;

/// Prepares reading the numbers of a field, counted from 0, in the byte order of WebAssembly, of the file with this
/// `number`, which is a set if it has `volumes`. Without a `slice` all of them, and their checksum is verified. With
/// one, only the sites of that value of the slowest coordinate, which are compared with those that were verified, if
/// they were.
#[wasm_bindgen]
pub fn read_field(number: u32, volumes: Option<u32>, index: u32, slice: Option<u32>, sink: JsSink) {
    task::prepare(move || {
        let file = opened(number, volumes)?;
        let fields = file.fields();
        match fields.get(index as usize) {
            Some(field) => read(field, slice, &sink).map(|()| Vec::new()),
            None => {
                let count = fields.len();
                Err(Failure::request(&format!(
                    "there is no field {index}, but {count} of them, counted from 0"
                )))
            }
        }
    });
}

fn read(field: &Field, slice: Option<u32>, sink: &JsSink) -> Result<(), JsValue> {
    let number_type = match field.array().element {
        ElementType::F32 => "f32",
        ElementType::F64 => "f64",
        _ => return Err(Failure::request("the data of this field are not floating-point numbers")),
    };
    let selection = slice.map_or(Selection::All, |slice| Selection::slice(slice.into()));
    let array = selection.array(field.array()).map_err(|error| outside(error, slice))?;
    // The file has these data, or it would not have been opened.
    sink.begin(number_type, (array.numbers() * array.element.bytes() as u64) as f64)?;
    let mut thrown = None;
    let mut put = |bytes: &[u8]| {
        sink.put(bytes).map_err(|error| {
            thrown = Some(error);
            io::ErrorKind::Other.into()
        })
    };
    let read = field.stream(&selection, ByteOrder::Little, Verify::Yes, &mut put);
    match thrown {
        Some(thrown) => Err(thrown),
        None => read.map(|_| ()).map_err(refused),
    }
}

/// The error of a slice that the field does not have.
fn outside(error: SelectionError, slice: Option<u32>) -> JsValue {
    match (error, slice) {
        (SelectionError::Range { extent, .. }, Some(slice)) => {
            Failure::request(&format!("there are {extent} time slices, counted from 0, so no {slice}"))
        }
        (error, _) => refused(Error::Selection(error)),
    }
}
