//! Reading the documents: their bytes pass as payload and are understood on the way.

use super::decoder::Decoder;
use super::event::Event;
use super::judge::Judge;
use super::record_kind::RecordKind;
use crate::error::{Diagnostic as _, Error, Severity};
use crate::field::error::{DocumentName, ErrorKind};
use crate::ildg::Format;
use crate::scidac::{PrivateFile, PrivateRecord, StoredChecksum};
use crate::step::{Decode as _, Demand, Step};
use crate::xml::{self, Document};

impl Decoder {
    /// Takes bytes of a document up to the first about which something is to be reported, and reports that when it
    /// is the first. `None` when the payload is at its end.
    pub(super) fn push_document<J: Judge>(
        &mut self,
        judge: &mut J,
        input: &[u8],
    ) -> Result<Option<Step<Event>>, Error<ErrorKind>> {
        let Demand::Skip(left) = self.lime.demand() else { return Ok(None) };
        let start = self.lime.position();
        let here = input.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let mut consumed = 0_usize;
        for byte in input.get(..here).unwrap_or_default() {
            let at = start.saturating_add(consumed as u64);
            if let Some(error) = judge.text(self, *byte, at, self.wrong(*byte, at)) {
                if consumed > 0 {
                    break;
                }
                judge.reported(&error);
                self.reading.reported |= matches!(error.kind, ErrorKind::Document(..));
                self.reading.spoilt |= error.kind.severity() >= Severity::Error;
                return self.report(0, error).map(Some);
            }
            self.take(*byte, at);
            judge.took(*byte);
            consumed = consumed.saturating_add(1);
        }
        let taken = input.get(..consumed).unwrap_or_default();
        let step = self.lime.push(taken).map_err(|error| self.lime_failed(error))?;
        Ok(Some(Step::event(step.consumed, Event::Payload)))
    }

    /// What is wrong with this byte and has not been reported.
    fn wrong(&self, byte: u8, at: u64) -> Option<Error<ErrorKind>> {
        if self.reading.reported {
            return None;
        }
        let (name, wrong) = match self.kind {
            RecordKind::PrivateFile => (DocumentName::PrivateFile, self.check(&self.file.document, byte, at)),
            RecordKind::PrivateRecord => {
                (DocumentName::PrivateRecord, self.check(&self.record.document, byte, at))
            }
            RecordKind::Format => (DocumentName::Format, self.check(&self.format.document, byte, at)),
            RecordKind::Checksum => (DocumentName::Checksum, self.check(&self.stored, byte, at)),
            RecordKind::Foreign | RecordKind::Data => return None,
        };
        wrong.map(|error| Error::new(error.at, ErrorKind::Document(name, error.kind)))
    }

    /// What the parser, or the document that gets an element by this byte, has against it.
    fn check<D: Document>(&self, document: &D, byte: u8, at: u64) -> Option<Error<xml::ErrorKind>> {
        let parser = &self.reading.parser;
        if let Err(kind) = parser.check(byte, D::ROOT, D::NAMESPACED) {
            return Some(Error::new(at, kind));
        }
        if !parser.completes_element(byte) {
            return None;
        }
        let kind = parser.deliver(&mut document.clone()).err()?;
        Some(Error::new(parser.element_at(), kind))
    }

    fn take(&mut self, byte: u8, at: u64) {
        let reading = &mut self.reading;
        reading.reported = false;
        let completes = reading.parser.completes_element(byte);
        let parser = &reading.parser;
        // What a document has against an element was reported before the byte was taken.
        let _ = match self.kind {
            RecordKind::PrivateFile if completes => parser.deliver::<PrivateFile>(&mut self.file.document),
            RecordKind::PrivateRecord if completes => {
                parser.deliver::<PrivateRecord>(&mut self.record.document)
            }
            RecordKind::Format if completes => parser.deliver::<Format>(&mut self.format.document),
            RecordKind::Checksum if completes => parser.deliver::<StoredChecksum>(&mut self.stored),
            _ => Ok(()),
        };
        reading.parser.consume(byte, at);
    }
}
