use linkstream::sniff::{Foreign, Format, Sniff, Sniffer, foreign, sniff};
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    let bytes: &[u8] = unknown(b"bytes");
    used(sniff(bytes));
    used(Format::module(unknown(Format::Lime)));
    used(Format::magics(unknown(Format::Lime)));
    used(foreign(bytes, unknown(Some(0))));
    used(Foreign::name(unknown(Foreign::Gzip)));
    used(Foreign::unpack(unknown(Foreign::Gzip)));
    used(Foreign::is_lattice_data(unknown(Foreign::Gzip)));
    error::value(Foreign::Gzip);
    let mut sniffer = unknown(Sniffer::new());
    used(Sniffer::push(&mut sniffer, bytes));
    used(Sniffer::before(&unknown(sniffer)));
    error::value(Sniff::Unknown);
}
