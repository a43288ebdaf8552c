//! The calls of all decoders, on checked references.

use linkstream::{Decode, Demand, Error, Mode, Resumable, State};

use crate::header::number;
use crate::kinds::{self, Kind};
use crate::layout::{Bytes, DemandOut, Description, ErrorOut, EventOut};
use crate::memory::{Object, Out, Room, Span, Tagged, create, enter, input, look};
use crate::status::{Outcome, Status};

/// A format that is read.
pub trait Format: Sized {
    /// Distinguishes the objects of this format from others.
    const TAG: u32;
    type Decoder: Decode<ErrorKind = Self::Kind, Event = Self::Event> + Resumable;
    type Kind: Kind;
    type Event: Copy;
    /// The union of its events in C.
    type As: Copy;

    fn new(mode: Mode) -> Self::Decoder;
    fn save(decoder: &Self::Decoder) -> Result<State<Self::Decoder>, Error<Self::Kind>>;
    fn load(state: &State<Self::Decoder>) -> Result<Self::Decoder, Status>;
    /// The union without an event.
    const NOTHING: Self::As;
    /// Position of the next byte in the open payload.
    fn payload_position(decoder: &Self::Decoder) -> Option<u64>;
    /// Tag and contents of an event, and whether its bytes are payload. `Err` is a finding.
    fn event(
        decoder: &Self::Decoder,
        event: &Self::Event,
    ) -> Result<(u32, Self::As, bool), Error<Self::Kind>>;
    /// Tag and contents of a finding.
    fn finding(error: ErrorOut) -> (u32, Self::As);
}

/// A decoder in an object, with its last error or finding.
pub struct Reading<F: Format> {
    decoder: F::Decoder,
    last: Option<Error<F::Kind>>,
}

impl<F: Format> Tagged for Reading<F> {
    const TAG: u32 = F::TAG;
}

type Handle<F> = *mut Object<Reading<F>>;
type Look<F> = *const Object<Reading<F>>;

const NONE: u32 = number("LSE_EVENT_NONE");

fn mode(mode: u32) -> Result<Mode, Status> {
    const STRICT: u32 = number("LSE_STRICT");
    const LENIENT: u32 = number("LSE_LENIENT");
    const SURVEY: u32 = number("LSE_SURVEY");
    match mode {
        STRICT => Ok(Mode::Strict),
        LENIENT => Ok(Mode::Lenient),
        SURVEY => Ok(Mode::Survey),
        _ => Err(Status::ARGUMENT),
    }
}

pub fn init<F: Format>(decoder: Handle<F>, size: usize, mode_number: u32) -> Outcome {
    let mode = mode(mode_number)?;
    create(decoder, size, &[], || Ok(Reading { decoder: F::new(mode), last: None }))
}

impl<F: Format> Reading<F> {
    /// Keeps the error, and returns the status for it.
    fn fail(&mut self, error: Error<F::Kind>) -> Status {
        self.last = Some(error);
        if kinds::is_misuse(&error) { Status::MISUSE } else { Status::REFUSED }
    }

    /// The event in C's form, after a step that has taken the first bytes of `taken`.
    fn report(&mut self, event: &F::Event, taken: &[u8]) -> EventOut<F::As> {
        let (tag, value, is_payload) = match F::event(&self.decoder, event) {
            Ok(reported) => reported,
            Err(finding) => {
                let out = ErrorOut::of(kinds::number(&finding.kind), &finding);
                self.last = Some(finding);
                let (tag, value) = F::finding(out);
                (tag, value, false)
            }
        };
        let mut out = EventOut::new(tag, value);
        if is_payload {
            let after = F::payload_position(&self.decoder).unwrap_or(0);
            out.position = after.saturating_sub(taken.len() as u64);
            out.bytes = Bytes::of(taken);
        }
        out
    }
}

