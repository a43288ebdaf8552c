//! A model of an SD card at the wires of SPI: it answers byte by byte, in time of its own. It may be slow, change bits on the
//! wire, have sectors that cannot be read, and die. (After chapter 7 of the SD Physical Layer Simplified Specification.)

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt as _;

use anyhow::Result;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, SpiBus};
use embedded_sdmmc::embedded_sdmmc_types::sdcard::{crc7, crc16};
use io_node::card::Rate;
use io_node::meter::Clock;

use crate::card::Card;
use crate::random::Random;

const MILLISECOND: u64 = 1_000_000;

/// Habits of a card. Times in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// True if it counts blocks; otherwise it counts bytes.
    pub by_blocks: bool,
    /// Time until it has started; `None` if it never does.
    pub start: Option<u64>,
    /// Time before data are sent, and after they were received, once in so many blocks.
    pub read: u64,
    pub write: u64,
    pub once_in: u64,
    /// One of so many bytes on the wire has a wrong bit, on the average; none if it is 0.
    pub bytes_per_fault: u64,
    /// A block that cannot be read.
    pub bad: Option<u32>,
}

pub const ORDINARY: Habits =
    Habits { by_blocks: true, start: Some(20), read: 1, write: 2, once_in: 1, bytes_per_fault: 0, bad: None };

/// Counts of a card.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    pub faults: u64,
    pub blocks: u64,
    /// Blocks of commands that transfer several of them.
    pub in_streams: u64,
    /// Blocks and commands that were refused because of their checksums.
    pub refused: u64,
    /// Fastest clock during the identification, and later.
    pub identified_at: u32,
    pub used_at: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Expects {
    Command(Vec<u8>),
    /// The token before a block that is written there.
    Token {
        block: u32,
        is_stream: bool,
    },
    Data {
        block: u32,
        is_stream: bool,
        bytes: Vec<u8>,
    },
}

#[derive(Debug)]
struct Model {
    image: File,
    habits: Habits,
    random: Random,
    now: u64,
    hertz: u32,
    is_selected: bool,
    is_dead: bool,
    /// Clocks before the first command.
    clocks: u32,
    is_idle: bool,
    checks: bool,
    is_application: bool,
    started_at: Option<u64>,
    expects: Expects,
    out: VecDeque<u8>,
    /// The block that is read next, when it is sent, and whether others follow.
    reading: Option<(u32, u64, bool)>,
    busy_until: u64,
    seen: Seen,
}

/// A card, and the clock of the board.
#[derive(Debug)]
pub struct Wired {
    model: RefCell<Model>,
    /// The card dies after so many blocks.
    dies_after: Cell<u64>,
}

impl Wired {
    pub fn new(card: &Card, habits: Habits, seed: u64) -> Result<Self> {
        let image = OpenOptions::new().read(true).write(true).open(card.path())?;
        let model = Model {
            image,
            habits,
            random: Random::new(seed),
            now: 0,
            hertz: 0,
            is_selected: false,
            is_dead: false,
            clocks: 0,
            is_idle: false,
            checks: false,
            is_application: false,
            started_at: None,
            expects: Expects::Command(Vec::new()),
            out: VecDeque::new(),
            reading: None,
            busy_until: 0,
            seen: Seen::default(),
        };
        Ok(Self { model: RefCell::new(model), dies_after: Cell::new(u64::MAX) })
    }

    pub fn seen(&self) -> Seen {
        self.model.borrow().seen
    }

    pub fn change(&self, change: impl FnOnce(&mut Habits)) {
        change(&mut self.model.borrow_mut().habits);
    }

    /// The card dies when it has read or written so many more blocks; or it is inserted again.
    pub fn die_after(&self, blocks: Option<u64>) {
        let count = self.seen().blocks;
        self.dies_after.set(blocks.map_or(u64::MAX, |blocks| count + blocks));
        let mut model = self.model.borrow_mut();
        (model.is_dead, model.is_idle, model.checks, model.clocks) = (false, false, false, 0);
        (model.started_at, model.reading, model.busy_until) = (None, None, 0);
        model.expects = Expects::Command(Vec::new());
        model.out.clear();
    }

    fn exchange(&self, byte: u8) -> u8 {
        let mut model = self.model.borrow_mut();
        if model.seen.blocks >= self.dies_after.get() {
            model.is_dead = true;
        }
        model.exchange(byte)
    }
}

