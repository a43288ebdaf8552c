//! The SciDAC documents, read and written again: QIO's documents are restored byte for byte, and every document that is
//! written reads back as the same.

use crate::field::support::documents::{is_of_qio, payloads};
use host_tests::fixtures::Fixtures;
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData, RecordType, StoredChecksum, VolumeFormat};
use linkstream::xml::Spacing;
use linkstream::xml::{ElementName, EmitError, ErrorKind};
use proptest::prelude::*;

/// Writes with `emit` to a buffer that is large enough, to one of exactly the right size, and to one that is too small.
fn emitted(emit: impl Fn(&mut [u8]) -> Result<usize, EmitError>) -> Vec<u8> {
    let mut buffer = vec![0xaa; 4096];
    let length = emit(&mut buffer).expect("large enough");
    assert!(buffer[length..].iter().all(|byte| *byte == 0xaa), "nothing may be written after the document");
    buffer.truncate(length);
    assert_eq!(emit(&mut vec![0; length]), Ok(length), "the exact size must be sufficient");
    assert_eq!(emit(&mut vec![0; length - 1]), Err(EmitError::TooSmall { needed: length }));
    assert_eq!(emit(&mut []), Err(EmitError::TooSmall { needed: length }));
    buffer
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn documents_come_back(fixtures: Fixtures) -> [u32; 3] {
    let mut counts = [0; 3];
    for (place, payload) in payloads(fixtures, "scidac-private-file-xml") {
        let document = PrivateFile::parse(&payload).unwrap_or_else(|e| panic!("{place}: {e}"));
        if is_of_qio(&payload) {
            assert_eq!(text(&emitted(|to| document.emit(Spacing::Line, to))), text(&payload), "{place}");
            counts[0] += 1;
        }
    }
    for (place, payload) in payloads(fixtures, "scidac-private-record-xml") {
        let document = PrivateRecord::parse(&payload).unwrap_or_else(|e| panic!("{place}: {e}"));
        if is_of_qio(&payload) {
            assert_eq!(text(&emitted(|to| document.emit(Spacing::Line, to))), text(&payload), "{place}");
            counts[1] += 1;
        }
    }
    for (place, payload) in payloads(fixtures, "scidac-checksum") {
        let document = StoredChecksum::parse(&payload).unwrap_or_else(|e| panic!("{place}: {e}"));
        if is_of_qio(&payload) {
            assert_eq!(text(&emitted(|to| document.emit(Spacing::Line, to))), text(&payload), "{place}");
            counts[2] += 1;
        }
    }
    counts
}

#[test]
fn documents_of_qio_come_back_byte_for_byte() {
    let counts = documents_come_back(Fixtures::Ours);
    assert!(counts.iter().zip([80, 150, 150]).all(|(found, least)| *found >= least), "{counts:?}");
}

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// A list in QIO's form.
fn list(numbers: &[u32]) -> String {
    numbers.iter().map(|n| format!("{n} ")).collect()
}

/// Text without white space at its ends, which would not be part of a value.
fn any_text(most: usize) -> impl Strategy<Value = String> {
    "[ -~\u{e4}\u{3b1}]{0,80}".prop_map(move |text: String| {
        let mut kept = String::new();
        for c in text.trim().chars() {
            if kept.len() + c.len_utf8() <= most {
                kept.push(c);
            }
        }
        kept.trim().to_owned()
    })
}

fn any_extents() -> impl Strategy<Value = Vec<u32>> {
    prop_oneof![
        proptest::collection::vec(1_u32..=200, 1..=8),
        proptest::collection::vec(prop_oneof![Just(1_u32), Just(u32::MAX), any::<u32>()], 1..=2)
            .prop_map(|list| list.into_iter().map(|n| n.max(1)).collect()),
    ]
}

/// A hypercube in a lattice: two coordinates in ascending order for each dimension.
fn any_box(extents: &[u32]) -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> + use<> {
    let pair = |extent: &u32| (0..*extent, 0..*extent).prop_map(|(a, b)| (a.min(b), a.max(b)));
    extents.iter().map(pair).collect::<Vec<_>>().prop_map(|pairs| pairs.into_iter().unzip())
}

/// The values of a private record XML that are chosen at random.
#[derive(Debug, Clone)]
struct Words {
    date: String,
    datatype: String,
    precision: String,
    numbers: [u32; 4],
}

fn any_words() -> impl Strategy<Value = Words> {
    let number = prop_oneof![1_u32..1000, Just(u32::MAX), any::<u32>().prop_map(|n| n.max(1))];
    let missing = prop_oneof![Just(0_u32), number.clone()];
    (any_text(64), any_text(64), any_text(8), (missing.clone(), missing, number.clone(), number)).prop_map(
        |(date, datatype, precision, (colors, spins, typesize, datacount))| Words {
            date,
            datatype,
            // An item consists of whole words.
            numbers: [
                colors,
                spins,
                if matches!(&*precision, "F" | "D" | "I" | "S") { 72 } else { typesize },
                datacount,
            ],
            precision,
        },
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn record_of(region: &Region, words: &Words) -> PrivateRecord {
    let mut record = PrivateRecord::new(region);
    record.date = words.date.as_str().try_into().expect("fits");
    let [colors, spins, typesize, datacount] = words.numbers;
    let datatype = words.datatype.as_str().try_into().expect("fits");
    let precision = words.precision.as_str().try_into().expect("fits");
    let data = RecordData { datatype, precision, colors, spins, typesize, datacount };
    record.with_data(data).expect("random texts name no datatype")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_private_file_is_written_as_qio_does_and_read_back(extents in any_extents()) {
        let lattice = Extents::new(&extents).expect("no overflow");
        let file = PrivateFile::new(&lattice);
        let written = emitted(|to| file.emit(Spacing::Line, to));
        let expected = format!(
            "{DECLARATION}<scidacFile><version>1.1</version><spacetime>{}</spacetime>\
             <dims>{}</dims><volfmt>0</volfmt></scidacFile>\0",
            extents.len(), list(&extents),
        );
        prop_assert_eq!(text(&written), expected);
        let read = PrivateFile::parse(&written).expect("own document");
        prop_assert_eq!(read.extents(), Some(lattice));
        prop_assert_eq!(read.volume_format(), VolumeFormat::Single);
        prop_assert_eq!(read, file);
    }

    #[test]
    fn any_private_record_is_written_as_qio_does_and_read_back(
        (extents, bounds) in any_extents().prop_flat_map(|e| (Just(e.clone()), any_box(&e))),
        kind in 0..3_u32,
        words in any_words(),
    ) {
        let lattice = Extents::new(&extents).expect("no overflow");
        let [lower, upper] = [&bounds.0, &bounds.1].map(|c| Coordinates::new(c).expect("up to 8"));
        let region = match kind {
            0 => Region::Lattice,
            1 => Region::Global,
            _ => Region::Hypercube(Hypercube::new(lower, upper, &lattice).expect("inside")),
        };
        let record = record_of(&region, &words);
        let written = emitted(|to| record.emit(Spacing::Line, to));
        let hypercube = match kind {
            2 => format!(
                "<spacetime>{}</spacetime><hyperlower>{}</hyperlower><hyperupper>{}</hyperupper>",
                extents.len(), list(&bounds.0), list(&bounds.1),
            ),
            _ => String::new(),
        };
        let [colors, spins, typesize, datacount] = words.numbers;
        let optional = |name: &str, n: u32| match n {
            0 => String::new(),
            n => format!("<{name}>{n}</{name}>"),
        };
        let expected = format!(
            "{DECLARATION}<scidacRecord><version>1.1</version><date>{}</date><recordtype>{kind}</recordtype>\
             {hypercube}<datatype>{}</datatype><precision>{}</precision>{}{}<typesize>{typesize}</typesize>\
             <datacount>{datacount}</datacount></scidacRecord>\0",
            escaped(&words.date), escaped(&words.datatype), escaped(&words.precision),
            optional("colors", colors), optional("spins", spins),
        );
        prop_assert_eq!(text(&written), expected);

        let read = PrivateRecord::parse(&written).expect("own document");
        prop_assert_eq!(read.version(), "1.1");
        prop_assert_eq!(&*read.date, &*words.date);
        prop_assert_eq!(&*read.datatype, &*words.datatype);
        prop_assert_eq!(&*read.precision, &*words.precision);
        prop_assert_eq!([read.colors, read.spins, read.typesize, read.datacount], words.numbers);
        prop_assert_eq!(read.region(&lattice), Ok(region));
        prop_assert_eq!(read.bytes_per_site(), u64::from(typesize) * u64::from(datacount));
        prop_assert_eq!(read, record, "the document must read back as the same");
    }

    #[test]
    fn any_sums_are_written_unpadded_and_read_back(
        suma in prop_oneof![Just(0_u32), 0..0x1000_u32, any::<u32>()],
        sumb in prop_oneof![Just(0_u32), 0..0x1000_u32, any::<u32>()],
    ) {
        let sums = Checksum { suma, sumb };
        let stored = StoredChecksum::new(sums);
        let written = emitted(|to| stored.emit(Spacing::Line, to));
        let expected = format!(
            "{DECLARATION}<scidacChecksum><version>1.0</version><suma>{suma:x}</suma><sumb>{sumb:x}</sumb>\
             </scidacChecksum>\0",
        );
        prop_assert_eq!(text(&written), expected);
        let read = StoredChecksum::parse(&written).expect("own document");
        prop_assert_eq!(read.checksum(), Some(sums));
        prop_assert_eq!(read, stored);
    }
}

/// A document of version 1.0, which has other elements, keeps its version when it is written again.
#[test]
fn documents_of_version_1_0_keep_their_version() {
    for (multifile, format) in [(1, VolumeFormat::Single), (0, VolumeFormat::Multifile)] {
        let document = format!(
            "{DECLARATION}<scidacFile><version>1.0</version><spacetime>1</spacetime><dims>5 </dims>\
             <multifile>{multifile}</multifile></scidacFile>\0"
        );
        let file = PrivateFile::parse(document.as_bytes()).expect("version 1.0");
        assert_eq!((file.version(), file.volume_format()), ("1.0", format));
        assert_eq!(text(&emitted(|to| file.emit(Spacing::Line, to))), document);
    }
    // Partitions are described since version 1.1.
    let old = "<scidacFile><version>1.0</version><spacetime>1</spacetime><dims>5 </dims><multifile>1</multifile></scidacFile>";
    let old = PrivateFile::parse(old.as_bytes()).expect("version 1.0");
    for (format, version) in [
        (VolumeFormat::Single, "1.0"),
        (VolumeFormat::Multifile, "1.0"),
        (VolumeFormat::Partition, "1.1"),
        (VolumeFormat::PartitionDirectory, "1.1"),
    ] {
        let file = old.clone().with_volume_format(format);
        assert_eq!((file.version(), file.volume_format()), (version, format));
        let read = PrivateFile::parse(&emitted(|to| file.emit(Spacing::Line, to))).expect("complete");
        assert_eq!((read.version(), read.volume_format()), (version, format));
    }
    for (globaldata, kind) in [(0, RecordType::Field), (1, RecordType::Global)] {
        let document = format!(
            "{DECLARATION}<scidacRecord><version>1.0</version><date>d</date><globaldata>{globaldata}</globaldata>\
             <datatype>QLA_F_Real</datatype><precision>F</precision><typesize>4</typesize>\
             <datacount>3</datacount></scidacRecord>\0"
        );
        let record = PrivateRecord::parse(document.as_bytes()).expect("version 1.0");
        assert_eq!((record.version(), record.record_type()), ("1.0", kind));
        assert_eq!(text(&emitted(|to| record.emit(Spacing::Line, to))), document);
    }
    // Even globaldata may be missing, which means a field.
    let document = b"<scidacRecord><version>1.0</version><datatype>t</datatype><precision>F</precision>\
        <typesize>4</typesize><datacount>3</datacount></scidacRecord>";
    assert_eq!(PrivateRecord::parse(document).expect("a field").record_type(), RecordType::Field);
}

/// The element that contains the volume format or the region depends only on the version.
#[test]
fn elements_of_another_version_do_not_count() {
    let file = |version: &str, elements: &str| {
        let document = format!(
            "<scidacFile><version>{version}</version><spacetime>1</spacetime><dims>5</dims>{elements}</scidacFile>"
        );
        PrivateFile::parse(document.as_bytes()).map_err(|e| e.kind).map(|file| file.volume_format())
    };
    let both = ["<volfmt>0</volfmt><multifile>0</multifile>", "<multifile>0</multifile><volfmt>0</volfmt>"];
    for elements in both {
        assert_eq!(file("1.1", elements), Ok(VolumeFormat::Single), "{elements}");
        assert_eq!(file("1.0", elements), Ok(VolumeFormat::Multifile), "{elements}");
    }
    assert_eq!(file("1.1", "<multifile>1</multifile>"), Err(ErrorKind::Missing(ElementName::Volfmt)));
    assert_eq!(file("1.0", "<multifile>1</multifile>"), Ok(VolumeFormat::Single));

    let record = |version: &str, elements: &str| {
        let document = format!(
            "<scidacRecord><version>{version}</version>{elements}<datatype>t</datatype><precision>F</precision>\
             <typesize>4</typesize><datacount>3</datacount></scidacRecord>"
        );
        PrivateRecord::parse(document.as_bytes()).map_err(|e| e.kind).map(|record| record.record_type())
    };
    let both = [
        "<recordtype>0</recordtype><globaldata>1</globaldata>",
        "<globaldata>1</globaldata><recordtype>0</recordtype>",
    ];
    for elements in both {
        assert_eq!(record("1.1", elements), Ok(RecordType::Field), "{elements}");
    }
    assert_eq!(record("1.1", "<globaldata>1</globaldata>"), Err(ErrorKind::Missing(ElementName::Recordtype)));
    assert_eq!(record("1.0", "<globaldata>1</globaldata>"), Ok(RecordType::Global));
}

/// QIO omits both sums if one is zero. An absent sum is unknown, and is not written.
#[test]
fn absent_sums_stay_absent() {
    let read = |elements: &str| {
        let document =
            format!("{DECLARATION}<scidacChecksum><version>1.0</version>{elements}</scidacChecksum>\0");
        let stored = StoredChecksum::parse(document.as_bytes()).expect("no error");
        assert_eq!(text(&emitted(|to| stored.emit(Spacing::Line, to))), document);
        (stored.suma(), stored.sumb(), stored.checksum())
    };
    assert_eq!(read(""), (None, None, None));
    assert_eq!(read("<suma>1f</suma>"), (Some(0x1f), None, None));
    assert_eq!(read("<sumb>0</sumb>"), (None, Some(0), None));
    let both = Checksum { suma: 0, sumb: u32::MAX };
    assert_eq!(read("<suma>0</suma><sumb>ffffffff</sumb>"), (Some(0), Some(u32::MAX), Some(both)));
}

host_tests::of_other_projects! {
    fn documents_of_qio_come_back_byte_for_byte() {
        assert_eq!(documents_come_back(Fixtures::OfOthers), [3, 5, 5]);
    }
}
