// The file that the examples of the crate's documentation read: what the writing example writes.
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::io::FieldWriter;
use linkstream::lattice::{Extents, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};

pub fn file() -> Vec<u8> {
    let (mut file, mut buffer) = (vec![0; 4096], [0; 512]);
    let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
    let lattice = PrivateFile::new(&Extents::new(&[2, 2, 2, 2]).unwrap());
    writer.message(&OutgoingMessage::file(&lattice, b"an example")).unwrap();
    let data = RecordData {
        datatype: "QDP_D_Real".try_into().unwrap(),
        precision: "D".try_into().unwrap(),
        typesize: 8,
        datacount: 1,
        ..RecordData::default()
    };
    let mut record = PrivateRecord::new(&Region::Lattice).with_data(data).unwrap();
    record.date = "Tue Jan  2 03:04:05 2024 UTC".try_into().unwrap();
    let message = OutgoingMessage::scidac(&record, b"ranks");
    writer.field(&message, |site| site.put(&[site.rank() as f64])).unwrap();
    let length = writer.encoder().position() as usize;
    writer.finish().unwrap();
    file.truncate(length);
    file
}
