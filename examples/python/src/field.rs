//! Fields: what describes them, and reading them into arrays of NumPy.

use std::sync::Arc;

use linkstream::ildg::GaugeKind;
use linkstream::lattice::{ByteOrder, Region};
use linkstream_access::meter::Meter;
use linkstream_access::write::is_gauge_field;
use linkstream_access::{
    ElementType, Field as Data, File, Selection, Stored, Sum, Unverified, Verdict, Verify,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::{exception, finding};
use crate::numbers::{Array, read};
use crate::work;

/// A field of a file. `linkstream.Field` is made of it.
#[pyclass(frozen, module = "linkstream._linkstream")]
pub struct Field {
    pub file: Arc<File>,
    /// Its place in the list of fields of the file.
    pub index: usize,
    pub data: Data,
}

/// The state of a verification in Python.
const fn state_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Unverified(Unverified::NotRequested) => "not requested",
        Verdict::Unverified(Unverified::NoChecksum) => "no checksum",
        Verdict::Unverified(Unverified::NoFullPass) => "no full pass",
        Verdict::Unverified(Unverified::PartOfSlices) => "part of slices",
        Verdict::Unverified(Unverified::SiteList) => "site list",
    }
}

/// The name of a type in NumPy, in the byte order of this machine.
const fn dtype(element: ElementType, is_complex: bool) -> &'static str {
    match (element, is_complex) {
        (ElementType::F32, false) => "f4",
        (ElementType::F64, false) => "f8",
        (ElementType::F32, true) => "c8",
        (ElementType::F64, true) => "c16",
        (ElementType::I32, _) => "i4",
        _ => "u1",
    }
}

/// Extents or coordinates, x first, as a tuple in the order of the axes of arrays: t, z, y, x.
fn in_axes<'py>(py: Python<'py>, numbers: &[u32]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, numbers.iter().rev())
}

/// A sum of 32 bits as reports have it.
fn sum(number: u32) -> String {
    format!("{number:08x}")
}

