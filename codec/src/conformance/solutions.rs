//! Number and order of the solutions of a propagator file (QIO 2.3, appendices A.2 and A.3).

use crate::state::saved;
use crate::usqcd::{Element, ErrorKind, FileType, Label};

/// The labels of Dirac solutions: 4 spins and 3 colors.
const DIRAC: u8 = 12;

/// The solutions that have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Solutions {
    /// How many there are, as far as that matters.
    count: u8,
    /// The number of the label that is next in order.
    next: u8,
    /// A bit for each label that has been read.
    labels: u16,
    /// A label has been read twice, or a solution has none.
    is_incomplete: bool,
    /// Absolute offset of the first text with a label that is not in order.
    disorder_at: Option<u64>,
}

saved!(struct Solutions { count, next, labels, is_incomplete, disorder_at });

impl Solutions {
    pub(super) const NONE: Self =
        Self { count: 0, next: 0, labels: 0, is_incomplete: false, disorder_at: None };

    /// The label of the next solution in a file that has one for each source spin and color.
    pub(super) fn check_label(&self, file_type: FileType, label: Label, mut report: impl FnMut(ErrorKind)) {
        let is_staggered = file_type.is_staggered();
        if file_type.solutions().is_none_or(|solutions| self.count >= solutions) {
            return;
        }
        for (element, is_missing) in
            [(Element::Spin, label.spin.is_none() && !is_staggered), (Element::Color, label.color.is_none())]
        {
            if is_missing {
                report(ErrorKind::LabelMissing { file_type, element });
            }
        }
        let Some(number) = label.number(is_staggered) else { return };
        if self.labels & bit(number) != 0 {
            report(ErrorKind::LabelRepeated(label));
        } else if let Some(expected) = self.expected(file_type).filter(|expected| *expected != number) {
            let expected = Label::of_solution(expected, is_staggered);
            report(ErrorKind::LabelOrder { expected, found: label });
        }
    }

    /// The number of the label that belongs here: the next one that has not been read.
    fn expected(&self, file_type: FileType) -> Option<u8> {
        let solutions = file_type.solutions()?;
        (self.next..solutions).chain(0..solutions).find(|number| self.labels & bit(*number) == 0)
    }

    /// Whether there may be another solution.
    pub(super) fn check_number(&self, file_type: FileType, mut report: impl FnMut(ErrorKind)) {
        if let Some(solutions) = file_type.solutions().filter(|solutions| self.count >= *solutions) {
            report(ErrorKind::Surplus { file_type, solutions });
        }
    }

    /// A solution whose text has this label and offset.
    pub(super) fn take(&mut self, file_type: FileType, label: Label, at: u64) {
        let number = label.number(file_type.is_staggered());
        match number {
            Some(number) => {
                self.is_incomplete |= self.labels & bit(number) != 0;
                self.labels |= bit(number);
                if number != self.count {
                    self.disorder_at = self.disorder_at.or(Some(at));
                }
            }
            None => self.is_incomplete = true,
        }
        // In order after a label that is missing or out of order.
        self.next = number.unwrap_or(self.next).saturating_add(1);
        self.count = self.count.saturating_add(1);
    }

    /// What is missing at the end of the file. An offset is that of a text.
    pub(super) fn check_end(&self, file_type: FileType, mut report: impl FnMut(Option<u64>, ErrorKind)) {
        match file_type.solutions() {
            Some(expected) if self.count < expected => {
                report(None, ErrorKind::Count { file_type, expected, found: self.count });
            }
            Some(_) => {}
            // "When it does, the order of the pairs should be the same as for the C1D12 format."
            None => {
                let has_all = self.count == DIRAC && !self.is_incomplete && !file_type.is_staggered();
                if has_all && let Some(at) = self.disorder_at {
                    report(Some(at), ErrorKind::PairOrder(file_type));
                }
            }
        }
    }
}

/// Labels have numbers below 12.
const fn bit(number: u8) -> u16 {
    1_u16.wrapping_shl(number as u32)
}
