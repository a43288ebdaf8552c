//! The output of an unpacker, in a form that does not depend on how the input was divided.

use linkstream::scda::{Decoder, ErrorKind, Event, Section, SectionType, Unpacker};
use linkstream::{Decode, Error, Mode};

/// An event. Adjacent data are joined, and so are the parts of an element. Text that is not decompressed because of an
/// error is omitted: where it begins may differ.
#[derive(Debug, PartialEq)]
pub enum Item {
    Compressed(SectionType),
    Section(Section, Vec<u8>),
    Size(u64),
    TextSize(u64),
    Data(usize),
    Element {
        index: u64,
        size: u64,
        bytes: Vec<u8>,
    },
    End,
    /// A finding, or the error that ended reading.
    Finding(Error<ErrorKind>),
}

impl Item {
    /// False for an element that was never completed, true for every other item.
    pub fn is_final(&self) -> bool {
        !matches!(self, Self::Element { size, bytes, .. } if bytes.len() as u64 != *size)
    }
}

/// Everything that is reported with a buffer of `room` bytes if the file is pushed in pieces of `piece` bytes.
pub fn reported(file: &[u8], mode: Mode, room: usize, piece: usize) -> Vec<Item> {
    let mut unpacker = Unpacker::new(Decoder::new(mode, true), vec![0xa5; room]);
    let mut items = Vec::new();
    let end = all(&mut unpacker, file, piece.max(1), &mut items);
    if let Err(error) = end {
        assert!(error.at <= unpacker.position());
        assert_eq!(unpacker.push(b"more").err(), Some(error), "errors are sticky");
        assert_eq!(unpacker.finish().err(), Some(error), "errors are sticky");
        items.push(Item::Finding(error));
    }
    items
}

fn all(
    unpacker: &mut Unpacker<Vec<u8>>,
    file: &[u8],
    piece: usize,
    items: &mut Vec<Item>,
) -> Result<(), Error<ErrorKind>> {
    for mut piece in file.chunks(piece) {
        loop {
            let from = unpacker.position();
            let step = unpacker.push(piece)?;
            assert_eq!(unpacker.position() - from, step.consumed as u64);
            piece = &piece[step.consumed..];
            let Some(event) = step.event else {
                assert!(piece.is_empty(), "input is left, but there is no event");
                break;
            };
            note_event(unpacker, event, step.consumed, items);
        }
    }
    while let Some(event) = unpacker.finish()? {
        note_event(unpacker, event, 0, items);
    }
    Ok(())
}

fn note_event(unpacker: &Unpacker<Vec<u8>>, event: Event, consumed: usize, items: &mut Vec<Item>) {
    let item = match event {
        Event::Compressed(kind) => Item::Compressed(kind),
        Event::Section(section) => Item::Section(section, unpacker.sections().user().to_vec()),
        Event::Size(size) => Item::Size(size),
        Event::TextSize(size) => Item::TextSize(size),
        Event::Data => match items.last_mut() {
            Some(Item::Data(length)) => {
                *length += consumed;
                return;
            }
            _ => Item::Data(consumed),
        },
        Event::Text => return,
        Event::Element(element) => {
            let found = unpacker.bytes();
            assert_eq!(found.len(), element.length);
            match items.last_mut() {
                Some(Item::Element { index, size, bytes }) if *index == element.index => {
                    assert_eq!((*size, bytes.len() as u64), (element.size, element.offset));
                    assert!(
                        !found.is_empty() && (bytes.len() as u64) < *size,
                        "the element was complete already"
                    );
                    bytes.extend_from_slice(found);
                    return;
                }
                _ => {
                    assert_eq!(element.offset, 0);
                    Item::Element { index: element.index, size: element.size, bytes: found.to_vec() }
                }
            }
        }
        Event::End => Item::End,
        Event::Finding(error) => Item::Finding(error),
        other => panic!("unexpected event: {other:?}"),
    };
    items.push(item);
}
