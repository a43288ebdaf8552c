//! The interface of all decoders.
//!
//! A decoder never stores its input and never returns a slice of it. [`Decode::push`] consumes bytes from the
//! front of the caller's slice and reports what they were. The caller owns the bytes, and uses
//! `&input[..step.consumed]` where the event says that they are payload.

use crate::error::{Diagnostic, Error};

/// The result of one call of [`Decode::push`].
///
/// ```
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Decode, Mode, Step};
///
/// let input = [&Header::new(b"greeting", 5, true, true)?.as_bytes()[..], b"hel"].concat();
/// let mut decoder = Decoder::new(Mode::Strict);
/// let step = decoder.push(&input)?;
/// assert!(matches!(step, Step { consumed: 144, event: Some(Event::Record(_)) }));
/// let step = decoder.push(&input[144..])?;
/// assert_eq!(step, Step { consumed: 3, event: Some(Event::Payload) });
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the consumed bytes must not be pushed again"]
pub struct Step<E> {
    /// Number of bytes consumed from the front of the input.
    pub consumed: usize,
    /// What these bytes were, or what became known without consuming any. `None`: all of the input is consumed
    /// and more is needed.
    pub event: Option<E>,
}

impl<E> Step<E> {
    pub(crate) const fn event(consumed: usize, event: E) -> Self {
        Self { consumed, event: Some(event) }
    }

    pub(crate) const fn more(consumed: usize) -> Self {
        Self { consumed, event: None }
    }
}

/// What a decoder needs next; see [`Decode::demand`].
///
/// # Example
/// ```
/// use linkstream::lime::{Decoder, Header};
/// use linkstream::{Decode, Demand, Mode};
///
/// let header = Header::new(b"type", 1000, true, true)?;
/// let mut decoder = Decoder::new(Mode::Strict);
/// assert_eq!(decoder.demand(), Demand::Bytes(144));
/// decoder.push(header.as_bytes())?;
/// assert_eq!(decoder.demand(), Demand::Skip(1000));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Demand {
    /// At least this number of bytes is needed to complete the current part. 0: an event is pending, which a push of
    /// no bytes returns.
    Bytes(u64),
    /// This number of payload bytes follows. They can be pushed, or skipped with [`Decode::skip`].
    Skip(u64),
    /// [`Decode::finish`] has reported everything: the decoder takes no more input.
    End,
}

/// A push decoder, the core of every reader of this crate.
///
/// Push the rest of the input until the event is `None`, also when no bytes are left: a record that ends with
/// the input is reported by a step that consumes nothing. [`drive`](crate::drive) is this loop; the readers of
/// [`io`](crate::io) do the same with a source.
///
/// ```
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Decode, Mode};
///
/// let mut file = Header::new(b"greeting", 5, true, true)?.as_bytes().to_vec();
/// file.extend_from_slice(b"hello\0\0\0");
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut rest, mut text) = (&file[..], Vec::new());
/// loop {
///     let step = decoder.push(rest)?;
///     let (bytes, after) = rest.split_at(step.consumed);
///     rest = after;
///     match step.event {
///         Some(Event::Payload) => text.extend_from_slice(bytes),
///         Some(_) => {}
///         None => break,
///     }
/// }
/// while decoder.finish()?.is_some() {}
/// assert_eq!(text, b"hello");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// The contract, to which the tests hold every decoder:
/// * the sequence of events, offsets and errors does not depend on how the input is cut into chunks (adjacent
///   payload events taken as one);
/// * a step returns an event, or consumes all of its input;
/// * errors are final: after an error every call returns the same error again. Only a
///   [`Misuse`](crate::Misuse) leaves the decoder as it was, so that the right call can follow;
/// * while the demand is [`Demand::Skip`], up to that number of bytes give payload events and no others;
/// * no byte is looked at twice, and no byte after `consumed` is remembered.
pub trait Decode {
    /// What a step can report. Events are values: they borrow neither the input nor the decoder.
    type Event: Copy;
    /// What can be wrong with a file of this format.
    type ErrorKind: Diagnostic;

