//! The calls of `qioxml_usqcd_prop.h` (QIO 2.3, appendix A.2). Names without `usqcd` are in the document only.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_char, c_int};

use crate::calls_usqcd::{self, calls, create};
use crate::string::QioString;
use crate::usqcd::{self, Element, Info};
use crate::usqcd_c::QioUsqcdInfo;

/// The document of a file of Dirac propagators.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_propfile_info(
    file_type: c_int,
    info: *mut c_char,
) -> *mut QioUsqcdInfo {
    // SAFETY: as this function requires.
    unsafe { create(Info::new(&usqcd::PROP_FILE).with_type(file_type), &[(Element::Info, info)]) }
}

/// The document of a source.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_propsource_info(info: *mut c_char) -> *mut QioUsqcdInfo {
    // SAFETY: as this function requires.
    unsafe { create(Info::new(&usqcd::PROP_SOURCE), &[(Element::Info, info)]) }
}

/// The document of a source with spin and color.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_propsource_sc_info(
    spin: c_int,
    color: c_int,
    info: *mut c_char,
) -> *mut QioUsqcdInfo {
    let labelled =
        Info::new(&usqcd::PROP_SOURCE).with_number(Element::Spin, spin).with_number(Element::Color, color);
    // SAFETY: as this function requires.
    unsafe { create(labelled, &[(Element::Info, info)]) }
}

/// The document of a Dirac solution.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_proprecord_info(info: *mut c_char) -> *mut QioUsqcdInfo {
    // SAFETY: as this function requires.
    unsafe { create(Info::new(&usqcd::PROP_RECORD), &[(Element::Info, info)]) }
}

/// The document of a Dirac solution with spin and color.
///
/// # Safety
/// `info` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_usqcd_proprecord_sc_info(
    spin: c_int,
    color: c_int,
    info: *mut c_char,
) -> *mut QioUsqcdInfo {
    let labelled =
        Info::new(&usqcd::PROP_RECORD).with_number(Element::Spin, spin).with_number(Element::Color, color);
    // SAFETY: as this function requires.
    unsafe { create(labelled, &[(Element::Info, info)]) }
}

calls! {
    PROP_FILE:
    QIO_destroy_usqcd_propfile_info, QIO_encode_usqcd_propfile_info, QIO_decode_usqcd_propfile_info;
    file_type QIO_get_usqcd_propfile_type Type,
    file_type QIO_get_propfile_type Type,
    text QIO_get_usqcd_propfile_info Info,
    text QIO_get_propfile_info Info,
    defined QIO_defined_usqcd_propfile_type Type,
    defined QIO_defined_propfile_type Type,
    defined QIO_defined_usqcd_propfile_info Info,
    defined QIO_defined_propfile_info Info,
}

calls! {
    PROP_SOURCE:
    QIO_destroy_usqcd_propsource_info, QIO_encode_usqcd_propsource_info, QIO_decode_usqcd_propsource_info;
    text QIO_get_usqcd_propsource_info Info,
    number QIO_get_usqcd_propsource_spin Spin,
    number QIO_get_usqcd_propsource_color Color,
    defined QIO_defined_usqcd_propsource_info Info,
    defined QIO_defined_usqcd_propsource_spin Spin,
    defined QIO_defined_usqcd_propsource_color Color,
}

calls! {
    PROP_RECORD:
    QIO_destroy_usqcd_proprecord_info, QIO_encode_usqcd_proprecord_info, QIO_decode_usqcd_proprecord_info;
    text QIO_get_usqcd_proprecord_info Info,
    number QIO_get_usqcd_proprecord_spin Spin,
    number QIO_get_usqcd_proprecord_color Color,
    defined QIO_defined_usqcd_proprecord_info Info,
    defined QIO_defined_usqcd_proprecord_spin Spin,
    defined QIO_defined_usqcd_proprecord_color Color,
}
