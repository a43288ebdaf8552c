//! Calls that read.

use super::*;

impl Program {
    pub(super) fn header(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let (mut letter, mut n, mut e, mut decode) = (0, 1, 2, c_int::from(!input.rarely(4)));
        let mut userstr = [0x20_u8; 59];
        let mut length = 0_usize;
        let wanted = decode;
        // One variable for two results is allowed, if the program does not need them.
        let shares = input.rarely(16);
        let places = (&raw mut letter, &raw mut n, if shares { &raw mut n } else { &raw mut e });
        let (text, how) = (userstr.as_mut_ptr(), input.rarely(2));
        let well = on_file(self, "scda_fread_section_header", f, input, |err| unsafe {
            if how {
                scda_fread_section_header(f, places.0, places.1, places.2, text.cast(), &raw mut decode, err)
            } else {
                scda_fread_section_header_n(
                    f,
                    places.0,
                    places.1,
                    places.2,
                    text.cast(),
                    &raw mut length,
                    &raw mut decode,
                    err,
                )
            }
        });
        if shares {
            e = n;
        }
        let Some(file) = self.file(f).filter(|_| well) else { return };
        if wanted == 0 || shares || how {
            file.reads = None;
        }
        let letter = letter as u8;
        if letter == 0 {
            if let (Some(name), sections) = (file.reads.take(), std::mem::take(&mut file.sections)) {
                self.compare(name, &sections);
            }
            return;
        }
        file.header = Some((letter, n, e));
        file.sections.push(Section { letter, userstr: userstr[..length].to_vec(), data: None });
    }

    /// The parts of all ranks: the first one has all.
    pub(super) fn table(ranks: usize, n: u64) -> Vec<u64> {
        let mut table = vec![0; ranks.max(4)];
        table[0] = n;
        table
    }

