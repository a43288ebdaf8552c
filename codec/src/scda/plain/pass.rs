//! The parts of a section that a decoder does not read, because other processes read them.

use super::decode::{Phase, PlainDecoder};
use crate::counter::Counter as _;
use crate::error::Error;
use crate::payload::PayloadCursor;
use crate::scda::count::COUNT_LEN;
use crate::scda::error::ErrorKind;
use crate::scda::section::SectionType;

impl PlainDecoder {
    /// True if the element sizes of a variable array come next.
    pub(crate) fn is_before_sizes(&self) -> bool {
        self.phase == Phase::Sizes
    }

    /// Range of the data of the current section, if its length is known and its padding has not been read.
    pub(crate) fn open_data(&self) -> Option<(u64, u64)> {
        let end = self.cursor.end()?;
        (self.phase == Phase::Data).then(|| (end.minus(self.data_length), end))
    }

    /// Passes over the element sizes, which add up to `total`.
    ///
    /// # Errors
    /// The section would end beyond the largest 64-bit offset.
    pub(crate) fn pass_sizes(&mut self, total: u64) -> Result<(), Error<ErrorKind>> {
        let (Some(start), Some(_)) = (self.section.data_offset(), self.section.next_offset(total)) else {
            let last_line = self.section.data_offset().unwrap_or(u64::MAX).saturating_sub(COUNT_LEN as u64);
            return Err(Error::new(last_line, ErrorKind::TooLong { count: total.into() }));
        };
        self.cursor = PayloadCursor::at(start);
        self.filled = 0;
        self.sizes_left = 0;
        self.data_length = total;
        self.begin_data();
        Ok(())
    }

    /// Moves to the end of the input at `end`, if that is inside the element sizes. Returns whether it is.
    pub(crate) fn pass_to_end_in_sizes(&mut self, end: u64) -> bool {
        const LINE: u64 = COUNT_LEN as u64;
        // Entries between here and the end; the part of one that has been read is read again.
        let from = self.cursor.position().minus(self.filled as u64);
        let seen = end.saturating_sub(from) / LINE;
        let is_inside = self.section.section_type == SectionType::Varray && seen < self.sizes_left;
        if is_inside {
            self.sizes_left.take_away(seen);
            self.cursor = PayloadCursor::at(end.max(from));
        }
        is_inside
    }

    /// Passes over data up to the offset `to`, or to their end.
    pub(crate) fn pass_data(&mut self, to: u64) {
        let n = to.saturating_sub(self.cursor.position()).min(self.cursor.left());
        // Inside the data, so it cannot fail.
        let _ = self.cursor.skip(n, self.phase == Phase::Data, ErrorKind::Misuse);
    }
}
