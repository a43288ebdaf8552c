//! `make propagator`: compares the header of a NumPy array with the options.

use std::path::Path;

use linkstream::lattice::Precision;

use crate::failure::input_name;
use crate::npy::{ByteOrder, Header, tuple};

/// The content of a site in a record, and the sites of a record.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'f> {
    /// The axes within a site.
    pub site: &'static [u64],
    /// True if a record contains all time slices.
    pub has_times: bool,
    /// The file whose array determined the lattice, if it is another one.
    pub lattice_of: Option<&'f Path>,
}

impl Shape<'_> {
    /// Number of complex numbers at a site.
    pub fn numbers(&self) -> u64 {
        self.site.iter().product()
    }

    /// The lattice of an array that contains all time slices.
    pub fn extents(&self, header: &Header) -> anyhow::Result<[u32; 4]> {
        let (_, is_complex) = header.floats()?;
        let inner = self.site.len() + usize::from(!is_complex);
        let outer = header.shape.len().checked_sub(inner).and_then(|end| header.shape.get(..end));
        let lattice = outer.and_then(|outer| outer.last_chunk::<4>());
        let mut extents =
            lattice.copied().unwrap_or_default().map(|extent| u32::try_from(extent).unwrap_or(0));
        if extents.contains(&0) {
            anyhow::bail!(
                "the array has the shape {}, in which the indices t, z, y, x must precede those of a site",
                tuple(&header.shape)
            );
        }
        extents.reverse();
        Ok(extents)
    }

    /// Rejects an array with another type or shape. Returns whether its numbers are little-endian.
    pub fn check(&self, header: &Header, extents: &[u32; 4], precision: Precision) -> anyhow::Result<bool> {
        let (found, is_complex) = header.floats()?;
        if found != precision {
            anyhow::bail!(
                "the array has numbers of {} bits, but the file will have {}",
                found.bits(),
                precision.bits()
            );
        }
        let lattice =
            extents.iter().rev().skip(usize::from(!self.has_times)).map(|extent| u64::from(*extent));
        let mut expected: Vec<u64> = lattice.chain(self.site.iter().copied()).collect();
        if !is_complex {
            expected.push(2);
        }
        if !header.shape.ends_with(&expected) {
            let on_lattice = self
                .lattice_of
                .map_or_else(String::new, |path| format!(" on the lattice of {}", input_name(path)));
            anyhow::bail!(
                "the array has the shape {}, but a record has {}{on_lattice}; only indices in front of these can be added",
                tuple(&header.shape),
                tuple(&expected)
            );
        }
        Ok(header.dtype.order == ByteOrder::Little)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(dtype: &str, shape: &[u64]) -> Header {
        Header::new(dtype.parse().expect("a type"), shape.to_vec())
    }

    #[test]
    fn lattices_precede_sites_and_records_precede_lattices() {
        let shape = Shape { site: &[4, 3], has_times: true, lattice_of: None };
        assert_eq!(shape.extents(&header("<c16", &[12, 8, 4, 3, 2, 4, 3])).expect("a lattice"), [2, 3, 4, 8]);
        assert_eq!(shape.extents(&header("<f4", &[8, 4, 3, 2, 4, 3, 2])).expect("a lattice"), [2, 3, 4, 8]);
        assert!(shape.extents(&header("<c8", &[4, 3, 2, 4, 3])).is_err());
        assert!(shape.extents(&header("<c8", &[0, 4, 3, 2, 4, 3])).is_err());
        let check =
            |dtype, dims: &[u64]| shape.check(&header(dtype, dims), &[2, 3, 4, 8], Precision::F64).ok();
        assert_eq!(check("<c16", &[4, 3, 8, 4, 3, 2, 4, 3]), Some(true));
        assert_eq!(check(">f8", &[8, 4, 3, 2, 4, 3, 2]), Some(false));
        assert_eq!(check("<c16", &[8, 4, 3, 2, 3, 4]), None);
        assert_eq!(check("<c8", &[8, 4, 3, 2, 4, 3]), None);
        assert_eq!(check("<i8", &[8, 4, 3, 2, 4, 3, 2]), None);
        let slice = Shape { site: &[], has_times: false, lattice_of: None };
        let check = |dims: &[u64]| slice.check(&header("<c16", dims), &[2, 3, 4, 8], Precision::F64).ok();
        assert_eq!([check(&[4, 3, 2]), check(&[1, 4, 3, 2]), check(&[3, 2])], [Some(true), Some(true), None]);
    }
}