    /// Reads the data of the section, with the right call.
    pub(super) fn data(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let Some(file) = self.file(f) else { return self.wrong_data(f, input) };
        let Some((letter, n, e)) = file.header else { return self.wrong_data(f, input) };
        let (ranks, mut sizes) = (file.ranks, file.sizes.clone());
        let root = input.near(0) as c_int;
        match letter {
            b'I' => {
                let mut memory = Memory::new(32);
                let to: *mut c_void = memory.address();
                let well = on_file(self, "scda_fread_inline_data", f, input, |err| unsafe {
                    scda_fread_inline_data(f, to, root, err)
                });
                self.have_read(f, well, &memory, !to.is_null());
            }
            b'B' => {
                let length = input.near(e);
                let mut memory = Memory::new(length);
                let to: *mut c_void = memory.address();
                let well = on_file(self, "scda_fread_block_data", f, input, |err| unsafe {
                    scda_fread_block_data(f, to, length, root, err)
                });
                self.have_read(f, well, &memory, !to.is_null());
            }
            b'A' => {
                let (n, e) = (input.near(n), input.near(e));
                let table = Self::table(ranks, n);
                let mut memory = Memory::new(n.saturating_mul(e));
                let to: *mut c_void = memory.address();
                let mut pointers: Vec<*mut u8> = Vec::new();
                let is_indirect = input.rarely(4) && n < 4096 && memory.bytes().is_some();
                if is_indirect {
                    pointers.extend((0..n).map(|at| to.cast::<u8>().wrapping_add((at * e) as usize)));
                }
                let place = if is_indirect { pointers.as_mut_ptr().cast() } else { to };
                let well = on_file(self, "scda_fread_array_data", f, input, |err| unsafe {
                    scda_fread_array_data(f, place, table.as_ptr(), e, is_indirect.into(), err)
                });
                self.have_read(f, well, &memory, !place.is_null());
            }
            _ => {
                let table = Self::table(ranks, input.near(n));
                if !input.rarely(8) {
                    let mut memory = Memory::new(table[0].saturating_mul(8));
                    let to: *mut u64 = memory.address();
                    let well = on_file(self, "scda_fread_varray_sizes", f, input, |err| unsafe {
                        scda_fread_varray_sizes(f, to, table.as_ptr(), err)
                    });
                    if !well {
                        return;
                    }
                    sizes = memory.bytes().map_or_else(Vec::new, |bytes| {
                        let words = bytes.chunks_exact(8);
                        words.map(|word| u64::from_ne_bytes(word.try_into().expect("8 bytes"))).collect()
                    });
                    if to.is_null() || memory.bytes().is_none() {
                        return;
                    }
                    if let Some(file) = self.file(f) {
                        file.sizes = sizes.clone();
                    }
                }
                if sizes.len() as u64 != table[0] {
                    return;
                }
                if input.rarely(16) && !sizes.is_empty() {
                    let at = input.below(sizes.len());
                    sizes[at] = input.number();
                }
                let total = sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(*size));
                let sums = Self::table(ranks, input.near(total));
                let mut memory = Memory::new(total);
                let to: *mut c_void = memory.address();
                let well = on_file(self, "scda_fread_varray_data", f, input, |err| unsafe {
                    scda_fread_varray_data(f, to, table.as_ptr(), sizes.as_ptr(), sums.as_ptr(), 0, err)
                });
                self.have_read(f, well, &memory, !to.is_null());
            }
        }
    }

    pub(super) fn have_read(&mut self, f: *mut Context, well: bool, memory: &Memory, is_wanted: bool) {
        let Some(file) = self.file(f).filter(|_| well) else { return };
        file.header = None;
        if let (Some(section), Some(bytes), true) = (file.sections.last_mut(), memory.bytes(), is_wanted) {
            section.data = Some(bytes.to_vec());
        } else {
            file.reads = None;
        }
    }

    /// A call for data, whatever comes next.
    pub(super) fn wrong_data(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let root = input.number() as c_int;
        let mut room = [0_u64; 64];
        let to: *mut c_void = room.as_mut_ptr().cast();
        let table = [input.below(5) as u64; 4];
        let sizes = [input.below(5) as u64; 4];
        let sums = [table[0] * sizes[0]; 4];
        let how = input.below(5);
        let e = input.below(8) as u64;
        let well = on_file(self, "a call for data", f, input, |err| unsafe {
            match how {
                0 => scda_fread_inline_data(f, to, root, err),
                1 => scda_fread_block_data(f, to, table[0] * e, root, err),
                2 => scda_fread_array_data(f, to, table.as_ptr(), e, 0, err),
                3 => scda_fread_varray_sizes(f, to.cast(), table.as_ptr(), err),
                _ => scda_fread_varray_data(f, to, table.as_ptr(), sizes.as_ptr(), sums.as_ptr(), 0, err),
            }
        });
        if let (true, Some(file)) = (well, self.file(f)) {
            if how != 3 {
                file.header = None;
            }
            file.reads = None;
        }
    }

    /// Data that were read without an error are the data that `linkstream.h` reads.
    pub(super) fn compare(&mut self, name: &str, sections: &[Section]) {
        let path = self.scratch.path(name);
        let mut file: *mut Opened = ptr::null_mut();
        let code = unsafe { linkstream_open_path(path.as_ptr(), &raw mut file) };
        assert_eq!(code, 0, "{name}: {}", linkstream_c_border::last().message());
        let mut info: FileInfo = unsafe { std::mem::zeroed() };
        info.struct_size = size_of::<FileInfo>();
        assert_eq!(unsafe { linkstream_file_get(file, &raw mut info) }, 0);
        assert_eq!(info.sections, sections.len() as u64 + 1);
        for (index, section) in (1..).zip(sections) {
            let mut info: SectionInfo = unsafe { std::mem::zeroed() };
            info.struct_size = size_of::<SectionInfo>();
            assert_eq!(unsafe { linkstream_section_get(file, index, &raw mut info) }, 0);
            let user = info.user.map(|character| character as u8);
            let is_text = !section.userstr.contains(&0);
            assert_eq!(info.section_type, i32::from(section.letter));
            assert!(!is_text || user[..info.user_length as usize] == section.userstr);
            let data = section.data.as_ref().expect("data were read");
            assert_eq!(info.bytes, data.len() as u64);
            let mut room = vec![0; data.len()];
            let code = unsafe { linkstream_section_read(file, index, room.as_mut_ptr().cast(), room.len()) };
            assert!(code == 0 || code == 1, "section {index}: {}", linkstream_c_border::last().message());
            assert!(room == *data, "section {index} differs");
        }
        linkstream_file_close(file);
    }
}
