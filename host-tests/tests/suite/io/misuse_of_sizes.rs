//! Sizes that are claimed or announced must fit the data: tables of sizes, elements of scda sections, entries of
//! matrices.

use host_tests::drive::{Fitful, Interrupted};
use linkstream::Encode as _;
use linkstream::io::{ReadError, SectionReader, SectionWriter};
use linkstream::scda::{ErrorKind, Style};

/// A variable array of 3 elements.
fn words() -> Vec<u8> {
    let mut file = vec![0; 1000];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"v", b"u").expect("there is room");
    writer.write_varray(b"words", [&b"one"[..], b"", b"three"]).expect("there is room");
    let length = writer.encoder().position() as usize;
    writer.finish().expect("complete");
    file.truncate(length);
    file
}

type Words<'b> = SectionReader<'b, Fitful<'b>, &'b mut [u8]>;

fn at_words<'b>(file: &'b [u8], buffer: &'b mut [u8]) -> Words<'b> {
    let mut reader = SectionReader::new(Fitful::new(file, 5), buffer);
    while reader.next_section().expect("valid").is_some() && reader.user() != b"words" {}
    reader
}

type Size = Result<Option<usize>, ReadError<Interrupted, ErrorKind>>;

fn element(reader: &mut Words<'_>, out: &mut [u8]) -> Size {
    Ok(reader.element(out)?.map(|bytes| bytes.len()))
}

/// The sizes of elements come from the file, or the call is refused.
#[test]
fn missing_sizes_are_not_invented() {
    let (file, mut out) = (words(), [0; 8]);
    // Refused before a size is read: with a longer table, all elements come.
    let (mut buffer, mut short, mut table) = ([0; 64], [0; 1], [0; 3]);
    let mut reader = at_words(&file, &mut buffer).with_table(&mut short);
    assert_eq!(element(&mut reader, &mut out), Err(ReadError::TooSmall { needed: 3 }));
    let mut reader = reader.with_table(&mut table);
    for (size, text) in [(3, &b"one"[..]), (0, b""), (5, b"three")] {
        assert_eq!(element(&mut reader, &mut out), Ok(Some(size)));
        assert_eq!(&out[..size], text);
    }
    assert_eq!(element(&mut reader, &mut out), Ok(None));
    // Nor are the sizes lost.
    let (mut buffer, mut sizes) = ([0; 64], [0; 3]);
    let mut reader = at_words(&file, &mut buffer);
    assert_eq!(element(&mut reader, &mut out), Err(ReadError::TooSmall { needed: 3 }));
    assert_eq!((reader.sizes(&mut sizes), sizes), (Ok(3), [3, 0, 5]));
    // A table after the first sizes does not have them.
    let (mut buffer, mut table) = ([0; 64], [0; 3]);
    let mut reader = at_words(&file, &mut buffer);
    assert_eq!(reader.sizes(&mut sizes[..2]), Ok(2));
    let mut reader = reader.with_table(&mut table);
    assert_eq!(element(&mut reader, &mut out), Err(ReadError::NotOpen));
    assert_eq!(reader.sizes(&mut sizes), Ok(1));
    assert_eq!(reader.read_exact(&mut out), Ok(()));
    assert_eq!(&out, b"onethree");
}
