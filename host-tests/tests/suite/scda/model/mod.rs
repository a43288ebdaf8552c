//! A model of the decoder of raw scda sections: a second reader in the simplest form, which works on a complete file in
//! memory and was written from sections 1 and 2 of `formats/scda-on-disk.md` and the public documentation of
//! [`ErrorKind`], [`Event`] and [`Mode`].
//!
//! The offset of an error is the offset of the letter, space, string or count in its line, of the line whose count
//! exceeds a limit, or of the padding byte; it is the end of the input if something is missing. A line or a header is
//! validated when it is complete.

mod build;
pub mod strategy;

pub use build::{Body, Plain, build, count_line, padding, sizes_of};

use host_tests::drive::{Drive, Item, Trace};
use linkstream::Resumable as _;
use linkstream::scda::{Count, ErrorKind, Event, Letter, PlainDecoder, Section, SectionType, Style};
use linkstream::{Diagnostic as _, Error, Mode};

/// The trace of an scda decoder. The note at a section is its user string, for the file header preceded by the vendor
/// string.
pub type ScdaTrace = Trace<Event, ErrorKind>;

pub const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];
pub const STYLES: [Style; 2] = [Style::Unix, Style::Mime];

/// A harness for raw sections. The valid padding depends on the last byte of the data; if that was not read, both
/// are accepted.
pub fn drive<'a>(decoder: &'a PlainDecoder, input: &'a [u8]) -> Drive<'a, PlainDecoder> {
    Drive::new(decoder, input, |event| matches!(event, Event::Data)).noting(note).unseen(
        |event| match event {
            Event::Finding(Error { kind: ErrorKind::Padding { .. }, .. }) => None,
            other => Some(other),
        },
    )
}

fn note(decoder: &PlainDecoder, event: &Event) -> Vec<u8> {
    match event {
        Event::Section(section) => {
            assert_eq!(*section, decoder.section());
            let is_varray = section.section_type == SectionType::Varray;
            let length = if is_varray { Some(0) } else { section.data_length() };
            assert_eq!(
                Some(decoder.data_length()),
                length,
                "the length of a variable array is known only after its sizes"
            );
            let vendor = if section.offset == 0 { decoder.vendor() } else { b"" };
            [decoder.user(), vendor].concat()
        }
        Event::End => decoder.user().to_vec(),
        _ => Vec::new(),
    }
}

/// A decoder, saved and restored.
pub fn restored(decoder: PlainDecoder) -> PlainDecoder {
    let saved = decoder.save().expect("a decoder without an error can be saved");
    PlainDecoder::load(&saved).expect("what was saved can be loaded")
}

/// Every byte, except inside data, where the decoder only counts: there each 997th.
pub fn relevant_cuts(bytes: &[u8]) -> Vec<usize> {
    let mut counted = vec![false; bytes.len() + 1];
    for item in expected(bytes, Mode::Survey).items {
        if let Item::Payload { offset, length, .. } = item {
            let (from, to) = (offset as usize + 8, (offset + length) as usize);
            (from..to.saturating_sub(8)).filter(|at| at % 997 != 0).for_each(|at| counted[at] = true);
        }
    }
    (1..bytes.len()).filter(|at| !counted[*at]).collect()
}

/// The expected trace of a file.
pub fn expected(bytes: &[u8], mode: Mode) -> ScdaTrace {
    expected_from(bytes, 0, mode)
}

/// The expected trace of the rest of a file from `base` on, where a section begins.
pub fn expected_from(bytes: &[u8], base: u64, mode: Mode) -> ScdaTrace {
    let trace = Trace { items: Vec::new(), end: Ok(()), position: base };
    let mut model = Model { bytes, base, at: 0, mode, trace };
    model.trace.end = model.file();
    model.trace.position = model.position();
    model.trace
}

struct Model<'a> {
    bytes: &'a [u8],
    base: u64,
    /// Position in `bytes`. Its offset in the file is `base` plus this.
    at: usize,
    mode: Mode,
    trace: ScdaTrace,
}

type Reported<T> = Result<T, Error<ErrorKind>>;

fn wrong<T>(at: u64, kind: ErrorKind) -> Reported<T> {
    Err(Error::new(at, kind))
}

