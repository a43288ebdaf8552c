//! The code of the page `guide::known_geometry`: it verifies what the library verifies, and nothing else.

#[path = "../../../codec/src/guide/known_geometry.rs"]
mod known;

use crate::known_geometry::known::{Doubt, Outcome, Verifier};
use host_tests::oracle;
use linkstream::field::{self, Event};
use linkstream::lattice::Checksum;
use linkstream::lime::ErrorKind;
use linkstream::{Error, Mode, drive, finish};

const SITES: u64 = 4 * 4 * 4 * 8;
const SITE: usize = 288;

fn sample() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

fn known<const SITE: usize>(file: &[u8], sites: u64, chunk: usize) -> Result<Outcome, Error<ErrorKind>> {
    let mut verifier = Verifier::<SITE>::new(sites);
    for block in file.chunks(chunk) {
        verifier.block(block)?;
    }
    verifier.end()
}

fn outcome(file: &[u8]) -> Result<Outcome, Error<ErrorKind>> {
    known::<SITE>(file, SITES, 512)
}

/// The fields of a file that the library verifies, with their number of sites and size of a site.
fn library(file: &[u8]) -> Vec<(Checksum, u64, u64)> {
    let (mut decoder, mut verified) = (field::Decoder::new(Mode::Survey), Vec::new());
    let mut each = |event, _: &[u8], decoder: &field::Decoder| {
        if let (Event::Verdict(verdict), Some(field)) = (event, decoder.field())
            && let Ok(sums) = verdict.require_match()
        {
            verified.push((sums, field.sites(), field.bytes_per_site));
        }
    };
    if drive(&mut decoder, file, &mut each).is_ok() {
        let _ = finish(&mut decoder, &mut each);
    }
    verified
}

/// Begin and end of the payload of the last record, the checksum, and the offset of its header.
fn checksum(file: &[u8]) -> (usize, usize, usize) {
    let records = oracle::records(file);
    let last = records.last().expect("the checksum");
    let from = last.payload_offset as usize;
    (from, from + last.payload(file).len(), last.offset as usize)
}

/// The sample with another document as its checksum.
fn with_document(document: &[u8]) -> Vec<u8> {
    let file = sample();
    let (_, _, header) = checksum(&file);
    let mut changed = file[..header].to_vec();
    append(&mut changed, &file[header..header + 144], document);
    changed
}

/// Appends a record with this header, except for its length.
fn append(file: &mut Vec<u8>, header: &[u8], payload: &[u8]) {
    let mut header = header.to_vec();
    header[8..16].copy_from_slice(&(payload.len() as u64).to_be_bytes());
    file.extend_from_slice(&header);
    file.extend_from_slice(payload);
    file.resize(file.len().next_multiple_of(8), 0);
}

#[test]
fn the_sample_is_verified_in_chunks_of_any_size() {
    let file = sample();
    let expected = Checksum { suma: 1_137_279_373, sumb: 522_836_296 };
    for chunk in [1, 7, 144, 288, 512, 4096, file.len()] {
        assert_eq!(known::<SITE>(&file, SITES, chunk), Ok(Outcome::Verified(expected)), "{chunk}");
    }
    for at in (2088..2088 + 147_456).step_by(4999) {
        let mut wrong = file.clone();
        wrong[at] ^= 1;
        assert!(
            matches!(outcome(&wrong), Ok(Outcome::Mismatch { stored, .. }) if stored == expected),
            "{at}"
        );
    }
}

#[test]
fn no_truncated_file_is_verified() {
    let file = sample();
    let (from, _, header) = checksum(&file);
    for end in (0..file.len()).filter(|end| end % 97 == 0 || *end > header - 300) {
        match outcome(&file[..end]) {
            Ok(Outcome::Unverified(Doubt::NoData)) => assert!(end < 2088, "{end}"),
            Ok(Outcome::Unverified(Doubt::NoChecksum)) => assert_eq!(end, header),
            Err(error) => assert_eq!(error.at, end as u64),
            other => panic!("{other:?} for {end} bytes"),
        }
    }
    assert!(from > header && outcome(&file).is_ok());
}

