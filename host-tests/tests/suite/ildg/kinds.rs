//! Gauge fields of every kind in generated files: the length that the format implies, links by row and column, and
//! absent links (ILDG 1.2, section 2.5.1).

use crate::field::support::build::file;
use crate::field::support::run::Run;
use linkstream::conformance::ErrorKind;
use linkstream::field::{self, DescribedBy, Verdict};
use linkstream::ildg::{BINARY_DATA, DATA_LFN, FORMAT};
use linkstream::{Decode, Error, Mode};

/// A kind as the specification describes it: group, colors, and the corresponding array declaration.
#[derive(Debug, Clone, Copy)]
struct Case {
    field: &'static str,
    columns: usize,
    /// Number of rows in reduced storage, if the kind has it.
    reduced: Option<usize>,
    /// Numbers per element; 1 if there is no index for real and imaginary part.
    parts: usize,
}

const fn case(field: &'static str, columns: usize, reduced: Option<usize>, parts: usize) -> Case {
    Case { field, columns, reduced, parts }
}

const CASES: [Case; 20] = [
    case("su2gauge", 2, Some(1), 2),
    case("su3gauge", 3, Some(2), 2),
    case("su4gauge", 4, Some(3), 2),
    case("su5gauge", 5, Some(4), 2),
    case("su6gauge", 6, Some(5), 2),
    case("su7gauge", 7, Some(6), 2),
    case("su8gauge", 8, Some(7), 2),
    case("su9gauge", 9, Some(8), 2),
    case("so2gauge", 2, Some(1), 1),
    case("so3gauge", 3, Some(2), 1),
    case("so5gauge", 5, Some(4), 1),
    case("so10gauge", 10, Some(9), 1),
    case("sp4gauge", 4, Some(2), 2),
    case("sp6gauge", 6, Some(3), 2),
    case("sp10gauge", 10, Some(5), 2),
    case("u1gauge", 1, None, 2),
    case("u2gauge", 2, None, 2),
    case("u3gauge", 3, None, 2),
    case("u11gauge", 11, None, 2),
    case("u1phase", 1, None, 1),
];

/// Lattices with 0 to 3 trivial directions. For 4, see `a_lattice_of_one_site_has_no_links`.
const EXTENTS: [[usize; 4]; 9] = [
    [2, 2, 2, 2],
    [3, 2, 1, 2],
    [1, 2, 3, 2],
    [2, 1, 1, 3],
    [1, 3, 2, 1],
    [1, 1, 1, 4],
    [5, 1, 1, 1],
    [1, 2, 1, 1],
    [1, 1, 3, 1],
];

/// A complete description of data.
#[derive(Debug, Clone, Copy)]
struct Shape {
    case: Case,
    /// Number of stored rows; `None` if the document does not contain it, which means all rows.
    rows: Option<usize>,
    word: usize,
    extents: [usize; 4],
}

impl Shape {
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for case in CASES {
            for rows in [None, Some(case.columns), case.reduced] {
                for word in [4, 8] {
                    all.extend(EXTENTS.map(|extents| Self { case, rows, word, extents }));
                }
            }
        }
        // Without reduced storage, the last of the three equals the first.
        all
    }

    fn stored_rows(&self) -> usize {
        self.rows.unwrap_or(self.case.columns)
    }

    /// The number of non-trivial directions.
    fn directions(&self) -> usize {
        self.extents.iter().filter(|extent| **extent > 1).count()
    }

    fn volume(&self) -> usize {
        self.extents.iter().product()
    }

    fn numbers_per_link(&self) -> usize {
        self.stored_rows() * self.case.columns * self.case.parts
    }

    fn bytes_per_site(&self) -> usize {
        self.directions() * self.numbers_per_link() * self.word
    }

    fn format(&self) -> Vec<u8> {
        let rows = self.rows.map(|rows| format!("<rows> {rows} </rows>\n")).unwrap_or_default();
        let [lx, ly, lz, lt] = self.extents;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ildgFormat xmlns=\"http://www.lqcd.org/ildg\">\n\
             <version> 1.2 </version>\n<field> {} </field>\n{rows}<precision> {} </precision>\n\
             <lx> {lx} </lx> <ly> {ly} </ly> <lz> {lz} </lz> <lt> {lt} </lt>\n</ildgFormat>\n",
            self.case.field,
            8 * self.word,
        )
        .into_bytes()
    }

    /// A number that encodes its indices, so that any confusion of two indices is detected. It is exact in 32 bits.
    fn number(&self, rank: usize, mu: usize, row: usize, column: usize, part: usize) -> f64 {
        let place = ((mu * 16 + row) * 16 + column) * 2 + part;
        (rank * 2048 + place + 1) as f64
    }

    fn payload(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        for rank in 0..self.volume() {
            for mu in 0..self.directions() {
                for row in 0..self.stored_rows() {
                    for column in 0..self.case.columns {
                        for part in 0..self.case.parts {
                            let number = self.number(rank, mu, row, column, part);
                            match self.word {
                                4 => payload.extend_from_slice(&(number as f32).to_be_bytes()),
                                _ => payload.extend_from_slice(&number.to_be_bytes()),
                            }
                        }
                    }
                }
            }
        }
        payload
    }

    fn file(&self, payload: Vec<u8>) -> Vec<u8> {
        file(&[
            vec![(FORMAT, self.format()), (BINARY_DATA, payload)],
            vec![(DATA_LFN, b"lfn://test/1".to_vec())],
        ])
    }
}

