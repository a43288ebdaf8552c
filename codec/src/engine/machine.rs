//! Fields and functions that all decoders share, so that a format only adds its state machine.
//!
//! A format declares a struct with the shared fields `mode`, `cursor` and `failed` and its own fields,
//! implements [`StateMachine`] for it, and writes `decoder!(Decoder, 1)` with the tag of its saved state. This derives
//! the public interface: [`Decode`](crate::Decode), [`SeekPayload`](crate::SeekPayload), and saving and loading the
//! state.
//!
//! A layer above drives the decoder by [`DecoderBase::advance`] and [`DecoderBase::advance_at_end`]. They return a
//! signal in place of an event, because events and errors take many words, which each function would copy.

use crate::error::{Diagnostic, Error, Mode};
use crate::failed::{Failed, Stopped};
use crate::state::Saved;
use crate::step::{Demand, Step};

/// The part of a decoder that its format adds: its states and the transitions between them.
pub(crate) trait StateMachine: DecoderBase + Saved {
    /// Consumes input as [`Decode::push`](crate::Decode::push) does. Not called after an error.
    fn take_input(&mut self, input: &[u8]) -> Result<Step<Self::Signal>, Stopped>;

    /// Takes the end of the input as [`Decode::finish`](crate::Decode::finish) does. Not called after an error.
    fn take_end(&mut self) -> Result<Step<Self::Signal>, Stopped>;

    /// The event, with its contents, of a signal that has just been returned. `None` is a mistake of the decoder.
    fn event(&mut self, signal: Self::Signal) -> Option<Self::Event>;

    /// The next need, while neither stopped nor at a finding.
    fn next_demand(&self) -> Demand;

    /// Length in bytes of the open payload; `None` while no payload is open.
    fn open_length(&self) -> Option<u64>;

    /// Returns whether the fields of a loaded state agree with each other, so that the decoder keeps its contract from
    /// there on.
    fn is_consistent(&self) -> bool;
}

/// The shared fields of a decoder, and the methods that need no others. Implemented by `decoder!`.
pub(crate) trait DecoderBase: Sized {
    type Event: Copy;
    type ErrorKind: Diagnostic;
    /// An event without its contents.
    type Signal;
    /// The signal that a broken rule has been found, which is in [`Failed`].
    const FINDING: Self::Signal;

    fn mode(&self) -> Mode;
    fn failed(&self) -> &Failed<Self::ErrorKind>;
    fn failed_mut(&mut self) -> &mut Failed<Self::ErrorKind>;

    /// The error that stopped a step, or its finding.
    fn error(&self) -> Error<Self::ErrorKind>;

    /// Stops because of a mistake of this crate, see [`Watch`](crate::counter::Watch).
    fn internal_error(&mut self) -> Error<Self::ErrorKind>;

    /// [`Decode::push`](crate::Decode::push) without the contents of the event.
    #[inline]
    fn advance(&mut self, input: &[u8]) -> Result<Step<Self::Signal>, Stopped>
    where
        Self: StateMachine,
    {
        self.check_running()?;
        self.take_input(input)
    }

    /// [`Decode::finish`](crate::Decode::finish) without the contents of the event.
    #[inline]
    fn advance_at_end(&mut self) -> Result<Step<Self::Signal>, Stopped>
    where
        Self: StateMachine,
    {
        self.check_running()?;
        self.take_end()
    }

    /// Fails if the decoder has stopped.
    #[inline]
    fn check_running(&self) -> Result<(), Stopped> {
        self.failed().check_usable()
    }

    /// Fails with the error of a decoder that has stopped.
    #[inline]
    fn check_usable(&self) -> Result<(), Error<Self::ErrorKind>> {
        self.failed().check()
    }

    /// The finding that a step has just signalled. It is in the same place as an error, so [`error`](Self::error)
    /// returns it.
    #[inline]
    fn finding(&mut self) -> Error<Self::ErrorKind> {
        let finding = self.error();
        self.failed_mut().put(None);
        finding
    }

    /// The finding that a step has signalled.
    #[inline]
    fn take_finding(&mut self) -> Option<Error<Self::ErrorKind>> {
        self.failed_mut().take()
    }

    /// Refuses or reports, as the mode demands, in a step that has consumed `consumed` bytes.
    fn report(
        &mut self,
        consumed: usize,
        at: u64,
        kind: Self::ErrorKind,
    ) -> Result<Step<Self::Signal>, Stopped> {
        let mode = self.mode();
        self.failed_mut().report(mode, consumed, Error::new(at, kind), Self::FINDING)
    }

    /// Stops for good. Not inlined: it is called from many places.
    #[inline(never)]
    fn fail(&mut self, at: u64, kind: Self::ErrorKind) -> Result<Step<Self::Signal>, Stopped> {
        self.failed_mut().fail(at, kind)
    }
}

