//! Absent links at open and Dirichlet boundaries (ILDG 1.2, section 2.5.1): all links of a direction are absent on its
//! last slice, or none, and no others.

use crate::field::support::build::{Part, file};
use crate::field::support::ildg::{document, elements_on, lfn};
use linkstream::Resumable as _;
use linkstream::conformance::{Boundaries, Decoder, ErrorKind, Event, LinkPlace, OpenDirection};
use linkstream::field::{SiteError, Sites};
use linkstream::{Decode, Diagnostic as _, Error, Mode};

/// A generated gauge field.
struct Made {
    kind: &'static str,
    extents: [u32; 4],
    /// Size of a link in bytes.
    size: usize,
    fill: u8,
    data: Vec<u8>,
}

impl Made {
    /// A field without absent links. The first numbers of each link are 0, as in a phase or a permutation, so that only
    /// its last byte distinguishes it from an absent one.
    fn new(kind: &'static str, extents: [u32; 4]) -> Self {
        let (size, fill) = match kind {
            "su3gauge" => (72, 0),
            "so2gauge" => (16, 0),
            "u1phase" => (4, 0xff),
            other => panic!("{other}"),
        };
        let mut made = Self { kind, extents, size, fill, data: Vec::new() };
        let links = made.directions().len() * made.sites() as usize;
        for _ in 0..links {
            made.data.resize(made.data.len() + size - 1, fill);
            made.data.push(7);
        }
        made
    }

    fn sites(&self) -> u64 {
        self.extents.iter().map(|extent| u64::from(*extent)).product()
    }

    /// The directions with links.
    fn directions(&self) -> Vec<usize> {
        (0..4).filter(|direction| self.extents[*direction] > 1).collect()
    }

    fn coordinate(&self, rank: u64, direction: usize) -> u32 {
        let below: u64 = self.extents[..direction].iter().map(|extent| u64::from(*extent)).product();
        u32::try_from(rank / below % u64::from(self.extents[direction])).expect("small")
    }

    /// Offset of a link in the data.
    fn place(&self, rank: u64, direction: usize) -> usize {
        let directions = self.directions();
        let mu = directions.iter().position(|stored| *stored == direction).expect("a link");
        (rank as usize * directions.len() + mu) * self.size
    }

    fn remove(&mut self, rank: u64, direction: usize) {
        let at = self.place(rank, direction);
        let fill = self.fill;
        self.data[at..at + self.size].fill(fill);
    }

    /// Marks the links of a direction on a slice as absent, from rank `from` on.
    fn open(mut self, direction: usize, slice: u32, from: u64) -> Self {
        for rank in from..self.sites() {
            if self.coordinate(rank, direction) == slice {
                self.remove(rank, direction);
            }
        }
        self
    }

    fn messages(&self) -> Vec<Vec<Part>> {
        let format = document("ildgFormat", &elements_on(self.kind, self.extents));
        vec![vec![
            ("ildg-format", format.into_bytes()),
            ("ildg-binary-data", self.data.clone()),
            lfn("lfn://a"),
        ]]
    }

    fn data_at(&self) -> u64 {
        144 + self.messages()[0][0].1.len().next_multiple_of(8) as u64 + 144
    }

    /// The expected fault at a link.
    fn fault(
        &self,
        kind: fn(LinkPlace) -> ErrorKind,
        rank: u64,
        direction: usize,
    ) -> Option<Error<ErrorKind>> {
        let place = LinkPlace { direction: direction as u8, rank };
        Some(Error::new(self.data_at() + self.place(rank, direction) as u64, kind(place)))
    }

    /// The fault and the open directions. They must be the same for pieces of several sizes, with the state saved and
    /// loaded after each step.
    fn judged(&self) -> (Option<Error<ErrorKind>>, Vec<OpenDirection>) {
        let file = file(&self.messages());
        let whole = judge(&file, usize::MAX);
        for chunk in [1, 7, 100] {
            assert_eq!(judge(&file, chunk), whole, "in pieces of {chunk}");
        }
        whole.expect("an ildg-format describes it")
    }
}

/// The fault and the open directions; `None` if no ILDG document describes the field.
fn judge(file: &[u8], chunk: usize) -> Option<(Option<Error<ErrorKind>>, Vec<OpenDirection>)> {
    let mut decoder = Decoder::new(Mode::Strict);
    let mut buffer = vec![0; 1 << 12];
    let mut sites = Sites::new(&mut buffer);
    let mut boundaries = None;
    for mut piece in file.chunks(chunk) {
        while !piece.is_empty() {
            let step = decoder.push(piece).expect("a valid file");
            let (bytes, rest) = piece.split_at(step.consumed);
            piece = rest;
            match step.event {
                Some(Event::Field) => {
                    sites.begin(decoder.content().field()).expect("large enough");
                    boundaries = Boundaries::of(decoder.content());
                }
                Some(Event::Data) => sites
                    .feed(decoder.content().field(), bytes, |site| -> Result<(), SiteError> {
                        if let Some(boundaries) = &mut boundaries {
                            boundaries.site(&site);
                        }
                        Ok(())
                    })
                    .expect("has begun"),
                _ => {}
            }
            boundaries = boundaries.map(|now| Boundaries::load(&now.save()).expect("just saved"));
        }
    }
    boundaries.map(|boundaries| (boundaries.fault(), boundaries.open().collect()))
}

fn open(direction: u8, links: u64) -> OpenDirection {
    OpenDirection { direction, links }
}

const KINDS: [&str; 3] = ["su3gauge", "so2gauge", "u1phase"];
const LATTICE: [u32; 4] = [2, 3, 2, 4];

