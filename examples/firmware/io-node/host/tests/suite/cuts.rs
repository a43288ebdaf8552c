//! Power failures: QEMU is killed, and the card is made what it may be then.

use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use io_node_host::card::{Card, SMALL};
use io_node_host::files;
use io_node_host::log;
use io_node_host::machine::Machine;
use io_node_host::random::Random;

const CUTS: u64 = 50;
const MEBIBYTE: usize = 1 << 20;

/// State of the file, as the node reports it.
fn state(list: &str, name: &str) -> Option<(String, usize)> {
    let line = list.lines().find(|line| line.starts_with(&format!("file {name} ")))?;
    let mut words = line.split(' ').skip(4);
    let state = words.next()?.to_owned();
    Some((state, words.next().and_then(|offset| offset.parse().ok()).unwrap_or(0)))
}

#[test]
fn power_failures_cost_little_and_no_stored_file() -> Result<()> {
    let kept = files::configuration()?;
    // Two records are written before the end of this file.
    let contents = files::gauge([8, 8, 8, 8], 5)?;
    let mut card = Card::new(SMALL)?;
    let mut random = Random::new(7);
    ensure!(Machine::start(&card)?.client().put("KEPT.LIM", &kept)?.answer.starts_with("ok stored "));

    let (mut finished, mut continued, mut lost, mut torn) = (0, 0, 0, 0);
    let mut name = "F0.LIM".to_owned();
    for cut in 0..CUTS {
        let before = card.copy()?;
        let machine = Machine::logged(&card)?;
        let client = machine.client();
        // The power fails after this number of writes (a whole file takes about 2,900), or after its end.
        let target = random.below(3_600);
        thread::scope(|scope| -> Result<()> {
            let upload = scope.spawn(|| client.put(&name, &contents));
            while !upload.is_finished() && log::count(&card.log())? < target {
                thread::sleep(Duration::from_millis(2));
            }
            machine.kill()?;
            // The upload has failed, unless it had ended.
            let _ = upload.join();
            Ok(())
        })?;
        let writes = log::read(&card.log())?;
        let failure = log::fail(&before.path(), &writes, &mut random)?;
        lost += failure.lost;
        torn += u32::from(failure.torn);
        card = before;

        let machine = Machine::start(&card)?;
        let client = machine.client();
        let list = client.patient("list")?;
        ensure!(list.contains(&format!("file KEPT.LIM {} ", kept.len())), "cut {cut}: {list}");
        // The other files are compared at the end.
        for line in list.lines().filter(|line| line.ends_with(" stored")).rev().take(2) {
            let name = line.split(' ').nth(1).context("the line has no name")?;
            let checked = client.patient(&format!("check {name}"))?;
            ensure!(checked.starts_with("ok checked "), "cut {cut}, {failure:?}: {name}: {checked}");
        }
        match state(&list, &name) {
            Some((state, _)) if state == "stored" => {
                let bytes = client.bytes(&format!("get {name}"))?.1;
                ensure!(bytes == contents, "cut {cut}: {name} is stored, but differs");
                finished += 1;
                name = format!("F{finished}.LIM");
            }
            Some((_, safe)) => continued += u32::from(safe > 0),
            None => {}
        }
    }
    let machine = Machine::start(&card)?;
    let upload = machine.client().put(&name, &contents)?;
    ensure!(upload.answer.starts_with("ok stored "), "{upload:?}");
    let list = machine.client().patient("list")?;
    drop(machine);
    for index in 0..=finished {
        ensure!(card.read(&format!("F{index}.LIM"))? == contents, "file {index} differs: {list}");
    }
    ensure!(card.read("KEPT.LIM")? == kept);
    println!(
        "{CUTS} cuts: {finished} files finished, {continued} continued, {lost} sectors lost, {torn} torn"
    );
    ensure!(finished >= 3 && continued >= 10 && torn >= 20, "the cuts are not where they should be");
    card.check()
}

/// The offset where a file continues, after each record that was written.
#[test]
fn a_file_continues_less_than_a_mebibyte_back() -> Result<()> {
    let contents = files::gauge([16, 8, 8, 8], 6)?;
    let card = Card::new(SMALL)?;
    let mut furthest = 0;
    for end in [600_000, 1_200_000, 1_800_000, 2_300_000] {
        let machine = Machine::start(&card)?;
        machine.client().put_until("A.LIM", &contents, end)?;
        // The node has taken all of it when it says so.
        let list = machine.client().patient("list")?;
        ensure!(state(&list, "A.LIM") == Some(("unfinished".to_owned(), end)), "{list}");
        machine.kill()?;
        let machine = Machine::start(&card)?;
        let upload = machine.client().put_until("A.LIM", &contents, 0)?;
        ensure!(end - upload.offset <= MEBIBYTE, "{} bytes are lost", end - upload.offset);
        furthest = furthest.max(end - upload.offset);
        machine.kill()?;
    }
    let machine = Machine::start(&card)?;
    ensure!(machine.client().put("A.LIM", &contents)?.answer.starts_with("ok stored "));
    drop(machine);
    println!("at most {furthest} bytes had to be sent again");
    ensure!(card.read("A.LIM")? == contents);
    card.check()
}
