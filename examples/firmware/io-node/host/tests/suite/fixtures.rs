//! Every fixture of the project, put on a card and compared.

use anyhow::{Result, ensure};
use io_node::verify::{Fault, Verifier};
use io_node_host::card::{Card, Geometry, LARGE, SMALL};
use io_node_host::files;
use io_node_host::machine::Machine;

/// The answer that the codec gives on this machine.
fn expected(contents: &[u8]) -> Result<String, Fault> {
    let mut verifier = Verifier::new();
    verifier.push(contents)?;
    verifier.finish()?;
    let facts = verifier.facts();
    let (format, findings) = (verifier.format(), facts.findings);
    Ok(format!("format={format} data={} verified={} findings={findings}", facts.data, facts.verified))
}

fn all(geometry: Geometry) -> Result<()> {
    let card = Card::new(geometry)?;
    let samples = files::fixtures()?;
    let mut stored = Vec::new();
    let mut refused = 0;
    {
        let machine = Machine::start(&card)?;
        let client = machine.client();
        for sample in &samples {
            let path = sample.path.display();
            let digest = crc32fast::hash(&sample.contents);
            let upload = client.put(&sample.name, &sample.contents)?;
            match expected(&sample.contents) {
                Ok(facts) => {
                    let line = format!("{} {} {digest:08x}", sample.name, sample.contents.len());
                    ensure!(upload.answer == format!("ok stored {line} {facts}"), "{path}: {upload:?}");
                    stored.push((sample, line));
                }
                Err(Fault::Unrecognised) => {
                    ensure!(upload.answer.starts_with("error unrecognised "), "{path}: {upload:?}");
                    refused += 1;
                }
                Err(Fault::Damaged { rule, at }) => {
                    ensure!(upload.answer == format!("error damaged {rule} at {at}"), "{path}: {upload:?}");
                    refused += 1;
                }
            }
        }
        let list = client.command("list")?;
        ensure!(list.lines().count() == stored.len() + 1, "{list}");
        for (sample, line) in &stored {
            ensure!(list.contains(&format!("file {line} stored\n")), "{line} is not in\n{list}");
            ensure!(client.bytes(&format!("get {}", sample.name))?.1 == sample.contents, "{line}");
        }
    }
    for (sample, line) in &stored {
        ensure!(card.read(&sample.name)? == sample.contents, "{line} differs on the card");
    }
    card.check()?;
    println!("FAT{}: {} files stored and equal on the card, {refused} refused", geometry.fat, stored.len());
    ensure!(stored.len() > 150 && refused > 20, "the fixtures have changed");
    Ok(())
}

#[test]
fn every_fixture_is_on_the_small_card() -> Result<()> {
    all(SMALL)
}

#[test]
fn every_fixture_is_on_the_large_card() -> Result<()> {
    all(LARGE)
}
