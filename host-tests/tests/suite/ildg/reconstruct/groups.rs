//! Elements of the groups of ILDG 1.2 with rows left out and reconstructed: the result is an element of the group, the
//! deviation of other matrices is measured, and invalid arguments are refused.

use crate::ildg::reconstruct::support::groups::{self, C};
use crate::ildg::reconstruct::support::{Noise, Number, kind, numbers, unfinished};
use linkstream::ildg::{
    GaugeKind, Group, MAX_RECONSTRUCTED_COLORS, ReconstructError, deviation, reconstruct,
};
use num::{Complex, One};

const KINDS: [&str; 13] = [
    "su2gauge",
    "su3gauge",
    "su4gauge",
    "su5gauge",
    "su8gauge",
    "so2gauge",
    "so3gauge",
    "so4gauge",
    "so5gauge",
    "so8gauge",
    "sp4gauge",
    "sp6gauge",
    "sp40gauge",
];

/// The stored rows of a random element.
fn stored(kind: GaugeKind, noise: &mut Noise) -> Vec<Vec<C>> {
    let rows = kind.reduced_rows().expect("reduced storage").into();
    groups::rows(noise, rows, kind.colors().into(), kind.is_real(), kind.group() == Group::Sp)
}

/// A complete link with its rows reconstructed.
fn whole<T: Number>(kind: GaugeKind, rows: &[Vec<C>]) -> Vec<T> {
    let part = |x: f64| T::of(x);
    let mut link: Vec<T> = if kind.is_real() {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|x| x.re).collect()).collect();
        unfinished(&rows).into_iter().map(part).collect()
    } else {
        unfinished(rows).into_iter().map(part).collect()
    };
    reconstruct(kind, &mut link).expect("a complete link");
    link
}

fn matrix<T: Number>(kind: GaugeKind, link: &[T]) -> Vec<Vec<C>> {
    let parts = if kind.is_real() { 1 } else { 2 };
    let element = |parts: &[T]| Complex::new(parts[0].into(), parts.get(1).map_or(0.0, |im| (*im).into()));
    let elements: Vec<C> = link.chunks(parts).map(element).collect();
    elements.chunks(kind.colors().into()).map(<[C]>::to_vec).collect()
}

fn in_the_group<T: Number>(tolerance: f64) {
    let mut noise = Noise::new(0x6012);
    for name in KINDS {
        let kind = kind(name);
        for _ in 0..if kind.colors() == 8 { 2 } else { 20 } {
            let link = whole::<T>(kind, &stored(kind, &mut noise));
            let matrix = matrix(kind, &link);
            assert!(groups::unitarity(&matrix) < tolerance, "{name}: {}", groups::unitarity(&matrix));
            let determinant = groups::determinant(matrix.clone());
            assert!((determinant - C::one()).norm() < tolerance, "{name}: determinant {determinant}");
            if kind.group() == Group::Sp {
                assert!(groups::symplecticity(&matrix) < tolerance, "{name}");
            }
            assert_eq!(deviation(kind, &link), Ok(0.0), "{name}");
        }
    }
}

#[test]
fn reconstructed_links_belong_to_the_group() {
    in_the_group::<f32>(2e-5);
    in_the_group::<f64>(1e-12);
}

/// One number is off by d, in each position in turn. In an omitted row the deviation is exactly d, and so it is for the
/// other rows of Sp(2N). In SU(N) and SO(N), only the part of an error in row r along the last row u has an effect: the
/// reconstructed row turns by d |u_c| towards row r. That row has an element of at least 1/sqrt(N), and a part of it of
/// at least 1/sqrt(2N).
#[test]
fn a_small_error_is_seen_as_one_of_its_size() {
    const D: f64 = 1e-7;
    let mut noise = Noise::new(0xDE1);
    for name in KINDS {
        let kind = kind(name);
        let rows = stored(kind, &mut noise);
        let link = whole::<f64>(kind, &rows);
        let matrix = matrix(kind, &link);
        let last = matrix.last().expect("rows");
        let parts = if kind.is_real() { 1 } else { 2 };
        let colors = usize::from(kind.colors());
        // Each position takes a complete reconstruction.
        for place in (0..link.len()).step_by(if colors == 8 { 13 } else { 1 }) {
            let mut off = link.clone();
            off[place] += D;
            let seen = deviation(kind, &off).expect("a complete link");
            let exactly = kind.group() == Group::Sp || place >= numbers(&rows).len() / 2 * parts;
            let least = if exactly {
                1.0
            } else {
                last[place / parts % colors].norm() / (parts as f64 * colors as f64).sqrt()
            };
            assert!(seen <= D * 1.001, "{name} place {place}: {seen}");
            assert!(seen >= D * least * 0.999, "{name} place {place}: {seen} less than {least}");
        }
    }
}

