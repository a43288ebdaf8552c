//! Reads the sections of a file and records everything found in them.

use embedded_io::Read;
use linkstream::io::{NextEvent, Reader};
use linkstream::scda::logical::{Decoder, ErrorKind, Event, Section};
use linkstream::scda::{ErrorKind as RawErrorKind, SectionType};
use linkstream::{Decode, Error, Mode};
use linkstream_memory as memory;

use super::contents::{Compressed, Contents, Half, SectionEntry};
use super::unpacker::Unpacker;
use crate::entries::{Entry, Receiver, pass};
use crate::findings::Findings;
use crate::left_out::{self, LeftOut, MAX_ENTRIES};
use crate::options::Options;
use crate::reading::{PassOver, SurveyError, or_finding};
use crate::reasons::of_section;

/// Reads to the end, or as far as the file can be read. Returns the contents, and the position that was reached.
pub fn survey<P: PassOver<R>, R: Read>(
    source: R,
    buffer: &mut [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<(Contents, u64), SurveyError<R::Error>> {
    let sections = Decoder::new(Mode::Survey, true);
    let unpacks = options.read_data;
    let found = Found {
        contents: Contents::default(),
        unpacks,
        sizes: 0,
        damaged: false,
        findings,
        receiver: options.receiver,
    };
    if options.read_data {
        let unpacker = Unpacker::new(sections);
        // The data of sections that are not compressed have no checksum.
        let next = |reader: &mut Reader<R, &mut [u8], Unpacker>, last: Option<&Event>| {
            let is_plain = matches!(last, Some(Event::Data));
            if is_plain {
                P::pass_over(reader)?
            }
            reader.next()
        };
        read(Reader::new(source, buffer, unpacker), next, Unpacker::sections, found)
    } else {
        let next = |reader: &mut Reader<R, &mut [u8], Decoder>, _: Option<&Event>| {
            P::pass_over(reader).and_then(|()| reader.next())
        };
        read(Reader::new(source, buffer, sections), next, |sections| sections, found)
    }
}

fn read<'b, R: Read, D: Decode<Event = Event, ErrorKind = ErrorKind>>(
    mut reader: Reader<R, &'b mut [u8], D>,
    mut next: impl FnMut(&mut Reader<R, &'b mut [u8], D>, Option<&Event>) -> NextEvent<D, R::Error>,
    sections: impl Fn(&D) -> &Decoder,
    mut found: Found<'_>,
) -> Result<(Contents, u64), SurveyError<R::Error>> {
    let mut last = None;
    while let Some(event) = or_finding(next(&mut reader, last.as_ref()), found.findings)? {
        found.note(sections(reader.decoder()), event)?;
        last = Some(event);
    }
    let Found { mut contents, findings, receiver, .. } = found;
    pass_last(&contents, receiver)?;
    leave_out(&mut contents);
    let LeftOut { count, first, .. } = contents.left_out;
    left_out::report("sections", contents.sections.len(), count, first, findings);
    Ok((contents, reader.decoder().position()))
}

/// Findings and contents so far.
struct Found<'f> {
    contents: Contents,
    /// Compressed sections are decompressed, and thereby verified, instead of skipped.
    unpacks: bool,
    /// Sum of the element sizes since the last first half of a compressed section.
    sizes: u128,
    /// The compression of the current section has an error.
    damaged: bool,
    findings: &'f mut Findings,
    receiver: Option<Receiver>,
}

impl Found<'_> {
    /// Records one event.
    fn note<E>(&mut self, sections: &Decoder, event: Event) -> Result<(), SurveyError<E>> {
        let Some(entry) = entry(&mut self.contents, sections, self.receiver)? else { return Ok(()) };
        match event {
            Event::Compressed(_) => {
                entry.half = Some(Half::Header);
                self.sizes = 0;
            }
            Event::Section(section) => {
                if section.is_compressed() {
                    entry.half = Some(Half::Data(Box::new(compressed(&section, self.sizes))));
                }
                self.damaged = false;
            }
            Event::Size(size) => self.sizes = self.sizes.saturating_add(size.into()),
            Event::End => {
                if let Some(Half::Data(compressed)) = &mut entry.half {
                    compressed.verified = self.unpacks && !self.damaged;
                }
            }
            Event::Finding(error) => self.finding(&error),
            _ => {}
        }
        Ok(())
    }

    fn finding(&mut self, error: &Error<ErrorKind>) {
        match error.kind {
            // The scda paper permits any bytes in the padding.
            ErrorKind::Raw(RawErrorKind::Padding { .. }) => self.findings.warn(error),
            kind => {
                self.damaged |= !matches!(kind, ErrorKind::Raw(_));
                self.findings.add(error);
            }
        }
    }
}

/// The entry of the current raw section. A new one is added if its offset differs from the offset of the last entry.
/// This misses no section, because each section causes an event before the next one begins.
fn entry<'c, E>(
    contents: &'c mut Contents,
    sections: &Decoder,
    receiver: Option<Receiver>,
) -> Result<Option<&'c mut SectionEntry>, SurveyError<E>> {
    let raw = sections.raw();
    let section = *raw.section();
    if contents.sections.last().is_none_or(|last| last.section.offset != section.offset) {
        pass_last(contents, receiver)?;
        leave_out(contents);
        if section.section_type == SectionType::Header {
            contents.vendor = raw.vendor().to_vec();
        }
        memory::unwinding::push(
            &mut contents.sections,
            SectionEntry { section, user: raw.user().to_vec(), bytes: None, half: None },
        );
    }
    let Some(entry) = contents.sections.last_mut() else { return Ok(None) };
    if section.data_offset().is_some_and(|data| raw.position() >= data) {
        entry.bytes = Some(raw.data_length());
    }
    Ok(Some(entry))
}

/// Passes the last section to the receiver. It has been read to its end.
fn pass_last<E>(contents: &Contents, receiver: Option<Receiver>) -> Result<(), SurveyError<E>> {
    contents.sections.last().map_or(Ok(()), |last| pass(receiver, &Entry::Section(last, &contents.vendor)))
}

/// Counts the last section if it is beyond the limit. It has been read to its end.
fn leave_out(contents: &mut Contents) {
    if contents.sections.len() > MAX_ENTRIES
        && let Some(entry) = contents.sections.pop()
    {
        let index = contents.left_out.after(contents.sections.len());
        contents.left_out.add(index, entry.section.offset, entry.is_verified(), of_section(&entry));
    }
}

/// The section before compression. `sizes` is the sum of the element sizes of a variable array, which have already been
/// read.
fn compressed(section: &Section, sizes: u128) -> Compressed {
    let bytes = match section.section_type {
        SectionType::Block => Some(section.e.get()),
        SectionType::Varray => Some(sizes),
        _ => section.n.get().checked_mul(section.e.get()),
    };
    Compressed { section_type: section.section_type, e: section.e, bytes, verified: false }
}
