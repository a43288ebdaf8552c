//! `linkstream export`, `ildg make` from an array, and what extraction commands print about the data.

use host_tests::fixtures::Fixtures;
use host_tests::long;
use tempfile::TempDir;

use super::common::gauge::{
    data, fixture, format, go, ildg, numbers, of_doubles, of_singles, records, refused, well,
};
use super::common::lime::{put, read, record};
use super::common::{matrix, reals, run, said, scda, status};

const EXTENTS: [u32; 4] = [2, 3, 4, 5];
/// Numbers at a site: 4 links of 3x3 complex numbers.
const SITE: usize = 72;
const SITES: usize = 2 * 3 * 4 * 5;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// An NPY file of version 1.0, as NumPy writes it.
fn npy(descr: &str, fortran: bool, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    let end = (10 + text.len() + 1).next_multiple_of(64);
    text.push_str(&" ".repeat(end - 11 - text.len()));
    text.push('\n');
    let length = (text.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes(), bytes].concat()
}

fn gauge() -> (Vec<u8>, Vec<u8>) {
    let bytes = of_doubles(&numbers(SITES * SITE));
    (ildg(&format("1.2", "su3gauge", 0, 64, EXTENTS), &bytes), bytes)
}

#[test]
fn a_field_becomes_an_array_of_its_own_bytes() {
    let folder = folder();
    let (file, bytes) = gauge();
    put(&folder, "f", &file);
    let printed = well(&folder, &["export", "-v", "f", "f.npy", "--damaged"], b"");
    assert!(printed.contains("dtype >c16, shape (5, 4, 3, 2, 4, 3, 3)\n"), "{printed}");
    assert!(read(&folder, "f.npy") == npy(">c16", false, "(5, 4, 3, 2, 4, 3, 3)", &bytes));
    // Input and output can also be pipes.
    let piped = go(&folder, &["export", "-", "-", "--damaged"], &file);
    assert!(status(&piped) == 0 && piped.stdout == read(&folder, "f.npy"));
    // A time slice consists of all sites with one value of t.
    well(&folder, &["export", "f", "slice.npy", "--slice", "3", "--damaged"], b"");
    let slice = &bytes[3 * 24 * SITE * 8..4 * 24 * SITE * 8];
    assert!(read(&folder, "slice.npy") == npy(">c16", false, "(4, 3, 2, 4, 3, 3)", slice));
    refused(
        &folder,
        &["export", "f", "x", "--slice", "5", "--damaged"],
        b"",
        2,
        "time slice 5 does not exist: the field has 5 time slices, 0 to 4",
    );
    refused(&folder, &["export", "f", "f.npy"], b"", 2, "exists");
    // Single precision and reduced rows.
    let two = ildg(&format("1.2", "su3gauge", 2, 32, EXTENTS), &of_singles(&vec![0.5; SITES * 48]));
    let printed = go(&folder, &["export", "-v", "-", "-", "--damaged"], &two);
    assert!(said(&printed).contains("dtype >c8, shape (5, 4, 3, 2, 4, 2, 3)"), "{}", said(&printed));
    // Real numbers.
    let real = ildg(&format("1.2", "so3gauge", 0, 32, EXTENTS), &of_singles(&vec![0.5; SITES * 36]));
    let printed = go(&folder, &["export", "-v", "-", "-", "--damaged"], &real);
    assert!(said(&printed).contains("dtype >f4, shape (5, 4, 3, 2, 4, 3, 3)"), "{}", said(&printed));
}

