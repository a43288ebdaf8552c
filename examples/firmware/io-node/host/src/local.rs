//! The node without its board: its commands, on an image of a card whose writes may be refused. QEMU has no such card.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt as _;

use anyhow::{Context as _, Result, ensure};
use embedded_io::{ErrorType, Read, ReadReady, WriteReady};
use embedded_sdmmc::{Block, BlockCount, BlockDevice, BlockIdx};
use io_node::card::{CardError, Start};
use io_node::meter::{Clock, Meter};
use io_node::node::{Node, Progress};

use crate::card::Card;
use crate::log::Write;
use io_node::answer::GREETING;

use crate::peer::{put_line, resumed};

/// An image of a card in a socket.
#[derive(Debug)]
pub struct Socket {
    image: File,
    meter: Meter,
    is_protected: Cell<bool>,
    /// True if reading or writing has failed since the start.
    has_failed: Cell<bool>,
    /// Number of writes that were refused.
    refused: Cell<u32>,
    /// The card is removed after so many writes.
    end: Cell<usize>,
    writes: RefCell<Vec<Write>>,
}

impl Socket {
    pub fn new(card: &Card) -> Result<Self> {
        let image = OpenOptions::new().read(true).write(true).open(card.path())?;
        Ok(Self {
            image,
            meter: Meter::default(),
            is_protected: Cell::new(false),
            has_failed: Cell::new(false),
            refused: Cell::new(0),
            end: Cell::new(usize::MAX),
            writes: RefCell::new(Vec::new()),
        })
    }

    /// The card is removed after so many writes in all.
    pub fn end_after(&self, writes: usize) {
        self.end.set(writes);
    }

    /// Number of writes so far.
    pub fn count(&self) -> usize {
        self.writes.borrow().len()
    }

    /// All writes, in order.
    pub fn into_writes(self) -> Vec<Write> {
        self.writes.into_inner()
    }

    /// Protects the card against writing, or ends that.
    pub fn protect(&self, is_protected: bool) {
        self.is_protected.set(is_protected);
    }

    pub const fn refused(&self) -> u32 {
        self.refused.get()
    }
}

impl BlockDevice for &Socket {
    type Error = CardError;

    fn read(&self, blocks: &mut [Block], start: BlockIdx) -> Result<(), CardError> {
        self.noted(self.try_read(blocks, start))
    }

    fn write(&self, blocks: &[Block], start: BlockIdx) -> Result<(), CardError> {
        self.noted(self.try_write(blocks, start))
    }

    fn num_blocks(&self) -> Result<BlockCount, CardError> {
        Err(CardError::NoAnswer)
    }
}

impl Socket {
    fn noted(&self, result: Result<(), CardError>) -> Result<(), CardError> {
        self.has_failed.set(self.has_failed.get() || result.is_err());
        result
    }

    fn try_read(&self, blocks: &mut [Block], start: BlockIdx) -> Result<(), CardError> {
        if self.count() >= self.end.get() {
            return Err(CardError::NoAnswer);
        }
        for (block, number) in blocks.iter_mut().zip(u64::from(start.0)..) {
            self.image.read_exact_at(&mut block.contents, number * 512).map_err(|_| CardError::NoAnswer)?;
        }
        Ok(())
    }

    fn try_write(&self, blocks: &[Block], start: BlockIdx) -> Result<(), CardError> {
        if self.is_protected.get() {
            self.refused.set(self.refused() + 1);
            return Err(CardError::NotWritten);
        }
        for (block, sector) in blocks.iter().zip(u64::from(start.0)..) {
            if self.count() >= self.end.get() {
                return Err(CardError::NoAnswer);
            }
            self.writes.borrow_mut().push(Write { sector, contents: block.contents });
            self.image.write_all_at(&block.contents, sector * 512).map_err(|_| CardError::NotWritten)?;
        }
        Ok(())
    }
}

impl Start for &Socket {
    fn start(&self) -> Result<(), CardError> {
        self.has_failed.set(false);
        Ok(())
    }

    fn has_failed(&self) -> bool {
        self.has_failed.get()
    }
}

/// A clock whose time does not pass.
#[derive(Debug)]
pub struct Stopped;

impl Clock for Stopped {
    fn ticks(&self) -> u64 {
        0
    }

    fn milliseconds(&self) -> u64 {
        0
    }

    fn memory(&self) -> (u32, u32) {
        (0, 0)
    }
}

/// A clock that a test sets, in milliseconds.
#[derive(Debug, Default)]
pub struct Set(pub Cell<u64>);

impl Clock for Set {
    fn ticks(&self) -> u64 {
        0
    }

    fn milliseconds(&self) -> u64 {
        self.0.get()
    }

    fn memory(&self) -> (u32, u32) {
        (0, 0)
    }
}

/// A connection whose client has sent everything.
#[derive(Debug, Default)]
pub struct Pipe {
    pub to_node: VecDeque<u8>,
    pub from_node: Vec<u8>,
}

