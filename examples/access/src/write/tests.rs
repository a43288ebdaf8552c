//! Arrays that are written and read back by the codec's readers.

use std::path::Path;

use linkstream::field::Verdict;
use linkstream::ildg::GaugeKind;
use linkstream::io::FieldReader;
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{PrivateRecord, RecordData};

use super::*;
use crate::set::Layout;

mod archives;
mod prepare;

const LATTICE: [u32; 4] = [2, 3, 2, 4];
const SITES: usize = 48;

fn lattice() -> Extents {
    Extents::new(&LATTICE).expect("a lattice")
}

/// Numbers that single precision holds, all different.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|i| (i as f64 - 100.0) / 64.0).collect()
}

/// Unitary links: rotations of the first two colors by different angles.
pub(super) fn rotations(links: usize) -> Vec<f64> {
    let link = |i: usize| {
        let (s, c) = (i as f64 / 7.0).sin_cos();
        let mut link = [0.0; 18];
        (link[0], link[2], link[6], link[8], link[16]) = (c, s, -s, c, 1.0);
        link
    };
    (0..links).flat_map(link).collect()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Writes arrays and reads them with the codec's strict reader.
fn written(arrays: &[NewField<'_>], wish: &Wish) -> Result<Vec<(Vec<f64>, Verdict)>, Error> {
    let folder = folder();
    let path = folder.path().join("field.lime");
    let mut warnings = Vec::new();
    write_fields(&path, false, &lattice(), arrays, wish, &mut warnings)?;
    // Numbers that are all different are no links.
    warnings.retain(|warning| !matches!(warning, Warning::ArrayNotUnitary(..)));
    assert_eq!(warnings, []);
    Ok(read(&path))
}

fn read(path: &Path) -> Vec<(Vec<f64>, Verdict)> {
    let bytes = std::fs::read(path).expect("the file was written");
    let mut buffer = vec![0; 64 << 10];
    let mut file = FieldReader::new(&bytes[..], &mut buffer);
    let mut fields = Vec::new();
    while let Some(mut field) = file.next_field().expect("a good file") {
        let mut numbers = vec![0.0; field.number_count().expect("numbers")];
        let verdict = field.read_into(&mut numbers).expect("a good file");
        fields.push((numbers, verdict));
    }
    fields
}

#[test]
fn links_in_every_form_and_precision_read_back_equal() {
    for (kind, rows, per_link) in [
        (GaugeKind::SU3, Rows::Full, 18),
        (GaugeKind::SU3, Rows::Reduced, 12),
        (GaugeKind::parse(b"so4gauge").expect("a kind"), Rows::Full, 16),
        (GaugeKind::parse(b"u1phase").expect("a kind"), Rows::Full, 1),
    ] {
        let double = numbers(SITES * 4 * per_link);
        let single: Vec<f32> = double.iter().map(|number| *number as f32).collect();
        for target in [None, Some(Target::Ildg), Some(Target::Scidac), Some(Target::Both)] {
            if rows == Rows::Reduced && matches!(target, Some(Target::Scidac)) {
                continue;
            }
            for values in [Values::from(&double[..]), Values::from(&single[..])] {
                for precision in [None, Some(Precision::F32), Some(Precision::F64)] {
                    let content = Content::Links { kind, rows };
                    let array = NewField { content, ..NewField::links(values, kind) };
                    let lfn = (target != Some(Target::Scidac)).then(|| "lfn://test/field".to_owned());
                    let wish = Wish { target, precision, lfn, checksum: true, ..Wish::default() };
                    let read = written(&[array], &wish).expect("a good array");
                    let [(numbers, Verdict::Match { .. })] = &read[..] else {
                        panic!("{kind} {target:?}: {read:?}")
                    };
                    assert!(*numbers == double, "{kind} {target:?} {precision:?}");
                }
            }
        }
    }
}

#[test]
fn records_on_the_lattice_and_on_a_time_slice_read_back_equal() {
    let corner = |values: [u32; 4]| Coordinates::new(&values).expect("a site");
    let cube =
        Hypercube::new(corner([0, 0, 0, 2]), corner([1, 2, 1, 2]), &lattice()).expect("in the lattice");
    let source = PrivateRecord::complex_field(Precision::F64).covering(&Region::Hypercube(cube));
    let solution = PrivateRecord::dirac_fermion(Precision::F64);
    let propagator = PrivateRecord::propagator(Precision::F32);
    let (one, two, three) = (numbers(SITES / 4 * 2), numbers(SITES * 24), numbers(SITES * 288));
    let three: Vec<f32> = three.iter().map(|number| *number as f32).collect();
    let arrays = [
        NewField::described(&one[..], source),
        NewField::described(&two[..], solution),
        NewField::described(&three[..], propagator),
    ];
    let read =
        written(&arrays, &Wish { date: Some("today".to_owned()), ..Wish::default() }).expect("good arrays");
    assert_eq!(read.len(), 3);
    assert!(read.iter().all(|(_, verdict)| matches!(verdict, Verdict::Match { .. })));
    assert!(read[0].0 == one && read[1].0 == two);
    assert!(read[2].0.iter().zip(&three).all(|(read, wrote)| *read == f64::from(*wrote)));
}

#[test]
fn what_cannot_be_written_is_a_typed_error_and_leaves_no_file() {
    let links = numbers(SITES * 4 * 18);
    let su3 = |values| NewField::links(values, GaugeKind::SU3);
    let refusal = |array: NewField<'_>, wish: Wish| match written(&[array], &wish) {
        Err(Error::Refused { refusal, .. }) => refusal,
        other => panic!("{other:?}"),
    };
    let expected = (SITES * 4 * 18) as u64;
    assert_eq!(refusal(su3(&links[1..]), Wish::default()), Refusal::Length { found: expected - 1, expected });
    let scidac = || Wish { target: Some(Target::Scidac), ..Wish::default() };
    assert_eq!(
        refusal(su3(&links), Wish { lfn: Some("lfn://a".to_owned()), ..scidac() }),
        Refusal::NameWithoutFormat
    );
    assert_eq!(
        refusal(su3(&links), Wish { update: Some("7".to_owned()), ..scidac() }),
        Refusal::UpdateWithoutFormat
    );
    assert_eq!(
        refusal(su3(&links), Wish { date: Some("x".repeat(65)), ..scidac() }),
        Refusal::Date("x".repeat(65))
    );
    let dirac = NewField::described(&links[..], PrivateRecord::dirac_fermion(Precision::F64));
    assert_eq!(refusal(dirac, Wish { target: Some(Target::Ildg), ..Wish::default() }), Refusal::NoGaugeField);
    // The codec knows no such type, but its name says what it has.
    let data = RecordData {
        datatype: "QDP_I_Int".try_into().expect("a short name"),
        precision: "D".try_into().expect("a letter"),
        typesize: 8,
        datacount: 1,
        ..RecordData::default()
    };
    let integers = PrivateRecord::new(&Region::Lattice).with_data(data).expect("a record");
    let refused =
        Refusal::OtherNumbers { datatype: "QDP_I_Int".to_owned(), named: "I", letter: "D".to_owned() };
    assert_eq!(refusal(NewField::described(&links[..], integers), scidac()), refused);
    assert!(matches!(
        written(&[su3(&links)], &Wish { update: Some("x".to_owned()), ..Wish::default() }),
        Err(Error::Fault { fault: Fault::Update { .. }, .. })
    ));

    let mut huge = links.clone();
    huge[18 * 4 * 5] = 1e39;
    let folder = folder();
    let path = folder.path().join("field.lime");
    let single = Wish { precision: Some(Precision::F32), ..Wish::default() };
    let write = |values, wish: &Wish, replace| {
        write_fields(&path, replace, &lattice(), &[su3(values)], wish, &mut Vec::new())
    };
    let error = write(&huge, &single, false).expect_err("an overflow");
    assert!(matches!(error, Error::Fault { fault: Fault::Overflow { site: 5, .. }, .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);

    write(&links, &single, false).expect("good links");
    let error = write(&links, &single, false).expect_err("the file exists");
    assert!(matches!(&error, Error::File(file) if matches!(file.why, FileErrorKind::Exists)), "{error}");
    write(&links, &Wish::default(), true).expect("the file is replaced");
    assert!(read(&path)[0].0 == links);
}

#[test]
fn numbers_that_are_not_finite_are_kept_and_counted() {
    let mut links = rotations(SITES * 4);
    links[3] = f64::NAN;
    let folder = folder();
    let path = folder.path().join("field.lime");
    let mut warnings = Vec::new();
    let array = NewField::links(&links[..], GaugeKind::SU3);
    write_fields(&path, false, &lattice(), &[array], &Wish::default(), &mut warnings).expect("kept");
    assert_eq!(warnings, [Warning::ArrayNotFinite(0, 1)]);
    assert!(read(&path)[0].0[3].is_nan());
}

#[test]
fn a_file_is_converted_through_memory() {
    let links = rotations(SITES * 4);
    let folder = folder();
    let path = folder.path().join("field.lime");
    let array = NewField::links(&links[..], GaugeKind::SU3);
    write_fields(&path, false, &lattice(), &[array], &Wish::default(), &mut Vec::new()).expect("good links");
    let mut source = std::io::Cursor::new(std::fs::read(&path).expect("the file was written"));
    let wish = Wish { target: Some(Target::Ildg), rows: Some(Rows::Reduced), ..Wish::default() };
    let found = find(&mut source, linkstream::Mode::Lenient, &mut Vec::new()).expect("a good file");
    let plan = Plan::new(&found, &wish, &Trust::default(), &mut Vec::new()).expect("a good wish");
    let records: Vec<_> = plan.records().map(|(index, planned)| (index, planned.bytes_per_site())).collect();
    assert_eq!(records, [(0, 4 * 12 * 8)]);
    assert!(plan.file().is_none());
    let mut out = std::io::Cursor::new(Vec::new());
    convert(&mut source, &Trust::default(), &wish, &mut out, &mut Vec::new()).expect("unitary links");
    std::fs::write(&path, out.into_inner()).expect("the folder is writable");
    let [(reduced, Verdict::Match { .. })] = &read(&path)[..] else { panic!("one field with a checksum") };
    let first: Vec<f64> = links.chunks(18).flat_map(|link| &link[..12]).copied().collect();
    assert!(*reduced == first);
    // A wrong request is an error that names the record.
    let wish = Wish { kind: GaugeKind::parse(b"su2gauge"), ..Wish::default() };
    let error = Plan::new(&found, &wish, &Trust::default(), &mut Vec::new()).expect_err("another kind");
    let Error::Refused { at: Some(at), .. } = error else { panic!("{error}") };
    assert!(matches!(*at, Location::Record { number: 0, .. }));
}

fn form(nodes: [u32; 4], layout: Layout) -> SetForm {
    SetForm { nodes: nodes.to_vec(), io: None, layout, is_multifile: false }
}

#[test]
fn sets_of_every_layout_read_back_equal() {
    let (single, double): (Vec<f32>, Vec<f64>) =
        (numbers(SITES * 24).iter().map(|number| *number as f32).collect(), numbers(SITES * 4 * 18));
    let folder = folder();
    let table = format!("0 {0}/a\n1 {0}/b\n2 {0}/a\n3 {0}/b\n", folder.path().display());
    let layouts = [Layout::Same, Layout::Directory, Layout::of_table(&table).expect("a table")];
    for (number, layout) in layouts.into_iter().enumerate() {
        let name = folder.path().join(format!("set{number}"));
        let arrays = [
            NewField::links(&double[..], GaugeKind::SU3),
            NewField::described(&single[..], PrivateRecord::dirac_fermion(Precision::F32)),
        ];
        let wish = Wish::default();
        let form = form([2, 1, 1, 2], layout);
        let write =
            |replace| write_fields_as_set(&name, replace, &form, &lattice(), &arrays, &wish, &mut Vec::new());
        write(false).expect("a good set");
        let file = crate::File::open_path_in(&name, &form.layout).expect("a good set");
        assert!(file.is_set());
        let mut read = vec![0.0_f64; double.len()];
        let field = file.field(0).expect("two fields");
        let verdict = field.read(&crate::Selection::All, &mut read, crate::Verify::Yes).expect("good data");
        assert!(verdict.is_verified() && read == double);
        let mut read = vec![0.0_f32; single.len()];
        let field = file.field(1).expect("two fields");
        let verdict = field.read(&crate::Selection::All, &mut read, crate::Verify::Yes).expect("good data");
        assert!(verdict.is_verified() && read == single);
        let error = write(false).expect_err("the volumes exist");
        assert!(matches!(&error, Error::File(file) if matches!(file.why, FileErrorKind::Exists)), "{error}");
        write(true).expect("the volumes are replaced");
    }
    // A table says where the volumes are; no others are looked for.
    let elsewhere = Layout::of_table(&format!("0 {}/c\n", folder.path().display())).expect("a table");
    let Err(error) = crate::File::open_path_in(folder.path().join("set2"), &elsewhere) else {
        panic!("the folder has no volume")
    };
    assert!(matches!(error, crate::Error::Folders(crate::set::FolderError::NoVolume)), "{error}");
}

#[test]
fn sets_that_cannot_be_are_typed_errors() {
    let links = numbers(SITES * 4 * 18);
    let folder = folder();
    let name = folder.path().join("set");
    let write = |nodes, target| {
        let array = NewField::links(&links[..], GaugeKind::SU3);
        let wish = Wish { target: Some(target), ..Wish::default() };
        let form = form(nodes, Layout::Same);
        write_fields_as_set(&name, false, &form, &lattice(), &[array], &wish, &mut Vec::new())
    };
    let refusal = |written: Result<(), Error>| match written {
        Err(Error::Refused { refusal, .. }) => refusal,
        other => panic!("{other:?}"),
    };
    assert!(matches!(refusal(write([1, 2, 1, 1], Target::Both)), Refusal::Mesh { .. }));
    assert_eq!(refusal(write([2, 1, 1, 1], Target::Ildg)), Refusal::SetWithoutScidac);
    write([2, 1, 1, 2], Target::Scidac).expect("a good set");
    let error = write([2, 1, 1, 1], Target::Scidac).expect_err("volumes of another set exist");
    assert!(matches!(error, Error::OtherSet(_)), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 4);
}

#[test]
fn links_that_are_absent_inside_the_lattice_get_no_name() {
    let folder = folder();
    let path = folder.path().join("links");
    let mut links = rotations(SITES * 4);
    links[18 * 7..18 * 8].fill(0.0);
    let array = [NewField::links(&links[..], GaugeKind::SU3)];
    let wish =
        Wish { target: Some(Target::Ildg), lfn: Some("lfn://example/unit".to_owned()), ..Wish::default() };
    let error =
        write_fields(&path, false, &lattice(), &array, &wish, &mut Vec::new()).expect_err("a link is zero");
    assert!(matches!(error, Error::Fault { fault: Fault::Boundary(_), .. }), "{error:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

/// Changes a byte of each file in a directory that this process has open, also of those without a name, when the
/// reading back begins.
#[cfg(target_os = "linux")]
struct Damaging<'f>(&'f Path);

#[cfg(target_os = "linux")]
impl Observer for Damaging<'_> {
    fn warn(&mut self, warning: Warning) {
        panic!("{warning}");
    }

    fn phase(&mut self, _: u64) -> Phase {
        use std::os::unix::fs::FileExt as _;

        for open in std::fs::read_dir("/proc/self/fd").expect("a folder").flatten() {
            if !std::fs::read_link(open.path()).is_ok_and(|file| file.starts_with(self.0)) {
                continue;
            }
            let file = std::fs::OpenOptions::new().write(true).open(open.path()).expect("an open file");
            let length = file.metadata().expect("an open file").len();
            // In the data, which are most of the file. A file can be open twice.
            if length > 0 {
                file.write_at(&[0xa5; 4], length / 2).expect("it is writable");
            }
        }
        Phase::default()
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_disk_changes_is_read_back_and_gets_no_name() {
    let (links, wish) = (rotations(SITES * 4), Wish::default());
    let folder = folder();
    let path = folder.path().join("links");
    let array = [NewField::links(&links[..], GaugeKind::SU3)];
    let refuse = |written: Result<(), Error>| {
        let error = written.expect_err("the file was changed");
        assert!(matches!(error, Error::ReadBack(_)), "{error:?}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    };
    refuse(write_fields(&path, false, &lattice(), &array, &wish, &mut Damaging(folder.path())));
    let form = form([2, 1, 1, 2], Layout::Same);
    let mut damaging = Damaging(folder.path());
    refuse(write_fields_as_set(&path, false, &form, &lattice(), &array, &wish, &mut damaging));
}

#[test]
fn links_that_are_not_unitary_have_a_warning() {
    let folder = folder();
    let good = rotations(SITES * 4);
    let swapped: Vec<f64> = good.iter().map(|number| f64::from_bits(number.to_bits().swap_bytes())).collect();
    let mut one = good.clone();
    one[18 * 7] += 1e-9;
    let single: Vec<f32> = good.iter().map(|number| *number as f32).collect();
    for (number, (links, is_good)) in [
        (Values::from(&good[..]), true),
        (Values::from(&single[..]), true),
        (Values::from(&swapped[..]), false),
        (Values::from(&one[..]), false),
    ]
    .into_iter()
    .enumerate()
    {
        for rows in [Rows::Full, Rows::Reduced] {
            for target in [Target::Both, Target::Ildg, Target::Scidac] {
                if rows == Rows::Reduced && target == Target::Scidac {
                    continue;
                }
                let path = folder.path().join(format!("{number} {rows:?} {target:?}"));
                let per_link = if rows == Rows::Full { 18 } else { 12 };
                let reduced: Vec<f64> = match links {
                    Values::F64(all) => all.chunks(18).flat_map(|link| &link[..per_link]).copied().collect(),
                    Values::F32(all) => {
                        all.chunks(18).flat_map(|link| &link[..per_link]).map(|x| (*x).into()).collect()
                    }
                    Values::Stream(_) => Vec::new(),
                };
                let content = Content::Links { kind: GaugeKind::SU3, rows };
                let array = NewField { content, ..NewField::links(&reduced[..], GaugeKind::SU3) };
                let wish = Wish { target: Some(target), lfn: None, ..Wish::default() };
                let mut warnings = Vec::new();
                write_fields(&path, false, &lattice(), &[array], &wish, &mut warnings)
                    .expect("it is writable");
                let warned = warnings.iter().any(|warning| matches!(warning, Warning::ArrayNotUnitary(0, _)));
                assert_eq!(warned, !is_good, "{number} {rows:?} {target:?}: {warnings:?}");
            }
        }
    }
}
