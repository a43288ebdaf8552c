//! What the end of the input means at each place of an scda file.

use super::count::COUNT_LEN;
use super::decode::{Decoder, Part};
use super::error::ErrorKind;
use super::opening::{MAGIC, version};
use super::section::{HEAD_LEN, SectionType};
use crate::counter::Counter as _;
use crate::error::Error;

impl Decoder {
    /// What is wrong if the input ends here, and where.
    pub(super) fn end_of_input(&self) -> Option<Error<ErrorKind>> {
        let position = self.cursor.position();
        let have = self.filled as u8;
        let kind = match self.part {
            Part::Opening => return Some(self.end_in_opening()),
            Part::Head if self.filled == 0 && position > COUNT_LEN as u64 => return None,
            Part::Head if position < SectionType::Header.head_length() => {
                ErrorKind::HeadTruncated { have: have.plus(COUNT_LEN as u8), of: 128 }
            }
            Part::Head => {
                let [found, ..] = self.head;
                if SectionType::from_letter(found).is_none() {
                    return Some(Error::new(self.start_of(self.filled), ErrorKind::SectionLetter { found }));
                }
                ErrorKind::HeadTruncated { have, of: HEAD_LEN as u8 }
            }
            Part::N | Part::E => ErrorKind::HeadTruncated { have, of: COUNT_LEN as u8 },
            Part::Sizes => ErrorKind::SizesTruncated { missing: self.sizes_left },
            Part::Data if self.cursor.left() > 0 => ErrorKind::DataTruncated { missing: self.cursor.left() },
            Part::Data | Part::Padding if self.padding_left > 0 => {
                ErrorKind::PaddingTruncated { missing: self.padding_left }
            }
            Part::Data | Part::Padding | Part::Ended => return None,
        };
        Some(Error::new(position, kind))
    }

    /// A file header cut short if its first bytes fit; otherwise another version, or not an scda file.
    fn end_in_opening(&self) -> Error<ErrorKind> {
        let [m0, m1, m2, m3, m4, v0, v1, ..] = self.line;
        let found = [m0, m1, m2, m3, m4, v0, v1];
        let seen = found.iter().take(self.filled.min(MAGIC.len()));
        let is_magic = seen.zip(&MAGIC).all(|(seen, magic)| seen == magic);
        let wrong = if self.filled >= found.len() { version(found).err() } else { None };
        match (is_magic, wrong) {
            (_, Some(kind)) => Error::new(0, kind),
            (false, None) => Error::new(0, ErrorKind::Magic { found }),
            (true, None) => {
                let kind = ErrorKind::HeadTruncated { have: self.filled as u8, of: 128 };
                Error::new(self.cursor.position(), kind)
            }
        }
    }
}
