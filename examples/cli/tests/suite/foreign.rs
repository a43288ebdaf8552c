//! Files as other programs write them: what their checksums prove, and what lies beside them in a directory.

use host_tests::fixtures::Fixtures;

use crate::common::gauge::{data, doubles, fixture, format, payloads, records, refused, well};
use crate::common::lime::{in_folder, put, read, record};
use crate::common::{linkstream, report, said, status};

fn path(name: &str) -> String {
    Fixtures::Ours.join("foreign").join(name).to_str().expect("UTF-8").to_owned()
}

/// Exit status and standard output of `check` with these options.
pub fn check(name: &str, options: &[&str]) -> (i32, String) {
    let output = linkstream().arg("check").args(options).arg(path(name)).output().expect("the program runs");
    (status(&output), String::from_utf8(output.stdout.clone()).expect("text"))
}

/// Exit status and messages of `convert`.
fn convert(name: &str) -> (i32, String, bool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.lime");
    let mut command = linkstream();
    let output = command.args(["convert", "--for", "any", &path(name)]).arg(&out).output().expect("it runs");
    (status(&output), said(&output), out.exists())
}

#[test]
fn checksums_of_other_programs_are_compared() {
    for name in ["08-cl2qcd.ildg", "25d-checksum-before-data.ildg", "05b-glu-scidac.lime"] {
        let (status, text) = check(name, &["--lenient"]);
        assert!(text.contains("1 of 1 fields verified by checksum"), "{name}: {text}");
        assert_eq!(status, 0, "{name}");
    }
}

#[test]
fn their_damaged_files_are_wrong_in_every_mode_and_never_copied() {
    for name in ["08b-cl2qcd-bitflip.ildg", "25e-checksum-before-damaged.ildg", "32-glu-scidac-bitflip.lime"]
    {
        for options in [&[][..], &["--lenient"]] {
            let (status, text) = check(name, options);
            assert!(text.contains("[checksum-mismatch]"), "{name} {options:?}: {text}");
            assert_eq!(status, 1, "{name} {options:?}");
        }
        let (status, said, is_there) = convert(name);
        assert!(said.contains("[checksum-mismatch]") && !is_there, "{name}: {said}");
        assert_ne!(status, 0, "{name}");
    }
}

/// Each program refuses the damaged file because of the checksum, and takes the good one.
#[test]
fn programs_that_compare_the_checksum_refuse_the_damaged_file() {
    let readers: [(_, _, &[_]); 2] = [
        (
            "08-cl2qcd.ildg",
            "08b-cl2qcd-bitflip.ildg",
            &[("cl2qcd", "CL2QCD"), ("tmlqcd", "tmLQCD"), ("simulateqcd", "SIMULATeQCD")],
        ),
        (
            "05b-glu-scidac.lime",
            "32-glu-scidac-bitflip.lime",
            &[("qio", "QIO"), ("milc", "MILC"), ("simulateqcd", "SIMULATeQCD")],
        ),
    ];
    for (good, damaged, programs) in readers {
        for (program, name) in programs {
            let answer = |file| {
                let (_, text) = check(file, &["--lenient", "--for", program]);
                let answers = text.lines().skip_while(|line| *line != "programs:");
                answers
                    .skip_while(|line| !line.starts_with(&format!("  {name} (")))
                    .take(2)
                    .collect::<String>()
            };
            assert!(answer(good).contains("): accepted"), "{good} {name}: {}", answer(good));
            let answer = answer(damaged);
            let expected = "checksum mismatch: the data do not have the stored checksum";
            assert!(answer.contains("): refused") && answer.contains(expected), "{damaged} {name}: {answer}");
        }
    }
}

/// The checksum record of CL2QCD follows in another message, when the data have been copied.
#[test]
fn a_copy_does_not_warn_about_data_that_a_later_checksum_proves() {
    for name in ["08-cl2qcd.ildg", "25d-checksum-before-data.ildg", "05b-glu-scidac.lime"] {
        let file = path(name);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let out = folder.path().join("out.lime");
        let mut command = linkstream();
        let output = command.args(["convert", &file]).arg(&out).output().expect("the program runs");
        assert!(!said(&output).contains("could not be verified"), "{name}: {}", said(&output));
        assert_eq!(status(&output), 0, "{name}: {}", said(&output));
    }
}

