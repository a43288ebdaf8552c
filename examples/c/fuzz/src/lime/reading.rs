//! Calls with readers.

use super::*;

impl Program {
    pub(super) fn next(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let code = coded("limeReaderNextRecord", || unsafe { limeReaderNextRecord(r) });
        if code != SUCCESS || !self.stream_of_reader(r).is_some_and(|stream| self.streams[stream].is_input) {
            return;
        }
        // The bytes of the file agree with all that the reader says of the record.
        let start = member::<_, u64>(r, REC_START) as usize;
        let bytes: [u8; HEADER_LEN] = input.file[start - HEADER_LEN..start].try_into().expect("a header");
        let header = Header::from_bytes(bytes);
        assert_eq!(bytes[..4], 0x4567_89ab_u32.to_be_bytes());
        assert_eq!(unsafe { limeReaderBytes(r) }, header.length());
        assert_eq!(unsafe { limeReaderMBFlag(r) } == 1, header.begins_message());
        assert_eq!(unsafe { limeReaderMEFlag(r) } == 1, header.ends_message());
        // SAFETY: the type of a record is a C string.
        let found = unsafe { std::ffi::CStr::from_ptr(limeReaderType(r)) };
        assert_eq!(Some(found.to_bytes()), bytes[16..].split(|byte| *byte == 0).next());
    }

    pub(super) fn read(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let stream = self.stream_of_reader(r);
        let wanted = match input.number() {
            0 => 1 << 16,
            wanted => wanted,
        };
        // As much as there can be.
        let room = wanted.min(input.file.len() as u64 + 4096);
        let mut memory = Memory::new(room);
        let to: *mut c_void = if input.rarely(32) { ptr::null_mut() } else { memory.address() };
        let mut number = wanted;
        let place = if input.rarely(32) { ptr::null_mut() } else { &raw mut number };
        let before = stream.map(|_| member::<_, u64>(r, REC_PTR));
        let code = coded("limeReaderReadData", || unsafe { limeReaderReadData(to, place, r) });
        if place.is_null() {
            return assert!(code < 0);
        }
        if stream.is_none() {
            // A handle that does not exist says nothing about the number.
            return;
        }
        assert!(number <= wanted && (code != SUCCESS || number > 0 || wanted == 0));
        let Some(before) = before else { return };
        if to.is_null() && number > 0 {
            panic!("bytes were read into a null pointer");
        }
        if code == SUCCESS || number > 0 {
            assert_eq!(member::<_, u64>(r, REC_PTR), before + number);
        }
        if number > 0 && stream.is_some_and(|stream| self.streams[stream].is_input) {
            let start = (member::<_, u64>(r, REC_START) + before) as usize;
            let expected = &input.file[start..start + number as usize];
            assert_eq!(memory.bytes().map(|bytes| &bytes[..number as usize]), Some(expected));
        }
    }

    /// Calls that only ask.
    pub(super) fn ask(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let exists = self.stream_of_reader(r).is_some();
        let flag = |code: &c_int| *code < 0;
        let begins = call("limeReaderMBFlag", flag, || unsafe { limeReaderMBFlag(r) });
        call("limeReaderMEFlag", flag, || unsafe { limeReaderMEFlag(r) });
        call("limeEOM", flag, || unsafe { limeEOM(r) });
        let text =
            call("limeReaderType", |text: &*mut c_char| text.is_null(), || unsafe { limeReaderType(r) });
        silent("limeReaderBytes", || unsafe { limeReaderBytes(r) });
        let padding = silent("limeReaderPadBytes", || unsafe { limeReaderPadBytes(r) });
        let pointer = call("limeGetReaderPointer", |at| *at < 0, || unsafe { limeGetReaderPointer(r) });
        assert!(padding < 8 && (exists || begins < 0 && text.is_null() && pointer < 0));
        if !text.is_null() {
            // SAFETY: the type of a record is a C string.
            assert!(unsafe { libc::strlen(text) } <= 128);
            // A program may write to it.
            // SAFETY: as above.
            unsafe { *text = input.byte() as c_char };
        }
    }

    pub(super) fn reader_state(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let to = input.handle(&self.readers, others);
        let mut words;
        let from = match input.below(4) {
            // All others would be read.
            0 => self.readers.first().copied().unwrap_or(ptr::null_mut()),
            1 => ptr::null_mut(),
            2 => match self.live_readers.first() {
                Some((reader, _)) => {
                    words = Self::copy(input, *reader);
                    words.as_mut_ptr().cast()
                }
                None => return,
            },
            _ => {
                words = Self::forged(input, Owner::Reader, size_of::<LimeReader>(), READER_STATE);
                words.as_mut_ptr().cast()
            }
        };
        coded("limeReaderSetState", || unsafe { limeReaderSetState(to, from) });
    }

    pub(super) fn destroy_reader(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        silent("limeDestroyReader", || unsafe { limeDestroyReader(r) });
        self.live_readers.retain(|(it, _)| *it != r);
    }
}
