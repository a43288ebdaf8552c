//! Records of every kind, valid and corrupted, in any order and with any flags: whatever a file contains, the events
//! keep their order, all ways of reading agree, and the modes differ only in where they stop.

use crate::field::support::build::raw_record;
use crate::field::support::driven::{MODES, drive, restored};
use crate::field::support::run::Run;
use host_tests::drive::Random;
use linkstream::conformance::{Decoder, ErrorKind};
use linkstream::field;
use linkstream::{Diagnostic as _, Error, Mode};
use proptest::prelude::*;

fn record(version: &str, rest: &str) -> String {
    format!(
        "<scidacRecord><version>{version}</version><datatype>t</datatype><precision>F</precision>{rest}</scidacRecord>"
    )
}

fn format(field: &str, lt: u32) -> String {
    format!(
        "<ildgFormat><version>1.2</version><field>{field}</field><precision>32</precision>\
         <lx>2</lx><ly>1</ly><lz>1</lz><lt>{lt}</lt></ildgFormat>"
    )
}

/// The records. Data have 8 or 32 bytes: a SciDAC field with one number at each of 2 sites, two global numbers, U(1)
/// phases in 2 directions at 4 sites, or SO(2) links in one direction at 2 sites.
fn pieces() -> Vec<(&'static str, Vec<u8>)> {
    let file = "<scidacFile><version>1.1</version><spacetime>1</spacetime><dims>2</dims><volfmt>0</volfmt></scidacFile>";
    let sums = |a: &str, b: &str| {
        format!("<scidacChecksum><version>1.0</version><suma>{a}</suma><sumb>{b}</sumb></scidacChecksum>")
    };
    let eight = [1_u8, 2, 3, 4, 5, 6, 7, 8];
    let (suma, sumb) = host_tests::oracle::checksum(&eight, 4, 0..2);
    let right = sums(&format!("{suma:x}"), &format!("{sumb:x}"));
    let small = "<typesize>4</typesize><datacount>1</datacount>";
    let text: Vec<(&str, String)> = vec![
        ("scidac-private-file-xml", file.into()),
        ("scidac-private-file-xml", file.replace('2', "4")),
        ("scidac-private-file-xml", file.replace("</dims>", "")),
        ("scidac-private-file-xml", String::new()),
        ("scidac-file-xml", "file".into()),
        ("scidac-private-record-xml", record("1.1", &format!("<recordtype>0</recordtype>{small}"))),
        (
            "scidac-private-record-xml",
            record("1.0", &format!("<globaldata>1</globaldata>{small}").replace('4', "8")),
        ),
        (
            "scidac-private-record-xml",
            record(
                "1.1",
                &format!(
                    "<recordtype>2</recordtype><spacetime>1</spacetime><hyperlower>1</hyperlower><hyperupper>2</hyperupper>{small}"
                ),
            ),
        ),
        ("scidac-private-record-xml", record("7", "<typesize>-4</typesize><datacount>0</datacount>")),
        ("scidac-record-xml", "record".into()),
        ("scidac-checksum", right),
        ("scidac-checksum", sums("0", "0")),
        ("scidac-checksum", "<scidacChecksum><version>1.0</version></scidacChecksum>".into()),
        ("scidac-checksum", "<scidacChecksum>".into()),
        ("ildg-format", format("u1phase", 2)),
        ("ildg-format", format("u1phase", 4)),
        ("ildg-format", format("so2gauge", 1)),
        ("ildg-format", format("u0gauge", 2) + "\r\n"),
        ("ildg-update", "7".into()),
        ("ildg-update", "seven".into()),
        ("ildg-data-lfn", "lfn://x".into()),
        ("ildg-data-lfn", "\0".into()),
        ("xyz", "anything".into()),
    ];
    let data = [
        ("scidac-binary-data", 8),
        ("ildg-binary-data", 8),
        ("ildg-binary-data", 32),
        ("scidac-binary-data", 0),
    ];
    let data = data.map(|(kind, n)| (kind, eight.into_iter().cycle().take(n).collect()));
    text.into_iter().map(|(kind, text)| (kind, text.into_bytes())).chain(data).collect()
}

