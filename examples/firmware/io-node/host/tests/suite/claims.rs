//! The node calls a file stored only if the card has it. The node without its board: QEMU is not needed.

use std::convert::Infallible;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;

use anyhow::{Context as _, Result, ensure};
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};
use io_node::answer::GREETING;
use io_node::meter::Meter;
use io_node::node::{Node, Progress};
use io_node_host::card::{Card, SMALL};
use io_node_host::files;
use io_node_host::local::{Local, Set, Socket};

/// Changes a bit of the only sector of the card with these contents.
fn flip(card: &Card, sector: &[u8]) -> Result<()> {
    let image = fs::read(card.path())?;
    let at = image.chunks(512).position(|found| found == sector).context("the card has no such sector")?;
    let byte = sector.first().context("the sector is empty")? ^ 1;
    Ok(OpenOptions::new().write(true).open(card.path())?.write_all_at(&[byte], at as u64 * 512)?)
}

#[test]
fn a_file_that_is_found_damaged_is_not_called_stored() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    let contents = files::configuration()?;
    let sector = contents.get(20_480..20_992).context("the file is shorter")?;
    ensure!(node.put("A", &contents)?.starts_with("ok stored A "));
    flip(&card, sector)?;
    ensure!(node.last_line("check A")?.starts_with("error damaged checksum-mismatch at "));
    let list = String::from_utf8(node.send(b"list\n")?)?;
    ensure!(list.contains(&format!(" unfinished {}\n", contents.len())), "{list}");
    ensure!(node.last_line("get A")?.starts_with("error unfinished "));
    let mut changed = sector.to_vec();
    changed.first_mut().into_iter().for_each(|byte| *byte ^= 1);
    // The bits may have been read wrongly: then nothing has to be sent again.
    flip(&card, &changed)?;
    ensure!(node.send_rest("A", &contents, contents.len())?.starts_with("ok stored A "));
    ensure!(node.last_line("check A")?.starts_with("ok checked A "));
    // Or the file is damaged, which the next node finds, too: it begins anew.
    flip(&card, sector)?;
    ensure!(node.last_line("check A")?.starts_with("error damaged checksum-mismatch at "));
    let mut node = Local::new(&socket);
    ensure!(node.put("A", &contents)?.starts_with("ok stored A "));
    ensure!(card.read("A")? == contents);
    card.check()
}

#[test]
fn a_file_of_a_removed_card_is_not_called_stored() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    let contents = files::configuration()?;
    ensure!(node.put("A", &contents)?.starts_with("ok stored A "));
    socket.end_after(socket.count());
    for _ in 0..2 {
        let answer = node.put("A", &contents)?;
        ensure!(answer.starts_with("error card "), "{answer}");
        let answer = node.last_line("list")?;
        ensure!(answer.starts_with("error card "), "{answer}");
    }
    socket.end_after(usize::MAX);
    ensure!(node.put("A", &contents)?.starts_with("ok stored A "));
    Ok(())
}

#[test]
fn a_file_that_somebody_has_removed_is_stored_again() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let contents = files::configuration()?;
    ensure!(Local::new(&socket).put("A", &contents)?.starts_with("ok stored A "));
    card.tool("mdel", "A")?;
    ensure!(Local::new(&socket).put("A", &contents)?.starts_with("ok stored A "));
    ensure!(card.read("A")? == contents);
    // Another file in its place is not overwritten.
    card.tool("mdel", "A")?;
    let theirs = card.path().with_file_name("theirs");
    fs::write(&theirs, b"somebody else's notes")?;
    card.write("A", &theirs)?;
    ensure!(Local::new(&socket).put("A", &contents)?.starts_with("error exists "));
    ensure!(card.read("A")? == b"somebody else's notes");
    card.check()
}

