//! Strings, descriptions, documents and names.

use super::*;

impl Program {
    pub(super) fn new_info(&mut self, input: &mut Input<'_>) {
        if self.infos.len() > 16 {
            return;
        }
        let kind = input.near(0) as c_int;
        let mut lower = [0; 8].map(|_: c_int| input.near(0) as c_int);
        let mut upper = [0; 8].map(|_: c_int| input.near(1) as c_int);
        let count = input.near(4) as c_int;
        let mut texts = [input.text(), if input.rarely(2) { input.text() } else { b"F\0".to_vec() }];
        let [colors, spins] = [input.near(0) as c_int, input.near(0) as c_int];
        let [size, items] = [input.near(4) as c_int, input.near(1) as c_int];
        let texts = texts
            .each_mut()
            .map(|text| if input.rarely(32) { ptr::null_mut() } else { text.as_mut_ptr().cast() });
        let (lower, upper) = (lower.as_mut_ptr(), upper.as_mut_ptr());
        let [datatype, precision] = texts;
        let new = made("QIO_create_record_info", || unsafe {
            QIO_create_record_info(kind, lower, upper, count, datatype, precision, colors, spins, size, items)
        });
        if !new.is_null() {
            self.infos.push(new);
            self.live_infos.push(new);
        }
    }

    pub(super) fn strings(&mut self, input: &mut Input<'_>) {
        let (a, b, text) = (self.string(input), self.string(input), input.text());
        let text: *const c_char = if input.rarely(32) { ptr::null() } else { text.as_ptr().cast() };
        match input.below(9) {
            0 => {
                if self.strings.len() < 30 {
                    let new = made("QIO_string_create", || QIO_string_create());
                    self.strings.push(new);
                    self.live_strings.push(new);
                }
            }
            1 => silent("QIO_string_set", || unsafe { QIO_string_set(a, text) }),
            2 => silent("QIO_string_append", || unsafe { QIO_string_append(a, text) }),
            3 => silent("QIO_string_copy", || unsafe { QIO_string_copy(a, b) }),
            4 => {
                let length = input.number() as usize;
                // So much memory would be there, but not in this test.
                let length = if (1 << 20..1 << 47).contains(&length) { 1 << 20 } else { length };
                silent("QIO_string_realloc", || unsafe { QIO_string_realloc(a, length) });
            }
            5 => {
                let length = silent("QIO_string_length", || unsafe { QIO_string_length(a) });
                let pointer = silent("QIO_string_ptr", || unsafe { QIO_string_ptr(a) });
                assert!(pointer.is_null() == (length == 0));
                if length > 0 {
                    // SAFETY: so many bytes are there, and a program may change them.
                    unsafe { *pointer.add(length - 1) = input.byte() as c_char };
                }
            }
            6 => {
                // A text in the string itself.
                let pointer = silent("QIO_string_ptr", || unsafe { QIO_string_ptr(a) });
                let length = silent("QIO_string_bytes", || unsafe { QIO_string_bytes(a) });
                // SAFETY: so many bytes are there.
                let ends = !pointer.is_null() && unsafe { *pointer.add(length - 1) } == 0;
                if ends {
                    silent("QIO_string_append", || unsafe { QIO_string_append(a, pointer) });
                    // It has moved.
                    let pointer = silent("QIO_string_ptr", || unsafe { QIO_string_ptr(a) });
                    // SAFETY: the pointer is a text.
                    let next = unsafe { pointer.add(libc::strlen(pointer).min(1)) };
                    silent("QIO_string_set", || unsafe { QIO_string_set(a, next) });
                }
            }
            _ => {
                silent("QIO_string_destroy", || unsafe { QIO_string_destroy(a) });
                self.live_strings.retain(|it| *it != a);
            }
        }
    }

