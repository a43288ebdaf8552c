//! The contract of [`Decode`] as calls that check it: for fuzzing, and for decoders of other crates.
//!
//! [`push`], [`skip`] and [`finish`] replace the calls of the decoder with the same names. They make the call, and return
//! a [`Breach`] if the decoder breaks the contract. [`check`] drives a decoder through an input that is cut in a given
//! way, and compares what it reports with the report on the whole input. Nothing here allocates or panics: a test
//! unwraps, a fuzz target may go on. The tests and the fuzz targets of this crate check its own decoders with these
//! calls.
//!
//! A fuzz target for a decoder needs no more than this:
//! ```
//! use linkstream::lime::{Decoder, Event, Header};
//! use linkstream::{Mode, contract};
//!
//! /// `data` come from the fuzzer.
//! fn target(data: &[u8]) {
//!     for mode in [Mode::Strict, Mode::Survey] {
//!         for length in [1, 7, 512] {
//!             let cuts = (1..).map(|n| n * length);
//!             let checked = contract::check(&Decoder::new(mode), data, cuts, |event| *event == Event::Payload);
//!             assert!(checked.is_ok(), "{checked:?}");
//!         }
//!     }
//! }
//!
//! target(&[&Header::new(b"greeting", 5, true, true)?.as_bytes()[..], b"hello\0\0\0"].concat());
//! target(b"no LIME file");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use core::fmt;

use crate::error::{Class, Diagnostic as _, Error};
use crate::messages::messages;
use crate::step::{Decode, Demand, Step};

messages! {
    /// The clause of the contract of [`Decode`] that a decoder breaks.
    ///
    /// # Example
    /// ```
    /// use linkstream::contract::Clause;
    ///
    /// assert_eq!(Clause::NotSticky.to_string(), "an error was not final");
    /// ```
    pub enum Clause {
        /// A step consumed more bytes than it was given.
        TooMuchConsumed => ("a step consumed more than its input"),
        /// A step returned no event, and left a part of its input.
        InputLeft => ("a step returned no event and did not consume all of its input"),
        /// The position did not advance by the number of bytes consumed.
        Position => ("the position does not count the bytes consumed"),
        /// A step without input returned an event that [`Demand::Bytes`] had not announced.
        UnannouncedEvent => ("a push of no bytes returned something that the demand had not announced"),
        /// The demand was `Demand::Bytes(0)`, and a step returned no event.
        NoPendingEvent => ("the demand announced an event that needs no bytes, but there was none"),
        /// The demand was [`Demand::Skip`], and a step returned another event than payload.
        NotPayload => ("the demand announced payload, but another event came"),
        /// A step returned more payload than [`Demand::Skip`] had announced.
        TooMuchPayload => ("a step returned more payload than the demand had announced"),
        /// The demand was `Demand::Skip(0)`, or a payload event consumed no bytes.
        NoPayload => ("payload without bytes"),
        /// The demand was [`Demand::End`], although the end of the input had not been declared.
        EarlyEnd => ("the demand was the end before `finish`"),
        /// An error was reported outside of the bytes consumed so far, or its step consumed more than its input.
        ErrorPosition => ("the offset of an error is after the position, or the position is outside of the input"),
        /// A call after an error did not return the same error, or changed the position.
        NotSticky => ("an error was not final"),
        /// A correct call returned an error of the class [`Misuse`](Class::Misuse).
        FalseMisuse => ("a correct call was called a misuse"),
        /// A call that is a misuse was not refused as one, or changed the decoder.
        MisuseAccepted => ("a misuse was accepted or changed the decoder"),
        /// `finish` consumed bytes or reported payload.
        Finish => ("`finish` changed the position or reported payload"),
        /// `finish` reported more than 64 events in a row, or as many steps consumed nothing.
        Endless => ("events without end that consume nothing"),
        /// The events, offsets or errors depend on how the input is cut.
        Cut => ("the result depends on how the input is cut"),
    }
}

