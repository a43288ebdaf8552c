//! Files of the fixtures are read and written again. The result is the same byte for byte if the writer supports their
//! style; otherwise this module gives the reason.

use crate::field::support::build::messages;
use crate::field::write::written::{Content, by_parts, by_pieces, by_sites};
use crate::sinks::disk;
use host_tests::fixtures::Fixtures;
use host_tests::formula::site_bytes;
use host_tests::manifest::{Entry, load_fields};
use linkstream::field::Encoder;
use linkstream::io::{FieldWriter, Fill};
use linkstream::lattice::reverse_words;

/// The reason why the output differs from the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Because {
    /// Documents contain white space, comments, prefixes or attributes of their writer, without a difference in
    /// meaning.
    OtherWhiteSpace,
    /// QIO omits the sums if one is zero; this writer writes the zero, as the format specifies.
    ZeroSums,
    /// QIO's converter keeps the type `ildg-binary-data` although it removes the `ildg-format`.
    IldgDataWithoutFormat,
    /// A record of a private type is inside a message.
    ForeignInside,
    /// The file was damaged by QIO's append: it still contains the tail of the file that was overwritten.
    StaleTail,
    /// A document that cannot be parsed.
    Unreadable,
}

const OTHER_STYLE: [(&str, Because); 21] = [
    ("lat.sample.l4448.foreign", Because::Unreadable),
    ("convert/ildg_back_scidac.lime", Because::IldgDataWithoutFormat),
    ("quirks/checksum_suma_zero.lime", Because::ZeroSums),
    ("quirks/checksum_both_zero.lime", Because::ZeroSums),
    ("quirks/single_append_overwrites.lime", Because::StaleTail),
    ("alien/ildg12_two_messages.lime", Because::OtherWhiteSpace),
    ("alien/ildg12_lfn_first_d.lime", Because::OtherWhiteSpace),
    ("alien/ildg10_one_message_foreign.lime", Because::ForeignInside),
    ("alien/ildg12_rows2.lime", Because::OtherWhiteSpace),
    ("alien/ildg12_rows3_explicit.lime", Because::OtherWhiteSpace),
    ("alien/ildg12_su2gauge.lime", Because::OtherWhiteSpace),
    ("alien/ildg12_u1gauge.lime", Because::OtherWhiteSpace),
    ("alien/ildg12_u1phase.lime", Because::OtherWhiteSpace),
    ("alien/ildg12_two_updates.lime", Because::OtherWhiteSpace),
    ("alien/ildg12_three_dim.lime", Because::OtherWhiteSpace),
    ("alien/grid_style.lime", Because::ForeignInside),
    ("alien/scidac_grid_dialect_no_grid_record.lime", Because::OtherWhiteSpace),
    ("alien/xml_comment_in_ildg_format.lime", Because::OtherWhiteSpace),
    ("alien/xml_comment_inside.lime", Because::OtherWhiteSpace),
    ("alien/xml_prefix_and_quotes.lime", Because::OtherWhiteSpace),
    ("alien/xml_unknown_elements.lime", Because::OtherWhiteSpace),
];

/// The files that are complete without others.
fn whole_files(fixtures: Fixtures) -> Vec<Entry> {
    let whole = |entry: &Entry| entry.set.is_none() && !entry.path.ends_with(".nersc");
    load_fields(fixtures).into_iter().filter(whole).collect()
}

type Messages = Vec<Vec<(Vec<u8>, Vec<u8>)>>;

fn contents_of(messages: &Messages) -> Option<Vec<Content>> {
    messages.iter().map(|records| Content::of(records)).collect()
}

fn files_come_back_byte_for_byte_of(fixtures: Fixtures) -> (u32, usize) {
    let (mut same, mut other) = (0, 0);
    for entry in whole_files(fixtures) {
        let path = entry.path.as_str();
        let because = OTHER_STYLE.iter().find(|(listed, _)| *listed == path).map(|(_, because)| *because);
        let file = entry.bytes();
        let messages = messages(&file);
        if let Some(because) = because {
            explain(path, because, &file, &messages);
            other += 1;
            continue;
        }
        let contents = contents_of(&messages).unwrap_or_else(|| panic!("{path}: cannot be written"));
        let written = by_sites(&contents, 1 << 16).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(
            written == file,
            "{path}: differs at {:?}",
            written.iter().zip(&file).position(|(a, b)| a != b)
        );
        same += 1;
        if file.len() < 200_000 {
            assert!(by_pieces(&contents, 1).expect(path) == file, "{path} in pieces");
            for count in [1, 2, 5] {
                assert!(by_parts(&contents, count, 7).expect(path) == file, "{path} by {count}");
            }
        }
    }
    (same, other)
}

