//! Saved states of the decoder that processes share.

use crate::scda::parallel::writing::{every_type, whole};
use crate::states::changed::Forger;
use linkstream::Resumable as _;
use linkstream::scda::{ElementPart, PartDecoder, PartHeader, SectionType, Style};
use linkstream::{Decode as _, Mode, State, scda};

/// Every call of a decoder with this state.
fn every_call(decoder: &PartDecoder, file: &[u8]) {
    let window = decoder.header_window();
    let bytes = file.get(window.offset() as usize..window.end() as usize).unwrap_or_default();
    let _ = (decoder.user(), decoder.vendor(), decoder.next_offset(), decoder.mode());
    let _ = decoder.check_element(0, 1);
    let n = decoder.section().raw.n;
    let own = ElementPart::new(0.into(), n, n).expect("all");
    for lines in [decoder.sizes(&own), decoder.uncompressed(&own)] {
        let _ = lines.map(|mut lines| decoder.size(&mut lines, b"E 1 ---------------------------\n"));
    }
    for total in [0, 32, u64::MAX] {
        let mut decoder = decoder.clone();
        let _ = decoder.data(total);
        for bytes in [bytes, b"", &[b'x'; 263]] {
            let mut decoder = decoder.clone();
            // Bytes that are not in the window, so the file may seem to go on for ever.
            for _ in 0..8 {
                if !matches!(decoder.header(bytes), Ok(PartHeader::Section(_) | PartHeader::More)) {
                    break;
                }
            }
        }
    }
}

#[test]
fn changed_states() {
    let file = whole(Style::Mime, 9, &every_type(2, b'x'));
    let mut forger = Forger::new();
    let (mut loaded, mut refused) = (0, 0);
    let mut decoder = PartDecoder::new(Mode::Survey, true, file.len() as u64);
    loop {
        forger.each(decoder.save().expect("no error"), |saved| match PartDecoder::load(saved) {
            Ok(decoder) => {
                loaded += 1;
                if loaded % 7 == 0 {
                    every_call(&decoder, &file);
                }
            }
            Err(_) => refused += 1,
        });
        let window = decoder.header_window();
        let header = decoder.header(&file[window.offset() as usize..window.end() as usize]);
        match header.expect("an intact file") {
            PartHeader::Section(section) if section.raw.section_type == SectionType::Varray => {
                forger.each(decoder.save().expect("no error"), |saved| {
                    let _ = PartDecoder::load(saved).map(|decoder| every_call(&decoder, &file));
                });
                let own = ElementPart::new(0.into(), section.n, section.n).expect("all");
                let mut lines = decoder.sizes(&own).expect("lines");
                let window = lines.window();
                for line in file[window.offset() as usize..window.end() as usize].as_chunks().0 {
                    decoder.size(&mut lines, line).expect("a size");
                }
                decoder.data(lines.sum()).expect("complete");
            }
            PartHeader::End => break,
            _ => {}
        }
    }
    assert!(loaded > 1000 && refused > 1000, "{loaded}, {refused}");
}

/// A state is as long as the state of the decoder inside, and the length of the file.
#[test]
fn length_of_a_state() {
    assert_eq!(State::<PartDecoder>::LEN, State::<scda::logical::Decoder>::LEN + 8);
}

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
        let state = decoder.save().expect("no error");
        let length = section.raw.data_length();
        if let Some(length) = length {
            let error = decoder.data(length + 1).expect_err("another length");
            assert_eq!(error.kind.to_string(), "the requested position does not exist in the file");
            assert_eq!(decoder.save(), Ok(state));
            decoder.data(length).expect("complete");
        } else {
            assert_eq!((decoder.next_offset(), decoder.header_window().length()), (None, 0));
            let error = decoder.header(b"").expect_err("sizes are missing");
            assert_eq!(error.kind.to_string(), "the sizes of the variable array must be added up first");
            assert_eq!(decoder.save(), Ok(state));
            let mut serial = scda::Decoder::at(section.offset, Mode::Strict);
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
