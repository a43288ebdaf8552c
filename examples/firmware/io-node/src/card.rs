//! An SD card on an SPI bus, as chapter 7 of the SD Physical Layer Simplified Specification (version 9.10) describes it.
//! (The driver of embedded-sdmmc takes the first byte of the answer to CMD58 for an error and sends no byte between the
//! answer to a write command and its data; QEMU's card needs both to be otherwise.)

use core::cell::{Cell, RefCell};
use core::fmt;

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiBus;
use embedded_sdmmc::embedded_sdmmc_types::sdcard::{crc7, crc16};
use embedded_sdmmc::{Block, BlockCount, BlockDevice, BlockIdx};

use crate::meter::{Clock, Meter, measured};

/// Reason why the card could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardError {
    /// No answer, or an unexpected one: the card is removed or broken.
    NoAnswer,
    /// The card takes longer than the specification allows.
    TimedOut,
    /// The card refuses the command, and does so with this answer.
    Refused(u8),
    /// The checksum of data that were read, or sent, is wrong.
    Garbled,
    /// The card did not take the data.
    NotWritten,
    /// The card has accepted blocks, and said afterwards that it could not write all of them.
    Lost,
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoAnswer => "the card does not answer",
            Self::TimedOut => "the card takes too long",
            Self::Refused(_) => "the card refuses a command",
            Self::Garbled => "data change on the way to the card or back",
            Self::NotWritten => "the card does not accept data",
            Self::Lost => "the card has lost data that it had accepted",
        })
    }
}

impl core::error::Error for CardError {}

/// A bus whose clock can be changed.
pub trait Rate {
    /// Sets the clock to the highest frequency that the bus has, and that is not above this one.
    fn set_rate(&mut self, hertz: u32);
}

/// A card is identified at 400 kHz or less (section 4.2.1), and every card works at 25 MHz afterwards.
const IDENTIFICATION: u32 = 400_000;
const FULL: u32 = 25_000_000;

/// The first byte of the answer to a command is among so many bytes (N_CR in section 7.5.4 is 8 at most).
const ANSWER_WITHIN: u32 = 16;
/// Milliseconds for a card to start (section 4.2.3 allows a second), to begin to send data and to have written them (100 and
/// 500 in section 4.6.2). The clock has steps of 10.
const START_WITHIN: u64 = 1_200;
const READ_WITHIN: u64 = 200;
const WRITE_WITHIN: u64 = 600;
/// Number of attempts to read or write a block.
const ATTEMPTS: u32 = 4;

const IN_IDLE_STATE: u8 = 1;
/// Bit of an answer: the checksum of the command was wrong.
const COMMAND_GARBLED: u8 = 8;
const START_OF_DATA: u8 = 0xfe;
const START_OF_NEXT: u8 = 0xfc;
const END_OF_BLOCKS: u8 = 0xfd;
/// Lower bits of the answers to data: they were accepted; they cannot be written.
const ACCEPTED: u8 = 0b0_0101;
const REFUSED: u8 = 0b0_1101;

mod command {
    pub const GO_IDLE: u8 = 0;
    pub const SEND_IF_COND: u8 = 8;
    pub const STOP: u8 = 12;
    pub const SEND_STATUS: u8 = 13;
    pub const SET_BLOCK_LENGTH: u8 = 16;
    pub const READ_BLOCK: u8 = 17;
    pub const READ_BLOCKS: u8 = 18;
    pub const WRITE_BLOCK: u8 = 24;
    pub const WRITE_BLOCKS: u8 = 25;
    pub const START: u8 = 41;
    pub const APPLICATION: u8 = 55;
    pub const READ_OCR: u8 = 58;
    pub const CHECK_CRC: u8 = 59;
}

/// A command for many blocks that has not been ended, and the block that comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    None,
    Reading(u32),
    Writing(u32),
}

#[derive(Debug)]
struct Wires<'a, S, C, K> {
    bus: S,
    select: C,
    clock: &'a K,
    /// True if the card counts blocks, false if it counts bytes.
    by_blocks: bool,
    stream: Stream,
    /// The blocks after the last ones that were read and written. The second block in a row opens a stream.
    after_read: u32,
    after_written: u32,
}

