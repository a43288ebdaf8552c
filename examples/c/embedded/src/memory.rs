//! The memory of the caller: pointers are checked here, and become references.
//!
//! Checked before anything is read or written: NULL, alignment, size, overlap, and the mark of an object. It
//! cannot be checked that memory exists and is readable or writable; the C program answers for that.
#![allow(unsafe_code, reason = "the border to C: pointers become references here")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::sync::atomic::{Ordering, compiler_fence};

use crate::status::{Outcome, Status};

/// A value that lives in an object of the caller. Each type has its own tag.
pub trait Tagged {
    /// A number that makes the mark of this type.
    const TAG: u32;
}

/// An object in the caller's memory. C programs see an array of 64-bit words. After the words of this struct follows a
/// `T`, at the next address that has its alignment: an object never moves, and C99 cannot ask for an alignment of 16.
#[repr(C)]
#[derive(Debug)]
pub struct Object<T> {
    /// See [`word`].
    words: [u32; word::COUNT],
    of: PhantomData<MaybeUninit<T>>,
}

/// The alignment of all objects.
const ALIGNMENT: usize = 8;

impl<T> Object<T> {
    /// Number of bytes of memory that an object needs.
    pub const SIZE: usize = size_of::<Self>()
        .saturating_add(size_of::<T>())
        .saturating_add(align_of::<T>().saturating_sub(ALIGNMENT));
}

/// Places of the words in an object.
mod word {
    /// The tag of the type and the address of the object.
    pub const MARK: usize = 0;
    /// The complement of the mark.
    pub const COMPLEMENT: usize = 1;
    /// Not 0 while a call works with the object.
    pub const BUSY: usize = 2;
    /// Not 0 after the end of the file.
    pub const ENDED: usize = 3;
    pub const COUNT: usize = 4;
}

/// A range of addresses.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    from: usize,
    length: usize,
}

impl Span {
    pub fn of<T>(slice: &[T]) -> Self {
        Self { from: slice.as_ptr().addr(), length: size_of_val(slice) }
    }

    /// True if both have a byte in common.
    #[inline(never)]
    pub fn overlaps(self, other: Self) -> bool {
        // The distance from the beginning of one to the beginning of the other.
        let (up, down) = (other.from.wrapping_sub(self.from), self.from.wrapping_sub(other.from));
        self.length > 0 && other.length > 0 && (up < self.length || down < other.length)
    }

    /// Fails if any two of the spans overlap.
    #[inline(never)]
    pub fn all_apart(spans: &[Self]) -> Outcome {
        let mut rest = spans;
        while let [one, others @ ..] = rest {
            if others.iter().any(|other| one.overlaps(*other)) {
                return Err(Status::OVERLAP);
            }
            rest = others;
        }
        Ok(())
    }
}

/// Fails if the pointer is NULL or misaligned.
#[inline(never)]
fn checked_address(address: usize, alignment: usize) -> Outcome {
    if address == 0 {
        return Err(Status::NULL);
    }
    if address & alignment.wrapping_sub(1) != 0 { Err(Status::MISALIGNED) } else { Ok(()) }
}

fn checked<T>(pointer: *const T, alignment: usize) -> Outcome {
    checked_address(pointer.addr(), alignment)
}

/// The memory of an object, without the type of its value: the checks are one function each, and not one for each type.
#[derive(Clone, Copy)]
struct Place {
    words: *mut u32,
    size: usize,
    tag: u32,
}

impl Place {
    fn of<T: Tagged>(object: *const Object<T>) -> Self {
        Self { words: object.cast_mut().cast(), size: Object::<T>::SIZE, tag: T::TAG }
    }

    /// The place of the value.
    fn value<T>(self) -> *mut T {
        let after_words = self.words.wrapping_add(word::COUNT).cast::<u8>();
        // 0 unless the alignment is larger than 8.
        let gap = after_words.addr().wrapping_neg() & align_of::<T>().wrapping_sub(1);
        after_words.wrapping_add(gap).cast()
    }

