//! `ildg make`: raw numbers, or the field of another file, with the documents that ILDG 1.2 requires.

use crate::common::gauge::{
    data, fixture, format, go, numbers, of_doubles, of_singles, payloads, records, refused, types, well,
};
use crate::common::lime::{put, read, standing};
use crate::common::{findings, report, said, status};

/// Numbers in a field of su3gauge with 4 links per site on 2x3x4x5.
const NUMBERS: usize = 2 * 3 * 4 * 5 * 4 * 18;

#[test]
fn raw_numbers_get_the_documents_of_the_standard() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let raw = of_doubles(&numbers(NUMBERS));
    put(&folder, "raw", &raw);
    let arguments = [
        "ildg",
        "make",
        "out",
        "--data",
        "raw",
        "--extents",
        "2x3x4x5",
        "--lfn",
        "lfn://a/b",
        "--any-numbers",
    ];
    assert_eq!(well(&folder, &arguments, b""), "");
    let made = read(&folder, "out");
    let expected = ["ildg-format", "ildg-data-lfn", "ildg-binary-data"].map(|name| (1, name.to_owned()));
    assert_eq!(types(&made), expected);
    let document = String::from_utf8(records(&made)[0].payload.clone()).expect("text");
    // The document has one element per line and no NUL at the end.
    let line: String = document.lines().map(str::trim).collect();
    let blanks = format("1.2", "su3gauge", 0, 64, [2, 3, 4, 5]).replace("\" xmlns", "\"xmlns");
    assert_eq!(line.replace("\" xmlns", "\"xmlns"), blanks.replace("\" xsi", "\"xsi"));
    assert_eq!(payloads(&made, "ildg-data-lfn"), [b"lfn://a/b"]);
    assert!(data(&made) == raw);
    let (report, _) = report("check", &made, &["--no-observables"]);
    assert!(findings(&report).iter().all(|(_, severity)| *severity == "warning"), "{report}");
    assert_eq!(standing(&folder, "."), ["out", "raw"]);
}

#[test]
fn the_byte_order_is_respected_and_pipes_are_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let values = numbers(NUMBERS);
    let narrow: Vec<f32> = values.iter().map(|value| *value as f32).collect();
    for (bits, big, little) in [
        ("64", of_doubles(&values), values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>()),
        ("32", of_singles(&narrow), narrow.iter().flat_map(|value| value.to_le_bytes()).collect()),
    ] {
        put(&folder, "little", &little);
        let common = ["--extents", "2x3x4x5", "--precision", bits, "--force", "--any-numbers"];
        let make = |rest: &[&str], input: &[u8]| {
            well(&folder, &[&["ildg", "make", "out"], rest, &common].concat(), input);
            data(&read(&folder, "out"))
        };
        assert!(make(&["--data", "little", "--little-endian"], b"") == big);
        assert!(make(&["--data", "-", "--little-endian"], &little) == big);
        assert!(make(&["--data", "-"], &big) == big);
        assert!(make(&["--data", "-", "--big-endian"], &big) == big);
        let piped = go(&folder, &[&["ildg", "make", "-", "--data", "-"], &common[..]].concat(), &big);
        assert!(piped.stdout == read(&folder, "out"));
    }
}

#[test]
fn beside_scidac_documents_it_is_what_qio_writes_but_for_the_version() {
    let expected = fixture("qio/ildg/ildg_d_2x3x4x5.lime");
    let text = |name: &str| {
        let payload = payloads(&expected, name).remove(0);
        String::from_utf8(payload).expect("text").trim_end_matches('\0').to_owned()
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "raw", data(&expected));
    let (about_file, about_record, lfn) =
        (text("scidac-file-xml"), text("scidac-record-xml"), text("ildg-data-lfn"));
    let options = ["--file-xml", &about_file, "--record-xml", &about_record, "--lfn", &lfn];
    let date = ["--scidac", "--date", "Tue Jan  2 03:04:05 2024 UTC"];
    let make = ["ildg", "make", "out", "--data", "raw", "--extents", "2x3x4x5", "--any-numbers"];
    well(&folder, &[&make, &options[..], &date].concat(), b"");
    let made = read(&folder, "out");
    let newer = String::from_utf8(payloads(&made, "ildg-format").remove(0)).expect("text");
    assert!(newer.contains("<version>1.2</version>"));
    let at = records(&made)[4].offset + 144;
    let older = newer.replace("<version>1.2<", "<version>1.0<");
    let made = [&made[..at], older.as_bytes(), &made[at + older.len()..]].concat();
    assert!(made == expected);
}