#[test]
fn stored_sums_that_are_missing_malformed_or_doubled_verify_nothing() {
    let [suma, sumb] = ["<suma>43c9818d</suma>", "<sumb>1f29d948</sumb>"];
    let expected = Checksum { suma: 0x43c9_818d, sumb: 0x1f29_d948 };
    let version = "<version>1.0</version>";
    let document = |inside: &str| format!("<scidacChecksum>{inside}</scidacChecksum>");
    let whole = document(&format!("{version}{suma}{sumb}"));
    // In the forms of QIO, Grid and tmLQCD, and in another order.
    for good in [
        whole.clone(),
        format!("{whole}\0"),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{whole}\n"),
        document(&format!("\n  {version}\n  {suma}\n  {sumb}\n")),
        document(&format!("{sumb}{suma}{version}")),
        document(&format!("{version}<suma> 43C9818D\n</suma>{sumb}")),
    ] {
        let file = with_document(good.as_bytes());
        assert_eq!(outcome(&file), Ok(Outcome::Verified(expected)), "{good}");
        assert_eq!(library(&file), [(expected, SITES, SITE as u64)], "{good}");
    }
    for bad in [
        String::new(),
        "\0".to_owned(),
        document(""),
        document(version),
        document(&format!("{version}{suma}")),
        document(&format!("{version}{sumb}")),
        document(&format!("{suma}{sumb}")),
        document(&format!("{version}{suma}{sumb}{sumb}")),
        document(&format!("{version}{suma}{suma}")),
        document(&format!("{version}{version}{suma}{sumb}")),
        document(&format!("<version>2.0</version>{suma}{sumb}")),
        document(&format!("{version}<!--{suma}-->{sumb}")),
        document(&format!("{version}<!-- -->{suma}{sumb}")),
        document(&format!("{version}<other>{suma}</other>{sumb}")),
        document(&format!("{version}<suma></suma>{sumb}")),
        document(&format!("{version}<suma>0x</suma>{sumb}")),
        document(&format!("{version}<suma>43c9818g</suma>{sumb}")),
        document(&format!("{version}<suma>143c9818d</suma>{sumb}")),
        document(&format!("{version}<suma>-43c9818</suma>{sumb}")),
        document(&format!("{version}<suma>43c9818d<suma>{sumb}")),
        document(&format!("{version}<suma>43c9818d</sumb>{sumb}")),
        document(&format!("{version}{suma}<sumb>1f29d948")),
        format!("{version}{suma}{sumb}"),
        format!("{whole}{whole}"),
        format!("{whole}x"),
        format!("<scidacChecksum2>{version}{suma}{sumb}</scidacChecksum2>"),
        format!("<?xml {whole}"),
        format!("{}{whole}", "<?xml version=\"1.0\"?>".repeat(2)),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><?xml version=\"1.0\"?>{whole}"),
        format!("<?xml version=\"1.0\" encoding=\"latin1\"?>{whole}"),
        format!("<!--{whole}-->"),
        whole[..whole.len() - 1].to_owned(),
        // Longer than the buffer, at the end or in the middle.
        format!("{whole}{}", " ".repeat(200)),
        document(&format!("{version}{suma}{}{sumb}", " ".repeat(200))),
    ] {
        assert_eq!(
            outcome(&with_document(bad.as_bytes())),
            Ok(Outcome::Unverified(Doubt::Malformed)),
            "{bad}"
        );
    }
    for cut in 1..whole.len() {
        let short = &whole.as_bytes()[..cut];
        assert_eq!(outcome(&with_document(short)), Ok(Outcome::Unverified(Doubt::Malformed)), "{cut}");
    }
    let other = whole.replace("43c9818d", "43c9818c");
    assert!(matches!(outcome(&with_document(other.as_bytes())), Ok(Outcome::Mismatch { .. })));
}

#[test]
fn records_that_are_doubled_or_elsewhere_verify_nothing() {
    let file = sample();
    let (from, to, header) = checksum(&file);
    let (head, document) = (&file[header..from], &file[from..to]);
    let flags = |header: &[u8], flags: u8| {
        let mut header = header.to_vec();
        header[6] = flags;
        header
    };
    // Two checksums in one message: both are right, or one.
    for second in [document.to_vec(), document.to_ascii_uppercase()] {
        let mut doubled = file[..header].to_vec();
        append(&mut doubled, &flags(head, 0), document);
        append(&mut doubled, head, &second);
        assert_eq!(outcome(&doubled), Ok(Outcome::Unverified(Doubt::SeveralChecksums)));
    }
    // A second one in a message of its own.
    let mut second = file.clone();
    append(&mut second, &flags(head, 0xc0), document);
    assert_eq!(outcome(&second), Ok(Outcome::Unverified(Doubt::SeveralChecksums)));
    // The only one in a message of its own: the flags of the data end theirs.
    let data = oracle::records(&file).iter().rev().nth(1).expect("the data").offset as usize;
    let mut apart = file[..header].to_vec();
    apart[data + 6] |= 0x40;
    append(&mut apart, &flags(head, 0xc0), document);
    assert!(matches!(outcome(&apart), Ok(Outcome::Verified(_))));
    assert_eq!(library(&apart), library(&file));
    apart[data + 144] ^= 1;
    assert!(matches!(outcome(&apart), Ok(Outcome::Mismatch { .. })));
    // Two fields, each with its checksum.
    assert_eq!(outcome(&[&file[..], &file[..]].concat()).map(|_| ()), Ok(()));
    assert!(matches!(outcome(&[&file[..], &file[..]].concat()), Ok(Outcome::Unverified(_))));
    // Another lattice, and another type.
    assert_eq!(known::<SITE>(&file, SITES - 1, 512), Ok(Outcome::Unverified(Doubt::OtherLength)));
    assert_eq!(known::<576>(&file, SITES, 512), Ok(Outcome::Unverified(Doubt::OtherLength)));
    assert!(matches!(known::<576>(&file, SITES / 2, 512), Ok(Outcome::Mismatch { .. })));
    assert_eq!(outcome(&[]), Ok(Outcome::Unverified(Doubt::NoData)));
}

/// Each byte of the checksum record of the sample is changed in several ways.
#[test]
fn what_it_verifies_the_library_verifies_too() {
    let file = sample();
    let (_, _, header) = checksum(&file);
    let mut verified = 0;
    for at in host_tests::long::sample(header..file.len(), 5) {
        for bit in 0..8 {
            let mut changed = file.clone();
            changed[at] ^= 1 << bit;
            if let Ok(Outcome::Verified(sums)) = outcome(&changed) {
                assert_eq!(library(&changed), [(sums, SITES, SITE as u64)], "byte {at}, bit {bit}");
                verified += 1;
            }
        }
    }
    // Digits in the other case, and white space between the elements.
    assert!(verified > 3 || !host_tests::long::is_wanted(), "{verified}");
}
