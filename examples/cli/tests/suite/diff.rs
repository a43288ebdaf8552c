//! `linkstream diff`: its output and its exit status.

use host_tests::fixtures::Fixtures;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::common::gauge::{fixture, format, go, ildg, numbers, of_doubles, of_singles, records, well};
use super::common::lime::{put, record};
use super::common::{files, matrix, reals, report, said, status};

const EXTENTS: [u32; 4] = [2, 2, 2, 4];
/// Numbers at a site: 4 links of 3x3 complex numbers.
const SITE: usize = 72;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn gauge(values: &[f64]) -> Vec<u8> {
    ildg(&format("1.2", "su3gauge", 0, 64, EXTENTS), &of_doubles(values))
}

/// The output of `diff --json` for the files `a` and `b`, and the exit status. Numbers that are easy to compare are no
/// unitary links, so that the files count as damaged.
fn compared(folder: &TempDir, options: &[&str]) -> (Value, i32) {
    let output = go(folder, &[&["diff", "--damaged", "--json", "a", "b"], options].concat(), b"");
    let object = serde_json::from_slice(&output.stdout).expect("one object");
    (object, status(&output))
}

/// Equality up to the last digit, which the parser of the JSON may round.
fn is_near(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() <= 1e-15 * expected.abs())
}

fn of_files(a: &[u8], b: &[u8], options: &[&str]) -> (Value, i32) {
    let folder = folder();
    put(&folder, "a", a);
    put(&folder, "b", b);
    let (object, code) = compared(&folder, options);
    // `-q` and the text output give the same result.
    for more in [&["-q"][..], &[]] {
        let output = go(&folder, &[&["diff", "--damaged", "a", "b"], more, options].concat(), b"");
        assert_eq!(
            (status(&output), output.stdout.is_empty()),
            (code, more == ["-q"] || code == 2 && object["trouble"] != Value::Null)
        );
    }
    (object, code)
}

#[test]
fn a_file_is_the_same_as_itself() {
    let file = gauge(&numbers(32 * SITE));
    let (object, code) = of_files(&file, &file, &[]);
    assert_eq!((code, &object["same"], &object["documents_compared"]), (0, &json!(true), &json!(2)));
    let expected = json!([{
        "compared_as": "numbers", "compared": 32 * SITE, "differing": 0, "not_finite": 0,
        "largest_absolute": null, "largest_relative": null, "ranges": [], "ranges_left_out": 0, "bytes_a": [],
        "bytes_b": [], "name": "field 0", "same": true,
    }]);
    assert_eq!(object["data"], expected);
}

#[test]
fn the_largest_differences_have_their_places() {
    let values = numbers(32 * SITE);
    let mut others = values.clone();
    // Site (1, 0, 1, 2), link t, row 2, column 1, imaginary part.
    let absolute = (1 + 4 + 2 * 8) * SITE + 3 * 18 + 2 * 6 + 2 + 1;
    others[absolute] += 10.0;
    // Site (0, 0, 0, 0), link x, row 0, column 0, real part.
    others[0] *= 3.0;
    let (object, code) = of_files(&gauge(&values), &gauge(&others), &[]);
    let found = &object["data"][0];
    assert_eq!((code, &found["differing"]), (1, &json!(2)));
    let largest = &found["largest_absolute"];
    assert_eq!(largest["site"], json!([1, 0, 1, 2]));
    assert_eq!(largest["within"], "link t, row 2, column 1, imaginary part");
    assert!(
        is_near(&largest["a"], values[absolute]) && is_near(&largest["b"], others[absolute]),
        "{largest}"
    );
    assert!(is_near(&largest["difference"], (others[absolute] - values[absolute]).abs()), "{largest}");
    let largest = &found["largest_relative"];
    assert_eq!(largest["site"], json!([0, 0, 0, 0]));
    assert!(is_near(&largest["difference"], 2.0 / 3.0), "{largest}");
    assert_eq!(largest["within"], "link x, row 0, column 0, real part");
}

