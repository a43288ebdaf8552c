//! Errors of calls in the form that JavaScript receives.

use linkstream::Class;
#[cfg(feature = "read")]
use linkstream::{Diagnostic, Error};
use wasm_bindgen::prelude::*;

/// The properties of a `LinkstreamError`.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Failure {
    pub rule: String,
    pub class: String,
    /// Position in the file. It is exact up to 2^53.
    pub offset: f64,
    pub message: String,
}

impl Failure {
    /// The failure to read a damaged file.
    #[cfg(feature = "read")]
    pub fn of<K: Diagnostic>(error: &Error<K>) -> JsValue {
        let kind = &error.kind;
        Self::thrown(kind.rule(), kind.class(), error.at, kind.to_string())
    }

    /// The failure of a call that requests data that the file does not have.
    pub fn request(message: &str) -> JsValue {
        Self::thrown("invalid-request", Class::Misuse, 0, message.to_owned())
    }

    /// A failure with these properties, as a value to throw.
    pub fn thrown(rule: &str, class: Class, offset: u64, message: String) -> JsValue {
        let (rule, class) = (rule.to_owned(), class.as_str().to_owned());
        Self { rule, class, offset: offset as f64, message }.into()
    }
}
