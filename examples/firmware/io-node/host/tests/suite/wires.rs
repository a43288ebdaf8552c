//! The driver of the card, and the node with it, on a model of a card at its wires, whose time is not the time of this machine.

use anyhow::{Result, ensure};
use io_node::card::{Card as Driver, Metered, Start as _};
use io_node::meter::{Clock as _, Meter};
use io_node_host::card::{Card, Geometry, LARGE, SMALL};
use io_node_host::files;
use io_node_host::local::{Local, Socket};
use io_node_host::wired::{Bus, Habits, ORDINARY, Seen, Select, Wired};

/// Counts of the card, and numbers of retries and of commands that had to be sent again.
type Counts = (Seen, u64, u32);

/// Stores files on a card with these habits, and reads one.
fn stores(geometry: Geometry, habits: Habits, seed: u64) -> Result<Counts> {
    let card = Card::new(geometry)?;
    let wired = Wired::new(&card, habits, seed)?;
    let (driver, meter) = (Driver::new(Bus(&wired), Select(&wired), &wired), Meter::default());
    let device = Metered { card: &driver, clock: &wired, meter: &meter };
    let mut node = Local::with(device, &wired, &meter);
    let contents = files::gauge([8, 8, 8, 4], 40)?;
    let mut again = 0;
    for name in ["A", "B"] {
        let mut answer = node.upload(name, &contents)?;
        while answer.starts_with("error card ") && again < 10 {
            again += 1;
            answer = node.upload(name, &contents)?;
        }
        ensure!(answer.starts_with(&format!("ok stored {name} ")), "{answer}");
    }
    let mut answer = node.last_line("drop B")?;
    while answer.starts_with("error card ") && again < 10 {
        again += 1;
        answer = node.last_line("drop B")?;
    }
    ensure!(answer == "ok dropped B" || again > 0 && answer.starts_with("error unknown "), "{answer}");
    ensure!(node.send(b"get A\n")?.ends_with(&contents));
    let answer = node.last_line("check A")?;
    ensure!(answer.starts_with("ok checked A "), "{answer}");
    ensure!(node.last_line("list")? == "ok list 1");
    ensure!(card.read("A")? == contents, "the file on the card differs");
    card.check()?;
    Ok((wired.seen(), meter.retried.get(), again))
}

#[test]
fn a_card_is_identified_slowly_and_used_fast_in_streams() -> Result<()> {
    for (geometry, by_blocks) in [(LARGE, true), (SMALL, false)] {
        let (seen, retried, again) = stores(geometry, Habits { by_blocks, ..ORDINARY }, 1)?;
        println!("{seen:?}, {retried} retries");
        ensure!((1..=400_000).contains(&seen.identified_at) && seen.used_at == 25_000_000, "{seen:?}");
        ensure!(seen.in_streams * 2 > seen.blocks, "most blocks have commands of their own: {seen:?}");
        ensure!(retried == 0 && seen.refused == 0 && again == 0);
    }
    Ok(())
}

/// The longest times that the specification allows.
#[test]
fn a_slow_card_is_waited_for() -> Result<()> {
    let slow = Habits { start: Some(990), read: 100, write: 500, once_in: 500, ..ORDINARY };
    let (seen, retried, again) = stores(LARGE, slow, 2)?;
    println!("{seen:?}, {retried} retries");
    ensure!(retried == 0 && again == 0);
    let busy = Habits { write: 250, once_in: 100, ..ORDINARY };
    ensure!(stores(SMALL, Habits { by_blocks: false, ..busy }, 3)?.1 == 0);
    Ok(())
}

#[test]
fn bits_that_change_on_the_wire_cost_retries_and_no_data() -> Result<()> {
    let mut all = (0, 0, 0, 0);
    for seed in 0..5 {
        let (seen, retried, again) = stores(LARGE, Habits { bytes_per_fault: 30_000, ..ORDINARY }, seed)?;
        all = (all.0 + seen.faults, all.1 + seen.refused, all.2 + retried, all.3 + again);
    }
    println!(
        "{} faults, {} refused by the card, {} retries, {} commands sent again",
        all.0, all.1, all.2, all.3
    );
    // The end of a stream and the status after it have no checksum, so that a write may be called lost that was not.
    ensure!(all.0 > 1000 && all.1 > 50 && all.2 > 200 && all.3 < 10, "{all:?}");
    Ok(())
}

