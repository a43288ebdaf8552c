//! [`SectionReader`] and its asynchronous calls, compared with the decoders.

use super::sources::{Hiccups, again, cuts, files, format, resumed};
use host_tests::drive::Fitful;
use linkstream::Encode as _;
use linkstream::io::{ReadError, SectionReader, SectionWriter, Sections};
use linkstream::scda::{self, Elements, ErrorKind, Event, SectionType, Style, Unpacker};
use linkstream::{Error, Misuse, Mode, drive, finish};

const ROOM: usize = 300_000;

/// User string, sizes, and data by element.
type Section = (Vec<u8>, Vec<u64>, Vec<Vec<u8>>);
type Read = (Vec<Section>, Option<Error<ErrorKind>>);

/// Adds a piece of an element.
fn add(elements: &mut Vec<Vec<u8>>, index: u64, bytes: &[u8]) {
    elements.resize(elements.len().max(index as usize + 1), Vec::new());
    elements[index as usize].extend_from_slice(bytes);
}

fn raw(file: &[u8]) -> Read {
    let mut sections: Vec<Section> = Vec::new();
    let mut table = vec![0; ROOM];
    let mut elements = Elements::new(&mut table);
    let mut fits = false;
    let mut decoder = scda::Decoder::new(Mode::Lenient, false);
    let mut each = |event, bytes: &[u8], decoder: &scda::Decoder| match event {
        Event::Section(section) => {
            let raw = section.stored();
            fits = elements.begin(&raw).is_ok();
            let count = match raw.section_type {
                SectionType::Header => 0,
                SectionType::Array if raw.e.get() == 0 => 0,
                SectionType::Array | SectionType::Varray if fits => raw.n.get().min(ROOM as u128) as usize,
                _ => 1,
            };
            sections.push((decoder.user().to_vec(), Vec::new(), vec![Vec::new(); count]));
        }
        Event::Size(size) => {
            assert_eq!(elements.size(size).is_ok(), fits);
            sections.last_mut().expect("a section").1.push(size);
        }
        Event::Data => {
            let to = &mut sections.last_mut().expect("a section").2;
            let fed = elements.feed(bytes, |part, bytes| add(to, part.index, bytes));
            assert_eq!(fed.is_ok(), fits);
        }
        _ => {}
    };
    let driven = drive(&mut decoder, file, &mut each).and_then(|_| finish(&mut decoder, &mut each));
    (sections, driven.err().map(Error::from))
}

fn unpacked(file: &[u8]) -> Read {
    let (mut sections, mut found) = (Vec::new(), None);
    let mut unpacker = Unpacker::new(scda::Decoder::new(Mode::Lenient, true), vec![0; ROOM]);
    let mut table = vec![0; ROOM];
    let mut elements = Elements::new(&mut table);
    let mut fits = false;
    let mut each = |event, bytes: &[u8], unpacker: &Unpacker<Vec<u8>>| match event {
        Event::Section(section) => {
            fits = elements.begin(&section).is_ok();
            let raw = section.stored();
            let count = match raw.section_type {
                _ if section.is_compressed() => 0,
                SectionType::Header => 0,
                SectionType::Array if raw.e.get() == 0 => 0,
                SectionType::Array | SectionType::Varray if fits => raw.n.get().min(ROOM as u128) as usize,
                _ => 1,
            };
            sections.push((unpacker.sections().user().to_vec(), Vec::new(), vec![Vec::new(); count]));
            found = Some(section.is_compressed());
        }
        Event::Size(size) if found == Some(false) => {
            assert_eq!(elements.size(size).is_ok(), fits);
            let section: &mut Section = sections.last_mut().expect("a section");
            section.1.push(size);
        }
        Event::Data => {
            let to = &mut sections.last_mut().expect("a section").2;
            let fed = elements.feed(bytes, |part, bytes| add(to, part.index, bytes));
            assert_eq!(fed.is_ok(), fits);
        }
        Event::Element(element) => {
            add(&mut sections.last_mut().expect("a section").2, element.index, unpacker.bytes());
        }
        Event::Compressed(_) | Event::End => found = None,
        _ => {}
    };
    let driven = drive(&mut unpacker, file, &mut each).and_then(|_| finish(&mut unpacker, &mut each));
    (sections, driven.err().map(Error::from))
}

