//! Ranks that do not make the same calls, and sites that are there twice: errors on all ranks, never other data.

use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{PrivateRecord, VolumeFormat};
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::field::{
    Bytes, FieldReader, FieldWriter, Grid, Layout, SetReader, SetWriter, Volumes,
};
use linkstream_parallel::file::{Direct, IoRanks, SystemDisk};
use linkstream_parallel::{Error, ErrorKind};

use super::set_support::serial;
use super::support::{What, lattice};

const DIRECT: Direct<SystemDisk> = Direct { disk: SystemDisk };

/// The layout of two ranks.
fn half(comm: &ThreadComm) -> Layout<'static> {
    Layout::grid(&Grid::new(&lattice(), &[1, 1, 1, 2]).unwrap(), comm.rank())
}

/// Runs two ranks, which must all get the same error. Returns its message.
fn refused(call: impl Fn(&ThreadComm) -> Result<(), Error> + Sync) -> String {
    let outcomes = Threads::new(2).run(|comm| call(comm).expect_err("refused"));
    assert_eq!(outcomes[0], outcomes[1]);
    assert_eq!(outcomes[0].fault.kind, ErrorKind::Usage, "{}", outcomes[0]);
    outcomes[0].fault.message.clone()
}

#[test]
fn records_that_differ_are_refused_although_their_data_have_the_same_size() {
    let directory = tempfile::tempdir().unwrap();
    let corner = |c: [u32; 4]| Coordinates::new(&c).unwrap();
    let cube =
        |lower, upper| Region::Hypercube(Hypercube::new(corner(lower), corner(upper), &lattice()).unwrap());
    let real = || PrivateRecord::real_field(Precision::F64);
    for (name, records, numbers) in [
        ("words", [PrivateRecord::complex_field(Precision::F32), real()], [192, 96]),
        (
            "regions",
            [([0, 0, 0, 2], [2, 3, 1, 3]), ([1, 0, 0, 2], [3, 3, 1, 3])]
                .map(|(lower, upper)| real().covering(&cube(lower, upper))),
            [24, 24],
        ),
        (
            "dates",
            [real(), {
                let mut other = real();
                other = other.dated(linkstream::scidac::Date::from_unix(1_704_164_645));
                other
            }],
            [96, 96],
        ),
    ] {
        let path = directory.path().join(name);
        let data = |rank: usize| vec![1.5_f64; numbers[rank]];
        let message = refused(|comm| {
            let file = FieldWriter::create(comm, &DIRECT, &path, half(comm))?;
            file.verify_written(true).scidac_field(records[comm.rank()].clone(), &data(comm.rank())[..])?;
            Ok(())
        });
        assert!(
            message.starts_with("ranks passed different arguments to: write a field: the field is "),
            "{message}"
        );
        let message = refused(|comm| {
            let mut set = SetWriter::create(comm, SystemDisk, &path, half(comm), Volumes::each_rank(comm))?;
            set.scidac_field(records[comm.rank()].clone(), &data(comm.rank())[..])?;
            Ok(())
        });
        assert!(
            message.starts_with("ranks passed different arguments to: write a field: the field is "),
            "{message}"
        );
    }
}

/// The error names the call, the argument and both paths.
fn assert_differ(message: &str, what: &str, path: &dyn Fn(usize) -> std::path::PathBuf) {
    assert!(message.starts_with(&format!("ranks passed different arguments to: {what} ")), "{message}");
    for rank in [0, 1] {
        assert!(message.contains(&*path(rank).to_string_lossy()), "{message}");
    }
}

#[test]
fn paths_that_differ_are_refused_before_a_file_is_opened() {
    let directory = tempfile::tempdir().unwrap();
    let path = |rank: usize| directory.path().join(["mine", "other"][rank]);
    std::fs::write(path(1), [b'x'; 4000]).unwrap();
    let message =
        refused(|comm| FieldWriter::create(comm, &DIRECT, &path(comm.rank()), half(comm)).map(drop));
    assert_differ(&message, "create a file of fields: path is", &path);
    let message = refused(|comm| {
        let volumes = Volumes::each_rank(comm);
        SetWriter::create(comm, SystemDisk, &path(comm.rank()), half(comm), volumes).map(drop)
    });
    assert_differ(&message, "create a file set: path is", &path);
    assert!(!path(0).exists() && std::fs::read(path(1)).unwrap() == [b'x'; 4000]);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);

    for outcome in Threads::new(2).run(|comm| {
        let mut file = FieldWriter::create(comm, &DIRECT, &path(0), half(comm))?;
        file.scidac_field(PrivateRecord::real_field(Precision::F64), &[1.0_f64; 96][..])?;
        file.finish()
    }) {
        outcome.unwrap();
    }
    let message = refused(|comm| FieldReader::open(comm, &DIRECT, &path(comm.rank())).map(drop));
    assert_differ(&message, "open a file of fields: path is", &path);
}

#[test]
fn settings_of_one_rank_only_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let field = || PrivateRecord::real_field(Precision::F64);
    let expected = |name| format!("ranks passed different arguments to: write a field: {name} is ");
    let of_file = |change: &(dyn for<'c> Fn(FileWriter<'c>) -> FileWriter<'c> + Sync), name| {
        let message = refused(|comm| {
            let file = FieldWriter::create(comm, &DIRECT, &path, half(comm))?;
            let mut file = if comm.rank() == 1 { change(file) } else { file };
            file.scidac_field(field(), &[1.0_f64; 96][..]).map(drop)
        });
        assert!(message.starts_with(&expected(name)), "{message}");
    };
    of_file(&|file| file.verify_written(true), "verify");
    of_file(&|file| file.with_memory(100), "memory");
    of_file(
        &|mut file| {
            file.next_text("text");
            file
        },
        "text",
    );
    let message = refused(|comm| {
        let mut set = SetWriter::create(comm, SystemDisk, &path, half(comm), Volumes::each_rank(comm))?;
        if comm.rank() == 1 {
            set.next_lfn("lfn://only/on/rank/1");
        }
        set.scidac_field(field(), &[1.0_f64; 96][..]).map(drop)
    });
    assert!(message.starts_with(&expected("lfn")), "{message}");
}

