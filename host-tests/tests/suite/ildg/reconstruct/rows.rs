//! Rows that reduced storage leaves out (ILDG 1.2, appendix A.2): compared with numbers calculated by hand, bit by bit
//! with the specified computation, with exact arithmetic up to rounding, and for elements of the groups.

use crate::ildg::reconstruct::support::plain::{self, positive_zero};
use crate::ildg::reconstruct::support::{Element, Noise, Number, bits, exact, kind, reconstructed, special};
use linkstream::ildg::{MAX_RECONSTRUCTED_COLORS, reconstruct};
use num::{Complex, Float, Zero};

fn c<T: Number>(re: f64, im: f64) -> Complex<T> {
    Complex::new(T::of(re), T::of(im))
}

fn by_hand<T: Number>() {
    let c = c::<T>;
    let flat = |elements: &[(f64, f64)]| {
        elements.iter().flat_map(|&(re, im)| [T::of(re), T::of(im)]).collect::<Vec<T>>()
    };
    // u_1 = -u_2*, since (2, 1) is odd; u_2 = u_1*.
    let rows = [vec![c(1.0, 2.0), c(3.0, -4.0)]];
    assert_eq!(reconstructed(kind("su2gauge"), &rows), flat(&[(-3.0, -4.0), (1.0, -2.0)]));

    // a = (1+i, 2, i), b = (3, 1-i, 2i):
    // (a2 b3 - a3 b2)* = (4i - i - 1)* = -1 - 3i, (a3 b1 - a1 b3)* = (3i - 2i + 2)* = 2 - i,
    // (a1 b2 - a2 b1)* = (1 - i^2 - 6)* = -4.
    let rows = [vec![c(1.0, 1.0), c(2.0, 0.0), c(0.0, 1.0)], vec![c(3.0, 0.0), c(1.0, -1.0), c(0.0, 2.0)]];
    let last = flat(&[(-1.0, -3.0), (2.0, -1.0), (-4.0, 0.0)]);
    assert_eq!(reconstructed(kind("su3gauge"), &rows), last);

    // The cofactors of the rows (1, 0, i, 0), (0, 2, 0, 1), (i, 0, 1, 1), expanded along the first:
    //   k = 1: -(0 - i (2 1 - 1 0)) = 2i               k = 2: 1 (0 1 - 1 1) - i (0 1 - 1 i) = -1 - 1 = -2
    //   k = 3: -(1 (2 1 - 1 0) - 0) = -2               k = 4: 1 (2 1 - 0) + i (0 - 2 i) = 2 + 2 = 4
    let (zero, one, two, i) = (c(0.0, 0.0), c(1.0, 0.0), c(2.0, 0.0), c(0.0, 1.0));
    let rows = [vec![one, zero, i, zero], vec![zero, two, zero, one], vec![i, zero, one, one]];
    let last = flat(&[(0.0, -2.0), (-2.0, 0.0), (-2.0, 0.0), (4.0, 0.0)]);
    assert_eq!(reconstructed(kind("su4gauge"), &rows), last);

    let real = |row: &[f64]| row.iter().map(|x| T::of(*x)).collect::<Vec<T>>();
    let vectors = [real(&[1.0, 2.0, 3.0]), real(&[4.0, 5.0, 6.0])].concat();
    let mut link = [vectors, real(&[0.0; 3])].concat();
    reconstruct(kind("so3gauge"), &mut link).expect("a complete link");
    assert_eq!(link[6..], real(&[-3.0, 6.0, -3.0]));
    let mut link = real(&[3.0, 4.0, 0.0, 0.0]);
    reconstruct(kind("so2gauge"), &mut link).expect("a complete link");
    assert_eq!(link[2..], real(&[-4.0, 3.0]));

    // A = (1+i, 2; 3, 4i), B = (5, 6-i; 7i, 8): the rows below are -B* and A*.
    let rows = [
        vec![c(1.0, 1.0), two, c(5.0, 0.0), c(6.0, -1.0)],
        vec![c(3.0, 0.0), c(0.0, 4.0), c(0.0, 7.0), c(8.0, 0.0)],
    ];
    let last = [
        flat(&[(-5.0, 0.0), (-6.0, -1.0), (1.0, -1.0), (2.0, 0.0)]),
        flat(&[(0.0, 7.0), (-8.0, 0.0), (3.0, 0.0), (0.0, -4.0)]),
    ];
    assert_eq!(reconstructed(kind("sp4gauge"), &rows), last.concat());
}

#[test]
fn rows_worked_out_by_hand() {
    by_hand::<f32>();
    by_hand::<f64>();
}

