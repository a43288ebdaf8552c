//! Checks that hold for every decoder: the contract of `linkstream::Decode`, and that the result does not depend on how
//! the input is divided.

use core::fmt::Debug;

use linkstream::contract;
use linkstream::io::{ReadError, Reader};
use linkstream::{Decode, Demand, Diagnostic, Error};

use crate::Dice;
use crate::source::Trickle;

/// A decoder that can be saved and loaded, with what the checks need to know about its events.
pub trait Checked: Decode<Event: PartialEq + Debug, ErrorKind: Diagnostic> {
    fn is_payload(event: &Self::Event) -> bool;

    /// The error of an event that is a finding.
    fn finding(event: &Self::Event) -> Option<Error<Self::ErrorKind>>;

    /// The event without the parts that are only known if the payload was read.
    fn without_payload(event: &Self::Event) -> Self::Event {
        *event
    }

    /// True if this error can only be found by reading the payload.
    fn is_about_payload(_: &Self::ErrorKind) -> bool {
        false
    }

    /// Saves and loads the decoder. A decoder that has failed cannot be saved and returns its error.
    fn through_bytes(&self) -> Result<Self, Error<Self::ErrorKind>>
    where
        Self: Sized;
}

/// The output of a decoder, in a form that does not depend on how the file was divided.
#[derive(Debug, PartialEq)]
pub struct Reported<E, K> {
    pub events: Vec<Item<E>>,
    pub end: Result<(), Error<K>>,
    pub position: u64,
}

/// An event, or a range of payload. Adjacent ranges are joined.
#[derive(Debug, Clone, PartialEq)]
pub enum Item<E> {
    Payload {
        from: u64,
        to: u64,
    },
    /// An event and the position after it.
    Event(E, u64),
}

/// Division of the input that is passed to the decoder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    Whole,
    Bytes,
    /// In pieces of at most this length, some of them empty.
    Pieces(usize),
    /// In pieces of at most this length; the decoder is saved and loaded before each of them.
    Saved(usize),
    /// In pieces of at most this length; payload is skipped where possible, sometimes only in part.
    Skipped(usize),
    /// With the pull reader and a buffer of this length.
    Pulled(usize),
    /// With the pull reader and a buffer of this length; payload is skipped by seeking.
    Sought(usize),
}

pub const WAYS: [Way; 10] = [
    Way::Bytes,
    Way::Pieces(3),
    Way::Pieces(40),
    Way::Pieces(400),
    Way::Saved(1),
    Way::Saved(40),
    Way::Skipped(40),
    Way::Pulled(1),
    Way::Pulled(64),
    Way::Sought(64),
];

/// The ways for the second and third mode, to save time.
pub const FEW_WAYS: [Way; 2] = [Way::Pieces(40), Way::Sought(64)];

/// Decodes `file` as a whole and in each of these ways, checks that the output is the same, and returns it.
pub fn check<D: Checked>(
    start: impl Fn() -> D,
    file: &[u8],
    ways: &[Way],
) -> Reported<D::Event, D::ErrorKind> {
    let whole = note_event(start(), file, Way::Whole);
    for way in ways {
        // Saving and loading for every byte of a long file would take too long.
        if *way == Way::Saved(1) && file.len() > 400 {
            continue;
        }
        let reported = note_event(start(), file, *way);
        if matches!(way, Way::Skipped(_) | Way::Sought(_)) {
            same_but_for_payload::<D>(&reported, &whole);
        } else {
            assert_eq!(reported, whole, "{way:?} differs from the whole file");
        }
    }
    whole
}

/// Checks that skipping payload changes nothing but what can only be found in the payload.
fn same_but_for_payload<D: Checked>(
    skipped: &Reported<D::Event, D::ErrorKind>,
    whole: &Reported<D::Event, D::ErrorKind>,
) {
    let [mut common, expected] = [skipped, whole].map(|reported| {
        let common = |item: &Item<D::Event>| match item {
            Item::Event(event, _) if D::finding(event).is_some_and(|e| D::is_about_payload(&e.kind)) => None,
            Item::Event(event, to) => Some(Item::Event(D::without_payload(event), *to)),
            payload => Some(payload.clone()),
        };
        reported.events.iter().filter_map(common).collect::<Vec<_>>()
    });
    if whole.end.is_err_and(|error| D::is_about_payload(&error.kind)) {
        // A decoder that skipped the payload continues after this error.
        common.truncate(expected.len());
        assert_eq!(common, expected, "payload skipped, up to an error in the payload");
    } else {
        assert_eq!(common, expected, "payload skipped");
        assert_eq!((skipped.end, skipped.position), (whole.end, whole.position), "payload skipped");
    }
}

/// Checks that a more lenient mode reports the same as a stricter one, up to the error that stopped the stricter one.
/// The more lenient mode must then report this error, as a finding or as its own error.
pub fn milder<D: Checked>(
    strict: &Reported<D::Event, D::ErrorKind>,
    mild: &Reported<D::Event, D::ErrorKind>,
) {
    let Err(refused) = strict.end else {
        assert_eq!(strict, mild);
        return;
    };
    let same = strict.events.iter().zip(&mild.events).take_while(|(a, b)| a == b).count();
    assert_eq!(same, strict.events.len(), "before {refused}");
    let next = mild.events.get(same);
    let reported = matches!(next, Some(Item::Event(event, _)) if D::finding(event) == Some(refused));
    assert!(reported || mild.end == Err(refused) && next.is_none(), "{refused}, then {next:?}");
}

fn note_event<D: Checked>(decoder: D, file: &[u8], way: Way) -> Reported<D::Event, D::ErrorKind> {
    match way {
        Way::Pulled(length) => pull(decoder, file, length, false),
        Way::Sought(length) => pull(decoder, file, length, true),
        _ => push(decoder, file, way),
    }
}

