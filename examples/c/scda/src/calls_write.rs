//! Writing sections (scda A.4).
//!
//! Each call comes in two forms, whose user strings are C strings or any bytes.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_int, c_void};

use linkstream_parallel::scda::Partition;
use linkstream_parallel::{Arguments, Fault};

use crate::calls::{err_is_there, on_file};
use crate::context::Context;
use crate::memory::{Sizes, data, own, slice, table, userstr, userstr_c};

/// A user string, or the reason why it is refused.
type Userstr<'a> = Result<&'a [u8], Fault>;

/// Value of an argument for the comparison of the ranks. A rank whose argument is refused takes no part in it.
pub(crate) fn or_empty<'a, T>(argument: &Result<&'a [T], Fault>) -> &'a [T] {
    argument.as_ref().map_or(&[], |argument| argument)
}

/// The data of rank `root`; nothing on other ranks.
///
/// # Safety
/// `dbytes` is null or has so many bytes on rank `root`.
unsafe fn whole<'a>(
    context: &Context,
    dbytes: *const c_void,
    length: u64,
    root: c_int,
) -> Result<(usize, &'a [u8]), Fault> {
    let root = context.root(root)?;
    if root != context.rank() {
        return Ok((root, &[]));
    }
    // SAFETY: as this function requires.
    Ok((root, unsafe { slice(dbytes.cast::<u8>(), length, "dbytes") }?))
}

/// # Safety
/// The requirements of [`scda_fwrite_inline`].
unsafe fn inline(
    f: *mut Context,
    dbytes: *const c_void,
    string: Userstr<'_>,
    root: c_int,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        // SAFETY: as this function requires.
        let data = unsafe { whole(context, dbytes, 32, root) };
        let arguments =
            Arguments::new("scda_fwrite_inline").text("userstr", or_empty(&string)).word("root", root as u64);
        let ready = err_is_there(err).and_then(|()| context.is_writing());
        let ready = ready.and_then(|()| Ok((string?, data?)));
        let (string, (root, data)) = context.enter(arguments, ready)?;
        context.write(|writer| writer.inline(string, root, data))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// # Safety
/// The requirements of [`scda_fwrite_block`].
unsafe fn block(
    f: *mut Context,
    dbytes: *const c_void,
    e: u64,
    string: Userstr<'_>,
    (root, encode): (c_int, c_int),
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        // SAFETY: as this function requires.
        let data = unsafe { whole(context, dbytes, e, root) };
        let arguments = Arguments::new("scda_fwrite_block").text("userstr", or_empty(&string)).word("E", e);
        let arguments = arguments.word("root", root as u64).flag("encode", encode != 0);
        let ready = err_is_there(err).and_then(|()| context.is_writing());
        let ready = ready.and_then(|()| Ok((string?, data?)));
        let (string, (root, data)) = context.enter(arguments, ready)?;
        context.write(|writer| writer.block(string, root, e, data, encode != 0))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// # Safety
/// The requirements of [`scda_fwrite_array`].
unsafe fn array(
    f: *mut Context,
    (dbytes, n_q, e): (*const c_void, *const u64, u64),
    indirect: c_int,
    string: Userstr<'_>,
    encode: c_int,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        // SAFETY: as this function requires.
        let n_q = unsafe { table(n_q, context.ranks(), "N_q") };
        let data = n_q.clone().and_then(|n_q| {
            // SAFETY: as this function requires.
            unsafe { data(dbytes, Sizes::Equal(own(n_q, context.ranks()), e), indirect != 0) }
        });
        let arguments = Arguments::new("scda_fwrite_array")
            .text("userstr", or_empty(&string))
            .list("N_q", or_empty(&n_q));
        let arguments = arguments.word("E", e).flag("indirect", indirect != 0).flag("encode", encode != 0);
        let ready = err_is_there(err).and_then(|()| context.is_writing());
        let ready = ready.and_then(|()| Ok((string?, n_q?, data?)));
        let (string, n_q, data) = context.enter(arguments, ready)?;
        let partition = Partition::Table(n_q);
        context.write(|writer| writer.array(string, partition, e, data.elements(), encode != 0))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// # Safety
/// The requirements of [`scda_fwrite_varray`].
unsafe fn varray(
    f: *mut Context,
    (dbytes, n_q, e_i, s_q): (*const c_void, *const u64, *const u64, *const u64),
    indirect: c_int,
    string: Userstr<'_>,
    encode: c_int,
    err: *mut c_int,
) -> *mut Context {
    let call = |context: &mut Context| {
        let ranks = *context.ranks();
        // SAFETY: as this function requires.
        let n_q = unsafe { table(n_q, &ranks, "N_q") };
        // SAFETY: as this function requires.
        let s_q = unsafe { table(s_q, &ranks, "S_q") };
        let sizes = n_q.clone().and_then(|n_q| {
            // SAFETY: as this function requires.
            unsafe { slice(e_i, own(n_q, &ranks), "E_i") }
        });
        let data = sizes.clone().and_then(|sizes| {
            let sizes = Sizes::Each(sizes);
            sizes.check_total(own(s_q.clone()?, &ranks))?;
            // SAFETY: as this function requires.
            unsafe { data(dbytes, sizes, indirect != 0) }
        });
        let arguments = Arguments::new("scda_fwrite_varray")
            .text("userstr", or_empty(&string))
            .list("N_q", or_empty(&n_q));
        let arguments = arguments.list("S_q", or_empty(&s_q)).flag("indirect", indirect != 0);
        let arguments = arguments.flag("encode", encode != 0);
        let ready = err_is_there(err).and_then(|()| context.is_writing());
        let ready = ready.and_then(|()| Ok((string?, n_q?, sizes?, data?)));
        let (string, n_q, sizes, data) = context.enter(arguments, ready)?;
        let partition = Partition::Table(n_q);
        context.write(|writer| writer.varray(string, partition, sizes, data.elements(), encode != 0))
    };
    // SAFETY: as this function requires.
    unsafe { on_file(f, err, call) }
}

/// Writes an inline section (A.4.1).
///
/// # Safety
/// Each pointer is null, or: `dbytes` has 32 bytes on rank `root`, `userstr` is a C string, and `err` points to a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fwrite_inline(
    f: *mut Context,
    dbytes: *const c_void,
    userstr: *const c_char,
    root: c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    let string = unsafe { userstr_c(userstr) };
    // SAFETY: as this function requires.
    unsafe { inline(f, dbytes, string, root, err) }
}

/// Writes an inline section with a user string of any bytes.
///
/// # Safety
/// The requirements of [`scda_fwrite_inline`]; `string` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fwrite_inline_n(
    f: *mut Context,
    dbytes: *const c_void,
    string: *const c_void,
    length: usize,
    root: c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    let string = unsafe { userstr(string, length) };
    // SAFETY: as this function requires.
    unsafe { inline(f, dbytes, string, root, err) }
}

/// Writes a block (A.4.2).
///
/// # Safety
/// Each pointer is null, or: `dbytes` has `e` bytes on rank `root`, `userstr` is a C string, and `err` points to a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fwrite_block(
    f: *mut Context,
    dbytes: *const c_void,
    e: u64,
    userstr: *const c_char,
    root: c_int,
    encode: c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    let string = unsafe { userstr_c(userstr) };
    // SAFETY: as this function requires.
    unsafe { block(f, dbytes, e, string, (root, encode), err) }
}