/// Cases where another order of the same operations gives another result.
fn order<T: Number + Element<Part = T>>() {
    let [zero, one, two] = [0.0, 1.0, 2.0].map(T::of);
    // 2^24 or 2^53: adding 1 does not change it, adding 2 does.
    let large = T::of(2f64.powi(T::FRACTION as i32));
    let fourth = |rows: &[[T; 4]; 3]| {
        let rows = rows.map(|row| row.to_vec());
        reconstructed(special::<T>(4), &rows)[3]
    };
    // Element 4: +a1 b2 c3 -a1 b3 c2 -a2 b1 c3 +a2 b3 c1 +a3 b1 c2 -a3 b2 c1 = large - 0 + 1 + 1 - 0 + 1, where each 1
    // is lost. Added from the right, the result is 3 + large, which is more.
    let rows = [[large, one, -one, zero], [-one, one, one, zero], [one, zero, one, zero]];
    assert_eq!(fourth(&rows), large);
    assert_ne!(one + one + one + large, large);

    // The products, with a1 b2 c3 as the only nonzero one: multiplied from the left, half of the smallest number is
    // lost; from the right it is not.
    let smallest = T::of(if T::FRACTION == 24 { f64::from(f32::from_bits(1)) } else { f64::from_bits(1) });
    let diagonal =
        |[a, b, c]: [T; 3]| fourth(&[[a, zero, zero, zero], [zero, b, zero, zero], [zero, zero, c, zero]]);
    assert_eq!(diagonal([one / two, smallest, two]), zero);
    assert_eq!(diagonal([two, smallest, one / two]), smallest);

    // A complex product is completed before the next is added: (L - L) - (-1) = 1, whereas L - (-1) - L + 0 = 0.
    let rows = [vec![c(0.0, 0.0); 3], vec![c(0.0, 0.0); 3]];
    let mut rows: [Vec<Complex<T>>; 2] = rows;
    (rows[0][1], rows[1][2]) = (Complex::new(large, large), c(1.0, 1.0));
    (rows[0][2], rows[1][1]) = (c(1.0, 0.0), c(-1.0, 0.0));
    assert_eq!(reconstructed(kind("su3gauge"), &rows)[0], one);

    // Product and sum are not fused: (1 + e)(1 - e) is rounded to 1 before 1 is subtracted, so that e e is lost.
    let e = T::of(2f64.powi(1 - T::FRACTION as i32));
    (rows[0][1], rows[1][2]) = (Complex::new(one + e, one), Complex::new(one - e, one));
    (rows[0][2], rows[1][1]) = (c(0.0, 0.0), c(0.0, 0.0));
    assert_eq!(reconstructed(kind("su3gauge"), &rows)[0], zero);
}

#[test]
fn operations_have_the_order_of_the_document() {
    order::<f32>();
    order::<f64>();
}

/// Ordinary numbers mixed with zeros of both signs, subnormal and huge numbers; some links consist only of the latter.
fn revealing<T: Number>(noise: &mut Noise, one_in: u64) -> T {
    let draw = noise.bits();
    let unit = T::of(noise.unit());
    if !draw.is_multiple_of(one_in) {
        return unit;
    }
    match (draw / one_in) % 8 {
        0 => T::zero(),
        1 => -T::zero(),
        2 => T::min_positive_value() * unit,
        3 => T::min_positive_value(),
        4 => T::max_value() * unit,
        5 => T::max_value().sqrt() * unit,
        6 => T::one(),
        _ => unit * T::epsilon(),
    }
}

fn every_bit<E: Element>(colors: usize, links: u64) {
    let mut noise = Noise::new(0xB17 + colors as u64);
    let (mut zeros, mut finite) = (0, 0);
    for n in 0..links {
        let one_in = [1, 3, 20, u64::MAX][n as usize % 4];
        let rows = noise.rows::<E>(colors - 1, colors, |noise| revealing(noise, one_in));
        let last = reconstructed(special::<E>(colors), &rows);
        assert_eq!(bits(&last), bits(&plain::last_row(&rows)), "{rows:?}");
        zeros += last.iter().filter(|number| number.is_zero()).count();
        finite += last.iter().filter(|number| number.is_finite()).count();
    }
    assert!(finite > zeros && finite > links as usize / 2, "{colors}: {finite} finite, {zeros} zeros");
}

#[test]
fn every_bit_is_as_the_document_words_it() {
    // The reference computation enumerates N^N strings of indices.
    for (colors, links) in [(2, 4000), (3, 4000), (4, 1000), (5, 200), (6, 24), (7, 4)] {
        every_bit::<f32>(colors, links);
        every_bit::<f64>(colors, links);
        every_bit::<Complex<f32>>(colors, links);
        every_bit::<Complex<f64>>(colors, links);
    }
}

