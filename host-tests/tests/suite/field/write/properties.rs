//! Whatever is written reads back as the same, in whatever way it was written (ILDG 1.2, section 2; QIO 2.3): random
//! kinds, rows, versions, lattices, regions, precisions, forms, and several fields in a file.

use crate::field::support::run::Run;
use crate::field::write::written::{Content, by_parts, by_pieces, by_sites};
use host_tests::drive::Random;
use host_tests::long;
use host_tests::oracle;
use linkstream::conformance::ErrorKind;
use linkstream::field::Verdict;
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord, RecordData};
use linkstream::xml::Spacing;
use linkstream::{Diagnostic as _, Mode, Severity};

/// Every kind of ILDG, up to 6 colors (appendix A.1).
const KINDS: [&str; 19] = [
    "su2gauge", "su3gauge", "su4gauge", "su5gauge", "su6gauge", "u1gauge", "u2gauge", "u3gauge", "u4gauge",
    "u6gauge", "so2gauge", "so3gauge", "so4gauge", "so5gauge", "so6gauge", "sp4gauge", "sp6gauge", "u1phase",
    "u5gauge",
];

/// `n` random bytes.
fn noise(random: &mut Random, n: usize) -> Vec<u8> {
    (0..n).map(|_| random.below(256) as u8).collect()
}

fn pick<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len())]
}

fn digits(random: &mut Random, count: usize) -> String {
    (0..count).map(|_| char::from(b'0' + random.below(10) as u8)).collect()
}

/// Extents with few sites, often with several directions of one site.
fn extents(random: &mut Random, dimensions: usize) -> Vec<u32> {
    loop {
        let extents: Vec<u32> = (0..dimensions).map(|_| pick(random, &[1, 1, 2, 2, 3, 4])).collect();
        if extents.iter().product::<u32>() <= 32 {
            return extents;
        }
    }
}

fn empty() -> Content {
    Content {
        foreign: None,
        file: None,
        record: None,
        format: None,
        update: None,
        lfn: None,
        checksum: false,
        form: Spacing::Line,
        data: Vec::new(),
    }
}

fn format(random: &mut Random, kind: &str, extents: [u32; 4]) -> Format {
    let kind = GaugeKind::parse(kind.as_bytes()).expect("of the schema");
    let precision = pick(random, &[Precision::F32, Precision::F64]);
    let format = Format::new(kind, precision, extents);
    match random.below(4) {
        0 => Format::version_1_0(kind, precision, extents),
        1 => format.with_rows(kind.reduced_rows().unwrap_or(kind.colors())).expect("allowed"),
        2 => format.with_rows(kind.colors()).expect("all of them"),
        _ => format,
    }
}

/// Number of bytes at a site by the `ildg-format`: rows x columns x parts x N_dir (section 2.5.1), and 4 links for any
/// lattice before ILDG 1.2.
fn site_bytes(format: &Format) -> usize {
    let extents = format.extents().expect("legal");
    let long = extents.as_slice().iter().filter(|extent| **extent > 1).count();
    let links = if format.version() == "1.2" { long } else { 4 };
    let parts = if format.kind().to_string().starts_with("so") || format.kind().to_string() == "u1phase" {
        1
    } else {
        2
    };
    let precision = if format.precision() == Precision::F32 { 4 } else { 8 };
    links * usize::from(format.rows()) * usize::from(format.kind().colors()) * parts * precision
}

/// A gauge field with an ILDG description.
fn gauge(random: &mut Random, kind: &str) -> Content {
    let lattice: [u32; 4] = extents(random, 4).try_into().expect("4 of them");
    let format = format(random, kind, lattice);
    let sites: u32 = lattice.iter().product();
    let data = noise(random, sites as usize * site_bytes(&format));
    Content { format: Some(format), checksum: random.below(2) == 0, data, ..empty() }
}

fn text(random: &mut Random) -> Vec<u8> {
    let most = pick(random, &[0, 1, 7, 8, 300]);
    (0..random.below(most + 1)).map(|_| pick(random, b"<xml/> \n\t&;abc123")).collect()
}

/// A private record XML with random values. The number of bytes at a site is a multiple of the word size.
fn record(random: &mut Random, region: &Region) -> PrivateRecord {
    let record = match (region, random.below(5)) {
        (Region::Lattice, 0) => PrivateRecord::version_1_0(false),
        (Region::Global, 0) => PrivateRecord::version_1_0(true),
        _ => PrivateRecord::new(region),
    };
    let (letter, word) = pick(random, &[("F", 4), ("D", 8), ("I", 4), ("S", 4), ("U", 1), ("", 1), ("Q", 8)]);
    let datatype = pick(random, &["QDP_Real", "a<b>&c", "", "USQCD_ColorMatrix"]);
    let data = RecordData {
        precision: letter.try_into().expect("short"),
        datatype: datatype.try_into().expect("short"),
        typesize: word * (1 + random.below(6) as u32),
        datacount: 1 + random.below(4) as u32,
        colors: random.below(4) as u32,
        spins: random.below(5) as u32,
    };
    // The name of a datatype can contradict the rest; an empty one cannot.
    let unnamed = RecordData { datatype: "".try_into().expect("short"), ..data };
    let mut record = record.with_data(data).or_else(|_| record.with_data(unnamed)).expect("they agree");
    if random.below(2) == 0 {
        record = record.dated(Date::from_unix(random.below(1 << 31) as u64 * 13));
    }
    record
}

