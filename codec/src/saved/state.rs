//! Saving a decoder or an encoder as bytes, and restoring it.
//!
//! An I/O node can pass the bytes to another one, and a controller can keep them through a power cut. They are `tag,
//! version, fields in order (big-endian), CRC-32 of all before`. Damaged or foreign bytes are refused.

use core::fmt;
use core::marker::PhantomData;

use crate::crc::crc32;
use crate::messages::messages;

pub(crate) use super::values::{Put, Saved, Take, saved};

messages! {
    /// Reason why a saved state was refused.
    ///
    /// # Example
    /// ```
    /// use linkstream::{LoadError, Resumable, State, lime};
    ///
    /// let saved = lime::Encoder::new().save();
    /// let mut bytes = saved.as_bytes().to_vec();
    /// assert_eq!(State::<lime::Decoder>::from_bytes(&bytes), Err(LoadError::Foreign));
    /// bytes[0] ^= 1;
    /// assert_eq!(State::<lime::Encoder>::from_bytes(&bytes), Err(LoadError::Damaged));
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
pub(crate) const SEAL: usize = HEAD + SUM;
const HEAD: usize = 2;
const SUM: usize = 4;

/// Changed whenever a saved layout changes; the golden states in `host-tests/tests/suite/states` require it.
const VERSION: u8 = 7;

/// The saved state of a `T`: a decoder, an encoder, or another state machine of this crate.
///
/// It is an array of [`LEN`](Self::LEN) bytes in a layout that is private to this version of the crate; `T::save`
/// returns it, and `T::load` restores a `T` from it. To store it or to pass it to another process, use
/// [`as_bytes`](Self::as_bytes) and [`from_bytes`](Self::from_bytes).
///
/// A state of [`field::Decoder`](crate::field::Decoder) takes more than 1 KiB of stack.
/// [`save_into`](Resumable::save_into) and [`load_into`](Resumable::load_into) write to and read from memory of the
/// caller.
///
/// # Example
/// ```
/// use linkstream::{Decode, Mode, Resumable, State, lime};
///
/// let mut decoder = lime::Decoder::new(Mode::Strict);
/// decoder.push(b"\x45\x67\x89\xab")?;
/// let mut memory = [0; State::<lime::Decoder>::LEN];
/// memory.copy_from_slice(decoder.save()?.as_bytes());
///
/// // Elsewhere, or later.
/// let decoder = lime::Decoder::load(&State::from_bytes(&memory)?)?;
/// assert_eq!(decoder.position(), 4);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct State<T: Resumable> {
    bytes: T::Bytes,
    of: PhantomData<T>,
}

impl<T: Resumable> State<T> {
    /// Size in bytes.
    pub const LEN: usize = size_of::<T::Bytes>();

    /// The saved bytes, for storage.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The state that has these bytes.
    ///
    /// # Errors
    /// [`LoadError::Damaged`] if the checksum differs, and [`LoadError::Foreign`] if the bytes were saved by another
    /// type or another version of this crate. `T::load` checks that the fields agree with each other.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        check::<T>(bytes)?;
        match bytes.try_into() {
            Ok(bytes) => Ok(Self { bytes, of: PhantomData }),
            Err(_) => Err(LoadError::Foreign),
        }
    }
}

/// Checks that these bytes are a saved state of a `T`.
fn check<T: Resumable>(bytes: &[u8]) -> Result<(), LoadError> {
    sealed_fields(T::TAG, bytes)?;
    if bytes.len() == State::<T>::LEN { Ok(()) } else { Err(LoadError::Foreign) }
}

/// The fields of a saved state.
fn fields(saved: &[u8]) -> Take<'_> {
    let body = saved.get(HEAD..).unwrap_or_default();
    Take { rest: body.split_last_chunk::<SUM>().map_or(&[], |(fields, _)| fields) }
}

/// The fields of bytes that [`seal_fields`] has written.
pub(crate) fn sealed_fields(tag: u8, saved: &[u8]) -> Result<Take<'_>, LoadError> {
    let (body, sum) = saved.split_last_chunk::<SUM>().ok_or(LoadError::Damaged)?;
    if crc32(0, body) != u32::from_be_bytes(*sum) {
        return Err(LoadError::Damaged);
    }
    if body.first_chunk() != Some(&[tag, VERSION]) {
        return Err(LoadError::Foreign);
    }
    Ok(fields(saved))
}

impl<T: Resumable> Clone for State<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Resumable> Copy for State<T> {}

impl<T: Resumable> PartialEq for State<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<T: Resumable> Eq for State<T> {}

impl<T: Resumable> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.as_bytes()).finish()
    }
}