    fn span(self) -> Span {
        Span { from: self.words.addr(), length: self.size }
    }

    /// Called after the pointer was checked.
    fn word(self, index: usize) -> u32 {
        // SAFETY: the pointer was checked, and the caller provides the memory of an object. Interrupted code may be
        // working with the object, so all its words are read and written as volatile ones, never through references.
        unsafe { self.words.wrapping_add(index).read_volatile() }
    }

    /// Called after the pointer was checked.
    fn set_word(self, index: usize, word: u32) {
        // SAFETY: as in `word`.
        unsafe { self.words.wrapping_add(index).write_volatile(word) }
    }

    /// The mark of an object of this type at this address.
    fn mark(self) -> u32 {
        let address = self.words.addr() as u64;
        let folded = (address ^ address.wrapping_shr(32)) as u32;
        self.tag ^ folded
    }

    fn is_marked(self) -> bool {
        let mark = self.mark();
        self.word(word::MARK) == mark && self.word(word::COMPLEMENT) == !mark
    }

    fn set_mark(self, mark: u32, complement: u32) {
        self.set_word(word::MARK, mark);
        self.set_word(word::COMPLEMENT, complement);
    }

    fn check_apart(self, apart: &[Span]) -> Outcome {
        let overlaps = apart.iter().any(|span| span.overlaps(self.span()));
        if overlaps { Err(Status::OVERLAP) } else { Ok(()) }
    }

    /// Fails unless the memory holds an object that is not in use. It is in use from then on. Returns true if its end
    /// was reached.
    #[inline(never)]
    fn occupy(self, apart: &[Span]) -> Result<bool, Status> {
        checked(self.words, ALIGNMENT)?;
        if !self.is_marked() {
            return Err(Status::UNINITIALISED);
        }
        if self.word(word::BUSY) != 0 {
            return Err(Status::BUSY);
        }
        self.check_apart(apart)?;
        let ended = self.word(word::ENDED) != 0;
        self.set_word(word::BUSY, 1);
        compiler_fence(Ordering::SeqCst);
        Ok(ended)
    }

    #[inline(never)]
    fn leave(self, ended: bool) {
        compiler_fence(Ordering::SeqCst);
        self.set_word(word::ENDED, u32::from(ended));
        self.set_word(word::BUSY, 0);
    }

    /// Fails unless an object can be made in this memory of `size` bytes.
    #[inline(never)]
    fn check_new(self, size: usize, apart: &[Span]) -> Outcome {
        checked(self.words, ALIGNMENT)?;
        if size < self.size {
            return Err(Status::TOO_SMALL);
        }
        self.check_apart(apart)?;
        if self.is_marked() && self.word(word::BUSY) != 0 { Err(Status::BUSY) } else { Ok(()) }
    }

    /// Called before the value is written.
    #[inline(never)]
    fn clear(self) {
        self.set_mark(0, 0);
        self.set_word(word::BUSY, 0);
        self.set_word(word::ENDED, 0);
        compiler_fence(Ordering::SeqCst);
    }

    /// Called after the value was written.
    #[inline(never)]
    fn finish(self) {
        compiler_fence(Ordering::SeqCst);
        let mark = self.mark();
        self.set_mark(mark, !mark);
    }
}

/// Makes an object in memory of `size` bytes.
pub fn create<T: Tagged>(
    object: *mut Object<T>,
    size: usize,
    apart: &[Span],
    make: impl FnOnce() -> Result<T, Status>,
) -> Outcome {
    let place = Place::of(object);
    place.check_new(size, apart)?;
    let value = make()?;
    place.clear();
    // SAFETY: the pointer was checked, the caller provides memory of this size, and no call uses it now.
    unsafe { place.value::<T>().write(value) };
    place.finish();
    Ok(())
}

/// The memory of an object.
pub fn object_span<T: Tagged>(object: *const Object<T>) -> Span {
    Place::of(object).span()
}

