//! Why a call failed, as JavaScript gets it.

use std::io;

use linkstream::{Class, Diagnostic, Error};
use linkstream_report::survey::SurveyError;
use wasm_bindgen::prelude::*;

use crate::source::failed;

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

/// What the source threw, if it did.
pub fn of_survey(error: SurveyError<io::Error>) -> JsValue {
    match error {
        SurveyError::Io(error) => failed(&error),
        other => Failure::thrown("not-read", Class::Misuse, 0, other.to_string()),
    }
}
