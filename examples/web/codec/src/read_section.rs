//! The data of a section, as they were before compression.

use linkstream::Mode;
use linkstream::io::Reader;
use linkstream::scda::logical::{Decoder, Event};
use linkstream_report::scda::Unpacker;
use linkstream_report::volumes::PartsReader;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::read_field::failure;
use crate::sink::JsSink;
use crate::source::Source;
use crate::task;

const BUFFER: usize = 256 << 10;

/// Prepares reading the data of the section with that number in the report. The sizes of the elements of a variable array are
/// reported before them.
#[wasm_bindgen]
pub fn read_section(number: u32, sink: JsSink) {
    task::prepare(move || section(&Source::ONLY, number, &sink).map(|()| Vec::new()));
}

fn section(source: &Source, number: u32, sink: &JsSink) -> Result<(), JsValue> {
    // Sections are counted from 0; the one that is wanted has been reached when so many have begun.
    let wanted = u64::from(number) + 1;
    let mut buffer = vec![0; BUFFER];
    let unpacker = Unpacker::new(Decoder::new(Mode::Lenient, true));
    let mut reader = Reader::new(PartsReader::new(source), &mut buffer, unpacker);
    let mut count = 0_u64;
    // Sizes of elements come before the section that they belong to.
    let mut sizes = Vec::new();
    while let Some(event) = reader.next().map_err(failure)? {
        let is_wanted = wanted == count;
        match event {
            Event::Compressed(_) => sizes.clear(),
            Event::Size(size) => sizes.push(size),
            Event::Section(section) => {
                // Compressed, it is two in the file, of which the second has the data.
                count += if section.is_compressed() { 2 } else { 1 };
                if wanted < count {
                    let message = format!(
                        "section {number} has the sizes of a compressed one; its data are in section {}",
                        count - 1
                    );
                    return Err(Failure::request(&message));
                }
                if wanted == count {
                    sink.begin("u8", -1.0)?;
                } else {
                    sizes.clear();
                    reader.decoder_mut().leave_packed();
                    reader.skip_seeking().map_err(failure)?;
                }
            }
            Event::Data if is_wanted => sink.put(reader.bytes())?,
            Event::Element(_) if is_wanted => sink.put(reader.decoder().bytes())?,
            Event::End if is_wanted => {
                return sink.event(&serde_json::json!({ "sizes": sizes }).to_string());
            }
            Event::End => sizes.clear(),
            _ if is_wanted => {}
            _ => reader.skip_seeking().map_err(failure)?,
        }
    }
    Err(Failure::request(&format!("there is no section {number}, but {count} of them, counted from 0")))
}
