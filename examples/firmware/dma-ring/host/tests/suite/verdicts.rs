//! The board finds in a file what the codec finds on this machine, in the memory that the program promises.

use anyhow::{Context as _, Result, ensure};
use dma_ring_host::figures::{self, PROGRAMS};
use dma_ring_host::link::Link;
use dma_ring_host::report::Report;
use dma_ring_host::sender::{Sending, send};

use crate::files::{self, DOUBLE, SINGLE};
use crate::programs;

/// Sends a file, and compares the verdict, and the memory where the decoder has found the bytes.
fn compare(program: &str, link: &mut impl Link, file: u32, contents: &[u8], size: usize) -> Result<Report> {
    let report = send(link, file, contents, Sending { size, ..Sending::default() })?;
    let expected = files::verdict(contents);
    ensure!(report.verdict == expected, "{program} finds {:?} instead of {expected:?}", report.verdict);
    let length = report.figure("length")?;
    let is_whole = length == contents.len() as u64;
    ensure!(
        is_whole || expected.starts_with("damaged ") || expected == "unrecognised",
        "{length} bytes taken"
    );
    let counts = (report.figure("in-place")?, report.figure("copied")?);
    let promised = if program == "in-place" { (length, 0) } else { (0, length) };
    ensure!(
        counts == promised,
        "{program}: {counts:?} bytes in place and copied, but {promised:?} are promised"
    );
    Ok(report)
}

#[test]
fn all_fixtures_have_the_same_verdict_on_the_board() -> Result<()> {
    let samples = files::fixtures(&["broken", "lime", "qio"])?;
    for program in PROGRAMS {
        let (_machine, mut link) = programs::start(program)?;
        let (mut verified, mut damaged) = (0, 0);
        for (file, sample) in samples.iter().enumerate() {
            let report = compare(program, &mut link, file as u32, &sample.contents, Sending::default().size)
                .with_context(|| sample.name.clone())?;
            verified += u32::from(report.verdict.starts_with("verified "));
            damaged += u32::from(report.verdict.starts_with("damaged "));
        }
        println!("{program}: {} files, {verified} verified, {damaged} damaged", samples.len());
        ensure!(verified > 50 && damaged > 50, "{verified} files are verified, {damaged} damaged");
    }
    Ok(())
}

#[test]
fn a_file_can_be_cut_anywhere() -> Result<()> {
    for program in PROGRAMS {
        let (_machine, mut link) = programs::start(program)?;
        let mut file = 0;
        for name in [SINGLE, DOUBLE, "qio/nersc/n3x3_d.nersc"] {
            for size in [61, 536, 1459] {
                file += 1;
                compare(program, &mut link, file, &files::read(name)?, size).context(name)?;
            }
        }
        // The first message holds 8 bytes.
        let small = files::read("broken/scidac/sumb-wrong.lime")?;
        compare(program, &mut link, file + 1, &small, 8)?;
    }
    Ok(())
}

#[test]
fn damage_is_reported_with_its_offset() -> Result<()> {
    let whole = files::read(SINGLE)?;
    for program in PROGRAMS {
        let (_machine, mut link) = programs::start(program)?;
        let mut flipped = whole.clone();
        if let Some(byte) = flipped.get_mut(50_000) {
            *byte ^= 1;
        }
        let report = compare(program, &mut link, 1, &flipped, 1460)?;
        // The last document of the file has the checksum.
        let at = whole.windows(5).rposition(|window| window == b"<?xml").context("there is no document")?;
        ensure!(report.verdict == format!("damaged rule=checksum-mismatch at={at}"), "{}", report.verdict);
        for end in [8, 143, 1460, 1461, 100_000, whole.len() - 1] {
            let part = whole.get(..end).unwrap_or_default();
            let report = compare(program, &mut link, end as u32, part, 1460)?;
            ensure!(report.verdict.starts_with("damaged rule="), "{end} bytes: {}", report.verdict);
            ensure!(report.verdict.ends_with(&format!(" at={end}")), "{end} bytes: {}", report.verdict);
        }
        for nothing in [&b""[..], b"\x45", b"no gauge configuration"] {
            let file = 1_000_000 + nothing.len() as u32;
            ensure!(compare(program, &mut link, file, nothing, 1460)?.verdict == "unrecognised");
        }
    }
    Ok(())
}

/// The sums that QIO reported when it wrote the files.
#[test]
fn the_sums_are_those_of_qio() -> Result<()> {
    let manifest = String::from_utf8(files::read("qio/MANIFEST.toml")?)?;
    let (_machine, mut link) = programs::start("in-place")?;
    for (file, name) in
        ["ildg/ildg_f_4x4x4x8.lime", "ildg/ildg_d_2x3x4x5.lime", "single/gauge_d3_2x3x4x5.lime"]
            .into_iter()
            .enumerate()
    {
        let (_, entry) = manifest.split_once(&format!("path = \"{name}\"")).context(name)?;
        let sum = |of: &str| {
            let (_, value) = entry.split_once(&format!("{of} = \""))?;
            value.split('"').next()
        };
        let (suma, sumb) = (sum("suma").context(name)?, sum("sumb").context(name)?);
        let report = send(&mut link, file as u32, &files::read(&format!("qio/{name}"))?, Sending::default())?;
        let expected = format!("verified fields=1 verified=1 findings=0 sums={suma},{sumb}");
        ensure!(report.verdict == expected, "{name}: {} instead of {expected}", report.verdict);
    }
    Ok(())
}

#[test]
fn a_byte_takes_fewer_instructions_in_place() -> Result<()> {
    let contents = files::read(SINGLE)?;
    let reports = PROGRAMS.map(|program| figures::undisturbed(&programs::path(program)?, &contents));
    let [in_place, copying, sockets] = reports;
    let (in_place, copying, sockets) = (in_place?, copying?, sockets?);
    ensure!(in_place.figure("copy")? == 0);
    // Eight bytes at a time are copied by a load and a store at least.
    ensure!(copying.figure("copy")? >= contents.len() as u64 / 4);
    let saved = copying.figure("all")?.saturating_sub(in_place.figure("all")?);
    println!("{saved} of {} instructions are saved for {} bytes", copying.figure("all")?, contents.len());
    ensure!(saved >= contents.len() as u64 / 4, "only {saved} instructions are saved");
    ensure!(sockets.figure("all")? > copying.figure("all")?);
    ensure!(in_place.figure("stack")? + 1500 <= copying.figure("stack")?, "the buffer is not on the stack");
    Ok(())
}
