//! Attacks from the network. The node without its board, but for the sequence numbers of TCP.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;

use anyhow::{Context as _, Result, ensure};
use io_node::answer::GREETING;
use io_node::meter::Meter;
use io_node::node::{Node, Progress};
use io_node_host::card::{Card, Geometry, LARGE, PARTITION, SMALL};
use io_node_host::files;
use io_node_host::lan::{Lan, Line};
use io_node_host::local::{Local, Pipe, Set, Socket};
use io_node_host::peer::{digest, put_line, resumed};

/// A file of the same length with the same CRC-32: its generator polynomial is added somewhere, in the order of the bits.
fn forged(contents: &[u8], at: usize) -> Vec<u8> {
    let mut forged = contents.to_vec();
    let polynomial = 1 | 0xedb8_8320_u64 << 1;
    forged.iter_mut().skip(at).zip(polynomial.to_le_bytes()).for_each(|(byte, change)| *byte ^= change);
    forged
}

#[test]
fn a_file_with_a_forged_crc_is_another_file() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    let contents = files::configuration()?;
    let other = forged(&contents, 70_000);
    ensure!(other != contents && crc32fast::hash(&other) == crc32fast::hash(&contents));
    ensure!(node.put("A", &contents)?.starts_with("ok stored A "));
    let answer = node.send(put_line("A", &other).as_bytes())?;
    ensure!(answer.starts_with(b"error exists "), "{}", String::from_utf8_lossy(&answer));
    // In the other order: the command names one file, and the bytes are the other one. Both have the same CRC-32.
    let matrix = files::fixtures()?.into_iter().find(|file| file.path.ends_with("real-large.bin"));
    let matrix = matrix.context("there is no such fixture")?.contents;
    let other = forged(&matrix, matrix.len() - 8);
    let answer = node.send(&[put_line("M", &matrix).as_bytes(), &other].concat())?;
    let answer = String::from_utf8(answer)?;
    ensure!(
        answer.ends_with(&format!("{}\n", digest(&other))) && answer.contains("\nerror digest "),
        "{answer}"
    );
    ensure!(node.last_line("list")? == "ok list 1");
    card.check()
}

fn names_are_used_up(geometry: Geometry) -> Result<()> {
    let card = Card::new(geometry)?;
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    let contents = files::gauge([2, 2, 2, 1], 30)?;
    ensure!(node.put("KEPT", &contents)?.starts_with("ok stored "));
    // More than a directory of FAT16 has room for, and than the list.
    for index in 0..1400 {
        let name = format!("N{index}");
        let answer = node.put(&name, &contents)?;
        ensure!(answer.starts_with("ok stored "), "{name}: {answer}");
        let answer = node.last_line(&format!("drop {name}"))?;
        ensure!(answer.starts_with("ok dropped "), "{name}: {answer}");
    }
    ensure!(node.put("LAST", &contents)?.starts_with("ok stored "));
    ensure!(node.last_line("list")? == "ok list 2");
    ensure!(card.read("KEPT")? == contents && card.read("LAST")? == contents && card.read("N7").is_err());
    card.check()
}

#[test]
fn dropped_names_take_no_room_on_fat16() -> Result<()> {
    names_are_used_up(SMALL)
}

#[test]
fn dropped_names_take_no_room_on_fat32() -> Result<()> {
    names_are_used_up(LARGE)
}

/// Writes entries without clusters into a root directory of FAT16, from entry `first` to its end.
fn fill_directory(card: &Card, first: u64) -> Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(card.path())?;
    let partition = u64::from(PARTITION) * 512;
    let mut boot = [0; 512];
    file.read_exact_at(&mut boot, partition)?;
    let half = |at: usize| u64::from(u16::from_le_bytes([boot[at], boot[at + 1]]));
    let root = partition + (half(14) + 2 * half(22)) * 512;
    for index in first..half(17) {
        let mut entry = [0; 32];
        entry[..11].copy_from_slice(format!("X{index:07}BIN").as_bytes());
        entry[11] = 0x20;
        file.write_all_at(&entry, root + index * 32)?;
    }
    Ok(())
}

