//! Which saved states a decoder of logical sections can be in: the raw sections and what is known of the
//! logical one determine each other.

use super::convention::{recognise, second_half};
use super::decode::{Decoder, Part, Waiting};
use super::event::Section;
use crate::scda::count::{COUNT_LEN, Count};
use crate::scda::decode::Part as RawPart;
use crate::scda::section::SectionType;
use crate::step::{Decode as _, Demand};

impl Decoder {
    /// Whether the fields agree with each other, so that all that the decoder promises holds from there on.
    pub(super) fn is_consistent(&self) -> bool {
        self.raw.is_consistent() && self.entry_fits() && self.waiting_fits() && self.part_fits()
    }

    /// Whether the data of a first half are complete entries, counting the part of one that has come.
    fn entry_fits(&self) -> bool {
        match (self.part, self.raw.demand()) {
            (Part::First, Demand::Skip(left)) => {
                let filled = self.filled as u64;
                let entries =
                    left.checked_add(filled).is_some_and(|data| data.is_multiple_of(COUNT_LEN as u64));
                self.filled < COUNT_LEN && entries
            }
            _ => self.filled == 0,
        }
    }

    /// Whether a section can wait to be reported: nothing of it has been read.
    fn waiting_fits(&self) -> bool {
        let is_announced = matches!(self.raw.part, RawPart::Sizes | RawPart::Data);
        self.waiting == Waiting::No || self.part == Part::Plain && is_announced
    }

    fn part_fits(&self) -> bool {
        let (section, raw) = (&self.section, self.raw.section());
        let raw_part = self.raw.part;
        let is_first = section.offset == section.raw.offset;
        let in_section = matches!(raw_part, RawPart::Sizes | RawPart::Data | RawPart::Padding);
        match self.part {
            Part::Plain if self.waiting == Waiting::Any => true,
            Part::Plain if in_section => *section == Section::plain(*raw),
            Part::Plain => matches!(raw_part, RawPart::N | RawPart::E) || section.raw == *raw,
            Part::First | Part::FirstBroken => {
                let logical = recognise(raw.section_type, self.raw.user());
                let entries =
                    raw.section_type == SectionType::Inline || raw.e == Count::from(COUNT_LEN as u64);
                logical == Some(section.section_type)
                    && entries
                    && is_first
                    && section.raw == *raw
                    && section.n == raw.n
                    && matches!(raw_part, RawPart::Data | RawPart::Padding)
            }
            Part::Second => {
                let in_head = matches!(raw_part, RawPart::Head | RawPart::N | RawPart::E);
                let is_half = !matches!(section.section_type, SectionType::Header | SectionType::Inline);
                is_first && is_half && in_head && (raw_part != RawPart::Head || section.raw == *raw)
            }
            Part::Text => {
                let n = if section.section_type == SectionType::Block { Count::ZERO } else { raw.n };
                section.offset < raw.offset
                    && section.raw == *raw
                    && section.n == n
                    && !matches!(section.section_type, SectionType::Header | SectionType::Inline)
                    && raw.section_type == second_half(section.section_type)
                    && in_section
            }
        }
    }
}