/// Derives the public interface of a decoder from its [`StateMachine`]. It uses the `Event`, `ErrorKind` and `Signal`
/// in scope.
///
/// `decoder!(Decoder, 9, over plain)`: the decoder drives a decoder of the same format, in its field `plain`, which has
/// the mode, the cursor and the error of both. Moving inside a payload is not derived.
macro_rules! decoder {
    ($decoder:ident, $tag:literal) => {
        $crate::machine::decoder!(@decode $decoder, $tag, []);

        impl $crate::step::SeekPayload for $decoder {
            fn payload_position(&self) -> Option<u64> {
                $crate::machine::StateMachine::open_length(self).map(|length| self.cursor.place(length))
            }

            fn seek(&mut self, to: u64) -> Result<(), $crate::error::Error<ErrorKind>> {
                self.failed.check()?;
                let length = $crate::machine::StateMachine::open_length(self);
                self.cursor.seek(to, length, ErrorKind::Misuse)?;
                Ok(())
            }
        }
    };
    ($decoder:ident, $tag:literal, over $below:ident) => {
        $crate::machine::decoder!(@decode $decoder, $tag, [$below]);
    };
    (@reset $decoder:ident [$below:ident]) => {};
    (@reset $decoder:ident []) => {
        impl $decoder {
            /// Begins another file, from its first byte and in the same mode. Not even an error remains.
            pub const fn reset(&mut self) {
                *self = Self::new(self.mode);
            }
        }
    };
    (@decode $decoder:ident, $tag:literal, [$($below:ident)?]) => {
        $crate::state::resumable!($decoder, $tag);

        $crate::machine::decoder!(@reset $decoder [$($below)?]);

        impl $crate::state::Resumable for $decoder {
            type Saved<T> = Result<T, $crate::error::Error<ErrorKind>>;

            fn save(&self) -> Result<$crate::state::State<Self>, $crate::error::Error<ErrorKind>> {
                self.$($below.)?failed.check()?;
                Ok($crate::state::seal(self))
            }

            fn save_into(
                &self,
                to: &mut <Self as $crate::state::sealed::Bytes>::Bytes,
            ) -> Result<(), $crate::error::Error<ErrorKind>> {
                self.$($below.)?failed.check()?;
                $crate::state::seal_into(self, to);
                Ok(())
            }

            fn load(saved: &$crate::state::State<Self>) -> Result<Self, $crate::state::LoadError> {
                $crate::state::load(saved, <Self as $crate::machine::StateMachine>::is_consistent)
            }
        }

        impl $crate::machine::DecoderBase for $decoder {
            type Event = Event;
            type ErrorKind = ErrorKind;
            type Signal = Signal;
            const FINDING: Signal = Signal::Finding;

            #[inline]
            fn mode(&self) -> $crate::error::Mode {
                self.$($below.)?mode
            }

            #[inline]
            fn failed(&self) -> &$crate::failed::Failed<ErrorKind> {
                &self.$($below.)?failed
            }

            #[inline]
            fn failed_mut(&mut self) -> &mut $crate::failed::Failed<ErrorKind> {
                &mut self.$($below.)?failed
            }

            #[inline(never)]
            fn error(&self) -> $crate::error::Error<ErrorKind> {
                self.$($below.)?failed.error(self.$($below.)?cursor.position(), ErrorKind::Misuse)
            }

            #[cold]
            fn internal_error(&mut self) -> $crate::error::Error<ErrorKind> {
                self.$($below.)?failed.internal_error(self.$($below.)?cursor.position(), ErrorKind::Misuse)
            }
        }

        impl $crate::step::Decode for $decoder {
            type Event = Event;
            type ErrorKind = ErrorKind;

            // `push` and `finish` share no function: a step that is returned through one is copied.
            fn push(
                &mut self,
                input: &[u8],
            ) -> Result<$crate::step::Step<Event>, $crate::error::Error<ErrorKind>> {
                let watch = $crate::counter::Watch::begin();
                match $crate::machine::DecoderBase::advance(self, input) {
                    Ok($crate::step::Step { consumed, event }) => {
                        let event = match event {
                            Some(signal) => $crate::machine::StateMachine::event(self, signal),
                            None => None,
                        };
                        if watch.has_seen_mistake() {
                            return Err($crate::machine::DecoderBase::internal_error(self));
                        }
                        Ok($crate::step::Step { consumed, event })
                    }
                    Err(_) if watch.has_seen_mistake() => Err($crate::machine::DecoderBase::internal_error(self)),
                    Err($crate::failed::Stopped) => Err($crate::machine::DecoderBase::error(self)),
                }
            }

            fn finish(&mut self) -> Result<Option<Event>, $crate::error::Error<ErrorKind>> {
                let watch = $crate::counter::Watch::begin();
                match $crate::machine::DecoderBase::advance_at_end(self) {
                    Ok($crate::step::Step { event, .. }) => {
                        let event = match event {
                            Some(signal) => $crate::machine::StateMachine::event(self, signal),
                            None => None,
                        };
                        if watch.has_seen_mistake() {
                            return Err($crate::machine::DecoderBase::internal_error(self));
                        }
                        Ok(event)
                    }
                    Err(_) if watch.has_seen_mistake() => Err($crate::machine::DecoderBase::internal_error(self)),
                    Err($crate::failed::Stopped) => Err($crate::machine::DecoderBase::error(self)),
                }
            }

            fn demand(&self) -> $crate::step::Demand {
                $crate::machine::StateMachine::next_demand(self)
            }

            fn skip(&mut self, n: u64) -> Result<(), $crate::error::Error<ErrorKind>> {
                self.$($below.)?failed.check()?;
                let is_open = $crate::machine::StateMachine::open_length(self).is_some();
                self.$($below.)?cursor.skip(n, is_open, ErrorKind::Misuse)
            }

            fn position(&self) -> u64 {
                self.$($below.)?cursor.position()
            }
        }
    };
}

