//! The calls of `qioxml_usqcd_gauge.h` (QIO 2.3, appendix A.1).
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_char, c_int};

use crate::calls_usqcd::{self, calls, create};
use crate::string::QioString;
use crate::usqcd::{self, Element, Info};
use crate::usqcd_c::QioUsqcdInfo;

/// The document of a gauge field.
///
/// # Safety
/// The arguments are null or texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_lattice_info(
    plaq: *mut c_char,
    linktr: *mut c_char,
    info: *mut c_char,
) -> *mut QioUsqcdInfo {
    let texts = [(Element::Plaq, plaq), (Element::Linktr, linktr), (Element::Info, info)];
    // SAFETY: as this function requires.
    unsafe { create(Info::new(&usqcd::LATTICE), &texts) }
}

calls! {
    LATTICE: QIO_destroy_usqcd_lattice_info, QIO_encode_usqcd_lattice_info, QIO_decode_usqcd_lattice_info;
    text QIO_get_plaq Plaq,
    text QIO_get_linktr Linktr,
    text QIO_get_info Info,
    defined QIO_defined_plaq Plaq,
    defined QIO_defined_linktr Linktr,
    defined QIO_defined_info Info,
}
