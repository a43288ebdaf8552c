//! Calls of [`SectionReader`], for sections as they are stored and decompressed, with and without a table of sizes.

use std::fmt::Debug;

use embedded_io::ErrorKind;
use linkstream::Encode as _;
use linkstream::io::{ReadError, SectionReader, SectionWriter, Sections};
use linkstream::scda::{Style, stored_length};

use super::{Case, Unsteady, replaced, run};

/// A byte that no section has.
const UNTOUCHED: u8 = 0xEE;

/// Number of elements of each array.
const N: usize = 20;

const CALLS: &[&str] = &[
    "next_section",
    "element",
    "element",
    "element",
    "read",
    "read_exact",
    "sizes",
    "element_seeking",
    "skip_seeking",
    "resume",
];

/// A section as it is read without failures.
struct Truth {
    user: Vec<u8>,
    elements: Vec<Vec<u8>>,
    bytes: Vec<u8>,
    /// The sizes that can be read before the data.
    sizes: Vec<u64>,
}

/// The name of a failed call, and the amount that it has delivered.
type Pending = (&'static str, usize);

/// The place in the current section.
struct Model<'s> {
    section: &'s Truth,
    /// The number of the next element, and of the bytes of it that were delivered.
    element: (usize, usize),
    /// The number of bytes that were delivered by calls that do not read elements.
    byte: usize,
    size: usize,
    pending: Pending,
}

impl<'s> Model<'s> {
    fn new(section: &'s Truth) -> Self {
        Self { section, element: (0, 0), byte: 0, size: 0, pending: ("", 0) }
    }

    fn rest_of_element(&self) -> &'s [u8] {
        self.section.elements.get(self.element.0).map_or(&[], |element| &element[self.element.1..])
    }

    fn rest(&self) -> &'s [u8] {
        &self.section.bytes[self.byte..]
    }

    fn rest_of_sizes(&self) -> &'s [u64] {
        &self.section.sizes[self.size..]
    }

    fn resume(&mut self) {
        match std::mem::take(&mut self.pending) {
            ("element", done) => self.element.1 += done,
            ("sizes", done) => self.size += done,
            (_, done) => self.byte += done,
        }
    }
}

fn case<D: Sections>(
    case: &mut Case,
    mut reader: SectionReader<'_, Unsteady<'_>, Vec<u8>, D>,
    sections: &[Truth],
    has_table: bool,
) {
    let mut sections = sections.iter();
    // `None` if no section is open.
    let mut open: Option<Model<'_>> = None;
    for _ in 0..60 {
        let mut out = [UNTOUCHED; 64];
        let room = case.random.below(64);
        let call = case.call(CALLS);
        let result = match (call, &mut open) {
            ("next_section", _) => {
                open = None;
                case.check(reader.next_section()).map(|next| {
                    let section = sections.next();
                    assert_eq!(next.is_some(), section.is_some());
                    open = section.map(Model::new);
                    assert!(section.is_none_or(|section| reader.user() == section.user));
                })
            }
            ("skip_seeking", _) if !case.is_chosen(4) => continue,
            ("skip_seeking", _) => {
                let done = open.take().map_or(0, |model| model.pending.1);
                let result = case.check(reader.skip_seeking());
                let resumed = reader.resume();
                assert!(resumed == 0 || resumed == done);
                result
            }
            ("resume", Some(model)) => {
                assert_eq!(reader.resume(), model.pending.1);
                model.resume();
                Ok(())
            }
            ("element", Some(model)) => match case.check(reader.element(&mut out[..room])) {
                Ok(Some(element)) => {
                    assert_eq!((&*element, model.pending.1), (model.rest_of_element(), 0));
                    model.element = (model.element.0 + 1, 0);
                    case.delivered += 1;
                    Ok(())
                }
                Ok(None) => {
                    assert_eq!(model.element, (model.section.elements.len(), 0));
                    Ok(())
                }
                Err(error) => Err(error),
            },
            ("read", Some(model)) => case.check(reader.read(&mut out[..room])).map(|n| {
                assert_eq!((&out[..n], model.pending.1), (&model.rest()[..n], 0));
                assert!(n > 0 || room == 0 || model.rest().is_empty());
                model.byte += n;
                case.delivered += 1;
            }),
            ("read_exact", Some(model)) => case.check(reader.read_exact(&mut out[..room])).map(|()| {
                assert_eq!((&out[..room], model.pending.1), (&model.rest()[..room], 0));
                model.byte += room;
                case.delivered += 1;
            }),
            ("sizes", Some(model)) => {
                let untouched = [u64::MAX; 3];
                let mut sizes = untouched;
                let result = case.check(reader.sizes(&mut sizes));
                match &result {
                    Ok(n) => {
                        assert_eq!((&sizes[..*n], model.pending.1), (&model.rest_of_sizes()[..*n], 0));
                        model.size += n;
                        assert!(*n == 3 || model.rest_of_sizes().is_empty());
                    }
                    Err(_) => {
                        let n = replaced(&sizes, &untouched);
                        assert_eq!(sizes[..n], model.rest_of_sizes()[..n]);
                        if n > 0 {
                            model.pending = (call, n);
                        }
                    }
                }
                result.map(|_| ())
            }
            ("element_seeking", Some(model)) if !model.section.elements.is_empty() => {
                let index = case.random.below(model.section.elements.len());
                let expected = &model.section.elements[index];
                match case.check(reader.element_seeking(index as u64, &mut out[..room])) {
                    Ok(element) => {
                        assert_eq!(element, expected);
                        case.delivered += 1;
                    }
                    Err(ReadError::TooSmall { needed }) => assert_eq!(needed, expected.len() as u64),
                    Err(error) => {
                        assert!(matches!(error, ReadError::Io(_) | ReadError::Lost | ReadError::NotOpen))
                    }
                }
                continue;
            }
            (_, Some(_)) => continue,
            (_, None) => case.check(reader.element(&mut out).map(|_| panic!("no section is open"))),
        };
        let Err(error) = result else { continue };
        check(call, error, open.as_mut(), &out[..room], has_table);
    }
}

