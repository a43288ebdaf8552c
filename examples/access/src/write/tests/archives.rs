//! Arrays that are written as NERSC archives.

use linkstream::lattice::ByteOrder;

use super::*;

#[test]
fn archives_read_back_equal_and_hold_their_lines() {
    let links = rotations(SITES * 4);
    let single: Vec<f32> = links.iter().map(|number| *number as f32).collect();
    let folder = folder();
    for (number, rows, order) in [
        (0, Rows::Full, ByteOrder::Big),
        (1, Rows::Reduced, ByteOrder::Little),
        (2, Rows::Reduced, ByteOrder::Big),
    ] {
        let path = folder.path().join(format!("lat{number}"));
        let form = ArchiveForm { rows, order, tolerance: Some(1e-6) };
        let texts = ArchiveTexts { lines: Lines::new([("ENSEMBLE_ID", "test")]), ..ArchiveTexts::default() };
        let values = if number == 0 { Values::from(&links[..]) } else { Values::from(&single[..]) };
        let array = NewField::links(values, GaugeKind::SU3);
        let mut warnings = Vec::new();
        write_field_as_archive(&path, false, form, &lattice(), &array, &texts, &mut warnings)
            .expect("unitary links");
        assert_eq!(warnings, []);
        let bytes = std::fs::read(&path).expect("the archive was written");
        let begin = String::from_utf8_lossy(&bytes[..200]).into_owned();
        assert!(begin.contains("ENSEMBLE_ID = test\n"), "{begin}");
        let file = crate::File::open_path(&path).expect("a good archive");
        let field = file.field(0).expect("one field");
        let (mut read, mut narrow) = (vec![0.0_f64; links.len()], vec![0.0_f32; links.len()]);
        let verdict = if number == 0 {
            field.read(&crate::Selection::All, &mut read, crate::Verify::Yes)
        } else {
            field.read(&crate::Selection::All, &mut narrow, crate::Verify::Yes)
        };
        let verdict = verdict.expect("good data");
        if number > 0 {
            read = narrow.into_iter().map(f64::from).collect();
        }
        assert!(verdict.is_verified(), "{rows:?}");
        assert!(
            read.iter().zip(&links).all(|(read, wrote)| (read - wrote).abs() < 1e-6),
            "{rows:?} {order:?}"
        );
    }
}

#[test]
fn links_that_no_archive_can_have_are_typed_errors() {
    let folder = folder();
    let path = folder.path().join("lat");
    let form = ArchiveForm { rows: Rows::Reduced, order: ByteOrder::Big, tolerance: None };
    let write = |links: &[f64], kind| {
        let (array, texts) = (NewField::links(links, kind), ArchiveTexts::default());
        write_field_as_archive(&path, false, form, &lattice(), &array, &texts, &mut Vec::new())
            .expect_err("no archive")
    };
    let mut links = rotations(SITES * 4);
    links[16] = 1.5;
    let error = write(&links, GaugeKind::SU3);
    assert!(matches!(error, Error::Fault { fault: Fault::NotUnitary { .. }, .. }), "{error}");
    links[16] = f64::NAN;
    let error = write(&links, GaugeKind::SU3);
    assert!(matches!(error, Error::Refused { refusal: Refusal::NoFigures, .. }), "{error}");
    let u1 = GaugeKind::parse(b"u1gauge").expect("a kind");
    let error = write(&numbers(SITES * 4 * 2), u1);
    assert!(matches!(error, Error::Refused { refusal: Refusal::NotFourLinks, .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
