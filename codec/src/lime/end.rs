//! What the end of the input means at each place of a LIME file.

use super::decode::{Decoder, MessageState, Part};
use super::error::ErrorKind;
use super::header::MAGIC;
use crate::bytes::{copy, prefix};
use crate::error::Error;

impl Decoder {
    /// What is wrong if the input ends here, and where.
    pub(super) fn end_of_input(&self) -> Option<Error<ErrorKind>> {
        let position = self.cursor.position();
        let kind = match self.part {
            Part::Header if self.header_is_untouched() => {
                (self.message == MessageState::Open).then_some(ErrorKind::MessageOpen)?
            }
            Part::Header => return Some(self.end_in_header()),
            Part::Payload if self.cursor.left() > 0 => {
                ErrorKind::PayloadTruncated { missing: self.cursor.left() }
            }
            Part::Payload | Part::Padding if self.padding_left > 0 => {
                ErrorKind::PaddingTruncated { missing: self.padding_left }
            }
            Part::Announce | Part::Payload | Part::Padding | Part::Ended => return None,
        };
        Some(Error::new(position, kind))
    }

    /// A header cut short if its first bytes fit; otherwise bytes after the last record, or not a LIME file.
    fn end_in_header(&self) -> Error<ErrorKind> {
        let have = self.filled as u8;
        let seen = prefix(self.header.as_bytes(), self.filled);
        let looks_like_a_header = seen.iter().zip(&MAGIC.to_be_bytes()).all(|(seen, magic)| seen == magic);
        match (looks_like_a_header, self.record.message) {
            (true, _) => Error::new(self.cursor.position(), ErrorKind::HeaderTruncated { have }),
            (false, 0) => Error::new(self.header_offset(), ErrorKind::Magic { found: leading_word(seen) }),
            (false, _) => Error::new(self.header_offset(), ErrorKind::Trailing { count: have }),
        }
    }
}

/// The first four bytes as a number, zeros where there are fewer.
fn leading_word(bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    copy(&mut word, bytes);
    u32::from_be_bytes(word)
}
