//! A decoder that selects one section and skips all others.

use linkstream::scda::{Count, Decoder, ErrorKind, Event, Section, SectionType};
use linkstream::{Decode, Demand, Error, Mode, Step};

use linkstream_report::scda::Unpacker;

/// The selection.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Number of the section in the file. A compressed section is one.
    pub section: u64,
    /// Number of the element; `None` selects all data.
    pub element: Option<u64>,
    /// True if compressed data stay compressed.
    pub packed: bool,
}

/// An event of the picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// Nothing of the selection.
    Nothing,
    /// Number of selected bytes at the front of the bytes consumed by this step.
    Bytes(usize),
    /// A part of the selected element has been unpacked.
    Unpacked,
    /// The section has this many elements; the selected one is not among them.
    NoElement(Count),
    /// The section has this type, which has no elements.
    NoArray(SectionType),
    /// The selection is complete.
    Done,
}

/// The position of the selection in the current section.
#[derive(Debug, Clone, Copy)]
enum Place {
    Nothing,
    All,
    /// An element with a size of its own. Its position is known once the sizes of the `left` elements before it have
    /// been read.
    Sizes {
        left: u64,
        before: u64,
    },
    /// A number of bytes after `before` others.
    Bytes {
        before: u64,
        length: u64,
    },
    /// An element that is decompressed.
    Element(u64),
    Done,
}

/// Reads sections, and passes over all but the selected one.
pub struct Picker {
    sections: Box<Unpacker>,
    wanted: Wanted,
    /// Number of sections begun.
    count: u64,
    place: Place,
    /// Number and size of the elements, if all of an array are selected.
    array: Option<[Count; 2]>,
}

impl Picker {
    /// A picker that reads in `mode`, which is not strict: padding may contain anything.
    pub fn new(wanted: Wanted, mode: Mode) -> Self {
        // The texts of a compressed section can be read although they cannot be decompressed.
        let mode = if wanted.packed && mode != Mode::Strict { Mode::Survey } else { mode };
        let sections = Box::new(Unpacker::new(Decoder::new(mode, true)));
        Self { sections, wanted, count: 0, place: Place::Nothing, array: None }
    }

    /// Number and size of the elements, if the selection was all elements of an array.
    pub const fn array(&self) -> Option<[Count; 2]> {
        self.array
    }

    /// The part of the element that the last step unpacked.
    pub fn unpacked(&self) -> &[u8] {
        self.sections.bytes()
    }

    /// Number of sections read so far.
    pub const fn sections(&self) -> u64 {
        self.count
    }

    fn note(&mut self, consumed: usize, event: Event) -> Pick {
        match event {
            Event::Section(section) => {
                self.count += 1;
                let is_wanted = self.count - 1 == self.wanted.section;
                if section.is_compressed() && (!is_wanted || self.wanted.packed) {
                    self.sections.leave_packed();
                }
                if is_wanted { self.begin(&section) } else { Pick::Nothing }
            }
            // Of a compressed section, these precede its event, and the sizes of its texts follow.
            Event::Size(size) | Event::TextSize(size) => self.size(size),
            Event::Data | Event::Text => self.data(consumed),
            Event::Element(element) => match self.place {
                Place::Element(wanted) if wanted == element.index => {
                    if element.is_complete() {
                        self.place = Place::Done;
                    }
                    Pick::Unpacked
                }
                Place::All => Pick::Unpacked,
                _ => Pick::Nothing,
            },
            Event::End => {
                if self.count > self.wanted.section {
                    self.place = Place::Done;
                }
                Pick::Nothing
            }
            _ => Pick::Nothing,
        }
    }

    fn begin(&mut self, section: &Section) -> Pick {
        let section_type = section.section_type;
        let is_text = section.is_compressed() && self.wanted.packed;
        let Some(element) = self.wanted.element else {
            self.place = Place::All;
            let is_array = section_type == SectionType::Array && !is_text;
            self.array = is_array.then_some([section.n, section.e]);
            return Pick::Nothing;
        };
        if !matches!(section_type, SectionType::Array | SectionType::Varray) {
            return Pick::NoArray(section_type);
        }
        if u128::from(element) >= section.n.get() {
            return Pick::NoElement(section.n);
        }
        self.place = if section.is_compressed() && !is_text {
            Place::Element(element)
        } else if section_type == SectionType::Varray || is_text {
            Place::Sizes { left: element, before: 0 }
        } else {
            // The total length of all elements fits in 64 bits.
            let length = section.e.to_u64().unwrap_or(0);
            Place::bytes(element * length, length)
        };
        Pick::Nothing
    }

    fn size(&mut self, size: u64) -> Pick {
        if let Place::Sizes { left, before } = self.place {
            self.place = match left.checked_sub(1) {
                Some(left) => Place::Sizes { left, before: before + size },
                None => Place::bytes(before, size),
            };
        }
        Pick::Nothing
    }

    fn data(&mut self, consumed: usize) -> Pick {
        match self.place {
            Place::All => Pick::Bytes(consumed),
            Place::Bytes { before: 0, length } => {
                let n = usize::try_from(length).unwrap_or(usize::MAX).min(consumed);
                self.place = Place::bytes(0, length - n as u64);
                Pick::Bytes(n)
            }
            _ => {
                self.pass(consumed as u64);
                Pick::Nothing
            }
        }
    }

    /// Counts `n` skipped bytes.
    const fn pass(&mut self, n: u64) {
        if let Place::Bytes { before, .. } = &mut self.place {
            *before = before.saturating_sub(n);
        }
    }
}

impl Place {
    const fn bytes(before: u64, length: u64) -> Self {
        if length == 0 { Self::Done } else { Self::Bytes { before, length } }
    }
}

impl Decode for Picker {
    type Event = Pick;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Pick>, Error<ErrorKind>> {
        let input = match (self.place, self.sections.demand()) {
            (Place::Done, _) => return Ok(Step { consumed: 0, event: Some(Pick::Done) }),
            (Place::Bytes { before, .. }, Demand::Skip(_)) if before > 0 => {
                let n = usize::try_from(before).unwrap_or(usize::MAX).min(input.len());
                &input[..n]
            }
            _ => input,
        };
        let Step { consumed, event } = self.sections.push(input)?;
        Ok(Step { consumed, event: event.map(|event| self.note(consumed, event)) })
    }

    fn finish(&mut self) -> Result<Option<Pick>, Error<ErrorKind>> {
        if matches!(self.place, Place::Done) {
            return Ok(Some(Pick::Done));
        }
        Ok(self.sections.finish()?.map(|event| self.note(0, event)))
    }

    /// Requests the bytes of the selection, and skips everything else.
    fn demand(&self) -> Demand {
        match (self.place, self.sections.demand()) {
            (Place::Done, _) => Demand::Bytes(0),
            (Place::Bytes { before, .. }, Demand::Skip(left)) if before > 0 => Demand::Skip(left.min(before)),
            (Place::All | Place::Bytes { .. } | Place::Element(_), Demand::Skip(_)) => Demand::Bytes(1),
            (_, demand) => demand,
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.sections.skip(n)?;
        self.pass(n);
        Ok(())
    }

    fn position(&self) -> u64 {
        self.sections.position()
    }
}
