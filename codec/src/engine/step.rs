//! The interface of all decoders.

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
    /// Meaning of these bytes, or an event that needs no bytes. `None` if all input has been consumed and more is
    /// needed.
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

/// The next need of a decoder; see [`Decode::demand`]. The list is complete: a driver has to handle each case.
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
    /// At least this number of bytes is needed to complete the current part. 0 means that an event is pending, which
    /// a push of an empty slice returns.
    Bytes(u64),
    /// This number of payload bytes follows. They can be pushed, or skipped with [`Decode::skip`].
    Skip(u64),
    /// [`Decode::finish`] has reported everything: the decoder takes no more input.
    End,
}

/// A push decoder: a state machine that takes input in chunks. All readers of this crate are built on one. It never stores
/// its input and never returns a slice of it. The caller owns the bytes: after a payload event, they are
/// `&input[..step.consumed]`.
///
/// Push the rest of the chunk until the event is `None`, even if no bytes are left: a record that ends with the
/// chunk is reported by a step that consumes nothing. [`drive`](crate::drive) is this loop; the readers of
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
/// The contract, which the tests check for every decoder. The module `contract` (of the feature with this name) checks
/// it for other decoders, too:
/// * the sequence of events, offsets and errors does not depend on how the input is split into chunks, if adjacent
///   payload events are joined;
/// * a step returns an event, or consumes all of its input;
/// * errors are final: after an error every call returns the same error again. Only after a
///   [`Misuse`](crate::Misuse) the decoder is unchanged and can still be used;
/// * while the demand is [`Demand::Skip`], pushing up to that number of bytes produces payload events only;
/// * no byte is examined twice, and no byte after `consumed` is remembered.
///
/// Every decoder of this crate has `const fn new`, and `const fn reset`, which begins another file in the same mode.
/// LIME and scda files are sequences of records and sections that can be read alone: their decoders also have `at`, for
/// a file that is read from an offset on.
///
/// Other crates may implement the trait for decoders of their own: [`drive`](crate::drive) and
/// [`io::Reader`](crate::io::Reader) work with them.
pub trait Decode {
    /// The events of a step. They are values: they borrow neither the input nor the decoder.
    type Event: Copy;
    /// The errors of this format.
    type ErrorKind: Diagnostic;

    /// Consumes bytes from the front of `input` and reports their meaning.
    ///
    /// # Errors
    /// A rule is broken that the mode refuses; the error has an absolute offset. [`Decode::position`] is then the
    /// number of bytes consumed.
    fn push(&mut self, input: &[u8]) -> Result<Step<Self::Event>, Error<Self::ErrorKind>>;

    /// Declares the end of the input. Call it until it returns `None`: some events are only known at the end.
    ///
    /// # Errors
    /// The input is truncated, or a rule about the end of the file is broken.
    fn finish(&mut self) -> Result<Option<Self::Event>, Error<Self::ErrorKind>>;

    /// The next need of the decoder.
    fn demand(&self) -> Demand;

    /// Skips `n` bytes of payload. The caller must move its source by the same number of bytes, and must make sure
    /// that they exist.
    ///
    /// # Errors
    /// [`Misuse::SkipTooFar`](crate::Misuse::SkipTooFar) if [`Decode::demand`] does not allow it.
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
    /// The position in the open payload, in bytes from its start; `None` while no payload is open.
    fn payload_position(&self) -> Option<u64>;

    /// Moves to position `to` of the open payload, counted from its start. This moves the decoder only: the caller
    /// must move its source to [`Decode::position`]. Allowed in both directions, from the event that begins the
    /// payload until the event that ends it.
    ///
    /// # Errors
    /// [`Misuse::NoPayload`](crate::Misuse::NoPayload) and [`Misuse::SkipTooFar`](crate::Misuse::SkipTooFar); the
    /// decoder does not change.
    fn seek(&mut self, to: u64) -> Result<(), Error<Self::ErrorKind>>;
}

/// A mutably borrowed decoder is a decoder. A reader of [`io`](crate::io) can thus use one in static memory, without
/// moving it through the stack.
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
