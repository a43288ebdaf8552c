//! The calls about layouts for conversions, of `qio_layout.h`.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use linkstream_c_border::Handles;

use crate::code::{Refused, coded, numbered, valued};
use crate::families::{Families, Scalar};
use crate::filesystem::{Filesystem, QioFilesystem};
use crate::host_layout::{HostLayout, Kind, Map, node_of, of_argument, small, with_last};
use crate::layout::{Extended, Layout, QioLayout, SiteMap as _};
use crate::memory::{store, values};

static LAYOUTS: Handles<HostLayout> = Handles::new("a QIO_Layout of this library");

/// Coordinates of the program.
///
/// # Safety
/// The pointer is null, or has as many numbers as the map has dimensions.
unsafe fn coordinates<'c>(map: &Map, coords: *const c_int) -> Result<&'c [c_int], Refused> {
    let dimensions = map.dimensions()?;
    // SAFETY: as this function requires.
    unsafe { values(coords, dimensions, "the coordinates") }
}

/// Sets coordinates of the program.
///
/// # Safety
/// The pointer is null, or has room for as many numbers as the map has dimensions.
unsafe fn set(map: &Map, coords: *mut c_int, node: c_int, index: u64) -> Result<(), Refused> {
    if coords.is_null() {
        return Err(Refused::usage("the coordinates are a null pointer"));
    }
    let site = map.coordinates(node, index)?;
    for (dimension, from) in site.as_slice().iter().enumerate() {
        let place = coords.wrapping_add(dimension);
        // SAFETY: as this function requires.
        unsafe { store(place, small((*from).into())?) };
    }
    Ok(())
}

unsafe extern "C" fn node_number_ext(coords: *const c_int, arg: *mut c_void) -> c_int {
    numbered(|| {
        let map = of_argument(arg)?;
        // SAFETY: the program passes coordinates of this layout.
        map.node_number(unsafe { coordinates(&map, coords) }?)
    })
}

unsafe extern "C" fn node_index_ext(coords: *const c_int, arg: *mut c_void) -> u64 {
    valued(u64::MAX, || {
        let map = of_argument(arg)?;
        // SAFETY: the program passes coordinates of this layout.
        map.node_index(unsafe { coordinates(&map, coords) }?)
    })
}

unsafe extern "C" fn get_coords_ext(coords: *mut c_int, node: c_int, index: u64, arg: *mut c_void) {
    // SAFETY: the program passes coordinates of this layout.
    coded(|| unsafe { set(&of_argument(arg)?, coords, node, index) });
}

unsafe extern "C" fn num_sites_ext(node: c_int, arg: *mut c_void) -> u64 {
    valued(0, || of_argument(arg)?.num_sites(node))
}

/// The functions without an argument, for the last layout of a kind.
macro_rules! plain {
    ($kind:ident: $number:ident, $index:ident, $coords:ident, $sites:ident) => {
        unsafe extern "C" fn $number(coords: *const c_int) -> c_int {
            numbered(|| {
                with_last(Kind::$kind, |map| {
                    // SAFETY: the program passes coordinates of this layout.
                    map.node_number(unsafe { coordinates(map, coords) }?)
                })
            })
        }

        unsafe extern "C" fn $index(coords: *const c_int) -> c_int {
            numbered(|| {
                with_last(Kind::$kind, |map| {
                    // SAFETY: the program passes coordinates of this layout.
                    small(map.node_index(unsafe { coordinates(map, coords) }?)?)
                })
            })
        }

        unsafe extern "C" fn $coords(coords: *mut c_int, node: c_int, index: c_int) {
            coded(|| {
                let index =
                    u64::try_from(index).map_err(|_| Refused::usage(format!("there is no site {index}")))?;
                // SAFETY: the program passes coordinates of this layout.
                with_last(Kind::$kind, |map| unsafe { set(map, coords, node, index) })
            });
        }

        unsafe extern "C" fn $sites(node: c_int) -> c_int {
            numbered(|| with_last(Kind::$kind, |map| small(map.num_sites(node)?)))
        }
    };
}

plain!(Families: ionode_number, ionode_index, ionode_coords, ionode_sites);
plain!(Scalar: scalar_number, scalar_index, scalar_coords, scalar_sites);

/// The functions with an argument. Each layout has an argument of its own.
const EXTENDED: Extended = Extended {
    node_number: Some(node_number_ext),
    node_index: Some(node_index_ext),
    get_coords: Some(get_coords_ext),
    num_sites: Some(num_sites_ext),
    arg: ptr::null_mut(),
};

/// A structure without a lattice and plain functions.
fn functions() -> QioLayout {
    QioLayout {
        node_number: None,
        node_index: None,
        get_coords: None,
        num_sites: None,
        extended: MaybeUninit::uninit(),
        latsize: ptr::null_mut(),
        latdim: 0,
        volume: 0,
        sites_on_node: 0,
        this_node: 0,
        number_of_nodes: 1,
    }
}

/// Gives a layout to the program.
fn give(map: Map, this_node: usize, functions: &QioLayout) -> Result<*mut QioLayout, Refused> {
    linkstream_memory::check()?;
    // The structure is the first member.
    Ok(LAYOUTS.create(HostLayout::new(map, this_node, functions, EXTENDED)?).cast())
}

