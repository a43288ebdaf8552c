//! Lattice fields. Checks the contract of [`Decode`] in every mode, including the sites passed to the callback;
//! compares what is reported with what is computed here; and checks that documents survive being written.

mod again;
mod documents;
mod repair;
mod seeds;
mod watched;

use linkstream::conformance::{Decoder, Event};
use linkstream::{Decode, Mode};

use crate::Dice;
use crate::stream::{self, WAYS};

pub use seeds::seeds;
pub use watched::Watched;

/// Size of the site buffer. Of fields with larger sites, only the decoder is tested.
const SITE_BUFFER: usize = 1024;

/// Checks this file, and the file that results from repairing it.
pub fn check(file: &[u8]) {
    check_as_it_is(file);
    if let Some(repaired) = repair::repaired(file) {
        check_as_it_is(&repaired);
    }
}

/// Checks one mode in all ways and the other modes in one way each. Mode and ways are drawn, which is three times as
/// fast as checking all of them.
fn check_as_it_is(file: &[u8]) {
    let mut dice = Dice::from_bytes(file);
    let thorough = dice.below(3);
    let [strict, lenient, survey] = [Mode::Strict, Mode::Lenient, Mode::Survey].map(|mode| {
        let one = dice.below(WAYS.len());
        let ways = if mode as usize == thorough { &WAYS } else { &WAYS[one..=one] };
        stream::check(|| Watched::new(mode), file, ways)
    });
    stream::milder::<Watched>(&strict, &lenient);
    stream::milder::<Watched>(&lenient, &survey);
    again::check(file);
}

/// Pushes `file` in random pieces, up to the first error. Returns whether there was no error.
fn drive(file: &[u8], mode: Mode, mut each: impl FnMut(&Decoder, Event, &[u8])) -> bool {
    let mut decoder = Decoder::new(mode);
    let mut dice = Dice::from_bytes(file);
    let mut rest = file;
    while !rest.is_empty() {
        let piece = &rest[..rest.len().min(1 + dice.below(1000))];
        let Ok(step) = decoder.push(piece) else { return false };
        let (bytes, after) = rest.split_at(step.consumed);
        rest = after;
        if let Some(event) = step.event {
            each(&decoder, event, bytes);
        }
    }
    loop {
        match decoder.finish() {
            Ok(Some(event)) => each(&decoder, event, &[]),
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}
