//! Arrays of NumPy that receive the numbers of a field, also in the other precision.

use std::io;

use linkstream::lattice::ByteOrder;
use linkstream_access::{ElementType, Error, Field, File, Selection, Verdict, Verify};
use numpy::{BorrowError, Element, PyArray1, PyArrayMethods as _, PyReadwriteArray1};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::error::exception;

/// The byte order of this machine.
pub const NATIVE: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

/// A contiguous, writable array of real numbers with one axis.
pub enum Array<'py> {
    F32(PyReadwriteArray1<'py, f32>),
    F64(PyReadwriteArray1<'py, f64>),
    I32(PyReadwriteArray1<'py, i32>),
    U8(PyReadwriteArray1<'py, u8>),
}

/// The numbers of such an array.
pub enum Out<'a> {
    F32(&'a mut [f32]),
    F64(&'a mut [f64]),
    I32(&'a mut [i32]),
    U8(&'a mut [u8]),
}

impl<'py> Array<'py> {
    /// Borrows an array of Python.
    ///
    /// # Errors
    /// It is no array, has another type, cannot be written, or another call uses it.
    pub fn of(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = array.cast() {
            return borrowed(array).map(Self::F64);
        }
        if let Ok(array) = array.cast() {
            return borrowed(array).map(Self::F32);
        }
        if let Ok(array) = array.cast() {
            return borrowed(array).map(Self::I32);
        }
        array.cast().map_or_else(
            |_| {
                Err(PyTypeError::new_err(
                    "expected an array of f4, f8, i4 or u1 in native byte order, with one axis",
                ))
            },
            |array| borrowed(array).map(Self::U8),
        )
    }

    /// Its numbers.
    ///
    /// # Errors
    /// They are not contiguous.
    pub fn out(&mut self) -> PyResult<Out<'_>> {
        let strided = |_| PyValueError::new_err("the array is not contiguous");
        Ok(match self {
            Self::F32(array) => Out::F32(array.as_slice_mut().map_err(strided)?),
            Self::F64(array) => Out::F64(array.as_slice_mut().map_err(strided)?),
            Self::I32(array) => Out::I32(array.as_slice_mut().map_err(strided)?),
            Self::U8(array) => Out::U8(array.as_slice_mut().map_err(strided)?),
        })
    }
}

/// An array, as long as no other call uses it.
fn borrowed<'py, T: Element>(array: &Bound<'py, PyArray1<T>>) -> PyResult<PyReadwriteArray1<'py, T>> {
    array.try_readwrite().map_err(|error| match error {
        BorrowError::AlreadyBorrowed => PyValueError::new_err("another call is reading into the array"),
        error => PyValueError::new_err(format!("the array cannot be written: {error}")),
    })
}

/// Reads a part of a field, verifies it, and converts it if the array has the other precision.
///
/// # Errors
/// Errors of [`Field::read`]; the file has changed since it was opened; a number is too large for single precision.
pub fn read(file: &File, field: &Field, part: &Selection, out: Out<'_>, verify: Verify) -> PyResult<Verdict> {
    let stored = field.array().element;
    file.check_unchanged().map_err(exception)?;
    let verdict = match (stored, out) {
        (ElementType::F64, Out::F32(out)) => converted(field, part, out, verify, |bytes: [u8; 8]| {
            let number = f64::from_ne_bytes(bytes);
            let single = number as f32;
            (single, single.is_finite() || !number.is_finite())
        }),
        (ElementType::F32, Out::F64(out)) => {
            converted(field, part, out, verify, |bytes: [u8; 4]| (f32::from_ne_bytes(bytes).into(), true))
        }
        (_, Out::F32(out)) => field.read(part, out, verify).map_err(exception),
        (_, Out::F64(out)) => field.read(part, out, verify).map_err(exception),
        (_, Out::I32(out)) => field.read(part, out, verify).map_err(exception),
        (_, Out::U8(out)) => field.read(part, out, verify).map_err(exception),
    }?;
    file.check_unchanged().map_err(exception)?;
    Ok(verdict)
}

/// Reads numbers in windows, whose memory does not depend on the size of the field. `convert` also returns whether the
/// number fits.
fn converted<T, const SIZE: usize>(
    field: &Field,
    part: &Selection,
    out: &mut [T],
    verify: Verify,
    convert: impl Fn([u8; SIZE]) -> (T, bool),
) -> PyResult<Verdict> {
    let expected = part.array(field.array()).map_err(|error| exception(error.into()))?.number_count();
    if out.len() as u64 != expected {
        let bytes = |numbers: u64| numbers.saturating_mul(SIZE as u64);
        return Err(exception(Error::Length { expected: bytes(expected), given: bytes(out.len() as u64) }));
    }
    let mut rest = out;
    let verdict = field.stream(part, NATIVE, verify, &mut |bytes| {
        let numbers = bytes.as_chunks().0;
        let places = std::mem::take(&mut rest).split_at_mut_checked(numbers.len());
        let (places, others) = places.ok_or_else(|| io::Error::other(OTHER_COUNT))?;
        rest = others;
        let mut fits = true;
        for (number, place) in numbers.iter().zip(places) {
            let (converted, is_right) = convert(*number);
            *place = converted;
            fits &= is_right;
        }
        if fits {
            Ok(())
        } else {
            Err(PyOverflowError::new_err("a number is too large for single precision").into())
        }
    });
    let verdict = verdict.map_err(exception)?;
    // The memory is new, and NumPy does not clear it.
    if rest.is_empty() { Ok(verdict) } else { Err(io::Error::other(OTHER_COUNT).into()) }
}

const OTHER_COUNT: &str = "the field has delivered another count of numbers than it has";
