//! Writes a field with its documents and checksum: `field::Encoder`.
#![no_std]
#![no_main]

use linkstream::Encode as _;
use linkstream::field::{Encoder, OutgoingMessage, Want};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{Extents, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use probes::{unknown, used};

probes::probe!({
    let mut encoder = Encoder::new();
    let Ok(extents) = Extents::new(unknown(&[4, 4, 4, 4])) else { return };
    let file = PrivateFile::new(&extents);
    let record: PrivateRecord = unknown(PrivateRecord::new(&Region::Lattice));
    let Some(kind) = GaugeKind::parse(unknown(b"su3gauge")) else { return };
    let format = Format::new(kind, unknown(Precision::F32), unknown([4; 4]));
    write(&mut encoder, &OutgoingMessage::file(&file, unknown(b"a file")));
    write(&mut encoder, &OutgoingMessage::scidac(&record, unknown(b"a field")).with_format(&format));
    used(encoder.finish());
});

#[inline(never)]
fn write(encoder: &mut Encoder, message: &OutgoingMessage<'_>) {
    let mut scratch = [0; 512];
    let Ok(begun) = encoder.begin(message, &mut scratch) else { return };
    loop {
        match encoder.next(&begun, &mut scratch) {
            Ok(Want::Bytes(bytes)) => used(bytes),
            Ok(Want::Data(_)) => used(encoder.put(unknown(&[0; 64]))),
            Ok(Want::Nothing) | Err(_) => break,
        }
    }
}
