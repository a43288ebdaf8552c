//! Elements decompressed one at a time from slices, as by several threads.

use crate::scda::unpack::support::{block_file, file, noise, packed, run, smooth, varray_file};
use host_tests::packed::{self, Compression};
use linkstream::Limits;
use linkstream::scda::{
    Decoder, ElementUnpacker, ErrorKind, Event, Section, SectionType, Style, Unpacker, element_size,
};
use linkstream::{Decode, Demand, Diagnostic as _, Error, Misuse, Mode};

/// Elements of all sizes around the size of a line, and one longer than the decoder's internal buffer.
fn plains() -> Vec<Vec<u8>> {
    let sizes = (0..70_usize).chain([400, 1_000, 70_000]);
    sizes.map(|size| if size % 2 == 0 { smooth(size) } else { noise(size) }).collect()
}

fn streams() -> Vec<(u64, Vec<u8>)> {
    let stream = |plain: &Vec<u8>| packed::compressed(plain, Compression::best_compression());
    plains().iter().map(|plain| (plain.len() as u64, stream(plain))).collect()
}

/// An unpacker at the first text in the only section of a file, with the section and the rest of the file.
fn at_texts(file: &[u8]) -> (Unpacker<Vec<u8>>, Section, &[u8]) {
    let mut unpacker = Unpacker::new(Decoder::new(Mode::Survey, true), vec![0; 1 << 17]);
    let (mut rest, mut section, mut sizes) = (file, None, 0);
    loop {
        if section.is_some_and(|section: Section| sizes >= section.n.get())
            && matches!(unpacker.sections().demand(), Demand::Skip(_))
        {
            return (unpacker, section.expect("a section"), rest);
        }
        let step = unpacker.push(&rest[..rest.len().min(32)]).expect("a file without errors");
        rest = &rest[step.consumed..];
        match step.event {
            Some(Event::Section(found)) if found.is_compressed() => section = Some(found),
            Some(Event::TextSize(_)) => sizes += 1,
            _ => {}
        }
    }
}

/// The events from here to the end of the file.
fn rest_of(mut unpacker: Unpacker<Vec<u8>>, mut rest: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        let step = unpacker.push(rest).expect("everything is a finding");
        rest = &rest[step.consumed..];
        match step.event {
            Some(event) => events.push(event),
            None => break,
        }
    }
    while let Some(event) = unpacker.finish().expect("everything is a finding") {
        events.push(event);
    }
    events
}

#[test]
fn elements_are_unpacked_from_their_texts() {
    let file = varray_file(&streams());
    let (mut unpacker, section, mut rest) = at_texts(&file);
    let mut elements = ElementUnpacker::new();
    for (plain, (size, stream)) in plains().iter().zip(streams()) {
        let length = packed::text(size, &stream, packed::UNIX).len();
        let (text, behind) = rest.split_at(length);
        assert_eq!(element_size(text, Limits::DEFAULT), Ok(Some(size as usize)));
        let mut room = vec![0xa5; plain.len() + 3];
        let n = elements.unpack(&section, text, unpacker.position(), &mut room).expect("an element");
        assert_eq!((&room[..n], &room[n..]), (&plain[..], &[0xa5; 3][..]));
        unpacker.pass_element(text, size).expect("this element is next");
        rest = behind;
    }
    assert_eq!(rest_of(unpacker, rest), [Event::End]);
}

#[test]
fn damage_is_reported_as_by_the_unpacker() {
    // A single block, so that no other text follows.
    let plain = smooth(300);
    let text = packed::text(300, &packed::compressed(&plain, Compression::best_compression()), packed::UNIX);
    let length = text.len();
    let (_, section, _) = at_block(&block_file(300, text.clone()));
    let mut elements = ElementUnpacker::new();
    let mut found = 0;
    for at in 0..length {
        for bit in 0..8 {
            let mut damaged = text.clone();
            damaged[at] ^= 1 << bit;
            let whole = run(&block_file(300, damaged.clone()), Mode::Survey, 1000);
            let begin = section.data_offset().expect("a block has data");
            let alone = elements.unpack(&section, &damaged, begin, &mut [0; 1000]);
            let expected = whole.findings.iter().find(|finding| !finding.kind.rule().contains("padding"));
            assert_eq!(alone.err().as_ref(), expected, "bit {bit} of byte {at}");
            found += usize::from(alone.is_err());
            if let Ok(n) = alone {
                assert_eq!((n, &whole.sections.last().expect("a section").elements[0]), (300, &plain));
            }
        }
    }
    assert!(found > 7 * length, "only {found} of {} are found", 8 * length);
}

