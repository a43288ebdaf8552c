//! What a call of a writer writes, piece by piece. All that is decided about writing is decided here and in the encoders;
//! a writer only passes the pieces to its sink, and waits for it where the sink is asynchronous.

use core::convert::Infallible;

use crate::callback::CallbackError;
use crate::counter::Counter as _;
use crate::encode::Encode;

/// A piece, or none after the last one. The callback of the call can fail with `C`.
pub(super) type Piece<'s, K, C> = Result<Option<&'s [u8]>, CallbackError<K, C>>;

/// The pieces of one call.
pub(super) trait Pieces<E: Encode> {
    /// What a callback of the call fails with; [`Infallible`] if it takes none.
    type Callback;

    /// The next piece, which belongs where the encoder was before; `None` after the last one.
    fn next<'s>(&'s mut self, encoder: &'s mut E) -> Piece<'s, E::ErrorKind, Self::Callback>;
}

/// Lines of equal length, one for each number.
#[derive(Debug)]
pub(super) struct Lines<I, F, const N: usize> {
    numbers: I,
    line: F,
    last: [u8; N],
}

impl<I: Iterator<Item = u64>, F, const N: usize> Lines<I, F, N> {
    /// The lines that `line` makes of these numbers.
    pub(super) fn new(numbers: impl IntoIterator<IntoIter = I>, line: F) -> Self {
        Self { numbers: numbers.into_iter(), line, last: [0; N] }
    }
}

impl<E, I, F, const N: usize> Pieces<E> for Lines<I, F, N>
where
    E: Encode,
    I: Iterator<Item = u64>,
    F: FnMut(&mut E, u64) -> Result<[u8; N], E::ErrorKind>,
{
    type Callback = Infallible;

    fn next<'s>(&'s mut self, encoder: &'s mut E) -> Piece<'s, E::ErrorKind, Infallible> {
        let Some(number) = self.numbers.next() else { return Ok(None) };
        self.last = (self.line)(encoder, number)?;
        Ok(Some(&self.last))
    }
}

/// Payload that a callback makes, `n` times the same number of bytes.
#[derive(Debug)]
pub(super) struct Elements<'e, F> {
    pub(super) element: &'e mut [u8],
    pub(super) done: u64,
    pub(super) n: u64,
    pub(super) fill: F,
}

impl<E: Encode, F: FnMut(u64, &mut [u8])> Pieces<E> for Elements<'_, F> {
    type Callback = Infallible;

    fn next<'s>(&'s mut self, encoder: &'s mut E) -> Piece<'s, E::ErrorKind, Infallible> {
        // Of elements without bytes there can be any number.
        if self.done >= self.n || self.element.is_empty() {
            return Ok(None);
        }
        // What the callback leaves out must not be that of another element.
        self.element.fill(0);
        (self.fill)(self.done, self.element);
        encoder.put(self.element)?;
        self.done.increase(1);
        Ok(Some(self.element))
    }
}
