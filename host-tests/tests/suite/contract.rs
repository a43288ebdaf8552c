//! `linkstream::contract` finds each kind of fault in a decoder of another crate, and none in a right one.

use std::fmt;

use linkstream::contract::{self, Clause};
use linkstream::{Class, Decode, Demand, Diagnostic, Error, Severity, Step};

/// The faults that a [`Toy`] can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    ConsumesTooMuch,
    LeavesInput,
    DoesNotCount,
    TalksWithoutInput,
    KeepsPendingEvent,
    OtherEventForPayload,
    TooMuchPayload,
    EmptyPayload,
    EndsEarly,
    ErrorAhead,
    ForgetsError,
    BlamesCaller,
    SkipsTooFar,
    TakesMoreAfterEnd,
    EventsWithoutEnd,
    DependsOnCuts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Zero,
    Misuse,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Kind {}

impl Diagnostic for Kind {
    fn class(&self) -> Class {
        if *self == Self::Zero { Class::Format } else { Class::Misuse }
    }
    fn severity(&self) -> Severity {
        Severity::Fatal
    }
    fn rule(&self) -> &'static str {
        "zero"
    }
    fn clause(&self) -> &'static str {
        ""
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Length(u8),
    Payload,
    End,
    /// The end of the file.
    File,
}

/// Reads records: a byte with the length, which must not be 0, and as many bytes of payload. The end of each record is
/// an event that needs no bytes.
#[derive(Debug, Clone)]
struct Toy {
    fault: Fault,
    at: u64,
    left: u8,
    is_end_due: bool,
    failed: Option<Error<Kind>>,
    /// `finish` has been called: an event about it, and then the end.
    reported: bool,
    ended: bool,
}

impl Toy {
    fn new(fault: Fault) -> Self {
        Self { fault, at: 0, left: 0, is_end_due: false, failed: None, reported: false, ended: false }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }
}

impl Decode for Toy {
    type Event = Event;
    type ErrorKind = Kind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<Kind>> {
        if let Some(error) = self.failed {
            if self.has(Fault::ForgetsError) {
                self.failed = None;
            }
            return Err(error);
        }
        if self.ended && !input.is_empty() && !self.has(Fault::TakesMoreAfterEnd) {
            return Err(Error::new(self.at, Kind::Misuse));
        }
        if self.is_end_due {
            self.is_end_due = self.has(Fault::EventsWithoutEnd);
            let event = (!self.has(Fault::KeepsPendingEvent)).then_some(Event::End);
            let consumed = if event.is_none() { input.len() } else { 0 };
            self.at += consumed as u64;
            return Ok(Step { consumed, event });
        }
        let Some(first) = input.first() else {
            let event = self.has(Fault::TalksWithoutInput).then_some(Event::Length(0));
            return Ok(Step { consumed: 0, event });
        };
        if self.has(Fault::ConsumesTooMuch) {
            return Ok(Step { consumed: input.len() + 1, event: None });
        }
        if self.has(Fault::LeavesInput) {
            return Ok(Step { consumed: 0, event: None });
        }
        let (consumed, event) = if self.left > 0 {
            let n = match self.fault {
                Fault::EmptyPayload => 0,
                Fault::TooMuchPayload => input.len(),
                _ => input.len().min(self.left.into()),
            };
            self.left -= u8::try_from(n).unwrap_or(u8::MAX).min(self.left);
            self.is_end_due = self.left == 0;
            (n, if self.has(Fault::OtherEventForPayload) { Event::End } else { Event::Payload })
        } else if *first == 0 {
            let at = if self.has(Fault::ErrorAhead) { self.at + 9 } else { self.at };
            let kind = if self.has(Fault::BlamesCaller) { Kind::Misuse } else { Kind::Zero };
            self.failed = Some(Error::new(at, kind));
            return Err(Error::new(at, kind));
        } else {
            self.left = *first;
            let told = if self.has(Fault::DependsOnCuts) { input.len() as u8 } else { *first };
            (1, Event::Length(told))
        };
        self.at += if self.has(Fault::DoesNotCount) { 0 } else { consumed as u64 };
        Ok(Step { consumed, event: Some(event) })
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<Kind>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.is_end_due {
            self.is_end_due = self.has(Fault::EventsWithoutEnd);
            return Ok(Some(Event::End));
        }
        // An event that only the end shows. A push between both calls would return nothing, although one is due.
        if !std::mem::replace(&mut self.reported, true) {
            return Ok(Some(Event::File));
        }
        self.ended = true;
        Ok(None)
    }

