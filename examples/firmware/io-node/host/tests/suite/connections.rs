//! Connections: interrupted ones continue at the byte, and one of them cannot keep the others out.

use std::io::{Read as _, Write as _};
use std::thread;

use anyhow::{Context as _, Result, anyhow, ensure};
use io_node::answer::GREETING;
use io_node::server::CONNECTIONS;
use io_node_host::card::{Card, SMALL};
use io_node_host::files;
use io_node_host::lan::{Lan, Line};
use io_node_host::machine::Machine;
use io_node_host::peer::{Peer as _, digest, put_line};
use io_node_host::random::Random;

#[test]
fn an_interrupted_file_continues_at_the_byte() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let (contents, mut random) = (files::gauge([8, 8, 8, 8], 1)?, Random::new(1));
    let mut end = 0;
    let mut interruptions = 0;
    while end < contents.len() {
        end = (end + 1 + random.below(200_000) as usize).min(contents.len() - 1);
        client.put_until("A.LIM", &contents, end)?;
        // The node takes all bytes that were sent before the connection was closed.
        let list = client.patient("list")?;
        let line = format!("file A.LIM {} {} unfinished {end}\n", contents.len(), digest(&contents));
        ensure!(list == format!("{line}ok list 1\n"), "{list} after {end} bytes");
        interruptions += 1;
        if end == contents.len() - 1 {
            break;
        }
    }
    let last = client.put("A.LIM", &contents)?;
    ensure!(last.offset == contents.len() - 1 && last.answer.starts_with("ok stored A.LIM "), "{last:?}");
    drop(machine);
    ensure!(card.read("A.LIM")? == contents);
    card.check()?;
    println!("{interruptions} interruptions");
    Ok(())
}

#[test]
fn files_can_be_begun_in_turns() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let (first, second) = (files::configuration()?, files::gauge([4, 4, 4, 8], 2)?);
    for end in [1, 1000, 1001, 70_001, 100_000] {
        for (name, contents) in [("A", &first), ("B", &second)] {
            client.put_until(name, contents, end)?;
        }
        // Reading another file uses the same memory.
        client.patient("check A")?;
    }
    for (name, contents) in [("A", &first), ("B", &second)] {
        let line = client.patient("list")?;
        ensure!(line.contains(" unfinished 100000\n"), "{line}");
        let upload = client.put(name, contents)?;
        ensure!(upload.offset == 100_000 && upload.answer.starts_with("ok stored "), "{upload:?}");
    }
    // The same name and length, and the same first block, but another file.
    let mut other = first.clone();
    if let Some(last) = other.last_mut() {
        *last ^= 1;
    }
    ensure!(client.put("A", &other)?.answer.starts_with("error exists "));
    ensure!(client.put("A", &first)?.offset == first.len());
    client.put_until("C", &first, 100_000)?;
    client.patient("list")?;
    ensure!(client.put("C", &other)?.offset == 0, "two files are mixed");
    drop(machine);
    ensure!(card.read("A")? == first && card.read("B")? == second);
    card.check()
}

#[test]
fn a_second_client_is_answered_at_once() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let contents = files::configuration()?;
    let mut first = client.connect()?;
    first.write_all(put_line("A", &contents).as_bytes())?;
    let mut line = vec![0; GREETING.len() + "resume 0 ".len() + digest(b"").len() + 1];
    first.read_exact(&mut line)?;
    ensure!(line == format!("{GREETING}resume 0 {}\n", digest(b"")).as_bytes());
    let (mut refused, mut by_tcp) = (0, 0);
    for piece in contents.chunks(10_000) {
        first.write_all(piece)?;
        // The last piece may be followed by the end of the file.
        let answer = client.command("list")?;
        refused += u32::from(answer.starts_with("error busy "));
        by_tcp += u32::from(answer.contains("refused by TCP"));
    }
    println!("{refused} of 15 refused, {by_tcp} of them by TCP");
    ensure!(refused >= 14 && by_tcp < refused / 2, "{refused} of 15 were refused, {by_tcp} of them by TCP");
    let mut answer = String::new();
    first.read_to_string(&mut answer)?;
    ensure!(answer.starts_with("ok stored A "), "{answer}");
    ensure!(client.last_line("list")? == "ok list 1");
    Ok(())
}

#[test]
fn silent_clients_are_not_waited_for() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    for sent in ["", "lis", &put_line("A", b"a file that is not sent")] {
        let mut silent = client.connect()?;
        silent.write_all(sent.as_bytes())?;
        let mut answer = String::new();
        silent.read_to_string(&mut answer)?;
        ensure!(answer.lines().last().is_some_and(|line| line.starts_with("error timeout ")), "{answer}");
        ensure!(client.last_line("list")?.starts_with("ok list "));
    }
    Ok(())
}

