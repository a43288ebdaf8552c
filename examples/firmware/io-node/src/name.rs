//! Names of files: one to eight characters, and up to three after a full stop.

use core::str;

use crate::text::Text;

/// A name in capital letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// As in a directory of FAT: eight and three bytes, filled with spaces.
    padded: [u8; 11],
}

impl Name {
    /// `None` if the word is not a name, or is the name of the list of files.
    pub fn parse(word: &[u8]) -> Option<Self> {
        let mut padded = [b' '; 11];
        let mut parts = word.split(|&byte| byte == b'.');
        let (base, extension) = (parts.next()?, parts.next());
        let has_lengths = (1..=8).contains(&base.len())
            && extension.is_none_or(|extension| (1..=3).contains(&extension.len()))
            && parts.next().is_none();
        if !has_lengths {
            return None;
        }
        let places = padded.split_at_mut_checked(8)?;
        for (from, to) in [(base, places.0), (extension.unwrap_or(&[]), places.1)] {
            for (&byte, place) in from.iter().zip(to) {
                *place = match byte {
                    b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => byte,
                    b'a'..=b'z' => byte - b'a' + b'A',
                    _ => return None,
                };
            }
        }
        (padded != *b"LINKNODECAT").then_some(Self { padded })
    }

    pub const fn from_padded(padded: [u8; 11]) -> Self {
        Self { padded }
    }

    pub const fn padded(&self) -> &[u8; 11] {
        &self.padded
    }

    /// The name as clients write it.
    pub fn text(&self) -> Text<12> {
        let mut text = Text::new();
        for (index, &byte) in self.padded.iter().enumerate() {
            if byte != b' ' {
                if index >= 8 && !text.as_bytes().contains(&b'.') {
                    text.byte(b'.');
                }
                text.byte(byte);
            }
        }
        text
    }

    /// Calls `each` with the name as a string.
    pub fn with_str<R>(&self, each: impl FnOnce(&str) -> R) -> R {
        each(str::from_utf8(self.text().as_bytes()).unwrap_or(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_fat() {
        for (word, padded) in
            [("a", "A          "), ("conf.lim", "CONF    LIM"), ("A-_45678.X", "A-_45678X  ")]
        {
            let name = Name::parse(word.as_bytes());
            assert_eq!(
                name.map(|name| *name.padded()).as_ref().map(|name| &name[..]),
                Some(padded.as_bytes())
            );
            assert_eq!(
                name.map(|name| name.text()).as_ref().map(Text::as_bytes),
                Some(word.to_ascii_uppercase().as_bytes())
            );
        }
        for word in [
            "",
            ".",
            "a.",
            ".a",
            "123456789",
            "a.1234",
            "a b",
            "a/b",
            "a.b.c",
            "..",
            "linknode.cat",
            "a\u{e9}",
        ] {
            assert_eq!(Name::parse(word.as_bytes()), None, "{word}");
        }
    }
}
