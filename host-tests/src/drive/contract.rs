//! The contract of [`Decode`], verified at every step by [`linkstream::contract`].

use super::sources::Random;
use linkstream::contract::{self, Breach};
use linkstream::{Decode, Demand, Error, Step};

/// Result of a checked call.
///
/// # Panics
/// If it broke the contract.
#[track_caller]
fn kept<T>(called: Result<T, Breach>) -> T {
    called.unwrap_or_else(|breach| panic!("{breach}"))
}

/// Pushes once and verifies the contract.
pub(super) fn push<D: Decode + Clone>(
    decoder: &mut D,
    piece: &[u8],
    is_payload: fn(&D::Event) -> bool,
) -> Result<Step<D::Event>, Error<D::ErrorKind>> {
    if decoder.demand() == Demand::Bytes(0) {
        // The event that is due needs no bytes.
        let _ = kept(contract::push(&mut decoder.clone(), &[], is_payload));
    }
    kept(contract::push(decoder, piece, is_payload))
}

/// Skips payload if the decoder allows it. If it does not, a skip must be refused without an effect.
pub(super) fn skip<D: Decode>(decoder: &mut D, room: usize, random: &mut Random) -> Option<usize> {
    let available = if let Demand::Skip(n) = decoder.demand() { n } else { 0 };
    let most = usize::try_from(available).map_or(room, |n| n.min(room));
    let n = if most == 0 { 0 } else { 1 + random.below(most) };
    let skipped = kept(contract::skip(decoder, n as u64));
    (n > 0).then(|| skipped.map(|()| n).expect("within what can be skipped"))
}

/// Declares the end of the input and verifies the contract.
pub(super) fn finish<D: Decode>(
    decoder: &mut D,
    is_payload: fn(&D::Event) -> bool,
) -> Result<Option<D::Event>, Error<D::ErrorKind>> {
    kept(contract::finish(decoder, is_payload))
}