    fn demand(&self) -> Demand {
        match self.left {
            _ if self.is_end_due || (self.reported && !self.ended) => Demand::Bytes(0),
            _ if self.ended || self.has(Fault::EndsEarly) => Demand::End,
            0 => Demand::Bytes(1),
            left => Demand::Skip(left.into()),
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<Kind>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let left = u64::from(self.left);
        if n > left && !self.has(Fault::SkipsTooFar) {
            return Err(Error::new(self.at, Kind::Misuse));
        }
        self.at += n;
        self.left -= n.min(left) as u8;
        self.is_end_due = left > 0 && self.left == 0;
        Ok(())
    }

    fn position(&self) -> u64 {
        self.at
    }
}

/// The first breach of the contract on a file with two records and, if `is_broken`, an error.
fn breach(fault: Fault, is_broken: bool) -> Option<Clause> {
    let file: &[u8] = if is_broken { b"\x03abc\x01d\0" } else { b"\x03abc\x01d" };
    let checked = contract::check(&Toy::new(fault), file, 1.., |event| *event == Event::Payload);
    if let Ok(end) = checked {
        assert_eq!(end, if is_broken { Err(Error::new(6, Kind::Zero)) } else { Ok(()) }, "{fault:?}");
    }
    checked.err().map(|breach| breach.clause)
}

#[test]
fn every_fault_is_found() {
    for (fault, clause) in [
        (Fault::ConsumesTooMuch, Clause::TooMuchConsumed),
        (Fault::LeavesInput, Clause::InputLeft),
        (Fault::DoesNotCount, Clause::Position),
        (Fault::TalksWithoutInput, Clause::UnannouncedEvent),
        (Fault::KeepsPendingEvent, Clause::NoPendingEvent),
        (Fault::OtherEventForPayload, Clause::NotPayload),
        (Fault::TooMuchPayload, Clause::TooMuchPayload),
        (Fault::EmptyPayload, Clause::NoPayload),
        (Fault::EndsEarly, Clause::EarlyEnd),
        (Fault::ErrorAhead, Clause::ErrorPosition),
        (Fault::ForgetsError, Clause::NotSticky),
        (Fault::BlamesCaller, Clause::FalseMisuse),
        (Fault::TakesMoreAfterEnd, Clause::MisuseAccepted),
        (Fault::EventsWithoutEnd, Clause::Endless),
        (Fault::DependsOnCuts, Clause::Cut),
    ] {
        let is_broken = matches!(fault, Fault::ErrorAhead | Fault::ForgetsError | Fault::BlamesCaller);
        assert_eq!(breach(fault, is_broken), Some(clause), "{fault:?}");
    }
    assert_eq!((breach(Fault::None, false), breach(Fault::None, true)), (None, None));
}

#[test]
fn a_skip_beyond_the_payload_must_be_refused() {
    for (fault, clause) in [(Fault::None, None), (Fault::SkipsTooFar, Some(Clause::MisuseAccepted))] {
        let mut toy = Toy::new(fault);
        assert!(matches!(contract::push(&mut toy, b"\x03abc", |_| false), Ok(Ok(Step { consumed: 1, .. }))));
        let skipped = contract::skip(&mut toy, 2);
        assert_eq!(skipped.err().map(|breach| breach.clause), clause);
        if clause.is_none() {
            assert!(matches!(contract::skip(&mut toy, 2), Ok(Err(error)) if error.kind == Kind::Misuse));
            assert!(matches!(contract::skip(&mut toy, 1), Ok(Ok(()))));
            assert_eq!((toy.position(), toy.demand()), (4, Demand::Bytes(0)));
        }
    }
}
