//! What holds for every decoder: the contract of `linkstream::Decode`, and that it does not matter how the
//! input comes.

use core::fmt::Debug;

use linkstream::io::{ReadError, Reader};
use linkstream::{Class, Decode, Demand, Diagnostic, Error};

use crate::Dice;
use crate::source::Trickle;

/// A decoder that can be put away and fetched again.
pub trait Checked: Decode<Event: PartialEq + Debug, ErrorKind: Diagnostic> {
    fn is_payload(event: &Self::Event) -> bool;

    /// What an event finds wrong, if it is a finding.
    fn finding(event: &Self::Event) -> Option<Error<Self::ErrorKind>>;

    /// The event without what only those know who have seen the payload.
    fn without_payload(event: &Self::Event) -> Self::Event {
        *event
    }

    /// Whether only those can find this who have seen the payload.
    fn is_about_payload(_: &Self::ErrorKind) -> bool {
        false
    }

    /// Saved and loaded; the error of a decoder that is not saved because it has failed.
    fn through_bytes(&self) -> Result<Self, Error<Self::ErrorKind>>
    where
        Self: Sized;
}

/// What a decoder reported about a file, in a form that does not depend on how the file was cut.
#[derive(Debug, PartialEq)]
pub struct Reported<E, K> {
    pub events: Vec<Item<E>>,
    pub end: Result<(), Error<K>>,
    pub position: u64,
}

/// Neighbouring payload is taken as one.
#[derive(Debug, Clone, PartialEq)]
pub enum Item<E> {
    Payload {
        from: u64,
        to: u64,
    },
    /// With the position after it.
    Event(E, u64),
}

/// How the input comes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    Whole,
    Bytes,
    /// In pieces up to this length, now and then an empty one.
    Pieces(usize),
    /// The same, and the decoder saved and loaded at every cut.
    Saved(usize),
    /// Payload is skipped where it may be, now and then only a part of it.
    Skipped(usize),
    /// By the pull reader with a buffer of this length.
    Pulled(usize),
    /// The same, payload skipped by seeking.
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

/// For the second and third decoder of a file.
pub const FEW_WAYS: [Way; 2] = [Way::Pieces(40), Way::Sought(64)];

/// Decodes `file` in these ways and at once, demands the same each time, and returns it.
pub fn check<D: Checked>(
    start: impl Fn() -> D,
    file: &[u8],
    ways: &[Way],
) -> Reported<D::Event, D::ErrorKind> {
    let whole = note_event(start(), file, Way::Whole);
    for way in ways {
        // A saved state costs more than a byte of input.
        if *way == Way::Saved(1) && file.len() > 400 {
            continue;
        }
        let reported = note_event(start(), file, *way);
        if matches!(way, Way::Skipped(_) | Way::Sought(_)) {
            same_but_for_payload::<D>(&reported, &whole);
        } else {
            assert_eq!(reported, whole, "{way:?} against the whole file");
        }
    }
    whole
}

/// Where payload was passed over, the same is reported but for what only the payload shows.
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
        // Who has not seen the payload goes on.
        common.truncate(expected.len());
        assert_eq!(common, expected, "payload passed over, up to an error about it");
    } else {
        assert_eq!(common, expected, "payload passed over");
        assert_eq!((skipped.end, skipped.position), (whole.end, whole.position), "payload passed over");
    }
}

/// A milder mode reports the same up to where the stricter one gave up, and there the same error.
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

/// Payload that was passed over, as if it had been pushed.
fn note_skipped<E>(events: &mut Vec<Item<E>>, from: u64, to: u64) {
    match events.last_mut() {
        _ if from == to => {}
        Some(Item::Payload { to: last, .. }) if *last == from => *last = to,
        _ => events.push(Item::Payload { from, to }),
    }
}