pub fn push<F: Format>(
    decoder: Handle<F>,
    bytes: *const u8,
    length: usize,
    event: *mut EventOut<F::As>,
) -> Outcome {
    let out = Out::new(event)?;
    let chunk = input(bytes, length)?;
    Span::all_apart(&[out.span(), Span::of(chunk)])?;
    enter(decoder, &[out.span(), Span::of(chunk)], |reading, _| {
        let mut reported = EventOut::new(NONE, F::NOTHING);
        reported.offset = reading.decoder.position();
        if reading.decoder.demand() == Demand::End {
            out.set(reported);
            return Err(Status::ENDED);
        }
        let before = reported.offset;
        let outcome = match reading.decoder.push(chunk) {
            Ok(step) => {
                if let Some(event) = &step.event {
                    let taken = chunk.get(..step.consumed).unwrap_or(chunk);
                    reported = reading.report(event, taken);
                }
                Ok(())
            }
            Err(error) => Err(reading.fail(error)),
        };
        reported.offset = before;
        // No step consumes more than its input, whose length is a `usize`.
        reported.consumed = reading.decoder.position().saturating_sub(before) as usize;
        out.set(reported);
        outcome
    })
}

pub fn finish<F: Format>(decoder: Handle<F>, event: *mut EventOut<F::As>) -> Outcome {
    let out = Out::new(event)?;
    enter(decoder, &[out.span()], |reading, ended| {
        let mut reported = EventOut::new(NONE, F::NOTHING);
        let before = reading.decoder.position();
        let outcome = match reading.decoder.finish() {
            _ if *ended => Err(Status::ENDED),
            Ok(Some(event)) => {
                reported = reading.report(&event, &[]);
                Ok(())
            }
            Ok(None) => {
                *ended = true;
                Ok(())
            }
            Err(error) => Err(reading.fail(error)),
        };
        reported.offset = before;
        out.set(reported);
        outcome
    })
}

pub fn skip<F: Format>(decoder: Handle<F>, count: u64) -> Outcome {
    enter(decoder, &[], |reading, _| reading.decoder.skip(count).map_err(|error| reading.fail(error)))
}

pub fn demand<F: Format>(decoder: Look<F>, demand: *mut DemandOut) -> Outcome {
    let out = Out::new(demand)?;
    look(decoder, &[out.span()], |reading, _| {
        out.set(DemandOut::of(reading.decoder.demand()));
        Ok(())
    })
}

pub fn position<F: Format>(decoder: Look<F>, position: *mut u64) -> Outcome {
    let out = Out::new(position)?;
    look(decoder, &[out.span()], |reading, _| {
        out.set(reading.decoder.position());
        Ok(())
    })
}

pub fn error<F: Format>(decoder: Look<F>, error: *mut ErrorOut) -> Outcome {
    let out = Out::new(error)?;
    look(decoder, &[out.span()], |reading, _| {
        let of = |error: &Error<F::Kind>| ErrorOut::of(kinds::number(&error.kind), error);
        out.set(reading.last.as_ref().map_or(ErrorOut::default(), of));
        Ok(())
    })
}

pub fn describe<F: Format>(decoder: Look<F>, description: *mut Description) -> Outcome {
    let out = Out::new(description)?;
    look(decoder, &[out.span()], |reading, _| {
        out.set(reading.last.as_ref().map_or(Description::NONE, |error| kinds::describe(&error.kind)));
        Ok(())
    })
}

pub fn save<F: Format>(decoder: Look<F>, bytes: *mut u8, size: usize) -> Outcome {
    let room = Room::new(bytes, size)?;
    // Not through `look`: the error that has stopped the decoder is kept as the last one.
    enter(decoder.cast_mut(), &[room.span()], |reading, _| {
        if size < State::<F::Decoder>::LEN {
            return Err(Status::TOO_SMALL);
        }
        match F::save(&reading.decoder) {
            Ok(state) => room.fill(state.as_bytes()),
            Err(error) => Err(reading.fail(error)),
        }
    })
}

pub fn load<F: Format>(decoder: Handle<F>, size: usize, bytes: *const u8, length: usize) -> Outcome {
    let saved = input(bytes, length)?;
    create(decoder, size, &[Span::of(saved)], || {
        let decoder = F::load(&State::from_bytes(saved)?)?;
        Ok(Reading { decoder, last: None })
    })
}
