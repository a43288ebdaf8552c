//! Files equal the files of a serial program, and are read with any other partition.

use linkstream::Encode as _;
use linkstream::scda::{SectionType, Style};
use linkstream_parallel::ErrorKind;
use linkstream_parallel::comm::{Comm as _, ThreadComm, Threads};
use linkstream_parallel::file::{Direct, SystemDisk};
use linkstream_parallel::scda::{
    Elements, ElementsMut, Partition, Reader, SectionHeader, WriteOptions, Writer,
};

use super::model::{assert_same, io_ranks, jobs, joined, read, sections, serial, write};

const DIRECT: Direct<SystemDisk> = Direct { disk: SystemDisk };

#[test]
fn bytes_and_data_are_those_of_a_serial_program() {
    let folder = tempfile::tempdir().unwrap();
    for (ranks, job) in jobs() {
        for seed in 0..6 {
            let style = if seed % 3 == 2 { Style::Mime } else { Style::Unix };
            let sections = sections(seed);
            let expected = serial(&sections, style);
            let what = format!("{ranks} ranks, seed {seed}");
            let path = |engine: &str| folder.path().join(format!("{engine}-{ranks}-{seed}"));
            let outcomes = job.run(|comm| {
                write(comm, &DIRECT, &path("direct"), &sections, style, seed)?;
                let engine = io_ranks(comm);
                write(comm, &engine, &path("io"), &sections, style, seed + 100)?;
                let reader = Reader::open(comm, &DIRECT, &path("io"), &Default::default())?;
                assert_eq!((reader.userstr(), reader.vendor()), (&b"a file"[..], &b"linkstream"[..]));
                let direct = read(comm, reader, true, seed + 200, false)?;
                let reader = Reader::open(comm, &engine, &path("direct"), &Default::default())?;
                Ok::<_, linkstream_parallel::Error>((direct, read(comm, reader, true, seed + 300, false)?))
            });
            for engine in ["direct", "io"] {
                assert!(std::fs::read(path(engine)).unwrap() == expected, "{engine}, {what}");
            }
            let (direct, io) = outcomes.into_iter().map(Result::unwrap).unzip();
            assert_same(&joined(direct), &sections, &format!("direct, {what}"));
            assert_same(&joined(io), &sections, &format!("I/O ranks, {what}"));
        }
    }
}

#[test]
fn ranks_that_skip_data_do_not_disturb_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let sections = sections(17);
    std::fs::write(&path, serial(&sections, Style::Unix)).unwrap();
    let (mut read_by_some, mut skipped) = (0, 0);
    for (_, job) in jobs() {
        for seed in 0..8 {
            let outcomes = job.run(|comm| {
                let all = read(
                    comm,
                    Reader::open(comm, &io_ranks(comm), &path, &Default::default())?,
                    true,
                    seed,
                    false,
                )?;
                let some = Reader::open(comm, &io_ranks(comm), &path, &Default::default())?;
                Ok::<_, linkstream_parallel::Error>((all, read(comm, some, true, seed, true)?))
            });
            let (all, some): (Vec<_>, Vec<_>) = outcomes.into_iter().map(Result::unwrap).unzip();
            for (all, some) in all.iter().flatten().zip(some.iter().flatten()) {
                assert_eq!(all.header, some.header);
                match &some.elements {
                    None => skipped += 1,
                    // The same random numbers: the same partition.
                    elements if elements.is_some() => {
                        assert_eq!(*elements, all.elements);
                        read_by_some += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(read_by_some > 1000 && skipped > 1000, "{read_by_some}, {skipped}");
}

/// A query of all headers.
fn query(job: &Threads, path: &std::path::Path, decode: bool) -> Vec<SectionHeader> {
    let mut outcomes = job.run(|comm| {
        let mut headers = Vec::new();
        let mut reader = Reader::open(comm, &DIRECT, path, &Default::default())?;
        reader.query(decode, |header| headers.push(header.clone()))?;
        reader.close()?;
        Ok::<_, linkstream_parallel::Error>(headers)
    });
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]));
    outcomes.remove(0).unwrap()
}

#[test]
fn a_query_reads_headers_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let sections = sections(3);
    std::fs::write(&path, serial(&sections, Style::Unix)).unwrap();
    for (_, job) in jobs() {
        let headers = query(&job, &path, true);
        let found = headers.iter().map(|header| (header.section_type, &header.userstr, header.decode));
        let expected =
            sections.iter().map(|section| (section.section_type, &section.userstr, section.encode));
        assert!(found.eq(expected));
        // Without decoding, each compressed section is two (Table 2).
        let raw = query(&job, &path, false);
        let encoded = sections.iter().filter(|section| section.encode).count();
        assert_eq!(raw.len(), sections.len() + encoded);
        assert!(raw.iter().all(|header| !header.decode));
        assert_eq!(
            raw.iter().filter(|header| header.section_type == SectionType::Inline).count(),
            // The first halves of 3 blocks and 4 arrays.
            1 + 3 + 4
        );
    }
}

