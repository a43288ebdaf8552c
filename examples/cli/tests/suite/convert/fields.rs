//! `convert`: precision and documents. Infinite numbers and NaNs are tested in `numbers.rs`, rows in `rows.rs`, and
//! damaged files in `refused.rs`.

use crate::common::gauge::{
    data, doubles, fixture, format, go, ildg, numbers, of_doubles, of_singles, payloads, records, refused,
    singles, types,
};
use crate::common::lime::record;
use crate::common::{findings, is_sound_or_noted, report, said, status};
use host_tests::fixtures::Fixtures;
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
fn what_qio_wrote_is_written_again_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut same = 0;
    for kind in ["single", "ildg", "usqcd", "nersc"] {
        for entry in std::fs::read_dir(Fixtures::Ours.join("qio").join(kind)).expect("a readable folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "lime") {
                continue;
            }
            let bytes = std::fs::read(&path).expect("a file");
            // Made by QIO from a NERSC file in the other byte order, without swapping the bytes.
            if path.to_string_lossy().contains("n3x2_f_little") {
                refused(&folder, &["convert", "-", "-"], &bytes, 1, "links-not-finite");
                let (_, said) = converted(&folder, &bytes, &["--damaged"]);
                assert!(said.contains("332 numbers are infinite or NaN"), "{}: {said}", path.display());
                continue;
            }
            let (made, said) = converted(&folder, &bytes, &[]);
            assert!(made == bytes, "{}", path.display());
            assert!(said.is_empty(), "{}: {said}", path.display());
            same += 1;
        }
    }
    assert!(same > 40, "{same}");
}

#[test]
fn what_ildg_make_made_is_written_again_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Small enough for links: `check` refuses deviations beyond 1000 in any case.
    let small: Vec<f64> = numbers(2 * 2 * 2 * 3 * 3 * 12).into_iter().map(|number| number / 4096.0).collect();
    let raw = of_doubles(&small);
    let make = [
        "ildg",
        "make",
        "-",
        "--any-numbers",
        "--data",
        "-",
        "--extents",
        "2x2x1x6",
        "--rows",
        "reduced",
        "--lfn",
        "lfn://a",
    ];
    for options in [&[][..], &["--checksum"], &["--scidac"], &["--scidac", "--update", "7"]] {
        let made = go(&folder, &[&make[..], options].concat(), &raw).stdout;
        assert!(data(&made) == raw, "{options:?}");
        // Without a checksum, nothing shows that such links were meant.
        let permission = if options.is_empty() { &["--damaged"][..] } else { &[] };
        let (again, said) = converted(&folder, &made, permission);
        let is_marked = types(&again).last().is_some_and(|(_, name)| name == "linkstream-note");
        assert!(again.starts_with(&made) && is_marked == (again != made), "{options:?}");
        assert_eq!(is_marked, options.is_empty(), "{options:?}");
        assert_eq!(said.contains("no checksum"), options.is_empty(), "{said}");
    }
    let full = [
        "ildg",
        "make",
        "-",
        "--any-numbers",
        "--data",
        "-",
        "--extents",
        "2x2x2x6",
        "--kind",
        "u1gauge",
        "--scidac",
    ];
    let made = go(&folder, &full, &of_doubles(&small[..48 * 4 * 2])).stdout;
    let (again, _) = converted(&folder, &made, &[]);
    assert!(again == made && payloads(&again, "ildg-format")[0].windows(3).any(|text| text == b"1.2"));
    // The option restores the documents that QIO writes.
    let (older, _) = converted(&folder, &made, &["--to", "both"]);
    assert!(payloads(&older, "ildg-format")[0].windows(14).any(|text| text == b"<version>1.0</"));
}

