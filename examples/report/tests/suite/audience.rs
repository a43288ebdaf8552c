//! Judges files by the programs that they are written for.

use host_tests::fixtures::Fixtures;
use linkstream::lattice::Precision;
use linkstream_access::write::{Rows, Target, Wish};
use linkstream_report::readers::{Audience, Effect, Program, Unread, not_read_by};
use linkstream_report::report::Report;

use crate::support::{CHECK, report};

fn report_on(name: &str) -> Report {
    report(&Fixtures::Ours.read(name), &CHECK)
}

#[test]
fn audiences_are_parsed() {
    assert_eq!("any".parse(), Ok(Audience::Any));
    for program in Program::ALL {
        assert_eq!(program.key().parse(), Ok(Audience::One(program)));
    }
    let error = "nobody".parse::<Audience>().unwrap_err().to_string();
    assert!(error.starts_with("not one of any, qio, milc,") && error.ends_with(", gaugefields"), "{error}");
}

#[test]
fn the_form_is_the_one_that_programs_read() {
    let wish = Audience::Any.wish(Wish { lfn: Some("lfn://a/b".to_owned()), ..Wish::default() });
    assert_eq!((wish.target, wish.rows), (Some(Target::Ildg), Some(Rows::Full)));
    assert!(wish.one && wish.checksum && wish.lfn.as_deref() == Some("lfn://a/b"));
    let precision =
        |audience: Audience, precision| audience.wish(Wish { precision, ..Wish::default() }).precision;
    assert_eq!(precision(Audience::Any, None), Some(Precision::F64));
    assert_eq!(precision(Audience::One(Program::TmLqcd), None), Some(Precision::F64));
    assert_eq!(precision(Audience::One(Program::Qio), None), None);
    assert_eq!(precision(Audience::Any, Some(Precision::F32)), Some(Precision::F32));
    assert!(Audience::One(Program::Gpt).has_padded_sums() && !Audience::Any.has_padded_sums());
}

/// The answers about these files are in `readers.rs`.
#[test]
fn a_file_is_judged_by_those_who_read_it() {
    // GPT misreads it; Grid and others read it.
    let file = report_on("qio/ildg/ildg_f_4x4x4x8.lime");
    assert_eq!(Audience::One(Program::Grid).judge(&file), Ok(Vec::new()));
    let Err(Unread::ByProgram(answer)) = Audience::One(Program::Gpt).judge(&file) else { panic!("accepted") };
    assert_eq!(answer.effect, Effect::Misread);
    assert!(answer.to_string().starts_with("GPT misreads the file: "), "{answer}");
    let warnings = Audience::Any.judge(&file).expect("others read it");
    let programs: Vec<_> = warnings.iter().map(|answer| answer.program).collect();
    assert_eq!(programs, [Program::Gpt, Program::Cl2Qcd, Program::Lyncs]);
    assert_eq!(warnings, not_read_by(&file));
    assert!(warnings[1].to_string().starts_with("CL2QCD cannot read the file: "), "{}", warnings[1]);
}

#[test]
fn a_file_that_none_reads_is_refused() {
    let file = report_on("qio/alien/ildg12_rows2.lime");
    let unread = Audience::Any.judge(&file).unwrap_err();
    assert!(matches!(&unread, Unread::ByAny(answers) if answers.len() == Program::ALL.len()));
    let said = unread.to_string();
    assert!(said.starts_with("no program can read it: QIO cannot read the file: "), "{said}");
    assert!(said.contains("; Gaugefields.jl misreads the file: "), "{said}");

    let other = report_on("qio/single/real_f_4x4x4x8.lime");
    assert_eq!(Audience::One(Program::Qio).judge(&other), Err(Unread::NoGaugeField));
    assert_eq!(Audience::Any.judge(&other), Err(Unread::ByAny(Vec::new())));
    assert_eq!(not_read_by(&other), []);
}
