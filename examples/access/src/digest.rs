//! Hashes of whole files, and of their texts and data, computed in one pass.

use std::io::{self, Read};
use std::ops::Range;

use linkstream_arithmetic::Cksum;
use sha2::Digest as _;

use crate::source::{Source, read_some};
use crate::text::hex;

/// Number of bytes read at a time, at most.
const BUFFER: usize = 256 << 10;

/// The same, for the smallest files.
const LEAST: usize = 4 << 10;

/// A hash function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashFunction {
    Sha256,
    #[cfg(feature = "hashes")]
    Blake3,
    /// For lists that `md5sum -c` reads. It does not protect from changes on purpose.
    #[cfg(feature = "hashes")]
    Md5,
}

impl HashFunction {
    /// The name, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            #[cfg(feature = "hashes")]
            Self::Blake3 => "blake3",
            #[cfg(feature = "hashes")]
            Self::Md5 => "md5",
        }
    }
}

/// A hash function at work.
enum Hasher {
    Sha256(sha2::Sha256),
    #[cfg(feature = "hashes")]
    Blake3(Box<blake3::Hasher>),
    #[cfg(feature = "hashes")]
    Md5(md5::Md5),
}

impl Hasher {
    fn new(function: HashFunction) -> Self {
        match function {
            HashFunction::Sha256 => Self::Sha256(sha2::Sha256::new()),
            #[cfg(feature = "hashes")]
            HashFunction::Blake3 => Self::Blake3(Box::default()),
            #[cfg(feature = "hashes")]
            HashFunction::Md5 => Self::Md5(md5::Md5::new()),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha256(hasher) => hasher.update(bytes),
            #[cfg(feature = "hashes")]
            Self::Blake3(hasher) => drop(hasher.update(bytes)),
            #[cfg(feature = "hashes")]
            Self::Md5(hasher) => hasher.update(bytes),
        }
    }

    fn finish(self) -> String {
        match self {
            Self::Sha256(hasher) => hex(&hasher.finalize()),
            #[cfg(feature = "hashes")]
            Self::Blake3(hasher) => hex(hasher.finalize().as_bytes()),
            #[cfg(feature = "hashes")]
            Self::Md5(hasher) => hex(&hasher.finalize()),
        }
    }
}

/// The SHA-256 of some bytes, in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&sha2::Sha256::digest(bytes))
}

/// A source whose bytes are hashed as they are read.
#[expect(missing_debug_implementations, reason = "hash functions need not implement it")]
pub struct Hashing<R> {
    source: R,
    hasher: Hasher,
}

impl<R: Read> Hashing<R> {
    /// Hashes with this function.
    pub fn new(source: R, function: HashFunction) -> Self {
        Self { source, hasher: Hasher::new(function) }
    }

    /// Reads what is left. Returns the hash of all bytes, in hexadecimal.
    ///
    /// # Errors
    /// The source failed.
    pub fn finish(mut self) -> io::Result<String> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(self.hasher.finish())
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read(out)?;
        self.hasher.update(out.get(..n).unwrap_or_default());
        Ok(n)
    }
}

/// The hashes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digests {
    /// The hash of all bytes, in hexadecimal.
    pub whole: String,
    /// The SHA-256 of all bytes that are not data, in hexadecimal: headers, texts, padding, and what follows the end.
    pub texts: String,
    /// The sum of the command `cksum` (POSIX) of each range of data; `None` if the file ends before the range does.
    pub cksums: Vec<Option<u32>>,
    /// Number of bytes.
    pub bytes: u64,
}

