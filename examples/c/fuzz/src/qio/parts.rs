//! The calls of `qio_parts.h`.

use super::*;

impl Program {
    pub(super) fn types(input: &mut Input<'_>) -> (Vec<*const c_char>, c_int) {
        let mut list = TYPES.map(std::ffi::CStr::as_ptr).to_vec();
        if input.rarely(16) {
            list[input.below(4)] = ptr::null();
        }
        let count = input.near(2) as c_int;
        (list, count.min(4))
    }

    pub(super) fn parts_read(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let record = input.handle(&self.records, others);
        let string = self.string(input);
        self.places.remove(&r.addr());
        let mut name: *mut c_char = ptr::null_mut();
        let (mut size, mut status) = (0, 77);
        let (list, count) = Self::types(input);
        let list = if input.rarely(32) { ptr::null() } else { list.as_ptr() };
        let i = self.infos.last().copied().unwrap_or(ptr::null_mut());
        let (function, data, word, _) = Self::factory(input, self.described(i));
        let arg = ptr::without_provenance_mut(ARGUMENT);
        let (mut sum, mut bytes) = (DmlChecksum { suma: 0, sumb: 0 }, 0);
        let (sum, bytes) = (&raw mut sum, &raw mut bytes);
        // The end of the file is no error.
        let opened = |made: *mut RecordReader, status: c_int| assert_eq!(made.is_null(), status != 0);
        let before = self.records.len();
        match input.below(13) {
            0 => {
                let new = silent("QIO_read_record_type", || unsafe {
                    QIO_read_record_type(r, &raw mut name, &raw mut size, &raw mut status)
                });
                opened(new, status);
                self.records.push(new);
            }
            1 => {
                let new = silent("QIO_open_read_target_record", || unsafe {
                    QIO_open_read_target_record(r, list, count, &raw mut name, &raw mut size, &raw mut status)
                });
                opened(new, status);
                self.records.push(new);
            }
            2 => {
                let new = silent("QIO_open_read_field", || unsafe {
                    QIO_open_read_field(r, data, list, count, &raw mut name, &raw mut status)
                });
                opened(new, status);
                self.records.push(new);
            }
            3 => {
                let size = input.number();
                coded("QIO_read_string_data", || unsafe { QIO_read_string_data(r, record, string, size) });
            }
            4 => _ = coded("QIO_skip_data", || QIO_skip_data(record)),
            5 => _ = coded("QIO_close_read_record", || QIO_close_read_record(record)),
            6 => _ = coded("QIO_read_string", || unsafe { QIO_read_string(r, string, &raw mut name) }),
            7 => _ = coded("QIO_read_sitelist", || unsafe { QIO_read_sitelist(r, &raw mut name) }),
            8 => {
                coded("QIO_read_field_data", || unsafe {
                    QIO_read_field_data(r, record, function, 1, data, word, arg, sum, bytes)
                });
            }
            9 => {
                coded("QIO_read_field", || unsafe {
                    QIO_read_field(r, function, 1, data, word, arg, sum, bytes, &raw mut name)
                });
            }
            10 => {
                coded("QIO_generic_read_record_data", || unsafe {
                    QIO_generic_read_record_data(r, function, data, word, arg, sum, bytes)
                });
            }
            11 => {
                let found = made("QIO_read_checksum", || QIO_read_checksum(r));
                if !found.is_null() {
                    self.checksums.push(found);
                }
            }
            _ => {
                coded("QIO_reader_insert_hypercube_data", || unsafe {
                    QIO_reader_insert_hypercube_data(r, i)
                });
                let checksum = input.handle(&self.checksums, others);
                coded("QIO_compare_checksum", || unsafe { QIO_compare_checksum(0, checksum, sum) });
            }
        }
        if !name.is_null() {
            // SAFETY: the type is a text.
            assert!(unsafe { libc::strlen(name) } <= 128);
        }
        if self.records.len() > before && self.records.last().is_some_and(|it| it.is_null()) {
            self.records.pop();
        }
    }