#[test]
fn data_of_another_length_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let raw = of_doubles(&numbers(NUMBERS));
    let longer = [&raw[..], b"\0"].concat();
    let make = ["ildg", "make", "out", "--any-numbers", "--extents", "2x3x4x5", "--data"];
    for (bytes, piped) in
        [(&raw[..raw.len() - 1], "end after 69,119 bytes"), (&longer, "more data"), (b"", "0 bytes")]
    {
        put(&folder, "raw", bytes);
        refused(&folder, &[&make[..], &["raw"]].concat(), b"", 2, "takes 69,120 bytes");
        refused(&folder, &[&make[..], &["-"]].concat(), bytes, 2, piped);
        refused(&folder, &[&make[..], &["-"]].concat(), bytes, 2, "takes 69,120 bytes");
    }
}

#[test]
fn every_kind_of_the_document_and_no_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Numbers per link, and links per site.
    for (kind, rows, extents, per_link, links) in [
        ("su2gauge", "full", "2x2x2x2", 8, 4),
        ("su2gauge", "reduced", "2x2x2x2", 4, 4),
        ("su3gauge", "2", "2x2x2x2", 12, 4),
        ("su3gauge", "3", "1x2x2x2", 18, 3),
        ("su4gauge", "reduced", "2x1x1x2", 24, 2),
        ("so3gauge", "full", "2x2x2x2", 9, 4),
        ("so3gauge", "reduced", "2x2x2x2", 6, 4),
        ("sp4gauge", "full", "2x2x2x2", 32, 4),
        ("sp4gauge", "reduced", "2x2x2x2", 16, 4),
        ("u1gauge", "full", "2x2x2x2", 2, 4),
        ("u3gauge", "full", "2x2x2x2", 18, 4),
        ("u1phase", "full", "2x2x2x2", 1, 4),
        ("su3gauge", "full", "1x1x1x1", 18, 0),
    ] {
        let sites: usize = extents.split('x').map(|n| n.parse::<usize>().expect("a number")).product();
        let bytes =
            of_singles(&numbers(sites * links * per_link).iter().map(|n| *n as f32).collect::<Vec<_>>());
        for beside in [&[][..], &["--scidac"], &["--checksum"]] {
            // A SciDAC record cannot describe sites of 0 bytes.
            if beside == ["--scidac"] && links == 0 {
                continue;
            }
            let make = [
                "ildg",
                "make",
                "out",
                "--data",
                "-",
                "--force",
                "--precision",
                "32",
                "--lfn",
                "lfn://a",
                "--any-numbers",
            ];
            let what = ["--kind", kind, "--rows", rows, "--extents", extents];
            well(&folder, &[&make[..], &what, beside].concat(), &bytes);
            let made = read(&folder, "out");
            assert!(data(&made) == bytes, "{what:?}");
            assert_eq!(payloads(&made, "scidac-checksum").len(), beside.len());
            let (report, _) = report("inspect", &made, &[]);
            assert_eq!((&report["ok"], findings(&report)), (&true.into(), vec![]), "{what:?}");
            let field = &report["fields"][0];
            assert_eq!(field["bytes_per_site"], links * per_link * 4, "{what:?}");
            let needs_rows = rows == "reduced" || rows == "2";
            let found = String::from_utf8_lossy(&payloads(&made, "ildg-format")[0]).contains("<rows>");
            assert_eq!(found, needs_rows, "{what:?}");
        }
    }
    let make = ["ildg", "make", "new", "--data", "-", "--extents", "2x2x2x2"];
    for (what, words) in [
        (["--kind", "su1gauge"], "not one of"),
        (["--kind", "sp5gauge"], "not one of"),
        (["--rows", "1"], "3 rows or 2, not 1"),
        (["--precision", "16"], "32 or 64"),
        (["--update", "12a"], "not a string of digits"),
        (["--lfn", "a b"], "single string"),
        (["--lfn", "gr\u{fc}n"], "is not allowed"),
    ] {
        refused(&folder, &[&make[..], &what].concat(), b"", 2, words);
    }
    for what in [["--field", "0"], ["--tolerance", "1e-6"]] {
        refused(&folder, &[&make[..], &what].concat(), b"", 2, what[0]);
    }
    let phase = ["--kind", "u1phase", "--rows", "reduced"];
    refused(&folder, &[&make[..], &phase].concat(), b"", 2, "all rows only");
    for extents in ["2x2x2", "2x2x2x2x2", "2x2x2x0", "2x2x2x-2", "2,2,2,2"] {
        refused(&folder, &["ildg", "make", "new", "--data", "-", "--extents", extents], b"", 2, "4x4x4x8");
    }
}

