//! The structures of USQCD documents as C programs have them.
//!
//! Programs declare such structures on their stack, set nothing, decode a document into them, and never destroy them. A
//! document can be longer than any room in a structure, so the structure has a mark and the number of its content, which
//! is in a table here. A structure that is decoded into once more, at the same address, loses its content of before: so the
//! table grows with the number of addresses, not of calls.
#![allow(unsafe_code, reason = "structures of C programs")]

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use linkstream_c_border::Handles;

use crate::code::Refused;
use crate::usqcd::{Info, Kind};

/// A filled structure has this mark.
const MARK: u64 = 0x5149_4f5f_7573_6431;

/// The structures of `qioxml_usqcd_….h`: all are alike.
#[repr(C)]
#[derive(Debug)]
pub struct QioUsqcdInfo {
    mark: u64,
    number: u64,
}

static CREATED: Handles<QioUsqcdInfo> = Handles::new("a USQCD info");

/// The memory of the last destroyed structures: a program that uses one of them once more gets an error.
static DESTROYED: Mutex<VecDeque<Box<QioUsqcdInfo>>> = Mutex::new(VecDeque::new());

const KEPT: usize = 64;

/// The contents, by their numbers. A tree, since tools that look for lost memory do not find the start of a hash table.
#[derive(Debug, Default)]
struct Table {
    last: u64,
    infos: BTreeMap<u64, Info>,
    /// Number of the content of each structure of the program, by its address.
    places: BTreeMap<usize, u64>,
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    fn add(&mut self, info: Info) -> u64 {
        self.last += 1;
        self.infos.insert(self.last, info);
        self.last
    }

    fn run<R>(
        &mut self,
        number: u64,
        kind: &'static Kind,
        call: impl FnOnce(&mut Info) -> Result<R, Refused>,
    ) -> Result<R, Refused> {
        let info = self.infos.get_mut(&number).ok_or_else(|| not_filled(kind))?;
        info.of_kind(kind)?;
        call(info)
    }
}

fn not_filled(kind: &'static Kind) -> Refused {
    Refused::usage(format!("the {} has not been filled", kind.name))
}

/// A new structure of the library.
///
/// # Errors
/// There is not enough memory.
pub fn create(info: Info) -> Result<*mut QioUsqcdInfo, Refused> {
    linkstream_memory::check()?;
    let number = locked(&TABLE).get_or_insert_default().add(info);
    Ok(CREATED.create(QioUsqcdInfo { mark: MARK, number }))
}

/// True for a structure of the library; false for one that the program can have.
fn is_created(pointer: *mut QioUsqcdInfo, kind: &'static Kind) -> Result<bool, Refused> {
    if pointer.is_null() || CREATED.has(pointer) {
        return Ok(true);
    }
    if !pointer.is_aligned() {
        return Err(Refused::usage(format!("the pointer is not a {}", kind.name)));
    }
    if locked(&DESTROYED).iter().any(|ended| std::ptr::eq(&raw const **ended, pointer)) {
        return Err(Refused::usage(format!("the {} has been destroyed", kind.name)));
    }
    Ok(false)
}

/// Runs a call with the content of a structure.
///
/// # Errors
/// The pointer is null or no structure, or the structure was not filled, has been destroyed or is of another kind.
///
/// # Safety
/// The pointer is null, misaligned, or a structure that a call has created, destroyed or not; or it is a structure of the
/// program.
pub unsafe fn with<R>(
    pointer: *mut QioUsqcdInfo,
    kind: &'static Kind,
    call: impl FnOnce(&mut Info) -> Result<R, Refused>,
) -> Result<R, Refused> {
    let number = if is_created(pointer, kind)? {
        CREATED.with(pointer, |info| info.number)?
    } else {
        // SAFETY: as this function requires.
        let mark = unsafe { &raw const (*pointer).mark };
        // SAFETY: as above; it is aligned.
        if unsafe { mark.read() } != MARK {
            return Err(not_filled(kind));
        }
        // SAFETY: a filled structure has both members.
        unsafe { pointer.as_ref() }.map_or(0, |info| info.number)
    };
    locked(&TABLE).get_or_insert_default().run(number, kind, call)
}

/// Runs a call that fills a structure, which can be without values.
///
/// # Errors
/// The pointer is null or no structure, or the structure has been destroyed or, if a call created it, is of another kind.
///
/// # Safety
/// As for [`with`].
pub unsafe fn fill<R>(
    pointer: *mut QioUsqcdInfo,
    kind: &'static Kind,
    call: impl FnOnce(&mut Info) -> Result<R, Refused>,
) -> Result<R, Refused> {
    if is_created(pointer, kind)? {
        // SAFETY: as this function requires.
        return unsafe { with(pointer, kind, call) };
    }
    let mut table = locked(&TABLE);
    let table = table.get_or_insert_default();
    let number = table.add(Info::new(kind));
    if let Some(before) = table.places.insert(pointer.addr(), number) {
        // A copy of the structure as it was must not show the new document: it is not filled any more.
        table.infos.remove(&before);
    }
    // SAFETY: as this function requires; it is aligned.
    unsafe { pointer.write(QioUsqcdInfo { mark: MARK, number }) };
    table.run(number, kind, call)
}

/// Ends a structure of the library. Null is allowed. Structures of the program need no end.
///
/// # Errors
/// There is no such structure, or it is of another kind.
///
/// # Safety
/// As for [`with`].
pub unsafe fn destroy(pointer: *mut QioUsqcdInfo, kind: &'static Kind) -> Result<(), Refused> {
    if pointer.is_null() {
        return Ok(());
    }
    // SAFETY: as this function requires.
    unsafe { with(pointer, kind, |_| Ok(())) }?;
    let mut ended = CREATED.close(pointer)?;
    locked(&TABLE).get_or_insert_default().infos.remove(&ended.number);
    ended.mark = 0;
    let mut destroyed = locked(&DESTROYED);
    destroyed.push_back(ended);
    if destroyed.len() > KEPT {
        destroyed.pop_front();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usqcd::LATTICE;

    fn is_filled(structure: &mut QioUsqcdInfo) -> bool {
        // SAFETY: a structure of the test.
        unsafe { with(structure, &LATTICE, |_| Ok(())) }.is_ok()
    }

    #[test]
    fn a_copy_does_not_show_a_later_document() {
        let mut structure = QioUsqcdInfo { mark: 0, number: 0 };
        assert!(!is_filled(&mut structure));
        // SAFETY: a structure of the test.
        unsafe { fill(&raw mut structure, &LATTICE, |_| Ok(())) }.unwrap();
        let QioUsqcdInfo { mark, number } = structure;
        let mut copy = QioUsqcdInfo { mark, number };
        assert!(is_filled(&mut structure) && is_filled(&mut copy));
        // SAFETY: as above.
        unsafe { fill(&raw mut structure, &LATTICE, |_| Ok(())) }.unwrap();
        assert!(is_filled(&mut structure) && !is_filled(&mut copy));
    }
}