#[test]
fn single_precision_becomes_double_and_comes_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in [
        "qio/ildg/ildg_f_4x4x4x8.lime",
        "qio/single/gauge_f3_4x4x4x8.lime",
        "qio/single/dirac_f3_2x3x4x5.lime",
        "qio/single/type0_F20x1_2x3x4x5.lime",
        "qio/single/cmat_f3_n1_2x3x4x5.lime",
    ] {
        let bytes = fixture(name);
        let (double, said) = converted(&folder, &bytes, &["--precision", "64"]);
        assert_eq!(said, "", "{name}");
        let wide = |file: &[u8]| {
            let all = records(file).into_iter().filter(|found| found.record_type.ends_with("-binary-data"));
            all.flat_map(|found| doubles(&found.payload)).collect::<Vec<_>>()
        };
        let narrow = |file: &[u8]| {
            let all = records(file).into_iter().filter(|found| found.record_type.ends_with("-binary-data"));
            all.flat_map(|found| singles(&found.payload)).map(f64::from).collect::<Vec<_>>()
        };
        assert!(wide(&double) == narrow(&bytes), "{name}");
        for document in payloads(&double, "scidac-private-record-xml") {
            let document = String::from_utf8(document).expect("text");
            assert!(document.contains("<precision>D</precision>") && !document.contains("_F"), "{document}");
        }
        assert!(
            payloads(&double, "ildg-format").iter().all(|text| text.windows(4).any(|text| text == b">64<"))
        );
        let (back, _) = converted(&folder, &double, &["--precision", "32"]);
        assert!(back == bytes, "{name}");
    }
}

#[test]
fn double_precision_is_rounded() {
    for name in ["qio/ildg/ildg_d_2x3x4x5.lime", "qio/alien/ildg12_su2gauge.lime"] {
        is_rounded(name, &fixture(name));
    }
}

fn is_rounded(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (single, _) = converted(&folder, bytes, &["--precision", "32"]);
    let expected: Vec<f32> = doubles(&data(bytes)).iter().map(|number| *number as f32).collect();
    assert!(data(&single) == of_singles(&expected), "{name}");
}

#[test]
fn links_that_do_not_exist_stay_so_in_every_precision() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // On a lattice of 1x2x2x1 that is open in z, the second link of the last two sites has all bits set, or all clear.
    for (kind, parts, absent) in [("u1phase", 1, 0xff), ("u1gauge", 2, 0), ("su2gauge", 8, 0)] {
        let values: Vec<f32> = numbers(4 * 2 * parts).iter().map(|number| *number as f32).collect();
        let mut bytes = of_singles(&values);
        let link = 4 * parts;
        for (index, link) in bytes.chunks_mut(link).enumerate() {
            if [5, 7].contains(&index) {
                link.fill(absent);
            }
        }
        let format = format("1.2", kind, 0, 32, [1, 2, 2, 1]);
        let file = ildg(&format, &bytes);
        let (double, said) = converted(&folder, &file, &["--precision", "64", "--damaged"]);
        assert!(!said.contains("NaN"), "{said}");
        for (index, link) in data(&double).chunks(2 * link).enumerate() {
            assert_eq!(link.iter().all(|byte| *byte == absent), [5, 7].contains(&index), "{kind}");
        }
        let (back, _) = converted(&folder, &double, &["--precision", "32", "--damaged"]);
        assert!(data(&back) == bytes, "{kind}");
        // Such a link that exists, or an absent link elsewhere, is an error.
        bytes[5 * link..6 * link].fill(0x3f);
        let words = if kind == "su2gauge" { "not unitary" } else { "unphysical" };
        refused(&folder, &["convert", "-", "out"], &ildg(&format, &bytes), 1, words);
        bytes[..link].fill(absent);
        let words = "section 2.5.1: the link in y at the site of rank 0 is unphysical";
        let make = [
            "ildg",
            "make",
            "out",
            "--any-numbers",
            "--kind",
            kind,
            "--precision",
            "32",
            "--extents",
            "1x2x2x1",
        ];
        refused(&folder, &[&make[..], &["--data", "-"]].concat(), &bytes, 1, words);
    }
}

