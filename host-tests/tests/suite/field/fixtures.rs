//! Files of reference programs and from the wild, compared with their manifests: every field, every site, every
//! checksum, and no findings except those listed here.

use crate::field::support::run::{OwnSite, Reported, Run};
use host_tests::fixtures::Fixtures;
use host_tests::formula::{site_bytes, su3_site};
use host_tests::manifest::{Entry, LogicalRecord, load, load_fields};
use host_tests::oracle;
use linkstream::conformance::ErrorKind;
use linkstream::field::{self, DescribedBy, DocumentName, Verdict};
use linkstream::lattice::{Checksum, Precision, Region};
use linkstream::scidac::RecordType;
use linkstream::xml;
use linkstream::{Error, Mode};

/// Findings in files that break no rule. All other files have none.
const NOTES: [(&str, &[&str]); 18] = [
    // The logical file name may be appended later (ILDG 1.2, note 4).
    ("unity.lime", &["ildg-lfn-missing"]),
    ("ildg/ildg_d_nolfn_4x4x4x4.lime", &["ildg-lfn-missing"]),
    ("alien/ildg12_rows3_explicit.lime", &["ildg-lfn-missing"]),
    ("alien/ildg12_su2gauge.lime", &["ildg-lfn-missing"]),
    ("alien/ildg12_u1gauge.lime", &["ildg-lfn-missing"]),
    ("alien/ildg12_u1phase.lime", &["ildg-lfn-missing"]),
    ("alien/ildg12_three_dim.lime", &["ildg-lfn-missing"]),
    ("alien/tmlqcd_style.lime", &["ildg-lfn-missing"]),
    ("alien/xml_comment_in_ildg_format.lime", &["ildg-lfn-missing"]),
    ("alien/xml_comment_inside.lime", &["ildg-lfn-missing"]),
    ("alien/xml_prefix_and_quotes.lime", &["ildg-lfn-missing"]),
    // Elements that are not in the schema, and Grid's document without a namespace.
    ("alien/xml_unknown_elements.lime", &["xml-element-unknown", "ildg-lfn-missing"]),
    ("alien/grid_style.lime", &["xml-namespace-missing"]),
    ("alien/scidac_grid_dialect_no_grid_record.lime", &["xml-namespace-missing"]),
    // QIO's converter drops the ildg-format and keeps the type of the data record.
    ("convert/ildg_back_scidac.lime", &["ildg-format-missing"]),
    // QIO omits both sums if one is zero.
    ("quirks/checksum_suma_zero.lime", &["checksum-absent"]),
    ("quirks/checksum_both_zero.lime", &["checksum-absent"]),
    // QIO truncates the text of a gauge field; here the text describes other data.
    ("quirks/usqcdinfo_truncated.lime", &["usqcd-truncated", "usqcd-lattice-datatype"]),
];

/// The two files that cannot be read without an error in strict mode.
const REFUSED: [&str; 2] = ["lat.sample.l4448.foreign", "quirks/single_append_overwrites.lime"];

/// The files in the directories that are complete without others.
fn whole_files(fixtures: Fixtures) -> Vec<Entry> {
    let whole = |entry: &Entry| entry.set.is_none() && !entry.path.ends_with(".nersc");
    load_fields(fixtures).into_iter().filter(whole).collect()
}

/// The layout of a site's links: links, rows, columns, numbers per element.
type Layout = (u32, u32, u32, u32);

/// The expected properties of a field.
struct Expected {
    dims: Vec<u64>,
    ranks: Vec<u64>,
    site_len: usize,
    /// Size of a floating point number.
    word: Option<usize>,
    layout: Option<Layout>,
    logical: Option<LogicalRecord>,
}

