//! Third rows of the SU(3) fields among the fixtures: those that were left out, those that QIO's converter
//! computed, and those that all three rows are stored of.

use crate::ildg::reconstruct::support::{Number, bits, groups, plain, reconstructed};
use host_tests::fixtures::Fixtures;
use host_tests::formula::su3_site;
use host_tests::manifest::{Entry, load};
use host_tests::oracle;
use linkstream::ildg::{GaugeKind, deviation};
use num::Complex;

type Row<T> = Vec<Complex<T>>;

fn numbers<T: Number>(bytes: &[u8], precision: &str) -> Vec<T> {
    let words = bytes.chunks(if precision == "D" { 8 } else { 4 });
    let number = |word: &[u8]| match word.try_into() {
        Ok(word) => f32::from_be_bytes(word).into(),
        Err(_) => f64::from_be_bytes(word.try_into().expect("a word")),
    };
    words.map(|word| T::of(number(word))).collect()
}

/// Links of three colors.
fn links<T: Number>(numbers: &[T], rows: usize) -> Vec<Vec<Row<T>>> {
    assert_eq!(numbers.len() % (6 * rows), 0, "whole links");
    let row = |parts: &[T]| parts.chunks(2).map(|part| Complex::new(part[0], part[1])).collect();
    let rows_of = |link: &[T]| link.chunks(6).map(row).collect();
    numbers.chunks(6 * rows).map(rows_of).collect()
}

/// As QIO's converter of NERSC archives does it: the four products of a part are summed from left to right.
fn nersc<T: Number>(link: &[Row<T>]) -> Vec<T> {
    let (a, b) = (&link[0], &link[1]);
    let element = |(i, j): (usize, usize)| {
        [
            a[i].re * b[j].re - a[j].re * b[i].re - a[i].im * b[j].im + a[j].im * b[i].im,
            a[j].re * b[i].im - a[i].re * b[j].im + a[j].im * b[i].re - a[i].im * b[j].re,
        ]
    };
    [(1, 2), (2, 0), (0, 1)].into_iter().flat_map(element).collect()
}

fn find<'a>(all: &'a [Entry], path: &str) -> &'a Entry {
    all.iter().find(|entry| entry.path == path).unwrap_or_else(|| panic!("{path} is no fixture"))
}

/// The payload of the only record of this type.
fn payload(entry: &Entry, kind: &[u8]) -> Vec<u8> {
    let file = entry.bytes();
    let records = oracle::records(&file);
    let mut found = records.iter().filter(|record| record.kind == kind);
    let record = found.next().unwrap_or_else(|| panic!("{}: no such record", entry.path));
    assert!(found.next().is_none(), "{}: several", entry.path);
    record.payload(&file).to_vec()
}

/// The rows of the generator, in `f64`.
fn formula(entry: &Entry) -> Vec<Vec<Row<f64>>> {
    let seed = entry.seed.expect("a seed");
    let sites = entry.dims().iter().product();
    let numbers: Vec<f64> = (0..sites).flat_map(|rank| su3_site(seed, rank, 4)).collect();
    links(&numbers, 3)
}

fn flat<T: Number>(row: &[Complex<T>]) -> impl Iterator<Item = T> + '_ {
    row.iter().flat_map(|element| [element.re, element.im])
}

/// Reconstructs below the two rows of each link, compares with the formula and with the words of the
/// document, and hands on what came out.
fn third_rows<T: Number>(
    entry: &Entry,
    given: &[Vec<Row<T>>],
    tolerance: f64,
    mut each: impl FnMut(usize, &[T]),
) {
    let formula = formula(entry);
    assert_eq!(given.len(), formula.len(), "{}", entry.path);
    for (n, (link, formula)) in given.iter().zip(&formula).enumerate() {
        let third = reconstructed(GaugeKind::SU3, &link[..2]);
        assert_eq!(bits(&third), bits(&plain::last_row(&link[..2])), "{} link {n}", entry.path);
        for (number, expected) in third.iter().zip(flat(&formula[2])) {
            let distance = ((*number).into() - expected).abs();
            assert!(distance < tolerance, "{} link {n}: {number:?} and {expected}", entry.path);
        }
        let wide = |element: &Complex<T>| Complex::new(element.re.into(), element.im.into());
        let mut whole: Vec<Row<f64>> = link[..2].iter().map(|row| row.iter().map(wide).collect()).collect();
        whole.push(third.chunks(2).map(|part| Complex::new(part[0].into(), part[1].into())).collect());
        assert!(groups::unitarity(&whole) < tolerance, "{} link {n}", entry.path);
        each(n, &third);
    }
}

