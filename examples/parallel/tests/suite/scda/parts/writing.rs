//! Every process writes all its bytes of a section in one call. The file equals the one that `SectionWriter` writes.

use super::files::{deal, range};
use super::support::{RANKS, plan, read, serial};
use host_tests::drive::Random;
use linkstream::Mode;
use linkstream::io::{FromStd, SectionWriter};
use linkstream::scda::{Count, SectionType, Style, deflate};
use linkstream_parallel::scda::parts::{DataPart, ElementPart, PartEncoder, PartError, Pieces};

/// A section with its elements; one of 32 bytes if it is inline. The elements of an array have `e` bytes each.
#[derive(Debug, Clone, PartialEq)]
pub struct Logical {
    pub user: Vec<u8>,
    pub section_type: SectionType,
    pub e: usize,
    pub is_compressed: bool,
    pub elements: Vec<Vec<u8>>,
}

impl Logical {
    fn n(&self) -> u64 {
        self.elements.len() as u64
    }

    fn sizes(&self) -> Vec<u64> {
        self.elements.iter().map(|element| element.len() as u64).collect()
    }

    /// The bytes of each element in the file.
    fn texts(&self, level: u8, style: Style) -> Vec<Vec<u8>> {
        let text = |element: &Vec<u8>| match self.is_compressed {
            true => deflate(element, level, style),
            false => element.clone(),
        };
        self.elements.iter().map(text).collect()
    }
}

/// The file that a single process writes.
pub fn whole(style: Style, level: u8, sections: &[Logical]) -> Vec<u8> {
    let mut writer = SectionWriter::create(FromStd(Vec::new()), style);
    writer.write_header(b"vendor", b"parallel").expect("written");
    for section in sections {
        let (user, n, e) = (&section.user, section.n(), Count::from(section.e as u64));
        let (sizes, texts) = (section.sizes(), section.texts(level, style));
        let lengths: Vec<u64> = texts.iter().map(|text| text.len() as u64).collect();
        let opened = match (section.section_type, section.is_compressed) {
            (SectionType::Inline, _) => {
                writer
                    .write_inline(user, texts[0].as_slice().try_into().expect("32 bytes"))
                    .expect("written");
                continue;
            }
            (SectionType::Block, false) => writer.begin_block(user, sizes[0].into()),
            (SectionType::Block, true) => writer.begin_compressed_block(user, sizes[0].into(), lengths[0]),
            (SectionType::Array, false) => writer.begin_array(user, n.into(), e),
            (SectionType::Array, true) => writer.begin_compressed_array(user, n, e, lengths),
            (SectionType::Varray, false) => writer.begin_varray(user, n, sizes),
            (SectionType::Varray, true) => writer.begin_compressed_varray(user, n, sizes, lengths),
            (SectionType::Header, _) => panic!("a second header"),
        };
        opened.expect("written");
        writer.put(&texts.concat()).expect("written");
        writer.end().expect("written");
    }
    writer.finish().expect("flushed").0
}

/// A file that processes write, and how often each byte was written.
struct File {
    bytes: Vec<u8>,
    written: Vec<u8>,
    /// Calls that returned pieces.
    calls: usize,
}

impl File {
    fn put<D: AsRef<[u8]>>(&mut self, pieces: &Pieces<'_, D>) {
        let mut end: Option<u64> = None;
        self.calls += 1;
        for write in pieces.writes() {
            assert!(!write.bytes.is_empty(), "an empty piece");
            assert!(end.is_none_or(|end| end <= write.offset), "pieces in the order of the file");
            end = Some(write.offset + write.bytes.len() as u64);
            self.write(write.offset as usize, write.bytes);
        }
    }

    fn write(&mut self, start: usize, bytes: &[u8]) {
        let end = start + bytes.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0xEE);
            self.written.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(bytes);
        self.written[start..end].iter_mut().for_each(|times| *times += 1);
    }
}

/// The file that `ranks` processes write under random partitions, one process after the other in a random order.
pub fn together(style: Style, level: u8, sections: &[Logical], ranks: usize, random: &mut Random) -> Vec<u8> {
    let deals: Vec<Vec<Count>> =
        sections.iter().map(|section| deal(section.n().into(), ranks, random)).collect();
    let mut order: Vec<usize> = (0..ranks).collect();
    (1..ranks).for_each(|q| order.swap(q, random.below(q + 1)));
    let mut file = File { bytes: Vec::new(), written: Vec::new(), calls: 0 };
    let mut ends = Vec::new();
    let roots: Vec<usize> = sections.iter().map(|_| random.below(ranks)).collect();
    for q in order {
        let mut encoder = PartEncoder::new(q, style);
        file.write(0, &encoder.header(b"vendor", b"parallel").expect("first"));
        for (n, section) in sections.iter().enumerate() {
            one(&mut file, &mut encoder, section, (style, level), q, roots[n], &deals[n], random)
                .expect("a section");
        }
        ends.push(encoder.position());
    }
    assert!(ends.iter().all(|end| *end == file.bytes.len() as u64), "{ends:?}");
    assert!(file.written.iter().all(|times| *times == 1), "every byte once");
    assert_eq!(file.calls, ranks * sections.len());
    file.bytes
}

