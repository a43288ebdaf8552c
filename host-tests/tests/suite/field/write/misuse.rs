//! Messages that an encoder refuses to begin, with the error message for each. A refusal does not change the encoder
//! (ILDG 1.2, sections 2.2, 2.4 and 2.6).

use crate::field::write::refusals::{described, in_data, lattice, not_begun, real, refused, su3, two, write};
use linkstream::Encode as _;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};
use linkstream::ildg::Format;
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};
use linkstream::xml::Spacing;

const INVALID: &str =
    "invalid message: it must be one of a file message, data, a logical file name, and a foreign record";

#[test]
fn invalid_messages_are_refused() {
    let (format, file, record) = (two(), lattice(&[2, 2]), real(&Region::Lattice));
    let mut encoder = Encoder::new();
    let messages = [
        OutgoingMessage::default(),
        OutgoingMessage::default().with_spacing(Spacing::Lines).with_checksum(true),
        OutgoingMessage::file(&file, b"").with_format(&format),
        OutgoingMessage::file(&file, b"").with_lfn("name"),
        OutgoingMessage::foreign(b"own", b"").with_format(&format),
        OutgoingMessage::foreign(b"own", b"").with_lfn("name"),
        // A record with a defined type must not be written without validation.
        OutgoingMessage::foreign(b"ildg-data-lfn", b"two words"),
        OutgoingMessage::foreign(b"ildg-binary-data", b""),
        OutgoingMessage::foreign(b"scidac-binary-data", b""),
        OutgoingMessage::foreign(b"scidac-private-file-xml", b""),
    ];
    for message in &messages {
        not_begun(&mut encoder, message, EncodeErrorKind::MessageInvalid, INVALID);
    }
    // A volume of a file set does not have the whole lattice.
    let part = b"<scidacFile><version>1.1</version><spacetime>1</spacetime><dims>2</dims><volfmt>2</volfmt></scidacFile>";
    let part = PrivateFile::parse(part).expect("legal");
    not_begun(&mut encoder, &OutgoingMessage::file(&part, b""), EncodeErrorKind::MessageInvalid, INVALID);
    let update = OutgoingMessage::default().with_update("1");
    let sentence = "an update number needs an ildg-format";
    not_begun(&mut encoder, &update, EncodeErrorKind::UpdateWithoutFormat, sentence);
    let update = OutgoingMessage::scidac(&record, b"").with_update("1");
    not_begun(&mut encoder, &update, EncodeErrorKind::UpdateWithoutFormat, sentence);
}

#[test]
fn texts_in_forbidden_places_are_refused() {
    let (format, file) = (two(), lattice(&[2, 2]));
    let mut encoder = Encoder::new();
    let digits = "the update number is not a string of digits";
    for update in ["", " ", "-1", "1.0", "0x1", "12 13", "7\n", "\t7", "x"] {
        let message = OutgoingMessage::ildg(&format).with_update(update);
        not_begun(&mut encoder, &message, EncodeErrorKind::UpdateNotDigits, digits);
    }
    let one = "the logical file name must be a single string: not empty and without white space";
    for name in ["", " ", "a b", " a", "a\n", "a\tb"] {
        not_begun(&mut encoder, &OutgoingMessage::lfn(name), EncodeErrorKind::LfnNotOneString, one);
        not_begun(
            &mut encoder,
            &OutgoingMessage::ildg(&format).with_lfn(name),
            EncodeErrorKind::LfnNotOneString,
            one,
        );
    }
    for (text, found) in [("a\0", 0), ("a\r\n", 13), ("\u{7f}", 0x7f), ("ä", 0xc3), ("\x1b[", 0x1b)] {
        let sentence = format!("byte {found:02x} is not allowed in this text");
        let kind = EncodeErrorKind::TextByte { found };
        not_begun(&mut encoder, &OutgoingMessage::lfn(text), kind, &sentence);
        not_begun(&mut encoder, &OutgoingMessage::ildg(&format).with_update(text), kind, &sentence);
    }
    // A user's text ends at its first NUL, so that it must not contain one.
    let nul = "byte 00 is not allowed in this text";
    not_begun(
        &mut encoder,
        &OutgoingMessage::file(&file, b"a\0b"),
        EncodeErrorKind::TextByte { found: 0 },
        nul,
    );
    write(&mut encoder, &OutgoingMessage::file(&file, "f\u{fc}r \u{1}".as_bytes()));
    let record = real(&Region::Lattice);
    not_begun(
        &mut encoder,
        &OutgoingMessage::scidac(&record, b"\0"),
        EncodeErrorKind::TextByte { found: 0 },
        nul,
    );
}

