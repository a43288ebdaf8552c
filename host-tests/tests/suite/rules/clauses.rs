//! Every finding names a document and a section, or says that the format has no specification. Errors of the caller
//! name none.

use std::collections::BTreeSet;

use host_tests::fixtures::Fixtures;
use linkstream::{Diagnostic, Misuse, Mode};
use linkstream::{conformance, field, inebin, lime, milc, nersc, scda};

use crate::rules::{files, reported};

fn rules<K: Diagnostic>(documents: &[&str], kinds: &[K]) -> BTreeSet<&'static str> {
    for kind in kinds {
        let clause = kind.clause();
        let begins = documents.iter().any(|document| clause.starts_with(document));
        assert!(begins && clause.len() < 60, "{}: {clause:?}", kind.rule());
    }
    kinds.iter().map(Diagnostic::rule).collect()
}

#[test]
fn findings_of_the_broken_fixtures_name_their_clause() {
    let (mut of_fields, mut of_scda, mut of_inebin) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for file in files(&Fixtures::Ours.join("broken")) {
        let finding = |event| match event {
            field::Event::Finding(error) => Some(error.kind),
            _ => None,
        };
        let kinds = reported(conformance::Decoder::new(Mode::Survey), finding, &file);
        of_fields.extend(rules(&["ILDG 1.2, ", "QIO 2.3, ", "LIME 1.2, ", "XML 1.0, "], &kinds));
    }
    for file in files(&Fixtures::Ours.join("broken-scda")) {
        let finding = |event| match event {
            scda::Event::Finding(error) => Some(error.kind),
            _ => None,
        };
        let kinds = reported(scda::Decoder::new(Mode::Survey, true), finding, &file);
        of_scda.extend(rules(&["scda, section"], &kinds));
    }
    for file in files(&Fixtures::Ours.join("broken-inebin")) {
        let finding = |event| match event {
            inebin::Event::Finding(error) => Some(error.kind),
            _ => None,
        };
        let kinds = reported(inebin::Decoder::new(Mode::Survey), finding, &file);
        of_inebin.extend(rules(&["Aion manual, "], &kinds));
    }
    assert!(of_fields.len() > 40, "{of_fields:?}");
    assert!(of_scda.len() > 5, "{of_scda:?}");
    assert!(of_inebin.len() > 5, "{of_inebin:?}");
}

#[test]
fn formats_without_a_specification_name_none() {
    for rule in nersc::ErrorKind::RULES {
        assert!(rule.clause.starts_with("no specification; NERSC archives in use, "), "{rule:?}");
    }
    for rule in milc::ErrorKind::RULES {
        assert!(rule.clause.starts_with("no specification; source code of MILC, "), "{rule:?}");
    }
}

#[test]
fn mistakes_of_the_caller_break_no_clause() {
    let misuse = Misuse::NoPayload;
    assert_eq!(lime::ErrorKind::Misuse(misuse).clause(), "");
    assert_eq!(field::ErrorKind::Lime(lime::ErrorKind::Misuse(misuse)).clause(), "");
    assert_eq!(inebin::ErrorKind::Misuse(misuse).clause(), "");
    assert_eq!(scda::ErrorKind::Misuse(misuse).clause(), "");
    assert_eq!(scda::ErrorKind::from(misuse).clause(), "");
    assert_eq!(scda::ErrorKind::BufferTooSmall { needed: 1 }.clause(), "");
}
