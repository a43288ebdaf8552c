//! Data of other programs: they are recognised and named, and are neither unrelated nor wrong beside configurations.

use crate::common::gauge::{fixture, go};
use crate::common::lime::put;
use crate::common::{linkstream, report, said, status};
use crate::foreign::check;
use crate::packed::{bzip2, gzip, tar};

/// Formats of other programs, with what is said about them.
const OTHER_PROGRAMS: [(&str, &str, &str); 14] = [
    ("20-milc-ksprop", "this is a staggered propagator of MILC", "MILC reads it"),
    ("20b-fnal", "this is FNAL", "MILC reads it"),
    ("20c-milc-v4", "this is MILC of version 1 to 4", "MILC reads it"),
    ("20d-hirep", "this is HiRep", "HiRep's converter reads it"),
    ("20g-mdp.mdp", "this is MDP", "FermiQCD (MDP) reads it"),
    ("20h-milc-1996", "this is MILC of 1996", "MILC reads it"),
    ("20i-milc-1996-le", "this is MILC of 1996", "MILC reads it"),
    ("20j-milc-wprop", "this is a Wilson propagator of MILC", "MILC reads it"),
    ("20k-milc-wprop-le", "this is a Wilson propagator of MILC", "MILC reads it"),
    ("20l-milc-old-ksprop", "this is a staggered propagator of MILC", "MILC reads it"),
    ("20m-milc-v4-64bit", "this is MILC of version 1 to 4", "MILC reads it"),
    ("20n-milc-ascii", "this is MILC as text", "MILC reads it"),
    ("20o-milc-u1", "this is a U(1) field of MILC", "MILC reads it"),
    ("20p-qlattice.field", "this is a field of Qlattice", "Qlattice and GPT read it"),
];

/// Exit status and standard output of `check -q` of a directory.
fn check_directory(folder: &tempfile::TempDir, options: &[&str]) -> (i32, String) {
    let mut command = linkstream();
    let output = command.args(["check", "-q"]).args(options).arg(folder.path()).output().expect("it runs");
    (status(&output), String::from_utf8(output.stdout.clone()).expect("text"))
}

/// Beside configurations, and whatever their name is, they are listed with their name, and are neither unrelated nor wrong.
#[test]
fn recognised_lattice_data_are_never_unrelated_or_wrong() {
    for (name, what, program) in OTHER_PROGRAMS {
        let (code, text) = check(name, &[]);
        assert!(text.contains(what) && text.contains(program), "{name}: {text}");
        assert_eq!(code, 1, "{name}");
        for (good, another) in [
            ("good", "another"),
            ("conf.0010", "conf.0020"),
            ("conf.0010", "conf.0020.gz"),
            ("conf.0010", "conf.0020.bz2"),
        ] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let file = fixture(&format!("foreign/{name}"));
            let file = match another.rsplit('.').next() {
                Some("gz") => gzip(&file),
                Some("bz2") => bzip2(&file),
                _ => file,
            };
            put(&folder, another, file);
            put(&folder, good, fixture("foreign/08-cl2qcd.ildg"));
            let (code, text) = check_directory(&folder, &["--lenient"]);
            let line = format!("{another}: RECOGNISED: {what}, which is recognised but not read; {program}");
            assert!(text.contains(&line), "{name}: {text}");
            let summary = "1 file: 1 OK, 0 UNVERIFIED, 0 WRONG, 0 UNREADABLE; 1 file of another program recognised, not read\n";
            assert!(text.ends_with(summary), "{name}: {text}");
            assert_eq!(code, 0, "{name}: {text}");
            let (code, text) = check_directory(&folder, &["--lenient", "--all"]);
            assert!(text.contains(&format!("{another}: WRONG")) && code == 1, "{name}: {text}");
        }
    }
}