#[test]
fn documents_are_those_that_are_asked_for() {
    let scidac = fixture("qio/single/gauge_d3_2x3x4x5.lime");
    let both = fixture("qio/ildg/ildg_d_2x3x4x5.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names = |bytes: &[u8]| types(bytes).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
    for file in [&scidac, &both] {
        let (plain, said) = converted(&folder, file, &["--to", "ildg", "--lfn", "lfn://new"]);
        // The user's texts have no place in this form (ILDG 1.2, section 2.2). Their loss is said, as with `--to nersc`.
        for text in ["scidac-file-xml", "scidac-record-xml"] {
            let words = format!("the user's text in {text} is left out: only SciDAC files have one");
            assert!(said.contains(&words), "{said}");
        }
        assert_eq!(said.lines().count(), 2, "{said}");
        assert_eq!(names(&plain), ["ildg-format", "ildg-data-lfn", "ildg-binary-data", "scidac-checksum"]);
        assert_eq!(payloads(&plain, "ildg-data-lfn"), [b"lfn://new"]);
        assert!(data(&plain) == data(file));
        for form in ["ildg", "both"] {
            let (numbered, _) = converted(&folder, file, &["--to", form, "--update", "0100"]);
            assert_eq!(payloads(&numbered, "ildg-update")[0][..4], *b"0100");
        }
        for form in ["scidac", "nersc", "openqcd"] {
            let arguments = ["convert", "-", "-", "--update", "1", "--to", form, "--usage-status", "64"];
            let output = go(&folder, &arguments, file);
            assert!(status(&output) == 64 && output.stdout.is_empty(), "{form}: {output:?}");
        }
        let (made, _) = converted(&folder, file, &["--to", "both", "--lfn", "lfn://new"]);
        assert_eq!(types(&made), types(&both));
        for text in ["scidac-file-xml", "scidac-record-xml", "scidac-checksum", "scidac-private-record-xml"] {
            assert_eq!(payloads(&made, text), payloads(file, text), "{text}");
        }
        assert_eq!(payloads(&made, "ildg-format"), payloads(&both, "ildg-format"));
        let (made, _) = converted(&folder, file, &["--to", "scidac"]);
        assert_eq!(types(&made), types(&scidac));
        // From ILDG alone, default texts and the given date are used.
        let date = "Tue Jan  2 03:04:05 2024 UTC";
        let (made, said) = converted(&folder, &plain, &["--to", "both", "--date", date]);
        assert_eq!(said, "");
        let expected = payloads(&both, "scidac-private-record-xml");
        assert_eq!(payloads(&made, "scidac-private-record-xml"), expected);
        let sums = |file: &[u8]| {
            let document = payloads(file, "scidac-checksum").remove(0);
            let text = String::from_utf8(document).expect("text");
            text.replace(['\n', '\0'], "").replace("  ", "")
        };
        assert_eq!(sums(&plain), sums(file));
        // A checksum is added on demand if the file has none.
        let bare = [
            record("ildg-format", &payloads(&plain, "ildg-format")[0], true, false),
            record("ildg-binary-data", &data(file), false, true),
        ]
        .concat();
        let (again, said) = converted(&folder, &bare, &["--to", "ildg"]);
        assert!(said.contains("has no checksum"), "{said}");
        assert_eq!(names(&again), ["ildg-format", "ildg-binary-data"]);
        let (checked, _) = converted(&folder, &bare, &["--to", "ildg", "--checksum"]);
        assert_eq!(sums(&checked), sums(file));
    }
    refused(
        &folder,
        &["convert", "-", "out", "--to", "scidac", "--lfn", "lfn://a"],
        &both,
        2,
        "only ILDG files have a logical file name",
    );
    refused(&folder, &["convert", "-", "out", "--date", &"x".repeat(65)], &both, 2, "at most 64 bytes");
    refused(&folder, &["convert", "-", "out", "--lfn", "a b"], &both, 2, "single string");
    refused(&folder, &["convert", "-", "out", "--kind", "so3gauge"], &scidac, 1, "are not so3gauge");
    refused(&folder, &["convert", "-", "out", "--kind", "u3gauge"], &both, 1, "is su3gauge, not u3gauge");
    let (unitary, _) = converted(&folder, &scidac, &["--to", "ildg", "--kind", "u3gauge"]);
    assert!(String::from_utf8_lossy(&unitary).contains("u3gauge"));
}

#[test]
fn fields_keep_their_order_and_their_updates() {
    let two = fixture("qio/alien/ildg12_two_updates.lime");
    let mixed = fixture("qio/ildg/ildg_then_real_then_gauge.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for options in [&[][..], &["--to", "both"], &["--to", "ildg", "--precision", "64"]] {
        let (made, _) = converted(&folder, &two, options);
        // QIO's texts end with a NUL.
        let updates = payloads(&made, "ildg-update").concat();
        assert_eq!(String::from_utf8(updates).expect("text").replace('\0', ""), "100110");
        assert_eq!(payloads(&made, "ildg-data-lfn").len(), 1);
        if options.len() < 4 {
            assert!(payloads(&made, "ildg-binary-data") == payloads(&two, "ildg-binary-data"));
        }
    }
    let (second, _) = converted(&folder, &two, &["--field", "1"]);
    assert!(data(&second) == payloads(&two, "ildg-binary-data")[1]);
    refused(&folder, &["convert", "-", "out", "--to", "ildg"], &mixed, 1, "choose one with --field");
    refused(
        &folder,
        &["convert", "-", "out", "--to", "ildg", "--field", "1"],
        &mixed,
        1,
        "not a gauge field",
    );
    refused(&folder, &["convert", "-", "out", "--field", "3"], &mixed, 2, "3 fields");
    let (third, _) = converted(&folder, &mixed, &["--to", "ildg", "--field", "2"]);
    assert!(data(&third) == payloads(&mixed, "scidac-binary-data")[1]);
    let real = fixture("qio/single/real_f_4x4x4x8.lime");
    refused(&folder, &["convert", "-", "out", "--to", "ildg"], &real, 1, "no gauge field among 1 field");
    refused(
        &folder,
        &["convert", "-", "out", "--field", "1"],
        &real,
        2,
        "field 1 does not exist: the file has 1 field",
    );
    let plane = fixture("qio/single/dim3_3x4x5.lime");
    refused(
        &folder,
        &["convert", "-", "out", "--to", "ildg", "--field", "0"],
        &plane,
        1,
        "not a gauge field",
    );
}

#[test]
fn links_in_directions_with_a_single_site_are_left_out_of_ildg_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Before ILDG 1.2 there was a link in every direction.
    let values = numbers(8 * 4 * 2);
    let file = ildg(&format("1.0", "u1gauge", 0, 64, [2, 1, 2, 2]), &of_doubles(&values));
    let (made, said) = converted(&folder, &file, &["--to", "ildg"]);
    assert!(said.contains("directions with a single site are left out"), "{said}");
    let expected: Vec<f64> = values.chunks(8).flat_map(|site| [&site[..2], &site[4..]].concat()).collect();
    assert_eq!(doubles(&data(&made)), expected);
    assert!(payloads(&made, "ildg-format")[0].windows(14).any(|text| text == b"<version>1.2</"));
    // QIO's format has all of them.
    let (made, said) = converted(&folder, &file, &["--to", "both"]);
    assert!(!said.contains("left out"), "{said}");
    assert_eq!(doubles(&data(&made)), values);
}

