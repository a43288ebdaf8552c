// The file in memory that the documentation's examples write to and read from: all who clone it share its
// bytes, each at a place of its own. Compiled into doctests only, not into the crate.

use std::{cell::RefCell, rc::Rc};

use embedded_io::{ErrorKind, ErrorType, Read, Seek, SeekFrom, Write};

#[derive(Debug, Clone, Default)]
pub struct Disk {
    pub bytes: Rc<RefCell<Vec<u8>>>,
    place: usize,
}

impl ErrorType for Disk {
    type Error = ErrorKind;
}

impl Read for Disk {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, ErrorKind> {
        let bytes = self.bytes.borrow();
        let rest = bytes.get(self.place..).unwrap_or_default();
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        self.place += n;
        Ok(n)
    }
}

impl Write for Disk {
    fn write(&mut self, from: &[u8]) -> Result<usize, ErrorKind> {
        let mut bytes = self.bytes.borrow_mut();
        let end = self.place + from.len();
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[self.place..end].copy_from_slice(from);
        self.place = end;
        Ok(from.len())
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, ErrorKind> {
        let from = |start: usize, by: i64| (start as u64).checked_add_signed(by).ok_or(ErrorKind::InvalidInput);
        let place = match to {
            SeekFrom::Start(place) => place,
            SeekFrom::Current(by) => from(self.place, by)?,
            SeekFrom::End(by) => from(self.bytes.borrow().len(), by)?,
        };
        self.place = usize::try_from(place).map_err(|_| ErrorKind::InvalidInput)?;
        Ok(place)
    }
}
