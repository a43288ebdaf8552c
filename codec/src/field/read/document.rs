//! Reading the documents: their bytes go by as payload and are understood on the way.

use super::decoder::Decoder;
use super::event::Event;
use super::record_kind::RecordKind;
use crate::error::{Diagnostic as _, Error, Severity};
use crate::field::digest::Digest;
use crate::field::error::{DocumentName, ErrorKind};
use crate::ildg;
use crate::ildg::Format;
use crate::scidac::{PrivateFile, PrivateRecord, StoredChecksum};
use crate::state::saved_struct;
use crate::step::{Decode, Demand, Step};
use crate::xml::{self, Document, Parser};

/// Findings that are told about the bytes of one document: whoever gets so much wrong has been told enough.
const MAX_FINDINGS: u8 = 16;

saved_struct! {
    /// The document that is being read.
    #[derive(Debug, Clone)]
    pub(in crate::field) struct Reading {
        pub(in crate::field) parser: Parser,
        /// Something in it cannot be understood: it will describe nothing.
        pub(in crate::field) spoilt: bool,
        /// What the document has against the next byte has been told.
        reported: bool,
        /// Findings about this document that have been told.
        findings: u8,
        /// The NUL that ends the text has gone by.
        over: bool,
        /// A byte that ILDG does not allow has been told.
        byte_told: bool,
        /// Bytes of the text that are not white space.
        pub(in crate::field) length: u64,
        /// White space has gone by behind the last of them.
        blank: bool,
        /// There is white space between them.
        pub(in crate::field) gap: bool,
        /// All of those are digits, without a gap.
        pub(in crate::field) digits: bool,
        pub(in crate::field) digest: Digest,
        /// These are told once in a document.
        unknown_told: bool,
        namespace_told: bool,
    }
}

impl Reading {
    pub(in crate::field) const fn new() -> Self {
        Self {
            parser: Parser::new(),
            spoilt: false,
            reported: false,
            findings: 0,
            over: false,
            byte_told: false,
            length: 0,
            blank: false,
            gap: false,
            digits: true,
            digest: Digest::new(),
            unknown_told: false,
            namespace_told: false,
        }
    }

    /// Whether this is told: what can be said of every element is said once, and a document that describes
    /// nothing is not measured against the schema any more.
    const fn wants(&self, kind: xml::ErrorKind) -> bool {
        match kind {
            xml::ErrorKind::ElementUnknown => !self.unknown_told && !self.spoilt,
            xml::ErrorKind::NamespaceOther => !self.namespace_told && !self.spoilt,
            xml::ErrorKind::NamespaceMissing | xml::ErrorKind::ElementOrder(_) => !self.spoilt,
            _ => true,
        }
    }
}

impl Decoder {
    /// Takes bytes of a document up to the first that something is to be told about, and tells that when it
    /// is the first. `None` when the payload is at its end.
    pub(in crate::field) fn push_document(
        &mut self,
        input: &[u8],
    ) -> Result<Option<Step<Event>>, Error<ErrorKind>> {
        let Demand::Skip(left) = self.lime.demand() else { return Ok(None) };
        let start = self.lime.position();
        let here = input.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let mut consumed = 0_usize;
        for byte in input.get(..here).unwrap_or_default() {
            let at = start.wrapping_add(consumed as u64);
            if let Some(error) = self.trouble(*byte, at) {
                if consumed > 0 {
                    break;
                }
                match error.kind {
                    ErrorKind::TextByte { .. } => self.reading.byte_told = true,
                    ErrorKind::Document(_, kind) => {
                        self.reading.reported = true;
                        self.reading.unknown_told |= kind == xml::ErrorKind::ElementUnknown;
                        self.reading.namespace_told |= kind == xml::ErrorKind::NamespaceOther;
                    }
                    _ => self.reading.reported = true,
                }
                self.reading.findings = self.reading.findings.saturating_add(1);
                self.reading.spoilt |= error.kind.severity() >= Severity::Error;
                return self.report(0, error).map(Some);
            }
            self.take(*byte, at);
            consumed = consumed.saturating_add(1);
        }
        let taken = input.get(..consumed).unwrap_or_default();
        let step = self.lime.push(taken).map_err(|error| self.lime_failed(error))?;
        Ok(Some(Step::event(step.consumed, Event::Payload)))
    }

    /// The next thing that is wrong with this byte and has not been told.
    fn trouble(&self, byte: u8, at: u64) -> Option<Error<ErrorKind>> {
        let reading = &self.reading;
        if self.is_ildg_text() && !reading.over && !reading.byte_told && byte != 0 && !ildg::is_text(byte) {
            return Some(Error::new(at, ErrorKind::TextByte { found: byte }));
        }
        if reading.reported || (reading.spoilt && reading.findings >= MAX_FINDINGS) {
            return None;
        }
        let (name, wrong) = match self.role {
            RecordKind::PrivateFile => (DocumentName::PrivateFile, self.check(&self.file.document, byte, at)),
            RecordKind::PrivateRecord => {
                (DocumentName::PrivateRecord, self.check(&self.record.document, byte, at))
            }
            RecordKind::Format => (DocumentName::Format, self.check(&self.format.document, byte, at)),
            RecordKind::Checksum => (DocumentName::Checksum, self.check(&self.stored, byte, at)),
            _ => return None,
        };
        wrong.map(|error| Error::new(error.at, ErrorKind::Document(name, error.kind)))
    }

    /// What the parser, or the document that gets an element by this byte, has against it.
    fn check<D: Document>(&self, document: &D, byte: u8, at: u64) -> Option<Error<xml::ErrorKind>> {
        let parser = &self.reading.parser;
        if let Err(kind) = parser.check(byte, D::ROOT, D::NAMESPACED) {
            return self.reading.wants(kind).then(|| Error::new(at, kind));
        }
        if !parser.completes_element(byte) {
            return None;
        }
        let kind = parser.deliver(&mut document.clone()).err()?;
        self.reading.wants(kind).then(|| Error::new(parser.element_at(), kind))
    }

    fn take(&mut self, byte: u8, at: u64) {
        let reading = &mut self.reading;
        reading.reported = false;
        reading.over |= byte == 0;
        if !reading.over && byte.is_ascii_whitespace() {
            reading.blank |= reading.length > 0;
        } else if !reading.over {
            if reading.blank {
                reading.gap = true;
                reading.blank = false;
                reading.digest.push(b' ');
            }
            reading.length = reading.length.saturating_add(1);
            reading.digits &= byte.is_ascii_digit() && !reading.gap;
            reading.digest.push(byte);
        }
        let completes = reading.parser.completes_element(byte);
        let parser = &reading.parser;
        // What a document has against an element was told before the byte was taken.
        let _ = match self.role {
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

    fn is_ildg_text(&self) -> bool {
        matches!(self.role, RecordKind::Format | RecordKind::Update | RecordKind::Lfn)
    }
}
