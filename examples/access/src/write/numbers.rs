//! Converts numbers from one precision to another, or only counts numbers that are not finite. Pieces of input may
//! split a number anywhere.

use linkstream::lattice::Precision;

use super::fault::Fault;

/// Maximum size of a number in bytes.
const LONGEST: usize = 8;

#[derive(Debug)]
pub(super) struct Numbers {
    /// Precision of the input and of the output. `None`: the data are not known to be numbers.
    precisions: Option<(Precision, Precision)>,
    /// A link with all bits set is absent (ILDG 1.2, section 2.5.1); its bits stay set.
    absent_is_ones: bool,
    /// Numbers per site in the output.
    per_site: u64,
    /// First bytes of a number that is incomplete so far.
    begun: Vec<u8>,
    done: u64,
    /// Infinite numbers and NaNs.
    pub not_finite: u64,
    out: Vec<u8>,
}

impl Numbers {
    pub(super) fn new(
        from: Option<Precision>,
        to: Option<Precision>,
        absent_is_ones: bool,
        site: u64,
    ) -> Self {
        let precisions = from.zip(to);
        let size = to.map_or(1, |to| to.size() as u64);
        let per_site = site.checked_div(size).unwrap_or(0).max(1);
        let begun = Vec::with_capacity(LONGEST);
        Self { precisions, absent_is_ones, per_site, begun, done: 0, not_finite: 0, out: Vec::new() }
    }

    /// Converts the next bytes.
    pub(super) fn feed<'a>(&'a mut self, bytes: &'a [u8]) -> Result<&'a [u8], Fault> {
        let Some((from, to)) = self.precisions else { return Ok(bytes) };
        self.out.clear();
        let mut rest = bytes;
        if !self.begun.is_empty() {
            let (piece, others) = rest.split_at(from.size().saturating_sub(self.begun.len()).min(rest.len()));
            self.begun.extend_from_slice(piece);
            rest = others;
            if self.begun.len() == from.size() {
                let whole = std::mem::take(&mut self.begun);
                self.number(&whole, from, to)?;
            }
        }
        let words = rest.chunks_exact(from.size());
        self.begun.extend_from_slice(words.remainder());
        for word in words {
            self.number(word, from, to)?;
        }
        // Without a change of precision the input is returned, since a conversion could change the bits of a NaN.
        Ok(if from == to { bytes } else { &self.out })
    }

    fn number(&mut self, word: &[u8], from: Precision, to: Precision) -> Result<(), Fault> {
        let value = from.read(word, 0).unwrap_or(f64::NAN);
        if from == to {
            let is_strange = !value.is_finite() && !self.is_absent(word);
            self.not_finite = self.not_finite.saturating_add(is_strange.into());
            return Ok(());
        }
        match to {
            Precision::F32 if (value as f32).is_finite() => {
                self.out.extend_from_slice(&(value as f32).to_be_bytes());
            }
            Precision::F64 if value.is_finite() => self.out.extend_from_slice(&value.to_be_bytes()),
            _ => self.strange(word, value, to)?,
        }
        self.done = self.done.saturating_add(1);
        Ok(())
    }

    /// Handles a number that is not finite, overflows, or marks an absent link.
    #[cold]
    fn strange(&mut self, word: &[u8], value: f64, to: Precision) -> Result<(), Fault> {
        if value.is_finite() {
            let site = self.done.checked_div(self.per_site).unwrap_or(0);
            return Err(Fault::Overflow { site, value });
        }
        if self.is_absent(word) {
            self.out.resize(self.out.len().saturating_add(to.size()), 0xff);
            return Ok(());
        }
        self.not_finite = self.not_finite.saturating_add(1);
        match to {
            Precision::F32 => self.out.extend_from_slice(&(value as f32).to_be_bytes()),
            Precision::F64 => self.out.extend_from_slice(&value.to_be_bytes()),
        }
        Ok(())
    }

