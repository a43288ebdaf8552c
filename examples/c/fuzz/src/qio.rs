//! Programs of calls of libqio.

use std::cell::RefCell;
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
use qio::filesystem::QioFilesystem;
use qio::layout::QioLayout;
use qio::reader::Reader;
use qio::record_info_c::QioRecordInfo as RecordInfo;
use qio::string::QioString;
use qio::usqcd_c::QioUsqcdInfo as Info;
use qio::writer::Writer;

use crate::comm::{self, again, set_again};
use crate::input::Input;
use crate::scratch::{Scratch, fixture};
use crate::watch::{call, silent};

/// The lattice of the functions of a program.
#[derive(Debug, Default)]
struct Lattice {
    extents: Vec<c_int>,
    nodes: u64,
    /// A choice for each call of a function; after the last one, all goes well.
    choices: Vec<u8>,
    /// Size of the data of a site.
    size: usize,
    /// Data that `put` has got, by the index of the site.
    got: BTreeMap<usize, Vec<u8>>,
}

thread_local! {
    static LATTICE: RefCell<Lattice> = RefCell::default();
}

/// The argument of functions with one.
const ARGUMENT: usize = 6;

fn choice() -> u8 {
    let choice = LATTICE.with_borrow_mut(|lattice| lattice.choices.pop().unwrap_or(0));
    if (200..225).contains(&choice) {
        again();
    }
    choice
}

fn rank_of(coords: *const c_int) -> u64 {
    LATTICE.with_borrow(|lattice| {
        // SAFETY: the library passes a number for each dimension.
        let coords = unsafe { std::slice::from_raw_parts(coords, lattice.extents.len()) };
        let sites = coords.iter().zip(&lattice.extents).rev();
        sites.fold(0, |rank: u64, (x, extent)| rank.wrapping_mul(*extent as u64).wrapping_add(*x as u64))
    })
}

fn nodes() -> u64 {
    LATTICE.with_borrow(|lattice| lattice.nodes.max(1))
}

fn volume() -> u64 {
    LATTICE
        .with_borrow(|lattice| lattice.extents.iter().fold(1, |all: u64, it| all.saturating_mul(*it as u64)))
}

unsafe extern "C" fn node_number(coords: *const c_int) -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => (rank_of(coords) % nodes()) as c_int,
    }
}

unsafe extern "C" fn node_index(coords: *const c_int) -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => (rank_of(coords) / nodes()) as c_int,
    }
}

unsafe extern "C" fn get_coords(coords: *mut c_int, node: c_int, index: c_int) {
    let choice = choice();
    if choice >= 250 {
        return;
    }
    let mut rank = (index as u64).wrapping_mul(nodes()).wrapping_add(node as u64);
    LATTICE.with_borrow(|lattice| {
        for (dimension, extent) in lattice.extents.iter().enumerate() {
            let extent = (*extent).max(1) as u64;
            let value = if choice >= 240 { -1 } else { (rank % extent) as c_int };
            // SAFETY: there is room for a number for each dimension.
            unsafe { coords.add(dimension).write(value) };
            rank /= extent;
        }
    });
}

unsafe extern "C" fn num_sites(node: c_int) -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => (volume().saturating_add(nodes() - 1).saturating_sub(node as u64) / nodes()) as c_int,
    }
}

unsafe extern "C" fn node_number_ext(coords: *const c_int, arg: *mut c_void) -> c_int {
    assert_eq!(arg.addr(), ARGUMENT);
    // SAFETY: as the other function requires.
    unsafe { node_number(coords) }
}

unsafe extern "C" fn node_index_ext(coords: *const c_int, arg: *mut c_void) -> u64 {
    assert_eq!(arg.addr(), ARGUMENT);
    // SAFETY: as the other function requires.
    unsafe { node_index(coords) as u64 }
}

unsafe extern "C" fn get_coords_ext(coords: *mut c_int, node: c_int, index: u64, arg: *mut c_void) {
    assert_eq!(arg.addr(), ARGUMENT);
    // SAFETY: as the other function requires.
    unsafe { get_coords(coords, node, index as c_int) };
}

unsafe extern "C" fn num_sites_ext(node: c_int, arg: *mut c_void) -> u64 {
    assert_eq!(arg.addr(), ARGUMENT);
    // SAFETY: as the other function requires.
    unsafe { num_sites(node) as u64 }
}

unsafe extern "C" fn io_node(node: c_int) -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => node - node % 2,
    }
}

unsafe extern "C" fn master_io_node() -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => 0,
    }
}

