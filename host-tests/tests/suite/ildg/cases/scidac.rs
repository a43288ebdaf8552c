//! SciDAC files, with and without ILDG records.

use linkstream::Severity;

use super::{Case, NEED_OF_UPDATES, QIO, SECTION_2_2, case};
use crate::field::support::build::Part;
use crate::field::support::ildg::At::{End, Payload, Record, Text};
use crate::field::support::ildg::{data, format, lfn};

const FILE: &str = "<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>2 1 1 2</dims><volfmt>0</volfmt></scidacFile>";

const WITHOUT_DATA: &str = "file-without-data";
const QIO_AND_ILDG: &str = "QIO 2.3, section 2.1.1; ILDG 1.2, section 2.2";
const CONTRADICTION: &str = "scidac-record-contradiction";

pub fn scidac_file() -> Vec<Part> {
    vec![("scidac-private-file-xml", FILE.into()), ("scidac-file-xml", "f".into())]
}

/// A message with a record of four sites of 8 bytes and the correct checksum.
pub fn scidac_message() -> Vec<Part> {
    let record = "<scidacRecord><version>1.1</version><date>now</date><recordtype>0</recordtype>\
        <datatype>t</datatype><precision>F</precision><typesize>8</typesize><datacount>1</datacount></scidacRecord>";
    let (_, bytes) = data("u1phase");
    let (a, b) = host_tests::oracle::checksum(&bytes, 8, 0..4);
    let sums = format!(
        "<scidacChecksum><version>1.0</version><suma>{a:x}</suma><sumb>{b:x}</sumb></scidacChecksum>"
    );
    vec![
        ("scidac-private-record-xml", record.into()),
        ("scidac-record-xml", "r".into()),
        ("scidac-binary-data", bytes),
        ("scidac-checksum", sums.into_bytes()),
    ]
}

/// A message of QIO's ILDG mode with the data of a part of the lattice, whereas its format describes the whole lattice.
fn of_part(region: &str, sites: std::ops::Range<u64>) -> Vec<Part> {
    let mut message = scidac_message();
    let text = String::from_utf8(message[0].1.clone()).expect("ASCII");
    message[0].1 = text.replace("<recordtype>0</recordtype>", region).into();
    let length = 8 * (sites.end - sites.start) as usize;
    message[2] = ("ildg-binary-data", data("u1phase").1[..length].to_vec());
    let (a, b) = host_tests::oracle::checksum(&message[2].1, 8, sites);
    let sums = format!(
        "<scidacChecksum><version>1.0</version><suma>{a:x}</suma><sumb>{b:x}</sumb></scidacChecksum>"
    );
    message[3].1 = sums.into_bytes();
    message.splice(2..2, [format("u1phase"), lfn("a")]);
    message
}

