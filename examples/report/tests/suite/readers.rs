//! Checks which programs can read the fixtures, against facts about the programs that write such files.

use host_tests::fixtures::Fixtures;
use linkstream_report::readers::{Effect, Program, answer};

use crate::support::{CHECK, report};

/// The answers for all programs, in their order: Y accepted, N refused, ! misread, ? no answer.
fn answers(name: &str) -> String {
    answers_about(&Fixtures::Ours.read(name))
}

fn answers_about(file: &[u8]) -> String {
    let report = report(file, &CHECK);
    let letter = |program: &Program| match answer(&report, *program).map(|answer| answer.effect) {
        Some(Effect::Accepted) => 'Y',
        Some(Effect::Misread) => '!',
        Some(Effect::Refused) => 'N',
        None => '?',
    };
    Program::ALL.iter().map(letter).collect()
}

fn reasons(file: &[u8], program: Program) -> Vec<&'static str> {
    let answer = answer(&report(file, &CHECK), program).expect("the file has a gauge field");
    answer.reasons.iter().map(|reason| reason.why).collect()
}

/// The programs are QIO, MILC, Chroma, QUDA, Grid, GPT, tmLQCD, CL2QCD, SIMULATeQCD, lyncs_io, PyQUDA, Gaugefields.jl.
/// CL2QCD requires equal spatial extents, SIMULATeQCD more than 100,000 bytes of data.
#[test]
fn fixtures_are_read_by_the_programs_that_can() {
    for (name, expected) in [
        // As tmLQCD writes it: without the name that Grid requires.
        ("qio/alien/tmlqcd_style.lime", "YYYYNYYNNYYY"),
        // As Grid writes it: without the namespace that PyQUDA requires.
        ("qio/alien/grid_style.lime", "YYYYYYYNNYNY"),
        // As QIO writes it: documents end in a NUL, which CL2QCD and lyncs_io do not accept.
        ("qio/ildg/ildg_f_4x4x4x8.lime", "YYYYY!YNYNYY"),
        ("qio/ildg/ildg_d_nolfn_4x4x4x4.lime", "YYYYNYYNYNYY"),
        // Without ildg-format: read by programs that use QIO, and by SIMULATeQCD.
        ("qio/single/gauge_f3_4x4x4x8.lime", "YYYYNNNNYNNN"),
        // New in ILDG 1.2.
        ("qio/alien/ildg12_rows2.lime", "NNNNNNNNNNN!"),
        ("qio/alien/ildg12_su2gauge.lime", "NNNNNNNNNNNY"),
        ("qio/alien/ildg12_three_dim.lime", "NNNNNNNNNNN!"),
        // No gauge field.
        ("qio/single/real_f_4x4x4x8.lime", "????????????"),
        ("scda/inline.scda", "????????????"),
    ] {
        assert_eq!(answers(name), expected, "{name}");
    }
}

/// If a file ends inside the data, no conversion helps, whatever other errors it has.
#[test]
fn a_file_that_ends_inside_the_data_is_read_by_none() {
    let milc = host_tests::archives::milc([2, 2, 2, 2], None, &vec![0; 4 * 4 * 16 * 18], true);
    let lime = Fixtures::Ours.read("qio/ildg/ildg_f_4x4x4x8.lime");
    let nersc = Fixtures::Ours.read("qio/nersc/n3x2_d.nersc");
    for file in [lime, nersc, milc] {
        let cut = &file[..file.len() / 2];
        assert_eq!(answers_about(cut), "NNNNNNNNNNNN");
        for program in Program::ALL {
            let answer = answer(&report(cut, &CHECK), program).expect("the file has a gauge field");
            let [reason] = &answer.reasons[..] else { panic!("{:?}", answer.reasons) };
            assert!(reason.remedy.contains("another copy"), "{}", reason.remedy);
        }
    }
}