/// A card; [`start`](Self::start) must have succeeded. The bus must send 0xff while it reads, as SD cards demand it.
#[derive(Debug)]
pub struct Card<'a, S, C, K> {
    wires: RefCell<Wires<'a, S, C, K>>,
    /// Failures since the start.
    failed: Cell<Failed>,
    retries: Cell<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failed {
    Nothing,
    /// The card may be write-protected, and can be read.
    Writing,
    /// Failure of every command until the next start: a file whose entry cannot be read must not seem to be missing.
    Reading,
}

impl<'a, S: SpiBus + Rate, C: OutputPin, K: Clock> Card<'a, S, C, K> {
    pub const fn new(bus: S, select: C, clock: &'a K) -> Self {
        let stream = Stream::None;
        let (by_blocks, after_read, after_written) = (false, u32::MAX, u32::MAX);
        let wires = Wires { bus, select, clock, by_blocks, stream, after_read, after_written };
        Self { wires: RefCell::new(wires), failed: Cell::new(Failed::Nothing), retries: Cell::new(0) }
    }

    /// Starts the card, also after another one has been inserted.
    ///
    /// # Errors
    /// There is no card, or it does not work over SPI.
    pub fn start(&self) -> Result<(), CardError> {
        self.failed.set(Failed::Nothing);
        self.attempt(Failed::Reading, Wires::start)
    }

    /// Number of attempts that had to be repeated, since bits had changed on the wire or the card had not answered.
    pub fn retries(&self) -> u32 {
        self.retries.get()
    }

    fn attempt(
        &self,
        if_failed: Failed,
        mut work: impl FnMut(&mut Wires<'a, S, C, K>) -> Result<(), CardError>,
    ) -> Result<(), CardError> {
        let mut wires = self.wires.try_borrow_mut().map_err(|_| CardError::NoAnswer)?;
        if self.failed.get() == Failed::Reading {
            return Err(CardError::NoAnswer);
        }
        let mut result = work(&mut wires);
        for _ in 1..ATTEMPTS {
            if matches!(result, Ok(()) | Err(CardError::Lost | CardError::TimedOut)) {
                break;
            }
            self.retries.set(self.retries.get().saturating_add(1));
            result = match wires.recover() {
                Ok(()) => work(&mut wires),
                lost => lost,
            };
        }
        if result.is_err() {
            self.failed.set(if_failed);
        }
        if wires.stream == Stream::None {
            // A card releases its output with the next byte after it is deselected.
            let ended = wires.pause();
            result = result.and(ended);
        }
        result
    }
}

impl<S: SpiBus + Rate, C: OutputPin, K: Clock> Wires<'_, S, C, K> {
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

    /// Takes bytes until one is not `idle`, and returns it.
    fn wait(&mut self, idle: impl Fn(u8) -> bool, within: u64) -> Result<u8, CardError> {
        let begun = self.clock.milliseconds();
        loop {
            let byte = self.take()?;
            if !idle(byte) {
                return Ok(byte);
            }
            if self.clock.milliseconds().saturating_sub(begun) > within {
                return Err(CardError::TimedOut);
            }
        }
    }

    /// Waits until the card has written. It holds its output low meanwhile.
    fn wait_written(&mut self) -> Result<(), CardError> {
        self.wait(|byte| byte != 0xff, WRITE_WITHIN).map(|_| ())
    }

