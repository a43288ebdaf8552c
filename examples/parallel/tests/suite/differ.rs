//! One rank differs from the others, in an argument or in the call: an error of all ranks before anything is done, which
//! names the argument and both values. No rank waits, and none meets the others in a collective call of another kind.

use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::Date;
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::field::{FieldReader, FieldWriter, Grid, Layout, SetReader, SetWriter, Volumes};
use linkstream_parallel::file::{IoFile, IoRanks, SystemDisk};
use linkstream_parallel::scda::{
    Elements, ElementsMut, Partition, ReadOptions, Reader, WriteOptions, Writer,
};
use linkstream_parallel::{Error, ErrorKind};

const RANKS: usize = 3;
type File = IoFile<SystemDisk>;

/// Runs a call with `true` on one rank. All ranks have the same error with these words.
fn refused(words: &str, call: impl Fn(&ThreadComm, &IoRanks<SystemDisk>, bool) -> Result<(), Error> + Sync) {
    for odd in [0, RANKS - 1] {
        let errors = Threads::new(RANKS).run(|comm| {
            let engine = IoRanks::new(comm, SystemDisk).unwrap();
            call(comm, &engine, comm.rank() == odd).expect_err(words)
        });
        let error = &errors[0];
        assert!(errors.iter().all(|other| other == error), "{words}: {errors:?}");
        assert!(
            error.fault.kind == ErrorKind::Usage && error.fault.message.contains(words),
            "{words}: {error}"
        );
        assert!(error.fault.message.contains(" on rank 0"), "{words}: {error}");
    }
}

/// Values of an argument: usual, and on the rank that differs.
fn either<T>(odd: bool, [usual, other]: [T; 2]) -> T {
    if odd { other } else { usual }
}

fn create<'c>(
    comm: &'c ThreadComm,
    engine: &IoRanks<SystemDisk>,
    path: &std::path::Path,
) -> Writer<'c, ThreadComm, File> {
    Writer::create(comm, engine, path, b"file", &WriteOptions::default()).unwrap()
}

#[test]
fn scda_files_that_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |odd| folder.path().join(either(odd, ["a", "b"]));
    let write = WriteOptions::default;
    refused("path is", |comm, engine, odd| Writer::create(comm, engine, &path(odd), b"", &write()).map(drop));
    refused("userstr is", |comm, engine, odd| {
        Writer::create(comm, engine, &path(false), either(odd, [b"a", b"b"]), &write()).map(drop)
    });
    for (name, options) in [
        ("vendor is", WriteOptions { vendor: b"other".to_vec(), ..write() }),
        ("style is", WriteOptions { style: linkstream::scda::Style::Mime, ..write() }),
        ("level is", WriteOptions { level: 1, ..write() }),
    ] {
        refused(name, |comm, engine, odd| {
            Writer::create(comm, engine, &path(false), b"", either(odd, [&write(), &options])).map(drop)
        });
    }
    refused("different calls", |comm, engine, odd| match odd {
        true => Reader::open(comm, engine, &path(false), &ReadOptions::default()).map(drop),
        false => Writer::create(comm, engine, &path(false), b"", &write()).map(drop),
    });
    type Call = fn(Writer<'_, ThreadComm, File>, bool) -> Result<(), Error>;
    const INLINE: &[u8; 32] = &[b'x'; 32];
    const TABLES: [&[u64]; 2] = [&[1, 1, 1], &[1, 2, 0]];
    fn one() -> Partition<'static> {
        Partition::Table(TABLES[0])
    }
    fn data(bytes: &[u8]) -> Elements<'_> {
        Elements::Contiguous(bytes)
    }
    let calls: &[(&str, Call)] = &[
        ("userstr is", |mut file, odd| file.inline(either(odd, [b"a", b"b"]), 0, INLINE)),
        ("root is", |mut file, odd| file.inline(b"", either(odd, [1, 0]), INLINE)),
        ("userstr is", |mut file, odd| file.block(either(odd, [b"a", b"b"]), 0, 2, b"ab", false)),
        ("root is", |mut file, odd| file.block(b"", either(odd, [1, 0]), 2, b"ab", false)),
        ("e is", |mut file, odd| file.block(b"", 0, either(odd, [2, 3]), b"ab", false)),
        ("encode is", |mut file, odd| file.block(b"", 0, 2, b"ab", odd)),
        ("userstr is", |mut file, odd| file.array(either(odd, [b"a", b"b"]), one(), 2, data(b"ab"), false)),
        ("e is", |mut file, odd| file.array(b"", one(), either(odd, [2, 1]), data(b"ab"), false)),
        ("encode is", |mut file, odd| file.array(b"", one(), 2, data(b"ab"), odd)),
        ("the partition is", |mut file, odd| {
            file.array(b"", either(odd, [one(), Partition::Own(1)]), 2, data(b"ab"), false)
        }),
        ("N_q is", |mut file, odd| {
            file.array(b"", Partition::Table(either(odd, TABLES)), 2, data(b"ab"), false)
        }),
        ("userstr is", |mut file, odd| {
            file.varray(either(odd, [b"a", b"b"]), one(), &[2], data(b"ab"), false)
        }),
        ("encode is", |mut file, odd| file.varray(b"", one(), &[2], data(b"ab"), odd)),
        ("the partition is", |mut file, odd| {
            file.varray(b"", either(odd, [one(), Partition::Own(1)]), &[2], data(b"ab"), true)
        }),
        ("different calls", |mut file, odd| match odd {
            true => file.varray(b"", Partition::Own(1), &[2], data(b"ab"), true),
            false => file.array(b"", one(), 2, data(b"ab"), false),
        }),
        ("different calls", |mut file, odd| if odd { file.close() } else { file.inline(b"", 0, INLINE) }),
        // A call that one rank skips.
        ("different calls", |mut file, odd| {
            if !odd {
                file.array(b"", Partition::Own(1), 2, data(b"ab"), true)?;
            }
            file.block(b"", 0, 2, b"ab", false)
        }),
    ];
    for (name, call) in calls {
        refused(name, |comm, engine, odd| call(create(comm, engine, &path(false)), odd));
    }
}

