//! The frame of a decoder: all that formats share, so that a format is its states and nothing else.
//!
//! A format declares a struct with the fields `mode`, `cursor` and `failed` of the frame and those of its own,
//! implements [`States`] for it, and writes `decoder!(Decoder, 1)` with the tag of its saved state. This derives the public interface:
//! [`Decode`](crate::Decode), [`SeekPayload`](crate::SeekPayload), `mode`, and saving and loading the state.
//!
//! A layer above drives the decoder by [`Frame::advance`] and [`Frame::advance_at_end`], which return a signal in
//! place of an event: events and errors take many words, which each function would copy.

use crate::error::{Diagnostic, Error, Mode};
use crate::failed::{Failed, Stopped};
use crate::state::Saved;
use crate::step::{Demand, Step};

/// What a format adds to the frame: its states, and how one leads to the next.
pub(crate) trait States: Frame + Saved {
    /// Consumes input as [`Decode::push`](crate::Decode::push) does. Not called after an error.
    fn take_input(&mut self, input: &[u8]) -> Result<Step<Self::Signal>, Stopped>;

    /// What the end of the input means, as [`Decode::finish`](crate::Decode::finish). Not called after an error.
    fn take_end(&mut self) -> Result<Step<Self::Signal>, Stopped>;

    /// The event of a signal that has just been returned, with its contents. `None` is a mistake of the decoder.
    fn event(&mut self, signal: Self::Signal) -> Option<Self::Event>;

    /// What is needed next.
    fn next_demand(&self) -> Demand;

    /// Length in bytes of the open payload; `None` while no payload is open.
    fn open_length(&self) -> Option<u64>;

    /// The caller has moved inside the open payload: what was known of its last byte is void.
    fn moved(&mut self) {}

    /// Whether the fields of a loaded state agree with each other, so that all that the decoder promises holds from
    /// there on.
    fn is_consistent(&self) -> bool;
}

/// The fields of the frame, and what follows from them. Implemented by `decoder!`.
pub(crate) trait Frame: Sized {
    type Event: Copy;
    type ErrorKind: Diagnostic;
    /// An event without its contents.
    type Signal;
    /// The signal that a broken rule has been found, which is in [`Failed`].
    const FINDING: Self::Signal;

    fn mode(&self) -> Mode;
    fn failed(&self) -> &Failed<Self::ErrorKind>;
    fn failed_mut(&mut self) -> &mut Failed<Self::ErrorKind>;

    /// The error at which a step has stopped, or its finding.
    fn error(&self) -> Error<Self::ErrorKind>;

    /// [`Decode::push`](crate::Decode::push) without the contents of the event.
    #[inline]
    fn advance(&mut self, input: &[u8]) -> Result<Step<Self::Signal>, Stopped>
    where
        Self: States,
    {
        self.check_running()?;
        self.take_input(input)
    }

    /// [`Decode::finish`](crate::Decode::finish) without the contents of the event.
    #[inline]
    fn advance_at_end(&mut self) -> Result<Step<Self::Signal>, Stopped>
    where
        Self: States,
    {
        self.check_running()?;
        self.take_end()
    }

    /// Whether the decoder has not stopped.
    #[inline]
    fn check_running(&self) -> Result<(), Stopped> {
        self.failed().check_usable()
    }

    /// The error at which the decoder has stopped.
    #[inline]
    fn check_usable(&self) -> Result<(), Error<Self::ErrorKind>> {
        self.failed().check()
    }

