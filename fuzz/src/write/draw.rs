//! Makes messages from the bytes of an input. Most of them can be written; some are arbitrary.

use linkstream::field::OutgoingMessage;
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord, RecordData};
use linkstream::xml::Spacing;

/// The bytes of an input, taken one after the other, followed by zeros.
pub struct Draw<'a>(pub &'a [u8]);

impl Draw<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `n`, which is at most 256.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()).checked_rem(n).unwrap_or(0)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 1
    }

    pub fn bytes(&mut self) -> Vec<u8> {
        let n = self.below(24).min(self.0.len());
        let (text, rest) = self.0.split_at(n);
        self.0 = rest;
        text.to_vec()
    }

    /// A text for a document; empty if the bytes are not valid as one.
    fn text<T: Default + for<'t> TryFrom<&'t str>>(&mut self) -> T {
        String::from_utf8(self.bytes())
            .ok()
            .and_then(|text| text.as_str().try_into().ok())
            .unwrap_or_default()
    }

    fn extent(&mut self) -> u32 {
        match self.byte() {
            255 => u32::MAX,
            254 => 1 << 16,
            253 => 0,
            small => u32::from(small % 4) + 1,
        }
    }

    fn kind(&mut self) -> GaugeKind {
        const NAMES: [&str; 10] = [
            "su3gauge",
            "su2gauge",
            "u1phase",
            "u1gauge",
            "so3gauge",
            "sp4gauge",
            "su5gauge",
            "so2gauge",
            "u2gauge",
            "su9999gauge",
        ];
        GaugeKind::parse(NAMES[self.below(NAMES.len())].as_bytes()).expect("the names are valid")
    }

    fn region(&mut self, lattice: &Extents) -> Region {
        match self.below(4) {
            0 | 1 => Region::Lattice,
            2 => Region::Global,
            _ => {
                let upper: Vec<u32> =
                    lattice.as_slice().iter().map(|extent| self.byte() as u32 % extent).collect();
                let lower: Vec<u32> = upper.iter().map(|upper| self.byte() as u32 % (upper + 1)).collect();
                let corner = |c: &[u32]| {
                    Coordinates::new(c).expect("as many coordinates as the lattice has dimensions")
                };
                Hypercube::new(corner(&lower), corner(&upper), lattice)
                    .map_or(Region::Lattice, Region::Hypercube)
            }
        }
    }
}

/// The contents of a message, owned.
#[derive(Debug, Clone)]
pub struct Made {
    pub foreign: Option<(Vec<u8>, Vec<u8>)>,
    pub file: Option<(PrivateFile, Vec<u8>)>,
    pub record: Option<(PrivateRecord, Vec<u8>)>,
    pub format: Option<Format>,
    pub update: Option<String>,
    pub lfn: Option<String>,
    pub checksum: bool,
    pub form: Spacing,
}

