//! Single elements of scda sections: by index, or one after the other in constant memory.

use std::iter::FusedIterator;
use std::ops::Range;

use linkstream::Decode;
use linkstream::scda::{Decoder, ErrorKind, Event, SectionType, Unpacker};
use linkstream_memory as memory;

use crate::error::Error;
use crate::section::{ELEMENT, Events, Section};
use crate::source::fill;

impl<'f> Section<'f> {
    /// The elements with these indices, in order. Elements that are compressed are decompressed, and those before the
    /// range too. Of an array that is not compressed, only the elements of the range are read; of a variable array, also
    /// the sizes of all elements.
    ///
    /// If the range includes the last element of a compressed section, the end of the section, which proves the sizes of
    /// all elements, is verified before that element is returned.
    ///
    /// # Errors
    /// The range is not inside the section, or the sizes cannot be read.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use linkstream_access::File;
    ///
    /// # use linkstream::io::{FromStd, SectionWriter};
    /// # use linkstream::scda::Style;
    /// # let mut writer = SectionWriter::create(FromStd(Vec::new()), Style::Unix);
    /// # writer.write_header(b"an example", b"greetings")?;
    /// # writer.write_varray(b"words", ["good", "morning", "all"])?;
    /// # let bytes = writer.finish()?.0;
    /// let file = File::open(Arc::new(bytes))?;
    /// let section = file.section(1)?;
    /// let words: Vec<_> = section.elements_in(1..3)?.collect::<Result<_, _>>()?;
    /// assert_eq!(words, [&b"morning"[..], b"all"]);
    /// assert_eq!(section.element(0)?, b"good");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn elements_in(&self, range: Range<u64>) -> Result<Elements<'f>, Error> {
        let count = self.elements()?;
        let outside = |index| Error::NoSuch { what: "element", index, count };
        if range.end > count {
            return Err(outside(range.end.saturating_sub(1)));
        }
        let left = range.end.checked_sub(range.start).ok_or_else(|| outside(range.start))?;
        let data = if left == 0 {
            Data::Plain { at: 0, sizes: Sizes::One(0) }
        } else {
            self.data_from(range.start)?
        };
        Ok(Elements { section: *self, left, is_last: range.end == count, data })
    }

    /// The element with this index. Elements of one section that are read in order are better read with
    /// [`elements_in`](Self::elements_in).
    ///
    /// # Errors
    /// There is no such element, or it cannot be read or is damaged.
    pub fn element(&self, index: u64) -> Result<Vec<u8>, Error> {
        let count = self.elements()?;
        let no_such = || Error::NoSuch { what: "element", index, count };
        let end = index.checked_add(1).ok_or_else(no_such)?;
        self.elements_in(index..end)?.next().ok_or_else(no_such)?
    }

    /// The data from this element on.
    fn data_from(&self, first: u64) -> Result<Data<'f>, Error> {
        if self.header().is_compressed() {
            let unpacker = Unpacker::new(self.decoder(), memory::zeroed(ELEMENT)?);
            return Ok(Data::Compressed { events: Box::new(self.events(unpacker)?), first });
        }
        let mut reader = self.events(self.decoder())?;
        if self.header().section_type != SectionType::Varray {
            self.read_to(&mut reader, |event| matches!(event, Event::Section(_)))?;
            let size = self.element_size()?;
            let before = first.checked_mul(size).ok_or_else(|| self.large())?;
            return self.plain(reader.decoder().position(), before, Sizes::One(size));
        }
        // The data follow the last size. A second reader is left at the size of the first element.
        let mut sizes = self.events(self.decoder())?;
        let mut before = 0_u64;
        for _ in 0..first {
            before = before.checked_add(self.next_size(&mut sizes)?).ok_or_else(|| self.large())?;
        }
        for _ in 0..self.elements()? {
            self.next_size(&mut reader)?;
        }
        self.plain(reader.decoder().position(), before, Sizes::Each(Box::new(sizes)))
    }

    /// Reads up to this event.
    fn read_to<D: Decode<Event = Event, ErrorKind = ErrorKind>>(
        &self,
        reader: &mut Events<'_, D>,
        is_wanted: impl Fn(&Event) -> bool,
    ) -> Result<(), Error> {
        loop {
            match reader.next()? {
                Some(event) if is_wanted(&event) => return Ok(()),
                Some(_) => {}
                None => return Err(self.broken("the section ends too early")),
            }
        }
    }

    fn plain(&self, start: u64, before: u64, sizes: Sizes<'f>) -> Result<Data<'f>, Error> {
        let at = start.checked_add(before).ok_or_else(|| self.large())?;
        Ok(Data::Plain { at, sizes })
    }
}

/// Elements of a section, returned by [`Section::elements_in`]. There is at most one of them in memory. Nothing follows
/// an error.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct Elements<'f> {
    section: Section<'f>,
    /// Number of elements that are still to be returned.
    left: u64,
    /// The range ends with the section.
    is_last: bool,
    data: Data<'f>,
}

