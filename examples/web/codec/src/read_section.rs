//! Reading the data of a section, decompressed.

use std::ops::Range;

use linkstream::Mode;
use linkstream::io::Reader;
use linkstream::scda::{Decoder, Event, Section};
use linkstream_access::SourceReader;
use linkstream_report::json::Entries;
use linkstream_report::scda::Unpacker;
use serde::ser::SerializeMap;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::opened::refused;
use crate::sink::JsSink;
use crate::source::Source;
use crate::task;
use crate::wanted::{overlap, place_of, sum};

/// Number of bytes read at a time.
const PIECE: usize = 256 << 10;

/// Prepares reading the data of the section with this `number` in the report, or of one of its elements, both counted
/// from 0. The sizes of the elements of a variable array are reported, too. With `in_place`, data that are not
/// compressed are not read: their position in the file is reported.
#[wasm_bindgen]
pub fn read_section(number: u32, element: Option<f64>, in_place: bool, sink: JsSink) {
    let element = element.map(|element| element as u64);
    task::prepare(move || section(&Source::ONLY, number, element, in_place, &sink).map(|()| Vec::new()));
}

fn section(
    source: &Source,
    number: u32,
    element: Option<u64>,
    in_place: bool,
    sink: &JsSink,
) -> Result<(), JsValue> {
    let failed = |error| refused(linkstream_access::Error::from(error));
    // Number of sections that have begun when the wanted one is reached: sections are counted from 0.
    let wanted = u64::from(number) + 1;
    let mut buffer = vec![0; PIECE];
    let unpacker = Unpacker::new(Decoder::new(Mode::Lenient, true));
    let mut reader = Reader::new(SourceReader::new(source), &mut buffer[..], unpacker);
    let mut count = 0_u64;
    // The sizes of elements precede the event of a compressed section, and follow the event of any other.
    let mut sizes = Vec::new();
    let mut header = None;
    let mut data = Data { element, place: None, at: 0, sink };
    while let Some(event) = reader.next().map_err(failed)? {
        let is_wanted = wanted == count;
        let part_of_file = header.filter(|section: &Section| in_place && !section.is_compressed());
        match event {
            Event::Compressed(_) => sizes.clear(),
            Event::Size(size) => sizes.push(size),
            Event::Section(section) => {
                count += 1;
                if wanted == count {
                    header = Some(section);
                    sink.begin("u8", -1.0)?;
                } else {
                    sizes.clear();
                    reader.decoder_mut().leave_packed();
                    reader.skip_seeking().map_err(failed)?;
                }
            }
            // The skip goes up to the last byte, so that a truncated file is an error.
            Event::Data if is_wanted && part_of_file.is_some() => reader.skip_seeking().map_err(failed)?,
            Event::Data if is_wanted => data.put(reader.bytes(), header.as_ref(), &sizes)?,
            Event::Element(_) if is_wanted => data.put(reader.decoder().bytes(), header.as_ref(), &sizes)?,
            Event::End if is_wanted => {
                let place = match part_of_file {
                    Some(section) => Some(place_in_file(&section, &sizes, element)?),
                    // This call without data refuses an element of a section that has no data.
                    None => data.put(&[], header.as_ref(), &sizes).map(|()| None)?,
                };
                return sink.object(Read { sizes: &sizes, place });
            }
            Event::End => sizes.clear(),
            _ if is_wanted => {}
            _ => reader.skip_seeking().map_err(failed)?,
        }
    }
    Err(Failure::request(&format!("no section {number}: the file has {count}, counted from 0")))
}

/// The report at the end of the section.
struct Read<'a> {
    /// Sizes of the elements of a variable array.
    sizes: &'a [u64],
    /// Positions of the first byte, and of the byte after the last, of data that have not been read.
    place: Option<(u64, u64)>,
}

impl Entries for Read<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("sizes", self.sizes)?;
        object.serialize_entry("place", &self.place)
    }
}

/// Positions in the file of the first byte, and of the byte after the last, of an element or of all data of a section
/// that is not compressed.
fn place_in_file(section: &Section, sizes: &[u64], element: Option<u64>) -> Result<(u64, u64), JsValue> {
    let place = match element {
        None => section.data_length().or_else(|| sum(sizes)).map(|length| 0..length),
        Some(element) => Some(place_of(section, sizes, element).ok_or_else(|| no_element(element))?),
    };
    let begin = section.data_offset();
    let absolute = begin
        .zip(place)
        .and_then(|(begin, place)| Some((begin.checked_add(place.start)?, begin.checked_add(place.end)?)));
    absolute.ok_or_else(|| Failure::request("the section is longer than a file can be"))
}

fn no_element(element: u64) -> JsValue {
    Failure::request(&format!("no element {element} in the section"))
}

/// The part of the data that is passed to the sink.
struct Data<'s> {
    element: Option<u64>,
    /// Range of the element in the data, once it is known.
    place: Option<Range<u64>>,
    /// Number of bytes that have been read.
    at: u64,
    sink: &'s JsSink,
}

impl Data<'_> {
    fn put(&mut self, bytes: &[u8], section: Option<&Section>, sizes: &[u64]) -> Result<(), JsValue> {
        let wanted = match self.element {
            None => bytes,
            Some(element) => {
                if self.place.is_none() {
                    self.place = section.and_then(|section| place_of(section, sizes, element));
                }
                let place = self.place.as_ref().ok_or_else(|| no_element(element))?;
                overlap(bytes, self.at, place)
            }
        };
        self.at += bytes.len() as u64;
        if wanted.is_empty() { Ok(()) } else { self.sink.put(wanted) }
    }
}