#[test]
fn a_card_that_dies_is_reported_in_time_and_used_again() -> Result<()> {
    let card = Card::new(LARGE)?;
    let wired = Wired::new(&card, ORDINARY, 4)?;
    let (driver, meter) = (Driver::new(Bus(&wired), Select(&wired), &wired), Meter::default());
    let device = Metered { card: &driver, clock: &wired, meter: &meter };
    let mut node = Local::with(device, &wired, &meter);
    let contents = files::gauge([8, 8, 8, 8], 41)?;
    let kept = files::configuration()?;
    ensure!(node.put("KEPT", &kept)?.starts_with("ok stored "));
    for blocks in [0, 1, 100, 1501, 2000] {
        wired.die_after(Some(blocks));
        let mut begun = wired.milliseconds();
        let answer = node.put("A", &contents)?;
        ensure!(answer.starts_with("error card "), "after {blocks} blocks: {answer}");
        for command in ["get KEPT", "drop KEPT", "check A", "list"] {
            let answer = node.last_line(command)?;
            ensure!(answer.starts_with("error card "), "{command} after {blocks} blocks: {answer}");
            ensure!(wired.milliseconds() - begun < 20_000, "the answer takes too long");
            begun = wired.milliseconds();
        }
        wired.die_after(None);
        let answer = node.last_line("check KEPT")?;
        ensure!(answer.starts_with("ok checked "), "after {blocks} blocks: {answer}");
        let list = node.last_line("list")?;
        if list != "ok list 1" {
            ensure!(node.last_line("drop A")? == "ok dropped A");
        }
    }
    ensure!(node.put("A", &contents)?.starts_with("ok stored "));
    ensure!(card.read("A")? == contents && card.read("KEPT")? == kept);
    card.check_after_failures().map(|lost| println!("{lost} clusters belong to no file"))
}

#[test]
fn a_card_that_never_starts_is_given_up() -> Result<()> {
    let card = Card::new(SMALL)?;
    let wired = Wired::new(&card, Habits { start: None, ..ORDINARY }, 5)?;
    let driver = Driver::new(Bus(&wired), Select(&wired), &wired);
    ensure!(driver.start().is_err());
    // The specification allows a second.
    ensure!((1_000..2_000).contains(&wired.milliseconds()), "{} ms", wired.milliseconds());
    wired.change(|habits| habits.start = Some(500));
    ensure!(driver.start().is_ok());
    Ok(())
}

#[test]
fn a_file_whose_entry_cannot_be_read_is_not_missing() -> Result<()> {
    let card = Card::new(LARGE)?;
    let contents = files::configuration()?;
    let root = {
        let socket = Socket::new(&card)?;
        ensure!(Local::new(&socket).put("A", &contents)?.starts_with("ok stored "));
        // The sector of the directory: the only one that begins with the name of the list.
        socket.into_writes().into_iter().rev().find(|write| write.contents.starts_with(b"LINKNODECAT"))
    };
    let root = root.map(|write| write.sector as u32);
    ensure!(root.is_some(), "the directory was not written");
    let wired = Wired::new(&card, ORDINARY, 6)?;
    let (driver, meter) = (Driver::new(Bus(&wired), Select(&wired), &wired), Meter::default());
    let device = Metered { card: &driver, clock: &wired, meter: &meter };
    ensure!(device.start().is_ok() && !device.has_failed());
    let mut node = Local::with(device, &wired, &meter);
    ensure!(node.last_line("check A")?.starts_with("ok checked A "));
    wired.change(|habits| habits.bad = root);
    for _ in 0..2 {
        for command in ["get A", "check A", "drop A", "list", "get B"] {
            let answer = node.last_line(command)?;
            // The list is in memory.
            let is_known = matches!(command, "list" | "get B") && !answer.starts_with("error card ");
            ensure!(is_known || answer.starts_with("error card "), "{command}: {answer}");
        }
        let answer = node.put("A", &files::gauge([4, 4, 4, 8], 42)?)?;
        ensure!(answer.starts_with("error card "), "{answer}");
    }
    wired.change(|habits| habits.bad = None);
    ensure!(node.last_line("list")? == "ok list 1");
    ensure!(node.last_line("check A")?.starts_with("ok checked A "));
    ensure!(card.read("A")? == contents);
    card.check()
}
