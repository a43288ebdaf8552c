//! Tests of data that cannot be the ones that were written, although no checksum shows it: numbers that are not finite,
//! links that are not unitary, and recorded observables that differ.

use host_tests::archives;
use host_tests::fixtures::Fixtures;
use linkstream::lattice::Checksum;
use linkstream::lime::Header;
use linkstream_report::options::Options;
use linkstream_report::readers::{Program, answer};
use linkstream_report::report::Report;

use crate::support::{self, CHECK, report};

/// Offset of the data in the sample, and their length: 512 sites of 288 bytes.
const DATA: usize = 1944 + 144;
const LENGTH: usize = 147_456;
const PLAQUETTE: &str = "0.5956709";

fn sample() -> Vec<u8> {
    Fixtures::Ours.read("../../examples/su3-4x4x4x8.lime")
}

fn links() -> Vec<u8> {
    sample()[DATA..DATA + LENGTH].to_vec()
}

fn record(record_type: &str, payload: &[u8], begin: bool, end: bool) -> Vec<u8> {
    let header = Header::new(record_type.as_bytes(), payload.len() as u64, begin, end).expect("valid");
    let mut record = [header.as_bytes(), payload].concat();
    record.resize(record.len().next_multiple_of(8), 0);
    record
}

/// A plain ILDG file with these links, and with further records before the format.
fn ildg(links: &[u8], more: &[(&str, &str)], kind: &str) -> Vec<u8> {
    let format = format!(
        "<?xml version=\"1.0\"?><ildgFormat xmlns=\"http://www.lqcd.org/ildg\"><version>1.0</version>\
         <field>{kind}</field><precision>32</precision><lx>4</lx><ly>4</ly><lz>4</lz><lt>8</lt></ildgFormat>"
    );
    let mut file: Vec<u8> =
        more.iter().flat_map(|(name, text)| record(name, text.as_bytes(), true, true)).collect();
    file.extend(record("ildg-format", format.as_bytes(), true, false));
    file.extend(record("ildg-binary-data", links, false, false));
    file.extend(record("ildg-data-lfn", b"lfn://test", false, true));
    file
}

/// A NERSC archive with three rows and a correct sum.
fn nersc(links: &[u8], plaquette: &str, label: &str) -> Vec<u8> {
    let sum = format!("CHECKSUM = {:x}", archives::word_sum(links, true));
    let plaquette = format!("PLAQUETTE = {plaquette}");
    let label = format!("ENSEMBLE_LABEL = {label}");
    let lines = ["DATATYPE = 4D_SU3_GAUGE_3x3", "DIMENSION_1 = 4", "DIMENSION_2 = 4", "DIMENSION_3 = 4"];
    let more = ["DIMENSION_4 = 8", "FLOATING_POINT = IEEE32BIG", &sum, &plaquette, &label];
    archives::nersc(&[&lines[..], &more[..]].concat(), links)
}

/// The sample with other links and the checksum of these.
fn proven(links: &[u8], record_xml: &str) -> Vec<u8> {
    let mut sums = Checksum::default();
    (0..).zip(links.chunks(288)).for_each(|(rank, site)| sums.add(rank, site));
    let Checksum { suma, sumb, .. } = sums;
    let checksum = format!(
        "<?xml version=\"1.0\"?><scidacChecksum><version>1.0</version><suma>{suma:x}</suma><sumb>{sumb:x}</sumb>\
         </scidacChecksum>"
    );
    let sample = sample();
    let mut file = sample[..960].to_vec();
    file.extend(record("scidac-record-xml", record_xml.as_bytes(), false, false));
    file.extend_from_slice(&sample[1296..1944]);
    file.extend(record("ildg-binary-data", links, false, false));
    file.extend(record("scidac-checksum", checksum.as_bytes(), false, true));
    file
}

/// Two blocks of links are exchanged, as by a defect of storage.
fn swapped() -> Vec<u8> {
    let links = links();
    [&links[4096 + 20..8192 + 20], &links[..4096], &links[4096..4096 + 20], &links[8192 + 20..]].concat()
}

/// One number has a large exponent.
fn flipped() -> Vec<u8> {
    let mut links = links();
    links[72 * 100] ^= 0x40;
    links
}

fn with_nan() -> Vec<u8> {
    let mut links = links();
    links[72 * 100..72 * 100 + 4].copy_from_slice(&f32::NAN.to_be_bytes());
    links
}

/// A block of zeros inside the lattice.
fn zeroed() -> Vec<u8> {
    let mut links = links();
    links[288 * 70..288 * 80].fill(0);
    links
}