#[test]
fn scda_files_that_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for outcome in Threads::new(RANKS).run(|comm| {
        let mut file = create(comm, &IoRanks::new(comm, SystemDisk).unwrap(), &path);
        file.array(b"", Partition::Own(1), 2, Elements::Contiguous(b"ab"), true)?;
        file.varray(b"", Partition::Own(1), &[2], Elements::Contiguous(b"ab"), false)?;
        file.close()
    }) {
        outcome.unwrap();
    }
    let other = folder.path().join("other");
    refused("path is", |comm, engine, odd| {
        let path = either(odd, [&path, &other]);
        Reader::open(comm, engine, path, &ReadOptions::default()).map(drop)
    });
    type Call = fn(Reader<'_, ThreadComm, File>, bool) -> Result<(), Error>;
    fn room(bytes: &mut [u8; 2]) -> Option<ElementsMut<'_>> {
        Some(ElementsMut::Contiguous(bytes))
    }
    fn partition(odd: bool) -> Partition<'static> {
        either(odd, [Partition::Table(&[1, 1, 1]), Partition::Own(1)])
    }
    let calls: &[(&str, Call)] = &[
        ("decode is", |mut file, odd| file.section_header(odd).map(drop)),
        ("the partition is", |mut file, odd| {
            file.section_header(true)?;
            file.array_data(partition(odd), room(&mut [0; 2]))
        }),
        ("different calls", |mut file, odd| {
            file.section_header(true)?;
            if odd { file.skip() } else { file.array_data(partition(odd), room(&mut [0; 2])) }
        }),
        ("the partition is", |mut file, odd| {
            file.section_header(true)?;
            file.skip()?;
            file.section_header(true)?;
            file.varray_sizes(partition(odd), Some(&mut [0]))
        }),
        ("root is", |mut file, odd| file.inline_data(usize::from(odd), None)),
        ("root is", |mut file, odd| file.block_data(usize::from(odd), None)),
        (
            "different calls",
            |mut file, odd| if odd { file.close() } else { file.section_header(true).map(drop) },
        ),
    ];
    for (name, call) in calls {
        refused(name, |comm, engine, odd| {
            call(Reader::open(comm, engine, &path, &ReadOptions::default()).unwrap(), odd)
        });
    }
}