#[test]
fn wrong_commands_are_named() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let long = "x".repeat(500);
    let put = |name: &str, length: &str| format!("put {name} {length} {}", digest(b""));
    for (line, code) in [
        ("hello", "command"),
        ("", "command"),
        (long.as_str(), "command"),
        ("put A 1 123", "command"),
        ("put A 1 12345678", "command"),
        (&put("LINKNODE.CAT", "1"), "command"),
        (&put("TOOLONGNAME", "1"), "command"),
        (&put("A", "4294967296"), "too-large"),
        (&put("A", "18446744073709551615"), "too-large"),
        ("get A", "unknown"),
        ("check A", "unknown"),
        ("slice A 0 1", "unknown"),
        ("slice A 1 1", "command"),
        ("drop A", "unknown"),
    ] {
        let answer = client.command(line)?;
        ensure!(
            answer.starts_with(&format!("error {code} ")) && answer.lines().count() == 1,
            "{line}: {answer}"
        );
    }
    Ok(())
}

/// The board's clock.
const TICKS_PER_SECOND: u64 = 50_000_000;

fn ticks(lan: &mut Lan) -> Result<u64> {
    let figures = String::from_utf8(lan.command("figures")?)?;
    let ticks = figures.split_whitespace().find_map(|word| word.strip_prefix("ticks="));
    Ok(ticks.with_context(|| figures.clone())?.parse()?)
}

/// Answer to a client that does not try again.
fn ask(lan: &mut Lan, line: &str) -> Result<String> {
    let connection = lan.open(line)?;
    Ok(String::from_utf8(lan.finish(connection)?)?)
}

#[test]
fn connections_whose_client_is_gone_end() -> Result<()> {
    let card = Card::new(SMALL)?;
    let contents = files::configuration()?;
    let (machine, mut lan) = Lan::start(&card, Line { mss: 1460, percent: 0, seed: 8, speed: 1 })?;
    lan.be_mute();
    let start = ticks(&mut lan)?;
    let mut gone = lan.open(&put_line("A", &contents))?;
    lan.send(&mut gone, contents.get(..50_000).context("the file is shorter")?)?;
    lan.abandon(gone);
    let answer = ask(&mut lan, "list\n")?;
    ensure!(answer.starts_with("error busy "), "{answer}");
    let answer = String::from_utf8(lan.command("list")?)?;
    ensure!(answer.contains(" unfinished 50000\n"), "{answer}");
    let middle = ticks(&mut lan)?;
    // The same with all connections half open: their clients never confirm them.
    for _ in 0..CONNECTIONS {
        let gone = lan.dial()?;
        lan.abandon(gone);
    }
    let answer = ask(&mut lan, "list\n")?;
    ensure!(answer.is_empty(), "the node has more connections: {answer}");
    let answer = String::from_utf8(lan.command("list")?)?;
    ensure!(answer.contains(" unfinished 50000\n"), "{answer}");
    let end = ticks(&mut lan)?;
    let seconds = |from, to: u64| to.saturating_sub(from) as f64 / TICKS_PER_SECOND as f64;
    println!("served again after {:.1} s and {:.1} s", seconds(start, middle), seconds(middle, end));
    // A peer that acknowledges nothing is lost after 10 s; data may be missing for 20 s.
    ensure!(seconds(start, middle) < 15.0 && seconds(middle, end) < 15.0, "the node waits too long");
    let upload = lan.put("A", &contents)?;
    ensure!(upload.offset == 50_000 && upload.answer.starts_with("ok stored "), "{upload:?}");
    drop(machine);
    ensure!(card.read("A")? == contents);
    card.check()
}

#[test]
fn two_clients_store_their_files() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let (first, second) = (files::configuration()?, files::gauge([4, 4, 4, 8], 13)?);
    let put = |name: &str, contents: &[u8]| -> Result<()> {
        for index in 0..5 {
            let upload = client.put(&format!("{name}{index}"), contents)?;
            ensure!(upload.answer.starts_with("ok stored "), "{upload:?}");
        }
        Ok(())
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| put("B", &second));
        put("A", &first)?;
        other.join().map_err(|_| anyhow!("the other client has panicked"))?
    })?;
    ensure!(client.last_line("list")? == "ok list 10");
    drop(machine);
    for index in 0..5 {
        ensure!(card.read(&format!("A{index}"))? == first && card.read(&format!("B{index}"))? == second);
    }
    card.check()
}