/// The manifest's facts about the fields of a file.
fn expected(entry: &Entry, all: &[Entry], payloads: &[&[u8]]) -> Vec<Expected> {
    let mut logical = entry.logical_records();
    let source = match entry.path.as_str() {
        // These equal the original byte for byte, or contain the same data with other documents.
        "convert/sci_back_scidac.lime" | "convert/sci_back_ildg.lime" => Some("convert/sci_single.lime"),
        "convert/ildg_back_scidac.lime" | "convert/ildg_back_ildg.lime" => Some("convert/ildg_single.lime"),
        _ => None,
    };
    if let Some(source) = source {
        logical = all.iter().find(|entry| entry.path == source).expect("listed").logical_records();
    }
    if !logical.is_empty() {
        assert_eq!(logical.len(), payloads.len(), "{}", entry.path);
        return logical.into_iter().map(|record| of_logical(entry, record)).collect();
    }
    if entry.path.starts_with("wild/") {
        return qio_example();
    }
    // Files of other programs, with one field and without a formula.
    let dims = entry.dims().to_vec();
    let [payload] = payloads else { panic!("{}: one field", entry.path) };
    let volume: u64 = dims.iter().product();
    let site_len = payload.len() / volume as usize;
    let gauge = !entry.path.starts_with("ksvector");
    vec![Expected {
        ranks: (0..volume).collect(),
        dims,
        site_len,
        word: Some(if site_len == 576 { 8 } else { 4 }),
        layout: gauge.then_some((4, 3, 3, 2)),
        logical: None,
    }]
}

fn of_logical(entry: &Entry, record: LogicalRecord) -> Expected {
    let dims = entry.dims().to_vec();
    let word = match record.precision.as_str() {
        "F" => Some(4),
        "D" => Some(8),
        _ => None,
    };
    let directions = dims.iter().filter(|extent| **extent > 1).count() as u32;
    let layout = match (entry.field.as_deref(), record.datatype.as_str()) {
        (Some("su2gauge"), _) => Some((directions, 2, 2, 2)),
        (Some("u1gauge"), _) => Some((directions, 1, 1, 2)),
        (Some("u1phase"), _) => Some((directions, 1, 1, 1)),
        (None, "") => Some((directions, entry.rows.unwrap_or(3) as u32, 3, 2)),
        // Matrices in a global record are not links.
        (_, name) if name.ends_with("_ColorMatrix") && record.recordtype != 1 => {
            Some((record.datacount as u32, record.colors, record.colors, 2))
        }
        _ => None,
    };
    Expected {
        ranks: record.ranks(&dims),
        dims,
        site_len: record.site_len(),
        word,
        layout,
        logical: Some(record),
    }
}

/// `qio/wild/qio-examples-binary_host_test.lime`, of 2006, as reported by the reference reader.
fn qio_example() -> Vec<Expected> {
    let field = |site_len, layout| Expected {
        dims: vec![8, 4, 4, 4],
        ranks: (0..512).collect(),
        site_len,
        word: Some(4),
        layout,
        logical: None,
    };
    let mut global = field(12, None);
    global.ranks = vec![0];
    vec![field(8, None), global, field(288, Some((4, 3, 3, 2)))]
}

fn coordinates(rank: u64, dims: &[u64]) -> Vec<u32> {
    let mut rest = rank;
    dims.iter()
        .map(|extent| {
            let c = rest % extent;
            rest /= extent;
            c as u32
        })
        .collect()
}

/// Big-endian floating point numbers of `word` bytes.
fn numbers(bytes: &[u8], word: usize) -> Vec<f64> {
    match word {
        4 => bytes.chunks(4).map(|w| f32::from_be_bytes(w.try_into().unwrap()).into()).collect(),
        _ => bytes.chunks(8).map(|w| f64::from_be_bytes(w.try_into().unwrap())).collect(),
    }
}

/// Bitwise equality, except that all NaNs are equal.
fn same(a: &[f64], b: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    a.len() == b.len() && a.iter().zip(b).all(same)
}

fn assert_site(site: &OwnSite, rank: u64, bytes: &[u8], expected: &Expected, place: &str) {
    assert_eq!(site.rank, rank, "{place}");
    assert_eq!(site.coordinates, coordinates(rank, &expected.dims), "{place} rank {rank}");
    assert!(site.bytes == bytes, "{place} rank {rank}: raw bytes");
    let all = expected.word.map(|word| numbers(bytes, word)).unwrap_or_default();
    assert!(same(&site.numbers, &all), "{place} rank {rank}: numbers");
    let Some((links, rows, columns, parts)) = expected.layout else {
        assert!(site.links.is_empty(), "{place}: only a gauge field has links");
        return;
    };
    assert_eq!(site.links.len(), links as usize, "{place}");
    let per_link = (rows * columns * parts) as usize;
    for (link, numbers) in site.links.iter().zip(all.chunks(per_link)) {
        assert_eq!((link.rows, link.columns), (rows, columns), "{place}");
        assert!(same(&link.numbers, numbers), "{place} rank {rank}: numbers of a link");
        let elements = numbers.chunks(parts as usize).map(|e| [e[0], e.get(1).copied().unwrap_or(0.0)]);
        let elements: Vec<f64> = elements.flatten().collect();
        assert!(same(link.elements.as_flattened(), &elements), "{place} rank {rank}: elements");
    }
}

