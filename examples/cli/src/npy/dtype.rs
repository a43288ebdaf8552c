//! NumPy's types of numbers.

use std::fmt;
use std::str::FromStr;

/// The type of an element: kind, size and byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dtype {
    pub kind: Kind,
    /// Size of an element in bytes.
    pub size: u32,
    pub order: ByteOrder,
}

/// The byte order of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrder {
    Big,
    Little,
    /// For elements of one byte.
    None,
}

/// The kind of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Integer,
    Unsigned,
    Float,
    Complex,
}

impl Kind {
    const ALL: [(Self, char, &'static [u32]); 5] = [
        (Self::Boolean, 'b', &[1]),
        (Self::Integer, 'i', &[1, 2, 4, 8]),
        (Self::Unsigned, 'u', &[1, 2, 4, 8]),
        (Self::Float, 'f', &[2, 4, 8]),
        (Self::Complex, 'c', &[8, 16]),
    ];
}

impl Dtype {
    /// Bytes of unknown meaning.
    pub const BYTES: Self = Self { kind: Kind::Unsigned, size: 1, order: ByteOrder::None };

    pub const fn new(kind: Kind, size: u32, order: ByteOrder) -> Self {
        Self { kind, size, order: if size == 1 { ByteOrder::None } else { order } }
    }

    /// Fails if the type contradicts the options --little-endian and --big-endian.
    pub fn check_order(self, is_little: bool, is_big: bool) -> anyhow::Result<()> {
        let little = self.order == ByteOrder::Little;
        anyhow::ensure!(
            !(is_big && little || is_little && !little),
            "the array has the type {self}: leave out --little-endian and --big-endian"
        );
        Ok(())
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match self.order {
            ByteOrder::Big => '>',
            ByteOrder::Little => '<',
            ByteOrder::None => '|',
        };
        let letter =
            Kind::ALL.iter().find(|(kind, ..)| *kind == self.kind).map_or('?', |(_, letter, _)| *letter);
        write!(f, "{order}{letter}{}", self.size)
    }
}

impl FromStr for Dtype {
    type Err = String;

    /// Parses the type of an element that is a single number: `<f8`, `>i4`, `|u1`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is not a type of numbers like <f8, >c16 or |u1");
        let mut letters = text.chars();
        let order = match letters.next() {
            Some('>') => ByteOrder::Big,
            Some('<') => ByteOrder::Little,
            Some('|') => ByteOrder::None,
            _ => return Err(wrong()),
        };
        let letter = letters.next().ok_or_else(wrong)?;
        let digits = letters.as_str();
        // `parse` would also accept a sign.
        let size: u32 = digits.parse().ok().filter(|_| !digits.starts_with('+')).ok_or_else(wrong)?;
        let known = Kind::ALL.iter().find(|(_, known, sizes)| *known == letter && sizes.contains(&size));
        let (kind, ..) = known.ok_or_else(wrong)?;
        if order == ByteOrder::None && size > 1 {
            return Err(wrong());
        }
        Ok(Self::new(*kind, size, order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in ["<f8", ">f4", ">c16", "|u1", "|b1", "<i2", ">u8"] {
            assert_eq!(name.parse::<Dtype>().map(|dtype| dtype.to_string()), Ok(name.to_owned()));
        }
        assert_eq!("<u1".parse(), Ok(Dtype::BYTES));
        for wrong in ["", "f8", "<f", "<f3", "|f8", "<O8", "=f8", "<U4", "<f+8", "<é8"] {
            assert!(wrong.parse::<Dtype>().is_err(), "{wrong}");
        }
    }
}
