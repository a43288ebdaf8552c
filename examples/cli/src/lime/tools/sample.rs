//! A small test file like the one of `lime_writer_test1` (LIME 1.2, section 4), which always consists of the same
//! bytes.

use std::io::BufWriter;
use std::path::Path;

use linkstream::io::FromStd;
use linkstream::io::RecordWriter;

use crate::failure::failed;
use crate::output::whole;

/// Type, MB, ME and payload of each record. The first is taken from the example program in section 3.
const RECORDS: [(&[u8], bool, bool, &[u8]); 6] = [
    (b"lime-test-text", true, true, b"LIME test message"),
    (b"notes", true, false, b"Text of two lines,\nin a message of three records.\n"),
    (b"every-byte", false, false, &every_byte()),
    (b"nothing", false, true, b""),
    // A type with a slash, which cannot be part of a file name.
    (b"application/octet-stream", true, false, b"\x00\xff\x00\xff\x00\xff\x00"),
    (b"whole-words", false, true, b"no padding behind 24 ..."),
];

const fn every_byte() -> [u8; 256] {
    let mut bytes = [0; 256];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = i as u8;
        i += 1;
    }
    bytes
}

pub fn sample(out: &Path, force: bool) -> anyhow::Result<()> {
    whole(out, force, |file| {
        let mut writer = RecordWriter::create(FromStd(BufWriter::new(file)));
        let write = || {
            for (record_type, begin, end, payload) in RECORDS {
                writer.write_record(record_type, begin, end, payload)?;
            }
            writer.finish().map(drop)
        };
        write().map_err(failed)
    })
}