impl<'a> Model<'a> {
    fn position(&self) -> u64 {
        self.base + self.at as u64
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn note_event(&mut self, event: Event, note: Vec<u8>) {
        self.trace.items.push(Item::Event { event, after: self.position(), note });
    }

    fn refuse_or_report(&mut self, at: u64, kind: ErrorKind) -> Reported<()> {
        if self.mode.refuses(kind.severity()) {
            return wrong(at, kind);
        }
        self.note_event(Event::Finding(Error::new(at, kind)), Vec::new());
        Ok(())
    }

    /// The next `n` bytes, or the remaining ones as an error if there are fewer.
    fn take(&mut self, n: usize) -> Result<&'a [u8], &'a [u8]> {
        let rest = self.rest();
        let n_there = n.min(rest.len());
        self.at += n_there;
        if n_there == n { Ok(&rest[..n]) } else { Err(rest) }
    }

    fn file(&mut self) -> Reported<()> {
        if self.base == 0 {
            self.opening()?;
            self.section()?;
        }
        while !self.rest().is_empty() {
            self.section()?;
        }
        Ok(())
    }

    fn opening(&mut self) -> Reported<()> {
        let line = match self.take(32) {
            Ok(line) => line,
            Err(line) => {
                let mut found = [0; 7];
                let n = line.len().min(7);
                found[..n].copy_from_slice(&line[..n]);
                let version = version(&found);
                return if !b"scdat".starts_with(&line[..n.min(5)]) || n == 7 && version.is_none() {
                    wrong(0, ErrorKind::Magic { found })
                } else {
                    wrong(self.position(), ErrorKind::HeadTruncated { have: line.len() as u8, of: 128 })
                };
            }
        };
        let found: [u8; 7] = line[..7].try_into().expect("7 bytes");
        match version(&found) {
            Some(0xa0) => {}
            Some(found) => return wrong(0, ErrorKind::Version { found }),
            None => return wrong(0, ErrorKind::Magic { found }),
        }
        if line[7] != b' ' {
            return wrong(7, ErrorKind::NoSpace { found: line[7] });
        }
        if content(&line[8..]).is_none() {
            return wrong(8, ErrorKind::Vendor);
        }
        Ok(())
    }

    fn section(&mut self) -> Reported<()> {
        let offset = self.position();
        let is_first = offset == 32;
        let head = match self.take(64) {
            Ok(head) => head,
            Err(part) => {
                let have = part.len() as u8;
                return if is_first {
                    wrong(self.position(), ErrorKind::HeadTruncated { have: have + 32, of: 128 })
                } else if b"FIBAV".contains(&part[0]) {
                    wrong(self.position(), ErrorKind::HeadTruncated { have, of: 64 })
                } else {
                    // Bytes that cannot begin a section are an error even if the section is incomplete.
                    wrong(offset, ErrorKind::SectionLetter { found: part[0] })
                };
            }
        };
        let section_type = match (head[0], is_first) {
            (b'F', true) => SectionType::Header,
            (b'F', false) => return wrong(offset, ErrorKind::SecondHeader),
            (b'I', false) => SectionType::Inline,
            (b'B', false) => SectionType::Block,
            (b'A', false) => SectionType::Array,
            (b'V', false) => SectionType::Varray,
            (found, _) => return wrong(offset, ErrorKind::SectionLetter { found }),
        };
        if head[1] != b' ' {
            return wrong(offset + 1, ErrorKind::NoSpace { found: head[1] });
        }
        let Some(user) = content(&head[2..]) else { return wrong(offset + 2, ErrorKind::User) };
        let n = if b"AV".contains(&head[0]) { self.count(Letter::N)? } else { 0 };
        let e = if b"BA".contains(&head[0]) { self.count(Letter::E)? } else { 0 };
        let length = match head[0] {
            b'F' | b'V' => Some(0),
            b'I' => Some(32),
            b'B' => Some(e),
            _ => n.checked_mul(e),
        };
        let size_lines = if head[0] == b'V' { n.checked_mul(32) } else { Some(0) };
        let size_lines = size_lines.filter(|lines| *lines <= u128::from(u64::MAX));
        let (Some(length), Some(size_lines)) = (length, size_lines) else { return self.too_long(n.max(e)) };
        let data_offset = u128::from(self.position()) + size_lines;
        if !ends_within_64_bits(data_offset, length) {
            return self.too_long(n.max(e));
        }
        let vendor = if is_first { content(&self.bytes[8..32]).unwrap_or_default() } else { b"" };
        let [n_count, e_count] = [n, e].map(|value| Count::new(value).expect("parsed"));
        let offset = if is_first { 0 } else { offset };
        let section = Section::new(offset, section_type, n_count, e_count);
        self.note_event(Event::Section(section), [user, vendor].concat());
        let mut length = length;
        if head[0] == b'V' {
            for missing in (1..=n).rev() {
                let line_at = self.position();
                if self.rest().len() < 32 {
                    self.at = self.bytes.len();
                    return wrong(self.position(), ErrorKind::SizesTruncated { missing: missing as u64 });
                }
                let size = self.count(Letter::E)?;
                length += size;
                if !ends_within_64_bits(data_offset, length) {
                    let count = Count::new(size).expect("parsed");
                    return wrong(line_at, ErrorKind::TooLong { count });
                }
                self.note_event(Event::Size(size as u64), Vec::new());
            }
        }
        self.data(section_type, user, length as u64)
    }

    fn too_long(&self, count: u128) -> Reported<()> {
        wrong(self.position() - 32, ErrorKind::TooLong { count: Count::new(count).expect("parsed") })
    }

    fn count(&mut self, letter: Letter) -> Reported<u128> {
        let at = self.position();
        let line = match self.take(32) {
            Ok(line) => line,
            Err(part) => {
                let have = part.len() as u8;
                return wrong(self.position(), ErrorKind::HeadTruncated { have, of: 32 });
            }
        };
        if line[0] != letter.byte() {
            return wrong(at, ErrorKind::Letter { expected: letter, found: line[0] });
        }
        if line[1] != b' ' {
            return wrong(at + 1, ErrorKind::NoSpace { found: line[1] });
        }
        content(&line[2..]).and_then(number).map_or_else(|| wrong(at + 2, ErrorKind::Count), Ok)
    }

    fn data(&mut self, section_type: SectionType, user: &[u8], length: u64) -> Reported<()> {
        let (start, there) = (self.position(), (self.rest().len() as u64).min(length));
        let data = self.take(there as usize).expect("they are there");
        if there > 0 {
            let crc = Some(crc32fast::hash(data));
            self.trace.items.push(Item::Payload { offset: start, length: there, crc });
        }
        if there < length {
            return wrong(self.position(), ErrorKind::DataTruncated { missing: length - there });
        }
        if section_type != SectionType::Inline {
            self.padding(data)?;
        }
        self.note_event(Event::End, user.to_vec());
        Ok(())
    }

    fn padding(&mut self, data: &[u8]) -> Reported<()> {
        let right = STYLES.map(|style| padding(style, data));
        let mut reported = false;
        for n in 0..right[0].len() {
            let Some(found) = self.rest().first() else {
                let missing = (right[0].len() - n) as u8;
                return self.refuse_or_report(self.position(), ErrorKind::PaddingTruncated { missing });
            };
            let so_far = &self.bytes[self.at - n..=self.at];
            if !reported && !right.iter().any(|right| right.starts_with(so_far)) {
                reported = true;
                self.refuse_or_report(self.position(), ErrorKind::Padding { found: *found })?;
            }
            self.at += 1;
        }
        Ok(())
    }
}

/// The version after `scdat`: two digits from a0 on.
fn version(found: &[u8; 7]) -> Option<u8> {
    let text = std::str::from_utf8(found.strip_prefix(b"scdat")?).ok()?;
    let version = (0xa0..=0xff).find(|version| format!("{version:02x}") == text)?;
    Some(version)
}

/// The content of a padded field. It is followed by a space, at least one dash, and the two bytes at the end.
fn content(field: &[u8]) -> Option<&[u8]> {
    let field = &field[..field.len() - 2];
    let dashes = field.iter().rev().take_while(|byte| **byte == b'-').count();
    if dashes == 0 { None } else { field[..field.len() - dashes].strip_suffix(b" ") }
}

/// Parses digits without leading zeros.
fn number(content: &[u8]) -> Option<u128> {
    let text = std::str::from_utf8(content).ok()?;
    let value: u128 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

fn ends_within_64_bits(data_offset: u128, length: u128) -> bool {
    let padding = padding_length(length);
    data_offset.checked_add(length).is_some_and(|end| end + padding <= u128::from(u64::MAX))
}

/// The only number from 7 to 38 whose sum with `length` is a multiple of 32.
fn padding_length(length: u128) -> u128 {
    (7..=38).find(|p| (length + p).is_multiple_of(32)).expect("there is one")
}
