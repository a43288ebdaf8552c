//! Sends files to the node.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use dma_ring::message::{Answer, LARGEST, Message, SMALLEST, State, WINDOW};

use crate::link::Link;
use crate::report::Report;

/// A node that makes no progress for this time is considered to hang.
const PATIENCE: Duration = Duration::from_secs(30);

/// The way a file is cut and sent.
#[derive(Debug, Clone, Copy)]
pub struct Sending {
    /// Bytes of the file in a message.
    pub size: usize,
    /// Messages on the way at a time.
    pub window: u32,
}

impl Default for Sending {
    fn default() -> Self {
        Self { size: LARGEST, window: WINDOW }
    }
}

/// Sends a file, and returns the node's report on it. `file` must be larger than for the file before.
pub fn send(link: &mut impl Link, file: u32, contents: &[u8], sending: Sending) -> Result<Report> {
    let Sending { size, window } = sending;
    ensure!((SMALLEST..=LARGEST).contains(&size), "messages of {size} bytes are not possible");
    let count =
        u32::try_from(contents.len().div_ceil(size).max(1)).context("the file has too many messages")?;
    let mut sender = Sender { file, contents, size, count };
    // The node wants `wanted`, and `next` has not been sent since the node wanted it.
    let (mut wanted, mut next, mut repeated) = (0, 0, None);
    let mut progress = Instant::now();
    loop {
        while next < count.min(wanted + window) {
            sender.send(link, next)?;
            next += 1;
        }
        match link.receive()?.as_deref().and_then(Answer::parse) {
            Some((answer, text)) if answer.file == file => {
                ensure!(answer.next <= count, "the node wants message {} of {count}", answer.next);
                if answer.state == State::Ended {
                    return Report::parse(text);
                }
                if answer.next > wanted || answer.next == 0 && wanted > 0 {
                    // Progress; or the node has been started again.
                    (wanted, progress) = (answer.next, Instant::now());
                    next = if wanted == 0 { 0 } else { next.max(wanted) };
                } else if answer.next == wanted && answer.state == State::Missing && repeated != Some(wanted)
                {
                    // Each of the later messages has such an answer, but all are repeated once.
                    (next, repeated) = (wanted, Some(wanted));
                }
            }
            Some(_) => {}
            None => next = wanted,
        }
        ensure!(
            progress.elapsed() < PATIENCE,
            "the node has wanted message {wanted} of {count} for {} s",
            PATIENCE.as_secs()
        );
    }
}

struct Sender<'a> {
    file: u32,
    contents: &'a [u8],
    size: usize,
    count: u32,
}

impl Sender<'_> {
    fn send(&mut self, link: &mut impl Link, number: u32) -> Result<()> {
        let at = number as usize * self.size;
        let end = (at + self.size).min(self.contents.len());
        let bytes = self.contents.get(at..end).unwrap_or_default();
        let message = Message { file: self.file, number, is_last: number + 1 == self.count, bytes };
        link.send(&[&message.header()[..], bytes].concat())
    }
}