    /// Sends a command and returns the first byte of the answer.
    fn command(&mut self, index: u8, argument: u32) -> Result<u8, CardError> {
        let [a, b, c, d] = argument.to_be_bytes();
        let head = [0x40 | index, a, b, c, d];
        let [first, ..] = head;
        self.select(true)?;
        self.send(&[0xff, first, a, b, c, d, crc7(&head) << 1 | 1])?;
        if index == command::STOP {
            // The byte after this command belongs to no answer (section 7.3.2.2 and figure 7-3).
            self.take()?;
        }
        for _ in 0..ANSWER_WITHIN {
            let answer = self.take()?;
            if answer & 0x80 == 0 {
                return if answer & COMMAND_GARBLED == 0 { Ok(answer) } else { Err(CardError::Garbled) };
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

    /// A command of the identification, which has no data.
    fn set_up(&mut self, index: u8, argument: u32, wanted: u8) -> Result<(), CardError> {
        self.expect(index, argument, wanted)?;
        self.pause()
    }

    fn start(&mut self) -> Result<(), CardError> {
        // The card may still be the one that was used before, in the middle of blocks.
        let _ = self.stop();
        self.stream = Stream::None;
        (self.after_read, self.after_written) = (u32::MAX, u32::MAX);
        self.bus.set_rate(IDENTIFICATION);
        // A card needs 74 clocks before the first command.
        self.select(false)?;
        self.send(&[0xff; 10])?;
        self.set_up(command::GO_IDLE, 0, IN_IDLE_STATE)?;
        // 3.3 V, and a pattern that a card of version 2 sends back.
        let is_second_version = self.command(command::SEND_IF_COND, 0x1aa)? == IN_IDLE_STATE;
        let mut rest = [0; 4];
        self.fetch(&mut rest)?;
        self.pause()?;
        if is_second_version && !matches!(rest, [.., 1, 0xaa]) {
            return Err(CardError::Garbled);
        }
        // The card checks all commands and data that follow against their checksums.
        self.set_up(command::CHECK_CRC, 1, IN_IDLE_STATE)?;
        let high_capacity = if is_second_version { 1 << 30 } else { 0 };
        let begun = self.clock.milliseconds();
        loop {
            self.command(command::APPLICATION, 0)?;
            self.pause()?;
            let is_started = self.command(command::START, high_capacity)? == 0;
            self.pause()?;
            if is_started {
                break;
            }
            if self.clock.milliseconds().saturating_sub(begun) > START_WITHIN {
                return Err(CardError::TimedOut);
            }
        }
        // The first byte of the answer is not examined: it is the only command whose answer QEMU marks as idle.
        self.command(command::READ_OCR, 0)?;
        self.fetch(&mut rest)?;
        self.pause()?;
        let [first, ..] = rest;
        self.by_blocks = first & 0x40 != 0;
        if !self.by_blocks {
            self.set_up(command::SET_BLOCK_LENGTH, 512, 0)?;
        }
        self.bus.set_rate(FULL);
        Ok(())
    }

    fn address(&self, block: u32) -> Result<u32, CardError> {
        if self.by_blocks { Ok(block) } else { block.checked_mul(512).ok_or(CardError::NoAnswer) }
    }

    /// Ends a stream. If the card has not understood the end, the stream stays open, to be ended again.
    fn stop(&mut self) -> Result<(), CardError> {
        match self.stream {
            Stream::None => Ok(()),
            Stream::Reading(_) => {
                self.command(command::STOP, 0)?;
                self.stream = Stream::None;
                self.wait(|byte| byte != 0xff, READ_WITHIN)?;
                self.pause()
            }
            Stream::Writing(_) => {
                // A card needs a byte to become busy (section 7.3.3.2).
                self.send(&[END_OF_BLOCKS, 0xff])?;
                self.wait_written()?;
                self.pause()?;
                let examined = self.examine_written();
                if matches!(examined, Ok(()) | Err(CardError::NotWritten)) {
                    self.stream = Stream::None;
                }
                examined.map_err(|error| if error == CardError::NotWritten { CardError::Lost } else { error })
            }
        }
    }

    /// Makes the card expect a command after a failure.
    ///
    /// # Errors
    /// Blocks are lost. Other faults show in the next attempt.
    fn recover(&mut self) -> Result<(), CardError> {
        let stopped = self.stop();
        let _ = self.pause();
        if stopped == Err(CardError::Lost) { stopped } else { Ok(()) }
    }

    /// Only the status shows whether the card could store what it accepted, and whether it is write-protected.
    fn examine_written(&mut self) -> Result<(), CardError> {
        let first = self.command(command::SEND_STATUS, 0)?;
        let second = self.take()?;
        self.pause()?;
        if first | second == 0 { Ok(()) } else { Err(CardError::NotWritten) }
    }

    /// Begins to read or write a block: in the stream, in a new stream, or alone. Returns whether there is a stream then.
    fn approach(
        &mut self,
        block: u32,
        is_next: bool,
        stream: fn(u32) -> Stream,
        [one, many]: [u8; 2],
    ) -> Result<bool, CardError> {
        let is_open = self.stream == stream(block);
        if !is_open {
            self.stop()?;
        }
        let address = self.address(block)?;
        if !is_open && !is_next {
            self.expect(one, address, 0)?;
            return Ok(false);
        }
        // The command has to be ended even if it, or this block, fails.
        self.stream = stream(block.wrapping_add(1));
        if !is_open {
            self.expect(many, address, 0)?;
        }
        Ok(true)
    }

    fn read(&mut self, block: u32, to: &mut [u8; 512]) -> Result<(), CardError> {
        let is_next = self.after_read == block;
        self.after_read = u32::MAX;
        self.approach(block, is_next, Stream::Reading, [command::READ_BLOCK, command::READ_BLOCKS])?;
        match self.wait(|byte| byte == 0xff, READ_WITHIN)? {
            START_OF_DATA => {}
            error => return Err(CardError::Refused(error)),
        }
        self.fetch(to)?;
        let mut crc = [0; 2];
        self.fetch(&mut crc)?;
        if u16::from_be_bytes(crc) != crc16(to) {
            return Err(CardError::Garbled);
        }
        self.after_read = block.wrapping_add(1);
        Ok(())
    }

    fn write(&mut self, block: u32, from: &[u8; 512]) -> Result<(), CardError> {
        let is_next = self.after_written == block;
        self.after_written = u32::MAX;
        let blocks = [command::WRITE_BLOCK, command::WRITE_BLOCKS];
        let is_stream = self.approach(block, is_next, Stream::Writing, blocks)?;
        self.send(&[0xff, if is_stream { START_OF_NEXT } else { START_OF_DATA }])?;
        self.send(from)?;
        self.send(&crc16(from).to_be_bytes())?;
        let mut answer = self.take()?;
        if answer == 0xff {
            answer = self.take()?;
        }
        match answer & 0x1f {
            ACCEPTED => {}
            REFUSED => return Err(CardError::NotWritten),
            // Their checksum is wrong, or the answer itself is garbled.
            _ => return Err(CardError::Garbled),
        }
        self.wait_written()?;
        if !is_stream {
            self.pause()?;
            self.examine_written()?;
        }
        self.after_written = block.wrapping_add(1);
        Ok(())
    }
}

/// The card as embedded-sdmmc uses it, with a meter.
#[derive(Debug)]
pub struct Metered<'a, S, C, K> {
    pub card: &'a Card<'a, S, C, K>,
    pub clock: &'a K,
    pub meter: &'a Meter,
}

impl<S, C, K> Clone for Metered<'_, S, C, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, C, K> Copy for Metered<'_, S, C, K> {}

impl<S: SpiBus + Rate, C: OutputPin, K: Clock> Metered<'_, S, C, K> {
    fn count_retries(&self) {
        self.meter.retried.set(self.card.retries().into());
    }
}

impl<S: SpiBus + Rate, C: OutputPin, K: Clock> BlockDevice for Metered<'_, S, C, K> {
    type Error = CardError;

    fn read(&self, blocks: &mut [Block], start: BlockIdx) -> Result<(), CardError> {
        let result = measured(self.clock, &self.meter.read, || {
            for (block, number) in blocks.iter_mut().zip(start.0..) {
                self.card.attempt(Failed::Reading, |wires| wires.read(number, &mut block.contents))?;
            }
            Ok(())
        });
        self.count_retries();
        result
    }

    fn write(&self, blocks: &[Block], start: BlockIdx) -> Result<(), CardError> {
        let result = measured(self.clock, &self.meter.written, || {
            for (block, number) in blocks.iter().zip(start.0..) {
                self.card.attempt(Failed::Writing, |wires| wires.write(number, &block.contents))?;
            }
            Ok(())
        });
        self.count_retries();
        result
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

    /// True if reading or writing has failed since the start. embedded-sdmmc does not tell such a failure from a file that
    /// is missing, or from a full card, everywhere.
    fn has_failed(&self) -> bool;
}

impl<S: SpiBus + Rate, C: OutputPin, K: Clock> Start for Metered<'_, S, C, K> {
    fn start(&self) -> Result<(), CardError> {
        self.card.start()
    }

    fn has_failed(&self) -> bool {
        self.card.failed.get() != Failed::Nothing
    }
}
