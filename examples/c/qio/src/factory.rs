//! Functions of the program that produce and take the data of sites: `get` and `put`.
#![allow(unsafe_code, reason = "functions of the program are called")]

use std::ffi::{c_char, c_int, c_void};

use linkstream::field::Field;
use linkstream::lattice::{SiteOrder, reverse_words};
use linkstream_parallel::Fault;
use linkstream_parallel::field::BoxPart;
use linkstream_parallel::field::{Place, Source, Target};

use crate::border::InCallback;
use crate::code::ERR_ALLOC;
use crate::stop::Stop;

/// `get` or `put` of the program: bytes, index of a site, number of items, argument.
pub type Function = unsafe extern "C" fn(*mut c_char, usize, c_int, *mut c_void);

/// A function of the program, and what it needs to be called.
#[derive(Debug, Clone, Copy)]
pub struct Factory {
    /// The function.
    pub function: Function,
    /// Its last argument.
    pub argument: *mut c_void,
    /// Number of items.
    pub count: c_int,
    /// Bytes of all items of a site.
    pub size: usize,
    /// Bytes of a word; words are big-endian in files.
    pub word: usize,
}

impl Factory {
    /// Checks the arguments of a call.
    ///
    /// # Errors
    /// The function is missing, or the sizes contradict each other.
    pub fn new(
        function: Option<Function>,
        count: c_int,
        size: usize,
        word: c_int,
        argument: *mut c_void,
    ) -> Result<Self, Stop> {
        let function = function.ok_or_else(|| Stop::usage("the function for the data is a null pointer"))?;
        let word = match word {
            1 => 1,
            4 => 4,
            8 => 8,
            _ => return Err(Stop::usage(format!("word_size is {word}; words have 1, 4 or 8 bytes"))),
        };
        if !size.is_multiple_of(word) {
            return Err(Stop::usage(format!("{size} bytes are not a multiple of word_size {word}")));
        }
        if count < 0 {
            return Err(Stop::usage(format!("there are {count} items at a site")));
        }
        Ok(Self { function, argument, count, size, word })
    }

    /// Sizes without a function, for documents.
    ///
    /// # Errors
    /// The sizes contradict each other.
    pub fn of_sizes(size: usize, word: c_int) -> Result<Self, Stop> {
        unsafe extern "C" fn nothing(_: *mut c_char, _: usize, _: c_int, _: *mut c_void) {}
        Self::new(Some(nothing), 0, size, word, std::ptr::null_mut())
    }

    /// Converts between the byte order of files and of this computer.
    fn swap(&self, bytes: &mut [u8]) {
        if cfg!(target_endian = "little") {
            reverse_words(bytes, self.word);
        }
    }

    /// Calls `put` with bytes of the file.
    pub fn put(&self, room: &mut Room, index: u64, bytes: &[u8]) {
        let own = &mut room.bytes()[..bytes.len()];
        own.copy_from_slice(bytes);
        self.swap(own);
        let _running = InCallback::begin();
        // SAFETY: the program promises that the function works for the indices of its sites; the room has the bytes of
        // a site.
        unsafe { (self.function)(own.as_mut_ptr().cast(), index as usize, self.count, self.argument) };
    }

    /// Calls `get`, and converts the bytes for the file.
    pub fn get(&self, room: &mut Room, index: u64, bytes: &mut [u8]) {
        let own = &mut room.bytes()[..bytes.len()];
        // Bytes that the function leaves out must not come from another site.
        own.fill(0);
        let running = InCallback::begin();
        // SAFETY: as above.
        unsafe { (self.function)(own.as_mut_ptr().cast(), index as usize, self.count, self.argument) };
        drop(running);
        self.swap(own);
        bytes.copy_from_slice(own);
    }
}

/// Room for the bytes of a site, aligned for all words, like memory of `malloc`.
#[derive(Debug)]
pub struct Room {
    words: Vec<u128>,
}

impl Room {
    /// Room for so many bytes.
    ///
    /// # Errors
    /// There is no memory.
    pub fn new(length: usize) -> Result<Self, Stop> {
        let mut words = Vec::new();
        let number = length.div_ceil(size_of::<u128>());
        let none = || Stop::because(ERR_ALLOC, format!("there is no memory for {length} bytes"));
        words.try_reserve_exact(number).map_err(|_| none())?;
        words.resize(number, 0);
        Ok(Self { words })
    }