#[test]
fn more_lines_than_a_rank_reads_at_once_can_be_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let sizes = (0..70_000_u64).map(|i| i % 3);
    let mut file = vec![0; 4 << 20];
    let mut writer = linkstream::io::SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"vendor", b"").unwrap();
    writer.begin_varray(b"many", 70_000, sizes.clone()).unwrap();
    writer.put(&vec![b'.'; sizes.sum::<u64>() as usize]).unwrap();
    writer.end().unwrap();
    writer.write_block(b"last", b"data").unwrap();
    let length = writer.encoder().position() as usize;
    std::fs::write(&path, &file[..length]).unwrap();
    for (_, job) in jobs() {
        let headers = query(&job, &path, true);
        assert_eq!((headers.len(), headers[1].userstr.as_slice()), (2, &b"last"[..]));
    }
}

/// One rank reads its texts in several rounds, another one in a single round, and a third rank skips its elements.
#[test]
fn texts_of_several_rounds_and_damage_in_one_of_them() {
    const SIZE: usize = 1 << 20;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let counts = [30, 2, 1];
    // Texts of different lengths: the zeros at the start can be compressed.
    let element = |i: usize| -> Vec<u8> {
        let byte =
            |b: u64| ((b + i as u64 * 977).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) >> 13) as u8;
        (0..SIZE as u64).map(|b| if b < i as u64 * 7919 { 0 } else { byte(b * b) }).collect()
    };
    let first = |rank: usize| counts[..rank].iter().sum::<u64>() as usize;
    let of_rank =
        |rank: usize| (0..counts[rank] as usize).flat_map(|i| element(first(rank) + i)).collect::<Vec<_>>();
    let read = |comm: &ThreadComm| {
        let mut reader = Reader::open(comm, &DIRECT, &path, &Default::default())?;
        reader.section_header(true)?;
        let mut room = vec![0; if comm.rank() == 2 { 0 } else { counts[comm.rank()] as usize * SIZE }];
        let elements = (comm.rank() != 2).then_some(ElementsMut::Contiguous(&mut room));
        reader.array_data(Partition::Table(&counts), elements)?;
        reader.close()?;
        Ok::<_, linkstream_parallel::Error>(room)
    };
    let job = Threads::new(3);
    job.run(|comm| {
        let options = WriteOptions { level: 1, ..WriteOptions::default() };
        let mut writer = Writer::create(comm, &DIRECT, &path, b"", &options).unwrap();
        let own = of_rank(comm.rank());
        let elements = Elements::Contiguous(&own);
        writer.array(b"", Partition::Table(&counts), SIZE as u64, elements, true).unwrap();
        writer.close().unwrap();
    });
    for (rank, room) in job.run(read).into_iter().enumerate() {
        assert!(room.unwrap() == if rank == 2 { Vec::new() } else { of_rank(rank) }, "rank {rank}");
    }
    // In an element of the second round of rank 0.
    let mut bytes = std::fs::read(&path).unwrap();
    let damaged = bytes.len() / 33 * 25;
    bytes[damaged] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    for outcome in job.run(read) {
        let error = outcome.unwrap_err();
        assert_eq!((error.rank, error.fault.kind), (0, ErrorKind::File), "{error}");
    }
}