/// Compares the bytes with the manifest's formula.
fn assert_formula(record: &LogicalRecord, site: &OwnSite, place: &str) {
    if record.formula != "su3" {
        assert!(site.bytes == site_bytes(record, site.rank), "{place} rank {}", site.rank);
        return;
    }
    let tolerance = if record.precision == "F" { 2e-7 } else { 1e-14 };
    let stored = (record.typesize / record.word_size) as usize;
    let matrices = su3_site(record.seed.expect("seed"), site.rank, record.datacount);
    let formula = matrices.chunks(18).flat_map(|matrix| &matrix[..stored]);
    assert_eq!(site.numbers.len(), stored * record.datacount as usize, "{place}");
    for (number, expected) in site.numbers.iter().zip(formula) {
        assert!((number - expected).abs() <= tolerance, "{place} rank {}: {number}", site.rank);
    }
}

fn assert_field(reported: &Reported, expected: &Expected, payload: &[u8], place: &str) {
    let field = &reported.field;
    let extents: Vec<u64> = field.extents.as_slice().iter().map(|extent| u64::from(*extent)).collect();
    assert_eq!(extents, expected.dims, "{place}");
    assert_eq!(field.bytes_per_site, expected.site_len as u64, "{place}");
    assert_eq!(field.sites(), expected.ranks.len() as u64, "{place}");
    assert_eq!(field.data_length(), Some(payload.len() as u64), "{place}");
    let word = field.precision.map(Precision::size);
    assert_eq!(word, expected.word, "{place}");
    if let Some(logical) = &expected.logical {
        assert_document(reported, logical, place);
    }
    assert_eq!(reported.sites.len(), expected.ranks.len(), "{place}");
    let bytes = payload.chunks(expected.site_len);
    for ((site, rank), bytes) in reported.sites.iter().zip(&expected.ranks).zip(bytes) {
        assert_site(site, *rank, bytes, expected, place);
        if let Some(logical) = &expected.logical {
            assert_formula(logical, site, place);
        }
    }
    let sums = oracle::checksum(payload, expected.site_len, expected.ranks.iter().copied());
    assert_eq!(reported.computed, Some(Checksum { suma: sums.0, sumb: sums.1 }), "{place}");
    if let Some(sums_of_manifest) = expected.logical.as_ref().and_then(LogicalRecord::checksum) {
        assert_eq!(sums, sums_of_manifest, "{place}");
    }
}

/// Compares the private record XML with the manifest's record. Files without one have an empty datatype.
fn assert_document(reported: &Reported, logical: &LogicalRecord, place: &str) {
    let region = |numbers: &Option<Vec<u64>>| -> Vec<u32> {
        numbers.iter().flatten().map(|n| u32::try_from(*n).expect("small")).collect()
    };
    match (&reported.field.region, logical.recordtype) {
        (Region::Lattice, 0) | (Region::Global, 1) => {}
        (Region::Hypercube(cube), 2) => {
            assert_eq!(cube.lower().as_slice(), region(&logical.lower), "{place}");
            assert_eq!(cube.upper().as_slice(), region(&logical.upper), "{place}");
        }
        other => panic!("{place}: {other:?}"),
    }
    let grid = place.contains("grid");
    if logical.datatype.is_empty() && !grid {
        assert_eq!(reported.field.described_by, DescribedBy::Ildg, "{place}");
        assert_eq!(reported.record, None, "{place}");
        return;
    }
    assert_eq!(reported.field.described_by, DescribedBy::Scidac, "{place}");
    let record = reported.record.as_ref().expect("reported");
    let (datatype, spins) =
        if grid { ("QDP_D3_ColorMatrix", 1) } else { (&*logical.datatype, logical.spins) };
    let (typesize, datacount, colors) =
        if grid { (144, 4, 3) } else { (logical.typesize, logical.datacount, logical.colors) };
    assert_eq!(record.datatype, datatype, "{place}");
    assert_eq!(record.precision, &*logical.precision, "{place}");
    assert_eq!((record.colors, record.spins), (colors, spins), "{place}");
    assert_eq!((u64::from(record.typesize), u64::from(record.datacount)), (typesize, datacount), "{place}");
    let record_type = [RecordType::Field, RecordType::Global, RecordType::Hypercube];
    assert_eq!(record.record_type(), record_type[logical.recordtype as usize], "{place}");
}

