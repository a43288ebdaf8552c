//! Checks that files that are read in parts are reported as if they were read in order: every fixture, intact and
//! damaged.

use std::convert::Infallible;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use host_tests::fixtures::Fixtures;
use linkstream::io::FromStd;
use linkstream::lattice::Checksum;
use linkstream_access::source::Source;
use linkstream_report::identify::identify;
use linkstream_report::json_line::write_line;
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::survey::{ByReading, BySeeking, survey};

const OPTIONS: Options = Options {
    read_data: true,
    observables: true,
    polyakov_loop: false,
    slices: true,
    slice_sums: false,
    lenient: false,
    require_checksum: false,
    receiver: None,
};

/// A file in memory. Fields of any size are read in parts, a few bytes at a time.
struct Memory<'f>(&'f [u8]);

impl Source for Memory<'_> {
    type Error = std::io::Error;

    fn length(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn worthwhile(&self) -> u64 {
        0
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let n = rest.len().min(out.len()).min(1000);
        out[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

fn in_order(file: &[u8], options: &Options) -> Report {
    let Ok((first, format)) = identify(&mut { file });
    let read =
        survey::<ByReading, &[u8]>(file, None, "file", &first, format, Some(file.len() as u64), options);
    read.unwrap_or_else(|error: linkstream_report::survey::SurveyError<Infallible>| panic!("{error}"))
}

fn in_parts(file: &[u8], options: &Options) -> Report {
    let Ok((first, format)) = identify(&mut { file });
    let source = FromStd(Cursor::new(file));
    survey::<BySeeking, _>(
        source,
        Some(&Memory(file)),
        "file",
        &first,
        format,
        Some(file.len() as u64),
        options,
    )
    .expect("memory can be read")
}

#[track_caller]
fn assert_same(file: &[u8], options: &Options, what: &str) {
    let (in_order, in_parts) = (in_order(file, options), in_parts(file, options));
    let json = |report: &Report| {
        let mut line = Vec::new();
        write_line(report, &mut line).expect("memory takes it");
        String::from_utf8(line).expect("JSON is UTF-8")
    };
    assert_eq!(json(&in_order), json(&in_parts), "{what}");
    // The report has more than its JSON. Debug output is compared because NaN is not equal to itself.
    assert_eq!(format!("{in_order:?}"), format!("{in_parts:?}"), "{what}");
}

/// All files in a directory.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().expect("the folder of the fixtures can be read") {
        let path = entry.expect("the folder of the fixtures can be read").path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

fn each_fixture(mut test: impl FnMut(&[u8], &str)) {
    let all = files(&Fixtures::Ours.folder());
    assert!(all.len() > 400, "only {} fixtures", all.len());
    for path in all {
        test(&std::fs::read(&path).expect("the fixture can be read"), &path.display().to_string());
    }
}

#[test]
fn every_fixture() {
    let mut verified = 0;
    each_fixture(|file, name| {
        assert_same(file, &OPTIONS, name);
        assert_same(file, &Options { observables: false, ..OPTIONS }, name);
        verified += usize::from(in_parts(file, &OPTIONS).is_ok());
    });
    assert!(verified > 100, "only {verified} fixtures are intact");
}

#[test]
fn sums_of_slices_are_those_of_the_checksum() {
    let (mut fields, mut slices) = (0, 0);
    each_fixture(|file, name| {
        let mut report = in_parts(file, &Options { slice_sums: true, ..OPTIONS });
        if let Body::Lime(contents) = &mut report.body {
            for field in &mut contents.fields {
                let Some(sums) = field.slice_sums.take() else { continue };
                let all =
                    sums.iter().copied().map(Checksum::from).fold(Checksum::default(), Checksum::combine);
                assert_eq!(Some(all), field.checksum, "{name}");
                (fields, slices) = (fields + 1, slices + sums.len());
            }
        }
        // Nothing else is reported.
        assert_eq!(format!("{report:?}"), format!("{:?}", in_parts(file, &OPTIONS)), "{name}");
    });
    assert!(fields > 100 && slices > 2 * fields, "{fields} fields, {slices} slices");
}

#[test]
fn every_fixture_cut_short_and_with_a_bit_flipped() {
    // Different places in each file, the same in every run.
    let mut state = 1_u64;
    let mut place = |length: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % length.max(1)
    };
    each_fixture(|file, name| {
        for _ in 0..4 {
            let end = place(file.len());
            assert_same(&file[..end], &OPTIONS, &format!("{name} until {end}"));
        }
        let mut damaged = file.to_vec();
        for _ in 0..4 {
            let at = place(file.len());
            if let Some(byte) = damaged.get_mut(at) {
                *byte ^= 1 << (at % 8);
                assert_same(&damaged, &OPTIONS, &format!("{name} with a bit flipped at {at}"));
            }
        }
    });
}

/// A file that becomes shorter while it is read in parts.
struct Shrinking<'f> {
    file: &'f [u8],
    claimed: u64,
}

impl Source for Shrinking<'_> {
    type Error = std::io::Error;

    fn length(&self) -> std::io::Result<u64> {
        Ok(self.claimed)
    }

    fn worthwhile(&self) -> u64 {
        0
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        Memory(self.file).read_at(offset, out)
    }
}

#[test]
fn a_file_that_becomes_shorter_is_reported_as_it_is_then() {
    let file = Fixtures::Ours.read("../../examples/su3-4x4x4x8.lime");
    let cut = &file[..file.len() / 2];
    let Ok((first, format)) = identify(&mut { cut });
    let parts = Shrinking { file: cut, claimed: file.len() as u64 };
    let source = FromStd(Cursor::new(cut));
    let found = survey::<BySeeking, _>(source, Some(&parts), "file", &first, format, None, &OPTIONS)
        .expect("the file can be read");
    assert_eq!(format!("{found:?}"), format!("{:?}", in_order(cut, &OPTIONS)));
    assert!(!found.is_ok());
}