#[test]
fn data_of_every_kind_have_their_shapes() {
    let folder = folder();
    for (name, field, expected) in [
        ("qio/single/real_d_2x3x4x5.lime", "0", "dtype >f8, shape (5, 4, 3, 2)"),
        ("qio/single/complex_f_2x3x4x5.lime", "0", "dtype >c8, shape (5, 4, 3, 2)"),
        ("qio/single/complex_d_n3_2x3x4x5.lime", "0", "dtype >c16, shape (5, 4, 3, 2, 3)"),
        ("qio/single/cvec_d3_2x3x4x5.lime", "0", "dtype >c16, shape (5, 4, 3, 2, 3)"),
        ("qio/single/dirac_f3_2x3x4x5.lime", "0", "dtype >c8, shape (5, 4, 3, 2, 4, 3)"),
        ("qio/single/gauge_d3_2x3x4x5.lime", "0", "dtype >c16, shape (5, 4, 3, 2, 4, 3, 3)"),
        ("qio/single/dim2_5x7.lime", "0", "shape (7, 5"),
        ("qio/single/int_2x3x4x5.lime", "0", "dtype >i4, shape (5, 4, 3, 2)"),
    ] {
        let file = fixture(name);
        let output = go(&folder, &["export", "-v", "-", "-", "--field", field], &file);
        assert_eq!(status(&output), 0, "{name}: {}", said(&output));
        assert!(said(&output).contains(expected), "{name}: {}", said(&output));
        let found = records(&file);
        let payload = found.iter().find(|found| found.record_type.ends_with("-binary-data")).expect("data");
        assert!(output.stdout.ends_with(&payload.payload), "{name}");
        assert_eq!(output.stdout.len() % 64, payload.payload.len() % 64, "{name}");
    }
}

#[test]
fn the_record_is_chosen_by_its_number() {
    let folder = folder();
    put(&folder, "f", fixture("qio/ildg/ildg_then_real_then_gauge.lime"));
    refused(&folder, &["export", "f", "x"], b"", 2, "there are 3 fields; choose one with --field");
    refused(&folder, &["export", "f", "x", "--field", "3"], b"", 2, "field 3 does not exist");
    let all: Vec<_> = records(&read(&folder, "f"))
        .into_iter()
        .filter(|found| found.record_type.ends_with("-binary-data"))
        .collect();
    for (number, found) in all.iter().enumerate() {
        let output = go(&folder, &["export", "f", "-", "--field", &number.to_string()], b"");
        assert!(status(&output) == 0 && output.stdout.ends_with(&found.payload), "{number}");
    }
}

#[test]
fn damaged_data_are_not_exported() {
    let folder = folder();
    let mut file = fixture("qio/single/gauge_d3_2x3x4x5.lime");
    let found = records(&file);
    let payload = found.iter().find(|found| found.record_type.ends_with("-binary-data")).expect("data");
    file[payload.offset + 144 + 100] ^= 1;
    put(&folder, "f", &file);
    refused(&folder, &["export", "f", "x"], b"", 1, "checksum mismatch");
    put(&folder, "g", "neither");
    refused(&folder, &["export", "g", "x"], b"", 1, "not a file that linkstream reads");
    refused(
        &folder,
        &["export", "f", "x", "--section", "1", "--damaged"],
        b"",
        2,
        "--section can only be used with scda files",
    );
}

/// QIO's programs made the LIME files of the archives, and the sets of the single file.
#[test]
fn archives_and_sets_give_the_arrays_of_the_file_that_qio_made() {
    let folder = folder();
    let exported = |name: &str, more: &[&str]| {
        let file = Fixtures::Ours.folder().join(name);
        let file = file.to_str().expect("a path of characters");
        let output = go(&folder, &[&["export", file, "-"], more].concat(), b"");
        assert_eq!(status(&output), 0, "{name}: {}", said(&output));
        output.stdout
    };
    for archive in ["n3x2_d", "n3x2_f", "n3x3_d", "n3x3_f"] {
        let [made, read] =
            ["lime", "nersc"].map(|extension| exported(&format!("qio/nersc/{archive}.{extension}"), &[]));
        assert!(made == read && !read.is_empty(), "{archive}");
        let slice = exported(&format!("qio/nersc/{archive}.nersc"), &["--slice", "2"]);
        assert!(slice == exported(&format!("qio/nersc/{archive}.lime"), &["--slice", "2"]), "{archive}");
        assert!(slice.len() < read.len());
    }
    for options in [&["--field", "0"][..], &["--field", "1"], &["--field", "0", "--slice", "1"]] {
        let single = exported("qio/convert/sci_single.lime", options);
        for set in ["sci_part4", "sci_ppfs"] {
            assert!(exported(&format!("qio/convert/{set}.lime"), options) == single, "{set}, {options:?}");
        }
    }
}