impl Model {
    fn faulty(&mut self, byte: u8) -> u8 {
        let every = self.habits.bytes_per_fault;
        if every == 0 || self.random.below(2 * every) != 0 {
            return byte;
        }
        self.seen.faults += 1;
        byte ^ 1 << self.random.below(8)
    }

    fn exchange(&mut self, byte: u8) -> u8 {
        self.now += 8_000_000_000 / u64::from(self.hertz.max(1));
        if self.is_dead {
            return 0xff;
        }
        if !self.is_selected {
            self.clocks += 8;
            return 0xff;
        }
        let byte = self.faulty(byte);
        let answer = self.next_out();
        self.take(byte);
        self.faulty(answer)
    }

    fn next_out(&mut self) -> u8 {
        if let Some(byte) = self.out.pop_front() {
            return byte;
        }
        if self.now < self.busy_until {
            return 0;
        }
        if let Some((block, at, is_stream)) = self.reading
            && self.now >= at
        {
            self.reading = None;
            if self.habits.bad == Some(block) {
                // An error token: the card's own correction has failed.
                return 0b0100;
            }
            let mut bytes = [0; 512];
            self.image.read_exact_at(&mut bytes, u64::from(block) * 512).unwrap_or_default();
            self.out.extend(bytes);
            self.out.extend(crc16(&bytes).to_be_bytes());
            self.count(is_stream);
            if is_stream {
                self.send_block(block + 1, true);
            }
            return 0xfe;
        }
        0xff
    }

    fn count(&mut self, is_stream: bool) {
        self.seen.blocks += 1;
        self.seen.in_streams += u64::from(is_stream);
        self.seen.used_at = self.seen.used_at.max(self.hertz);
    }

    fn delay(&self, milliseconds: u64) -> u64 {
        if self.seen.blocks.is_multiple_of(self.habits.once_in) { milliseconds * MILLISECOND } else { 10_000 }
    }

    fn send_block(&mut self, block: u32, is_stream: bool) {
        self.reading = Some((block, self.now + self.delay(self.habits.read), is_stream));
    }

    fn take(&mut self, byte: u8) {
        match &mut self.expects {
            Expects::Command(bytes) => {
                if bytes.is_empty() && byte & 0xc0 != 0x40 {
                    return;
                }
                bytes.push(byte);
                if let Some(command) = bytes.first_chunk::<6>().copied() {
                    self.expects = Expects::Command(Vec::new());
                    // A card that has not been clocked enough does not answer, nor does one that is clocked too fast.
                    if self.clocks >= 74 {
                        self.command(command);
                    }
                }
            }
            &mut Expects::Token { block, is_stream } => {
                let start = if is_stream { 0xfc } else { 0xfe };
                if byte == start {
                    self.expects = Expects::Data { block, is_stream, bytes: Vec::new() };
                } else if is_stream && byte == 0xfd {
                    self.expects = Expects::Command(Vec::new());
                    self.out.push_back(0xff);
                    self.busy_until = self.now + self.delay(self.habits.write);
                }
            }
            Expects::Data { bytes, .. } => {
                bytes.push(byte);
                if bytes.len() == 514 {
                    self.store();
                }
            }
        }
    }

    /// A block has come.
    fn store(&mut self) {
        let expects = std::mem::replace(&mut self.expects, Expects::Command(Vec::new()));
        let Expects::Data { block, is_stream, bytes } = expects else { return };
        let (data, crc) = bytes.split_at(512);
        let is_intact = !self.checks || crc16(data).to_be_bytes() == crc;
        if is_intact {
            self.image.write_all_at(data, u64::from(block) * 512).unwrap_or_default();
            self.out.push_back(0xe5);
            self.count(is_stream);
            self.busy_until = self.now + self.delay(self.habits.write);
        } else {
            self.out.push_back(0xeb);
            self.seen.refused += 1;
        }
        if is_stream {
            self.expects = Expects::Token { block: block + u32::from(is_intact), is_stream };
        }
    }

