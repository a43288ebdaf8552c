//! Calls with writers and headers.

use super::*;

impl Program {
    pub(super) fn create_header(&mut self, input: &mut Input<'_>) {
        let (begins, ends) = (1 - input.near(0) as c_int, 1 - input.near(0) as c_int);
        let mut text = input.text();
        let text = if input.rarely(32) { ptr::null_mut() } else { text.as_mut_ptr().cast::<c_char>() };
        let length = input.number();
        let is_null = |new: &*mut LimeRecordHeader| new.is_null();
        let new =
            call("limeCreateHeader", is_null, || unsafe { limeCreateHeader(begins, ends, text, length) });
        if !new.is_null() {
            self.headers.push(new);
            self.live_headers.push(new);
        }
    }

    /// A program may change the members of a header.
    pub(super) fn change_header(&mut self, input: &mut Input<'_>) {
        let Some(header) = self.live_headers.last().copied() else { return };
        let (offset, value) = match input.below(5) {
            0 => (24, input.number()),
            1 => (0, input.number()),
            2 => (4, input.number()),
            3 => (8, input.number()),
            // The pointer to the type.
            _ => (16, input.number()),
        };
        // SAFETY: the header exists; these are members of the structure.
        unsafe {
            let place = header.cast::<u8>().add(offset);
            if offset >= 16 {
                place.cast::<u64>().write(value)
            } else {
                place.cast::<u32>().write(value as u32)
            }
        }
    }

    pub(super) fn writer_state(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let to = input.handle(&self.writers, others);
        let mut words;
        let from = match input.below(4) {
            0 => self.writers.first().copied().unwrap_or(ptr::null_mut()),
            1 => ptr::null_mut(),
            2 => match self.live_writers.first() {
                Some((writer, _)) => {
                    words = Self::copy(input, *writer);
                    words.as_mut_ptr().cast()
                }
                None => return,
            },
            _ => {
                words = Self::forged(input, Owner::Writer, size_of::<LimeWriter>(), WRITER_STATE);
                words.as_mut_ptr().cast()
            }
        };
        if let Some(stream) = self.stream_of_writer(to) {
            self.streams[stream].is_written_well = false;
        }
        coded("limeWriterSetState", || unsafe { limeWriterSetState(to, from) });
    }

    pub(super) fn write(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let exists = self.stream_of_writer(w).is_some();
        let mut offered = input.number();
        let room = if exists { member::<_, u64>(w, WRITER_LEFT) } else { 0 };
        if offered.min(room) > 4096 {
            offered = 4096;
        }
        // A record has room for `room` bytes; no others are looked at.
        let mut memory = Memory::new(offered.min(4096));
        let from: *mut c_void = if input.rarely(32) { ptr::null_mut() } else { memory.address() };
        let mut number = offered;
        let place = if input.rarely(32) { ptr::null_mut() } else { &raw mut number };
        let code = self.written(w, "limeWriteRecordData", || unsafe { limeWriteRecordData(from, place, w) });
        assert!(place.is_null() || !exists || number <= offered && (code != SUCCESS || number == offered));
    }

    pub(super) fn destroy_writer(&mut self, w: *mut LimeWriter) {
        self.written(w, "limeDestroyWriter", || unsafe { limeDestroyWriter(w) });
        self.live_writers.retain(|(it, _)| *it != w);
    }
}
