//! Writing needs no memory that grows with the field: 1 GiB of sites is written through a buffer of 64 KiB without an
//! allocation, with the correct checksum.

use crate::counting::without_allocation;
use embedded_io::{ErrorType, Write};
use linkstream::Encode as _;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::{FieldWriter, Fill};
use linkstream::lattice::{Checksum, Precision};

const SITE: usize = 576;
/// 1 GiB and one site.
const SITES: u64 = (1 << 30) / SITE as u64 + 1;

/// A sink that stores nothing: it counts the bytes, and adds up every byte times its offset.
#[derive(Debug, Default)]
struct Tally {
    bytes: u64,
    flushed: u32,
    hash: crc32fast::Hasher,
}

impl ErrorType for Tally {
    type Error = core::convert::Infallible;
}

impl Write for Tally {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        self.flushed += 1;
        Ok(())
    }
}

/// Links whose first and last number depend on the site, and no other.
fn links(rank: u64) -> [f64; 72] {
    let mut links = [0.25; 72];
    (links[0], links[71]) = (rank as f64, -(rank as f64));
    links
}

#[test]
fn a_gibibyte_of_sites_is_written_without_allocation() {
    let format = Format::new(GaugeKind::SU3, Precision::F64, [2, 3, 2, SITES.div_ceil(12) as u32]);
    let sites = format.extents().expect("small").sites();
    let message = OutgoingMessage::ildg(&format).with_checksum(true).with_lfn("lfn://example/large");
    let mut buffer = vec![0; 64 << 10];
    let (sink, encoder) = without_allocation(|| {
        let mut writer = FieldWriter::with_encoder(Tally::default(), &mut buffer, Encoder::new());
        let sites = Fill::sites(|site| {
            let rank = site.rank();
            site.put(&links(rank))
        });
        writer.write(&message, sites).expect("the sink accepts everything");
        let encoder = writer.encoder().clone();
        (writer.finish().expect("complete"), encoder)
    });
    assert_eq!((sink.bytes, sink.flushed), (encoder.position(), 1));
    assert!(sink.bytes > 1 << 30);

    // The expected values, computed simply: every site from its two numbers, and the checksum of the field.
    let (mut expected, mut of_data) = (Checksum::default(), crc32fast::Hasher::new());
    let mut bytes = links(0).map(f64::to_be_bytes).concat();
    for rank in 0..sites {
        bytes[..8].copy_from_slice(&(rank as f64).to_be_bytes());
        bytes[SITE - 8..].copy_from_slice(&(-(rank as f64)).to_be_bytes());
        expected.add(rank, &bytes);
        of_data.update(&bytes);
    }
    assert_eq!(encoder.checksum(), Some(expected));
    // Other tests compare what surrounds the data with files; this one only counts it.
    let field = encoder.field().expect("the last one");
    assert_eq!(field.record.length, sites * SITE as u64);
    let before = field.record.payload_offset();
    let mut small = vec![0; 4096];
    let mut writer = FieldWriter::with_encoder(&mut small[..], &mut buffer, Encoder::new());
    writer.begin(&message).expect("documents are short");
    let mut whole = crc32fast::Hasher::new();
    whole.update(&small[..before as usize]);
    whole.combine(&of_data);
    let mut text = [0; 256];
    let stored = linkstream::scidac::StoredChecksum::new(expected);
    let n = stored.emit(linkstream::xml::Spacing::Lines, &mut text).expect("there is room");
    let header = linkstream::lime::Header::new(b"scidac-checksum", n as u64, false, true).expect("short");
    whole.update(header.as_bytes());
    whole.update(&text[..n]);
    whole.update(&[0; 7][..n.next_multiple_of(8) - n]);
    assert_eq!(sink.hash.finalize(), whole.finalize());
}
