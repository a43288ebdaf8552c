//! Messages that are lost, doubled or reordered.

use anyhow::{Result, ensure};
use dma_ring::message::Message;
use dma_ring_host::figures::PROGRAMS;
use dma_ring_host::link::{Datagrams, Link};
use dma_ring_host::lossy::Lossy;
use dma_ring_host::machine::Machine;
use dma_ring_host::sender::{Sending, send};

use crate::files::{self, DOUBLE, SINGLE};
use crate::programs;

#[test]
fn a_file_arrives_whole_over_a_bad_network() -> Result<()> {
    let file = files::read(DOUBLE)?;
    let mut damaged = file.clone();
    if let Some(byte) = damaged.get_mut(30_000) {
        *byte ^= 4;
    }
    for program in PROGRAMS {
        let (_machine, link) = programs::start(program)?;
        let mut link = Lossy::new(link, 0, 5);
        let (mut doubled, mut early) = (0, 0);
        for seed in 1..=6 {
            for contents in [&file, &damaged] {
                let number = seed * 2 + u32::from(contents == &damaged);
                let sending = Sending { size: 536, ..Sending::default() };
                let report = send(&mut link, number, contents, sending)?;
                let expected = files::verdict(contents);
                ensure!(report.verdict == expected, "{} instead of {expected}", report.verdict);
                ensure!(report.figure("length")? == report.figure("in-place")? + report.figure("copied")?);
                doubled += report.figure("doubled")?;
                early += report.figure("early")?;
            }
        }
        println!("{program}: {:?}; {doubled} doubled and {early} early ones at the node", link.losses);
        ensure!(doubled > 20 && early > 20, "{doubled} messages were doubled, {early} early");
    }
    Ok(())
}

/// The controller has no free descriptor until the program returns some.
#[test]
fn more_messages_than_the_ring_holds_are_no_loss() -> Result<()> {
    for program in PROGRAMS {
        let (_machine, mut link) = Machine::start_with_batches(&programs::path(program)?)?;
        let contents = files::read(SINGLE)?;
        let report = send(&mut link, 1, &contents, Sending { size: 1460, window: 64 })?;
        ensure!(report.verdict == files::verdict(&contents), "{}", report.verdict);
        ensure!(report.figure("full")? > 0, "the ring was never full");
    }
    Ok(())
}

#[test]
fn another_file_ends_an_unfinished_one() -> Result<()> {
    let (single, double) = (files::read(SINGLE)?, files::read(DOUBLE)?);
    let (_machine, mut link) = programs::start("in-place")?;
    // Wakes the board.
    send(&mut link, 1, &double, Sending::default())?;
    for number in 0..5 {
        let at = number as usize * 1000;
        let bytes = single.get(at..at + 1000).unwrap_or_default();
        let message = Message { file: 2, number, is_last: false, bytes };
        link.send(&[&message.header()[..], bytes].concat())?;
    }
    let report = send(&mut link, 3, &double, Sending::default())?;
    ensure!(report.verdict == files::verdict(&double), "{}", report.verdict);
    // The report can be asked for again.
    let last = Message { file: 3, number: 0, is_last: false, bytes: &[] };
    link.send(&last.header())?;
    let again = loop {
        if let Some(datagram) = link.receive()? {
            break datagram;
        }
    };
    let text = String::from_utf8_lossy(&again).into_owned();
    ensure!(text.contains(&report.verdict), "{text}");
    Ok(())
}

/// A node that was started in the middle of a file wants it from the beginning.
#[test]
fn a_node_that_is_started_again_wants_the_file_again() -> Result<()> {
    let contents = files::read(DOUBLE)?;
    let (_machine, link) = programs::start("in-place")?;
    let mut link = Restarted { link, answers: 0, program: None };
    let report = send(&mut link, 1, &contents, Sending::default())?;
    ensure!(link.program.is_some(), "the node was not started again");
    ensure!(report.verdict == files::verdict(&contents), "{}", report.verdict);
    Ok(())
}

/// Replaces the node after a few answers.
struct Restarted<L> {
    link: L,
    answers: u32,
    program: Option<Machine>,
}

impl Link for Restarted<Datagrams> {
    fn send(&mut self, datagram: &[u8]) -> Result<()> {
        self.link.send(datagram)
    }

    fn receive(&mut self) -> Result<Option<Vec<u8>>> {
        let answer = self.link.receive()?;
        self.answers += u32::from(answer.is_some());
        if self.answers == 5 && self.program.is_none() {
            let (machine, link) = programs::start("in-place")?;
            (self.link, self.program) = (link, Some(machine));
        }
        Ok(answer)
    }
}