    /// The bytes: at least as many as were asked for.
    pub fn bytes(&mut self) -> &mut [u8] {
        let length = size_of_val(&*self.words);
        // SAFETY: each byte of a number is a byte, and the slice is as long as the numbers.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), length) }
    }
}

/// The indices of this rank; each occurs once.
#[derive(Debug)]
pub struct Indices {
    bits: Vec<u64>,
    number: u64,
}

impl Indices {
    /// The indices below a number.
    ///
    /// # Errors
    /// There is no memory: one bit for each.
    pub fn new(number: u64) -> Result<Self, Stop> {
        let none = || Stop::because(ERR_ALLOC, format!("there is no memory for {number} bits"));
        let words = usize::try_from(number.div_ceil(64)).map_err(|_| none())?;
        let mut bits = Vec::new();
        bits.try_reserve_exact(words).map_err(|_| none())?;
        bits.resize(words, 0);
        Ok(Self { bits, number })
    }

    /// Notes the index of a site.
    ///
    /// # Errors
    /// There is no such index, or it was the index of another site.
    pub fn note(&mut self, rank: u64, index: u64) -> Result<(), Fault> {
        if index >= self.number {
            let of = self.number;
            return Err(Fault::usage(format!(
                "node_index gives no index below {of}, the number of sites of this node, for site {rank}"
            )));
        }
        let (word, bit) = (index / 64, 1 << (index % 64));
        let place = &mut self.bits[word as usize];
        if *place & bit != 0 {
            return Err(Fault::usage(format!(
                "node_index gives {index} for site {rank}, and for another one"
            )));
        }
        *place |= bit;
        Ok(())
    }
}

/// The sites of a rank, by the function of the program.
#[derive(Debug)]
pub struct SiteData {
    factory: Factory,
    room: Room,
    indices: Indices,
}

impl SiteData {
    /// The data of a rank with so many sites.
    ///
    /// # Errors
    /// There is no memory.
    pub fn new(factory: Factory, own: u64) -> Result<Self, Stop> {
        Ok(Self { factory, room: Room::new(factory.size)?, indices: Indices::new(own)? })
    }

    /// Takes a site that was read.
    ///
    /// # Errors
    /// The index is wrong.
    pub fn put(&mut self, rank: u64, index: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.indices.note(rank, index)?;
        self.factory.put(&mut self.room, index, bytes);
        Ok(())
    }

    /// Produces a site.
    ///
    /// # Errors
    /// The index is wrong.
    pub fn get(&mut self, rank: u64, index: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        self.indices.note(rank, index)?;
        self.factory.get(&mut self.room, index, bytes);
        Ok(())
    }

    /// Calls a function for each site of a window: with its rank, its index, and its bytes.
    fn each<T>(
        window: &BoxPart,
        place: Place<'_>,
        chunks: impl Iterator<Item = T>,
        mut each: impl FnMut(u64, u64, T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(mut site) = window.first_site() else { return Ok(()) };
        let index = |site: &SiteOrder| place.map_or(u64::MAX, |place| place(site) as u64);
        for chunk in chunks {
            each(site.rank(), index(&site), chunk)?;
            site.step();
        }
        Ok(())
    }

    fn check(&self, field: &Field) -> Result<(), Fault> {
        if field.bytes_per_site == self.factory.size as u64 && self.factory.size > 0 {
            return Ok(());
        }
        let (given, needed) = (self.factory.size, field.bytes_per_site);
        Err(Fault::usage(format!("the data of a site have {given} bytes, but the record has {needed}")))
    }
}

impl Source for SiteData {
    fn check(&self, field: &Field, _: u64, _: Place<'_>) -> Result<(), Fault> {
        Self::check(self, field)
    }

    fn fill(&mut self, window: &BoxPart, place: Place<'_>, bytes: &mut [u8]) -> Result<(), Fault> {
        let chunks = bytes.chunks_exact_mut(self.factory.size.max(1));
        Self::each(window, place, chunks, |rank, index, bytes| self.get(rank, index, bytes))
    }
}

impl Target for SiteData {
    fn check(&self, field: &Field, _: u64, _: Place<'_>) -> Result<(), Fault> {
        Self::check(self, field)
    }

    fn take(&mut self, window: &BoxPart, place: Place<'_>, bytes: &[u8]) -> Result<(), Fault> {
        let chunks = bytes.chunks_exact(self.factory.size.max(1));
        Self::each(window, place, chunks, |rank, index, bytes| self.put(rank, index, bytes))
    }
}
