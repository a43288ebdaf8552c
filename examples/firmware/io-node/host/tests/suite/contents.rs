//! Contents of files: damaged files are not stored, and parts of a field equal the file.

use anyhow::{Context as _, Result, ensure};
use io_node_host::card::{Card, SMALL};
use io_node_host::files;
use io_node_host::machine::Machine;
use io_node_host::random::Random;

#[test]
fn a_damaged_file_is_refused_and_its_name_is_free() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let contents = files::gauge([4, 4, 4, 4], 3)?;
    let mut random = Random::new(3);
    for _ in 0..20 {
        // In the data of the field, which its checksum covers.
        let mut damaged = contents.clone();
        let at = 2000 + random.below(70_000) as usize;
        *damaged.get_mut(at).context("the file is shorter")? ^= 1 << random.below(8);
        let upload = client.put("A.LIM", &damaged)?;
        ensure!(upload.answer.starts_with("error damaged checksum-mismatch at "), "{at}: {upload:?}");
        ensure!(client.last_line("list")? == "ok list 0");
    }
    let upload = client.put("A.LIM", &contents)?;
    ensure!(upload.answer.starts_with("ok stored "), "{upload:?}");
    // The bytes do not have the digest: for instance, the file has changed since it was computed.
    let matrix = files::fixtures()?.into_iter().find(|file| file.path.ends_with("real-large.bin"));
    let matrix = matrix.context("there is no such fixture")?.contents;
    let mut stream = client.connect()?;
    std::io::Write::write_all(&mut stream, format!("put M {} 01234567\n", matrix.len()).as_bytes())?;
    std::io::Write::write_all(&mut stream, &matrix)?;
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer)?;
    let digest = format!("{:08x}", crc32fast::hash(&matrix));
    ensure!(
        answer
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("error digest ") && line.ends_with(&digest))
    );
    ensure!(client.last_line("list")? == "ok list 1");
    drop(machine);
    ensure!(card.read("A.LIM")? == contents);
    card.check()
}

#[test]
fn slices_are_the_sites_of_the_ranks() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let contents = files::configuration()?;
    client.put("A.LIM", &contents)?;
    // 512 sites of 288 bytes.
    let (line, _) = client.bytes("slice A.LIM 0 1")?;
    let start: usize = line.split(' ').nth(2).context("the line has no offset")?.parse()?;
    for ranks in [1, 2, 3, 7, 512] {
        let mut at = start;
        let mut first = 0;
        for rank in 0..ranks {
            let (line, bytes) = client.bytes(&format!("slice A.LIM {rank} {ranks}"))?;
            let sites = 512 / ranks + usize::from(rank < 512 % ranks);
            ensure!(
                line == format!("ok slice {at} {} {first} {sites}", sites * 288),
                "{rank}/{ranks}: {line}"
            );
            ensure!(contents.get(at..at + bytes.len()) == Some(&bytes[..]) && bytes.len() == sites * 288);
            at += sites * 288;
            first += sites;
            if ranks == 512 && rank == 20 {
                break;
            }
        }
    }
    ensure!(client.last_line("slice A.LIM 0 513")?.starts_with("error no-field "));
    Ok(())
}