/// A decoder breaks the contract of [`Decode`].
///
/// # Example
/// ```
/// use linkstream::contract::{self, Clause};
/// use linkstream::{Decode, Demand, Error, Step, lime};
///
/// /// A decoder that forgets to count its bytes.
/// struct Careless;
///
/// impl Decode for Careless {
///     type Event = ();
///     type ErrorKind = lime::ErrorKind;
///     fn push(&mut self, input: &[u8]) -> Result<Step<()>, Error<lime::ErrorKind>> {
///         Ok(Step { consumed: input.len(), event: None })
///     }
///     fn finish(&mut self) -> Result<Option<()>, Error<lime::ErrorKind>> {
///         Ok(None)
///     }
///     fn demand(&self) -> Demand {
///         Demand::Bytes(1)
///     }
///     fn skip(&mut self, _: u64) -> Result<(), Error<lime::ErrorKind>> {
///         Ok(())
///     }
///     fn position(&self) -> u64 {
///         0
///     }
/// }
///
/// let breach = contract::push(&mut Careless, b"bytes", |()| false).err().ok_or("a breach")?;
/// assert_eq!((breach.at, breach.clause), (0, Clause::Position));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Breach {
    /// Position of the decoder before the call.
    pub at: u64,
    /// The broken rule.
    pub clause: Clause,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.clause)
    }
}

impl core::error::Error for Breach {}

/// Result of a call that is checked: a breach of the contract, or what the call returned.
type Called<T, K> = Result<Result<T, Error<K>>, Breach>;

/// Longest row of events that consume nothing: no format has so many findings at one place.
const IDLE: u32 = 64;

fn ensure(at: u64, clause: Clause, holds: bool) -> Result<(), Breach> {
    if holds { Ok(()) } else { Err(Breach { at, clause }) }
}

/// [`Decode::push`], checked. `is_payload` returns whether an event is payload. If no event is due, the
/// decoder is first given no bytes. They must not change it. After an error, the other calls must return it too.
///
/// ```
/// use linkstream::contract;
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Decode, Mode};
///
/// let header = Header::new(b"greeting", 5, true, true)?;
/// let mut decoder = Decoder::new(Mode::Strict);
/// let step = contract::push(&mut decoder, header.as_bytes(), |event| *event == Event::Payload)??;
/// assert!(matches!(step.event, Some(Event::Record(_))) && decoder.position() == 144);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The decoder breaks the contract.
pub fn push<D: Decode>(
    decoder: &mut D,
    input: &[u8],
    is_payload: impl Fn(&D::Event) -> bool,
) -> Called<Step<D::Event>, D::ErrorKind> {
    let (at, demand) = (decoder.position(), decoder.demand());
    let ensure = |clause, holds| ensure(at, clause, holds);
    if demand != Demand::Bytes(0) {
        let nothing = decoder.push(&[]);
        // A decoder that has stopped returns its error here already.
        if let Err(error) = nothing {
            return stopped(decoder, error, at, 0).map(Err);
        }
        let is_quiet = matches!(nothing, Ok(Step { consumed: 0, event: None }));
        ensure(Clause::UnannouncedEvent, is_quiet && decoder.position() == at && decoder.demand() == demand)?;
    }
    let step = match decoder.push(input) {
        Ok(step) => step,
        Err(error) => return stopped(decoder, error, at, input.len()).map(Err),
    };
    ensure(Clause::TooMuchConsumed, step.consumed <= input.len())?;
    ensure(Clause::InputLeft, step.event.is_some() || step.consumed == input.len())?;
    ensure(Clause::Position, decoder.position().checked_sub(at) == Some(step.consumed as u64))?;
    let payload = step.event.as_ref().is_some_and(is_payload);
    ensure(Clause::NoPayload, !payload || step.consumed > 0)?;
    match demand {
        Demand::Bytes(0) => ensure(Clause::NoPendingEvent, step.event.is_some())?,
        Demand::Skip(n) => {
            ensure(Clause::NoPayload, n > 0)?;
            ensure(Clause::NotPayload, payload || input.is_empty())?;
            ensure(Clause::TooMuchPayload, step.consumed as u64 <= n)?;
        }
        Demand::Bytes(_) => {}
        Demand::End => ensure(Clause::EarlyEnd, input.is_empty())?,
    }
    Ok(Ok(step))
}

