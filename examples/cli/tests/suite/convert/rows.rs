//! `convert --rows`: reduced rows, and their reconstruction by ILDG 1.2, appendix A.2.

use crate::common::gauge::{
    data, doubles, fixture, format, go, ildg, numbers, of_doubles, of_singles, refused, singles,
};
use crate::common::lime::put;
use crate::common::{said, status};
use tempfile::TempDir;

/// Number of real numbers in a link of SU(3).
const SU3: usize = 18;

fn converted(folder: &TempDir, bytes: &[u8], options: &[&str]) -> Vec<u8> {
    let output = go(folder, &[&["convert", "-", "-"], options].concat(), bytes);
    assert_eq!(status(&output), 0, "{options:?}: {}", said(&output));
    output.stdout
}

/// The largest difference between numbers at the same position.
fn difference(these: &[f64], those: &[f64]) -> f64 {
    assert_eq!(these.len(), those.len());
    these.iter().zip(those).map(|(this, that)| (this - that).abs()).fold(0.0, f64::max)
}

fn wide(bytes: &[u8]) -> Vec<f64> {
    singles(bytes).into_iter().map(f64::from).collect()
}

#[test]
fn rows_come_back_within_the_tolerance_and_then_bit_for_bit() {
    for (name, bits, tolerance) in [
        ("qio/ildg/ildg_d_2x3x4x5.lime", 64, 1e-15),
        ("qio/single/gauge_d3_2x3x4x5.lime", 64, 1e-15),
        ("qio/ildg/ildg_f_4x4x4x8.lime", 32, 3e-7),
    ] {
        rows_come_back(name, &fixture(name), bits, tolerance);
    }
}

host_tests::of_other_projects! {
    fn rows_of_other_projects_come_back() {
        for (name, bits, tolerance) in [("wild/lat.sample.l4444.ildg", 32, 1e-6), ("wild/unity.lime", 64, 0.0)] {
            rows_come_back(name, &host_tests::fixtures::Fixtures::OfOthers.read(name), bits, tolerance);
        }
    }
}

fn rows_come_back(name: &str, bytes: &[u8], bits: usize, tolerance: f64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let numbers = |bytes: &[u8]| if bits == 64 { doubles(bytes) } else { wide(bytes) };
    let reduced = converted(&folder, bytes, &["--rows", "reduced", "--to", "ildg", "--lfn", "lfn://a"]);
    // The first two thirds of each link.
    let size = SU3 * bits / 8;
    let kept: Vec<u8> = data(bytes).chunks(size).flat_map(|link| link[..size * 2 / 3].to_vec()).collect();
    assert!(data(&reduced) == kept, "{name}");
    assert!(String::from_utf8_lossy(&reduced).contains("<rows>2</rows>"), "{name}");
    let full = converted(&folder, &reduced, &["--rows", "full"]);
    assert!(!String::from_utf8_lossy(&full).contains("<rows>"), "{name}");
    let found = difference(&numbers(&data(&full)), &numbers(&data(bytes)));
    assert!(found <= tolerance, "{name}: {found:e}");
    // Computed rows can be left out without loss.
    let again = converted(&folder, &full, &["--rows", "reduced", "--tolerance", "0"]);
    assert!(again == reduced, "{name}");
    assert!(converted(&folder, &again, &["--rows", "full"]) == full, "{name}");
    // SciDAC documents describe complete matrices only.
    let scidac = converted(&folder, &reduced, &["--to", "scidac"]);
    assert!(data(&scidac) == data(&full), "{name}");
}

