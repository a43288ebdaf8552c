//! Reading the numbers of a field.

use std::io;

use linkstream::lattice::ByteOrder;
use linkstream_access::{ElementType, Error, Field, Selection, SelectionError, Verify};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::opened::{opened, refused};
use crate::sink::JsSink;
use crate::task;

/// Prepares reading field `index`, counted from 0, of the file with this `number`. The file is a file set if there is a
/// number of `volumes`. The numbers are read in the byte order of WebAssembly.
///
/// Without a `slice`, all numbers are read and their checksum is verified. With a `slice`, only the sites with this
/// value of the slowest coordinate are read. They are compared with the whole field if that has been verified before.
#[wasm_bindgen]
pub fn read_field(number: u32, volumes: Option<u32>, index: u32, slice: Option<u32>, sink: JsSink) {
    task::prepare(move || {
        let file = opened(number, volumes)?;
        let fields = file.fields();
        match fields.get(index as usize) {
            Some(field) => read(field, slice, &sink).map(|()| Vec::new()),
            None => {
                let count = fields.len();
                let message = format!("no field {index}: the file has {count}, counted from 0");
                Err(Failure::request(&message))
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
    // The length is not a claim of the header alone: a file is opened only if it contains all data of its fields.
    sink.begin(number_type, (array.number_count() * array.element.size() as u64) as f64)?;
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

/// The failure of a slice that the field does not have.
fn outside(error: SelectionError, slice: Option<u32>) -> JsValue {
    match (error, slice) {
        (SelectionError::Range { extent, .. }, Some(slice)) => {
            Failure::request(&format!("no time slice {slice}: the field has {extent}, counted from 0"))
        }
        (error, _) => refused(Error::Selection(error)),
    }
}