impl ErrorType for Pipe {
    type Error = Infallible;
}

impl ReadReady for Pipe {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.to_node.is_empty())
    }
}

impl Read for Pipe {
    fn read(&mut self, to: &mut [u8]) -> Result<usize, Infallible> {
        let count = to.len().min(self.to_node.len());
        to.iter_mut().zip(self.to_node.drain(..count)).for_each(|(to, byte)| *to = byte);
        Ok(count)
    }
}

impl WriteReady for Pipe {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(true)
    }
}

impl embedded_io::Write for Pipe {
    fn write(&mut self, from: &[u8]) -> Result<usize, Infallible> {
        self.from_node.extend_from_slice(from);
        Ok(from.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A node, and its only client.
#[derive(Debug)]
pub struct Local<'a, D: BlockDevice = &'a Socket, K = Stopped> {
    node: Node<'a, D, K>,
}

impl<'a> Local<'a> {
    pub fn new(socket: &'a Socket) -> Self {
        Self { node: Node::new(socket, &Stopped, &socket.meter) }
    }
}

impl<'a, D: BlockDevice<Error = CardError> + Start + Copy, K: Clock> Local<'a, D, K> {
    pub fn with(device: D, clock: &'a K, meter: &'a Meter) -> Self {
        Self { node: Node::new(device, clock, meter) }
    }

    /// The whole answer to what a client sends.
    pub fn send(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        let (answer, is_complete) = self.exchange(bytes);
        ensure!(is_complete, "the node waits for more than it was sent");
        Ok(answer)
    }

    /// Answer of the node to a client that sends these bytes and is lost then; false if the node has waited for more.
    pub fn exchange(&mut self, bytes: &[u8]) -> (Vec<u8>, bool) {
        let mut pipe = Pipe { to_node: bytes.iter().copied().collect(), from_node: Vec::new() };
        self.node.begin();
        let progress = self.run(&mut pipe);
        self.node.end();
        pipe.from_node.drain(..GREETING.len());
        (pipe.from_node, progress == Progress::Done)
    }

    /// Sends the beginning of a file, and loses the connection.
    pub fn begin(&mut self, name: &str, contents: &[u8], end: usize) {
        let bytes = [put_line(name, contents).as_bytes(), contents.get(..end).unwrap_or(contents)].concat();
        // The node waits for the rest.
        let _ = self.send(&bytes);
    }

    /// Sends a file from where the node is to continue. Returns the last line of the answer.
    pub fn send_rest(&mut self, name: &str, contents: &[u8], offset: usize) -> Result<String> {
        let bytes = [put_line(name, contents).as_bytes(), contents.get(offset..).unwrap_or(&[])].concat();
        let answer = String::from_utf8(self.send(&bytes)?)?;
        ensure!(answer.starts_with(&format!("resume {offset} ")), "{answer}");
        Ok(answer.lines().last().unwrap_or("").to_owned())
    }

    /// Puts a file, as a client does that waits for the offset. Returns the last line of the answer.
    pub fn upload(&mut self, name: &str, contents: &[u8]) -> Result<String> {
        let mut pipe = Pipe { to_node: put_line(name, contents).bytes().collect(), from_node: Vec::new() };
        self.node.begin();
        let mut progress = self.run(&mut pipe);
        if progress == Progress::Waiting {
            let answer = String::from_utf8_lossy(&pipe.from_node).into_owned();
            let offset = resumed(answer.lines().nth(1).unwrap_or(""), contents)?;
            pipe.to_node.extend(contents.get(offset.context("other bytes")?..).unwrap_or(&[]));
            progress = self.run(&mut pipe);
        }
        self.node.end();
        ensure!(progress == Progress::Done, "the node waits for more than it was sent");
        Ok(String::from_utf8_lossy(&pipe.from_node).lines().last().unwrap_or("").to_owned())
    }

    fn run(&mut self, pipe: &mut Pipe) -> Progress {
        let mut progress = Progress::Working;
        while progress == Progress::Working {
            progress = self.node.step(pipe);
        }
        progress
    }

    /// The first line of an answer, even if the node waits for more.
    pub fn first_line(&mut self, bytes: &str) -> Result<String> {
        let answer = self.exchange(bytes.as_bytes()).0;
        Ok(String::from_utf8(answer)?.lines().next().unwrap_or("").to_owned())
    }

    /// The last line of an answer.
    pub fn last_line(&mut self, line: &str) -> Result<String> {
        let answer = self.send(format!("{line}\n").as_bytes())?;
        Ok(String::from_utf8_lossy(&answer).lines().last().unwrap_or("").to_owned())
    }

    /// Puts a new file. Returns the last line of the answer.
    pub fn put(&mut self, name: &str, contents: &[u8]) -> Result<String> {
        let answer = self.send(&[put_line(name, contents).as_bytes(), contents].concat())?;
        Ok(String::from_utf8_lossy(&answer).lines().last().unwrap_or("").to_owned())
    }
}