/// The same in an archive, and for files that hold links without a header, or something else, and are named like data.
#[test]
fn files_of_other_programs_are_recognised_everywhere() {
    let links: Vec<u8> = headless().iter().flat_map(|number| number.to_be_bytes()).collect();
    let hdf5 = [&b"\x89HDF\r\n\x1a\n"[..], &[1; 3000]].concat();
    let reversed = {
        let mut file = fixture("foreign/20f-openqcd");
        let at = file.len().min(16);
        file[..at].chunks_mut(4).for_each(<[u8]>::reverse);
        file[at..].chunks_mut(8).for_each(<[u8]>::reverse);
        file
    };
    let good = fixture("foreign/08-cl2qcd.ildg");
    let fnal = fixture("foreign/20b-fnal");
    let others = [
        ("conf.20", &fnal, "this is FNAL"),
        ("conf.30", &links, "this is a gauge field of SU(3) without a header, in double precision"),
        ("conf.40", &hdf5, "this is HDF5"),
        ("conf.50", &reversed, "this is openQCD with big-endian numbers"),
        ("other", &fnal, "this is FNAL"),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "conf.10", &good);
    put(&folder, "results", &hdf5);
    let mut members = vec![("conf.10", &good[..]), ("results", &hdf5[..])];
    for (name, file, _) in &others {
        put(&folder, name, file);
        members.push((name, file));
    }
    let archived = tempfile::tempdir().expect("a temporary folder");
    put(&archived, "run.tar", tar(&members));
    for folder in [&folder, &archived] {
        let (code, text) = check_directory(folder, &["--lenient", "-v"]);
        for (name, _, what) in &others {
            assert!(text.contains(&format!("{name}: RECOGNISED: {what}, which is recognised")), "{text}");
        }
        // It has another name: perhaps it has nothing to do with the data.
        assert!(text.contains("results: SKIPPED: this is HDF5\n"), "{text}");
        assert!(
            text.contains("; 5 files of other programs recognised, not read; 1 unrelated file skipped"),
            "{text}"
        );
        assert_eq!(code, 0, "{text}");
    }
    // Nothing is good where nothing was checked.
    let alone = tempfile::tempdir().expect("a temporary folder");
    put(&alone, "lat", &fnal);
    let mut command = linkstream();
    let output = command.args(["check", "-q"]).arg(alone.path()).output().expect("it runs");
    assert!(
        said(&output).contains("no files to report on; 1 file of another program recognised"),
        "{}",
        said(&output)
    );
    assert_eq!(status(&output), 2);
}

/// Other files of the same programs: other byte orders, groups and lattices.
#[test]
fn other_files_of_other_programs_are_recognised() {
    let noise: Vec<u8> = (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let with = |first: &[u8]| [first, &noise].concat();
    let hirep = |colors: u32, extents: [u32; 4]| {
        let sites: u32 = extents.iter().product();
        let head: Vec<u8> = [colors].iter().chain(&extents).flat_map(|number| number.to_be_bytes()).collect();
        let links = noise.iter().copied().cycle().take((sites * 64 * colors * colors) as usize);
        [head, 0.6_f64.to_be_bytes().to_vec(), links.collect()].concat()
    };
    let files = [
        (with(b"4dbq"), "this is FNAL"),
        (with(b"qbd4\0\0\0\x04"), "this is FNAL"),
        (with(b"File Type: MDP FIELD\nprogram: mine\n"), "this is MDP"),
        (with(b"File Type: MDP FIELD\0"), "this is MDP"),
        (hirep(2, [4, 2, 2, 2]), "this is HiRep"),
        (hirep(3, [2, 6, 4, 2]), "this is HiRep"),
        (with(b"\0\0\xe7\xda\0\0\0\x08"), "this is MILC of version 1 to 4"),
        (with(b"\xda\xe7\0\0\x08\0\0\0"), "this is MILC of version 1 to 4"),
        (with(b"\x39\x83\x03\0"), "this is a staggered propagator of MILC"),
        (with(b"\xa9\x5a\0\0"), "this is a staggered propagator of MILC"),
        (with(b"\0\0\x31\xed"), "this is a Wilson propagator of MILC"),
        (with(b"\xed\x31\0\0"), "this is a Wilson propagator of MILC"),
        (with(b"\xd7\x08\0\0"), "this is a U(1) field of MILC"),
        (with(b"20103\n\"Sun Nov 29\"\n"), "this is MILC as text"),
        (with(b"BEGIN_FIELD_HEADER\nfield_version = 1.0\n"), "this is a field of Qlattice"),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "conf.1000", fixture("foreign/08-cl2qcd.ildg"));
    for (number, (file, _)) in files.iter().enumerate() {
        put(&folder, &format!("conf.{number}"), file);
    }
    let (code, text) = check_directory(&folder, &["--lenient"]);
    for (number, (_, what)) in files.iter().enumerate() {
        assert!(
            text.contains(&format!("conf.{number}: RECOGNISED: {what}, which is recognised")),
            "{number}: {text}"
        );
    }
    assert!(text.contains("1 file: 1 OK, ") && code == 0, "{text}");
}

/// Files in no format of another program still fail: a cut one has no length that shows it, and a name can promise a format.
#[test]
fn damage_and_false_names_still_fail() {
    let hirep = fixture("foreign/20d-hirep");
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "run_1n2", &hirep);
    put(&folder, "run_1n3", &hirep[..5000]);
    put(&folder, "lat.lime", fixture("foreign/20b-fnal"));
    let (code, text) = check_directory(&folder, &[]);
    assert!(text.contains("run_1n2: RECOGNISED: this is HiRep"), "{text}");
    assert!(text.contains("run_1n3: WRONG") && text.contains("[file-named-like-data]"), "{text}");
    assert!(text.contains("lat.lime: WRONG") && text.contains("[format-not-read]") && code == 1, "{text}");
}

