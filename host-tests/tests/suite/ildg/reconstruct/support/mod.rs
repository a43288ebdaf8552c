//! Generated links, and two references for the reconstruction: equation 3 implemented literally, and exact
//! determinants.

pub mod exact;
pub mod groups;
pub mod plain;

use std::fmt::Debug;

use host_tests::formula::splitmix;
use linkstream::ildg::{GaugeKind, Real, reconstruct};
use num::{Complex, Float};

/// `f32` or `f64`.
pub trait Number: Float + Real + Debug + 'static {
    /// Number of bits of the fraction, including the hidden one.
    const FRACTION: u32;
    /// The number nearest to `value`.
    fn of(value: f64) -> Self;
    /// All bits. The bits of a NaN are replaced, because IEEE 754 does not specify them.
    fn bits(self) -> u64;
}

impl Number for f32 {
    const FRACTION: u32 = f32::MANTISSA_DIGITS;

    fn of(value: f64) -> Self {
        value as f32
    }

    fn bits(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits().into() }
    }
}

impl Number for f64 {
    const FRACTION: u32 = f64::MANTISSA_DIGITS;

    fn of(value: f64) -> Self {
        value
    }

    fn bits(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits() }
    }
}

/// An element of a matrix.
pub trait Element: Copy + Debug {
    type Part: Number;
    /// Number of parts of an element, the real part first.
    const PARTS: usize;
    /// An element whose parts are drawn one after the other.
    fn drawn(part: &mut dyn FnMut() -> Self::Part) -> Self;
    fn complex(self) -> Complex<Self::Part>;
    fn parts(self) -> Vec<Self::Part>;
    fn times(self, other: Self) -> Self;
    fn plus(self, other: Self) -> Self;
    fn conjugate(self) -> Self;
    fn opposite(self) -> Self;
}

macro_rules! real_element {
    ($real:ty) => {
        impl Element for $real {
            type Part = Self;
            const PARTS: usize = 1;

            fn drawn(part: &mut dyn FnMut() -> Self) -> Self {
                part()
            }

            fn complex(self) -> Complex<Self> {
                Complex::new(self, 0.0)
            }

            fn parts(self) -> Vec<Self> {
                vec![self]
            }

            fn times(self, other: Self) -> Self {
                self * other
            }

            fn plus(self, other: Self) -> Self {
                self + other
            }

            fn conjugate(self) -> Self {
                self
            }

            fn opposite(self) -> Self {
                -self
            }
        }
    };
}

real_element!(f32);
real_element!(f64);

impl<T: Number> Element for Complex<T> {
    type Part = T;
    const PARTS: usize = 2;

    fn drawn(part: &mut dyn FnMut() -> T) -> Self {
        let re = part();
        Self::new(re, part())
    }

    fn complex(self) -> Self {
        self
    }

    fn parts(self) -> Vec<T> {
        vec![self.re, self.im]
    }

    fn times(self, other: Self) -> Self {
        let re = self.re * other.re - self.im * other.im;
        Self::new(re, self.re * other.im + self.im * other.re)
    }

    fn plus(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }

    fn conjugate(self) -> Self {
        Self::new(self.re, -self.im)
    }

    fn opposite(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

pub type Rows<E> = Vec<Vec<E>>;

/// Reproducible pseudorandom numbers.
pub struct Noise {
    seed: u64,
    drawn: u64,
}

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    pub fn bits(&mut self) -> u64 {
        self.drawn += 1;
        splitmix(self.seed, self.drawn)
    }

    /// A number between -1 and 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    pub fn rows<E: Element>(
        &mut self,
        rows: usize,
        columns: usize,
        part: impl Fn(&mut Self) -> E::Part,
    ) -> Rows<E> {
        let mut row = || (0..columns).map(|_| E::drawn(&mut || part(self))).collect();
        (0..rows).map(|_| row()).collect()
    }
}

pub fn kind(name: &str) -> GaugeKind {
    GaugeKind::parse(name.as_bytes()).unwrap_or_else(|| panic!("{name} is a kind"))
}

/// SO(N) for real elements, SU(N) for complex ones.
pub fn special<E: Element>(colors: usize) -> GaugeKind {
    kind(&format!("s{}{colors}gauge", if E::PARTS == 1 { 'o' } else { 'u' }))
}

pub fn numbers<E: Element>(rows: &[Vec<E>]) -> Vec<E::Part> {
    rows.concat().into_iter().flat_map(E::parts).collect()
}

/// The complete link with these first rows; NaNs fill the other rows.
pub fn unfinished<E: Element>(rows: &[Vec<E>]) -> Vec<E::Part> {
    let columns = rows[0].len();
    let mut link = numbers(rows);
    link.resize(columns * columns * E::PARTS, E::Part::nan());
    link
}

/// The omitted rows as linkstream reconstructs them.
pub fn reconstructed<E: Element>(kind: GaugeKind, rows: &[Vec<E>]) -> Vec<E::Part> {
    let mut link = unfinished(rows);
    reconstruct(kind, &mut link).unwrap_or_else(|error| panic!("{kind}: {error}"));
    let given = numbers(rows);
    assert_eq!(bits(&link[..given.len()]), bits(&given), "{kind}: the given rows must not change");
    link.split_off(given.len())
}

pub fn bits<T: Number>(numbers: &[T]) -> Vec<u64> {
    numbers.iter().map(|number| number.bits()).collect()
}