#[test]
fn links_in_directions_with_a_single_site_are_not_lost_unasked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let values = numbers(8 * 4 * 8);
    for version in ["1.0", "1.1"] {
        let file = ildg(&format(version, "su2gauge", 0, 64, [2, 1, 2, 2]), &of_doubles(&values));
        let (made, said) = converted(&folder, &file, &["--damaged"]);
        assert!(!said.contains("left out"), "{said}");
        // Deviations from unitarity by more than 1000 are damage, which the copy says in a record of its own.
        assert_eq!(types(&made), [types(&file), vec![(2, "linkstream-note".to_owned())]].concat());
        assert_eq!(doubles(&data(&made)), values);
        let text = String::from_utf8(payloads(&made, "ildg-format").remove(0)).expect("text");
        assert!(text.contains("<version>1.0</"), "{text}");
        // The note has the offset in the input.
        let (again, _) = converted(&folder, &made, &["--damaged"]);
        assert_eq!(records(&again)[..3], records(&made)[..3]);
        let (single, _) = converted(&folder, &file, &["--precision", "32", "--damaged"]);
        let narrow: Vec<f32> = values.iter().map(|number| *number as f32).collect();
        assert_eq!(singles(&data(&single)), narrow);
        // Only a document of version 1.2 can describe reduced rows.
        let reduced = ["convert", "-", "out", "--rows", "reduced", "--damaged"];
        refused(&folder, &reduced, &file, 1, "only ILDG 1.2 can leave rows out");
    }
}

host_tests::of_other_projects! {
    fn double_precision_of_unit_links_is_rounded() {
        is_rounded("wild/unity.lime", &Fixtures::OfOthers.read("wild/unity.lime"));
    }

    fn rules_that_are_broken_harmlessly_are_reported_and_put_right() {
        let bytes = Fixtures::OfOthers.read("wild/lat.sample.l4448.foreign");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (made, said) = converted(&folder, &bytes, &[]);
        for words in
            ["warning: at byte 674", "warning: at byte 480", "left out: foreign-file-private-xml, foreign"]
        {
            assert!(said.contains(words), "{said}");
        }
        assert!(data(&made) == data(&bytes));
        let (before, _) = report("inspect", &bytes, &[]);
        let (after, _) = report("inspect", &made, &[]);
        assert!(!findings(&before).is_empty() && findings(&after).is_empty(), "{after}");
    }
}
