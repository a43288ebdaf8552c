//! A decoder that selects one section and skips all others.

use linkstream::scda::logical::{self, ErrorKind, Event};
use linkstream::scda::{Count, Decoder, Event as RawEvent, Section, SectionType};
use linkstream::{Decode, Demand, Error, Mode, Step};

use linkstream_report::scda::Unpacker;

/// The selection.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Number of the section in the file.
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
    /// An element of a variable array. Its position is known once the sizes of the `left` elements before it have been
    /// read.
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

/// Reads raw sections. Only if the section before the selected one may be the first half of a compressed one, the two
/// are read as a compressed section.
pub struct Picker {
    stage: Stage,
    mode: Mode,
    wanted: Wanted,
    /// Number of sections begun.
    count: u64,
    place: Place,
    /// Number and size of the elements, if all of an array are selected.
    array: Option<[Count; 2]>,
}

enum Stage {
    Raw(Box<Decoder>),
    Logical(Box<Unpacker>),
}

impl Picker {
    /// A picker that reads in `mode`, which is not strict: padding may contain anything.
    pub fn new(wanted: Wanted, mode: Mode) -> Self {
        Self {
            stage: Stage::raw(Decoder::new(mode)),
            mode,
            wanted,
            count: 0,
            place: Place::Nothing,
            array: None,
        }
    }

    /// Number and size of the elements, if the selection was all elements of an array.
    pub const fn array(&self) -> Option<[Count; 2]> {
        self.array
    }

    /// The part of the element that the last step unpacked.
    pub fn unpacked(&self) -> &[u8] {
        match &self.stage {
            Stage::Raw(_) => &[],
            Stage::Logical(unpacker) => unpacker.bytes(),
        }
    }

    /// Number of sections read so far.
    pub const fn sections(&self) -> u64 {
        self.count
    }

    /// Handles an event of the decoder of raw sections.
    fn raw(&mut self, consumed: usize, event: RawEvent) -> Pick {
        match event {
            RawEvent::Section(section) => {
                self.count += 1;
                if self.count - 1 == self.wanted.section { self.begin(&section) } else { Pick::Nothing }
            }
            RawEvent::Size(size) => self.size(size),
            RawEvent::Data => self.data(consumed),
            RawEvent::End => self.end(),
            _ => Pick::Nothing,
        }
    }

    /// Handles an event of the decoder that combines the two halves of a compressed section.
    fn logical(&mut self, event: Event) -> Pick {
        match event {
            Event::Compressed(_) => self.count += 1,
            Event::Section(section) => {
                self.count += 1;
                if section.is_compressed() {
                    return self.begin_compressed(&section);
                }
            }
            Event::Element(element) => match self.place {
                Place::Element(wanted) if wanted == element.index => {
                    if element.is_complete() {
                        self.place = Place::Done;
                    }
                    return Pick::Unpacked;
                }
                Place::All => return Pick::Unpacked,
                _ => {}
            },
            Event::End => return self.end(),
            _ => {}
        }
        Pick::Nothing
    }

    fn begin(&mut self, section: &Section) -> Pick {
        let Some(element) = self.wanted.element else {
            self.place = Place::All;
            self.array = (section.section_type == SectionType::Array).then_some([section.n, section.e]);
            return Pick::Nothing;
        };
        let section_type = section.section_type;
        if !matches!(section_type, SectionType::Array | SectionType::Varray) {
            return Pick::NoArray(section_type);
        }
        if u128::from(element) >= section.n.get() {
            return Pick::NoElement(section.n);
        }
        self.place = if section_type == SectionType::Varray {
            Place::Sizes { left: element, before: 0 }
        } else {
            // The total length of all elements fits in 64 bits.
            let length = section.e.to_u64().unwrap_or(0);
            Place::bytes(element * length, length)
        };
        Pick::Nothing
    }

