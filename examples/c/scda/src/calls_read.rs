//! Reading sections (scda A.5).
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_int, c_void};

use linkstream::scda::{Count, INLINE_LEN};
use linkstream_parallel::scda::{Partition, SectionHeader};
use linkstream_parallel::{Arguments, Error, Fault};

use crate::calls::{err_is_there, on_file};
use crate::calls_write::or_empty;
use crate::code::too_large;
use crate::context::Context;
use crate::memory::{Sizes, data_mut, is_place, own, place, put_userstr, slice, slice_mut, table};

/// A count as C has it.
fn number(count: Count, header: &SectionHeader) -> Result<u64, Fault> {
    count.to_u64().ok_or_else(|| {
        let section = char::from(header.section_type.letter());
        too_large(
            header.offset,
            format!("the section {section} has a count of {count}, which needs more than 64 bits"),
        )
    })
}

/// Reads the header of the next section (A.5.1).
///
/// # Safety
/// Each pointer is null, or points to a value of its type; `userstr` to room for 59 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fread_section_header(
    f: *mut Context,
    section_type: *mut c_char,
    n: *mut u64,
    e: *mut u64,
    userstr: *mut c_char,
    decode: *mut c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    unsafe { header(f, (section_type, n, e), (userstr.cast(), None), decode, err) }
}

/// Reads the header of the next section, and the number of bytes of its user string.
///
/// # Safety
/// The requirements of [`scda_fread_section_header`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fread_section_header_n(
    f: *mut Context,
    section_type: *mut c_char,
    n: *mut u64,
    e: *mut u64,
    userstr: *mut c_void,
    length: *mut usize,
    decode: *mut c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    unsafe { header(f, (section_type, n, e), (userstr, Some(length)), decode, err) }
}

