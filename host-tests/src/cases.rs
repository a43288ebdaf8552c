//! Fields of every layout, process grids, and the independent order of the sites.

use linkstream::Encode as _;
use linkstream::field::{Encoder, Field, FieldDocuments, Form, OutgoingMessage};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, Fill};
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord};

/// A field to be written: its documents, and the number that belongs to each place of the file.
#[derive(Debug)]
pub struct Case {
    pub name: &'static str,
    pub lattice: Extents,
    pub documents: FieldDocuments,
}

pub fn lattice(extents: &[u32]) -> Extents {
    Extents::new(extents).expect("legal extents")
}

pub fn corner(values: &[u32]) -> Coordinates {
    Coordinates::new(values).expect("at most 8 dimensions")
}

pub fn cube(lower: &[u32], upper: &[u32], extents: &Extents) -> Hypercube {
    Hypercube::new(corner(lower), corner(upper), extents).expect("inside the lattice")
}

/// A gauge field in every form, a propagator, a complex field, a field on a hypercube, and global data.
pub fn cases(extents: &[u32; 4]) -> Vec<Case> {
    let lattice = lattice(extents);
    let gauge = |precision, form| {
        FieldDocuments::gauge_field(GaugeKind::SU3, precision, form, &lattice).expect("a form for SU(3)")
    };
    let part = cube(&[0; 4], &extents.map(|extent| extent.div_ceil(2) - 1), &lattice);
    let inner = cube(&extents.map(|extent| extent / 3), &extents.map(|extent| extent - 1), &lattice);
    let slice = cube(&[0, 0, 0, extents[3] / 2], &extents.map(|extent| extent - 1), &lattice);
    let on = |cube| {
        let record = PrivateRecord::complex_field(Precision::F32);
        FieldDocuments::scidac(record.covering(&Region::Hypercube(cube)))
    };
    [
        ("ILDG, single", gauge(Precision::F32, Form::Ildg)),
        ("ILDG, double", gauge(Precision::F64, Form::Ildg)),
        ("SciDAC", gauge(Precision::F64, Form::Scidac)),
        ("both", gauge(Precision::F32, Form::Both)),
        ("propagator", FieldDocuments::scidac(PrivateRecord::propagator(Precision::F32))),
        ("complex", FieldDocuments::scidac(PrivateRecord::complex_field(Precision::F64))),
        ("hypercube at the origin", on(part)),
        ("hypercube inside", on(inner)),
        ("time slices", on(slice)),
        ("global", FieldDocuments::scidac(PrivateRecord::global(Precision::F64, 7))),
    ]
    .map(|(name, documents)| Case { name, lattice, documents })
    .into()
}

/// The number at this place of a site: all are different, and exact in single precision.
pub fn number(rank: u64, place: u64) -> f64 {
    (rank * 512 + place) as f64 / 8.0 - 1000.0
}

