use core::fmt::Display;

use linkstream::{Unverified, Verdict, field, milc, nersc};
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    of(unknown(field::Verdict::Unchecked));
    of(unknown(milc::Verdict::Unchecked));
    of(unknown(nersc::Verdict::Unchecked));
}

fn of<Stored, Computed>(verdict: Verdict<Stored, Computed>)
where
    Stored: Copy + PartialEq,
    Computed: Copy + PartialEq,
    Unverified<Stored, Computed>: Display,
{
    used(Verdict::is_match(&verdict));
    used(Verdict::is_absent(&verdict));
    used(Verdict::require_not_refuted(verdict));
    if let Err(unverified) = Verdict::require_match(verdict) {
        error::message(unverified);
        error::value(unverified);
    }
    error::value(verdict);
}
