use linkstream::{Resumable, State, lime};
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    used(State::<lime::Decoder>::from_bytes(unknown(b"bytes")));
    if let Some(state) = any::<lime::Decoder>() {
        used(State::as_bytes(&state));
        error::value(state);
    }
}

/// A state with unknown bytes.
pub fn any<T: Resumable>() -> Option<State<T>> {
    State::from_bytes(unknown::<&[u8]>(b"bytes")).ok().map(unknown)
}
