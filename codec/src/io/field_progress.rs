//! What the readers of fields remember of past events.

use crate::error::Error;
use crate::field::{ErrorKind, Event, Verdict};

/// How far the present field has been read, and what was found on the way.
#[derive(Debug)]
pub(super) struct Progress {
    /// Something was done with the data.
    pub(super) touched: bool,
    pub(super) verdict: Option<Verdict>,
    /// How many findings there were in the file, and the first of them.
    pub(super) findings: u64,
    pub(super) finding: Option<Error<ErrorKind>>,
}

impl Progress {
    pub(super) const fn new() -> Self {
        Self { touched: false, verdict: None, findings: 0, finding: None }
    }

    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::Field => (self.touched, self.verdict) = (false, None),
            Event::Verdict(verdict) => self.verdict = Some(*verdict),
            Event::Finding(error) => {
                self.findings = self.findings.saturating_add(1);
                self.finding = self.finding.or(Some(*error));
            }
            _ => {}
        }
    }
}

pub(super) fn is_field(event: &Event) -> bool {
    matches!(event, Event::Field)
}

pub(super) fn is_end(event: &Event) -> bool {
    matches!(event, Event::FieldEnd(_))
}

pub(super) fn is_verdict(event: &Event) -> bool {
    matches!(event, Event::Verdict(_))
}