#[test]
fn files_come_back_byte_for_byte() {
    let (same, other) = files_come_back_byte_for_byte_of(Fixtures::Ours);
    assert_eq!((same, other), (63, OTHER_STYLE.len() - 1));
}

/// Verifies that the difference has the given reason.
fn explain(path: &str, because: Because, file: &[u8], messages: &Messages) {
    let contents = contents_of(messages);
    let written = contents.as_ref().map(|contents| by_sites(contents, 1 << 16));
    match because {
        Because::Unreadable | Because::ForeignInside => assert!(contents.is_none(), "{path}"),
        Because::StaleTail => {
            // All messages are complete, and the old tail follows them.
            let written = written.expect(path).expect(path);
            assert!(file.len() > written.len() && file.starts_with(&written), "{path}");
        }
        Because::ZeroSums => {
            let again = self::messages(&written.expect(path).expect(path));
            let mut differ = 0;
            for (ours, theirs) in again.iter().flatten().zip(messages.iter().flatten()) {
                if ours == theirs {
                    continue;
                }
                differ += 1;
                assert_eq!(ours.0, b"scidac-checksum", "{path}");
                let (ours, theirs) = (String::from_utf8_lossy(&ours.1), String::from_utf8_lossy(&theirs.1));
                assert!(ours.contains("<suma>0</suma>") && !theirs.contains("<suma>"), "{path}: {ours}");
            }
            assert_eq!(differ, 1, "{path}");
        }
        Because::IldgDataWithoutFormat | Because::OtherWhiteSpace => {
            let written = written.expect(path).expect(path);
            let again = self::messages(&written);
            let types = |messages: &Messages| -> Vec<Vec<Vec<u8>>> {
                let of = |message: &Vec<(Vec<u8>, Vec<u8>)>| {
                    message.iter().map(|record| record.0.clone()).collect()
                };
                messages.iter().map(of).collect()
            };
            let in_types = types(&again) != types(messages);
            assert_eq!(in_types, because == Because::IldgDataWithoutFormat, "{path}");
            let meaning = |messages: &Messages| {
                let contents = contents_of(messages).expect(path);
                let versions_aside = |content: Content| {
                    let record =
                        content.record.map(|(record, text)| (record.datatype, record.typesize, text));
                    let extents = content.file.map(|(file, text)| (file.extents(), text));
                    let format =
                        content.format.map(|format| (format.kind(), format.rows(), format.extents()));
                    (record, extents, format, content.update, content.lfn, content.data)
                };
                contents.into_iter().map(versions_aside).collect::<Vec<_>>()
            };
            assert!(meaning(&again) == meaning(messages), "{path}");
        }
    }
}

#[test]
fn data_of_the_formulas_are_written_as_qio_wrote_them() {
    let mut records = 0;
    for entry in whole_files(Fixtures::Ours) {
        let logical = entry.logical_records();
        let exact = |f: &str| !matches!(f, "su3" | "");
        if !entry.path.starts_with("single/") || !logical.iter().all(|record| exact(&record.formula)) {
            continue;
        }
        let file = entry.bytes();
        let contents = contents_of(&messages(&file)).expect("QIO's style");
        let mut logical = logical.iter();
        let mut buffer = vec![0; 20_000];
        let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
        for content in &contents {
            let message = content.message();
            if !content.has_data() {
                writer.write_message(&message).expect("memory does not fail");
                continue;
            }
            let record = logical.next().expect("one for each");
            records += 1;
            let sites = Fill::sites(|site| {
                // Like a program, this passes words in native byte order.
                let mut native = site_bytes(record, site.rank());
                if cfg!(target_endian = "little") {
                    reverse_words(&mut native, record.word_size as usize);
                }
                let words = native.chunks(record.word_size as usize);
                match record.precision.as_str() {
                    "F" => site
                        .put(&words.map(|w| f32::from_ne_bytes(w.try_into().unwrap())).collect::<Vec<_>>()),
                    "D" => site
                        .put(&words.map(|w| f64::from_ne_bytes(w.try_into().unwrap())).collect::<Vec<_>>()),
                    _ if record.word_size == 4 => site
                        .put(&words.map(|w| u32::from_ne_bytes(w.try_into().unwrap())).collect::<Vec<_>>()),
                    _ => site.put(&native),
                }
            });
            let field = writer.write(&message, sites);
            field.unwrap_or_else(|error| panic!("{}: {error}", entry.path));
        }
        assert!(
            crate::sinks::contents(writer.finish().expect("all messages are complete")) == file,
            "{}",
            entry.path
        );
    }
    assert!(records > 60, "{records}");
}

host_tests::of_other_projects! {
    fn files_come_back_byte_for_byte() {
        assert_eq!(files_come_back_byte_for_byte_of(Fixtures::OfOthers), (4, 1));
    }
}
