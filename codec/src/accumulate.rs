//! Collects a part of fixed size from input that may be cut anywhere.

use crate::bytes::{copy, suffix_mut};
use crate::counter::Counter as _;

/// Copies from the front of `input` what `bytes`, of which `filled` are there, still lacks; returns how much that
/// was.
pub(crate) fn accumulate<const N: usize>(bytes: &mut [u8; N], filled: &mut usize, input: &[u8]) -> usize {
    // That the input holds all of the part is the common case, and one copy of known size.
    if *filled == 0
        && let Some(whole) = input.first_chunk::<N>()
    {
        *bytes = *whole;
        *filled = N;
        return N;
    }
    let n = copy(suffix_mut(bytes, *filled), input);
    filled.increase(n);
    n
}
