//! The determinants of links, for several sites along x at once: the elements of SU(N) and SO(N) have the determinant 1.

use pulp::{Simd, WithSimd};

use super::geometry::LANES;
use super::kernel::{Element, Matrices, element, store};

/// Computes the square of |det U - 1| for each site of a row.
#[derive(Debug)]
pub struct Determinants<'r> {
    pub colors: usize,
    pub links: Matrices<'r>,
    /// The result for each site of the row, including the padding; not finite if an element of U is not finite.
    pub deviation: &'r mut [f64],
}

impl WithSimd for Determinants<'_> {
    type Output = ();

    #[inline(always)]
    #[expect(
        clippy::indexing_slicing,
        reason = "a matrix has the square of `colors` elements; the other indices are constants that are in their arrays"
    )]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { colors, links, deviation } = self;
        let out = links.of_groups(colors).zip(deviation.as_chunks_mut().0);
        if colors > 3 {
            out.for_each(|(link, out)| eliminate_lanes(link, colors, out));
            return;
        }
        let one = simd.splat_f64s(1.0);
        for (link, out) in out {
            for lane in (0..LANES).step_by(S::F64_LANES) {
                let at = |index: usize| element::<S>(&link[index], lane);
                let [re, im] = match colors {
                    1 => at(0),
                    2 => minor::<S>(simd, [at(0), at(1)], [at(2), at(3)]),
                    _ => {
                        // Along the first row.
                        let minors = [(4, 5, 7, 8), (5, 3, 8, 6), (3, 4, 6, 7)];
                        let minors =
                            minors.map(|(a, b, c, d)| minor::<S>(simd, [at(a), at(b)], [at(c), at(d)]));
                        let products = [0, 1, 2].map(|column| product::<S>(simd, at(column), minors[column]));
                        let [a, b, c] = products;
                        let sum = |part: usize| simd.add_f64s(simd.add_f64s(a[part], b[part]), c[part]);
                        [sum(0), sum(1)]
                    }
                };
                let re = simd.sub_f64s(re, one);
                store::<S>(out, lane, simd.add_f64s(simd.mul_f64s(re, re), simd.mul_f64s(im, im)));
            }
        }
    }
}

#[inline(always)]
fn product<S: Simd>(simd: S, a: [S::f64s; 2], b: [S::f64s; 2]) -> [S::f64s; 2] {
    let re = simd.sub_f64s(simd.mul_f64s(a[0], b[0]), simd.mul_f64s(a[1], b[1]));
    let im = simd.add_f64s(simd.mul_f64s(a[0], b[1]), simd.mul_f64s(a[1], b[0]));
    [re, im]
}

/// The determinant of a matrix of two rows.
#[inline(always)]
fn minor<S: Simd>(simd: S, [a, b]: [[S::f64s; 2]; 2], [c, d]: [[S::f64s; 2]; 2]) -> [S::f64s; 2] {
    let (first, second) = (product::<S>(simd, a, d), product::<S>(simd, b, c));
    [simd.sub_f64s(first[0], second[0]), simd.sub_f64s(first[1], second[1])]
}

/// The same for matrices of any size, one lane after the other.
fn eliminate_lanes(link: &[Element], colors: usize, out: &mut [f64; LANES]) {
    for (lane, out) in out.iter_mut().enumerate() {
        #[expect(clippy::indexing_slicing, reason = "`lane` is an index of an array of the same length")]
        let mut matrix: Vec<[f64; 2]> = link.iter().map(|[re, im]| [re[lane], im[lane]]).collect();
        let [re, im] = eliminate(&mut matrix, colors);
        *out = (re - 1.0) * (re - 1.0) + im * im;
    }
}

/// The determinant, by elimination with row pivots.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "`matrix` has the square of `colors` elements, and rows and columns are less than `colors`"
)]
fn eliminate(matrix: &mut [[f64; 2]], colors: usize) -> [f64; 2] {
    let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let square = |a: [f64; 2]| a[0] * a[0] + a[1] * a[1];
    let mut determinant = [1.0, 0.0];
    for column in 0..colors {
        let size = |row: usize| square(matrix[row * colors + column]);
        let pivot =
            (column..colors).fold(column, |best, row| if size(row) > size(best) { row } else { best });
        if pivot != column {
            (0..colors).for_each(|index| matrix.swap(pivot * colors + index, column * colors + index));
            determinant = determinant.map(|part| -part);
        }
        let head = matrix[column * colors + column];
        determinant = times(determinant, head);
        if square(head) == 0.0 {
            return [0.0, 0.0];
        }
        let inverse = [head[0] / square(head), -head[1] / square(head)];
        for row in column + 1..colors {
            let factor = times(matrix[row * colors + column], inverse);
            for index in column..colors {
                let [re, im] = times(factor, matrix[column * colors + index]);
                let place = &mut matrix[row * colors + index];
                *place = [place[0] - re, place[1] - im];
            }
        }
    }
    determinant
}
