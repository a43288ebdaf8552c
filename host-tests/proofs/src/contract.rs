//! The checks of the contract of decoders.

use linkstream::lime::{Decoder, Event};
use linkstream::{Mode, contract};
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    let mut decoder = unknown(Decoder::new(unknown(Mode::Strict)));
    let input = || unknown::<&[u8]>(b"input");
    let is_payload = |event: &Event| unknown(*event == Event::Payload);
    used(contract::push(&mut decoder, input(), is_payload));
    used(contract::skip(&mut decoder, unknown(1)));
    used(contract::finish(&mut decoder, is_payload));
    if let Err(breach) = contract::check(&decoder, input(), unknown([1, 3]), is_payload) {
        error::message(breach);
        error::value(breach);
        error::message(breach.clause);
    }
}