/// Damaged numbers are exported if that is permitted; an array without its end is not.
#[test]
fn damaged_data_are_exported_as_they_are() {
    let folder = folder();
    let mut file = fixture("qio/single/gauge_d3_2x3x4x5.lime");
    well(&folder, &["export", "-", "good.npy"], &file);
    let mut expected = read(&folder, "good.npy");
    let found = records(&file);
    let data = found.iter().find(|found| found.record_type.ends_with("-binary-data")).expect("data");
    let (start, length) = (data.offset + 144, data.payload.len());
    file[start + 100] ^= 1;
    let header = expected.len() - length;
    expected[header + 100] ^= 1;
    put(&folder, "f", &file);
    well(&folder, &["export", "f", "f.npy", "--damaged"], b"");
    assert!(read(&folder, "f.npy") == expected);
    well(&folder, &["export", "f", "slice.npy", "--slice", "0", "--damaged"], b"");
    assert!(read(&folder, "slice.npy").ends_with(&expected[header..header + length / 5]));
    put(&folder, "short", &file[..start + length / 2]);
    refused(&folder, &["export", "short", "x", "--damaged"], b"", 1, "the file ends inside a record");
}

/// A time slice comes with the same warnings as all of the field, on every fixture with data.
#[test]
fn slices_of_unverified_data_are_warned_about() {
    let (mut warned, mut silent) = (0, 0);
    for folder in ["qio/single", "qio/alien", "qio/nersc", "broken/scidac", "broken/ildg"] {
        let entries = std::fs::read_dir(Fixtures::Ours.join(folder)).expect("a folder");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        for path in long::sample(paths.into_iter(), 3) {
            let path = path.display().to_string();
            let warnings = |options: &[&str]| {
                let output = run(&[&["export", &path, "-", "--field", "0"], options].concat(), b"");
                // The shapes differ.
                let is_warning = |line: &&str| !line.starts_with("dtype ");
                (status(&output) == 0)
                    .then(|| said(&output).lines().filter(is_warning).collect::<Vec<_>>().join("\n"))
            };
            for damaged in [&[][..], &["--damaged"]] {
                let all = warnings(damaged);
                let of_slice = warnings(&[damaged, &["--slice", "0"]].concat());
                let Some((all, of_slice)) = all.zip(of_slice) else { continue };
                assert_eq!(all, of_slice, "{path} {damaged:?}");
                let is_warned = all.contains("has no checksum, so its data are not verified");
                (warned, silent) = (warned + u32::from(is_warned), silent + u32::from(all.is_empty()));
            }
        }
    }
    // Otherwise this would show nothing.
    assert!(warned > 1 && silent > 1, "{warned} {silent}");
}

#[test]
fn a_matrix_becomes_an_array() {
    let folder = folder();
    let exported = |file: &[u8]| {
        let output = go(&folder, &["export", "-", "-"], file);
        assert_eq!(status(&output), 0, "{}", said(&output));
        output.stdout
    };
    let values = [1.5, -0.0, f64::NAN, 4.0, 5.0, 1e-310];
    let bytes = values.map(f64::to_le_bytes).concat();
    assert_eq!(exported(&reals(2, 3, &values)), npy("<f8", false, "(2, 3)", &bytes));
    assert_eq!(exported(&matrix(b'C', 3, 1, &bytes)), npy("<c16", false, "(3, 1)", &bytes));
    assert_eq!(exported(&matrix(b'Z', 1, 6, &bytes)), npy("<i8", false, "(1, 6)", &bytes));
    let bits = exported(&matrix(b'B', 3, 3, &[0b1010_0101, 1]));
    assert_eq!(bits, npy("|b1", false, "(3, 3)", &[1, 0, 1, 0, 0, 1, 0, 1, 1]));
    let short = go(&folder, &["export", "-", "-"], &reals(2, 3, &values)[..40]);
    assert_eq!(status(&short), 1);
}

