//! Properties that hold for any sections, any cut, and for files with changed bytes.

use crate::scda::model::strategy::{Content, contents, count, counts, cut_places, cuts, styles};
use crate::scda::model::{
    Body, MODES, Plain, ScdaTrace, build, count_line, drive, expected, restored, sizes_of,
};
use host_tests::drive::Trace;
use linkstream::Encode as _;
use linkstream::scda::{Count, Encoder, Event, PlainDecoder, SectionType, Style};
use linkstream::{Decode, Mode};
use proptest::collection::vec;
use proptest::prelude::*;

/// The file written by the encoder.
fn encode(style: Style, content: &Content) -> Vec<u8> {
    let mut encoder = Encoder::new(style);
    let mut bytes = encoder.header(&content.vendor, &content.user).expect("fits").to_vec();
    for Plain { user, body } in &content.sections {
        let data = match body {
            Body::Inline(data) => {
                bytes.extend_from_slice(encoder.inline(user).expect("fits"));
                data.to_vec()
            }
            Body::Block(data) => {
                let length = (data.len() as u64).into();
                bytes.extend_from_slice(encoder.block(user, length).expect("fits"));
                data.clone()
            }
            Body::Array { n, e, data } => {
                bytes.extend_from_slice(encoder.array(user, count(*n), count(*e)).expect("fits"));
                data.clone()
            }
            Body::Varray(elements) => {
                let n = (elements.len() as u64).into();
                bytes.extend_from_slice(encoder.varray(user, n).expect("fits"));
                for size in sizes_of(elements) {
                    bytes.extend_from_slice(&encoder.size(size).expect("the encoder expects it"));
                }
                elements.concat()
            }
        };
        encoder.put(&data).expect("there is room");
        bytes.extend_from_slice(&data);
        bytes.extend_from_slice(encoder.end().expect("complete"));
        assert_eq!(encoder.position(), bytes.len() as u64);
    }
    encoder.finish().expect("nothing is open");
    bytes
}

/// The content that a decoder finds if the file is pushed in pieces; `None` if the file is refused.
fn decode(bytes: &[u8], cuts: &[usize]) -> Option<Content> {
    let mut decoder = PlainDecoder::new(Mode::Strict);
    let mut content = Content { vendor: Vec::new(), user: Vec::new(), sections: Vec::new() };
    let (mut sizes, mut data) = (Vec::new(), Vec::new());
    let mut take = |decoder: &PlainDecoder, event: Event, bytes: &[u8]| match event {
        Event::Section(section) if section.section_type == SectionType::Header => {
            content.vendor = decoder.vendor().to_vec();
            content.user = decoder.user().to_vec();
        }
        Event::Section(_) => (sizes, data) = (Vec::new(), Vec::new()),
        Event::Size(size) => sizes.push(size as usize),
        Event::Data => data.extend_from_slice(bytes),
        Event::End => {
            let section = decoder.section();
            let body = match section.section_type {
                SectionType::Header => return,
                SectionType::Inline => Body::Inline(data.as_slice().try_into().expect("32 bytes")),
                SectionType::Block => Body::Block(data.clone()),
                SectionType::Array => {
                    Body::Array { n: section.n.get(), e: section.e.get(), data: data.clone() }
                }
                SectionType::Varray => {
                    let mut rest = data.as_slice();
                    let element = |size: &usize| rest.split_off(..*size).expect("as long as all").to_vec();
                    Body::Varray(sizes.iter().map(element).collect())
                }
            };
            content.sections.push(Plain { user: decoder.user().to_vec(), body });
        }
        other => panic!("{other:?} in strict mode"),
    };
    let mut from = 0;
    for to in cuts.iter().copied().chain([bytes.len()]) {
        let mut piece = &bytes[from..to];
        while !piece.is_empty() {
            let step = decoder.push(piece).ok()?;
            let (bytes, rest) = piece.split_at(step.consumed);
            if let Some(event) = step.event {
                take(&decoder, event, bytes);
            }
            piece = rest;
        }
        from = to;
    }
    while let Some(event) = decoder.finish().ok()? {
        take(&decoder, event, &[]);
    }
    Some(content)
}

/// Reads in every fundamentally different way and compares with the model.
fn assert_read_as_the_model(bytes: &[u8], cuts: &[usize], mode: Mode) {
    let decoder = PlainDecoder::new(mode);
    let drive = drive(&decoder, bytes);
    let model = expected(bytes, mode);
    let seed = bytes.len() as u64;
    model.assert_same(&drive.whole(), &format!("{mode:?} whole"));
    model.assert_same(&drive.chunks(1), &format!("{mode:?} 1 byte"));
    model.assert_same(&drive.cut(cuts, restored), &format!("{mode:?} cut and restored"));
    model.assert_same(&drive.pull_reading(50, 30, seed), &format!("{mode:?} read"));
    let skipped = drive.skipping(seed);
    let outline = drive.outline(&skipped);
    outline.assert_same(&drive.outline(&drive.pull_skipping(50, 1, seed)), &format!("{mode:?} skip"));
    outline.assert_same(&drive.outline(&drive.pull_seeking(50, 1, seed)), &format!("{mode:?} seek"));
    if model.end != skipped.end {
        // The only error that a reader may miss if it skips data; it then continues.
        let error = model.end.expect_err("the model reports an error");
        assert!(matches!(error.kind, linkstream::scda::ErrorKind::Padding { .. }), "{error}");
        let Trace { items, .. } = drive.outline(&model);
        assert!(outline.items.starts_with(&items), "before the error the same must be reported");
    } else {
        drive.outline(&model).assert_same(&outline, &format!("{mode:?} skipping"));
    }
}

