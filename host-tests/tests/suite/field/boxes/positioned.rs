//! A file in memory that is read and written only at offsets, without a position, and counts the calls.

use core::cell::RefCell;
use embedded_io::ErrorKind;
use linkstream::io::{PositionedSink, PositionedSource, Sink};
use std::rc::Rc;

use crate::sinks::Fault;

#[derive(Debug, Clone, Default)]
pub struct Memory {
    file: Rc<RefCell<Vec<u8>>>,
    /// Offset and length of each write or read.
    pub calls: Rc<RefCell<Vec<(u64, usize)>>>,
    /// The call after this number of calls fails.
    fails: Option<usize>,
    /// At most this number of bytes is transferred at once, after an interruption; 0: all.
    pub most: usize,
    interrupted: bool,
}

impl Memory {
    pub fn new(file: &[u8]) -> Self {
        Self { file: Rc::new(RefCell::new(file.to_vec())), ..Self::default() }
    }

    /// The same, but the call after `n` calls fails.
    pub fn failing(self, n: usize) -> Self {
        Self { fails: Some(n), ..self }
    }

    pub fn contents(&self) -> Vec<u8> {
        self.file.borrow().clone()
    }

    /// The length of the next transfer.
    fn transfer(&mut self, offset: u64, length: usize) -> Result<usize, Fault> {
        self.calls.borrow_mut().push((offset, length));
        if self.fails.is_some_and(|n| self.calls.borrow().len() > n) {
            return Err(Fault(ErrorKind::Other));
        }
        if self.most == 0 {
            return Ok(length);
        }
        self.interrupted = !self.interrupted;
        if self.interrupted { Err(Fault(ErrorKind::Interrupted)) } else { Ok(length.min(self.most)) }
    }
}

impl Sink for Memory {
    type Error = Fault;

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<usize, Fault> {
        let n = self.transfer(offset, bytes.len())?;
        let (mut file, at) = (self.file.borrow_mut(), offset as usize);
        if file.len() < at + n {
            file.resize(at + n, 0xaa);
        }
        assert!(file[at..at + n].iter().all(|byte| *byte == 0xaa), "bytes at {at} are written twice");
        file[at..at + n].copy_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

impl PositionedSink for Memory {}

impl PositionedSource for Memory {
    type Error = Fault;

    fn read_at(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, Fault> {
        let n = self.transfer(offset, out.len())?;
        let file = self.file.borrow();
        let rest = file.get(offset as usize..).unwrap_or_default();
        let n = n.min(rest.len());
        out[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}
