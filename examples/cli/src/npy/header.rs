//! The header of an NPY file, as specified in the documentation of `numpy.lib.format`.
//!
//! The crates for this format parse all Python literals, and need a C compiler for that. NumPy only writes a dictionary
//! with three keys.

use std::fmt::Write as _;
use std::io::Read;

use linkstream::lattice::Precision;
use linkstream_memory as memory;

use super::dtype::{Dtype, Kind};
use crate::failure::Failure;
use crate::source::filled;

/// The first bytes of an NPY file.
pub const MAGIC: &[u8] = b"\x93NUMPY";
/// The data begin at a multiple of this offset.
const ALIGNMENT: usize = 64;
/// Maximum length of a header; NumPy rejects longer ones.
const LONGEST: usize = 10_000;

/// Type and shape of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub dtype: Dtype,
    /// True if the first index varies fastest.
    pub fortran_order: bool,
    pub shape: Vec<u64>,
}

/// The shape as a Python tuple.
pub fn tuple(shape: &[u64]) -> String {
    let mut text = String::from("(");
    for (i, extent) in shape.iter().enumerate() {
        let _ = write!(text, "{}{extent}", if i > 0 { ", " } else { "" });
    }
    text + if shape.len() == 1 { ",)" } else { ")" }
}

/// The error of a shape that no array can have.
pub fn too_large(shape: &str) -> anyhow::Error {
    Failure::invalid(&format!("no array can have the shape {shape}: NumPy has at most 2^63 - 1 bytes")).into()
}

impl Header {
    /// An array in C order.
    pub const fn new(dtype: Dtype, shape: Vec<u64>) -> Self {
        Self { dtype, fortran_order: false, shape }
    }

    /// Refuses shapes that NumPy refuses: the numbers of bytes, and the extents, must fit into 63 bits. As in NumPy, an
    /// extent of 0 does not make the others irrelevant.
    pub fn fits_numpy(&self) -> anyhow::Result<()> {
        let bytes = self
            .shape
            .iter()
            .filter(|extent| **extent > 0)
            .try_fold(u64::from(self.dtype.size), |bytes, extent| bytes.checked_mul(*extent));
        if bytes.is_none_or(|bytes| i64::try_from(bytes).is_err()) {
            return Err(too_large(&tuple(&self.shape)));
        }
        Ok(())
    }

