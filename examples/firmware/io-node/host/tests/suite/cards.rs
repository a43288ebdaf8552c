//! Cards that are full, removed or worn out.

use std::fs;
use std::io::{Read as _, Write as _};
use std::thread;
use std::time::Duration;

use anyhow::{Result, ensure};
use io_node_host::card::{Card, Geometry, LARGE, SMALL};
use io_node_host::client::Client;
use io_node_host::files;
use io_node_host::local::{Local, Socket};
use io_node_host::log;
use io_node_host::machine::{Machine, Network};
use io_node_host::peer::{digest, put_line};

/// Puts copies of a file until the node refuses one. Returns their names.
fn fill(client: &Client, letter: char, contents: &[u8]) -> Result<Vec<String>> {
    let mut names = Vec::new();
    loop {
        let name = format!("{letter}{}", names.len());
        let upload = client.put(&name, contents)?;
        if upload.answer.starts_with("error full ") {
            return Ok(names);
        }
        ensure!(upload.answer.starts_with("ok stored "), "{name}: {upload:?}");
        names.push(name);
        ensure!(names.len() < 100, "the card is never full");
    }
}

#[test]
fn a_full_card_keeps_its_files() -> Result<()> {
    let card = Card::new(SMALL)?;
    // Somebody else's file leaves less than a mebibyte of the partition's 63.
    let theirs = card.path().with_file_name("theirs");
    fs::File::create(&theirs)?.set_len(62 << 20)?;
    card.write("THEIRS", &theirs)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    // Smaller and smaller files, until a few clusters are left.
    let sizes = [
        ('L', files::gauge([8, 8, 8, 4], 8)?),
        ('M', files::gauge([4, 4, 4, 2], 8)?),
        ('S', files::gauge([2, 2, 2, 1], 8)?),
    ];
    let mut stored = Vec::new();
    for (letter, contents) in &sizes {
        stored.extend(fill(&client, *letter, contents)?.into_iter().map(|name| (name, contents)));
    }
    ensure!(stored.len() >= 6, "only {} files are stored", stored.len());
    ensure!(client.last_line("list")? == format!("ok list {}", stored.len()));
    // Nothing remains of the files that did not fit. Files that are dropped make room.
    for (name, contents) in [("L0", &sizes[0].1), ("S0", &sizes[2].1)] {
        ensure!(client.last_line(&format!("drop {name}"))? == format!("ok dropped {name}"));
        ensure!(client.put(name, contents)?.answer.starts_with("ok stored "), "{name}");
        ensure!(client.put("MORE", contents)?.answer.starts_with("error full "));
    }
    for (name, _) in &stored {
        ensure!(client.last_line(&format!("check {name}"))?.starts_with("ok checked "), "{name}");
    }
    drop(machine);
    for (name, contents) in &stored {
        ensure!(card.read(name)? == **contents, "{name}");
    }
    println!("full after {} files", stored.len());
    card.check()
}

#[test]
fn the_longest_file_of_fat_is_refused_for_want_of_room() -> Result<()> {
    let card = Card::new(SMALL)?;
    let before = fs::read(card.path())?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    ensure!(client.last_line("list")? == "ok list 0");
    let started = fs::read(card.path())?;
    ensure!(before != started, "the list of files was not created");
    for (length, code) in
        [(u64::from(u32::MAX), "full"), (1 << 32, "too-large"), (5_000_000_000, "too-large")]
    {
        let answer = client.last_line(&format!("put A {length} {}", digest(b"")))?;
        ensure!(answer.starts_with(&format!("error {code} ")), "{length}: {answer}");
    }
    ensure!(client.last_line("list")? == "ok list 0");
    drop(machine);
    ensure!(fs::read(card.path())? == started, "the card has changed");
    card.check()
}

#[test]
fn a_removed_card_is_reported_and_can_be_inserted_again() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::logged(&card)?;
    let client = machine.client();
    let (first, second) = (files::configuration()?, files::gauge([8, 8, 8, 8], 9)?);
    ensure!(client.put("A", &first)?.answer.starts_with("ok stored "));
    // Removed while a file is being received, after more than the 1,024 sectors that a record counts.
    let (begin, rest) = second.split_at(800_000);
    let removed_at = log::count(&card.log())? + begin.len() as u64 / 512;
    let mut stream = client.connect()?;
    stream.write_all(put_line("B", &second).as_bytes())?;
    stream.write_all(begin)?;
    while log::count(&card.log())? < removed_at {
        thread::sleep(Duration::from_millis(2));
    }
    machine.monitor("eject -f sd0")?;
    // The node may end the connection before it has all bytes.
    let _ = stream.write_all(rest);
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    ensure!(answer.lines().last().is_some_and(|line| line.starts_with("error card ")), "{answer}");
    for command in ["list", "check A", "get A", "drop A", put_line("C", b"0123456789").trim_end()] {
        let answer = client.patient(command)?;
        ensure!(answer.starts_with("error card "), "{command}: {answer}");
    }
    machine.monitor(&format!("change sd0 {} raw", card.path().display()))?;
    ensure!(client.last_line("check A")?.starts_with("ok checked A "));
    let upload = client.put("B", &second)?;
    ensure!(upload.offset >= 524_288 && upload.answer.starts_with("ok stored B "), "{upload:?}");
    drop(machine);
    ensure!(card.read("A")? == first && card.read("B")? == second);
    // As a power failure does, the removal may leave a cluster that is marked as used and belongs to no file.
    let lost = card.check_after_failures()?;
    ensure!(lost <= 1, "{lost} clusters belong to no file");
    Ok(())
}

