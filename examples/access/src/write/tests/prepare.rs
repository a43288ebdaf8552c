//! Arrays that are converted while they are written, and files that are checked before they are kept.

use super::*;

/// Numbers in pieces that cut them.
#[derive(Debug)]
struct Cut(Vec<f64>, usize);

impl Stream for Cut {
    fn precision(&self) -> Precision {
        Precision::F64
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn pieces(&self, each: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|number| number.to_be_bytes()).collect();
        bytes[..bytes.len() - self.1].chunks(13).try_for_each(each)
    }
}

#[test]
fn a_stream_is_written_like_an_array_and_must_be_complete() {
    let links = rotations(SITES * 4);
    let wish = Wish::default();
    let of = |stream: &dyn Stream| written(&[NewField::links(stream, GaugeKind::SU3)], &wish);
    let stream = Cut(links.clone(), 0);
    let expected = written(&[NewField::links(&links[..], GaugeKind::SU3)], &wish).expect("it is writable");
    assert_eq!(of(&stream).expect("it is writable"), expected);
    for missing in [1, 8] {
        let stream = Cut(links.clone(), missing);
        assert!(of(&stream).is_err(), "{missing}");
    }
}

#[test]
fn rows_are_left_out_and_computed_as_the_wish_says() {
    let folder = folder();
    let links = rotations(SITES * 4);
    let reduced: Vec<f64> = links.chunks(18).flat_map(|link| &link[..12]).copied().collect();
    let content = |rows| Content::Links { kind: GaugeKind::SU3, rows };
    let full = NewField::links(&links[..], GaugeKind::SU3);
    let short =
        NewField { content: content(Rows::Number(2)), ..NewField::links(&reduced[..], GaugeKind::SU3) };
    let write = |name: &str, array: &NewField<'_>, wish: Wish| {
        let path = folder.path().join(name);
        let mut warnings = Vec::new();
        let wish = Wish { date: Some("today".to_owned()), ..wish };
        write_fields(&path, false, &lattice(), std::slice::from_ref(array), &wish, &mut warnings)?;
        assert_eq!(warnings, []);
        Ok::<_, Error>(std::fs::read(&path).expect("it was written"))
    };
    for target in [Target::Both, Target::Ildg] {
        let wish = |rows| Wish { target: Some(target), rows, checksum: true, ..Wish::default() };
        let two = write(&format!("a {target:?}"), &short, wish(None)).expect("it is writable");
        let left_out = write(&format!("b {target:?}"), &full, wish(Some(Rows::Reduced)));
        assert_eq!(left_out.expect("it is writable"), two);
        let three = read(&{
            write(&format!("c {target:?}"), &short, wish(Some(Rows::Full))).expect("it is writable");
            folder.path().join(format!("c {target:?}"))
        });
        let close = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-14;
        assert!(three[0].0.len() == links.len() && three[0].0.iter().zip(&links).all(close));
    }
    let mut other = links.clone();
    other[12] += 0.1;
    let full = NewField::links(&other[..], GaugeKind::SU3);
    let wish = Wish { target: Some(Target::Ildg), rows: Some(Rows::Reduced), ..Wish::default() };
    let refused = write("d", &full, wish.clone());
    assert!(matches!(refused, Err(Error::Fault { fault: Fault::Rows { .. }, .. })), "{refused:?}");
    // SciDAC documents cannot describe them.
    let refused = write("e", &short, Wish { target: Some(Target::Scidac), ..wish });
    assert!(refused.is_err());
    assert!(!folder.path().join("d").exists() && !folder.path().join("e").exists());
}

#[test]
fn an_error_of_the_progress_ends_the_work() {
    struct Ending(usize);

    impl Observer for Ending {
        fn warn(&mut self, _: Warning) {}

        fn phase(&mut self, _: u64) -> Phase {
            self.0 = self.0.wrapping_sub(1);
            let is_last = self.0 == 0;
            Phase::fallible(move |_| if is_last { Err(std::io::Error::other("ended")) } else { Ok(()) })
        }
    }

    let folder = folder();
    let links = rotations(SITES * 4);
    let array = [NewField::links(&links[..], GaugeKind::SU3)];
    for (phase, is_ended) in [(1, true), (2, true), (3, false)] {
        let path = folder.path().join(phase.to_string());
        let written = write_fields(&path, false, &lattice(), &array, &Wish::default(), &mut Ending(phase));
        assert_eq!((written.is_err(), path.exists()), (is_ended, !is_ended), "{written:?}");
    }
}

/// The links in a file, and the number of links at each site.
fn links_of(
    name: &str,
    lattice: &Extents,
    array: &NewField<'_>,
    target: Target,
) -> Result<(Vec<f64>, u64), Error> {
    let folder = folder();
    let path = folder.path().join(name);
    let wish = Wish { target: Some(target), ..Wish::default() };
    let mut warnings = Vec::new();
    write_fields(&path, false, lattice, std::slice::from_ref(array), &wish, &mut warnings)?;
    assert_eq!(warnings, [], "{target:?}");
    let file = crate::File::open_path(&path).expect("an intact file");
    let field = file.field(0).expect("a field");
    let mut numbers = vec![0.0; field.array().number_count() as usize];
    let verify = if target == Target::Ildg { crate::Verify::No } else { crate::Verify::Yes };
    let verdict = field.read(&crate::Selection::All, &mut numbers, verify).expect("an intact file");
    assert_eq!(verdict.is_verified(), verify == crate::Verify::Yes);
    Ok((numbers, field.array().axes[4].extent))
}

#[test]
fn only_ildg_1_2_lacks_links_in_directions_with_a_single_site() {
    let lattice = Extents::new(&[3, 2, 1, 4]).expect("a lattice");
    for (target, links) in [(Target::Both, 4), (Target::Scidac, 4), (Target::Ildg, 3)] {
        let right = rotations(24 * links as usize);
        let array = NewField::links(&right[..], GaugeKind::SU3);
        assert_eq!(
            links_of("right", &lattice, &array, target).expect("it is writable"),
            (right.clone(), links)
        );
        let wrong = rotations(24 * (7 - links) as usize);
        let array = NewField::links(&wrong[..], GaugeKind::SU3);
        let refused = links_of("wrong", &lattice, &array, target).expect_err("another number of links");
        let refusal = Refusal::LinksOfSite { found: 7 - links, expected: links };
        assert!(
            matches!(&refused, Error::Refused { refusal: found, .. } if *found == refusal),
            "{refused:?}"
        );
    }
}

#[test]
fn phases_are_no_matrices_in_any_form() {
    let phases: Vec<f64> = (0..SITES * 4).map(|i| (i as f64 / 7.0).sin() * 3.0).collect();
    let kind = GaugeKind::parse(b"u1phase").expect("a kind");
    for target in [Target::Both, Target::Scidac, Target::Ildg] {
        let array = NewField::links(&phases[..], kind);
        assert_eq!(
            links_of("phases", &lattice(), &array, target).expect("it is writable"),
            (phases.clone(), 4)
        );
    }
}
