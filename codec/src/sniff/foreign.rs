//! Formats that this crate does not read, recognised so that a program can say what a file is.

use crate::counter::Counter as _;

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
    /// MATLAB, version 5 or later.
    Matlab,
}

impl Foreign {
    /// As people call it.
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
            Self::Hdf5 | Self::NetCdf | Self::Numpy | Self::OpenQcd | Self::Matlab => None,
        }
    }
}

/// How the files begin that have a magic number at their first byte.
const MAGICS: [(Foreign, &[u8]); 10] = [
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
];

/// Bytes from the start of a file that are enough to recognise all of these formats.
pub const FOREIGN_LEN: usize = 264;

/// The format of a file that [`sniff`](super::sniff()) does not know, by its first bytes, which should be
/// [`FOREIGN_LEN`], and by its size, without which openQCD is not recognised.
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
    is_open_qcd(first, size?).then_some(Foreign::OpenQcd)
}

/// Four extents, a mean trace of plaquettes between -3 and 3, and exactly the links of that lattice: openQCD's export
/// has no magic number, so only all of this together shows it.
fn is_open_qcd(first: &[u8], size: u64) -> bool {
    let Some((extents, rest)) = first.split_first_chunk::<16>() else { return false };
    let Some((plaquette, _)) = rest.split_first_chunk::<8>() else { return false };
    let extents = extents.as_chunks::<4>().0.iter().map(|extent| u64::from(u32::from_le_bytes(*extent)));
    let mut sites = 1_u64;
    for extent in extents {
        if !(1..=1024).contains(&extent) {
            return false;
        }
        sites = sites.times(extent);
    }
    let plaquette = f64::from_le_bytes(*plaquette);
    // At most 2^40 sites.
    (-3.0..=3.0).contains(&plaquette) && size == sites.times(576).plus(24)
}