impl Case {
    pub fn message(&self) -> OutgoingMessage<'_> {
        self.documents.message(b"")
    }

    pub fn layout(&self) -> Field {
        self.documents.layout(&self.lattice).expect("a legal layout")
    }

    /// Numbers per site.
    pub fn count(&self) -> usize {
        let field = self.layout();
        field.bytes_per_site as usize / field.precision.expect("numbers").size()
    }

    /// True if the file begins with a file message.
    pub fn has_file(&self) -> bool {
        self.layout().described_by == linkstream::field::DescribedBy::Scidac
    }

    /// The numbers of a site.
    pub fn site(&self, rank: u64) -> Vec<f64> {
        (0..self.count() as u64).map(|place| number(rank, place)).collect()
    }

    /// The file as one process writes it.
    pub fn serial(&self) -> Vec<u8> {
        let (mut file, mut buffer) = (Vec::new(), [0; 8192]);
        let mut writer =
            FieldWriter::with_encoder(linkstream::io::FromStd(&mut file), &mut buffer, Encoder::new());
        let private = PrivateFile::new(&self.lattice);
        if self.has_file() {
            writer.write_message(&OutgoingMessage::file(&private, b"boxes")).expect("memory does not fail");
        }
        let precision = self.layout().precision.expect("numbers");
        let fill = |site: &mut linkstream::field::SiteMut<'_>| {
            let numbers = self.site(site.rank());
            match precision {
                Precision::F32 => site.put(&numbers.iter().map(|n| *n as f32).collect::<Vec<_>>()),
                Precision::F64 => site.put(&numbers),
            }
        };
        writer.write(&self.message(), Fill::sites(fill)).expect("memory does not fail");
        writer.finish().expect("complete");
        file
    }

    /// Encoders of the file up to the data, as each process has them, and the documents that the root writes.
    pub fn begun(&self) -> (Encoder, Vec<Vec<u8>>) {
        let (mut encoder, mut buffer) = (Encoder::new(), [0; 4096]);
        let mut writes = Vec::new();
        let private = PrivateFile::new(&self.lattice);
        if self.has_file() {
            let message = OutgoingMessage::file(&private, b"boxes");
            let begun = encoder.begin(&message, &mut buffer).expect("legal");
            writes.push(encoder.stage(&begun, &mut buffer).expect("room for it").bytes.to_vec());
        }
        let begun = encoder.begin(&self.message(), &mut buffer).expect("legal");
        let at = writes.iter().map(|write| write.len() as u64).sum::<u64>();
        let staged = encoder.stage(&begun, &mut buffer).expect("room for it");
        assert_eq!(staged.offset, at);
        writes.push(staged.bytes.to_vec());
        (encoder, writes)
    }

    /// The end of the file, once all data are written with this checksum.
    pub fn end(&self, mut encoder: Encoder, sum: Checksum) -> (u64, Vec<u8>) {
        let mut buffer = [0; 1024];
        encoder.others(sum).expect("data are expected");
        let begun = encoder.resume(&self.message(), &mut buffer).expect("the same message");
        let staged = encoder.stage(&begun, &mut buffer).expect("room for it");
        let end = (staged.offset, staged.bytes.to_vec());
        encoder.finish().expect("complete");
        assert_eq!(end.0 + end.1.len() as u64, encoder.position());
        end
    }
}

/// The boxes of a process grid, x fastest; `None` for a process without sites. Extents need not be divisible.
pub fn grid(extents: &[u32], processes: &[u32]) -> Vec<Option<Hypercube>> {
    let lattice = lattice(extents);
    let count: u32 = processes.iter().product();
    (0..count)
        .map(|q| {
            let (mut rest, mut lower, mut upper) = (q, Vec::new(), Vec::new());
            for (extent, n) in extents.iter().zip(processes) {
                let i = rest % n;
                rest /= n;
                let (from, to) = (i * extent / n, (i + 1) * extent / n);
                if from == to {
                    return None;
                }
                lower.push(from);
                upper.push(to - 1);
            }
            Some(cube(&lower, &upper, &lattice))
        })
        .collect()
}

/// Every process grid up to `extent` processes, and one more, in each direction.
pub fn grids(extents: &[u32; 4]) -> Vec<[u32; 4]> {
    let [x, y, z, t] = extents.map(|extent| 1..=extent + 1);
    x.flat_map(|x| {
        let (z, t) = (z.clone(), t.clone());
        y.clone().flat_map(move |y| {
            let t = t.clone();
            z.clone().flat_map(move |z| t.clone().map(move |t| [x, y, z, t]))
        })
    })
    .collect()
}

/// The sites of a part by testing every site of the lattice: rank, and index in the stored order of the field.
pub fn sites(field: &Field, cube: Option<Hypercube>) -> Vec<(u64, u64)> {
    let Some(cube) = cube else { return Vec::new() };
    let is_origin = |site: &Coordinates| site.as_slice().iter().all(|c| *c == 0);
    let covered = (0..field.extents.sites()).filter(|rank| {
        let site = field.extents.coordinates(*rank).expect("in the lattice");
        match &field.region {
            Region::Lattice => true,
            Region::Hypercube(region) => region.contains(&site),
            Region::Global => is_origin(&site),
        }
    });
    let here = |rank: &u64| cube.contains(&field.extents.coordinates(*rank).expect("in the lattice"));
    covered.zip(0..).filter(|(rank, _)| here(rank)).collect()
}
