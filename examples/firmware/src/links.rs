//! Quantities that a controller would compute from links while they are read: the trace, and the deviation from
//! unitarity.

use linkstream::field::{Link, Site};

/// Sums over the links of a field of 3x3 matrices.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// Sites seen.
    pub sites: u32,
    /// Links seen.
    pub links: u32,
    /// Sum of the real parts of the traces.
    trace: f64,
    /// Largest absolute value of a real or imaginary part in `U U† - 1`.
    pub deviation: f64,
}

impl Look {
    /// Adds the links of this site. A site without links is only counted.
    pub fn add(&mut self, site: &Site<'_>) {
        self.sites = self.sites.wrapping_add(1);
        for link in site.links().into_iter().flatten() {
            self.links = self.links.wrapping_add(1);
            for i in 0..3 {
                self.trace += element(&link, i, i)[0];
                for j in i..3 {
                    self.product(&link, i, j);
                }
            }
        }
    }

    /// Average of Re tr U / 3 over all links.
    pub fn trace(&self) -> f64 {
        self.trace / (3.0 * f64::from(self.links.max(1)))
    }

    /// Compares element `i`, `j` of `U U† - 1` with the largest deviation. The elements below the diagonal need no
    /// check: they are the conjugates of those above it.
    fn product(&mut self, link: &Link<'_>, i: usize, j: usize) {
        let (mut re, mut im) = (if i == j { -1.0 } else { 0.0 }, 0.0);
        for k in 0..3 {
            let ([a, b], [c, d]) = (element(link, i, k), element(link, j, k));
            re += a * c + b * d;
            im += b * c - a * d;
        }
        for part in [re, im] {
            let size = f64::abs(part);
            // NaN replaces every number, and no number replaces NaN.
            if size > self.deviation || size.is_nan() {
                self.deviation = size;
            }
        }
    }
}

fn element(link: &Link<'_>, row: usize, column: usize) -> [f64; 2] {
    link.get(row, column).unwrap_or_default()
}