/// Rules and severities of the findings that this test is about.
fn found(report: &Report) -> Vec<(String, String)> {
    let line = support::json(report);
    let text = |value: &serde_json::Value| value.as_str().expect("the value is a string").to_owned();
    let all = line["findings"].as_array().expect("the entry is a list").iter();
    let all = all.map(|finding| (text(&finding["rule"]), text(&finding["severity"])));
    all.filter(|(rule, _)| rule != "ildg-lfn-missing").collect()
}

#[track_caller]
fn assert_found(file: &[u8], expected: &[(&str, &str)], verdict: &str) {
    for lenient in [true, false] {
        let report = report(file, &Options { lenient, ..CHECK });
        let found = found(&report);
        let found: Vec<_> = found.iter().map(|(rule, severity)| (rule.as_str(), severity.as_str())).collect();
        assert_eq!((&found[..], report.verdict().as_str()), (expected, verdict));
    }
}

const NOT_UNITARY: (&str, &str) = ("links-not-unitary", "error");

#[test]
fn without_a_checksum_they_are_errors() {
    assert_found(&ildg(&links(), &[], "su3gauge"), &[], "unverified");
    assert_found(&ildg(&flipped(), &[], "su3gauge"), &[NOT_UNITARY], "wrong");
    assert_found(&ildg(&swapped(), &[], "su3gauge"), &[NOT_UNITARY], "wrong");
    assert_found(&ildg(&with_nan(), &[], "su3gauge"), &[("links-not-finite", "error")], "wrong");
    assert_found(&ildg(&zeroed(), &[], "su3gauge"), &[("ildg-link-unphysical", "error")], "wrong");
    let recorded = |value: &str| [("xlf-info", format!("plaquette = {value}\n"))];
    for (value, expected) in [
        (PLAQUETTE, vec![]),
        ("0.5956", vec![]),
        ("0.5957709", vec![("recorded-plaquette-differs", "error")]),
    ] {
        let [(name, text)] = recorded(value);
        let verdict = if expected.is_empty() { "unverified" } else { "wrong" };
        assert_found(&ildg(&links(), &[(name, &text)], "su3gauge"), &expected, verdict);
    }
}

#[test]
fn the_sum_of_words_proves_nothing() {
    assert_found(&nersc(&links(), PLAQUETTE, "test"), &[], "ok");
    let both = [NOT_UNITARY, ("recorded-plaquette-differs", "error")];
    assert_found(&nersc(&swapped(), PLAQUETTE, "test"), &both, "wrong");
    // Whole sites: the links stay unitary.
    let links = links();
    let sites = [&links[288 * 200..288 * 400], &links[..288 * 200], &links[288 * 400..]].concat();
    assert_found(&nersc(&sites, PLAQUETTE, "test"), &both[1..], "wrong");
    // At a distance of 29 x 31 words, MILC's sums do not change.
    let mut blocks = links;
    let (first, second) = blocks[40..].split_at_mut(4 * 29 * 31);
    first[..900].swap_with_slice(&mut second[..900]);
    assert_found(&archives::milc([4, 4, 4, 8], None, &blocks, true), &[NOT_UNITARY], "wrong");
}

#[test]
fn a_checksum_of_scidac_excuses_links_that_a_program_can_have_meant() {
    let text = "<title>gauge</title>";
    assert_found(&proven(&links(), text), &[], "ok");
    let rule = "links-not-unitary";
    let file = proven(&swapped(), text);
    assert_found(&file, &[(rule, "warning")], "ok");
    let report_of_swapped = report(&file, &CHECK);
    assert_eq!(report_of_swapped.doubts(), [rule]);
    assert_eq!(support::json(&report_of_swapped)["doubts"], serde_json::json!([rule]));
    assert_eq!(support::json(&report(&sample(), &CHECK)).get("doubts"), None);
}

/// The bytes of all numbers are exchanged: what QIO writes if it is given the numbers of another machine.
fn reversed(links: &[u8]) -> Vec<u8> {
    links.as_chunks::<4>().0.iter().flat_map(|[a, b, c, d]| [*d, *c, *b, *a]).collect()
}

#[test]
fn a_checksum_of_scidac_does_not_excuse_what_nobody_can_mean() {
    let text = "<title>gauge</title>";
    let not_finite = [("links-not-finite", "error")];
    assert_found(&proven(&with_nan(), text), &not_finite, "wrong");
    assert_found(&proven(&reversed(&links()), text), &not_finite, "wrong");
    // The largest number is finite, and no smearing makes it.
    let mut far = links();
    far[72 * 100..72 * 100 + 4].copy_from_slice(&1e4_f32.to_be_bytes());
    for text in [text, "Fat links"] {
        assert_found(&proven(&far, text), &[NOT_UNITARY], "wrong");
    }
    assert_found(&undeclared(&with_nan(), true), &[("links-not-finite", "warning")], "ok");
    // The same contradiction has the same severity in a NERSC header, in a text, and with a checksum of SciDAC.
    let recorded = |plaquette: &str, trace: &str| {
        format!(
            "<usqcdInfo><version>1.0</version><plaq>{plaquette}</plaq><linktr>{trace}</linktr>\
             <info>test</info></usqcdInfo>"
        )
    };
    let trace = "-0.0037443";
    let differs = [("recorded-plaquette-differs", "error")];
    assert_found(&proven(&links(), &recorded("0.5321", trace)), &differs, "wrong");
    assert_found(&nersc(&links(), "0.5321", "test"), &differs, "wrong");
    let differs = [("recorded-link-trace-differs", "error")];
    assert_found(&proven(&links(), &recorded(PLAQUETTE, "0.5")), &differs, "wrong");
}

