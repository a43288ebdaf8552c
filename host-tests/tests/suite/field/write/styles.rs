//! Files of tmLQCD, MILC and QIO, written again from the information that a caller has: every document equals theirs
//! byte for byte (QIO 2.3, sections 2.1.1 and 4.2; ILDG 1.2, section 2.3).

use crate::field::support::build::messages;
use crate::field::write::refusals::described;
use crate::sinks::{contents, disk};
use host_tests::fixtures::Fixtures;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::FieldWriter;
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord, RecordData, StoredChecksum};
use linkstream::xml::{ElementName, EmitError, Spacing};

/// Writes messages, with data if they have any.
fn written(file: &[(OutgoingMessage<'_>, &[u8])]) -> Vec<u8> {
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    for (message, data) in file {
        if data.is_empty() {
            writer.write_message(message).expect("legal");
        } else {
            writer.begin(message).expect("legal");
            writer.put(&data[..]).expect("as many as are missing");
            writer.end(message).expect("complete");
        }
    }
    contents(writer.finish().expect("complete"))
}

fn as_tmlqcd_writes_of(fixtures: Fixtures, path: &str, extents: [u32; 4]) {
    let file = fixtures.read(path);
    let records = messages(&file);
    let format = Format::version_1_0(GaugeKind::SU3, Precision::F64, extents);
    let made = written(&[
        (OutgoingMessage::foreign(b"xlf-info", &records[0][0].1), &[]),
        (OutgoingMessage::ildg(&format).with_checksum(true), &records[1][1].1),
    ]);
    assert!(made == file, "{path}");
}

#[test]
fn as_tmlqcd_writes() {
    as_tmlqcd_writes_of(Fixtures::Ours, "qio/alien/tmlqcd_style.lime", [2, 3, 4, 5]);
}

/// A time slice, global data and numbers without color, as QIO 3.0.0 writes them.
#[test]
fn as_qio_3_writes() {
    let date = Date::from_unix(1_704_164_645);
    for (path, dims) in
        [("qio/single/real_d_2x3x4x5.lime", [2, 3, 4, 5]), ("qio/single/real_f_4x4x4x8.lime", [4, 4, 4, 8])]
    {
        let file = Fixtures::Ours.read(path);
        let records = messages(&file);
        let text =
            |message: usize, record: usize| records[message][record].1.strip_suffix(b"\0").expect("a text");
        let lattice = PrivateFile::new(&Extents::new(&dims).expect("small"));
        let double = path.contains("_d_");
        let precision = if double { Precision::F64 } else { Precision::F32 };
        let record = PrivateRecord::real_field(precision).dated(date);
        let made = written(&[
            (OutgoingMessage::file(&lattice, text(0, 1)), &[]),
            (OutgoingMessage::scidac(&record, text(1, 1)), &records[1][2].1),
        ]);
        assert!(made == file, "{path}");
    }
}

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// The text of an emitted document.
fn emitted(emit: impl Fn(&mut [u8]) -> Result<usize, EmitError>) -> String {
    let mut buffer = [0xff; 1024];
    let length = emit(&mut buffer).expect("there is room");
    String::from_utf8(buffer[..length].to_vec()).expect("text")
}

/// There is a space after every number of a list, including the last. Elements have a fixed order, absent values are
/// omitted, and the form is one line or several.
#[test]
fn numbers_and_white_space() {
    let lattice = Extents::new(&[2, 3, 4, 5]).expect("small");
    let corner = |c: [u32; 4]| Coordinates::new(&c).expect("four");
    let cube = Hypercube::new(corner([0, 0, 0, 2]), corner([1, 2, 3, 2]), &lattice).expect("inside");
    let record = described(&PrivateRecord::new(&Region::Hypercube(cube)), "a<b>&c", "F", u32::MAX - 3);
    let record =
        record.with_data(RecordData { spins: 4, datacount: 10, ..*record.data() }).expect("they agree");
    let record = record.dated(Date::from_unix(1_704_164_645));
    assert_eq!(
        emitted(|to| record.emit(Spacing::Line, to)),
        format!(
            "{DECLARATION}<scidacRecord><version>1.1</version><date>Tue Jan  2 03:04:05 2024 UTC</date>\
             <recordtype>2</recordtype><spacetime>4</spacetime><hyperlower>0 0 0 2 </hyperlower>\
             <hyperupper>1 2 3 2 </hyperupper><datatype>a&lt;b&gt;&amp;c</datatype><precision>F</precision>\
             <spins>4</spins><typesize>4294967292</typesize><datacount>10</datacount></scidacRecord>\0"
        )
    );
    assert_eq!(
        emitted(|to| PrivateFile::new(&lattice).emit(Spacing::Lines, to)),
        format!(
            "{DECLARATION}\n<scidacFile>\n  <version>1.1</version>\n  <spacetime>4</spacetime>\n  \
             <dims>2 3 4 5 </dims>\n  <volfmt>0</volfmt>\n</scidacFile>"
        )
    );
    let rows =
        Format::new(GaugeKind::SU3, Precision::F32, [20, 1, 1, 4_000_000_000]).with_rows(2).expect("SU(3)");
    assert!(emitted(|to| rows.emit(Spacing::Line, to)).ends_with(
        "<version>1.2</version><field>su3gauge</field><rows>2</rows><precision>32</precision><lx>20</lx>\
         <ly>1</ly><lz>1</lz><lt>4000000000</lt></ildgFormat>\0"
    ));
    // Zero is a sum like any other. The form of one line has no leading zeros, the form of several lines has all
    // digits.
    for (suma, sumb, line, lines) in [
        (0, 0, ["0", "0"], ["00000000", "00000000"]),
        (1, 0xabc_def0, ["1", "abcdef0"], ["00000001", "0abcdef0"]),
        (u32::MAX, 0x1000_0000, ["ffffffff", "10000000"], ["ffffffff", "10000000"]),
    ] {
        let stored = StoredChecksum::new(Checksum { suma, sumb });
        let body = |[a, b]: [&str; 2]| format!("<suma>{a}</suma><sumb>{b}</sumb></scidacChecksum>");
        let start = format!("{DECLARATION}<scidacChecksum><version>1.0</version>");
        assert_eq!(emitted(|to| stored.emit(Spacing::Line, to)), format!("{start}{}\0", body(line)));
        let wide = emitted(|to| stored.emit(Spacing::Lines, to));
        assert_eq!(wide.replace("\n  ", "").replace('\n', ""), format!("{start}{}", body(lines)));
    }
}

/// Every text of a document is refused if white space at its ends or a control character would be lost.
#[test]
fn texts_that_would_be_lost_are_refused() {
    type Set = fn(&mut PrivateRecord, &str);
    let texts: [(ElementName, Set); 3] = [
        (ElementName::Date, |record, text| record.date = text.try_into().expect("short")),
        (ElementName::Datatype, |record, text| *record = described(record, text, "", 1)),
        (ElementName::Precision, |record, text| *record = described(record, "", text, 1)),
    ];
    for (element, set) in texts {
        for form in [Spacing::Line, Spacing::Lines] {
            for text in [" ", "a ", "\ta", "a\n", "\r", "\0", "a\0b", "\u{1}", "a\rb", "\u{ffff}"] {
                let mut record = PrivateRecord::new(&Region::Lattice);
                set(&mut record, text);
                // This error takes precedence over a document that is too long.
                assert_eq!(record.emit(form, &mut []), Err(EmitError::Text(element)), "{text:?}");
            }
            for text in ["", "a b", "a\tb", "a\nb", "\u{e4}", "<&>", "&amp;"] {
                let mut record = described(&PrivateRecord::new(&Region::Lattice), "", "", 1);
                set(&mut record, text);
                let mut buffer = [0; 512];
                let length = record.emit(form, &mut buffer).expect("readers accept it");
                assert_eq!(PrivateRecord::parse(&buffer[..length]).as_ref(), Ok(&record), "{text:?}");
            }
        }
    }
    assert_eq!(
        EmitError::Text(ElementName::Date).to_string(),
        "the text of <date> begins or ends with white space or contains a control character: readers would see another text or \
         refuse it"
    );
}

/// The dates of C's asctime, compared with a calendar computed by counting days.
#[test]
fn dates_of_four_centuries() {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let mut day = 0_u64;
    for year in 1970..=2400 {
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        for (n, month) in months.iter().enumerate() {
            let length = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][n];
            for date in 1..=length {
                let (hour, minute, second) = (day % 24, day % 60, day % 59 + 1);
                let time = day * 86_400 + hour * 3600 + minute * 60 + second;
                let weekday = weekdays[(day % 7) as usize];
                let expected =
                    format!("{weekday} {month} {date:>2} {hour:02}:{minute:02}:{second:02} {year} UTC");
                assert_eq!(Date::from_unix(time).to_string(), expected);
                day += 1;
            }
        }
    }
}

host_tests::of_other_projects! {
    fn as_tmlqcd_writes() {
        as_tmlqcd_writes_of(Fixtures::OfOthers, "wild/unity.lime", [4; 4]);
    }

    fn as_milc_wrote_with_qio_of_2005() {
        let file = Fixtures::OfOthers.read("wild/lat.sample.l4444.ildg");
        let records = messages(&file);
        let text =
            |message: usize, record: usize| records[message][record].1.strip_suffix(b"\0").expect("a text");
        let lattice = PrivateFile::new(&Extents::new(&[4; 4]).expect("small"));
        let record = described(&PrivateRecord::version_1_0(false), "QDP_F3_ColorMatrix", "F", 72);
        let data = RecordData { colors: 3, datacount: 4, ..*record.data() };
        let record = record.with_data(data).expect("they agree").dated(Date::from_unix(1_133_729_346));
        let format = Format::version_1_0(GaugeKind::SU3, Precision::F32, [4; 4]);
        let field = OutgoingMessage::scidac(&record, text(1, 1)).with_format(&format);
        let made = written(&[
            (OutgoingMessage::file(&lattice, text(0, 1)), &[]),
            (field.with_lfn("lfn://USQCD/MILC/test/lat.sample.l4444"), &records[1][4].1),
        ]);
        assert!(made == file);
    }
}