    pub(super) fn ask_info(&mut self, input: &mut Input<'_>) {
        let i = self.info(input);
        let other = self.info(input);
        coded("QIO_compare_record_info", || unsafe { QIO_compare_record_info(i, other) });
        let number = |name: &str, number: c_int| assert!(number >= -24, "{name}: {number}");
        number("colors", silent("QIO_get_colors", || unsafe { QIO_get_colors(i) }));
        number("spins", silent("QIO_get_spins", || unsafe { QIO_get_spins(i) }));
        number("type", silent("QIO_get_recordtype", || unsafe { QIO_get_recordtype(i) }));
        silent("QIO_get_typesize", || unsafe { QIO_get_typesize(i) });
        silent("QIO_get_datacount", || unsafe { QIO_get_datacount(i) });
        let texts = [
            silent("QIO_get_datatype", || unsafe { QIO_get_datatype(i) }),
            silent("QIO_get_precision", || unsafe { QIO_get_precision(i) }),
            silent("QIO_get_record_date", || unsafe { QIO_get_record_date(i) }),
        ];
        for text in texts.iter().filter(|text| !text.is_null()) {
            // SAFETY: it is a text.
            assert!(unsafe { libc::strlen(*text) } < 4096);
        }
        let bounds = [silent("QIO_get_hyperlower", || unsafe { QIO_get_hyperlower(i) }), unsafe {
            QIO_get_hyperupper(i)
        }];
        if input.rarely(4) && self.live_infos.contains(&i) {
            // A program may change what it sees.
            // SAFETY: both have 8 numbers; the texts are not empty memory.
            unsafe {
                *bounds[input.below(2)].add(input.below(8)) = input.number() as c_int;
                *texts[input.below(3)] = input.byte() as c_char;
            }
        }
    }

    pub(super) fn names(&mut self, input: &mut Input<'_>) {
        let text = input.text();
        let mut filesystem = Self::filesystem(input);
        let filesystem = filesystem.as_mut().map_or(ptr::null_mut(), ptr::from_mut);
        let (format, node) = (input.near(1) as c_int, input.number() as c_int);
        let names = [
            silent("QIO_filename_edit", || unsafe { QIO_filename_edit(text.as_ptr().cast(), format, node) }),
            silent("QIO_set_filepath", || unsafe {
                QIO_set_filepath(filesystem, text.as_ptr().cast(), node)
            }),
        ];
        for name in names {
            // SAFETY: it is of `malloc`, or null.
            unsafe { libc::free(name.cast()) };
        }
    }

    pub(super) fn documents(&mut self, input: &mut Input<'_>) {
        let string = self.string(input);
        let mut texts = [input.text(), input.text(), input.text()];
        let [a, b, c] = texts.each_mut().map(|text| text.as_mut_ptr().cast::<c_char>());
        let number = input.number() as c_int;
        if self.documents.len() < 8 {
            let is_lattice = input.rarely(2);
            let new = silent("a document", || unsafe {
                if is_lattice {
                    QIO_create_usqcd_lattice_info(a, b, c)
                } else {
                    QIO_create_usqcd_propfile_info(number, a)
                }
            });
            if !new.is_null() {
                self.documents.push((is_lattice, new));
            }
        }
        let Some((is_lattice, info)) = self.documents.last().copied() else { return };
        let is_lattice = is_lattice ^ input.rarely(16);
        silent("QIO_encode", || unsafe {
            if is_lattice {
                QIO_encode_usqcd_lattice_info(string, info);
            } else {
                QIO_encode_usqcd_propfile_info(string, info);
            }
        });
        if input.rarely(2) {
            let text = input.text();
            silent("QIO_string_append", || unsafe { QIO_string_append(string, text.as_ptr().cast()) });
        }
        silent("QIO_decode", || unsafe {
            if is_lattice {
                QIO_decode_usqcd_lattice_info(info, string)
            } else {
                QIO_decode_usqcd_propfile_info(info, string)
            }
        });
        let text = silent("QIO_get_plaq", || unsafe { QIO_get_plaq(info) });
        // SAFETY: it is a text.
        assert!(text.is_null() || unsafe { libc::strlen(text) } < 4096);
        silent("QIO_defined_plaq", || unsafe { QIO_defined_plaq(info) });
        silent("QIO_get_usqcd_propfile_type", || unsafe { QIO_get_usqcd_propfile_type(info) });
    }
}
