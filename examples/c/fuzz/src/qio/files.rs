//! Opening, reading, writing and converting files.

use super::*;

impl Program {
    pub(super) fn open_read(&mut self, input: &mut Input<'_>) {
        if self.readers.len() > 8 {
            return;
        }
        let (path, name) = self.path(input);
        let path = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
        let (layout, filesystem) = (self.layout(input), Self::filesystem(input));
        let filesystem = filesystem.as_ref().map_or(ptr::null(), ptr::from_ref);
        let flag = QioIflag { serpar: input.near(0) as c_int, volfmt: input.near(u64::MAX) as c_int };
        let flag = if input.rarely(2) { &raw const flag } else { ptr::null() };
        let string = self.string(input);
        let is_master = input.rarely(8);
        let new = made("QIO_open_read", || unsafe {
            if is_master {
                QIO_open_read_master(path, layout, flag, Some(io_node), Some(master_io_node))
            } else {
                QIO_open_read(string, path, layout, filesystem, flag)
            }
        });
        if !new.is_null() {
            self.readers.push(new);
            self.live_readers.push(new);
            if name == 0 && !is_master && self.writers.is_empty() {
                self.places.insert(new.addr(), 0);
            } else {
                self.places.remove(&new.addr());
            }
        }
    }

    pub(super) fn open_write(&mut self, input: &mut Input<'_>) {
        if self.writers.len() > 6 {
            return;
        }
        let (path, _) = self.path(input);
        let path = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
        let format = input.near(0) as c_int;
        let (layout, filesystem) = (self.layout(input), Self::filesystem(input));
        let filesystem = filesystem.as_ref().map_or(ptr::null(), ptr::from_ref);
        let flag = QioOflag {
            serpar: 0,
            mode: input.near(1) as c_int,
            ildgstyle: input.near(0) as c_int,
            ildgLFN: self.string(input),
        };
        let flag = if input.rarely(2) { &raw const flag } else { ptr::null() };
        let string = self.string(input);
        let is_generic = input.rarely(8);
        let new = made("QIO_open_write", || unsafe {
            if is_generic {
                QIO_generic_open_write(path, format, layout, flag, Some(io_node), Some(master_io_node))
            } else {
                QIO_open_write(string, path, format, layout, filesystem, flag)
            }
        });
        if !new.is_null() {
            self.writers.push(new);
            self.live_writers.push(new);
        }
        self.places.clear();
    }

    pub(super) fn close_read(&mut self, r: *mut Reader) {
        coded("QIO_close_read", || QIO_close_read(r));
        self.live_readers.retain(|it| *it != r);
        self.places.remove(&r.addr());
    }

    pub(super) fn close_write(&mut self, w: *mut Writer) {
        coded("QIO_close_write", || QIO_close_write(w));
        self.live_writers.retain(|it| *it != w);
    }

    pub(super) fn read(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let i = self.info(input);
        let string = self.string(input);
        // A program asks for the documents first, to know the size.
        if input.rarely(4) {
            coded("QIO_read_record_info", || unsafe { QIO_read_record_info(r, i, string) });
        } else {
            silent("QIO_read_record_info", || unsafe { QIO_read_record_info(r, i, string) });
        }
        let (function, size, word, _) = Self::factory(input, self.described(i));
        let arg = ptr::without_provenance_mut(ARGUMENT);
        let code = coded("QIO_read", || unsafe { QIO_read(r, i, string, function, size, word, arg) });
        self.have_read(r, i, code, word);
    }

    pub(super) fn have_read(&mut self, r: *mut Reader, i: *mut RecordInfo, code: c_int, word: c_int) {
        let Some(place) = self.places.get(&r.addr()).copied() else { return };
        if code != 0 {
            self.places.remove(&r.addr());
            return;
        }
        self.places.insert(r.addr(), place + 1);
        // SAFETY: the description is filled.
        let kind = unsafe { QIO_get_recordtype(i) };
        let (size, right) = self.described(i);
        let got = LATTICE.with_borrow(|lattice| lattice.got.clone());
        let is_plain = LATTICE.with_borrow(|lattice| lattice.nodes == 1 && lattice.choices.is_empty());
        if kind == 2 || !is_plain || word != right || right == 1 {
            return;
        }
        self.compare(place, &got, size);
    }

    /// Data that were read without an error are the data that `linkstream.h` reads.
    pub(super) fn compare(&self, place: u64, got: &BTreeMap<usize, Vec<u8>>, size: usize) {
        let path = self.scratch.path("input");
        let mut file: *mut Opened = ptr::null_mut();
        // SAFETY: the path is a C string. Something else in the file may be wrong.
        if unsafe { linkstream_open_path(path.as_ptr(), &raw mut file) } != 0 {
            return;
        }
        // SAFETY: zeros are a value of the structure.
        let mut about: FieldInfo = unsafe { mem::zeroed() };
        about.struct_size = size_of::<FieldInfo>();
        // SAFETY: the structure has its size.
        let found = unsafe { linkstream_field_get(file, place, &raw mut about) };
        if found == 0 && about.bytes == (size * got.len()) as u64 && about.sites == got.len() as u64 {
            let mut room = vec![0_u64; (about.bytes as usize).div_ceil(8)];
            let out: *mut c_void = room.as_mut_ptr().cast();
            // SAFETY: there is room for all bytes.
            let code = unsafe { linkstream_field_read(file, place, ptr::null(), out, about.bytes as usize) };
            let message = linkstream_c_border::last().message();
            assert!(code == 0 || code == 1, "field {place} was read: {code}, {message}");
            // SAFETY: all bytes.
            let bytes = unsafe { std::slice::from_raw_parts(out.cast::<u8>(), about.bytes as usize) };
            for (index, site) in got {
                let same = bytes[index * size..][..size] == site[..];
                assert!(same || about.element > 3, "field {place}: site {index} differs");
            }
        }
        linkstream_file_close(file);
    }

