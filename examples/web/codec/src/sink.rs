//! The sink of data that are read: a JavaScript object that receives them piece by piece.

use linkstream_report::json::{Entries, Object};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

#[wasm_bindgen]
extern "C" {
    #[derive(Debug)]
    pub type JsSink;

    /// Announces pieces of numbers of this type, with this number of bytes in all. It is negative if unknown.
    #[wasm_bindgen(method, catch)]
    pub fn begin(this: &JsSink, number_type: &str, bytes: f64) -> Result<(), JsValue>;

    /// Passes the next bytes. They are valid until the function returns.
    #[wasm_bindgen(method, catch)]
    pub fn put(this: &JsSink, bytes: &[u8]) -> Result<(), JsValue>;

    /// Passes an event as JSON.
    #[wasm_bindgen(method, catch)]
    pub fn event(this: &JsSink, json: &str) -> Result<(), JsValue>;
}

impl JsSink {
    /// Passes an event with these entries.
    pub fn object(&self, entries: impl Entries) -> Result<(), JsValue> {
        let json = serde_json::to_string(&Object(entries));
        self.event(&json.map_err(|error| Failure::request(&error.to_string()))?)
    }
}