/// The links of a good file, as numbers of double precision.
fn links() -> Vec<u8> {
    data(&fixture("foreign/22-quda-gauge-D.lime"))
}

/// A SciDAC file with these elements about the data, and a right checksum.
fn scidac(elements: &str, data: &[u8], bytes_per_site: usize) -> Vec<u8> {
    let file = "<?xml version=\"1.0\"?><scidacFile><version>1.1</version><spacetime>4</spacetime><dims>4 4 4 8</dims>\
                <volfmt>0</volfmt></scidacFile>";
    let about = format!(
        "<?xml version=\"1.0\"?><scidacRecord><version>1.1</version><date>now</date><recordtype>0</recordtype>{elements}\
         </scidacRecord>"
    );
    let (mut suma, mut sumb) = (0, 0);
    for (rank, site) in (0_u32..).zip(data.chunks(bytes_per_site)) {
        let crc = linkstream::crc::crc32(0, site);
        suma ^= crc.rotate_left(rank % 29);
        sumb ^= crc.rotate_left(rank % 31);
    }
    let sums = format!(
        "<scidacChecksum><version>1.0</version><suma>{suma:x}</suma><sumb>{sumb:x}</sumb></scidacChecksum>"
    );
    [
        record("scidac-private-file-xml", file.as_bytes(), true, false),
        record("scidac-file-xml", b"a test", false, true),
        record("scidac-private-record-xml", about.as_bytes(), true, false),
        record("scidac-record-xml", b"a test", false, false),
        record("scidac-binary-data", data, false, false),
        record("scidac-checksum", sums.as_bytes(), false, true),
    ]
    .concat()
}

/// The links in single precision.
fn single(data: &[u8]) -> Vec<u8> {
    doubles(data).iter().flat_map(|number| (*number as f32).to_be_bytes()).collect()
}

#[test]
fn fields_of_quda_are_gauge_fields() {
    let fixtures =
        ["22-quda-gauge-D.lime", "22b-quda-old-gauge-F.lime"].map(|name| fixture(&format!("foreign/{name}")));
    let others = ["<colors>9</colors><spins>1</spins>", "<colors>3</colors>"].map(|colors| {
        let about = format!(
            "<datatype>QIO_DNc3_GaugeField</datatype><precision>D</precision>{colors}<typesize>144</typesize>\
             <datacount>4</datacount>"
        );
        scidac(&about, &links(), 576)
    });
    let su2: Vec<u8> = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0_f64]
        .repeat(4 * 512)
        .iter()
        .flat_map(|x| x.to_be_bytes())
        .collect();
    let about = "<datatype>QUDA_DNc2_GaugeField</datatype><precision>D</precision><typesize>64</typesize>\
                 <datacount>4</datacount>";
    let su2 = scidac(about, &su2, 256);
    for (file, plaquette) in
        fixtures.iter().chain(&others).map(|file| (file, 0.503_580_8)).chain([(&su2, 1.0)])
    {
        let (report, status) = report("check", file, &[]);
        let found = report["fields"][0]["plaquette"].as_f64().expect("a plaquette");
        assert!((found - plaquette).abs() < 1e-6 && status == 0, "{report}");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for file in fixtures.iter().chain(&others) {
        well(&folder, &["convert", "-", "out.ildg", "--to", "ildg", "--lfn", "lfn://a/b", "--force"], file);
        well(&folder, &["convert", "-", "out.nersc", "--to", "nersc", "--force"], file);
        let copy = records(&read(&folder, "out.ildg"));
        assert!(
            copy.iter().any(|found| found.payload.windows(8).any(|text| text == b"su3gauge")),
            "{copy:?}"
        );
    }
}

