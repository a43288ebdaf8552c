//! The one idea of this crate: a step says what the bytes just consumed were.
//!
//! A decoder never stores its input and never hands out a slice of it. [`Decode::push`] looks at the front
//! of the caller's slice, consumes a part and tells what that part was; the caller, who owns the bytes,
//! takes `&input[..step.consumed]` where the event says that they are payload.

use crate::error::{Diagnostic, Error};

/// What one call of [`Decode::push`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the consumed bytes must not be pushed again"]
pub struct Step<E> {
    /// So many bytes at the front of the input are done with.
    pub consumed: usize,
    /// What they were, or what became known without consuming anything. `None`: all of the input is consumed
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

/// What a decoder wants next; see [`Decode::demand`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Demand {
    /// At least so many more bytes are needed before the present part is complete. 0: an event is waiting.
    Bytes(u64),
    /// So many bytes of payload come next. They may be pushed, or passed over with [`Decode::skip`].
    Skip(u64),
    /// [`Decode::finish`] has been called: there is nothing to wait for.
    End,
}

/// A push decoder: the core that every driver of [`crate::io`] turns.
///
/// Push the rest of the input until the event is `None`, also when nothing is left of it: a record that ends
/// with the input is told by a step that consumes nothing.
/// ```
/// # use linkstream::{Decode, Error};
/// fn take<D: Decode>(
///     decoder: &mut D,
///     mut input: &[u8],
///     mut each: impl FnMut(D::Event, &[u8]),
/// ) -> Result<(), Error<D::ErrorKind>> {
///     loop {
///         let step = decoder.push(input)?;
///         let (bytes, rest) = input.split_at(step.consumed);
///         input = rest;
///         let Some(event) = step.event else { return Ok(()) };
///         each(event, bytes);
///     }
/// }
/// ```
///
/// The contract, which the tests hold every decoder to:
/// * the sequence of events, offsets and errors does not depend on how the input is cut (neighbouring
///   payload events taken as one);
/// * a step yields an event, or consumes all of its input;
/// * errors are sticky: after an error every call returns the same error again; only a
///   [`Misuse`](crate::Misuse) changes nothing and can be put right;
/// * while the demand is [`Demand::Skip`], bytes up to that count give payload events and no others;
/// * nothing is looked at twice and nothing behind `consumed` is remembered.
pub trait Decode {
    /// What a step can report. Events own and borrow nothing.
    type Event: Copy;
    /// What can be wrong with a file of this format.
    type ErrorKind: Diagnostic;

    /// Consumes a part of `input` and says what it was.
    ///
    /// # Errors
    /// What is wrong with the file, and the absolute offset of it. [`Decode::position`] then tells how much
    /// was consumed.
    fn push(&mut self, input: &[u8]) -> Result<Step<Self::Event>, Error<Self::ErrorKind>>;

    /// Says that the input has ended. Call until it returns `None`: some things are only known at the end.
    ///
    /// # Errors
    /// The file is cut short, or a rule about its end is broken.
    fn finish(&mut self) -> Result<Option<Self::Event>, Error<Self::ErrorKind>>;

    /// What comes next.
    fn demand(&self) -> Demand;

    /// Passes over `n` bytes of payload: arithmetic only, the caller has moved its source by as much and
    /// knows that the bytes exist.
    ///
    /// # Errors
    /// [`Misuse::SkipTooFar`](crate::Misuse::SkipTooFar) where [`Decode::demand`] did not allow it.
    fn skip(&mut self, n: u64) -> Result<(), Error<Self::ErrorKind>>;

    /// Absolute offset of the first byte that is not consumed yet.
    fn position(&self) -> u64;
}

/// A decoder that can move inside the payload it has announced.
pub trait SeekPayload: Decode {
    /// The place in the open payload, from its start; `None` while no payload is open.
    fn payload_position(&self) -> Option<u64>;

    /// Moves to the place `to` of the open payload, counted from its start: arithmetic only, the caller
    /// moves its source to [`Decode::position`]. Possible from the payload's announcement until its end is
    /// told, also backwards; nothing is clamped.
    ///
    /// # Errors
    /// [`Misuse::NoPayload`](crate::Misuse::NoPayload) and [`Misuse::SkipTooFar`](crate::Misuse::SkipTooFar);
    /// the decoder stays as it was.
    fn seek(&mut self, to: u64) -> Result<(), Error<Self::ErrorKind>>;
}

/// A decoder that is lent: to a driver of [`crate::io`], say, where the decoder lies in memory that was set
/// aside for it, as moving it would take room on the stack twice.
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
