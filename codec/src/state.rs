//! Saving a decoder to a byte array of fixed size, and loading it.
//!
//! An I/O node can pass the array to another one, and a controller can keep it through a power cut. The array is
//! `tag, version, fields in order (big endian), CRC-32 of all before`; a damaged or foreign array is refused.

use crate::bytes::{copy, prefix};
use crate::crc::crc32;
use crate::messages::messages;

messages! {
    /// Why a saved state was refused.
    ///
    /// # Example
    /// ```
    /// use linkstream::{LoadError, lime};
    ///
    /// let mut saved = lime::Encoder::new().save();
    /// saved[0] ^= 1;
    /// assert_eq!(lime::Encoder::load(&saved), Err(LoadError::Damaged));
    /// ```
    pub enum LoadError {
        /// The checksum of the saved state differs: bytes were changed.
        Damaged => ("the saved state is damaged: its checksum does not match"),
        /// It was saved by another type, or by another version of this crate.
        Foreign => ("the saved state belongs to another type or another version of this crate"),
        /// Its fields contradict each other.
        Inconsistent => ("the fields of the saved state contradict each other"),
    }
}

/// Bytes that [`seal`] adds: tag, version, CRC-32.
pub(crate) const SEAL: usize = 6;

/// Changed whenever a saved layout changes.
const VERSION: u8 = 2;

/// A value of fixed saved size.
pub(crate) trait Saved: Sized {
    /// Bytes it takes.
    const SIZE: usize;
    /// Writes it.
    fn put(&self, to: &mut Put<'_>);
    /// Reads it back; `None` if the bytes mean nothing.
    fn take(from: &mut Take<'_>) -> Option<Self>;
    /// Reads it back to where another value is: a large one then is not on the stack several times, on its way
    /// out of each part of it. After `None` it is a mixture.
    fn fill(&mut self, from: &mut Take<'_>) -> Option<()> {
        *self = Self::take(from)?;
        Some(())
    }
    /// Writes an array of them.
    fn put_array<const N: usize>(values: &[Self; N], to: &mut Put<'_>) {
        for value in values {
            value.put(to);
        }
    }
    /// Reads an array of them back.
    fn take_array<const N: usize>(from: &mut Take<'_>) -> Option<[Self; N]> {
        let mut filled: heapless::Vec<Self, N> = heapless::Vec::new();
        while !filled.is_full() {
            filled.push(from.take()?).ok()?;
        }
        filled.into_array().ok()
    }
}

/// Saved size of the field that `_field` returns, whose type need not be named.
pub(crate) const fn size_of_field<T, F: Saved>(_field: fn(&T) -> &F) -> usize {
    F::SIZE
}

/// Writes fields one after the other. What does not fit is dropped: the array's size is computed from the
/// same list of fields, and the tests restore every state they save.
pub(crate) struct Put<'a> {
    rest: &'a mut [u8],
}

impl Put<'_> {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        copy(self.room(bytes.len()), bytes);
    }

    pub(crate) fn zeros(&mut self, n: usize) {
        self.room(n).fill(0);
    }

    /// The next `n` bytes.
    fn room(&mut self, n: usize) -> &mut [u8] {
        let rest = core::mem::take(&mut self.rest);
        let Some((here, rest)) = rest.split_at_mut_checked(n) else { return &mut [] };
        self.rest = rest;
        here
    }

    pub(crate) fn put<T: Saved>(&mut self, value: &T) {
        value.put(self);
    }
}

/// Reads fields one after the other.
pub(crate) struct Take<'a> {
    rest: &'a [u8],
}

impl Take<'_> {
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (here, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*here)
    }

    pub(crate) fn pass(&mut self, n: usize) -> Option<()> {
        self.rest = self.rest.get(n..)?;
        Some(())
    }

    pub(crate) fn take<T: Saved>(&mut self) -> Option<T> {
        T::take(self)
    }

    pub(crate) fn fill<T: Saved>(&mut self, value: &mut T) -> Option<()> {
        value.fill(self)
    }
}

/// Saves `value` as a state of the kind `tag`.
pub(crate) fn seal<const N: usize, T: Saved>(tag: u8, value: &T) -> [u8; N] {
    let mut out = [0; N];
    if let Some((body, sum)) = out.split_last_chunk_mut::<4>() {
        let mut put = Put { rest: body };
        put.bytes(&[tag, VERSION]);
        value.put(&mut put);
        *sum = crc32(0, body).to_be_bytes();
    }
    out
}

/// Puts back what [`seal`] saved.
pub(crate) fn open<T: Saved>(tag: u8, saved: &[u8]) -> Result<T, LoadError> {
    unseal(tag, saved)?.take().ok_or(LoadError::Inconsistent)
}

/// Puts back what [`seal`] saved, if its fields agree with each other.
pub(crate) fn load<T: Saved>(tag: u8, saved: &[u8], is_consistent: fn(&T) -> bool) -> Result<T, LoadError> {
    let value = open(tag, saved)?;
    if is_consistent(&value) { Ok(value) } else { Err(LoadError::Inconsistent) }
}

/// Puts back what [`seal`] saved into `value`, which is good for nothing after an error.
pub(crate) fn open_into<T: Saved>(tag: u8, saved: &[u8], value: &mut T) -> Result<(), LoadError> {
    unseal(tag, saved)?.fill(value).ok_or(LoadError::Inconsistent)
}