/// Leaves out a section with an error, since it is incomplete.
fn without_last(read: &Read) -> (&[Section], &Option<Error<ErrorKind>>) {
    let (sections, error) = read;
    let complete = sections.len() - usize::from(error.is_some() && !sections.is_empty());
    (&sections[..complete], error)
}

macro_rules! by_element {
    ($reader:expr) => {{
        let mut reader = $reader;
        let (mut found, mut out): (Vec<Section>, _) = (Vec::new(), vec![0xEE; ROOM]);
        let end = 'file: loop {
            match format(reader.next_section()) {
                Ok(None) => break None,
                Err(error) => break Some(error),
                Ok(Some(_)) => {}
            }
            found.push((reader.user().to_vec(), Vec::new(), Vec::new()));
            loop {
                match reader.element(&mut out) {
                    Ok(Some(element)) => found.last_mut().unwrap().2.push(element.to_vec()),
                    Ok(None) => break,
                    // The sections have sizes beyond any memory.
                    Err(ReadError::TooSmall { .. } | ReadError::Limit(_)) => break,
                    Err(error) => break 'file Some(format::<(), _, _>(Err(error)).unwrap_err()),
                }
            }
        };
        (found, end)
    }};
}

/// User string and elements of a section.
type Listed = (Vec<u8>, Vec<Vec<u8>>);

/// User strings and elements of the sections of [`without_last`].
fn elements(read: &Read) -> (Vec<Listed>, Option<Error<ErrorKind>>) {
    let (sections, error) = without_last(read);
    (sections.iter().map(|(user, _, elements)| (user.clone(), elements.clone())).collect(), *error)
}

fn same(name: &str, file: &[u8], buffers: &[usize]) {
    let (raw, unpacked) = (raw(file), unpacked(file));
    let mut table = vec![0; ROOM];
    let mut packed = vec![0; ROOM];
    for size in buffers {
        let mut buffer = vec![0; *size];
        let source = Fitful::new(file, 1);
        let found: Read = by_element!(
            SectionReader::with_decoder(
                source.clone(),
                &mut buffer[..],
                scda::Decoder::new(Mode::Lenient, false)
            )
            .with_table(&mut table)
        );
        assert_eq!(elements(&found), elements(&raw), "{name}: {size}");
        let reader = SectionReader::with_decoder(
            source.clone(),
            &mut buffer[..],
            Unpacker::new(scda::Decoder::new(Mode::Lenient, true), &mut packed[..]),
        )
        .with_table(&mut table);
        let found: Read = by_element!(reader);
        assert_eq!(elements(&found), elements(&unpacked), "{name}: {size}, unpacked");
        let found = by_bytes(
            SectionReader::with_decoder(
                source.clone(),
                &mut buffer[..],
                scda::Decoder::new(Mode::Lenient, false),
            ),
            13,
        );
        same_bytes(name, &found, &raw, true);
        let reader = SectionReader::with_decoder(
            source,
            &mut buffer[..],
            Unpacker::new(scda::Decoder::new(Mode::Lenient, true), &mut packed[..]),
        );
        let found = by_bytes(reader, 1000);
        same_bytes(name, &found, &unpacked, false);
        seeking(name, file, &raw, &mut buffer);
    }
}

