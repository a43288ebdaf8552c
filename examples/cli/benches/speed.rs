//! Speed of `linkstream check` and of manifests relative to `cat` and `md5sum` on the same files in the same run, since
//! absolute times on a shared machine mean nothing. The best of several rounds counts; the files are in the page cache.
//!
//! Run `cargo bench -p linkstream-cli --bench speed`, with `-- --quick` for smaller files, and `-- --stores` for the manifests
//! alone. The benchmark writes 650 MB to the directory for temporary files.

use std::convert::Infallible;
use std::ffi::OsStr;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use host_tests::stores;
use linkstream::field::{FieldDocuments, Form, SiteMut};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, Fill, FromStd};
use linkstream::lattice::{Extents, Precision};

const PROGRAM: &str = env!("CARGO_BIN_EXE_linkstream");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let is_given = |option: &str| std::env::args().any(|argument| argument == option);
    let quick = is_given("--quick");
    if !is_given("--stores") {
        files(quick)?;
    }
    stores(quick)
}

/// Single files, sets, and many files.
fn files(quick: bool) -> Result<(), Box<dyn std::error::Error>> {
    let (extents, small_files, rounds) =
        if quick { ([16, 16, 16, 32], 100, 2) } else { ([32, 32, 32, 32], 1000, 7) };
    let folder = tempfile::tempdir()?;

    let large = folder.path().join("large.lime");
    gauge_field(&large, extents)?;
    let [large] = [large.as_os_str()];
    let check = |options: &[&'static str]| run(PROGRAM, options, [large]);
    let names = ["cat", "md5sum", "check --no-observables", "check", "check --threads 1", "check, of a pipe"];
    let times = best(
        rounds,
        &[
            &|| run("cat", &[], [large]),
            &|| run("md5sum", &[], [large]),
            &|| check(&["check", "--no-observables"]),
            &|| check(&["check"]),
            &|| check(&["check", "--threads", "1"]),
            &|| piped(large),
        ],
    );
    let bytes = std::fs::metadata(large)?.len();
    println!("a gauge field in double precision, {} MB, {} threads", bytes / 1_000_000, threads());
    table(&names, &times, "md5sum", times[1]);

    values(Path::new(large), folder.path(), rounds)?;

    let set = folder.path().join("set");
    finished(
        Command::new(PROGRAM).arg("convert").args([large, set.as_os_str()]).args(["--volumes", "2x2x2x2"]),
    );
    let set = set.as_os_str();
    let names = ["check --no-observables", "… of 16 volumes", "check", "… of 16 volumes"];
    let times = best(
        rounds,
        &[
            &|| check(&["check", "--no-observables"]),
            &|| run(PROGRAM, &["check", "--no-observables"], [set]),
            &|| check(&["check"]),
            &|| run(PROGRAM, &["check"], [set]),
        ],
    );
    println!("\nthe same field as a set of 16 volumes");
    table(&names, &times, "check", times[2]);
    let ratio = |one: usize| times[one].as_secs_f64() / times[one + 1].as_secs_f64();
    println!(
        "speed of the set / speed of the file: {:.2} without observables, {:.2} with them",
        ratio(0),
        ratio(2)
    );

    let small = many(&folder.path().join("many"), small_files)?;
    let list = || small.iter().map(|path| path.as_os_str());
    let quiet: &[&str] = &["check", "--quiet"];
    let without: &[&str] = &["check", "--quiet", "--no-observables"];
    let times = best(
        rounds,
        &[&|| run("cat", &[], list()), &|| run(PROGRAM, without, list()), &|| run(PROGRAM, quiet, list())],
    );
    println!("\n{small_files} gauge fields in single precision, 8x8x8x8 sites each, all in one process");
    table(&["cat", "check --no-observables", "check"], &times, "cat", times[0]);
    Ok(())
}

/// Stores of small and of large files: the first manifest, the comparison with it, and a seventh of them read again, beside
/// `md5sum -c` and, if it is installed, `rclone checksum`.
fn stores(quick: bool) -> Result<(), Box<dyn std::error::Error>> {
    let (small, links, extents, rounds) =
        if quick { (40, 10, [8, 8, 8, 16], 2) } else { (stores::MANY, 200, [32, 32, 32, 8], 3) };
    let folder = tempfile::tempdir()?;
    let root = folder.path().join("small");
    let files = stores::store_of(1, small);
    for (name, bytes) in &files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&root))?;
        std::fs::write(path, bytes)?;
    }
    store(&format!("{} files of 10 kB", files.len()), folder.path(), &root, rounds)?;
    std::fs::remove_dir_all(&root)?;
    // One file with many names: it is read as often, and takes the space of one.
    let root = folder.path().join("large");
    std::fs::create_dir(&root)?;
    let first = root.join("lat.0000.lime");
    gauge_field(&first, extents)?;
    for number in 1..links {
        std::fs::hard_link(&first, root.join(format!("lat.{number:04}.lime")))?;
    }
    let megabytes = std::fs::metadata(&first)?.len() / 1_000_000;
    store(&format!("{links} files of {megabytes} MB"), folder.path(), &root, if quick { 2 } else { 1 })
}

