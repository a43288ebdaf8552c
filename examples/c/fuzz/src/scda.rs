//! Programs of calls of libscda.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

use linkstream_c::calls::{
    linkstream_file_close, linkstream_file_get, linkstream_open_path, linkstream_section_get,
    linkstream_section_read,
};
use linkstream_c::opened::Opened;
use linkstream_c::structures::{FileInfo, SectionInfo};
use linkstream_c_ranks::Callbacks;
use scda::*;

use crate::comm;
use crate::input::Input;
use crate::memory::Memory;
use crate::scratch::{Scratch, fixture};
use crate::watch::{call, silent};

/// Options of `scda.h`.
#[repr(C)]
#[derive(Debug)]
struct RawOptions {
    struct_size: usize,
    release: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    vendor: *const c_char,
    style: c_int,
    level: c_int,
    strict: c_int,
}

/// A section that a reader has returned.
#[derive(Debug, Default)]
struct Section {
    letter: u8,
    userstr: Vec<u8>,
    data: Option<Vec<u8>>,
}

/// An open file.
#[derive(Debug)]
struct File {
    handle: *mut Context,
    /// Number of ranks.
    ranks: usize,
    /// Name of the file that is read, as long as all has been read.
    reads: Option<&'static str>,
    /// Type, N, E of the section whose data are next.
    header: Option<(u8, u64, u64)>,
    sizes: Vec<u64>,
    sections: Vec<Section>,
}

#[derive(Debug, Default)]
struct Program {
    files: Vec<File>,
    handles: Vec<*mut Context>,
    scratch: Scratch,
}

unsafe extern "C" fn release(_: *mut c_void, usable: c_int) {
    assert!((0..=1).contains(&usable));
    comm::again();
}

/// Number of functions of a program.
const FUNCTIONS: usize = 14;
const NAMES: [&str; 3] = ["input", "a", "b"];

/// Runs a call on an open file, which sets an error and returns the file, or null.
fn on_file(
    program: &mut Program,
    name: &str,
    f: *mut Context,
    input: &mut Input<'_>,
    function: impl FnOnce(*mut c_int) -> *mut Context,
) -> bool {
    let mut err = 77;
    let place = if input.rarely(64) { ptr::null_mut() } else { &raw mut err };
    let again = f;
    comm::set_again(Some(Box::new(move || {
        let mut err = 0;
        unsafe { scda_fskip(again, &raw mut err) };
        assert_ne!(err, 0, "a file can be used from inside a call that uses it");
    })));
    let found = call(name, |found: &*mut Context| found.is_null(), || function(place));
    comm::set_again(None);
    assert!(found.is_null() || found == f, "another file");
    assert_eq!(found.is_null(), err != 0 || place.is_null(), "{name}: {err}");
    assert_ne!(err, 390);
    if found.is_null() {
        program.files.retain(|file| file.handle != f);
    }
    !found.is_null()
}

impl Program {
    fn others(&self) -> Vec<*mut c_void> {
        vec![
            ptr::without_provenance_mut(8),
            ptr::without_provenance_mut(3),
            ptr::from_ref(self).cast_mut().cast(),
        ]
    }

    fn file(&mut self, handle: *mut Context) -> Option<&mut File> {
        self.files.iter_mut().find(|file| file.handle == handle)
    }

    fn step(&mut self, function: usize, input: &mut Input<'_>) {
        let others = self.others();
        if function == 0 {
            return self.open(input);
        }
        let f = input.handle(&self.handles, &others);
        match function {
            1 => self.close(f, input),
            2 => self.header(f, input),
            3 | 4 => self.data(f, input),
            5 => {
                let well = on_file(self, "scda_fskip", f, input, |err| unsafe { scda_fskip(f, err) });
                if let (true, Some(file)) = (well, self.file(f)) {
                    (file.header, file.reads) = (None, None);
                }
            }
            6 => self.write_inline(f, input),
            7 => self.write_block(f, input),
            8 | 9 => self.write_array(f, input),
            10 | 11 => self.write_varray(f, input),
            12 => {
                let code = input.near(300) as c_int;
                let length = input.near(100);
                let mut memory = Memory::new(length.min(4096));
                let mut number = length.min(4096) as c_int;
                let text: *mut c_char = if input.rarely(32) { ptr::null_mut() } else { memory.address() };
                let place = if input.rarely(32) { ptr::null_mut() } else { &raw mut number };
                silent("scda_ferror_string", || unsafe { scda_ferror_string(code, text, place) });
                assert!(number <= length.min(4096) as c_int);
            }
            _ => {
                // Data of another type than the section.
                self.wrong_data(f, input);
            }
        }
    }

