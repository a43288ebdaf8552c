//! `make propagator`, and the output of `check` for propagator files.

use host_tests::fixtures::Fixtures;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::gauge::{fixture, go, payloads, refused, well};
use crate::common::lime::{put, read, standing};
use crate::common::{report, said, status};

const DATE: &str = "Tue Jan  2 03:04:05 2024 UTC";

/// A file written by QIO, with the options that make the same file.
struct Made {
    name: &'static str,
    options: &'static [&'static str],
    /// Indices of the data records that are sources; the others are solutions.
    sources: &'static [usize],
    /// Bits per number, whether sources cover only a time slice, and the axes of a site of a source and of a solution.
    bits: u32,
    is_slice: bool,
    site: [&'static [u64]; 2],
}

const TWELVE: [&str; 12] = [
    "<k>00</k>",
    "<k>01</k>",
    "<k>02</k>",
    "<k>10</k>",
    "<k>11</k>",
    "<k>12</k>",
    "<k>20</k>",
    "<k>21</k>",
    "<k>22</k>",
    "<k>30</k>",
    "<k>31</k>",
    "<k>32</k>",
];

const ALL: [Made; 7] = [
    Made {
        name: "prop_c1d12",
        options: &["--type", "C1D12", "--info", "file info", "--source-info", "source info", "--time", "1"],
        sources: &[0],
        bits: 32,
        is_slice: true,
        site: [&[], &[4, 3]],
    },
    Made {
        name: "prop_cd_pairs",
        options: &[
            "--type",
            "CD_PAIRS",
            "--info",
            "file info",
            "--source-info",
            "src",
            "--solution-info",
            "sink",
            "--source-label",
            "0,0",
            "--source-label",
            "1,1",
        ],
        sources: &[0, 2],
        bits: 64,
        is_slice: false,
        site: [&[], &[4, 3]],
    },
    Made {
        name: "prop_dd_pairs",
        options: &[
            "--type",
            "dd_pairs",
            "--info",
            "file info",
            "--source-info",
            "src",
            "--solution-info",
            "sink",
            "--label",
            "0,2",
            "--label",
            "1,2",
        ],
        sources: &[0, 2],
        bits: 32,
        is_slice: false,
        site: [&[4, 3], &[4, 3]],
    },
    Made {
        name: "prop_lhpc",
        options: &["--type", "LHPC", "--solution-info", "LHPC propagator"],
        sources: &[],
        bits: 32,
        is_slice: false,
        site: [&[], &[4, 4, 3, 3]],
    },
    Made {
        name: "ks_c1v3",
        options: &[
            "--type",
            "C1V3",
            "--info",
            "file info",
            "--source-info",
            "source info",
            "--solution-info",
            "sink",
            "--time",
            "1",
        ],
        sources: &[0],
        bits: 32,
        is_slice: true,
        site: [&[], &[3]],
    },
    Made {
        name: "ks_cv_pairs",
        options: &[
            "--type",
            "CV_PAIRS",
            "--info",
            "file info",
            "--source-info",
            "src",
            "--solution-info",
            "sink",
            "--source-label",
            "0",
            "--source-label",
            "1",
            "--time",
            "1",
        ],
        sources: &[0, 2],
        bits: 64,
        is_slice: true,
        site: [&[], &[3]],
    },
    Made {
        name: "ks_vv_pairs",
        options: &[
            "--type",
            "VV_PAIRS",
            "--info",
            "file info",
            "--source-info",
            "src",
            "--solution-info",
            "sink",
            "--label",
            "0",
            "--label",
            "1",
        ],
        sources: &[0, 2],
        bits: 32,
        is_slice: false,
        site: [&[3], &[3]],
    },
];

/// The data of the sources and of the solutions.
fn data(made: &Made, file: &[u8]) -> [Vec<Vec<u8>>; 2] {
    let all = payloads(file, "scidac-binary-data").into_iter().enumerate();
    let (sources, solutions): (Vec<_>, Vec<_>) = all.partition(|(number, _)| made.sources.contains(number));
    [sources, solutions].map(|list| list.into_iter().map(|(_, data)| data).collect())
}

