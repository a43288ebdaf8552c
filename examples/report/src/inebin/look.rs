//! Computes the figures of a matrix while its data are read.

use linkstream::inebin::{Complex, Entries, Header, MatrixType};

use super::figures::{Figures, Integers, Parts, Reals};

/// A computation of figures in progress.
pub enum Look {
    Boolean(Bits),
    Integer(Entries<i64>, Integers),
    Real(Entries<f64>, Reals),
    Complex(Entries<Complex>, Parts),
}

impl Look {
    pub fn new(header: &Header) -> Option<Self> {
        Some(match header.matrix_type() {
            MatrixType::Boolean => Self::Boolean(Bits { header: *header, seen: 0, set: 0 }),
            MatrixType::Integer => Self::Integer(Entries::new(header).ok()?, Integers::default()),
            MatrixType::Real => Self::Real(Entries::new(header).ok()?, Reals::default()),
            MatrixType::Complex => Self::Complex(Entries::new(header).ok()?, Parts::default()),
        })
    }

    /// Processes the next bytes of the data.
    pub fn feed(&mut self, bytes: &[u8]) {
        let fed = match self {
            Self::Boolean(bits) => {
                bits.feed(bytes);
                Ok(())
            }
            Self::Integer(entries, figures) => {
                entries.feed(bytes, |run| run.values().for_each(|value| figures.add(value)))
            }
            Self::Real(entries, figures) => {
                entries.feed(bytes, |run| run.values().for_each(|value| figures.add(value)))
            }
            Self::Complex(entries, figures) => {
                entries.feed(bytes, |run| run.values().for_each(|value| figures.add(value.re, value.im)))
            }
        };
        debug_assert_eq!(fed, Ok(()), "the decoder reports only the data of the matrix");
    }

    /// The figures, once all data have been read.
    pub fn finish(self) -> Figures {
        match self {
            Self::Boolean(bits) => Figures::Boolean(bits.set),
            Self::Integer(_, figures) => Figures::Integer(figures),
            Self::Real(_, figures) => Figures::Real(figures),
            Self::Complex(_, figures) => Figures::Complex(figures),
        }
    }
}

/// Counts entries that are true, one or more bytes at a time.
pub struct Bits {
    header: Header,
    /// Number of bytes that have been read.
    seen: u64,
    set: u64,
}

impl Bits {
    fn feed(&mut self, bytes: &[u8]) {
        self.seen = self.seen.saturating_add(bytes.len() as u64);
        let set = bytes.iter().map(|byte| u64::from(byte.count_ones())).sum();
        self.set = self.set.saturating_add(set);
        if let Some(last) = bytes.last()
            && self.seen == self.header.data_length()
        {
            // Bits after the last entry are unused.
            let unused = (last & self.header.unused_bits()).count_ones();
            self.set = self.set.saturating_sub(unused.into());
        }
    }
}
