//! Random files.

use super::{Body, Plain, STYLES};
use linkstream::scda::{Count, Style};
use proptest::collection::vec;
use proptest::prelude::*;

/// The content of a file to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    pub vendor: Vec<u8>,
    pub user: Vec<u8>,
    pub sections: Vec<Plain>,
}

pub fn styles() -> impl Strategy<Value = Style> {
    prop::sample::select(&STYLES)
}

/// Strings of arbitrary bytes, and of the bytes that padding consists of.
fn string(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let like_padding = prop::sample::select(b" -\r\n=0".as_slice());
    prop_oneof![vec(any::<u8>(), 0..=most), vec(like_padding, 0..=most)]
}

/// Bytes with each ending that affects the padding after them.
fn bytes(length: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u8>> {
    let last = prop::option::of(prop::sample::select(b"\n\r=".as_slice()));
    (vec(any::<u8>(), length), last).prop_map(|(mut bytes, last)| {
        if let (Some(to), Some(last)) = (bytes.last_mut(), last) {
            *to = last;
        }
        bytes
    })
}

/// Counts with any number of digits.
pub fn counts() -> impl Strategy<Value = u128> {
    prop_oneof![
        (0..=26_u32, any::<u128>()).prop_map(|(digits, value)| value % 10_u128.pow(digits)),
        (0..=26_u32).prop_map(|digits| 10_u128.pow(digits) - 1),
        Just(u128::from(u64::MAX)),
        Just(1 << 64),
    ]
}

fn body() -> impl Strategy<Value = Body> {
    let array = (0..9_usize, 0..30_usize).prop_flat_map(|(n, e)| {
        bytes(n * e).prop_map(move |data| Body::Array { n: n as u128, e: e as u128, data })
    });
    let empty = (counts(), any::<bool>()).prop_map(|(count, first)| {
        let (n, e) = if first { (count, 0) } else { (0, count) };
        Body::Array { n, e, data: Vec::new() }
    });
    prop_oneof![
        any::<[u8; 32]>().prop_map(Body::Inline),
        bytes(0..150).prop_map(Body::Block),
        array,
        empty,
        vec(bytes(0..30), 0..6).prop_map(Body::Varray),
    ]
}

pub fn contents() -> impl Strategy<Value = Content> {
    let section = (string(58), body()).prop_map(|(user, body)| Plain { user, body });
    (string(20), string(58), vec(section, 0..5)).prop_map(|(vendor, user, sections)| Content {
        vendor,
        user,
        sections,
    })
}

/// Positions of the cuts of a file.
pub fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    vec(any::<prop::sample::Index>(), 0..40)
}

pub fn cut_places(cuts: &[prop::sample::Index], len: usize) -> Vec<usize> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(len + 1)).collect();
    places.sort_unstable();
    places
}

/// A count that is known to have at most 26 digits.
pub fn count(value: u128) -> Count {
    Count::new(value).expect("26 digits at most")
}