#[test]
fn rows_are_computed_in_the_precision_that_is_read() {
    let bytes = fixture("qio/alien/ildg12_rows2.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let single = converted(&folder, &bytes, &["--rows", "full"]);
    let double = converted(&folder, &bytes, &["--rows", "full", "--precision", "64"]);
    assert_eq!(doubles(&data(&double)), wide(&data(&single)));
    // The cross product, computed without the library.
    let stored = singles(&data(&bytes));
    for (link, full) in stored.chunks(12).zip(singles(&data(&single)).chunks(SU3)) {
        assert_eq!(link, &full[..12]);
        let element =
            |row: usize, column: usize| [link[row * 6 + column * 2], link[row * 6 + column * 2 + 1]];
        let product = |[ar, ai]: [f32; 2], [br, bi]: [f32; 2]| [ar * br - ai * bi, ar * bi + ai * br];
        for k in 0..3 {
            // In the middle column, the term with the indices (1, 3), an odd permutation, precedes that with (3, 1).
            let (i, j) = [(1, 2), (0, 2), (0, 1)][k];
            let sign = if k == 1 { -1.0 } else { 1.0 };
            let (first, second) =
                (product(element(0, i), element(1, j)), product(element(0, j), element(1, i)));
            let expected = [sign * (first[0] - second[0]), -sign * (first[1] - second[1])];
            assert_eq!(full[12 + 2 * k..14 + 2 * k], expected);
        }
    }
    // Reconstruction in double precision has digits that rounding to single precision would lose.
    let first = converted(&folder, &bytes, &["--precision", "64"]);
    let second = converted(&folder, &first, &["--rows", "full"]);
    assert!(doubles(&data(&second)) != doubles(&data(&double)));
}

#[test]
fn every_kind_that_can_leaves_rows_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (c, s) = (0.6, 0.8);
    // For each kind one exact link, and how many of its numbers are stored.
    let su2 = vec![0.0, c, s, 0.0, -s, 0.0, 0.0, -c];
    let so3 = vec![c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0];
    let complex = |row: [f64; 4]| row.into_iter().flat_map(|re| [re, 0.0]).collect::<Vec<_>>();
    let mut sp4 = [complex([c, 0.0, 0.0, s]), complex([0.0, c, s, 0.0])].concat();
    sp4.extend([complex([0.0, -s, c, 0.0]), complex([-s, 0.0, 0.0, c])].concat());
    for (kind, link, stored) in [("su2gauge", su2, 4), ("so3gauge", so3, 6), ("sp4gauge", sp4, 16)] {
        // Links of two sites in one direction, the second at an open boundary.
        let open = vec![0.0; link.len()];
        let sites = [link.clone(), open].concat();
        let file = ildg(&format("1.2", kind, 0, 64, [1, 1, 1, 2]), &of_doubles(&sites));
        let reduced = converted(&folder, &file, &["--rows", "reduced"]);
        let expected = [&link[..stored], &vec![0.0; stored]].concat();
        assert!(data(&reduced) == of_doubles(&expected), "{kind}");
        let full = converted(&folder, &reduced, &["--rows", "full"]);
        // Exactly: an absent link has all bits clear.
        assert!(data(&full)[8 * link.len()..].iter().all(|byte| *byte == 0), "{kind}");
        assert!(difference(&doubles(&data(&full)), &sites) <= 1e-16, "{kind}");
        let single = converted(&folder, &reduced, &["--rows", "full", "--precision", "32"]);
        let narrow: Vec<f32> = doubles(&data(&full)).iter().map(|number| *number as f32).collect();
        assert!(data(&single) == of_singles(&narrow), "{kind}");
    }
    for kind in ["u1phase", "u1gauge", "u3gauge"] {
        let parts = [("u1phase", 1), ("u1gauge", 2), ("u3gauge", 18)];
        let (_, parts) = parts.into_iter().find(|(name, _)| *name == kind).expect("it is present");
        let file = ildg(&format("1.2", kind, 0, 64, [1, 1, 1, 2]), &of_doubles(&vec![0.5; 2 * parts]));
        refused(&folder, &["convert", "-", "out", "--rows", "reduced"], &file, 1, "all rows only");
    }
}

#[test]
fn rows_that_do_not_follow_are_not_left_out() {
    let bytes = fixture("qio/ildg/ildg_d_2x3x4x5.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    // An element of the last row of the link in direction z at site (1, 2, 0, 3).
    let rank = 1 + 2 * (2 + 3 * (4 * 3));
    let at = (rank * 4 + 2) * SU3 + 14;
    for (change, message) in
        [(1e-6, "differ by 1.000e-6"), (f64::NAN, "infinite or NaN"), (f64::INFINITY, "infinite or NaN")]
    {
        let mut numbers = doubles(&data(&bytes));
        numbers[at] += change;
        let file = ildg(&format("1.2", "su3gauge", 0, 64, [2, 3, 4, 5]), &of_doubles(&numbers));
        put(&folder, "in", &file);
        let drop = ["convert", "in", "out", "--damaged", "--rows", "reduced"];
        let place = "the link at site x=1 y=2 z=0 t=3 in direction z needs all its rows";
        refused(&folder, &drop, b"", 1, place);
        refused(&folder, &drop, b"", 1, message);
        refused(
            &folder,
            &[&drop[..], &["--to", "both"]].concat(),
            b"",
            1,
            "1e-12 is tolerated (--tolerance)",
        );
        if change < 1.0 {
            converted(&folder, &file, &["--rows", "reduced", "--tolerance", "2e-6"]);
        } else {
            refused(&folder, &[&drop[..], &["--tolerance", "1e300"]].concat(), b"", 1, place);
        }
    }
    refused(&folder, &["convert", "-", "out", "--rows", "reduced", "--to", "scidac"], &bytes, 1, "--to both");
    for tolerance in ["-1", "NaN", "inf", "x"] {
        let option = format!("--tolerance={tolerance}");
        refused(&folder, &["convert", "-", "out", &option], &bytes, 2, "a number like 1e-6");
    }
}

#[test]
fn rows_that_cannot_be_computed_are_not_made_up() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let format = format("1.2", "su3gauge", 2, 32, [1, 2, 1, 1]);
    for (number, accepted) in [(1e18, true), (1e25, false), (f32::NAN, false)] {
        let mut values: Vec<f32> = numbers(2 * 12).iter().map(|number| *number as f32).collect();
        values[12..].fill(number);
        values[13] = 1.0;
        let file = ildg(&format, &of_singles(&values));
        if accepted {
            let made = singles(&data(&converted(&folder, &file, &["--rows", "full", "--damaged"])));
            assert!(made.iter().all(|number| number.is_finite()));
            continue;
        }
        let words = "the link at site x=0 y=1 z=0 t=0 in direction y cannot have all its rows";
        refused(&folder, &["convert", "-", "new", "--damaged", "--rows", "full"], &file, 1, words);
    }
}