fn store(name: &str, folder: &Path, root: &Path, rounds: usize) -> Result<(), Box<dyn std::error::Error>> {
    let [sums, manifest] = ["MD5SUMS", "manifest"].map(|name| folder.join(name));
    let threads = threads().to_string();
    // The path is the value of the last argument.
    let program = |arguments: &[&str], path: &Path| {
        finished(Command::new(PROGRAM).args(arguments).arg(path).arg(root).args(["--threads", &threads]))
    };
    let _ = std::fs::remove_file(&sums);
    program(&["manifest", "--format", "md5sum", "--out"], &sums);
    // Files that were modified immediately before are not trusted.
    std::thread::sleep(Duration::from_secs(3));
    let first = || program(&["manifest", "--force", "--out"], &manifest);
    let check = |more: &[&str]| program(&[&["check"], more, &["--manifest"]].concat(), &manifest);
    let rclone = || {
        finished(Command::new("rclone").args(["checksum", "md5"]).args([&*sums, root]).stderr(Stdio::null()))
    };
    let mut names = vec!["md5sum -c", "manifest", "check --manifest", "… --scrub 7d", "… --scrub 1d"];
    let md5sum = || finished(Command::new("md5sum").arg("-c").arg(&sums).current_dir(root));
    let (again, a_seventh, all) = (|| check(&[]), || check(&["--scrub", "7d"]), || check(&["--scrub", "1d"]));
    let mut jobs: Vec<&dyn Fn() -> Duration> = vec![&md5sum, &first, &again, &a_seventh, &all];
    if Command::new("rclone")
        .arg("version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
    {
        names.push("rclone checksum");
        jobs.push(&rclone);
    }
    let times = best(rounds, &jobs);
    println!("\n{name}, {threads} threads");
    table(&names, &times, "md5sum", times[0]);
    Ok(())
}

/// Values whose arithmetic or whose comparison with absent links can be slow, and their names.
const VALUES: [(&str, f64); 6] = [
    ("zero", 0.0),
    ("constant", 0.25),
    ("subnormal", 1e-310),
    ("huge", 1e200),
    ("infinity", f64::INFINITY),
    ("NaN", f64::NAN),
];

/// Speed for data that consist of one value, relative to unitary links: none should be below 0.7.
fn values(large: &Path, folder: &Path, rounds: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut bytes = std::fs::read(large)?;
    let record_type = b"ildg-binary-data";
    let at = bytes.windows(record_type.len()).position(|part| part == record_type);
    // The type is at byte 16 of a header of 144 bytes, which has the length of the data at byte 8.
    let header = at.and_then(|at| at.checked_sub(16)).ok_or("no data")?;
    let length = bytes.get(header + 8..).and_then(|rest| rest.first_chunk()).ok_or("no length")?;
    let data = header + 144..header + 144 + usize::try_from(u64::from_be_bytes(*length))?;
    let file = folder.join("values.lime");
    let mut ratios = Vec::new();
    for (name, value) in VALUES {
        bytes[data.clone()].as_chunks_mut().0.fill(value.to_be_bytes());
        std::fs::write(&file, &bytes)?;
        let check = |path: &Path| {
            let start = Instant::now();
            let mut command = Command::new(PROGRAM);
            // The checksum differs.
            command
                .args(["check", "--threads", "1"])
                .arg(path)
                .stdout(Stdio::null())
                .status()
                .expect("the program runs");
            start.elapsed()
        };
        let times = best(rounds.max(3), &[&|| check(large), &|| check(&file)]);
        ratios.push(format!("{name} {:.2}", times[0].as_secs_f64() / times[1].as_secs_f64()));
    }
    println!("\nspeed for data of one value / speed for unitary links: {}", ratios.join(", "));
    std::fs::remove_file(&file)?;
    Ok(())
}

/// Prints times with their ratios to the first one and to `other`.
fn table(names: &[&str], times: &[Duration], other_name: &str, other: Duration) {
    println!("{:<26} {:>9} {:>9} {:>9}", "", "ms", "/ first", format!("/ {other_name}"));
    for (name, time) in names.iter().zip(times) {
        let ratio = |to: Duration| time.as_secs_f64() / to.as_secs_f64();
        println!(
            "{name:<26} {:>9.1} {:>9.2} {:>9.2}",
            ratio(Duration::from_millis(1)),
            ratio(times[0]),
            ratio(other)
        );
    }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The best time of each job. Each round runs all jobs once.
fn best(rounds: usize, jobs: &[&dyn Fn() -> Duration]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; jobs.len()];
    for _ in 0..rounds {
        for (best, job) in best.iter_mut().zip(jobs) {
            *best = job().min(*best);
        }
    }
    best
}

fn run<'f>(program: &str, options: &[&str], files: impl IntoIterator<Item = &'f OsStr>) -> Duration {
    finished(Command::new(program).args(options).args(files))
}