#[test]
fn links_of_every_kind_are_where_the_document_says() {
    let shapes = Shape::all();
    assert_eq!(shapes.len(), 20 * 3 * 2 * 9);
    for shape in shapes {
        let payload = shape.payload();
        assert_eq!(payload.len(), shape.volume() * shape.bytes_per_site());
        let run = Run::clean(Mode::Strict, &shape.file(payload), 1000, shape.case.field);
        assert_eq!(run.findings, [], "{shape:?}");
        let [reported] = &run.fields[..] else { panic!("{shape:?}: one field") };
        assert_eq!(reported.field.described_by, DescribedBy::Ildg);
        assert!(matches!(reported.verdict, Some(Verdict::Absent { .. })), "{:?}", reported.verdict);
        assert_eq!(reported.field.bytes_per_site, shape.bytes_per_site() as u64, "{shape:?}");
        let layout = reported.field.links.expect("a gauge field");
        assert_eq!(layout.bytes_per_link(), Some(shape.numbers_per_link() * shape.word), "{shape:?}");
        assert_eq!(layout.absent_is_ones, shape.case.field == "u1phase");

        assert_eq!(reported.sites.len(), shape.volume(), "{shape:?}");
        for (rank, site) in reported.sites.iter().enumerate() {
            assert_eq!(site.rank, rank as u64);
            assert_eq!(site.links.len(), shape.directions(), "{shape:?}");
            for (mu, link) in site.links.iter().enumerate() {
                let (rows, columns) = (shape.stored_rows(), shape.case.columns);
                assert_eq!((link.rows as usize, link.columns as usize), (rows, columns));
                assert!(!link.unphysical);
                for row in 0..rows {
                    for column in 0..columns {
                        let re = shape.number(rank, mu, row, column, 0);
                        let im =
                            if shape.case.parts == 2 { shape.number(rank, mu, row, column, 1) } else { 0.0 };
                        let element = link.elements[row * columns + column];
                        assert_eq!(element, [re, im], "{shape:?} rank {rank} mu {mu} {row} {column}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_payload_one_byte_off_is_refused_before_it_is_read() {
    for shape in Shape::all() {
        let whole = shape.payload();
        let expected = whole.len() as u64;
        let at = (144 + shape.format().len()).next_multiple_of(8) as u64;
        for found in [0, expected / 2, expected - 1, expected + 1, expected * 2] {
            let mut payload = whole.clone();
            payload.resize(found as usize, 0x55);
            let file = shape.file(payload);
            let error = Error::new(at, ErrorKind::Field(field::ErrorKind::DataLength { expected, found }));
            for mode in [Mode::Strict, Mode::Lenient] {
                let run = Run::of(mode, &file, usize::MAX);
                assert_eq!((run.error, run.fields.len()), (Some(error), 0), "{shape:?}");
            }
            let survey = Run::clean(Mode::Survey, &file, usize::MAX, shape.case.field);
            assert_eq!((&survey.findings[..], survey.fields.len()), (&[error][..], 0), "{shape:?}");
        }
    }
}

/// Absent links consist of zeros, for `u1phase` of ones; all others exist.
#[test]
fn absent_links_are_recognised_by_their_pattern() {
    for shape in Shape::all().into_iter().filter(|shape| shape.extents == [3, 2, 1, 2]) {
        let (right, wrong) = if shape.case.field == "u1phase" { (0xff, 0) } else { (0, 0xff) };
        let link = shape.numbers_per_link() * shape.word;
        let mut payload = shape.payload();
        let links = payload.len() / link;
        for (n, bytes) in payload.chunks_mut(link).enumerate() {
            match n % 5 {
                0 => bytes.fill(right),
                1 => bytes.fill(wrong),
                // One bit differs in the last byte, and in the first; among zeros, this is a minus sign.
                2 => {
                    bytes.fill(right);
                    bytes[link - 1] ^= 1;
                }
                3 => {
                    bytes.fill(right);
                    bytes[0] ^= 0x80;
                }
                _ => {}
            }
        }
        let run = Run::clean(Mode::Strict, &shape.file(payload), 333, shape.case.field);
        let reported = run.fields[0].sites.iter().flat_map(|site| &site.links).map(|link| link.unphysical);
        let expected = (0..links).map(|n| n % 5 == 0);
        assert!(reported.eq(expected), "{shape:?}");
    }
}

/// All four directions are trivial: N_dir is 0, and the array of section 2.5.1 has no element. A record of 0 bytes is
/// valid; any other length is an error.
#[test]
fn a_lattice_of_one_site_has_no_links() {
    for case in CASES {
        let shape = Shape { case, rows: None, word: 8, extents: [1, 1, 1, 1] };
        let run = Run::clean(Mode::Strict, &shape.file(Vec::new()), 50, case.field);
        let [reported] = &run.fields[..] else { panic!("{}: one field", case.field) };
        assert_eq!((reported.field.bytes_per_site, reported.field.sites(), reported.sites.len()), (0, 1, 0));
        assert!(reported.ended && reported.computed == Some(linkstream::lattice::Checksum::default()));
        assert_eq!(run.findings, []);

        let one_link = vec![0x11; 4 * shape.numbers_per_link() * 8];
        let error =
            ErrorKind::Field(field::ErrorKind::DataLength { expected: 0, found: one_link.len() as u64 });
        assert_eq!(Run::of(Mode::Strict, &shape.file(one_link), 50).error.map(|e| e.kind), Some(error));
    }
}

/// Before ILDG 1.2, trivial directions were not excluded: if an older format describes the data, there may be links in
/// all four directions, as QIO and tmLQCD store them. Only all links, or the links of version 1.2, are valid.
#[test]
fn before_revision_1_2_trivial_directions_may_have_links() {
    for case in CASES {
        for extents in EXTENTS.into_iter().chain([[1, 1, 1, 1]]) {
            let shape = Shape { case, rows: None, word: 4, extents };
            let link = shape.numbers_per_link() * 4;
            for version in ["1.0", "1.1", "1.2"] {
                for links in 0..=5 {
                    let bytes = shape.volume() * links * link;
                    let payload: Vec<u8> = (0..bytes).map(|n| (n / link) as u8 + 1).collect();
                    let format = String::from_utf8(shape.format()).expect("ASCII");
                    let format = format.replace("<version> 1.2", &format!("<version> {version}"));
                    let file = file(&[vec![(FORMAT, format.into_bytes()), (BINARY_DATA, payload)]]);
                    let run = Run::of(Mode::Strict, &file, usize::MAX);
                    let what = format!("{shape:?} {version} with {links} links");
                    if links != shape.directions() && (links != 4 || version == "1.2") {
                        let expected = (shape.volume() * shape.bytes_per_site()) as u64;
                        let error =
                            ErrorKind::Field(field::ErrorKind::DataLength { expected, found: bytes as u64 });
                        assert_eq!(run.error.map(|e| e.kind), Some(error), "{what}");
                        continue;
                    }
                    assert_eq!(run.error, None, "{what}");
                    let sites = &run.fields[0].sites;
                    assert_eq!(sites.len(), if links == 0 { 0 } else { shape.volume() }, "{what}");
                    for (rank, site) in sites.iter().enumerate() {
                        assert_eq!(site.links.len(), links, "{what}");
                        let firsts = site.links.iter().map(|link| usize::from(link.bytes[0]));
                        assert!(firsts.eq((0..links).map(|mu| rank * links + mu + 1)), "{what}");
                    }
                }
            }
        }
    }
}

/// A site larger than any buffer cannot be passed to the caller, which is reported, but the field can still be
/// verified.
#[test]
fn a_field_of_huge_sites_is_announced_before_its_data() {
    let shape =
        Shape { case: case("su9999gauge", 9999, None, 2), rows: None, word: 8, extents: [2, 1, 1, 1] };
    let expected = 2 * 9999 * 9999 * 2 * 8_u64;
    let mut file = file(&[vec![(FORMAT, shape.format()), (BINARY_DATA, Vec::new())]]);
    // Sets the length of a payload that is absent.
    let header = file.len() - 144;
    file[header + 8..header + 16].copy_from_slice(&expected.to_be_bytes());
    let mut decoder = field::Decoder::new(Mode::Strict);
    let mut rest = &file[..];
    while !rest.is_empty() || decoder.field().is_none() {
        let step = decoder.push(rest).expect("valid so far");
        rest = &rest[step.consumed..];
        if step.event == Some(field::Event::Field) {
            break;
        }
    }
    let field = decoder.field().expect("announced");
    assert_eq!(field.data_length(), Some(expected));
    let mut buffer = [0; 4096];
    let mut sites = field::Sites::new(&mut buffer);
    let error = field::SitesError::BufferTooSmall { needed: expected / 2 };
    assert_eq!(sites.begin(field), Err(error));
    let none = |_: field::Site<'_>| Err("no site is handed out");
    let fed = sites.feed(field, &[0; 100_000], none);
    assert_eq!(fed, Err(field::SitesError::NotBegun.into()));
}