unsafe extern "C" fn put(bytes: *mut c_char, index: usize, _count: c_int, arg: *mut c_void) {
    assert_eq!(arg.addr(), ARGUMENT);
    choice();
    LATTICE.with_borrow_mut(|lattice| {
        // SAFETY: the bytes of a site.
        let bytes = unsafe { std::slice::from_raw_parts_mut(bytes.cast::<u8>(), lattice.size) };
        let before = lattice.got.insert(index, bytes.to_vec());
        assert!(before.is_none() || lattice.got.len() < 2, "site {index} was put twice");
        bytes.fill(0xee);
    });
}

unsafe extern "C" fn get(bytes: *mut c_char, index: usize, _count: c_int, arg: *mut c_void) {
    assert_eq!(arg.addr(), ARGUMENT);
    if choice() >= 240 {
        return;
    }
    LATTICE.with_borrow_mut(|lattice| {
        // SAFETY: room for the bytes of a site.
        let bytes = unsafe { std::slice::from_raw_parts_mut(bytes.cast::<u8>(), lattice.size) };
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = (at * 7 + index) as u8;
        }
    });
}

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
    layouts: Vec<Box<QioLayout>>,
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

    fn new_layout(&mut self, input: &mut Input<'_>) {
        if self.layouts.len() > 6 {
            return;
        }
        let dimensions = input.near(4);
        let extents: Vec<c_int> = (0..8)
            .map(|_| match input.byte() {
                0 => 2,
                byte @ 1..=240 => c_int::from(byte) % 6 + 1,
                _ => input.number() as c_int,
            })
            .collect();
        let known = &extents[..(dimensions as usize).min(8)];
        let volume = known.iter().fold(1_u64, |all, it| all.wrapping_mul(*it as u64));
        // So many nodes have memory, but not in this test.
        let nodes = match input.near(1) {
            nodes @ 4096..0x8000_0000 => nodes % 4096,
            nodes => nodes,
        };
        let functions = input.byte();
        let boxed: Box<[c_int; 8]> = Box::new(extents.clone().try_into().expect("8 numbers"));
        let sites = (volume.wrapping_add(nodes).wrapping_sub(1)).checked_div(nodes).unwrap_or(0);
        let has = |bit: u8| functions & bit == 0;
        let layout = QioLayout {
            node_number: has(1).then_some(node_number as unsafe extern "C" fn(*const c_int) -> c_int),
            node_index: has(1).then_some(node_index as unsafe extern "C" fn(*const c_int) -> c_int),
            get_coords: (has(1) || functions == 255)
                .then_some(get_coords as unsafe extern "C" fn(*mut c_int, c_int, c_int)),
            num_sites: has(3).then_some(num_sites as unsafe extern "C" fn(c_int) -> c_int),
            node_number_ext: has(4)
                .then_some(node_number_ext as unsafe extern "C" fn(*const c_int, *mut c_void) -> c_int),
            node_index_ext: has(4)
                .then_some(node_index_ext as unsafe extern "C" fn(*const c_int, *mut c_void) -> u64),
            get_coords_ext: has(4)
                .then_some(get_coords_ext as unsafe extern "C" fn(*mut c_int, c_int, u64, *mut c_void)),
            num_sites_ext: has(8).then_some(num_sites_ext as unsafe extern "C" fn(c_int, *mut c_void) -> u64),
            arg: ptr::without_provenance_mut(ARGUMENT),
            latsize: if input.rarely(64) { ptr::null_mut() } else { boxed.as_ptr().cast_mut().cast() },
            latdim: dimensions as c_int,
            volume: input.near(volume) as usize,
            sites_on_node: input.near(sites) as usize,
            this_node: input.near(0) as c_int,
            number_of_nodes: nodes as c_int,
        };
        // One lattice for all functions: the last one.
        let choices =
            if input.rarely(4) { (0..input.below(12)).map(|_| input.byte()).collect() } else { Vec::new() };
        // With 0 dimensions, the file decides: functions for 4.
        let known = if dimensions == 0 { &extents[..4] } else { known };
        let small = known.iter().all(|it| (1..64).contains(it));
        LATTICE.set(Lattice {
            extents: if small { known.to_vec() } else { vec![2; known.len()] },
            nodes: nodes.clamp(1, 8),
            choices,
            size: 0,
            got: BTreeMap::new(),
        });
        self.extents.push(boxed);
        self.layouts.push(Box::new(layout));
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

    fn open_read(&mut self, input: &mut Input<'_>) {
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

    fn open_write(&mut self, input: &mut Input<'_>) {
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

    fn close_read(&mut self, r: *mut Reader) {
        coded("QIO_close_read", || QIO_close_read(r));
        self.live_readers.retain(|it| *it != r);
        self.places.remove(&r.addr());
    }

    fn close_write(&mut self, w: *mut Writer) {
        coded("QIO_close_write", || QIO_close_write(w));
        self.live_writers.retain(|it| *it != w);
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

    fn read(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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

    fn have_read(&mut self, r: *mut Reader, i: *mut RecordInfo, code: c_int, word: c_int) {
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
    fn compare(&self, place: u64, got: &BTreeMap<usize, Vec<u8>>, size: usize) {
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

    fn read_info(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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

    fn read_data(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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

    fn write(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let i = self.info(input);
        let string = self.string(input);
        let (function, size, word, _) = Self::factory(input, self.described(i));
        let function = function.map(|_| get as qio::factory::Function);
        let arg = ptr::without_provenance_mut(ARGUMENT);
        coded("QIO_write", || unsafe { QIO_write(w, i, string, function, size, word, arg) });
    }

    fn new_info(&mut self, input: &mut Input<'_>) {
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

    fn strings(&mut self, input: &mut Input<'_>) {
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
                    silent("QIO_string_set", || unsafe { QIO_string_set(a, pointer.add(1)) });
                }
            }
            _ => {
                silent("QIO_string_destroy", || unsafe { QIO_string_destroy(a) });
                self.live_strings.retain(|it| *it != a);
            }
        }
    }

    fn ask_reader(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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

    fn ask_info(&mut self, input: &mut Input<'_>) {
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

    fn make_layout(&mut self, input: &mut Input<'_>) {
        let layout = self.layout(input).cast_mut();
        let mut filesystem = Self::filesystem(input);
        let filesystem = filesystem.as_mut().map_or(ptr::null_mut(), ptr::from_mut);
        if self.made_layouts.len() > 6 {
            return;
        }
        let kind = input.below(3) as u8;
        let new = made("a layout", || unsafe {
            match kind {
                0 => QIO_create_ionode_layout(layout, filesystem),
                1 => QIO_create_scalar_layout(layout, filesystem),
                _ => QIO_check_layout_ext(layout),
            }
        });
        if !new.is_null() {
            self.made_layouts.push((kind, new));
        }
    }

    fn delete_layout(kind: u8, layout: *mut QioLayout) {
        silent("the end of a layout", || match kind {
            0 => QIO_delete_ionode_layout(layout),
            1 => QIO_delete_scalar_layout(layout),
            _ => QIO_free_layout_ext(layout),
        });
    }

    fn use_layout(&mut self, input: &mut Input<'_>) {
        let Some((kind, layout)) = self.made_layouts.last().copied() else { return };
        let [node, index] = [input.near(0) as c_int, input.number() as c_int];
        silent("QIO_ionode_io_node", || QIO_ionode_io_node(node));
        silent("QIO_get_io_node_rank", || QIO_get_io_node_rank(node));
        silent("QIO_ionode_to_scalar_index", || QIO_ionode_to_scalar_index(node, index));
        silent("QIO_scalar_to_ionode_index", || QIO_scalar_to_ionode_index(node, index));
        let mut coords = [0; 16].map(|_: c_int| input.near(1) as c_int);
        let coords = coords.as_mut_ptr();
        // SAFETY: the layout exists, and has functions; there is room for coordinates.
        unsafe {
            let QioLayout { node_number_ext, node_index_ext, get_coords_ext, num_sites_ext, arg, .. } =
                *layout;
            silent("node_number_ext", || node_number_ext.expect("a function")(coords, arg));
            silent("node_index_ext", || node_index_ext.expect("a function")(coords, arg));
            silent("get_coords_ext", || get_coords_ext.expect("a function")(coords, node, index as u64, arg));
            silent("num_sites_ext", || num_sites_ext.expect("a function")(node, arg));
            if input.rarely(4) {
                let wrong = ptr::without_provenance_mut(input.number() as usize);
                silent("num_sites_ext", || num_sites_ext.expect("a function")(node, wrong));
            }
        }
        if input.rarely(2) {
            if input.rarely(8) {
                // Another call than the right one.
                Self::delete_layout((kind + 1) % 3, layout);
            }
            self.made_layouts.pop();
            Self::delete_layout(kind, layout);
        }
    }

    fn types(input: &mut Input<'_>) -> (Vec<*const c_char>, c_int) {
        let mut list = TYPES.map(std::ffi::CStr::as_ptr).to_vec();
        if input.rarely(16) {
            list[input.below(4)] = ptr::null();
        }
        let count = input.near(2) as c_int;
        (list, count.min(4))
    }

    fn parts_read(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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

    fn parts_write(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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
            4 => {
                let code = coded("QIO_write_field_data", || unsafe {
                    QIO_write_field_data(w, record, function, 1, data, word, arg, sum, bytes)
                });
                code
            }
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
    fn sites(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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

    fn names(&mut self, input: &mut Input<'_>) {
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

    fn documents(&mut self, input: &mut Input<'_>) {
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

    fn convert(&mut self, input: &mut Input<'_>) {
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

    fn record_calls(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
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
    let mut program = Program::default();
    program.own_info = vec![0; 64];
    program.scratch.put("input", input.file);
    for _ in 0..Input::CALLS {
        let Some(function) = input.function(FUNCTIONS) else { break };
        program.step(function, &mut input);
    }
    program.end();
}

/// A layout with these extents.
fn layout(extents: &[u8]) -> Vec<u8> {
    let mut layout = vec![0];
    // 4 is the right number of dimensions, for all others the number follows.
    layout.extend(if extents.len() == 4 { vec![0] } else { vec![255, extents.len() as u8] });
    layout.extend((0..8).map(|dimension| match extents.get(dimension) {
        None | Some(2) => 0,
        Some(extent) => extent + 5,
    }));
    layout
}

/// Programs whose calls all succeed, and some whose calls fail.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let (string, open, ask, info_of) = (&[11][..], &[1][..], &[12, 0, 0, 0, 3][..], &[13][..]);
    // 16 bounds, their number, the datatype.
    let info = [&[10, 0][..], &[0; 16], &[0, 4, b'R', b'e', b'a', b'l']].concat();
    let info = &info[..];
    let (read, again) = (&[3][..], &[3, 0, 0, 0, 0, 0, 0, 0, 201, 3, 210, 210][..]);
    let (next, close) = (&[6][..], &[8][..]);
    let program = |extents: &[u8]| {
        let layout = layout(extents);
        Input::program(&[&layout, string, info, open, ask, info_of, read, again, next, close])
    };
    let four = layout(&[2, 2, 2, 2]);
    let four = &four[..];
    let create: &[u8] = &[2, 1];
    let write = Input::program(&[
        four,
        string,
        info,
        create,
        &[7],
        &[7, 0, 0, 0, 0, 0, 0, 201, 3, 210, 245],
        &[9],
        &[1, 1],
        read,
        read,
        close,
    ]);
    let six = layout(&[1, 1, 1, 6]);
    let part = |function: u8| [&[17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &[function]].concat();
    let [kind, target, skip, end, text, field] = [part(0), part(1), part(4), part(5), part(6), part(9)];
    let parts = Input::program(&[&six, string, info, open, &kind, &skip, &end, &text, &target, &end, &field]);
    let sites = |function: u8| [&[24, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0][..], &[function]].concat();
    let [begin, site, stop] = [sites(0), sites(1), sites(2)];
    let sites = Input::program(&[&six, string, info, open, &begin, &site, &stop, close]);
    let layouts =
        Input::program(&[four, &[15], &[16, 0, 3], &[15, 0, 0, 1], &[16], &[15, 0, 0, 2], &[16], &[26]]);
    // A layout of a layout that the library has made, whose functions without an argument belong to the last one.
    let itself = Input::program(&[four, &[15], &[15, 201], &[16], &[15, 201, 0, 2], &[16]]);
    let convert = Input::program(&[&six, string, &[23, 0, 0, 0, 0, 0, 1], &[23, 0, 0, 0, 0, 0, 0]]);
    let world = [Input::program(&[&[14, 2, 6, 0, 0, 0, 0, 0, 220]]), program(&[1, 1, 1, 6])].concat();
    let documents =
        Input::program(&[string, &[22], &[22, 0, 3, b'a', b'b', b'c'], &[21, 3, b'a', b'b', b'c']]);
    let valid = fixture("qio/single/dim4_1x1x1x6.lime");
    vec![
        ("write".to_owned(), Input::join(&write, b"")),
        ("parts".to_owned(), Input::join(&parts, &valid)),
        ("sites".to_owned(), Input::join(&sites, &valid)),
        ("layout-of-itself".to_owned(), Input::join(&itself, b"")),
        ("layouts".to_owned(), Input::join(&layouts, b"")),
        ("convert".to_owned(), Input::join(&convert, &valid)),
        ("world".to_owned(), Input::join(&world, &valid)),
        ("documents".to_owned(), Input::join(&documents, b"")),
        ("read".to_owned(), Input::join(&program(&[1, 1, 1, 6]), &valid)),
        ("dimension".to_owned(), Input::join(&program(&[1]), &fixture("qio/single/dim1_1.lime"))),
        ("global".to_owned(), Input::join(&program(&[2, 3, 4, 5]), &fixture("qio/single/global.lime"))),
        (
            "bit-flip".to_owned(),
            Input::join(&program(&[2, 2, 2, 4]), &fixture("broken/scidac/payload-bit-flip.lime")),
        ),
        ("sums".to_owned(), Input::join(&program(&[2, 2, 2, 4]), &fixture("broken/scidac/suma-wrong.lime"))),
    ]
}
