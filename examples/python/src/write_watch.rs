//! Warnings of writing, as the caller wants them.

use linkstream_access::write::{Counting, Warning};
use pyo3::prelude::*;

use crate::write_error::data_error;

/// The messages of the warnings. Some are errors if the caller has demanded it.
pub fn judged(watch: &mut Counting, unitary: bool, finite: bool) -> PyResult<Vec<String>> {
    let mut messages = Vec::new();
    for warning in watch.warnings.drain(..) {
        match warning {
            Warning::ArrayNotUnitary(..) if unitary => {
                let advice =
                    "the axes or the byte order may be wrong; unitary=False writes them nevertheless";
                return Err(data_error(format!("{warning}: {advice}")));
            }
            Warning::ArrayNotUnitary(..) => {}
            Warning::ArrayNotFinite(..) | Warning::NotFinite(..) if finite => {
                let message = warning.to_string().replace("; they are kept", "");
                return Err(data_error(format!("{message}: finite=False writes them nevertheless")));
            }
            Warning::ArrayNotFinite(..) | Warning::NotFinite(..) => {}
            warning => messages.push(warning.to_string()),
        }
    }
    Ok(messages)
}
