//! Calls that read files and report on them.

use super::*;

impl Program {
    /// A progress function tries to close the file that is read.
    pub(super) fn again_with_file(&self, file: *mut Opened) {
        if !self.live_files.contains(&file) {
            return;
        }
        set_again(Some(Box::new(move || {
            assert!(linkstream_file_close(file) < 0, "a file is closed while it is used");
            // SAFETY: zeros are a value of the structure.
            let mut info: FileInfo = unsafe { mem::zeroed() };
            info.struct_size = size_of::<FileInfo>();
            // SAFETY: the structure has its size.
            assert!(unsafe { linkstream_file_get(file, &raw mut info) } < 0);
        })));
    }

    pub(super) fn open(&mut self, input: &mut Input<'_>, in_memory: bool) {
        if self.files.len() > 12 {
            return;
        }
        let mut new = ptr::dangling_mut();
        let place = place(input, &mut new);
        let code = if in_memory {
            let length = input.near(input.file.len() as u64);
            // Only as many bytes as there are, or more than any memory has.
            let length = if length >= 1 << 63 { length } else { length.min(input.file.len() as u64) };
            let bytes = if input.rarely(64) { ptr::null() } else { input.file.as_ptr().cast() };
            answered("linkstream_open_memory", || unsafe {
                linkstream_open_memory(bytes, length as usize, place)
            })
        } else {
            let (path, _) = self.path(input);
            let path = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
            answered("linkstream_open_path", || unsafe { linkstream_open_path(path, place) })
        };
        if !place.is_null() {
            assert_eq!(code == 0, !new.is_null());
            if code == 0 {
                self.files.push(new);
                self.live_files.push(new);
            }
        }
    }

    pub(super) fn field(file: *mut Opened, index: u64) -> Option<FieldInfo> {
        // SAFETY: zeros are a value of the structure.
        let mut info: FieldInfo = unsafe { mem::zeroed() };
        info.struct_size = size_of::<FieldInfo>();
        // SAFETY: the structure has its size.
        (unsafe { linkstream_field_get(file, index, &raw mut info) } == 0).then_some(info)
    }

    pub(super) fn read_field(&mut self, file: *mut Opened, input: &mut Input<'_>) {
        let index = input.number();
        let about = Self::field(file, index);
        let mut read = sized::<Read>(input);
        read.element = input.near(0) as i32;
        let bytes = about.as_ref().map_or(64, |about| match (about.element, read.element) {
            (1, 2) => about.numbers.saturating_mul(8),
            (2, 1) => about.numbers.saturating_mul(4),
            _ => about.bytes,
        });
        let bytes = match input.byte() {
            ..=159 => bytes,
            160..=239 => {
                // A time slice.
                (read.first_slice, read.slices) = (input.below(4) as u64, 1 + input.below(2) as u64);
                let last = about.as_ref().and_then(|about| about.extents[..about.dimensions as usize].last());
                bytes / u64::from(*last.unwrap_or(&1)).max(1) * read.slices
            }
            _ => {
                (read.first_slice, read.slices) = (input.number(), input.number());
                bytes
            }
        };
        (read.progress, read.context) = progress_of(input);
        let size = input.near(bytes);
        let mut memory = Memory::new(size);
        let out: *mut c_void = if input.rarely(64) { ptr::null_mut() } else { memory.address() };
        let options = if read.slices == 0 && input.rarely(8) { ptr::null() } else { &raw const read };
        self.again_with_file(file);
        let code = answered("linkstream_field_read", || unsafe {
            linkstream_field_read(file, index, options, out, size as usize)
        });
        set_again(None);
        let (Some(first), Some(about)) = (memory.bytes().filter(|_| code == 0 || code == 1), about) else {
            return;
        };
        if out.is_null() {
            return;
        }
        // Verified data are verified again, with the same bytes in pieces.
        let verified = unsafe { linkstream_field_verify(file, index, None, ptr::null_mut()) };
        if code == 0 {
            assert_eq!(verified, 0, "data that were verified are not");
        }
        if read.slices == 0 && about.dimensions > 0 && about.lattice_axes > 0 && !options.is_null() {
            let count = u64::from(about.extents[about.dimensions as usize - 1]);
            let part = first.len() / count as usize;
            (read.progress, read.slices) = (None, 1);
            for slice in 0..count.min(4) {
                read.first_slice = slice;
                let mut memory = Memory::new(part as u64);
                let out = memory.address();
                let again = unsafe { linkstream_field_read(file, index, &raw const read, out, part) };
                let message = linkstream_c_border::last().message();
                assert!(again == 0 || again == 1, "slice {slice}: {again}: {message}");
                let start = slice as usize * part;
                assert!(memory.bytes() == Some(&first[start..start + part]), "slice {slice} differs");
            }
        }
    }

