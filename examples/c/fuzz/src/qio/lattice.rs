//! The lattice of a program, and its functions that describe it and that produce and take data.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_void};

use crate::comm::again;

/// The lattice of the functions of a program.
#[derive(Debug, Default)]
pub(super) struct Lattice {
    pub(super) extents: Vec<c_int>,
    pub(super) nodes: u64,
    /// A choice for each call of a function; after the last one, all goes well.
    pub(super) choices: Vec<u8>,
    /// Size of the data of a site.
    pub(super) size: usize,
    /// Data that `put` has got, by the index of the site.
    pub(super) got: BTreeMap<usize, Vec<u8>>,
}

thread_local! {
    pub(super) static LATTICE: RefCell<Lattice> = RefCell::default();
}

/// The argument of functions with one.
pub(super) const ARGUMENT: usize = 6;

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

pub(super) unsafe extern "C" fn node_number(coords: *const c_int) -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => (rank_of(coords) % nodes()) as c_int,
    }
}

pub(super) unsafe extern "C" fn node_index(coords: *const c_int) -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => (rank_of(coords) / nodes()) as c_int,
    }
}

pub(super) unsafe extern "C" fn get_coords(coords: *mut c_int, node: c_int, index: c_int) {
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

pub(super) unsafe extern "C" fn num_sites(node: c_int) -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => (volume().saturating_add(nodes() - 1).saturating_sub(node as u64) / nodes()) as c_int,
    }
}

pub(super) unsafe extern "C" fn node_number_ext(coords: *const c_int, arg: *mut c_void) -> c_int {
    assert_eq!(arg.addr(), ARGUMENT);
    // SAFETY: as the other function requires.
    unsafe { node_number(coords) }
}

pub(super) unsafe extern "C" fn node_index_ext(coords: *const c_int, arg: *mut c_void) -> u64 {
    assert_eq!(arg.addr(), ARGUMENT);
    // SAFETY: as the other function requires.
    unsafe { node_index(coords) as u64 }
}

pub(super) unsafe extern "C" fn get_coords_ext(
    coords: *mut c_int,
    node: c_int,
    index: u64,
    arg: *mut c_void,
) {
    assert_eq!(arg.addr(), ARGUMENT);
    // SAFETY: as the other function requires.
    unsafe { get_coords(coords, node, index as c_int) };
}

pub(super) unsafe extern "C" fn num_sites_ext(node: c_int, arg: *mut c_void) -> u64 {
    assert_eq!(arg.addr(), ARGUMENT);
    // SAFETY: as the other function requires.
    unsafe { num_sites(node) as u64 }
}

pub(super) unsafe extern "C" fn io_node(node: c_int) -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => node - node % 2,
    }
}

pub(super) unsafe extern "C" fn master_io_node() -> c_int {
    match choice() {
        byte @ 240.. => c_int::from(byte) - 243,
        _ => 0,
    }
}

pub(super) unsafe extern "C" fn put(bytes: *mut c_char, index: usize, _count: c_int, arg: *mut c_void) {
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

pub(super) unsafe extern "C" fn get(bytes: *mut c_char, index: usize, _count: c_int, arg: *mut c_void) {
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