/// The whole lattice, a hypercube, or global data.
fn region(random: &mut Random, lattice: &Extents) -> Region {
    match random.below(3) {
        0 => Region::Lattice,
        1 => Region::Global,
        _ => {
            let corners: Vec<(u32, u32)> = lattice
                .as_slice()
                .iter()
                .map(|extent| {
                    let lower = random.below(*extent as usize) as u32;
                    (lower, lower + random.below((*extent - lower) as usize) as u32)
                })
                .collect();
            let lower: Vec<u32> = corners.iter().map(|corner| corner.0).collect();
            let upper: Vec<u32> = corners.iter().map(|corner| corner.1).collect();
            let corner = |c: &[u32]| Coordinates::new(c).expect("few");
            Region::Hypercube(Hypercube::new(corner(&lower), corner(&upper), lattice).expect("inside"))
        }
    }
}

/// The ranks of the sites in the data of a message, in stored order.
fn ranks(content: &Content, lattice: Option<&Extents>) -> Vec<u64> {
    let own = content.format.as_ref().and_then(Format::extents);
    let lattice = lattice.copied().or(own).expect("one of them is given");
    let region = content
        .record
        .as_ref()
        .map_or(Region::Lattice, |(record, _)| record.region(&lattice).expect("legal"));
    match region {
        Region::Lattice => (0..lattice.sites()).collect(),
        Region::Global => vec![0],
        Region::Hypercube(cube) => {
            let wide = |c: &[u32]| c.iter().map(|c| u64::from(*c)).collect::<Vec<_>>();
            let [lower, upper] = [cube.lower(), cube.upper()].map(|corner| wide(corner.as_slice()));
            oracle::box_ranks(&wide(lattice.as_slice()), &lower, &upper)
        }
    }
}

fn scidac(random: &mut Random, lattice: &Extents) -> Content {
    let region = region(random, lattice);
    let record = record(random, &region);
    let sites = region.sites(lattice) as usize;
    let data = noise(random, sites * (record.typesize * record.datacount) as usize);
    Content { record: Some((record, text(random))), checksum: true, data, ..empty() }
}

/// A field with SciDAC and ILDG descriptions. A site has either 4 links for any lattice, as QIO stores them, or those
/// of the directions with more than one site.
fn both(random: &mut Random, kind: &str, lattice: [u32; 4]) -> Content {
    let format = format(random, kind, lattice);
    let long = lattice.iter().filter(|extent| **extent > 1).count() as u32;
    let (links, of_format) = if format.version() == "1.2" { (long, long) } else { (4, 4) };
    let links = if random.below(2) == 0 { 4 } else { links };
    if links == 0 || of_format == 0 {
        return both(random, kind, [2, 2, 1, 1]);
    }
    let double = format.precision() == Precision::F64;
    let data = RecordData {
        precision: if double { "D" } else { "F" }.try_into().expect("short"),
        datatype: "USQCD_ColorMatrix".try_into().expect("short"),
        typesize: site_bytes(&format) as u32 / of_format,
        datacount: links,
        ..RecordData::default()
    };
    let record = PrivateRecord::new(&Region::Lattice).with_data(data).expect("they agree");
    let sites = lattice.iter().product::<u32>();
    let data = noise(random, (sites * record.typesize * links) as usize);
    Content { record: Some((record, text(random))), format: Some(format), checksum: true, data, ..empty() }
}

