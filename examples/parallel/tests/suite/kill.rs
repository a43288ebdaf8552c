//! A job is killed at a request of one of its ranks, or at any time, while the other ranks go on: what is left is the old
//! file, the new file, or no scda or LIME file; and the next job is not in the way of it.
//!
//! The cases are the same in every run. `LINKSTREAM_KILL_CASES` is their number, `LINKSTREAM_KILL_SEED` selects other
//! ones.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::VolumeFormat;
use linkstream_parallel::Error;
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::field::{FieldWriter, Grid, Layout, SetWriter, Volumes, volume_path};
use linkstream_parallel::file::{Direct, Engine, Faulty, Injection, IoRanks, SystemDisk, beside};
use linkstream_parallel::scda::{Elements, Partition, WriteOptions, Writer};

use super::scda::model::Random;

const RANKS: usize = 4;

/// The variable with the case of a job.
const CASE: &str = "LINKSTREAM_KILL_CASE";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Scda,
    Field,
    Set,
}

/// A job.
#[derive(Debug, Clone)]
struct Case {
    what: What,
    replaces: bool,
    is_direct: bool,
    /// Seed of the contents, which differ from the contents of an old file.
    seed: u8,
    /// Rank, request and milliseconds until its end.
    killed: Option<(usize, usize, u64)>,
    path: PathBuf,
}

impl Case {
    fn to_text(&self) -> String {
        let Self { what, replaces, is_direct, seed, killed, path } = self;
        let (rank, number, delay) = killed.unwrap_or((RANKS, 0, 0));
        let what = *what as usize;
        let (replaces, is_direct, path) = (u8::from(*replaces), u8::from(*is_direct), path.display());
        format!("{what} {replaces} {is_direct} {seed} {rank} {number} {delay} {path}")
    }

    fn of_text(text: &str) -> Self {
        let parts: Vec<_> = text.splitn(8, ' ').collect();
        let number = |at: usize| parts[at].parse::<usize>().unwrap();
        Self {
            what: [What::Scda, What::Field, What::Set][number(0)],
            replaces: number(1) == 1,
            is_direct: number(2) == 1,
            seed: number(3) as u8,
            killed: (number(4) < RANKS).then(|| (number(4), number(5), number(6) as u64)),
            path: parts[7].into(),
        }
    }

    /// The files of this job.
    fn files(&self) -> Vec<PathBuf> {
        match self.what {
            What::Set => [0, 2].map(|rank| volume_path(&self.path, VolumeFormat::Partition, rank)).into(),
            _ => vec![self.path.clone()],
        }
    }

    fn run(&self) -> Vec<Result<(), Error>> {
        // Two nodes, each with an I/O rank.
        Threads::on_nodes(RANKS, 2).run(|comm| {
            let killed = self.killed.filter(|(rank, ..)| *rank == comm.rank());
            let injection = killed.map(|(_, number, delay)| {
                (number, Injection::Killed { after: Duration::from_millis(delay) })
            });
            let disk = Faulty::new(SystemDisk, injection);
            if self.is_direct {
                self.write(comm, &Direct { disk: disk.clone() }, &disk)
            } else {
                self.write(comm, &IoRanks::new(comm, disk.clone()).unwrap(), &disk)
            }
        })
    }

    fn write<E: Engine<ThreadComm>>(
        &self,
        comm: &ThreadComm,
        engine: &E,
        disk: &Faulty<SystemDisk>,
    ) -> Result<(), Error> {
        // More than 1 MiB, so that both I/O ranks have some.
        let grid = Grid::new(&Extents::new(&[4, 8, 8, 8]).unwrap(), &[1, 1, 2, 2]).unwrap();
        let layout = Layout::grid(&grid, comm.rank());
        let links = vec![f64::from(self.seed) + comm.rank() as f64; 4 * 8 * 8 * 8 / RANKS * 72];
        let (kind, precision, form) = (GaugeKind::SU3, Precision::F64, Form::Both);
        match self.what {
            What::Scda => {
                let options = WriteOptions { replace: self.replaces, ..WriteOptions::default() };
                let mut file = Writer::create(comm, engine, &self.path, b"checkpoint", &options)?;
                file.block(b"seed", 1, 1, &[self.seed], false)?;
                let links: Vec<_> = links.iter().flat_map(|number| number.to_be_bytes()).collect();
                let elements = Elements::Contiguous(&links);
                file.array(b"links", Partition::Own(links.len() as u64 / 8), 8, elements, false)?;
                file.close()
            }
            What::Field => {
                let file = if self.replaces {
                    FieldWriter::replace(comm, engine, &self.path, layout)?
                } else {
                    FieldWriter::create(comm, engine, &self.path, layout)?
                };
                let mut file = file.with_memory(200_000);
                file.gauge_field(kind, precision, form, &links[..])?;
                file.finish()
            }
            What::Set => {
                let volumes = Volumes::each_node(comm);
                let set = SetWriter::create(comm, disk.clone(), &self.path, layout, volumes)?;
                let mut set = set.with_memory(200_000);
                set.gauge_field(kind, precision, form, &links[..])?;
                set.finish()
            }
        }
    }
}