    fn begin_compressed(&mut self, section: &logical::Section) -> Pick {
        self.place = match self.wanted.element {
            None => {
                self.array = (section.section_type == SectionType::Array).then_some([section.n, section.e]);
                Place::All
            }
            Some(_) if section.section_type == SectionType::Block => {
                return Pick::NoArray(section.section_type);
            }
            Some(element) if u128::from(element) >= section.n.get() => return Pick::NoElement(section.n),
            Some(element) => Place::Element(element),
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

    fn end(&mut self) -> Pick {
        let place = self.stage.position();
        if self.count > self.wanted.section {
            self.place = Place::Done;
        } else if self.count + 1 == self.wanted.section && !self.wanted.packed {
            let sections = logical::Decoder::at(place, self.mode, true);
            self.stage = Stage::Logical(Box::new(Unpacker::new(sections)));
        } else if matches!(self.stage, Stage::Logical(_)) {
            // The section before the selected one was not a first half.
            self.stage = Stage::raw(Decoder::at(place, self.mode));
        }
        Pick::Nothing
    }
}

impl Place {
    const fn bytes(before: u64, length: u64) -> Self {
        if length == 0 { Self::Done } else { Self::Bytes { before, length } }
    }
}

impl Stage {
    fn raw(decoder: Decoder) -> Self {
        Self::Raw(Box::new(decoder))
    }

    fn position(&self) -> u64 {
        match self {
            Self::Raw(decoder) => decoder.position(),
            Self::Logical(unpacker) => unpacker.position(),
        }
    }

    fn demand(&self) -> Demand {
        match self {
            Self::Raw(decoder) => decoder.demand(),
            Self::Logical(unpacker) => unpacker.demand(),
        }
    }
}

/// Converts a finding about raw sections.
fn of_raw(error: Error<linkstream::scda::ErrorKind>) -> Error<ErrorKind> {
    Error::new(error.at, error.kind.into())
}

impl Decode for Picker {
    type Event = Pick;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Pick>, Error<ErrorKind>> {
        let input = match (self.place, self.stage.demand()) {
            (Place::Done, _) => return Ok(Step { consumed: 0, event: Some(Pick::Done) }),
            (Place::Bytes { before, .. }, Demand::Skip(_)) if before > 0 => {
                let n = usize::try_from(before).unwrap_or(usize::MAX).min(input.len());
                &input[..n]
            }
            _ => input,
        };
        match &mut self.stage {
            Stage::Raw(decoder) => {
                let Step { consumed, event } = decoder.push(input).map_err(of_raw)?;
                Ok(Step { consumed, event: event.map(|event| self.raw(consumed, event)) })
            }
            Stage::Logical(unpacker) => {
                let Step { consumed, event } = unpacker.push(input)?;
                Ok(Step { consumed, event: event.map(|event| self.logical(event)) })
            }
        }
    }

    fn finish(&mut self) -> Result<Option<Pick>, Error<ErrorKind>> {
        match (self.place, &mut self.stage) {
            (Place::Done, _) => Ok(Some(Pick::Done)),
            (_, Stage::Raw(decoder)) => Ok(decoder.finish().map_err(of_raw)?.map(|event| self.raw(0, event))),
            (_, Stage::Logical(unpacker)) => Ok(unpacker.finish()?.map(|event| self.logical(event))),
        }
    }

    /// Requests the bytes of the selection, and skips everything else.
    fn demand(&self) -> Demand {
        match (self.place, self.stage.demand()) {
            (Place::Done, _) => Demand::Bytes(0),
            (Place::Bytes { before, .. }, Demand::Skip(left)) if before > 0 => Demand::Skip(left.min(before)),
            (Place::All | Place::Bytes { .. } | Place::Element(_), Demand::Skip(_)) => Demand::Bytes(1),
            (_, demand) => demand,
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        match &mut self.stage {
            Stage::Raw(decoder) => decoder.skip(n).map_err(of_raw)?,
            Stage::Logical(unpacker) => unpacker.skip(n)?,
        }
        self.pass(n);
        Ok(())
    }

    fn position(&self) -> u64 {
        self.stage.position()
    }
}
