//! Files truncated at every byte: the missing part is reported whether the rest is read or skipped, and a file is
//! complete only if no message and no field is incomplete.

use crate::field::support::driven::{MODES, drive};
use host_tests::fixtures::Fixtures;
use host_tests::long;
use host_tests::manifest::load;
use host_tests::oracle::{self, Record};
use linkstream::conformance::{Decoder, Event};
use linkstream::lime;
use linkstream::{Diagnostic as _, Error, Mode, Severity};

/// Findings about missing parts if a file ends after these records: rule and severity, in order. For simple files only:
/// this examines types alone, and assumes one field per message with the data after their documents.
fn incomplete(records: &[Record]) -> Vec<(&'static str, Severity)> {
    let mut reported = Vec::new();
    let begin = records.iter().rposition(|record| record.mb).unwrap_or(0);
    let message = &records[begin..];
    let here = |name: &str| message.iter().any(|record| record.kind == name.as_bytes());
    let anywhere = |name: &str| records.iter().any(|record| record.kind == name.as_bytes());
    let data = here("scidac-binary-data") || here("ildg-binary-data");
    let record = here("scidac-private-record-xml");
    let open = message.last().is_some_and(|last| !last.me);
    if open {
        reported.push(("lime-message-open", Severity::Info));
    }
    if data && record && !here("scidac-checksum") {
        reported.push(("checksum-missing", Severity::Warning));
    }
    if here("scidac-private-file-xml") && !here("scidac-file-xml") {
        reported.push(("scidac-file-xml-missing", Severity::Warning));
    }
    if record && !here("scidac-record-xml") {
        reported.push(("scidac-record-xml-missing", Severity::Warning));
    }
    if record && !data {
        reported.push(("data-missing", Severity::Error));
    }
    if here("ildg-format") && !data {
        reported.push(("data-missing", Severity::Error));
    }
    let any_data = anywhere("scidac-binary-data") || anywhere("ildg-binary-data");
    let is_waiting = (record || here("ildg-format")) && !data;
    if (anywhere("scidac-private-file-xml") || anywhere("ildg-data-lfn")) && !any_data && !is_waiting {
        reported.push(("file-without-data", Severity::Error));
    }
    if anywhere("ildg-format") && !anywhere("ildg-data-lfn") {
        reported.push(("ildg-lfn-missing", Severity::Info));
    }
    reported
}

/// The error of LIME alone if the input ends at `end`.
fn torn(records: &[Record], end: u64) -> Option<lime::ErrorKind> {
    let at = records.iter().rev().find(|record| record.offset < end)?;
    let payload_end = at.payload_offset + at.length;
    let next = at.payload_offset + at.length.next_multiple_of(8);
    if end < at.payload_offset {
        Some(lime::ErrorKind::HeaderTruncated { have: u8::try_from(end - at.offset).expect("less than 144") })
    } else if end < payload_end {
        Some(lime::ErrorKind::PayloadTruncated { missing: payload_end - end })
    } else {
        let missing = u8::try_from(next - end).expect("at most 7");
        (missing > 0).then_some(lime::ErrorKind::PaddingTruncated { missing })
    }
}

