//! Compresses elements on all cores. The lengths of all texts precede the first text in the file, so that the texts are
//! kept in a temporary file until all are complete.

use std::cell::RefCell;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::mem::take;
use std::ops::Range;

use linkstream::scda::Style;
use linkstream_arithmetic::parallel::{self, Aside};
use linkstream_memory as memory;
use linkstream_pack::Compressor;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::system::{File, uninterrupted};
use crate::write::error::Error;
use crate::write::input::BUFFER;

/// Maximum size of an element, which is compressed in one piece.
pub const LONGEST: u64 = 1 << 30;
/// Size of a batch of elements in bytes. Two batches are in memory: one that is being read and one that is being
/// compressed. A single element can be larger.
const BATCH: usize = 16 << 20;
/// Number of bytes that one thread compresses at a time: many elements if they are short.
const SHARE: usize = 128 << 10;

/// Options for the compression of elements.
#[derive(Debug, Clone, Copy)]
pub struct Packing {
    /// The style of line breaks in texts.
    pub style: Style,
    /// From 0 (none) to 9.
    pub level: u32,
}

/// A sequence of elements.
#[derive(Debug, Default)]
struct Elements {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Elements {
    /// Divides the elements into shares of about the same size.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the ends of the elements never decrease, and an index is less than their number"
    )]
    fn shares(&self) -> Vec<Range<usize>> {
        let (mut shares, mut first, mut from) = (Vec::new(), 0, 0);
        for (index, end) in self.ends.iter().enumerate() {
            if end - from >= SHARE || index + 1 == self.ends.len() {
                shares.push(first..index + 1);
                (first, from) = (index + 1, *end);
            }
        }
        shares
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the indices come from `shares`, and all elements end in `bytes`"
    )]
    fn get(&self, index: usize) -> &[u8] {
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[from..self.ends[index]]
    }
}

/// The texts of some elements, one after the other, and the length of each.
#[derive(Debug)]
struct Made {
    texts: Vec<u8>,
    lengths: Vec<u64>,
}

/// Compresses the elements of a section.
#[derive(Debug)]
pub struct Texts<'p> {
    packing: &'p Packing,
    elements: Elements,
    /// The batch that is being compressed.
    made: Option<Batch>,
    files: Files,
}

type Batch = Aside<io::Result<Vec<Made>>>;

/// The results so far.
#[derive(Debug)]
struct Files {
    texts: BufWriter<File>,
    /// The length of each text, in 8 bytes.
    lengths: BufWriter<File>,
    total: u64,
}

impl<'p> Texts<'p> {
    /// No elements so far.
    ///
    /// # Errors
    /// A temporary file cannot be created.
    pub fn new(packing: &'p Packing) -> Result<Self, Error> {
        let file = || {
            let file = uninterrupted(tempfile::tempfile).map_err(Error::Temporary)?;
            Ok::<_, Error>(BufWriter::with_capacity(BUFFER, File::from(file)))
        };
        let files = Files { texts: file()?, lengths: file()?, total: 0 };
        Ok(Self { packing, elements: Elements::default(), made: None, files })
    }

    /// Adds the next element, of at most [`LONGEST`] bytes.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    pub fn add(&mut self, element: &[u8]) -> Result<(), Error> {
        memory::unwinding::extend(&mut self.elements.bytes, element);
        self.elements.ends.push(self.elements.bytes.len());
        if self.elements.bytes.len() >= BATCH { self.pack() } else { Ok(()) }
    }

    /// Begins to compress the elements added so far, and meanwhile writes the results of the previous batch.
    fn pack(&mut self) -> Result<(), Error> {
        let elements = take(&mut self.elements);
        let (style, level) = (self.packing.style, self.packing.level);
        let made = parallel::aside(move || made_of(&elements, style, level));
        self.made.replace(made).map_or(Ok(()), |before| self.files.put(before))
    }

    /// Completes the last batches. Returns all texts.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn finish(mut self) -> Result<Packed, Error> {
        self.pack()?;
        self.made.map_or(Ok(()), |last| self.files.put(last))?;
        let begin = |file: BufWriter<File>| {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            Ok(file)
        };
        let (texts, lengths) = (begin(self.files.texts), begin(self.files.lengths));
        let texts = BufReader::with_capacity(BUFFER, texts.map_err(Error::Temporary)?);
        let lengths = lengths.map_err(Error::Temporary)?;
        Ok(Packed { total: self.files.total, texts, lengths, failure: RefCell::new(None) })
    }
}

