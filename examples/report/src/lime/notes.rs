//! Finds the observables that programs print into texts.
//!
//! MILC's `checksums` is not searched for: it is in a separate file next to a file of version 5, whose words it sums,
//! and never in a text of a LIME file.

use linkstream::nersc::datatype;
use linkstream_access::recorded::Printed;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::note::{BQCD_PLAQUETTE, Note, Noted, Quantity, TEXTS};

/// The observables in the text of a record.
pub fn of(record_type: &[u8], text: &str) -> Vec<Note> {
    let Some(record_type) = TEXTS.iter().find(|name| name.as_bytes() == record_type) else {
        return Vec::new();
    };
    let found = match *record_type {
        "xlf-info" => xlf_info(text),
        BQCD_PLAQUETTE => note(Quantity::Plaquette, text).into_iter().collect(),
        "grid-format" => document(text, "FieldMetaData", field_metadata),
        "FieldNormMetaData" => document(text, "FieldNormMetaData", field_norm),
        _ => document(text, "usqcdInfo", usqcd_info),
    };
    // Without duplicates: a NERSC header in `info` has the same values as `plaq` and `linktr`, which were copied from
    // it.
    found.into_iter().fold(Vec::new(), |mut unique, note| {
        if !unique.contains(&note) {
            unique.push(note);
        }
        unique
    })
}

/// Lines `keyword = value` of tmLQCD and CL2QCD. A line can have several, separated by commas.
fn xlf_info(text: &str) -> Vec<Note> {
    let keys = text.split(['\n', ',']).filter_map(|line| line.split_once('='));
    let values = keys.filter(|(key, _)| key.trim() == "plaquette").map(|(_, value)| value);
    let notes = values.filter_map(|value| note(Quantity::Plaquette, value));
    // CL2QCD always writes 0 as plaquette.
    notes.filter(|note| !is_zero(note)).collect()
}

/// Observables in the metadata that Grid writes. A checksum that Grid has not computed is 0.
fn field_metadata(name: &str, text: &str) -> Vec<Note> {
    let found = match name {
        "plaquette" => note(Quantity::Plaquette, text),
        "link_trace" => note(Quantity::LinkTrace, text),
        "scidac_checksuma" => sum(Quantity::Suma, text, 10),
        "scidac_checksumb" => sum(Quantity::Sumb, text, 10),
        _ => None,
    };
    found.into_iter().filter(|note| note.value != Noted::Sum(0)).collect()
}

/// The norm that Grid writes for every field.
fn field_norm(name: &str, text: &str) -> Vec<Note> {
    let is_norm = name == "norm2";
    note(Quantity::SquaredNorm, text).into_iter().filter(|_| is_norm).collect()
}

/// Observables in the `usqcdInfo` of MILC, Grid, and the converter of NERSC archives.
fn usqcd_info(name: &str, text: &str) -> Vec<Note> {
    match name {
        "plaq" => note(Quantity::Plaquette, text).into_iter().collect(),
        "linktr" => note(Quantity::LinkTrace, text).into_iter().collect(),
        "info" => info(text),
        _ => Vec::new(),
    }
}

/// Lines `keyword = value` of MILC, or of the header of a NERSC archive.
fn info(text: &str) -> Vec<Note> {
    let pairs = || {
        text.lines().filter_map(|line| line.split_once('=')).map(|(key, value)| (key.trim(), value.trim()))
    };
    let links = pairs().find(|(key, _)| *key == "DATATYPE").and_then(|(_, value)| datatype(value.as_bytes()));
    let rows = links.map_or(2, |(colors, rows)| rows.count(colors).into());
    let found = pairs().filter_map(|(key, value)| match key {
        "gauge.ssplaq" => note(Quantity::SpatialTrace, value),
        "gauge.stplaq" => note(Quantity::TemporalTrace, value),
        "gauge.nersc_linktr" | "LINK_TRACE" => note(Quantity::LinkTrace, value),
        "PLAQUETTE" => note(Quantity::Plaquette, value),
        // MILC sums two rows and prints the sum in decimal.
        "gauge.nersc_checksum" => sum(Quantity::WordSum { rows: 2 }, value, 10),
        "CHECKSUM" => sum(Quantity::WordSum { rows }, value, 16),
        _ => None,
    });
    found.collect()
}

