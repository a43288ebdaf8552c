//! Verification of a gauge configuration or another file of a format that stores checksums: LIME, NERSC, MILC.

use core::fmt;

use linkstream::sniff::{Format, Sniff, sniff};
use linkstream::{
    CallbackError, Decode, Diagnostic, Error, Mode, Verdict, drive, field, finish, milc, nersc,
};

/// Contents of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Number of fields.
    pub fields: u32,
    /// Number of fields whose stored checksum agrees.
    pub verified: u32,
    /// Deviations that are not errors.
    pub findings: u32,
    /// The two sums of the checksum; the exclusive or of the sums of all fields if there are several.
    pub sums: [u32; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The file does not begin like one of the formats.
    Unrecognised,
    /// The file breaks a rule at this offset.
    Damaged { rule: &'static str, at: u64 },
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fields, verified, findings, sums: [a, b] } = self;
        // Data that no checksum confirms are never called verified.
        let word = if *fields > 0 && fields == verified { "verified" } else { "unverified" };
        write!(f, "{word} fields={fields} verified={verified} findings={findings} sums={a:08x},{b:08x}")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unrecognised => f.write_str("unrecognised"),
            Self::Damaged { rule, at } => write!(f, "damaged rule={rule} at={at}"),
        }
    }
}

#[derive(Debug)]
enum Reader {
    None,
    Lime(field::Decoder),
    Nersc(nersc::Decoder),
    Milc(milc::Decoder),
}

/// Takes a file from its beginning, in pieces.
#[derive(Debug)]
pub struct Verifier {
    reader: Reader,
    facts: Facts,
}

impl Verifier {
    pub const fn new() -> Self {
        Self { reader: Reader::None, facts: Facts { fields: 0, verified: 0, findings: 0, sums: [0; 2] } }
    }

    /// Begins again with the first byte of a file.
    pub fn restart(&mut self) {
        self.reader = Reader::None;
        self.facts = Facts::default();
    }

    /// Takes the next bytes of the file. The first call must have at least eight of them, if the file has.
    ///
    /// # Errors
    /// The format is not recognised, or the file is damaged.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if matches!(self.reader, Reader::None) {
            self.begin(bytes)?;
        }
        let facts = &mut self.facts;
        match &mut self.reader {
            Reader::None => Err(Fault::Unrecognised),
            Reader::Lime(decoder) => push(decoder, bytes, |event| facts.field(event)),
            Reader::Nersc(decoder) => push(decoder, bytes, |event| facts.archive(event)),
            Reader::Milc(decoder) => push(decoder, bytes, |event| facts.milc(event)),
        }
    }

    // Not a part of `push`, whose stack would otherwise hold the new decoder for the whole file.
    #[inline(never)]
    fn begin(&mut self, first: &[u8]) -> Result<(), Fault> {
        const MODE: Mode = Mode::Lenient;
        self.reader = match sniff(first) {
            Sniff::Is(Format::Lime) => Reader::Lime(field::Decoder::new(MODE)),
            Sniff::Is(Format::Nersc) => Reader::Nersc(nersc::Decoder::new(MODE)),
            Sniff::Is(Format::Milc) => Reader::Milc(milc::Decoder::new(MODE)),
            _ => return Err(Fault::Unrecognised),
        };
        Ok(())
    }

    /// Declares the end of the file.
    ///
    /// # Errors
    /// The file is truncated, or damaged.
    pub fn finish(&mut self) -> Result<Facts, Fault> {
        let facts = &mut self.facts;
        match &mut self.reader {
            Reader::None => Err(Fault::Unrecognised),
            Reader::Lime(decoder) => end(decoder, |event| facts.field(event)),
            Reader::Nersc(decoder) => end(decoder, |event| facts.archive(event)),
            Reader::Milc(decoder) => end(decoder, |event| facts.milc(event)),
        }?;
        Ok(self.facts)
    }
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

fn fault<K: Diagnostic>(error: Error<K>) -> Fault {
    Fault::Damaged { rule: error.kind.rule(), at: error.at }
}

fn push<D: Decode>(decoder: &mut D, bytes: &[u8], mut each: impl FnMut(D::Event)) -> Result<(), Fault> {
    match drive(decoder, bytes, |event, _, _| each(event)) {
        Ok(_) => Ok(()),
        Err(CallbackError::Failed(error)) => Err(fault(error)),
        Err(CallbackError::Callback(never)) => match never {},
    }
}

fn end<D: Decode>(decoder: &mut D, mut each: impl FnMut(D::Event)) -> Result<(), Fault> {
    match finish(decoder, |event, _, _| each(event)) {
        Ok(()) => Ok(()),
        Err(CallbackError::Failed(error)) => Err(fault(error)),
        Err(CallbackError::Callback(never)) => match never {},
    }
}

impl Facts {
    /// Adds the verdict on a field. `sums` converts a computed checksum.
    fn verdict<S: Copy, C: Copy>(&mut self, verdict: Verdict<S, C>, sums: impl FnOnce(C) -> [u32; 2]) {
        self.verified = self.verified.wrapping_add(u32::from(verdict.is_match()));
        let (Verdict::Match { computed, .. }
        | Verdict::Mismatch { computed, .. }
        | Verdict::Absent { computed }) = verdict
        else {
            return;
        };
        let ([a, b], [c, d]) = (self.sums, sums(computed));
        self.sums = [a ^ c, b ^ d];
    }

    fn field(&mut self, event: field::Event) {
        match event {
            field::Event::FieldEnd(_) => self.fields = self.fields.wrapping_add(1),
            field::Event::Verdict(verdict) => self.verdict(verdict, |sums| [sums.suma, sums.sumb]),
            field::Event::Finding(_) => self.findings = self.findings.wrapping_add(1),
            _ => {}
        }
    }

    fn archive(&mut self, event: nersc::Event) {
        match event {
            nersc::Event::Header(_) => self.fields = self.fields.wrapping_add(1),
            nersc::Event::Verdict(verdict) => self.verdict(verdict, |sum| [sum.value(), 0]),
            nersc::Event::Finding(_) => self.findings = self.findings.wrapping_add(1),
            _ => {}
        }
    }

    fn milc(&mut self, event: milc::Event) {
        match event {
            milc::Event::Header(_) => self.fields = self.fields.wrapping_add(1),
            milc::Event::Verdict(verdict) => self.verdict(verdict, |sums| [sums.sum29, sums.sum31]),
            milc::Event::Finding(_) => self.findings = self.findings.wrapping_add(1),
            _ => {}
        }
    }
}
