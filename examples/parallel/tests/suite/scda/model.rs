//! Sections as a serial program has them, and their reading and writing by ranks.

use std::path::Path;

use linkstream::Encode as _;
use linkstream::io::SectionWriter;
use linkstream::scda::{SectionType, Style};
use linkstream_pack::Compressor;
use linkstream_parallel::Error;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::file::{Engine, IoRanks, SharedFile, SystemDisk};
use linkstream_parallel::scda::{
    Elements, ElementsMut, Partition, Reader, SectionHeader, WriteOptions, Writer,
};

/// A section before compression.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    pub section_type: SectionType,
    pub userstr: Vec<u8>,
    /// Size of each element of an array.
    pub e: u64,
    /// One for a block or an inline section.
    pub elements: Vec<Vec<u8>>,
    pub encode: bool,
}

impl Section {
    fn new(section_type: SectionType, userstr: &[u8], e: u64, elements: Vec<Vec<u8>>) -> Self {
        Self { section_type, userstr: userstr.to_vec(), e, elements, encode: false }
    }

    fn sizes(&self) -> Vec<u64> {
        self.elements.iter().map(|element| element.len() as u64).collect()
    }
}

/// Random numbers (splitmix64).
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Bytes that compress somewhat. Line feeds are common, since padding depends on the last byte.
    pub fn bytes(&mut self, n: u64) -> Vec<u8> {
        (0..n).map(|_| b"\nabcdefg"[self.below(8) as usize]).collect()
    }
}

/// Sections of every type and encoding, also empty ones.
pub fn sections(seed: u64) -> Vec<Section> {
    let random = &mut Random(seed);
    let mut sections = vec![Section::new(SectionType::Inline, b"inline", 0, vec![random.bytes(32)])];
    for n in [0, 1, 26 + random.below(100)] {
        let data = random.bytes(n);
        sections.push(Section::new(SectionType::Block, b"block", n, vec![data]));
    }
    for (n, e) in [(0, 3), (1, 40), (5, 0), (1 + random.below(40), 1 + random.below(70))] {
        let elements = (0..n).map(|_| random.bytes(e)).collect();
        sections.push(Section::new(SectionType::Array, &random.bytes(58), e, elements));
    }
    for n in [0, 1, 30] {
        let elements = (0..n)
            .map(|_| {
                let length = random.below(60) * random.below(2);
                random.bytes(length)
            })
            .collect();
        sections.push(Section::new(SectionType::Varray, b"", 0, elements));
    }
    let encoded = sections.iter().filter(|section| section.section_type != SectionType::Inline).cloned();
    let encoded: Vec<_> = encoded.map(|section| Section { encode: true, ..section }).collect();
    sections.extend(encoded);
    sections
}

/// The bytes of a serial program.
pub fn serial(sections: &[Section], style: Style) -> Vec<u8> {
    let mut file = vec![0; 1 << 20];
    let mut writer = SectionWriter::create(&mut file[..], style);
    writer.write_header(b"linkstream", b"a file").unwrap();
    for Section { section_type, userstr, e, elements, encode } in sections {
        let (n, sizes) = (elements.len() as u64, elements.iter().map(|element| element.len() as u64));
        let mut compressor = Compressor::new(6);
        let mut text = |element: &Vec<u8>| {
            let mut text = Vec::new();
            compressor.put(element, style, &mut text).unwrap();
            text
        };
        let texts: Vec<_> = elements.iter().map(&mut text).collect();
        let text_sizes = texts.iter().map(|text| text.len() as u64);
        match (section_type, encode) {
            (SectionType::Inline, _) => {
                writer.write_inline(userstr, elements[0].as_slice().try_into().unwrap()).unwrap();
                continue;
            }
            (SectionType::Block, false) => writer.begin_block(userstr, (*e).into()).unwrap(),
            (SectionType::Block, true) => {
                writer.begin_compressed_block(userstr, (*e).into(), texts[0].len() as u64).unwrap();
            }
            (SectionType::Array, false) => writer.begin_array(userstr, n.into(), (*e).into()).unwrap(),
            (SectionType::Array, true) => {
                writer.begin_compressed_array(userstr, n, (*e).into(), text_sizes).unwrap();
            }
            (_, false) => writer.begin_varray(userstr, n, sizes).unwrap(),
            (_, true) => writer.begin_compressed_varray(userstr, n, sizes, text_sizes).unwrap(),
        }
        writer.put(&if *encode { texts.concat() } else { elements.concat() }).unwrap();
        writer.end().unwrap();
    }
    let length = writer.encoder().position() as usize;
    file.truncate(length);
    file
}