/// A card that accepts everything and stores nothing.
fn keeps_what_it_has(card: &Card, client: &Client, contents: &[u8]) -> Result<()> {
    let before = fs::read(card.path())?;
    let other = files::gauge([4, 4, 4, 8], 10)?;
    for _ in 0..2 {
        let upload = client.put("B", &other)?;
        ensure!(upload.answer.starts_with("error card "), "{upload:?}");
        ensure!(client.last_line("drop A")?.starts_with("error card "));
        ensure!(client.last_line("check A")?.starts_with("ok checked A "));
        ensure!(client.bytes("get A")?.1 == contents);
        ensure!(client.last_line("list")? == "ok list 1");
    }
    ensure!(fs::read(card.path())? == before, "the card has changed");
    Ok(())
}

#[test]
fn a_card_that_does_not_store_what_it_accepts_is_noticed() -> Result<()> {
    let card = Card::new(SMALL)?;
    let contents = files::configuration()?;
    ensure!(Machine::start(&card)?.client().put("A", &contents)?.answer.starts_with("ok stored "));
    // Every write fails, which QEMU's card does not report.
    let rules = card.path().with_file_name("rules");
    fs::write(&rules, "[inject-error]\nevent = \"write_aio\"\niotype = \"write\"\nerrno = \"5\"\n")?;
    let drive = format!(
        "driver=raw,file.driver=blkdebug,file.config={},file.image.driver=file,file.image.filename={}",
        rules.display(),
        card.path().display()
    );
    let machine = Machine::with(&drive, Network::Forwarded)?.ready()?;
    keeps_what_it_has(&card, &machine.client(), &contents)
}

fn is_read_while_protected(geometry: Geometry) -> Result<()> {
    let card = Card::new(geometry)?;
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    let (first, second) = (files::configuration()?, files::gauge([4, 4, 4, 8], 10)?);
    // The list cannot be created on a new card.
    socket.protect(true);
    ensure!(node.last_line("list")?.starts_with("error card "));
    ensure!(node.put("A", &first)?.starts_with("error card "));
    ensure!(socket.count() == 0, "the card has changed");
    socket.protect(false);
    ensure!(node.put("A", &first)?.starts_with("ok stored A "));
    // A start would drop this file, since none of its bytes are certain.
    node.begin("U", &second, 5000);
    // The card is protected while it is used, and when a node starts.
    let before = socket.count();
    socket.protect(true);
    for is_new in [false, true] {
        if is_new {
            node = Local::new(&socket);
        }
        ensure!(node.put("B", &second)?.starts_with("error card "));
        ensure!(node.last_line("drop A")?.starts_with("error card "));
        ensure!(node.last_line("check A")?.starts_with("ok checked A "));
        ensure!(node.send(b"get A\n")?.ends_with(&first));
        ensure!(node.last_line("list")? == "ok list 2");
    }
    ensure!(socket.refused() >= 5 && socket.count() == before, "the card has changed");
    socket.protect(false);
    let mut node = Local::new(&socket);
    ensure!(node.put("B", &second)?.starts_with("ok stored B "));
    ensure!(node.last_line("list")? == "ok list 2");
    ensure!(card.read("A")? == first && card.read("B")? == second);
    card.check()
}

#[test]
fn a_write_protected_card_is_read() -> Result<()> {
    is_read_while_protected(SMALL)?;
    is_read_while_protected(LARGE)
}

#[test]
fn files_of_others_are_left_alone() -> Result<()> {
    let card = Card::new(SMALL)?;
    let contents = files::configuration()?;
    let theirs = card.path().with_file_name("theirs");
    fs::write(&theirs, b"somebody else's notes")?;
    card.write("NOTES.TXT", &theirs)?;
    let machine = Machine::start(&card)?;
    ensure!(machine.client().put("NOTES.TXT", &contents)?.answer.starts_with("error exists "));
    ensure!(machine.client().last_line("drop NOTES.TXT")?.starts_with("error unknown "));
    drop(machine);
    ensure!(card.read("NOTES.TXT")? == b"somebody else's notes");
    card.check()
}
