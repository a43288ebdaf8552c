//! A LIME file that is pushed in chunks, as they come from a network.

use linkstream::conformance::Decoder;
use linkstream::field::{Event, Verdict};
use linkstream::{CallbackError, Mode, drive, finish};
use linkstream_report::findings::Findings;
use linkstream_report::json::finding;
use linkstream_report::lime::json::record;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::sink::JsSink;

/// Decodes and verifies what is pushed.
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

    /// Passes on the events of the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8], sink: &JsSink) -> Result<(), JsValue> {
        let pushed = drive(&mut self.decoder, chunk, |event, bytes: &[u8], decoder: &Decoder| {
            pass_on(event, bytes, decoder, sink)
        });
        pushed.map(|_| ()).map_err(failure)
    }

    /// The file is at its end.
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

/// An event as JavaScript gets it: JSON, or the bytes of data.
fn pass_on(event: Event, bytes: &[u8], decoder: &Decoder, sink: &JsSink) -> Result<(), JsValue> {
    let (event_type, mut object) = match event {
        Event::Data | Event::Payload => return sink.put(bytes),
        Event::Record(header) => ("record", record(&header, decoder.record_type())),
        Event::Field => {
            let Some(field) = decoder.field() else { return Ok(()) };
            let object = json!({
                "offset": field.record.offset,
                "dims": field.extents.as_slice(),
                "precision": field.precision.map(linkstream::lattice::Precision::bits),
                "bytes_per_site": field.bytes_per_site,
                "sites": field.sites(),
            });
            ("field", object.as_object().cloned().unwrap_or_default())
        }
        Event::Verdict(verdict) => {
            let word = match verdict {
                Verdict::Match(_) => "match",
                Verdict::Mismatch(_) => "mismatch",
                _ => "absent",
            };
            ("verdict", json!({ "checksum": word }).as_object().cloned().unwrap_or_default())
        }
        Event::Finding(error) => {
            let mut findings = Findings::new(false);
            findings.add(&error);
            let found = findings.as_slice().first().map_or(Value::Null, finding);
            ("finding", found.as_object().cloned().unwrap_or_default())
        }
        _ => return Ok(()),
    };
    object.insert("event".to_owned(), event_type.into());
    sink.event(&Value::Object(object).to_string())
}
