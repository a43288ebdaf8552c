//! Small propagator files, made without the library.

use crate::field::support::build::Part;

/// A lattice of four sites: 2 x 1 x 1 x 2.
const FILE: &str = "<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>2 1 1 2 </dims><volfmt>0</volfmt></scidacFile>";

/// The sites of a record: all, or one time slice.
pub const LATTICE: &str = "<recordtype>0</recordtype>";
pub const SLICE: &str = "<recordtype>2</recordtype><spacetime>4</spacetime><hyperlower>0 0 0 1 </hyperlower>\
    <hyperupper>1 0 0 1 </hyperupper>";

/// The elements that describe a site: type name, precision, colors, spins, size.
pub const COMPLEX: &str =
    "<datatype>USQCD_F_Complex</datatype><precision>F</precision><typesize>8</typesize>";
pub const DIRAC: &str = "<datatype>USQCD_F3_DiracFermion</datatype><precision>F</precision><colors>3</colors>\
    <spins>4</spins><typesize>96</typesize>";
pub const VECTOR: &str = "<datatype>USQCD_F3_ColorVector</datatype><precision>F</precision><colors>3</colors>\
    <typesize>24</typesize>";

/// The file message with this file XML.
pub fn file(text: &str) -> Vec<Part> {
    vec![("scidac-private-file-xml", FILE.into()), ("scidac-file-xml", text.into())]
}

/// The file XML of a propagator file.
pub fn file_text(root: &str, name: &str) -> String {
    format!("<{root}><version>1.0</version><type>{name}</type><info>f</info></{root}>")
}

/// A record of these sites with this record XML.
pub fn record(region: &str, site: &str, text: &str) -> Vec<Part> {
    let document = format!(
        "<scidacRecord><version>1.1</version><date>now</date>{region}{site}<datacount>1</datacount></scidacRecord>"
    );
    let size = site.split_once("<typesize>").and_then(|(_, rest)| rest.split_once('<'));
    let size: u64 = size.and_then(|(number, _)| number.parse().ok()).expect("a size");
    let (ranks, sites) = match region {
        LATTICE => (0..4, 4),
        SLICE => (2..4, 2),
        _ => (0..1, 1),
    };
    let data: Vec<u8> = (0..size * sites).map(|i| (i as u8).wrapping_mul(29)).collect();
    let (a, b) = host_tests::oracle::checksum(&data, size as usize, ranks);
    let sums = format!(
        "<scidacChecksum><version>1.0</version><suma>{a:x}</suma><sumb>{b:x}</sumb></scidacChecksum>"
    );
    vec![
        ("scidac-private-record-xml", document.into_bytes()),
        ("scidac-record-xml", text.into()),
        ("scidac-binary-data", data),
        ("scidac-checksum", sums.into_bytes()),
    ]
}

pub fn source_text() -> String {
    "<usqcdSourceInfo><version>1.0</version><info>s</info></usqcdSourceInfo>".to_owned()
}

/// The record XML of a Dirac solution.
pub fn dirac_text(spin: u32, color: u32) -> String {
    format!(
        "<usqcdPropInfo><version>1.0</version><spin>{spin}</spin><color>{color}</color><info>p</info></usqcdPropInfo>"
    )
}

/// The record XML of a staggered solution.
pub fn vector_text(color: u32) -> String {
    format!("<usqcdKSPropInfo><version>1.0</version><color>{color}</color><info>k</info></usqcdKSPropInfo>")
}

/// A Dirac solution.
pub fn dirac(spin: u32, color: u32) -> Vec<Part> {
    record(LATTICE, DIRAC, &dirac_text(spin, color))
}

/// A staggered solution.
pub fn vector(color: u32) -> Vec<Part> {
    record(LATTICE, VECTOR, &vector_text(color))
}

/// A file with a source and its twelve solutions.
pub fn c1d12() -> Vec<Vec<Part>> {
    let name = "USQCD_DiracFermion_ScalarSource_TwelveSink";
    let mut messages = vec![file(&file_text("usqcdPropFile", name)), record(SLICE, COMPLEX, &source_text())];
    messages.extend((0..12).map(|number| dirac(number / 3, number % 3)));
    messages
}

/// A file with a source and its three solutions.
pub fn c1v3() -> Vec<Vec<Part>> {
    let name = "USQCD_ColorVector_ScalarSource_ThreeSink";
    let mut messages =
        vec![file(&file_text("usqcdKSPropFile", name)), record(SLICE, COMPLEX, &source_text())];
    messages.extend((0..3).map(vector));
    messages
}

/// A file of pairs of a Dirac source and its solution.
pub fn dd_pairs(labels: impl IntoIterator<Item = (u32, u32)>) -> Vec<Vec<Part>> {
    let name = "USQCD_DiracFermion_Source_Sink_Pairs";
    let mut messages = vec![file(&file_text("usqcdPropFile", name))];
    for (spin, color) in labels {
        messages.push(record(LATTICE, DIRAC, &source_text()));
        messages.push(dirac(spin, color));
    }
    messages
}

/// The messages with a text replaced in one record.
pub fn replaced(mut messages: Vec<Vec<Part>>, at: (usize, usize), from: &str, to: &str) -> Vec<Vec<Part>> {
    let payload = &mut messages[at.0][at.1].1;
    let text = String::from_utf8(std::mem::take(payload)).expect("text");
    assert!(text.contains(from), "{text} has no {from}");
    *payload = text.replacen(from, to, 1).into_bytes();
    messages
}
