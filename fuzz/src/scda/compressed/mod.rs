//! Compressed scda sections. Checks the contract of the decoder of logical sections; that elements and errors depend
//! neither on how the input is divided nor on the size of the buffer; and that zlib-rs decompresses every stream to the
//! same bytes.

mod repair;
mod reported;
mod seeds;
mod texts;

use linkstream::Resumable as _;
use linkstream::scda::{Decoder, ErrorKind, Event};
use linkstream::{Class, Diagnostic as _, Error, Mode};

use crate::Dice;
use crate::stream::{self, Checked, FEW_WAYS, WAYS};

use repair::{Made, repaired};
use reported::{Item, reported};
pub use seeds::seeds;

const WINDOW: usize = 32 << 10;
/// Size of a buffer that holds most elements of an input as a whole.
const ROOM: usize = 128 << 10;

impl Checked for Decoder {
    fn is_payload(event: &Event) -> bool {
        matches!(event, Event::Data | Event::Text)
    }

    fn finding(event: &Event) -> Option<Error<ErrorKind>> {
        match event {
            Event::Finding(finding) => Some(*finding),
            _ => None,
        }
    }

    /// The required padding depends on the last byte of the data.
    fn is_about_payload(kind: &ErrorKind) -> bool {
        // A damaged first half is found by its data.
        kind.class() == Class::Padding || matches!(kind, ErrorKind::FirstHalf)
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        Ok(Self::load(&self.save()?).expect("a saved state loads"))
    }
}

/// Checks this file, and two variants with new texts for its elements: see [`repaired`].
pub fn check(file: &[u8]) {
    let mut dice = Dice::from_bytes(file);
    let survey = stream::check(|| Decoder::new(Mode::Survey, true), file, &WAYS);
    let lenient = stream::check(|| Decoder::new(Mode::Lenient, true), file, &FEW_WAYS);
    let strict = stream::check(|| Decoder::new(Mode::Strict, true), file, &FEW_WAYS[..1]);
    stream::milder::<Decoder>(&strict, &lenient);
    stream::milder::<Decoder>(&lenient, &survey);
    unpacked(file, &mut dice);
    for as_stream in [false, true] {
        let Some((file, made)) = repaired(file, as_stream) else { continue };
        unpacked(&file, &mut dice);
        as_made(&file, &made);
    }
}

/// Checks that the file gives the same items for every size of the buffer and of the pieces; returns the
/// items.
fn unpacked(file: &[u8], dice: &mut Dice) -> Vec<Item> {
    let whole = reported(file, Mode::Survey, ROOM, file.len());
    for piece in [1, 1 + dice.below(100), 1 + dice.below(2000)] {
        assert_eq!(reported(file, Mode::Survey, ROOM, piece), whole, "pieces of {piece}");
    }
    let windowed = reported(file, Mode::Survey, WINDOW, file.len());
    let piece = 1 + dice.below(300);
    assert_eq!(reported(file, Mode::Survey, WINDOW, piece), windowed, "pieces of {piece}, with a window");
    let [a, b] = [&whole, &windowed]
        .map(|reported| reported.iter().filter(|item| item.is_final()).collect::<Vec<_>>());
    assert_eq!(a, b, "a buffer of the size of the window");
    // A small buffer is enough for small elements; larger ones are reported as a finding.
    let small = reported(file, Mode::Survey, dice.below(300), 1 + dice.below(300));
    let longer =
        small.iter().any(|item| matches!(item, Item::Finding(error) if error.kind.class() == Class::Limit));
    assert!(longer || small == whole, "a small buffer");
    whole
}

/// Checks that the elements and errors are as intended when the texts were built.
fn as_made(file: &[u8], made: &[Made]) {
    let mut items = reported(file, Mode::Lenient, ROOM, file.len()).into_iter();
    for made in made {
        let next = items.by_ref().find(|item| matches!(item, Item::Element { .. } | Item::Finding(_)));
        match (made, next) {
            (Made::Element(plain), Some(Item::Element { bytes, size, .. })) => {
                assert!(*plain == bytes && size == bytes.len() as u64, "the element differs");
            }
            // An element may be reported before the surplus bytes that follow it.
            (Made::Fault(Some(plain)), Some(Item::Element { bytes, .. })) => {
                assert!(*plain == bytes, "the element differs");
                assert!(items.any(|item| matches!(item, Item::Finding(_))), "the error is not reported");
                return;
            }
            (Made::Fault(_), Some(Item::Finding(error))) => {
                assert_eq!(error.kind.class(), Class::Decode);
                return;
            }
            (made, found) => panic!("expected {made:?}, found {found:?}"),
        }
    }
}
