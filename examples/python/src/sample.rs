//! Samples of SU(3) gauge fields, thermalised here, with the same bits on every machine.

use std::sync::{Arc, Mutex, PoisonError};

use linkstream_access::meter::Meter;
use linkstream_heatbath::{Lattice, Rng};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::work;

/// Over-relaxation sweeps of an update, beside the one of the heat bath.
const OVERRELAXATIONS: usize = 4;

/// A Markov chain, which begins with links of 1.
#[pyclass(frozen, module = "linkstream._linkstream")]
pub struct Chain {
    state: Mutex<(Lattice, Rng)>,
    sites: usize,
    beta: f64,
}

#[pymethods]
impl Chain {
    /// A chain on a lattice with these extents, x first.
    #[new]
    fn new(extents: [usize; 4], beta: f64, seed: u64) -> PyResult<Self> {
        let sites = extents.iter().try_fold(1_usize, |sites, extent| sites.checked_mul(*extent));
        let sites = sites
            .filter(|sites| (1..=LARGEST).contains(sites))
            .ok_or_else(|| PyValueError::new_err(format!("a sample has 1 to {LARGEST} sites")))?;
        if !(beta.is_finite() && beta >= 0.0) {
            return Err(PyValueError::new_err("beta is a finite number that is not negative"));
        }
        Ok(Self { state: Mutex::new((Lattice::cold(extents), Rng::new(seed))), sites, beta })
    }

    /// Updates all links so many times.
    fn update(&self, py: Python<'_>, updates: usize) -> PyResult<()> {
        let meter = Arc::<Meter>::default();
        work::run(py, &meter, u64::MAX, None, || {
            let (lattice, rng) = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
            for _ in 0..updates {
                // Ctrl-C ends the work.
                meter.add(0).map_err(std::io::Error::from)?;
                lattice.sweep(self.beta, rng);
                for _ in 0..OVERRELAXATIONS {
                    lattice.overrelax();
                }
            }
            Ok(())
        })
    }

    /// The numbers of all links in the order of files.
    fn links<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let (lattice, _) = &*self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let of_site = |site| (0..4).flat_map(move |mu| lattice.link(site, mu).components().iter().copied());
        PyArray1::from_vec(py, (0..self.sites).flat_map(of_site).collect())
    }
}

/// The largest number of sites: an update of it takes seconds.
const LARGEST: usize = 1 << 20;
