//! Recognises the format of a file by its first bytes, including formats that this crate does not read, so that a
//! program can name them.

use crate::bytes::prefix;
use crate::counter::Counter as _;
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
    /// The possible first bytes of a file of this format: for a NERSC archive the first eight of [`nersc::MAGIC`], for
    /// a MILC file the magic number in either byte order.
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

/// The format that the first bytes of a file show.
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

    /// A sniffer that has seen no bytes.
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

    /// The bytes of all pieces before the piece that decided the format.
    #[must_use]
    pub fn before(&self) -> &[u8] {
        prefix(&self.first, self.before)
    }
}

/// A format that is recognised, but not read.
///
/// # Example
/// ```
/// use linkstream::sniff::{Foreign, foreign};
///
/// assert_eq!(foreign(b"\x1f\x8b\x08\0", None), Some(Foreign::Gzip));
/// assert_eq!((Foreign::Gzip.name(), Foreign::Gzip.unpack()), ("gzip", Some("zcat")));
/// assert_eq!(Foreign::Hdf5.unpack(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Foreign {
    /// Compressed by gzip.
    Gzip,
    /// Compressed by Zstandard.
    Zstd,
    /// Compressed by xz.
    Xz,
    /// Compressed by bzip2.
    Bzip2,
    /// An archive of tar.
    Tar,
    /// HDF5, and netCDF-4, which is HDF5.
    Hdf5,
    /// NetCDF, the classic form.
    NetCdf,
    /// An array of NumPy.
    Numpy,
    /// A gauge configuration of openQCD, which has no magic number: the size and a plausible plaquette show it.
    OpenQcd,
    /// A MILC configuration of version 1 to 4.
    MilcOld,
    /// A MILC configuration in the form of 1996.
    Milc1996,
    /// A MILC configuration of version 5 as text.
    MilcText,
    /// A field of U(1) of MILC.
    MilcU1,
    /// A staggered propagator of MILC.
    MilcPropagator,
    /// A Wilson propagator of MILC.
    MilcWilson,
    /// A field of Qlattice.
    Qlattice,
    /// A file of FNAL.
    Fnal,
    /// A configuration of HiRep, which has no magic number: the size and a plausible plaquette show it.
    HiRep,
    /// A field of MDP (FermiQCD).
    Mdp,
    /// MATLAB, version 5 or later.
    Matlab,
}

impl Foreign {
    /// The usual name of the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
            Self::Tar => "tar",
            Self::Hdf5 => "HDF5",
            Self::NetCdf => "NetCDF",
            Self::Numpy => "NumPy",
            Self::OpenQcd => "openQCD",
            Self::MilcOld => "MILC of version 1 to 4",
            Self::Milc1996 => "MILC of 1996",
            Self::MilcText => "MILC as text",
            Self::MilcU1 => "a U(1) field of MILC",
            Self::MilcWilson => "a Wilson propagator of MILC",
            Self::Qlattice => "a field of Qlattice",
            Self::MilcPropagator => "a staggered propagator of MILC",
            Self::Fnal => "FNAL",
            Self::HiRep => "HiRep",
            Self::Mdp => "MDP",
            Self::Matlab => "MATLAB",
        }
    }

    /// The command that writes the content of such a file, given as its argument, to the standard output; `None` if the
    /// format is not a wrapping of another file.
    #[must_use]
    pub const fn unpack(self) -> Option<&'static str> {
        match self {
            Self::Gzip => Some("zcat"),
            Self::Zstd => Some("zstdcat"),
            Self::Xz => Some("xzcat"),
            Self::Bzip2 => Some("bzcat"),
            Self::Tar => Some("tar -xOf"),
            _ => None,
        }
    }

    /// True if files of this format hold only data of lattice QCD, so that none of them is an unrelated file.
    #[must_use]
    pub const fn is_lattice_data(self) -> bool {
        matches!(
            self,
            Self::OpenQcd
                | Self::MilcOld
                | Self::Milc1996
                | Self::MilcText
                | Self::MilcU1
                | Self::MilcPropagator
                | Self::MilcWilson
                | Self::Qlattice
                | Self::Fnal
                | Self::HiRep
                | Self::Mdp
        )
    }
}

