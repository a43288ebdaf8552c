//! Decoders that are passed by reference.

use linkstream::lime::Decoder;
use linkstream::{Mode, SeekPayload};
use proofs::{unknown, used};

pub fn all() {
    lent(&mut unknown(Decoder::new(unknown(Mode::Strict))));
}

fn lent<D: SeekPayload>(mut decoder: D) {
    used(D::push(&mut decoder, unknown(b"")));
    used(D::finish(&mut decoder));
    used(D::demand(&decoder));
    used(D::skip(&mut decoder, unknown(0)));
    used(D::position(&decoder));
    used(D::payload_position(&decoder));
    used(D::seek(&mut decoder, unknown(0)));
}
