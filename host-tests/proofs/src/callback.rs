//! Input that arrives in chunks.

use core::ops::ControlFlow;

use linkstream::lime::{Decoder, Event};
use linkstream::{CallbackError, Mode, Outcome};
use proofs::{unknown, used};

pub fn all() {
    let mut decoder = unknown(Decoder::new(unknown(Mode::Strict)));
    let chunk = || unknown::<&[u8]>(b"chunk");
    used(linkstream::drive(&mut decoder, chunk(), each));
    used(linkstream::drive(&mut decoder, chunk(), |event, bytes, decoder| used((event, bytes, decoder))));
    used(linkstream::finish(&mut decoder, each));
    if let Err(failure) =
        linkstream::drive(&mut decoder, chunk(), |event, bytes, decoder| used((event, bytes, decoder)))
    {
        used(CallbackError::into_failed(failure));
    }
    used(Outcome::into_result(unknown(ControlFlow::Continue(()))));
}

fn each(event: Event, bytes: &[u8], decoder: &Decoder) -> ControlFlow<()> {
    used((event, bytes, decoder));
    unknown(ControlFlow::Continue(()))
}
