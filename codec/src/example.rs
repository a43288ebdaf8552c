// The files that the examples of the documentation read. Compiled into doctests only, not into the crate.

use std::cell::RefCell;
use std::rc::Rc;

use embedded_io::{ErrorKind, ErrorType, Read, Seek, SeekFrom, Write};
use linkstream::Encode as _;
use linkstream::field::{Encoder, FieldDocuments, Form, OutgoingMessage};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, Fill};
use linkstream::lattice::{Extents, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};

// A file of one field, a real number at each site.
pub fn file() -> Vec<u8> {
    let (mut file, mut buffer) = (vec![0; 4096], [0; 512]);
    let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
    let lattice = PrivateFile::new(&Extents::new(&[2, 2, 2, 2]).unwrap());
    writer.write_message(&OutgoingMessage::file(&lattice, b"an example")).unwrap();
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
    writer.write(&message, Fill::sites(|site| site.put(&[site.rank() as f64]))).unwrap();
    let length = writer.encoder().position() as usize;
    writer.finish().unwrap();
    file.truncate(length);
    file
}

// A file of two small gauge fields.
pub fn links() -> Vec<u8> {
    let (mut file, mut buffer) = (vec![0; 32_768], [0; 1024]);
    let lattice = Extents::new(&[2, 2, 2, 2]).unwrap();
    let mut writer = FieldWriter::create(&mut file[..], &mut buffer, lattice).unwrap();
    let links =
        FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Scidac, &lattice).unwrap();
    for value in [0.25_f32, 0.5] {
        writer.write(&links.message(b""), &[value; 16 * 72][..]).unwrap();
    }
    let length = writer.encoder().position() as usize;
    writer.finish().unwrap();
    file.truncate(length);
    file
}

// A NERSC archive: one site with four unit links of two rows.
pub fn nersc() -> Vec<u8> {
    let mut file =
        b"BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE\nDIMENSION_1 = 1\nDIMENSION_2 = 1\nDIMENSION_3 = 1\n\
        DIMENSION_4 = 1\nLINK_TRACE = 1.0\nPLAQUETTE = 1.0\nCHECKSUM = fc000000\nFLOATING_POINT = IEEE32BIG\n\
        END_HEADER\n"
            .to_vec();
    for _ in 0..4 {
        let mut link = [0.0_f32; 12];
        (link[0], link[8]) = (1.0, 1.0);
        file.extend(link.iter().flat_map(|number| number.to_be_bytes()));
    }
    file
}

// A MILC file: one site, big-endian, its links of one number each.
pub fn milc() -> Vec<u8> {
    let mut file = [20103_u32, 1, 1, 1, 1].map(u32::to_be_bytes).concat();
    file.extend_from_slice(b"Tue Jan  2 03:04:05 2024");
    file.resize(88, 0);
    // Word 0 of the data is 2, all others are 0.
    file.extend([2_u32, 2, 2].map(u32::to_be_bytes).concat());
    file.resize(96 + 288, 0);
    file
}

// The file in memory that examples write and read. Its clones share the bytes; each has its own position.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    pub bytes: Rc<RefCell<Vec<u8>>>,
    place: usize,
}

impl ErrorType for Disk {
    type Error = ErrorKind;
}

impl Read for Disk {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, ErrorKind> {
        let bytes = self.bytes.borrow();
        let rest = bytes.get(self.place..).unwrap_or_default();
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        self.place += n;
        Ok(n)
    }
}

impl Write for Disk {
    fn write(&mut self, from: &[u8]) -> Result<usize, ErrorKind> {
        let mut bytes = self.bytes.borrow_mut();
        let end = self.place + from.len();
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[self.place..end].copy_from_slice(from);
        self.place = end;
        Ok(from.len())
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, ErrorKind> {
        let from =
            |start: usize, by: i64| (start as u64).checked_add_signed(by).ok_or(ErrorKind::InvalidInput);
        let place = match to {
            SeekFrom::Start(place) => place,
            SeekFrom::Current(by) => from(self.place, by)?,
            SeekFrom::End(by) => from(self.bytes.borrow().len(), by)?,
        };
        self.place = usize::try_from(place).map_err(|_| ErrorKind::InvalidInput)?;
        Ok(place)
    }
}
