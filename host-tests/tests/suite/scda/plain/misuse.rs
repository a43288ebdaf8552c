//! Calls on compressed sections in the wrong state: an impossible call is refused before anything changes.

use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::io::{SectionWriter, WriteError};
use linkstream::scda::{Decoder, EncodeErrorKind, Encoder, Event, Style, Unpacker, deflate, stored_length};
use linkstream::{Decode, LoadError, Mode, State};

fn block() -> Vec<u8> {
    let text = deflate(&[7; 500], 9, Style::Unix);
    let mut encoder = Encoder::new(Style::Unix);
    let mut file = encoder.header(b"", b"").unwrap().to_vec();
    file.extend_from_slice(encoder.compressed_block(b"", 500.into(), text.len() as u64).unwrap());
    encoder.put(&text).unwrap();
    file.extend_from_slice(&text);
    file.extend_from_slice(encoder.end().unwrap());
    file
}

#[test]
fn left_packed_from_either_announcement_on() {
    let file = block();
    let mut unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), [0; 500]);
    let (mut rest, mut texts) = (&file[..], 0);
    loop {
        let step = unpacker.push(rest).unwrap();
        rest = &rest[step.consumed..];
        match step.event {
            Some(Event::Compressed(_)) => unpacker.leave_packed(),
            Some(Event::Element(_)) => panic!("nothing must be unpacked"),
            Some(Event::Text) => texts += 1,
            Some(_) => {}
            None => break,
        }
    }
    assert_eq!(texts, 1);
}

#[test]
fn a_state_inside_an_impossible_entry_is_refused() {
    let file = block();
    let mut decoder = Decoder::new(Mode::Strict, true);
    let mut rest = &file[..128 + 64 + 5];
    while let Some(step) = Some(decoder.push(rest).unwrap()).filter(|step| step.event.is_some()) {
        rest = &rest[step.consumed..];
    }
    let saved = decoder.save().unwrap().as_bytes().to_vec();
    let mut refused = 0;
    for at in 0..saved.len() - 4 {
        for value in 0..=33 {
            let mut changed = saved.clone();
            changed[at] = value;
            let body = changed.len() - 4;
            let sum = crc32fast::hash(&changed[..body]);
            changed[body..].copy_from_slice(&sum.to_be_bytes());
            match State::from_bytes(&changed).and_then(|state| Decoder::load(&state)) {
                Err(error) => refused += usize::from(error == LoadError::Inconsistent),
                Ok(mut decoder) => {
                    let begin = decoder.position();
                    if let Ok(step) = decoder.push(&file[197..]) {
                        assert_eq!(
                            decoder.position().wrapping_sub(begin),
                            step.consumed as u64,
                            "{at} {value}"
                        );
                    }
                }
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn sections_that_do_not_fit_are_refused_before_they_are_written() {
    let mut file = [0; 4096];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"", b"").unwrap();
    let long = writer.begin_compressed_varray(&[b'x'; 59], 1, [1], [30]);
    assert!(matches!(
        long,
        Err(WriteError::Refused(EncodeErrorKind::StringTooLong { length: 59, limit: 58 }))
    ));
    assert_eq!(writer.encoder().position(), 128);
    writer.begin_compressed_block(b"", 1000.into(), stored_length(1000).unwrap()).unwrap();
    let begun = writer.encoder().position();
    let refused = writer.put_stored(&[1; 5000]);
    assert!(matches!(refused, Err(WriteError::Refused(EncodeErrorKind::DataTooLong { .. }))));
    assert_eq!(writer.encoder().position(), begun);
    writer.put_stored(&[1; 1000]).unwrap();
    writer.end().unwrap();
    writer.finish().unwrap();
}
