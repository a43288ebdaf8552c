//! Formats of other files: formats that the codec recognises but does not read, and wrappings that only a program
//! meets.

use linkstream::lattice::{ByteOrder, Precision};
use linkstream::sniff::{Foreign, foreign};

use crate::headless::{Headless, headless};
use crate::open_qcd;

/// A format that is recognised, but not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Other {
    /// Usual name of the format.
    pub name: &'static str,
    /// The command that writes the content of such a file to the standard output; `None` if the format is not a
    /// wrapping of another file.
    pub unpack: Option<&'static str>,
    /// Advice about a file that has no such command, as the end of a sentence.
    pub advice: Option<&'static str>,
    /// True if files of this format hold only data of lattice QCD, so that none of them is an unrelated file.
    pub is_lattice_data: bool,
}

impl Other {
    /// A format without a command that unpacks it.
    const fn plain(name: &'static str, advice: Option<&'static str>, is_lattice_data: bool) -> Self {
        Self { name, unpack: None, advice, is_lattice_data }
    }

    /// A wrapping of other files, and the command that unpacks it.
    const fn wrapping(name: &'static str, unpack: &'static str) -> Self {
        Self { name, unpack: Some(unpack), advice: None, is_lattice_data: false }
    }
}

/// Number of bytes from the start of a file that are enough for all of these formats.
pub const LENGTH: usize = 4096 + HDF5.len();
/// The first bytes of HDF5.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";
/// Usual sizes of a block of the user before HDF5, which is a power of 2.
const USER_BLOCKS: [usize; 4] = [512, 1024, 2048, 4096];
/// The first bytes of an entry in a zip file, and thus of the file.
pub const ZIP: &[u8] = b"PK\x03\x04";
/// The first bytes of a frame of LZ4.
const LZ4: &[u8] = b"\x04\x22\x4d\x18";
/// Offset of the name in the header of an entry of a zip file; its length is 4 bytes before.
const ZIP_NAME: usize = 30;

/// The format of a file that begins with these bytes and has this size.
///
/// ```
/// use linkstream_access::other::other;
///
/// assert_eq!(other(b"\x1f\x8b\x08\0", None).map(|other| other.name), Some("gzip"));
/// assert_eq!(other(b"\x04\x22\x4d\x18", None).and_then(|other| other.unpack), Some("lz4cat"));
/// assert_eq!(other(b"text", None), None);
/// ```
pub fn other(first: &[u8], size: Option<u64>) -> Option<Other> {
    if first.starts_with(ZIP) {
        let is_array = zip_entry(first).is_some_and(|name| name.ends_with(b".npy"));
        return Some(if is_array {
            let advice = "`unzip -l FILE` lists its arrays, and `unzip FILE NAME.npy` extracts one";
            Other::plain("NPZ, a zip file of NumPy", Some(advice), false)
        } else {
            Other::wrapping("zip", "unzip -p")
        });
    }
    if first.starts_with(LZ4) {
        return Some(Other::wrapping("lz4", "lz4cat"));
    }
    if open_qcd::is_big_endian(first, size) {
        let advice = "openQCD writes and reads little-endian numbers: reverse the bytes of each number";
        return Some(Other::plain("openQCD with big-endian numbers", Some(advice), true));
    }
    let Some(format) = foreign(first, size) else { return beyond_the_start(first, size) };
    let is_lattice_data = format.is_lattice_data();
    Some(Other { name: format.name(), unpack: format.unpack(), advice: advice(format), is_lattice_data })
}

/// The format of a file whose first bytes are no magic number.
fn beyond_the_start(first: &[u8], size: Option<u64>) -> Option<Other> {
    let has_hdf5 = |at: &usize| first.get(*at..).is_some_and(|rest| rest.starts_with(HDF5));
    if USER_BLOCKS.iter().any(has_hdf5) {
        return Some(Other::plain("HDF5 behind a block of the user", advice(Foreign::Hdf5), false));
    }
    let (name, advice) = match headless(first, size)? {
        Headless::Text => (
            "a gauge field of SU(3) as text",
            "Bridge++ and Gaugefields.jl read such files; `linkstream ildg make --data` takes its numbers in binary form",
        ),
        Headless::Binary(Precision::F64, ByteOrder::Big) => (
            "a gauge field of SU(3) without a header, in double precision",
            "JLQCD, KYU and Bridge++ write such files; `linkstream ildg make OUT --data FILE --extents LXxLYxLZxLT` makes it \
             an ILDG file, if the sites are in the order of ILDG",
        ),
        Headless::Binary(Precision::F64, ByteOrder::Little) => (
            "a gauge field of SU(3) without a header, in double precision, little-endian",
            "`linkstream ildg make OUT --data FILE --little-endian --extents LXxLYxLZxLT` makes it an ILDG file, if the \
             sites are in the order of ILDG",
        ),
        Headless::Binary(Precision::F32, ByteOrder::Big) => (
            "a gauge field of SU(3) without a header, in single precision",
            "`linkstream ildg make OUT --data FILE --precision 32 --extents LXxLYxLZxLT` makes it an ILDG file, if the \
             sites are in the order of ILDG",
        ),
        Headless::Binary(Precision::F32, ByteOrder::Little) => (
            "a gauge field of SU(3) without a header, in single precision, little-endian",
            "`linkstream ildg make OUT --data FILE --precision 32 --little-endian --extents LXxLYxLZxLT` makes it an ILDG \
             file, if the sites are in the order of ILDG",
        ),
    };
    Some(Other::plain(name, Some(advice), true))
}

/// The programs that read a format, and what they write.
const fn advice(format: Foreign) -> Option<&'static str> {
    Some(match format {
        Foreign::Numpy => "`linkstream ildg make` makes a gauge field of an array of links",
        Foreign::MilcOld | Foreign::Milc1996 | Foreign::MilcText | Foreign::Fnal => {
            "MILC reads it (`reload_serial`, for the text form `reload_ascii`), and saves it as NERSC, SciDAC, ILDG or \
             version 5"
        }
        Foreign::MilcU1 => "MILC reads it (its U(1) programs)",
        Foreign::MilcPropagator | Foreign::MilcWilson => {
            "MILC reads it; newer versions save propagators in USQCD's SciDAC form"
        }
        Foreign::HiRep => "HiRep's converter reads it, and writes openQCD's form",
        Foreign::Mdp => "FermiQCD (MDP) reads it",
        Foreign::Qlattice => "Qlattice and GPT read it",
        Foreign::Hdf5 => {
            "the program that wrote it reads it, or h5py; an array that h5py saves as .npy can be made a field"
        }
        _ => return None,
    })
}

/// The name of the first entry of a zip file that begins with these bytes.
pub fn zip_entry(first: &[u8]) -> Option<&[u8]> {
    let length = first.get(ZIP_NAME - 4..)?.first_chunk()?;
    first.get(ZIP_NAME..)?.get(..u16::from_le_bytes(*length).into())
}
