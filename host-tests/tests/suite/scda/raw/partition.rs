//! Several processes write the same bytes as one, in any order and for every partition, and read them with any other
//! partition.

use crate::scda::raw::parts::{File, Listed, PartWriter, Shared, compositions, deal, files, range, sizes_in};
use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use host_tests::long;
use linkstream::scda::{
    Count, DataPart, ElementPart, PartEncoder, RankExtent, Section, SectionType, SizeLines, Style,
};

/// The next task of process `q`. A process performs its tasks in this order; tasks of different processes are
/// interleaved.
enum Task {
    Header,
    Begin(usize),
    Sizes(usize, std::ops::Range<usize>),
    Uncompressed(usize, std::ops::Range<usize>),
    Data(std::ops::Range<usize>),
    End,
}

/// The counts `N_q` of each section. For a section that is not partitioned, the root is the process with the count 1.
type Deal = Vec<Vec<Count>>;

struct Process<'a> {
    q: usize,
    file: &'a File,
    deal: &'a Deal,
    writer: PartWriter,
    tasks: std::collections::VecDeque<Task>,
}

impl<'a> Process<'a> {
    /// Sizes and data are written in pieces, one or the other first, or alternately.
    fn new(q: usize, file: &'a File, deal: &'a Deal, disk: &Shared, random: &mut Random) -> Self {
        let style = file.style.expect("Unix or MIME");
        let writer = PartWriter::new(disk, PartEncoder::new(q, style));
        let mut tasks = Vec::new();
        for (n, listed) in file.sections.iter().enumerate() {
            if listed.section.section_type == SectionType::Header {
                tasks.push(Task::Header);
                continue;
            }
            tasks.push(Task::Begin(n));
            let (elements, share) = share(q, listed, &deal[n]);
            let window = share.data();
            let data = window.offset() as usize..window.end() as usize;
            let mut data: Vec<Task> = match (&listed.uncompressed, &elements) {
                (Some(_), Some(elements)) => {
                    pieces(range(elements), random).map(|range| Task::Uncompressed(n, range)).collect()
                }
                _ => pieces(data, random).map(Task::Data).collect(),
            };
            let sizes = match &elements {
                Some(elements) if listed.section.section_type == SectionType::Varray => range(elements),
                _ => 0..0,
            };
            let mut sizes: Vec<Task> = pieces(sizes, random).map(|range| Task::Sizes(n, range)).collect();
            data.reverse();
            sizes.reverse();
            while !(data.is_empty() && sizes.is_empty()) {
                let from = if random.below(2) == 0 { &mut data } else { &mut sizes };
                tasks.extend(from.pop());
            }
            tasks.push(Task::End);
        }
        Self { q, file, deal, writer, tasks: tasks.into() }
    }

    fn next(&mut self) {
        let Self { q, file, deal, writer, .. } = self;
        let (q, path) = (*q, &file.path);
        let task = self.tasks.pop_front().expect("still something to do");
        let done = match task {
            Task::Header => {
                writer.call(|encoder| encoder.header(&file.sections[0].vendor, &file.sections[0].user))
            }
            Task::Begin(n) => {
                let Listed { section, user, .. } = &file.sections[n];
                assert_eq!(writer.encoder.position(), section.offset, "{path}");
                let (elements, _) = share(q, &file.sections[n], &deal[n]);
                match section.section_type {
                    SectionType::Header => unreachable!("has its own task"),
                    SectionType::Inline => writer.call(|encoder| encoder.inline(user, root(&deal[n]))),
                    SectionType::Block => {
                        writer.call(|encoder| encoder.block(user, section.e, root(&deal[n])))
                    }
                    SectionType::Array => {
                        writer.call(|encoder| encoder.array(user, section.e, &elements.expect("an array")))
                    }
                    SectionType::Varray => {
                        let data = data_part(q, &file.sections[n].sizes, &deal[n]);
                        writer.call(|encoder| encoder.varray(user, &elements.expect("an array"), &data))
                    }
                }
            }
            Task::Sizes(n, range) => writer.sizes(file.sections[n].sizes[range].iter().copied()),
            Task::Uncompressed(n, range) => {
                let sizes = file.sections[n].uncompressed.as_ref().expect("listed");
                writer.uncompressed(sizes[range].iter().copied())
            }
            Task::Data(range) => writer.data(&file.bytes[range]),
            Task::End => writer.end(),
        };
        done.unwrap_or_else(|error| panic!("{path}, process {q}: {error}"));
    }
}

fn pieces(range: std::ops::Range<usize>, random: &mut Random) -> std::vec::IntoIter<std::ops::Range<usize>> {
    let most = 1 + range.len() / (1 + random.below(5));
    let starts = range.clone().step_by(most);
    starts.map(|start| start..(start + most).min(range.end)).collect::<Vec<_>>().into_iter()
}

