//! Consistency of saved states of the scda decoder. Position, section and counters determine each other, so a state
//! that contradicts itself is refused when it is loaded.

use super::decode::{Phase, PlainDecoder, can_begin};
use crate::scda::count::{COUNT_LEN, Count};
use crate::scda::padding::fits;
use crate::scda::section::{HEAD_LEN, SectionType};

impl PlainDecoder {
    /// True if the fields agree with each other. The decoder relies on that for everything that it does afterwards.
    pub(crate) fn is_consistent(&self) -> bool {
        let accumulated = match self.phase {
            Phase::Head => HEAD_LEN,
            Phase::Opening | Phase::N | Phase::E | Phase::Sizes => COUNT_LEN,
            // No line is being read.
            Phase::Data | Phase::Padding | Phase::Ended => 1,
        };
        self.filled < accumulated
            && (self.sizes_left > 0) == (self.phase == Phase::Sizes)
            && (self.cursor.left() == 0 || self.phase == Phase::Data)
            && self.section_fits()
            && self.place_fits()
    }

    /// True if only the counts that this type of section has are set, and all of the section can be addressed.
    fn section_fits(&self) -> bool {
        let section = &self.section;
        let (no_n, no_e) = (section.n == Count::ZERO, section.e == Count::ZERO);
        let end_of_head = section.offset.checked_add(section.section_type.head_length());
        match (self.phase, section.section_type) {
            // The counts, and with them the length, are still to come.
            (Phase::N, SectionType::Array | SectionType::Varray) => no_n && no_e && end_of_head.is_some(),
            (Phase::E, SectionType::Block) => no_n && no_e && end_of_head.is_some(),
            (Phase::E, SectionType::Array) => no_e && end_of_head.is_some(),
            (Phase::N | Phase::E, _) => false,
            (_, section_type) => {
                let counts = match section_type {
                    SectionType::Header | SectionType::Inline => no_n && no_e,
                    SectionType::Block => no_n,
                    SectionType::Varray => no_e,
                    SectionType::Array => true,
                };
                // The data length of a variable array is the sum of the sizes read so far: any value is possible.
                let is_varray = section_type == SectionType::Varray;
                let length = is_varray || section.data_length() == Some(self.data_length);
                counts && length && section.next_offset(self.data_length).is_some()
            }
        }
    }

    /// True if the position follows from the section and the part of it that has been read.
    fn place_fits(&self) -> bool {
        let position = self.cursor.position();
        let Some(start) = position.checked_sub(self.filled as u64) else { return false };
        let section = &self.section;
        let padding = section.padding(self.data_length);
        match self.phase {
            Phase::Opening => start == 0,
            Phase::Head | Phase::Ended => {
                self.is_after_section(start) && (can_begin(start) || self.filled == 0)
            }
            Phase::N => section.offset.checked_add(HEAD_LEN as u64) == Some(start),
            Phase::E => {
                let end_of_head = section.offset.checked_add(section.section_type.head_length());
                end_of_head.is_some_and(|end| end.checked_sub(COUNT_LEN as u64) == Some(start))
            }
            Phase::Sizes => {
                let lines = self.sizes_left.checked_mul(COUNT_LEN as u64);
                let end = lines.and_then(|lines| lines.checked_add(start));
                end.is_some() && end == section.data_offset()
            }
            Phase::Data => {
                let left = self.cursor.left();
                let seen = [fits::AFTER_LINE_FEED, fits::AFTER_OTHER].contains(&self.fits) && left == 0;
                left <= self.data_length
                    && self.cursor.end() == self.data_end()
                    && self.padding_left == padding
                    && !self.padding_reported
                    && (seen || self.fits == fits::ALL)
            }
            Phase::Padding => {
                let next = section.next_offset(self.data_length);
                let next_fits = match self.padding_left {
                    // The input ended inside the padding; the missing bytes are no longer awaited.
                    0 => self.is_in_padding(position) && next != Some(position),
                    left => position.checked_add(u64::from(left)) == next,
                };
                self.padding_left <= padding
                    && next_fits
                    && self.fits <= fits::ALL
                    && (self.fits > 0 || self.padding_reported)
            }
        }
    }

    /// True if a section can begin at `start`: after the last one, or where reading began.
    fn is_after_section(&self, start: u64) -> bool {
        if self.section.section_type != SectionType::Header {
            return self.is_in_padding(start);
        }
        // A decoder that began in the middle of the file has no vendor string, and may be anywhere.
        let began_here = self.vendor == [0; COUNT_LEN];
        began_here || start == COUNT_LEN as u64 || self.is_in_padding(start)
    }

    /// True if `position` is in the padding of the section, or at one of its ends.
    fn is_in_padding(&self, position: u64) -> bool {
        let from = self.data_end();
        let to = self.section.next_offset(self.data_length);
        from.is_some_and(|from| from <= position) && to.is_some_and(|to| position <= to)
    }

    fn data_end(&self) -> Option<u64> {
        self.section.data_offset()?.checked_add(self.data_length)
    }
}
