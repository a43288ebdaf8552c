//! `ildg-format` documents: read and written again, and compared with the schema and the example of the specification
//! (ILDG 1.2, section 2.3 and appendix A.1).

use crate::field::support::documents::{is_of_qio, payloads};
use host_tests::fixtures::Fixtures;
use linkstream::Error;
use linkstream::ildg::{Format, GaugeKind, Group};
use linkstream::lattice::Precision;
use linkstream::xml::Spacing;
use linkstream::xml::{ElementName, EmitError, ErrorKind};
use proptest::prelude::*;

fn emitted(format: &Format) -> String {
    let mut buffer = [0; 1024];
    let length = format.emit(Spacing::Line, &mut buffer).expect("large enough");
    assert!(format.emit(Spacing::Line, &mut vec![0; length]).is_ok(), "the exact size must be sufficient");
    assert_eq!(
        format.emit(Spacing::Line, &mut vec![0; length - 1]),
        Err(EmitError::TooSmall { needed: length })
    );
    String::from_utf8(buffer[..length].to_vec()).expect("ASCII")
}

/// A document of version 1.2 with these values.
fn document(field: &str, rows: Option<&str>, precision: u32, extents: [u32; 4]) -> String {
    let rows = rows.map(|rows| format!("<rows>{rows}</rows>")).unwrap_or_default();
    let [lx, ly, lz, lt] = extents;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ildgFormat xmlns=\"http://www.lqcd.org/ildg\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\"><version>1.2</version>\
         <field>{field}</field>{rows}<precision>{precision}</precision>\
         <lx>{lx}</lx><ly>{ly}</ly><lz>{lz}</lz><lt>{lt}</lt></ildgFormat>\0"
    )
}

fn parse(field: &str, rows: Option<&str>) -> Result<Format, Error<ErrorKind>> {
    Format::parse(document(field, rows, 32, [4, 4, 4, 8]).as_bytes())
}

fn documents_come_back(fixtures: Fixtures) -> u32 {
    let mut count = 0;
    for (place, payload) in payloads(fixtures, "ildg-format") {
        if place.starts_with("lat.sample.l4448.foreign") {
            assert_eq!(Format::parse(&payload).unwrap_err().kind, ErrorKind::AttributeUnclosed);
            continue;
        }
        let format = Format::parse(&payload).unwrap_or_else(|e| panic!("{place}: {e}"));
        if is_of_qio(&payload) {
            assert_eq!(emitted(&format), String::from_utf8_lossy(&payload), "{place}");
            count += 1;
        }
    }
    count
}

#[test]
fn documents_of_qio_come_back_byte_for_byte() {
    let count = documents_come_back(Fixtures::Ours);
    assert!(count >= 15, "{count}");
}

/// The example of section 2.3, verbatim.
#[test]
fn the_example_of_the_document() {
    let example = r#"<?xml version="1.0" encoding="UTF-8"?>
<ildgFormat xmlns="http://www.lqcd.org/ildg"
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
            xsi:schemaLocation="http://www.lqcd.org/ildg/filefmt.xsd">
  <version> 1.2 </version>
  <field> su3gauge </field>
  <rows> 2 </rows>
  <precision> 32 </precision>
  <lx> 20 </lx> <ly> 20 </ly> <lz> 20 </lz> <lt> 64 </lt>
</ildgFormat>"#;
    let format = Format::parse(example.as_bytes()).expect("the example is valid");
    assert_eq!((format.version(), format.kind(), format.rows()), ("1.2", GaugeKind::SU3, 2));
    assert_eq!((format.precision(), format.links_per_site()), (Precision::F32, 4));
    assert_eq!(format.extents().expect("a lattice").as_slice(), [20, 20, 20, 64]);
    // float U[64][20][20][20][4][2][3][2]
    assert_eq!(format.data_length(), Some(64 * 20 * 20 * 20 * 4 * 2 * 3 * 2 * 4));
}

/// The document written describes the same data as the one read, including the stored rows.
#[test]
fn reduced_rows_survive_writing() {
    for (field, rows) in
        [("su3gauge", Some("2")), ("su3gauge", Some("3")), ("sp4gauge", Some("2")), ("u1phase", None)]
    {
        let format = parse(field, rows).expect("allowed");
        assert_eq!(emitted(&format), document(field, rows, 32, [4, 4, 4, 8]));
    }
}

/// The patterns of the schema's `fieldType`, implemented without a regular expression.
fn schema_allows(name: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str| !text.is_empty() && digits(text) && !text.starts_with('0');
    if name == "u1phase" {
        return true;
    }
    let Some(name) = name.strip_suffix("gauge") else { return false };
    if let Some(n) = name.strip_prefix("su").or(name.strip_prefix("so")) {
        // s[ou][2-9]gauge, s[ou][1-9][0-9]+gauge
        return number(n) && (n.len() > 1 || n != "1");
    }
    if let Some(n) = name.strip_prefix("sp") {
        // sp[468]gauge, sp[1-9][0-9]*[02468]gauge: the latter has at least two digits.
        return number(n)
            && (["4", "6", "8"].contains(&n) || (n.len() > 1 && n.ends_with(['0', '2', '4', '6', '8'])));
    }
    // u[1-9][0-9]*gauge
    name.strip_prefix('u').is_some_and(number)
}