fn options(made: &Made) -> Vec<&'static str> {
    let mut options = [&["make", "propagator", "out", "--date", DATE], made.options].concat();
    if made.name == "prop_c1d12" {
        options.extend(TWELVE.iter().flat_map(|info| ["--solution-info", info]));
    }
    options
}

#[test]
fn exported_arrays_make_the_same_file_again() {
    for made in &ALL {
        let file = fixture(&format!("qio/usqcd/{}.lime", made.name));
        let folder = tempfile::tempdir().expect("a temporary folder");
        put(&folder, "file", &file);
        let [sources, solutions] = data(made, &file);
        let mut command: Vec<String> = options(made).into_iter().map(str::to_owned).collect();
        for number in 0..sources.len() + solutions.len() {
            let name = format!("{number}.npy");
            let exported = go(&folder, &["export", "file", &name, "--field", &number.to_string()], b"");
            assert_eq!(status(&exported), 0, "{}: {}", made.name, said(&exported));
            let option = if made.sources.contains(&number) { "--source" } else { "--solution" };
            command.extend([option.to_owned(), name]);
        }
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let output = go(&folder, &command, b"");
        assert_eq!(status(&output), 0, "{}: {}", made.name, said(&output));
        assert!(read(&folder, "out") == file, "{}", made.name);
    }
}

#[test]
fn raw_data_and_the_texts_of_qio_give_its_files_byte_for_byte() {
    for made in &ALL {
        let file = fixture(&format!("qio/usqcd/{}.lime", made.name));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [sources, solutions] = data(made, &file);
        // All sources in one file, or one file for each.
        put(&folder, "sources", sources.concat());
        let mut arguments = options(made);
        let bits = made.bits.to_string();
        arguments.extend(["--extents", "2x3x2x4", "--precision", &bits]);
        if !sources.is_empty() {
            arguments.extend(["--source", "sources"]);
        }
        let names: Vec<String> = (0..solutions.len()).map(|number| format!("solution{number}")).collect();
        for (name, data) in names.iter().zip(&solutions) {
            put(&folder, name, data);
            arguments.extend(["--solution", name]);
        }
        assert_eq!(well(&folder, &arguments, b""), "");
        assert!(read(&folder, "out") == file, "{}", made.name);
    }
}

/// A NumPy array of little-endian numbers.
fn npy(bits: u32, is_complex: bool, shape: &[u64], big: &[u8]) -> Vec<u8> {
    let size = bits as usize / 8;
    let letter = if is_complex { format!("c{}", 2 * size) } else { format!("f{size}") };
    let mut shape = shape.to_vec();
    if !is_complex {
        shape.push(2);
    }
    let shape: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let mut head =
        format!("{{'descr': '<{letter}', 'fortran_order': False, 'shape': ({shape}), }}").into_bytes();
    head.resize((head.len() + 11).next_multiple_of(64) - 11, b' ');
    head.push(b'\n');
    let words = big.chunks(size).flat_map(|word| word.iter().rev());
    let magic = [b"\x93NUMPY\x01\x00", &u16::to_le_bytes(head.len() as u16)[..]].concat();
    [magic, head, words.copied().collect()].concat()
}

#[test]
fn arrays_give_the_same_files() {
    for made in &ALL {
        let file = fixture(&format!("qio/usqcd/{}.lime", made.name));
        for is_complex in [true, false] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let [sources, solutions] = data(made, &file);
            let lattice: &[u64] = &[4, 2, 3, 2];
            let times = if made.is_slice { &lattice[1..] } else { lattice };
            let mut arguments = options(made);
            if !sources.is_empty() {
                let shape = [&[sources.len() as u64], times, made.site[0]].concat();
                put(&folder, "s.npy", npy(made.bits, is_complex, &shape, &sources.concat()));
                arguments.extend(["--source", "s.npy"]);
            }
            let shape = [&[solutions.len() as u64], lattice, made.site[1]].concat();
            put(&folder, "p.npy", npy(made.bits, is_complex, &shape, &solutions.concat()));
            arguments.extend(["--solution", "p.npy"]);
            well(&folder, &arguments, b"");
            assert!(read(&folder, "out") == file, "{} {is_complex}", made.name);
        }
    }
}

