//! Whether a message is the one that was looked at last.

use core::num::NonZeroU64;

use super::message::OutgoingMessage;
use crate::xml::Form;

/// Where the parts of a message lie in memory, and their lengths, as one number. A message that is passed again is
/// recognised by it without reading its texts, which may be long.
///
/// It is not saved, and two encoders that differ in nothing else are equal.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Identity(Option<NonZeroU64>);

impl PartialEq for Identity {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Identity {}

impl Identity {
    pub(super) fn of(message: &OutgoingMessage<'_>) -> Self {
        // FNV-1a over words.
        let mut state = 0xcbf2_9ce4_8422_2325_u64;
        let mut add =
            |word: usize| state = (state ^ word as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
        let OutgoingMessage { foreign, file, record, format, update, lfn, lfn_ends_in_nul, checksum, form } =
            message;
        let texts = [
            foreign.map(|(record_type, _)| record_type),
            foreign.map(|(_, payload)| payload),
            file.map(|(_, text)| text),
            record.map(|(_, text)| text),
            update.map(str::as_bytes),
            lfn.map(str::as_bytes),
        ];
        for text in texts {
            add(text.map_or(0, |text| text.as_ptr().addr()));
            add(text.map_or(0, <[u8]>::len));
        }
        add(file.map_or(0, |(file, _)| core::ptr::from_ref(file).addr()));
        add(record.map_or(0, |(record, _)| core::ptr::from_ref(record).addr()));
        add(format.map_or(0, |format| core::ptr::from_ref(format).addr()));
        for flag in [*lfn_ends_in_nul, *checksum, *form == Form::Lines] {
            add(usize::from(flag));
        }
        Self(NonZeroU64::new(state))
    }

    /// Whether it is that of the same message; never before one has been looked at.
    pub(super) fn is(self, other: Self) -> bool {
        self.0.is_some() && self.0 == other.0
    }
}
