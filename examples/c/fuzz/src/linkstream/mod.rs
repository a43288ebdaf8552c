//! Programs of calls of liblinkstream.

mod reading;
mod seeds;
mod writing;

pub use seeds::seeds;

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::{mem, ptr};

use linkstream_c::calls::*;
use linkstream_c::opened::Opened;
use linkstream_c::progress::Function;
use linkstream_c::reports::Report;
use linkstream_c::structures::*;
use linkstream_c::writer::Writer;

use crate::comm::{again, set_again};
use crate::input::Input;
use crate::memory::Memory;
use crate::scratch::Scratch;
use crate::watch::{call, silent};

thread_local! {
    /// Results of the progress function; after the last one, it returns 0.
    static RESULTS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn progress(context: *mut c_void, done: u64, total: u64) -> i32 {
    assert!(done <= total && context.addr() == 5);
    match RESULTS.with_borrow_mut(Vec::pop) {
        None | Some(..=199) => 0,
        Some(200..=230) => {
            again();
            0
        }
        Some(byte) => i32::from(byte),
    }
}

/// A function for progress, or none.
fn progress_of(input: &mut Input<'_>) -> (Option<Function>, *mut c_void) {
    let results = match input.byte() {
        ..=199 => return (None, ptr::null_mut()),
        byte => usize::from(byte) % 4,
    };
    RESULTS.set((0..results).map(|_| input.byte()).collect());
    (Some(progress), ptr::without_provenance_mut(5))
}

/// A structure of zeros with its size.
fn sized<T: Structure>(input: &mut Input<'_>) -> T {
    // SAFETY: zeros are a value of each structure.
    let mut value: T = unsafe { mem::zeroed() };
    let size = input.near(size_of::<T>() as u64);
    // More than this structure has would be read.
    let size = if size > size_of::<T>() as u64 && size <= 1 << 16 { 1 << 17 } else { size };
    // SAFETY: the size is the first member.
    unsafe { (&raw mut value).cast::<usize>().write(size as usize) };
    value
}

/// Makes a call that returns a number.
fn answered(name: &str, function: impl FnOnce() -> i32) -> i32 {
    let code = call(name, |code| *code < 0 || *code == 2, function);
    assert!((-10..=2).contains(&code), "{name} returned {code}");
    code
}

/// Fills a structure, and returns it if that succeeded.
fn filled<T: Structure>(
    name: &str,
    input: &mut Input<'_>,
    function: impl FnOnce(*mut T) -> i32,
) -> Option<T> {
    let mut value = sized::<T>(input);
    let place = if input.rarely(64) { ptr::null_mut() } else { &raw mut value };
    let code = answered(name, || function(place));
    (code == 0).then_some(value)
}

#[derive(Debug, Default)]
struct Program {
    scratch: Scratch,
    files: Vec<*mut Opened>,
    reports: Vec<*mut Report>,
    writers: Vec<*mut Writer>,
    live_files: Vec<*mut Opened>,
    live_reports: Vec<*mut Report>,
    live_writers: Vec<*mut Writer>,
}

/// Number of functions of a program.
const FUNCTIONS: usize = 20;
const NAMES: [&str; 3] = ["input", "new", "other"];

/// The place of a new handle.
fn place<T>(input: &mut Input<'_>, new: &mut *mut T) -> *mut *mut T {
    if input.rarely(64) { ptr::null_mut() } else { new }
}

impl Program {
    fn others(&self) -> Vec<*mut c_void> {
        let mut others = vec![ptr::without_provenance_mut(8), ptr::without_provenance_mut(3)];
        others.extend(self.files.last().map(|it| it.cast()));
        others.extend(self.reports.last().map(|it| it.cast()));
        others.extend(self.writers.last().map(|it| it.cast()));
        others
    }

    fn path(&self, input: &mut Input<'_>) -> (Option<CString>, usize) {
        match input.byte() {
            byte @ ..=199 => (Some(self.scratch.path(NAMES[usize::from(byte) % 3])), usize::from(byte) % 3),
            200..=219 => (Some(self.scratch.path("none/none")), 3),
            220..=235 => (Some(self.scratch.path("")), 3),
            236..=245 => (CString::new("").ok(), 3),
            _ => (None, 3),
        }
    }

    fn step(&mut self, function: usize, input: &mut Input<'_>) {
        let others = self.others();
        let file =
            if (2..=11).contains(&function) { input.handle(&self.files, &others) } else { ptr::null_mut() };
        match function {
            0 | 1 => self.open(input, function == 1),
            2 => _ = filled("linkstream_file_get", input, |info| unsafe { linkstream_file_get(file, info) }),
            3 => {
                let index = input.number();
                filled("linkstream_file_warning", input, |it| unsafe {
                    linkstream_file_warning(file, index, it)
                });
            }
            4 => {
                let index = input.number();
                filled("linkstream_field_get", input, |it| unsafe { linkstream_field_get(file, index, it) });
            }
            5 | 6 => self.read_field(file, input),
            7 => {
                let (index, (function, context)) = (input.number(), progress_of(input));
                self.again_with_file(file);
                answered("linkstream_field_verify", || unsafe {
                    linkstream_field_verify(file, index, function, context)
                });
                set_again(None);
            }
            8 => self.read_record(file, input),
            9 => self.read_section(file, input),
            10 => self.read_matrix(file, input),
            11 => {
                let code = answered("linkstream_file_close", || linkstream_file_close(file));
                assert_eq!(code == 0, file.is_null() || self.live_files.contains(&file));
                self.live_files.retain(|it| *it != file);
            }
            12 | 13 => self.check(input, function == 13),
            14 => self.ask_report(input, &others),
            15 => self.create(input),
            16 => self.write_gauge(input, &others),
            17 => self.write_field(input, &others),
            18 => {
                let w = input.handle(&self.writers, &others);
                self.finish(w, input.rarely(4));
            }
            _ => {
                let report = input.handle(&self.reports, &others);
                answered("linkstream_report_close", || linkstream_report_close(report));
                self.live_reports.retain(|it| *it != report);
            }
        }
    }

    fn end(mut self) {
        for file in &self.live_files {
            answered("linkstream_file_close", || linkstream_file_close(*file));
        }
        for report in &self.live_reports {
            answered("linkstream_report_close", || linkstream_report_close(*report));
        }
        for writer in mem::take(&mut self.live_writers) {
            self.finish(writer, false);
        }
        // The written file is intact.
        for name in &NAMES[1..] {
            if self.scratch.get(name).is_none() {
                continue;
            }
            let path = self.scratch.path(name);
            let mut report = ptr::null_mut();
            // Without observables: the calls have said that links are not unitary, and have written them.
            // SAFETY: zeros are a value of the structure.
            let mut options: Check = unsafe { mem::zeroed() };
            (options.struct_size, options.flags) = (size_of::<Check>(), 4);
            // SAFETY: the path is a C string.
            assert_eq!(
                unsafe { linkstream_check_path(path.as_ptr(), &raw const options, &raw mut report) },
                0
            );
            // SAFETY: zeros are a value of the structure.
            let mut about: ReportInfo = unsafe { mem::zeroed() };
            about.struct_size = size_of::<ReportInfo>();
            // SAFETY: the structure has its size.
            assert_eq!(unsafe { linkstream_report_get(report, &raw mut about) }, 0);
            // SAFETY: the text is valid until the report is closed.
            let json = unsafe { std::ffi::CStr::from_ptr(linkstream_report_json(report)) };
            assert!(about.verdict < 2, "{name}: {}", json.to_string_lossy());
            linkstream_report_close(report);
        }
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
    program.end();
}