type FileWriter<'c> = FieldWriter<'c, 'static, ThreadComm, linkstream_parallel::file::OpenFile<SystemDisk>>;

/// Ranks in the lattice of two volumes or processes: 2, 3 and 7 are missing, 1, 5 and 6 are there twice. Number, sum and
/// sum of squares are right.
fn repeated() -> [Vec<u64>; 2] {
    [[0, 1, 5, 6].into_iter().chain(8..100).collect(), [1, 4, 5, 6].into_iter().chain(100..192).collect()]
}

#[test]
fn sites_that_are_missing_and_repeated_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let field = PrivateRecord::real_field(Precision::F64);
    let [first, second] = repeated();
    serial(&path, &[What::Record(field)], &[(0, first), (1, second)], VolumeFormat::Partition);
    for outcome in Threads::new(3).run(|comm| SetReader::open(comm, SystemDisk, &path).map(drop)) {
        assert_eq!(outcome.unwrap_err().fault.rule, "volume-sites-missing");
    }
    let message = refused(|comm| {
        let (lattice, own) = (lattice(), &repeated()[comm.rank()]);
        let layout = Layout::listed(&lattice, own.len(), |i| lattice.coordinates(own[i]).unwrap(), |_| 0);
        FieldWriter::create(comm, &DIRECT, &path, layout).map(drop)
    });
    assert!(message.contains("are missing or belong to several ranks"), "{message}");
    assert!(!path.exists());
}

/// A small file can claim a lattice with any extents.
#[test]
fn the_work_does_not_grow_with_the_claimed_lattice() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let lattice = Extents::new(&[3, 1 << 30, 1 << 30]).unwrap();
    let corner = |c: [u32; 3]| Coordinates::new(&c).unwrap();
    let cube = Hypercube::new(corner([0; 3]), corner([1; 3]), &lattice).unwrap();
    let record = PrivateRecord::real_field(Precision::F64).covering(&Region::Hypercube(cube));
    let layout = |comm: &ThreadComm| Layout::grid(&Grid::new(&lattice, &[2]).unwrap(), comm.rank());
    let outcomes = Threads::new(2).run(|comm| {
        let engine = IoRanks::new(comm, SystemDisk).unwrap();
        let mut file = FieldWriter::create(comm, &engine, &path, layout(comm))?;
        let number = |_: &_, bytes: &mut [u8]| {
            bytes.fill(0);
            Ok(())
        };
        file.scidac_field(record.clone(), Bytes::new(number))?;
        file.finish()?;
        let mut file = FieldReader::open(comm, &engine, &path)?;
        let mut calls = 0;
        let target = Bytes::taken(|_, _: &[u8]| {
            calls += 1;
            Ok(())
        });
        let verdict = file.read(0, &layout(comm), target)?;
        Ok::<_, Error>((verdict.is_match(), calls))
    });
    assert_eq!(outcomes, [Ok((true, 4)), Ok((true, 4))]);
}

#[test]
fn a_file_without_fields_is_not_finished() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let message = refused(|comm| FieldWriter::create(comm, &DIRECT, &path, half(comm))?.finish());
    assert_eq!(message, "no field was written: the file is empty");
}

/// A volume that becomes shorter while the set is open.
#[test]
fn a_volume_that_ends_early_is_named_on_all_ranks() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("set");
    let field = || vec![What::Record(PrivateRecord::real_field(Precision::F64))];
    for left in [0, 1, 700] {
        serial(
            &path,
            &field(),
            &[(0, (0..100).collect()), (1, (100..192).collect())],
            VolumeFormat::Partition,
        );
        let outcomes = Threads::new(2).run(|comm| {
            let mut set = SetReader::open(comm, SystemDisk, &path)?;
            if comm.rank() == 0 {
                let volume =
                    std::fs::OpenOptions::new().write(true).open(directory.path().join("set.vol0001"));
                volume.unwrap().set_len(left).unwrap();
            }
            comm.combine(linkstream_parallel::comm::Op::Max, &mut [0]).unwrap();
            set.read(0, &half(comm), &mut [0.0_f64; 96][..])
        });
        let error = outcomes[0].as_ref().unwrap_err();
        assert_eq!((error.rank, error.fault.kind), (1, ErrorKind::File), "{left}: {error}");
        assert!(error.fault.message.starts_with("set.vol0001: "), "{error}");
        assert_eq!(outcomes[0], outcomes[1]);
    }
}

#[test]
fn a_surplus_volume_is_called_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("set");
    let field = [What::Record(PrivateRecord::real_field(Precision::F64))];
    let lists = [(0, (0..100).collect()), (1, (100..192).collect()), (2, (100..192).collect())];
    serial(&path, &field, &lists, VolumeFormat::Partition);
    for outcome in Threads::new(3).run(|comm| SetReader::open(comm, SystemDisk, &path).map(drop)) {
        let error = outcome.unwrap_err();
        assert_eq!(error.fault.rule, "volume-site-repeated", "{error}");
    }
}