fn note<D: Decode>(events: &mut Vec<Item<D::Event>>, event: D::Event, payload: bool, from: u64, to: u64) {
    match events.last_mut() {
        Some(Item::Payload { to: last, .. }) if payload && *last == from => *last = to,
        _ if payload => events.push(Item::Payload { from, to }),
        _ => events.push(Item::Event(event, to)),
    }
}

/// Adds payload that was skipped, as if it had been pushed.
fn note_skipped<E>(events: &mut Vec<Item<E>>, from: u64, to: u64) {
    match events.last_mut() {
        _ if from == to => {}
        Some(Item::Payload { to: last, .. }) if *last == from => *last = to,
        _ => events.push(Item::Payload { from, to }),
    }
}

/// Decodes with `push` and `finish`, checking the contract of each call.
fn push<D: Checked>(mut decoder: D, file: &[u8], way: Way) -> Reported<D::Event, D::ErrorKind> {
    let mut dice = Dice::from_bytes(file);
    let mut events = Vec::new();
    let mut rest = file;
    let start = decoder.position();
    while !rest.is_empty() {
        let most = match way {
            Way::Whole => rest.len(),
            Way::Bytes => 1,
            Way::Pieces(n) => dice.below(n + 1),
            Way::Saved(n) | Way::Skipped(n) => 1 + dice.below(n),
            Way::Pulled(_) | Way::Sought(_) => unreachable!("`pull` handles the reader"),
        };
        let (mut piece, later) = rest.split_at(most.min(rest.len()));
        rest = later;
        if matches!(way, Way::Saved(_)) {
            decoder = decoder.through_bytes().expect("the decoder has not failed");
        }
        // A loop with the condition at its end, so that an empty piece is pushed once.
        loop {
            if let (Way::Skipped(_), Demand::Skip(available)) = (way, decoder.demand()) {
                let most = piece.len().min(usize::try_from(available).unwrap_or(usize::MAX));
                let n = if dice.below(4) == 0 { dice.below(most + 1) } else { most } as u64;
                let from = decoder.position();
                decoder.skip(n).expect("no more than `demand` allows");
                assert_eq!(decoder.position(), from + n);
                note_skipped(&mut events, from, from + n);
                piece = &piece[n as usize..];
                if piece.is_empty() {
                    break;
                }
            }
            match step(&mut decoder, piece, &mut events) {
                Ok(consumed) => piece = &piece[consumed..],
                Err(error) => return failed(decoder, events, error),
            }
            assert_eq!(decoder.position() - start, (file.len() - rest.len() - piece.len()) as u64);
            if piece.is_empty() {
                break;
            }
        }
    }
    if matches!(way, Way::Saved(_)) {
        decoder = decoder.through_bytes().expect("the decoder has not failed");
    }
    end(decoder, events)
}

/// Calls `push` once and checks its contract.
fn step<D: Checked>(
    decoder: &mut D,
    piece: &[u8],
    events: &mut Vec<Item<D::Event>>,
) -> Result<usize, Error<D::ErrorKind>> {
    let from = decoder.position();
    let step = contract::push(decoder, piece, D::is_payload).unwrap_or_else(|breach| panic!("{breach}"))?;
    let (to, payload) = (decoder.position(), step.event.as_ref().is_some_and(D::is_payload));
    if let Some(event) = step.event {
        note::<D>(events, event, payload, from, to);
    }
    Ok(step.consumed)
}

/// Ends the input with `finish`, checking the contract of each call.
fn end<D: Checked>(mut decoder: D, mut events: Vec<Item<D::Event>>) -> Reported<D::Event, D::ErrorKind> {
    let position = decoder.position();
    loop {
        match contract::finish(&mut decoder, D::is_payload).unwrap_or_else(|breach| panic!("{breach}")) {
            Ok(Some(event)) => events.push(Item::Event(event, position)),
            Ok(None) => return Reported { events, end: Ok(()), position },
            Err(error) => return failed(decoder, events, error),
        }
    }
}

/// Checks what a decoder with an error has besides its contract. The distance from the offset of the error to the
/// position depends on the pieces that were pushed.
fn failed<D: Checked>(
    decoder: D,
    events: Vec<Item<D::Event>>,
    error: Error<D::ErrorKind>,
) -> Reported<D::Event, D::ErrorKind> {
    assert!(!error.to_string().is_empty());
    assert_eq!(decoder.through_bytes().err(), Some(error));
    Reported { events, end: Err(error), position: decoder.position() }
}

/// Decodes with the pull reader.
fn pull<D: Checked>(
    decoder: D,
    file: &[u8],
    length: usize,
    seeking: bool,
) -> Reported<D::Event, D::ErrorKind> {
    let mut buffer = vec![0; length];
    let mut events = Vec::new();
    let mut reader = Reader::new(Trickle::new(file), &mut buffer, decoder);
    let end = loop {
        let from = reader.decoder().position();
        if seeking && matches!(reader.decoder().demand(), Demand::Skip(_)) {
            reader.skip_seeking().expect("the source cannot fail");
            note_skipped(&mut events, from, reader.decoder().position());
        }
        let from = reader.decoder().position();
        match reader.next() {
            Ok(Some(event)) => {
                let to = reader.decoder().position();
                let payload = D::is_payload(&event);
                if payload {
                    assert_eq!(reader.bytes(), &file[from as usize..to as usize], "payload at {from}");
                }
                note::<D>(&mut events, event, payload, from, to);
            }
            Ok(None) => break Ok(()),
            Err(ReadError::Format(error)) => break Err(error),
            Err(other) => panic!("{other:?}"),
        }
    };
    let position = reader.decoder().position();
    Reported { events, end, position }
}