/// The push interface, held to its contract at every step.
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
            Way::Pulled(_) | Way::Sought(_) => unreachable!("the reader has a function of its own"),
        };
        let (mut piece, later) = rest.split_at(most.min(rest.len()));
        rest = later;
        if matches!(way, Way::Saved(_)) {
            decoder = decoder.through_bytes().expect("has not failed");
        }
        // An empty piece is pushed once.
        loop {
            if let (Way::Skipped(_), Demand::Skip(available)) = (way, decoder.demand()) {
                let most = piece.len().min(usize::try_from(available).unwrap_or(usize::MAX));
                let n = if dice.below(4) == 0 { dice.below(most + 1) } else { most } as u64;
                let from = decoder.position();
                decoder.skip(n).expect("no more than was offered");
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
        decoder = decoder.through_bytes().expect("has not failed");
    }
    end(decoder, events)
}

/// One push, and what the contract says about it.
fn step<D: Checked>(
    decoder: &mut D,
    piece: &[u8],
    events: &mut Vec<Item<D::Event>>,
) -> Result<usize, Error<D::ErrorKind>> {
    let (demand, from) = (decoder.demand(), decoder.position());
    let step = decoder.push(piece)?;
    let to = decoder.position();
    assert!(step.consumed <= piece.len());
    assert_eq!(to - from, step.consumed as u64, "the position counts what is consumed");
    assert!(piece.is_empty() || step.consumed > 0 || step.event.is_some(), "no progress at {from}");
    let payload = step.event.as_ref().is_some_and(D::is_payload);
    match demand {
        Demand::Skip(available) => {
            assert!(available > 0);
            assert!(step.consumed as u64 <= available);
            assert!(payload || piece.is_empty(), "not payload where payload may be skipped, at {from}");
        }
        Demand::Bytes(0) => assert!(step.event.is_some(), "an event was said to wait at {from}"),
        Demand::Bytes(_) => {}
        Demand::End => panic!("nothing has been finished"),
    }
    assert!(!payload || step.consumed > 0, "empty payload");
    if let Some(event) = step.event {
        note::<D>(events, event, payload, from, to);
    }
    Ok(step.consumed)
}

/// The end of the input.
fn end<D: Checked>(mut decoder: D, mut events: Vec<Item<D::Event>>) -> Reported<D::Event, D::ErrorKind> {
    let position = decoder.position();
    loop {
        match decoder.finish() {
            Ok(Some(event)) => {
                assert!(!D::is_payload(&event), "payload out of nothing");
                events.push(Item::Event(event, decoder.position()));
                assert_eq!(decoder.position(), position);
            }
            Ok(None) => break,
            Err(error) => return failed(decoder, events, error),
        }
    }
    assert_eq!(decoder.demand(), Demand::End);
    assert_eq!(decoder.finish(), Ok(None));
    assert!(decoder.push(&[]).is_ok_and(|step| step.consumed == 0 && step.event.is_none()));
    assert!(decoder.push(b"more").is_err_and(|error| error.kind.class() == Class::Misuse));
    assert_eq!(decoder.finish(), Ok(None), "a misuse changes nothing");
    Reported { events, end: Ok(()), position }
}

/// Errors are sticky. Where a decoder gave up may lie after the error by as much as it happened to be given.
fn failed<D: Checked>(
    mut decoder: D,
    events: Vec<Item<D::Event>>,
    error: Error<D::ErrorKind>,
) -> Reported<D::Event, D::ErrorKind> {
    assert_ne!(error.kind.class(), Class::Misuse, "no call here is a misuse");
    assert!(!error.to_string().is_empty());
    let position = decoder.position();
    assert!(error.at <= position, "an error at {} that nobody has seen at {position}", error.at);
    assert_eq!(decoder.push(b"more").err(), Some(error));
    assert_eq!(decoder.push(&[]).err(), Some(error));
    assert_eq!(decoder.finish().err(), Some(error));
    assert_eq!(decoder.skip(0).err(), Some(error));
    assert_eq!(decoder.position(), position);
    assert_eq!(decoder.through_bytes().err(), Some(error));
    Reported { events, end: Err(error), position }
}

/// The pull reader.
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
            reader.skip_seeking().expect("cannot fail");
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