fn toggled<T: Number>(colors: usize) {
    let mut noise = Noise::new(0x59);
    let half = colors / 2;
    for _ in 0..200 {
        let rows = noise.rows::<Complex<T>>(half, colors, |noise| revealing(noise, 2));
        let last = rows.iter().flat_map(|row| {
            let b = row[half..].iter().map(|b| [-b.re, b.im]);
            b.chain(row[..half].iter().map(|a| [a.re, -a.im])).flatten().map(positive_zero)
        });
        let kind = kind(&format!("sp{colors}gauge"));
        assert_eq!(bits(&reconstructed(kind, &rows)), bits(&last.collect::<Vec<T>>()));
    }
}

#[test]
fn symplectic_rows_differ_by_signs_and_zeros_have_none() {
    for colors in [4, 6, 20, 100] {
        toggled::<f32>(colors);
        toggled::<f64>(colors);
    }
}

/// Each part is a sum of signed products of N-1 parts. A product undergoes at most N-2 multiplications and N-2
/// additions until it is a term, and then at most (N-1)! additions: m roundings, each of relative size u. The error is
/// therefore at most m u / (1 - m u) times the sum of all moduli, and the permanent is a bound of this sum. Parts are
/// at least 2^-10, so that no product comes near underflow, which would add to the error.
fn digits<E: Element>(colors: usize, links: usize) {
    let scale = E::Part::FRACTION - 1;
    let mut noise = Noise::new(0xD16175 + colors as u64);
    let mut worst = 0.0_f64;
    for _ in 0..links {
        let rows = noise.rows::<E>(colors - 1, colors, |noise| {
            let fraction = (noise.bits() >> 11) as f64 * 2f64.powi(-53);
            let size =
                2f64.powi(-10).max((fraction * 2f64.powi(scale as i32)).floor() / 2f64.powi(scale as i32));
            E::Part::of(if noise.bits() & 1 == 0 { size } else { -size })
        });
        let judge = exact::Scaled::new(&rows, scale);
        let roundings = (2 * (colors - 2) + (1..colors).product::<usize>()) as f64;
        let m_u = roundings * 2f64.powi(-(E::Part::FRACTION as i32));
        let last = reconstructed(special::<E>(colors), &rows);
        for (k, parts) in last.chunks(E::PARTS).enumerate() {
            let exact = judge.last(k);
            let bound = m_u / (1.0 - m_u) * exact::permanent(&rows, k);
            for (part, exact) in parts.iter().zip([&exact.re, &exact.im]) {
                worst = worst.max(exact::error(*part, exact) / bound);
            }
        }
    }
    assert!(worst <= 1.0, "{colors} colors: {worst} of the bound for rounding errors");
}

#[test]
fn digits_agree_with_exact_arithmetic() {
    for (colors, links) in [(2, 50), (3, 50), (4, 30), (5, 20), (6, 10), (7, 5), (8, 2), (9, 1)] {
        digits::<f32>(colors, links);
        digits::<f64>(colors, links);
        digits::<Complex<f32>>(colors, links);
        digits::<Complex<f64>>(colors, links);
    }
}

/// Parts are -1, 0 or 1: no sum exceeds 9! 2^4.5 < 2^24, so that nothing is rounded even in `f32`, and a single wrong
/// sign among the terms is detected.
fn whole_numbers<E: Element>(colors: usize) {
    let mut noise = Noise::new(0x1075 + colors as u64);
    let mut regular = 0;
    for _ in host_tests::long::sample(0..if colors > 7 { 3 } else { 20 }, 3) {
        let rows = noise.rows::<E>(colors - 1, colors, |noise| E::Part::of((noise.bits() % 3) as f64 - 1.0));
        let judge = exact::Scaled::new(&rows, 0);
        let last = reconstructed(special::<E>(colors), &rows);
        regular += usize::from(last.iter().any(|number| !number.is_zero()));
        for (k, parts) in last.chunks(E::PARTS).enumerate() {
            let exact = judge.last(k);
            for (part, exact) in parts.iter().zip([&exact.re, &exact.im]) {
                assert_eq!(exact::error(*part, exact), 0.0, "element {k} below {rows:?}");
            }
        }
    }
    assert!(regular > 0, "{colors} colors: nearly all rows are linearly dependent");
}

#[test]
fn whole_numbers_come_out_exactly() {
    for colors in 2..=usize::from(MAX_RECONSTRUCTED_COLORS) {
        whole_numbers::<f32>(colors);
        whole_numbers::<f64>(colors);
        whole_numbers::<Complex<f32>>(colors);
        whole_numbers::<Complex<f64>>(colors);
    }
}
