//! Programs of calls of libqio.

mod files;
mod infos;
mod lattice;
mod layouts;
mod parts;
mod seeds;

pub use seeds::seeds;

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::{mem, ptr};

use linkstream_c::calls::{
    linkstream_field_get, linkstream_field_read, linkstream_file_close, linkstream_open_path,
};
use linkstream_c::opened::Opened;
use linkstream_c::structures::FieldInfo;
use qio::calls_convert::*;
use qio::calls_layout::*;
use qio::calls_names::*;
use qio::calls_parts_read::*;
use qio::calls_parts_write::*;
use qio::calls_read::*;
use qio::calls_record_info::*;
use qio::calls_string::*;
use qio::calls_usqcd_lattice::*;
use qio::calls_usqcd_prop::*;
use qio::calls_world::*;
use qio::calls_write::*;
use qio::dml_checksum::DmlChecksum;
use qio::filesystem::QioFilesystem;
use qio::layout::{Extended, QioLayout};
use qio::reader::Reader;
use qio::record_info_c::QioRecordInfo as RecordInfo;
use qio::string::QioString;
use qio::usqcd_c::QioUsqcdInfo as Info;
use qio::writer::Writer;

use crate::comm::{self, set_again};
use crate::input::Input;
use crate::scratch::Scratch;
use crate::watch::{call, silent};

use lattice::*;

/// A handle of a type, in all lists that have handles.
type Live<T> = Vec<*mut T>;

#[derive(Debug, Default)]
struct Program {
    scratch: Scratch,
    readers: Live<Reader>,
    writers: Live<Writer>,
    infos: Live<RecordInfo>,
    /// A structure of the program.
    own_info: Vec<u64>,
    strings: Live<QioString>,
    records: Live<RecordReader>,
    open_records: Live<RecordWriter>,
    #[expect(
        clippy::vec_box,
        reason = "the library keeps no pointers, but programs of this kind move nothing"
    )]
    layouts: Vec<Box<QioLayout>>,
    #[expect(clippy::vec_box, reason = "layouts point to them")]
    extents: Vec<Box<[c_int; 8]>>,
    made_layouts: Vec<(u8, *mut QioLayout)>,
    lists: Live<Vec<u64>>,
    checksums: Live<linkstream::scidac::StoredChecksum>,
    documents: Vec<(bool, *mut Info)>,
    /// Readers and writers that exist.
    live_readers: Live<Reader>,
    live_writers: Live<Writer>,
    live_infos: Live<RecordInfo>,
    live_strings: Live<QioString>,
    /// For each reader of the input, the number of records of data before the next one, as long as that is known.
    places: BTreeMap<usize, u64>,
    #[expect(clippy::vec_box, reason = "the library points to them")]
    sums: Vec<Box<DmlChecksum>>,
}

/// Number of functions of a program.
const FUNCTIONS: usize = 28;
const NAMES: [&str; 3] = ["input", "new", "other"];
const TYPES: [&std::ffi::CStr; 4] =
    [c"scidac-binary-data", c"ildg-binary-data", c"scidac-private-record-xml", c"a-type"];

/// Makes a call that returns a code.
fn coded(name: &str, function: impl FnOnce() -> c_int) -> c_int {
    let code = call(name, |code| *code < -1, function);
    assert!((-24..=0).contains(&code), "{name} returned {code}");
    code
}

fn made<T>(name: &str, function: impl FnOnce() -> *mut T) -> *mut T {
    call(name, |made: &*mut T| made.is_null(), function)
}

impl Program {
    fn others(&self) -> Vec<*mut c_void> {
        let mut others = vec![ptr::without_provenance_mut(8), ptr::without_provenance_mut(3)];
        others.extend(self.readers.last().map(|it| it.cast()));
        others.extend(self.writers.last().map(|it| it.cast()));
        others.extend(self.infos.last().map(|it| it.cast()));
        others.extend(self.strings.last().map(|it| it.cast()));
        others.extend(self.records.last().map(|it| it.cast()));
        others
    }

    /// A string: pointers to other things would be read.
    fn string(&self, input: &mut Input<'_>) -> *mut QioString {
        match input.byte() {
            ..=100 => self.strings.last().copied().unwrap_or(ptr::null_mut()),
            byte @ 101..=200 => self
                .strings
                .get(usize::from(byte) % self.strings.len().max(1))
                .copied()
                .unwrap_or(ptr::null_mut()),
            _ => ptr::null_mut(),
        }
    }