fn by_bytes<R: embedded_io::Read<Error: std::fmt::Debug>, D: Sections>(
    mut reader: SectionReader<'_, R, &mut [u8], D>,
    n: usize,
) -> Read {
    let (mut found, mut out, mut sizes): (Vec<Section>, _, _) = (Vec::new(), vec![0; n], [0; 7]);
    let end = 'file: loop {
        match format(reader.next_section()) {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(_)) => found.push((reader.user().to_vec(), Vec::new(), vec![Vec::new()])),
        }
        let section = found.last_mut().unwrap();
        loop {
            match reader.sizes(&mut sizes) {
                Ok(0) | Err(ReadError::NotOpen) => break,
                Ok(n) => section.1.extend_from_slice(&sizes[..n]),
                Err(error) => break 'file Some(format::<(), _, _>(Err(error)).unwrap_err()),
            }
        }
        loop {
            match format(reader.read(&mut out)) {
                Ok(0) => break,
                Ok(n) => section.2[0].extend_from_slice(&out[..n]),
                Err(error) => break 'file Some(error),
            }
        }
    };
    (found, end)
}

fn same_bytes(name: &str, found: &Read, expected: &Read, with_sizes: bool) {
    let ((found, end), (expected, error)) = (without_last(found), without_last(expected));
    assert_eq!(end, error, "{name}");
    assert_eq!(found.len(), expected.len(), "{name}");
    for ((user, sizes, data), (known_user, known_sizes, known)) in found.iter().zip(expected) {
        assert_eq!((user, &data.concat()), (known_user, &known.concat()), "{name}");
        assert!(!with_sizes || sizes == known_sizes, "{name}");
    }
}

/// Elements read by seeking, last first and each twice, do not affect subsequent reading.
fn seeking(name: &str, file: &[u8], expected: &Read, buffer: &mut [u8]) {
    let (sections, error) = without_last(expected);
    if error.is_some() {
        return;
    }
    let mut reader =
        SectionReader::with_decoder(Fitful::new(file, 2), buffer, scda::Decoder::new(Mode::Lenient, false));
    let mut out = vec![0; ROOM];
    for (user, _, elements) in sections {
        reader.next_section().expect("complete").expect("a section");
        assert_eq!(reader.user(), user);
        let count = elements.len() as u64;
        for index in (0..count).rev().step_by(1 + elements.len() / 20).chain(0..count.min(5)) {
            let element = reader.element_seeking(index, &mut out).expect("an element");
            assert_eq!(element, &elements[index as usize][..], "{name}: {index}");
        }
        let misuse = Error::new(reader.section().offset, Misuse::Outside.into());
        // An array of elements of 0 bytes can have any number of them.
        if count > 0 {
            assert_eq!(format(reader.element_seeking(count, &mut out)), Err(misuse), "{name}");
        }
        if count > 1 {
            reader.skip_seeking().expect("can seek");
            assert_eq!(reader.read(&mut out), Err(ReadError::NotOpen), "{name}");
            assert_eq!(reader.element(&mut out), Err(ReadError::NotOpen), "{name}");
        }
    }
    assert_eq!(reader.next_section(), Ok(None), "{name}");
}

#[test]
fn sections_equal_the_decoders() {
    for (name, file) in files(&["scda", "broken-scda"]) {
        // One file has an element longer than any buffer here.
        if !name.ends_with(".toml") && !name.contains("bomb") && file.len() < 100_000 {
            same(&name, &file, if file.len() < 5_000 { &[1, 40, 4096] } else { &[1000] });
        }
    }
}

#[test]
fn a_file_cut_anywhere_gives_the_error_of_the_decoder() {
    let mut table = vec![0; ROOM];
    let mut packed = vec![0; ROOM];
    for (name, file) in files(&["scda"]) {
        if file.len() > 3_000 {
            continue;
        }
        for part in cuts(&file) {
            let mut buffer = [0; 50];
            let found: Read = by_element!(
                SectionReader::with_decoder(part, &mut buffer[..], scda::Decoder::new(Mode::Lenient, false))
                    .with_table(&mut table)
            );
            assert_eq!(found.1, raw(part).1, "{name} cut to {}", part.len());
            let reader = SectionReader::with_decoder(
                part,
                &mut buffer[..],
                Unpacker::new(scda::Decoder::new(Mode::Lenient, true), &mut packed[..]),
            )
            .with_table(&mut table);
            let found: Read = by_element!(reader);
            assert_eq!(found.1, unpacked(part).1, "{name} cut to {}, unpacked", part.len());
            let found = by_bytes(
                SectionReader::with_decoder(part, &mut buffer[..], scda::Decoder::new(Mode::Lenient, false)),
                100,
            );
            assert_eq!(found.1, raw(part).1, "{name} cut to {}, as bytes", part.len());
        }
    }
}

