//! Verification of a file of any format that the codec reads.

use linkstream::lattice::Region;
use linkstream::sniff::{Format, Sniff, sniff};
use linkstream::{CallbackError, Decode, Diagnostic, Mode, drive, field, finish, inebin, milc, nersc, scda};

use crate::digest::Digester;

/// Contents of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Fields, matrices or sections.
    pub data: u32,
    /// Number of fields with a stored checksum that agrees.
    pub verified: u32,
    /// Harmless deviations from the format.
    pub findings: u32,
    /// The first field on a lattice.
    pub lattice: Option<Lattice>,
}

/// Place of the data of a field in the file. The sites are in lexicographic order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lattice {
    pub offset: u64,
    pub sites: u64,
    pub bytes_per_site: u64,
}

/// A range of the sites of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub offset: u64,
    pub length: u64,
    /// Number of the first site.
    pub first: u64,
    pub sites: u64,
}

impl Lattice {
    /// Range `rank` of `ranks` that differ by one site at most, the larger ones first. `None` if a range would be
    /// empty.
    pub fn part(&self, rank: u32, ranks: u32) -> Option<Part> {
        let (rank, ranks) = (u64::from(rank), u64::from(ranks));
        let (least, larger) = (self.sites.checked_div(ranks)?, self.sites.checked_rem(ranks)?);
        let sites = least.checked_add(u64::from(rank < larger))?;
        let first = least.checked_mul(rank)?.checked_add(rank.min(larger))?;
        let length = sites.checked_mul(self.bytes_per_site)?;
        let offset = first.checked_mul(self.bytes_per_site)?.checked_add(self.offset)?;
        (least > 0).then_some(Part { offset, length, first, sites })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The file does not begin like a known format.
    Unrecognised,
    /// The file breaks a rule at this offset.
    Damaged { rule: &'static str, at: u64 },
}

#[derive(Debug)]
enum Reader {
    None,
    Lime(field::Decoder),
    Scda(scda::PlainDecoder),
    Inebin(inebin::Decoder),
    Nersc(nersc::Decoder),
    Milc(milc::Decoder),
}

/// Reads a file from its beginning.
#[derive(Debug)]
pub struct Verifier {
    reader: Reader,
    facts: Facts,
    /// For the bytes that a caller wants counted.
    pub digester: Digester,
}

impl Verifier {
    pub fn new() -> Self {
        Self { reader: Reader::None, facts: Facts::default(), digester: Digester::default() }
    }

    /// Begins again with the first byte of a file.
    pub fn restart(&mut self) {
        self.reader = Reader::None;
        self.facts = Facts::default();
        self.digester = Digester::default();
    }

    /// Name of the format.
    pub const fn format(&self) -> &'static str {
        match self.reader {
            Reader::None => "none",
            Reader::Lime(_) => "lime",
            Reader::Scda(_) => "scda",
            Reader::Inebin(_) => "inebin",
            Reader::Nersc(_) => "nersc",
            Reader::Milc(_) => "milc",
        }
    }

    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Recognises a file by its first bytes, eight or more if the file has them.
    ///
    /// # Errors
    /// They belong to no known format.
    pub fn recognise(first: &[u8]) -> Result<Format, Fault> {
        match sniff(first) {
            Sniff::Is(format) => Ok(format),
            _ => Err(Fault::Unrecognised),
        }
    }

    /// Takes the next bytes of the file. The first call must have at least eight of them, if the file has.
    ///
    /// # Errors
    /// The format is not recognised, or the file is damaged.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if matches!(self.reader, Reader::None) {
            self.begin(bytes)?;
        }
        self.proceed(Some(bytes))
    }

    /// Declares the end of the file.
    ///
    /// # Errors
    /// The file is truncated, or damaged.
    pub fn finish(&mut self) -> Result<(), Fault> {
        self.proceed(None)
    }

    /// Takes bytes, or the end of the file. One function for both takes less flash than two.
    fn proceed(&mut self, bytes: Option<&[u8]>) -> Result<(), Fault> {
        let facts = &mut self.facts;
        match &mut self.reader {
            Reader::None => Err(Fault::Unrecognised),
            Reader::Lime(decoder) => proceed(decoder, bytes, |event, decoder| facts.field(event, decoder)),
            Reader::Scda(decoder) => proceed(decoder, bytes, |event, _| facts.section(event)),
            Reader::Inebin(decoder) => proceed(decoder, bytes, |event, _| facts.matrix(event)),
            Reader::Nersc(decoder) => proceed(decoder, bytes, |event, decoder| facts.archive(event, decoder)),
            Reader::Milc(decoder) => proceed(decoder, bytes, |event, _| facts.milc(event)),
        }
    }

    /// Not inlined, because the new decoder would be a part of the stack while a file is verified.
    #[inline(never)]
    fn begin(&mut self, first: &[u8]) -> Result<(), Fault> {
        const MODE: Mode = Mode::Lenient;
        self.reader = match Self::recognise(first)? {
            Format::Lime => Reader::Lime(field::Decoder::new(MODE)),
            Format::Scda => Reader::Scda(scda::PlainDecoder::new(MODE)),
            Format::Inebin => Reader::Inebin(inebin::Decoder::new(MODE)),
            Format::Nersc => Reader::Nersc(nersc::Decoder::new(MODE)),
            Format::Milc => Reader::Milc(milc::Decoder::new(MODE)),
            _ => return Err(Fault::Unrecognised),
        };
        Ok(())
    }
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