#[test]
fn a_section_becomes_an_array() {
    let folder = folder();
    let numbers: Vec<u8> = (0..30).flat_map(|i| f64::from(i).to_le_bytes()).collect();
    put(&folder, "x", &numbers);
    for options in [&[][..], &["--compress"]] {
        let pieces = ["text:step=42", "array:x:24=x", "block:b=x", "varray:v=x,x"];
        well(&folder, &[&["scda", "create", "f", "--force"], options, &pieces].concat(), b"");
        let exported = |section: &str, more: &[&str]| {
            let output = go(&folder, &[&["export", "f", "-", "--section", section], more].concat(), b"");
            assert_eq!(status(&output), 0, "{}", said(&output));
            output.stdout
        };
        assert_eq!(exported("2", &[]), npy("|u1", false, "(10, 24)", &numbers));
        assert_eq!(exported("2", &["--dtype", "<f8"]), npy("<f8", false, "(10, 3)", &numbers));
        assert_eq!(exported("3", &["--dtype", "<c16"]), npy("<c16", false, "(15,)", &numbers));
        assert_eq!(exported("1", &[]).len(), 128 + 32);
    }
    refused(&folder, &["export", "f", "y"], b"", 2, "choose a section with --section");
    refused(&folder, &["export", "f", "y", "--section", "4"], b"", 2, "is not an array of one shape");
    refused(
        &folder,
        &["export", "f", "y", "--section", "5"],
        b"",
        2,
        "section 5 does not exist: the file has 5 sections, 0 to 4",
    );
    refused(
        &folder,
        &["export", "f", "y", "--section", "2", "--dtype", "<c16"],
        b"",
        2,
        "no numbers of type <c16",
    );
    refused(&folder, &["export", "f", "y", "--section", "2", "--dtype", "f8"], b"", 2, "is not a type");
}

#[test]
fn a_file_is_made_of_an_array() {
    let folder = folder();
    let values = numbers(SITES * SITE);
    let (file, big) = gauge();
    let little: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let shape = "(5, 4, 3, 2, 4, 3, 3)";
    for (name, array) in [
        ("complex, big endian", npy(">c16", false, shape, &big)),
        ("complex, little endian", npy("<c16", false, shape, &little)),
        ("floats", npy("<f8", false, "(5, 4, 3, 2, 4, 3, 3, 2)", &little)),
    ] {
        put(&folder, "x.npy", &array);
        let options = ["--lfn", "lfn://test/name", "--force"];
        well(
            &folder,
            &[&["ildg", "make", "made", "--data", "x.npy", "--any-numbers"], &options[..]].concat(),
            b"",
        );
        assert!(data(&read(&folder, "made")) == big, "{name}");
        assert!(read(&folder, "made") == read(&folder, "made"), "{name}");
        // Input from a pipe, with the lattice given as an option as well.
        let named = [
            "ildg",
            "make",
            "-",
            "--data",
            "-",
            "--extents",
            "2x3x4x5",
            "--lfn",
            "lfn://test/name",
            "--any-numbers",
        ];
        assert!(go(&folder, &named, &array).stdout == read(&folder, "made"), "{name}");
    }
    put(&folder, "f", &file);
    let compared = go(&folder, &["diff", "--data", "f", "made", "--damaged"], b"");
    assert_eq!(status(&compared), 0);
    // Exporting the result restores the array.
    well(&folder, &["export", "made", "back.npy", "--damaged"], b"");
    assert!(read(&folder, "back.npy") == npy(">c16", false, shape, &big));
    // The array determines rows and precision.
    let singles: Vec<u8> = (0..SITES * 48).flat_map(|i| (i as f32).to_le_bytes()).collect();
    put(&folder, "x.npy", npy("<c8", false, "(5, 4, 3, 2, 4, 2, 3)", &singles));
    well(&folder, &["ildg", "make", "made", "--data", "x.npy", "--force", "--any-numbers"], b"");
    let made = records(&read(&folder, "made"));
    let text = String::from_utf8_lossy(&made[0].payload).into_owned();
    assert!(text.contains("<rows>2</rows>") && text.contains("<precision>32</precision>"), "{text}");
}