#[test]
fn names_of_fields_equal_the_schema() {
    let mut names = vec![];
    for group in ["su", "so", "sp", "u", "s", "", "SU", "usp", "uu", "g"] {
        for n in (0..=130).chain([999, 1000, 9998, 9999]) {
            names.extend([
                format!("{group}{n}gauge"),
                format!("{group}{n}phase"),
                format!("{group}0{n}gauge"),
            ]);
        }
    }
    names.extend(
        [
            "su3",
            "su3gauge2",
            "su3 gauge",
            "su-3gauge",
            "su+3gauge",
            "su3Gauge",
            "gauge",
            "sugauge",
            "ugauge",
            "u1Phase",
        ]
        .map(String::from),
    );
    let mut allowed = 0;
    for name in &names {
        let parsed = GaugeKind::parse(name.as_bytes());
        assert_eq!(parsed.is_some(), schema_allows(name), "{name}");
        if let Some(kind) = parsed {
            assert_eq!(&kind.to_string(), name);
            allowed += 1;
        }
    }
    // u1phase; 130 of u, 129 of su and of so, 64 of sp, and four large ones of each, except of sp, which has two.
    assert_eq!(allowed, 1 + 130 + 129 + 129 + 64 + 3 * 4 + 2);
    // A limit of the implementation, which documents it.
    assert_eq!(GaugeKind::parse(b"su10000gauge"), None);
}

/// The numbers of stored rows allowed for each kind (section 2.5.1, "Optionally reduced storage").
#[test]
fn rows_are_limited_by_the_group() {
    for (field, allowed) in [
        ("su2gauge", &[2, 1][..]),
        ("su3gauge", &[3, 2]),
        ("su9gauge", &[9, 8]),
        ("so3gauge", &[3, 2]),
        ("so5gauge", &[5, 4]),
        ("sp4gauge", &[4, 2]),
        ("sp6gauge", &[6, 3]),
        ("sp10gauge", &[10, 5]),
        ("u1gauge", &[1]),
        ("u2gauge", &[2]),
        ("u3gauge", &[3]),
        ("u1phase", &[1]),
    ] {
        assert_eq!(parse(field, None).expect("optional").rows(), allowed[0], "{field}");
        for rows in 0..=12 {
            let read = parse(field, Some(&rows.to_string()));
            match allowed.contains(&rows) {
                true => assert_eq!(read.expect("allowed").rows(), rows, "{field}"),
                false => {
                    assert_eq!(
                        read.expect_err("not allowed").kind,
                        ErrorKind::Value(ElementName::Rows),
                        "{field} {rows}"
                    );
                }
            }
        }
    }
}

#[test]
fn versions_and_their_positions() {
    for version in ["1.0", "1.1", "1.2", "1"] {
        let text = document("su3gauge", None, 64, [2, 2, 2, 2]).replace("1.2</v", &format!("{version}</v"));
        assert_eq!(Format::parse(text.as_bytes()).expect("known").version(), version);
    }
    for version in ["", "1.3", "2.0", "0.9", "1.2.1", "one"] {
        let text = document("su3gauge", None, 64, [2, 2, 2, 2]).replace("1.2</v", &format!("{version}</v"));
        assert_eq!(Format::parse(text.as_bytes()), Err(Error::new(0, ErrorKind::Version)), "{version:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_format_is_written_as_qio_does_and_read_back(
        group in 0..4_usize,
        n in prop_oneof![4..=10_u32, 4..=9999_u32],
        double in any::<bool>(),
        extents in proptest::array::uniform4(prop_oneof![1..=64_u32, Just(1_u32), Just(1 << 16), Just(u32::MAX)]),
    ) {
        let name = match group {
            0 => format!("su{n}gauge"),
            1 => format!("u{n}gauge"),
            2 => format!("so{n}gauge"),
            _ => format!("sp{}gauge", n & !1),
        };
        let kind = GaugeKind::parse(name.as_bytes()).expect("allowed");
        let (precision, bits) = if double { (Precision::F64, 64) } else { (Precision::F32, 32) };
        let format = Format::version_1_0(kind, precision, extents);
        let written = emitted(&format);
        let expected = document(&name, None, bits, extents).replace("1.2</v", "1.0</v");
        prop_assert_eq!(&written, &expected);

        let volume = extents.iter().try_fold(1_u64, |v, extent| v.checked_mul(u64::from(*extent)));
        let read = Format::parse(written.as_bytes());
        let Some(volume) = volume else {
            let overflow = ErrorKind::Extents(linkstream::lattice::ExtentsError::Overflow);
            prop_assert_eq!(read.map_err(|e| e.kind), Err(overflow));
            return Ok(());
        };
        let read = read.expect("own document");
        prop_assert_eq!(&read, &format);
        let links = extents.iter().filter(|extent| **extent > 1).count() as u64;
        let columns = u64::from(kind.colors());
        let parts = if kind.group() == Group::So { 1 } else { 2 };
        let site = links * columns * columns * parts * u64::from(bits / 8);
        prop_assert_eq!(u64::from(read.links_per_site()), links);
        prop_assert_eq!(read.bytes_per_site(), site);
        prop_assert_eq!(read.data_length(), volume.checked_mul(site));
    }
}

host_tests::of_other_projects! {
    fn documents_of_qio_come_back_byte_for_byte() {
        assert_eq!(documents_come_back(Fixtures::OfOthers), 1);
    }
}
