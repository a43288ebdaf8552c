//! Calls in the wrong order.

use super::writing::{every_type, whole};
use linkstream::scda::{self, Style};
use linkstream::{Decode as _, Mode};
use linkstream_parallel::scda::parts::{PartDecoder, PartHeader};

/// Calls in the wrong order are refused, and change nothing.
#[test]
fn misuse() {
    let file = whole(Style::Unix, 9, &every_type(2, b'x'));
    let mut decoder = PartDecoder::new(Mode::Strict, false, file.len() as u64);
    let read = |decoder: &PartDecoder| {
        let window = decoder.header_window();
        &file[window.offset() as usize..window.end() as usize]
    };
    let mut refused = 0;
    loop {
        let bytes = read(&decoder);
        let PartHeader::Section(section) = decoder.header(bytes).expect("intact") else { break };
        let before = format!("{decoder:?}");
        let length = section.stored().data_length();
        if let Some(length) = length {
            let error = decoder.data(length + 1).expect_err("another length");
            assert_eq!(error.kind.to_string(), "the requested position does not exist in the file");
            assert_eq!(format!("{decoder:?}"), before);
            decoder.data(length).expect("complete");
        } else {
            assert_eq!(decoder.header_window().length(), 0);
            let error = decoder.header(b"").expect_err("sizes are missing");
            assert_eq!(error.kind.to_string(), "the requested position does not exist in the file");
            assert_eq!(format!("{decoder:?}"), before);
            let mut serial = scda::PlainDecoder::at(section.offset, Mode::Strict);
            let mut rest = &file[section.offset as usize..];
            while !matches!(serial.demand(), linkstream::Demand::Skip(_)) {
                rest = &rest[serial.push(&rest[..32]).expect("intact").consumed..];
            }
            decoder.data(serial.data_length()).expect("complete");
            refused += 1;
        }
    }
    assert_eq!(refused, 4);
    assert!(decoder.header(b"").is_ok_and(|header| header == PartHeader::End));
}