#[test]
fn a_refused_file_leaves_no_record() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let contents = files::configuration()?;
    ensure!(Local::new(&socket).put("A", &contents)?.starts_with("ok stored A "));
    fill_directory(&card, 2)?;
    let mut node = Local::new(&socket);
    for name in ["B", "C", "B"] {
        let answer = node.put(name, &contents)?;
        ensure!(answer.starts_with("error files "), "{answer}");
        ensure!(node.last_line("list")? == "ok list 1");
    }
    // The same for a connection that ends before the first bytes are written.
    node.begin("D", &contents, 1000);
    ensure!(node.last_line("check A")?.starts_with("ok checked A "));
    ensure!(node.last_line("list")? == "ok list 1");
    // And for one that is continued.
    node.begin("E", &contents, 1000);
    let answer = node.first_line(&put_line("E", &contents))?;
    ensure!(answer.starts_with("error files "), "{answer}");
    ensure!(node.last_line("list")? == "ok list 1");
    ensure!(node.last_line("drop A")? == "ok dropped A");
    ensure!(node.put("B", &contents)?.starts_with("ok stored B "));
    card.check()
}

#[test]
fn a_directory_in_the_place_of_a_file_is_left_alone() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    ensure!(Local::new(&socket).put("A", &files::configuration()?)?.starts_with("ok stored A "));
    card.tool("mdel", "A")?;
    card.tool("mmd", "A")?;
    let theirs = card.path().with_file_name("theirs");
    fs::write(&theirs, b"somebody else's notes")?;
    let mut node = Local::new(&socket);
    ensure!(node.last_line("drop A")? == "ok dropped A");
    ensure!(node.last_line("list")? == "ok list 0");
    card.write("A/NOTES.TXT", &theirs)?;
    ensure!(card.read("A/NOTES.TXT")? == b"somebody else's notes");
    card.check()
}

#[test]
fn files_of_any_length_that_the_node_has_not_stored_are_left_alone() -> Result<()> {
    let card = Card::new(SMALL)?;
    for contents in [&b""[..], b"x", b"xy"] {
        let theirs = card.path().with_file_name("theirs");
        fs::write(&theirs, contents)?;
        card.write(&format!("T{}", contents.len()), &theirs)?;
    }
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    for length in 0..3 {
        let answer = node.put(&format!("T{length}"), &files::configuration()?)?;
        ensure!(answer.starts_with("error exists "), "{length}: {answer}");
    }
    ensure!(card.read("T0")?.is_empty() && card.read("T1")? == b"x");
    card.check()
}

/// A client that sends a few bytes at a time. Returns what the node has answered, and after how many milliseconds.
fn trickle(socket: &Socket, first: &[u8], rest: &[u8], piece: usize, every: u64) -> Result<(String, u64)> {
    let (clock, meter) = (Set(Cell::new(1000)), Meter::default());
    let mut node = Node::new(socket, &clock, &meter);
    let mut pipe = Pipe { to_node: first.iter().copied().collect(), from_node: Vec::new() };
    let mut rest = rest.chunks(piece);
    node.begin();
    loop {
        match node.step(&mut pipe) {
            Progress::Working => {}
            Progress::Waiting => {
                clock.0.set(clock.0.get() + every);
                pipe.to_node.extend(rest.next().unwrap_or(&[]));
                ensure!(clock.0.get() < 100_000_000, "the node waits for more than a day");
            }
            Progress::Done | Progress::Broken => break,
        }
    }
    node.end();
    let answer = String::from_utf8(pipe.from_node)?;
    Ok((answer.strip_prefix(GREETING).context("no greeting")?.to_owned(), clock.0.get() - 1000))
}

#[test]
fn a_client_that_trickles_does_not_keep_the_others_out() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let contents = files::configuration()?;
    // One byte every 10 seconds.
    let (answer, time) = trickle(&socket, put_line("A", &contents).as_bytes(), &contents, 1, 10_000)?;
    ensure!(answer.contains("\nerror timeout ") && time <= 40_000, "after {time} ms: {answer}");
    // 500 bytes a second: half of what is wanted.
    let (answer, time) = trickle(&socket, put_line("B", &contents).as_bytes(), &contents, 500, 1000)?;
    ensure!(answer.contains("\nerror timeout ") && time <= 45_000, "after {time} ms: {answer}");
    // The letters of a command.
    let (answer, time) = trickle(&socket, b"put", &[b't'; 100], 1, 4000)?;
    ensure!(answer.starts_with("error timeout ") && time <= 10_000, "after {time} ms: {answer}");
    Ok(())
}