impl Made {
    pub fn draw(draw: &mut Draw<'_>, lattice: &Extents) -> Self {
        let what = draw.byte();
        // 0 to 5 select a combination that can be written; the others take the bits of the input as they are.
        let bits = [1, 2, 4, 4 | 8, 8, 32].get(usize::from(what % 8)).copied().unwrap_or(what >> 2);
        let has = |bit: u8| bits & bit != 0;
        let form = if draw.one_in(2) { Spacing::Lines } else { Spacing::Line };
        let four = lattice.as_slice().try_into();
        let format = has(8).then(|| {
            let extents = match four {
                Ok(extents) if !draw.one_in(8) => extents,
                _ => [draw.extent(), draw.extent(), draw.extent(), draw.extent()],
            };
            let precision = if draw.one_in(2) { Precision::F32 } else { Precision::F64 };
            let kind = draw.kind();
            let format = Format::new(kind, precision, extents);
            match draw.below(4) {
                1 => Format::version_1_0(kind, precision, extents),
                2 => kind.reduced_rows().and_then(|rows| format.with_rows(rows)).unwrap_or(format),
                3 => format.with_rows(kind.colors()).unwrap_or(format),
                _ => format,
            }
        });
        let record = has(4).then(|| (record(draw, lattice, format.as_ref()), draw.bytes()));
        let digits = |draw: &mut Draw<'_>| {
            let n = draw.below(6);
            (0..n).map(|_| char::from(b'0'.wrapping_add(draw.below(11) as u8))).collect::<String>()
        };
        Self {
            foreign: has(1).then(|| (draw.bytes(), draw.bytes())),
            file: has(2).then(|| (PrivateFile::new(lattice), draw.bytes())),
            record,
            format,
            update: (has(16) || bits & 8 != 0 && draw.one_in(2)).then(|| digits(draw)),
            lfn: (has(32) || bits & 8 != 0 && draw.one_in(8))
                .then(|| String::from_utf8(draw.bytes()).unwrap_or_else(|_| "lfn://x".to_owned())),
            checksum: !draw.one_in(5),
            form,
        }
    }

    pub fn message(&self) -> OutgoingMessage<'_> {
        let mut message = match (&self.file, &self.record, &self.format, &self.lfn, &self.foreign) {
            (Some((file, text)), ..) => OutgoingMessage::file(file, text),
            (_, Some((record, text)), ..) => OutgoingMessage::scidac(record, text),
            (_, _, Some(format), ..) => OutgoingMessage::ildg(format),
            (_, _, _, Some(name), _) => OutgoingMessage::lfn(name),
            (.., Some((record_type, payload))) => OutgoingMessage::foreign(record_type, payload),
            _ => OutgoingMessage::default(),
        };
        if let Some(format) = &self.format {
            message = message.with_format(format);
        }
        if let Some(update) = &self.update {
            message = message.with_update(update);
        }
        if let Some(name) = &self.lfn {
            message = message.with_lfn(name);
        }
        message.with_checksum(self.checksum).with_spacing(self.form)
    }
}

/// A private record. If the message also has an `ildg-format`, it mostly describes the same data.
fn record(draw: &mut Draw<'_>, lattice: &Extents, format: Option<&Format>) -> PrivateRecord {
    let region = if format.is_some() { Region::Lattice } else { draw.region(lattice) };
    let mut record = match (region, draw.below(6)) {
        (Region::Lattice, 1) => PrivateRecord::version_1_0(false),
        (Region::Global, 1) => PrivateRecord::version_1_0(true),
        (_, 2) => PrivateRecord::default(),
        _ => PrivateRecord::new(&region),
    };
    let (letter, word) = [("F", 4), ("D", 8), ("I", 4), ("S", 4), ("U", 1), ("", 3)][draw.below(6)];
    let mut data = RecordData { precision: letter.try_into().unwrap_or_default(), ..RecordData::default() };
    data.datatype = draw.text();
    record.date = draw.text();
    (data.colors, data.spins) = (draw.below(4) as u32, draw.below(4) as u32);
    data.typesize = word * draw.below(5) as u32;
    data.datacount = draw.below(5) as u32;
    if draw.one_in(16) {
        (data.typesize, data.datacount) = (u32::MAX, u32::MAX);
    }
    if draw.one_in(3) {
        record = record.dated(Date::from_unix(u64::from(draw.byte()) << draw.below(64)));
    }
    if let Some(format) = format.filter(|_| !draw.one_in(6)) {
        data.precision =
            if format.precision() == Precision::F64 { "D" } else { "F" }.try_into().unwrap_or_default();
        data.typesize = u32::try_from(format.bytes_per_site()).unwrap_or(0);
        data.datacount = 1;
    }
    // Data that contradict themselves cannot be built.
    record.with_data(data).unwrap_or(record)
}

/// The lattice of the file.
pub fn lattice(draw: &mut Draw<'_>) -> Extents {
    let dimensions = if draw.one_in(2) { 1 + draw.below(8) } else { 4 };
    let extents: Vec<u32> = (0..dimensions).map(|_| draw.extent()).collect();
    Extents::new(&extents).or_else(|_| Extents::new(&[2, 1, 2, 1])).expect("small extents are valid")
}