/// The sums in the checksum record of each data record, parsed in the simplest way. `None` if there is no record or no
/// sums in it.
fn stored_sums(records: &[oracle::Record], file: &[u8]) -> Vec<Option<Checksum>> {
    let sum = |text: &str, name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        u32::from_str_radix(rest.split_once('<')?.0.trim(), 16).ok()
    };
    let mut sums = Vec::new();
    for record in records {
        if record.kind.ends_with(b"-binary-data") {
            sums.push(None);
        } else if record.kind == b"scidac-checksum" {
            let text = String::from_utf8_lossy(record.payload(file));
            let both = sum(&text, "suma").zip(sum(&text, "sumb"));
            *sums.last_mut().expect("data") = both.map(|(suma, sumb)| Checksum { suma, sumb });
        }
    }
    sums
}

fn check(entry: &Entry, all: &[Entry], chunk: usize) -> usize {
    let file = entry.bytes();
    let place = format!("{} in chunks of {chunk}", entry.path);
    let run = Run::clean(Mode::Strict, &file, chunk, &place);
    let notes = NOTES.iter().find(|(path, _)| *path == entry.path).map_or(&[][..], |(_, notes)| notes);
    assert_eq!(run.rules(), notes, "{place}: {:?}", run.findings);

    let records = oracle::records(&file);
    assert_eq!(run.records.len(), records.len(), "{place}");
    for (reported, record) in run.records.iter().zip(&records) {
        assert_eq!(reported.kind, record.kind, "{place}");
        let header = &reported.header;
        assert_eq!((header.offset, header.length), (record.offset, record.length), "{place}");
        assert_eq!((header.begin, header.end), (record.mb, record.me), "{place}");
        assert!(reported.payload == record.payload(&file), "{place}: payload at {}", record.offset);
    }

    let data: Vec<_> = records.iter().filter(|r| r.kind.ends_with(b"-binary-data")).collect();
    let payloads: Vec<&[u8]> = data.iter().map(|record| record.payload(&file)).collect();
    let expected = expected(entry, all, &payloads);
    assert_eq!(run.fields.len(), expected.len(), "{place}");
    let stored = stored_sums(&records, &file);
    for (n, (reported, expected)) in run.fields.iter().zip(&expected).enumerate() {
        let place = format!("{place}, field {n}");
        assert_eq!(reported.field.record.offset, data[n].offset, "{place}");
        assert_field(reported, expected, payloads[n], &place);
        let computed = reported.computed.expect("all data were read");
        let verdict =
            stored[n].map_or(Verdict::Absent { computed }, |stored| Verdict::Match { stored, computed });
        assert_eq!(reported.verdict, Some(verdict), "{place}");
    }
    if let Some(sums) = entry.checksum().filter(|_| entry.rows != Some(2)) {
        let [only] = &run.fields[..] else { panic!("{place}: one field") };
        assert_eq!(only.computed, Some(Checksum { suma: sums.0, sumb: sums.1 }), "{place}");
    }
    for (reported, sums) in run.fields.iter().zip(entry.reported_checksums()) {
        assert_eq!(reported.computed, Some(Checksum { suma: sums.0, sumb: sums.1 }), "{place}: reported");
    }
    expected.len()
}

fn files_agree_with_their_manifests_of(fixtures: Fixtures) -> (u32, usize) {
    let all = whole_files(fixtures);
    let (mut files, mut fields) = (0, 0);
    for entry in all.iter().filter(|entry| !REFUSED.contains(&&*entry.path)) {
        for chunk in [usize::MAX, 61] {
            fields += check(entry, &all, chunk);
        }
        files += 1;
    }
    (files, fields)
}

#[test]
fn files_agree_with_their_manifests() {
    let (files, fields) = files_agree_with_their_manifests_of(Fixtures::Ours);
    assert_eq!((files, fields / 2), (82, 176), "every file must be read");
    let all = whole_files(Fixtures::Ours);
    for (path, _) in &NOTES[1..] {
        assert!(all.iter().any(|entry| entry.path == *path), "{path} does not exist");
    }
}