/// SciDAC and ILDG documents in the same message.
pub fn mixed() -> Vec<Case> {
    let found = |rule, severity, at| (rule, SECTION_2_2, severity, at);
    let of_ildg = |mut message: Vec<Part>| {
        message[2].0 = "ildg-binary-data";
        message
    };
    let beside = |kind: &str| {
        let mut message = scidac_message();
        message.splice(2..2, [format(kind), lfn("a")]);
        vec![scidac_file(), message]
    };
    let mut behind = scidac_message();
    behind.splice(3..3, [format("u1phase")]);
    // Elements of SciDAC documents are in no namespace.
    let mut foreign = scidac_file();
    let declared = "<scidacFile xmlns:p=\"http://www.lqcd.org/ildg\"><p:dims>9</p:dims>";
    foreign[0].1 = FILE.replace("<scidacFile>", declared).into_bytes();
    let mut dated = scidac_message();
    let text = String::from_utf8(dated[0].1.clone()).expect("ASCII");
    dated[0].1 = text
        .replace("now", &"now ".repeat(17))
        .replace("<datatype>t", &format!("<datatype>{}", "t".repeat(200)))
        .into();
    let too_long = |at| ("xml-value-too-long", "QIO 2.3, section 4.2", Severity::Warning, at);
    vec![
        case("plain SciDAC", vec![scidac_file(), scidac_message(), scidac_message()], &[], 2),
        case(
            "type of ILDG",
            vec![scidac_file(), of_ildg(scidac_message())],
            &[found("ildg-format-missing", Severity::Info, Record(1, 2))],
            1,
        ),
        case("namespace of ILDG", vec![foreign, scidac_message()], &[], 1),
        case("both", beside("u1phase"), &[], 1),
        case(
            "both, and they differ",
            beside("su2gauge"),
            &[("descriptions-differ", "ILDG 1.2, section 2.3", Severity::Error, Record(1, 4))],
            1,
        ),
        case(
            "a format of the lattice beside a hypercube",
            vec![
                scidac_file(),
                of_part(
                    "<recordtype>2</recordtype><spacetime>4</spacetime><hyperlower>0 0 0 1</hyperlower>\
                     <hyperupper>1 0 0 1</hyperupper>",
                    2..4,
                ),
            ],
            &[("descriptions-differ", "ILDG 1.2, section 2.3", Severity::Info, Record(1, 4))],
            1,
        ),
        case(
            "a format of the lattice beside global data",
            vec![scidac_file(), of_part("<recordtype>1</recordtype>", 0..1)],
            &[("descriptions-differ", "ILDG 1.2, section 2.3", Severity::Info, Record(1, 4))],
            1,
        ),
        case(
            "SciDAC with a format after the data",
            vec![scidac_file(), behind, vec![lfn("a")]],
            &[found("ildg-format-behind-data", Severity::Warning, Record(1, 3))],
            1,
        ),
        case(
            "two fields of QIO",
            vec![scidac_file(), beside("u1phase")[1].clone(), beside("u1phase")[1].clone()],
            &[
                found("ildg-lfn-repeated", Severity::Info, Payload(2, 3)),
                ("ildg-update-missing", NEED_OF_UPDATES, Severity::Info, Record(2, 4)),
            ],
            2,
        ),
        case(
            "texts that nothing depends on",
            vec![scidac_file(), dated],
            &[too_long(Text(1, 0, "<date>")), too_long(Text(1, 0, "<datatype>"))],
            1,
        ),
    ]
}

/// Requirements on QIO's documents, so that the list of rules is complete.
pub fn scidac() -> Vec<Case> {
    let found = |rule, severity, at| (rule, QIO, severity, at);
    let changed = |record: usize, from: &str, to: &str| {
        let mut message = scidac_message();
        message[record].1 = String::from_utf8_lossy(&message[record].1).replace(from, to).into();
        vec![scidac_file(), message]
    };
    let without = |record: usize| {
        let mut message = scidac_message();
        message.remove(record);
        message
    };
    let mut beside_format = scidac_message();
    beside_format.splice(2..2, [format("u1phase"), lfn("a")]);
    let volume = ("scidac-private-file-xml", FILE.replace("<volfmt>0", "<volfmt>1").into_bytes());
    vec![
        case(
            "no file",
            vec![scidac_message()],
            &[found("scidac-file-missing", Severity::Error, Record(0, 2))],
            0,
        ),
        case(
            "no file, but a format",
            vec![beside_format.clone()],
            &[found("scidac-file-absent", Severity::Warning, Record(0, 0))],
            1,
        ),
        case(
            "a volume",
            vec![vec![volume, scidac_file()[1].clone()]],
            &[("scidac-volume-set", "QIO 2.3, section 2.2", Severity::Error, Payload(0, 0))],
            0,
        ),
        case(
            "no file text",
            vec![vec![scidac_file()[0].clone()]],
            &[
                found("scidac-file-xml-missing", Severity::Warning, Record(0, 0)),
                (WITHOUT_DATA, QIO_AND_ILDG, Severity::Error, Record(0, 0)),
            ],
            0,
        ),
        case(
            "only the message of the file",
            vec![scidac_file()],
            &[(WITHOUT_DATA, QIO_AND_ILDG, Severity::Error, Record(0, 0))],
            0,
        ),
        case(
            "only a name",
            vec![vec![("x", vec![]), lfn("a")]],
            &[(WITHOUT_DATA, QIO_AND_ILDG, Severity::Error, Record(0, 1))],
            0,
        ),
        case(
            "no record text",
            vec![scidac_file(), without(1)],
            &[found("scidac-record-xml-missing", Severity::Warning, Record(1, 0))],
            1,
        ),
        case(
            "no data",
            vec![scidac_file(), without(2)],
            &[found("data-missing", Severity::Error, Record(1, 0))],
            0,
        ),
        case(
            "no sums",
            vec![scidac_file(), without(3)],
            &[found("checksum-missing", Severity::Warning, Record(1, 2))],
            1,
        ),
        case(
            "one sum",
            changed(3, "sumb", "sumx"),
            &[found("checksum-absent", Severity::Info, Payload(1, 3))],
            1,
        ),
        case(
            "sums without data",
            vec![scidac_file(), vec![scidac_message()[3].clone()]],
            &[
                found("checksum-without-data", Severity::Warning, Payload(1, 0)),
                (WITHOUT_DATA, QIO_AND_ILDG, Severity::Error, Record(0, 0)),
            ],
            0,
        ),
    ]
}