/// Reads a source to its end, whatever it contains, and hashes every byte of it. The ranges of `data` are in ascending
/// order and disjoint.
///
/// # Errors
/// The source failed.
pub fn digests<E: embedded_io::Error + Send>(
    source: &dyn Source<Error = E>,
    function: HashFunction,
    data: &[Range<u64>],
) -> Result<Digests, E> {
    let mut whole = Hasher::new(function);
    let mut texts = sha2::Sha256::new();
    let mut sums: Vec<u32> = vec![0; data.len()];
    // To allocate and clear a long buffer would take as long as hashing a small file.
    let part = usize::try_from(source.length()? / 4).unwrap_or(BUFFER);
    let mut buffer = vec![0; part.clamp(LEAST, BUFFER)];
    let (mut at, mut first) = (0_u64, 0);
    loop {
        let n = read_some(source, at, &mut buffer)?;
        let Some(read) = buffer.get(..n).filter(|read| !read.is_empty()) else { break };
        whole.update(read);
        let end = at.saturating_add(n as u64);
        // All bytes before this position are hashed as texts or data.
        let mut told = at;
        let part = |from: u64, to: u64| {
            let index = |position: u64| position.saturating_sub(at) as usize;
            read.get(index(from)..index(to)).unwrap_or_default()
        };
        while let Some((range, sum)) = data.get(first).zip(sums.get_mut(first)) {
            let (from, to) = (range.start.clamp(told, end), range.end.clamp(told, end));
            texts.update(part(told, from));
            if from < to {
                let cksum = Cksum::new(range.end.saturating_sub(range.start));
                *sum ^= cksum.part(from.saturating_sub(range.start), part(from, to));
            }
            told = to;
            if range.end > end {
                break;
            }
            first = first.saturating_add(1);
        }
        texts.update(part(told, end));
        at = end;
    }
    let finished = |(range, sum): (&Range<u64>, u32)| {
        let length = range.end.saturating_sub(range.start);
        (range.end <= at).then(|| Cksum::new(length).finish(sum))
    };
    Ok(Digests {
        whole: whole.finish(),
        texts: hex(&texts.finalize()),
        cksums: data.iter().zip(sums).map(finished).collect(),
        bytes: at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that gives few bytes at a time.
    struct Slow(Vec<u8>, usize);

    impl Source for Slow {
        type Error = io::Error;

        fn length(&self) -> io::Result<u64> {
            self.0.length()
        }

        fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
            let most = out.len().min(self.1);
            self.0.read_at(offset, &mut out[..most])
        }
    }

    #[test]
    fn every_byte_is_hashed_once_wherever_it_is_cut() {
        let bytes: Vec<u8> = (0..1000_u32).map(|i| ((i * i) >> 4) as u8).collect();
        let data = [10..20, 20..20, 20..500, 990..1000];
        let texts = [&bytes[..10], &bytes[500..990]].concat();
        for piece in [1, 7, 10, 480, 1000, 5000] {
            let slow = Slow(bytes.clone(), piece);
            let found = digests(&slow, HashFunction::Sha256, &data).expect("memory can be read");
            assert_eq!((found.whole, found.bytes), (sha256(&bytes), 1000));
            assert_eq!(found.texts, sha256(&texts), "{piece}");
            let sum = |range: &Range<u64>| {
                let cksum = Cksum::new(range.end - range.start);
                Some(cksum.finish(cksum.part(0, &bytes[range.start as usize..range.end as usize])))
            };
            assert_eq!(found.cksums, data.each_ref().map(sum));
        }
        // A range that the file does not reach has no sum, and bytes before it are texts.
        let cut = digests(&Slow(bytes[..600].to_vec(), 64), HashFunction::Sha256, &[10..500, 550..700]);
        let cut = cut.expect("memory can be read");
        assert_eq!(cut.cksums.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
        assert_eq!(cut.texts, sha256(&[&bytes[..10], &bytes[500..550]].concat()));
        let none = digests(&Slow(bytes[..600].to_vec(), 64), HashFunction::Sha256, &[]).expect("memory");
        assert_eq!(none.texts, sha256(&bytes[..600]));
    }

    #[test]
    #[cfg(feature = "hashes")]
    fn the_functions_are_those_of_the_tools() {
        let of = |function| digests(&b"abc".to_vec(), function, &[]).expect("memory can be read").whole;
        assert_eq!(
            of(HashFunction::Sha256),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(of(HashFunction::Md5), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(
            of(HashFunction::Blake3),
            "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
        );
    }
}
