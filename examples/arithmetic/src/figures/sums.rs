//! Computes the observables of the field from the sums of rows, always in the same order, so that the observables do
//! not depend on the number of threads.

use super::geometry::{Geometry, Neighbour};
use super::measured::{DirectionFigure, FAR, Outliers, PlaneFigure, ROUNDED, SliceFigures, larger_or_nan};

/// Sums over the sites of one row.
///
/// In memory, they are in this order: Re tr of the plaquettes of each plane, for the row of the previous slice; Re tr
/// of the links in each direction; the squared norm of all links; the square of their largest deviation from unitarity, and
/// of the largest difference of their determinants from 1; the links outside of their group, by two limits.
#[derive(Debug)]
pub struct RowSums<'s> {
    pub planes: &'s mut [f64],
    pub traces: &'s mut [f64],
    pub norm: &'s mut f64,
    pub deviation: &'s mut f64,
    pub determinant: &'s mut f64,
    outside: &'s mut [f64; OUTSIDE],
}

/// Count of the numbers about links outside of their group: for each limit, how many there are, and the number of the
/// first one, counted from 1.
const OUTSIDE: usize = 4;
/// The limits, squared as the deviations are.
const LIMITS: [f64; 2] = [ROUNDED * ROUNDED, FAR * FAR];

/// Adds links outside of the group to others.
fn add_outside(sum: &mut [f64; OUTSIDE], others: &[f64; OUTSIDE]) {
    let pairs = sum.as_chunks_mut::<2>().0.iter_mut().zip(others.as_chunks::<2>().0);
    for ([count, first], [others, other]) in pairs {
        *count += others;
        if *first == 0.0 || *other > 0.0 && other < first {
            *first = *other;
        }
    }
}

impl<'s> RowSums<'s> {
    /// Notes the deviation of the link with this number, counted from 0, from its group.
    #[inline]
    pub fn note(&mut self, deviation: f64, link: impl FnOnce() -> u64) {
        let [rounded, far] = LIMITS;
        // Numbers that are not finite are not below any limit.
        if deviation <= rounded {
            return;
        }
        let number = link().saturating_add(1) as f64;
        let is_far = deviation > far || deviation.is_nan();
        let [of_far, first_far] = if is_far { [1.0, number] } else { [0.0; 2] };
        add_outside(self.outside, &[1.0, number, of_far, first_far]);
    }

    /// Count of numbers.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "a lattice has at most eight directions, and so at most 28 planes"
    )]
    pub const fn width(geometry: &Geometry) -> usize {
        geometry.planes.len() + geometry.links() + 3 + OUTSIDE
    }

    pub fn of(numbers: &'s mut [f64], geometry: &Geometry) -> Option<Self> {
        let (planes, rest) = numbers.split_at_mut_checked(geometry.planes.len())?;
        let (traces, rest) = rest.split_at_mut_checked(geometry.links())?;
        let (ends, outside) = rest.split_at_mut_checked(3)?;
        let [norm, deviation, determinant] = ends else { return None };
        Some(Self { planes, traces, norm, deviation, determinant, outside: outside.try_into().ok()? })
    }
}

/// Sums over one or several time slices.
#[derive(Debug, Clone)]
pub struct SliceSums {
    /// For each plane: Re tr of the plaquettes that begin in the slices.
    pub planes: Vec<f64>,
    /// For each direction: Re tr of the links.
    pub traces: Vec<f64>,
    /// Squared norm of the links.
    pub norm: f64,
    /// The square of the largest deviation from unitarity; NaN if any deviation was NaN.
    pub deviation: f64,
    /// The square of the largest difference of a determinant from 1, likewise.
    pub determinant: f64,
    outside: [f64; OUTSIDE],
}

impl SliceSums {
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            planes: vec![0.0; geometry.planes.len()],
            traces: vec![0.0; geometry.links()],
            norm: 0.0,
            deviation: 0.0,
            determinant: 0.0,
            outside: [0.0; OUTSIDE],
        }
    }

    /// Adds the links of a row of the slice.
    pub fn add_links(&mut self, row: &RowSums<'_>) {
        add_each(&mut self.traces, row.traces);
        self.norm += *row.norm;
        self.deviation = larger_or_nan(self.deviation, *row.deviation);
        self.determinant = larger_or_nan(self.determinant, *row.determinant);
        add_outside(&mut self.outside, row.outside);
    }

    /// Adds the plaquettes that begin in a row of the slice.
    pub fn add_planes(&mut self, row: &RowSums<'_>) {
        add_each(&mut self.planes, row.planes);
    }

    /// The sums as bits, in the order of the sums of a row.
    pub fn to_bits(&self) -> impl Iterator<Item = u64> + '_ {
        let ends = [&self.norm, &self.deviation, &self.determinant];
        let numbers = self.planes.iter().chain(&self.traces).chain(ends).chain(&self.outside);
        numbers.map(|number| number.to_bits())
    }

    /// The sums with these bits. `None` if their number is not the width of the sums of a row.
    pub fn from_bits(bits: &[u64], geometry: &Geometry) -> Option<Self> {
        let mut numbers: Vec<f64> = bits.iter().copied().map(f64::from_bits).collect();
        let row = RowSums::of(&mut numbers, geometry)?;
        let (norm, deviation, determinant) = (*row.norm, *row.deviation, *row.determinant);
        let (planes, traces, outside) = (row.planes.to_vec(), row.traces.to_vec(), *row.outside);
        Some(Self { planes, traces, norm, deviation, determinant, outside })
    }
}