#[test]
fn a_closed_lattice_has_no_open_direction() {
    for kind in KINDS {
        assert_eq!(Made::new(kind, LATTICE).judged(), (None, vec![]), "{kind}");
    }
}

#[test]
fn open_directions_are_reported() {
    for kind in KINDS {
        for (direction, extent) in LATTICE.into_iter().enumerate() {
            let made = Made::new(kind, LATTICE).open(direction, extent - 1, 0);
            let links = 48 / u64::from(extent);
            assert_eq!(made.judged(), (None, vec![open(direction as u8, links)]), "{kind}");
        }
        let two = Made::new(kind, LATTICE).open(3, 3, 0).open(1, 2, 0);
        assert_eq!(two.judged(), (None, vec![open(1, 16), open(3, 12)]), "{kind}");
        let letters: Vec<_> = two.judged().1.iter().map(OpenDirection::letter).collect();
        assert_eq!(letters, ["y", "t"]);
    }
}

/// Only directions with more than one site have links.
#[test]
fn open_directions_of_three_dimensions() {
    for kind in KINDS {
        let extents = [2, 1, 3, 4];
        let made = Made::new(kind, extents).open(2, 2, 0);
        assert_eq!(made.judged(), (None, vec![open(2, 8)]), "{kind}");
        let wrong = Made::new(kind, extents).open(3, 0, 0);
        assert_eq!(wrong.judged().0, wrong.fault(ErrorKind::LinkUnphysical, 0, 3), "{kind}");
    }
}

#[test]
fn links_must_exist_elsewhere() {
    for kind in KINDS {
        for (direction, extent) in LATTICE.into_iter().enumerate() {
            // The first slice, and a single link on it.
            let wrong = Made::new(kind, LATTICE).open(direction, 0, 0);
            assert_eq!(
                wrong.judged(),
                (wrong.fault(ErrorKind::LinkUnphysical, 0, direction), vec![]),
                "{kind}"
            );
            let last = (0..48).rfind(|rank| wrong.coordinate(*rank, direction) == 0).expect("a slice");
            let mut one = Made::new(kind, LATTICE).open(direction, extent - 1, 0);
            one.remove(last, direction);
            let (fault, opened) = one.judged();
            assert_eq!(fault, one.fault(ErrorKind::LinkUnphysical, last, direction), "{kind}");
            assert_eq!(opened.len(), 1, "the boundary must still be reported as open");
        }
    }
}

#[test]
fn a_slice_is_open_as_a_whole() {
    for kind in KINDS {
        // The second half of the slice, and all of it except the last link.
        let half = Made::new(kind, LATTICE).open(3, 3, 42);
        assert_eq!(half.judged(), (half.fault(ErrorKind::BoundaryMixed, 42, 3), vec![]), "{kind}");
        let mut but_one = Made::new(kind, LATTICE).open(3, 3, 0);
        let at = but_one.place(47, 3) + but_one.size - 1;
        but_one.data[at] = 7;
        assert_eq!(but_one.judged(), (but_one.fault(ErrorKind::BoundaryMixed, 47, 3), vec![]), "{kind}");
    }
}

/// Zeros are a valid phase, and all bits set are valid, though unusual, numbers of other kinds.
#[test]
fn the_pattern_depends_on_the_kind() {
    let mut phases = Made::new("u1phase", LATTICE);
    phases.data.fill(0);
    assert_eq!(phases.judged(), (None, vec![]));
    let mut links = Made::new("su3gauge", LATTICE);
    links.data.fill(0xff);
    assert_eq!(links.judged(), (None, vec![]));
    links.data.fill(0);
    assert_eq!(links.judged().0, links.fault(ErrorKind::LinkUnphysical, 0, 0));
}

/// QIO's fields of color matrices without an `ildg-format`, and fields that are not gauge fields.
#[test]
fn only_fields_of_ildg_are_judged() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
    let sample = std::fs::read(sample).expect("the sample is part of the repository");
    assert_eq!(judge(&sample, 1000), Some((None, vec![])), "the sample has an ildg-format");
    let file = "<scidacFile><version>1.1</version><spacetime>1</spacetime><dims>2</dims><volfmt>0</volfmt></scidacFile>";
    let record = "<scidacRecord><version>1.1</version><recordtype>0</recordtype><datatype>QDP_F1_ColorMatrix</datatype>\
        <precision>F</precision><colors>1</colors><typesize>8</typesize><datacount>1</datacount></scidacRecord>";
    let sums = "<scidacChecksum><version>1.0</version></scidacChecksum>";
    let messages = [
        vec![("scidac-private-file-xml", file.into()), ("scidac-file-xml", vec![])],
        vec![
            ("scidac-private-record-xml", record.into()),
            ("scidac-record-xml", vec![]),
            ("scidac-binary-data", vec![0; 16]),
            ("scidac-checksum", sums.into()),
        ],
    ];
    assert_eq!(judge(&crate::field::support::build::file(&messages), 1000), None);
}

/// Both are rules of ILDG; the field can still be read.
#[test]
fn faults_name_their_clause() {
    let place = LinkPlace { direction: 3, rank: 47 };
    for (kind, rule) in [
        (ErrorKind::LinkUnphysical(place), "ildg-link-unphysical"),
        (ErrorKind::BoundaryMixed(place), "ildg-boundary-mixed"),
    ] {
        assert_eq!((kind.rule(), kind.clause()), (rule, "ILDG 1.2, section 2.5.1"));
        assert_eq!(kind.severity(), linkstream::Severity::Warning);
        assert!(kind.to_string().starts_with("the link in t at the site of rank 47 "), "{kind}");
    }
}