#[test]
fn the_sites_and_bytes_that_differ_are_listed() {
    let values = numbers(32 * SITE);
    let mut others = values.clone();
    for number in [0, SITE - 1, SITE, 5 * SITE + 3, 31 * SITE + 71] {
        others[number] += 1e6;
    }
    // Not finite, so without a place among the largest.
    others[20 * SITE] = f64::NAN;
    let (object, _) = of_files(&gauge(&values), &gauge(&others), &[]);
    let found = &object["data"][0];
    assert_eq!(found["ranges"], json!([[0, 2], [5, 6], [20, 21], [31, 32]]));
    let bytes = json!([[0, 1152], [2880, 3456], [11_520, 12_096], [17_856, 18_432]]);
    assert_eq!((&found["bytes_a"], &found["bytes_b"]), (&bytes, &bytes));
    // Only what is beyond the tolerance.
    let (object, code) = of_files(&gauge(&values), &gauge(&others), &["--tolerance", "1e7"]);
    assert_eq!((code, &object["data"][0]["ranges"]), (1, &json!([[20, 21]])));
    let folder = folder();
    put(&folder, "a", gauge(&values));
    put(&folder, "b", gauge(&others));
    let text = go(&folder, &["diff", "--damaged", "a", "b"], b"").stdout;
    let text = String::from_utf8(text).expect("text");
    assert!(text.contains("    site 0 to 1, bytes 0 to 1,151 of the data\n"), "{text}");
    assert!(text.contains("    site 31, bytes 17,856 to 18,431 of the data\n"), "{text}");
    // Of many ranges, their number.
    let others: Vec<f64> =
        values.iter().enumerate().map(|(i, value)| value + (i / SITE % 2) as f64).collect();
    let lattice = [8, 8, 8, 2];
    let large =
        |values: &[f64]| ildg(&format("1.2", "su3gauge", 0, 64, lattice), &of_doubles(&values.repeat(32)));
    let (object, _) = of_files(&large(&values), &large(&others), &[]);
    let found = &object["data"][0];
    let count = found["ranges"].as_array().expect("a list").len();
    assert_eq!((count, &found["ranges_left_out"]), (100, &json!(412)));
}

#[test]
fn differences_within_the_tolerance_do_not_count() {
    let values = vec![2.0; 32 * SITE];
    let mut others = values.clone();
    others[100] = 2.5;
    let (a, b) = (gauge(&values), gauge(&others));
    for (options, expected) in [
        (&["--tolerance", "0.5"][..], 0),
        (&["--tolerance", "0.4999"], 1),
        (&["--relative-tolerance", "0.2"], 0),
        (&["--relative-tolerance", "0.1999"], 1),
        (&["--tolerance", "0.1", "--relative-tolerance", "0.3"], 0),
    ] {
        let (object, code) = of_files(&a, &b, options);
        assert_eq!((code, &object["same"]), (expected, &json!(expected == 0)), "{options:?}");
        assert_eq!(object["data"][0]["largest_absolute"]["difference"], 0.5);
    }
    let folder = folder();
    put(&folder, "a", &a);
    for wrong in ["-1", "nan", "x"] {
        assert_eq!(status(&go(&folder, &["diff", "a", "a", "--tolerance", wrong], b"")), 2);
    }
}

