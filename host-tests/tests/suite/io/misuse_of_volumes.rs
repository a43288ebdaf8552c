//! The misuse of the readers and writers of volumes that `guide::misuse` lists as an error is one.

use crate::sinks::disk;
use crate::volume::broken::volume;
use linkstream::Mode;
use linkstream::field::{Field, FieldDocuments, Verdict};
use linkstream::io::VolumeReader;
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::{PrivateRecord, StoredChecksum};
use linkstream::volume::{Decoder, Event, SitesRead, Tally};

fn field() -> Field {
    let lattice = Extents::new(&[4, 2]).expect("legal");
    FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice).expect("a field")
}

/// What is read of a volume with these sites.
fn sites(ranks: &[u32]) -> SitesRead {
    let data: Vec<u8> = ranks.iter().flat_map(|rank| (*rank as f32).to_be_bytes()).collect();
    let file = volume(ranks, &[&data]);
    let (mut list, mut buffer) = ([0; 8], [0; 64]);
    let mut reader = VolumeReader::new(disk(file), &mut list, &mut buffer, Decoder::new(Mode::Strict));
    reader.decoder_mut().expect_field(&field());
    while reader.next().expect("valid") != Some(Event::Field) {}
    reader.for_each_site(|_| {}).expect("valid")
}

/// Sites that come twice cancel in both sums, and as many as the lattice has.
#[test]
fn a_set_is_verified_if_each_site_has_come_once() {
    let verdict = |volumes: &[&[u32]]| {
        let mut tally = Tally::new(&field());
        volumes.iter().for_each(|ranks| tally.add(sites(ranks)));
        let verdict = tally.verdict(&StoredChecksum::new(tally.checksum()));
        assert_eq!(tally.is_complete(), verdict.is_match());
        // Without a stored checksum, what is missing is not accepted either.
        let absent = tally.verdict(&StoredChecksum::default());
        assert_eq!(absent.require_not_refuted().is_ok(), tally.is_complete());
        let other = tally.verdict(&StoredChecksum::new(linkstream::lattice::Checksum { suma: 9, sumb: 9 }));
        assert!(matches!(other, Verdict::Mismatch(_)));
        verdict
    };
    assert!(verdict(&[&[0, 1, 4, 5], &[2, 3, 6, 7]]).is_match());
    assert!(verdict(&[&[7, 6, 5, 4, 3, 2, 1, 0]]).is_match());
    for damaged in [
        &[&[0, 1, 4, 5][..], &[0, 1, 4, 5]][..],
        &[&[0, 0, 1, 1, 2, 2, 3, 3]],
        &[&[0, 1, 4, 5]],
        &[&[0, 1, 4, 5], &[2, 3, 6, 7], &[0, 1, 4, 5]],
        &[],
    ] {
        let verdict = verdict(damaged);
        assert_eq!((verdict, verdict.require_match().is_err()), (Verdict::Unchecked, true), "{damaged:?}");
    }
}
