//! Malformed commands: the node answers each of them in one line, and keeps the file that it has stored.

use std::env;

use anyhow::{Context as _, Result, ensure};
use io_node::command::Command;
use io_node::name::Name;
use io_node_host::card::{Card, SMALL};
use io_node_host::files;
use io_node_host::local::{Local, Socket};
use io_node_host::peer::put_line;
use io_node_host::random::Random;

/// Number of commands: all in the full form, a sample in the gate.
fn commands() -> u32 {
    if env::var_os("LINKSTREAM_LONG_TESTS").is_some() { 1_000_000 } else { 20_000 }
}

fn pick<'a, T: ?Sized>(random: &mut Random, from: &[&'a T]) -> &'a T {
    from[random.below(from.len() as u64) as usize]
}

/// Changes a few bytes: replaced, left out, doubled, exchanged for characters that the protocol uses, or cut off.
fn mutated(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len() as u64 + 1) as usize;
        let few = random.below(12) as usize;
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..bytes.len().min(at + few))),
            2 => bytes.insert(at, random.bits() as u8),
            3 => bytes.insert(
                at,
                *pick(random, &[b" ", b"\n", b"\r", b"0", b"9", b".", b"/", b"\0"]).first().unwrap_or(&0),
            ),
            4 => {
                let copy: Vec<u8> = bytes.iter().skip(at).take(few).copied().collect();
                bytes.splice(at..at, copy);
            }
            _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        }
    }
    bytes
}

#[test]
fn malformed_commands_are_answered_and_cost_no_file() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    let kept = files::configuration()?;
    let (small, kept_name) =
        (files::gauge([2, 2, 2, 1], 50)?, Name::parse(b"KEPT").context("KEPT is a name")?);
    ensure!(node.put("KEPT", &kept)?.starts_with("ok stored "));
    let (mut random, mut answered) = (Random::new(50), [0_u32; 4]);
    let count = commands();
    for index in 0..count {
        let name = pick(&mut random, &["KEPT", "A", "B.LIM", "LINKNODE.CAT", "C"]);
        let number = pick(&mut random, &["0", "1", "2", "77", "4294967295", "18446744073709551616", "-1"]);
        let line = match random.below(9) {
            0 => put_line(name, &small),
            1 => put_line(name, &kept),
            2 => put_line(name, &small).replace(&format!(" {} ", small.len()), &format!(" {number} ")),
            3 => format!("slice {name} {number} {}\n", pick(&mut random, &["1", "2", "4294967295"])),
            4 => format!("check {name}\n"),
            5 => format!("drop {name}\n"),
            6 => pick(&mut random, &["list\n", "figures\n", "\n", "help\n"]).to_owned(),
            7 => (0..random.below(300)).map(|_| random.bits() as u8 as char).collect(),
            _ => format!("get {name}\n"),
        };
        let mut bytes = mutated(&mut random, line.into_bytes());
        // Bytes of a file may follow, also damaged ones.
        if random.happens(20) {
            bytes.extend(small.iter().take(random.below(small.len() as u64 * 2) as usize));
            bytes = mutated(&mut random, bytes);
        }
        let command = bytes.split(|&byte| byte == b'\n').next().unwrap_or(&[]);
        if Command::parse(command) == Some(Command::Drop(kept_name)) {
            continue;
        }
        let (answer, is_complete) = node.exchange(&bytes);
        let first = answer.split(|&byte| byte == b'\n').next().unwrap_or(&[]);
        let kind =
            ["ok ", "error ", "resume ", "file "].iter().position(|word| first.starts_with(word.as_bytes()));
        // Without a line feed, the node waits for the rest.
        ensure!(kind.is_some() || !is_complete && answer.is_empty(), "{index}: {:?}", bytes.escape_ascii());
        if let Some(kind) = kind {
            answered[kind] += 1;
        }
    }
    println!("{count} commands, of them answered with ok, error, resume, file: {answered:?}");
    ensure!(answered.iter().all(|&number| number > count / 500), "{answered:?}");
    ensure!(node.last_line("check KEPT")?.starts_with("ok checked KEPT "));
    ensure!(card.read("KEPT")? == kept);
    card.check()
}
