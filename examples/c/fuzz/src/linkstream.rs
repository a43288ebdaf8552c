//! Programs of calls of liblinkstream.

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
use crate::scratch::{Scratch, fixture};
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

    fn finish(&mut self, w: *mut Writer, discards: bool) {
        set_again(Some(Box::new(move || {
            let code = linkstream_writer_discard(w);
            assert!(code < 0, "a writer is discarded while it is used");
        })));
        if discards {
            answered("linkstream_writer_discard", || linkstream_writer_discard(w));
        } else {
            answered("linkstream_writer_finish", || linkstream_writer_finish(w));
        }
        set_again(None);
        self.live_writers.retain(|it| *it != w);
    }

    /// A progress function tries to close the file that is read.
    fn again_with_file(&self, file: *mut Opened) {
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

    fn open(&mut self, input: &mut Input<'_>, in_memory: bool) {
        if self.files.len() > 12 {
            return;
        }
        let mut new = ptr::dangling_mut();
        let place = place(input, &mut new);
        let code = if in_memory {
            let length = input.near(input.file.len() as u64);
            // Only as many bytes as there are.
            let length = if length > 1 << 62 { length } else { length.min(input.file.len() as u64) };
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

    fn field(file: *mut Opened, index: u64) -> Option<FieldInfo> {
        // SAFETY: zeros are a value of the structure.
        let mut info: FieldInfo = unsafe { mem::zeroed() };
        info.struct_size = size_of::<FieldInfo>();
        // SAFETY: the structure has its size.
        (unsafe { linkstream_field_get(file, index, &raw mut info) } == 0).then_some(info)
    }

    fn read_field(&mut self, file: *mut Opened, input: &mut Input<'_>) {
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

    fn read_record(&mut self, file: *mut Opened, input: &mut Input<'_>) {
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

    fn read_section(&mut self, file: *mut Opened, input: &mut Input<'_>) {
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

    fn read_matrix(&mut self, file: *mut Opened, input: &mut Input<'_>) {
        let about: Option<MatrixInfo> =
            filled("linkstream_matrix_get", input, |it| unsafe { linkstream_matrix_get(file, it) });
        let size = input.near(about.as_ref().map_or(8, |about| about.bytes));
        let mut memory = Memory::new(size);
        let out: *mut c_void = memory.address();
        answered("linkstream_matrix_read", || unsafe { linkstream_matrix_read(file, out, size as usize) });
    }

    fn check(&mut self, input: &mut Input<'_>, in_memory: bool) {
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

    fn ask_report(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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

    fn create(&mut self, input: &mut Input<'_>) {
        if self.writers.len() > 4 {
            return;
        }
        let mut how = sized::<NewFile>(input);
        how.flags = input.near(1) as u32;
        how.documents = input.below(4) as i32;
        how.dimensions = input.near(4) as u32;
        for extent in &mut how.extents {
            *extent = input.near(2) as u32;
        }
        let texts = [input.text(), input.text(), input.text()]
            .map(|text| if input.rarely(4) { Some(text) } else { None });
        let [file_xml, lfn, date] =
            texts.each_ref().map(|it| it.as_ref().map_or(ptr::null(), |it| it.as_ptr().cast()));
        (how.file_xml, how.lfn, how.date) = (file_xml, lfn, date);
        (how.progress, how.context) = progress_of(input);
        let mut new = ptr::dangling_mut();
        let place = place(input, &mut new);
        let (path, _) = self.path(input);
        let path = path.as_ref().map_or(ptr::null(), |path| path.as_ptr());
        let how = if input.rarely(64) { ptr::null() } else { &raw const how };
        let code = answered("linkstream_create", || unsafe { linkstream_create(path, how, place) });
        if !place.is_null() {
            assert_eq!(code == 0, !new.is_null());
            if code == 0 {
                self.writers.push(new);
                self.live_writers.push(new);
            }
        }
    }

    /// Numbers of an array.
    fn numbers(input: &mut Input<'_>, right: u64, element: i32) -> Memory {
        let size = input.near(right);
        let mut memory = Memory::new(size.min(1 << 16));
        let value = match input.below(4) {
            0 => 1.0,
            1 => f64::NAN,
            2 => 1e300,
            _ => 0.0,
        };
        let (count, place) = (memory.length as usize / 8, memory.address::<u8>());
        for index in 0..count {
            // SAFETY: the memory has room for so many numbers.
            unsafe {
                if element == 1 {
                    place.cast::<f32>().add(2 * index).write_unaligned(value as f32);
                } else {
                    place.cast::<f64>().add(index).write_unaligned(value);
                }
            }
        }
        memory
    }

    fn again_with_writer(&self, w: *mut Writer) {
        set_again(Some(Box::new(move || {
            assert!(linkstream_writer_finish(w) < 0, "a writer is finished while it is used");
        })));
    }

    fn write_gauge(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let mut how = sized::<NewGauge>(input);
        (how.element, how.stored) = (1 + input.near(0) as i32, input.below(4) as i32);
        let (kind, xml, update) = (input.text(), input.text(), input.text());
        if input.rarely(4) {
            how.kind = [c"su2gauge".as_ptr(), kind.as_ptr().cast()][input.below(2)];
            how.record_xml = xml.as_ptr().cast();
            how.update = update.as_ptr().cast();
        }
        let size = if how.element == 1 { 4 } else { 8 };
        let mut memory = Self::numbers(input, 16 * 72 * size, how.element);
        let links: *const c_void = memory.address();
        self.again_with_writer(w);
        answered("linkstream_write_gauge", || unsafe {
            linkstream_write_gauge(w, &raw const how, links, memory.length as usize)
        });
        set_again(None);
    }

    fn write_field(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let mut how = sized::<NewField>(input);
        (how.element, how.stored) = (1 + input.near(0) as i32, input.below(4) as i32);
        how.flags = input.near(0) as u32;
        (how.colors, how.spins) = (input.number() as u32, input.number() as u32);
        (how.items, how.components) = (input.near(1) as u32, input.near(6) as u32);
        let (datatype, xml) = (input.text(), input.text());
        how.datatype = if input.rarely(16) { ptr::null() } else { datatype.as_ptr().cast() };
        how.record_xml = if input.rarely(4) { xml.as_ptr().cast() } else { ptr::null() };
        let sites = if how.flags & 1 == 0 { 16 } else { 1 };
        let size = if how.element == 1 { 4 } else { 8 };
        let right = u64::from(how.items).saturating_mul(how.components.into()).saturating_mul(sites * size);
        let mut memory = Self::numbers(input, right, how.element);
        let numbers: *const c_void = memory.address();
        self.again_with_writer(w);
        answered("linkstream_write_field", || unsafe {
            linkstream_write_field(w, &raw const how, numbers, memory.length as usize)
        });
        set_again(None);
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
            // SAFETY: the path is a C string.
            assert_eq!(unsafe { linkstream_check_path(path.as_ptr(), ptr::null(), &raw mut report) }, 0);
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

/// Programs whose calls all succeed, and some whose calls fail.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let read: &[&[u8]] = &[
        &[2],
        &[4],
        &[5],
        // A time slice; with a function that calls the library.
        &[5, 0, 0, 0, 0, 170, 1],
        &[5, 0, 0, 0, 0, 0, 202, 0, 210],
        &[4, 0, 1],
        &[5, 0, 1],
        &[7, 0, 0, 203, 0, 210, 231],
        &[8, 0, 1],
        &[9],
        &[9, 0, 1],
        &[9, 0, 2],
        &[9, 0, 3],
        &[10],
        &[13],
        &[14],
        &[3],
        &[11],
        &[19],
    ];
    let all = |open: &'static [u8]| Input::program(&[&[open][..], read].concat());
    let write = Input::program(&[NEW_FILE, &[16], FIELD, &[18]]);
    let write = [write, all(&[0, 0, 1])].concat();
    let mut seeds = vec![("write-and-read".to_owned(), Input::join(&write, b""))];
    for name in SEEDS {
        let short = name.rsplit('/').next().unwrap_or(name);
        seeds.push((short.to_owned(), Input::join(&all(&[1]), &fixture(name))));
    }
    seeds
}

/// `linkstream_create`: size, options, documents, dimensions, extents, texts, function, place, and the path `new`.
const NEW_FILE: &[u8] = &[15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
/// `linkstream_write_field`, of items of six numbers without color and spin.
const FIELD: &[u8] = &[17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, b'F', b'i', b'e', b'l'];

/// Fixtures that are read.
const SEEDS: &[&str] = &[
    "scda/mixed-all.scda",
    "inebin/doc-complex.bin",
    "inebin/doc-bool.bin",
    "broken/scidac/payload-bit-flip.lime",
    "broken/scidac/file-9-dims.lime",
    "broken/lime/second-header-truncated.lime",
    "broken/ildg/data-missing.lime",
];
