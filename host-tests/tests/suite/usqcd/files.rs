//! Propagator files: written by QIO, truncated at every byte, and with texts of many megabytes.

use host_tests::fixtures::Fixtures;
use host_tests::manifest::load;
use linkstream::conformance::{Decoder, Event};
use linkstream::usqcd::{FileType, Label, Role};
use linkstream::{Decode as _, Mode};

use super::support::{self, c1v3, file_text};
use crate::field::support::build::file;
use crate::field::support::driven::{drive, restored};
use crate::field::support::run::Run;

/// The type of a file, and role and label of each data record.
fn entries(file: &[u8]) -> (Option<FileType>, Vec<(Option<Role>, Label)>) {
    let (mut decoder, mut entries, mut rest) = (Decoder::new(Mode::Strict), Vec::new(), file);
    loop {
        let step = decoder.push(rest).expect("valid");
        rest = &rest[step.consumed..];
        match step.event {
            Some(Event::Field) => {
                let label = decoder.usqcd_record().map(|record| record.label).unwrap_or_default();
                entries.push((decoder.role(), label));
            }
            Some(_) => {}
            None => break,
        }
    }
    while decoder.finish().expect("complete").is_some() {}
    let described = decoder.usqcd_file();
    assert!(described.is_none_or(|file| file.version == "1.0"));
    (described.and_then(|file| file.file_type), entries)
}

/// The manifest's entries for propagator files have the records of their types.
#[test]
fn files_of_qio_have_the_records_of_their_types() {
    use Role::{Solution, Source};
    let expected = [
        ("usqcd/prop_c1d12.lime", FileType::C1D12),
        ("usqcd/prop_cd_pairs.lime", FileType::CdPairs),
        ("usqcd/prop_dd_pairs.lime", FileType::DdPairs),
        ("usqcd/prop_lhpc.lime", FileType::Lhpc),
        ("usqcd/ks_c1v3.lime", FileType::C1V3),
        ("usqcd/ks_cv_pairs.lime", FileType::CvPairs),
        ("usqcd/ks_vv_pairs.lime", FileType::VvPairs),
    ];
    let manifest = load(Fixtures::Ours, "qio");
    for (path, file_type) in expected {
        let entry = manifest.iter().find(|entry| entry.path == path).expect("listed");
        let (found, entries) = entries(&entry.bytes());
        assert_eq!(found, Some(file_type), "{path}");
        let records = entry.logical_records();
        assert_eq!(entries.len(), records.len(), "{path}");
        for (number, ((role, label), record)) in entries.iter().zip(&records).enumerate() {
            let expected = match file_type {
                FileType::Lhpc => None,
                FileType::C1D12 | FileType::C1V3 => Some(if number == 0 { Source } else { Solution }),
                _ => Some([Source, Solution][number % 2]),
            };
            assert_eq!(*role, expected, "{path}, record {number}");
            if let Some(site) = role.and_then(|role| file_type.site_type(role)) {
                let name = &record.datatype;
                let names = [linkstream::lattice::Precision::F32, linkstream::lattice::Precision::F64]
                    .map(|precision| site.record(precision).datatype.as_str().to_owned());
                assert!(names.contains(name), "{path}: {name}");
            }
            if file_type.solutions().is_some() && number > 0 {
                let expected = Label::of_solution(number as u8 - 1, file_type.is_staggered());
                assert_eq!(*label, expected, "{path}, record {number}");
            }
        }
    }
}

#[test]
fn files_of_qio_do_not_depend_on_chunks() {
    for path in
        ["qio/usqcd/ks_c1v3.lime", "qio/usqcd/ks_vv_pairs.lime", "qio/quirks/usqcdinfo_truncated.lime"]
    {
        let file = Fixtures::Ours.read(path);
        for mode in [Mode::Strict, Mode::Survey] {
            let decoder = Decoder::new(mode);
            let drive = drive(&decoder, &file);
            let cuts: Vec<usize> = (1..file.len()).step_by(37).collect();
            let whole = drive.agree_reading(path, &cuts, restored);
            drive.agree_passing(path, &whole, &[1, 2, 3]);
        }
    }
}

#[test]
fn every_truncation_is_reported() {
    let whole = Fixtures::Ours.read("qio/usqcd/ks_c1v3.lime");
    let records = host_tests::oracle::records(&whole);
    let file_xml_ends = records[2].offset as usize;
    for end in file_xml_ends..whole.len() {
        let survey = Run::of(Mode::Survey, &whole[..end], 1000);
        let errors: Vec<_> = survey.findings.iter().chain(&survey.error).collect();
        assert!(!errors.is_empty(), "{end}");
        assert!(errors.iter().all(|error| error.at <= end as u64), "{end}: {errors:?}");
        let strict = Run::of(Mode::Strict, &whole[..end], 1000);
        assert!(strict.error.is_some(), "{end}");
    }
    // At the end of a message the file is valid LIME, so that only solutions are missing.
    let message_ends = records.iter().skip(2).filter(|record| record.mb).map(|record| record.offset as usize);
    let mut count = 0;
    for end in message_ends {
        let all = ["file-without-data", "usqcd-solution-count"];
        let expected = if count == 0 { &all[..] } else { &all[1..] };
        assert_eq!(Run::of(Mode::Survey, &whole[..end], 1000).rules(), expected, "{end}");
        count += 1;
    }
    assert_eq!(count, 4);
}

/// The state has a fixed size for texts of any length.
#[test]
fn texts_of_many_megabytes_are_read() {
    let mut messages = c1v3();
    let long = format!("<a>{}</a>", "<b c='d'>text</b>".repeat(400_000));
    messages[0][1].1 =
        file_text("usqcdKSPropFile", FileType::C1V3.name()).replace(">f<", &format!(">{long}<")).into();
    let solution = support::vector_text(1).replace("<info>k", &format!("<info>{long}"));
    messages[3][1].1 = solution.into();
    let bytes = file(&messages);
    assert!(bytes.len() > 12 << 20);
    assert_eq!(entries(&bytes).1.len(), 4);

    // An element that is repeated a million times is reported once.
    let repeated = "<color>1</color>".repeat(1_000_000);
    messages[3][1].1 = support::vector_text(1).replace("<info>", &format!("{repeated}<info>")).into();
    let run = Run::of(Mode::Survey, &file(&messages), 1 << 20);
    assert_eq!(run.rules(), ["usqcd-element-duplicate"]);
}
