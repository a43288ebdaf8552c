//! Decoding of a LIME file that is pushed in chunks, as a network delivers them.

use linkstream::conformance::{Decoder, Event};
use linkstream::field::{Field, Verdict};
use linkstream::lattice::Precision;
use linkstream::{CallbackError, Mode, drive, finish};
use linkstream_report::findings::Findings;
use linkstream_report::json::Entries;
use linkstream_report::lime::json::Header;
use serde::ser::SerializeMap;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::sink::JsSink;

/// Decodes and verifies the pushed bytes.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Pusher {
    decoder: Decoder,
}

#[wasm_bindgen]
impl Pusher {
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "for JavaScript")]
    pub fn new() -> Self {
        Self { decoder: Decoder::new(Mode::Survey) }
    }

    /// Decodes the next bytes of the file, and passes their events to the sink.
    pub fn push(&mut self, chunk: &[u8], sink: &JsSink) -> Result<(), JsValue> {
        let pushed = drive(&mut self.decoder, chunk, |event, bytes: &[u8], decoder: &Decoder| {
            pass_on(event, bytes, decoder, sink)
        });
        pushed.map(|_| ()).map_err(failure)
    }

    /// Ends the file, and passes the last events to the sink.
    pub fn finish(&mut self, sink: &JsSink) -> Result<(), JsValue> {
        let finished = finish(&mut self.decoder, |event, bytes: &[u8], decoder: &Decoder| {
            pass_on(event, bytes, decoder, sink)
        });
        finished.map_err(failure)
    }
}

fn failure<K: linkstream::Diagnostic>(error: CallbackError<linkstream::Error<K>, JsValue>) -> JsValue {
    match error {
        CallbackError::Callback(thrown) => thrown,
        CallbackError::Failed(error) => Failure::of(&error),
    }
}

/// Passes an event to the sink: data as bytes, other events as JSON.
fn pass_on(event: Event, bytes: &[u8], decoder: &Decoder, sink: &JsSink) -> Result<(), JsValue> {
    match event {
        Event::Data | Event::Payload => sink.put(bytes),
        Event::Record(record) => pass_on_json(
            "record",
            &Header { record: &record, record_type: decoder.content().record_type() },
            sink,
        ),
        Event::Field => {
            decoder.content().field().map_or(Ok(()), |field| pass_on_json("field", &Begun(field), sink))
        }
        Event::Verdict(verdict) => pass_on_json("checksum", &Checked(verdict), sink),
        Event::Finding(error) => {
            let mut findings = Findings::new(false);
            findings.add(&error);
            findings.as_slice().iter().try_for_each(|finding| pass_on_json("finding", finding, sink))
        }
        _ => Ok(()),
    }
}

fn pass_on_json<E: Entries>(event: &'static str, entries: &E, sink: &JsSink) -> Result<(), JsValue> {
    sink.object(Named { event, entries })
}

/// An event as JSON, with its name.
struct Named<'a, E> {
    event: &'static str,
    entries: &'a E,
}

impl<E: Entries> Entries for Named<'_, E> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        self.entries.entries(object)?;
        object.serialize_entry("event", self.event)
    }
}

/// The event of a field whose data follow.
struct Begun<'a>(&'a Field);

impl Entries for Begun<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let Self(field) = self;
        object.serialize_entry("offset", &field.record.offset)?;
        object.serialize_entry("extents", field.extents.as_slice())?;
        object.serialize_entry("precision", &field.precision.map(Precision::bits))?;
        object.serialize_entry("bytes_per_site", &field.bytes_per_site)?;
        object.serialize_entry("sites", &field.sites())
    }
}

/// The event of a field whose data are complete.
struct Checked(Verdict);

impl Entries for Checked {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let word = match self.0 {
            Verdict::Match { .. } => Some("match"),
            Verdict::Mismatch { .. } => Some("mismatch"),
            Verdict::Absent { .. } => Some("absent"),
            // There may be a checksum: its record could not be read.
            Verdict::Unchecked => None,
        };
        object.serialize_entry("checksum", &word)
    }
}
