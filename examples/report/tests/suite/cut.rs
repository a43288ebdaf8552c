//! The part of damaged files that can be read.

use host_tests::fixtures::Fixtures;
use linkstream_report::cut::{Cut, has_remedy};
use linkstream_report::report::Body;

use crate::support::{CHECK, report};

#[test]
fn damage_has_a_remedy_if_data_are_whole() {
    let lime = Fixtures::Ours.read("qio/convert/sci_single.lime");
    let remedy = |bytes: &[u8]| {
        let report = report(bytes, &CHECK);
        let cut = Cut::of(&report, bytes.len() as u64);
        (cut, has_remedy(&report, cut))
    };
    let (cut, is_whole) = remedy(&lime);
    assert!(cut.is_none() && is_whole);
    let sound = report(&lime, &CHECK);
    let Body::Lime(contents) = &sound.body else { panic!("a LIME file") };
    let record = contents.fields[0].field.record;
    let end = (record.payload_offset() + record.length) as usize;
    // The end of the data is missing, and then a part of what follows them.
    let (cut, has_remedy) = remedy(&lime[..end - 1]);
    assert!(cut.is_some_and(|cut| !cut.has_data && cut.length <= record.offset) && !has_remedy);
    let (cut, has_remedy) = remedy(&lime[..end + 30]);
    assert!(cut.is_some_and(|cut| cut.has_data && cut.length >= end as u64) && has_remedy);
    assert!(!remedy(b"neither").1);
}