/// A file of several fields. Fields of one kind, and fields with different updates, have update numbers. There may be a
/// logical file name in any place, and a record of a private type.
fn file(random: &mut Random) -> Vec<Content> {
    let mut file = Vec::new();
    let dimensions = if random.below(2) == 0 { 4 } else { 1 + random.below(8) };
    let lattice = extents(random, dimensions);
    let lattice = Extents::new(&lattice).expect("small");
    let is_scidac = random.below(2) == 0;
    if is_scidac {
        file.push(Content { file: Some((PrivateFile::new(&lattice), text(random))), ..empty() });
    }
    let first = random.below(KINDS.len());
    let same = random.below(2) == 0;
    let width = 1 + random.below(5);
    let different = same || random.below(2) == 0;
    let common = digits(random, width);
    for n in 0..1 + random.below(4) {
        let kind = KINDS[if same { first } else { (first + n) % KINDS.len() }];
        let mut content = match (is_scidac, lattice.as_slice().try_into()) {
            (true, Ok(lattice)) if random.below(2) == 0 => both(random, kind, lattice),
            (true, _) => scidac(random, &lattice),
            _ => gauge(random, kind),
        };
        // `both` chooses another lattice if there would be no links.
        let fits = |format: &Format| {
            !is_scidac || format.extents().map(|e| e.as_slice() == lattice.as_slice()) == Some(true)
        };
        if !content.format.as_ref().is_none_or(fits) {
            content = scidac(random, &lattice);
        }
        // If update numbers differ, each field has one; a common one may be absent from some fields (ILDG 1.2, section
        // 2.4).
        if content.format.is_some() && different {
            content.update = Some(format!("{n}{}", digits(random, width)));
        } else if content.format.is_some() && random.below(2) == 0 {
            content.update = Some(common.clone());
        }
        file.push(content);
    }
    if random.below(4) == 0 {
        let payload = noise(random, 13);
        file.insert(
            random.below(file.len() + 1),
            Content { foreign: Some((b"group-own".to_vec(), payload)), ..empty() },
        );
    }
    for content in &mut file {
        content.form = pick(random, &[Spacing::Line, Spacing::Lines]);
    }
    let name = "lfn://example/A_1.0-x".to_owned();
    match random.below(3) {
        0 => file.insert(random.below(file.len() + 1), Content { lfn: Some(name), ..empty() }),
        1 => {
            let with_data: Vec<&mut Content> = file.iter_mut().filter(|content| content.has_data()).collect();
            let place = random.below(with_data.len());
            with_data.into_iter().nth(place).expect("has data").lfn = Some(name);
        }
        _ => {}
    }
    file
}

/// Verifies the records with the independent reader: types in the order of section 2.2, flags, payloads and checksums.
fn holds_records(what: &str, file: &[Content], bytes: &[u8]) {
    let (records, end) = oracle::scan(bytes);
    assert_eq!(end, bytes.len() as u64, "{what}: the records must extend to the end");
    let mut records = records.into_iter();
    let lattice = file.iter().find_map(|content| content.file.as_ref()).and_then(|(file, _)| file.extents());
    for content in file {
        let mut expected: Vec<(&[u8], Option<Vec<u8>>)> = Vec::new();
        let nul = |text: &[u8]| {
            let end: &[u8] = if content.form == Spacing::Line { b"\0" } else { b"" };
            Some([text, end].concat())
        };
        if let Some((kind, payload)) = &content.foreign {
            expected.push((kind, Some(payload.clone())));
        }
        if let Some((_, text)) = &content.file {
            expected.extend([(&b"scidac-private-file-xml"[..], None), (b"scidac-file-xml", nul(text))]);
        }
        if let Some((_, text)) = &content.record {
            expected.extend([(&b"scidac-private-record-xml"[..], None), (b"scidac-record-xml", nul(text))]);
        }
        if content.format.is_some() {
            expected.push((b"ildg-format", None));
        }
        if let Some(update) = &content.update {
            expected.push((b"ildg-update", nul(update.as_bytes())));
        }
        if let Some(name) = &content.lfn {
            expected.push((b"ildg-data-lfn", nul(name.as_bytes())));
        }
        if content.has_data() {
            let kind: &[u8] =
                if content.format.is_some() { b"ildg-binary-data" } else { b"scidac-binary-data" };
            expected.push((kind, Some(content.data.clone())));
            if content.checksum {
                let ranks = ranks(content, lattice.as_ref());
                let size = content.data.len() / ranks.len();
                let (suma, sumb) = match size {
                    0 => (0, 0),
                    _ => oracle::checksum(&content.data, size, ranks.into_iter()),
                };
                let sums = match content.form {
                    Spacing::Line => format!("<suma>{suma:x}</suma><sumb>{sumb:x}</sumb></scidacChecksum>\0"),
                    Spacing::Lines => {
                        format!("\n  <suma>{suma:08x}</suma>\n  <sumb>{sumb:08x}</sumb>\n</scidacChecksum>")
                    }
                };
                let at = records.clone().nth(expected.len()).expect("a checksum after the data");
                assert!(at.payload(bytes).ends_with(sums.as_bytes()), "{what}: {sums}");
                expected.push((b"scidac-checksum", None));
            }
        }
        let last = expected.len() - 1;
        for (n, (kind, payload)) in expected.into_iter().enumerate() {
            let record = records.next().unwrap_or_else(|| panic!("{what}: a record is missing"));
            assert_eq!(record.kind, kind, "{what}");
            assert_eq!((record.mb, record.me), (n == 0, n == last), "{what}: flags of {:?}", record.kind);
            if let Some(payload) = payload {
                assert!(
                    record.payload(bytes) == payload,
                    "{what}: payload of {:?}",
                    String::from_utf8_lossy(kind)
                );
            }
        }
    }
    assert_eq!(records.next(), None, "{what}: no more records");
}