    fn open(&mut self, input: &mut Input<'_>) {
        if self.handles.len() > 12 {
            return;
        }
        let mode = [b'r', b'w', b'a', 0][input.below(4)] as c_char;
        let (name, path) = match input.below(8) {
            3 => ("", self.scratch.path("")),
            4 => ("", self.scratch.path("none/none")),
            5 => ("", CString::new("/dev/full").expect("no zero byte")),
            at => (NAMES[at % 3], self.scratch.path(NAMES[at % 3])),
        };
        let path_pointer = if input.rarely(64) { ptr::null() } else { path.as_ptr() };
        let ranks = match input.byte() {
            ..=199 => 0,
            byte => usize::from(byte) % 4,
        };
        let mut structure: Callbacks = comm::callbacks(ranks, Vec::new());
        if ranks > 0 {
            let number = input.below(24);
            let choices = (0..number).map(|_| input.byte()).rev().collect();
            structure = comm::callbacks(ranks, choices);
            if input.rarely(16) {
                structure.struct_size = input.number() as usize;
            }
        }
        let comm = if ranks == 0 { ptr::null() } else { &raw const structure };
        let mut room = [0x20_u8; 59];
        let length_of_text = input.below(80).min(59);
        for byte in &mut room[..length_of_text] {
            *byte = input.byte();
        }
        if length_of_text < 59 {
            room[length_of_text] = 0;
        }
        let mut length = input.near(length_of_text as u64).min(1 << 40) as usize;
        if length <= 58 {
            length = length.min(length_of_text);
        }
        let vendor = CString::new(vec![b'v'; input.below(64)]).expect("no zero byte");
        let options = RawOptions {
            struct_size: input.near(size_of::<RawOptions>() as u64) as usize,
            release: (!input.rarely(4)).then_some(release),
            vendor: if input.rarely(2) { vendor.as_ptr() } else { ptr::null() },
            style: input.below(3) as c_int,
            level: input.below(14) as c_int - 1,
            strict: c_int::from(input.rarely(4)),
        };
        let mut err = 77;
        let place = if input.rarely(64) { ptr::null_mut() } else { &raw mut err };
        let how = input.below(4);
        let is_null = |new: &*mut Context| new.is_null();
        let handle = call("scda_fopen", is_null, || unsafe {
            match how {
                0 => scda_fopen_with(
                    comm,
                    (&raw const options).cast(),
                    path_pointer,
                    mode,
                    room.as_mut_ptr().cast(),
                    &raw mut length,
                    place,
                ),
                1 => scda_fopen_comm(comm, path_pointer, mode, room.as_mut_ptr().cast(), place),
                2 => scda_fopen(0x5cda_0001, path_pointer, mode, room.as_mut_ptr().cast(), place),
                _ => scda_fopen_with(
                    comm,
                    ptr::null(),
                    path_pointer,
                    mode,
                    ptr::null_mut(),
                    ptr::null_mut(),
                    place,
                ),
            }
        });
        assert_eq!(handle.is_null(), err != 0);
        if !handle.is_null() {
            let ranks = ranks.max(1) * usize::from(how != 2) + usize::from(how == 2);
            let reads = (mode == b'r' as c_char && ranks == 1 && !name.is_empty()).then_some(name);
            if mode == b'w' as c_char {
                for file in &mut self.files {
                    // It may be the same file.
                    file.reads = None;
                }
            }
            let (header, sizes, sections) = (None, Vec::new(), Vec::new());
            let is_written = self.files.iter().any(|file| file.reads.is_none());
            self.files.push(File {
                handle,
                ranks,
                reads: reads.filter(|_| !is_written),
                header,
                sizes,
                sections,
            });
            self.handles.push(handle);
        }
    }

    fn close(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let mut err = 77;
        let place = if input.rarely(64) { ptr::null_mut() } else { &raw mut err };
        let again = f;
        comm::set_again(Some(Box::new(move || {
            let mut err = 0;
            unsafe { scda_fclose(again, &raw mut err) };
            assert_ne!(err, 0, "a file is closed twice");
        })));
        let code = call("scda_fclose", |code| *code != 0, || unsafe { scda_fclose(f, place) });
        comm::set_again(None);
        assert!(place.is_null() || (code != 0) == (err != 0));
        self.files.retain(|file| file.handle != f);
    }

