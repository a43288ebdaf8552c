//! Programs of calls of libscda.

mod reading;
mod seeds;
mod writing;

pub use seeds::seeds;

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
use crate::scratch::Scratch;
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
