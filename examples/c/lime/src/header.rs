//! Headers of records that are written.

use std::ffi::{c_int, c_uint};
use std::ptr;

use linkstream::lime::{Header, VERSION};
use linkstream_c_border::Failure;

use crate::code::{ERR_PARAM, Refused};
use crate::shown::{LimeRecordHeader, Text};

/// A header that a program has created: the structure that it sees, and the text of the type.
#[repr(C)]
#[derive(Debug)]
pub struct Created {
    shown: LimeRecordHeader,
    text: Text,
}

impl Created {
    /// Makes a header from the arguments of `limeCreateHeader`.
    ///
    /// # Errors
    /// A flag is neither 0 nor 1, or the type has more than 127 bytes.
    pub fn new(begin: c_int, end: c_int, record_type: &[u8], length: u64) -> Result<Self, Refused> {
        let _ = header(begin, end, record_type, length)?;
        Ok(Self {
            shown: LimeRecordHeader {
                lime_version: c_uint::from(VERSION),
                MB_flag: begin,
                ME_flag: end,
                record_type: ptr::null_mut(),
                data_length: length,
            },
            text: Text::of(record_type),
        })
    }

    /// Puts the address of the text into the structure, after the header has got its place in memory.
    pub fn link(&mut self) {
        self.shown.record_type = self.text.pointer();
    }

    /// Header with the members as they are now: a program may change them before it writes the header.
    ///
    /// # Errors
    /// As for a new header; or the version is not 1; or the member `type` points elsewhere.
    pub fn header(&mut self) -> Result<Header, Refused> {
        if self.shown.lime_version != c_uint::from(VERSION) {
            return Err(Refused::usage("the member lime_version of the header is not 1"));
        }
        if !ptr::eq(self.shown.record_type, self.text.pointer()) {
            return Err(Refused::usage(
                "the member type of the header has been changed: create a new header",
            ));
        }
        header(self.shown.MB_flag, self.shown.ME_flag, self.text.bytes(), self.shown.data_length)
    }
}

fn header(begin: c_int, end: c_int, record_type: &[u8], length: u64) -> Result<Header, Refused> {
    let flag = |flag: c_int| match flag {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Refused::usage("a flag of a header is neither 0 nor 1")),
    };
    let header = Header::new(record_type, length, flag(begin)?, flag(end)?);
    header.map_err(|error| Refused::new(ERR_PARAM, Failure::usage(error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_those_at_the_time_of_writing() {
        let mut created = Created::new(1, 0, b"type", 5).unwrap();
        created.link();
        assert_eq!(created.header().unwrap(), Header::new(b"type", 5, true, false).unwrap());
        created.shown.ME_flag = 1;
        created.shown.data_length = 6;
        assert_eq!(created.header().unwrap(), Header::new(b"type", 6, true, true).unwrap());
        created.shown.MB_flag = 2;
        assert!(created.header().is_err());
        created.shown.MB_flag = 1;
        created.shown.record_type = ptr::null_mut();
        assert!(created.header().is_err());
        created.link();
        created.shown.lime_version = 2;
        assert!(created.header().is_err());
    }

    #[test]
    fn refused_from_the_start() {
        assert!(Created::new(2, 0, b"type", 5).is_err());
        assert!(Created::new(1, -1, b"type", 5).is_err());
        assert!(Created::new(1, 0, &[b't'; 128], 5).is_err());
        assert!(Created::new(1, 0, &[b't'; 127], u64::MAX).is_ok());
    }
}
