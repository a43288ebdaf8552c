//! Words as they stand in files: big endian.

mod sealed {
    pub trait Sealed {}
}

/// A number that data can be made of.
pub trait Word: Copy + sealed::Sealed {
    /// Bytes of one.
    const BYTES: usize;

    /// Writes `words` big endian to the start of `bytes`; `None`, and nothing is written, if there is no room.
    fn put(words: &[Self], bytes: &mut [u8]) -> Option<()>;
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl sealed::Sealed for $word {}

        impl Word for $word {
            const BYTES: usize = size_of::<$word>();

            #[inline]
            fn put(words: &[Self], bytes: &mut [u8]) -> Option<()> {
                let places = bytes.as_chunks_mut().0.get_mut(..words.len())?;
                for (place, word) in places.iter_mut().zip(words) {
                    *place = word.to_be_bytes();
                }
                Some(())
            }
        }
    )*};
}

words!(u8 i32 u32 u64 f32 f64);

/// Turns the byte order of every word of `size` bytes around, in place: what little-endian memory holds becomes
/// what files hold, and back. Bytes at the end that are no whole word stay as they are, as in QIO.
///
/// ```
/// use linkstream::lattice::reverse_words;
///
/// let mut bytes = [1, 2, 3, 4, 5, 6, 7, 8];
/// reverse_words(&mut bytes, 4);
/// assert_eq!(bytes, [4, 3, 2, 1, 8, 7, 6, 5]);
/// ```
pub fn reverse_words(bytes: &mut [u8], size: usize) {
    match size {
        4 => bytes
            .as_chunks_mut::<4>()
            .0
            .iter_mut()
            .for_each(|word| *word = u32::from_le_bytes(*word).to_be_bytes()),
        8 => bytes
            .as_chunks_mut::<8>()
            .0
            .iter_mut()
            .for_each(|word| *word = u64::from_le_bytes(*word).to_be_bytes()),
        0 | 1 => {}
        _ => bytes.chunks_exact_mut(size).for_each(reverse),
    }
}

/// Not by the slice's own method, which the optimiser for size does not prove free of panics.
fn reverse(word: &mut [u8]) {
    let mut ends = word.iter_mut();
    while let (Some(first), Some(last)) = (ends.next(), ends.next_back()) {
        core::mem::swap(first, last);
    }
}
