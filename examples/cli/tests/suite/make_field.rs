//! `make field`: arrays as SciDAC fields, parts of a lattice and global data, in new files and after others.

use host_tests::fixtures::Fixtures;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::gauge::{fixture, go, payloads, refused, well};
use crate::common::lime::{put, read, standing};
use crate::common::{files, report, said, status};

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn npy(descr: &str, shape: &[u64], bytes: &[u8]) -> Vec<u8> {
    let shape: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let length = u16::try_from(dictionary.len()).expect("a short header");
    [b"\x93NUMPY\x01\x00", &length.to_le_bytes()[..], dictionary.as_bytes(), bytes].concat()
}

/// Big-endian single precision numbers.
fn singles(count: usize) -> Vec<u8> {
    (0..count).flat_map(|n| (n as f32 / 8.0).to_be_bytes()).collect()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

fn joined(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

/// The options that write this field of a report, and its array.
fn remade(file: &[u8], field: &Value) -> (Vec<String>, Vec<u8>) {
    let number = |key: &str| field[key].as_u64().unwrap_or(0);
    let text = |key: &str| field[key].as_str().unwrap_or_default().to_owned();
    let dims = numbers(&field["extents"]);
    let mut options = vec!["--datatype".to_owned(), text("datatype"), "--date".to_owned(), text("date")];
    options.extend(["--extents".to_owned(), joined(&dims)]);
    for option in ["colors", "spins"] {
        options.extend([format!("--{option}"), number(option).to_string()]);
    }
    let mut outer: Vec<u64> = dims.iter().rev().copied().collect();
    match field["region"].as_str() {
        Some("global") => {
            outer.clear();
            options.push("--global".to_owned());
        }
        Some("hypercube") => {
            let (lower, upper) = (numbers(&field["lower"]), numbers(&field["upper"]));
            outer = lower.iter().zip(&upper).map(|(lower, upper)| upper - lower + 1).rev().collect();
            options.extend(["--lower".to_owned(), joined(&lower), "--upper".to_owned(), joined(&upper)]);
        }
        _ => {}
    }
    let sites: u64 = outer.iter().product();
    let bytes = sites * number("typesize") * number("datacount");
    let begin = number("data_offset") as usize;
    let data = &file[begin..begin + bytes as usize];
    let (descr, word) = match (number("precision"), field["datatype"].as_str()) {
        (32, _) => (">f4", 4),
        (64, _) => (">f8", 8),
        (_, Some("QDP_Int" | "QLA_Int")) => (">i4", 4),
        _ => ("|u1", 1),
    };
    let shape = match field["array"]["shape"].as_array() {
        Some(_) if word > 1 => numbers(&field["array"]["shape"]),
        _ => [&outer[..], &[bytes / sites / word]].concat(),
    };
    options.extend(["--count".to_owned(), number("datacount").to_string()]);
    (options, npy(descr, &shape, data))
}

#[test]
fn files_of_qio_are_remade_byte_for_byte_record_by_record() {
    let mut remade_records = 0;
    for (entry, file) in files(Fixtures::Ours, "qio") {
        let name = entry["path"].as_str().expect("a path").to_owned();
        if !name.starts_with("single/") {
            continue;
        }
        // States of generators are neither numbers nor bytes.
        if payloads(&file, "scidac-private-record-xml")
            .iter()
            .any(|text| String::from_utf8_lossy(text).contains("RandomState"))
        {
            continue;
        }
        let folder = folder();
        let text = |record_type: &str, index: usize| {
            let text = payloads(&file, record_type).remove(index);
            String::from_utf8(text).expect("text").trim_end_matches('\0').to_owned()
        };
        let (found, _) = report("check", &file, &[]);
        for (index, field) in found["fields"].as_array().expect("a list").iter().enumerate() {
            let (mut options, array) = remade(&file, field);
            options.extend(["--record-xml".to_owned(), text("scidac-record-xml", index)]);
            if index == 0 {
                options.extend(["--file-xml".to_owned(), text("scidac-file-xml", 0)]);
            } else {
                options.push("--append".to_owned());
            }
            put(&folder, "a.npy", array);
            let make = ["make", "field", "out", "--data", "a.npy", "--any-numbers"];
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            well(&folder, &[&make[..], &options].concat(), b"");
            remade_records += 1;
        }
        assert!(read(&folder, "out") == file, "{name}");
    }
    assert!(remade_records > 60, "{remade_records}");
}

#[test]
fn the_axes_of_an_array_are_compared_with_the_type() {
    let folder = folder();
    let make = |descr: &str, shape: &[u64], options: &[&str]| {
        let size: usize = descr[2..].parse().expect("a size");
        let bytes = vec![0; shape.iter().product::<u64>() as usize * size];
        put(&folder, "a.npy", npy(descr, shape, &bytes));
        go(&folder, &[&["make", "field", "out", "--force", "--data", "a.npy"], options].concat(), b"")
    };
    let about = |text: &str, element: &str| {
        let rest = text.split_once(&format!("<{element}>")).map(|(_, rest)| rest.to_owned());
        rest.and_then(|rest| rest.split_once('<').map(|(value, _)| value.to_owned()))
    };
    for (descr, shape, datatype, expected) in [
        ("<c16", &[2, 2, 2, 2][..], "USQCD_D_Complex", ["D", "16", "1"]),
        ("<f8", &[2, 2, 2, 2, 2], "USQCD_D_Complex", ["D", "16", "1"]),
        ("<f4", &[2, 2, 2, 2], "QDP_F_Real", ["F", "4", "1"]),
        ("<f4", &[2, 2, 2, 2, 5], "QDP_F_Real", ["F", "4", "5"]),
        (">c8", &[2, 2, 2, 2, 4, 3], "USQCD_F3_DiracFermion", ["F", "96", "1"]),
        ("<c8", &[2, 2, 2, 2, 7, 4, 3], "USQCD_F3_DiracFermion", ["F", "96", "7"]),
        ("<c8", &[2, 2, 2, 2, 4, 4, 3, 3], "USQCD_F3_DiracPropagator", ["F", "1152", "1"]),
        ("<c8", &[2, 2, 2, 2, 4, 3, 3], "QDP_F3_ColorMatrix", ["F", "72", "4"]),
        ("<i4", &[2, 2, 2, 2], "my_counts", ["I", "4", "1"]),
        ("|u1", &[2, 2, 2, 2, 16], "my_bytes", ["U", "16", "1"]),
        ("<f8", &[2, 2, 2, 2, 16], "numpy.ndarray", ["D", "128", "1"]),
    ] {
        let output = make(descr, shape, &["--datatype", datatype, "--any-numbers"]);
        assert_eq!(status(&output), 0, "{descr} {shape:?} {datatype}: {}", said(&output));
        let record = payloads(&read(&folder, "out"), "scidac-private-record-xml").remove(0);
        let record = String::from_utf8(record).expect("text");
        let found = ["precision", "typesize", "datacount"].map(|element| about(&record, element));
        assert_eq!(found, expected.map(|text| Some(text.to_owned())), "{record}");
    }
    for (descr, shape, options, words) in [
        (
            "<c16",
            &[2, 2, 2, 2, 3][..],
            &["--datatype", "USQCD_D3_DiracFermion"][..],
            "but an item of USQCD_D3_DiracFermion has (4, 3)",
        ),
        ("<c16", &[2, 2, 2, 2], &["--datatype", "QDP_D_Real"], "is real, but the array is complex"),
        ("<f2", &[2, 2, 2, 2], &["--datatype", "QDP_F_Real"], "SciDAC has no letter"),
        ("<f4", &[2, 2], &["--datatype", "QDP_F_Real"], "use --extents"),
        ("<f4", &[2, 2], &["--datatype", "QDP_F_Real", "--global"], "use --extents"),
        (
            "<f4",
            &[2, 2, 2, 2],
            &["--datatype", "QDP_F_Real", "--extents", "2x2x2x4"],
            "the first indices must be (4, 2, 2, 2)",
        ),
        (
            "<f4",
            &[2, 2, 2, 2],
            &["--datatype", "QDP_F_Real", "--extents", "2x2x2x2", "--lower", "0x0x0x2", "--upper", "1x1x1x2"],
            "--lower and --upper",
        ),
        ("<f4", &[2, 2, 2, 2], &["--datatype", "x", "--count", "3"], "is not --count items"),
        ("<f4", &[2, 2, 2, 2, 0], &["--datatype", "x"], "has no numbers"),
    ] {
        let output = make(descr, shape, options);
        assert!(
            status(&output) != 0 && said(&output).contains(words),
            "{descr} {shape:?} {options:?}: {}",
            said(&output)
        );
    }
}

#[test]
fn the_numbers_must_be_all_there() {
    let folder = folder();
    let whole = npy(">f4", &[2, 2, 2, 2], &singles(16));
    let fortran = String::from_utf8_lossy(&whole[..60]).into_owned();
    assert!(fortran.contains("False"));
    let mut swapped = whole.clone();
    let at = whole.windows(5).position(|part| part == b"False").expect("a flag");
    swapped.splice(at..at + 5, *b"True ");
    for (bytes, words) in [
        (whole[..whole.len() - 1].to_vec(), "ends before its last number"),
        ([&whole[..], b"x"].concat(), "followed by other bytes"),
        (swapped, "in Fortran order"),
        (b"raw numbers".to_vec(), "is not a NumPy array"),
    ] {
        put(&folder, "a.npy", bytes);
        let make = ["make", "field", "out", "--data", "a.npy", "--datatype", "QDP_F_Real"];
        let output = go(&folder, &make, b"");
        assert!(status(&output) != 0 && said(&output).contains(words), "{words}: {}", said(&output));
        assert_eq!(standing(&folder, "."), ["a.npy"]);
    }
}

#[test]
fn numbers_that_nobody_can_have_meant_are_refused() {
    let folder = folder();
    let mut single = singles(16);
    single[4..8].copy_from_slice(&f32::NAN.to_be_bytes());
    let half = vec![0.5_f32.to_be_bytes(); 16 * 4 * 18].concat();
    let cases = [
        (">f4", &[2, 2, 2, 2][..], &single[..], "QDP_F_Real", "NaN"),
        (">c8", &[2, 2, 2, 2, 4, 3, 3], &half, "USQCD_F3_ColorMatrix", "unitary"),
        (">u4", &[2, 2, 2, 2], &[0xee; 64], "QDP_Int", "beyond 2147483647"),
        ("|i1", &[2, 2, 2, 2], &[0xff; 16], "bytes", "bytes with a sign"),
    ];
    for (descr, shape, bytes, datatype, words) in cases {
        put(&folder, "a.npy", npy(descr, shape, bytes));
        let command = ["make", "field", "out", "--data", "a.npy", "--datatype", datatype];
        refused(&folder, &command, b"", if descr == "|i1" { 2 } else { 1 }, words);
        if bytes.len() > 16 && !descr.contains('u') {
            well(&folder, &[&command[..], &["--any-numbers"]].concat(), b"");
            std::fs::remove_file(folder.path().join("out")).expect("written");
        }
    }
}

/// The name of a type says what its numbers are.
#[test]
fn types_and_numbers_must_not_contradict_each_other() {
    let folder = folder();
    let (single, double) = (singles(16), [0; 128]);
    let cases = [
        (">f4", &single[..], "QDP_I_Int", "is a type of integers (i4), but the array has"),
        (">f4", &single, "QDP_Int", "is a type of integers (i4)"),
        (">f4", &single, "QLA_D_Real", "is a type of numbers of double precision (f8, c16)"),
        (">f4", &single, "QUDA_DNc3_GaugeField", "is a type of numbers of double precision"),
        (">i4", &single, "MINE_F_Things", "is a type of numbers of single precision (f4, c8)"),
        (">f8", &double, "USQCD_F_Real", "is a type of numbers of single precision"),
        ("|u1", &single[..16], "QDP_I_Int", "is a type of integers (i4)"),
        (">i4", &single, "QDP_S_RandomState", "is a type of states of random numbers"),
        (">f4", &single, "", "the type has no name"),
        (">f4", &single, " ", "the type has no name"),
    ];
    for (descr, bytes, datatype, words) in cases {
        put(&folder, "a.npy", npy(descr, &[2, 2, 2, 2], bytes));
        let make = ["make", "field", "out", "--data", "a.npy", "--datatype", datatype];
        refused(&folder, &make, b"", 2, words);
    }
    // Other names say nothing.
    for (descr, datatype) in [(">f4", "my.floats"), (">i4", "QDP_I_Int"), (">i4", "MILC_RNG")] {
        put(&folder, "a.npy", npy(descr, &[2, 2, 2, 2], &[0; 64]));
        well(&folder, &["make", "field", "out", "--force", "--data", "a.npy", "--datatype", datatype], b"");
    }
}

#[cfg(unix)]
#[test]
fn other_hard_links_keep_the_file_without_the_new_field() {
    let folder = folder();
    put(&folder, "a.npy", npy(">f4", &[5, 4, 3, 2], &singles(120)));
    let fit = fixture("qio/single/real_d_2x3x4x5.lime");
    put(&folder, "f", &fit);
    let append = ["make", "field", "f", "--append", "--data", "a.npy", "--datatype", "QDP_F_Real"];
    std::fs::hard_link(folder.path().join("f"), folder.path().join("g")).expect("a hard link");
    let said = well(&folder, &append, b"");
    assert!(said.contains("warning: f: 1 other hard link keeps the old file"), "{said}");
    assert!(read(&folder, "g") == fit && read(&folder, "f").len() > fit.len());
    assert!(!well(&folder, &append, b"").contains("hard link"));
}

#[test]
fn a_file_to_which_nothing_can_be_appended_stays_as_it_is() {
    let folder = folder();
    put(&folder, "a.npy", npy(">f4", &[5, 4, 3, 2], &singles(120)));
    put(&folder, "b.npy", npy(">f4", &[2, 2, 2, 2], &singles(16)));
    let append = |file: &str, array: &'static str| {
        ["make", "field", file, "--append", "--data", array, "--datatype", "QDP_F_Real"].map(str::to_owned)
    };
    let good = fixture("qio/single/real_f_4x4x4x8.lime");
    let fit = fixture("qio/single/real_d_2x3x4x5.lime");
    let mut damaged = fit.clone();
    damaged[1300] ^= 1;
    // The length of a checksum varies, and with it the padding after it.
    let padding = (1_u16..100).find_map(|value| {
        put(&folder, "c.npy", npy(">f4", &[5, 4, 3, 2], &f32::from(value).to_be_bytes().repeat(120)));
        well(
            &folder,
            &["make", "field", "made", "--force", "--data", "c.npy", "--datatype", "QDP_F_Real"],
            b"",
        );
        read(&folder, "made").strip_suffix(b"\0\0").map(|rest| [rest, b"\0"].concat())
    });
    let unpadded = padding.expect("a checksum of less digits");
    for name in ["made", "c.npy"] {
        std::fs::remove_file(folder.path().join(name)).expect("written");
    }
    let mut padded = fit.clone();
    padded.resize(padded.len().next_multiple_of(4096), 0);
    let cases = [
        ("other lattice", good, "a.npy", "the first indices must be (8, 4, 4, 4)"),
        ("damaged", damaged, "a.npy", "checksum"),
        ("cut", fit[..fit.len() - 8].to_vec(), "a.npy", "ends"),
        ("not scidac", fixture("foreign/09-bqcd.ildg"), "b.npy", "has no SciDAC documents"),
        ("not lime", fixture("foreign/20e-openqcd"), "b.npy", ""),
        ("volume", fixture("qio/multi/part2.lime.vol0000"), "a.npy", "one volume of a set"),
        ("no padding", unpadded, "a.npy", "the padding of the last record is missing"),
        ("padded", padded, "a.npy", "the last record is followed by other bytes; `linkstream convert`"),
        ("short array", fit.clone(), "b.npy", "the first indices must be (5, 4, 3, 2)"),
    ];
    for (case, bytes, array, words) in cases {
        put(&folder, "out", &bytes);
        let options = append("out", array);
        let output = go(&folder, &options.each_ref().map(String::as_str), b"");
        assert!(status(&output) != 0 && said(&output).contains(words), "{case}: {}", said(&output));
        assert!(read(&folder, "out") == bytes, "{case}");
        assert_eq!(standing(&folder, "."), ["a.npy", "b.npy", "out"], "{case}");
    }
    refused(&folder, &append("none", "a.npy").each_ref().map(String::as_str), b"", 2, "none");
    refused(&folder, &append("-", "a.npy").each_ref().map(String::as_str), b"", 2, "nothing can be appended");
    put(&folder, "out", &fit);
    well(&folder, &append("out", "a.npy").each_ref().map(String::as_str), b"");
    let longer = read(&folder, "out");
    assert!(longer.starts_with(&fit) && longer.len() > fit.len());
    let (found, code) = report("check", &longer, &[]);
    assert_eq!((code, found["fields"].as_array().map(Vec::len)), (0, Some(2)), "{found}");
}
