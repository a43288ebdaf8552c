//! `convert`: numbers that are infinite or NaN, or would become so.

use crate::common::gauge::{data, fixture, format, go, ildg, numbers, of_doubles, records, refused, singles};
use crate::common::lime::put;
use crate::common::{is_sound_or_noted, report, said, status};
use tempfile::TempDir;

/// The output and the messages of `convert - -`.
fn converted(folder: &TempDir, bytes: &[u8], options: &[&str]) -> (Vec<u8>, String) {
    let output = go(folder, &[&["convert", "-", "-"], options].concat(), bytes);
    assert_eq!(status(&output), 0, "{options:?}: {}", said(&output));
    let (said, (report, _)) = (said(&output), report("inspect", &output.stdout, &[]));
    assert!(is_sound_or_noted(&report), "{report}");
    (output.stdout, said)
}

#[test]
fn numbers_that_single_precision_cannot_hold_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let format = format("1.2", "u1gauge", 0, 64, [2, 2, 1, 1]);
    let mut values = numbers(16);
    values[10] = -1e39;
    let file = ildg(&format, &of_doubles(&values));
    put(&folder, "in", &file);
    let narrow = ["convert", "in", "out", "--damaged", "--precision", "32"];
    refused(&folder, &narrow, b"", 1, "in: the site of rank 2 holds -1e39, more than single precision can");
    values[10] = f64::NAN;
    values[11] = f64::NEG_INFINITY;
    let (made, said) =
        converted(&folder, &ildg(&format, &of_doubles(&values)), &["--precision", "32", "--damaged"]);
    assert!(said.contains("2 numbers are infinite or NaN"), "{said}");
    let made = singles(&data(&made));
    assert!(made[10].is_nan() && made[11] == f32::NEG_INFINITY && made[9] == values[9] as f32);
}

#[test]
fn values_that_are_not_numbers_are_reported_also_where_they_stay_as_they_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut values = numbers(48);
    values[5] = f64::NAN;
    values[17..19].fill(f64::INFINITY);
    values[47] = f64::NEG_INFINITY;
    let file = ildg(&format("1.2", "u1gauge", 0, 64, [2, 2, 2, 1]), &of_doubles(&values));
    let place = records(&file)[2].offset;
    for options in [&[][..], &["--to", "both"], &["--to", "scidac"], &["--precision", "64"]] {
        let (made, said) = converted(&folder, &file, &[options, &["--damaged"]].concat());
        let words =
            format!("in the data record at byte {place}, 4 numbers are infinite or NaN; they are kept");
        assert!(said.contains(&words), "{options:?}: {said}");
        assert!(data(&made) == data(&file), "{options:?}");
    }
    // Absent links of phases are not counted: 2x2x1x1 is open in x.
    let mut phases = of_doubles(&numbers(8));
    for site in [1, 3] {
        phases[site * 16..site * 16 + 8].fill(0xff);
    }
    let (made, said) =
        converted(&folder, &ildg(&format("1.2", "u1phase", 0, 64, [2, 2, 1, 1]), &phases), &[]);
    assert!(data(&made) == phases && !said.contains("NaN"), "{said}");
    // The numbers of other fields are counted as well.
    let dirac = fixture("qio/single/dirac_f3_2x3x4x5.lime");
    let found = records(&dirac);
    let record = found.iter().find(|found| found.record_type == "scidac-binary-data").expect("data");
    let mut strange = dirac.clone();
    strange[record.offset + 144..][..8].copy_from_slice(&[0x7f, 0xf0, 0, 0, 0, 0, 0, 0]);
    // The file without its checksum record.
    strange.truncate(record.offset + 144 + record.payload.len().next_multiple_of(8));
    strange[record.offset + 6] |= 0x40;
    assert!(converted(&folder, &strange, &["--damaged"]).1.contains("1 number is infinite or NaN"));
}