fn words() -> Vec<u8> {
    let mut file = vec![0; 1000];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"v", b"u").expect("there is room");
    writer.begin_varray(b"words", 4, [3, 0, 5, 2]).expect("there is room");
    writer.put(b"onethreexy").expect("there is room");
    writer.end().expect("complete");
    writer.begin_array(b"ids", 3.into(), 2.into()).expect("there is room");
    writer.put(b"aabbcc").expect("there is room");
    writer.end().expect("complete");
    writer.begin_array(b"none", scda::Count::MAX, 0.into()).expect("there is room");
    writer.end().expect("complete");
    writer.begin_array(b"huge", 0.into(), scda::Count::MAX).expect("there is room");
    writer.end().expect("complete");
    let length = writer.encoder().position() as usize;
    writer.finish().expect("complete");
    file.truncate(length);
    file
}

/// The source fails at every third byte; each call is repeated with the rest of its slice.
#[test]
fn a_failing_source_loses_nothing() {
    let file = words();
    let (mut buffer, mut table, mut out) = ([0; 9], [0; 4], [0xEE; 10]);
    let mut reader = SectionReader::with_decoder(
        Hiccups::new(&file),
        &mut buffer[..],
        scda::Decoder::new(Mode::Lenient, false),
    )
    .with_table(&mut table);
    again(|| reader.next_section()).expect("complete").expect("the header");
    again(|| reader.next_section()).expect("complete").expect("words");
    for word in [&b"one"[..], b"", b"three", b"xy"] {
        let read = resumed(&mut reader, SectionReader::resume, |reader, done| {
            Ok::<_, ReadError<_, ErrorKind>>(reader.element(&mut out[done..])?.map(|word| word.len()))
        });
        assert_eq!(read.map(|(done, rest)| rest.map(|rest| done + rest)), Ok(Some(word.len())));
        assert_eq!(&out[..word.len()], word);
    }
    assert_eq!(again(|| Ok::<_, ReadError<_, ErrorKind>>(reader.element(&mut out)?.is_none())), Ok(true));

    let mut reader = SectionReader::with_decoder(
        Hiccups::new(&file),
        &mut buffer[..],
        scda::Decoder::new(Mode::Lenient, false),
    );
    again(|| reader.next_section()).expect("complete").expect("the header");
    again(|| reader.next_section()).expect("complete").expect("words");
    let mut sizes = [9; 3];
    for (count, expected) in [(3, [3, 0, 5]), (1, [2, 0, 5]), (0, [2, 0, 5])] {
        let read =
            resumed(&mut reader, SectionReader::resume, |reader, done| reader.sizes(&mut sizes[done..]));
        assert_eq!(read.map(|(done, rest)| done + rest), Ok(count));
        assert_eq!(sizes, expected);
    }
    for word in [&b"one"[..], b"three", b"xy"] {
        resumed(&mut reader, SectionReader::resume, |reader, done| {
            reader.read_exact(&mut out[done..word.len()])
        })
        .expect("readable");
        assert_eq!(&out[..word.len()], word);
    }
    // Again and again: the data end.
    assert_eq!(again(|| reader.read_exact(&mut out[..1])), Err(ReadError::TooFew { left: 0 }));
    assert_eq!(again(|| reader.read_exact(&mut out[..1])), Err(ReadError::TooFew { left: 0 }));
    assert_eq!(again(|| reader.read(&mut out)), Ok(0));
}

