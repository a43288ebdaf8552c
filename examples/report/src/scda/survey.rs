//! Reads the sections of a file and records everything found in them.

use embedded_io::Read;
use linkstream::io::{NextEvent, Reader};
use linkstream::scda::{Decoder, ErrorKind, Event, Section, SectionType};
use linkstream::{Decode, Error, Mode};
use linkstream_memory as memory;

use super::contents::{Compressed, Contents, SectionEntry};
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
        match event {
            // The sizes before compression follow.
            Event::Compressed(_) => self.sizes = 0,
            Event::Section(section) => {
                pass_last(&self.contents, self.receiver)?;
                leave_out(&mut self.contents);
                self.begin(&section, sections);
            }
            Event::Size(size) => self.sizes = self.sizes.saturating_add(size.into()),
            Event::End => {
                let verified = self.unpacks && !self.damaged;
                if let Some(compressed) = self.current(sections).and_then(|entry| entry.compressed.as_mut()) {
                    compressed.verified = verified;
                }
            }
            Event::Finding(error) => self.finding(&error),
            _ => {}
        }
        let length = sections.data_length();
        if sections.stored().data_offset().is_some_and(|data| sections.position() >= data)
            && let Some(entry) = self.current(sections)
        {
            match &mut entry.compressed {
                Some(compressed) => compressed.bytes = Some(length),
                None => entry.bytes = Some(length.into()),
            }
        }
        Ok(())
    }

    /// Adds an entry. `sizes` is the sum of the element sizes of a compressed variable array, which have been read.
    fn begin(&mut self, section: &Section, sections: &Decoder) {
        if section.section_type == SectionType::Header {
            self.contents.vendor = sections.vendor().to_vec();
        }
        let entry = SectionEntry {
            section: *section,
            user: sections.user().to_vec(),
            bytes: section.is_compressed().then(|| plain_bytes(section, self.sizes)).flatten(),
            compressed: section.is_compressed().then(|| {
                Box::new(Compressed { second: section.stored().offset, bytes: None, verified: false })
            }),
        };
        memory::unwinding::push(&mut self.contents.sections, entry);
        self.damaged = false;
    }

    /// The entry of the section that is being read. `None` in the first half of a compressed section, and before the
    /// counts of a section.
    fn current(&mut self, sections: &Decoder) -> Option<&mut SectionEntry> {
        let offset = sections.stored().offset;
        self.contents.sections.last_mut().filter(|entry| entry.section.stored().offset == offset)
    }

    fn finding(&mut self, error: &Error<ErrorKind>) {
        match error.kind {
            // The scda paper permits any bytes in the padding.
            ErrorKind::Padding { .. } => self.findings.warn(error),
            kind => {
                self.damaged |= !matches!(kind, ErrorKind::PaddingTruncated { .. });
                self.findings.add(error);
            }
        }
    }
}

/// Length of the data of a compressed section before compression; `None` if it overflows.
fn plain_bytes(section: &Section, sizes: u128) -> Option<u128> {
    match section.section_type {
        SectionType::Block => Some(section.e.get()),
        SectionType::Varray => Some(sizes),
        _ => section.n.get().checked_mul(section.e.get()),
    }
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
