//! Several processes write the same bytes as one, in any order and for every partition.

use super::files::{File, Listed, compositions, deal, files, range};
use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use host_tests::long;
use linkstream::scda::{Count, Section, SectionType, Style};
use linkstream_parallel::scda::parts::{DataPart, ElementPart, PartEncoder, RankExtent};

/// The counts `N_q` of each section. For a section that is not partitioned, the root is the process with the count 1.
type Deal = Vec<Vec<Count>>;

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

/// Puts what process `q` writes of a section into the file.
fn write_part(
    disk: &mut Vec<u8>,
    encoder: &mut PartEncoder,
    file: &File,
    n: usize,
    q: usize,
    deal: &[Count],
) {
    let Listed { section, vendor, user, sizes, .. } = &file.sections[n];
    assert_eq!(encoder.position(), section.offset, "{}", file.path);
    let mut put = |offset: u64, bytes: &[u8]| {
        let (start, end) = (offset as usize, offset as usize + bytes.len());
        disk.resize(disk.len().max(end), 0xEE);
        disk[start..end].copy_from_slice(bytes);
    };
    if section.section_type == SectionType::Header {
        put(0, &encoder.header(vendor, user).expect("the first section"));
        return;
    }
    let (elements, share) = share(q, &file.sections[n], deal);
    let window = share.data();
    let data = [&file.bytes[window.offset() as usize..window.end() as usize]];
    let elements = elements.expect("a partition");
    let pieces = match section.section_type {
        SectionType::Header => unreachable!("written before"),
        SectionType::Inline => encoder.inline(user, root(deal), &data),
        SectionType::Block => encoder.block(user, section.e, root(deal), &data),
        SectionType::Array => encoder.array(user, section.e, &elements, &data),
        SectionType::Varray => {
            let part = data_part(q, sizes, deal);
            encoder.varray(user, &elements, &part, &sizes[range(&elements)], &data)
        }
    };
    let pieces = pieces.unwrap_or_else(|error| panic!("{}, process {q}: {error}", file.path));
    pieces.writes().for_each(|piece| put(piece.offset, piece.bytes));
}

/// All processes write the file, each of them some sections at a time.
fn write(file: &File, style: Style, deal: &Deal, processes: usize, random: &mut Random) {
    let mut disk = Vec::new();
    let mut all: Vec<_> = (0..processes).map(|q| (q, 0, PartEncoder::new(q, style))).collect();
    while !all.is_empty() {
        let at = random.below(all.len());
        let (q, done, encoder) = &mut all[at];
        // Sometimes one process is far ahead of the others.
        let until = file.sections.len().min(*done + 1 + random.below(3));
        (*done..until).for_each(|n| write_part(&mut disk, encoder, file, n, *q, &deal[n]));
        *done = until;
        if until == file.sections.len() {
            all.swap_remove(at);
        }
    }
    assert_bytes(&disk, &file.bytes, &format!("{} by {processes}", file.path));
}

fn every_file_is_written_by_1_to_7_processes_of(fixtures: Fixtures) {
    for file in files(fixtures) {
        let Some(style) = file.style else { continue };
        let rounds = if file.bytes.len() > 50_000 { 2 } else { 12 };
        for processes in 1..=7 {
            for seed in 0..rounds {
                let mut random = Random(seed);
                let deal = deal_all(&file, processes, &mut random);
                write(&file, style, &deal, processes, &mut random);
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
    let offset = file.sections[n].section.offset;
    let mut disk = file.bytes[..offset as usize].to_vec();
    let mut order: Vec<usize> = (0..deal.len()).collect();
    let mut random = Random(seed);
    while !order.is_empty() {
        let q = order.swap_remove(random.below(order.len()));
        let mut encoder = PartEncoder::append(q, offset, style);
        write_part(&mut disk, &mut encoder, file, n, q, deal);
        assert_eq!(encoder.position() as usize, file.end(n));
    }
    let what = format!("{} section {n}: {deal:?}", file.path);
    assert_bytes(&disk, &file.bytes[..file.end(n)], &what);
}

host_tests::of_other_projects! {
    fn every_file_is_written_by_1_to_7_processes() {
        every_file_is_written_by_1_to_7_processes_of(Fixtures::OfOthers);
    }
}