/// Records that contradict themselves, and texts of the user that are not well-formed.
pub fn contradictions() -> Vec<Case> {
    let record = |datatype: &str, precision: &str| {
        let mut message = scidac_message();
        let text = String::from_utf8(message[0].1.clone()).expect("ASCII");
        let (was, now) = ("<datatype>t</datatype><precision>F<", format!("<datatype>{datatype}</datatype>"));
        assert!(text.contains(was));
        message[0].1 = text.replace(was, &format!("{now}<precision>{precision}<")).into();
        vec![scidac_file(), message]
    };
    let colors = |mut messages: Vec<Vec<Part>>| {
        let text = String::from_utf8(messages[1][0].1.clone()).expect("ASCII");
        messages[1][0].1 = text.replace("<typesize>", "<colors>2</colors><typesize>").into();
        messages
    };
    let found = |severity| (CONTRADICTION, "QIO 2.3, section 4.2", severity, Payload(1, 0));
    let certain = [found(Severity::Info)];
    let ambiguous = [found(Severity::Error)];
    let user = |record: usize, text: &[u8]| {
        let mut messages = vec![scidac_file(), scidac_message()];
        messages[record][1].1 = text.to_vec();
        messages
    };
    let mut not_utf8 = vec![scidac_file(), scidac_message()];
    not_utf8[1][0].1.splice(0..0, *b"<!-- \xff -->");
    let form = |at| [("scidac-user-xml", "XML 1.0, section 2.1", Severity::Info, at)];
    vec![
        case("no contradiction", record("USQCD_F_Complex", "F"), &[], 1),
        case("precision of another width", record("USQCD_F_Complex", "D"), &ambiguous, 1),
        case("precision of bytes", record("USQCD_F_Complex", "U"), &ambiguous, 1),
        case("precision of integers", record("QDP_F_Complex", "I"), &ambiguous, 1),
        case("no precision", record("USQCD_F_Complex", ""), &certain, 1),
        case("size of another type", record("USQCD_D_Complex", "D"), &ambiguous, 1),
        case("other colors", colors(record("QDP_F1_ColorVector", "F")), &certain, 1),
        case("colors without a type", colors(record("t", "F")), &[], 1),
        case("file text not closed", user(0, b"<a><b></b>"), &form(End(0, 1)), 1),
        case("record text with crossed tags", user(1, b"<a><b></a></b>\0"), &form(Text(1, 1, "></b>")), 1),
        case("record text that is not UTF-8", user(1, b"<a>\xff</a>"), &form(Text(1, 1, "\u{fffd}")), 1),
        case(
            "document that is not UTF-8",
            not_utf8,
            &[("xml-not-utf8", "XML 1.0, section 4.3.3", Severity::Info, Text(1, 0, "\u{fffd}"))],
            1,
        ),
        case("record text that is no XML", user(1, b"Fat links & others < 1"), &[], 1),
    ]
}
