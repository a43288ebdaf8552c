//! Compressed files: gzip (RFC 1952), xz, Zstandard (RFC 8878) and bzip2.

use std::io::{self, BufReader, ErrorKind, Read};

use super::counted::{Counted, Watch};
use super::fault::{Fault, What};
use super::zstandard::Frames;

/// Number of bytes read at a time.
const BUFFER: usize = 256 << 10;
/// Maximum memory for a dictionary of xz, in KiB: `xz -9` needs 65 MiB. Windows of Zstandard have at most 128 MiB.
const MOST_MEMORY: u32 = 192 << 10;
/// A content that is so many times longer than the file, and longer than [`LONG`], is no content: files of lattice QCD
/// are compressed to a thousandth if all links are the same.
const MOST_TIMES: u64 = 10_000;
const LONG: u64 = 64 << 20;

/// A compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Xz,
    Zstandard,
    Bzip2,
}

impl Compression {
    /// The compression of a file that begins with these bytes.
    ///
    /// ```
    /// use linkstream_access::packed::Compression;
    ///
    /// assert_eq!(Compression::of(b"\x1f\x8b\x08\0"), Some(Compression::Gzip));
    /// assert_eq!(Compression::of(b"BZh is text"), None);
    /// ```
    #[must_use]
    pub fn of(first: &[u8]) -> Option<Self> {
        const BLOCK_OF_BZIP2: [&[u8]; 2] = [b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"];
        let is_bzip2 = || {
            let level = first.strip_prefix(b"BZh").and_then(<[u8]>::split_first);
            level.is_some_and(|(level, rest)| {
                (b'1'..=b'9').contains(level) && BLOCK_OF_BZIP2.iter().any(|begin| rest.starts_with(begin))
            })
        };
        Some(match first {
            [0x1f, 0x8b, 8, ..] => Self::Gzip,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstandard,
            _ if is_bzip2() => Self::Bzip2,
            _ => return None,
        })
    }

    /// Memory that a decoder of usual files needs, in bytes. Decoders allocate it without a way to fail, so that it is
    /// asked for before.
    pub(super) const fn memory(self) -> usize {
        match self {
            Self::Gzip => 1 << 20,
            Self::Bzip2 => 8 << 20,
            Self::Zstandard => 16 << 20,
            Self::Xz => 66 << 20,
        }
    }

    /// The name, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Xz => "xz",
            Self::Zstandard => "zstd",
            Self::Bzip2 => "bzip2",
        }
    }
}

enum Decoder<R: Read> {
    Gzip(Box<flate2::bufread::MultiGzDecoder<Input<R>>>),
    Xz(Box<lzma_rust2::XzReader<Input<R>>>),
    Zstandard(Box<Frames<Input<R>>>),
    Bzip2(bzip2::bufread::MultiBzDecoder<Input<R>>),
}

type Input<R> = BufReader<Counted<R>>;

/// The content of a compressed source. It ends where the compression is damaged, too: see [`fault`](Self::fault).
pub struct Unpacker<R: Read> {
    decoder: Decoder<R>,
    compression: Compression,
    watch: Watch,
    bytes: u64,
    has_ended: bool,
    fault: Option<Fault>,
}

impl<R: Read> Unpacker<R> {
    /// Decompresses a source from its first byte.
    ///
    /// ```
    /// use std::io::Read as _;
    ///
    /// use linkstream_access::packed::{Compression, Unpacker};
    ///
    /// let empty = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
    /// let mut content = Vec::new();
    /// let mut whole = Unpacker::new(&empty[..], Compression::Gzip);
    /// assert_eq!(whole.read_to_end(&mut content)?, 0);
    /// assert_eq!(whole.fault(), None);
    /// let mut cut = Unpacker::new(&empty[..15], Compression::Gzip);
    /// assert_eq!(cut.read_to_end(&mut content)?, 0);
    /// assert!(cut.fault().is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(source: R, compression: Compression) -> Self {
        let (counted, watch) = Counted::new(source);
        let input = BufReader::with_capacity(BUFFER, counted);
        let decoder = match compression {
            Compression::Gzip => Decoder::Gzip(Box::new(flate2::bufread::MultiGzDecoder::new(input))),
            Compression::Xz => {
                Decoder::Xz(Box::new(lzma_rust2::XzReader::new_mem_limit(input, true, MOST_MEMORY)))
            }
            Compression::Zstandard => Decoder::Zstandard(Box::new(Frames::new(input))),
            Compression::Bzip2 => Decoder::Bzip2(bzip2::bufread::MultiBzDecoder::new(input)),
        };
        Self { decoder, compression, watch, bytes: 0, has_ended: false, fault: None }
    }

    /// Number of bytes of the content so far.
    #[must_use]
    pub const fn unpacked(&self) -> u64 {
        self.bytes
    }

    /// The fault of the compression, as far as the content was read. `None` says nothing before its end.
    #[must_use]
    pub const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Reads what is left of the content, so that its sums are compared. Returns the fault of the compression.
    ///
    /// # Errors
    /// The source failed.
    pub fn finish(&mut self) -> io::Result<Option<&Fault>> {
        io::copy(&mut &mut *self, &mut io::sink())?;
        Ok(self.fault())
    }

    fn ends(&mut self, what: What, message: String) -> usize {
        self.has_ended = true;
        self.fault = Some(Fault { what, offset: self.bytes, message });
        0
    }

    fn damaged(&mut self, error: &io::Error) -> usize {
        let name = self.compression.as_str();
        let why = match error.kind() {
            ErrorKind::OutOfMemory => {
                let message =
                    format!("this is {name} with a window too large to be read in place: unpack it first");
                return self.ends(What::Bounds, message);
            }
            ErrorKind::UnexpectedEof => "they end too early".to_owned(),
            // Its decoder has no error of its own for that.
            _ if self.compression == Compression::Zstandard && self.watch.state().has_ended => {
                "they end too early".to_owned()
            }
            _ => error.to_string(),
        };
        let at = self.watch.state().bytes;
        self.ends(
            What::Compression,
            format!("the {name} data are damaged within the first {at} bytes: {why}"),
        )
    }
}

impl<R: Read> Read for Unpacker<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.has_ended || out.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.decoder {
            Decoder::Gzip(decoder) => decoder.read(out),
            Decoder::Xz(decoder) => decoder.read(out),
            Decoder::Zstandard(decoder) => decoder.read(out),
            Decoder::Bzip2(decoder) => decoder.read(out),
        };
        match read {
            Ok(n) => {
                self.bytes = self.bytes.saturating_add(n as u64);
                let packed = self.watch.state().bytes;
                if self.bytes > packed.saturating_mul(MOST_TIMES).max(LONG) {
                    let message = format!(
                        "{packed} bytes of {} have more than {} bytes of content: this is not a file of lattice QCD",
                        self.compression.as_str(),
                        self.bytes
                    );
                    return Ok(self.ends(What::Bounds, message));
                }
                self.has_ended = n == 0;
                Ok(n)
            }
            Err(error) => match self.watch.failure() {
                Some(failure) => Err(failure),
                None => Ok(self.damaged(&error)),
            },
        }
    }
}

impl<R: Read> std::fmt::Debug for Unpacker<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { compression, bytes, fault, .. } = self;
        f.debug_struct("Unpacker")
            .field("compression", compression)
            .field("bytes", bytes)
            .field("fault", fault)
            .finish()
    }
}
