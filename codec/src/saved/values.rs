//! Values as bytes of fixed length: integers big-endian, an option as a flag and its value or zeros, a struct as its
//! fields, one after the other.

use crate::bytes::{copy, prefix};

/// A value of fixed saved size.
pub(crate) trait Saved: Sized {
    /// Number of bytes.
    const SIZE: usize;
    /// Writes the value.
    fn put(&self, to: &mut Put<'_>);
    /// Reads a value; `None` if the bytes have no meaning.
    fn take(from: &mut Take<'_>) -> Option<Self>;
    /// Reads a value in place of another one. A large value is then not on the stack once for each level of its
    /// parts. After `None`, the value is a mixture of both.
    fn fill(&mut self, from: &mut Take<'_>) -> Option<()> {
        *self = Self::take(from)?;
        Some(())
    }
    /// A value to be filled in place of an absent one; `None` if the value is small, so that it is taken instead.
    fn blank() -> Option<Self> {
        None
    }
    /// Writes an array of values.
    fn put_array<const N: usize>(values: &[Self; N], to: &mut Put<'_>) {
        for value in values {
            value.put(to);
        }
    }
    /// Reads an array of values.
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

/// Writes fields one after the other. Bytes that do not fit are dropped; this cannot occur, since the size of the array
/// is computed from the same list of fields, and the tests restore every state they save.
pub(crate) struct Put<'a> {
    pub(super) rest: &'a mut [u8],
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
    pub(super) rest: &'a [u8],
}

impl<'a> Take<'a> {
    /// The bytes that have not been read.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

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
    // Texts are most of a state, so arrays of bytes are copied as a whole.
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
    fn fill(&mut self, from: &mut Take<'_>) -> Option<()> {
        *self = None;
        if !from.take()? {
            return from.pass(T::SIZE);
        }
        *self = T::blank();
        match self {
            Some(value) => from.fill(value)?,
            None => *self = Some(from.take()?),
        }
        Some(())
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

/// Implements [`Saved`] for a type that is declared next to it.
///
/// `saved!(struct Decoder { mode, part } skipping { failed })` saves the fields in the order of the list; a skipped one
/// is loaded as its default. `saved!(enum Part: Header, Payload)` saves a variant without data as one byte. A
/// field or variant that is in no list does not compile.
macro_rules! saved {
    (
        struct $name:ident $(<$parameter:ident : $bound:path>)? { $($field:ident),* $(,)? }
        $(skipping { $($skipped:ident),* $(,)? })?
    ) => {
        impl $(<$parameter: $bound>)? $crate::saved::values::Saved for $name $(<$parameter>)? {
            const SIZE: usize = 0 $(+ $crate::saved::values::size_of_field(|whole: &Self| &whole.$field))*;
            fn put(&self, to: &mut $crate::saved::values::Put<'_>) {
                let Self { $($field,)* $($($skipped: _,)*)? } = self;
                $(to.put($field);)*
            }
            fn take(from: &mut $crate::saved::values::Take<'_>) -> Option<Self> {
                $(let $field = from.take()?;)*
                Some(Self { $($field,)* $($($skipped: Default::default(),)*)? })
            }
            fn fill(&mut self, from: &mut $crate::saved::values::Take<'_>) -> Option<()> {
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

        impl $crate::saved::values::Saved for $name {
            const SIZE: usize = 1;
            fn put(&self, to: &mut $crate::saved::values::Put<'_>) {
                to.bytes(&[*self as u8]);
            }
            fn take(from: &mut $crate::saved::values::Take<'_>) -> Option<Self> {
                let [tag] = from.array()?;
                $(if tag == $name::$variant as u8 { return Some($name::$variant); })*
                None
            }
        }
    };
}

pub(crate) use saved;
