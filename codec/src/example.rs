// The file that the examples of the crate's documentation read: what the writing example writes.
use linkstream::io::Writer;
use linkstream::lattice::{Checksum, Extents, Region};
use linkstream::lime::Encoder;
use linkstream::scidac::{self, PrivateFile, PrivateRecord, StoredChecksum};

pub fn file() -> Vec<u8> {
    let mut file = vec![0; 4096];
    let mut writer = Writer::new(&mut file[..], Encoder::new());
    let mut text = [0; 512];
    let n = PrivateFile::new(&Extents::new(&[2, 2, 2, 2]).unwrap()).emit(&mut text).unwrap();
    writer.record(scidac::PRIVATE_FILE_XML.as_bytes(), true, false, &text[..n]).unwrap();
    writer.record(scidac::FILE_XML.as_bytes(), false, true, b"an example\0").unwrap();
    let mut record = PrivateRecord::new(&Region::Lattice);
    record.date = "Tue Jan  2 03:04:05 2024 UTC".try_into().unwrap();
    record.datatype = "QDP_D_Real".try_into().unwrap();
    record.precision = "D".try_into().unwrap();
    record.typesize = 8;
    record.datacount = 1;
    let n = record.emit(&mut text).unwrap();
    writer.record(scidac::PRIVATE_RECORD_XML.as_bytes(), true, false, &text[..n]).unwrap();
    writer.record(scidac::RECORD_XML.as_bytes(), false, false, b"ranks\0").unwrap();
    let mut checksum = Checksum::default();
    let mut data = Vec::new();
    for rank in 0..16 {
        let site = (rank as f64).to_be_bytes();
        checksum.add(rank, &site);
        data.extend_from_slice(&site);
    }
    writer.record(scidac::BINARY_DATA.as_bytes(), false, false, &data).unwrap();
    let n = StoredChecksum::new(checksum).emit(&mut text).unwrap();
    writer.record(scidac::CHECKSUM.as_bytes(), false, true, &text[..n]).unwrap();
    writer.finish().unwrap();
    let length = writer.encoder().position() as usize;
    file.truncate(length);
    file
}
