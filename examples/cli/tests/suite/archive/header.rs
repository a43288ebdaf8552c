//! Header lines of archives in conversions.

use host_tests::archives::word_sum;
use tempfile::TempDir;

use crate::common::gauge::{data, fixture, go, payloads, refused};
use crate::common::{said, status};

/// Size of the fixture's header in bytes.
const HEADER: usize = 425;

fn archive() -> Vec<u8> {
    fixture("qio/nersc/n3x3_f.nersc")
}

/// The fixture with more lines at the end of its header.
fn with_lines(lines: &[&[u8]]) -> Vec<u8> {
    let file = archive();
    let at = HEADER - "END_HEADER\n".len();
    assert!(file[at..].starts_with(b"END_HEADER\n"));
    let lines: Vec<u8> = lines.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect();
    [&file[..at], &lines, &file[at..]].concat()
}

/// The lines of the header of an archive.
fn lines(file: &[u8]) -> Vec<&[u8]> {
    let end = file.windows(11).position(|bytes| bytes == b"END_HEADER\n").expect("a header");
    file[..end - 1].split(|byte| *byte == b'\n').collect()
}

fn converted(input: &[u8], options: &[&str]) -> (Vec<u8>, String) {
    let folder = TempDir::new().expect("a temporary folder");
    let output = go(&folder, &[&["convert", "-", "-"], options].concat(), input);
    assert_eq!(status(&output), 0, "{options:?}: {}", said(&output));
    let said = said(&output);
    (output.stdout, said)
}

/// A conversion from archive to archive keeps every line unchanged, except lines that depend on the data.
#[test]
fn lines_are_kept_byte_for_byte() {
    let long = [b"LONG = ", &b"0123456789"[..].repeat(200)[..]].concat();
    let further: [&[u8]; 11] = [
        b"NOTE = beta=5.7 m = 0.1",
        &long,
        b"BYTES = \xe9t\xe9 \xff",
        b"CONTROL = a\x01b\x7f\tc",
        b"EMPTY =",
        b"MILC_INFO = -------BEGIN-------",
        b"gauge.description =  \"two  blanks\" ",
        b"MILC_INFO = --------END--------",
        b"no equals sign",
        b"two words = 3",
        b"BOUNDARY_4 = ANTIPERIODIC",
    ];
    let input = with_lines(&further);
    for options in [&["--precision", "64"][..], &["--byte-order", "little"], &["--rows", "reduced"]] {
        let (made, said) = converted(&input, &[&["--to", "nersc"], options].concat());
        let (made, input) = (lines(&made), lines(&input));
        let computed: [&[u8]; 5] = [b"LINK_TRACE", b"PLAQUETTE", b"CHECKSUM", b"DATATYPE", b"FLOATING_POINT"];
        for (line, other) in input.iter().zip(&made) {
            let is_computed = computed.iter().any(|key| line.starts_with(key) && other.starts_with(key));
            assert!(is_computed || line == other, "{} {}", line.escape_ascii(), other.escape_ascii());
        }
        assert!(made.len() >= input.len());
        assert!(said.contains("KEY = value; QIO and MILC crash at other lines"), "{said}");
    }
}

/// The header of an archive that was converted by QIO or by this program is restored from the record XML.
#[test]
fn lines_come_back_from_a_scidac_record() {
    let further: [&[u8]; 3] = [b"NOTE = a=b <&>", b"MILC_INFO = 1", b"MILC_INFO = 2"];
    let input = with_lines(&further);
    let (lime, said) = converted(&input, &["--to", "scidac"]);
    assert!(!said.contains("warning"), "{said}");
    let (made, _) = converted(&lime, &["--to", "nersc"]);
    let made = lines(&made);
    assert!(made.windows(3).any(|lines| lines == further), "{made:?}");
    assert!(made.contains(&&b"ENSEMBLE_LABEL = synthetic random SU(3)"[..]), "{made:?}");
    // A line that no header can contain is reported.
    let xml = String::from_utf8(payloads(&lime, "scidac-record-xml").concat()).expect("text");
    let other = xml.replacen("MILC_INFO = 1", "free  text   ", 1);
    let at = lime.windows(xml.len()).position(|bytes| bytes == xml.as_bytes()).expect("it is present");
    let lime = [&lime[..at], other.as_bytes(), &lime[at + xml.len()..]].concat();
    let (_, said) = converted(&lime, &["--to", "nersc"]);
    assert!(said.contains("not of the form KEY = value: free  text"), "{said}");
}

