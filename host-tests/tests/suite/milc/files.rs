//! MILC files in both byte orders, with and without a site list, valid and broken. They are generated from the
//! description of the format, because the fixtures contain no file of MILC itself.

use crate::milc::support::{
    DATA, EXTENTS, LIST, MODES, broken, drive, found, good, is_about_payload, restored,
};
use host_tests::archives::{milc_sums, noise};
use linkstream::lattice::ByteOrder;
use linkstream::milc::{Decoder, Event, Header, Summing, Sums, Verdict};
use linkstream::{Class, Diagnostic as _, Mode, finish};

#[test]
fn headers_lists_sums_and_data() {
    for (is_big, list) in [(true, None), (false, None), (true, Some(&LIST[..])), (false, Some(&LIST[..]))] {
        let file = good(list, is_big);
        let (mut header, mut ranks, mut stored, mut data, mut verdict) = (None, vec![], None, vec![], None);
        let mut decoder = Decoder::new(Mode::Strict);
        linkstream::drive(&mut decoder, &file, |event, bytes, _| match event {
            Event::Header(found) => header = Some(found),
            Event::SiteList => ranks.extend_from_slice(bytes),
            Event::Stored(sums) => stored = Some(sums),
            Event::Data => data.extend_from_slice(bytes),
            Event::Verdict(found) => verdict = Some(found),
            _ => panic!("{event:?}"),
        })
        .expect("strict");
        finish(&mut decoder, |_, _, _| {}).expect("complete");
        let header: Header = header.expect("a header");
        let order = if is_big { ByteOrder::Big } else { ByteOrder::Little };
        assert_eq!((header.order(), header.extents().as_slice()), (order, &EXTENTS[..]));
        assert_eq!((header.has_site_list(), header.file_length()), (list.is_some(), file.len() as u64));
        assert_eq!(header.time_stamp(), b"Tue Jan  2 03:04:05 2024");
        let ranks: Vec<u32> =
            ranks.chunks_exact(4).map(|rank| order.u32(rank.try_into().expect("4 bytes"))).collect();
        assert_eq!(ranks, list.unwrap_or_default());
        let (sum29, sum31) = milc_sums(&noise(DATA), is_big);
        let sums = Sums { sum29, sum31 };
        assert_eq!((stored, verdict), (Some(sums), Some(Verdict::Match { stored: sums, computed: sums })));
        assert_eq!(data, noise(DATA));
    }
}

/// 870 words in pieces of every length. The rotations by `i` mod 29 and by `i` mod 31 drift apart.
#[test]
fn sums_do_not_depend_on_the_pieces() {
    let data = noise(4 * 870);
    for length in 1..40 {
        for is_big in [true, false] {
            let mut summing = Summing::new(if is_big { ByteOrder::Big } else { ByteOrder::Little });
            data.chunks(length).for_each(|piece| summing.feed(piece));
            let (sum29, sum31) = milc_sums(&data, is_big);
            assert_eq!(summing.sums(), Sums { sum29, sum31 }, "pieces of {length}");
        }
    }
}

#[test]
fn files_are_the_same_in_all_pieces() {
    for (name, bytes, _) in broken() {
        for mode in MODES {
            let decoder = Decoder::new(mode);
            let drive = drive(&decoder, &bytes);
            let what = format!("{name} {mode:?}");
            let cuts: Vec<usize> = (1..bytes.len()).filter(|at| at % 17 == 0 || *at < 130).collect();
            let whole = drive.agree_reading(&what, &cuts, restored);
            // A reader that skips payload continues where one that reads it stops.
            if !whole.end.is_err_and(|error| is_about_payload(error.kind)) {
                drive.agree_passing(&what, &whole, &[1]);
            }
        }
    }
}

#[test]
fn one_rule_is_broken_in_each() {
    for (name, bytes, kinds) in broken() {
        assert_eq!(found(&bytes, Mode::Survey), kinds, "{name}");
        assert_eq!(found(&bytes, Mode::Strict), kinds, "{name}");
    }
}

/// A truncated file never has a clean end.
#[test]
fn truncation_at_every_byte() {
    for whole in [good(None, true), good(Some(&LIST), false)] {
        for end in 0..whole.len() {
            let last = *found(&whole[..end], Mode::Survey).last().expect("an error");
            assert_eq!(last.class(), Class::Truncated, "cut at {end}");
        }
    }
}

/// Both sums detect a changed bit anywhere in the data.
#[test]
fn every_flipped_bit_of_the_data() {
    let whole = good(None, false);
    for at in whole.len() - 50..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        let kinds = found(&bytes, Mode::Survey);
        let [linkstream::milc::ErrorKind::Checksum { stored, computed }] = kinds[..] else {
            panic!("{kinds:?}")
        };
        assert!(stored.sum29 != computed.sum29 && stored.sum31 != computed.sum31);
    }
}
