//! Archives as LIME files: read piece by piece, they have the bytes that are written at once.

use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use std::sync::Arc;

use host_tests::archives::{links, milc};
use host_tests::fixtures::Fixtures;
use linkstream_access::{File, Verify};
use linkstream_report::archive::{AsLime, LimeView};

use crate::support::{CHECK, report};

/// Compares the file that is read with the one that is written, whole and from different places.
fn assert_view(bytes: &[u8], name: &str) {
    let report = report(bytes, &CHECK);
    let archive =
        AsLime::of(&report, &mut Cursor::new(bytes)).expect("there is a header").expect("an archive");
    let file = File::open(Arc::new(bytes.to_vec())).unwrap_or_else(|error| panic!("{name}: {error}"));
    let field = file.field(0).expect("the gauge field").clone();
    let (mut written, mut data) = (Vec::new(), 0..0);
    archive.write(&field, Verify::Yes, &mut written, |place| data = place).expect("memory can be written");
    assert_eq!(data.end - data.start, field.layout().data_length().expect("short"), "{name}");
    let mut view = LimeView::new(&archive, field, Verify::Yes).expect("the links can be read");
    assert_eq!(view.record() + linkstream::lime::HEADER_LEN as u64, data.start, "{name}");
    let mut read = Vec::new();
    view.read_to_end(&mut read).expect("the links can be read");
    assert_eq!(read, written, "{name}");
    assert_eq!(view.seek(SeekFrom::End(0)).expect("an end"), written.len() as u64);
    // Places before, in and after the data, and pieces that do not end with a plane.
    for at in [0, 1, data.start - 1, data.start + 7, data.end - 3, data.end + 5].map(|at| at as usize) {
        view.seek(SeekFrom::Start(at as u64)).expect("a place in the file");
        let mut piece = vec![0; 100.min(written.len() - at)];
        view.read_exact(&mut piece).expect("the links can be read");
        assert_eq!(piece, written[at..][..piece.len()], "{name} at {at}");
    }
}

#[test]
fn an_archive_that_is_read_as_lime_is_the_file_that_is_written() {
    for name in ["n3x2_d", "n3x2_f_little"] {
        assert_view(&Fixtures::Ours.read(&format!("qio/nersc/{name}.nersc")), name);
    }
    let (sites, data) = (2 * 3 * 4 * 5, links(4 * 120, true));
    let list: Vec<u32> = (0..sites).map(|rank| (rank * 7 + 3) % sites).collect();
    assert_view(&milc([2, 3, 4, 5], None, &data, true), "natural");
    assert_view(&milc([2, 3, 4, 5], Some(&list), &data, true), "listed");
}
