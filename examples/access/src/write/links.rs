//! Leaves out or reconstructs rows and links of a site, in the precision of the input.

use std::cmp::Ordering;

use linkstream::field::{Link, LinkLayout, Site};
use linkstream::ildg::{GaugeKind, Real, deviation, reconstruct};
use linkstream::lattice::Precision;

use super::fault::Fault;

/// A number as stored in files.
trait Number: Real {
    fn read(word: &[u8]) -> Option<Self>;
    fn put(self, out: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Number for $number {
            fn read(word: &[u8]) -> Option<Self> {
                word.try_into().ok().map(Self::from_be_bytes)
            }

            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_be_bytes());
            }
        }
    )*};
}

numbers!(f32 f64);

/// Reason why a link cannot be changed.
enum Why {
    /// The rows to be left out deviate too much from the computed ones.
    Deviation(f64),
    /// No rows can be computed from infinite numbers or NaNs, or the computed ones overflow.
    NotFinite,
}

/// Conversion of the links of a field.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub kind: GaugeKind,
    pub from: LinkLayout,
    /// Rows that are written.
    pub rows: u32,
    /// Indices of the links of a site that are written, and the names of their directions.
    pub links: Vec<(usize, char)>,
    pub tolerance: f64,
}

impl Shape {
    /// The bytes of a site as they are written.
    pub(super) fn site(&self, site: &Site<'_>, out: &mut Vec<u8>) -> Result<(), Fault> {
        for (mu, direction) in &self.links {
            let Ok(link) = site.link(*mu) else { continue };
            let changed = match self.from.precision {
                Precision::F32 => self.link::<f32>(&link, out),
                Precision::F64 => self.link::<f64>(&link, out),
            };
            let (coordinates, direction) = (site.coordinates().to_vec(), *direction);
            changed.map_err(|why| match why {
                Why::Deviation(deviation) => {
                    Fault::Rows { site: coordinates, direction, deviation, tolerance: self.tolerance }
                }
                Why::NotFinite => Fault::NoRows { site: coordinates, direction },
            })?;
        }
        Ok(())
    }

    /// Converts one link. The zeros of an absent link stay zeros, since zeros are computed from them.
    fn link<T: Number>(&self, link: &Link<'_>, out: &mut Vec<u8>) -> Result<(), Why> {
        let bytes = link.bytes();
        let row = bytes.len().checked_div(self.from.rows as usize).unwrap_or(0);
        let written = row.saturating_mul(self.rows as usize);
        let numbers = |bytes: &[u8]| bytes.chunks_exact(size_of::<T>()).filter_map(T::read).collect();
        let mut matrix: Vec<T> = numbers(bytes);
        match self.rows.cmp(&self.from.rows) {
            Ordering::Equal => out.extend_from_slice(bytes),
            Ordering::Less => {
                let deviation = deviation(self.kind, &matrix).unwrap_or(f64::INFINITY);
                // The comparison with NaN must fail, too.
                if !matches!(deviation.partial_cmp(&self.tolerance), Some(Ordering::Less | Ordering::Equal)) {
                    return Err(Why::Deviation(deviation));
                }
                out.extend(bytes.iter().take(written));
            }
            Ordering::Greater => {
                let given = matrix.len();
                let Some(first) = matrix.first().copied() else { return Ok(()) };
                matrix.resize(written.checked_div(size_of::<T>()).unwrap_or(0), first);
                reconstruct(self.kind, &mut matrix).map_err(|_| Why::NotFinite)?;
                let numbers = matrix.iter().map(|number| -> f64 { (*number).into() });
                if !numbers.fold(true, |finite, number| finite & number.is_finite()) {
                    return Err(Why::NotFinite);
                }
                out.extend_from_slice(bytes);
                matrix.iter().skip(given).for_each(|number| number.put(out));
            }
        }
        Ok(())
    }
}
