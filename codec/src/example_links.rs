// A file of two small gauge fields, for the examples of the crate's documentation. Compiled into doctests only.
use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::io::FieldWriter;
use linkstream::lattice::{Extents, Precision};

pub fn file() -> Vec<u8> {
    let (mut file, mut buffer) = (vec![0; 32_768], [0; 1024]);
    let lattice = Extents::new(&[2, 2, 2, 2]).unwrap();
    let mut writer = FieldWriter::create(&mut file[..], &mut buffer, lattice).unwrap();
    for value in [0.25_f32, 0.5] {
        writer
            .gauge_field(GaugeKind::SU3, Precision::F32, Form::Scidac, |site| site.put(&[value; 72]))
            .unwrap();
    }
    let length = writer.encoder().position() as usize;
    writer.finish().unwrap();
    file.truncate(length);
    file
}
