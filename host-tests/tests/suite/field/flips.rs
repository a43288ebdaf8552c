//! Every bit of a file is changed, one at a time: either this is reported, or it does not affect the data. Their bytes,
//! positions and verification are never wrong silently.

use crate::field::support::run::{Reported, Run};
use host_tests::fixtures::Fixtures;
use host_tests::long;
use host_tests::oracle;
use linkstream::Mode;
use linkstream::field::Verdict;

/// Position and properties of the data, without mere names. A change of an extent of the lattice cannot be noticed if
/// neither global data nor the ranks of a hypercube depend on it.
fn essence(reported: &Reported) -> impl PartialEq + std::fmt::Debug + use<> {
    let field = &reported.field;
    let sites: Vec<(u64, Vec<u32>, Vec<u8>)> =
        reported.sites.iter().map(|site| (site.rank, site.coordinates.clone(), site.bytes.clone())).collect();
    (field.region, field.bytes_per_site, sites, reported.computed, reported.verdict)
}

/// The first messages of a file, which contain up to two fields.
fn first_messages(mut file: Vec<u8>) -> Vec<u8> {
    let ends = oracle::records(&file).into_iter().filter(|record| record.me);
    let mut ends = ends.map(|record| (record.payload_offset + record.length.next_multiple_of(8)) as usize);
    let end = ends.rfind(|end| *end <= 3000).expect("a short message");
    file.truncate(end);
    file
}

/// Types of records whose payload is the user's text.
fn is_user_text(kind: &[u8]) -> bool {
    [&b"scidac-file-xml"[..], b"scidac-record-xml"].contains(&kind)
}

#[test]
fn no_changed_bit_of_a_scidac_file_spoils_the_data_in_silence() {
    for name in [
        "single/real_d_2x3x4x5.lime",
        "single/dim3_3x4x5.lime",
        "single/global.lime",
        "single/hyper_2x3x4x5.lime",
    ] {
        let file = first_messages(std::fs::read(Fixtures::Ours.join("qio").join(name)).expect(name));
        let good = Run::clean(Mode::Strict, &file, usize::MAX, name);
        assert!(good.fields.iter().all(|reported| matches!(reported.verdict, Some(Verdict::Match { .. }))));
        let records = oracle::records(&file);
        let mut silent = 0;
        // 7 and 8 have no common divisor: each bit of the bytes is changed somewhere.
        for bit in long::sample(0..8 * file.len(), 7) {
            let byte = bit as u64 / 8;
            let record = records.iter().rev().find(|record| record.offset <= byte).expect("inside");
            let in_data = byte >= record.payload_offset && record.kind == b"scidac-binary-data";
            // The checksum treats all bits of a byte alike.
            if in_data && bit as u64 % 8 != byte % 8 {
                continue;
            }
            let mut changed = file.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let what = format!("{name}: bit {} of byte {}", bit % 8, bit / 8);
            // Survey mode must not panic, whatever is wrong.
            let _ = Run::of(Mode::Survey, &changed, usize::MAX);
            let run = Run::of(Mode::Strict, &changed, usize::MAX);
            if run.error.is_some() {
                continue;
            }
            // The reported fields are a subset of the original ones, in order and with the correct content.
            let mut rest = good.fields.iter();
            for reported in &run.fields {
                assert!(rest.any(|good| essence(reported) == essence(good)), "{what}");
            }
            if !run.findings.is_empty() {
                // The last message can be read without the flag that ends it, texts that are not XML any more do not
                // affect data, and datatypes need not agree with the other elements. But this is reported.
                let is_form = |rule: &&str| {
                    rule.starts_with("xml-")
                        || ["scidac-user-xml", "scidac-record-contradiction"].contains(rule)
                };
                let rules = run.rules();
                assert!(rules == ["lime-message-open"] || rules.iter().all(is_form), "{what}: {rules:?}");
                continue;
            }
            let is_length = (record.offset + 8..record.offset + 16).contains(&byte);
            if byte < record.payload_offset {
                // A text may change its length: its end becomes padding, or, since bytes after its NUL are not
                // significant, it extends over complete messages.
                let is_text = record.kind.ends_with(b"-xml") || record.kind == b"scidac-checksum";
                assert!(is_length && is_text, "{what}: a changed header is not reported");
            }
            assert!(
                is_length || run.fields.len() == good.fields.len(),
                "{what}: a lost field is not reported"
            );
            assert!(record.kind != b"scidac-binary-data", "{what}: changed data are not reported");
            if !is_user_text(&record.kind) {
                silent += 1;
            }
        }
        // Changes in names, dates, the XML declaration, and from lower to upper case in sums: about a quarter of the
        // documents.
        assert!(silent > if long::is_wanted() { 100 } else { 10 }, "{name}: {silent}");
    }
}

/// Without a checksum, the data of an ILDG file are not protected, but everything around them is.
#[test]
fn no_changed_bit_of_an_ildg_file_moves_the_data_in_silence() {
    let name = "qio/alien/ildg12_u1phase.lime";
    let file = std::fs::read(Fixtures::Ours.join(name)).expect(name);
    let good = Run::clean(Mode::Strict, &file, usize::MAX, name);
    let records = oracle::records(&file);
    let data = &records[1];
    assert_eq!(data.kind, b"ildg-binary-data");
    for bit in long::sample(0..8 * data.payload_offset as usize, 7) {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let _ = Run::of(Mode::Survey, &changed, usize::MAX);
        let run = Run::of(Mode::Strict, &changed, usize::MAX);
        if run.error.is_some() {
            continue;
        }
        let what = format!("bit {} of byte {}", bit % 8, bit / 8);
        let [reported] = &run.fields[..] else { panic!("{what}: one field") };
        assert!(essence(reported) == essence(&good.fields[0]), "{what}");
    }
}