/// Sums over the field, computed from the sums over time slices. The partial sums stay smaller than if each term were
/// added to the total, which reduces rounding errors.
#[derive(Debug)]
pub struct Sums {
    keeps_slices: bool,
    total: SliceSums,
    slices: Vec<SliceSums>,
}

impl Sums {
    pub fn new(geometry: &Geometry, keeps_slices: bool) -> Self {
        Self { keeps_slices, total: SliceSums::new(geometry), slices: Vec::new() }
    }

    /// Adds the next slice.
    pub fn add(&mut self, slice: SliceSums) {
        add_each(&mut self.total.planes, &slice.planes);
        add_each(&mut self.total.traces, &slice.traces);
        self.total.norm += slice.norm;
        self.total.deviation = larger_or_nan(self.total.deviation, slice.deviation);
        self.total.determinant = larger_or_nan(self.total.determinant, slice.determinant);
        add_outside(&mut self.total.outside, &slice.outside);
        if self.keeps_slices {
            self.slices.push(slice);
        }
    }

    /// The slices, if they were kept.
    pub fn into_slices(self) -> Vec<SliceSums> {
        self.slices
    }

    pub const fn squared_norm(&self) -> f64 {
        self.total.norm
    }

    pub fn max_deviation(&self) -> f64 {
        self.total.deviation.sqrt()
    }

    pub fn max_determinant_deviation(&self) -> f64 {
        self.total.determinant.sqrt()
    }

    /// The links outside of their group: beyond the rounding of double precision, and beyond [`FAR`].
    pub fn outliers(&self) -> [Outliers; 2] {
        let [count, first, far, first_far] = self.total.outside;
        [[count, first], [far, first_far]]
            .map(|[count, first]| Outliers { count: count as u64, first: (first as u64).saturating_sub(1) })
    }

    /// The averages over the field.
    pub fn averages(&self, geometry: &Geometry) -> Averages {
        Averages::of(&self.total, geometry, geometry.slice_sites() as f64 * f64::from(geometry.slices))
    }

    /// The averages over each slice, if slices were kept.
    pub fn of_slices(&self, geometry: &Geometry) -> Vec<SliceFigures> {
        let averages = |slice| Averages::of(slice, geometry, geometry.slice_sites() as f64);
        (0..).zip(self.slices.iter().map(averages)).map(|(time, slice)| slice.at(time)).collect()
    }
}

/// Averages over some slices.
#[derive(Debug)]
pub struct Averages {
    pub plaquette: Option<f64>,
    pub spatial: Option<f64>,
    pub temporal: Option<f64>,
    pub planes: Vec<PlaneFigure>,
    pub link_trace: f64,
    pub directions: Vec<DirectionFigure>,
}

impl Averages {
    fn of(sums: &SliceSums, geometry: &Geometry, sites: f64) -> Self {
        let colors = geometry.colors as f64;
        let planes = || geometry.planes.iter().zip(&sums.planes);
        // The sum is divided only once, so that the average of plaquettes of 1 is exactly 1.
        let average = |wanted: &dyn Fn(bool) -> bool| {
            let of_planes = planes().filter(|(plane, _)| wanted(plane.nu.neighbour == Neighbour::NextSlice));
            let (count, sum) =
                of_planes.fold((0.0, 0.0), |(count, sum), (_, plane)| (count + 1.0, sum + plane));
            (count > 0.0).then(|| sum / (sites * (count * colors)))
        };
        Self {
            plaquette: average(&|_| true),
            spatial: average(&|is_temporal| !is_temporal),
            temporal: average(&|is_temporal| is_temporal),
            planes: planes()
                .map(|(plane, sum)| PlaneFigure {
                    mu: plane.mu.direction,
                    nu: plane.nu.direction,
                    plaquette: sum / (sites * colors),
                })
                .collect(),
            link_trace: sums.traces.iter().sum::<f64>() / (sites * (geometry.links() as f64 * colors)),
            directions: geometry
                .axes
                .iter()
                .zip(&sums.traces)
                .map(|(axis, sum)| DirectionFigure { mu: axis.direction, link_trace: sum / (sites * colors) })
                .collect(),
        }
    }

    fn at(self, time: u32) -> SliceFigures {
        let Self { plaquette, spatial, temporal, link_trace, .. } = self;
        SliceFigures { time, plaquette, spatial, temporal, link_trace }
    }
}

/// Adds each number to the sum with the same index.
fn add_each(sums: &mut [f64], numbers: &[f64]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
}