#[test]
fn arrays_that_do_not_fit_are_refused() {
    let folder = folder();
    let bytes = of_doubles(&numbers(SITES * SITE));
    let shape = "(5, 4, 3, 2, 4, 3, 3)";
    for (array, options, words) in [
        (npy(">c16", true, shape, &bytes), &[][..], "Fortran order"),
        (npy(">i8", false, shape, &bytes), &[], "expected f4, f8, c8 or c16"),
        (npy(">c16", false, shape, &bytes), &["--precision", "32"], "numbers of 64 bits, not 32"),
        (npy(">c16", false, shape, &bytes), &["--little-endian"], "leave out"),
        (
            npy(">c16", false, shape, &bytes),
            &["--extents", "5x4x3x2"],
            "--extents 5x4x3x2 needs an array of the shape (2, 3, 4, 5, 4, 3, 3)",
        ),
        (npy(">c16", false, shape, &bytes), &["--kind", "su2gauge"], "not 3"),
        (npy(">c16", false, shape, &bytes), &["--kind", "so3gauge"], "real"),
        (npy(">f8", false, shape, &bytes), &[], "takes (5, 4, 3, 2, 4, 3, 3, 2)"),
        (npy(">c16", false, "(69120,)", &bytes), &[], "the first four indices"),
        (npy(">c16", false, shape, &bytes[1..]), &[], "of data, but"),
        (npy(">c16", false, shape, &[&bytes[..], b"x"].concat()), &[], "of data, but"),
        (b"\x93NUMPY\x09\x00".to_vec(), &[], "version 9"),
    ] {
        put(&folder, "x.npy", &array);
        refused(&folder, &[&["ildg", "make", "made", "--data", "x.npy"], options].concat(), b"", 2, words);
    }
    // Raw data do not describe themselves.
    put(&folder, "raw", &bytes);
    refused(&folder, &["ildg", "make", "made", "--data", "raw"], b"", 2, "raw data need --extents");
}

#[test]
fn extraction_says_what_the_data_are() {
    let folder = folder();
    let (file, bytes) = gauge();
    put(&folder, "f", &file);
    let printed =
        well(&folder, &["lime", "-v", "extract-type", "f", "ildg-binary-data", "x", "--damaged"], b"");
    assert!(printed.contains("dtype >c16, shape (5, 4, 3, 2, 4, 3, 3)"), "{printed}");
    let printed = well(&folder, &["lime", "-v", "extract", "f", "1", "3", "y", "--damaged"], b"");
    assert!(printed.contains("dtype >c16, shape (5, 4, 3, 2, 4, 3, 3)"), "{printed}");
    assert!(read(&folder, "x") == bytes && read(&folder, "y") == bytes);
    // A pipe is kept in a temporary file, where the description can be read again.
    let printed =
        well(&folder, &["lime", "-v", "extract-type", "-", "ildg-binary-data", "z", "--damaged"], &file);
    assert!(printed.contains("dtype >c16, shape (5, 4, 3, 2, 4, 3, 3)"), "{printed}");
    assert!(!well(&folder, &["lime", "extract-type", "-v", "f", "ildg-format"], b"").contains("dtype"));
    put(&folder, "b", &bytes[..240]);
    well(&folder, &["scda", "create", "s", "array:x:24=b", "block:y=b"], b"");
    let printed = |arguments: &[&str]| well(&folder, &[&["scda", "cat", "-v", "s"], arguments].concat(), b"");
    assert_eq!(printed(&["1"]), "dtype |u1, shape (10, 24)\n");
    assert_eq!(printed(&["1", "--element", "3"]), "dtype |u1, shape (24,)\n");
    assert_eq!(printed(&["2"]), "dtype |u1, shape (240,)\n");
}

#[test]
fn records_of_a_type_are_numbered() {
    let folder = folder();
    let note = |text: &str, begin, end| record("note", text.as_bytes(), begin, end);
    put(
        &folder,
        "f",
        [note("one", true, false), note("two", false, true), note("three", true, true)].concat(),
    );
    for (number, text) in [("1", "one"), ("2", "two"), ("3", "three")] {
        let output = go(&folder, &["lime", "extract-type", "f", "note", "--nth", number], b"");
        assert_eq!((status(&output), &output.stdout[..]), (0, text.as_bytes()));
    }
    let words = "number 4 does not exist: 3 records have the type \"note\", counted from 1";
    refused(&folder, &["lime", "extract-type", "f", "note", "--nth", "4"], b"", 2, words);
    refused(&folder, &["lime", "extract-type", "f", "note", "--nth", "0"], b"", 2, "counted from 1");
    // A number is not accepted as a file name, since it is probably a mistake.
    refused(&folder, &["lime", "extract-type", "f", "note", "3"], b"", 2, "use --nth 3 to choose a record");
    well(&folder, &["lime", "extract-type", "f", "note", "./3"], b"");
    assert_eq!(read(&folder, "3"), b"one");
}

