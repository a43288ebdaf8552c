//! The events of a run, in a form that does not depend on how the input was cut.

use linkstream::{Diagnostic, Error};
use std::fmt::Debug;

/// One item of a trace. Payload that came in several pieces is combined.
#[derive(Debug, Clone, PartialEq)]
pub enum Item<E> {
    /// An event other than payload. `after` is the position of the decoder after it, `note` the state that the decoder
    /// exposed.
    Event { event: E, after: u64, note: Vec<u8> },
    /// Consecutive payload. `crc` is the CRC of its bytes, if all of them were read.
    Payload { offset: u64, length: u64, crc: Option<u32> },
}

/// Everything that one run reported.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace<E, K> {
    pub items: Vec<Item<E>>,
    /// `Ok` for a clean end, or the error that ended the run.
    pub end: Result<(), Error<K>>,
    /// The final position of the decoder.
    pub position: u64,
}

impl<E: Clone + PartialEq + Debug, K: Diagnostic> Trace<E, K> {
    /// The events that are not payload.
    pub fn events(&self) -> impl Iterator<Item = &E> {
        self.items.iter().filter_map(|item| match item {
            Item::Event { event, .. } => Some(event),
            Item::Payload { .. } => None,
        })
    }

    /// Compares two traces, with a message that fits on a screen.
    ///
    /// # Panics
    /// At the first difference.
    #[track_caller]
    pub fn assert_same(&self, found: &Self, what: &str) {
        for (n, (expected, found)) in self.items.iter().zip(&found.items).enumerate() {
            assert!(expected == found, "{what}: item {n}: expected {expected:?}, found {found:?}");
        }
        let (a, b) = (self.items.len(), found.items.len());
        let more = self.items.get(b).or(found.items.get(a));
        assert!(
            a == b,
            "{what}: {a} items expected, {b} found; the first missing or surplus item is {more:?}"
        );
        assert_eq!(self.end, found.end, "{what}: end");
        assert_eq!(self.position, found.position, "{what}: position");
    }

    /// Adds an event and the bytes that its step consumed, which end at the position `after`.
    pub(super) fn note_event(&mut self, payload: bool, event: E, bytes: &[u8], after: u64, note: Vec<u8>) {
        if payload {
            assert!(!bytes.is_empty(), "a payload event without payload at {after}");
            let crc = crc32fast::hash(bytes);
            self.payload(after - bytes.len() as u64, bytes.len() as u64, Some((crc, bytes)));
        } else {
            self.items.push(Item::Event { event, after, note });
        }
    }

    /// Adds payload, read or skipped.
    pub(super) fn payload(&mut self, offset: u64, length: u64, seen: Option<(u32, &[u8])>) {
        if length == 0 {
            return;
        }
        if let Some(Item::Payload { offset: from, length: so_far, crc }) = self.items.last_mut()
            && *from + *so_far == offset
        {
            *so_far += length;
            *crc = crc.zip(seen).map(|(crc, (_, bytes))| {
                let mut sum = crc32fast::Hasher::new_with_initial(crc);
                sum.update(bytes);
                sum.finalize()
            });
            return;
        }
        self.items.push(Item::Payload { offset, length, crc: seen.map(|(crc, _)| crc) });
    }
}