/// A random partition. Some ranks are empty.
pub fn partition(n: u64, ranks: usize, random: &mut Random) -> Vec<u64> {
    if random.below(4) == 0 {
        // All elements on one rank.
        let mut table = vec![0; ranks];
        table[random.below(ranks as u64) as usize] = n;
        return table;
    }
    let mut cuts: Vec<_> = (1..ranks).map(|_| random.below(n + 1)).collect();
    cuts.sort_unstable();
    let ends = cuts.iter().copied().chain([n]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    starts.zip(ends).map(|(start, end)| end - start).collect()
}

/// The partition as a table, or as the number of this rank.
fn either<'t>(table: &'t [u64], rank: usize, random: &mut Random) -> Partition<'t> {
    if random.below(2) == 0 { Partition::Table(table) } else { Partition::Own(table[rank]) }
}

/// The range of elements of a rank.
fn range(table: &[u64], rank: usize) -> std::ops::Range<usize> {
    let start: u64 = table[..rank].iter().sum();
    start as usize..(start + table[rank]) as usize
}

/// Writes one section, divided at random: `random` is the same on all ranks.
pub fn write_section<C: Comm, F: SharedFile<C>>(
    comm: &C,
    writer: &mut Writer<'_, C, F>,
    section: &Section,
    random: &mut Random,
) -> Result<(), Error> {
    let Section { section_type, userstr, e, elements, encode } = section;
    let root = random.below(comm.size() as u64) as usize;
    let table = partition(elements.len() as u64, comm.size(), random);
    let divided = either(&table, comm.rank(), random);
    let is_whole = matches!(section_type, SectionType::Inline | SectionType::Block);
    let own = if is_whole { &[] } else { &elements[range(&table, comm.rank())] };
    let (slices, all): (Vec<&[u8]>, _) = (own.iter().map(Vec::as_slice).collect(), own.concat());
    // Each rank addresses its elements as it likes.
    let is_indirect = (random.below(1 << 20) + comm.rank() as u64).is_multiple_of(2);
    let data = if is_indirect { Elements::Indirect(&slices) } else { Elements::Contiguous(&all) };
    // The arguments of ranks other than the root are ignored.
    let whole: &[u8] = if comm.rank() == root { &elements.concat() } else { b"ignored" };
    match section_type {
        SectionType::Inline => writer.inline(userstr, root, whole),
        SectionType::Block => writer.block(userstr, root, *e, whole, *encode),
        SectionType::Array => writer.array(userstr, divided, *e, data, *encode),
        _ => {
            let sizes: Vec<_> = own.iter().map(|element| element.len() as u64).collect();
            writer.varray(userstr, divided, &sizes, data, *encode)
        }
    }
}

/// Writes a file.
pub fn write<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    sections: &[Section],
    style: Style,
    seed: u64,
) -> Result<(), Error> {
    write_with(comm, engine, path, sections, &options(style), seed)
}

/// The options of [`write()`].
pub fn options(style: Style) -> WriteOptions {
    WriteOptions { style, ..WriteOptions::default() }
}

/// Writes a file with these options.
pub fn write_with<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    sections: &[Section],
    options: &WriteOptions,
    seed: u64,
) -> Result<(), Error> {
    let random = &mut Random(seed);
    let mut writer = Writer::create(comm, engine, path, b"a file", options)?;
    for section in sections {
        write_section(comm, &mut writer, section, random)?;
    }
    writer.close()
}

/// The part of a section that a rank has read; `None` if it skipped the data.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub header: SectionHeader,
    pub elements: Option<Vec<Vec<u8>>>,
}

/// Slices of these sizes.
fn split(all: &[u8], sizes: &[u64]) -> Vec<Vec<u8>> {
    let mut rest = all;
    sizes
        .iter()
        .map(|size| {
            let (element, after) = rest.split_at(*size as usize);
            rest = after;
            element.to_vec()
        })
        .collect()
}

