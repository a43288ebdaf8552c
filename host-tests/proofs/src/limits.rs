//! The limit on claimed sizes.

use linkstream::Limits;
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    let over = Limits::check(any(), unknown(0)).err();
    error::value(over);
    if let Some(over) = over {
        error::message(over);
    }
    used(Limits::default() == any());
    used(Limits::check(Limits::source(unknown(0)), unknown(0)));
    error::value(any());
}

/// Any limits.
pub fn any() -> Limits {
    unknown(Limits::new(unknown(0)))
}