/// An unpacker at the text of a file's only block, with the section and the rest of the file.
fn at_block(file: &[u8]) -> (Unpacker<Vec<u8>>, Section, &[u8]) {
    let mut unpacker = Unpacker::new(Decoder::new(Mode::Survey, true), vec![0; 1000]);
    let mut rest = file;
    loop {
        let step = unpacker.push(rest).expect("a file without errors");
        rest = &rest[step.consumed..];
        match step.event.expect("a block") {
            Event::Section(section) if section.is_compressed() => return (unpacker, section, rest),
            _ => {}
        }
    }
}

#[test]
fn a_slice_that_is_not_one_text_is_an_error() {
    let file = varray_file(&streams());
    let (_, section, rest) = at_texts(&file);
    let mut elements = ElementUnpacker::default();
    let mut room = [0; 100];
    let [first, second] = [0, 1].map(|n| {
        let (size, stream) = &streams()[n];
        packed::text(*size, stream, packed::UNIX).len()
    });
    let mut unpack = |text: &[u8], room: &mut [u8]| elements.unpack(&section, text, 1000, room);
    assert_eq!(unpack(&rest[..first], &mut room), Ok(0));
    let error = |at, kind| Err(Error::new(at, kind));
    for cut in 0..first {
        assert_eq!(unpack(&rest[..cut], &mut room), error(1000 + cut as u64, ErrorKind::TextTruncated));
    }
    let both = &rest[..first + second];
    assert_eq!(unpack(both, &mut room), error(1000 + first as u64, ErrorKind::LeftOver));
    let text = &rest[first..first + second];
    assert_eq!(unpack(text, &mut []), error(1000, ErrorKind::BufferTooSmall { needed: 1 }));
    // A buffer that is large enough for parts of an element, but not for all of it.
    let (size, stream) = streams().pop().expect("the longest");
    let text = packed::text(size, &stream, packed::UNIX);
    let found = unpack(&text, &mut vec![0; 1 << 15]);
    assert_eq!(found, error(1000, ErrorKind::BufferTooSmall { needed: size }));
    assert_eq!(unpack(&text, &mut vec![0; 1 << 17]), Ok(70_000));
}

#[test]
fn only_the_next_element_can_be_read() {
    let plains = [smooth(20), smooth(20)];
    let texts = plains.each_ref().map(|plain| {
        packed::text(20, &packed::compressed(plain, Compression::best_compression()), packed::UNIX)
    });
    let sections = packed(Style::Unix, SectionType::Array, b"a", &[20], texts.to_vec());
    let file = file(&sections);
    let length = texts[0].len();
    let (mut unpacker, _, rest) = at_texts(&file);
    let (text, behind) = rest.split_at(length);
    let refused = |asked, error: Option<Error<ErrorKind>>| {
        assert_eq!(error.map(|error| error.kind), Some(Misuse::SkipTooFar { asked, available: 0 }.into()));
    };
    // A wrong size, no text, and more text than the file has.
    refused(length as u64, unpacker.pass_element(text, 21).err());
    refused(0, unpacker.pass_element(&[], 20).err());
    refused(1000, unpacker.pass_element(&[b'A'; 1000], 20).err());
    // In the middle of an element.
    assert_eq!(unpacker.push(&text[..10]).expect("text").event, None);
    refused(length as u64, unpacker.pass_element(text, 20).err());
    assert!(matches!(unpacker.push(&text[10..]).expect("text").event, Some(Event::Element(_))));
    let mut done = unpacker.clone();
    unpacker.pass_element(&behind[..length], 20).expect("the second element");
    assert_eq!(rest_of(unpacker.clone(), &behind[length..]), [Event::End]);
    // After the last element.
    refused(length as u64, unpacker.pass_element(text, 20).err());
    // A text whose length is none of those announced.
    done.pass_element(&behind[..length - 2], 20).expect("this element is next");
    let events = rest_of(done, &behind[length - 2..]);
    let Some(Event::Finding(error)) = events.first() else { panic!("{events:?}") };
    assert_eq!(error.kind.rule(), "scda-left-over");
}