#[test]
fn unreadable_documents_are_not_written() {
    use linkstream::field::DocumentName as Name;
    use linkstream::xml::{ElementName, EmitError, ErrorKind};
    let mut encoder = Encoder::new();
    let document = |name, kind| EncodeErrorKind::Document(name, kind);

    // Extents without sites or with too many, then documents without their required elements.
    for format in [su3([0, 1, 1, 1]), su3([u32::MAX; 4])] {
        let found = encoder.begin(&OutgoingMessage::ildg(&format), &mut [0; 1024]).expect_err("no lattice");
        let EncodeErrorKind::Document(Name::Format, kind @ ErrorKind::Extents(_)) = found else {
            panic!("{found:?}")
        };
        let sentence = format!("in {}: {kind}", Name::Format);
        not_begun(&mut encoder, &OutgoingMessage::ildg(&format), found, &sentence);
    }
    let kind = ErrorKind::Missing(ElementName::Version);
    let sentence = |name: Name| format!("in {}: {kind}", name);
    let (format, file, record) = (Format::default(), PrivateFile::default(), real(&Region::Lattice));
    not_begun(
        &mut encoder,
        &OutgoingMessage::ildg(&format),
        document(Name::Format, kind),
        &sentence(Name::Format),
    );
    let expected = document(Name::PrivateFile, kind);
    not_begun(&mut encoder, &OutgoingMessage::file(&file, b""), expected, &sentence(Name::PrivateFile));

    let whole = lattice(&[4, 4]);
    write(&mut encoder, &OutgoingMessage::file(&whole, b""));
    let none = described(&PrivateRecord::default(), "", "", 1);
    let expected = document(Name::PrivateRecord, kind);
    not_begun(&mut encoder, &OutgoingMessage::scidac(&none, b""), expected, &sentence(Name::PrivateRecord));
    for (typesize, datacount, element) in [(0, 1, ElementName::Typesize), (1, 0, ElementName::Datacount)] {
        let data = RecordData { typesize, datacount, ..RecordData::default() };
        let of_nothing = record.with_data(data).expect("nothing contradicts it");
        let kind = ErrorKind::Value(element);
        let sentence = format!("in {}: {kind}", Name::PrivateRecord);
        let expected = document(Name::PrivateRecord, kind);
        not_begun(&mut encoder, &OutgoingMessage::scidac(&of_nothing, b""), expected, &sentence);
    }
    // A hypercube of another lattice.
    let large = Extents::new(&[9, 9]).expect("legal");
    let corner = |c: u32| Coordinates::new(&[c, c]).expect("two");
    let cube = Region::Hypercube(Hypercube::new(corner(4), corner(8), &large).expect("inside"));
    let found =
        encoder.begin(&OutgoingMessage::scidac(&real(&cube), b""), &mut [0; 1024]).expect_err("outside");
    let EncodeErrorKind::Document(Name::PrivateRecord, kind @ ErrorKind::Hypercube(_)) = found else {
        panic!("{found:?}")
    };
    let sentence = format!("in {}: {kind}", Name::PrivateRecord);
    not_begun(&mut encoder, &OutgoingMessage::scidac(&real(&cube), b""), found, &sentence);

    // Values that `emit` refuses.
    for text in [" x", "x ", "a\0b", "\n"] {
        let blank = described(&record, text, "D", 8);
        let error = EmitError::Text(ElementName::Datatype);
        let expected = EncodeErrorKind::Emit(Name::PrivateRecord, error);
        let sentence = format!("{}: {error}", Name::PrivateRecord);
        not_begun(&mut encoder, &OutgoingMessage::scidac(&blank, b""), expected, &sentence);
    }
}

