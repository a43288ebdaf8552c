//! MILC files of version 5. Checks the contract of the decoder in every mode.

use linkstream::Resumable as _;
use linkstream::lattice::ByteOrder;
use linkstream::milc::{Decoder, ErrorKind, Event, Summing, Verdict};
use linkstream::{Error, Mode};

use crate::stream::{self, Checked, FEW_WAYS, WAYS};

impl Checked for Decoder {
    fn is_payload(event: &Event) -> bool {
        matches!(event, Event::Data | Event::SiteList)
    }

    fn finding(event: &Event) -> Option<Error<ErrorKind>> {
        match event {
            Event::Finding(finding) => Some(*finding),
            _ => None,
        }
    }

    fn without_payload(event: &Event) -> Event {
        match event {
            Event::Verdict(_) => Event::Verdict(Verdict::Unchecked),
            other => *other,
        }
    }

    fn is_about_payload(kind: &ErrorKind) -> bool {
        matches!(kind, ErrorKind::Checksum { .. } | ErrorKind::SiteList | ErrorKind::SiteRange { .. })
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        Ok(Self::load(&self.save()?).expect("a saved state loads"))
    }
}

/// Checks the decoder with this file.
pub fn check(file: &[u8]) {
    let strict = stream::check(|| Decoder::new(Mode::Strict), file, &FEW_WAYS);
    let lenient = stream::check(|| Decoder::new(Mode::Lenient), file, &FEW_WAYS);
    let survey = stream::check(|| Decoder::new(Mode::Survey), file, &WAYS);
    stream::milder::<Decoder>(&strict, &lenient);
    stream::milder::<Decoder>(&lenient, &survey);
}

/// Files in both byte orders, with and without a site list, and files with one error each.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let file = |list: &[u32], order: ByteOrder| {
        let bytes = |word: u32| match order {
            ByteOrder::Big => word.to_be_bytes(),
            ByteOrder::Little => word.to_le_bytes(),
        };
        let mut file: Vec<u8> = [20103, 1, 2, 1, 1].into_iter().flat_map(bytes).collect();
        file.extend_from_slice(b"Tue Jan  2 03:04:05 2024");
        file.resize(84, 0);
        file.extend(bytes(u32::from(!list.is_empty())));
        file.extend(list.iter().flat_map(|rank| bytes(*rank)));
        let data: Vec<u8> = (0..2 * 288).map(|at| (at * 7) as u8).collect();
        let mut summing = Summing::new(order);
        summing.feed(&data);
        file.extend(bytes(summing.sums().sum29));
        file.extend(bytes(summing.sums().sum31));
        file.extend_from_slice(&data);
        file
    };
    let big = || file(&[], ByteOrder::Big);
    let with = |at: usize, byte: u8| {
        let mut file = big();
        file[at] = byte;
        file
    };
    let cut = |length: usize| {
        let mut file = file(&[1, 0], ByteOrder::Little);
        file.truncate(length);
        file
    };
    [
        ("big", big()),
        ("little", file(&[], ByteOrder::Little)),
        ("big-list", file(&[1, 0], ByteOrder::Big)),
        ("little-list", file(&[0, 1], ByteOrder::Little)),
        ("site-twice", file(&[1, 1], ByteOrder::Big)),
        ("site-beyond", file(&[0, 2], ByteOrder::Big)),
        ("magic", with(3, 0x88)),
        ("zero", with(7, 0)),
        ("negative", with(4, 0x80)),
        ("huge", with(4, 0x7f)),
        ("flipped", with(300, 1)),
        ("trailing", [big(), b"x".to_vec()].concat()),
        ("cut-in-magic", cut(2)),
        ("cut-in-header", cut(50)),
        ("cut-in-list", cut(90)),
        ("cut-in-checksums", cut(100)),
        ("cut-in-data", cut(500)),
    ]
    .map(|(name, file)| (name.to_owned(), file))
    .into()
}
