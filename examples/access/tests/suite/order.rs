//! The byte order of an archive that does not state it, while several reads share the knowledge about it.

use std::io;
use std::sync::{Arc, Mutex};

use host_tests::archives::{links, nersc, word_sum};
use linkstream::lattice::{ByteOrder, reverse_words};
use linkstream_access::source::Source;
use linkstream_access::{Field, File, Selection, Verify};

/// A file that verifies a field when its data are read for the first time, as another thread can.
struct Meanwhile {
    bytes: Vec<u8>,
    field: Mutex<Option<Field>>,
}

impl Source for Meanwhile {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.bytes.length()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let field = self.field.lock().expect("no panic").take();
        if let Some(field) = field {
            assert!(field.verify().expect("intact data").is_verified());
        }
        self.bytes.read_at(offset, out)
    }
}

#[test]
fn data_are_in_the_byte_order_that_the_checksum_shows_even_if_another_read_finds_it() {
    // The first link is absent, so that it says nothing.
    let mut data = links(4 * 16, false);
    data[..72].fill(0);
    let sum = format!("CHECKSUM = {:x}", word_sum(&data, false));
    let lines = [
        "DATATYPE = 4D_SU3_GAUGE_3x3",
        "DIMENSION_1 = 2",
        "DIMENSION_2 = 2",
        "DIMENSION_3 = 2",
        "DIMENSION_4 = 2",
        &sum,
        "FLOATING_POINT = IEEE32",
    ];
    let mut expected = data.clone();
    reverse_words(&mut expected, 4);
    let file = Arc::new(Meanwhile { bytes: nersc(&lines, &data), field: Mutex::default() });
    let opened = File::open(file.clone()).expect("an archive");
    let field = opened.field(0).expect("links");
    *file.field.lock().expect("no panic") = Some(field.clone());
    let mut links = vec![0; expected.len()];
    let verdict = field.read_bytes(&Selection::All, &mut links, ByteOrder::Big, Verify::Yes);
    assert!(verdict.expect("intact data").is_verified());
    assert!(links == expected, "the data have the other byte order");
}