/// The fields.
fn unseal(tag: u8, saved: &[u8]) -> Result<Take<'_>, LoadError> {
    let (body, sum) = saved.split_last_chunk::<4>().ok_or(LoadError::Damaged)?;
    if crc32(0, body) != u32::from_be_bytes(*sum) {
        return Err(LoadError::Damaged);
    }
    let mut take = Take { rest: body };
    if take.array() != Some([tag, VERSION]) {
        return Err(LoadError::Foreign);
    }
    Ok(take)
}

macro_rules! saved_integer {
    ($($t:ty),*) => {$(
        impl Saved for $t {
            const SIZE: usize = size_of::<$t>();
            fn put(&self, to: &mut Put<'_>) {
                to.bytes(&self.to_be_bytes());
            }
            fn take(from: &mut Take<'_>) -> Option<Self> {
                from.array().map(<$t>::from_be_bytes)
            }
        }
    )*};
}
saved_integer!(u16, u32, u64, u128);

impl Saved for u8 {
    const SIZE: usize = 1;
    fn put(&self, to: &mut Put<'_>) {
        to.bytes(&[*self]);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        from.array().map(|[byte]| byte)
    }
    // Most of a state are texts: they are copied as they are.
    fn put_array<const N: usize>(values: &[Self; N], to: &mut Put<'_>) {
        to.bytes(values);
    }
    fn take_array<const N: usize>(from: &mut Take<'_>) -> Option<[Self; N]> {
        from.array()
    }
}

impl Saved for bool {
    const SIZE: usize = 1;
    fn put(&self, to: &mut Put<'_>) {
        to.bytes(&[u8::from(*self)]);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        match from.array()? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }
}

impl Saved for usize {
    const SIZE: usize = 8;
    fn put(&self, to: &mut Put<'_>) {
        to.put(&(*self as u64));
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        Self::try_from(from.take::<u64>()?).ok()
    }
}

impl<T: Saved> Saved for Option<T> {
    const SIZE: usize = T::SIZE + 1;
    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.is_some());
        match self {
            Some(value) => to.put(value),
            None => to.zeros(T::SIZE),
        }
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        if from.take()? {
            return from.take().map(Some);
        }
        from.pass(T::SIZE)?;
        Some(None)
    }
}

impl<T: Saved, const N: usize> Saved for [T; N] {
    const SIZE: usize = T::SIZE * N;
    fn put(&self, to: &mut Put<'_>) {
        T::put_array(self, to);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        T::take_array(from)
    }
}

impl<const N: usize> Saved for heapless::String<N> {
    const SIZE: usize = N + 2;
    fn put(&self, to: &mut Put<'_>) {
        let mut bytes = [0; N];
        let len = self.len().min(N);
        if let Some(here) = bytes.get_mut(..len) {
            here.copy_from_slice(prefix(self.as_bytes(), len));
        }
        to.bytes(&bytes);
        to.put(&u16::try_from(len).unwrap_or(u16::MAX));
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        let bytes: [u8; N] = from.array()?;
        let len = from.take::<u16>()?;
        let text = core::str::from_utf8(bytes.get(..usize::from(len))?).ok()?;
        Self::try_from(text).ok()
    }
}

/// Implements [`Saved`] for a type that is declared beside it.
///
/// `saved!(struct Decoder { mode, part } skipping { failed })` saves the fields in the order of the list; a skipped one
/// is loaded as its default. `saved!(enum Part: Header, Payload)` saves a variant without data as one byte. A
/// field or variant that is in no list does not compile.
macro_rules! saved {
    (
        struct $name:ident $(<$parameter:ident : $bound:path>)? { $($field:ident),* $(,)? }
        $(skipping { $($skipped:ident),* $(,)? })?
    ) => {
        impl $(<$parameter: $bound>)? $crate::state::Saved for $name $(<$parameter>)? {
            const SIZE: usize = 0 $(+ $crate::state::size_of_field(|whole: &Self| &whole.$field))*;
            fn put(&self, to: &mut $crate::state::Put<'_>) {
                let Self { $($field,)* $($($skipped: _,)*)? } = self;
                $(to.put($field);)*
            }
            fn take(from: &mut $crate::state::Take<'_>) -> Option<Self> {
                $(let $field = from.take()?;)*
                Some(Self { $($field,)* $($($skipped: Default::default(),)*)? })
            }
            fn fill(&mut self, from: &mut $crate::state::Take<'_>) -> Option<()> {
                let Self { $($field,)* $($($skipped,)*)? } = self;
                $(from.fill($field)?;)*
                $($(*$skipped = Default::default();)*)?
                Some(())
            }
        }
    };
    (enum $name:ident: $($variant:ident),* $(,)?) => {
        const _: fn($name) = |value| match value {
            $($name::$variant => {})*
        };

        impl $crate::state::Saved for $name {
            const SIZE: usize = 1;
            fn put(&self, to: &mut $crate::state::Put<'_>) {
                to.bytes(&[*self as u8]);
            }
            fn take(from: &mut $crate::state::Take<'_>) -> Option<Self> {
                let [tag] = from.array()?;
                $(if tag == $name::$variant as u8 { return Some($name::$variant); })*
                None
            }
        }
    };
}

pub(crate) use saved;