#[test]
fn precisions_may_differ() {
    let values = numbers(32 * SITE);
    let singles: Vec<_> = values.iter().map(|value| *value as f32).collect();
    let double = gauge(&values);
    let single = ildg(&format("1.2", "su3gauge", 0, 32, EXTENTS), &of_singles(&singles));
    let (object, code) = of_files(&double, &single, &["--data", "--relative-tolerance", "1e-7"]);
    assert_eq!((code, &object["data"][0]["compared"]), (0, &json!(32 * SITE)));
    let worst = values.iter().zip(&singles).map(|(a, b)| (a - f64::from(*b)).abs()).fold(0.0, f64::max);
    assert!(is_near(&object["data"][0]["largest_absolute"]["difference"], worst), "{object}");
    assert_eq!(of_files(&double, &single, &["--data"]).1, 1);
    // The documents differ even if the data are equal within the tolerance.
    let (object, code) = of_files(&double, &single, &["--relative-tolerance", "1e-7"]);
    assert_eq!(code, 1);
    let change = json!([{ "path": "/ildgFormat/precision", "a": "64", "b": "32" }]);
    assert_eq!(object["documents"][0]["changes"], change);
    // Single-precision numbers equal the same numbers in double precision.
    let widened: Vec<_> = singles.iter().map(|value| f64::from(*value)).collect();
    assert_eq!(of_files(&gauge(&widened), &single, &["--data"]).1, 0);
}

#[test]
fn of_links_with_fewer_rows_the_common_ones_are_compared() {
    let values = numbers(32 * SITE);
    let mut two: Vec<_> = values.chunks(18).flat_map(|link| link[..12].to_vec()).collect();
    let short = |two: &[f64]| ildg(&format("1.2", "su3gauge", 2, 64, EXTENTS), &of_doubles(two));
    let (object, code) = of_files(&gauge(&values), &short(&two), &["--data"]);
    assert_eq!((code, &object["data"][0]["compared"]), (0, &json!(two.len())));
    // Site 5, link z, row 1, column 0.
    two[5 * 48 + 2 * 12 + 6] += 1.0;
    let (object, code) = of_files(&short(&two), &gauge(&values), &["--data"]);
    let largest = &object["data"][0]["largest_absolute"];
    assert_eq!((code, &largest["site"]), (1, &json!([1, 0, 1, 0])));
    assert_eq!(largest["within"], "link z, row 1, column 0, real part");
}

#[test]
fn not_a_number_and_zeros() {
    let mut values = numbers(32 * SITE);
    values[7] = f64::NAN;
    values[8] = 0.0;
    let mut others = values.clone();
    others[7] = f64::from_bits(0xfff8_0000_0000_0001);
    others[8] = -0.0;
    assert_eq!(of_files(&gauge(&values), &gauge(&others), &[]).1, 0);
    others[7] = 1.0;
    let options = ["--tolerance", "1e300"];
    let (object, code) = of_files(&gauge(&values), &gauge(&others), &options);
    assert_eq!((code, &object["data"][0]["not_finite"]), (1, &json!(1)));
}

#[test]
fn documents_are_compared_element_by_element() {
    let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime"))
        .expect("the sample is part of the repository");
    let at = file.windows(20).position(|bytes| bytes == b"<date>Fri Nov 20 12:").expect("a date");
    let mut other = file.clone();
    other[at + 6] = b'S';
    let (object, code) = of_files(&file, &other, &[]);
    assert_eq!((code, &object["structure"]), (1, &json!([])));
    let name = "scidac-private-record-xml (message 2, record 1)";
    let change = json!({
        "path": "/scidacRecord/date",
        "a": "Fri Nov 20 12:00:00 2026 UTC",
        "b": "Sri Nov 20 12:00:00 2026 UTC",
    });
    assert_eq!(object["documents"], json!([{ "name": name, "changes": [change] }]));
    // The data alone are equal.
    assert_eq!(of_files(&file, &other, &["--data"]).1, 0);
}

