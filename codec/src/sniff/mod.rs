//! Recognises the format of a file by its first bytes.

mod foreign;

pub use foreign::{FOREIGN_LEN, Foreign, foreign};

use crate::bytes::prefix;
use crate::{inebin, lime, milc, nersc, scda};

/// Declares [`Format`] and the list of all formats from the same rows: the variant, and the module that reads it.
macro_rules! formats {
    ($(#[$doc:meta])* pub enum Format { $($(#[$of:meta])* $variant:ident => $module:ident,)* }) => {
        $(#[$doc])*
        pub enum Format {
            $($(#[$of])* $variant,)*
        }

        impl Format {
            /// All formats.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name of the module of this crate that reads the format.
            #[must_use]
            pub const fn module(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($module),)*
                }
            }
        }
    };
}

formats! {
    /// The formats this crate reads.
    ///
    /// `host-tests/tests/suite/formats.rs` names every place that a new one must be added to.
    ///
    /// # Example
    /// ```
    /// use linkstream::sniff::{Format, Sniff, sniff};
    ///
    /// for format in Format::ALL {
    ///     for magic in format.magics() {
    ///         assert_eq!(sniff(magic), Sniff::Is(*format));
    ///     }
    /// }
    /// assert_eq!(Format::Lime.module(), "lime");
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "defmt", derive(defmt::Format))]
    #[non_exhaustive]
    pub enum Format {
        /// LIME, with SciDAC, ILDG or other content.
        Lime => lime,
        /// INEBIN.
        Inebin => inebin,
        /// scda.
        Scda => scda,
        /// A NERSC archive.
        Nersc => nersc,
        /// MILC, version 5.
        Milc => milc,
    }
}

impl Format {
    /// The bytes with which such a file begins: one of these. Of a NERSC archive these are the first eight of
    /// [`nersc::MAGIC`]; a MILC file is of either byte order.
    ///
    /// # Example
    /// ```
    /// use linkstream::sniff::Format;
    ///
    /// assert_eq!(Format::Lime.magics(), [b"\x45\x67\x89\xab"]);
    /// assert_eq!(Format::Milc.magics(), [b"\0\0\x4e\x87", b"\x87\x4e\0\0"]);
    /// ```
    #[must_use]
    pub const fn magics(self) -> &'static [&'static [u8]] {
        const LIME: [u8; 4] = lime::MAGIC.to_be_bytes();
        const NERSC: [u8; Sniffer::LONGEST] = {
            let [m0, m1, m2, m3, m4, m5, m6, m7, ..] = nersc::MAGIC;
            [m0, m1, m2, m3, m4, m5, m6, m7]
        };
        const MILC: [[u8; 4]; 2] = [milc::MAGIC.to_be_bytes(), milc::MAGIC.to_le_bytes()];
        match self {
            Self::Lime => &[&LIME],
            Self::Inebin => &[&inebin::MAGIC],
            Self::Scda => &[&scda::MAGIC],
            Self::Nersc => &[&NERSC],
            Self::Milc => const { &[&MILC[0], &MILC[1]] },
        }
    }
}

/// The result of looking at the first bytes of a file.
///
/// # Example
/// ```
/// use linkstream::sniff::{Sniff, sniff};
///
/// assert_eq!(sniff(b""), Sniff::More(None));
/// assert_eq!(sniff(b"hello"), Sniff::Unknown);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Sniff {
    /// The file has this format.
    Is(Format),
    /// More bytes are needed. So far the file agrees with this format; `None` if there are no bytes yet.
    More(Option<Format>),
    /// None of the formats known here.
    Unknown,
}

/// Recognises the format of a file by its first bytes. Eight bytes are always enough.
///
/// ```
/// use linkstream::sniff::{Format, Sniff, sniff};
///
/// assert_eq!(sniff(b"INEBIN\0Z"), Sniff::Is(Format::Inebin));
/// assert_eq!(sniff(b"INE"), Sniff::More(Some(Format::Inebin)));
/// assert_eq!(sniff(b"scdata0 "), Sniff::Is(Format::Scda));
/// assert_eq!(sniff(b"1, 2, 3\n"), Sniff::Unknown);
/// ```
#[must_use]
pub fn sniff(first: &[u8]) -> Sniff {
    if first.is_empty() {
        return Sniff::More(None);
    }
    for &format in Format::ALL {
        for magic in format.magics() {
            if first.starts_with(magic) {
                return Sniff::Is(format);
            }
            if magic.starts_with(first) {
                return Sniff::More(Some(format));
            }
        }
    }
    Sniff::Unknown
}

/// [`sniff`](fn@sniff) for bytes that arrive in pieces. It keeps the bytes, because the decoder needs them as well.
///
/// ```
/// use linkstream::sniff::{Format, Sniff, Sniffer};
///
/// let mut sniffer = Sniffer::new();
/// assert_eq!(sniffer.push(b"INE"), Sniff::More(Some(Format::Inebin)));
/// assert_eq!(sniffer.push(b"BIN\0R and so on"), Sniff::Is(Format::Inebin));
/// // All bytes before this piece, to be pushed to the decoder before it.
/// assert_eq!(sniffer.before(), b"INE");
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sniffer {
    first: heapless::Vec<u8, { Sniffer::LONGEST }>,
    before: usize,
}

impl Sniffer {
    /// Bytes that are enough for every format.
    pub const LONGEST: usize = 8;

    /// Nothing is known yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { first: heapless::Vec::new(), before: 0 }
    }

    /// Takes the next piece of the file. A result other than [`Sniff::More`] is final.
    pub fn push(&mut self, piece: &[u8]) -> Sniff {
        if !matches!(sniff(&self.first), Sniff::More(_)) {
            return sniff(&self.first);
        }
        self.before = self.first.len();
        for byte in piece {
            if self.first.push(*byte).is_err() {
                break;
            }
        }
        sniff(&self.first)
    }

    /// The bytes of all pieces before the one with which the format became known.
    #[must_use]
    pub fn before(&self) -> &[u8] {
        prefix(&self.first, self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_of_every_magic() {
        for &format in Format::ALL {
            for magic in format.magics() {
                assert!(magic.len() <= Sniffer::LONGEST);
                for n in 1..magic.len() {
                    assert_eq!(sniff(&magic[..n]), Sniff::More(Some(format)));
                    let mut other = magic.to_vec();
                    other[n] ^= 1;
                    assert_eq!(sniff(&other[..=n]), Sniff::Unknown);
                }
                assert_eq!(sniff(magic), Sniff::Is(format));
            }
        }
        assert_eq!(sniff(b""), Sniff::More(None));
    }

    #[test]
    fn pieces_are_kept_until_the_answer() {
        for cut in 0..8 {
            let (first, rest) = b"INEBIN\0B".split_at(cut);
            let mut sniffer = Sniffer::new();
            let early = sniffer.push(first);
            assert_eq!(matches!(early, Sniff::More(_)), cut < 6);
            assert_eq!(sniffer.push(rest), Sniff::Is(Format::Inebin));
            assert_eq!(sniffer.before(), if cut < 6 { first } else { b"" });
        }
    }
}
