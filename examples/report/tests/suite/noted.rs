//! Copies of damaged data that have been given a checksum.

use host_tests::fixtures::Fixtures;
use linkstream::lime::Header;
use linkstream_report::judgement::{Judgement, judge};
use linkstream_report::verdict::Verdict;

use crate::support::{CHECK, report};

#[test]
fn a_checksum_of_data_that_were_damaged_verifies_nothing() {
    let path = Fixtures::Ours.join("qio/single/int_2x3x4x5.lime");
    let mut bytes = std::fs::read(path).expect("a fixture");
    let intact = report(&bytes, &CHECK);
    assert!(intact.verdict() == Verdict::Ok && matches!(judge(&intact), Judgement::Sound));
    let at = bytes.len() as u64;
    bytes.extend_from_slice(Header::new(b"linkstream-note", 8, true, true).expect("a short name").as_bytes());
    bytes.extend_from_slice(b"damaged!");
    let noted = report(&bytes, &CHECK);
    assert_eq!(noted.verdict(), Verdict::Wrong);
    let Judgement::Damaged(found) = judge(&noted) else { panic!("{noted:?}") };
    let found = found[0];
    assert_eq!((found.rule, found.offset), ("damage-noted", at));
}
