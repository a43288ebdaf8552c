//! The words of a site for a device are its numbers in the byte order of the device.

use linkstream::Encode as _;
use linkstream::field::{FieldDocuments, Form, Site, SiteError};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldReader, FieldWriter, Fill};
use linkstream::lattice::{ByteOrder, Extents, Precision};

/// A gauge field of one site, whose numbers are all different.
fn file(precision: Precision) -> Vec<u8> {
    let (mut sink, mut buffer) = (vec![0; 8192], [0; 2048]);
    let extents = Extents::new(&[1, 1, 1, 1]).expect("legal");
    let mut file = FieldWriter::create(&mut sink[..], &mut buffer, extents).expect("it has room");
    let numbers: Vec<f64> = (0..72).map(|n| 1.0 + f64::from(n) / 8.0).collect();
    let links = FieldDocuments::gauge_field(GaugeKind::SU3, precision, Form::Both, &extents).expect("legal");
    let sites = Fill::sites(|site| match precision {
        Precision::F64 => site.put(&numbers),
        Precision::F32 => site.put(&numbers.iter().map(|number| *number as f32).collect::<Vec<_>>()),
    });
    file.write(&links.message(b""), sites).expect("it has room");
    let length = file.encoder().position() as usize;
    file.finish().expect("complete");
    sink.truncate(length);
    sink
}

#[test]
fn words_of_a_site_are_numbers_in_the_order_of_the_device() {
    for (precision, words) in [(Precision::F32, 72), (Precision::F64, 144)] {
        let file = file(precision);
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let mut reader = FieldReader::new(&file[..], vec![0; 4096]);
            let mut field = reader.next_field().expect("valid").expect("a field");
            let mut sites = 0;
            let copy = |site: Site<'_>| {
                let mut copied = vec![0xdead_beef; words];
                site.copy_words(&mut copied, order)?;
                let memory: Vec<u8> = copied.iter().flat_map(|word| word.to_ne_bytes()).collect();
                let expected: Vec<u8> = site
                    .numbers()?
                    .flat_map(|number| match (precision, order) {
                        (Precision::F32, ByteOrder::Big) => (number as f32).to_be_bytes().to_vec(),
                        (Precision::F32, ByteOrder::Little) => (number as f32).to_le_bytes().to_vec(),
                        (Precision::F64, ByteOrder::Big) => number.to_be_bytes().to_vec(),
                        (Precision::F64, ByteOrder::Little) => number.to_le_bytes().to_vec(),
                    })
                    .collect();
                assert!(memory == expected, "{precision:?}, {order:?}");
                for length in [words - 1, words + 1] {
                    let mut other = vec![7; length];
                    let (needed, given) = (4 * words as u64, 4 * length as u64);
                    assert_eq!(site.copy_words(&mut other, order), Err(SiteError::Length { needed, given }));
                    assert!(other.iter().all(|word| *word == 7));
                }
                sites += 1;
                Ok::<(), SiteError>(())
            };
            assert!(field.for_each_site(copy).expect("valid").is_match());
            assert_eq!(sites, 1);
        }
    }
}