/// [`Decode::skip`] of `n` bytes, checked; of a decoder that has not stopped. More bytes than [`Decode::demand`] allows
/// must be refused without an effect; so must one byte more than allowed, which is tried first.
///
/// ```
/// use linkstream::contract;
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Decode, Mode};
///
/// let header = Header::new(b"greeting", 5, true, true)?;
/// let mut decoder = Decoder::new(Mode::Strict);
/// decoder.push(header.as_bytes())?;
/// contract::skip(&mut decoder, 5)??;
/// assert_eq!(decoder.position(), 149);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The decoder breaks the contract.
pub fn skip<D: Decode>(decoder: &mut D, n: u64) -> Called<(), D::ErrorKind> {
    let (at, demand) = (decoder.position(), decoder.demand());
    let available = if let Demand::Skip(available) = demand { available } else { 0 };
    for beyond in available.checked_add(1).into_iter().chain((n > available).then_some(n)) {
        let refused = decoder.skip(beyond).is_err_and(|error| error.kind.class() == Class::Misuse);
        let is_unchanged = decoder.position() == at && decoder.demand() == demand;
        ensure(at, Clause::MisuseAccepted, refused && is_unchanged)?;
    }
    let skipped = decoder.skip(n);
    if n > available || !matches!(demand, Demand::Skip(_)) {
        ensure(at, Clause::MisuseAccepted, decoder.position() == at && decoder.demand() == demand)?;
        return Ok(skipped);
    }
    if let Err(error) = skipped {
        return stopped(decoder, error, at, 0).map(Err);
    }
    ensure(at, Clause::Position, decoder.position().checked_sub(at) == Some(n))?;
    Ok(Ok(()))
}

/// [`Decode::finish`], checked. After the last event, the decoder must refuse more input without an effect.
///
/// ```
/// use linkstream::lime::{Decoder, Event};
/// use linkstream::{Mode, contract};
///
/// let mut decoder = Decoder::new(Mode::Survey);
/// while contract::finish(&mut decoder, |event| *event == Event::Payload)??.is_some() {}
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The decoder breaks the contract.
pub fn finish<D: Decode>(
    decoder: &mut D,
    is_payload: impl Fn(&D::Event) -> bool,
) -> Called<Option<D::Event>, D::ErrorKind> {
    let at = decoder.position();
    let event = match decoder.finish() {
        Ok(event) => event,
        Err(error) => return stopped(decoder, error, at, 0).map(Err),
    };
    let payload = event.as_ref().is_some_and(is_payload);
    ensure(at, Clause::Finish, !payload && decoder.position() == at)?;
    if event.is_none() {
        for _ in 0..2 {
            let is_at_end = |decoder: &D| decoder.demand() == Demand::End && decoder.position() == at;
            ensure(at, Clause::Finish, is_at_end(decoder))?;
            let is_quiet = matches!(decoder.push(&[]), Ok(Step { consumed: 0, event: None }));
            ensure(at, Clause::UnannouncedEvent, is_quiet)?;
            let refused = decoder.push(b"more").is_err_and(|error| error.kind.class() == Class::Misuse);
            ensure(at, Clause::MisuseAccepted, refused && is_at_end(decoder))?;
            ensure(at, Clause::Finish, matches!(decoder.finish(), Ok(None)))?;
        }
    }
    Ok(Ok(event))
}

/// Checks that an error is final. The call began at `from` with `given` bytes. Returns the error.
fn stopped<D: Decode>(
    decoder: &mut D,
    error: Error<D::ErrorKind>,
    from: u64,
    given: usize,
) -> Result<Error<D::ErrorKind>, Breach> {
    let at = decoder.position();
    let consumed = at.checked_sub(from);
    ensure(from, Clause::ErrorPosition, consumed.is_some_and(|n| n <= given as u64) && error.at <= at)?;
    ensure(from, Clause::FalseMisuse, error.kind.class() != Class::Misuse)?;
    for (bytes, n) in [(&b""[..], 0), (b"more", 4)] {
        let same = decoder.push(bytes).is_err_and(|again| again == error)
            && decoder.finish().is_err_and(|again| again == error)
            && decoder.skip(n).is_err_and(|again| again == error);
        ensure(from, Clause::NotSticky, same && decoder.position() == at)?;
    }
    Ok(error)
}