/// The layout of a program, for another layout. One that this library has made is used by its functions with an argument:
/// the others would soon belong to the new one.
///
/// # Safety
/// The pointer is null, or points to a structure that is filled as `qio_types.h` says.
unsafe fn original(layout: *const QioLayout) -> Result<Layout, Refused> {
    if !LAYOUTS.has(layout.cast()) {
        // SAFETY: as this function requires.
        return unsafe { Layout::new(layout) };
    }
    let (node_number, node_index, get_coords, num_sites) = (None, None, None, None);
    // SAFETY: the layout exists.
    let made = QioLayout { node_number, node_index, get_coords, num_sites, ..unsafe { *layout } };
    // SAFETY: the structure is complete.
    unsafe { Layout::new(&raw const made) }
}

/// Takes a layout back.
fn take(layout: *mut QioLayout, kind: Kind) -> Result<(), Refused> {
    let handle = layout.cast::<HostLayout>();
    if !handle.is_null() && LAYOUTS.with(handle, |layout| layout.kind())? != kind {
        return Err(Refused::usage(
            "the layout was created by another call, which has another one to end it",
        ));
    }
    Ok(LAYOUTS.free(handle)?)
}

/// The layout of the I/O nodes.
///
/// # Safety
/// The pointers are null, or point to structures that are filled as `qio_types.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_ionode_layout(
    layout: *mut QioLayout,
    fs: *mut QioFilesystem,
) -> *mut QioLayout {
    valued(ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let layout = unsafe { original(layout) }?;
        // SAFETY: as this function requires.
        let filesystem = unsafe { Filesystem::new(fs) }?;
        // SAFETY: as this function requires.
        let table = unsafe { filesystem.table() }?;
        let families = Families::new(layout, &filesystem, table.as_deref())?;
        let functions = QioLayout {
            node_number: Some(ionode_number),
            node_index: Some(ionode_index),
            get_coords: Some(ionode_coords),
            num_sites: Some(ionode_sites),
            ..functions()
        };
        give(Map::Families(Arc::new(families)), layout.this_node(), &functions)
    })
}

/// Ends a layout of the I/O nodes.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_delete_ionode_layout(layout: *mut QioLayout) {
    coded(|| take(layout, Kind::Families));
}

/// The layout with all sites on one node.
///
/// # Safety
/// `layout` is null, or points to a structure that is filled as `qio_types.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_scalar_layout(
    layout: *mut QioLayout,
    _fs: *mut QioFilesystem,
) -> *mut QioLayout {
    valued(ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let layout = unsafe { original(layout) }?;
        let lattice = layout.lattice().copied();
        let lattice = lattice.ok_or_else(|| Refused::usage("the layout has no lattice: latdim is 0"))?;
        let functions = QioLayout {
            node_number: Some(scalar_number),
            node_index: Some(scalar_index),
            get_coords: Some(scalar_coords),
            num_sites: Some(scalar_sites),
            ..functions()
        };
        give(Map::Scalar(Scalar(lattice)), 0, &functions)
    })
}

/// Ends a layout with all sites on one node.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_delete_scalar_layout(layout: *mut QioLayout) {
    coded(|| take(layout, Kind::Scalar));
}

/// A layout that has the functions with an argument.
///
/// # Safety
/// `layout` is null, or points to a structure that is filled as `qio_types.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_check_layout_ext(layout: *mut QioLayout) -> *mut QioLayout {
    valued(ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let copy = unsafe { original(layout) }?;
        if !copy.has_functions() {
            return Err(Refused::usage("the QIO_Layout has neither the plain nor the extended functions"));
        }
        // SAFETY: the copy has been made from it.
        let QioLayout { node_number, node_index, get_coords, num_sites, .. } = unsafe { *layout };
        let functions = QioLayout { node_number, node_index, get_coords, num_sites, ..functions() };
        give(Map::Program(copy), copy.this_node(), &functions)
    })
}

/// Ends a layout of [`QIO_check_layout_ext`].
#[unsafe(no_mangle)]
pub extern "C" fn QIO_free_layout_ext(layout: *mut QioLayout) {
    coded(|| take(layout, Kind::Program));
}

/// A number about the last layout of the I/O nodes.
fn of_families(of: impl FnOnce(&Families) -> Result<u64, Refused>) -> c_int {
    numbered(|| with_last(Kind::Families, |map| small(of(map.families()?)?)))
}

/// An index of the program.
fn index_of(index: c_int) -> Result<u64, Refused> {
    u64::try_from(index).map_err(|_| Refused::usage(format!("there is no site {index}")))
}

/// The I/O node of a node.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_ionode_io_node(node: c_int) -> c_int {
    of_families(|families| Ok(families.io_node(node_of(node)?)? as u64))
}

/// Place of an I/O node in the table.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_io_node_rank(node: c_int) -> c_int {
    of_families(|families| Ok(families.io_node_rank(node_of(node)?)? as u64))
}

/// Rank of a site.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_ionode_to_scalar_index(ionode_node: c_int, ionode_index: c_int) -> c_int {
    of_families(|families| families.rank(node_of(ionode_node)?, index_of(ionode_index)?))
}

/// Index of a site on its I/O node.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_scalar_to_ionode_index(scalar_node: c_int, scalar_index: c_int) -> c_int {
    of_families(|families| match scalar_node {
        0 => families.index_of_rank(index_of(scalar_index)?),
        _ => Err(Refused::usage(format!("the layout has one node, 0, and no node {scalar_node}"))),
    })
}
