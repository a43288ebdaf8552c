//! Numbers of links and their arithmetic: IEEE 754, each operation rounded once (ILDG 1.2, appendix A.2).

/// A type of the numbers of a link: `f32` or `f64`.
///
/// # Example
/// ```
/// use linkstream::ildg::{GaugeKind, Real, reconstruct};
///
/// fn third_row<T: Real>(link: &mut [T]) -> bool {
///     reconstruct(GaugeKind::SU3, link).is_ok()
/// }
///
/// let mut unit = [0.0_f32; 18];
/// (unit[0], unit[8]) = (1.0, 1.0);
/// assert!(third_row(&mut unit) && unit[16] == 1.0);
/// ```
pub trait Real: arithmetic::Arithmetic {}

impl Real for f32 {}
impl Real for f64 {}

/// Out of reach of other crates, so that no other type can be a [`Real`].
mod arithmetic {
    pub trait Arithmetic: Copy + Into<f64> {
        const ZERO: Self;
        fn plus(self, other: Self) -> Self;
        fn minus(self, other: Self) -> Self;
        fn times(self, other: Self) -> Self;
    }

    macro_rules! arithmetic {
        ($real:ty) => {
            impl Arithmetic for $real {
                const ZERO: Self = 0.0;

                #[inline]
                fn plus(self, other: Self) -> Self {
                    self + other
                }

                #[inline]
                fn minus(self, other: Self) -> Self {
                    self - other
                }

                #[inline]
                fn times(self, other: Self) -> Self {
                    self * other
                }
            }
        };
    }

    arithmetic!(f32);
    arithmetic!(f64);
}

/// An element of a matrix: `[x]` of a real one, `[re, im]` of a complex one.
pub(super) trait Element: Copy {
    /// All parts +0.
    const ZERO: Self;

    /// The product.
    fn times(self, other: Self) -> Self;

    /// The sum of this and the conjugate of `term`.
    fn plus_conjugate(self, term: Self) -> Self;

    /// The difference of this and the conjugate of `term`.
    fn minus_conjugate(self, term: Self) -> Self;

    /// The conjugate of this less that of `term`, its zeros +0.
    fn conjugate_less(self, term: Self) -> Self;

    /// The largest difference of a part from that of `other`; infinite if one is not finite.
    fn distance(self, other: Self) -> f64;
}

impl<T: Real> Element for [T; 1] {
    const ZERO: Self = [T::ZERO];

    #[inline]
    fn times(self, other: Self) -> Self {
        let ([a], [b]) = (self, other);
        [a.times(b)]
    }

    #[inline]
    fn plus_conjugate(self, term: Self) -> Self {
        let ([sum], [term]) = (self, term);
        [sum.plus(term)]
    }

    #[inline]
    fn minus_conjugate(self, term: Self) -> Self {
        let ([sum], [term]) = (self, term);
        [sum.minus(term)]
    }

    #[inline]
    fn conjugate_less(self, term: Self) -> Self {
        let ([a], [b]) = (self, term);
        [a.minus(b).plus(T::ZERO)]
    }

    #[inline]
    fn distance(self, other: Self) -> f64 {
        let ([a], [b]) = (self, other);
        distance(a, b)
    }
}

impl<T: Real> Element for [T; 2] {
    const ZERO: Self = [T::ZERO; 2];

    /// The document leaves open how two complex numbers are multiplied. Here it is the definition, four
    /// products each rounded by itself: fused operations, or three products, would give other bits.
    #[inline]
    fn times(self, other: Self) -> Self {
        let ([ar, ai], [br, bi]) = (self, other);
        [ar.times(br).minus(ai.times(bi)), ar.times(bi).plus(ai.times(br))]
    }

    // To subtract the imaginary part and to add its opposite is the same, bit for bit.
    #[inline]
    fn plus_conjugate(self, term: Self) -> Self {
        let ([re, im], [term_re, term_im]) = (self, term);
        [re.plus(term_re), im.minus(term_im)]
    }

    #[inline]
    fn minus_conjugate(self, term: Self) -> Self {
        let ([re, im], [term_re, term_im]) = (self, term);
        [re.minus(term_re), im.plus(term_im)]
    }

    #[inline]
    fn conjugate_less(self, term: Self) -> Self {
        let ([re, im], [term_re, term_im]) = (self, term);
        [re.minus(term_re).plus(T::ZERO), term_im.minus(im).plus(T::ZERO)]
    }

    #[inline]
    fn distance(self, other: Self) -> f64 {
        let ([a_re, a_im], [b_re, b_im]) = (self, other);
        larger(distance(a_re, b_re), distance(a_im, b_im))
    }
}

/// A distance that is not less than infinity, or is a NaN, counts as infinite: a maximum would ignore a NaN.
#[inline]
fn distance<T: Real>(a: T, b: T) -> f64 {
    let difference = (a.into() - b.into()).abs();
    if difference < f64::INFINITY { difference } else { f64::INFINITY }
}

/// Not `f64::max`, which takes its time over NaNs.
#[inline]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