/// Random messages, valid and invalid.
fn sequence(seed: u64) -> Vec<u8> {
    let pieces = pieces();
    let mut random = Random(seed);
    let mut file = Vec::new();
    let mut open = false;
    if random.below(2) == 0 {
        for n in [0, 4] {
            let (kind, payload) = &pieces[n];
            file.extend(raw_record(kind, n == 0, n == 4, payload));
        }
    }
    // Valid messages as indices of records. A record is sometimes changed, left out or inserted.
    let data = pieces.len() - 4;
    let phrases: [&[usize]; 7] = [
        // Two fields in one message, without a checksum between them.
        &[14, data + 2, 16, data + 2],
        &[5, 9, data, 10],
        &[9, 5, data + 1, 10],
        &[6, 9, data, 12],
        &[7, 9, data, 10],
        &[14, 18, data + 2],
        &[16, data + 2, 20],
    ];
    for _ in 0..random.below(5) {
        let mut phrase = phrases[random.below(phrases.len())].to_vec();
        if random.below(2) == 0 {
            let at = random.below(phrase.len());
            match random.below(3) {
                0 => phrase[at] = random.below(pieces.len()),
                1 => drop(phrase.remove(at)),
                _ => phrase.insert(at, random.below(pieces.len())),
            }
        }
        for (place, n) in phrase.iter().enumerate() {
            let (kind, payload) = &pieces[*n];
            // Sometimes flags contradict each other, or a message is split.
            let begin = !open ^ (random.below(25) == 0);
            let end = place + 1 == phrase.len() || random.below(15) == 0;
            open = !end;
            file.extend(raw_record(kind, begin, end, payload));
        }
    }
    if random.below(10) == 0 {
        file.truncate(file.len().saturating_sub(1 + random.below(40)));
    }
    file
}

/// Verifies that the stricter modes report the same as survey mode, up to the first error.
fn assert_modes_agree(file: &[u8]) {
    let survey = Run::of(Mode::Survey, file, usize::MAX);
    let all: Vec<Error<ErrorKind>> = survey.findings.iter().copied().chain(survey.error).collect();
    for mode in MODES {
        let run = Run::of(mode, file, 7);
        let refused = all.iter().position(|error| mode.refuses(error.kind.severity()));
        assert_eq!(run.error, refused.map(|n| all[n]), "{mode:?}");
        assert_eq!(run.findings, all[..refused.unwrap_or(all.len())], "{mode:?}");
        for (reported, other) in run.fields.iter().zip(&survey.fields) {
            assert_eq!(
                (reported.field, &reported.record, &reported.format),
                (other.field, &other.record, &other.format)
            );
        }
        assert!(run.fields.len() <= survey.fields.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: host_tests::long::number(200, 4), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_records_keeps_the_contract(seed in any::<u64>()) {
        let file = sequence(seed);
        assert_modes_agree(&file);
        for mode in MODES {
            let decoder = Decoder::new(mode);
            let drive = drive(&decoder, &file);
            let whole = drive.agree_reading("sequence", &[], |decoder| decoder);
            let mut random = Random(seed);
            let cuts: Vec<usize> = (1..file.len()).filter(|_| random.below(5) == 0).collect();
            whole.assert_same(&drive.cut(&cuts, restored), "restored");
            let mismatch = whole.end.is_err_and(|error| matches!(error.kind, ErrorKind::Field(field::ErrorKind::ChecksumMismatch { .. })));
            if !mismatch {
                drive.agree_passing("sequence", &whole, &[1, 2]);
            }
        }
    }
}

/// The generator produces both fields and errors.
#[test]
fn sequences_hold_fields_and_faults() {
    let runs: Vec<Run> = (0..400).map(|seed| Run::of(Mode::Survey, &sequence(seed), usize::MAX)).collect();
    let mut rules: Vec<&str> = runs.iter().flat_map(Run::rules).collect();
    rules.sort_unstable();
    rules.dedup();
    let fields = runs.iter().map(|run| run.fields.len()).sum::<usize>();
    let proved = runs.iter().flat_map(|run| &run.fields);
    let proved = proved.filter(|reported| reported.verdict.is_some_and(|verdict| verdict.is_match())).count();
    assert!(fields > 200 && proved > 50 && rules.len() > 20, "{fields} fields, {proved} proved, {rules:?}");
}