fn is_the_largest_difference<T: Number>() {
    let mut noise = Noise::new(0x1A6);
    for name in KINDS {
        let kind = kind(name);
        for _ in 0..if kind.colors() == 8 { 2 } else { 20 } {
            let given = stored(kind, &mut noise);
            let reconstructed = whole::<T>(kind, &given);
            let mut link = reconstructed.clone();
            let stored =
                link.len() * usize::from(kind.reduced_rows().expect("some")) / usize::from(kind.colors());
            for number in &mut link[stored..] {
                *number = T::of(noise.unit());
            }
            let differences = link.iter().zip(&reconstructed).map(|(a, b)| ((*a).into() - (*b).into()).abs());
            assert_eq!(deviation(kind, &link), Ok(differences.fold(0.0, f64::max)), "{name}");
        }
    }
}

#[test]
fn the_deviation_is_the_largest_difference() {
    is_the_largest_difference::<f32>();
    is_the_largest_difference::<f64>();
}

fn not_finite<T: Number>() {
    let mut noise = Noise::new(0x1F);
    for name in KINDS {
        let kind = kind(name);
        let link = whole::<T>(kind, &stored(kind, &mut noise));
        for place in
            host_tests::long::sample((0..link.len()).step_by(if kind.colors() == 8 { 13 } else { 1 }), 5)
        {
            for bad in [T::nan(), T::infinity(), T::neg_infinity()] {
                let mut link = link.clone();
                link[place] = bad;
                assert_eq!(deviation(kind, &link), Ok(f64::INFINITY), "{name}: {bad:?} in place {place}");
                // Also infinite if the omitted rows are computed from these numbers, unless all numbers are then
                // finite.
                reconstruct(kind, &mut link).expect("a complete link");
                let stays = link.iter().any(|number| !number.is_finite());
                let expected = if stays { f64::INFINITY } else { 0.0 };
                assert_eq!(deviation(kind, &link), Ok(expected), "{name}: {bad:?} in place {place}");
            }
        }
        if kind.group() != Group::Sp && kind.colors() > 2 {
            let huge = vec![T::max_value(); link.len()];
            assert_eq!(deviation(kind, &huge), Ok(f64::INFINITY), "{name}: the products must overflow");
        }
    }
}

#[test]
fn no_tolerance_accepts_numbers_that_are_not_finite() {
    not_finite::<f32>();
    not_finite::<f64>();
}

/// Absent links have all bits clear, both in complete and in reduced storage (ILDG 1.2, section 2.5.1).
#[test]
fn links_that_do_not_exist_stay_clear() {
    for name in KINDS {
        let kind = kind(name);
        let numbers = usize::from(kind.colors()).pow(2) * if kind.is_real() { 1 } else { 2 };
        let mut link = vec![0.0_f64; numbers];
        reconstruct(kind, &mut link).expect("a complete link");
        assert!(link.iter().all(|number| number.to_bits() == 0), "{name}");
        assert_eq!(deviation(kind, &link), Ok(0.0));
    }
}

/// Verifies that both functions refuse the arguments with `message` and write nothing.
fn refused(kind: GaugeKind, numbers: usize, error: ReconstructError, message: &str) {
    let mut link = vec![7.0_f32; numbers];
    assert_eq!(reconstruct(kind, &mut link), Err(error));
    assert!(link.iter().all(|number| *number == 7.0));
    assert_eq!(deviation(kind, &link), Err(error));
    assert_eq!(error.to_string(), message);
}

#[test]
fn kinds_without_reduced_storage_are_refused() {
    for (name, numbers) in [("u1gauge", 2), ("u2gauge", 8), ("u3gauge", 18), ("u1phase", 1)] {
        let kind = kind(name);
        let message = format!("links of {name} are always stored with all rows");
        refused(kind, numbers, ReconstructError::NotReducible { kind }, &message);
    }
}

#[test]
fn slices_that_are_not_one_matrix_are_refused() {
    for (name, needed) in [
        ("su2gauge", 8),
        ("su3gauge", 18),
        ("su10gauge", 200),
        ("so2gauge", 4),
        ("so5gauge", 25),
        ("sp4gauge", 32),
        ("sp12gauge", 288),
        ("sp9998gauge", 199_920_008),
    ] {
        for found in [0, 1, 12, needed / 2, needed - 1, needed + 1, needed * 2] {
            if found > 1000 {
                continue;
            }
            let error = ReconstructError::Length { needed: needed as u32, found };
            let message = format!("a link has {needed} numbers with all its rows, but the slice has {found}");
            refused(kind(name), found, error, &message);
        }
    }
}

#[test]
fn more_colors_than_there_is_time_for_are_refused() {
    assert_eq!(MAX_RECONSTRUCTED_COLORS, 10);
    for (name, numbers) in [("su11gauge", 242), ("so11gauge", 121), ("su9999gauge", 0)] {
        let kind = kind(name);
        let message = format!(
            "the last row of {name} is not computed, which would take too long: the limit is 10 colors"
        );
        refused(kind, numbers, ReconstructError::Colors { kind }, &message);
    }
}