/// NumPy reads the arrays, also as memory maps, and its arrays are read. `bash .ci/run interop-full` installs NumPy.
#[test]
#[ignore = "needs python3 with NumPy: `bash .ci/run interop-full` installs it and runs this test"]
fn numpy_reads_and_writes_the_arrays() {
    let folder = folder();
    let (file, _) = gauge();
    put(&folder, "f", &file);
    put(&folder, "m", reals(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    put(&folder, "x", (0..30).flat_map(|i| f64::from(i).to_le_bytes()).collect::<Vec<u8>>());
    well(&folder, &["scda", "create", "s", "array:x:24=x"], b"");
    well(&folder, &["export", "f", "f.npy", "--damaged"], b"");
    well(&folder, &["export", "f", "slice.npy", "--slice", "3", "--damaged"], b"");
    well(&folder, &["export", "m", "m.npy"], b"");
    well(&folder, &["export", "s", "s.npy", "--section", "1", "--dtype", "<f8"], b"");
    let script = r#"
import numpy
links = numpy.load("f.npy", mmap_mode="r")
assert isinstance(links, numpy.memmap) and links.shape == (5, 4, 3, 2, 4, 3, 3) and links.dtype == ">c16"
# The formula of the numbers: (i + 0.25) / 3, every third from the second on negative.
t, z, y, x, mu, row, column = 3, 1, 2, 0, 2, 1, 0
i = 2 * (column + 3 * (row + 3 * (mu + 4 * (x + 2 * (y + 3 * (z + 4 * t))))))
value = lambda i: (i + 0.25) / 3 * (-1 if i % 3 == 1 else 1)
assert links[t, z, y, x, mu, row, column] == complex(value(i), value(i + 1))
assert (numpy.load("slice.npy", mmap_mode="r") == links[3]).all()
assert (numpy.load("m.npy", mmap_mode="r") == numpy.arange(1.0, 7.0).reshape(2, 3)).all()
assert (numpy.load("s.npy", mmap_mode="r") == numpy.arange(30.0).reshape(10, 3)).all()
native = links.astype("=c16")
numpy.save("native.npy", native)
numpy.save("single.npy", links[..., :2, :].astype("<c8"))
numpy.save("parts.npy", native.view("f8").reshape(links.shape + (2,)))
numpy.save("fortran.npy", numpy.asfortranarray(native))
with open("version2.npy", "wb") as out:
    numpy.lib.format.write_array(out, native, version=(2, 0))
"#;
    let python = std::env::var_os("LINKSTREAM_PYTHON").unwrap_or_else(|| "python3".into());
    let ran = std::process::Command::new(python)
        .current_dir(folder.path())
        .args(["-c", script])
        .output()
        .expect("python3 runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    for array in ["native.npy", "parts.npy", "version2.npy"] {
        well(&folder, &["ildg", "make", "made", "--data", array, "--force", "--any-numbers"], b"");
        assert!(data(&read(&folder, "made")) == data(&file), "{array}");
    }
    well(&folder, &["ildg", "make", "single", "--data", "single.npy", "--any-numbers"], b"");
    assert_eq!(data(&read(&folder, "single")).len() * 3, data(&file).len());
    refused(&folder, &["ildg", "make", "x.ildg", "--data", "fortran.npy"], b"", 2, "Fortran order");
}

/// scda files may have up to 10^26 - 1 elements of no bytes (arXiv:2307.06789, section 2).
#[test]
fn shapes_that_numpy_does_not_have_are_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    let count = |letter: char, n: &str| {
        let text = format!("{letter} {n}");
        format!("{text} {}\n", "-".repeat(30 - text.len())).into_bytes()
    };
    for (n, is_exported) in [
        ("99999999999999999999999999", false),
        ("18446744073709551616", false),
        ("18446744073709551615", false),
        ("9223372036854775808", false),
        ("9223372036854775807", true),
        ("0", true),
    ] {
        let section = [scda::head('A', "x"), count('N', n), count('E', "0")].concat();
        put(
            &folder,
            "in",
            [scda::header(), section, b"\n=============================\n\n".to_vec()].concat(),
        );
        if is_exported {
            well(&folder, &["export", "in", "out", "--section", "1", "--force"], b"");
            std::fs::remove_file(folder.path().join("out")).expect("the output");
        } else {
            let words = format!("in: no array can have the shape ({n}, 0)");
            refused(&folder, &["export", "in", "out", "--section", "1"], b"", 1, &words);
        }
    }
}
