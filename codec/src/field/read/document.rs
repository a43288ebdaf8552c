//! Reading the documents: their bytes pass as payload and are understood on the way.

use super::decoder::Decoder;
use super::event::Signal;
use super::judge::Judge;
use super::record_kind::RecordKind;
use crate::bytes::prefix;
use crate::counter::{Counter as _, at_most};
use crate::error::{Error, Severity};
use crate::failed::Stopped;
use crate::field::error::{DocumentName, ErrorKind};
use crate::frame::Frame as _;
use crate::step::{Decode as _, Demand, Step};
use crate::xml::{Document, Found, Parser, Scope, Unjudged};

impl Decoder {
    /// Takes bytes of a document up to the first about which something is to be reported, and reports that when it
    /// is the first. `None` when the payload is at its end.
    pub(super) fn take_document<J: Judge>(
        &mut self,
        judge: &mut J,
        input: &[u8],
    ) -> Result<Option<Step<Signal>>, Stopped> {
        let Demand::Skip(left) = self.lime.demand() else { return Ok(None) };
        let start = self.lime.position();
        let mut consumed = 0_usize;
        for byte in prefix(input, at_most(left, input.len())) {
            let at = start.saturating_add(consumed as u64);
            if !self.reading.ahead {
                self.reading.found = self.understand::<J>(*byte, at);
                self.reading.ahead = true;
            }
            if let Some(error) = judge.text(self, *byte, at) {
                if consumed > 0 {
                    break;
                }
                judge.reported(&error);
                if matches!(error.kind, ErrorKind::Document(..)) {
                    self.reading.found = Found::Nothing;
                }
                self.reading.spoilt |= J::severity(&error) >= Severity::Error;
                let event = self.report::<J>(error)?;
                return Ok(Some(Step { consumed: 0, event }));
            }
            self.reading.ahead = false;
            judge.took(*byte);
            consumed.increase(1);
        }
        let consumed = self.lime.advance(prefix(input, consumed))?.consumed;
        Ok(Some(Step::event(consumed, Signal::Payload)))
    }

    /// Gives the byte to the parser, and the element that it completes to the document.
    fn understand<J: Judge>(&mut self, byte: u8, at: u64) -> Found {
        let document: &mut dyn Document = match self.kind {
            RecordKind::PrivateFile => &mut self.file.document,
            RecordKind::PrivateRecord => &mut self.record.document,
            RecordKind::Format => &mut self.format.document,
            RecordKind::Checksum => &mut self.stored,
            RecordKind::Foreign | RecordKind::Data => return Found::Nothing,
        };
        let reading = &mut self.reading;
        if J::WATCHES {
            take(&mut reading.parser, &mut reading.names, document, byte, at)
        } else {
            take(&mut reading.parser, &mut Unjudged(&mut reading.names), document, byte, at)
        }
    }

    /// What is wrong with the byte at `at` and has not been reported.
    pub(crate) fn wrong(&self, at: u64) -> Option<Error<ErrorKind>> {
        if !self.reading.found.is_fault() {
            return None;
        }
        let (name, document) = self.document()?;
        let error = self.reading.parser.error(self.reading.found, at, document.schema());
        Some(Error::new(error.at, ErrorKind::Document(name, error.kind)))
    }

    /// The name of the document of the current record.
    pub(crate) fn document_name(&self) -> Option<DocumentName> {
        self.document().map(|(name, _)| name)
    }

    /// The document of the current record.
    pub(super) fn document(&self) -> Option<(DocumentName, &dyn Document)> {
        Some(match self.kind {
            RecordKind::PrivateFile => (DocumentName::PrivateFile, &self.file.document),
            RecordKind::PrivateRecord => (DocumentName::PrivateRecord, &self.record.document),
            RecordKind::Format => (DocumentName::Format, &self.format.document),
            RecordKind::Checksum => (DocumentName::Checksum, &self.stored),
            RecordKind::Foreign | RecordKind::Data => return None,
        })
    }
}

/// Gives a byte to the parser, and the element that it completes to the document.
fn take<S: Scope>(
    parser: &mut Parser,
    scope: &mut S,
    document: &mut dyn Document,
    byte: u8,
    at: u64,
) -> Found {
    match parser.push(byte, at, document.schema(), scope) {
        Found::Element => parser.deliver(document, scope),
        found => found,
    }
}