fn check(file: &[u8], records: &[Record], end: usize, path: &str) -> bool {
    let (input, end) = (&file[..end], end as u64);
    let torn = torn(records, end).map(|kind| Error::new(end, kind));
    let fatal = torn.filter(|error| error.kind.severity() == Severity::Fatal);
    // The payload is complete if only padding is missing.
    let whole = records.iter().filter(|record| record.payload_offset + record.length <= end);
    let whole: Vec<Record> = whole.cloned().collect();
    let mut expected: Vec<(&str, Severity)> =
        torn.iter().map(|e| (e.kind.rule(), e.kind.severity())).collect();
    if fatal.is_none() {
        expected.extend(incomplete(&whole));
    }
    let mut clean = false;
    for mode in MODES {
        let what = format!("{path} cut at {end}, {mode:?}");
        let decoder = Decoder::new(mode);
        let drive = drive(&decoder, input);
        let trace = drive.whole();
        let first = expected.iter().position(|(_, severity)| mode.refuses(*severity));
        let error = trace.end.err();
        assert_eq!(error.map(|e| e.kind.rule()), first.map(|n| expected[n].0), "{what}");
        if let Some(fatal) = fatal {
            assert_eq!(error.map(|e| e.at), Some(fatal.at), "{what}");
        }
        let findings = trace.events().filter_map(|event| match event {
            Event::Finding(error) => Some(error.kind.rule()),
            _ => None,
        });
        // In two of these files the sums are absent, which is reported where they should be; in another, QIO has
        // truncated a text. These are findings in the complete files as well: see `NOTES` in `fixtures.rs`.
        let of_whole = ["checksum-absent", "usqcd-truncated", "usqcd-lattice-datatype"];
        let findings: Vec<&str> = findings.filter(|rule| !of_whole.contains(rule)).collect();
        let reported: Vec<&str> =
            expected[..first.unwrap_or(expected.len())].iter().map(|(rule, _)| *rule).collect();
        assert_eq!(findings, reported, "{what}");
        if mode == Mode::Strict {
            clean = error.is_none();
            // If payload is skipped, the same is missing at the same place. One way of skipping at each place.
            let outline = drive.outline(&trace);
            let other = match end % 3 {
                0 => drive.pull_seeking(145, 1, end),
                1 => drive.awaiting(145, 1, true, end),
                _ => drive.skipping(end),
            };
            outline.assert_same(&drive.outline(&other), &format!("{what}, passing over payload"));
        }
    }
    clean
}

#[test]
fn a_file_cut_short_is_found_out() {
    let entries = load(Fixtures::Ours, "qio").into_iter();
    let small = entries.filter(|entry| entry.set.is_none() && !entry.path.ends_with(".nersc"));
    let mut count = 0;
    for entry in small.filter(|entry| entry.bytes.is_some_and(|bytes| bytes <= 6000)) {
        if entry.path.ends_with("single_append_overwrites.lime") {
            continue;
        }
        let file = entry.bytes();
        let records = oracle::records(&file);
        // One place in 7, and all around the ends of headers and payloads.
        let is_near = |end: usize| {
            records.iter().any(|record| {
                let payload_end = record.payload_offset + record.length;
                [record.offset, record.payload_offset, payload_end]
                    .iter()
                    .any(|at| at.abs_diff(end as u64) < 9)
            })
        };
        let clean: Vec<u64> = (0..=file.len())
            .filter(|end| long::is_wanted() || end % 7 == 0 || is_near(*end))
            .filter(|end| check(&file, &records, *end, &entry.path))
            .map(|end| end as u64)
            .collect();
        // The expected lengths, computed simply: 0, and each end of a message with all its parts, from the first
        // message with data on.
        let first_data = records.iter().position(|record| record.kind.ends_with(b"-binary-data"));
        let of_no_lattice = |kind: &[u8]| kind != b"scidac-private-file-xml" && kind != b"ildg-data-lfn";
        let ends = (0..).zip(&records).filter(|(n, record)| {
            let before = &records[..=*n];
            record.me
                && (first_data.is_some_and(|first| first <= *n)
                    || before.iter().all(|record| of_no_lattice(&record.kind)))
        });
        let ends = ends.map(|(_, record)| record);
        let ends = ends.map(|record| record.payload_offset + record.length.next_multiple_of(8));
        assert_eq!(clean, [0].into_iter().chain(ends).collect::<Vec<u64>>(), "{}", entry.path);
        count += 1;
    }
    assert!(count >= 15, "{count} files");
}

host_tests::of_other_projects! {
    fn an_ildg_file_may_end_in_front_of_its_checksum() {
        // tmLQCD's checksum record is not part of an ILDG file, so that the file may end before it.
        let file = Fixtures::OfOthers.read("wild/unity.lime");
        let records = oracle::records(&file);
        let [.., checksum] = &records[..] else { panic!("records") };
        let places = records.iter().flat_map(|record| {
            let end = (record.payload_offset + record.length) as usize;
            (record.offset as usize..=record.payload_offset as usize + 3).chain(end - 9..=end + 7)
        });
        let places: Vec<usize> = places.filter(|place| *place <= file.len()).collect();
        let clean: Vec<usize> =
            places.into_iter().filter(|end| check(&file, &records, *end, "wild/unity.lime")).collect();
        assert!(clean.contains(&(checksum.offset as usize)), "{clean:?}");
        assert!(clean.contains(&file.len()) && clean.contains(&0) && clean.contains(&408), "{clean:?}");
        assert_eq!(clean.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{clean:?}");
    }
}