#[inline(never)]
fn fault<K: Diagnostic>(error: linkstream::Error<K>) -> Fault {
    Fault::Damaged { rule: error.kind.rule(), at: error.at }
}

fn proceed<D: Decode>(
    decoder: &mut D,
    bytes: Option<&[u8]>,
    mut each: impl FnMut(D::Event, &D),
) -> Result<(), Fault> {
    let result = match bytes {
        Some(bytes) => drive(decoder, bytes, |event, _, decoder| each(event, decoder)).map(|_| ()),
        None => finish(decoder, |event, _, decoder| each(event, decoder)),
    };
    match result {
        Ok(()) => Ok(()),
        Err(CallbackError::Failed(error)) => Err(fault(error)),
        Err(CallbackError::Callback(never)) => match never {},
    }
}

/// The functions are called at several places, and inlined at none.
impl Facts {
    #[inline(never)]
    fn field(&mut self, event: field::Event, decoder: &field::Decoder) {
        match event {
            field::Event::Field => {
                let field = decoder.field().filter(|field| field.region == Region::Lattice);
                let lattice = field.map(|field| Lattice {
                    offset: decoder.position(),
                    sites: field.sites(),
                    bytes_per_site: field.bytes_per_site,
                });
                self.lattice = self.lattice.or(lattice);
            }
            field::Event::FieldEnd(_) => self.data += 1,
            field::Event::Verdict(verdict) => self.verified += u32::from(verdict.is_match()),
            field::Event::Finding(_) => self.findings += 1,
            _ => {}
        }
    }

    #[inline(never)]
    fn section(&mut self, event: scda::Event) {
        match event {
            scda::Event::Section(_) => self.data += 1,
            scda::Event::Finding(_) => self.findings += 1,
            _ => {}
        }
    }

    #[inline(never)]
    fn matrix(&mut self, event: inebin::Event) {
        match event {
            inebin::Event::Header(_) => self.data += 1,
            inebin::Event::Finding(_) => self.findings += 1,
            _ => {}
        }
    }

    #[inline(never)]
    fn archive(&mut self, event: nersc::Event, decoder: &nersc::Decoder) {
        match event {
            nersc::Event::Header(header) => {
                self.data += 1;
                let sites = header.extents().sites();
                let bytes_per_site = header.data_length().checked_div(sites).unwrap_or(0);
                self.lattice = Some(Lattice { offset: decoder.position(), sites, bytes_per_site });
            }
            nersc::Event::Verdict(verdict) => self.verified += u32::from(verdict.is_match()),
            nersc::Event::Finding(_) => self.findings += 1,
            _ => {}
        }
    }

    #[inline(never)]
    fn milc(&mut self, event: milc::Event) {
        match event {
            milc::Event::Header(_) => self.data += 1,
            milc::Event::Verdict(verdict) => self.verified += u32::from(verdict.is_match()),
            milc::Event::Finding(_) => self.findings += 1,
            _ => {}
        }
    }
}