/// MILC and QUDA read only the first data record.
#[test]
fn what_comes_before_the_gauge_field_matters() {
    let [real, gauge] =
        ["real_f", "gauge_f3"].map(|name| Fixtures::Ours.read(&format!("qio/single/{name}_4x4x4x8.lime")));
    let message = |file: &[u8]| {
        let at = file
            .windows(26)
            .position(|bytes| bytes == b"scidac-private-record-xml\0")
            .expect("the file has the record");
        at - 16
    };
    let (in_real, in_gauge) = (message(&real), message(&gauge));
    let gauge_last = [&real[..], &gauge[in_gauge..]].concat();
    let gauge_first = [&gauge[..], &real[in_real..]].concat();
    // SIMULATeQCD compares the last checksum.
    assert_eq!(answers_about(&gauge_first), "YYYYNNNNNNNN");
    assert_eq!(answers_about(&gauge_last), "YNYNNNNNYNNN");
    let of_first = [
        "the program reads only the first data record, which is not a gauge field: it has another typesize or datacount",
    ];
    assert_eq!(reasons(&gauge_last, Program::Milc), of_first);
    // The first data record matters even if the gauge field is damaged.
    let mut damaged = gauge_last;
    let at = damaged.len() - 2000;
    damaged[at] ^= 1;
    assert_eq!(reasons(&damaged, Program::Quda), of_first);
    assert!(reasons(&damaged, Program::Qio)[0].contains("checksum"));
}

#[test]
fn a_wrong_checksum_is_refused_by_programs_that_verify_it() {
    let mut file = Fixtures::Ours.read("qio/ildg/ildg_d_nolfn_4x4x4x4.lime");
    let at = file.windows(16).position(|bytes| bytes == b"ildg-binary-data").expect("the file has data")
        + 128
        + 5000;
    file[at] ^= 1;
    // QIO verifies the checksum, because its documents come first.
    assert_eq!(answers_about(&file), "NNNNNNNNNNNY");
    assert!(
        reasons(&file, Program::TmLqcd)
            .contains(&"checksum mismatch: the data do not have the stored checksum")
    );
    assert!(reasons(&file, Program::Gaugefields).is_empty());
}

#[test]
fn sums_are_text_to_some() {
    let mut file = Fixtures::Ours.read("qio/ildg/ildg_d_nolfn_4x4x4x4.lime");
    let at = file.windows(6).position(|bytes| bytes == b"<suma>").expect("the file has a sum") + 6;
    let text = |file: &[u8]| String::from_utf8_lossy(&file[at..at + 8]).into_owned();
    assert!(text(&file).bytes().all(|byte| byte.is_ascii_hexdigit()), "{}", text(&file));
    let form = |why: &[&str]| why.iter().any(|why| why.contains("compared as text"));
    assert!(!form(&reasons(&file, Program::Gpt)) && !form(&reasons(&file, Program::SimulateQcd)));
    file[at..at + 8].make_ascii_uppercase();
    let same = text(&file).bytes().all(|byte| byte.is_ascii_digit());
    assert!(!same, "the sums have no letters, so the test shows nothing");
    assert!(form(&reasons(&file, Program::Gpt)) && form(&reasons(&file, Program::SimulateQcd)));
    assert!(!form(&reasons(&file, Program::Grid)));
}

/// NERSC archives. PyQUDA requires nine digits of plaquette and link trace; the fixtures have ten decimals, of small
/// numbers.
#[test]
fn archives_are_read_by_the_programs_that_can() {
    for (name, expected) in [
        ("n3x2_d", "YYYNYYNNYNNN"),
        ("n3x3_d", "YYYNYYNNYNNN"),
        ("n3x3_f", "YYYNYYNNYNNN"),
        // QIO and MILC only warn.
        ("n3x2_f_badsum", "YYNNNNNNNNNN"),
        // Some programs take IEEE32 as big endian, others as little endian.
        ("n3x2_f_generic32", "YYYNNNNNYNNN"),
        ("n3x2_f_little", "!!NNNYNNYNNN"),
    ] {
        assert_eq!(answers(&format!("qio/nersc/{name}.nersc")), expected, "{name}");
    }
    // Lines that some programs require, and others cannot read.
    let file = Fixtures::Ours.read("qio/nersc/n3x2_d.nersc");
    let changed = |from: &str, to: &str| {
        let at = file
            .windows(from.len())
            .position(|bytes| bytes == from.as_bytes())
            .expect("the header has the line");
        answers_about(&[&file[..at], to.as_bytes(), &file[at + from.len()..]].concat())
    };
    assert_eq!(changed("SEQUENCE_NUMBER", "SEQUENCE"), "YYYNNYNNYNNN");
    assert_eq!(changed("LINK_TRACE", "TRACE"), "YYYNNNNNNNNN");
    assert_eq!(changed("CHECKSUM = 16439d5\n", ""), "NNYNNNNNNNNN");
    assert_eq!(changed("0.0117624590", "0.0117"), "YYNNNYNNYNNN");
    assert_eq!(changed("0.0117624590", "0.0118625"), "YYNNNNNNYNNN");
    assert_eq!(changed("FLOATING_POINT = IEEE64BIG", "FLOATING_POINT = IEEE64"), "!!NNNNNNNNNN");
    assert_eq!(changed("= fixture", &format!("= {}", "long".repeat(40))), "YYNNYYNNYNNN");
    assert_eq!(answers_about(&[&file[..], b"end"].concat()), "YYYNYNNNYNNN");
    // Lines that make MILC and QIO's converter crash (qcdhdr_get_hdr), and more lines than they can read.
    for line in ["NOTE", "NOTE=a", "NOTE = a \r", &format!("NOTE = {}", "long".repeat(300))] {
        let answers = changed("ENSEMBLE_ID", &format!("{line}\nENSEMBLE_ID"));
        assert!(answers.starts_with("NN"), "{line}: {answers}");
    }
    let lines = |count: usize| changed("ENSEMBLE_ID", &format!("{}ENSEMBLE_ID", "NOTE = a\n".repeat(count)));
    assert_eq!((&lines(100)[..2], &lines(127)[..2]), ("YY", "NN"));
}

