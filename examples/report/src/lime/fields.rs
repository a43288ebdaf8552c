//! Gauge fields as the observables want them: which can be measured, and how their links are read.

use linkstream::conformance::Decoder;
use linkstream::field::{Field, Link, Site};
use linkstream::ildg::Group;
use linkstream::lattice::{Precision, Region};

use crate::observables::{Measured, Observables, Stored};
use crate::report::{Finding, Level};
use crate::su3::{Matrix, third_row_from_two};

/// A measurement under way.
pub struct Measurement {
    observables: Observables,
}

impl Measurement {
    /// For SU(3) gauge fields in four dimensions with links in all of them.
    pub fn of(field: &Field, decoder: &Decoder) -> Option<Self> {
        let links = field.links?;
        let extents = <[u32; 4]>::try_from(field.extents.as_slice()).ok()?;
        let shape_fits = links.links == 4 && links.columns == 3 && links.parts == 2 && links.rows >= 2;
        let other_kind = decoder.format().is_some_and(|format| {
            format.kind().group() != Group::Su && format.extents() == Some(field.extents)
        });
        if !shape_fits || other_kind || field.region != Region::Lattice {
            return None;
        }
        // A third row that is computed has more digits than single precision keeps.
        let stored = match links.precision {
            Precision::F32 if links.rows == 3 => Stored::F32,
            _ => Stored::F64,
        };
        Some(Self { observables: Observables::new(extents, stored) })
    }

    /// The next site.
    pub fn site(&mut self, site: &Site<'_>) {
        let mut links = [Matrix::ZERO; 4];
        for (matrix, link) in links.iter_mut().zip(site.links().into_iter().flatten()) {
            *matrix = read(&link);
        }
        self.observables.site(&links);
    }

    /// The figures, when all sites have come.
    pub fn finish(self) -> Option<Measured> {
        self.observables.finish()
    }
}

/// The matrix of a link; a row that is not stored is reconstructed.
fn read(link: &Link<'_>) -> Matrix {
    // A row computed from zeros would be -0.0 here and there, and no link at all would look like a bad one.
    if link.is_unphysical() {
        return Matrix::ZERO;
    }
    let mut numbers = link.numbers();
    let mut matrix = Matrix::ZERO;
    for element in matrix.0.iter_mut().take(link.rows() as usize).flatten() {
        *element = [numbers.next().unwrap_or(f64::NAN), numbers.next().unwrap_or(f64::NAN)];
    }
    if link.rows() == 2 {
        let [first, second, third] = &mut matrix.0;
        *third = third_row_from_two(first, second);
    }
    matrix
}

/// Links further from unitary than rounding explains, in units of the precision's last digit.
const TOLERANCE: f64 = 1000.0;

/// What the figures say against a field, if anything.
pub fn judge(measured: &Measured, field: &Field) -> Option<Finding> {
    let deviation = measured.max_unitarity_deviation;
    let rounding = match field.precision? {
        Precision::F32 => f64::from(f32::EPSILON),
        Precision::F64 => f64::EPSILON,
    };
    let finding = |severity, rule, message| {
        Some(Finding {
            severity,
            class: linkstream::Class::Decode,
            rule,
            clause: "",
            offset: field.record.offset,
            message,
        })
    };
    if !deviation.is_finite() || !measured.plaquette.is_finite() {
        let message = "links hold numbers that are infinite or not numbers".to_owned();
        return finding(Level::Error, "links-not-finite", message);
    }
    if deviation > TOLERANCE * rounding {
        let message = format!("links are not unitary: the largest deviation is {deviation:.3e}");
        return finding(Level::Warning, "links-not-unitary", message);
    }
    None
}
