//! The synchronous serial interface of the LM3S6965 as an SPI bus, and the pin that selects the card.

use core::convert::Infallible;

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, SpiBus};

use io_node::card::Rate;

use crate::registers::registers;

registers! { 0x4000_8000:
    FORMAT = 0x00,
    CONTROL = 0x04,
    DATA = 0x08,
    STATUS = 0x0c,
    PRESCALE = 0x10,
}

registers! { 0x4000_7000:
    /// Pin 0 of port D alone: the address selects the pins.
    PIN = 0x004,
    DIRECTION = 0x400,
    DIGITAL = 0x51c,
}

/// Words of eight bits, as SPI mode 0 sends them.
const EIGHT_BITS: u32 = 7;
const ENABLED: u32 = 2;
const BUSY: u32 = 16;
const RECEIVED: u32 = 4;
/// Frequency of the controller. Its clock is divided by an even number of 4 to 254: 12.5 MHz are the most.
const HERTZ: u32 = 50_000_000;
/// Words that the controller holds in each direction.
const DEPTH: usize = 8;

#[derive(Debug)]
pub struct Ssi(());

impl Ssi {
    /// Starts the controller.
    pub fn start() -> Self {
        CONTROL.write(0);
        FORMAT.write(EIGHT_BITS);
        let mut bus = Self(());
        bus.set_rate(0);
        CONTROL.write(ENABLED);
        while STATUS.read() & RECEIVED != 0 {
            DATA.read();
        }
        bus
    }
}

impl Rate for Ssi {
    fn set_rate(&mut self, hertz: u32) {
        let divisor = HERTZ.checked_div(hertz).map_or(254, |quotient| quotient.saturating_add(1).min(254));
        PRESCALE.write(divisor.next_multiple_of(2).max(4));
    }
}

/// Waits until all words are sent, and as many received.
#[inline(always)]
fn finish() {
    while STATUS.read() & BUSY != 0 {}
}

impl spi::ErrorType for Ssi {
    type Error = Infallible;
}

/// Sends as many words as the controller holds. Loops would take three times the instructions.
#[inline(always)]
fn send([a, b, c, d, e, f, g, h]: &[u8; DEPTH]) {
    DATA.write((*a).into());
    DATA.write((*b).into());
    DATA.write((*c).into());
    DATA.write((*d).into());
    DATA.write((*e).into());
    DATA.write((*f).into());
    DATA.write((*g).into());
    DATA.write((*h).into());
    finish();
}

/// Takes the words that came in while as many were sent.
#[inline(always)]
fn drop_received() {
    DATA.read();
    DATA.read();
    DATA.read();
    DATA.read();
    DATA.read();
    DATA.read();
    DATA.read();
    DATA.read();
}

fn exchange_one(word: u8) -> u8 {
    DATA.write(word.into());
    finish();
    DATA.read() as u8
}

impl SpiBus for Ssi {
    fn read(&mut self, words: &mut [u8]) -> Result<(), Infallible> {
        let (full, rest) = words.as_chunks_mut();
        for [a, b, c, d, e, f, g, h] in full {
            send(&[0xff; DEPTH]);
            *a = DATA.read() as u8;
            *b = DATA.read() as u8;
            *c = DATA.read() as u8;
            *d = DATA.read() as u8;
            *e = DATA.read() as u8;
            *f = DATA.read() as u8;
            *g = DATA.read() as u8;
            *h = DATA.read() as u8;
        }
        for word in rest {
            *word = exchange_one(0xff);
        }
        Ok(())
    }

    fn write(&mut self, words: &[u8]) -> Result<(), Infallible> {
        let (full, rest) = words.as_chunks();
        for words in full {
            send(words);
            drop_received();
        }
        for &word in rest {
            exchange_one(word);
        }
        Ok(())
    }

    fn transfer(&mut self, read: &mut [u8], write: &[u8]) -> Result<(), Infallible> {
        let common = read.len().min(write.len());
        let (first, more) = read.split_at_mut_checked(common).unwrap_or((&mut [], &mut []));
        first.copy_from_slice(write.get(..common).unwrap_or(&[]));
        self.transfer_in_place(first)?;
        self.write(write.get(common..).unwrap_or(&[]))?;
        self.read(more)
    }

    fn transfer_in_place(&mut self, words: &mut [u8]) -> Result<(), Infallible> {
        for word in words {
            *word = exchange_one(*word);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        finish();
        Ok(())
    }
}

/// Pin 0 of port D, which selects the card while it is low.
#[derive(Debug)]
pub struct Select(());

impl Select {
    pub fn start() -> Self {
        DIRECTION.set(1);
        DIGITAL.set(1);
        PIN.write(1);
        Self(())
    }
}

impl digital::ErrorType for Select {
    type Error = Infallible;
}

impl OutputPin for Select {
    fn set_low(&mut self) -> Result<(), Infallible> {
        PIN.write(0);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        PIN.write(1);
        Ok(())
    }
}
