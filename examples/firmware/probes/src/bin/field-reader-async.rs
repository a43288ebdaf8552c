//! The same as `field-reader`, asynchronously. The executor is not counted: the probe polls the future itself.
#![no_std]
#![no_main]

use core::pin::pin;
use core::task::{Context, Waker};

use linkstream::Mode;
use linkstream::field::Decoder;
use linkstream::io::Reader;
use probes::{Port, unknown, used};

probes::probe!({
    let mut reading = pin!(read());
    let mut context = Context::from_waker(Waker::noop());
    while reading.as_mut().poll(&mut context).is_pending() {}
});

async fn read() {
    let mut buffer = [0; 512];
    let mut reader = Reader::new(Port, &mut buffer[..], Decoder::new(unknown(Mode::Strict)));
    while let Ok(Some(event)) = reader.next_async().await {
        used((&event, reader.bytes()));
    }
}