/// The texts of elements, made by all threads.
fn made_of(elements: &Elements, style: Style, level: u32) -> io::Result<Vec<Made>> {
    let share = |compressor: &mut Compressor, share: &Range<usize>| {
        let (mut texts, mut lengths) = (Vec::new(), Vec::with_capacity(share.len()));
        for index in share.clone() {
            let before = texts.len();
            compressor.put(elements.get(index), style, &mut texts)?;
            lengths.push(texts.len().saturating_sub(before) as u64);
        }
        Ok(Made { texts, lengths })
    };
    elements.shares().par_iter().map_init(|| Compressor::new(level), share).collect()
}

impl Files {
    /// Waits for a batch and writes its results.
    fn put(&mut self, batch: Batch) -> Result<(), Error> {
        let made = batch.join().ok_or_else(|| Error::Compressor("the compressor stopped".to_owned()))?;
        let made = made.map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => Error::Input(error),
            _ => Error::Compressor(error.to_string()),
        });
        for made in made? {
            self.total = self.total.saturating_add(made.texts.len() as u64);
            self.texts.write_all(&made.texts).map_err(Error::Temporary)?;
            for length in made.lengths {
                self.lengths.write_all(&length.to_le_bytes()).map_err(Error::Temporary)?;
            }
        }
        Ok(())
    }
}

/// The texts of a section.
#[derive(Debug)]
pub struct Packed {
    /// Total length of the texts in bytes.
    pub total: u64,
    /// All texts, one after the other.
    pub texts: BufReader<File>,
    lengths: File,
    failure: RefCell<Option<io::Error>>,
}

impl Packed {
    /// The length of each text. A read error ends the iterator and is returned by [`Packed::verified`].
    #[must_use]
    pub const fn lengths(&self) -> Lengths<'_> {
        Lengths { packed: self, at: 0, block: Vec::new(), taken: 0 }
    }

    /// Returns whether [`Packed::lengths`] has had all lengths.
    ///
    /// # Errors
    /// The error that ended it early.
    pub fn verified(&self) -> Result<(), Error> {
        self.failure.take().map_or(Ok(()), |error| Err(Error::Temporary(error)))
    }
}

/// The lengths of texts, read from their temporary file. They are passed twice: to check them, and to write them.
#[derive(Debug, Clone)]
pub struct Lengths<'p> {
    packed: &'p Packed,
    /// Offset of the next block in the file.
    at: u64,
    block: Vec<u8>,
    /// Number of bytes of the block that were returned.
    taken: usize,
}

impl Lengths<'_> {
    /// Reads the next block. Each iterator has a position of its own in the file.
    fn fill(&mut self) -> io::Result<()> {
        let mut file = &self.packed.lengths;
        file.seek(SeekFrom::Start(self.at))?;
        self.block.clear();
        file.take(BUFFER as u64).read_to_end(&mut self.block)?;
        self.at = self.at.saturating_add(self.block.len() as u64);
        self.taken = 0;
        Ok(())
    }
}

impl Iterator for Lengths<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.taken == self.block.len()
            && let Err(error) = self.fill()
        {
            self.packed.failure.replace(Some(error));
            self.block.clear();
        }
        let length = self.block.get(self.taken..)?.first_chunk()?;
        self.taken = self.taken.saturating_add(length.len());
        Some(u64::from_le_bytes(*length))
    }
}