#[test]
fn records_of_one_file_only_are_structure() {
    let values = of_doubles(&numbers(32 * SITE));
    let about = format("1.2", "su3gauge", 0, 64, EXTENTS);
    let parts = [
        record("ildg-format", about.as_bytes(), true, false),
        record("ildg-data-lfn", b"lfn://x", false, false),
        record("ildg-binary-data", &values, false, true),
    ];
    let whole = parts.concat();
    let without = [&parts[0][..], &parts[2]].concat();
    let (object, code) = of_files(&whole, &without, &[]);
    let at = parts[0].len();
    let only = format!("message 1, record 2 at byte {at}");
    assert_eq!(
        (code, &object["structure"]),
        (1, &json!([{ "path": "record ildg-data-lfn", "a": only, "b": null }]))
    );
    let (object, _) = of_files(&without, &whole, &[]);
    assert_eq!(object["structure"][0]["b"], json!(only));
    // The same records in another order, and with other message flags.
    let turned = [
        record("ildg-data-lfn", b"lfn://x", true, false),
        record("ildg-format", about.as_bytes(), false, false),
        parts[2].clone(),
    ];
    let (object, code) = of_files(&whole, &turned.concat(), &[]);
    assert_eq!((code, &object["structure"][0]["path"]), (1, &json!("order of records, from record 1")));
    let apart = [
        parts[0].clone(),
        record("ildg-data-lfn", b"lfn://x", false, true),
        record("ildg-binary-data", &values, true, true),
    ];
    let (object, code) = of_files(&whole, &apart.concat(), &["--tolerance", "1"]);
    assert_eq!((code, &object["structure"][1]["b"]), (1, &json!("message 2, MB, ME")));
    assert_eq!(of_files(&whole, &apart.concat(), &["--data"]).1, 0);
}

#[test]
fn records_that_are_no_text_are_compared_as_bytes() {
    let file = |bytes: &[u8]| record("table", bytes, true, true);
    let mut bytes: Vec<_> = (0..2_000_000_u32).map(|i| (i % 251) as u8).collect();
    let before = file(&bytes);
    assert_eq!(of_files(&before, &before, &[]).1, 0);
    bytes[1_500_000] ^= 1;
    bytes[1_600_000] ^= 1;
    let (object, code) = of_files(&before, &file(&bytes), &[]);
    assert_eq!(code, 1);
    let found = &object["data"][0];
    assert_eq!((&found["differing"], &found["first"]), (&json!(2), &json!(1_500_000)));
    assert_eq!(found["ranges"], json!([[1_500_000, 1_500_001], [1_600_000, 1_600_001]]));
    let (object, _) = of_files(&file(b"\x01\x02\x03"), &file(b"\x01\x02"), &[]);
    assert_eq!((&object["data"][0]["bytes"], &object["same"]), (&json!([3, 2]), &json!(false)));
}

#[test]
fn other_shapes_are_not_compared() {
    let (a, b) = (gauge(&numbers(32 * SITE)), [2, 2, 4, 2]);
    let other = ildg(&format("1.2", "su3gauge", 0, 64, b), &of_doubles(&numbers(32 * SITE)));
    let (object, code) = of_files(&a, &other, &["--data"]);
    assert_eq!((code, &object["data"][0]["compared_as"]), (1, &Value::Null));
    assert_eq!(object["data"][0]["changes"][0]["path"], "lattice");
    let su2 = ildg(&format("1.2", "su2gauge", 0, 64, EXTENTS), &of_doubles(&numbers(32 * 32)));
    let (object, code) = of_files(&a, &su2, &["--data"]);
    assert_eq!((code, &object["data"][0]["changes"][0]["path"]), (1, &json!("data of a site")));
    // A file with one more field.
    let two = [a.clone(), a.clone()].concat();
    let (object, code) = of_files(&a, &two, &["--data"]);
    assert_eq!((code, &object["structure"][0]["path"]), (1, &json!("number of fields")));
}

/// Fixtures written by QIO: hypercubes, global data, several records.
#[test]
fn every_kind_of_data_is_compared() {
    let mut kinds = 0;
    for (about, file) in files(Fixtures::Ours, "qio") {
        let name = about["path"].as_str().expect("a path");
        if name.starts_with("single/") {
            let (object, code) = of_files(&file, &file, &[]);
            assert_eq!((code, &object["same"]), (0, &json!(true)), "{name}: {object}");
            kinds += 1;
        }
    }
    assert!(kinds > 10);
}