/// Writes a block with a user string of any bytes.
///
/// # Safety
/// The requirements of [`scda_fwrite_block`]; `string` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fwrite_block_n(
    f: *mut Context,
    dbytes: *const c_void,
    e: u64,
    string: *const c_void,
    length: usize,
    root: c_int,
    encode: c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    let string = unsafe { userstr(string, length) };
    // SAFETY: as this function requires.
    unsafe { block(f, dbytes, e, string, (root, encode), err) }
}

/// Writes an array (A.4.3).
///
/// # Safety
/// Each pointer is null, or: `n_q` has a number for each rank, `dbytes` has that many elements of `e` bytes, or
/// pointers to them if `indirect`, `userstr` is a C string, and `err` points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fwrite_array(
    f: *mut Context,
    dbytes: *const c_void,
    n_q: *const u64,
    e: u64,
    indirect: c_int,
    userstr: *const c_char,
    encode: c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    let string = unsafe { userstr_c(userstr) };
    // SAFETY: as this function requires.
    unsafe { array(f, (dbytes, n_q, e), indirect, string, encode, err) }
}

/// Writes an array with a user string of any bytes.
///
/// # Safety
/// The requirements of [`scda_fwrite_array`]; `string` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fwrite_array_n(
    f: *mut Context,
    dbytes: *const c_void,
    n_q: *const u64,
    e: u64,
    indirect: c_int,
    string: *const c_void,
    length: usize,
    encode: c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    let string = unsafe { userstr(string, length) };
    // SAFETY: as this function requires.
    unsafe { array(f, (dbytes, n_q, e), indirect, string, encode, err) }
}

/// Writes an array of elements of different sizes (A.4.4).
///
/// # Safety
/// Each pointer is null, or: `n_q` and `s_q` have a number for each rank, `e_i` has the size of each element of this
/// rank, `dbytes` has these elements, or pointers to them if `indirect`, `userstr` is a C string, and `err` points to
/// a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fwrite_varray(
    f: *mut Context,
    dbytes: *const c_void,
    n_q: *const u64,
    e_i: *const u64,
    s_q: *const u64,
    indirect: c_int,
    userstr: *const c_char,
    encode: c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    let string = unsafe { userstr_c(userstr) };
    // SAFETY: as this function requires.
    unsafe { varray(f, (dbytes, n_q, e_i, s_q), indirect, string, encode, err) }
}

/// Writes an array of elements of different sizes, with a user string of any bytes.
///
/// # Safety
/// The requirements of [`scda_fwrite_varray`]; `string` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scda_fwrite_varray_n(
    f: *mut Context,
    dbytes: *const c_void,
    n_q: *const u64,
    e_i: *const u64,
    s_q: *const u64,
    indirect: c_int,
    string: *const c_void,
    length: usize,
    encode: c_int,
    err: *mut c_int,
) -> *mut Context {
    // SAFETY: as this function requires.
    let string = unsafe { userstr(string, length) };
    // SAFETY: as this function requires.
    unsafe { varray(f, (dbytes, n_q, e_i, s_q), indirect, string, encode, err) }
}
