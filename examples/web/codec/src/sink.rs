//! Where data go that are read: a JavaScript object that takes them piece by piece.

use linkstream_report::json::{Entries, Object};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

#[wasm_bindgen]
extern "C" {
    #[derive(Debug)]
    pub type JsSink;

    /// Pieces of so many bytes in all follow; they hold numbers of this type.
    #[wasm_bindgen(method, catch)]
    pub fn begin(this: &JsSink, number_type: &str, bytes: f64) -> Result<(), JsValue>;

    /// The next bytes, which are valid until this returns.
    #[wasm_bindgen(method, catch)]
    pub fn put(this: &JsSink, bytes: &[u8]) -> Result<(), JsValue>;

    /// An event as JSON.
    #[wasm_bindgen(method, catch)]
    pub fn event(this: &JsSink, json: &str) -> Result<(), JsValue>;
}

impl JsSink {
    /// An event that has these entries.
    pub fn object(&self, entries: impl Entries) -> Result<(), JsValue> {
        let json = serde_json::to_string(&Object(entries));
        self.event(&json.map_err(|error| Failure::request(&error.to_string()))?)
    }
}
