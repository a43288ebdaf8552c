//! The observables of a gauge field.

use linkstream::ildg::GaugeKind;
use linkstream::lattice::Precision;

/// Plaquettes, link trace, Polyakov loop and unitarity of a gauge field.
///
/// The lattice is taken as periodic in all directions; traces are divided by the number of colors. If any component of
/// any link is not finite, or too large to be squared, all observables are NaN. Otherwise, it would go unnoticed in the
/// averages that do not include this component.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The kind of the links, if the documents name it.
    pub group: Option<GaugeKind>,
    /// Number of rows, and of columns, of a link's matrix.
    pub colors: u32,
    /// Re tr U_plaquette, averaged over sites and planes; `None` if fewer than two directions have links.
    pub plaquette: Option<f64>,
    /// The plaquette averaged over planes without the last direction, which is time.
    pub spatial: Option<f64>,
    /// The plaquette averaged over planes with the last direction.
    pub temporal: Option<f64>,
    /// The plaquette averaged over each plane: (0, 1), (0, 2), (1, 2), (0, 3), …
    pub planes: Vec<PlaneFigure>,
    /// Re tr U, averaged over sites and directions.
    pub link_trace: f64,
    /// The link trace for each direction that has links.
    pub directions: Vec<DirectionFigure>,
    /// The Polyakov loop tr L / N, averaged over the sites of space: real and imaginary part. L is the product of the links
    /// in the direction of time, the last one, from t = 0 on. `None` if it was not requested or no links are in this
    /// direction.
    pub polyakov_loop: Option<[f64; 2]>,
    /// The sum of the squared moduli of all elements.
    pub squared_norm: f64,
    /// The largest element of |U U† - 1| of any link, without absent links: see
    /// [`Link::is_unphysical`](linkstream::field::Link::is_unphysical).
    pub max_unitarity_deviation: f64,
    /// The largest |det U - 1| of any link, likewise; `None` unless the links belong to a group whose elements have the
    /// determinant 1, by their kind.
    pub max_determinant_deviation: Option<f64>,
    /// True if at least one link deviates from the group by at most [`FAR`]: from unitarity and, if the group has it, from
    /// the determinant 1.
    pub has_unitary_link: bool,
    /// The links that deviate from the group by more than double precision explains, and by more than [`FAR`]: see
    /// [`outliers_beyond`](Self::outliers_beyond).
    pub outliers: [Outliers; 2],
    /// The largest deviation that rounding can explain. The caller sets it if the links should be unitary.
    pub threshold: Option<f64>,
    /// True if the file has double precision, but all numbers are exactly representable in single precision: the field
    /// was converted from single precision.
    pub widened: bool,
    /// One entry per time slice, if slices were requested.
    pub slices: Vec<SliceFigures>,
}

/// Links outside of their group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outliers {
    /// Number of links.
    pub count: u64,
    /// Number of the first link, counted from 0 over all links of all sites in the order of the file. Without meaning if
    /// there is none.
    pub first: u64,
}

/// Deviation from unitarity that rounding can explain, in units of the last digit of the precision.
const TOLERANCE: f64 = 1000.0;

/// The deviation from unitarity that rounding to single precision explains. No precision of a simulation explains more.
pub const FAR: f64 = TOLERANCE * f32::EPSILON as f64;

/// The deviation that rounding to double precision explains.
pub(super) const ROUNDED: f64 = TOLERANCE * f64::EPSILON;

impl Measured {
    /// The links that deviate by more than this limit, which is a result of
    /// [`explained_by_rounding`](Self::explained_by_rounding) or [`FAR`].
    #[must_use]
    pub const fn outliers_beyond(&self, limit: f64) -> Outliers {
        let [rounded, far] = self.outliers;
        if limit < FAR { rounded } else { far }
    }

    /// The largest deviation of any link from the group that its kind names: from unitarity, and from the determinant 1
    /// if the group has it. NaN if a number is not finite.
    #[must_use]
    pub fn max_group_deviation(&self) -> f64 {
        larger_or_nan(self.max_unitarity_deviation, self.max_determinant_deviation.unwrap_or(0.0))
    }

    /// The deviation from unitarity that rounding to this precision can explain. Numbers that were converted from
    /// single precision have the deviation of single precision.
    #[must_use]
    pub fn explained_by_rounding(&self, precision: Precision) -> f64 {
        match precision {
            Precision::F64 if !self.widened => ROUNDED,
            _ => FAR,
        }
    }
}

/// The average plaquette of one plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneFigure {
    /// Directions, the smaller one first.
    pub mu: u8,
    pub nu: u8,
    pub plaquette: f64,
}

/// The average link trace of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionFigure {
    /// Number of the direction, from 0.
    pub mu: u8,
    pub link_trace: f64,
}

/// The averages of one time slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliceFigures {
    pub time: u32,
    /// The average of all plaquettes that begin in the slice. Temporal ones reach into the next slice.
    pub plaquette: Option<f64>,
    pub spatial: Option<f64>,
    pub temporal: Option<f64>,
    pub link_trace: f64,
}

/// The larger of the two, or NaN if either is NaN (`f64::max` would drop it).
pub fn larger_or_nan(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}