/// Position of the next element.
enum Data<'f> {
    /// Its bytes are in the file, from this offset on.
    Plain { at: u64, sizes: Sizes<'f> },
    /// They are decompressed by this reader. Elements before the first are dropped.
    Compressed { events: Box<Events<'f, Unpacker<Vec<u8>>>>, first: u64 },
}

/// Sizes of the elements that follow.
enum Sizes<'f> {
    One(u64),
    Each(Box<Events<'f, Decoder>>),
}

impl Elements<'_> {
    /// The next element. `ends` if no other follows in the section.
    fn read(&mut self, ends: bool) -> Result<Vec<u8>, Error> {
        let section = self.section;
        match &mut self.data {
            Data::Plain { at, sizes } => {
                let size = match sizes {
                    Sizes::One(size) => *size,
                    Sizes::Each(reader) => section.next_size(reader)?,
                };
                // No memory for a claim that the file cannot satisfy.
                let length = section.source().length()?;
                let end = at.checked_add(size).filter(|end| *end <= length);
                let end = end.ok_or_else(|| section.broken("the section ends too early"))?;
                let mut element = memory::zeroed(usize::try_from(size).map_err(|_| section.large())?)?;
                fill(section.source(), *at, &mut element)?;
                *at = end;
                Ok(element)
            }
            Data::Compressed { events, first } => {
                // It grows by what is decompressed: the claimed size is not trusted.
                let mut element = Vec::new();
                loop {
                    match events.next()? {
                        Some(Event::Element(part)) if part.index >= *first => {
                            memory::extend(&mut element, events.decoder().bytes())?;
                            if part.is_complete() {
                                break;
                            }
                        }
                        Some(Event::End) | None => return Err(section.broken("the section ends too early")),
                        Some(_) => {}
                    }
                }
                if ends {
                    section.read_to(events, |event| matches!(event, Event::End))?;
                }
                Ok(element)
            }
        }
    }
}

impl Iterator for Elements<'_> {
    type Item = Result<Vec<u8>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let element = self.read(self.is_last && self.left == 0);
        if element.is_err() {
            self.left = 0;
        }
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // An error ends the elements early.
        (usize::from(self.left > 0), usize::try_from(self.left).ok())
    }
}

impl FusedIterator for Elements<'_> {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use host_tests::fixtures::Fixtures;

    use super::*;
    use crate::file::File;

    /// Longer sections, whose counts are claims, are left out.
    const MOST: u64 = 4 << 20;

    fn opened(name: &str) -> File {
        File::open(Arc::new(Fixtures::Ours.read(&format!("scda/{name}")))).expect("an intact file")
    }

    fn elements(section: &Section<'_>, range: Range<u64>) -> Vec<Vec<u8>> {
        let elements = section.elements_in(range).expect("a range of the section");
        elements.collect::<Result<_, _>>().expect("intact data")
    }

    #[test]
    fn elements_are_the_parts_of_the_section() {
        let mut compressed = 0;
        for name in [
            "arrays-f64.scda",
            "arrays-0-40.scda",
            "inline.scda",
            "blocks-0-40.scda",
            "varrays.scda",
            "varrays-0-40.scda",
            "mime-varrays.scda",
            "mixed-all.scda",
            "compressed-arrays.scda",
            "compressed-blocks.scda",
            "compressed-varrays.scda",
            "compressed-large.scda",
        ] {
            let file = opened(name);
            for index in 0..file.sections().len() {
                let section = file.section(index).expect("it exists");
                let (count, bytes) = (section.elements().expect("few"), section.bytes().expect("few"));
                if count > 1000 || bytes > MOST {
                    continue;
                }
                let mut whole = vec![0; bytes as usize];
                section.read(&mut whole).expect("intact data");
                let all = elements(&section, 0..count);
                assert_eq!(all.concat(), whole, "{name}, section {index}");
                let mut sizes = Vec::new();
                let each = |size| {
                    sizes.push(size);
                    Ok(())
                };
                section.each_size(each).expect("intact sizes");
                assert_eq!(all.iter().map(|element| element.len() as u64).collect::<Vec<_>>(), sizes);
                for from in [0, count / 2, count] {
                    assert_eq!(elements(&section, from..count), all[from as usize..], "{name}, from {from}");
                    assert_eq!(elements(&section, 0..from), all[..from as usize], "{name}, to {from}");
                }
                if let Some(last) = all.last() {
                    assert_eq!(&section.element(count - 1).expect("intact data"), last, "{name}");
                }
                compressed += usize::from(section.has_checksum());
            }
        }
        assert!(compressed > 10, "{compressed}");
    }

    #[test]
    fn ranges_outside_the_section_are_refused() {
        let file = opened("varrays.scda");
        let index = (0..file.sections().len())
            .find(|index| file.section(*index).expect("it exists").elements().expect("few") > 1);
        let section = file.section(index.expect("an array")).expect("it exists");
        let count = section.elements().expect("few");
        let backwards = Range { start: 1, end: 0 };
        for range in [0..count + 1, count + 1..count + 1, backwards, u64::MAX..u64::MAX] {
            assert!(matches!(section.elements_in(range), Err(Error::NoSuch { what: "element", .. })));
        }
        assert!(matches!(section.element(count), Err(Error::NoSuch { .. })));
        assert!(matches!(section.element(u64::MAX), Err(Error::NoSuch { .. })));
    }

    #[test]
    fn a_damaged_element_ends_the_elements() {
        let mut bytes = Fixtures::Ours.read("scda/compressed-varrays.scda");
        let intact = File::open(Arc::new(bytes.clone())).expect("an intact file");
        let index = (0..intact.sections().len()).find(|index| {
            let section = intact.section(*index).expect("it exists");
            section.has_checksum() && section.elements().expect("few") > 1
        });
        let index = index.expect("a compressed array");
        let offset = intact.section(index).expect("it exists").header().offset as usize;
        // The compressed data of the first element begin with `eN` in Base64, after a size and the letter z.
        let at = bytes[offset..].windows(3).position(|three| three == b"AB6").expect("an element") + offset;
        bytes[at + 8] ^= 1;
        let file = File::open(Arc::new(bytes)).expect("the data are not read");
        let section = file.section(index).expect("it exists");
        let mut elements = section.elements_in(0..2).expect("a range of the section");
        assert!(elements.next().is_some_and(|element| element.is_err()));
        assert!(elements.next().is_none());
    }
}