/// First bytes of the formats whose magic number is at the start of the file.
const MAGICS: [(Foreign, &[u8]); 28] = [
    (Foreign::Gzip, b"\x1f\x8b"),
    (Foreign::Zstd, b"\x28\xb5\x2f\xfd"),
    (Foreign::Xz, b"\xfd7zXZ\0"),
    (Foreign::Bzip2, b"BZh"),
    (Foreign::Hdf5, b"\x89HDF\r\n\x1a\n"),
    (Foreign::NetCdf, b"CDF\x01"),
    (Foreign::NetCdf, b"CDF\x02"),
    (Foreign::NetCdf, b"CDF\x05"),
    (Foreign::Numpy, b"\x93NUMPY"),
    (Foreign::Matlab, b"MATLAB "),
    (Foreign::MilcOld, b"\0\0\xe7\xda"),
    (Foreign::MilcOld, b"\xda\xe7\0\0"),
    // On a machine whose integers had 64 bits.
    (Foreign::MilcOld, b"\0\0\0\0\0\0\xe7\xda"),
    (Foreign::Milc1996, b"\0\0\xd1\x2a"),
    (Foreign::Milc1996, b"\x2a\xd1\0\0"),
    (Foreign::MilcText, b"20103\n\""),
    (Foreign::MilcU1, b"\0\0\x08\xd7"),
    (Foreign::MilcU1, b"\xd7\x08\0\0"),
    (Foreign::MilcPropagator, b"\0\x03\x83\x39"),
    (Foreign::MilcPropagator, b"\x39\x83\x03\0"),
    (Foreign::MilcWilson, b"\0\0\x31\xed"),
    (Foreign::MilcWilson, b"\xed\x31\0\0"),
    (Foreign::Qlattice, b"BEGIN_FIELD_HEADER"),
    (Foreign::MilcPropagator, b"\0\0\x5a\xa9"),
    (Foreign::MilcPropagator, b"\xa9\x5a\0\0"),
    (Foreign::Fnal, b"qbd4"),
    (Foreign::Fnal, b"4dbq"),
    (Foreign::Mdp, b"File Type: MDP FIELD"),
];

/// Bytes from the start of a file that are enough to recognise all of these formats.
pub const FOREIGN_LEN: usize = 264;

/// The format of a file that [`sniff()`] does not know, by its first bytes, which should be
/// [`FOREIGN_LEN`], and by its size, without which openQCD and HiRep are not recognised.
///
/// ```
/// use linkstream::sniff::{FOREIGN_LEN, Foreign, foreign};
///
/// let mut archive = [0; FOREIGN_LEN];
/// archive[257..262].copy_from_slice(b"ustar");
/// assert_eq!(foreign(&archive, None), Some(Foreign::Tar));
///
/// // t, x, y, z and the plaquette; then 4 links of 144 bytes a site.
/// let mut header = [8_u32, 4, 4, 4].map(u32::to_le_bytes).concat();
/// header.extend(1.5_f64.to_le_bytes());
/// assert_eq!(foreign(&header, Some(24 + 512 * 576)), Some(Foreign::OpenQcd));
/// assert_eq!(foreign(&header, Some(24 + 512 * 575)), None);
/// ```
#[must_use]
pub fn foreign(first: &[u8], size: Option<u64>) -> Option<Foreign> {
    if let Some((format, _)) = MAGICS.iter().find(|(_, magic)| first.starts_with(magic)) {
        return Some(*format);
    }
    if first.get(257..262) == Some(b"ustar") {
        return Some(Foreign::Tar);
    }
    let size = size?;
    if is_open_qcd(first, size) {
        return Some(Foreign::OpenQcd);
    }
    is_hirep(first, size).then_some(Foreign::HiRep)
}

/// Four extents, a mean trace of plaquettes between -3 and 3, and exactly the links of that lattice: openQCD's export
/// has no magic number, so only all of this together shows it.
fn is_open_qcd(first: &[u8], size: u64) -> bool {
    let Some((extents, rest)) = first.split_first_chunk::<16>() else { return false };
    let Some((plaquette, _)) = rest.split_first_chunk::<8>() else { return false };
    let Some(sites) = sites(extents, u32::from_le_bytes) else { return false };
    let plaquette = f64::from_le_bytes(*plaquette);
    (-3.0..=3.0).contains(&plaquette) && size == sites.times(576).plus(24)
}

/// The same for HiRep, in big-endian order: number of colours, four extents, and an average plaquette of at most 1.
fn is_hirep(first: &[u8], size: u64) -> bool {
    let Some((colors, rest)) = first.split_first_chunk::<4>() else { return false };
    let Some((extents, rest)) = rest.split_first_chunk::<16>() else { return false };
    let Some((plaquette, _)) = rest.split_first_chunk::<8>() else { return false };
    let Some(sites) = sites(extents, u32::from_be_bytes) else { return false };
    let colors = u64::from(u32::from_be_bytes(*colors));
    let plaquette = f64::from_be_bytes(*plaquette);
    // At most 2^40 sites, and 2^14 bytes at each.
    (2..=16).contains(&colors)
        && (-1.0..=1.0).contains(&plaquette)
        && size == sites.times(64).times(colors).times(colors).plus(28)
}

/// Number of sites of a lattice, at most 2^40; `None` if an extent is not plausible.
fn sites(extents: &[u8; 16], of: fn([u8; 4]) -> u32) -> Option<u64> {
    let mut sites = 1_u64;
    for extent in extents.as_chunks::<4>().0 {
        let extent = u64::from(of(*extent));
        if !(1..=1024).contains(&extent) {
            return None;
        }
        sites = sites.times(extent);
    }
    Some(sites)
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

    /// A HiRep header that claims as many colours as a number can state: the length of its data does not fit.
    #[test]
    fn claims_that_do_not_fit_are_of_no_format() {
        let mut first = [0xFF; 28];
        for extent in first[4..20].chunks_exact_mut(4) {
            extent.copy_from_slice(&[0, 0, 4, 0]);
        }
        first[20..].copy_from_slice(&0.5_f64.to_be_bytes());
        assert!(!is_hirep(&first, 1 << 40));
    }
}