    pub(super) fn read_record(&mut self, file: *mut Opened, input: &mut Input<'_>) {
        let index = input.number();
        let about: Option<RecordInfo> =
            filled("linkstream_record_get", input, |it| unsafe { linkstream_record_get(file, index, it) });
        let size = input.near(about.as_ref().map_or(8, |about| about.bytes));
        let mut memory = Memory::new(size);
        let out: *mut c_void = memory.address();
        let code = answered("linkstream_record_read", || unsafe {
            linkstream_record_read(file, index, out, size as usize)
        });
        if let (Some(bytes), Some(about), 1) = (memory.bytes(), about, code) {
            let start = about.offset as usize + 144;
            // Other files have been written by this program.
            let expected = input.file.get(start..start + bytes.len());
            assert!(self.writers.len() + 1 > 1 || expected == Some(bytes));
        }
    }

    pub(super) fn read_section(&mut self, file: *mut Opened, input: &mut Input<'_>) {
        let index = input.number();
        let about: Option<SectionInfo> =
            filled("linkstream_section_get", input, |it| unsafe { linkstream_section_get(file, index, it) });
        let size = input.near(about.as_ref().map_or(8, |about| about.bytes));
        let mut memory = Memory::new(size);
        let out: *mut c_void = memory.address();
        answered("linkstream_section_read", || unsafe {
            linkstream_section_read(file, index, out, size as usize)
        });
        let count = input.near(about.as_ref().map_or(3, |about| about.elements));
        let mut memory = Memory::new(count.saturating_mul(8));
        let out: *mut u64 = memory.address();
        let code = answered("linkstream_section_sizes", || unsafe {
            linkstream_section_sizes(file, index, out, count as usize)
        });
        if let (0, Some(about), Some(sizes)) = (code, about, memory.bytes()) {
            let sum = sizes
                .chunks_exact(8)
                .map(|word| u64::from_ne_bytes(word.try_into().expect("8 bytes")))
                .sum::<u64>();
            assert_eq!(sum, about.bytes, "the sizes of the elements");
        }
    }

    pub(super) fn read_matrix(&mut self, file: *mut Opened, input: &mut Input<'_>) {
        let about: Option<MatrixInfo> =
            filled("linkstream_matrix_get", input, |it| unsafe { linkstream_matrix_get(file, it) });
        let size = input.near(about.as_ref().map_or(8, |about| about.bytes));
        let mut memory = Memory::new(size);
        let out: *mut c_void = memory.address();
        answered("linkstream_matrix_read", || unsafe { linkstream_matrix_read(file, out, size as usize) });
    }

    pub(super) fn check(&mut self, input: &mut Input<'_>, in_memory: bool) {
        if self.reports.len() > 8 {
            return;
        }
        let mut options = sized::<Check>(input);
        options.flags = input.near(0) as u32;
        (options.progress, options.context) = progress_of(input);
        let options = if input.rarely(4) { ptr::null() } else { &raw const options };
        let mut new = ptr::dangling_mut();
        let place = place(input, &mut new);
        let others = self.others();
        set_again(Some(Box::new(move || {
            for other in &others {
                silent("linkstream_report_json", || linkstream_report_json(other.cast()));
            }
        })));
        let code = if in_memory {
            let bytes = input.file.as_ptr().cast();
            let name = if input.rarely(64) { ptr::null() } else { c"name".as_ptr() };
            answered("linkstream_check_memory", || unsafe {
                linkstream_check_memory(bytes, input.file.len(), name, options, place)
            })
        } else {
            let (path, _) = self.path(input);
            let path = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
            answered("linkstream_check_path", || unsafe { linkstream_check_path(path, options, place) })
        };
        set_again(None);
        if !place.is_null() {
            assert_eq!(code == 0, !new.is_null());
            if code == 0 {
                self.reports.push(new);
                self.live_reports.push(new);
            }
        }
    }

    pub(super) fn ask_report(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let report = input.handle(&self.reports, others);
        let about: Option<ReportInfo> =
            filled("linkstream_report_get", input, |it| unsafe { linkstream_report_get(report, it) });
        let index = input.number();
        filled("linkstream_report_finding", input, |it| unsafe {
            linkstream_report_finding(report, index, it)
        });
        let is_null = |text: &*const c_char| text.is_null();
        let json = call("linkstream_report_json", is_null, || linkstream_report_json(report));
        if let (Some(about), false) = (about, json.is_null()) {
            // SAFETY: the text is valid until the report is closed.
            assert_eq!(unsafe { libc::strlen(json) } as u64, about.json_length);
        }
    }
}
