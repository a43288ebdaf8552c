//! Every fixture is read as described by its manifest, section by section and byte by byte.

use crate::scda::model::{MODES, ScdaTrace, drive, expected};
use host_tests::drive::{Item, Trace};
use host_tests::fixtures::Fixtures;
use host_tests::sections::{Eol, File, Section as Listed, load};
use linkstream::scda::{Count, ErrorKind, Event, PlainDecoder, Section, SectionType};
use linkstream::{Class, Diagnostic as _, Mode};

fn section(listed: &Listed) -> Section {
    let letter = u8::try_from(listed.letter).expect("ASCII");
    let count = |value: Option<u128>| Count::new(value.unwrap_or(0)).expect("26 digits at most");
    Section::new(
        listed.offset,
        SectionType::from_letter(letter).expect("one of the five"),
        count(listed.n),
        count(listed.e),
    )
}

/// The trace described by the manifest, for a file with valid padding.
fn manifest_trace(file: &File, bytes: &[u8]) -> ScdaTrace {
    let mut trace = Trace { items: Vec::new(), end: Ok(()), position: file.bytes };
    for listed in &file.sections {
        let section = section(listed);
        // The manifest has neither data nor padding for the file header.
        let (data_offset, length, padding) = match listed.letter {
            'F' => (96, 0, 32),
            _ => (listed.data_offset.unwrap(), listed.data_len.unwrap(), listed.pad_len.unwrap()),
        };
        let note = [listed.user.as_slice(), listed.vendor.as_deref().unwrap_or_default()].concat();
        let after = listed.sizes_offset.unwrap_or(data_offset);
        trace.items.push(Item::Event { event: Event::Section(section), after, note });
        for (n, size) in (1..).zip(listed.sizes().unwrap_or_default()) {
            trace.items.push(Item::Event { event: Event::Size(size), after: after + 32 * n, note: vec![] });
        }
        if length > 0 {
            let crc = Some(crc32fast::hash(&listed.data(bytes)));
            trace.items.push(Item::Payload { offset: data_offset, length, crc });
        }
        let after = data_offset + length + padding;
        trace.items.push(Item::Event { event: Event::End, after, note: listed.user.clone() });
    }
    trace
}

fn files_are_read_as_the_manifest_says_of(fixtures: Fixtures) {
    for file in load(fixtures) {
        let bytes = file.bytes();
        for mode in MODES {
            let what = format!("{} {mode:?}", file.path);
            let decoder = PlainDecoder::new(mode);
            let mut trace = drive(&decoder, &bytes).whole();
            if file.eol == Eol::Arbitrary {
                if mode == Mode::Strict {
                    // The header of the file is read before, since its strings may be padded with any two bytes.
                    let error = trace.end.expect_err(&what);
                    assert_eq!((error.at, error.kind.class()), (96, Class::Padding), "{what}");
                    continue;
                }
                let (findings, others): (Vec<_>, Vec<_>) = trace.items.into_iter().partition(is_padding);
                let padded = file.sections.iter().filter(|section| section.letter != 'I').count();
                assert_eq!(findings.len(), padded, "{what}: one finding per padding is expected");
                trace.items = others;
            }
            manifest_trace(&file, &bytes).assert_same(&trace, &what);
        }
    }
}

#[test]
fn files_are_read_as_the_manifest_says() {
    files_are_read_as_the_manifest_says_of(Fixtures::Ours);
}

fn is_padding(item: &Item<Event>) -> bool {
    matches!(item, Item::Event { event: Event::Finding(found), .. } if matches!(found.kind, ErrorKind::Padding { .. }))
}

/// The offsets in a section equal the offsets in the manifest.
fn places_are_computed_of(fixtures: Fixtures) {
    for file in load(fixtures) {
        let ends = file.sections.iter().skip(1).map(|section| section.offset).chain([file.bytes]);
        for (listed, end) in file.sections.iter().zip(ends) {
            let what = format!("{} at {}", file.path, listed.offset);
            let section = section(listed);
            let length = listed.data_len.unwrap_or(0);
            let of_varray = section.section_type == SectionType::Varray;
            assert_eq!(section.data_length(), (!of_varray).then_some(length), "{what}");
            assert_eq!(section.data_offset(), Some(listed.data_offset.unwrap_or(96)), "{what}");
            assert_eq!(u64::from(section.padding(length)), listed.pad_len.unwrap_or(32), "{what}");
            assert_eq!(section.next_offset(length), Some(end), "{what}");
        }
    }
}

#[test]
fn places_are_computed() {
    places_are_computed_of(Fixtures::Ours);
}

/// Reading can begin at any section, and then reports the same as a reader that comes from the beginning of the file.
fn reading_begins_at_any_section_of(fixtures: Fixtures) {
    for file in load(fixtures) {
        let bytes = file.bytes();
        let whole = manifest_trace(&file, &bytes);
        for listed in file.sections.iter().skip(1) {
            let decoder = PlainDecoder::at(listed.offset, Mode::Lenient);
            let mut trace = drive(&decoder, &bytes[listed.offset as usize..]).whole();
            trace.items.retain(|item| !is_padding(item));
            let behind = |item: &&Item<Event>| match item {
                Item::Event { after, .. } => *after > listed.offset,
                Item::Payload { offset, .. } => *offset > listed.offset,
            };
            let items = whole.items.iter().filter(behind).cloned().collect();
            let expected = Trace { items, ..whole };
            expected.assert_same(&trace, &format!("{} from {} on", file.path, listed.offset));
            assert_eq!(decoder.vendor(), b"", "the vendor string is only at the beginning of the file");
        }
    }
}

#[test]
fn reading_begins_at_any_section() {
    reading_begins_at_any_section_of(Fixtures::Ours);
}

/// The model used in other tests agrees with the manifest.
fn the_model_is_right_of(fixtures: Fixtures) {
    for file in load(fixtures).into_iter().filter(|file| file.eol != Eol::Arbitrary) {
        let bytes = file.bytes();
        manifest_trace(&file, &bytes).assert_same(&expected(&bytes, Mode::Strict), &file.path);
    }
}

#[test]
fn the_model_is_right() {
    the_model_is_right_of(Fixtures::Ours);
}

host_tests::of_other_projects! {
    fn files_are_read_as_the_manifest_says() {
        files_are_read_as_the_manifest_says_of(Fixtures::OfOthers);
    }

    fn places_are_computed() {
        places_are_computed_of(Fixtures::OfOthers);
    }

    fn reading_begins_at_any_section() {
        reading_begins_at_any_section_of(Fixtures::OfOthers);
    }

    fn the_model_is_right() {
        the_model_is_right_of(Fixtures::OfOthers);
    }
}