/// Data of a type that nothing is known about are links if the user says so; a remark suggests it.
#[test]
fn the_user_says_that_data_are_links() {
    let about = |kind: &str, size: usize| {
        let (letter, typesize) = if size == 4 { ("F", 72) } else { ("D", 144) };
        format!(
            "<datatype>{kind}</datatype><precision>{letter}</precision><colors>3</colors><typesize>{typesize}</typesize>\
             <datacount>4</datacount>"
        )
    };
    let files = [
        fixture("foreign/22c-nthmc-D.lime"),
        scidac(&about("my.links", 8), &links(), 576),
        scidac(&about("float_array", 4), &single(&links()), 288),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    for file in &files {
        let (report, status) = report("check", file, &[]);
        assert_eq!(
            (report["findings"][0]["rule"].as_str(), status),
            (Some("field-may-be-links"), 0),
            "{report}"
        );
        assert!(report["fields"][0]["plaquette"].is_null(), "{report}");
        well(
            &folder,
            &[
                "convert",
                "-",
                "out.lime",
                "--to",
                "both",
                "--kind",
                "su3gauge",
                "--lfn",
                "lfn://a/b",
                "--force",
            ],
            file,
        );
        let (copy, status) = self::report("check", &read(&folder, "out.lime"), &[]);
        let plaquette = copy["fields"][0]["plaquette"].as_f64().expect("a plaquette");
        assert!((plaquette - 0.503_580_8).abs() < 1e-6 && status == 0, "{copy}");
        assert_eq!(data(&read(&folder, "out.lime")), data(file));
        let said = well(&folder, &["export", "-v", "-", "out.npy", "--kind", "su3gauge", "--force"], file);
        assert!(said.contains("shape (8, 4, 4, 4, 4, 3, 3)"), "{said}");
        refused(
            &folder,
            &["export", "-", "other.npy", "--kind", "su2gauge"],
            file,
            2,
            "which are not the links of su2gauge",
        );
        well(
            &folder,
            &[
                "convert",
                "-",
                "out.nersc",
                "--to",
                "nersc",
                "--rows",
                "reduced",
                "--kind",
                "su3gauge",
                "--force",
            ],
            file,
        );
    }
    // As many numbers in other items, and known items, are no links.
    let other = "<datatype>my.links</datatype><precision>D</precision><typesize>192</typesize><datacount>3</datacount>";
    let known = "<datatype>USQCD_D3_DiracFermion</datatype><precision>D</precision><typesize>192</typesize><datacount>3</datacount>";
    for elements in [other, known] {
        let (report, _) = report("check", &scidac(elements, &links(), 576), &[]);
        let rules = report["findings"].as_array().expect("a list");
        assert!(rules.iter().all(|found| found["rule"] != "field-may-be-links"), "{report}");
    }
}

/// The file with other data and another text in the record of BQCD.
fn bqcd(data: &[u8], cksum: &str, plaquette: &str) -> Vec<u8> {
    [
        record("ildg-format", format("1.0", "su3gauge", 0, 64, [4, 4, 4, 8]).as_bytes(), true, false),
        record("ildg-binary-data", data, false, true),
        record("ildg-data-lfn", b"lfn://ldg/test", true, true),
        record("bqcd-plaquette", plaquette.as_bytes(), true, false),
        record("bqcd-cksum", cksum.as_bytes(), false, true),
    ]
    .concat()
}

#[test]
fn the_sum_of_bqcd_verifies_its_data() {
    let good = fixture("foreign/09-bqcd.ildg");
    let (report, code) = report("check", &good, &["--require-checksum"]);
    assert_eq!((report["verdict"].as_str(), code), (Some("ok"), 0), "{report}");
    assert_eq!(report["fields"][0]["recorded"][0]["agrees"], true, "{report}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = well(&folder, &["convert", "-", "out.ildg"], &good);
    assert!(!said.contains("could not be verified"), "{said}");
    let (copy, _) = self::report("check", &read(&folder, "out.ildg"), &[]);
    assert_eq!(copy["verdict"], "ok", "{copy}");
    well(&folder, &["export", "-", "out.npy"], &good);
    well(&folder, &["export", "-", "slice.npy", "--slice", "3"], &good);
    // Another sum, by the definition of POSIX; also with other texts.
    let mut data = links();
    for (change, sum) in [(0, "4014534119\n"), (1, "4014534119"), (294_911, "4014534119")] {
        data[change] ^= u8::from(change > 0);
        let file = bqcd(&data, sum, "0.50358079801411");
        data[change] ^= u8::from(change > 0);
        let (report, code) = self::report("check", &file, &["--lenient"]);
        let expected = if change == 0 { ("ok", 0) } else { ("wrong", 1) };
        assert_eq!((report["verdict"].as_str().expect("a verdict"), code), expected, "{report}");
        if change > 0 {
            assert_eq!(report["findings"][0]["rule"], "bqcd-cksum", "{report}");
            refused(&folder, &["convert", "-", "bad.ildg"], &file, 1, "[bqcd-cksum]");
            refused(&folder, &["export", "-", "bad.npy"], &file, 1, "[bqcd-cksum]");
        }
    }
    // A text that is not a number verifies nothing, and another plaquette beside a right sum is only a warning.
    let (report, _) = self::report("check", &bqcd(&links(), "none", "0.50358079801411"), &[]);
    assert_eq!(
        (report["verdict"].as_str(), report["findings"][0]["rule"].as_str()),
        (Some("unverified"), Some("bqcd-cksum"))
    );
    let (report, code) = self::report("check", &bqcd(&links(), "4014534119", "0.612345678901"), &[]);
    assert_eq!((report["verdict"].as_str(), code), (Some("ok"), 0), "{report}");
    let (report, code) = self::report("check", &bqcd(&links(), "none", "0.612345678901"), &[]);
    assert_eq!((report["verdict"].as_str(), code), (Some("wrong"), 1), "{report}");
}

/// A text about another configuration beside data that a checksum proves: `check` says so, and the data can be used.
#[test]
fn data_are_used_although_a_text_is_about_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sample = fixture("foreign/22-quda-gauge-D.lime");
    let sum = |sums: &[u8]| record("scidac-checksum", sums, false, true);
    let milc = "<usqcdInfo><version>1.0</version><plaq>4.000000e-01</plaq><linktr>8.446462e-01</linktr>\
                <info>gauge.description = another</info></usqcdInfo>";
    let about = "<datatype>USQCD_D3_ColorMatrix</datatype><precision>D</precision><colors>3</colors><typesize>144</typesize>\
                 <datacount>4</datacount>";
    let mut with_text = scidac(about, &links(), 576);
    let plain = record("scidac-record-xml", b"a test", false, false);
    let at = with_text.windows(plain.len()).position(|bytes| bytes == plain).expect("the text");
    with_text.splice(at..at + plain.len(), record("scidac-record-xml", milc.as_bytes(), false, false));
    let grid = [
        record("grid-format", b"<FieldMetaData><plaquette>0.7</plaquette></FieldMetaData>", true, true),
        record("ildg-format", format("1.0", "su3gauge", 0, 64, [4, 4, 4, 8]).as_bytes(), true, false),
        record("ildg-binary-data", &links(), false, false),
        sum(&payloads(&sample, "scidac-checksum")[0]),
    ]
    .concat();
    for file in [fixture("foreign/16-tmlqcd-wrong-plaq.ildg"), with_text, grid] {
        let (report, code) = report("check", &file, &["--lenient"]);
        assert_eq!((report["verdict"].as_str(), code), (Some("wrong"), 1), "{report}");
        let said = well(&folder, &["convert", "-", "out.lime", "--to", "scidac", "--force"], &file);
        assert!(said.contains("[recorded-plaquette-differs]; the checksum of the data is OK"), "{said}");
        let (copy, code) = self::report("check", &read(&folder, "out.lime"), &[]);
        assert_eq!((copy["verdict"].as_str(), code), (Some("ok"), 0), "{copy}");
        assert!(
            !read(&folder, "out.lime").windows(9).any(|text| text == b"4.000000e"),
            "a stale text was copied"
        );
        well(&folder, &["export", "-", "out.npy", "--force"], &file);
        well(&folder, &["convert", "-", "out.nersc", "--to", "nersc", "--force"], &file);
        // Without the checksum, nothing proves the data.
        let at = file.windows(15).rposition(|text| text == b"scidac-checksum").expect("a checksum") - 16;
        refused(&folder, &["export", "-", "bad.npy"], &file[..at], 1, "");
    }
}

/// Writers that begin no message end none: what `check --lenient` calls usable, every command takes.
#[test]
fn files_without_flags_are_used() {
    let plain = |lfn: &[u8], checksum: Option<&[u8]>| {
        let mut file = [
            record("ildg-format", format("1.0", "su3gauge", 0, 64, [4, 4, 4, 8]).as_bytes(), false, false),
            record("ildg-binary-data", &links(), false, false),
            record("ildg-data-lfn", lfn, false, false),
        ]
        .concat();
        file.extend(checksum.map(|text| record("scidac-checksum", text, false, false)).unwrap_or_default());
        file
    };
    let sums = payloads(&fixture("foreign/22-quda-gauge-D.lime"), "scidac-checksum").remove(0);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let openstaple = fixture("foreign/06-openstaple.ildg");
    for (file, verdict) in [
        (openstaple, "unverified"),
        (plain(b"", None), "unverified"),
        (plain(b"lfn://a/c", Some(&sums)), "ok"),
    ] {
        let (report, code) = report("check", &file, &["--lenient"]);
        assert_eq!((report["verdict"].as_str(), code), (Some(verdict), 0), "{report}");
        well(&folder, &["convert", "-", "out.ildg", "--lfn", "lfn://a/b", "--force"], &file);
        assert!(!read(&folder, "out.ildg").windows(15).any(|text| text == b"linkstream-note"), "no note");
        well(&folder, &["export", "-", "out.npy", "--slice", "1", "--force"], &file);
        put(&folder, "in.ildg", &file);
        assert_eq!(status(&in_folder(&folder, &["extract", "in.ildg", "1", "2"], b"")), 0);
    }
    // A message that was begun and does not end can have lost its checksum.
    let mut begun = plain(b"lfn://a/c", None);
    begun[6] = 0x80;
    refused(&folder, &["export", "-", "bad.npy"], &begun, 1, "[lime-message-open]");
}

/// A document that is closed by its name in other letters, and messages that begin with each record.
#[test]
fn ildg_files_of_glu_are_read() {
    let file = fixture("foreign/05-glu-ildg.lime");
    let name = b"</ScidacFile>";
    let at = file.windows(name.len()).position(|text| text == name).expect("an end tag");
    let mut small = file.clone();
    small[at..at + name.len()].copy_from_slice(b"</scidacfile>");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for file in [&file, &small] {
        let (report, code) = report("check", file, &["--lenient"]);
        assert_eq!((report["verdict"].as_str(), code), (Some("ok"), 0), "{report}");
        well(&folder, &["convert", "-", "out.ildg", "--to", "ildg", "--lfn", "lfn://a/b", "--force"], file);
        let (copy, code) = self::report("check", &read(&folder, "out.ildg"), &[]);
        assert_eq!((copy["verdict"].as_str(), code), (Some("ok"), 0), "{copy}");
        assert_eq!(self::report("check", file, &[]).1, 1);
    }
    // Documents that cannot be used: the format describes the data.
    let mut other = file;
    other[at..at + name.len()].copy_from_slice(b"</anotherOne>");
    let (report, _) = report("check", &other, &["--lenient"]);
    assert_eq!(report["fields"][0]["checksum"], "match", "{report}");
    let (mut flipped, data_at) =
        (small, report["fields"][0]["data_offset"].as_u64().expect("an offset") as usize);
    flipped[data_at + 77] ^= 1;
    assert_eq!(self::report("check", &flipped, &["--lenient"]).1, 1);
}

#[test]
fn files_that_are_padded_to_a_block_are_repaired() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let padded = fixture("foreign/24c-4096-padded.ildg");
    let mut bigger = padded.clone();
    bigger.resize(padded.len().next_multiple_of(65_536), 0);
    let mut smaller = fixture("foreign/16-tmlqcd-wrong-plaq.ildg");
    smaller.resize(smaller.len().next_multiple_of(512), 0);
    for file in [&padded, &bigger] {
        assert_eq!(report("check", file, &[]).1, 1);
        let (report, code) = report("check", file, &["--lenient"]);
        assert_eq!((report["verdict"].as_str(), code), (Some("ok"), 0), "{report}");
        well(&folder, &["convert", "-", "out.ildg", "--force"], file);
        let (copy, code) = self::report("check", &read(&folder, "out.ildg"), &[]);
        assert_eq!(
            (copy["verdict"].as_str(), code, copy["fields"][0]["checksum"].as_str()),
            (Some("ok"), 0, Some("match"))
        );
    }
    let (report, _) = report("check", &smaller, &["--lenient"]);
    let rules: Vec<_> =
        report["findings"].as_array().expect("a list").iter().map(|found| found["rule"].as_str()).collect();
    assert!(rules.contains(&Some("lime-trailing-bytes")), "{report}");
    let mut torn = padded;
    torn.truncate(297_000);
    assert_eq!(self::report("check", &torn, &["--lenient"]).1, 1);
}