/// The observables in the elements below the root with this name. QIO truncates documents after 1,023 bytes; the
/// observables before that point are used.
fn document(text: &str, root: &str, figures: fn(&str, &str) -> Vec<Note>) -> Vec<Note> {
    let mut reader = Reader::from_str(text);
    let mut found = Vec::new();
    let mut path: Vec<(String, String)> = Vec::new();
    loop {
        let event = reader.read_event();
        match event {
            Ok(Event::Start(element)) => {
                let name = String::from_utf8_lossy(element.local_name().as_ref()).into_owned();
                path.push((name, String::new()));
            }
            Ok(Event::Text(text)) => {
                if let (Some((_, of_element)), Ok(text)) = (path.last_mut(), text.decode()) {
                    of_element.push_str(&text);
                }
            }
            Ok(Event::End(_)) => found.extend(element(&mut path, root, figures)),
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    while !path.is_empty() {
        found.extend(element(&mut path, root, figures));
    }
    found
}

/// Ends the innermost element, and returns its observables.
fn element(path: &mut Vec<(String, String)>, root: &str, figures: fn(&str, &str) -> Vec<Note>) -> Vec<Note> {
    let ended = path.pop();
    match (&path[..], ended) {
        ([(outer, _)], Some((name, text))) if outer == root => figures(&name, &text),
        _ => Vec::new(),
    }
}

fn note(quantity: Quantity, text: &str) -> Option<Note> {
    Some(Note { quantity, value: number(text)?, text: text.trim().to_owned() })
}

fn sum(quantity: Quantity, text: &str, radix: u32) -> Option<Note> {
    let value = Noted::Sum(u32::from_str_radix(text.trim(), radix).ok()?);
    Some(Note { quantity, value, text: text.trim().to_owned() })
}

fn is_zero(note: &Note) -> bool {
    matches!(note.value, Noted::Number { value: 0.0, .. })
}

/// A decimal number, and the value of one unit of its last digit.
pub fn number(text: &str) -> Option<Noted> {
    Printed::parse(text).map(|Printed { value, unit }| Noted::Number { value, unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(record_type: &str, text: &str) -> Vec<(Quantity, String)> {
        of(record_type.as_bytes(), text).into_iter().map(|note| (note.quantity, note.text)).collect()
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let edges = [
            "",
            ".",
            "+",
            "-",
            "e",
            "1e",
            "1e+",
            ".e1",
            "1.",
            ".5",
            "+.5e-3",
            "1_0",
            "0x1",
            "1 0",
            "--1",
            "1e1.0",
            "inf",
            "NaN",
            "infinity",
            "1e308",
            "1e309",
            "-1e400",
            "4.9e-324",
            "2e-324",
            "1e-400",
            "00012.500",
            "1E5",
            "1e00005",
            "-0",
            "1e99999",
            "9007199254740993",
            "9007199254740992.5",
            "2.2250738585072011e-308",
            "8.5e22",
            "123456789012345678901234567890",
            "1.00000000000000011102230246251565404236316680908203124",
            "1.00000000000000011102230246251565404236316680908203126",
            "1.00000000000000011102230246251565404236316680908203125",
        ];
        let spread = (0..10_000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).flat_map(|n| {
            let short = format!("{}.{:09}e{}", n % 10, n >> 40, (n >> 8) % 600 % 320);
            // Seventeen digits, and longer numbers.
            [short, format!("{:e}", f64::from_bits(n)), format!("{n}e-{}", n % 340), format!("0.{n}{n}")]
        });
        for text in edges.into_iter().map(str::to_owned).chain(spread) {
            let expected = text.parse().ok().filter(|value: &f64| value.is_finite());
            let found = match number(&text) {
                Some(Noted::Number { value, .. }) => Some(value),
                _ => None,
            };
            assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{text}");
        }
    }

    #[test]
    fn units_of_the_last_digit() {
        for (text, unit) in [("0.123", 1e-3), ("5.956709e-01", 1e-7), (" 17", 1.0), ("-2.5E+3", 1e2)] {
            let Some(Noted::Number { unit: found, .. }) = number(text) else { panic!("{text}") };
            assert!((found / unit - 1.0).abs() < 1e-12, "{text}: {found}");
        }
        for text in ["missing", "", "nan", "inf", "1.0e", "0.1 0.2"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn usqcd_info_of_milc() {
        let text = "<?xml version=\"1.0\"?><usqcdInfo><version>1.0</version><plaq>5.956709e-01</plaq>\
             <linktr>missing</linktr><info>gauge.ssplaq = 1.787013\ngauge.nersc_linktr = -3.744e-03\n\
             gauge.nersc_checksum = 12\n</info></usqcdInfo>";
        let expected = [
            (Quantity::Plaquette, "5.956709e-01".to_owned()),
            (Quantity::SpatialTrace, "1.787013".to_owned()),
            (Quantity::LinkTrace, "-3.744e-03".to_owned()),
            (Quantity::WordSum { rows: 2 }, "12".to_owned()),
        ];
        assert_eq!(figures("scidac-record-xml", text), expected);
        assert_eq!(figures("scidac-file-xml", text), expected);
        assert_eq!(figures("notes", text), []);
        // A truncated document.
        let cut = text.find("nersc_linktr").unwrap();
        assert_eq!(figures("scidac-record-xml", &text[..cut]), expected[..2]);
    }

    #[test]
    fn the_header_of_a_nersc_archive() {
        let text = "<usqcdInfo><plaq> 0.5</plaq><info>DATATYPE = 4D_SU3_GAUGE_3x3\nPLAQUETTE = 0.5\n\
             LINK_TRACE = 0.25\nCHECKSUM = ff\n</info></usqcdInfo>";
        let expected = [
            (Quantity::Plaquette, "0.5".to_owned()),
            (Quantity::LinkTrace, "0.25".to_owned()),
            (Quantity::WordSum { rows: 3 }, "ff".to_owned()),
        ];
        assert_eq!(figures("scidac-record-xml", text), expected);
    }

    #[test]
    fn xlf_info_of_two_programs() {
        let tmlqcd = "plaquette = 0.595670900000\n trajectory nr = 1\n beta = 6.0, kappa = 0.1\n";
        assert_eq!(figures("xlf-info", tmlqcd), [(Quantity::Plaquette, "0.595670900000".to_owned())]);
        assert_eq!(figures("xlf-info", "plaquette = 0\n"), []);
    }

    #[test]
    fn metadata_of_grid() {
        let text = "<?xml version=\"1.0\"?><FieldMetaData><plaquette>0.59</plaquette><nd>4</nd>\
             <link_trace>-0.004</link_trace><scidac_checksuma>0</scidac_checksuma>\
             <scidac_checksumb>7</scidac_checksumb></FieldMetaData>";
        let expected = [
            (Quantity::Plaquette, "0.59".to_owned()),
            (Quantity::LinkTrace, "-0.004".to_owned()),
            (Quantity::Sumb, "7".to_owned()),
        ];
        assert_eq!(figures("grid-format", text), expected);
    }

    #[test]
    fn the_norm_of_grid() {
        let text = "<?xml version=\"1.0\"?><FieldNormMetaData><norm2>1.2583e+07</norm2></FieldNormMetaData>";
        assert_eq!(figures("FieldNormMetaData", text), [(Quantity::SquaredNorm, "1.2583e+07".to_owned())]);
        assert_eq!(figures("FieldNormMetaData", "<other><norm2>1</norm2></other>"), []);
        assert_eq!(figures("scidac-record-xml", text), []);
    }

    #[test]
    fn what_is_no_document_has_no_figures() {
        for text in ["", "<", "plain text", "<other><plaq>1</plaq></other>", "<usqcdInfo>", "</plaq>"] {
            assert_eq!(figures("scidac-record-xml", text), [], "{text}");
        }
    }
}
