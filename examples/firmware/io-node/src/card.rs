//! An SD card on an SPI bus. (The driver of embedded-sdmmc takes the first byte of the answer to CMD58 for an error and
//! sends no byte between the answer to a write command and its data; QEMU's card needs both to be otherwise.)

use core::cell::{Cell, RefCell};
use core::fmt;

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiBus;
use embedded_sdmmc::{Block, BlockCount, BlockDevice, BlockIdx};

use crate::meter::{Clock, Meter, measured};

/// Reason why the card could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardError {
    /// No answer, or an unexpected one: the card is removed or broken.
    NoAnswer,
    /// The card refuses the command, and does so with this answer.
    Refused(u8),
    /// The card did not take the data.
    NotWritten,
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoAnswer => "the card does not answer",
            Self::Refused(_) => "the card refuses a command",
            Self::NotWritten => "the card does not accept data",
        })
    }
}

impl core::error::Error for CardError {}

/// The first byte of the answer to a command must be among so many bytes.
const ANSWER_WITHIN: u32 = 16;
/// A card begins to send data, or has written them, within so many bytes: more than half a second at 12.5 MHz.
const DATA_WITHIN: u32 = 1_000_000;
/// Repetitions of the command that starts a card: it may take a second.
const STARTS: u32 = 20_000;

const IN_IDLE_STATE: u8 = 1;
const START_OF_DATA: u8 = 0xfe;
/// Lower bits of the answer to data that were accepted.
const ACCEPTED: u8 = 0b0_0101;

mod command {
    pub const GO_IDLE: u8 = 0;
    pub const SEND_IF_COND: u8 = 8;
    pub const SEND_STATUS: u8 = 13;
    pub const READ_BLOCK: u8 = 17;
    pub const WRITE_BLOCK: u8 = 24;
    pub const START: u8 = 41;
    pub const APPLICATION: u8 = 55;
    pub const READ_OCR: u8 = 58;
}

#[derive(Debug)]
struct Wires<S, C> {
    bus: S,
    select: C,
    /// True if the card counts blocks, false if it counts bytes.
    by_blocks: bool,
}

/// A card; [`start`](Self::start) must have succeeded. The bus must send 0xff while it reads, as SD cards demand it.
#[derive(Debug)]
pub struct Card<S, C> {
    wires: RefCell<Wires<S, C>>,
    writes: Cell<u32>,
}

impl<S: SpiBus, C: OutputPin> Card<S, C> {
    pub const fn new(bus: S, select: C) -> Self {
        let wires = Wires { bus, select, by_blocks: false };
        Self { wires: RefCell::new(wires), writes: Cell::new(0) }
    }

    /// Starts the card, also after another one has been inserted.
    ///
    /// # Errors
    /// There is no card, or it does not work over SPI.
    pub fn start(&self) -> Result<(), CardError> {
        self.with(Wires::start)
    }

    /// Number of sectors written.
    pub fn writes(&self) -> u32 {
        self.writes.get()
    }

    fn with<R>(&self, work: impl FnOnce(&mut Wires<S, C>) -> Result<R, CardError>) -> Result<R, CardError> {
        let mut wires = self.wires.try_borrow_mut().map_err(|_| CardError::NoAnswer)?;
        let result = work(&mut wires);
        // A card releases its output with the next byte after it is deselected.
        let ended = wires.select(false).and_then(|()| wires.take());
        result.and_then(|result| ended.map(|_| result))
    }
}

impl<S: SpiBus, C: OutputPin> Wires<S, C> {
    fn select(&mut self, is_selected: bool) -> Result<(), CardError> {
        let set = if is_selected { self.select.set_low() } else { self.select.set_high() };
        set.map_err(|_| CardError::NoAnswer)
    }

    fn take(&mut self) -> Result<u8, CardError> {
        let mut byte = [0xff];
        self.bus.transfer_in_place(&mut byte).map_err(|_| CardError::NoAnswer)?;
        let [byte] = byte;
        Ok(byte)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), CardError> {
        self.bus.write(bytes).map_err(|_| CardError::NoAnswer)
    }

    fn fetch(&mut self, bytes: &mut [u8]) -> Result<(), CardError> {
        self.bus.read(bytes).map_err(|_| CardError::NoAnswer)
    }

    /// Sends a command and returns the first byte of the answer.
    fn command(&mut self, index: u8, argument: u32) -> Result<u8, CardError> {
        // The checksum is only examined for the first two commands of a start.
        let crc = match index {
            command::GO_IDLE => 0x95,
            command::SEND_IF_COND => 0x87,
            _ => 0xff,
        };
        let [a, b, c, d] = argument.to_be_bytes();
        self.select(true)?;
        self.send(&[0xff, 0x40 | index, a, b, c, d, crc])?;
        for _ in 0..ANSWER_WITHIN {
            let answer = self.take()?;
            if answer & 0x80 == 0 {
                return Ok(answer);
            }
        }
        Err(CardError::NoAnswer)
    }

    /// Ends an exchange, so that the next command begins with a card that expects one.
    fn pause(&mut self) -> Result<(), CardError> {
        self.select(false)?;
        self.take().map(|_| ())
    }