/// Two unitary links that are not diagonal, and zeros up to whole sites.
fn headless() -> Vec<f64> {
    let (c, s) = (0.6, 0.8);
    let link = [c, 0.0, 0.0, s, 0.0, 0.0, 0.0, s, c, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut links = [link, link].concat();
    links.resize(72 * 16, 0.0);
    links
}

#[test]
fn fields_without_a_header_and_formats_behind_other_bytes_are_named() {
    let numbers = headless();
    let big: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
    let little: Vec<u8> = numbers.iter().flat_map(|number| (*number as f32).to_le_bytes()).collect();
    let text: String = numbers.iter().map(|number| format!("{number:.15e}\n")).collect();
    let behind = |block: usize| [&vec![b'x'; block][..], b"\x89HDF\r\n\x1a\n", &[0; 2000]].concat();
    let cases = [
        (big, "without a header, in double precision, which", "JLQCD, KYU and Bridge++ write such files"),
        (little, "in single precision, little-endian", "--precision 32 --little-endian"),
        (text.into_bytes(), "a gauge field of SU(3) as text", "Bridge++ and Gaugefields.jl read such files"),
        (behind(512), "HDF5 behind a block of the user", "h5py"),
        (behind(1024), "HDF5 behind a block of the user", "h5py"),
        (behind(2048), "HDF5 behind a block of the user", "h5py"),
        (behind(4096), "HDF5 behind a block of the user", "h5py"),
    ];
    for (file, what, program) in cases {
        let (found, _) = report("check", &file, &[]);
        // Standard input has no size, but a copy of it has.
        let folder = tempfile::tempdir().expect("a temporary folder");
        put(&folder, "file", &file);
        let output = go(&folder, &["check", "file"], b"");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.contains(what) && text.contains(program), "{text} {found}");
        assert!(text.contains("[format-not-read]"), "{text}");
    }
    // Data that have lost the beginning of their file, and tables, are neither.
    for other in [&[1, 2, 3][..], &b"1 0 0\n0 1 0\n0 0 1\n".repeat(20), &behind(600)] {
        let (found, _) = report("check", other, &[]);
        assert_eq!(found["findings"][0]["rule"], "format-unknown", "{found}");
    }
}

#[test]
fn numbers_of_qcdsp_are_named() {
    let file = fixture("foreign/02-cps-empty-ensemble.nersc");
    let at = file.windows(14).position(|part| part == b"FLOATING_POINT").expect("a line");
    let end = at + file[at..].iter().position(|byte| *byte == b'\n').expect("its end");
    let file = [&file[..at], b"FLOATING_POINT = TIDSP32", &file[end..]].concat();
    let (found, _) = report("check", &file, &[]);
    let message = found["findings"][0]["message"].as_str().expect("a message");
    assert!(message.contains("TIDSP32: QCDSP"), "{found}");
}
