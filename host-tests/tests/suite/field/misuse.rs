//! Callers that pass the field of another file, or continue after the end, get an error; data are never lost, and
//! nothing panics.

use linkstream::Limits;
use linkstream::field::{Decoder, Event, Field, ReadInto, SiteError, Sites, SitesError};
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region, SiteOrder};
use linkstream::scidac::PrivateRecord;
use linkstream::{CallbackError, Mode, drive};

use host_tests::fixtures::Fixtures;

/// The first field of a fixture: 4 links of SU(3).
fn field() -> Field {
    let file = Fixtures::Ours.read("../../examples/su3-4x4x4x8.lime");
    let mut decoder = Decoder::new(Mode::Strict);
    let mut found = None;
    drive(&mut decoder, &file, |event, _, decoder: &Decoder| {
        if event == Event::Field {
            found = decoder.field().copied();
        }
    })
    .expect("a valid file");
    found.expect("a field")
}

/// A field at the same offset, but with sites of another size, is refused. The sites must not be dropped silently.
#[test]
fn sites_of_another_size_are_refused() {
    let field = field();
    let mut other = field;
    other.bytes_per_site *= 2;
    let mut buffer = [0; 288];
    for fed in [0, 1, 287, 288] {
        let mut sites = Sites::new(&mut buffer);
        sites.begin(&field).expect("large enough");
        let mut each = |_: linkstream::field::Site<'_>| Ok::<(), SiteError>(());
        sites.feed(&field, &vec![0; fed], &mut each).expect("the field that was begun");
        let refused = sites.feed(&other, &[0; 700], &mut each);
        assert_eq!(refused, Err(CallbackError::Failed(SitesError::NotBegun)), "after {fed} bytes");
        assert!(sites.feed(&field, &[0; 288], &mut each).is_ok(), "a refused call must change nothing");
    }
}

/// With other extents, the sites have other coordinates, but nothing panics.
#[test]
fn other_extents_do_no_harm() {
    let field = field();
    let corner = |values: &[u32]| Coordinates::new(values).expect("8 dimensions at most");
    for extents in [&[1][..], &[2, 2], &[u32::MAX, u32::MAX], &[9; 8]] {
        let extents = Extents::new(extents).expect("a lattice");
        let cube = Hypercube::new(corner(&[1; 4]), corner(&[2; 4]), &field.extents).expect("inside");
        for region in [Region::Lattice, Region::Global, Region::Hypercube(cube)] {
            let mut other = field;
            (other.extents, other.region) = (extents, region);
            let mut buffer = [0; 288];
            let mut sites = Sites::new(&mut buffer);
            sites.begin(&field).expect("large enough");
            let mut seen = 0_u64;
            let outcome = sites.feed(&field, &[0; 288 * 511], |_| {
                seen += 1;
                Ok::<(), SiteError>(())
            });
            assert_eq!((outcome, seen), (Ok(()), 511));
            let outcome = sites.feed(&other, &[0; 288 * 40], |_| {
                seen += 1;
                Ok::<(), SiteError>(())
            });
            assert!(outcome.is_ok() || seen >= other.sites(), "{other:?}");
            // The order of sites itself, beyond its end.
            let mut order = SiteOrder::at(extents, region, u64::MAX);
            assert_eq!(order.done(), region.sites(&extents));
            (0..5).for_each(|_| order.step());
        }
    }
}

#[test]
fn numbers_of_another_field_are_refused() {
    let field = field();
    let mut numbers = vec![0.0_f32; 512 * 72];
    for change in [1, 4, 287] {
        let mut other = field;
        other.bytes_per_site += change;
        assert!(matches!(ReadInto::new(&other, &mut numbers), Err(SiteError::Length { .. })));
    }
    let mut huge = field;
    huge.bytes_per_site = u64::MAX;
    assert!(huge.number_count(Limits::new(u64::MAX)).is_err() && huge.data_length().is_none());
    let mut into = ReadInto::new(&field, &mut numbers).expect("as many as there are");
    for piece in vec![0; 512 * 288].chunks(7) {
        into.feed(piece).expect("not more than there are");
    }
    assert!(into.is_complete());
    assert_eq!(into.feed(&[0]), Err(SiteError::Length { needed: 0, given: 1 }));
    assert_eq!(into.feed(&[]), Ok(()));
}

/// The document has 32 bits for the size of a matrix: the largest size that ILDG's schema allows fits.
#[test]
fn the_largest_matrices_have_their_size() {
    let record = PrivateRecord::gauge_field(9999, Precision::F64, 4);
    assert_eq!(u64::from(record.typesize), 9999 * 9999 * 16);
}
