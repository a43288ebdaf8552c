//! Properties of the sites of a field that can be determined in any order, by several threads.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use linkstream::field::LinkLayout;
use linkstream_arithmetic::{Cksum, Words};

use super::data::Examination;

/// The properties found so far.
#[derive(Debug)]
pub struct AnyOrder {
    /// The layout of the links of a site, if absent links matter.
    links: Option<LinkLayout>,
    has_absent: AtomicBool,
    words: Option<Words>,
    word_sum: AtomicU32,
    cksum: Option<Cksum>,
    /// The combined contributions to it.
    of_cksum: AtomicU32,
}

impl AnyOrder {
    pub fn new(examination: &Examination) -> Self {
        let links = examination.field.links.filter(|_| examination.boundaries.is_some());
        let (has_absent, word_sum, of_cksum) = (AtomicBool::new(false), AtomicU32::new(0), AtomicU32::new(0));
        let (words, cksum) = (examination.words, examination.cksum);
        Self { links, has_absent, words, word_sum, cksum, of_cksum }
    }

    /// Examines whole sites, which begin at this offset in the data.
    pub fn look(&self, at: u64, sites: &[u8]) {
        if let Some(cksum) = &self.cksum {
            self.of_cksum.fetch_xor(cksum.part(at, sites), Ordering::Relaxed);
        }
        if self.links.is_some_and(|links| has_absent(&links, sites)) {
            self.has_absent.store(true, Ordering::Relaxed);
        }
        if let Some(words) = &self.words {
            self.word_sum.fetch_add(words.sum(sites), Ordering::Relaxed);
        }
    }

    /// True if there are absent links. Only these can break a rule about boundaries.
    pub fn has_absent(&self) -> bool {
        self.has_absent.load(Ordering::Relaxed)
    }

    /// The combined contributions to the sum of POSIX.
    pub fn of_cksum(&self) -> u32 {
        self.of_cksum.load(Ordering::Relaxed)
    }

    pub fn word_sum(&self) -> u32 {
        self.word_sum.load(Ordering::Relaxed)
    }
}

/// Returns whether whole sites have absent links (ILDG 1.2, section 2.5.1).
fn has_absent(links: &LinkLayout, sites: &[u8]) -> bool {
    let fill = if links.absent_is_ones { 0xff } else { 0 };
    let is_absent = |link: &[u8]| link.iter().all(|byte| *byte == fill);
    links.bytes_per_link().is_some_and(|size| sites.chunks_exact(size.max(1)).any(is_absent))
}