#[test]
fn an_upload_takes_eight_hours_at_most() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    // The header of a LIME record with 48 MiB of somebody's data.
    let mut header = [0; 144];
    header[..6].copy_from_slice(&[0x45, 0x67, 0x89, 0xab, 0, 1]);
    header[6..8].copy_from_slice(&[0xc0, 0]);
    header[8..16].copy_from_slice(&(48_u64 << 20).to_be_bytes());
    header[16..20].copy_from_slice(b"data");
    let put = format!("put A {} {}\n", (48 << 20) + 144, digest(b""));
    let first = [put.as_bytes(), &header].concat();
    let (answer, time) = trickle(&socket, &first, &vec![0; 48 << 20], 24_000, 20_000)?;
    ensure!(answer.contains("\nerror timeout "), "{answer}");
    ensure!((28_800_000..28_900_000).contains(&time), "after {time} ms");
    Ok(())
}

#[test]
fn foreign_bytes_at_the_front_are_not_continued() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let (contents, other) = (files::gauge([8, 8, 8, 8], 30)?, files::gauge([8, 8, 8, 8], 31)?);
    // Somebody names the digest of the file, and sends the beginning of another one.
    let foreign = [put_line("A", &contents).as_bytes(), &other[..600_000]].concat();
    for (is_new, offset) in [(false, 600_000), (true, 524_288)] {
        let mut node = Local::new(&socket);
        // The node waits for the rest.
        let _ = node.send(&foreign);
        if is_new {
            node = Local::new(&socket);
        }

        let line = node.first_line(&put_line("A", &contents))?;
        ensure!(line == format!("resume {offset} {}", digest(&other[..offset])), "{line}");
        ensure!(resumed(&line, &contents)?.is_none(), "the client does not notice");
        ensure!(node.last_line("drop A")? == "ok dropped A");
    }
    // The same with bytes that no file can have: the node notices itself.
    let mut broken = contents[..100_000].to_vec();
    broken[30_000..].fill(0xff);
    broken[200..1000].fill(0xff);
    let mut node = Local::new(&socket);
    let _ = node.send(&[put_line("A", &contents).as_bytes(), &broken].concat());
    let line = node.first_line(&put_line("A", &contents))?;
    ensure!(line == format!("resume 0 {}", digest(b"")), "{line}");
    ensure!(node.put("A", &contents)?.starts_with("ok stored A "));
    ensure!(card.read("A")? == contents);
    card.check()
}

#[test]
fn seeds_differ_at_each_start_and_between_builds() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let (clock, meter) = (Set::default(), Meter::default());
    let mut seeds = Vec::new();
    for secret in [&b"one"[..], b"one", b"one", b"two"] {
        seeds.push(Node::new(&socket, &clock, &meter).seed(secret));
    }
    seeds.sort_unstable();
    seeds.dedup();
    ensure!(seeds.len() == 4, "{seeds:x?}");
    // The starts are no files.
    ensure!(Local::new(&socket).last_line("list")? == "ok list 0");
    // Only the secret, if the card cannot be written.
    socket.protect(true);
    let [one, two] = [b"one", b"two"].map(|secret| Node::new(&socket, &clock, &meter).seed(secret));
    ensure!(one != two);
    card.check()
}

#[test]
fn sequence_numbers_of_tcp_differ_at_each_start() -> Result<()> {
    let card = Card::new(SMALL)?;
    let mut all = Vec::new();
    for _ in 0..3 {
        let (machine, lan) = Lan::start(&card, Line { mss: 1460, percent: 0, seed: 9, speed: 1 })?;
        all.push(lan.first_numbers().first().copied().context("no connection was accepted")?);
        machine.kill()?;
    }
    all.sort_unstable();
    all.dedup();
    ensure!(all.len() == 3, "{all:x?}");
    Ok(())
}
