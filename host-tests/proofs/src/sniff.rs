use linkstream::sniff::{Format, Sniff, Sniffer, sniff};
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    let bytes: &[u8] = unknown(b"bytes");
    used(sniff(bytes));
    used(Format::magic(unknown(Format::Lime)));
    let mut sniffer = unknown(Sniffer::new());
    used(Sniffer::push(&mut sniffer, bytes));
    used(Sniffer::before(&unknown(sniffer)));
    error::value(Sniff::Unknown);
}
