//! The codec's part of the program `verify`: reads through a buffer, splits the data into sites and takes numbers from
//! the links.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::field::{Decoder, Event, SiteError, Sites};
use linkstream::io::Reader;
use probes::{Port, unknown, used};

probes::probe!({
    let (mut buffer, mut site) = ([0; 512], [0; 576]);
    let mut decoder = Decoder::new(unknown(Mode::Strict));
    let mut reader = Reader::new(Port, &mut buffer[..], &mut decoder);
    let mut sites = Sites::new(&mut site);
    while let Ok(Some(event)) = reader.next() {
        match event {
            Event::Field => {
                used(sites.begin(reader.decoder().field()));
            }
            Event::Data => used(sites.feed(reader.decoder().field(), reader.bytes(), |site| {
                for link in site.links()? {
                    used(link.get(unknown(0), unknown(0)));
                }
                Ok::<(), SiteError>(())
            })),
            _ => used((&event, reader.decoder().record_type())),
        }
    }
});