#[test]
fn a_site_of_a_hypercube_has_its_place_in_the_lattice() {
    let file = fixture("qio/single/hyper_2x3x4x5.lime");
    let found = records(&file);
    let data = found.iter().find(|found| found.record_type.ends_with("binary-data")).expect("data");
    let mut other = file.clone();
    let last = data.offset + 144 + data.payload.len() - 1;
    other[last] ^= 1;
    let (report, _) = report("inspect", &file, &[]);
    let (object, code) = of_files(&file, &other, &["--data"]);
    assert_eq!((code, &object["data"][0]["differing"]), (1, &json!(1)), "{object}");
    assert_eq!(object["data"][0]["largest_absolute"]["site"], report["fields"][0]["upper"]);
}

#[test]
fn matrices_are_compared_by_entry() {
    let a = reals(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let b = reals(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.5, 6.0]);
    assert_eq!(of_files(&a, &a, &[]).1, 0);
    let (object, code) = of_files(&a, &b, &[]);
    let found = &object["data"][0];
    assert_eq!((code, &found["name"], &found["compared"]), (1, &json!("matrix"), &json!(6)));
    assert_eq!(found["largest_absolute"]["site"], json!([1, 1]));
    assert_eq!(of_files(&a, &b, &["--tolerance", "0.5"]).1, 0);
    // The real and the imaginary part of complex numbers are compared.
    let z = |last: f64| matrix(b'C', 1, 2, &[1.0, 2.0, 3.0, last].map(f64::to_le_bytes).concat());
    let (object, _) = of_files(&z(4.0), &z(5.0), &[]);
    let largest = &object["data"][0]["largest_absolute"];
    assert_eq!((&largest["site"], &largest["within"]), (&json!([0, 1]), &json!("imaginary part")));
    // Integers are compared exactly.
    let n = |last: i64| matrix(b'Z', 1, 2, &[7, last].map(i64::to_le_bytes).concat());
    let (object, _) = of_files(&n(i64::MAX), &n(i64::MAX - 1), &[]);
    let largest = &object["data"][0]["largest_absolute"];
    assert_eq!((&largest["difference"], &largest["a"]), (&json!(1.0), &json!(i64::MAX.to_string())));
    // Booleans.
    let bits = |byte: u8| matrix(b'B', 3, 2, &[byte]);
    let (object, code) = of_files(&bits(0b00_0101), &bits(0b01_0100), &[]);
    assert_eq!((code, &object["data"][0]["differing"]), (1, &json!(2)));
    // Shapes and types differ.
    let (object, code) = of_files(&a, &reals(3, 2, &[0.0; 6]), &[]);
    assert_eq!((code, object["structure"].as_array().map(Vec::len)), (1, Some(2)));
    assert_eq!(of_files(&a, &z(1.0), &[]).1, 1);
}

