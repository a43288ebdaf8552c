//! The format of every file is identified by its first bytes, in pieces of any size.

use host_tests::fixtures::Fixtures;
use host_tests::{manifest, matrices};
use linkstream::inebin::{self, MAGIC};
use linkstream::sniff::{Format, Sniff, Sniffer, sniff};
use linkstream::{Decode, Mode};

/// Verifies that the answer is the same for the front of a file and for its pieces, and that the bytes kept by the
/// sniffer and the piece that gave the answer add up to that front.
fn assert_kept(bytes: &[u8], format: Option<Format>, cuts: &[usize], what: &str) {
    let mut sniffer = Sniffer::new();
    let mut from = 0;
    for to in cuts.iter().copied().chain([bytes.len()]) {
        let (before, piece) = (&bytes[..from], &bytes[from..to]);
        let answer = sniffer.push(piece);
        assert_eq!(answer, sniff(&bytes[..to]), "{what} cut at {cuts:?}");
        if !matches!(answer, Sniff::More(_)) {
            assert_eq!(sniffer.before(), before, "{what} cut at {cuts:?}");
            assert_eq!(answer, format.map_or(Sniff::Unknown, Sniff::Is), "{what} cut at {cuts:?}");
            // Later bytes do not change the answer.
            assert_eq!(sniffer.push(b"INEBIN\0Z"), answer, "{what}");
            assert_eq!(sniffer.push(&[0x45, 0x67, 0x89, 0xAB]), answer, "{what}");
            assert_eq!(sniffer.before(), before, "{what}");
            return;
        }
        from = to;
    }
    assert!(bytes.len() < Sniffer::LONGEST, "{what}: no answer after {} bytes", bytes.len());
}

/// Pushes the bytes in two and three pieces, some of them empty, and byte by byte.
fn every_cut(bytes: &[u8], format: Option<Format>, what: &str) {
    let first = &bytes[..bytes.len().min(12)];
    for cut in 0..=first.len() {
        for second in cut..=first.len() {
            assert_kept(first, format, &[cut, second], what);
        }
    }
    assert_kept(bytes, format, &(1..first.len()).collect::<Vec<_>>(), what);
}

#[test]
fn every_file_is_known() {
    for entry in manifest::load(Fixtures::Ours, "lime") {
        let bytes = entry.bytes();
        every_cut(&bytes, Some(Format::Lime), &entry.path);
    }
    for entry in matrices::load(Fixtures::Ours) {
        every_cut(&entry.bytes(), Some(Format::Inebin), &entry.path);
    }
}

/// A prefix of a magic number remains a candidate until a byte differs; a file that ends there needs more bytes.
#[test]
fn as_many_bytes_are_asked_for_as_the_magic_has() {
    let magics: [(&[u8], Format); 2] =
        [(&[0x45, 0x67, 0x89, 0xAB], Format::Lime), (b"INEBIN", Format::Inebin)];
    for (magic, format) in magics {
        assert_eq!(format.magics(), [magic]);
        for end in 1..magic.len() {
            assert_eq!(sniff(&magic[..end]), Sniff::More(Some(format)), "{end} bytes of {format:?}");
            for bit in 0..8 {
                let mut other = magic.to_vec();
                other[end] ^= 1 << bit;
                every_cut(&other, None, "a bit differs");
                assert_eq!(sniff(&other[..=end]), Sniff::Unknown, "{end} bytes of {format:?}");
            }
        }
        assert_eq!(sniff(magic), Sniff::Is(format));
    }
    assert_eq!(sniff(b""), Sniff::More(None));
    assert_eq!(Sniffer::new().push(b""), Sniff::More(None));
    assert_eq!(Sniffer::new().before(), b"");
}

/// If the magic number is wrong, the sniffer and the decoders agree.
#[test]
fn broken_files_are_of_the_format_whose_decoder_knows_their_magic() {
    let (mut known, mut unknown, mut short) = (0, 0, 0);
    for entry in matrices::load_broken(Fixtures::Ours) {
        let bytes = entry.bytes();
        let mut decoder = inebin::Decoder::new(Mode::Survey);
        let reported = decoder.push(&bytes).err().or_else(|| decoder.finish().err());
        let is_magic =
            matches!(reported, Some(linkstream::Error { kind: inebin::ErrorKind::Magic { .. }, .. }));
        let answer = sniff(&bytes);
        match answer {
            Sniff::Is(format) => {
                assert!(format == Format::Inebin && !is_magic, "{}", entry.path);
                known += 1;
            }
            Sniff::Unknown => {
                assert!(is_magic, "{}", entry.path);
                unknown += 1;
            }
            Sniff::More(_) => {
                assert!(bytes.len() < MAGIC.len() && !is_magic, "{}", entry.path);
                short += 1;
            }
        }
        every_cut(&bytes, (answer == Sniff::Is(Format::Inebin)).then_some(Format::Inebin), &entry.path);
    }
    // Three have no known format, and two end inside the magic number.
    assert_eq!((known, unknown, short), (27, 3, 2));
}
