//! `check` on ILDG files: rules with their clauses, and open boundaries.

use crate::common::lime::record;
use crate::common::{report, run, status};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::RecordWriter;
use linkstream::lattice::Precision;
use linkstream::xml::Spacing;
use serde_json::{Value, json};

const LATTICE: [u32; 4] = [2, 3, 2, 4];
const SITES: usize = 48;
/// Size of a link: 3x3 complex numbers in single precision.
pub const LINK: usize = 72;
pub const SITE: usize = 4 * LINK;

/// A field of unit links.
pub fn unity() -> Vec<u8> {
    let one: Vec<u8> =
        (0..18_usize).flat_map(|n| if n.is_multiple_of(8) { 1_f32 } else { 0.0 }.to_be_bytes()).collect();
    one.repeat(4 * SITES)
}

/// Clears the links in t from the site `from` on, in the last slice: they are absent.
pub fn open_in_t(mut data: Vec<u8>, from: usize) -> Vec<u8> {
    for site in from..SITES {
        data[site * SITE + 3 * LINK..][..LINK].fill(0);
    }
    data
}

/// A file with one field, and the offset of its data.
pub fn file(data: &[u8], update_first: bool) -> (Vec<u8>, u64) {
    let mut format = [0; 512];
    let document = Format::new(GaugeKind::SU3, Precision::F32, LATTICE);
    let length = document.emit(Spacing::Line, &mut format).expect("large enough");
    let mut records: [(&str, &[u8]); 4] = [
        ("ildg-format", &format[..length]),
        ("ildg-update", b"7"),
        ("ildg-binary-data", data),
        ("ildg-data-lfn", b"lfn://a"),
    ];
    if update_first {
        records.swap(0, 1);
    }
    let mut file = Vec::new();
    let mut writer = RecordWriter::create(&mut file);
    for (n, (kind, payload)) in records.iter().enumerate() {
        writer.write_record(kind.as_bytes(), n == 0, n == 3, payload).expect("memory does not fail");
    }
    writer.finish().expect("no record is open");
    let before = [length, 1].map(|length| 144 + length.next_multiple_of(8) as u64);
    (file, before.iter().sum::<u64>() + 144)
}

fn text(bytes: &[u8], options: &[&str]) -> (String, i32) {
    let output = run(&[&["check", "-"], options].concat(), bytes);
    (String::from_utf8(output.stdout.clone()).expect("text"), status(&output))
}

#[test]
fn a_closed_lattice() {
    let (file, _) = file(&unity(), false);
    let (report, code) = report("check", &file, &[]);
    assert_eq!((code, &report["findings"]), (0, &json!([])));
    assert_eq!((&report["fields"][0]["open"], &report["fields"][0]["plaquette"]), (&json!([]), &json!(1.0)));
    assert!(!text(&file, &[]).0.contains("open boundary"));
}

#[test]
fn an_open_boundary_is_reported_and_its_links_are_not_errors() {
    let (file, _) = file(&open_in_t(unity(), 36), false);
    let (report, code) = report("check", &file, &[]);
    assert_eq!((code, &report["findings"]), (0, &json!([])));
    let field = &report["fields"][0];
    assert_eq!(field["open"], json!([{"direction": "t", "links": 12}]));
    assert_eq!(field["max_unitarity_deviation"], json!(0.0));
    let (text, code) = text(&file, &[]);
    assert!(code == 0 && text.contains("    open boundary in t: 12 links do not exist\n"), "{text}");
    // `inspect` does not read the data and cannot report open boundaries.
    let (inspected, _) = crate::common::report("inspect", &file, &[]);
    assert_eq!(inspected["fields"][0].get("open"), None);
}

#[test]
fn a_slice_that_is_open_in_part_is_wrong() {
    let (file, data_at) = file(&open_in_t(unity(), 40), false);
    let (strict, code) = report("check", &file, &[]);
    let [finding] = &strict["findings"].as_array().expect("a list")[..] else { panic!("{strict}") };
    assert_eq!((code, &finding["rule"]), (1, &json!("ildg-boundary-mixed")));
    assert_eq!(finding["clause"], "ILDG 1.2, section 2.5.1");
    assert_eq!(finding["offset"], data_at + (40 * SITE + 3 * LINK) as u64);
    assert_eq!(strict["fields"][0]["open"], json!([]));
    assert_eq!(report("check", &file, &["--lenient"]).1, 0);
}

#[test]
fn a_finding_names_its_clause() {
    let (file, _) = file(&unity(), true);
    let (report, code) = report("check", &file, &[]);
    assert_eq!((code, &report["findings"][0]["clause"]), (1, &json!("ILDG 1.2, section 2.2")));
    let (text, _) = text(&file, &[]);
    let line = "of its message (ILDG 1.2, 2.2) [ildg-update-misplaced]\n";
    assert!(text.contains(line), "{text}");
    // A finding outside of any document has no clause.
    let unknown = crate::common::report("check", b"neither", &[]).0;
    assert_eq!(unknown["findings"][0].get("clause"), Some(&Value::Null));
}

/// The reader learns only at the end of the last slice that it is open.
#[test]
fn data_that_are_cut_short_are_not_judged() {
    let (file, data_at) = file(&open_in_t(unity(), 36), false);
    let cut = &file[..data_at as usize + 46 * SITE];
    let (report, code) = report("check", cut, &[]);
    assert_eq!((code, report["fields"][0].get("open")), (1, None));
}

/// In a direction with one site there are no links (ILDG 1.2, section 2.5.1).
#[test]
fn one_link_at_a_site() {
    let mut document = [0; 512];
    let format = Format::new(GaugeKind::SU3, Precision::F32, [1, 1, 1, 2]);
    let length = format.emit(Spacing::Line, &mut document).expect("large enough");
    let records = [
        record("ildg-format", &document[..length], true, false),
        record("ildg-binary-data", &[1; 2 * LINK], false, true),
    ];
    let (text, code) = text(&records.concat(), &["--no-observables"]);
    assert!(code == 0 && text.contains(", 1 link of 3x3 complex numbers at a site"), "{text}");
}