    /// Consumes bytes from the front of `input` and reports what they were.
    ///
    /// # Errors
    /// What is wrong with the file, with its absolute offset. [`Decode::position`] then is the number of bytes
    /// consumed.
    fn push(&mut self, input: &[u8]) -> Result<Step<Self::Event>, Error<Self::ErrorKind>>;

    /// Declares the end of the input. Call it until it returns `None`: some things are only known at the end.
    ///
    /// # Errors
    /// The input is truncated, or a rule about the end of the file is broken.
    fn finish(&mut self) -> Result<Option<Self::Event>, Error<Self::ErrorKind>>;

    /// What the decoder needs next.
    fn demand(&self) -> Demand;

    /// Passes over `n` bytes of payload without looking at them. The caller has moved its source by as many
    /// bytes, and knows that they exist.
    ///
    /// # Errors
    /// [`Misuse::SkipTooFar`](crate::Misuse::SkipTooFar) where [`Decode::demand`] does not allow it.
    fn skip(&mut self, n: u64) -> Result<(), Error<Self::ErrorKind>>;

    /// Absolute offset of the first byte that is not consumed yet.
    fn position(&self) -> u64;
}

/// A decoder that can move inside an open payload.
///
/// ```
/// use linkstream::lime::{Decoder, Header};
/// use linkstream::{Decode, Mode, SeekPayload};
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let _ = decoder.push(Header::new(b"greeting", 5, true, true)?.as_bytes())?;
/// decoder.seek(3)?;
/// assert_eq!((decoder.payload_position(), decoder.position()), (Some(3), 147));
/// assert!(decoder.seek(6).is_err());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait SeekPayload: Decode {
    /// The position in the open payload, from its start; `None` while no payload is open.
    fn payload_position(&self) -> Option<u64>;

    /// Moves to position `to` of the open payload, counted from its start. Only the decoder moves: the caller
    /// moves its source to [`Decode::position`]. Possible, also backwards, from the event that announces the
    /// payload until its end is reported.
    ///
    /// # Errors
    /// [`Misuse::NoPayload`](crate::Misuse::NoPayload) and [`Misuse::SkipTooFar`](crate::Misuse::SkipTooFar);
    /// the decoder stays as it was.
    fn seek(&mut self, to: u64) -> Result<(), Error<Self::ErrorKind>>;
}

/// A borrowed decoder. A reader of [`io`](crate::io) can take it where the decoder is in static memory, so that
/// it is not moved through the stack.
///
/// ```
/// use linkstream::io::Reader;
/// use linkstream::lime::{Decoder, Header};
/// use linkstream::{Decode, Mode};
///
/// let file = *Header::new(b"empty", 0, true, true)?.as_bytes();
/// let mut decoder = Decoder::new(Mode::Strict);
/// let mut buffer = [0; 64];
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, &mut decoder);
/// while reader.next()?.is_some() {}
/// assert_eq!(decoder.position(), 144);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
impl<D: Decode + ?Sized> Decode for &mut D {
    type Event = D::Event;
    type ErrorKind = D::ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Self::Event>, Error<Self::ErrorKind>> {
        (**self).push(input)
    }

    fn finish(&mut self) -> Result<Option<Self::Event>, Error<Self::ErrorKind>> {
        (**self).finish()
    }

    fn demand(&self) -> Demand {
        (**self).demand()
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<Self::ErrorKind>> {
        (**self).skip(n)
    }

    fn position(&self) -> u64 {
        (**self).position()
    }
}

impl<D: SeekPayload + ?Sized> SeekPayload for &mut D {
    fn payload_position(&self) -> Option<u64> {
        (**self).payload_position()
    }

    fn seek(&mut self, to: u64) -> Result<(), Error<Self::ErrorKind>> {
        (**self).seek(to)
    }
}
