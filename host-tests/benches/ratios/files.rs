//! Files made in memory for the benchmarks.

use linkstream::Encode as _;
use std::ops::Range;

use linkstream::io::RecordWriter;
use linkstream::lattice::{Checksum, Extents, Region};
use linkstream::lime::Header;
use linkstream::scidac::{self, PrivateFile, PrivateRecord, RecordData, StoredChecksum};
use linkstream::xml::Spacing;

/// One record with a payload of `bytes` bytes, a multiple of 8.
pub fn one_record(bytes: usize) -> Vec<u8> {
    let header = Header::new(b"payload", bytes as u64, true, true).expect("a short type");
    let mut file = header.as_bytes().to_vec();
    file.extend(noise(bytes));
    file
}

/// `count` records of 0 to 7 bytes, 10 in each message.
pub fn tiny_records(count: usize) -> Vec<u8> {
    let mut file = vec![0; count * 152];
    let mut writer = RecordWriter::create(&mut file[..]);
    for i in 0..count {
        writer
            .write_record(b"tiny", i % 10 == 0, i % 10 == 9, &[1; 7][..i % 8])
            .expect("room for all records");
    }
    let length = writer.encoder().position() as usize;
    file.truncate(length);
    file
}

/// A SciDAC file with a gauge field of about `bytes` bytes, and the range of its data.
pub fn gauge_field(bytes: usize, double: bool) -> (Vec<u8>, Range<usize>) {
    let site = if double { 576 } else { 288 };
    let time = (bytes / site / (16 * 16 * 16)).max(1) as u32;
    let extents = Extents::new(&[16, 16, 16, time]).expect("a small lattice");
    let data = noise(extents.sites() as usize * site);
    let mut checksum = Checksum::default();
    for (rank, bytes) in (0..).zip(data.chunks_exact(site)) {
        checksum.add(rank, bytes);
    }
    let described = RecordData {
        datatype: if double { "QDP_D3_ColorMatrix" } else { "QDP_F3_ColorMatrix" }.try_into().expect("short"),
        precision: if double { "D" } else { "F" }.try_into().expect("short"),
        colors: 3,
        spins: 0,
        typesize: site as u32 / 4,
        datacount: 4,
    };
    let record = PrivateRecord::new(&Region::Lattice).with_data(described).expect("they agree");

    let mut file = vec![0; data.len() + 8192];
    let mut text = [0; 1024];
    let mut writer = RecordWriter::create(&mut file[..]);
    let n = PrivateFile::new(&extents).emit(Spacing::Line, &mut text).expect("there is room");
    writer.write_record(scidac::PRIVATE_FILE_XML.as_bytes(), true, false, &text[..n]).expect("there is room");
    writer.write_record(scidac::FILE_XML.as_bytes(), false, true, b"\0").expect("there is room");
    let n = record.emit(Spacing::Line, &mut text).expect("there is room");
    writer
        .write_record(scidac::PRIVATE_RECORD_XML.as_bytes(), true, false, &text[..n])
        .expect("there is room");
    writer.write_record(scidac::RECORD_XML.as_bytes(), false, false, b"\0").expect("there is room");
    let start = writer.encoder().position() as usize + 144;
    writer.write_record(scidac::BINARY_DATA.as_bytes(), false, false, &data).expect("there is room");
    let n = StoredChecksum::new(checksum).emit(Spacing::Line, &mut text).expect("there is room");
    writer.write_record(scidac::CHECKSUM.as_bytes(), false, true, &text[..n]).expect("there is room");
    let length = writer.encoder().position() as usize;
    file.truncate(length);
    (file, start..start + data.len())
}

/// Bytes that form numbers of magnitude 1 or so, as in links.
pub fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut out = Vec::with_capacity(bytes + 8);
    while out.len() < bytes {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        out.extend(((state >> 40) as f64 / f64::from(1 << 24) - 0.5).to_be_bytes());
    }
    out.truncate(bytes);
    out
}
