//! Wrong lengths, places and boxes are errors.

use host_tests::cases::{cases, cube, lattice};
use linkstream::field::{FieldDocuments, SiteError};
use linkstream::lattice::{HypercubeError, Precision};
use linkstream::scidac::PrivateRecord;
use linkstream_parallel::field::{BoxError, BoxPart};

fn real(precision: Precision) -> BoxPart {
    let extents = lattice(&[4, 2]);
    let field = FieldDocuments::scidac(PrivateRecord::real_field(precision)).layout(&extents).expect("legal");
    BoxPart::new(&field, cube(&[1, 0], &[2, 1], &extents)).expect("a box of the lattice")
}

#[test]
fn boxes_of_another_lattice() {
    let part = real(Precision::F64);
    let larger = cube(&[0, 0], &[4, 1], &lattice(&[5, 2]));
    assert_eq!(BoxPart::new(part.field(), larger), Err(HypercubeError::Outside));
    let longer = cube(&[0, 0, 0], &[1, 1, 0], &lattice(&[4, 2, 1]));
    assert_eq!(BoxPart::new(part.field(), longer), Err(HypercubeError::Dimensions));
}

#[test]
fn windows_that_the_box_does_not_have() {
    let part = real(Precision::F64);
    for (start, end) in [(0, 5), (3, 2), (5, 5), (u64::MAX, 0)] {
        assert_eq!(part.window(start..end), Err(BoxError::NoSuchSites { start, end, sites: 4 }));
    }
    assert_eq!(part.window(4..4).map(|window| window.sites()), Ok(0));
    assert_eq!(part.windows(7).map(drop), Err(BoxError::TooSmall { needed: 8 }));
    assert_eq!(BoxPart::empty(part.field()).windows(0).map(Iterator::count), Ok(0));
}

#[test]
fn slices_of_another_length() {
    let part = real(Precision::F64);
    let (mut bytes, mut numbers) = ([0; 40], [0.0_f64; 4]);
    let length = |given| BoxError::Site(SiteError::Length { needed: 32, given });
    assert_eq!(part.fill(&[0.0_f64; 3], &mut bytes), Err(length(24)));
    assert_eq!(part.fill(&[0.0_f32; 5], &mut bytes), Err(length(40)));
    assert_eq!(part.fill(&[0.0_f64; 4], &mut bytes[..31]), Err(BoxError::TooSmall { needed: 32 }));
    assert_eq!(part.fill(&[0.0_f64; 4], &mut bytes).map(<[u8]>::len), Ok(32));
    let other = |given| BoxError::Bytes { needed: 32, given };
    assert_eq!(part.take(&[1; 33], &mut numbers), Err(other(33)));
    assert_eq!(part.take_to(&[1; 31], |_| 0, &mut numbers), Err(other(31)));
    assert_eq!(part.take(&[1; 32], &mut [0.0_f64; 5]), Err(length(40)));
    assert_eq!(part.checksum(&[1; 16]), Err(other(16)));
    assert_eq!(numbers, [0.0; 4], "a refused call changes nothing");
    let window = part.window(1..3).expect("inside");
    assert_eq!(window.take(&[1; 32], &mut numbers), Err(BoxError::Bytes { needed: 16, given: 32 }));
    assert_eq!(window.checksum(&[1; 16]).map(drop), Ok(()));
}

#[test]
fn places_that_memory_does_not_have() {
    let part = real(Precision::F32);
    let (mut bytes, mut numbers) = ([0; 16], [0.0_f64; 4]);
    let wrong = BoxError::NoSuchPlace { rank: 2, place: 4, places: 4 };
    assert_eq!(part.fill_from(&numbers, |site| 3 + site.done() as usize, &mut bytes), Err(wrong));
    assert_eq!(part.take_to(&bytes, |site| 3 + site.done() as usize, &mut numbers), Err(wrong));
    let far = part.take_to(&bytes, |_| usize::MAX, &mut numbers);
    assert_eq!(far, Err(BoxError::NoSuchPlace { rank: 1, place: usize::MAX, places: 4 }));
    assert_eq!(
        wrong.to_string(),
        "the site of rank 2 has no place 4 in memory, which has 4 sites (counted from 0)"
    );
}

#[test]
fn numbers_that_do_not_fit() {
    let part = real(Precision::F32);
    let (mut bytes, numbers) = ([0; 16], [0.0, 1.0, 1e300, 2.0]);
    let overflow = Err(BoxError::Site(SiteError::Overflow { index: 2 }));
    assert_eq!(part.fill(&numbers, &mut bytes), overflow);
    assert_eq!(part.fill_from(&numbers, |site| site.done() as usize, &mut bytes), overflow);
    // Only the numbers of the window are converted.
    assert!(part.window(0..2).expect("inside").fill(&numbers, &mut bytes).is_ok());
    let mut integers = *part.field();
    integers.precision = None;
    let part = BoxPart::whole(&integers);
    let not_numbers = BoxError::Site(SiteError::NotNumbers);
    assert_eq!(part.fill(&[0.0_f32; 8], &mut [0; 32]), Err(not_numbers));
    assert_eq!(part.take(&[0; 32], &mut [0.0_f32; 8]), Err(not_numbers));
    // Their bytes have a checksum as well.
    assert!(part.checksum(&[0; 32]).is_ok());
}

/// Sites that are not a whole number of words, and sites without bytes, as a damaged document can describe them.
#[test]
fn sites_that_are_not_numbers() {
    let mut field = *real(Precision::F32).field();
    field.bytes_per_site = 6;
    let part = BoxPart::whole(&field);
    let wrong = BoxError::Site(SiteError::Length { needed: 6, given: 48 });
    assert_eq!(part.fill(&[0.0_f32; 12], &mut [0; 48]), Err(wrong));
    field.bytes_per_site = 0;
    let part = BoxPart::whole(&field);
    assert_eq!(part.windows(0).map(Iterator::count), Ok(1));
    assert_eq!(part.fill::<f32>(&[], &mut []), Ok(&[][..]));
    assert_eq!(part.fill_from::<f32>(&[], |_| 9, &mut []), Ok(&[][..]));
    assert_eq!(part.runs().map(|run| run.length).sum::<u64>(), 0);
}

/// Global data belong to the process with the origin.
#[test]
fn global_data_have_one_owner() {
    let cases = cases(&[2, 2, 2, 2]);
    let case = cases.iter().find(|case| case.name == "global").expect("in the table");
    let field = case.layout();
    let origin = BoxPart::new(&field, cube(&[0; 4], &[0, 1, 1, 1], &case.lattice)).expect("inside");
    let other = BoxPart::new(&field, cube(&[1, 0, 0, 0], &[1; 4], &case.lattice)).expect("inside");
    assert_eq!((origin.byte_count(), other.byte_count()), (56, 0));
    assert_eq!(BoxPart::whole(&field).byte_count(), 56);
}
