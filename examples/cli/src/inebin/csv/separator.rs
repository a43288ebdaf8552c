//! Field separators.

use std::str::FromStr;

/// One of the characters that Aion accepts as a separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Separator(u8);

impl Separator {
    pub const TAB: Self = Self(b'\t');
    pub const BLANK: Self = Self(b' ');
    pub const COMMA: Self = Self(b',');
    pub const SEMICOLON: Self = Self(b';');
    pub const BAR: Self = Self(b'|');
    pub const COLON: Self = Self(b':');

    /// Any mixture of separators, as Aion reads them. Not for writing.
    pub const ANY: Self = Self(0);

    const ALL: [(Self, &str); 7] = [
        (Self::TAB, "tab"),
        (Self::BLANK, "space"),
        (Self::COMMA, "comma"),
        (Self::SEMICOLON, "semicolon"),
        (Self::BAR, "bar"),
        (Self::COLON, "colon"),
        (Self::ANY, "any"),
    ];

    /// The separators that cannot be mere alignment, unlike spaces and tabs.
    const VISIBLE: [Self; 4] = [Self::COMMA, Self::SEMICOLON, Self::BAR, Self::COLON];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(separator, _)| *separator == self).map_or("", |(_, name)| name)
    }

    pub const fn as_char(self) -> char {
        self.0 as char
    }

    fn is_visible(byte: u8) -> bool {
        Self::VISIBLE.iter().any(|visible| visible.0 == byte)
    }

    /// The separator of a row. Spaces and tabs beside another separator are ignored. In a row of one field any
    /// separator would do; this returns a comma.
    ///
    /// # Errors
    /// The possible separators, if there are several.
    pub fn detect(row: &[u8]) -> Result<Self, Vec<Self>> {
        let row = trim(row);
        let visible: Vec<_> = Self::VISIBLE.into_iter().filter(|visible| row.contains(&visible.0)).collect();
        match visible[..] {
            [] => {
                let filling = [Self::TAB, Self::BLANK].into_iter().find(|filling| row.contains(&filling.0));
                Ok(filling.unwrap_or(Self::COMMA))
            }
            [only] => Ok(only),
            _ => Err(visible),
        }
    }

    /// The fields of a row without surrounding spaces. A separator at the end of the row, which some programs write,
    /// does not begin another field.
    pub fn split(self, row: &[u8]) -> impl Iterator<Item = &[u8]> {
        let row = match trim_blanks(row).split_last() {
            Some((last, rest)) if *last == self.0 || self == Self::ANY && Self::is_visible(*last) => rest,
            _ => row,
        };
        let separates = move |byte: &u8| match self {
            Self::ANY => Self::is_visible(*byte),
            one => *byte == one.0,
        };
        row.split(separates).map(trim).flat_map(move |field| {
            // If spaces are separators, a run of them counts as one; beside another separator they are alignment.
            let blanks = matches!(self, Self::ANY | Self::BLANK);
            let keeps_empty = self != Self::BLANK && field.is_empty();
            let parts = field.split(move |byte| blanks && is_filling(byte));
            parts.filter(move |part| keeps_empty || !blanks || !part.is_empty())
        })
    }
}

/// Removes the spaces at the end, but not tabs, which may be separators.
fn trim_blanks(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    &text[..end]
}

/// Removes the spaces and tabs at both ends.
pub fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_filling(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_filling(byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

const fn is_filling(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Parses the character itself, or its name, which needs no quotes in a shell.
impl FromStr for Separator {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = match text {
            "\\t" => "tab",
            // An earlier name.
            "blank" => "space",
            text => text,
        };
        let found =
            Self::ALL.iter().find(|(separator, name)| *name == text || text.as_bytes() == [separator.0]);
        found.map(|(separator, _)| *separator).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|(_, name)| *name).collect();
            format!("the separators are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_decides() {
        let detect = |row: &str| Separator::detect(row.as_bytes()).map(Separator::name);
        assert_eq!(detect("1, 2,\t3"), Ok("comma"));
        assert_eq!(detect(" 1\t2 "), Ok("tab"));
        assert_eq!(detect("  1  2 "), Ok("space"));
        assert_eq!(detect("\t1.5 "), Ok("comma"));
        assert_eq!(detect("1:2"), Ok("colon"));
        assert_eq!(detect("1|2"), Ok("bar"));
        assert_eq!(detect("1,5;2,5"), Err(vec![Separator::COMMA, Separator::SEMICOLON]));
    }

    #[test]
    fn only_blanks_come_in_runs() {
        let split = |separator: Separator, row: &str| {
            let fields =
                separator.split(row.as_bytes()).map(|field| String::from_utf8_lossy(field).into_owned());
            fields.collect::<Vec<_>>()
        };
        assert_eq!(split(Separator::BLANK, "  1   2 "), ["1", "2"]);
        assert_eq!(split(Separator::COMMA, " 1 ,, 2\t"), ["1", "", "2"]);
        assert_eq!(split(Separator::TAB, "1\t 2\t"), ["1", "2"]);
        assert_eq!(split(Separator::COMMA, "1,2, "), ["1", "2"]);
        assert_eq!(split(Separator::COMMA, "1,2,,"), ["1", "2", ""]);
        assert_eq!(split(Separator::ANY, " 1, 2;3  4\t5||6 "), ["1", "2", "3", "4", "5", "", "6"]);
    }
}