    /// A description: pointers to other things would be read.
    fn info(&self, input: &mut Input<'_>) -> *mut RecordInfo {
        let last = self.infos.last().copied().unwrap_or(ptr::null_mut());
        match input.byte() {
            ..=159 => last,
            byte @ 160..=209 => {
                self.infos.get(usize::from(byte) % self.infos.len().max(1)).copied().unwrap_or(last)
            }
            210..=235 => self.own_info.as_ptr().cast_mut().cast(),
            236..=245 => ptr::null_mut(),
            _ => ptr::without_provenance_mut(3),
        }
    }

    /// A layout: pointers to other things would be read.
    fn layout(&self, input: &mut Input<'_>) -> *const QioLayout {
        match input.byte() {
            ..=150 => self.layouts.last().map_or(ptr::null(), |it| &raw const **it),
            byte @ 151..=200 => {
                let at = usize::from(byte) % self.layouts.len().max(1);
                self.layouts.get(at).map_or(ptr::null(), |it| &raw const **it)
            }
            // A layout that the library has made; deleted ones may be read no more.
            201..=240 => self.made_layouts.last().map_or(ptr::null(), |(_, it)| it.cast_const()),
            _ => ptr::null(),
        }
    }

    fn filesystem(input: &mut Input<'_>) -> Option<QioFilesystem> {
        let byte = input.byte();
        if byte < 200 {
            return None;
        }
        let has = |bit: u8| byte & bit != 0;
        Some(QioFilesystem {
            number_io_nodes: input.byte().into(),
            path_type: input.near(0) as c_int,
            my_io_node: has(1).then_some(io_node as unsafe extern "C" fn(c_int) -> c_int),
            master_io_node: has(2).then_some(master_io_node as unsafe extern "C" fn() -> c_int),
            my_io_node_ext: None,
            master_io_node_ext: None,
            arg: ptr::null_mut(),
            io_node: ptr::null_mut(),
            node_path: ptr::null_mut(),
        })
    }

    fn path(&self, input: &mut Input<'_>) -> (Option<CString>, usize) {
        match input.byte() {
            byte @ ..=209 => (Some(self.scratch.path(NAMES[usize::from(byte) % 3])), usize::from(byte) % 3),
            210..=229 => (Some(self.scratch.path("none/none")), 3),
            230..=239 => (Some(self.scratch.path("")), 3),
            240..=245 => (CString::new("").ok(), 3),
            246..=250 => (CString::new(vec![b'x'; 501]).ok(), 3),
            _ => (None, 3),
        }
    }

    /// Size and type of words, and what the functions for the data do.
    fn factory(
        input: &mut Input<'_>,
        right: (usize, c_int),
    ) -> (Option<qio::factory::Function>, usize, c_int, bool) {
        let size = input.near(right.0 as u64) as usize;
        let word = if input.rarely(16) { input.byte().into() } else { right.1 };
        let is_there = !input.rarely(64);
        let has_choices = input.byte() >= 200;
        let choices =
            if has_choices { (0..input.below(12)).map(|_| input.byte()).collect() } else { Vec::new() };
        LATTICE.with_borrow_mut(|lattice| {
            lattice.choices = choices;
            lattice.size = size;
            lattice.got.clear();
        });
        (is_there.then_some(put as qio::factory::Function), size, word, has_choices)
    }

    /// Calls that functions of the program make: with the handles that are in use.
    fn calls_again(&self) {
        let (reader, writer, string) = (
            self.live_readers.last().copied().unwrap_or(ptr::null_mut()),
            self.live_writers.last().copied().unwrap_or(ptr::null_mut()),
            self.live_strings.last().copied().unwrap_or(ptr::null_mut()),
        );
        set_again(Some(Box::new(move || unsafe {
            let mut size = 0;
            QIO_next_record(reader.map_addr(|address| address ^ 64));
            QIO_get_reader_latdim(reader);
            QIO_get_writer_last_checksuma(writer);
            QIO_string_set(string, c"again".as_ptr());
            QIO_read_record_type(ptr::null_mut(), ptr::null_mut(), &raw mut size, ptr::null_mut());
        })));
    }