/// Unitary matrices that are not in SU(3): one link, or all of them, multiplied by a phase.
#[test]
fn links_of_su3_have_the_determinant_1() {
    let turned = |links: &[u8], only: Option<usize>| -> Vec<u8> {
        let turn = |link: &[u8]| -> Vec<u8> {
            let numbers: Vec<f32> = link.as_chunks().0.iter().map(|word| f32::from_be_bytes(*word)).collect();
            let phase = 0.5_f32.sin_cos();
            let turned =
                numbers.as_chunks().0.iter().flat_map(|[re, im]: &[f32; 2]| {
                    [re * phase.1 - im * phase.0, re * phase.0 + im * phase.1]
                });
            turned.flat_map(f32::to_be_bytes).collect()
        };
        let each = links.chunks(72).enumerate();
        each.flat_map(
            |(index, link)| if only.is_none_or(|only| only == index) { turn(link) } else { link.to_vec() },
        )
        .collect()
    };
    let message = |file: &[u8]| support::json(&report(file, &CHECK))["findings"][0]["message"].to_string();
    let (one, all) = (turned(&links(), Some(77)), turned(&links(), None));
    let text = "<title>gauge</title>";
    assert_found(&ildg(&one, &[], "su3gauge"), &[NOT_UNITARY], "wrong");
    assert!(message(&ildg(&one, &[], "su3gauge")).contains("their determinant is not 1"));
    assert_found(&ildg(&all, &[], "su3gauge"), &[NOT_UNITARY], "wrong");
    let plaquette =
        support::json(&report(&nersc(&all, "0", "test"), &CHECK))["fields"][0]["plaquette"].to_string();
    assert_found(&nersc(&all, &plaquette, "test"), &[NOT_UNITARY], "wrong");
    assert_found(&archives::milc([4, 4, 4, 8], None, &all, true), &[NOT_UNITARY], "wrong");
    // Other documents make it possible that a program multiplied all links by phases of QED, but not one of them.
    let warning = [("links-not-unitary", "warning")];
    assert_found(&proven(&all, text), &warning, "ok");
    assert!(message(&proven(&all, text)).contains("no link has the determinant 1"));
    assert_found(&proven(&one, text), &warning, "ok");
    assert_found(&ildg(&all, &[], "u3gauge"), &[], "unverified");
}

/// MILC writes its fat links with an `ildg-format`, and with the observables of the thin links.
#[test]
fn links_that_are_no_gauge_field_are_not_judged() {
    let scaled: Vec<u8> = links()
        .as_chunks()
        .0
        .iter()
        .flat_map(|word| (f32::from_be_bytes(*word) * 0.7).to_be_bytes())
        .collect();
    for text in ["Fat links", "Long links", "<title>smeared links</title>"] {
        let file = proven(&scaled, text);
        assert_found(&file, &[], "ok");
        assert_eq!(
            support::json(&report(&file, &CHECK))["fields"][0]["unitarity_threshold"],
            serde_json::Value::Null
        );
        // No field has numbers that are not finite.
        assert_found(&proven(&with_nan(), text), &[("links-not-finite", "error")], "wrong");
    }
    // Without a text, the only document decides: SU(3), or a group that programs store in several forms.
    assert_found(&ildg(&scaled, &[], "su3gauge"), &[NOT_UNITARY], "wrong");
    let doubt = [("links-not-unitary", "warning")];
    assert_found(&ildg(&scaled, &[("scidac-record-xml", "Fat links")], "su3gauge"), &doubt, "unverified");
    let little = ildg(&reversed(&links()), &[], "su3gauge");
    assert_eq!(report(&little, &CHECK).verdict().as_str(), "wrong");
    let thin = "<usqcdInfo><version>1.0</version><plaq>0.5956709</plaq><linktr>0.1</linktr>\
                <info>Fat links</info></usqcdInfo>";
    assert_found(&proven(&scaled, thin), &[], "ok");
    let figure =
        support::json(&report(&nersc(&scaled, "0", "smeared"), &CHECK))["fields"][0]["plaquette"].to_string();
    for label in ["smeared", "test"] {
        assert_found(&nersc(&scaled, &figure, label), &[NOT_UNITARY], "wrong");
    }
}