/// The links decide whether the header or the checksum is wrong.
#[test]
fn the_links_show_the_byte_order() {
    let file = fixture("foreign/15-toolbox-le-be-sum.nersc");
    let header = |from: &str, to: &str| {
        let at = file.windows(from.len()).position(|text| text == from.as_bytes()).expect("a line");
        [&file[..at], to.as_bytes(), &file[at + from.len()..]].concat()
    };
    let (report, code) = report("check", &file, &["--lenient"]);
    assert_eq!((report["findings"][0]["rule"].as_str(), code), (Some("nersc-checksum"), 1), "{report}");
    assert_eq!(report["fields"][0]["byte_order"], "little", "{report}");
    assert!((report["fields"][0]["plaquette"].as_f64().expect("a plaquette") - 0.503_580_8).abs() < 1e-6);
    let folder = tempfile::tempdir().expect("a temporary folder");
    refused(&folder, &["convert", "-", "out.lime"], &file, 1, "[nersc-checksum]");
    // The sum of the words as they are written.
    let right = header("CHECKSUM = 50542f11", "CHECKSUM = 1399ed21");
    assert_eq!(self::report("check", &right, &[]).1, 0);
    // The header names the wrong order, with either sum: no advice would give numbers that are not links.
    for sum in ["50542f11", "1399ed21"] {
        let file = header("CHECKSUM = 50542f11", &format!("CHECKSUM = {sum}"));
        let name = b"IEEE32LITTLE";
        let at = file.windows(name.len()).position(|text| text == name).expect("the order");
        let file = [&file[..at], b"IEEE32BIG", &file[at + name.len()..]].concat();
        let (report, code) = self::report("check", &file, &["--lenient"]);
        let rules = report["findings"].as_array().expect("a list");
        assert!(rules.iter().any(|found| found["rule"] == "nersc-byte-order") && code == 1, "{report}");
        assert_eq!(report["fields"][0]["byte_order"], "little", "{report}");
        refused(&folder, &["export", "-", "out.npy"], &file, 1, "[nersc-byte-order]");
    }
    // No order is named: the links show it, and the sum must be theirs.
    let unnamed = header("IEEE32LITTLE", "IEEE32");
    assert_eq!(self::report("check", &unnamed, &[]).0["findings"][0]["rule"], "nersc-checksum");
}