/// Offsets in `bytes` of the two bytes with arbitrary values at the end of strings and counts.
fn any_bytes(trace: &ScdaTrace) -> Vec<usize> {
    let mut lines = vec![32];
    for event in trace.items.iter().filter_map(|item| match item {
        host_tests::drive::Item::Event { event, after, .. } => Some((event, *after as usize)),
        host_tests::drive::Item::Payload { .. } => None,
    }) {
        match event {
            (Event::Section(section), after) => {
                let head = if section.offset == 0 { 32 } else { section.offset as usize } + 64;
                lines.extend((head..=after).step_by(32));
            }
            (Event::Size(_), after) => lines.push(after),
            _ => {}
        }
    }
    lines.into_iter().flat_map(|end| [end - 2, end - 1]).collect()
}

proptest! {
    #[test]
    fn written_files_read_back(content in contents(), style in styles(), cuts in cuts()) {
        let bytes = encode(style, &content);
        prop_assert_eq!(&bytes, &build(style, &content.vendor, &content.user, &content.sections));
        let cuts = cut_places(&cuts, bytes.len());
        prop_assert_eq!(decode(&bytes, &cuts), Some(content));
        for mode in MODES {
            assert_read_as_the_model(&bytes, &cuts, mode);
        }
    }

    #[test]
    fn counts_round_trip(value in counts(), style in styles()) {
        let mut encoder = Encoder::new(style);
        let mut bytes = encoder.header(b"", b"").expect("fits").to_vec();
        bytes.extend_from_slice(encoder.array(b"", count(value), 0.into()).expect("no data"));
        let line = &bytes[192..224];
        prop_assert_eq!(line, count_line(style, b'N', value));
        bytes.extend_from_slice(encoder.end().expect("complete"));
        let body = Body::Array { n: value, e: 0, data: Vec::new() };
        let content = decode(&bytes, &[]).expect("written correctly");
        prop_assert_eq!(content.sections, vec![Plain { user: Vec::new(), body }]);
        prop_assert_eq!(count(value).to_u64(), u64::try_from(value).ok());
        prop_assert_eq!(count(value).to_string(), value.to_string());
        prop_assert_eq!(Count::new(value + 10_u128.pow(26)), None);
    }

    /// Bytes are changed anywhere, but mostly in strings, padding and counts. Strict mode accepts only what would be
    /// written, except for the two bytes with arbitrary values at the end of a string or count, and the style of each
    /// padding.
    #[test]
    fn changed_bytes_are_seen(
        content in contents(),
        style in styles(),
        changes in vec((any::<prop::sample::Index>(), prop_oneof![
            any::<u8>(),
            prop::sample::select(b" -\r\n=0123456789NEIBAVF".as_slice()),
        ]), 1..4),
        cuts in cuts(),
    ) {
        let mut bytes = encode(style, &content);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let cuts = cut_places(&cuts, bytes.len());
        for mode in MODES {
            assert_read_as_the_model(&bytes, &cuts, mode);
        }
        if let Some(found) = decode(&bytes, &cuts) {
            let again = crate::scda::model::STYLES.map(|s| build(s, &found.vendor, &found.user, &found.sections));
            let free = any_bytes(&expected(&bytes, Mode::Strict));
            prop_assert_eq!(again[0].len(), bytes.len());
            for (n, byte) in bytes.iter().enumerate() {
                let written = again[0][n] == *byte || again[1][n] == *byte;
                prop_assert!(written || free.contains(&n), "byte {} at {} has no effect", byte, n);
            }
        }
    }

    /// Pieces of valid files in any order, and random bytes.
    #[test]
    fn lines_in_any_order(
        lines in vec(prop_oneof![
            (prop::sample::select(b"NEU".as_slice()), counts()).prop_map(|(l, n)| count_line(Style::Unix, l, n)),
            (prop::sample::select(b"NE".as_slice()), 0..70_u128).prop_map(|(l, n)| count_line(Style::Mime, l, n)),
            prop::sample::select(b"IBAVFX".as_slice()).prop_map(|letter| {
                build(Style::Unix, b"", b"some", &[])[32..96].iter().map(|b| if *b == b'F' { letter } else { *b }).collect()
            }),
            Just(b"\n=============================\n\n".to_vec()),
            vec(any::<u8>(), 0..40),
        ], 0..12),
        cuts in cuts(),
    ) {
        let bytes = [build(Style::Unix, b"v", b"u", &[]), lines.concat()].concat();
        let cuts = cut_places(&cuts, bytes.len());
        for mode in MODES {
            assert_read_as_the_model(&bytes, &cuts, mode);
        }
    }
}