/// The links with SciDAC documents alone. None of them says that this is a gauge field.
fn undeclared(links: &[u8], has_checksum: bool) -> Vec<u8> {
    let whole = proven(links, "a record");
    let name = whole.windows(15).rposition(|bytes| bytes == b"scidac-checksum").expect("a checksum");
    let mut file = whole[..960].to_vec();
    file.extend(record("scidac-record-xml", b"a record", false, false));
    file.extend(record("scidac-binary-data", links, false, !has_checksum));
    file.extend_from_slice(if has_checksum { &whole[name - 16..] } else { &[] });
    file
}

/// QIO's documents do not say which matrices are links of a gauge field: these can be momenta, too.
#[test]
fn matrices_that_no_document_calls_a_gauge_field_are_judged_up_to_a_limit() {
    let missing = ("checksum-missing", "warning");
    let doubt = ("links-not-unitary", "warning");
    let far = |links: &mut Vec<u8>| links[72 * 100..72 * 100 + 4].copy_from_slice(&1e4_f32.to_be_bytes());
    let mut beyond = links();
    far(&mut beyond);
    let found_in = |file: &[u8]| {
        let report = report(file, &Options { lenient: true, ..CHECK });
        (found(&report), report.verdict().as_str())
    };
    let owned = |expected: &[(&str, &str)]| {
        let each = expected.iter().map(|(rule, level)| ((*rule).to_owned(), (*level).to_owned()));
        each.collect::<Vec<_>>()
    };
    assert_eq!(found_in(&undeclared(&links(), true)), (vec![], "ok"));
    assert_eq!(found_in(&undeclared(&swapped(), true)), (owned(&[doubt]), "ok"));
    assert_eq!(found_in(&undeclared(&beyond, true)), (owned(&[doubt]), "ok"));
    assert_eq!(found_in(&undeclared(&links(), false)), (owned(&[missing]), "unverified"));
    assert_eq!(found_in(&undeclared(&swapped(), false)), (owned(&[missing, doubt]), "unverified"));
    assert_eq!(found_in(&undeclared(&beyond, false)), (owned(&[missing, NOT_UNITARY]), "wrong"));
}

#[test]
fn without_figures_nothing_is_judged() {
    let options = Options { observables: false, ..CHECK };
    for file in [nersc(&swapped(), "0.1", "test"), ildg(&with_nan(), &[], "su3gauge")] {
        assert_eq!(found(&report(&file, &options)), []);
    }
}

/// A plain ILDG file with these links in double precision.
fn double(number: impl Fn(usize, f64) -> f64) -> Vec<u8> {
    let links = links();
    let numbers = links.as_chunks().0.iter().map(|word| f64::from(f32::from_be_bytes(*word)));
    let double: Vec<u8> =
        numbers.enumerate().flat_map(|(index, value)| number(index, value).to_be_bytes()).collect();
    let format = "<?xml version=\"1.0\"?><ildgFormat xmlns=\"http://www.lqcd.org/ildg\"><version>1.0</version>\
         <field>su3gauge</field><precision>64</precision><lx>4</lx><ly>4</ly><lz>4</lz><lt>8</lt></ildgFormat>";
    [
        record("ildg-format", format.as_bytes(), true, false),
        record("ildg-binary-data", &double, false, false),
        record("ildg-data-lfn", b"lfn://test", false, true),
    ]
    .concat()
}

/// A field in double precision that was computed in single precision, but not only converted from it.
#[test]
fn between_the_limits_is_a_warning() {
    let file = double(|_, value| value * (1.0 + 1e-9));
    assert_found(&file, &[("links-not-unitary", "warning")], "unverified");
}

#[test]
fn a_finite_number_is_not_called_infinite() {
    let file = double(|index, value| if index == 700 { 1e300 } else { value });
    assert_found(&file, &[("links-not-finite", "error")], "wrong");
    let line = support::json(&report(&file, &CHECK));
    let message = line["findings"].to_string();
    assert!(message.contains("infinite, not numbers, or too large to be squared"), "{message}");
}

#[test]
fn no_program_is_said_to_need_a_new_file_if_the_data_are_wrong() {
    for file in [
        nersc(&swapped(), PLAQUETTE, "test"),
        ildg(&flipped(), &[], "su3gauge"),
        ildg(&zeroed(), &[], "su3gauge"),
    ] {
        let report = report(&file, &CHECK);
        for program in Program::ALL {
            for reason in answer(&report, program).into_iter().flat_map(|answer| answer.reasons) {
                assert!(!reason.remedy.contains("convert"), "{program:?}: {}", reason.remedy);
            }
        }
    }
}