#[cfg(feature = "defmt")]
impl<T: Resumable> defmt::Format for State<T> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "State({=[u8]})", self.as_bytes());
    }
}

impl<T: Resumable> AsRef<[u8]> for State<T> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// [`State::from_bytes`].
impl<T: Resumable> TryFrom<&[u8]> for State<T> {
    type Error = LoadError;

    fn try_from(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::from_bytes(bytes)
    }
}

/// A state machine that can be saved as a [`State`]. Only types of this crate implement it.
///
/// # Example
/// ```
/// use linkstream::{LoadError, Resumable, State, lime};
///
/// /// A state that was received after its length, in 4 bytes.
/// fn received<T: Resumable>(message: &[u8]) -> Result<State<T>, LoadError> {
///     State::try_from(message.get(4..4 + State::<T>::LEN).ok_or(LoadError::Damaged)?)
/// }
///
/// let saved = lime::Encoder::new().save();
/// let message = [&[0, 0, 1, 169][..], saved.as_ref()].concat();
/// assert_eq!(received(&message), Ok(saved));
/// ```
pub trait Resumable: sealed::Bytes + Sized {
    /// Result of saving: `T`, or of a decoder `Result<T, Error<_>>`, since a decoder that has stopped cannot be saved.
    type Saved<T>;

    /// Saves the state, to be stored or passed to another process. Restore it with [`load`](Self::load).
    ///
    /// # Errors
    /// Of a decoder: the error that stopped it.
    #[must_use]
    fn save(&self) -> Self::Saved<State<Self>>;

    /// Saves the state like [`save`](Self::save), in memory of the caller, an array of [`State::LEN`] bytes: a static, or
    /// a buffer for a sector of a flash chip. The state is not copied on the stack.
    ///
    /// # Errors
    /// Of a decoder: the error that stopped it. The memory is then unchanged.
    fn save_into(&self, to: &mut Self::Bytes) -> Self::Saved<()>;

    /// Restores what [`save`](Self::save) returned.
    ///
    /// # Errors
    /// [`LoadError::Inconsistent`]: the fields contradict each other. [`LoadError::Foreign`] from
    /// [`inebin::Entries`](crate::inebin::Entries) of another type.
    fn load(saved: &State<Self>) -> Result<Self, LoadError>;

    /// Continues with the state that [`save_into`](Self::save_into) or [`save`](Self::save) has saved, in place of its
    /// own. The decoders and the encoder of fields, which are large, do not copy it on the stack.
    ///
    /// ```
    /// use linkstream::field::Decoder;
    /// use linkstream::{Decode, LoadError, Mode, Resumable, State};
    ///
    /// let mut memory = [0; State::<Decoder>::LEN];
    /// let mut decoder = Decoder::new(Mode::Strict);
    /// decoder.push(b"\x45\x67\x89\xab")?;
    /// decoder.save_into(&mut memory)?;
    ///
    /// // Elsewhere, or after a power cut.
    /// let mut decoder = Decoder::new(Mode::Strict);
    /// decoder.load_into(&memory)?;
    /// assert_eq!(decoder.position(), 4);
    /// memory[9] ^= 1;
    /// assert_eq!(decoder.load_into(&memory), Err(LoadError::Damaged));
    /// assert_eq!(decoder.position(), 4);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError::Damaged`] and [`LoadError::Foreign`]: `self` is unchanged. [`LoadError::Inconsistent`]: the fields
    /// contradict each other. A decoder, in the mode that it had, or the encoder of fields is then at the beginning of a
    /// file; all others are unchanged.
    fn load_into(&mut self, saved: &[u8]) -> Result<(), LoadError> {
        *self = Self::load(&State::from_bytes(saved)?)?;
        Ok(())
    }
}

pub(crate) mod sealed {
    /// The bytes of a saved state.
    pub trait Bytes {
        /// An array of bytes, long enough for the state.
        type Bytes: Copy + AsRef<[u8]> + AsMut<[u8]> + for<'a> TryFrom<&'a [u8]>;
        /// An array of zeros.
        const EMPTY: Self::Bytes;
        /// Its first byte. Each type has its own.
        const TAG: u8;
    }
}

