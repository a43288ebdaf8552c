//! Files that linkstream's own writers write. `tests/calls.c` writes the same files with the C library: the bytes must
//! be equal.

use std::error::Error;
use std::fs;
use std::path::Path;

use linkstream::field::{FieldDocuments, Form, OutgoingMessage};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, Fill, RecordWriter, SectionWriter};
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::lime::Header;
use linkstream::scda::Style;
use linkstream::scidac::{Date, PrivateFile, PrivateRecord, RecordData};

/// Number of bytes written.
type Written = Result<usize, Box<dyn Error>>;

/// Writes the files to this folder.
pub fn all(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut sink = vec![0; 1 << 18];
    let mut save = |name: &str, write: fn(&mut [u8]) -> Written| -> Result<(), Box<dyn Error>> {
        let length = write(&mut sink)?;
        Ok(fs::write(folder.join(name), &sink[..length])?)
    };
    save("both.lime", both)?;
    save("ildg.lime", ildg)?;
    save("scidac.lime", scidac)?;
    save("records.lime", records)?;
    save("unix.scda", |sink| sections(sink, Style::Unix))?;
    save("mime.scda", |sink| sections(sink, Style::Mime))
}

/// Number `index` of a field. All of them are exact in single precision.
fn number(index: u16) -> f64 {
    f64::from(index) * 0.25 - 100.0
}

fn numbers(count: u16) -> Vec<f64> {
    (0..count).map(number).collect()
}

/// A gauge field in QIO's form for SciDAC and ILDG programs.
fn both(sink: &mut [u8]) -> Written {
    let room = sink.len();
    let mut buffer = [0; 4096];
    let lattice = Extents::new(&[2, 3, 2, 4])?;
    let mut file = FieldWriter::create(sink, &mut buffer, lattice)?;
    file.write_message(&OutgoingMessage::file(&PrivateFile::new(&lattice), b"<title>a file</title>"))?;
    let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
    let field = field.dated(Date::from_unix(1_700_000_000));
    let links: Vec<f32> = numbers(48 * 72).iter().map(|number| *number as f32).collect();
    file.write(&field.message(b"<text>a field</text>").with_lfn("lfn://example/both.1"), &links[..])?;
    Ok(room - file.finish()?.len())
}

/// Two gauge fields as ILDG alone describes them.
fn ildg(sink: &mut [u8]) -> Written {
    let room = sink.len();
    let mut buffer = [0; 4096];
    let lattice = Extents::new(&[2, 2, 1, 2])?;
    let mut file = FieldWriter::create(sink, &mut buffer, lattice)?;
    let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F64, Form::Ildg, &lattice)?;
    for update in ["7", "8"] {
        file.write(&field.message(b"").with_update(update), &numbers(8 * 54)[..])?;
    }
    Ok(room - file.finish()?.len())
}

/// SciDAC data of all three kinds, a gauge field, a record of another type, and a name.
fn scidac(sink: &mut [u8]) -> Written {
    let room = sink.len();
    let mut buffer = [0; 4096];
    let lattice = Extents::new(&[4, 2, 2])?;
    let mut file = FieldWriter::create(sink, &mut buffer, lattice)?;
    file.write_message(&OutgoingMessage::file(&PrivateFile::new(&lattice), b"title"))?;
    let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F64, Form::Scidac, &lattice)?;
    file.write(&field.message(b"gauge"), &numbers(16 * 54)[..])?;
    let complex = PrivateRecord::complex_field(Precision::F64).dated(Date::from_unix(0));
    file.write(&OutgoingMessage::scidac(&complex, b"complex"), &numbers(32)[..])?;
    let global = PrivateRecord::global(Precision::F32, 5);
    file.write(&OutgoingMessage::scidac(&global, b"global"), &numbers(5)[..])?;
    let corner = |values: &[u32]| Coordinates::new(values).ok_or("too many coordinates");
    let cube = Hypercube::new(corner(&[1, 0, 1])?, corner(&[2, 1, 1])?, &lattice)?;
    let data = RecordData {
        datatype: "QDP_I_Int".try_into()?,
        precision: "I".try_into()?,
        typesize: 4,
        datacount: 2,
        ..RecordData::default()
    };
    let record = PrivateRecord::new(&Region::Hypercube(cube)).with_data(data)?.dated(Date::from_unix(0));
    file.write(&OutgoingMessage::scidac(&record, b"cube"), Fill::sites(|site| site.put(&[7_i32, 8])))?;
    file.write_message(&OutgoingMessage::foreign(b"notes", b"any bytes"))?;
    file.write_message(&OutgoingMessage::lfn("lfn://example/scidac.1"))?;
    Ok(room - file.finish()?.len())
}

/// Records of two messages.
fn records(sink: &mut [u8]) -> Written {
    let room = sink.len();
    let mut file = RecordWriter::create(sink);
    let payload: Vec<u8> = (0..=255).collect();
    for (record_type, length, begin, end) in
        [(&b"first"[..], 13, true, false), (b"second", 0, false, true), (b"third", 256, true, true)]
    {
        file.begin(&Header::new(record_type, length as u64, begin, end)?)?;
        file.put(&payload[..length])?;
        file.end()?;
    }
    Ok(room - file.finish()?.len())
}

/// A section of each type.
fn sections(sink: &mut [u8], style: Style) -> Written {
    let room = sink.len();
    let mut file = SectionWriter::create(sink, style);
    let bytes: Vec<u8> = (0..=255).collect();
    file.write_header(b"vendor", b"a file")?;
    file.write_inline(b"inline", b"thirty-two bytes of data, exact\n")?;
    file.write_block(b"block", &bytes[..11])?;
    file.write_array(b"array", 5, &bytes[..35])?;
    file.write_varray(b"varray", [&bytes[..3], &bytes[..0], &bytes[..9]])?;
    file.write_block(b"", b"a line\n")?;
    Ok(room - file.finish()?.len())
}
