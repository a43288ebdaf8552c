//! The figures of a gauge field.

use linkstream::ildg::GaugeKind;

/// Plaquettes, link trace and unitarity of a gauge field.
///
/// Averages are periodic in all directions; traces are divided by the number of colors. If any component of any link is
/// not finite, or too large to be squared, all figures are NaN: one in a place which an average does not look at would
/// otherwise go unnoticed there.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The kind of links, where the documents name it.
    pub group: Option<GaugeKind>,
    /// Rows and columns of a link's matrix.
    pub colors: u32,
    /// Re tr U_plaquette, averaged over sites and planes; `None` if links lie in fewer than two directions.
    pub plaquette: Option<f64>,
    /// The same for planes without the last direction, which is time.
    pub spatial: Option<f64>,
    /// The same for planes with it.
    pub temporal: Option<f64>,
    /// The same for each plane: (0, 1), (0, 2), (1, 2), (0, 3), …
    pub planes: Vec<PlaneFigure>,
    /// Re tr U, averaged over sites and directions.
    pub link_trace: f64,
    /// The same for each direction that has links.
    pub directions: Vec<DirectionFigure>,
    /// The sum of the squared moduli of all elements.
    pub squared_norm: f64,
    /// The largest element of |U U† - 1| on any link. Links that do not exist are left out: see
    /// [`Link::is_unphysical`](linkstream::field::Link::is_unphysical).
    pub max_unitarity_deviation: f64,
    /// The deviation that rounding explains; `None` if no document says that this is a gauge field.
    pub threshold: Option<f64>,
    /// Numbers of 64 bits that are all exactly numbers of 32 bits: the field was in single precision before.
    pub widened: bool,
    /// One entry a time slice, if they were asked for.
    pub slices: Vec<SliceFigures>,
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
    /// From 0.
    pub mu: u8,
    pub link_trace: f64,
}

/// The averages of one time slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliceFigures {
    pub time: u32,
    /// All plaquettes that begin in the slice; temporal ones end in the next.
    pub plaquette: Option<f64>,
    pub spatial: Option<f64>,
    pub temporal: Option<f64>,
    pub link_trace: f64,
}
