//! Runs, windows and rounds, compared with lists of all sites.

use super::part;
use host_tests::cases::{cases, grid, grids, sites};
use linkstream::field::Field;
use linkstream::lattice::Hypercube;
use linkstream_parallel::field::BoxPart;

const EXTENTS: [u32; 4] = [3, 2, 2, 3];

/// The runs of some sites, joined from single sites.
fn joined(field: &Field, sites: &[(u64, u64)]) -> Vec<(u64, u64, u64, u64)> {
    let mut runs: Vec<(u64, u64, u64, u64)> = Vec::new();
    let size = field.bytes_per_site;
    for (rank, index) in sites {
        let offset = field.record.payload_offset() + index * size;
        match runs.last_mut() {
            Some((start, length, _, count)) if *start + *length == offset => {
                *length += size;
                *count += 1;
            }
            _ => runs.push((offset, size, *rank, 1)),
        }
    }
    runs
}

fn found(part: &BoxPart) -> Vec<(u64, u64, u64, u64)> {
    let (mut first, mut at) = (part.range().start, 0);
    part.runs()
        .map(|run| {
            assert_eq!((run.first, run.at), (first, at));
            first += run.sites;
            at += run.length;
            (run.offset, run.length, run.rank, run.sites)
        })
        .collect()
}

fn fields() -> Vec<Field> {
    let begun = cases(&EXTENTS).into_iter().map(|case| case.begun().0);
    begun.map(|encoder| *encoder.field().expect("a message with data")).collect()
}

fn boxes() -> Vec<Option<Hypercube>> {
    grids(&EXTENTS).iter().flat_map(|processes| grid(&EXTENTS, processes)).collect()
}

#[test]
fn runs_are_the_longest_stretches() {
    for field in fields() {
        for cube in boxes() {
            let (part, expected) = (part(&field, cube), sites(&field, cube));
            assert_eq!(part.sites(), expected.len() as u64);
            assert_eq!(part.byte_count(), part.sites() * field.bytes_per_site);
            assert_eq!(found(&part), joined(&field, &expected), "{cube:?} of {:?}", field.region);
            assert_eq!(part.region().is_none(), expected.is_empty());
        }
    }
}

#[test]
fn windows_divide_the_runs() {
    for field in fields() {
        for cube in boxes().into_iter().step_by(5) {
            let (part, all) = (part(&field, cube), sites(&field, cube));
            let n = all.len();
            for (start, end) in (0..=n).flat_map(|start| (start..=n).map(move |end| (start, end))) {
                let window = part.window(start as u64..end as u64).expect("inside");
                assert_eq!(found(&window), joined(&field, &all[start..end]));
                assert_eq!(window.first_site().is_some(), n > 0);
            }
            let size = field.bytes_per_site as usize;
            for room in [size, 2 * size, 3 * size + 1, 100 * size] {
                let windows = part.windows(room).expect("room for a site");
                let divided: Vec<_> = windows.map(|window| window.range()).collect();
                assert!(divided.iter().all(|range| (range.end - range.start) * size as u64 <= room as u64));
                assert_eq!(divided.len(), n.div_ceil(room / size));
                let joined =
                    divided.iter().try_fold(0, |end, range| (range.start == end).then_some(range.end));
                assert_eq!(joined, Some(n as u64));
            }
        }
    }
}

#[test]
fn rounds_in_the_order_of_the_file() {
    for field in fields() {
        for cube in boxes().into_iter().step_by(5) {
            let (part, all) = (part(&field, cube), sites(&field, cube));
            for round in [1, 2, 5, 7, 100] {
                for start in (0..=field.sites() + 2).step_by(round) {
                    let stretch = start..start + round as u64;
                    let here: Vec<_> =
                        all.iter().filter(|(_, index)| stretch.contains(index)).copied().collect();
                    assert_eq!(found(&part.stored(stretch)), joined(&field, &here), "{cube:?}");
                }
            }
            // In a window, only its sites.
            let half = part.window(0..part.sites() / 2).expect("inside");
            assert_eq!(half.stored(0..u64::MAX), half);
            assert_eq!(half.stored(field.sites()..0).sites(), 0);
        }
    }
}

/// The boxes of a lattice of 10^16 sites: nothing is counted site by site.
#[test]
fn a_large_lattice_takes_no_longer() {
    use host_tests::cases::{corner, cube, lattice};
    use linkstream::field::FieldDocuments;
    use linkstream::lattice::Precision;
    use linkstream::scidac::PrivateRecord;

    let extents = lattice(&[10_000; 4]);
    let field =
        FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64)).layout(&extents).expect("legal");
    let late = BoxPart::new(&field, cube(&[0, 0, 0, 5_000], &[9_999; 4], &extents)).expect("inside");
    assert_eq!(late.runs().count(), 1);
    let half = BoxPart::new(&field, cube(&[5_000, 0, 0, 0], &[9_999; 4], &extents)).expect("inside");
    let window = half.window(half.sites() - 7..half.sites()).expect("inside");
    let run = window.runs().next().expect("a run");
    assert_eq!((run.rank, run.sites), (9_999_999_999_999_993, 7));
    let rank = extents.rank(&corner(&[5_000, 3, 2, 1])).expect("inside");
    let before = (((10_000 + 2) * 10_000) + 3) * 5_000;
    assert_eq!(half.stored(rank..rank + 2).range(), before..before + 2);
}