    fn command(&mut self, command: [u8; 6]) {
        let [first, a, b, c, d, crc] = command;
        let (index, argument) = (first & 0x3f, u32::from_be_bytes([a, b, c, d]));
        let is_identified = self.started_at.is_some() && !self.is_idle;
        if !is_identified {
            self.seen.identified_at = self.seen.identified_at.max(self.hertz);
            if self.hertz > 400_000 {
                return;
            }
        }
        if let Some((_, _, true)) = self.reading
            && index != 12
        {
            // Only the end is understood while blocks are sent.
            return;
        }
        self.out.clear();
        let idle = u8::from(self.is_idle || index == 0);
        // The first two commands always have a checksum.
        if (self.checks || matches!(index, 0 | 8)) && crc7(&command[..5]) << 1 | 1 != crc {
            self.seen.refused += 1;
            return self.answer(idle | 8, &[]);
        }
        let block = if self.habits.by_blocks { argument } else { argument / 512 };
        let is_application = std::mem::take(&mut self.is_application);
        match index {
            0 => {
                self.is_idle = true;
                self.checks = false;
                self.started_at = None;
                self.reading = None;
                self.answer(1, &[]);
            }
            8 => self.answer(idle, &[0, 0, c & 0xf, d]),
            59 => {
                self.checks = argument & 1 != 0;
                self.answer(idle, &[]);
            }
            55 => {
                self.is_application = true;
                self.answer(idle, &[]);
            }
            41 if is_application => {
                let begun = *self.started_at.get_or_insert(self.now);
                let start = self.habits.start.map(|start| start * MILLISECOND);
                self.is_idle = start.is_none_or(|start| self.now - begun < start);
                self.answer(u8::from(self.is_idle), &[]);
            }
            58 => self.answer(idle, &[if self.habits.by_blocks { 0xc0 } else { 0x80 }, 0xff, 0x80, 0]),
            _ if !is_identified => self.answer(5, &[]),
            16 => self.answer(if argument == 512 { 0 } else { 0x40 }, &[]),
            13 => self.answer(0, &[0]),
            12 => {
                self.reading = None;
                self.out.push_back(0x7f);
                self.answer(0, &[]);
                self.busy_until = self.now + 100_000;
            }
            17 | 18 => {
                self.answer(0, &[]);
                self.send_block(block, index == 18);
            }
            24 | 25 => {
                self.answer(0, &[]);
                self.expects = Expects::Token { block, is_stream: index == 25 };
            }
            _ => self.answer(4, &[]),
        }
    }

    fn answer(&mut self, first: u8, rest: &[u8]) {
        self.out.extend([0xff, first]);
        self.out.extend(rest);
    }
}

impl Clock for Wired {
    fn ticks(&self) -> u64 {
        self.model.borrow().now / 20
    }

    /// In steps of 10, as the board's clock has them.
    fn milliseconds(&self) -> u64 {
        self.model.borrow().now / (10 * MILLISECOND) * 10
    }

    fn memory(&self) -> (u32, u32) {
        (0, 0)
    }
}

/// The SPI bus of the card.
#[derive(Debug)]
pub struct Bus<'a>(pub &'a Wired);

impl Rate for Bus<'_> {
    fn set_rate(&mut self, hertz: u32) {
        self.0.model.borrow_mut().hertz = hertz;
    }
}

impl spi::ErrorType for Bus<'_> {
    type Error = Infallible;
}

impl SpiBus for Bus<'_> {
    fn read(&mut self, words: &mut [u8]) -> Result<(), Infallible> {
        words.fill(0xff);
        self.transfer_in_place(words)
    }

    fn write(&mut self, words: &[u8]) -> Result<(), Infallible> {
        for &word in words {
            self.0.exchange(word);
        }
        Ok(())
    }

    fn transfer(&mut self, read: &mut [u8], write: &[u8]) -> Result<(), Infallible> {
        for (index, to) in read.iter_mut().enumerate() {
            *to = self.0.exchange(write.get(index).copied().unwrap_or(0xff));
        }
        Ok(())
    }

    fn transfer_in_place(&mut self, words: &mut [u8]) -> Result<(), Infallible> {
        for word in words {
            *word = self.0.exchange(*word);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The pin that selects the card.
#[derive(Debug)]
pub struct Select<'a>(pub &'a Wired);

impl digital::ErrorType for Select<'_> {
    type Error = Infallible;
}

impl OutputPin for Select<'_> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.model.borrow_mut().is_selected = true;
        Ok(())
    }

    /// A card that is not selected gives up what it was doing, but for writing.
    fn set_high(&mut self) -> Result<(), Infallible> {
        let mut model = self.0.model.borrow_mut();
        model.is_selected = false;
        if !matches!(model.expects, Expects::Token { is_stream: true, .. }) {
            model.expects = Expects::Command(Vec::new());
        }
        model.out.clear();
        if !matches!(model.reading, Some((_, _, true))) {
            model.reading = None;
        }
        Ok(())
    }
}