#[pymethods]
impl Field {
    /// The type of the numbers in NumPy, in native byte order.
    #[getter]
    fn dtype(&self) -> &'static str {
        let array = self.data.array();
        dtype(array.element, array.is_complex)
    }

    /// The name of each axis. Real and imaginary part are no axis.
    #[getter]
    fn dims(&self) -> Vec<&str> {
        let array = self.data.array();
        let axes = array.axes.len() - usize::from(array.is_complex);
        array.axes[..axes].iter().map(|axis| axis.name.as_str()).collect()
    }

    /// The extent of each axis.
    #[getter]
    fn shape(&self) -> Vec<u64> {
        let array = self.data.array();
        let axes = array.axes.len() - usize::from(array.is_complex);
        array.axes[..axes].iter().map(|axis| axis.extent).collect()
    }

    /// Number of axes that belong to the lattice, which are the first ones.
    #[getter]
    fn lattice_axes(&self) -> usize {
        self.data.array().lattice_axes
    }

    /// Size of the data in bytes.
    #[getter]
    fn nbytes(&self) -> PyResult<u64> {
        let array = self.data.array();
        array
            .number_count()
            .checked_mul(array.element.size() as u64)
            .ok_or_else(|| PyValueError::new_err("the field has more bytes than 64 bits can count"))
    }

    /// Entries of the file about the field: datatype, lattice, region, stored checksum.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (attrs, layout) = (PyDict::new(py), self.data.layout());
        if let Some(datatype) = self.data.datatype() {
            attrs.set_item("datatype", datatype)?;
        }
        attrs.set_item("lattice", in_axes(py, layout.extents.as_slice())?)?;
        match &layout.region {
            Region::Lattice => attrs.set_item("region", "lattice")?,
            Region::Hypercube(cube) => {
                attrs.set_item("region", "hypercube")?;
                attrs.set_item("lower", in_axes(py, cube.lower().as_slice())?)?;
                attrs.set_item("upper", in_axes(py, cube.upper().as_slice())?)?;
            }
            Region::Global => attrs.set_item("region", "global")?,
        }
        if let Some(data) = self.data.record_data() {
            attrs.set_item("precision", data.precision.as_str())?;
            attrs.set_item("colors", data.colors)?;
            attrs.set_item("spins", data.spins)?;
            attrs.set_item("typesize", data.typesize)?;
            attrs.set_item("datacount", data.datacount)?;
        }
        attrs.set_item("is_gauge_field", is_gauge_field(layout, false))?;
        match self.data.stored() {
            Stored::Scidac { suma, sumb, .. } => {
                attrs.set_item("suma", suma.map(sum))?;
                attrs.set_item("sumb", sumb.map(sum))?;
            }
            Stored::Nersc { sum: stored, .. } => attrs.set_item("word_sum", sum(*stored))?,
            // As the command `cksum` prints it.
            Stored::Cksum { sum: stored, .. } => attrs.set_item("cksum", stored.to_string())?,
            Stored::Milc(sums) => {
                attrs.set_item("sum29", sum(sums.sum29))?;
                attrs.set_item("sum31", sum(sums.sum31))?;
            }
            _ => {}
        }
        Ok(attrs)
    }

    /// Offset of the first byte of the record of the data. In a file set, it is the one of the single file with the same
    /// fields.
    #[getter]
    fn record_offset(&self) -> u64 {
        self.data.layout().record.payload_offset()
    }

    /// The same data as links of this kind of ILDG, or None if documents say what they are, or a site has another size.
    fn as_links(&self, kind: &str) -> PyResult<Option<Self>> {
        let kind = GaugeKind::parse(kind.as_bytes()).ok_or_else(|| {
            PyValueError::new_err(format!("kind is one of ILDG such as 'su3gauge', not {kind:?}"))
        })?;
        let links = self.data.as_links(kind);
        Ok(links.map(|data| Self { file: self.file.clone(), index: self.index, data }))
    }

    /// Offset, length and byte order (">" or "<") of data that are contiguous in the file, or None.
    fn contiguous(&self) -> Option<(u64, u64, &'static str)> {
        let (offset, length, order) = self.data.contiguous()?;
        Some((offset, length, if order == ByteOrder::Big { ">" } else { "<" }))
    }

    /// False as long as the byte order of an archive is a guess.
    #[getter]
    fn is_order_known(&self) -> bool {
        self.data.is_order_known()
    }

    /// Reads numbers into a one-dimensional array of real numbers, and returns the state of their verification. `block` has a range for each
    /// axis of the lattice, or is None for all data. Floating-point numbers can be converted to the other precision.
    #[pyo3(signature = (out, block, verify, progress))]
    fn read_into(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        block: Option<Vec<(u64, u64)>>,
        verify: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<&'static str> {
        let selection = match block {
            None => Selection::All,
            Some(block) => Selection::Block(block.into_iter().map(|(start, stop)| start..stop).collect()),
        };
        let verify = if verify { Verify::Yes } else { Verify::No };
        let array = selection.array(self.data.array()).map_err(|error| exception(error.into()))?;
        let total = array.number_count().saturating_mul(array.element.size() as u64);
        let mut array = Array::of(out)?;
        let out = array.out()?;
        let (file, meter) = (&self.file, Arc::<Meter>::default());
        let data = self.data.metered(meter.clone());
        let work = move || read(file, &data, &selection, out, verify).map(state_name);
        work::run(py, &meter, total, progress, work)
    }

    /// Reads all data once, and compares them with the checksum. Time slices that are read later are compared with the
    /// ones of this pass.
    #[pyo3(signature = (progress))]
    fn verify(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<&'static str> {
        let (file, meter) = (&self.file, Arc::<Meter>::default());
        let data = self.data.metered(meter.clone());
        let work = move || {
            file.check_unchanged().map_err(exception)?;
            let verdict = data.verify().map_err(exception)?;
            file.check_unchanged().map_err(exception)?;
            Ok(state_name(verdict))
        };
        work::run(py, &meter, self.nbytes()?, progress, work)
    }

    /// Names of the observables in the header of an archive that links are compared with.
    #[getter]
    fn measured(&self) -> Vec<&'static str> {
        self.data.measured()
    }

    /// True if the file has a checksum of the data, or a part of one.
    #[getter]
    fn has_checksum(&self) -> bool {
        !matches!(self.data.stored(), Stored::Absent | Stored::Plaquette)
    }

    /// The finding that the field has lost the checksum that its format always has, or None.
    #[getter]
    fn lost_checksum<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.file.lost_checksum(self.index).map(|found| finding(py, found)).transpose()
    }

    /// The sums of all time slices of a pass over all data, or None before it.
    fn slice_sums(&self) -> Option<Vec<(u32, u32)>> {
        let sums = self.data.verified_slices()?;
        Some(sums.into_iter().map(|Sum([first, second])| (first, second)).collect())
    }

    /// Like `verify`, with the sums of a pass of another process over the same file.
    fn verify_by(&self, sums: Vec<(u32, u32)>) -> PyResult<&'static str> {
        let sums = sums.into_iter().map(|(first, second)| Sum([first, second])).collect();
        self.data.verify_by(sums).map(state_name).map_err(exception)
    }
}