/// Gives a type that implements [`Saved`] the bytes of its state, which [`Resumable`] needs: `resumable!(Decoder, 1)`
/// with its tag. A generic type names a concrete one of the same saved size, because the length of an array cannot depend
/// on a parameter.
macro_rules! resumable {
    ($name:ident, $tag:literal) => {
        $crate::state::resumable!($name as $name, $tag);
    };
    ($name:ident $(<$parameter:ident: $bound:path>)? as $sized:ident, $tag:literal) => {
        impl $(<$parameter: $bound>)? $crate::state::sealed::Bytes for $name $(<$parameter>)? {
            type Bytes = [u8; <$sized as $crate::state::Saved>::SIZE.saturating_add($crate::state::SEAL)];
            const EMPTY: Self::Bytes = [0; <$sized as $crate::state::Saved>::SIZE.saturating_add($crate::state::SEAL)];
            const TAG: u8 = $tag;
        }
    };
}

pub(crate) use resumable;

/// Derives saving and loading of an encoder with a method `is_consistent`: `saved_encoder!(Encoder, 2)` with its tag. A
/// large one also names the function that makes a new one. A state is loaded into it.
macro_rules! saved_encoder {
    ($encoder:ident, $tag:literal $(, $new:expr)?) => {
        $crate::state::resumable!($encoder, $tag);

        impl $crate::state::Resumable for $encoder {
            type Saved<T> = T;

            fn save(&self) -> $crate::state::State<Self> {
                $crate::state::seal(self)
            }

            fn save_into(&self, to: &mut <Self as $crate::state::sealed::Bytes>::Bytes) {
                $crate::state::seal_into(self, to);
            }

            fn load(saved: &$crate::state::State<Self>) -> Result<Self, $crate::state::LoadError> {
                $crate::state::load(saved, Self::is_consistent)
            }

            $(
                fn load_into(&mut self, saved: &[u8]) -> Result<(), $crate::state::LoadError> {
                    $crate::state::load_over(self, saved, $new, Self::is_consistent)
                }
            )?
        }
    };
}

pub(crate) use saved_encoder;

/// Saves `value`.
pub(crate) fn seal<T: Saved + Resumable>(value: &T) -> State<T> {
    let mut state = State { bytes: T::EMPTY, of: PhantomData };
    seal_into(value, AsMut::<[u8]>::as_mut(&mut state.bytes));
    state
}

/// Saves `value` in memory of the caller, of [`State::LEN`] bytes.
pub(crate) fn seal_into<T: Saved + Resumable>(value: &T, bytes: &mut [u8]) {
    seal_fields(T::TAG, bytes, |put| value.put(put));
}

/// Fills `bytes` with the fields that `write` puts, and with what protects them. Bytes after the fields are kept.
pub(crate) fn seal_fields(tag: u8, bytes: &mut [u8], write: impl FnOnce(&mut Put<'_>)) {
    if let Some((body, sum)) = bytes.split_last_chunk_mut::<SUM>() {
        let mut put = Put { rest: body };
        put.bytes(&[tag, VERSION]);
        write(&mut put);
        *sum = crc32(0, body).to_be_bytes();
    }
}

/// Restores what [`seal`] saved.
pub(crate) fn open<T: Saved + Resumable>(saved: &State<T>) -> Result<T, LoadError> {
    fields(saved.as_bytes()).take().ok_or(LoadError::Inconsistent)
}

/// Restores what [`seal`] saved. `is_consistent` checks that the fields agree with each other.
pub(crate) fn load<T: Saved + Resumable>(
    saved: &State<T>,
    is_consistent: fn(&T) -> bool,
) -> Result<T, LoadError> {
    let value = open(saved)?;
    if is_consistent(&value) { Ok(value) } else { Err(LoadError::Inconsistent) }
}

/// Restores what [`seal`] saved, like [`load`], in place of the value that `new` returns. A large value is filled where
/// the caller needs it, and is on the stack only once.
pub(crate) fn load_in_place<T: Saved + Resumable>(
    saved: &State<T>,
    new: fn() -> T,
    is_consistent: fn(&T) -> bool,
) -> Result<T, LoadError> {
    let mut loaded = Ok(new());
    if let Ok(value) = &mut loaded {
        let filled = fields(saved.as_bytes()).fill(value);
        if filled.is_none() || !is_consistent(value) {
            loaded = Err(LoadError::Inconsistent);
        }
    }
    loaded
}

/// Restores what [`seal_into`] saved in place of `value`. Bytes that are damaged or foreign leave it unchanged. Fields
/// that contradict each other are only noticed when they have replaced the old ones; `value` is then a `new` one.
pub(crate) fn load_over<T: Saved + Resumable>(
    value: &mut T,
    saved: &[u8],
    new: impl FnOnce() -> T,
    is_consistent: fn(&T) -> bool,
) -> Result<(), LoadError> {
    check::<T>(saved)?;
    let filled = fields(saved).fill(value);
    if filled.is_some() && is_consistent(value) {
        return Ok(());
    }
    *value = new();
    Err(LoadError::Inconsistent)
}
