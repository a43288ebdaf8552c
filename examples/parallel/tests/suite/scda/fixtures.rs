//! Files of other programs, and damaged ones: ranks find what a serial program finds.

use std::path::Path;

use host_tests::fixtures::Fixtures;
use host_tests::sections::{load, load_broken};
use linkstream::scda::{Count, Decoder, ErrorKind, Event, SectionType, Unpacker};
use linkstream::{Diagnostic as _, Error, Mode, drive, finish};
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::file::{Direct, Engine, SystemDisk};
use linkstream_parallel::scda::{ReadOptions, Reader};

use super::model::{Part, io_ranks, joined, read};

/// A section as the serial decoder reports it: type, counts, user string, and whether it is compressed, then the sizes
/// of a varray, and the data.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    header: (SectionType, Count, Count, Vec<u8>, bool),
    sizes: Vec<u64>,
    data: Vec<u8>,
}

/// Everything that a serial program reads, and the error that ends it.
fn serial(file: &[u8], mode: Mode, decode: bool, buffer: &mut [u8]) -> (Vec<Seen>, Option<Error<ErrorKind>>) {
    let mut unpacker = Unpacker::new(Decoder::new(mode, decode), buffer);
    let (mut sections, mut before) = (Vec::<Seen>::new(), None);
    let mut note = |event, bytes: &[u8], unpacker: &Unpacker<&mut [u8]>| match event {
        Event::Compressed(_) => before = Some(Vec::new()),
        Event::Section(section) => {
            let user = unpacker.sections().user().to_vec();
            let header = (section.section_type, section.n, section.e, user, section.is_compressed());
            let sizes = before.take().unwrap_or_default();
            sections.push(Seen { header, sizes, data: Vec::new() });
        }
        Event::Size(size) => match (&mut before, sections.last_mut()) {
            (Some(before), _) => before.push(size),
            (None, Some(seen)) => seen.sizes.push(size),
            (None, None) => {}
        },
        Event::Data => sections.last_mut().unwrap().data.extend_from_slice(bytes),
        Event::Element(_) => sections.last_mut().unwrap().data.extend_from_slice(unpacker.bytes()),
        _ => {}
    };
    let end = drive(&mut unpacker, file, &mut note);
    let end = end.and_then(|_| finish(&mut unpacker, &mut note).map(|()| 0));
    let error = match end {
        Ok(_) => None,
        Err(linkstream::CallbackError::Failed(error)) => Some(error),
        Err(linkstream::CallbackError::Callback(never)) => match never {},
    };
    // The file header.
    (sections.split_off(1.min(sections.len())), error)
}

fn parallel<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    mode: Mode,
    decode: bool,
    seed: u64,
) -> Result<Vec<Part>, linkstream_parallel::Error> {
    let reader = Reader::open(comm, engine, path, &ReadOptions { mode })?;
    read(comm, reader, decode, seed, false)
}

/// Reads a file on several ranks with both engines. The outcomes must be the same on all ranks.
fn on_ranks(path: &Path, mode: Mode, decode: bool) -> Vec<Result<Vec<Part>, linkstream_parallel::Error>> {
    let direct = Direct::<SystemDisk>::default();
    let mut all = Vec::new();
    for (seed, ranks) in [1, 2, 4, 7].into_iter().enumerate() {
        let job = Threads::on_nodes(ranks, 3);
        for uses_direct in [true, false] {
            let outcomes = job.run(|comm| match uses_direct {
                true => parallel(comm, &direct, path, mode, decode, seed as u64),
                false => parallel(comm, &io_ranks(comm), path, mode, decode, seed as u64),
            });
            let errors: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
            assert!(errors.is_empty() || errors.len() == ranks, "{}: {errors:?}", path.display());
            assert!(errors.iter().all(|error| *error == errors[0]), "{}: {errors:?}", path.display());
            all.push(outcomes.into_iter().collect::<Result<Vec<_>, _>>().map(joined));
        }
    }
    all
}

#[test]
fn files_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut buffer = vec![0; 20 << 20];
    let (mut sections, mut skipped) = (0, 0);
    for file in load(Fixtures::Ours) {
        let bytes = file.bytes();
        std::fs::write(&path, &bytes).unwrap();
        for decode in [true, false] {
            let (expected, error) = serial(&bytes, Mode::Lenient, decode, &mut buffer);
            assert_eq!(error, None, "{}", file.path);
            for found in on_ranks(&path, Mode::Lenient, decode) {
                let found = found.unwrap_or_else(|error| panic!("{}: {error}", file.path));
                assert_eq!(found.len(), expected.len(), "{}", file.path);
                for (Part { header, elements }, seen) in found.into_iter().zip(&expected) {
                    let counts = (header.section_type, header.n, header.e, header.userstr, header.decode);
                    assert_eq!(counts, seen.header, "{}", file.path);
                    // Counts that no memory has.
                    let Some(elements) = elements else {
                        skipped += 1;
                        continue;
                    };
                    if header.section_type == SectionType::Varray {
                        let sizes: Vec<_> = elements.iter().map(|element| element.len() as u64).collect();
                        assert_eq!(sizes, seen.sizes, "{}", file.path);
                    }
                    assert!(elements.concat() == seen.data, "{} at {}", file.path, header.offset);
                    sections += 1;
                }
            }
        }
    }
    assert!(sections > 5000 && skipped < 100, "{sections}, {skipped}");
}

/// Damage that ranks report in another way than a serial program: rule and offset, or none.
fn exception(path: &str) -> Option<Option<(&'static str, u64)>> {
    match path {
        // The sizes say that the text ends here. A serial program finds the end in the compressed stream, and compares
        // the sizes afterwards.
        "comp-A-split-element.scda" => Some(Some(("scda-text-truncated", 546))),
        // The elements claim more bytes than there is memory for, so the tests skip them. A serial program decompresses
        // them piece by piece.
        "comp-U-2e63.scda" | "comp-U-26-digits.scda" | "comp-size-huge.scda" | "comp-size-2e64-1.scda" => {
            Some(None)
        }
        _ => None,
    }
}

#[test]
fn damage_is_what_a_serial_program_finds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut buffer = vec![0; 20 << 20];
    let (mut refused, mut accepted) = (0, 0);
    let mut differing = Vec::new();
    for file in load_broken(Fixtures::Ours) {
        let bytes = file.bytes();
        std::fs::write(&path, &bytes).unwrap();
        for (decode, mode) in [(true, Mode::Strict), (true, Mode::Lenient), (false, Mode::Strict)] {
            let (_, error) = serial(&bytes, mode, decode, &mut buffer);
            let expected = error.map(|error| (error.kind.rule(), error.at));
            let expected = exception(&file.path).filter(|_| decode).unwrap_or(expected);
            for found in on_ranks(&path, mode, decode) {
                let found = found.map(drop).map_err(|error| (error.fault.rule, error.fault.offset));
                let is_same = match (&found, expected) {
                    (Ok(()), None) => true,
                    (Err((rule, at)), Some(expected)) => {
                        (rule.as_str(), *at) == (expected.0, Some(expected.1))
                    }
                    _ => false,
                };
                if !is_same {
                    differing
                        .push(format!("{}, {mode:?}, {decode}: {found:?}, expected {expected:?}", file.path));
                }
                match found {
                    Ok(()) => accepted += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    }
    differing.dedup();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(refused > 3000 && accepted > 100, "{refused}, {accepted}");
}