#[test]
fn the_field_of_another_file_is_taken_once_it_is_verified() {
    let bytes = fixture("qio/single/gauge_d3_2x3x4x5.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "in.lime", &bytes);
    let make = ["ildg", "make", "out", "--from", "in.lime"];
    well(&folder, &[&make[..], &["--update", "7", "--lfn", "lfn://a"]].concat(), b"");
    let made = read(&folder, "out");
    // The checksum is written because the source has one.
    let expected = ["ildg-format", "ildg-update", "ildg-data-lfn", "ildg-binary-data", "scidac-checksum"];
    assert_eq!(types(&made), expected.map(|name| (1, name.to_owned())));
    assert_eq!(payloads(&made, "ildg-update"), [b"7"]);
    assert!(data(&made) == data(&bytes));
    assert!(String::from_utf8_lossy(&payloads(&made, "ildg-format")[0]).contains(">1.2<"));
    // A pipe as the source gives the same result.
    well(&folder, &["ildg", "make", "piped", "--from", "-", "--update", "7", "--lfn", "lfn://a"], &bytes);
    assert!(read(&folder, "piped") == made);
    // A wrong bit in the data is detected.
    let mut damaged = bytes.clone();
    let data = records(&bytes).into_iter().find(|found| found.record_type == "scidac-binary-data");
    damaged[data.expect("data").offset + 144 + 777] ^= 1;
    refused(&folder, &["ildg", "make", "new", "--from", "-"], &damaged, 1, "checksum mismatch");
    refused(&folder, &["ildg", "make", "new", "--from", "-"], &bytes[..bytes.len() / 2], 1, "at byte");
    refused(&folder, &["ildg", "make", "new", "--from", "-", "--extents", "2x2x2x2"], b"", 2, "--extents");
    refused(&folder, &["ildg", "make", "new", "--from", "none"], b"", 2, "none");
    refused(
        &folder,
        &["ildg", "make", "new", "--from", "-"],
        b"no LIME file",
        1,
        "not a file that linkstream reads",
    );
}

#[test]
fn of_several_fields_one_is_chosen() {
    let bytes = fixture("qio/ildg/ildg_then_real_then_gauge.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let make = ["ildg", "make", "out", "--from", "-"];
    refused(&folder, &make, &bytes, 1, "choose one with --field: 0, 2");
    refused(&folder, &[&make[..], &["--field", "1"]].concat(), &bytes, 1, "not a gauge field");
    refused(&folder, &[&make[..], &["--field", "3"]].concat(), &bytes, 2, "3 fields");
    refused(&folder, &[&make[..], &["--field", "x"]].concat(), &bytes, 2, "counted from 0");
    well(&folder, &[&make[..], &["--field", "2", "--scidac"]].concat(), &bytes);
    let third = payloads(&bytes, "scidac-binary-data").remove(1);
    assert!(data(&read(&folder, "out")) == third);
    let document = payloads(&read(&folder, "out"), "ildg-format").remove(0);
    assert!(String::from_utf8(document).expect("text").contains("<version>1.2<"));
}

#[test]
fn files_that_exist_are_replaced_on_demand_and_devices_never() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "out", b"precious");
    let make = ["ildg", "make", "out", "--data", "-", "--kind", "u1phase", "--extents", "2x1x1x1"];
    refused(&folder, &make, &[0; 16], 2, "--force");
    // It is kept even if the data are wrong and `--force` is given.
    refused(&folder, &[&make[..], &["--force"]].concat(), &[0; 15], 2, "takes 16 bytes");
    assert_eq!(read(&folder, "out"), b"precious");
    well(&folder, &[&make[..], &["--force"]].concat(), &[0; 16]);
    assert_eq!(data(&read(&folder, "out")), [0; 16]);
    refused(&folder, &["ildg", "make", ".", "--from", "out", "--force"], b"", 2, "is not a file");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    let device = std::path::Path::new("/dev/full");
    if !device.exists() {
        println!("skipped: no such device");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let full = std::fs::File::options().write(true).open(device).expect("a device");
    let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
    put(&folder, "raw", of_doubles(&numbers(NUMBERS)));
    program.current_dir(folder.path()).args(["ildg", "make", "-", "--any-numbers"]).args([
        "--data",
        "raw",
        "--extents",
        "2x3x4x5",
    ]);
    let output = program.stdout(full).output().expect("the program runs");
    assert_eq!(status(&output), 2);
    assert!(said(&output).contains("standard output: No space left"), "{}", said(&output));
    refused(&folder, &["ildg", "make", "/dev/full", "--from", "raw", "--force"], b"", 2, "is not a file");
}

#[test]
fn texts_that_check_would_call_wrong_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sample = go(&folder, &["sample", "-"], b"").stdout;
    put(&folder, "sample", &sample);
    put(&folder, "raw", data(&sample));
    let raw = ["--data", "raw", "--extents", "4x4x4x8", "--precision", "32"];
    let usqcd = |plaquette: &str, trace: &str| {
        format!(
            "<?xml version=\"1.0\"?><usqcdInfo><version>1.0</version><plaq>{plaquette}</plaq>\
             <linktr>{trace}</linktr><info>mine</info></usqcdInfo>"
        )
    };
    let (plaquette, trace) = (usqcd("0.1", "0.00151448"), usqcd("0.59567090", "0.25"));
    for (option, text, words) in [
        ("--record-xml", &plaquette[..], "records 0.1 as plaquette"),
        ("--record-xml", &trace, "records 0.25 as link trace"),
        ("--record-xml", "<a>", "scidac-record-xml is not well-formed"),
        ("--file-xml", "<a>", "scidac-file-xml is not well-formed"),
        ("--file-xml", "<a></b>", "scidac-file-xml is not well-formed"),
    ] {
        for from in [&raw[..], &["--from", "sample"]] {
            let make = [&["ildg", "make", "out", "--scidac", option, text], from].concat();
            refused(&folder, &make, b"", 2, words);
            assert_eq!(standing(&folder, "."), ["raw", "sample"]);
        }
    }
    // Any text is one, and markup of other programs.
    for text in ["beta < 6 & more", "<a/>", "<info>\n<b c='d'>e</b></info>"] {
        let make = [&["ildg", "make", "-", "--scidac", "--record-xml", text], &raw[..]].concat();
        assert_eq!(report("check", &go(&folder, &make, b"").stdout, &[]).1, 0, "{text}");
    }
}