#[allow(clippy::too_many_arguments, reason = "a test")]
fn one(
    file: &mut File,
    encoder: &mut PartEncoder,
    section: &Logical,
    (style, level): (Style, u8),
    q: usize,
    root: usize,
    deal: &[Count],
    random: &mut Random,
) -> Result<(), PartError> {
    let user = &section.user;
    let (sizes, texts) = (section.sizes(), section.texts(level, style));
    let length = texts.concat().len() as u64;
    if matches!(section.section_type, SectionType::Inline | SectionType::Block) {
        // The data in some slices.
        let own = if q == root { texts.concat() } else { Vec::new() };
        let own: Vec<&[u8]> = own.chunks(1 + random.below(40)).collect();
        file.put(&match (section.section_type, section.is_compressed) {
            (SectionType::Inline, _) => encoder.inline(user, root, &own)?,
            (_, false) => encoder.block(user, length.into(), root, &own)?,
            (_, true) => encoder.compressed_block(user, sizes[0].into(), length, root, &own)?,
        });
        return Ok(());
    }
    let elements = ElementPart::of(q, deal.iter().copied(), section.n().into())?;
    // Lengths of the processes, as a scan would have them.
    let lengths = (0..deal.len()).map(|q| {
        let part = ElementPart::of(q, deal.iter().copied(), section.n().into()).expect("a partition");
        texts[range(&part)].concat().len() as u64
    });
    let part = DataPart::of(q, lengths)?;
    let (own, sizes) = (&texts[range(&elements)], &sizes[range(&elements)]);
    let e = Count::from(section.e as u64);
    let all = [own.concat()];
    // One slice for each element, or one for all.
    let slices = if section.is_compressed || random.below(2) == 0 { own } else { &all };
    file.put(&match (section.section_type, section.is_compressed) {
        (SectionType::Array, false) => encoder.array(user, e, &elements, slices)?,
        (SectionType::Array, true) => encoder.compressed_array(user, e, &elements, &part, slices)?,
        (_, false) => encoder.varray(user, &elements, &part, sizes, slices)?,
        (_, true) => encoder.compressed_varray(user, &elements, &part, sizes, slices)?,
    });
    Ok(())
}

/// Bytes with this last byte.
fn bytes(n: usize, last: u8) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..n).map(|i| (i * i / 7) as u8).collect();
    if let Some(to) = bytes.last_mut() {
        *to = last;
    }
    bytes
}

/// Sections of every type, with `n` elements in each array.
pub fn every_type(n: usize, last: u8) -> Vec<Logical> {
    let section = |section_type, e, is_compressed, elements: Vec<Vec<u8>>| Logical {
        user: format!("{section_type:?}, {n}").into_bytes(),
        section_type,
        e,
        is_compressed,
        elements,
    };
    let mut sections = vec![section(SectionType::Inline, 0, false, vec![bytes(32, last)])];
    for is_compressed in [false, true] {
        let with = |section_type, e, elements| section(section_type, e, is_compressed, elements);
        sections.push(with(SectionType::Block, 0, vec![bytes(40 * n, last)]));
        sections.push(with(SectionType::Array, 5, vec![bytes(5, last); n]));
        sections.push(with(SectionType::Array, 0, vec![Vec::new(); n]));
        let sizes = (0..n).map(|i| bytes(i * 37 % 90, last));
        sections.push(with(SectionType::Varray, 0, sizes.collect()));
    }
    sections
}

#[test]
fn every_type_in_both_styles() {
    let mut random = Random(3);
    for style in [Style::Unix, Style::Mime] {
        for (n, last) in [(0, b'x'), (1, b'x'), (2, b'\n'), (5, b'x'), (23, b'\n')] {
            let sections = every_type(n, last);
            let meant = whole(style, 9, &sections);
            for ranks in RANKS {
                for _ in 0..5 {
                    let file = together(style, 9, &sections, ranks, &mut random);
                    assert!(file == meant, "{style:?}, {n} elements, {ranks} processes");
                }
            }
            let serial = serial(&meant, Mode::Strict, true);
            assert_eq!((serial.end, serial.sections.len()), (Ok(()), 1 + sections.len()));
            for ranks in RANKS {
                let reading = read(&meant, plan(Mode::Strict, true, ranks), &mut random);
                assert_eq!((reading.end, &reading.sections), (Ok(()), &serial.sections), "{ranks} processes");
            }
        }
    }
}