    fn header(&mut self, f: *mut Context, input: &mut Input<'_>) {
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
    fn table(ranks: usize, n: u64) -> Vec<u64> {
        let mut table = vec![0; ranks.max(4)];
        table[0] = n;
        table
    }

    /// Reads the data of the section, with the right call.
    fn data(&mut self, f: *mut Context, input: &mut Input<'_>) {
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

    fn have_read(&mut self, f: *mut Context, well: bool, memory: &Memory, is_wanted: bool) {
        let Some(file) = self.file(f).filter(|_| well) else { return };
        file.header = None;
        if let (Some(section), Some(bytes), true) = (file.sections.last_mut(), memory.bytes(), is_wanted) {
            section.data = Some(bytes.to_vec());
        } else {
            file.reads = None;
        }
    }

    /// A call for data, whatever comes next.
    fn wrong_data(&mut self, f: *mut Context, input: &mut Input<'_>) {
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
    fn compare(&mut self, name: &str, sections: &[Section]) {
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

    fn userstr(input: &mut Input<'_>) -> (Vec<u8>, usize) {
        let mut text = input.text();
        let length = input.near(text.len() as u64 - 1).min(1 << 50) as usize;
        let length = if length <= 58 { length.min(text.len()) } else { length };
        text.truncate(80);
        if text.last() != Some(&0) {
            text.push(0);
        }
        (text, length)
    }

    fn write_inline(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let mut data = Memory::new(32);
        let (text, length) = Self::userstr(input);
        let root = input.near(0) as c_int;
        let from: *const c_void = if input.rarely(32) { ptr::null() } else { data.address() };
        let how = input.rarely(2);
        on_file(self, "scda_fwrite_inline", f, input, |err| unsafe {
            if how {
                scda_fwrite_inline(f, from, text.as_ptr().cast(), root, err)
            } else {
                scda_fwrite_inline_n(f, from, text.as_ptr().cast(), length, root, err)
            }
        });
    }

    fn write_block(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let e = input.number();
        let mut data = Memory::new(e.min(1 << 12));
        let (text, length) = Self::userstr(input);
        let (root, encode) = (input.near(0) as c_int, c_int::from(input.rarely(2)));
        // There is no memory of larger sizes, and a null pointer is one for it.
        let from: *const c_void = if e > 1 << 12 { ptr::null() } else { data.address() };
        let how = input.rarely(2);
        on_file(self, "scda_fwrite_block", f, input, |err| unsafe {
            if how {
                scda_fwrite_block(f, from, e, text.as_ptr().cast(), root, encode, err)
            } else {
                scda_fwrite_block_n(f, from, e, text.as_ptr().cast(), length, root, encode, err)
            }
        });
    }

    fn write_array(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let ranks = self.file(f).map_or(1, |file| file.ranks);
        let (n, e) = (input.number(), input.number());
        let mut table = Self::table(ranks, n);
        if input.rarely(8) {
            table[1] = input.number();
        }
        let total = n.saturating_mul(e);
        let mut data = Memory::new(total.min(1 << 14));
        let is_indirect = input.rarely(4) && n < 512 && total <= 1 << 14;
        let base: *mut u8 = data.address();
        let mut pointers: Vec<*mut u8> = Vec::new();
        if is_indirect {
            pointers.extend((0..n).map(|at| base.wrapping_add((at * e) as usize)));
            if input.rarely(8) && !pointers.is_empty() {
                let at = input.below(pointers.len());
                pointers[at] = ptr::null_mut();
            }
        }
        let from: *const c_void = match (is_indirect, total > 1 << 14) {
            (true, _) => pointers.as_ptr().cast(),
            (_, true) => ptr::null(),
            _ => base.cast(),
        };
        let table: *const u64 = if input.rarely(32) { ptr::null() } else { table.as_ptr() };
        let encode = c_int::from(input.rarely(2));
        let (text, length) = Self::userstr(input);
        let how = input.rarely(2);
        on_file(self, "scda_fwrite_array", f, input, |err| unsafe {
            let text = text.as_ptr();
            if how {
                scda_fwrite_array(f, from, table, e, is_indirect.into(), text.cast(), encode, err)
            } else {
                scda_fwrite_array_n(f, from, table, e, is_indirect.into(), text.cast(), length, encode, err)
            }
        });
    }

    fn write_varray(&mut self, f: *mut Context, input: &mut Input<'_>) {
        let ranks = self.file(f).map_or(1, |file| file.ranks);
        let n = input.number();
        // A null pointer for more sizes than there can be.
        let sizes: Vec<u64> = (0..n.min(64)).map(|_| input.number()).collect();
        let total = sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(*size));
        let (table, sums) = (Self::table(ranks, n), Self::table(ranks, input.near(total)));
        let sizes: *const u64 = if n > 64 { ptr::null() } else { sizes.as_ptr() };
        let mut data = Memory::new(total.min(1 << 14));
        let from: *const c_void = if total > 1 << 14 { ptr::null() } else { data.address() };
        let encode = c_int::from(input.rarely(2));
        let (text, length) = Self::userstr(input);
        let how = input.rarely(2);
        on_file(self, "scda_fwrite_varray", f, input, |err| unsafe {
            let (text, table, sums) = (text.as_ptr().cast(), table.as_ptr(), sums.as_ptr());
            if how {
                scda_fwrite_varray(f, from, table, sizes, sums, 0, text, encode, err)
            } else {
                scda_fwrite_varray_n(f, from, table, sizes, sums, 0, text.cast(), length, encode, err)
            }
        });
    }
}

/// Runs a program.
pub fn check(input: &[u8]) {
    let mut input = Input::new(input);
    if input.file.len() > 1 << 14 {
        return;
    }
    let mut program = Program::default();
    program.scratch.put("input", input.file);
    for _ in 0..Input::CALLS {
        let Some(function) = input.function(FUNCTIONS) else { break };
        program.step(function, &mut input);
    }
    // After the end of the program, all goes well.
    for file in std::mem::take(&mut program.files) {
        let mut err = 0;
        comm::callbacks(file.ranks, Vec::new());
        call("scda_fclose", |code| *code != 0, || unsafe { scda_fclose(file.handle, &raw mut err) });
    }
}

/// Programs whose calls all succeed, and some whose calls fail.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let (header, data, skip, close) = (&[2][..], &[3][..], &[5][..], &[1][..]);
    let read = |name: u8| {
        let open = [0, 0, name];
        let mut calls = vec![&open[..]];
        calls.extend([header, data].repeat(8));
        calls.extend([header, close]);
        Input::program(&calls)
    };
    // Text, and whether to encode.
    let text: &[u8] = &[1, b'a', 0];
    let block = [&[7, 0, 50][..], text, &[0, 1]].concat();
    let array = [&[8, 0, 5, 7, 0, 0, 0, 1], text].concat();
    let stored = [&[8, 0, 5, 7, 0, 3, 0, 0], text].concat();
    let varray = [&[10, 0, 3, 5, 0, 9, 0, 1], text].concat();
    let inline = [&[6, 0][..], text].concat();
    let create = [0, 1, 1];
    let mut write = Input::program(&[&create, &inline, &block, &array, &stored, &varray, close]);
    write.extend(read(1));
    let parallel = |choices: &[u8]| {
        let create = [&[0, 1, 1, 0, 202, choices.len() as u8][..], choices].concat();
        Input::program(&[&create, &block, &array, close])
    };
    let skips = Input::program(&[&[0], header, skip, header, skip, header, &[13, 0, 0, 0, 0, 0, 3], close]);
    // One variable for the number and the size of the elements.
    let one_place = Input::program(&[&[0], &[2, 0, 0, 15], skip, &[2, 0, 0, 15], skip, close]);
    let mut seeds = vec![
        ("write-and-read".to_owned(), Input::join(&write, b"")),
        ("ranks".to_owned(), Input::join(&parallel(&[]), b"")),
        ("ranks-again".to_owned(), Input::join(&parallel(&[0, 0, 0, 0, 0, 0, 210]), b"")),
        ("ranks-fail".to_owned(), Input::join(&parallel(&[0, 0, 0, 0, 0, 0, 220]), b"")),
        ("ranks-garbage".to_owned(), Input::join(&parallel(&[0, 0, 0, 0, 0, 0, 0, 0, 245]), b"")),
        ("one-place".to_owned(), Input::join(&one_place, &fixture("scda/mixed-plain.scda"))),
        ("skips".to_owned(), Input::join(&skips, &fixture("scda/mixed-plain.scda"))),
    ];
    for name in SEEDS {
        let short = name.rsplit('/').next().unwrap_or(name);
        seeds.push((short.to_owned(), Input::join(&read(0), &fixture(name))));
    }
    seeds
}

/// Fixtures that are read.
const SEEDS: &[&str] = &[
    "scda/mixed-plain.scda",
    "scda/mixed-all.scda",
    "scda/mime-mixed-all.scda",
    "scda/inline.scda",
    "scda/array-extreme-counts.scda",
    "scda/header-user-58.scda",
    "broken-scda/comp-adler.scda",
    "broken-scda/comp-V-U-mismatch.scda",
    "broken-scda/array-huge-N.scda",
    "broken-scda/array-truncated-0300.scda",
];
