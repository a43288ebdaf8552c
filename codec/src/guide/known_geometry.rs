// The lattice and the datatype are known to the program, so no document is read except the stored checksum.

use linkstream::lattice::Checksum;
use linkstream::lime::{Decoder, ErrorKind, Event};
use linkstream::{Error, Mode, drive, finish};

/// Result for a complete file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Checksum OK.
    Verified(Checksum),
    /// The data are damaged, or are other data than the program expects.
    Mismatch { stored: Checksum, computed: Checksum },
    /// Nothing shows whether the data are right.
    Unverified(Doubt),
}

/// Reason why data are not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The file has no data record.
    NoData,
    /// The data have another length than the program expects.
    OtherLength,
    /// The file has more than one data record.
    SeveralFields,
    /// The file has no `scidac-checksum`.
    NoChecksum,
    /// The file has more than one `scidac-checksum`.
    SeveralChecksums,
    /// The `scidac-checksum` is not as QIO writes it, or lacks a sum.
    Malformed,
}

/// Verifies a file with one field, whose sites have `SITE` bytes each.
pub struct Verifier<const SITE: usize> {
    lime: Decoder,
    content: Content<SITE>,
}

impl<const SITE: usize> Verifier<SITE> {
    /// For a field of this number of sites.
    pub const fn new(sites: u64) -> Self {
        Self { lime: Decoder::new(Mode::Strict), content: Content::new(sites) }
    }

    /// Takes the next block, of any length.
    pub fn block(&mut self, bytes: &[u8]) -> Result<(), Error<ErrorKind>> {
        let Self { lime, content } = self;
        drive(lime, bytes, |event, bytes, lime| content.take(event, bytes, lime.record_type()))?;
        Ok(())
    }

    /// Ends the file. It is an error if it is truncated inside a record.
    pub fn end(&mut self) -> Result<Outcome, Error<ErrorKind>> {
        let Self { lime, content } = self;
        finish(lime, |event, bytes, lime| content.take(event, bytes, lime.record_type()))?;
        Ok(content.outcome())
    }
}

/// The record that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Other,
    Data,
    Sums,
}

/// The longest checksum document: QIO writes at most 136 bytes.
const DOCUMENT: usize = 256;

struct Content<const SITE: usize> {
    phase: Phase,
    sites: u64,
    has_data: bool,
    rank: u64,
    site: [u8; SITE],
    filled: usize,
    computed: Checksum,
    document: [u8; DOCUMENT],
    length: usize,
    /// A `scidac-checksum` has come; its sums, if it has both.
    stored: Option<Option<Checksum>>,
    doubt: Option<Doubt>,
}

impl<const SITE: usize> Content<SITE> {
    const fn new(sites: u64) -> Self {
        Self {
            phase: Phase::Other,
            sites,
            has_data: false,
            rank: 0,
            site: [0; SITE],
            filled: 0,
            computed: Checksum { suma: 0, sumb: 0 },
            document: [0; DOCUMENT],
            length: 0,
            stored: None,
            doubt: None,
        }
    }

    fn take(&mut self, event: Event, bytes: &[u8], record_type: &[u8]) {
        match event {
            Event::Record(record) => {
                self.phase = Phase::Other;
                if record_type == b"ildg-binary-data" || record_type == b"scidac-binary-data" {
                    self.phase = Phase::Data;
                    if self.has_data {
                        self.doubt = Some(Doubt::SeveralFields);
                    } else if Some(record.length) != self.sites.checked_mul(SITE as u64) {
                        self.doubt = Some(Doubt::OtherLength);
                    }
                    self.has_data = true;
                } else if record_type == b"scidac-checksum" {
                    if self.stored.replace(None).is_some() {
                        self.doubt = Some(Doubt::SeveralChecksums);
                    } else {
                        // Also before the data, or in a message of its own (CL2QCD): there is no other field.
                        self.phase = Phase::Sums;
                    }
                }
            }
            Event::Payload if self.doubt.is_some() => {}
            Event::Payload => match self.phase {
                Phase::Other => {}
                Phase::Data => bytes.iter().for_each(|byte| self.site_byte(*byte)),
                Phase::Sums => bytes.iter().for_each(|byte| self.document_byte(*byte)),
            },
            Event::End if self.phase == Phase::Sums => {
                self.stored = Some(self.document.get(..self.length).and_then(sums));
            }
            _ => {}
        }
    }

    fn site_byte(&mut self, byte: u8) {
        if let Some(place) = self.site.get_mut(self.filled) {
            *place = byte;
            self.filled += 1;
        }
        if self.filled == SITE {
            self.computed.add(self.rank, &self.site);
            self.rank = self.rank.wrapping_add(1);
            self.filled = 0;
        }
    }

    /// A document that does not fit has a length that is not a length of the buffer, so it has no sums.
    fn document_byte(&mut self, byte: u8) {
        if let Some(place) = self.document.get_mut(self.length) {
            *place = byte;
        }
        self.length = self.length.saturating_add(1);
    }

    fn outcome(&self) -> Outcome {
        let doubt = match (self.doubt, self.has_data, self.stored) {
            (Some(doubt), ..) => doubt,
            (None, false, _) => Doubt::NoData,
            (None, true, None) => Doubt::NoChecksum,
            (None, true, Some(None)) => Doubt::Malformed,
            (None, true, Some(Some(stored))) if stored == self.computed => {
                return Outcome::Verified(stored);
            }
            (None, true, Some(Some(stored))) => {
                return Outcome::Mismatch { stored, computed: self.computed };
            }
        };
        Outcome::Unverified(doubt)
    }
}

/// The sums of a `scidac-checksum`. `None` unless the document is a `scidacChecksum` of version 1.0 that has each element
/// once, without attributes and comments (QIO 2.3, section 2.1.1).
fn sums(document: &[u8]) -> Option<Checksum> {
    let mut rest = document.trim_ascii_start();
    let declarations = [&br#"<?xml version="1.0" encoding="UTF-8"?>"#[..], br#"<?xml version="1.0"?>"#];
    if let Some(after) = declarations.into_iter().find_map(|declaration| rest.strip_prefix(declaration)) {
        rest = after.trim_ascii_start();
    }
    rest = rest.strip_prefix(b"<scidacChecksum>")?;
    let mut texts = [None; 3];
    for _ in 0..texts.len() {
        let tag = rest.trim_ascii_start().strip_prefix(b"<")?;
        let mut names = [&b"version>"[..], b"suma>", b"sumb>"].into_iter().zip(&mut texts);
        let (name, slot) = names.find(|(name, _)| tag.starts_with(name))?;
        let text = tag.strip_prefix(name)?;
        let (text, end) = text.split_at_checked(text.iter().position(|byte| *byte == b'<')?)?;
        rest = end.strip_prefix(b"</")?.strip_prefix(name)?;
        if slot.replace(text.trim_ascii()).is_some() {
            return None;
        }
    }
    let after = rest.trim_ascii_start().strip_prefix(b"</scidacChecksum>")?;
    let [version, suma, sumb] = texts;
    if !after.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace()) || version != Some(b"1.0") {
        return None;
    }
    Some(Checksum { suma: hexadecimal(suma?)?, sumb: hexadecimal(sumb?)? })
}

/// A number of 1 to 8 hexadecimal digits.
fn hexadecimal(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 8 {
        return None;
    }
    text.iter().try_fold(0, |number: u32, byte| Some(number << 4 | char::from(*byte).to_digit(16)?))
}