/// Works with an object. `apart` is the other memory of the call. The body gets the value, and the flag of the end.
pub fn enter<T: Tagged>(
    object: *mut Object<T>,
    apart: &[Span],
    body: impl FnOnce(&mut T, &mut bool) -> Outcome,
) -> Outcome {
    let place = Place::of(object);
    let mut ended = place.occupy(apart)?;
    // SAFETY: the mark shows that the value was initialised. No other reference exists: an interrupt that comes now
    // sees that the object is busy.
    let value = unsafe { &mut *place.value::<T>() };
    let outcome = body(value, &mut ended);
    place.leave(ended);
    outcome
}

/// Reads an object, whose value does not change. It is marked as busy meanwhile: the memory of an object is never
/// constant, because it was initialised at run time.
pub fn look<T: Tagged>(
    object: *const Object<T>,
    apart: &[Span],
    body: impl FnOnce(&T, bool) -> Outcome,
) -> Outcome {
    enter(object.cast_mut(), apart, |value, ended| body(value, *ended))
}

/// Ends the use of memory as an object.
pub fn close<T: Tagged>(object: *mut Object<T>) -> Outcome {
    let place = Place::of(object);
    place.occupy(&[])?;
    place.clear();
    Ok(())
}

/// Bytes that the caller passes. NULL is allowed if the length is 0.
#[inline(never)]
pub fn input<'a>(bytes: *const u8, length: usize) -> Result<&'a [u8], Status> {
    if length == 0 {
        return Ok(&[]);
    }
    checked(bytes, 1)?;
    if isize::try_from(length).is_err() || bytes.addr().checked_add(length).is_none() {
        return Err(Status::ARGUMENT);
    }
    // SAFETY: the pointer is not NULL, the length is possible, and the caller answers for the memory. The callers of
    // this function use the slice for the duration of the C call only.
    Ok(unsafe { core::slice::from_raw_parts(bytes, length) })
}

/// Memory of bytes that a call writes to. NULL is allowed if the length is 0.
#[derive(Debug)]
pub struct Room<'a> {
    bytes: *mut u8,
    length: usize,
    of: PhantomData<&'a mut [u8]>,
}

impl<'a> Room<'a> {
    pub fn new(bytes: *mut u8, length: usize) -> Result<Self, Status> {
        input(bytes, length)?;
        Ok(Self { bytes, length, of: PhantomData })
    }

    pub fn span(&self) -> Span {
        Span { from: self.bytes.addr(), length: self.length }
    }

    /// The memory, as bytes that have a value. Call it when it is known that no other memory of the call overlaps.
    pub fn bytes(self) -> &'a mut [u8] {
        if self.length == 0 {
            return &mut [];
        }
        // SAFETY: `new` has checked pointer and length, and the caller of this function has checked that no other
        // memory of the call overlaps. The bytes are only written, or read after they were written.
        unsafe { core::slice::from_raw_parts_mut(self.bytes, self.length) }
    }

    /// Copies bytes to the front of the memory.
    pub fn fill(self, from: &[u8]) -> Outcome {
        let to = self.bytes().get_mut(..from.len()).ok_or(Status::TOO_SMALL)?;
        to.copy_from_slice(from);
        Ok(())
    }
}

/// A structure of the caller that a call fills in.
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    pub fn new(pointer: *mut T) -> Result<Self, Status> {
        checked(pointer, align_of::<T>())?;
        Ok(Self(pointer))
    }

    pub fn span(&self) -> Span {
        Span { from: self.0.addr(), length: size_of::<T>() }
    }

    pub fn set(&self, value: T) {
        // SAFETY: `new` has checked the pointer, and the caller answers for the memory.
        unsafe { self.0.write(value) }
    }
}

/// A structure of the caller that a call reads.
pub fn structure<'a, T: Copy>(pointer: *const T) -> Result<&'a [T], Status> {
    checked(pointer, align_of::<T>())?;
    // SAFETY: the pointer was checked, and the caller answers for the memory. All bit patterns are values of the
    // structures that are passed to this function: numbers and raw pointers.
    Ok(core::slice::from_ref(unsafe { &*pointer }))
}