fn root(deal: &[Count]) -> usize {
    deal.iter().position(|count| *count == Count::from(1)).expect("one process is the root")
}

/// The elements of a process and its part of a section.
fn share(q: usize, listed: &Listed, deal: &[Count]) -> (Option<ElementPart>, RankExtent) {
    let section = &listed.section;
    match section.section_type {
        SectionType::Inline | SectionType::Block => {
            let share = RankExtent::whole(q, section, root(deal)).expect("a window");
            (ElementPart::of(q, deal.iter().copied(), 1.into()).ok(), share)
        }
        _ => {
            let elements = ElementPart::of(q, deal.iter().copied(), section.n).expect("a partition");
            let share = match section.section_type {
                SectionType::Array => RankExtent::array(q, section, &elements),
                _ => RankExtent::varray(q, section, &elements, &data_part(q, &listed.sizes, deal)),
            };
            (Some(elements), share.expect("a window"))
        }
    }
}

fn data_part(q: usize, sizes: &[u64], deal: &[Count]) -> DataPart {
    let mut rest = sizes;
    let lengths = deal.iter().map(|count| {
        let (own, behind) = rest.split_at(count.to_u64().expect("small") as usize);
        rest = behind;
        own.iter().sum()
    });
    DataPart::of(q, lengths).expect("small")
}

fn deal_all(file: &File, processes: usize, random: &mut Random) -> Deal {
    let count = |listed: &Listed| match listed.section.section_type {
        SectionType::Array | SectionType::Varray => listed.section.n,
        _ => 1.into(),
    };
    file.sections.iter().map(|listed| deal(count(listed), processes, random)).collect()
}

fn assert_bytes(found: &[u8], expected: &[u8], what: &str) {
    let differs = found.iter().zip(expected).position(|(a, b)| a != b);
    assert!(differs.is_none(), "{what}: differs at byte {differs:?}");
    assert_eq!(found.len(), expected.len(), "{what}: length");
}

fn write(file: &File, deal: &Deal, processes: usize, random: &mut Random) {
    let disk = Shared::default();
    let mut all: Vec<Process> = (0..processes).map(|q| Process::new(q, file, deal, &disk, random)).collect();
    let mut busy: Vec<usize> = (0..processes).collect();
    while !busy.is_empty() {
        let at = random.below(busy.len());
        let process = &mut all[busy[at]];
        // Sometimes one process is far ahead of the others.
        for _ in 0..=random.below(1 + process.tasks.len()) {
            if !process.tasks.is_empty() {
                process.next();
            }
        }
        if process.tasks.is_empty() {
            process.writer.encoder.finish().expect("all sections are ended");
            busy.swap_remove(at);
        }
    }
    assert_bytes(&disk.borrow(), &file.bytes, &format!("{} by {processes}", file.path));
}

fn every_file_is_written_by_1_to_7_processes_of(fixtures: Fixtures) {
    for file in files(fixtures) {
        if file.style.is_none() {
            continue;
        }
        let rounds = if file.bytes.len() > 50_000 { 2 } else { 12 };
        for processes in 1..=7 {
            for seed in 0..rounds {
                let mut random = Random(seed);
                let deal = deal_all(&file, processes, &mut random);
                write(&file, &deal, processes, &mut random);
            }
        }
    }
}

#[test]
fn every_file_is_written_by_1_to_7_processes() {
    every_file_is_written_by_1_to_7_processes_of(Fixtures::Ours);
}

/// All partitions of every section with few elements: the parts neither overlap nor leave gaps.
#[test]
fn all_partitions_of_small_sections() {
    let mut tried = 0;
    for file in files(Fixtures::Ours) {
        for (n, listed) in file.sections.iter().enumerate() {
            let Section { offset, section_type, n: count, .. } = listed.section;
            let is_array = matches!(section_type, SectionType::Array | SectionType::Varray);
            if !is_array || count > 6.into() || tried > 60_000 {
                continue;
            }
            for processes in 1..=7 {
                for deal in
                    long::sample(compositions(count.to_u64().expect("small"), processes).into_iter(), 5)
                {
                    tried += 1;
                    let deal: Vec<Count> = deal.into_iter().map(Count::from).collect();
                    let shares = (0..processes).map(|q| share(q, listed, &deal).1);
                    let mut windows: Vec<_> = shares
                        .flat_map(|share| [share.head(), share.sizes(), share.data(), share.padding()])
                        .filter(|window| !window.is_empty())
                        .collect();
                    windows.sort_by_key(|window| window.offset());
                    let mut end = offset;
                    for window in windows {
                        assert_eq!(window.offset(), end, "{} section {n}: {deal:?}", file.path);
                        end = window.end();
                    }
                    assert_eq!(end as usize, file.end(n), "{} section {n}: {deal:?}", file.path);
                    if let Some(style) = file.style {
                        write_section(&file, n, style, &deal, tried);
                    }
                }
            }
        }
    }
    assert!(tried > if long::is_wanted() { 10_000 } else { 2_000 }, "only {tried} partitions");
}