/// Verifies the content of the file with the decoder.
fn reads_as(what: &str, file: &[Content], bytes: &[u8], chunk: usize) {
    let run = Run::clean(Mode::Strict, bytes, chunk, what);
    let is_ildg = file.iter().any(|content| content.format.is_some());
    let has_name = file.iter().any(|content| content.lfn.is_some());
    let reported = run.findings.iter().map(|error| error.kind);
    // The texts of the user are random.
    let reported: Vec<ErrorKind> = reported.filter(|kind| !matches!(kind, ErrorKind::UserXml(..))).collect();
    assert!(reported.iter().all(|kind| kind.severity() == Severity::Info), "{what}: {reported:?}");
    assert_eq!(reported, if is_ildg && !has_name { vec![ErrorKind::LfnMissing] } else { vec![] }, "{what}");
    let expected: Vec<&Content> = file.iter().filter(|content| content.has_data()).collect();
    assert_eq!(run.fields.len(), expected.len(), "{what}");
    let lattice = file.iter().find_map(|content| content.file.as_ref()).and_then(|(file, _)| file.extents());
    for (reported, content) in run.fields.iter().zip(expected) {
        match &content.record {
            Some((record, _)) => assert_eq!(reported.record.as_ref(), Some(record), "{what}"),
            None => assert_eq!(reported.field.described_by, linkstream::field::DescribedBy::Ildg, "{what}"),
        }
        if content.format.is_some() {
            assert_eq!(reported.format, content.format, "{what}");
        }
        let ranks = ranks(content, lattice.as_ref());
        assert!(reported.sites.is_empty() || reported.sites.iter().map(|site| site.rank).eq(ranks), "{what}");
        assert!(
            reported.sites.iter().flat_map(|site| site.bytes.clone()).eq(content.data.iter().copied()),
            "{what}"
        );
        match reported.verdict {
            Some(Verdict::Match { .. }) if content.checksum => {}
            Some(Verdict::Absent { .. }) if !content.checksum => {}
            other => panic!("{what}: {other:?}"),
        }
    }
    if let Some((document, _)) = file.iter().find_map(|content| content.file.as_ref()) {
        let record =
            run.records.iter().find(|record| record.kind == b"scidac-private-file-xml").expect("written");
        assert_eq!(PrivateFile::parse(&record.payload).as_ref(), Ok(document), "{what}");
    }
}

#[test]
fn written_files_read_back_in_every_way() {
    let (mut ildg, mut scidac, mut several, mut none) = (0, 0, 0, 0);
    for seed in long::sample(1..2000, 4) {
        let mut random = Random(seed * 7919);
        let contents = file(&mut random);
        let what = format!("seed {seed}");
        let bytes =
            by_sites(&contents, 4096 + random.below(4096)).unwrap_or_else(|error| panic!("{what}: {error}"));
        holds_records(&what, &contents, &bytes);
        reads_as(&what, &contents, &bytes, 1 + random.below(3000));
        assert!(by_pieces(&contents, seed).expect("it was written before") == bytes, "{what}: in pieces");
        let count = 1 + random.below(5);
        assert!(
            by_parts(&contents, count, seed).expect("it was written before") == bytes,
            "{what}: by {count}"
        );
        let fields = contents.iter().filter(|content| content.has_data());
        several += usize::from(fields.clone().count() > 1);
        none += fields.clone().filter(|content| content.data.is_empty()).count();
        ildg += fields.clone().filter(|content| content.format.is_some()).count();
        scidac += fields.filter(|content| content.record.is_some()).count();
    }
    // The files include fields without data: a lattice of one site has no links.
    let expected = |count: usize| count / if long::is_wanted() { 1 } else { 4 };
    assert!(
        ildg > expected(1500) && scidac > expected(1200) && several > expected(900) && none >= expected(20),
        "{ildg}, {scidac}, {several}, {none}"
    );
}

/// Every kind with all its rows and with reduced rows, alone in a file.
#[test]
fn every_kind_in_both_precisions() {
    for (n, kind) in KINDS.into_iter().enumerate() {
        for seed in 0..12 {
            let mut random = Random(n as u64 * 1000 + seed);
            let contents = [gauge(&mut random, kind)];
            let bytes = by_sites(&contents, 4096).expect("legal");
            let what = format!("{kind}, {seed}");
            holds_records(&what, &contents, &bytes);
            reads_as(&what, &contents, &bytes, 1000);
        }
    }
}