/// The arguments for a small C1V3 file, without the options about its data.
fn c1v3(more: &[&'static str]) -> Vec<&'static str> {
    let mut arguments = vec!["make", "propagator", "out", "--type", "C1V3", "--source", "s"];
    arguments.extend(more);
    arguments
}

fn filled() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // One site: one complex number as the source, and three color vectors.
    put(&folder, "s", [1; 16]);
    put(&folder, "p", [2; 3 * 48]);
    folder
}

/// An option that contradicts the type of an array is refused, unless it is about raw data.
#[test]
fn options_for_the_byte_order_are_about_raw_data() {
    let folder = filled();
    let one = |count: usize| [1.0; 8].map(f64::to_be_bytes).concat().repeat(count);
    put(&folder, "s.npy", npy(64, true, &[1, 1, 1, 1], &one(1)[..16]));
    put(&folder, "p.npy", npy(64, true, &[3, 1, 1, 1, 1, 3], &one(3)[..144]));
    put(&folder, "raw", &one(1)[..16]);
    put(
        &folder,
        "little",
        one(3)[..144].chunks(8).flat_map(|word| word.iter().rev().copied()).collect::<Vec<_>>(),
    );
    let make = |source, solution, more: &[&'static str]| {
        let all = ["make", "propagator", "out", "--type", "C1V3", "--source", source, "--solution", solution];
        [&all[..], more].concat()
    };
    let arrays = make("s.npy", "p.npy", &["--big-endian"]);
    let words = "s.npy: the array has the type <c16: leave out --little-endian and --big-endian";
    refused(&folder, &arrays, b"", 2, words);
    for (source, options) in [("s.npy", &["--little-endian"][..]), ("s.npy", &[]), ("raw", &["--big-endian"])]
    {
        well(&folder, &make(source, "p.npy", &[options, &["--force"]].concat()), b"");
    }
    // Raw data of both byte orders are refused with the option and without it.
    std::fs::remove_file(folder.path().join("out")).expect("the program wrote it");
    for option in [&["--extents", "1x1x1x1"][..], &["--extents", "1x1x1x1", "--little-endian"]] {
        let words = "all raw data have one byte order: files of the other one must be NPY files";
        refused(&folder, &make("raw", "little", option), b"", 1, words);
    }
}

#[test]
fn what_is_no_propagator_file_is_refused() {
    let folder = filled();
    put(&folder, "four", [2; 4 * 48]);
    put(&folder, "odd", [2; 50]);
    put(&folder, "array", npy(32, true, &[1, 1, 1, 1, 3], &[0; 24]));
    put(&folder, "wide", npy(64, true, &[1, 1, 1, 1, 4], &[0; 64]));
    put(&folder, "flat", npy(64, true, &[1, 1, 3], &[0; 48]));
    let all = ["--solution", "p", "--extents", "1x1x1x1"];
    let with = |more: &[&'static str]| c1v3(&[&all[..], more].concat());
    for (arguments, words) in [
        (c1v3(&["--solution", "p"]), "raw data need --extents"),
        (c1v3(&["--solution", "four", "--extents", "1x1x1x1"]), "there are more data than for 3 solutions"),
        (
            c1v3(&["--solution", "odd", "--extents", "1x1x1x1"]),
            "odd: 50 bytes of data, but a record takes 48 bytes",
        ),
        (c1v3(&["--solution", "s", "--extents", "1x1x1x1"]), "s: 16 bytes of data"),
        (c1v3(&["--solution", "array"]), "--solution: there are not enough data"),
        (c1v3(&["--solution", "wide"]), "only indices in front of these can be added"),
        (
            with(&["--solution", "array"]),
            "array: the array has numbers of 32 bits, but the file will have 64",
        ),
        (with(&["--source", "s"]), "there are more data than for 1 source of"),
        (with(&["--info", "a & b"]), "--info: the text of <info> is not well-formed XML"),
        (with(&["--solution-info", "a", "--solution-info", "b"]), "--solution-info is given 2 times"),
        (with(&["--time", "1"]), "--time 1: an upper bound of the hypercube is outside"),
        (with(&["--label", "1"]), "leave out --label"),
        (with(&["--source-label", "1,1"]), "a label in a C1V3 file is COLOR"),
        (with(&["--source-label", "7"]), "expected a spin from 0 to 3"),
        (with(&["--solution", "missing"]), "missing"),
        (with(&["--date", DATE.repeat(3).leak()]), "a date has at most 64 bytes"),
        (vec!["make", "propagator", "out", "--type", "C1V3", "--solution", "p"], "needs --source"),
        (
            vec!["make", "propagator", "out", "--type", "C1V3", "--source", "-", "--solution", "-"],
            "standard input can be read only once",
        ),
        (
            vec!["make", "propagator", "out", "--type", "LHPC", "--solution", "p", "--time", "0"],
            "neither sources nor labels",
        ),
        (vec!["make", "propagator", "out", "--type", "X", "--solution", "p"], "expected C1D12, CD_PAIRS"),
    ] {
        refused(&folder, &arguments, b"", 2, words);
    }
    // An existing file is replaced only with `--force`.
    put(&folder, "out", b"precious");
    refused(&folder, &with(&[]), b"", 2, "exists");
    well(&folder, &with(&["--force"]), b"");
    assert_ne!(read(&folder, "out"), b"precious");
    assert!(!standing(&folder, ".").iter().any(|name| name.contains("part")));
}

/// If the shapes of two arrays contradict each other, the message names the wrong one.
#[test]
fn shapes_are_judged_one_by_one() {
    let folder = filled();
    let lattice: &[u64] = &[4, 2, 3, 2];
    let array = |shape: &[u64]| npy(64, true, shape, &vec![0; 16 * shape.iter().product::<u64>() as usize]);
    put(&folder, "s", array(lattice));
    // The color axis is missing, so that the axis of the solutions is taken for the t axis.
    put(&folder, "p", array(&[&[3], lattice].concat()));
    let arguments = c1v3(&["--solution", "p"]);
    refused(&folder, &arguments, b"", 2, "p: the array has the shape (3, 4, 2, 3, 2)");
    // Either array may be the wrong one.
    put(&folder, "p", array(&[&[3], lattice, &[3]].concat()));
    put(&folder, "s", array(&[4, 2, 3, 3]));
    refused(&folder, &arguments, b"", 2, "but a record has (4, 2, 3, 2) on the lattice of p;");
    let given = [&arguments[..], &["--extents", "2x3x2x4"]].concat();
    refused(&folder, &given, b"", 2, "but a record has (4, 2, 3, 2); only");
    // Messages use singular and plural correctly.
    put(&folder, "s", [1; 32]);
    put(&folder, "p", [1; 3 * 48]);
    let one = [&arguments[..], &["--extents", "1x1x1x1"]].concat();
    refused(&folder, &one, b"", 2, "there are more data than for 1 source of a C1V3 file");
    put(&folder, "s", [1; 16]);
    let twice = [&one[..], &["--time", "0", "--time", "0"]].concat();
    refused(&folder, &twice, b"", 2, "--time is given 2 times, but there is 1 record");
    put(&folder, "p", array(&[&[3], lattice, &[3]].concat()));
    // An array that is cut inside its header.
    put(&folder, "s", &array(lattice)[..40]);
    refused(&folder, &arguments, b"", 2, "s: the file ends inside its NPY header");
}

/// Texts with characters that XML cannot represent are refused.
#[test]
fn characters_that_xml_cannot_hold_are_refused() {
    let folder = filled();
    let arguments = c1v3(&["--solution", "p", "--extents", "1x1x1x1"]);
    for option in ["--info", "--source-info", "--solution-info", "--date"] {
        let with = |text| [&arguments[..], &[option, text]].concat();
        refused(&folder, &with("a\u{1}b"), b"", 2, "XML cannot hold the character \\u{1}");
        // A date is text, which is escaped.
        if option != "--date" {
            refused(&folder, &with("a&#1;b"), b"", 2, "XML cannot hold the reference &#1;");
        }
        let spaced = go(&folder, &with(" a"), b"");
        assert_eq!(said(&spaced).contains("neither begins nor ends with white space"), option == "--date");
        let _ = std::fs::remove_file(folder.path().join("out"));
        well(&folder, &[&with("a\tb")[..], &["--force"]].concat(), b"");
        std::fs::remove_file(folder.path().join("out")).expect("the program wrote the file");
    }
}

#[test]
fn pipes_are_read_and_written() {
    let folder = filled();
    let arguments = c1v3(&["--solution", "-", "--extents", "1x1x1x1", "--date", "d"]);
    well(&folder, &arguments, &[2; 3 * 48]);
    let mut to_pipe = arguments.clone();
    to_pipe[2] = "-";
    let output = go(&folder, &to_pipe, &[2; 3 * 48]);
    assert_eq!((status(&output), said(&output)), (0, String::new()));
    assert!(output.stdout == read(&folder, "out"));
    let cut = go(&folder, &to_pipe, &[2; 100]);
    assert_eq!((status(&cut), cut.stdout), (2, vec![]));
    let little = [&arguments[..], &["--little-endian", "--force"]].concat();
    let numbers: Vec<u8> = (0..144).collect();
    well(&folder, &little, &numbers);
    let first: Vec<u8> = numbers[..8].iter().rev().copied().collect();
    assert_eq!(payloads(&read(&folder, "out"), "scidac-binary-data")[1][..8], first);
}

/// QIO truncates texts after 1023 bytes.
#[test]
fn texts_are_not_truncated() {
    let folder = filled();
    let text = "<k>v</k>".repeat(5000);
    let arguments =
        [&c1v3(&["--solution", "p", "--extents", "1x1x1x1"])[..], &["--solution-info", &text]].concat();
    well(&folder, &arguments, b"");
    let made = read(&folder, "out");
    let (report, code) = report("check", &made, &[]);
    assert_eq!((code, &report["findings"]), (0, &json!([])));
    assert!(payloads(&made, "scidac-record-xml")[1..].iter().all(|record| record.len() > text.len()));
}

#[test]
fn check_names_the_format_and_lists_sources_and_solutions() {
    for (made, (sources, solutions, version)) in ALL.iter().zip([
        (1, 12, "1.0"),
        (2, 2, "1.0"),
        (2, 2, "1.0"),
        (0, 0, "1.0"),
        (1, 3, "1.0"),
        (2, 2, "1.0"),
        (2, 2, "1.0"),
    ]) {
        let file = fixture(&format!("qio/usqcd/{}.lime", made.name));
        for command in ["check", "inspect"] {
            let (report, code) = report(command, &file, &[]);
            assert_eq!((code, &report["findings"]), (0, &json!([])), "{}", made.name);
            let usqcd = &report["usqcd"];
            let format = made.options[1].to_uppercase();
            assert_eq!((&usqcd["format"], &usqcd["version"]), (&json!(format), &json!(version)));
            let entries = usqcd["entries"].as_array().expect("a list");
            let count = |role: Value| entries.iter().filter(|entry| entry["role"] == role).count();
            assert_eq!(
                (count(json!("source")), count(json!("solution"))),
                (sources, solutions),
                "{}",
                made.name
            );
            let offsets = |list: &Value| -> Vec<Value> {
                list.as_array().expect("a list").iter().map(|entry| entry["offset"].clone()).collect()
            };
            assert_eq!(offsets(usqcd.get("entries").expect("entries")), offsets(&report["fields"]));
        }
    }
    let (c1d12, _) = report("check", &fixture("qio/usqcd/prop_c1d12.lime"), &[]);
    let entries = &c1d12["usqcd"]["entries"];
    assert_eq!(
        entries[0],
        json!({
            "offset": 1384, "role": "source", "spin": null, "color": null, "time": 1, "datatype": "USQCD_F_Complex",
        })
    );
    assert_eq!(
        (&entries[12]["spin"], &entries[12]["color"], &entries[12]["time"]),
        (&json!(3), &json!(2), &json!(null))
    );

    let (grid, _) = report("check", &fixture("qio/nersc/n3x3_f.lime"), &[]);
    assert_eq!(
        (&grid["usqcd"]["format"], &grid["usqcd"]["entries"][0]["role"]),
        (&json!("lattice"), &json!(null))
    );
    let (other, _) = report("check", &fixture("qio/single/real_f_4x4x4x8.lime"), &[]);
    assert_eq!(other.get("usqcd"), None);

    let path = Fixtures::Ours.join("qio/usqcd/ks_c1v3.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = go(&folder, &["check", path.to_str().expect("text")], b"");
    let text = String::from_utf8(output.stdout).expect("text");
    for line in [
        "  USQCD staggered propagator file C1V3, version 1.0: 1 source, 3 solutions\n",
        "    source   at 1384, time slice 1\n",
        "    solution at 7192: color 2\n",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn a_file_that_lacks_a_solution_fails() {
    let file = fixture("qio/usqcd/ks_c1v3.lime");
    // The file is cut before the message of the last solution.
    let (report, code) = report("check", &file[..6480], &[]);
    let finding = &report["findings"][0];
    assert_eq!(
        (code, &finding["rule"], &finding["offset"]),
        (1, &json!("usqcd-solution-count"), &json!(440))
    );
    assert_eq!(finding["message"], "a C1V3 file has 3 solutions, but this one has 2");
    assert_eq!(finding["clause"], "QIO 2.3, appendices A.2 and A.3");
}

/// If data cannot be compared number by number, the differing elements of their descriptions are listed.
#[test]
fn diff_says_in_what_descriptions_differ() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "a", fixture("qio/usqcd/ks_c1v3.lime"));
    put(&folder, "b", fixture("qio/usqcd/prop_c1d12.lime"));
    let output = go(&folder, &["diff", "--data", "--json", "a", "b"], b"");
    let object: Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!(status(&output), 1);
    assert_eq!(object["data"][0]["compared_as"], "numbers");
    let changes = object["data"][1]["changes"].as_array().expect("a list");
    let paths: Vec<&str> = changes.iter().filter_map(|change| change["path"].as_str()).collect();
    assert_eq!(paths, ["data of a site", "spins", "typesize", "datatype"]);
    assert_eq!((&changes[1]["a"], &changes[1]["b"]), (&json!("0"), &json!("4")));
    assert_eq!(changes[3]["b"], "USQCD_F3_DiracFermion");
}

/// A copy of a single record is not a propagator file, although its texts still say so.
#[test]
fn a_record_of_a_propagator_file_is_converted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "in", fixture("qio/usqcd/prop_c1d12.lime"));
    well(&folder, &["convert", "in", "out", "--field", "2", "--precision", "64"], b"");
    let fields = serde_json::from_slice::<Value>(&go(&folder, &["check", "--json", "out"], b"").stdout);
    assert_eq!(fields.expect("an object")["fields"].as_array().map(Vec::len), Some(1));
}

/// An invalid document is copied unchanged: into a file, into a set, and from the set into a file.
#[test]
fn damaged_documents_do_not_keep_a_set_from_being_joined() {
    let whole = fixture("qio/usqcd/prop_c1d12.lime");
    let text = b"</usqcdPropInfo>";
    let at = whole.windows(text.len()).position(|bytes| bytes == text).expect("a document");
    for (place, byte) in [(at + 14, b'X'), (at - 1, b'<'), (at + 1, 0)] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut damaged = whole.clone();
        damaged[place] = byte;
        put(&folder, "in", damaged);
        let said = well(&folder, &["convert", "in", "one"], b"");
        assert!(said.contains("warning: at byte") && said.contains("usqcdPropInfo"), "{said}");
        well(&folder, &["convert", "in", "set", "--volumes", "2"], b"");
        well(&folder, &["convert", "set", "back"], b"");
        assert!(read(&folder, "back") == read(&folder, "one"));
    }
}