/// Lines with bytes that XML cannot contain are reported.
#[test]
fn what_xml_cannot_hold_is_named() {
    let input = with_lines(&[b"BYTES = \xff", b"CONTROL = \x01", b"FINE = \xc3\xa9"]);
    let (made, said) = converted(&input, &["--to", "scidac"]);
    let xml = String::from_utf8(payloads(&made, "scidac-record-xml").concat()).expect("UTF-8");
    assert!(xml.contains("BYTES = \u{fffd}\nCONTROL = \u{fffd}\nFINE = \u{e9}\n"), "{xml}");
    for (line, is_named) in [("BYTES", true), ("CONTROL", true), ("FINE", false)] {
        assert_eq!(said.contains(&format!("the header line {line} has bytes")), is_named, "{said}");
    }
    let (ildg, said) = converted(&input, &["--to", "ildg"]);
    assert!(data(&ildg) == data(&made) && !said.contains("XML"), "{said}");
}

/// A line can have any length as long as the header is below its limit.
#[test]
fn headers_have_a_limit() {
    let line = [b"A = ", &vec![b'x'; 17 << 20][..]].concat();
    let folder = TempDir::new().expect("a temporary folder");
    refused(&folder, &["convert", "-", "x", "--to", "nersc"], &with_lines(&[&line]), 1, "longer than 16 MiB");
    let (made, _) = converted(&with_lines(&[&line[..1 << 20]]), &["--to", "nersc"]);
    assert!(lines(&made).contains(&&line[..1 << 20]));
}

#[test]
fn a_value_can_be_empty() {
    let input = with_lines(&[b"EMPTY ="]);
    let (lime, _) = converted(&input, &["--to", "scidac"]);
    for input in [input, lime] {
        let (made, _) = converted(&input, &["--to", "nersc"]);
        let empty: Vec<_> = lines(&made).into_iter().filter(|line| line.starts_with(b"EMPTY")).collect();
        assert_eq!(empty.len(), 1);
        assert!(word_sum(&made[made.len() - 48 * 288..], true) > 0);
    }
}

#[test]
fn a_date_that_scidac_cannot_have_is_named() {
    let line = [b"CREATION_DATE = ", &b"x".repeat(65)[..]].concat();
    let text =
        String::from_utf8(archive()[..HEADER].to_vec()).expect("text").replace("CREATION_DATE", "CREATED");
    let file = [text.as_bytes(), &archive()[HEADER..]].concat();
    let at = file.windows(11).position(|bytes| bytes == b"END_HEADER\n").expect("a header");
    let file = [&file[..at], &line, b"\n", &file[at..]].concat();
    let (_, said) = converted(&file, &["--to", "scidac"]);
    assert!(said.contains("SciDAC dates are texts of at most 64 bytes"), "{said}");
}

/// Each of the other lines of a header is kept, or named in a warning, in every form.
#[test]
fn header_lines_are_kept_or_named() {
    let lines = ["ENSEMBLE_ID", "ENSEMBLE_LABEL", "SEQUENCE_NUMBER", "CREATOR", "CREATION_DATE"];
    for (name, number) in [("03-grid-su2-full", "1"), ("03b-glu-su2-reduced-f32le", "7")] {
        let file = fixture(&format!("foreign/{name}.nersc"));
        for form in ["scidac", "both", "ildg", "nersc"] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let lfn: &[&str] = if ["both", "ildg"].contains(&form) { &["--lfn", "lfn://a"] } else { &[] };
            let output = go(&folder, &[&["convert", "-", "-", "--to", form], lfn].concat(), &file);
            assert_eq!(status(&output), 0, "{name} {form}: {}", said(&output));
            let (text, warned) = (String::from_utf8_lossy(&output.stdout).into_owned(), said(&output));
            let update = payloads_of(&output.stdout, form, "ildg-update");
            for line in lines {
                let is_update = line == "SEQUENCE_NUMBER" && update == [number.as_bytes()];
                let is_kept = text.contains(&format!("{line} = ")) || is_update;
                assert_ne!(is_kept, warned.contains(line), "{name} {form} {line}: {warned}");
            }
            // QIO's converter writes none beside the lines.
            assert_eq!(update.len(), usize::from(form == "ildg"), "{name} {form}");
        }
    }
}

/// A text of the user has no place in an ILDG file without SciDAC documents, which is said.
#[test]
fn texts_of_the_user_are_kept_or_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = fixture("foreign/03-grid-su2-full.nersc");
    let scidac = go(&folder, &["convert", "-", "-", "--to", "scidac"], &file).stdout;
    let mut with_text = scidac.clone();
    let at = with_text.windows(7).position(|bytes| bytes == b"<title>").expect("the text of the file");
    with_text[at + 7] = b'X';
    let output = go(&folder, &["convert", "-", "-", "--to", "ildg", "--lfn", "lfn://a"], &with_text);
    assert_eq!(status(&output), 0, "{}", said(&output));
    let words = "the user's text in scidac-file-xml is left out: only SciDAC files have one";
    assert!(said(&output).contains(words), "{}", said(&output));
}

/// The payloads of records of a LIME file; none of an archive.
fn payloads_of(file: &[u8], form: &str, record_type: &str) -> Vec<Vec<u8>> {
    if form == "nersc" { Vec::new() } else { payloads(file, record_type) }
}
