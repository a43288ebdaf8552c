//! The decoder of a reader, which the reader owns or borrows.

use core::borrow::BorrowMut;
use core::marker::PhantomData;

use crate::error::Error;
use crate::step::{Decode, Demand, SeekPayload, Step};

/// A decoder `T` in a `D`: the decoder itself, or a mutable reference to one in a `static`.
#[derive(Debug)]
pub(super) struct Held<T, D> {
    decoder: D,
    of: PhantomData<fn() -> T>,
}

impl<T, D> Held<T, D> {
    pub(super) const fn new(decoder: D) -> Self {
        Self { decoder, of: PhantomData }
    }

    pub(super) fn into_inner(self) -> D {
        self.decoder
    }
}

impl<T, D: BorrowMut<T>> Held<T, D> {
    #[inline]
    pub(super) fn get(&self) -> &T {
        self.decoder.borrow()
    }

    #[inline]
    pub(super) fn get_mut(&mut self) -> &mut T {
        self.decoder.borrow_mut()
    }
}

impl<T: Decode, D: BorrowMut<T>> Decode for Held<T, D> {
    type Event = T::Event;
    type ErrorKind = T::ErrorKind;

    #[inline]
    fn push(&mut self, input: &[u8]) -> Result<Step<T::Event>, Error<T::ErrorKind>> {
        self.get_mut().push(input)
    }

    #[inline]
    fn finish(&mut self) -> Result<Option<T::Event>, Error<T::ErrorKind>> {
        self.get_mut().finish()
    }

    #[inline]
    fn demand(&self) -> Demand {
        self.get().demand()
    }

    #[inline]
    fn skip(&mut self, n: u64) -> Result<(), Error<T::ErrorKind>> {
        self.get_mut().skip(n)
    }

    #[inline]
    fn position(&self) -> u64 {
        self.get().position()
    }
}

impl<T: SeekPayload, D: BorrowMut<T>> SeekPayload for Held<T, D> {
    fn payload_position(&self) -> Option<u64> {
        self.get().payload_position()
    }

    fn seek(&mut self, to: u64) -> Result<(), Error<T::ErrorKind>> {
        self.get_mut().seek(to)
    }
}