/// Writes one section by processes one after the other. Each of them begins at this section.
fn write_section(file: &File, n: usize, style: Style, deal: &[Count], seed: u64) {
    let listed = &file.sections[n];
    let offset = listed.section.offset as usize;
    let disk = Shared::new(file.bytes[..offset].to_vec().into());
    let mut order: Vec<usize> = (0..deal.len()).collect();
    let mut random = Random(seed);
    while !order.is_empty() {
        let q = order.swap_remove(random.below(order.len()));
        let (elements, share) = share(q, listed, deal);
        let elements = elements.expect("an array");
        let encoder = PartEncoder::append(q, offset as u64, style);
        let mut writer = PartWriter::new(&disk, encoder);
        if listed.section.section_type == SectionType::Varray {
            let data = data_part(q, &listed.sizes, deal);
            writer.call(|encoder| encoder.varray(&listed.user, &elements, &data)).expect("legal");
            writer.sizes(listed.sizes[range(&elements)].iter().copied()).expect("legal");
        } else {
            writer.call(|encoder| encoder.array(&listed.user, listed.section.e, &elements)).expect("legal");
        }
        assert_eq!(writer.encoder.share(), Some(&share));
        let window = share.data();
        writer.data(&file.bytes[window.offset() as usize..window.end() as usize]).expect("legal");
        writer.end().expect("complete");
        assert_eq!(writer.encoder.position() as usize, file.end(n));
    }
    let what = format!("{} section {n}: {deal:?}", file.path);
    assert_bytes(&disk.borrow(), &file.bytes[..file.end(n)], &what);
}

/// The sizes and data of every section are read by different processes each time, also in files with arbitrary padding.
fn every_file_is_read_by_1_to_7_processes_of(fixtures: Fixtures) {
    for file in files(fixtures) {
        for processes in 1..=7 {
            let mut random = Random(processes as u64);
            let deal = deal_all(&file, processes, &mut random);
            for (n, listed) in file.sections.iter().enumerate().skip(1) {
                let read = |q| read_part(q, listed, &deal[n], &file.bytes);
                let parts: Vec<(Vec<u64>, Vec<u8>)> = (0..processes).map(read).collect();
                let what = format!("{} section {n} by {processes}", file.path);
                let sizes: Vec<u64> = parts.iter().flat_map(|part| part.0.clone()).collect();
                let data: Vec<u8> = parts.into_iter().flat_map(|part| part.1).collect();
                assert_eq!(&sizes, listed.uncompressed.as_ref().unwrap_or(&listed.sizes), "{what}");
                assert_bytes(&data, &file.bytes[listed.data.clone()], &what);
            }
        }
    }
}

#[test]
fn every_file_is_read_by_1_to_7_processes() {
    every_file_is_read_by_1_to_7_processes_of(Fixtures::Ours);
}

/// The sizes and data that a process finds without information from the others.
fn read_part(q: usize, listed: &Listed, deal: &[Count], file: &[u8]) -> (Vec<u64>, Vec<u8>) {
    let section = &listed.section;
    let (elements, mut share) = share(q, listed, deal);
    let has_sizes = section.section_type == SectionType::Varray || listed.uncompressed.is_some();
    let mut sizes = Vec::new();
    if let Some(elements) = elements.filter(|_| has_sizes) {
        let read = |from: Count, n: Count| {
            let part = ElementPart::new(from, n, elements.total()).expect("inside");
            sizes_in(file, SizeLines::new(section, &part).expect("addressable")).expect("valid")
        };
        let before = read(0.into(), elements.first()).iter().sum();
        let all = read(0.into(), elements.total()).iter().sum();
        sizes = read(elements.first(), elements.count());
        if section.section_type == SectionType::Varray {
            let data = DataPart::new(before, sizes.iter().sum(), all).expect("inside");
            let found = RankExtent::varray(q, section, &elements, &data).expect("consistent");
            assert_eq!(found, share);
            share = found;
        }
    }
    let data = share.data();
    (sizes, file[data.offset() as usize..data.end() as usize].to_vec())
}

host_tests::of_other_projects! {
    fn every_file_is_written_by_1_to_7_processes() {
        every_file_is_written_by_1_to_7_processes_of(Fixtures::OfOthers);
    }

    fn every_file_is_read_by_1_to_7_processes() {
        every_file_is_read_by_1_to_7_processes_of(Fixtures::OfOthers);
    }
}
