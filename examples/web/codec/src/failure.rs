//! Why a call failed, as JavaScript gets it.

use linkstream::Class;
#[cfg(feature = "read")]
use linkstream::{Diagnostic, Error};
use wasm_bindgen::prelude::*;

/// The values of a `LinkstreamError`.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Failure {
    pub rule: String,
    pub class: String,
    /// In the file; at most 2^53.
    pub offset: f64,
    pub message: String,
}

impl Failure {
    /// Of a file that is wrong.
    #[cfg(feature = "read")]
    pub fn of<K: Diagnostic>(error: &Error<K>) -> JsValue {
        let kind = &error.kind;
        Self::thrown(kind.rule(), kind.class(), error.at, kind.to_string())
    }

    /// Of a call that asks for what the file does not have.
    pub fn request(message: &str) -> JsValue {
        Self::thrown("invalid-request", Class::Misuse, 0, message.to_owned())
    }

    pub fn thrown(rule: &str, class: Class, offset: u64, message: String) -> JsValue {
        let (rule, class) = (rule.to_owned(), class.as_str().to_owned());
        Self { rule, class, offset: offset as f64, message }.into()
    }
}
