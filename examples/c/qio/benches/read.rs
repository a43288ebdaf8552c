//! `QIO_read` of a gauge field through a function of the program, and the verified read of the same field into an array,
//! in turn. Arguments: extents in time (default 64, 302 MB) and the largest ratio that is not a failure.
#![allow(unsafe_code, reason = "the C interface is measured")]

use std::error::Error;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::time::Instant;

use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Extents, Precision};
use linkstream_parallel::comm::Solo;
use linkstream_parallel::field::{FieldReader, FieldWriter, Grid, Layout};
use linkstream_parallel::file::{IoRanks, SystemDisk};
use qio::calls_read::{QIO_close_read, QIO_open_read, QIO_read};
use qio::calls_record_info::QIO_create_record_info;
use qio::layout::QioLayout;

const SPACE: u32 = 32;
const SITE: usize = 4 * 72;

unsafe extern "C" fn node_number(_: *const c_int) -> c_int {
    0
}

unsafe extern "C" fn node_index(site: *const c_int) -> c_int {
    // SAFETY: the library passes four coordinates.
    let [x, y, z, t] = unsafe { *site.cast::<[c_int; 4]>() };
    let extent = SPACE as c_int;
    x + extent * (y + extent * (z + extent * t))
}

unsafe extern "C" fn get_coords(site: *mut c_int, _: c_int, index: c_int) {
    let extent = SPACE as c_int;
    let at =
        [index % extent, index / extent % extent, index / extent / extent % extent, index / extent.pow(3)];
    // SAFETY: the library has room for the coordinates.
    unsafe { site.cast::<[c_int; 4]>().write(at) };
}

unsafe extern "C" fn put(from: *mut c_char, index: usize, _: c_int, array: *mut c_void) {
    // SAFETY: the array has all sites.
    let to = unsafe { array.cast::<u8>().add(index * SITE) };
    // SAFETY: the library passes the bytes of a site.
    unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), to, SITE) };
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<f64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let time = numbers.first().map_or(64, |time| *time as u32);
    let limit = numbers.get(1).copied().unwrap_or(1.5);
    let lattice = Extents::new(&[SPACE, SPACE, SPACE, time])?;
    let (grid, sites) = (Grid::new(&lattice, &[1])?, lattice.sites() as usize);
    let directory = std::env::var("QIO_BENCH_DIRECTORY").unwrap_or_else(|_| "/dev/shm".to_owned());
    let path = std::path::Path::new(&directory).join(format!("qio-bench-{}.lime", std::process::id()));
    let engine = IoRanks::new(&Solo, SystemDisk)?;
    let links: Vec<f32> = (0..sites * 72).map(|k| (k % 1000) as f32).collect();
    let mut file = FieldWriter::create(&Solo, &engine, &path, Layout::grid(&grid, 0))?;
    file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &links[..])?;
    file.finish()?;
    let bytes = (sites * SITE) as f64;

    let (mut best_array, mut best_put) = (f64::MAX, f64::MAX);
    let mut array = vec![0.0_f32; links.len()];
    for _ in 0..5 {
        array.fill(0.0);
        let start = Instant::now();
        let mut file = FieldReader::open(&Solo, &engine, &path)?;
        assert!(file.read(0, &Layout::grid(&grid, 0), &mut array[..])?.is_match());
        file.close()?;
        best_array = best_array.min(start.elapsed().as_secs_f64());
        assert!(array == links);

        array.fill(0.0);
        let start = Instant::now();
        qio_read(&path, time, sites, array.as_mut_ptr().cast())?;
        best_put = best_put.min(start.elapsed().as_secs_f64());
        assert!(array == links);
    }
    std::fs::remove_file(&path)?;
    let ratio = best_put / best_array;
    println!(
        "{:.0} MB: verified read into an array {best_array:.3} s ({:.2} GB/s), QIO_read {best_put:.3} s ({:.2} GB/s): \
         ratio {ratio:.2}",
        bytes / 1e6,
        bytes / best_array / 1e9,
        bytes / best_put / 1e9,
    );
    if ratio > limit { Err(format!("the ratio is more than {limit}").into()) } else { Ok(()) }
}

fn qio_read(
    path: &std::path::Path,
    time: u32,
    sites: usize,
    array: *mut c_void,
) -> Result<(), Box<dyn Error>> {
    let mut size = [SPACE as c_int, SPACE as c_int, SPACE as c_int, time as c_int];
    let layout = QioLayout {
        node_number: Some(node_number),
        node_index: Some(node_index),
        get_coords: Some(get_coords),
        num_sites: None,
        extended: std::mem::MaybeUninit::uninit(),
        latsize: size.as_mut_ptr(),
        latdim: 4,
        volume: sites,
        sites_on_node: sites,
        this_node: 0,
        number_of_nodes: 1,
    };
    let name = CString::new(path.as_os_str().as_encoded_bytes())?;
    // SAFETY: all pointers are null or valid, and the functions work on this lattice.
    let file = unsafe { QIO_open_read(null_mut(), name.as_ptr(), &raw const layout, null(), null()) };
    // SAFETY: as above.
    let info =
        unsafe { QIO_create_record_info(0, null_mut(), null_mut(), 0, null_mut(), null_mut(), 0, 0, 0, 0) };
    // SAFETY: as above.
    let code = unsafe { QIO_read(file, info, null_mut(), Some(put), SITE, 4, array) };
    if (code, QIO_close_read(file)) != (0, 0) {
        return Err(format!("QIO_read: {code}: {}", linkstream_c_border::last().message()).into());
    }
    Ok(())
}