#[test]
fn directories_and_the_name_of_the_card_are_left_alone() -> Result<()> {
    let card = Card::new(SMALL)?;
    card.tool("mmd", "DCIM")?;
    card.tool("mlabel", "LATTICE")?;
    let theirs = card.path().with_file_name("theirs");
    fs::write(&theirs, b"somebody else's notes")?;
    card.write("DCIM/NOTES.TXT", &theirs)?;
    let socket = Socket::new(&card)?;
    let contents = files::configuration()?;
    for name in ["DCIM", "LATTICE"] {
        let answer = Local::new(&socket).put(name, &contents)?;
        ensure!(answer.starts_with("error exists "), "{name}: {answer}");
    }
    ensure!(Local::new(&socket).put("A", &contents)?.starts_with("ok stored A "));
    ensure!(card.read("DCIM/NOTES.TXT")? == b"somebody else's notes");
    card.check()
}

/// A client that sends a command and takes so many bytes of the answer.
struct Deaf<'a> {
    command: &'a [u8],
    room: usize,
}

impl ErrorType for Deaf<'_> {
    type Error = Infallible;
}

impl ReadReady for Deaf<'_> {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.command.is_empty())
    }
}

impl Read for Deaf<'_> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize, Infallible> {
        self.command.read(to)
    }
}

impl WriteReady for Deaf<'_> {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.room > 0)
    }
}

impl Write for Deaf<'_> {
    fn write(&mut self, from: &[u8]) -> Result<usize, Infallible> {
        let taken = from.len().min(self.room);
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[test]
fn a_client_that_does_not_read_is_not_served_forever() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    ensure!(Local::new(&socket).put("A", &files::configuration()?)?.starts_with("ok stored A "));
    let (clock, meter) = (Set::default(), Meter::default());
    let mut node = Node::new(&socket, &clock, &meter);
    for (command, room) in [(&b"get A\n"[..], 5000), (b"list\n", GREETING.len() + 3)] {
        let mut client = Deaf { command, room };
        node.begin();
        let mut run = |client: &mut Deaf<'_>| loop {
            match node.step(client) {
                Progress::Working => {}
                other => break other,
            }
        };
        ensure!(run(&mut client) == Progress::Waiting);
        // A slow client is served, but not one byte at a time.
        clock.0.set(clock.0.get() + 19_000);
        client.room = 1;
        ensure!(run(&mut client) == Progress::Waiting);
        clock.0.set(clock.0.get() + 900);
        client.room = 1;
        ensure!(run(&mut client) == Progress::Waiting);
        clock.0.set(clock.0.get() + 200);
        ensure!(run(&mut client) == Progress::Done, "the node waits forever");
        node.end();
    }
    Ok(())
}

#[test]
fn a_file_that_cannot_be_sent_to_its_end_ends_in_a_reset() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    ensure!(Local::new(&socket).put("A", &files::configuration()?)?.starts_with("ok stored A "));
    let (clock, meter) = (Set::default(), Meter::default());
    for command in [&b"get A\n"[..], b"slice A 0 1\n"] {
        let mut node = Node::new(&socket, &clock, &meter);
        let mut client = Deaf { command, room: 5000 };
        node.begin();
        while node.step(&mut client) == Progress::Working {}
        // The card is removed.
        socket.end_after(socket.count());
        client.room = usize::MAX;
        let progress = loop {
            match node.step(&mut client) {
                Progress::Working => {}
                other => break other,
            }
        };
        ensure!(progress == Progress::Broken, "{progress:?}");
        socket.end_after(usize::MAX);
    }
    Ok(())
}

#[test]
fn the_list_has_one_file_and_not_parts_of_two() -> Result<()> {
    let card = Card::new(SMALL)?;
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    let contents = files::configuration()?;
    node.begin("A", &contents, 100_000);
    let list = String::from_utf8(node.send(b"list\n")?)?;
    ensure!(
        list.contains(&format!(" {} ", contents.len())) && list.contains(" unfinished 100000\n"),
        "{list}"
    );
    let other = contents.get(..60_000).context("the file is shorter")?;
    node.begin("A", other, 50_000);
    let list = String::from_utf8(node.send(b"list\n")?)?;
    ensure!(list.contains(" 60000 ") && list.contains(" unfinished 50000\n"), "{list}");
    Ok(())
}