/// Files of MILC, with unitary links.
#[test]
fn files_of_milc_are_read_by_the_programs_that_can() {
    let file = |list: Option<&[u32]>| {
        let link =
            [1_f32, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let data: Vec<u8> =
            (0..4 * 16).flat_map(|_| link.iter().flat_map(|number| number.to_be_bytes())).collect();
        host_tests::archives::milc([2, 2, 2, 2], list, &data, true)
    };
    assert_eq!(answers_about(&file(None)), "NYYNNNNNYNYN");
    let list: Vec<u32> = (0..16).rev().collect();
    assert_eq!(answers_about(&file(Some(&list))), "NYNNNNNN!NNN");
    let mut damaged = file(None);
    // A wrong checksum: the sums are before the data.
    damaged[90] ^= 1;
    assert_eq!(answers_about(&damaged), "NY!NNNNN!NNN");
    let mut large = file(None);
    large[96..100].copy_from_slice(&1.01_f32.to_be_bytes());
    assert!(reasons(&large, Program::Milc).iter().any(|why| why.contains("unitarity")));
    assert!(!reasons(&file(None), Program::Milc).iter().any(|why| why.contains("unitarity")));
}

/// QDP++ reads as many bytes as the precision requires, independent of the size in the document.
#[test]
fn chroma_asks_for_the_data_that_the_precision_requires() {
    let file = Fixtures::Ours.read("../../examples/su3-4x4x4x8.lime");
    let (was, now) = (b"<precision>F<", b"<precision>D<");
    let at = file.windows(was.len()).position(|window| window == was).expect("the document has a precision");
    let mut changed = file.clone();
    changed[at..at + was.len()].copy_from_slice(now);
    assert!(!report(&changed, &CHECK).is_ok());
    assert_eq!(
        answer(&report(&file, &CHECK), Program::Chroma).map(|answer| answer.effect),
        Some(Effect::Accepted)
    );
    assert_eq!(
        answer(&report(&changed, &CHECK), Program::Chroma).map(|answer| answer.effect),
        Some(Effect::Refused)
    );
    assert!(reasons(&changed, Program::Chroma).iter().any(|why| why.contains("precision")));
}

/// A name appended to a SciDAC file does not make an ILDG file of it, and Grid requires a name.
#[test]
fn grid_is_given_a_name() {
    let scidac = Fixtures::Ours.read("qio/single/gauge_f3_4x4x4x8.lime");
    let milc = host_tests::archives::milc([2, 2, 2, 2], None, &vec![0; 4 * 4 * 16 * 18], true);
    for file in [scidac, milc] {
        let answer = answer(&report(&file, &CHECK), Program::Grid).expect("the file has a gauge field");
        let advice = answer.reasons.iter().filter(|reason| reason.remedy.contains('`'));
        let all: Vec<_> = advice.map(|reason| &reason.remedy).collect();
        assert!(!all.is_empty() && all.iter().all(|remedy| remedy.contains("--lfn lfn://")), "{all:?}");
    }
}