/// The source fails while sizes are read, and another call follows.
#[test]
fn a_failure_among_the_sizes_does_not_shift_the_data() {
    let file = words();
    for fails in 0..200 {
        let (mut buffer, mut table, mut out) = ([0; 32], [0; 4], [0xEE; 10]);
        let mut source = Hiccups::new(&file);
        source.calls = fails;
        let mut reader =
            SectionReader::with_decoder(source, &mut buffer[..], scda::Decoder::new(Mode::Lenient, false))
                .with_table(&mut table);
        again(|| reader.next_section()).expect("complete").expect("the header");
        again(|| reader.next_section()).expect("complete").expect("words");
        let _ = reader.sizes(&mut [0; 4]);
        let _ = reader.resume();
        resumed(&mut reader, SectionReader::resume, |reader, done| {
            reader.element(&mut out[done..]).map(|_| ())
        })
        .expect("readable");
        assert_eq!(&out[..3], b"one");
    }
}

#[test]
fn refused_calls() {
    let file = words();
    let (mut buffer, mut out) = ([0; 50], [0; 10]);
    let mut reader = SectionReader::with_decoder(
        Fitful::new(&file, 3),
        &mut buffer[..],
        scda::Decoder::new(Mode::Lenient, false),
    );
    assert_eq!(reader.element(&mut out), Err(ReadError::NotOpen), "no section is open yet");
    assert_eq!(reader.read(&mut out), Err(ReadError::NotOpen));
    assert_eq!(reader.element_seeking(0, &mut out), Err(ReadError::NotOpen));
    reader.next_section().expect("complete").expect("the header");
    assert_eq!(reader.element(&mut out), Ok(None));
    reader.next_section().expect("complete").expect("words");
    // Without a table the call fails; it must not return another element.
    assert_eq!(reader.element(&mut out), Err(ReadError::TooSmall { needed: 4 }));
    assert_eq!(reader.element(&mut out), Err(ReadError::TooSmall { needed: 4 }));
    assert_eq!(reader.element_seeking(2, &mut out[..4]), Err(ReadError::TooSmall { needed: 5 }));
    assert_eq!(reader.element_seeking(2, &mut out).expect("the third"), b"three");
    // Nothing has been read by the calls that were refused.
    assert_eq!(reader.sizes(&mut [0; 4]), Ok(4));
    assert_eq!(reader.element(&mut out), Err(ReadError::NotOpen), "there is no table with the sizes");
    reader.next_section().expect("complete").expect("ids");
    assert_eq!(reader.element(&mut out[..1]), Err(ReadError::TooSmall { needed: 2 }));
    assert_eq!(reader.element(&mut out).expect("readable").expect("the first"), b"aa");
    assert_eq!(reader.element_seeking(2, &mut out).expect("the third"), b"cc");
    assert_eq!(reader.element(&mut out).expect("readable").expect("the second"), b"bb");
    // Counts beyond 64 bits, for sections without data.
    reader.next_section().expect("complete").expect("none");
    assert_eq!(reader.element(&mut out), Ok(None));
    reader.skip_seeking().expect("nothing to skip");
    reader.next_section().expect("complete").expect("huge");
    assert_eq!(reader.element(&mut out), Ok(None));
    reader.skip_seeking().expect("nothing to skip");
    assert_eq!(reader.next_section(), Ok(None));
    assert_eq!(reader.read(&mut out), Err(ReadError::NotOpen));
}

/// Elements that are decompressed have no sizes in the file; if they are left compressed, their sizes are others.
#[test]
fn sizes_of_unpacked_elements_are_refused() {
    let mut file = vec![0; 4000];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"v", b"u").expect("there is room");
    let stored = [3, 5].map(|length| scda::stored_length(length).expect("short"));
    writer.begin_compressed_varray(b"words", 2, [3, 5], stored).expect("there is room");
    writer.put_stored(b"one").expect("there is room");
    writer.put_stored(b"three").expect("there is room");
    writer.end().expect("complete");
    let length = writer.encoder().position() as usize;
    for is_unpacked in [true, false] {
        let (mut buffer, mut elements, mut sizes) = ([0; 64], [0; 64], [0; 2]);
        let decoder = Unpacker::new(scda::Decoder::new(Mode::Lenient, is_unpacked), &mut elements[..]);
        let mut reader = SectionReader::with_decoder(&file[..length], &mut buffer[..], decoder);
        while reader.next_section().expect("valid").is_some() && reader.user() != b"words" {}
        let read = reader.sizes(&mut sizes);
        let expected = if is_unpacked { (Err(ReadError::NotOpen), [0; 2]) } else { (Ok(2), stored) };
        assert_eq!((read, sizes), expected);
    }
}