#[test]
fn empty_values_and_names_of_cps_break_no_rule() {
    let cps = fixture("foreign/02-cps-empty-ensemble.nersc");
    let text = String::from_utf8_lossy(&cps[..900]).into_owned();
    let end = text.find("END_HEADER").expect("a header");
    let more = [&cps[..end], b"CREATOR_NOTE = \nARCHIVE_NOTE = \n", &cps[end..]].concat();
    for file in [&cps, &more, &fixture("foreign/18b-cps-prop-c1d12.lime")] {
        let (report, code) = report("check", file, &[]);
        assert_eq!((report["verdict"].as_str(), code), (Some("ok"), 0), "{report}");
    }
}

/// Links that are not unitary have a place and a number.
#[test]
fn links_outside_the_group_are_counted_and_found() {
    let good = fixture("foreign/08-cl2qcd.ildg");
    let data_at = 920;
    let (clean, _) = report("check", &good, &["--lenient"]);
    assert_eq!(clean["fields"][0]["data_offset"], data_at, "{clean}");
    for (bad, site, direction) in
        [(vec![(2, 777)], "1 2 0 4", "z"), (vec![(0, 40), (3, 41), (1, 500)], "0 2 2 0", "x")]
    {
        let mut file = good.clone();
        let mut first = None;
        for (direction, site) in &bad {
            let at = data_at as usize + site % 512 * 576 + direction * 144;
            first = first.or(Some(at));
            file[at..at + 8].copy_from_slice(&2.0_f64.to_be_bytes());
        }
        file.truncate(295_832);
        let (report, _) = report("check", &file, &["--lenient"]);
        let findings = report["findings"].as_array().expect("a list");
        let found = findings.iter().find(|found| found["rule"] == "links-not-unitary").expect("a finding");
        assert_eq!(found["offset"].as_u64(), first.map(|at| at as u64), "{found}");
        let place =
            format!("; {} of 2048 links, the first at site {site} in direction {direction}", bad.len());
        assert!(found["message"].as_str().expect("a message").contains(&place), "{found} {place}");
    }
}