    pub(super) fn read_info(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let i = self.info(input);
        let string = self.string(input);
        match input.below(5) {
            0 => coded("QIO_read_record_info", || unsafe { QIO_read_record_info(r, i, string) }),
            1 => coded("QIO_read_private_record_info", || unsafe { QIO_read_private_record_info(r, i) }),
            2 => coded("QIO_read_user_record_info", || unsafe { QIO_read_user_record_info(r, string) }),
            3 => coded("QIO_read_ILDG_LFN", || QIO_read_ILDG_LFN(r)),
            _ => {
                silent("QIO_set_record_info", || unsafe { QIO_set_record_info(r, i) });
                0
            }
        };
    }

    pub(super) fn read_data(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let i = self.info(input);
        let (function, size, word, _) = Self::factory(input, self.described(i));
        let arg = ptr::without_provenance_mut(ARGUMENT);
        let code =
            coded("QIO_read_record_data", || unsafe { QIO_read_record_data(r, function, size, word, arg) });
        match self.places.get_mut(&r.addr()) {
            Some(place) if code == 0 => *place += 1,
            _ => _ = self.places.remove(&r.addr()),
        }
    }

    pub(super) fn write(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let i = self.info(input);
        let string = self.string(input);
        let (function, size, word, _) = Self::factory(input, self.described(i));
        let function = function.map(|_| get as qio::factory::Function);
        let arg = ptr::without_provenance_mut(ARGUMENT);
        coded("QIO_write", || unsafe { QIO_write(w, i, string, function, size, word, arg) });
    }

    pub(super) fn ask_reader(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let exists = self.live_readers.contains(&r);
        let dimensions = silent("QIO_get_reader_latdim", || QIO_get_reader_latdim(r));
        let sizes = silent("QIO_get_reader_latsize", || QIO_get_reader_latsize(r));
        assert_eq!(exists, !sizes.is_null());
        if exists {
            // SAFETY: a number for each dimension.
            assert!(
                unsafe { std::slice::from_raw_parts(sizes, dimensions as usize) }.iter().all(|it| *it > 0)
            );
        }
        silent("QIO_get_reader_last_checksuma", || QIO_get_reader_last_checksuma(r));
        silent("QIO_get_reader_last_checksumb", || QIO_get_reader_last_checksumb(r));
        let lfn = silent("QIO_get_ILDG_LFN", || QIO_get_ILDG_LFN(r));
        // SAFETY: it is a text.
        assert!(lfn.is_null() || unsafe { libc::strlen(lfn) } < 1 << 20);
        silent("QIO_get_ildgstyle", || QIO_get_ildgstyle(r));
        silent("QIO_get_reader_volfmt", || QIO_get_reader_volfmt(r));
        silent("QIO_get_reader_format", || QIO_get_reader_format(r));
        let at = silent("QIO_get_reader_pointer", || QIO_get_reader_pointer(r));
        if input.rarely(4) {
            let at = input.near(at as u64) as i64;
            coded("QIO_set_reader_pointer", || QIO_set_reader_pointer(r, at));
            self.places.remove(&r.addr());
        }
        if input.rarely(8) {
            silent("QIO_suppress_global_broadcast", || QIO_suppress_global_broadcast(r));
        }
        if input.rarely(4) {
            coded("QIO_read_check_sitelist", || QIO_read_check_sitelist(r));
            let string = self.string(input);
            coded("QIO_read_user_file_xml", || unsafe { QIO_read_user_file_xml(string, r) });
        }
    }

    pub(super) fn convert(&mut self, input: &mut Input<'_>) {
        let (path, _) = self.path(input);
        let path = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
        let (layout, filesystem) = (self.layout(input), Self::filesystem(input));
        let filesystem = filesystem.as_ref().map_or(ptr::null(), ptr::from_ref);
        let (format, string) = (input.near(2) as c_int, self.string(input));
        self.places.clear();
        if input.rarely(2) {
            coded("QIO_single_to_part", || unsafe { QIO_single_to_part(path, filesystem, layout, format) });
        } else {
            coded("QIO_part_to_single", || unsafe {
                QIO_part_to_single(path, format & 1, string, filesystem, layout)
            });
        }
    }

    pub(super) fn record_calls(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        silent("QIO_get_writer_last_checksuma", || QIO_get_writer_last_checksuma(w));
        silent("QIO_get_writer_last_checksumb", || QIO_get_writer_last_checksumb(w));
        let flag =
            QioOflag { serpar: 0, mode: 1, ildgstyle: input.near(0) as c_int, ildgLFN: self.string(input) };
        let flag = if input.rarely(8) { ptr::null() } else { &raw const flag };
        silent("QIO_reset_writer_ILDG_flags", || unsafe { QIO_reset_writer_ILDG_flags(w, flag) });
        let string = self.string(input);
        if input.rarely(4) {
            coded("QIO_write_file_header", || unsafe { QIO_write_file_header(w, string) });
        }
    }
}