/// Drives copies of a decoder through `input`: one with the input as a whole, the other with slices of it that end at
/// `cuts`, which are offsets in `input` in ascending order. Each call is checked, and both must report the same events
/// at the same positions, and the same error or end. Adjacent payload events count as one. Returns this error or end.
///
/// ```
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Mode, contract};
///
/// let file = [&Header::new(b"greeting", 5, true, true)?.as_bytes()[..], b"hello"].concat();
/// let end = contract::check(&Decoder::new(Mode::Strict), &file, 1.., |event| *event == Event::Payload)?;
/// // The padding is missing.
/// assert_eq!(end.map_err(|error| error.at), Err(149));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The decoder breaks the contract.
pub fn check<D>(
    decoder: &D,
    input: &[u8],
    cuts: impl IntoIterator<Item = usize>,
    is_payload: impl Fn(&D::Event) -> bool,
) -> Result<Result<(), Error<D::ErrorKind>>, Breach>
where
    D: Decode + Clone,
    D::Event: PartialEq,
{
    let mut whole = Run::new(decoder.clone(), input, core::iter::empty());
    let mut cut = Run::new(decoder.clone(), input, cuts.into_iter());
    loop {
        let at = whole.decoder.position();
        let (expected, found) = (whole.next(&is_payload)?, cut.next(&is_payload)?);
        let same = expected == found;
        ensure(at, Clause::Cut, same)?;
        if let Item::End(end) = expected {
            ensure(at, Clause::Cut, end.is_err() || whole.decoder.position() == cut.decoder.position())?;
            return Ok(end);
        }
    }
}

/// Report of a decoder, in a form that does not depend on how the input is cut.
#[derive(PartialEq)]
enum Item<E, K> {
    /// An event, and the position after it.
    Event(E, u64),
    /// Payload up to this position.
    Payload(u64),
    /// The input is over, or the decoder has stopped.
    End(Result<(), Error<K>>),
}

/// A decoder on its way through an input.
struct Run<'i, D: Decode, C> {
    decoder: D,
    /// The input that is not pushed yet, and the offset of its first byte.
    later: &'i [u8],
    from: usize,
    cuts: C,
    /// The rest of the current slice.
    piece: &'i [u8],
    /// An item that followed payload.
    held: Option<Item<D::Event, D::ErrorKind>>,
    /// The end of the input has been declared: nothing is pushed any more.
    is_at_end: bool,
    /// Number of events in a row that consumed nothing.
    idle: u32,
}

impl<'i, D: Decode, C: Iterator<Item = usize>> Run<'i, D, C> {
    const fn new(decoder: D, input: &'i [u8], cuts: C) -> Self {
        Self { decoder, later: input, from: 0, cuts, piece: &[], held: None, is_at_end: false, idle: 0 }
    }

    /// The next item, with adjacent payload as one.
    fn next(
        &mut self,
        is_payload: &impl Fn(&D::Event) -> bool,
    ) -> Result<Item<D::Event, D::ErrorKind>, Breach> {
        let first = match self.held.take() {
            Some(held) => held,
            None => self.step(is_payload)?,
        };
        let Item::Payload(mut to) = first else { return Ok(first) };
        loop {
            match self.step(is_payload)? {
                Item::Payload(further) => to = further,
                other => {
                    self.held = Some(other);
                    return Ok(Item::Payload(to));
                }
            }
        }
    }

    fn step(
        &mut self,
        is_payload: &impl Fn(&D::Event) -> bool,
    ) -> Result<Item<D::Event, D::ErrorKind>, Breach> {
        let (event, consumed) = loop {
            if self.is_at_end {
                match finish(&mut self.decoder, is_payload)? {
                    Ok(Some(event)) => break (event, 0),
                    Ok(None) => return Ok(Item::End(Ok(()))),
                    Err(error) => return Ok(Item::End(Err(error))),
                }
            }
            let step = match push(&mut self.decoder, self.piece, is_payload)? {
                Ok(step) => step,
                Err(error) => return Ok(Item::End(Err(error))),
            };
            self.piece = self.piece.get(step.consumed..).unwrap_or_default();
            if let Some(event) = step.event {
                break (event, step.consumed);
            }
            if self.later.is_empty() {
                self.is_at_end = true;
                continue;
            }
            let from = self.from;
            let to = self.cuts.find(|cut| *cut > from).unwrap_or(usize::MAX);
            let length = to.saturating_sub(from).min(self.later.len());
            let (piece, later) = self.later.split_at_checked(length).unwrap_or((self.later, &[]));
            (self.piece, self.later, self.from) = (piece, later, to);
        };
        self.idle = if consumed == 0 { self.idle.saturating_add(1) } else { 0 };
        let at = self.decoder.position();
        ensure(at, Clause::Endless, self.idle <= IDLE)?;
        Ok(if is_payload(&event) { Item::Payload(at) } else { Item::Event(event, at) })
    }
}