/// Random-number states beside configurations are listed and verified, and do not count as data.
#[test]
fn states_are_recognised() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["ckpoint_lat.10", "ckpoint_lat.20", "ckpoint_rng.10", "ckpoint_rng.20"] {
        put(&folder, name, fixture(&format!("foreign/04-ckpoints/{name}")));
    }
    let quiet = |options: &[&str]| {
        let mut program = linkstream();
        let output = program
            .current_dir(folder.path())
            .args(["check", "-q", "."])
            .args(options)
            .output()
            .expect("it runs");
        (String::from_utf8(output.stdout.clone()).expect("text"), status(&output))
    };
    let (text, code) = quiet(&["--require-checksum"]);
    assert!(text.contains("ckpoint_rng.10: STATE: random-number state (SITMO), checksum OK"), "{text}");
    assert!(text.contains("2 files: 2 OK, ") && text.contains("2 random-number states recognised"), "{text}");
    assert_eq!(code, 0, "{text}");
    // Other generators, little-endian words, a state of CPS with a sum of another kind, and a damaged one.
    let words: Vec<u8> =
        (0..15 * 2 * 17_u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    let sum = words
        .chunks(4)
        .fold(0_u32, |sum, word| sum.wrapping_add(u32::from_be_bytes(word.try_into().expect("4 bytes"))));
    let state = |datatype: &str, sum: u32, words: &[u8]| {
        let header = format!(
            "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = {datatype}\nDIMENSION_1 = 2\nCHECKSUM = {sum:x}\nFLOATING_POINT = UINT32\nEND_HEADER\n"
        );
        [header.as_bytes(), words].concat()
    };
    let reversed: Vec<u8> = words.chunks(4).flat_map(|word| word.iter().rev().copied()).collect();
    put(&folder, "ckpoint_rng.30", state("RANLUX48", sum, &words));
    put(&folder, "ckpoint_rng.40", state("MT19937", sum, &reversed));
    put(&folder, "rng.lat", state("LATTICE_RNG_5D", 7, &words));
    let (text, code) = quiet(&[]);
    assert!(
        text.contains("5 random-number states recognised") && text.contains("(MT19937), checksum OK"),
        "{text}"
    );
    assert!(text.contains("(LATTICE_RNG_5D), not verified") && code == 0, "{text}");
    let mut damaged = state("SITMO", sum, &words);
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    put(&folder, "ckpoint_rng.50", damaged);
    let (text, code) = quiet(&[]);
    assert!(
        text.contains("ckpoint_rng.50: WRONG") && text.contains("[state-checksum]") && code == 1,
        "{text}"
    );
    let (report, _) = report("check", &state("SITMO", sum, &words), &[]);
    assert_eq!(
        (&report["state"]["type"], &report["state"]["checksum"]),
        (&"SITMO".into(), &"match".into()),
        "{report}"
    );
    refused(&folder, &["convert", "ckpoint_rng.10", "out.lime"], b"", 1, "");
}