pub(crate) use decoder;

/// Derives saving and loading of a decoder that drives another one, from its methods `new`, `check_usable` and
/// `is_consistent`: `nested_decoder!(Decoder, 3, "field", |decoder| …)` with its tag, its module for the example, and
/// its mode.
///
/// Such a decoder does not implement [`StateMachine`]. It has no cursor, because the decoder inside has position and
/// payload. It can have stopped itself, or the decoder inside has. Its steps take a judge
/// (`field::read::phases::Judge`), which each of these decoders keeps in another place. A macro with parameters for all
/// this would be as long as the implementation of [`Decode`](crate::Decode) that it derives.
macro_rules! nested_decoder {
    ($nested:ident, $tag:literal, $path:literal, |$decoder:ident| $mode:expr) => {
        $crate::state::resumable!($nested, $tag);

        impl $nested {
            /// Begins another file, from its first byte and in the same mode. Nothing of the last one remains, not even
            /// an error. Of use for a decoder in a `static`, which is not moved.
            ///
            /// ```
            #[doc = concat!("use linkstream::", $path, "::Decoder;")]
            /// use linkstream::{Decode, Mode, Resumable};
            ///
            /// const NEW: Decoder = Decoder::new(Mode::Strict);
            /// let mut decoder = NEW;
            /// assert!(decoder.push(&[0; 144]).is_err());
            /// decoder.reset();
            /// assert_eq!(decoder.save()?, NEW.save()?);
            /// # Ok::<(), Box<dyn core::error::Error>>(())
            /// ```
            pub const fn reset(&mut self) {
                let $decoder = &*self;
                *self = Self::new($mode);
            }
        }

        impl $crate::state::Resumable for $nested {
            type Saved<T> = Result<T, $crate::error::Error<ErrorKind>>;

            fn save(&self) -> Result<$crate::state::State<Self>, $crate::error::Error<ErrorKind>> {
                self.check_usable()?;
                Ok($crate::state::seal(self))
            }

            fn save_into(
                &self,
                to: &mut <Self as $crate::state::sealed::Bytes>::Bytes,
            ) -> Result<(), $crate::error::Error<ErrorKind>> {
                self.check_usable()?;
                $crate::state::seal_into(self, to);
                Ok(())
            }

            fn load(saved: &$crate::state::State<Self>) -> Result<Self, $crate::state::LoadError> {
                $crate::state::load_in_place(
                    saved,
                    || Self::new($crate::error::Mode::Strict),
                    Self::is_consistent,
                )
            }

            fn load_into(&mut self, saved: &[u8]) -> Result<(), $crate::state::LoadError> {
                let $decoder = &*self;
                let mode = $mode;
                $crate::state::load_over(self, saved, || Self::new(mode), Self::is_consistent)
            }
        }
    };
}

pub(crate) use nested_decoder;

#[cfg(test)]
mod tests {
    use std::string::ToString as _;

    use crate::counter::NEXT_IS_WRONG;
    use crate::{Decode, Diagnostic, Mode, conformance, field, inebin, lime, milc, nersc, scda, volume};

    /// A mistake in the first calculation of a step stops the decoder, whatever the step returns.
    fn stops<D: Decode<ErrorKind: Diagnostic>>(mut decoder: D, input: &[u8]) {
        NEXT_IS_WRONG.set(true);
        let error = decoder.push(input).err().unwrap();
        assert!(!NEXT_IS_WRONG.get() && error.kind.to_string().starts_with("internal error"), "{error}");
        assert_eq!(decoder.push(input).err(), Some(error));
        assert_eq!(decoder.finish().err(), Some(error));
    }

    #[test]
    fn a_mistake_stops_every_decoder() {
        let lime = *lime::Header::new(b"type", 5, true, true).unwrap().as_bytes();
        stops(lime::Decoder::new(Mode::Survey), &lime);
        stops(field::Decoder::new(Mode::Survey), &lime);
        stops(conformance::Decoder::new(Mode::Survey), &lime);
        stops(volume::Decoder::new(Mode::Survey), &lime);
        let mut encoder = scda::Encoder::new(scda::Style::Unix);
        let scda = encoder.header(b"vendor", b"file").unwrap();
        stops(scda::PlainDecoder::new(Mode::Survey), scda);
        stops(scda::Decoder::new(Mode::Survey, true), scda);
        stops(inebin::Decoder::new(Mode::Survey), b"INEBIN");
        stops(nersc::Decoder::new(Mode::Survey), b"BEGIN_HEADER\n");
        stops(milc::Decoder::new(Mode::Survey), &[0; 96]);
    }
}
