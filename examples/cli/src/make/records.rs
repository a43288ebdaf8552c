//! The data of the records: a sequence of files, each with one or more records.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream::lattice::{Precision, reverse_words};

use super::arguments::Arguments;
use super::array::Shape;
use crate::failure::{Failure, input_name};
use crate::fields::Plausibility;
use crate::human::bytes;
use crate::npy::{Numbers, open_numbers};
use crate::source::{BUFFER, filled};

/// The records in a sequence of files.
pub struct Records<'f> {
    /// The option that named the files, for messages.
    option: &'static str,
    files: std::slice::Iter<'f, PathBuf>,
    shape: Shape<'f>,
    extents: [u32; 4],
    precision: Precision,
    /// True if raw data are little-endian.
    little_endian: bool,
    /// True if an option states that raw data are big-endian.
    big_endian: bool,
    /// True if one of the files was raw data.
    has_raw: bool,
    /// An array that contradicts the options for the byte order of raw data.
    contradiction: Option<anyhow::Error>,
    /// True if there is no other file, neither of sources nor of solutions.
    is_one_file: bool,
    /// True if implausible numbers are accepted.
    any_numbers: bool,
    /// A file that was opened for its header.
    opened: Option<(&'f Path, Numbers)>,
    current: Option<Current<'f>>,
}

/// The file that is being read.
struct Current<'f> {
    path: &'f Path,
    source: Box<dyn Read>,
    is_little: bool,
    /// True if the file is a NumPy array, which states its byte order.
    is_array: bool,
    /// The first byte of the next record, if it was read to find out whether there is one.
    first: Option<u8>,
}

impl<'f> Records<'f> {
    /// `opened` is the first file, if it is already open.
    pub fn new(
        option: &'static str,
        files: &'f [PathBuf],
        shape: Shape<'f>,
        (extents, precision, how): ([u32; 4], Precision, &Arguments),
        opened: Option<Numbers>,
    ) -> Self {
        let mut files = files.iter();
        let opened = opened.and_then(|numbers| files.next().map(|path| (path.as_path(), numbers)));
        let (little_endian, any_numbers) = (how.little_endian, how.any_numbers);
        Self {
            option,
            files,
            shape,
            extents,
            precision,
            little_endian,
            big_endian: how.big_endian,
            has_raw: false,
            contradiction: None,
            is_one_file: how.sources.len() + how.solutions.len() == 1,
            any_numbers,
            opened,
            current: None,
        }
    }

    /// Fails if there are only arrays, and one contradicts the options for the byte order of raw data, which have no
    /// other use then.
    pub fn check_order(self, other: Self) -> anyhow::Result<()> {
        let has_raw = self.has_raw || other.has_raw;
        self.contradiction.or(other.contradiction).filter(|_| !has_raw).map_or(Ok(()), Err)
    }

    /// Length of a record in bytes.
    fn length(&self) -> anyhow::Result<u64> {
        let [x, y, z, t] = self.extents.map(u64::from);
        let times = if self.shape.has_times { t } else { 1 };
        let number = 2 * self.precision.size() as u64;
        let all = [x, y, z, times, self.shape.numbers(), number];
        let length = all.into_iter().try_fold(1, u64::checked_mul);
        length.context("the length of a record in bytes does not fit in 64 bits")
    }

    /// True if there is another record.
    pub fn has_next(&mut self) -> anyhow::Result<bool> {
        loop {
            if let Some(current) = &mut self.current {
                if current.first.is_some() {
                    return Ok(true);
                }
                let mut byte = [0];
                if filled(&mut current.source, &mut byte)
                    .map_err(Failure::Input)
                    .with_context(|| input_name(current.path))?
                    > 0
                {
                    current.first = Some(byte[0]);
                    return Ok(true);
                }
            }
            if !self.open_next()? {
                return Ok(false);
            }
        }
    }

    /// Opens the next file, which must contain at least one record.
    fn open_next(&mut self) -> anyhow::Result<bool> {
        let next = match self.opened.take() {
            Some(opened) => Some(opened),
            None => match self.files.next() {
                Some(path) => Some((path.as_path(), open_numbers(path).with_context(|| input_name(path))?)),
                None => None,
            },
        };
        let Some((path, Numbers { source, length, header })) = next else { return Ok(false) };
        let one = self.length()?;
        let is_little = match &header {
            Some(header) => {
                let ordered = header.dtype.check_order(self.little_endian, self.big_endian);
                let contradiction = ordered.with_context(|| input_name(path)).err();
                self.contradiction = self.contradiction.take().or(contradiction);
                self.shape.check(header, &self.extents, self.precision).with_context(|| input_name(path))?
            }
            None => {
                self.has_raw = true;
                self.little_endian
            }
        };
        if let Some(length) = length.filter(|length| *length == 0 || !length.is_multiple_of(one)) {
            anyhow::bail!(
                "{}: {} of data, but a record takes {}",
                input_name(path),
                bytes(length),
                bytes(one)
            );
        }
        let is_array = header.is_some();
        self.current = Some(Current { path, source, is_little, is_array, first: None });
        Ok(true)
    }

    /// Passes the next record to `take` in pieces, in big-endian byte order.
    pub fn next(&mut self, mut take: impl FnMut(&[u8]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let length = self.length()?;
        let word = self.precision.size();
        anyhow::ensure!(self.has_next()?, "{}: there are not enough data", self.option);
        let current = self.current.as_mut().context("a file is open")?;
        let mut buffer = vec![0; BUFFER];
        let mut plausibility = Plausibility::of_numbers(self.precision);
        let mut done = 0;
        while done < length {
            let n = BUFFER.min(usize::try_from(length - done).unwrap_or(BUFFER));
            let piece = &mut buffer[..n];
            let begun = match current.first.take() {
                Some(first) => {
                    piece[0] = first;
                    1
                }
                None => 0,
            };
            let read = filled(&mut current.source, &mut piece[begun..])
                .map_err(Failure::Input)
                .with_context(|| input_name(current.path))?;
            done += (begun + read) as u64;
            if begun + read < n {
                anyhow::bail!(
                    "{}: the data of a record end after {}, but it takes {}",
                    input_name(current.path),
                    bytes(done),
                    bytes(length)
                );
            }
            if current.is_little {
                // The lengths of the buffer and of a record are both multiples of the word size.
                reverse_words(piece, word);
            }
            plausibility.feed(piece);
            take(piece)?;
        }
        let order = if current.is_array {
            "the type of the array names the wrong one".to_owned()
        } else {
            let advice = if current.is_little { "leave out --little-endian" } else { "use --little-endian" };
            // Otherwise data of both byte orders would be refused with and without the option, each with the same
            // advice.
            let others = "; all raw data have one byte order: files of the other one must be NPY files";
            format!("{advice}{}", if self.is_one_file { "" } else { others })
        };
        match plausibility.fault(&order).filter(|_| !self.any_numbers) {
            Some(fault) => {
                let error = anyhow::Error::from(Failure::invalid(&fault));
                Err(error.context(input_name(current.path)))
            }
            None => Ok(()),
        }
    }
}