/// What QIO's converter made of archives with two rows, and how many numbers differ from the document's
/// because of the other order of the sum.
fn converted<T: Number>(all: &[Entry], letter: &str, tolerance: f64) -> (usize, usize) {
    let archive = find(all, &format!("nersc/n3x2_{letter}.nersc"));
    let precision = archive.precision.as_deref().expect("reported");
    let given: Vec<T> = numbers(&archive.bytes()[archive.header_bytes.expect("reported")..], precision);
    let given = links(&given, 2);
    let scidac = payload(find(all, &format!("nersc/n3x2_{letter}.lime")), b"scidac-binary-data");
    let ildg = payload(find(all, &format!("nersc/n3x2_{letter}_ildg.lime")), b"ildg-binary-data");
    assert!(scidac == ildg, "both are the same conversion");
    let converted = links(&numbers::<T>(&scidac, precision), 3);
    assert_eq!(given.len(), converted.len());
    let (mut count, mut different) = (0, 0);
    third_rows(archive, &given, tolerance, |n, third| {
        assert!(given[n] == converted[n][..2], "link {n}");
        let theirs: Vec<T> = flat(&converted[n][2]).collect();
        assert_eq!(bits(&theirs), bits(&nersc(&given[n])), "link {n}: the converter's own order");
        for (ours, theirs) in third.iter().zip(&theirs) {
            assert!(((*ours).into() - (*theirs).into()).abs() < tolerance, "link {n}");
            count += 1;
            different += usize::from(ours.bits() != theirs.bits());
        }
        let link: Vec<T> = converted[n].iter().flat_map(|row| flat(row)).collect();
        assert!(deviation(GaugeKind::SU3, &link).expect("whole") < tolerance, "link {n}");
    });
    (count, different)
}

#[test]
fn archives_with_two_rows_give_the_converters_digits_but_not_its_bits() {
    let all = load(Fixtures::Ours, "qio");
    // 48 sites of 4 links of 6 numbers.
    assert_eq!(converted::<f32>(&all, "f", 1e-6), (1152, 431));
    assert_eq!(converted::<f64>(&all, "d", 1e-12), (1152, 421));
}

fn all_rows<T: Number>(all: &[Entry], letter: &str, tolerance: f64) {
    let archive = find(all, &format!("nersc/n3x3_{letter}.nersc"));
    let precision = archive.precision.as_deref().expect("reported");
    let stored: Vec<T> = numbers(&archive.bytes()[archive.header_bytes.expect("reported")..], precision);
    for (n, link) in stored.chunks(18).enumerate() {
        let seen = deviation(GaugeKind::SU3, link).expect("whole");
        assert!(seen < tolerance, "link {n}: {seen}");
    }
    let rows = links(&stored, 3);
    third_rows(archive, &rows, tolerance, |n, third| {
        let differences = flat(&rows[n][2]).zip(third).map(|(a, b)| (a.into() - (*b).into()).abs());
        let link = &stored[18 * n..][..18];
        assert_eq!(deviation(GaugeKind::SU3, link), Ok(differences.fold(0.0, f64::max)), "link {n}");
    });
}

#[test]
fn archives_with_three_rows_could_do_with_two() {
    let all = load(Fixtures::Ours, "qio");
    all_rows::<f32>(&all, "f", 1e-6);
    all_rows::<f64>(&all, "d", 1e-12);
}

#[test]
fn a_file_of_revision_1_2_with_two_rows_has_the_observables_of_whole_links() {
    let all = load(Fixtures::Ours, "qio");
    let entry = find(&all, "alien/ildg12_rows2.lime");
    let given = links(&numbers::<f32>(&payload(entry, b"ildg-binary-data"), "F"), 2);
    let mut whole = Vec::new();
    third_rows(entry, &given, 1e-6, |n, third| {
        let given = given[n].iter().flat_map(|row| flat(row));
        whole.extend(given.chain(third.iter().copied()).flat_map(f32::to_be_bytes));
    });
    let seen = oracle::observables(&whole, entry.dims(), 32);
    assert!((seen.plaquette - entry.plaquette.expect("reported")).abs() < 1e-7, "{seen:?}");
    assert!((seen.link_trace - entry.link_trace.expect("reported")).abs() < 1e-7, "{seen:?}");
    assert!(seen.max_unitarity_deviation < 1e-6, "{seen:?}");
}