/// An error is from the source, or refuses what cannot be delivered. A part of the data may be in `out`.
fn check<K: Debug>(
    call: &'static str,
    error: ReadError<ErrorKind, K>,
    open: Option<&mut Model<'_>>,
    out: &[u8],
    has_table: bool,
) {
    let Some(model) = open else {
        return assert!(!matches!(error, ReadError::TooSmall { .. } | ReadError::TooFew { .. }), "{error:?}");
    };
    let n = out.iter().position(|byte| *byte == UNTOUCHED).unwrap_or(out.len());
    if n > 0 {
        let rest = if call == "element" { model.rest_of_element() } else { model.rest() };
        assert_eq!((&out[..n], model.pending.1), (&rest[..n], 0));
        model.pending = (call, n);
    }
    match error {
        ReadError::Io(_) | ReadError::Lost | ReadError::NotOpen => {}
        ReadError::Interrupted { done } => assert!(done > 0 && done == model.pending.1 as u64),
        ReadError::TooSmall { needed } => {
            let is_of_table = !has_table && needed == N as u64;
            assert!(is_of_table || needed == model.rest_of_element().len() as u64, "{needed}");
        }
        // Only decompressed bytes are delivered.
        ReadError::TooFew { left } => {
            assert!(left == model.rest().len() as u64 && (n == 0 || n as u64 == left), "{left}");
        }
        error => panic!("{error:?}"),
    }
}

/// The sections as readers find them in memory: one with a table of sizes, which reads elements, and another one.
fn truth<'f, D: Sections>(
    mut by_element: SectionReader<'_, &'f [u8], Vec<u8>, D>,
    mut by_byte: SectionReader<'_, &'f [u8], Vec<u8>, D>,
) -> Vec<Truth> {
    let mut sections = Vec::new();
    while by_element.next_section().expect("valid").is_some() {
        by_byte.next_section().expect("valid");
        let (mut elements, mut out, mut bytes, mut sizes) = (Vec::new(), [0; 100], vec![0; 2000], [0; N]);
        while let Some(element) = by_element.element(&mut out).expect("valid") {
            elements.push(element.to_vec());
        }
        let n = by_byte.sizes(&mut sizes).unwrap_or(0);
        let mut length = 0;
        while let n @ 1.. = by_byte.read(&mut bytes[length..]).expect("valid") {
            length += n;
        }
        bytes.truncate(length);
        sections.push(Truth { user: by_byte.user().to_vec(), elements, bytes, sizes: sizes[..n].to_vec() });
    }
    sections
}

/// Elements of up to 12 bytes, and a file that has them in sections of each type.
fn file() -> (Vec<Vec<u8>>, Vec<u8>) {
    let elements: Vec<Vec<u8>> =
        (0..N).map(|n| (0..n * 7 % 13).map(|byte| (10 * n + byte) as u8).collect()).collect();
    let array = elements.concat();
    let array = &array[..5 * N];
    let text = |element: &Vec<u8>| stored_length(element.len() as u64).expect("short");
    let mut file = vec![0; 10_000];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"vendor", b"header").expect("legal");
    writer.write_inline(b"inline", b"thirty-two bytes of data, exact\n").expect("legal");
    writer.write_varray(b"varray", &elements).expect("legal");
    writer.write_array(b"array", 5, array).expect("legal");
    let sizes = elements.iter().map(|element| element.len() as u64);
    writer
        .begin_compressed_varray(b"packed varray", N as u64, sizes, elements.iter().map(text))
        .expect("legal");
    elements.iter().for_each(|element| writer.put_stored(element).expect("legal"));
    writer.end().expect("complete");
    writer.write_block(b"block", &elements[11]).expect("legal");
    writer.begin_compressed_block(b"packed block", 12.into(), text(&elements[11])).expect("legal");
    writer.put_stored(&elements[11]).expect("legal");
    writer.end().expect("complete");
    let length = writer.encoder().position() as usize;
    writer.finish().expect("complete");
    file.truncate(length);
    (elements, file)
}

#[test]
fn sections_are_read_by_any_calls() {
    let (elements, file) = file();
    let mut table = [0; N];
    let buffer = || vec![0; 100];
    let stored = truth(
        SectionReader::new(&file[..], buffer()).with_table(&mut table),
        SectionReader::new(&file[..], buffer()),
    );
    assert_eq!(stored[2].elements, elements);
    let unpacked = truth(
        SectionReader::unpacking(&file[..], buffer(), [0; 16]).with_table(&mut [0; N]),
        SectionReader::unpacking(&file[..], buffer(), [0; 16]),
    );
    assert_eq!((&unpacked[4].elements, &unpacked[4].bytes), (&elements, &elements.concat()));
    for has_table in [false, true] {
        let delivered = run(1000, |each| {
            let mut table = [0; N];
            let mut reader = SectionReader::new(each.source(&file), each.buffer());
            if has_table {
                reader = reader.with_table(&mut table);
            }
            case(each, reader, &stored, has_table);
        });
        assert!(delivered > 1000, "{delivered}");
        let delivered = run(1000, |each| {
            let mut table = [0; N];
            let mut reader = SectionReader::unpacking(each.source(&file), each.buffer(), [0; 16]);
            if has_table {
                reader = reader.with_table(&mut table);
            }
            case(each, reader, &unpacked, has_table);
        });
        assert!(delivered > 1000, "{delivered}");
    }
}