/// The job of a process that [`killed_jobs`] starts. Without a case, there is nothing to do.
#[test]
fn child() {
    if let Ok(case) = std::env::var(CASE) {
        assert_eq!(Case::of_text(&case).run(), [Ok(()), Ok(()), Ok(()), Ok(())]);
    }
}

/// Runs a job in a process of its own, which is killed after this time. True if it was complete.
fn run(case: &Case, after: Option<Duration>) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "kill::child"]).env(CASE, case.to_text()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    if let Some(after) = after {
        std::thread::sleep(after);
        child.kill().unwrap();
    }
    child.wait().unwrap().success()
}

fn contents(paths: &[PathBuf]) -> Vec<Option<Vec<u8>>> {
    paths.iter().map(|path| std::fs::read(path).ok()).collect()
}

/// True for files that a reader takes for scda or LIME files.
fn is_recognised(bytes: &[u8]) -> bool {
    bytes.starts_with(b"sc") || bytes.starts_with(&[0x45, 0x67, 0x89, 0xab])
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// Numbers of files that the cases have left.
#[derive(Debug, Default)]
struct Left {
    old: usize,
    new: usize,
    neither: usize,
    incomplete: usize,
}

fn check(case: &Case, is_complete: bool, old: &[Option<Vec<u8>>], new: &[Option<Vec<u8>>], left: &mut Left) {
    let now = contents(&case.files());
    assert!(!is_complete || now == new, "{case:?}");
    if now == old {
        left.old += 1;
    } else if now == new {
        left.new += 1;
    } else {
        assert!(!case.replaces || case.what == What::Set, "{case:?}: neither old nor new");
        left.neither += 1;
        let all = now.iter().zip(old).zip(new);
        // In a set, volumes are truncated and completed one after the other; none is damaged, or of another set.
        let kinds = all.map(|((now, old), new)| match now {
            Some(bytes) if is_recognised(bytes) => {
                assert!(now == old || now == new, "{case:?}: neither old nor new, but recognised");
                if now == old { [true, false] } else { [false, true] }
            }
            _ => [false, false],
        });
        let kinds: Vec<_> = kinds.collect();
        let has = |kind: usize| kinds.iter().any(|kinds| kinds[kind]);
        assert!(!(has(0) && has(1)), "{case:?}: an old and a new volume");
    }
    if let Ok(bytes) = std::fs::read(beside(&case.path)) {
        assert!(case.replaces && (!is_recognised(&bytes) || Some(bytes) == new[0]), "{case:?}");
        left.incomplete += 1;
    }
}

fn remove(directory: &Path) {
    for entry in std::fs::read_dir(directory).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
}

#[test]
fn killed_jobs() {
    let (cases, seed) = (variable("LINKSTREAM_KILL_CASES"), variable("LINKSTREAM_KILL_SEED"));
    let (cases, mut random) = (cases.unwrap_or(50), Random(seed.unwrap_or(1)));
    let (directory, example) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = directory.path().join("checkpoint");
    let (mut left, mut killed) = (Left::default(), 0);
    for number in 0..cases {
        remove(directory.path());
        let mut case = Case {
            what: [What::Scda, What::Field, What::Set][random.below(3) as usize],
            replaces: random.below(2) == 1,
            is_direct: random.below(4) == 0,
            seed: 1,
            killed: None,
            path: path.clone(),
        };
        // The file without a kill, and the old file, which is missing sometimes.
        let [old, new] = [1, 2].map(|seed| {
            remove(example.path());
            let case = Case { seed, path: example.path().join("checkpoint"), ..case.clone() };
            assert!(case.run().iter().all(Result::is_ok));
            contents(&case.files())
        });
        let has_old = random.below(5) > 0;
        if has_old {
            for (path, bytes) in case.files().iter().zip(&old) {
                std::fs::write(path, bytes.as_ref().unwrap()).unwrap();
            }
        }
        let old = if has_old { old } else { vec![None; old.len()] };
        case.seed = 2;
        let after = if random.below(4) == 0 {
            Some(Duration::from_millis(random.below(60)))
        } else {
            // The I/O ranks are 0 and 2.
            let rank = [0, 2, 0, 2, 1, 3][random.below(if case.is_direct { 6 } else { 4 }) as usize];
            case.killed = Some((rank, random.below(12) as usize, [0, 5, 30][random.below(3) as usize]));
            None
        };
        let is_complete = run(&case, after);
        killed += u64::from(!is_complete);
        check(&case, is_complete, &old, &new, &mut left);
        // The next job finds nothing in its way.
        case.killed = None;
        assert!(run(&case, None), "case {number}: {case:?}");
        assert!(contents(&case.files()) == new && !beside(&path).exists(), "case {number}: {case:?}");
    }
    println!("{cases} cases, {killed} killed: {left:?}");
    if cases >= 50 {
        assert!(killed > cases / 3, "{killed}");
        let Left { old, new, neither, incomplete } = left;
        assert!([old, new, neither, incomplete].iter().all(|count| *count > 0), "{left:?}");
    }
}
