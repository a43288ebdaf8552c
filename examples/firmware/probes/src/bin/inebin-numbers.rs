//! Reads a matrix and its entries as numbers: `inebin::Decoder` with `inebin::Entries<f64>`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::inebin::{Decoder, Entries, Event};
use probes::{decode, unknown, used};

probes::probe!({
    let mut decoder = Decoder::new(unknown(Mode::Strict));
    let mut entries = None;
    decode(&mut decoder, |event, _, bytes| match event {
        Event::Header(header) => entries = Entries::<f64>::new(&header).ok(),
        Event::Data => {
            if let Some(entries) = &mut entries {
                used(entries.feed(bytes, |run| run.values().for_each(used)));
            }
        }
        _ => used(&event),
    });
});