/// QIO's append wrote a shorter file over a longer one. The stale tail is not a record in any mode.
#[test]
fn a_stale_tail_is_found_after_the_last_record() {
    let all = whole_files(Fixtures::Ours);
    let entry = all.iter().find(|entry| entry.path == REFUSED[1]).expect("listed");
    let file = entry.bytes();
    let found = u32::from_be_bytes(file[1696..1700].try_into().expect("4 bytes"));
    let magic = Error::new(
        1696,
        ErrorKind::Field(field::ErrorKind::Lime(linkstream::lime::ErrorKind::Magic { found })),
    );
    for mode in [Mode::Strict, Mode::Lenient, Mode::Survey] {
        let run = Run::of(mode, &file, 61);
        assert_eq!((run.error, run.findings.len()), (Some(magic), 0));
        let [reported] = &run.fields[..] else { panic!("the record before the tail must be the only one") };
        assert!(matches!(reported.verdict, Some(Verdict::Match { .. })));
        assert_eq!(
            (&*reported.record.as_ref().expect("reported").datatype, reported.sites.len()),
            ("QDP_D_Real", 32)
        );
    }
}

/// A volume of a file set is not a complete file. The first volume shows this in a document; the others have data
/// without documents.
#[test]
fn volumes_are_not_complete_files() {
    let (mut first, mut other) = (0, 0);
    for entry in load(Fixtures::Ours, "qio").into_iter().filter(|entry| entry.set.is_some()) {
        let file = entry.bytes();
        let records = oracle::records(&file);
        let error = Run::of(Mode::Strict, &file, usize::MAX).error.expect("refused");
        if records[0].kind == b"scidac-private-file-xml" {
            assert!(
                matches!(error.kind, ErrorKind::Field(field::ErrorKind::VolumeSet(_))),
                "{}: {error}",
                entry.path
            );
            assert_eq!(error.at, records[0].payload_offset, "{}", entry.path);
            first += 1;
        } else {
            let data = records.iter().find(|record| record.kind.ends_with(b"-binary-data")).expect("data");
            assert_eq!(
                error,
                Error::new(data.offset, ErrorKind::Field(field::ErrorKind::Undescribed)),
                "{}",
                entry.path
            );
            other += 1;
        }
        let survey = Run::clean(Mode::Survey, &file, 61, &entry.path);
        assert_eq!(
            survey.fields.len(),
            0,
            "{}: data of a volume must not be taken for a complete field",
            entry.path
        );
    }
    assert_eq!((first, other), (15, 25), "every volume must be read");
}

host_tests::of_other_projects! {
    fn files_agree_with_their_manifests() {
        assert_eq!(files_agree_with_their_manifests_of(Fixtures::OfOthers), (4, 2 * 6));
    }

    fn the_malformed_wild_file_is_refused_or_read_with_findings() {
        // A MILC file of 2005 without `<field>` and with an attribute without closing quote: refused in strict mode,
        // read with two findings in lenient mode.
        let all = whole_files(Fixtures::OfOthers);
        let entry = all.iter().find(|entry| entry.path == REFUSED[0]).expect("listed");
        let file = entry.bytes();
        let text = &file[480..480 + 295];
        let next_tag = 480 + String::from_utf8_lossy(text).find("<version>").expect("it is present") as u64;
        let unclosed = ErrorKind::Field(field::ErrorKind::Document(DocumentName::Format, xml::ErrorKind::AttributeUnclosed));
        let no_field = ErrorKind::Field(field::ErrorKind::Document(DocumentName::Format, xml::ErrorKind::Missing(xml::ElementName::Field)));
        let expected_findings = [Error::new(next_tag, unclosed), Error::new(480, no_field)];

        for chunk in [usize::MAX, 61] {
            let strict = Run::of(Mode::Strict, &file, chunk);
            assert_eq!(strict.error, Some(expected_findings[0]));
            assert!(strict.fields.is_empty());
            for mode in [Mode::Lenient, Mode::Survey] {
                let run = Run::clean(mode, &file, chunk, &entry.path);
                assert_eq!(run.findings, expected_findings);
                let [reported] = &run.fields[..] else { panic!("one field") };
                let payload = &run.records[4].payload;
                let [facts] = &expected(entry, &all, &[payload])[..] else { panic!("one field") };
                assert_field(reported, facts, payload, &entry.path);
                let sums = entry.checksum().expect("in the manifest");
                assert_eq!(reported.computed, Some(Checksum { suma: sums.0, sumb: sums.1 }));
                assert!(matches!(reported.verdict, Some(Verdict::Absent { .. })));
            }
        }
    }
}