#[test]
fn messages_that_do_not_fit_into_the_file() {
    let (format, file, record) = (two(), lattice(&[2, 2]), real(&Region::Lattice));
    let mut encoder = Encoder::new();
    let sentence = "a SciDAC record needs a file message before it, which contains the lattice";
    not_begun(&mut encoder, &OutgoingMessage::scidac(&record, b""), EncodeErrorKind::FileMissing, sentence);
    write(&mut encoder, &OutgoingMessage::file(&file, b""));
    let sentence = "the file already has a file message";
    not_begun(&mut encoder, &OutgoingMessage::file(&file, b""), EncodeErrorKind::FileRepeated, sentence);

    // Different extents, sizes and precisions.
    let sentence = "the SciDAC record and the ildg-format describe different data";
    let single = described(&real(&Region::Lattice), "two singles", "F", 8);
    let other = [
        (real(&Region::Lattice), two()),
        (real(&Region::Global), Format::new(two().kind(), Precision::F64, [2, 2, 1, 1])),
    ];
    for (record, format) in &other {
        let message = OutgoingMessage::scidac(record, b"").with_format(format);
        not_begun(&mut encoder, &message, EncodeErrorKind::DescriptionsDiffer, sentence);
    }
    let mut encoder = Encoder::new();
    write(&mut encoder, &OutgoingMessage::file(&lattice(&[2, 1, 1, 1]), b""));
    let of = |datacount| record.with_data(RecordData { datacount, ..*record.data() }).expect("they agree");
    let large = of(3);
    for record in [&single, &large, &real(&Region::Global)] {
        let message = OutgoingMessage::scidac(record, b"").with_format(&format);
        not_begun(&mut encoder, &message, EncodeErrorKind::DescriptionsDiffer, sentence);
    }
    let four = of(4);
    for record in [&record, &four] {
        let _ = encoder
            .clone()
            .begin(&OutgoingMessage::scidac(record, b"").with_format(&format), &mut [0; 1024])
            .expect("both hold");
    }

    // Two fields of a kind need update numbers, and so does every later field.
    let sentence = "the file contains several gauge fields of the same kind, or several updates: each field needs an update number";
    let mut encoder = Encoder::new();
    write(&mut encoder, &OutgoingMessage::ildg(&format));
    not_begun(&mut encoder, &OutgoingMessage::ildg(&format), EncodeErrorKind::UpdateMissing, sentence);
    not_begun(
        &mut encoder,
        &OutgoingMessage::ildg(&format).with_update("2"),
        EncodeErrorKind::UpdateMissing,
        sentence,
    );
    write(&mut encoder, &OutgoingMessage::ildg(&su3([2, 1, 1, 1])));
    let mut encoder = Encoder::new();
    write(&mut encoder, &OutgoingMessage::ildg(&format).with_update("1"));
    not_begun(&mut encoder, &OutgoingMessage::ildg(&format), EncodeErrorKind::UpdateMissing, sentence);
    write(&mut encoder, &OutgoingMessage::ildg(&format).with_update("2"));
    not_begun(
        &mut encoder,
        &OutgoingMessage::ildg(&su3([2, 1, 1, 1])),
        EncodeErrorKind::UpdateMissing,
        sentence,
    );

    // Fields with SciDAC documents are exempt: QIO writes no updates.
    let mut of_qio = Encoder::new();
    write(&mut of_qio, &OutgoingMessage::file(&lattice(&[2, 1, 1, 1]), b""));
    for _ in 0..2 {
        write(&mut of_qio, &OutgoingMessage::scidac(&record, b"").with_format(&format));
    }
    let sentence = "the file already contains a gauge field of this kind with the same update number";
    for update in ["1", "2"] {
        let message = OutgoingMessage::ildg(&format).with_update(update);
        not_begun(&mut encoder, &message, EncodeErrorKind::UpdateRepeated, sentence);
    }
    let sentence = "the file already has a logical file name";
    write(&mut encoder, &OutgoingMessage::lfn("lfn://a"));
    not_begun(&mut encoder, &OutgoingMessage::lfn("lfn://a"), EncodeErrorKind::LfnRepeated, sentence);
    let again = OutgoingMessage::ildg(&format).with_update("3").with_lfn("lfn://b");
    not_begun(&mut encoder, &again, EncodeErrorKind::LfnRepeated, sentence);

    let sentence = "the length of the data in bytes does not fit in 64 bits";
    // The length overflows by far, by little, and only with the records around the data.
    let phases = |extents| Format::new(two().kind(), Precision::F32, extents);
    let far =
        [su3([1 << 31, 1 << 31, 1, 1]), su3([1 << 28, 1 << 27, 2, 1]), phases([u32::MAX, 1 << 29, 1, 1])];
    for format in &far {
        let mut encoder = Encoder::new();
        not_begun(&mut encoder, &OutgoingMessage::ildg(format), EncodeErrorKind::DataOverflow, sentence);
    }
}

#[test]
fn invalid_records_are_refused() {
    let mut encoder = Encoder::new();
    for record_type in [&[b'x'; 128][..], b"a\0b"] {
        let found = encoder.begin(&OutgoingMessage::foreign(record_type, b""), &mut []).expect_err("no type");
        let EncodeErrorKind::Lime(kind) = found else { panic!("{found:?}") };
        not_begun(&mut encoder, &OutgoingMessage::foreign(record_type, b""), found, &kind.to_string());
    }
    // One field in too many pieces, by seeking.
    let format = Format::new(two().kind(), Precision::F64, [64, 1, 1, 1]);
    let mut encoder = in_data(&OutgoingMessage::ildg(&format));
    for index in 0..16 {
        encoder.seek(3 * index).expect("a site");
        encoder.put(&[1; 8]).expect("not written before");
    }
    encoder.seek(48).expect("a site");
    let found = encoder.clone().put(&[1; 8]).expect_err("too many pieces");
    let EncodeErrorKind::Lime(kind) = found else { panic!("{found:?}") };
    assert_eq!(kind, linkstream::lime::EncodeErrorKind::TooManyPieces { limit: 16 });
    refused(&mut encoder, |encoder| encoder.put(&[1; 8]), found, &kind.to_string());
}
