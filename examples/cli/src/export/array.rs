//! The dtype and shape of data as an array: one axis per dimension of the lattice, slowest first, then the axes within
//! a site.

use linkstream::field::Field;
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::PrivateRecord;

use crate::npy::{ByteOrder, Dtype, Header, Kind};

/// Suffixes of the names of SciDAC types that consist of complex numbers (QIO 2.3, section 4.2).
const COMPLEX: [&str; 7] = [
    "_Complex",
    "_ColorVector",
    "_ColorMatrix",
    "_DiracFermion",
    "_HalfFermion",
    "_DiracPropagator",
    "_Propagator",
];

/// The array of a data record. Data that are not known to be numbers become an array of bytes.
pub fn of_field(field: &Field, record: Option<&PrivateRecord>) -> Header {
    let mut shape = sites(field);
    if let Some(links) = &field.links {
        shape.extend([links.links, links.rows, links.columns].map(u64::from));
        return Header::new(number(links.precision, links.parts == 2), shape);
    }
    let dtype = dtype(field, record);
    let size = u64::from(dtype.size);
    let items = record.map_or((1, field.bytes_per_site), |record| {
        (u64::from(record.datacount), u64::from(record.typesize))
    });
    // A site holds numbers, or lists of numbers. A single number gets no axis.
    let (count, each) = match items {
        (count, bytes) if bytes.is_multiple_of(size) && count * bytes == field.bytes_per_site => {
            (count, bytes / size)
        }
        _ => (1, field.bytes_per_site / size),
    };
    shape.extend([count, each].into_iter().filter(|extent| *extent != 1));
    Header::new(dtype, shape)
}

/// Extents of the region, slowest first; empty for global data.
fn sites(field: &Field) -> Vec<u64> {
    let mut extents: Vec<u64> = match &field.region {
        Region::Lattice => field.extents.as_slice().iter().map(|extent| u64::from(*extent)).collect(),
        Region::Hypercube(cube) => {
            let ends = cube.lower().as_slice().iter().zip(cube.upper().as_slice());
            ends.map(|(lower, upper)| u64::from(upper - lower) + 1).collect()
        }
        Region::Global => Vec::new(),
    };
    extents.reverse();
    extents
}

fn dtype(field: &Field, record: Option<&PrivateRecord>) -> Dtype {
    let name = record.map_or("", |record| record.datatype.as_str());
    let dtype = match field.precision {
        Some(precision) => number(precision, COMPLEX.iter().any(|end| name.ends_with(end))),
        None if name.ends_with("_Int") => Dtype::new(Kind::Integer, 4, ByteOrder::Big),
        None => Dtype::BYTES,
    };
    let fits = |dtype: &Dtype| field.bytes_per_site.is_multiple_of(u64::from(dtype.size));
    let real = field.precision.map_or(Dtype::BYTES, |precision| number(precision, false));
    [dtype, real].into_iter().find(fits).unwrap_or(Dtype::BYTES)
}

/// Numbers in LIME files are big endian (ILDG 1.2, section 2.5; QIO 2.3, section 4.2).
fn number(precision: Precision, complex: bool) -> Dtype {
    let size = precision.bytes() as u32;
    match complex {
        true => Dtype::new(Kind::Complex, 2 * size, ByteOrder::Big),
        false => Dtype::new(Kind::Float, size, ByteOrder::Big),
    }
}
