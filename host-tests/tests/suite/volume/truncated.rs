//! A volume truncated at any byte causes an error, or leaves a field unverified or no field at all.

use linkstream::Severity;
use linkstream::{Diagnostic as _, lime};

use crate::volume::support::{Counting, read, sets, volumes};

#[test]
fn every_truncation_is_found() {
    let files = volumes(&sets("qio")["multi/part3_uneven.lime"]);
    for which in 0..files.len() {
        for length in 0..files[which].1.len() {
            let mut cut = files.clone();
            cut[which].1.truncate(length);
            let set = read(&cut, Counting::WithMap);
            let worst = set.findings.iter().map(|(_, error)| error.kind.severity()).max();
            let unverified = set.fields.iter().any(|field| !field.verdict().is_match());
            assert!(
                worst >= Some(Severity::Error) || unverified || set.fields.is_empty(),
                "volume {which} cut at {length}: {:?}",
                set.findings
            );
            // A rule of LIME is broken unless the volume ends with a complete message.
            let framing = set.findings.iter().any(|(volume, error)| {
                *volume == Some(which as u64) && error.kind.rule().starts_with("lime-")
            });
            let is_end = ends(&files[which].1).contains(&length);
            assert_eq!(framing, !is_end, "volume {which} cut at {length}: {:?}", set.findings);
        }
    }
}

/// The ends of a volume's messages, and its beginning.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = vec![0];
    let mut decoder = lime::Decoder::new(linkstream::Mode::Strict);
    linkstream::drive(&mut decoder, bytes, |event, _, decoder: &lime::Decoder| {
        if event == lime::Event::End && decoder.record().end {
            ends.push(decoder.record().next_offset() as usize);
        }
    })
    .expect("an intact volume");
    ends
}