fn piped(file: &OsStr) -> Duration {
    let start = Instant::now();
    let mut cat = Command::new("cat").arg(file).stdout(Stdio::piped()).spawn().expect("cat runs");
    let output = cat.stdout.take().expect("a pipe");
    finished(Command::new(PROGRAM).args(["check", "-"]).stdin(output));
    cat.wait().expect("cat ends");
    start.elapsed()
}

/// Runs a command, which must succeed, and returns its duration. Its output goes to the null device, like the output of
/// `cat FILE > /dev/null`.
fn finished(command: &mut Command) -> Duration {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).status().expect("the program runs");
    assert!(status.success(), "{command:?}");
    start.elapsed()
}

/// Writes a gauge field of unitary links that are all different and contain no zeros.
fn gauge_field(path: &Path, extents: [u32; 4]) -> Result<(), Box<dyn std::error::Error>> {
    let mut buffer = [0; 2048];
    let file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let lattice = Extents::new(&extents)?;
    let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, &lattice)?;
    let mut writer = FieldWriter::create(FromStd(file), &mut buffer, lattice)?;
    let mut links = Links(1);
    writer
        .write(&field.message(b""), Fill::sites(|site| links.put(site)))
        .map_err(|error| format!("{error:?}"))?;
    writer.finish().map_err(|error| format!("{error:?}"))?;
    Ok(())
}

/// Writes `count` copies of a small gauge field in single precision.
fn many(folder: &Path, count: usize) -> Result<Vec<PathBuf>, Box<dyn std::error::Error>> {
    std::fs::create_dir(folder)?;
    let first = folder.join("0.lime");
    let mut buffer = [0; 2048];
    let file = BufWriter::new(File::create(&first)?);
    let lattice = Extents::new(&[8, 8, 8, 8])?;
    let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
    let mut writer = FieldWriter::create(FromStd(file), &mut buffer, lattice)?;
    let mut links = Links(2);
    writer
        .write(&field.message(b""), Fill::sites(|site| links.put_narrow(site)))
        .map_err(|error| format!("{error:?}"))?;
    writer.finish().map_err(|error| format!("{error:?}"))?;
    let mut all = vec![first];
    for i in 1..count {
        let path = folder.join(format!("{i}.lime"));
        std::fs::copy(&all[0], &path)?;
        all.push(path);
    }
    Ok(all)
}

/// Unitary matrices: a reflection without zeros, with each column multiplied by its own phase.
struct Links(u32);

impl Links {
    fn put(&mut self, site: &mut SiteMut<'_>) -> Result<(), Infallible> {
        for mu in 0..4 {
            let link = self.link();
            site.link_mut(mu).expect("four links").put(&link).expect("18 doubles");
        }
        Ok(())
    }

    fn put_narrow(&mut self, site: &mut SiteMut<'_>) -> Result<(), Infallible> {
        for mu in 0..4 {
            let link = self.link().map(|number| number as f32);
            site.link_mut(mu).expect("four links").put(&link).expect("18 singles");
        }
        Ok(())
    }

    fn link(&mut self) -> [f64; 18] {
        let mut link = [0.0; 18];
        for column in 0..3 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // The tangent of half the angle gives sine and cosine without a call of either.
            let t = f64::from(self.0 >> 8) / f64::from(1 << 23) - 1.0;
            let (re, im) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
            for row in 0..3 {
                let reflection = if row == column { 1.0 / 3.0 } else { -2.0 / 3.0 };
                link[2 * (3 * row + column)] = reflection * re;
                link[2 * (3 * row + column) + 1] = reflection * im;
            }
        }
        link
    }
}