#[test]
fn files_of_fields_and_sets() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let grid = Grid::new(&Extents::new(&[2, 2, 2, 6]).unwrap(), &[1, 1, 1, 3]).unwrap();
    let layout = |comm: &ThreadComm| Layout::grid(&grid, comm.rank());
    let links = [0.5_f32; 16 * 72];
    macro_rules! written {
        ($create:expr) => {
            let field = |odd| {
                (either(odd, [Precision::F32, Precision::F64]), either(odd, [Form::Scidac, Form::Both]))
            };
            refused("the field is", |comm, engine, odd| {
                $create(comm, engine)?
                    .gauge_field(GaugeKind::SU3, field(odd).0, Form::Scidac, &links[..])
                    .map(drop)
            });
            refused("the field is", |comm, engine, odd| {
                $create(comm, engine)?
                    .gauge_field(GaugeKind::SU3, Precision::F32, field(odd).1, &links[..])
                    .map(drop)
            });
            refused("the call is", |comm, engine, odd| {
                let mut file = $create(comm, engine)?;
                file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Scidac, &links[..])?;
                if odd {
                    return file.finish();
                }
                file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Scidac, &links[..]).map(drop)
            });
            for (name, which) in
                [("title is", 0), ("text is", 1), ("date is", 2), ("update is", 3), ("lfn is", 4)]
            {
                refused(name, |comm, engine, odd| {
                    let mut file = $create(comm, engine)?;
                    match which {
                        0 => file.set_title(either(odd, ["a", "b"])),
                        1 => file.next_text(either(odd, ["a", "b"])),
                        2 => file.next_date(Date::from_unix(either(odd, [0, 1]))),
                        3 => file.next_update(either(odd, ["1", "2"])),
                        _ => file.next_lfn(either(odd, ["lfn://a", "lfn://b"])),
                    }
                    file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &links[..]).map(drop)
                });
            }
        };
    }
    written!(|comm, engine| FieldWriter::create(comm, engine, &path("file"), layout(comm)));
    written!(|comm, _: &IoRanks<SystemDisk>| {
        SetWriter::create(comm, SystemDisk, &path("set"), layout(comm), Volumes::each_rank(comm))
    });
    for outcome in Threads::new(RANKS).run(|comm| -> Result<(), Error> {
        let engine = IoRanks::new(comm, SystemDisk).unwrap();
        let mut file = FieldWriter::create(comm, &engine, &path("file"), layout(comm))?;
        file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Scidac, &links[..])?;
        file.finish()?;
        let volumes = Volumes::each_rank(comm);
        let mut set = SetWriter::create(comm, SystemDisk, &path("set"), layout(comm), volumes)?;
        set.gauge_field(GaugeKind::SU3, Precision::F32, Form::Scidac, &links[..])?;
        set.finish()
    }) {
        outcome.unwrap();
    }
    macro_rules! read {
        ($open:expr) => {
            refused("path is", |comm, engine, odd| $open(comm, engine, odd).map(drop));
            refused("index is", |comm, engine, odd| {
                $open(comm, engine, false)?
                    .read(usize::from(odd), &layout(comm), &mut links.clone()[..])
                    .map(drop)
            });
            refused("memory is", |comm, engine, odd| {
                let mut file = $open(comm, engine, false)?.with_memory(either(odd, [1000, 2000]));
                file.read(0, &layout(comm), &mut links.clone()[..]).map(drop)
            });
            refused("different calls", |comm, engine, odd| {
                let mut file = $open(comm, engine, false)?;
                if odd { file.close() } else { file.read(0, &layout(comm), &mut links.clone()[..]).map(drop) }
            });
        };
    }
    read!(|comm, engine, odd| FieldReader::open(comm, engine, &path(either(odd, ["file", "other"]))));
    read!(|comm, _: &IoRanks<SystemDisk>, odd| {
        SetReader::open(comm, SystemDisk, &path(either(odd, ["set", "other"])))
    });
}
