//! Every fixture of the project, put on a card and compared.

use anyhow::{Context as _, Result, ensure};
use io_node::verify::{Fault, Verifier};
use io_node_host::card::{Card, LARGE, SMALL};
use io_node_host::files::{self, Sample};
use io_node_host::lan::{Lan, Line};
use io_node_host::machine::Machine;
use io_node_host::peer::{Peer, digest};

/// The answer that the codec gives on this machine.
fn expected(contents: &[u8]) -> Result<String, Fault> {
    let mut verifier = Verifier::new();
    verifier.push(contents)?;
    verifier.finish()?;
    let facts = verifier.facts();
    let (format, findings) = (verifier.format(), facts.findings);
    Ok(format!("format={format} data={} verified={} findings={findings}", facts.data, facts.verified))
}

/// Puts the samples on a node, and gets them back.
fn exchange(samples: &[Sample], peer: &mut impl Peer) -> Result<Vec<(Sample, String)>> {
    let mut stored = Vec::new();
    for sample in samples {
        let path = sample.path.display();
        let digest = digest(&sample.contents);
        let upload = peer.put(&sample.name, &sample.contents)?;
        match expected(&sample.contents) {
            Ok(facts) => {
                let line = format!("{} {} {digest}", sample.name, sample.contents.len());
                ensure!(upload.answer == format!("ok stored {line} {facts}"), "{path}: {upload:?}");
                stored.push((sample.clone(), line));
            }
            Err(Fault::Unrecognised) => {
                ensure!(upload.answer.starts_with("error unrecognised "), "{path}: {upload:?}");
            }
            Err(Fault::Damaged { rule, at }) => {
                ensure!(upload.answer == format!("error damaged {rule} at {at}"), "{path}: {upload:?}");
            }
        }
    }
    let list = String::from_utf8(peer.command("list")?)?;
    ensure!(list.lines().count() == stored.len() + 1, "{list}");
    for (sample, line) in &stored {
        ensure!(list.contains(&format!("file {line} stored\n")), "{line} is not in\n{list}");
        let answer = peer.command(&format!("get {}", sample.name))?;
        let data = answer.iter().position(|&byte| byte == b'\n').and_then(|end| answer.get(end + 1..));
        ensure!(data == Some(&sample.contents[..]), "{line}");
    }
    Ok(stored)
}

/// Compares the files on the card.
fn compare(card: &Card, stored: &[(Sample, String)]) -> Result<()> {
    for (sample, line) in stored {
        ensure!(card.read(&sample.name)? == sample.contents, "{line} differs on the card");
    }
    card.check()
}

/// The segments of QEMU's forwarding have 1,460 bytes. The other tests use the small card.
#[test]
fn every_fixture_is_on_the_large_card() -> Result<()> {
    let card = Card::new(LARGE)?;
    let samples = files::fixtures()?;
    let stored = exchange(&samples, &mut Machine::start(&card)?.client())?;
    compare(&card, &stored)?;
    let refused = samples.len() - stored.len();
    println!("FAT{}: {} files stored and equal on the card, {refused} refused", LARGE.fat, stored.len());
    ensure!(stored.len() > 150 && refused > 20, "the fixtures have changed");
    Ok(())
}

fn by_frames(samples: &[Sample], line: Line) -> Result<()> {
    let card = Card::new(SMALL)?;
    let (machine, mut lan) = Lan::start(&card, line)?;
    let stored = exchange(samples, &mut lan).with_context(|| format!("{line:?}: {:?}", lan.faults()))?;
    drop(machine);
    compare(&card, &stored)?;
    let faults = lan.faults();
    println!(
        "{line:?}: {} of {} files stored and equal on the card, {faults:?}",
        stored.len(),
        samples.len()
    );
    ensure!(stored.len() > 10);
    let least = samples.len() as u32 * u32::try_from(line.percent)? / 10;
    ensure!(faults.lost >= least && faults.doubled >= least && faults.reordered >= least, "{faults:?}");
    Ok(())
}

#[test]
fn every_fixture_arrives_in_segments_of_61_bytes() -> Result<()> {
    by_frames(&files::fixtures()?, Line { mss: 61, percent: 0, seed: 1, speed: 1 })
}

#[test]
fn every_fixture_arrives_in_segments_of_536_bytes() -> Result<()> {
    by_frames(&files::fixtures()?, Line { mss: 536, percent: 0, seed: 2, speed: 1 })
}

/// Every `step`th of the fixtures with at most `longest` bytes.
fn small(longest: usize, step: usize) -> Result<Vec<Sample>> {
    let mut samples = files::fixtures()?;
    samples.retain(|sample| sample.contents.len() <= longest);
    Ok(samples.into_iter().step_by(step).collect())
}

fn small_files_arrive(mss: usize, seed: u64) -> Result<()> {
    by_frames(&small(4_000, 12)?, Line { mss, percent: 2, seed, speed: 1 })
}

#[test]
fn small_files_arrive_in_1460_bytes_although_2_percent_of_the_frames_are_lost() -> Result<()> {
    small_files_arrive(1460, 3)
}

#[test]
fn small_files_arrive_in_536_bytes_although_2_percent_of_the_frames_are_lost() -> Result<()> {
    small_files_arrive(536, 4)
}

#[test]
fn small_files_arrive_in_61_bytes_although_2_percent_of_the_frames_are_lost() -> Result<()> {
    small_files_arrive(61, 5)
}

#[test]
fn small_files_arrive_although_5_percent_of_the_frames_are_lost() -> Result<()> {
    by_frames(&small(4_000, 16)?, Line { mss: 536, percent: 5, seed: 6, speed: 10 })
}
