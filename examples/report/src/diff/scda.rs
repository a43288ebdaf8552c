//! Compares scda files: sections in their order, decompressed.

use embedded_io::{Read, Seek};
use linkstream::Mode;
use linkstream::io::Reader;
use linkstream::scda::{Decoder, Event, Section, SectionType};

use super::bytes::Bytes;
use super::changes::{Change, Changes};
use super::error::{DiffError, Side};
use super::input::Input;
use super::options::Options;
use super::outcome::{Comparison, Data, Outcome};
use crate::scda::{Unpacker, text, words};

const BUFFER: usize = 64 << 10;

pub fn compare<A: Read + Seek, B: Read + Seek>(
    a: &mut Input<A>,
    b: &mut Input<B>,
    options: &Options,
) -> Result<Comparison, DiffError> {
    let (mut buffer_a, mut buffer_b) = (vec![0; BUFFER], vec![0; BUFFER]);
    let mut a = Sections::new(a.source(), Side::First, &mut buffer_a);
    let mut b = Sections::new(b.source(), Side::Second, &mut buffer_b);
    let mut comparison = Comparison::default();
    for number in 0_u64.. {
        match (a.advance()?, b.advance()?) {
            (None, None) => break,
            (Some(first), Some(second)) if first == second => {
                let outcome = section(&mut a, &mut b, number, options, &mut comparison.structure)?;
                if number > 0 || !outcome.is_same() {
                    comparison.add_data(Data { name: format!("section {number}"), outcome });
                }
            }
            (first, second) => {
                let word = |section_type: Option<SectionType>| section_type.map(|t| words(t).to_owned());
                let path = format!("section {number}");
                comparison.structure.push(Change { path, a: word(first), b: word(second) });
                a.drain()?;
                b.drain()?;
            }
        }
    }
    Ok(comparison)
}

/// Compares sections of the same type.
fn section<A: Read, B: Read>(
    a: &mut Sections<'_, A>,
    b: &mut Sections<'_, B>,
    number: u64,
    options: &Options,
    structure: &mut Changes,
) -> Result<Outcome, DiffError> {
    let mut shapes = Changes::default();
    for element in 0_u64.. {
        match (a.size()?, b.size()?) {
            (None, None) => break,
            (first, second) if first == second => {}
            (first, second) => {
                let bytes = |size: Option<u64>| size.map(|size| format!("{size} bytes"));
                shapes.push(Change { path: format!("element {element}"), a: bytes(first), b: bytes(second) });
            }
        }
    }
    let (Some(first), Some(second)) = (a.section, b.section) else {
        return Ok(Outcome::Bytes(Bytes::default()));
    };
    if !options.data_only {
        structure.unless_equal(&format!("user string of section {number}"), &a.user(), &b.user());
        if first.section_type == SectionType::Header {
            structure.unless_equal("vendor string", &a.vendor(), &b.vendor());
        }
    }
    shapes.unless_equal("elements", &first.elements().get(), &second.elements().get());
    shapes.unless_equal("bytes of an element", &first.e.get(), &second.e.get());
    if !shapes.is_empty() {
        a.drain()?;
        b.drain()?;
        return Ok(Outcome::Shapes(shapes));
    }
    let mut found = Bytes::default();
    loop {
        let (here, there) = (a.bytes()?, b.bytes()?);
        let n = here.len().min(there.len());
        if n == 0 {
            break;
        }
        found.add(here.get(..n).unwrap_or(here), there.get(..n).unwrap_or(there));
        a.consume(n);
        b.consume(n);
    }
    a.drain()?;
    b.drain()?;
    Ok(Outcome::Bytes(found))
}

/// The sections of one file.
struct Sections<'b, R> {
    reader: Reader<R, &'b mut [u8], Unpacker>,
    side: Side,
    /// The next event, if it has been read but not processed yet.
    ahead: Option<Event>,
    /// Number of bytes of the current event that have been compared.
    used: usize,
    /// The current section, once its whole head has been read.
    section: Option<Section>,
}

impl<'b, R: Read> Sections<'b, R> {
    fn new(source: R, side: Side, buffer: &'b mut [u8]) -> Self {
        let unpacker = Unpacker::new(Decoder::new(Mode::Lenient, true));
        Self { reader: Reader::new(source, buffer, unpacker), side, ahead: None, used: 0, section: None }
    }

    /// The next event, which remains the next one; `None` at the end of the file.
    fn peek(&mut self) -> Result<Option<Event>, DiffError> {
        while self.ahead.is_none() {
            match self.reader.next().map_err(|error| DiffError::read(self.side, error))? {
                None => return Ok(None),
                Some(Event::Finding(_) | Event::Text | Event::TextSize(_)) => {}
                Some(event) => {
                    self.ahead = Some(event);
                    self.used = 0;
                }
            }
        }
        Ok(self.ahead)
    }

    /// Goes to the next section and returns its type.
    fn advance(&mut self) -> Result<Option<SectionType>, DiffError> {
        self.section = None;
        Ok(match self.peek()? {
            Some(Event::Compressed(section_type)) => {
                self.ahead = None;
                Some(section_type)
            }
            Some(Event::Section(section)) => Some(section.section_type),
            _ => None,
        })
    }

    /// The size of the next element. In a compressed section, the sizes are reported before the section, otherwise
    /// after it.
    fn size(&mut self) -> Result<Option<u64>, DiffError> {
        loop {
            match self.peek()? {
                Some(Event::Size(size)) => {
                    self.ahead = None;
                    return Ok(Some(size));
                }
                Some(Event::Section(section)) => {
                    self.ahead = None;
                    self.section = Some(section);
                }
                _ => return Ok(None),
            }
        }
    }

    /// The next bytes of the section; empty at its end.
    fn bytes(&mut self) -> Result<&[u8], DiffError> {
        loop {
            let length = match self.peek()? {
                Some(Event::Data) => self.reader.bytes().len(),
                Some(Event::Element(_)) => self.reader.decoder().bytes().len(),
                _ => return Ok(&[]),
            };
            if self.used < length {
                break;
            }
            self.ahead = None;
        }
        let bytes = match self.ahead {
            Some(Event::Data) => self.reader.bytes(),
            _ => self.reader.decoder().bytes(),
        };
        Ok(bytes.get(self.used..).unwrap_or_default())
    }

    const fn consume(&mut self, n: usize) {
        self.used = self.used.saturating_add(n);
    }

    /// Skips the rest of the section.
    fn drain(&mut self) -> Result<(), DiffError> {
        while let Some(event) = self.peek()? {
            self.ahead = None;
            if event == Event::End {
                break;
            }
        }
        Ok(())
    }

    fn user(&self) -> String {
        text(self.reader.decoder().sections().user())
    }

    fn vendor(&self) -> String {
        text(self.reader.decoder().sections().vendor())
    }
}