/// Reads elements of these sizes by one call, into either kind of room.
fn take(
    sizes: &[u64],
    is_indirect: bool,
    call: impl FnOnce(ElementsMut<'_>) -> Result<(), Error>,
) -> Result<Vec<Vec<u8>>, Error> {
    let mut all = vec![0xa5; sizes.iter().sum::<u64>() as usize];
    let mut each = split(&all, sizes);
    if is_indirect {
        call(ElementsMut::Indirect(each.iter_mut().map(Vec::as_mut_slice).collect()))?;
        return Ok(each);
    }
    call(ElementsMut::Contiguous(&mut all))?;
    Ok(split(&all, sizes))
}

/// Reads the data of a section, divided at random, if their size is plausible. With `nulls`, some ranks skip them.
pub fn read_section<C: Comm, F: SharedFile<C>>(
    comm: &C,
    reader: &mut Reader<'_, C, F>,
    header: SectionHeader,
    random: &mut Random,
    nulls: bool,
) -> Result<Part, Error> {
    /// More data than any fixture has.
    const LIMIT: u128 = 20 << 20;
    let root = random.below(comm.size() as u64) as usize;
    let is_null = random.below(3) * (comm.rank() as u64 + 1) % 3 == 1 && nulls;
    let is_indirect = random.below(1 << 20) + comm.rank() as u64;
    let is_indirect = is_indirect.is_multiple_of(2);
    let (n, e) = (header.n.get(), header.e.get());
    let elements = match header.section_type {
        _ if n > LIMIT || e > LIMIT || n * e > LIMIT => {
            reader.skip()?;
            None
        }
        SectionType::Inline => {
            let mut data = [0; 32];
            reader.inline_data(root, (!is_null).then_some(&mut data))?;
            (!is_null && root == comm.rank()).then(|| vec![data.to_vec()])
        }
        SectionType::Block => {
            let mut data = vec![0; if root == comm.rank() { e as usize } else { 0 }];
            reader.block_data(root, (!is_null).then_some(&mut data))?;
            (!is_null && root == comm.rank()).then_some(vec![data])
        }
        SectionType::Array => {
            let table = partition(n as u64, comm.size(), random);
            let divided = either(&table, comm.rank(), random);
            if is_null {
                reader.array_data(divided, None)?;
                None
            } else {
                let sizes = vec![e as u64; table[comm.rank()] as usize];
                Some(take(&sizes, is_indirect, |room| reader.array_data(divided, Some(room)))?)
            }
        }
        _ => {
            let mut table = partition(n as u64, comm.size(), random);
            if random.below(3) == 0 {
                // Sizes may be read again with another partition.
                reader.varray_sizes(Partition::Table(&table), None)?;
                table = partition(n as u64, comm.size(), random);
            }
            let divided = either(&table, comm.rank(), random);
            let mut sizes = vec![0; table[comm.rank()] as usize];
            reader.varray_sizes(divided, (!is_null).then_some(&mut sizes))?;
            let divided = either(&table, comm.rank(), random);
            if is_null {
                reader.varray_data(divided, &[], None)?;
                None
            } else if sizes.iter().map(|size| u128::from(*size)).sum::<u128>() > LIMIT {
                reader.varray_data(divided, &sizes, None)?;
                None
            } else {
                Some(take(&sizes, is_indirect, |room| reader.varray_data(divided, &sizes, Some(room)))?)
            }
        }
    };
    Ok(Part { header, elements })
}

/// Reads all sections.
pub fn read<C: Comm, F: SharedFile<C>>(
    comm: &C,
    mut reader: Reader<'_, C, F>,
    decode: bool,
    seed: u64,
    nulls: bool,
) -> Result<Vec<Part>, Error> {
    let random = &mut Random(seed);
    let mut parts = Vec::new();
    while let Some(header) = reader.section_header(decode)? {
        parts.push(read_section(comm, &mut reader, header, random, nulls)?);
    }
    assert!(reader.section_header(decode)?.is_none());
    reader.close()?;
    Ok(parts)
}

/// The sections of all ranks as one list. Headers must be the same on all ranks.
pub fn joined(ranks: Vec<Vec<Part>>) -> Vec<Part> {
    let mut ranks = ranks.into_iter();
    let mut joined = ranks.next().unwrap();
    for parts in ranks {
        assert_eq!(parts.len(), joined.len());
        for (all, part) in joined.iter_mut().zip(parts) {
            assert_eq!(all.header, part.header);
            match (&mut all.elements, part.elements) {
                (Some(all), Some(part)) => all.extend(part),
                (all @ None, part) => *all = part,
                (Some(_), None) => {}
            }
        }
    }
    joined
}

/// Compares sections with the written ones.
pub fn assert_same(parts: &[Part], sections: &[Section], what: &str) {
    assert_eq!(parts.len(), sections.len(), "{what}");
    for (Part { header, elements }, section) in parts.iter().zip(sections) {
        let what = format!("{what}, {header:?}");
        let is_array = matches!(section.section_type, SectionType::Array | SectionType::Varray);
        let n = if is_array { section.elements.len() } else { 0 };
        let has_e = matches!(section.section_type, SectionType::Array | SectionType::Block);
        assert_eq!((header.section_type, header.decode), (section.section_type, section.encode), "{what}");
        assert_eq!((header.n.get(), header.e.get()), (n as u128, if has_e { section.e } else { 0 }.into()));
        assert_eq!(header.userstr, section.userstr, "{what}");
        assert_eq!(elements.as_ref(), Some(&section.elements), "{what}: {:?}", section.sizes());
    }
}

/// Runs a job with every number of ranks, and nodes of different sizes.
pub fn jobs() -> [(usize, Threads); 6] {
    [(1, 1), (2, 1), (2, 2), (3, 2), (4, 4), (7, 3)]
        .map(|(ranks, of_node)| (ranks, Threads::on_nodes(ranks, of_node)))
}

/// I/O ranks with the smallest buffer.
pub fn io_ranks<C: Comm>(comm: &C) -> IoRanks<SystemDisk> {
    IoRanks::with(comm, SystemDisk, comm.node_leader() == comm.rank(), 0).unwrap()
}