#[test]
fn a_failed_seek_is_not_forgotten() {
    let file = words();
    let mut buffer = [0; 32];
    let mut source = Hiccups::new(&file);
    source.seeks_fail = true;
    let mut reader =
        SectionReader::with_decoder(source, &mut buffer[..], scda::Decoder::new(Mode::Lenient, false));
    again(|| reader.next_section()).expect("complete").expect("the header");
    again(|| reader.next_section()).expect("complete").expect("words");
    assert!(matches!(reader.element_seeking(0, &mut [0; 5]), Err(ReadError::Io(_))));
    assert_eq!(reader.next_section(), Err(ReadError::Lost));
    assert_eq!(reader.read(&mut [0; 5]), Err(ReadError::Lost));
}

/// Missing sizes and data are reported at the end of the file.
#[test]
fn an_element_beyond_the_end_is_reported() {
    let file = words();
    let start = 128 + 96 + 4 * 32;
    for end in start..start + 10 {
        let (mut buffer, mut out) = ([0; 7], [0; 10]);
        let mut reader = SectionReader::with_decoder(
            Fitful::new(&file[..end], 3),
            &mut buffer[..],
            scda::Decoder::new(Mode::Lenient, false),
        );
        reader.next_section().expect("complete").expect("the header");
        reader.next_section().expect("complete").expect("words");
        let found = format(reader.element_seeking(3, &mut out).map(|element| element.to_vec()));
        let error = found.expect_err("truncated");
        assert_eq!(error.at, end.max(start + 8) as u64, "{end}");
        reader.skip_seeking().expect("can seek");
        let error = format(reader.next_section()).expect_err("truncated");
        assert_eq!(error.at, end as u64);
    }
}

/// The rest of a section that was decompressed in part is skipped by seeking.
#[test]
fn the_rest_of_a_decompressed_section_is_skipped() {
    let mut file = vec![0; 4096];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"vendor", b"user").expect("legal");
    let text = scda::stored_length(5).expect("short");
    writer.begin_compressed_block(b"block", 5.into(), text).expect("legal");
    writer.put_stored(b"hello").expect("legal");
    writer.end().expect("complete");
    writer.begin_compressed_array(b"array", 3, 5.into(), [text; 3]).expect("legal");
    (0..3).try_for_each(|_| writer.put_stored(b"hello")).expect("legal");
    writer.end().expect("complete");
    writer.begin_compressed_varray(b"varray", 3, [5; 3], [text; 3]).expect("legal");
    (0..3).try_for_each(|_| writer.put_stored(b"hello")).expect("legal");
    writer.end().expect("complete");
    writer.write_block(b"last", b"").expect("legal");
    let length = writer.encoder().position() as usize;
    writer.finish().expect("complete");
    for (by_element, size) in [(false, 1), (true, 1), (false, 64), (true, 64)] {
        let source = Hiccups::new(&file[..length]);
        let mut reader = SectionReader::unpacking(source, vec![0; size], [0; 8]);
        let (mut out, mut users) = ([0; 5], Vec::new());
        while again(|| reader.next_section()).expect("valid").is_some() {
            users.push(reader.user().to_vec());
            if reader.section().is_compressed() {
                let read = resumed(&mut reader, SectionReader::resume, |reader, done| match by_element {
                    true => reader.element(&mut out[done..]).map(|_| ()),
                    false => reader.read_exact(&mut out[done..2]),
                });
                assert!(read.is_ok() && out.starts_with(b"he"), "{by_element} {size}");
                assert_eq!(again(|| reader.skip_seeking()), Ok(()), "{by_element} {size}");
            }
        }
        assert_eq!(users, [&b"user"[..], b"block", b"array", b"varray", b"last"], "{by_element} {size}");
    }
}