    /// The bytes before the data, in version 1.0 of the format.
    pub fn to_bytes(&self) -> Vec<u8> {
        let order = if self.fortran_order { "True" } else { "False" };
        let dictionary = format!(
            "{{'descr': '{}', 'fortran_order': {order}, 'shape': {}, }}",
            self.dtype,
            tuple(&self.shape)
        );
        let mut bytes = [MAGIC, b"\x01\x00\x00\x00", dictionary.as_bytes()].concat();
        let end = (bytes.len() + 1).next_multiple_of(ALIGNMENT);
        bytes.resize(end - 1, b' ');
        bytes.push(b'\n');
        // It fits, since shapes are short: a lattice has only a few dimensions.
        let length = u16::try_from(end - 10).unwrap_or(u16::MAX);
        bytes[8..10].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    /// Reads the rest of a header whose first bytes are `begun`. Returns the header and its length in bytes.
    pub fn read(begun: &[u8], source: &mut impl Read) -> anyhow::Result<(Self, u64)> {
        let mut source = begun.chain(source);
        let mut head = [0; 8];
        fill(&mut source, &mut head)?;
        if !head.starts_with(MAGIC) {
            anyhow::bail!("is not an NPY file");
        }
        let mut length = [0; 4];
        let size = match head[6] {
            1 => 2,
            2 | 3 => 4,
            version => anyhow::bail!("is an NPY file of version {version}, which is not supported"),
        };
        fill(&mut source, &mut length[..size])?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST {
            anyhow::bail!("has an NPY header of {length} bytes, more than NumPy accepts");
        }
        let mut text = memory::zeroed(length)?;
        fill(&mut source, &mut text)?;
        let text = String::from_utf8_lossy(&text);
        let header = Self::parse(&text).map_err(|why| anyhow::anyhow!("NPY header: {why}"))?;
        Ok((header, (head.len() + size + length) as u64))
    }

    /// The precision of floating-point numbers in C order, and whether they are complex.
    pub fn floats(&self) -> anyhow::Result<(Precision, bool)> {
        if self.fortran_order {
            anyhow::bail!(
                "the array is in Fortran order, in which the first index runs fastest; numpy.ascontiguousarray gives \
                 the order of ILDG"
            );
        }
        match (self.dtype.kind, self.dtype.size) {
            (Kind::Float, 4) => Ok((Precision::F32, false)),
            (Kind::Float, 8) => Ok((Precision::F64, false)),
            (Kind::Complex, 8) => Ok((Precision::F32, true)),
            (Kind::Complex, 16) => Ok((Precision::F64, true)),
            _ => anyhow::bail!("the array has the type {}; expected f4, f8, c8 or c16", self.dtype),
        }
    }

    /// Parses the dictionary that NumPy writes, with its keys in any order.
    fn parse(text: &str) -> Result<Self, String> {
        let inside = text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let mut rest = inside.ok_or("it is no dictionary")?.trim();
        let (mut dtype, mut fortran_order, mut shape) = (None, None, None);
        while !rest.is_empty() {
            let (key, value) = rest.split_once(':').ok_or("a key has no value")?;
            let value = value.trim_start();
            let end = match value.chars().next() {
                Some('(') => value.find(')').map(|end| end + 1),
                // A list describes records with named fields.
                Some('[') => return Err("its elements are records, not numbers".to_owned()),
                _ => value.find(',').or(Some(value.len())),
            };
            let (value, after) = value.split_at(end.ok_or("a tuple has no end")?);
            match unquoted(key.trim()) {
                Some("descr") => {
                    dtype = Some(unquoted(value.trim()).ok_or("the type is not a string")?.parse()?)
                }
                Some("fortran_order") => fortran_order = Some(truth(value.trim())?),
                Some("shape") => shape = Some(extents(value)?),
                _ => return Err(format!("the key {} is not known", key.trim())),
            }
            rest = after.trim_start().strip_prefix(',').unwrap_or(after).trim_start();
        }
        match (dtype, fortran_order, shape) {
            (Some(dtype), Some(fortran_order), Some(shape)) => Ok(Self { dtype, fortran_order, shape }),
            _ => Err("descr, fortran_order or shape is missing".to_owned()),
        }
    }
}

/// Fills `part` with the next bytes of the header.
fn fill(source: &mut impl Read, part: &mut [u8]) -> anyhow::Result<()> {
    let n = filled(source, part).map_err(Failure::Input)?;
    anyhow::ensure!(n == part.len(), "the file ends inside its NPY header");
    Ok(())
}

fn unquoted(text: &str) -> Option<&str> {
    let inside = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    inside('\'').or_else(|| inside('"'))
}

fn truth(text: &str) -> Result<bool, String> {
    match text {
        "True" => Ok(true),
        "False" => Ok(false),
        _ => Err("fortran_order is neither True nor False".to_owned()),
    }
}

fn extents(text: &str) -> Result<Vec<u64>, String> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let inside = inside.ok_or("the shape is no tuple")?.trim();
    let numbers = inside.strip_suffix(',').unwrap_or(inside);
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let each = numbers.split(',').map(|number| number.trim().trim_end_matches('L').parse::<u64>());
    each.collect::<Result<_, _>>().map_err(|_| "the shape is not made of numbers".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy::ByteOrder;

    fn header(shape: &[u64]) -> Header {
        Header::new(Dtype::new(Kind::Complex, 16, ByteOrder::Big), shape.to_vec())
    }

    #[test]
    fn what_numpy_writes_is_written() {
        let bytes = header(&[8, 4]).to_bytes();
        assert_eq!(bytes.len() % 64, 0);
        assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
        assert_eq!(usize::from(u16::from_le_bytes([bytes[8], bytes[9]])), bytes.len() - 10);
        let text = std::str::from_utf8(&bytes[10..]).expect("text");
        assert_eq!(text.trim_end(), "{'descr': '>c16', 'fortran_order': False, 'shape': (8, 4), }");
        assert!(text.ends_with(" \n"));
    }

    #[test]
    fn shapes_that_numpy_refuses_are_refused() {
        let bytes = |shape: &[u64]| Header::new(Dtype::BYTES, shape.to_vec()).fits_numpy().is_ok();
        assert!(bytes(&[]) && bytes(&[0]) && bytes(&[(1 << 63) - 1]) && bytes(&[(1 << 62) - 1, 2, 0]));
        assert!(
            !bytes(&[1 << 63]) && !bytes(&[u64::MAX]) && !bytes(&[0, u64::MAX]) && !bytes(&[1 << 62, 0, 2])
        );
        assert!(header(&[(1 << 59) - 1]).fits_numpy().is_ok() && header(&[1 << 59]).fits_numpy().is_err());
    }

    #[test]
    fn headers_come_back() {
        for shape in [&[][..], &[7], &[2, 3, 4, 5, 6, 7, 8, 9], &[0]] {
            let header = header(shape);
            let bytes = header.to_bytes();
            for begun in [0, 3, bytes.len()] {
                let read = Header::read(&bytes[..begun], &mut &bytes[begun..]).expect("a header");
                assert_eq!(read, (header.clone(), bytes.len() as u64));
            }
        }
        let other = "{\"shape\": (3L, 4L), 'fortran_order': True, 'descr': '<f4'}\n";
        let header = Header::parse(other).expect("a header");
        assert_eq!(
            (header.shape, header.fortran_order, header.dtype),
            (vec![3, 4], true, "<f4".parse().expect("a type"))
        );
    }

    #[test]
    fn what_is_no_header_is_refused() {
        for wrong in [
            "",
            "{}",
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, }",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
        ] {
            assert!(Header::parse(wrong).is_err(), "{wrong}");
        }
        let mut bytes = header(&[1]).to_bytes();
        bytes[6] = 9;
        assert!(Header::read(&bytes, &mut &[][..]).is_err());
        assert!(Header::read(b"\x93NUMPY\x02\0\xff\xff\xff\xff", &mut &[][..]).is_err());
    }
}