    /// The finding that a step has just signalled. By way of [`error`](Self::error), since it is in the same place.
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

/// Derives the public interface of a decoder from its [`States`]. `Event`, `ErrorKind` and `Signal` are those in
/// scope.
///
/// `decoder!(Decoder, 9, over raw)`: the decoder drives that of a layer below in its field `raw`, which has the mode and
/// the cursor. What stops that one is in `failed` as well. Moving inside a payload is not derived.
macro_rules! decoder {
    ($decoder:ident, $tag:literal) => {
        $crate::frame::decoder!(@decode $decoder, $tag, [], ErrorKind::Misuse);

        impl $crate::step::SeekPayload for $decoder {
            fn payload_position(&self) -> Option<u64> {
                $crate::frame::States::open_length(self).map(|length| self.cursor.place(length))
            }

            fn seek(&mut self, to: u64) -> Result<(), $crate::error::Error<ErrorKind>> {
                self.failed.check()?;
                let length = $crate::frame::States::open_length(self);
                self.cursor.seek(to, length, ErrorKind::Misuse)?;
                $crate::frame::States::moved(self);
                Ok(())
            }
        }
    };
    ($decoder:ident, $tag:literal, over $below:ident) => {
        $crate::frame::decoder!(@decode $decoder, $tag, [$below], ErrorKind::from);
    };
    (@decode $decoder:ident, $tag:literal, [$($below:ident)?], $misuse:path) => {
        $crate::state::resumable!($decoder, $tag);

        impl $decoder {
            /// The mode.
            #[must_use]
            pub const fn mode(&self) -> $crate::error::Mode {
                self.$($below.)?mode
            }

            /// Saves the state, to be stored or passed to another process. Restore it with `load`.
            ///
            /// # Errors
            /// The error at which the decoder has stopped. Such a decoder cannot be saved.
            pub fn save(&self) -> Result<$crate::state::State<Self>, $crate::error::Error<ErrorKind>> {
                self.failed.check()?;
                Ok($crate::state::seal(self))
            }

            /// Restores a decoder from the state that `save` returned.
            ///
            /// # Errors
            /// [`LoadError::Inconsistent`]($crate::LoadError::Inconsistent): the fields contradict each other.
            pub fn load(saved: &$crate::state::State<Self>) -> Result<Self, $crate::state::LoadError> {
                $crate::state::load(saved, <Self as $crate::frame::States>::is_consistent)
            }
        }

        impl $crate::frame::Frame for $decoder {
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
                &self.failed
            }

            #[inline]
            fn failed_mut(&mut self) -> &mut $crate::failed::Failed<ErrorKind> {
                &mut self.failed
            }

            #[inline(never)]
            fn error(&self) -> $crate::error::Error<ErrorKind> {
                self.failed.error(self.$($below.)?cursor.position(), $misuse)
            }
        }

        impl $crate::step::Decode for $decoder {
            type Event = Event;
            type ErrorKind = ErrorKind;

            // Not one function for both: where a step is returned through a common one, it is copied.
            fn push(
                &mut self,
                input: &[u8],
            ) -> Result<$crate::step::Step<Event>, $crate::error::Error<ErrorKind>> {
                match $crate::frame::Frame::advance(self, input) {
                    Ok($crate::step::Step { consumed, event }) => {
                        let event = match event {
                            Some(signal) => $crate::frame::States::event(self, signal),
                            None => None,
                        };
                        Ok($crate::step::Step { consumed, event })
                    }
                    Err($crate::failed::Stopped) => Err($crate::frame::Frame::error(self)),
                }
            }

            fn finish(&mut self) -> Result<Option<Event>, $crate::error::Error<ErrorKind>> {
                match $crate::frame::Frame::advance_at_end(self) {
                    Ok($crate::step::Step { event: Some(signal), .. }) => {
                        Ok($crate::frame::States::event(self, signal))
                    }
                    Ok(_) => Ok(None),
                    Err($crate::failed::Stopped) => Err($crate::frame::Frame::error(self)),
                }
            }

            fn demand(&self) -> $crate::step::Demand {
                $crate::frame::States::next_demand(self)
            }

            fn skip(&mut self, n: u64) -> Result<(), $crate::error::Error<ErrorKind>> {
                self.failed.check()?;
                let is_open = $crate::frame::States::open_length(self).is_some();
                self.$($below.)?cursor.skip(n, is_open, $misuse)
            }

            fn position(&self) -> u64 {
                self.$($below.)?cursor.position()
            }
        }
    };
}

pub(crate) use decoder;

/// Derives saving and loading of a decoder that drives another one, from its methods `new`, `check_usable` and
/// `is_consistent`: `nested_decoder!(Decoder, 3)` with its tag.
///
/// Such a decoder is not a [`States`]. It has no cursor: position and payload are those of the decoder inside. Its error
/// is its own or that of the decoder inside, and its steps take a judge (`field::read::phases::Judge`), which is kept in
/// another place by each of them. To say where all of these are takes as many lines as its [`Decode`](crate::Decode).
macro_rules! nested_decoder {
    ($nested:ident, $tag:literal) => {
        $crate::state::resumable!($nested, $tag);

        impl $nested {
            /// Saves the state, to be stored or passed to another process. Restore it with `load`.
            ///
            /// # Errors
            /// The error at which the decoder has stopped. Such a decoder cannot be saved.
            pub fn save(&self) -> Result<$crate::state::State<Self>, $crate::error::Error<ErrorKind>> {
                self.check_usable()?;
                Ok($crate::state::seal(self))
            }

            /// Restores a decoder from the state that `save` returned.
            ///
            /// # Errors
            /// [`LoadError::Inconsistent`]($crate::LoadError::Inconsistent): the fields contradict each other.
            pub fn load(saved: &$crate::state::State<Self>) -> Result<Self, $crate::state::LoadError> {
                $crate::state::load_in_place(
                    saved,
                    || Self::new($crate::error::Mode::Strict),
                    Self::is_consistent,
                )
            }
        }
    };
}

pub(crate) use nested_decoder;
