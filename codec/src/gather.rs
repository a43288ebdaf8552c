//! Collects a part of fixed size from input that may be cut anywhere.

/// `N` bytes, filled from the front.
#[derive(Debug, Clone)]
pub(crate) struct Gather<const N: usize> {
    bytes: [u8; N],
    filled: usize,
}

impl<const N: usize> Gather<N> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; N], filled: 0 }
    }

    /// Takes what is still missing from the front of `input`; returns how much that was.
    pub(crate) fn take(&mut self, input: &[u8]) -> usize {
        // The whole part lying in the input is the common case, and one copy of known size.
        if self.filled == 0
            && let Some(whole) = input.first_chunk::<N>()
        {
            self.bytes = *whole;
            self.filled = N;
            return N;
        }
        let room = self.bytes.get_mut(self.filled..).unwrap_or_default();
        let n = room.len().min(input.len());
        for (to, from) in room.iter_mut().zip(input) {
            *to = *from;
        }
        self.filled = self.filled.saturating_add(n).min(N);
        n
    }

    pub(crate) const fn filled(&self) -> usize {
        self.filled
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.filled == N
    }

    /// All bytes; those not filled yet are whatever the last part left there.
    pub(crate) const fn bytes(&self) -> &[u8; N] {
        &self.bytes
    }

    pub(crate) const fn clear(&mut self) {
        self.filled = 0;
    }

    /// Bytes that are there already.
    pub(crate) fn present(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }

    /// Puts back what [`Gather::bytes`] and [`Gather::filled`] told; `None` for a length that cannot be.
    pub(crate) const fn restore(bytes: [u8; N], filled: usize) -> Option<Self> {
        if filled > N { None } else { Some(Self { bytes, filled }) }
    }
}
