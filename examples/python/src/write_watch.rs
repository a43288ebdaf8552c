//! Progress and warnings of writing.

use std::sync::Arc;

use linkstream_access::meter::Meter;
use linkstream_access::write::{Observer, Phase, Warning};
use pyo3::prelude::*;

use crate::write_error::data_error;

/// Counts bytes that are written and read back, and collects the warnings.
pub struct Watch {
    meter: Arc<Meter>,
    warnings: Vec<Warning>,
}

impl Watch {
    pub const fn new(meter: Arc<Meter>) -> Self {
        Self { meter, warnings: Vec::new() }
    }

    /// The warnings. Some are errors if the caller has demanded it.
    pub fn judged(&mut self, unitary: bool, finite: bool) -> PyResult<Vec<String>> {
        let mut messages = Vec::new();
        for warning in self.warnings.drain(..) {
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
}

impl Observer for Watch {
    fn warn(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }

    fn phase(&mut self, _: u64) -> Phase {
        let (meter, mut last) = (self.meter.clone(), 0_u64);
        Phase::fallible(move |position| {
            meter.add(position.saturating_sub(last))?;
            last = position;
            Ok(())
        })
    }
}