#[test]
fn sections_are_compared_as_they_were_before_compression() {
    let folder = folder();
    put(&folder, "x", (0..=255).cycle().take(50_000).collect::<Vec<u8>>());
    put(&folder, "y", "a text");
    let pieces = ["text:step=42", "array:x:8=x", "block:notes=y", "varray:v=y,x,y"];
    let create = |out: &str, options: &[&str], pieces: &[&str]| {
        well(&folder, &[&["scda", "create", out, "--force"], options, pieces].concat(), b"");
    };
    create("a", &[], &pieces);
    create("b", &["--compress"], &pieces);
    let (object, code) = compared(&folder, &[]);
    assert_eq!((code, object["data"].as_array().map(Vec::len)), (0, Some(4)), "{object}");
    // A byte of a compressed element differs.
    put(&folder, "y", "a Text");
    create("b", &["--compress"], &pieces);
    let (object, code) = compared(&folder, &[]);
    assert_eq!(code, 1);
    let differing = |object: &Value| -> Vec<Value> {
        object["data"].as_array().expect("a list").iter().map(|data| data["differing"].clone()).collect()
    };
    assert_eq!(differing(&object), [json!(0), json!(0), json!(1), json!(2)]);
    assert_eq!(object["data"][2]["first"], 2);
    // A size, a user string and a section differ.
    put(&folder, "y", "a text!");
    create(
        "b",
        &["--compress", "--user", "other"],
        &["text:step=42", "array:X:8=x", "block:notes=y", "varray:v=y,x"],
    );
    let (object, code) = compared(&folder, &[]);
    let paths: Vec<_> = object["structure"].as_array().expect("a list").iter().map(|c| &c["path"]).collect();
    assert_eq!(
        (code, paths),
        (1, vec![&json!("user string of section 0"), &json!("user string of section 2")])
    );
    let shapes = |section: usize| -> Vec<&Value> {
        object["data"][section]["changes"].as_array().expect("a list").iter().map(|c| &c["path"]).collect()
    };
    assert_eq!(shapes(2), [&json!("bytes of an element")]);
    assert_eq!(shapes(3), [&json!("element 0"), &json!("element 2"), &json!("elements")]);
    create("b", &[], &pieces[..3]);
    let (object, code) = compared(&folder, &[]);
    assert_eq!(code, 1);
    let gone = json!({ "path": "section 4", "a": "variable array", "b": null });
    assert!(object["structure"].as_array().expect("a list").contains(&gone), "{object}");
}

#[test]
fn trouble_is_status_two() {
    let file = gauge(&numbers(32 * SITE));
    let (object, code) = of_files(&file, &file[..file.len() - 9], &[]);
    assert_eq!((code, &object["same"], &object["in"]), (2, &Value::Null, &json!("b")), "{object}");
    let (object, code) = of_files(b"neither", &file, &[]);
    let trouble = object["trouble"].as_str().expect("a message");
    assert!(code == 2 && trouble.contains("not a file that linkstream reads"), "{object}");
    let matrix = reals(1, 1, &[1.0]);
    assert_eq!(of_files(&matrix, &matrix[..20], &[]).1, 2);
    // Different formats are a difference, not an error.
    let (object, code) = of_files(&file, &matrix, &[]);
    assert_eq!((code, &object["structure"]), (1, &json!([{ "path": "format", "a": "LIME", "b": "INEBIN" }])));
    let folder = folder();
    put(&folder, "a", &file);
    let missing = go(&folder, &["diff", "--damaged", "a", "missing"], b"");
    assert_eq!(status(&missing), 2);
    assert!(said(&missing).contains("linkstream: missing: "), "{}", said(&missing));
    assert_eq!(status(&go(&folder, &["diff", "-", "-"], b"")), 2);
    assert_eq!(status(&go(&folder, &["diff", "--damaged", "a", "."], b"")), 2);
}

#[test]
fn one_of_the_files_can_be_a_pipe() {
    let mut values = numbers(32 * SITE);
    let folder = folder();
    put(&folder, "a", gauge(&values));
    assert_eq!(status(&go(&folder, &["diff", "--damaged", "a", "-"], &gauge(&values))), 0);
    values[3] = 0.5;
    let output = go(&folder, &["diff", "--damaged", "-", "a"], &gauge(&values));
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    assert_eq!(status(&output), 1);
    assert!(text.ends_with("standard input and a: different\n"), "{text}");
    assert!(text.contains("at (0, 0, 0, 0), link x, row 0, column 1, imaginary part: 0.5 | "), "{text}");
}

/// A value from a file may contain any bytes.
#[test]
fn what_a_file_says_cannot_command_the_terminal() {
    let file = |word: &str| record("notes", format!("<a>{word}</a>").as_bytes(), true, true);
    let folder = folder();
    put(&folder, "a", file("x"));
    put(&folder, "b", file("&#x9b;31m\u{9b}31mred"));
    let output = go(&folder, &["diff", "a", "b"], b"");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(!text.contains('\u{9b}') && text.contains("different"), "{text}");
}