/// # Safety
/// The requirements of [`scda_fread_section_header`].
unsafe fn header(
    f: *mut Context,
    (section_type, n, e): (*mut c_char, *mut u64, *mut u64),
    (userstr, length): (*mut c_void, Option<*mut usize>),
    decode: *mut c_int,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        // No references are kept: a program may pass one place for two results that it does not need.
        let places = || {
            is_place(section_type, "type")?;
            is_place(n, "N")?;
            is_place(e, "E")?;
            length.map_or(Ok(()), |length| is_place(length, "length"))?;
            // SAFETY: as this function requires.
            unsafe { place(decode, "decode") }.map(|decode| *decode != 0)
        };
        let ready = err_is_there(err).and_then(|()| context.is_between()).and_then(|()| places());
        let wanted = ready.as_ref().is_ok_and(|decode| *decode);
        let arguments = Arguments::new("scda_fread_section_header").flag("decode", wanted);
        context.enter(arguments, ready)?;
        let header = context.next_header(wanted)?;
        let mut found = (0, 0, 0, 0, &[][..]);
        if let Some(header) = header {
            // All ranks have the same header, and the same error.
            let counts = number(header.n, header).and_then(|n| Ok((n, number(header.e, header)?)));
            let (n, e) = counts.map_err(|fault| Error { rank: 0, fault })?;
            let letter = header.section_type.letter();
            found = (letter as c_char, n, e, header.decode.into(), &header.userstr);
        }
        let (letter, number, size, is_decoded, userstring) = found;
        // SAFETY: as this function requires; the pointer is neither null nor unaligned.
        unsafe { section_type.write(letter) };
        // SAFETY: as above.
        unsafe { n.write(number) };
        // SAFETY: as above.
        unsafe { e.write(size) };
        // SAFETY: as above.
        unsafe { decode.write(is_decoded) };
        // SAFETY: as this function requires.
        unsafe { put_userstr(userstr, userstring) };
        if let Some(length) = length {
            // SAFETY: as above.
            unsafe { length.write(userstring.len()) };
        }
        Ok(())
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// Reads the data of an inline section (A.5.2).
///
/// # Safety
/// Each pointer is null, or: `dbytes` is room for 32 bytes on rank `root`, and `err` points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fread_inline_data(
    f: *mut Context,
    dbytes: *mut c_void,
    root: c_int,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        let arguments = Arguments::new("scda_fread_inline_data").word("root", root as u64);
        let ready = err_is_there(err).and_then(|()| context.section(b"I")).and_then(|_| context.root(root));
        let root = context.enter(arguments, ready)?;
        let is_read = root == context.rank() && !dbytes.is_null();
        // SAFETY: as this function requires; an array of bytes needs no alignment.
        let room = is_read.then(|| unsafe { &mut *dbytes.cast::<[u8; INLINE_LEN]>() });
        context.read_data(|reader| reader.inline_data(root, room))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// Reads the data of a block (A.5.3).
///
/// # Safety
/// Each pointer is null, or: `dbytes` is room for `n` bytes on rank `root`, and `err` points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fread_block_data(
    f: *mut Context,
    dbytes: *mut c_void,
    n: u64,
    root: c_int,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        let arguments = Arguments::new("scda_fread_block_data").word("N", n).word("root", root as u64);
        let ready = err_is_there(err).and_then(|()| context.section(b"B")).and_then(|header| {
            same("N", n, header.e)?;
            let root = context.root(root)?;
            if root != context.rank() || dbytes.is_null() {
                return Ok((root, None));
            }
            // SAFETY: as this function requires.
            Ok((root, Some(unsafe { slice_mut(dbytes.cast::<u8>(), n, "dbytes") }?)))
        });
        let (root, room) = context.enter(arguments, ready)?;
        context.read_data(|reader| reader.block_data(root, room))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// Error if an argument differs from the section header.
fn same(name: &str, given: u64, found: Count) -> Result<(), Fault> {
    if Count::from(given) == found {
        return Ok(());
    }
    Err(Fault::usage(format!("{name} is {given}, but the section header has {found}")))
}

/// Checks that a partition has all elements of the section.
fn has_all(n_q: &[u64], header: &SectionHeader) -> Result<(), Fault> {
    let total: u128 = n_q.iter().map(|n| u128::from(*n)).sum();
    if total == header.n.get() {
        return Ok(());
    }
    Err(Fault::usage(format!("N_q has {total} elements, but the section has {}", header.n)))
}

/// Reads the data of an array (A.5.4).
///
/// # Safety
/// Each pointer is null, or: `n_q` has a number for each rank, `dbytes` is room for that many elements of `e` bytes, or
/// has pointers to such room if `indirect`, and `err` points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fread_array_data(
    f: *mut Context,
    dbytes: *mut c_void,
    n_q: *const u64,
    e: u64,
    indirect: c_int,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        let ranks = *context.ranks();
        // SAFETY: as this function requires.
        let n_q = unsafe { table(n_q, &ranks, "N_q") };
        let arguments = Arguments::new("scda_fread_array_data").list("N_q", or_empty(&n_q));
        let arguments = arguments.word("E", e).flag("indirect", indirect != 0);
        let ready = err_is_there(err).and_then(|()| context.section(b"A")).and_then(|header| {
            let n_q = n_q?;
            same("E", e, header.e)?;
            has_all(n_q, &header)?;
            if dbytes.is_null() {
                return Ok((n_q, None));
            }
            // SAFETY: as this function requires.
            let room = unsafe { data_mut(dbytes, Sizes::Equal(own(n_q, &ranks), e), indirect != 0) }?;
            Ok((n_q, Some(room)))
        });
        let (n_q, room) = context.enter(arguments, ready)?;
        context.read_data(|reader| reader.array_data(Partition::Table(n_q), room))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// Reads the sizes of the elements of a varray (A.5.5).
///
/// # Safety
/// Each pointer is null, or: `n_q` has a number for each rank, `e_i` is room for that many sizes, and `err` points to a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fread_varray_sizes(
    f: *mut Context,
    e_i: *mut u64,
    n_q: *const u64,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        let ranks = *context.ranks();
        // SAFETY: as this function requires.
        let n_q = unsafe { table(n_q, &ranks, "N_q") };
        let arguments = Arguments::new("scda_fread_varray_sizes").list("N_q", or_empty(&n_q));
        let ready = err_is_there(err).and_then(|()| context.section(b"V")).and_then(|header| {
            let n_q = n_q?;
            has_all(n_q, &header)?;
            if e_i.is_null() {
                return Ok((n_q, None));
            }
            // SAFETY: as this function requires.
            Ok((n_q, Some(unsafe { slice_mut(e_i, own(n_q, &ranks), "E_i") }?)))
        });
        let (n_q, sizes) = context.enter(arguments, ready)?;
        context.read_sizes(|reader| reader.varray_sizes(Partition::Table(n_q), sizes))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// Reads the data of a varray (A.5.6).
///
/// # Safety
/// Each pointer is null, or: `n_q` and `s_q` have a number for each rank; `e_i` has the size of each element of this
/// rank, and `dbytes` is room for these elements, or has pointers to such room if `indirect`; `err` points to a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fread_varray_data(
    f: *mut Context,
    dbytes: *mut c_void,
    n_q: *const u64,
    e_i: *const u64,
    s_q: *const u64,
    indirect: c_int,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        let ranks = *context.ranks();
        // SAFETY: as this function requires.
        let n_q = unsafe { table(n_q, &ranks, "N_q") };
        let arguments = Arguments::new("scda_fread_varray_data").list("N_q", or_empty(&n_q));
        let arguments = arguments.flag("indirect", indirect != 0);
        let ready = err_is_there(err).and_then(|()| context.section(b"V")).and_then(|header| {
            let n_q = n_q?;
            has_all(n_q, &header)?;
            if dbytes.is_null() {
                context.check_sizes(None)?;
                return Ok((n_q, &[][..], None));
            }
            // SAFETY: as this function requires.
            let sizes = unsafe { slice(e_i, own(n_q, &ranks), "E_i") }?;
            context.check_sizes(Some(sizes))?;
            if !s_q.is_null() {
                // SAFETY: as this function requires.
                let s_q = unsafe { table(s_q, &ranks, "S_q") }?;
                Sizes::Each(sizes).check_total(own(s_q, &ranks))?;
            }
            // SAFETY: as this function requires.
            let room = unsafe { data_mut(dbytes, Sizes::Each(sizes), indirect != 0) }?;
            Ok((n_q, sizes, Some(room)))
        });
        let (n_q, sizes, room) = context.enter(arguments, ready)?;
        context.read_data(|reader| reader.varray_data(Partition::Table(n_q), sizes, room))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// Skips the data of the section.
///
/// # Safety
/// `err` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fskip(f: *mut Context, err: *mut c_int) -> *mut Context {
    let call = |context: &mut Context| {
        let ready = err_is_there(err).and_then(|()| context.section(b"IBAV")).map(drop);
        context.enter(Arguments::new("scda_fskip"), ready)?;
        context.read_data(|reader| reader.skip())
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}
