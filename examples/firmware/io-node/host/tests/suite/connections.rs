//! Connections: interrupted ones continue at the byte, and one of them cannot keep the others out.

use std::io::{Read as _, Write as _};

use anyhow::{Result, ensure};
use io_node_host::card::{Card, SMALL};
use io_node_host::client::put_line;
use io_node_host::files;
use io_node_host::machine::Machine;
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
        let line =
            format!("file A.LIM {} {:08x} unfinished {end}\n", contents.len(), crc32fast::hash(&contents));
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
    let mut line = [0; 9];
    first.read_exact(&mut line)?;
    ensure!(&line == b"resume 0\n");
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
    for sent in ["", "lis", "put A 100000 00000000\n"] {
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
    for (line, code) in [
        ("hello", "command"),
        ("", "command"),
        (long.as_str(), "command"),
        ("put A 1 123", "command"),
        ("put LINKNODE.CAT 1 12345678", "command"),
        ("put TOOLONGNAME 1 12345678", "command"),
        ("put A 4294967296 12345678", "too-large"),
        ("put A 18446744073709551615 12345678", "too-large"),
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