    fn step(&mut self, function: usize, input: &mut Input<'_>) {
        let others = self.others();
        self.calls_again();
        match function {
            0 => self.new_layout(input),
            1 => self.open_read(input),
            2 => self.open_write(input),
            3 => self.read(input, &others),
            4 => self.read_info(input, &others),
            5 => self.read_data(input, &others),
            6 => {
                let r = input.handle(&self.readers, &others);
                let code = coded("QIO_next_record", || QIO_next_record(r));
                match self.places.get_mut(&r.addr()) {
                    Some(place) if code == 0 => *place += 1,
                    _ => _ = self.places.remove(&r.addr()),
                }
            }
            7 => self.write(input, &others),
            8 => self.close_read(input.handle(&self.readers, &others)),
            9 => self.close_write(input.handle(&self.writers, &others)),
            10 => self.new_info(input),
            11 => self.strings(input),
            12 => self.ask_reader(input, &others),
            13 => self.ask_info(input),
            14 => self.set_world(input),
            15 => self.make_layout(input),
            16 => self.use_layout(input),
            17 | 18 => self.parts_read(input, &others),
            19 | 20 => self.parts_write(input, &others),
            21 => self.names(input),
            22 => self.documents(input),
            23 => self.convert(input),
            24 => self.sites(input, &others),
            25 => {
                let i = self.info(input);
                silent("QIO_destroy_record_info", || unsafe { QIO_destroy_record_info(i) });
                self.live_infos.retain(|it| *it != i);
            }
            26 => {
                let (layout, format) = (self.layout(input), input.near(0) as c_int);
                let list = made("QIO_create_sitelist", || unsafe { QIO_create_sitelist(layout, format, 0) });
                if !list.is_null() {
                    self.lists.push(list);
                }
            }
            _ => self.record_calls(input, &others),
        }
        set_again(None);
    }

    fn set_world(&mut self, input: &mut Input<'_>) {
        let size = input.below(4);
        let choices = (0..input.below(24)).map(|_| input.byte()).rev().collect();
        let mut structure = comm::callbacks(size, choices);
        if input.rarely(16) {
            structure.struct_size = input.number() as usize;
        }
        let structure = if size == 0 { ptr::null() } else { &raw const structure };
        coded("linkstream_set_world", || unsafe { linkstream_set_world(structure) });
    }

    /// Size and word of the data that an info describes.
    fn described(&self, info: *mut RecordInfo) -> (usize, c_int) {
        if !self.live_infos.contains(&info) {
            return (8, 4);
        }
        // SAFETY: the description exists.
        let (items, size) = unsafe { (QIO_get_datacount(info).max(1) as usize, QIO_get_typesize(info)) };
        let size = size.saturating_mul(items);
        // SAFETY: the text of an info that exists.
        let word = match unsafe { *QIO_get_precision(info) } as u8 {
            b'D' => 8,
            b'F' | b'I' => 4,
            _ => 1,
        };
        (size.min(1 << 16), if size % word as usize == 0 { word } else { 1 })
    }

    fn end(mut self) {
        LATTICE.with_borrow_mut(|lattice| lattice.choices.clear());
        comm::callbacks(1, Vec::new());
        while let Some(w) = self.live_writers.last().copied() {
            self.close_write(w);
        }
        while let Some(r) = self.live_readers.last().copied() {
            self.close_read(r);
        }
        assert_eq!(unsafe { linkstream_set_world(ptr::null()) }, 0);
        for record in &self.records {
            silent("QIO_close_read_record", || QIO_close_read_record(*record));
        }
        for (kind, layout) in &self.made_layouts {
            Self::delete_layout(*kind, *layout);
        }
        for i in &self.live_infos {
            silent("QIO_destroy_record_info", || unsafe { QIO_destroy_record_info(*i) });
        }
        for string in &self.live_strings {
            silent("QIO_string_destroy", || unsafe { QIO_string_destroy(*string) });
        }
        for list in &self.lists {
            silent("DML_free_sitelist", || DML_free_sitelist(*list));
        }
        for checksum in &self.checksums {
            silent("QIO_destroy_checksum_info", || QIO_destroy_checksum_info(*checksum));
        }
        for record in &self.open_records {
            // Only writing the data ends one.
            let _ = qio::calls_parts_write::RECORD_WRITERS.free(*record);
        }
        for (is_lattice, info) in &self.documents {
            silent("the end of a document", || unsafe {
                if *is_lattice {
                    QIO_destroy_usqcd_lattice_info(*info);
                } else {
                    QIO_destroy_usqcd_propfile_info(*info);
                }
            });
        }
    }
}

/// Runs a program.
pub fn check(input: &[u8]) {
    let mut input = Input::new(input);
    if input.file.len() > 1 << 14 {
        return;
    }
    LATTICE.set(Lattice::default());
    let mut program = Program { own_info: vec![0; 64], ..Program::default() };
    program.scratch.put("input", input.file);
    for _ in 0..Input::CALLS {
        let Some(function) = input.function(FUNCTIONS) else { break };
        program.step(function, &mut input);
    }
    program.end();
}