    pub(super) fn parts_write(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let record = input.handle(&self.open_records, others);
        let string = self.string(input);
        let i = self.info(input);
        let (function, data, word, _) = Self::factory(input, self.described(i));
        let function = function.map(|_| get as qio::factory::Function);
        let arg = ptr::without_provenance_mut(ARGUMENT);
        let (mut sum, mut bytes) = (DmlChecksum { suma: 1, sumb: 2 }, 0);
        let (sum, bytes) = (&raw mut sum, &raw mut bytes);
        let flags = input.byte();
        let (mut begin, mut end) = (c_int::from(flags & 1 == 0), c_int::from(flags & 2 != 0));
        let name = if input.rarely(32) { ptr::null() } else { TYPES[input.below(4)].as_ptr() };
        let (first, last) = (&raw mut begin, &raw mut end);
        match input.below(9) {
            0 => coded("QIO_write_string", || unsafe { QIO_write_string(w, *first, *last, string, name) }),
            1 => coded("QIO_write_sitelist", || unsafe { QIO_write_sitelist(w, *first, *last, name) }),
            2 => coded("QIO_write_field", || unsafe {
                QIO_write_field(w, *first, *last, function, 1, data, word, arg, sum, bytes, name)
            }),
            3 => {
                let (mut output, mut status) = (0, 77);
                let new = made("QIO_open_write_field", || unsafe {
                    QIO_open_write_field(w, *first, *last, data, name, &raw mut output, &raw mut status)
                });
                assert_eq!(new.is_null(), status != 0);
                if !new.is_null() {
                    self.open_records.push(new);
                }
                status
            }
            4 => coded("QIO_write_field_data", || unsafe {
                QIO_write_field_data(w, record, function, 1, data, word, arg, sum, bytes)
            }),
            5 => coded("QIO_write_record_info", || unsafe {
                QIO_write_record_info(w, i, data, word, string, first, last)
            }),
            6 => coded("QIO_write_record_data", || unsafe {
                QIO_write_record_data(w, i, function, data, word, arg, sum, bytes, first, last)
            }),
            7 => coded("QIO_generic_write", || unsafe {
                QIO_generic_write(w, i, string, function, data, word, arg, sum, bytes, first, last)
            }),
            _ => coded("QIO_write_checksum", || unsafe { QIO_write_checksum(w, sum) }),
        };
    }

    /// Single sites.
    pub(super) fn sites(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let (r, w) = (input.handle(&self.readers, others), input.handle(&self.writers, others));
        self.places.remove(&r.addr());
        let i = self.infos.last().copied().unwrap_or(ptr::null_mut());
        let (function, data, word, _) = Self::factory(input, self.described(i));
        let arg = ptr::without_provenance_mut(ARGUMENT);
        let site = input.number();
        let mut name: *mut c_char = ptr::null_mut();
        let (list, count) = Self::types(input);
        let mut bytes = 0;
        // The place of a checksum is used until the end of the field.
        let mut kept = Box::new(DmlChecksum { suma: 0, sumb: 0 });
        let sum: *mut DmlChecksum = if input.rarely(16) { ptr::null_mut() } else { &raw mut *kept };
        self.sums.push(kept);
        match input.below(7) {
            0 => coded("QIO_init_read_field", || unsafe {
                QIO_init_read_field(r, data, list.as_ptr(), count, sum, &raw mut name)
            }),
            1 => coded("QIO_seek_read_field_datum", || unsafe {
                QIO_seek_read_field_datum(r, site, function, 1, data, word, arg)
            }),
            2 => coded("QIO_close_read_field", || unsafe { QIO_close_read_field(r, &raw mut bytes) }),
            3 => coded("QIO_init_write_field", || unsafe {
                QIO_init_write_field(w, 1, 1, data, sum, TYPES[0].as_ptr())
            }),
            4 => {
                let function = function.map(|_| get as qio::factory::Function);
                coded("QIO_seek_write_field_datum", || unsafe {
                    QIO_seek_write_field_datum(w, site, function, 1, data, word, arg)
                })
            }
            5 => coded("QIO_close_write_field", || unsafe { QIO_close_write_field(w, &raw mut bytes) }),
            _ => coded("QIO_writer_insert_hypercube_data", || unsafe {
                QIO_writer_insert_hypercube_data(w, i)
            }),
        };
    }
}
