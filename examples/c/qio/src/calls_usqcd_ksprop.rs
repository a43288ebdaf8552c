//! The calls of `qioxml_usqcd_ksprop.h` (QIO 2.3, appendix A.3). Names without `usqcd` are in the document only.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_char, c_int};

use crate::calls_usqcd::{self, calls, create};
use crate::string::QioString;
use crate::usqcd::{self, Element, Info};
use crate::usqcd_c::QioUsqcdInfo;

/// The document of a file of staggered propagators.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_kspropfile_info(
    file_type: c_int,
    info: *mut c_char,
) -> *mut QioUsqcdInfo {
    // SAFETY: as this function requires.
    unsafe { create(Info::new(&usqcd::KS_PROP_FILE).with_type(file_type), &[(Element::Info, info)]) }
}

/// The document of a source.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_kspropsource_info(info: *mut c_char) -> *mut QioUsqcdInfo {
    // SAFETY: as this function requires.
    unsafe { create(Info::new(&usqcd::KS_PROP_SOURCE), &[(Element::Info, info)]) }
}

/// The document of a source with a color.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_kspropsource_c_info(
    color: c_int,
    info: *mut c_char,
) -> *mut QioUsqcdInfo {
    let labelled = Info::new(&usqcd::KS_PROP_SOURCE).with_number(Element::Color, color);
    // SAFETY: as this function requires.
    unsafe { create(labelled, &[(Element::Info, info)]) }
}

/// The document of a staggered solution.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_ksproprecord_info(info: *mut c_char) -> *mut QioUsqcdInfo {
    // SAFETY: as this function requires.
    unsafe { create(Info::new(&usqcd::KS_PROP_RECORD), &[(Element::Info, info)]) }
}

/// The document of a staggered solution with a color.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_ksproprecord_c_info(
    color: c_int,
    info: *mut c_char,
) -> *mut QioUsqcdInfo {
    let labelled = Info::new(&usqcd::KS_PROP_RECORD).with_number(Element::Color, color);
    // SAFETY: as this function requires.
    unsafe { create(labelled, &[(Element::Info, info)]) }
}

calls! {
    KS_PROP_FILE:
    QIO_destroy_usqcd_kspropfile_info, QIO_encode_usqcd_kspropfile_info, QIO_decode_usqcd_kspropfile_info;
    file_type QIO_get_usqcd_kspropfile_type Type,
    file_type QIO_get_kspropfile_type Type,
    text QIO_get_usqcd_kspropfile_info Info,
    text QIO_get_kspropfile_info Info,
    defined QIO_defined_usqcd_kspropfile_type Type,
    defined QIO_defined_kspropfile_type Type,
    defined QIO_defined_usqcd_kspropfile_info Info,
    defined QIO_defined_kspropfile_info Info,
}

calls! {
    KS_PROP_SOURCE:
    QIO_destroy_usqcd_kspropsource_info, QIO_encode_usqcd_kspropsource_info, QIO_decode_usqcd_kspropsource_info;
    text QIO_get_usqcd_kspropsource_info Info,
    number QIO_get_usqcd_kspropsource_color Color,
    defined QIO_defined_usqcd_kspropsource_info Info,
    defined QIO_defined_usqcd_kspropsource_color Color,
}

calls! {
    KS_PROP_RECORD:
    QIO_destroy_usqcd_ksproprecord_info, QIO_encode_usqcd_ksproprecord_info, QIO_decode_usqcd_ksproprecord_info;
    text QIO_get_usqcd_ksproprecord_info Info,
    number QIO_get_usqcd_ksproprecord_color Color,
    defined QIO_defined_usqcd_ksproprecord_info Info,
    defined QIO_defined_usqcd_ksproprecord_color Color,
}