    fn is_absent(&self, word: &[u8]) -> bool {
        self.absent_is_ones && word.iter().all(|byte| *byte == 0xff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(numbers: &mut Numbers, pieces: &[&[u8]]) -> Result<Vec<u8>, Fault> {
        let mut out = Vec::new();
        for piece in pieces {
            out.extend_from_slice(numbers.feed(piece)?);
        }
        Ok(out)
    }

    #[test]
    fn pieces_may_be_cut_anywhere() {
        let (single, double) = (Some(Precision::F32), Some(Precision::F64));
        let bytes: Vec<u8> = [1.5_f32, -0.0, 3e38].iter().flat_map(|x| x.to_be_bytes()).collect();
        let expected: Vec<u8> =
            [1.5, -0.0, f64::from(3e38_f32)].iter().flat_map(|x| x.to_be_bytes()).collect();
        for cut in 0..bytes.len() {
            for second in cut..bytes.len() {
                let pieces = [&bytes[..cut], &bytes[cut..second], &bytes[second..]];
                let there = made(&mut Numbers::new(single, double, false, 8), &pieces).expect("finite");
                assert_eq!(there, expected);
                let back = made(&mut Numbers::new(double, single, false, 4), &[&there]).expect("no overflow");
                assert_eq!(back, bytes);
            }
        }
    }

    #[test]
    fn what_single_precision_cannot_hold_is_refused_and_what_is_not_finite_counted() {
        let numbers = || Numbers::new(Some(Precision::F64), Some(Precision::F32), false, 8);
        let bytes = [1.0, 2.0, 3.0, 4.0, 1e39].map(f64::to_be_bytes).concat();
        let refused = made(&mut numbers(), &[&bytes]);
        assert_eq!(refused, Err(Fault::Overflow { site: 2, value: 1e39 }));
        let mut numbers = numbers();
        let bytes = [f64::NAN, f64::INFINITY, 1e-300].map(f64::to_be_bytes).concat();
        let narrow = made(&mut numbers, &[&bytes]).expect("not finite before");
        assert_eq!(narrow[4..], [0x7f, 0x80, 0, 0, 0, 0, 0, 0]);
        assert_eq!(numbers.not_finite, 2);
    }

    #[test]
    fn links_that_do_not_exist_stay_so() {
        let mut numbers = Numbers::new(Some(Precision::F64), Some(Precision::F32), true, 4);
        let absent = made(&mut numbers, &[&[0xff; 16]]).expect("an absent link is kept");
        assert_eq!((absent, numbers.not_finite), (vec![0xff; 8], 0));
        // For other kinds of gauge field, all bits set is a NaN.
        let mut numbers = Numbers::new(Some(Precision::F64), Some(Precision::F32), false, 4);
        made(&mut numbers, &[&[0xff; 16]]).expect("a NaN is kept");
        assert_eq!(numbers.not_finite, 2);
    }

    #[test]
    fn numbers_that_stay_as_they_are_are_looked_at_only() {
        // One of them is a signalling NaN, which arithmetic would turn into a quiet one.
        let words = [0x7f80_0001_u32, 0x3f80_0000, 0xff80_0000, 0xffff_ffff, 0x7f7f_ffff];
        let bytes = words.map(u32::to_be_bytes).concat();
        let single = Some(Precision::F32);
        for (absent_is_ones, strange) in [(false, 3), (true, 2)] {
            for cut in 0..bytes.len() {
                for second in cut..bytes.len() {
                    let mut numbers = Numbers::new(single, single, absent_is_ones, 4);
                    let pieces = [&bytes[..cut], &bytes[cut..second], &bytes[second..]];
                    assert_eq!(made(&mut numbers, &pieces).as_ref(), Ok(&bytes));
                    assert_eq!(numbers.not_finite, strange);
                }
            }
        }
        // Bytes that are not known to be numbers are not examined.
        let mut unknown = Numbers::new(None, None, false, 4);
        assert_eq!((made(&mut unknown, &[&bytes]), unknown.not_finite), (Ok(bytes), 0));
    }
}