    fn expect(&mut self, index: u8, argument: u32, wanted: u8) -> Result<(), CardError> {
        match self.command(index, argument)? {
            answer if answer == wanted => Ok(()),
            answer => Err(CardError::Refused(answer)),
        }
    }

    fn start(&mut self) -> Result<(), CardError> {
        // A card needs 74 clocks before the first command.
        self.select(false)?;
        self.send(&[0xff; 10])?;
        self.expect(command::GO_IDLE, 0, IN_IDLE_STATE)?;
        self.pause()?;
        // 3.3 V, and a pattern that a card of version 2 sends back.
        let is_second_version = self.command(command::SEND_IF_COND, 0x1aa)? == IN_IDLE_STATE;
        let mut rest = [0; 4];
        self.fetch(&mut rest)?;
        self.pause()?;
        let high_capacity = if is_second_version { 1 << 30 } else { 0 };
        let mut is_started = false;
        for _ in 0..STARTS {
            self.command(command::APPLICATION, 0)?;
            self.pause()?;
            is_started = self.command(command::START, high_capacity)? == 0;
            self.pause()?;
            if is_started {
                break;
            }
        }
        if !is_started {
            return Err(CardError::NoAnswer);
        }
        // The first byte of the answer is not examined: it is the only command whose answer QEMU marks as idle.
        self.command(command::READ_OCR, 0)?;
        self.fetch(&mut rest)?;
        let [first, ..] = rest;
        self.by_blocks = first & 0x40 != 0;
        Ok(())
    }

    fn address(&self, block: u32) -> Result<u32, CardError> {
        if self.by_blocks { Ok(block) } else { block.checked_mul(512).ok_or(CardError::NoAnswer) }
    }

    fn read(&mut self, block: u32, to: &mut [u8; 512]) -> Result<(), CardError> {
        let address = self.address(block)?;
        self.expect(command::READ_BLOCK, address, 0)?;
        for _ in 0..DATA_WITHIN {
            match self.take()? {
                START_OF_DATA => {
                    self.fetch(to)?;
                    // The checksum of SPI mode is off by default.
                    return self.fetch(&mut [0; 2]);
                }
                0xff => {}
                error => return Err(CardError::Refused(error)),
            }
        }
        Err(CardError::NoAnswer)
    }

    fn write(&mut self, block: u32, from: &[u8; 512]) -> Result<(), CardError> {
        let address = self.address(block)?;
        self.expect(command::WRITE_BLOCK, address, 0)?;
        self.send(&[0xff, START_OF_DATA])?;
        self.send(from)?;
        self.send(&[0xff; 2])?;
        let mut answer = self.take()?;
        if answer == 0xff {
            answer = self.take()?;
        }
        if answer & 0x1f != ACCEPTED {
            return Err(CardError::NotWritten);
        }
        let mut is_done = false;
        for _ in 0..DATA_WITHIN {
            is_done = self.take()? == 0xff;
            if is_done {
                break;
            }
        }
        if !is_done {
            return Err(CardError::NotWritten);
        }
        self.pause()?;
        // Only the status shows whether the card could store what it accepted, and whether it is write-protected.
        let first = self.command(command::SEND_STATUS, 0)?;
        let second = self.take()?;
        if first | second == 0 { Ok(()) } else { Err(CardError::NotWritten) }
    }
}

/// The card as embedded-sdmmc uses it, with a meter.
#[derive(Debug)]
pub struct Metered<'a, S, C, K> {
    pub card: &'a Card<S, C>,
    pub clock: &'a K,
    pub meter: &'a Meter,
}

impl<S, C, K> Clone for Metered<'_, S, C, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, C, K> Copy for Metered<'_, S, C, K> {}

impl<S: SpiBus, C: OutputPin, K: Clock> BlockDevice for Metered<'_, S, C, K> {
    type Error = CardError;

    fn read(&self, blocks: &mut [Block], start: BlockIdx) -> Result<(), CardError> {
        measured(self.clock, &self.meter.read, || {
            for (block, number) in blocks.iter_mut().zip(start.0..) {
                self.card.with(|wires| wires.read(number, &mut block.contents))?;
            }
            Ok(())
        })
    }

    fn write(&self, blocks: &[Block], start: BlockIdx) -> Result<(), CardError> {
        measured(self.clock, &self.meter.written, || {
            for (block, number) in blocks.iter().zip(start.0..) {
                self.card.with(|wires| wires.write(number, &block.contents))?;
                self.card.writes.set(self.card.writes().wrapping_add(1));
            }
            Ok(())
        })
    }

    /// embedded-sdmmc takes the size from the partition table and never asks for this.
    fn num_blocks(&self) -> Result<BlockCount, CardError> {
        Err(CardError::NoAnswer)
    }
}

/// A card that must be started before its files are read.
pub trait Start {
    /// # Errors
    /// There is no card.
    fn start(&self) -> Result<(), CardError>;
}

impl<S: SpiBus, C: OutputPin, K> Start for Metered<'_, S, C, K> {
    fn start(&self) -> Result<(), CardError> {
        self.card.start()
    }
}