/// Grid writes states beside ILDG configurations without any header.
#[test]
fn raw_states_beside_configurations_are_no_damage() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let noise = |seed: u32, length: u32| -> Vec<u8> {
        (0..length).map(|i| (i.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 23) as u8).collect()
    };
    for number in [10, 20] {
        put(&folder, &format!("ckpoint_lat.{number}"), fixture("foreign/16-tmlqcd-wrong-plaq.ildg"));
        put(&folder, &format!("ckpoint_rng.{number}"), noise(number, 104 * 513));
    }
    let check = || {
        let mut program = linkstream();
        let output =
            program.current_dir(folder.path()).args(["check", "-q", "-v", "."]).output().expect("it runs");
        String::from_utf8(output.stdout).expect("text")
    };
    let text = check();
    assert!(text.contains("ckpoint_rng.10: SKIPPED: a random-number state of Grid"), "{text}");
    assert!(!text.contains("files-alike"), "{text}");
    // A length that no state has is damage.
    for number in [10, 20] {
        put(&folder, &format!("ckpoint_rng.{number}"), noise(number, 104 * 513 + 4));
    }
    assert!(check().contains("[files-alike]"), "{}", check());
}

/// Fermion fields of tmLQCD: of one or two flavours, 32 or 64 bits, with checksum or without.
#[test]
fn fermion_fields_of_tmlqcd_are_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let xml = |bits: u32, flavours: u32, more: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<etmcFormat>\n<field>diracFermion</field>\n<precision>{bits}</precision>\n\
             <flavours>{flavours}</flavours>\n<lx>4</lx>\n<ly>2</ly>\n<lz>2</lz>\n<lt>6</lt>{more}</etmcFormat>"
        )
    };
    let sums = |data: &[u8], size: usize| {
        let (mut suma, mut sumb) = (0, 0);
        for (rank, site) in (0_u32..).zip(data.chunks(size)) {
            let crc = linkstream::crc::crc32(0, site);
            suma ^= crc.rotate_left(rank % 29);
            sumb ^= crc.rotate_left(rank % 31);
        }
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacChecksum><version>1.0</version><suma>{suma:#010x}</suma><sumb>{sumb:#010x}</sumb></scidacChecksum>"
        );
        record("scidac-checksum", text.as_bytes(), true, true)
    };
    let numbers: Vec<f64> = (0..96 * 24).map(|i| f64::from(i) * 0.25 - 100.0).collect();
    let double: Vec<u8> = numbers.iter().flat_map(|x| x.to_be_bytes()).collect();
    let float: Vec<u8> = numbers.iter().flat_map(|x| (*x as f32).to_be_bytes()).collect();
    let kind = record("propagator-type", b"DiracFermion_Sink", true, true);
    let about = |name: &str, text: &str| record(name, text.as_bytes(), true, true);
    let one = [
        kind.clone(),
        about("etmc-propagator-format", &xml(64, 1, "")),
        record("scidac-binary-data", &double, true, true),
        sums(&double, 192),
    ]
    .concat();
    let two = [
        about("etmc-propagator-format", &xml(32, 2, "")),
        record("inverter-info", b"solver = CG", true, true),
        record("scidac-binary-data", &float, true, true),
        sums(&float, 96),
        record("scidac-binary-data", &float, true, true),
        sums(&float, 96),
    ]
    .concat();
    let plain = [
        about("quda-propagator-format", &xml(64, 1, "<spin>4</spin><colour>3</colour>")),
        record("scidac-binary-data", &double, true, true),
    ]
    .concat();
    let fixtures =
        ["34-tmlqcd-plain.prop", "34b-tmlqcd-source.lime"].map(|name| fixture(&format!("foreign/{name}")));
    let files = [
        (&fixtures[0], 1, "ok"),
        (&fixtures[1], 1, "ok"),
        (&one, 1, "ok"),
        (&two, 2, "ok"),
        (&plain, 1, "unverified"),
    ];
    for (file, fields, verdict) in files {
        let (report, code) = report("check", file, &["--lenient"]);
        assert_eq!((report["verdict"].as_str(), code), (Some(verdict), 0), "{report}");
        let found = report["fields"].as_array().expect("a list");
        assert_eq!(found.len(), fields, "{report}");
        assert_eq!(found[0]["array"]["axes"].as_array().expect("axes").len(), 7, "{report}");
        well(&folder, &["export", "-", "out.npy", "--field", "0", "--force"], file);
        let message = well(&folder, &["convert", "-", "out.lime", "--to", "scidac", "--force"], file);
        assert!(!message.contains("-format"), "{message}");
        let (copy, code) = self::report("check", &read(&folder, "out.lime"), &[]);
        assert_eq!((copy["verdict"].as_str(), code), (Some("ok"), 0), "{copy}");
        assert_eq!(copy["fields"][0]["datatype"], found[0]["datatype"], "{copy}");
        put(&folder, "in.lime", file);
        assert_eq!(status(&in_folder(&folder, &["contents", "in.lime"], b"")), 0);
    }
    // Damage, another length, a document without lattice.
    let mut flipped = two.clone();
    let at = flipped.len() - 2000;
    flipped[at] ^= 1;
    let short = [
        about("etmc-source-format", &xml(64, 1, "")),
        record("scidac-binary-data", &double[8..], true, true),
    ]
    .concat();
    let empty = [
        about("etmc-source-format", "<etmcFormat><precision>64</precision></etmcFormat>"),
        record("scidac-binary-data", &double, true, true),
    ]
    .concat();
    for (file, rule) in
        [(flipped, "checksum-mismatch"), (short, "data-length"), (empty, "xml-element-missing")]
    {
        let (report, code) = report("check", &file, &["--lenient"]);
        let rules = report["findings"].as_array().expect("a list");
        assert!(rules.iter().any(|found| found["rule"] == rule) && code == 1, "{rule}: {report}");
    }
}
