//! Collects a part of fixed size from input that may be cut anywhere.

/// Takes what `bytes`, of which `filled` are there, still lacks from the front of `input`; returns how much
/// that was.
pub(crate) fn accumulate<const N: usize>(bytes: &mut [u8; N], filled: &mut usize, input: &[u8]) -> usize {
    // The whole part lying in the input is the common case, and one copy of known size.
    if *filled == 0
        && let Some(whole) = input.first_chunk::<N>()
    {
        *bytes = *whole;
        *filled = N;
        return N;
    }
    let room = bytes.get_mut(*filled..).unwrap_or_default();
    let n = room.len().min(input.len());
    for (to, from) in room.iter_mut().zip(input) {
        *to = *from;
    }
    *filled = filled.saturating_add(n).min(N);
    n
}
