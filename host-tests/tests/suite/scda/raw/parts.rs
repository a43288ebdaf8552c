//! Sections as described by the manifest, partitions, and a file in memory that several processes share.

use std::cell::RefCell;
use std::fs;
use std::rc::Rc;

use embedded_io::{ErrorKind, ErrorType, Read, Seek, SeekFrom, Write};
use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use linkstream::scda::{Count, ElementPart, Section, SectionType, Style};

/// A section as described by the manifest, without the use of linkstream.
#[derive(Debug, Clone)]
pub struct Listed {
    pub section: Section,
    pub vendor: Vec<u8>,
    pub user: Vec<u8>,
    /// The sizes of the elements of a variable array.
    pub sizes: Vec<u64>,
    /// The sizes before compression, if the data of this section are the `U` lines of a compressed one.
    pub uncompressed: Option<Vec<u64>>,
    pub data: std::ops::Range<usize>,
}

/// A file of `fixtures/scda`.
#[derive(Debug)]
pub struct File {
    pub path: String,
    pub bytes: Vec<u8>,
    /// `None` if the padding is arbitrary.
    pub style: Option<Style>,
    pub sections: Vec<Listed>,
}

impl File {
    /// Absolute offset of the first byte after a section.
    pub fn end(&self, n: usize) -> usize {
        let next = self.sections.get(n + 1).map(|next| next.section.offset as usize);
        next.unwrap_or(self.bytes.len())
    }
}

/// All files of `fixtures/scda`.
pub fn files(fixtures: Fixtures) -> Vec<File> {
    let folder = fixtures.join("scda");
    let manifest = fs::read_to_string(folder.join("MANIFEST.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let files = manifest["file"].as_array().expect("files");
    let files: Vec<File> = files
        .iter()
        .filter(|file| fixtures.includes("scda", text(file, "path").expect("path")))
        .map(|file| {
            let path = text(file, "path").expect("path").to_owned();
            let bytes = fs::read(folder.join(&path)).expect("listed");
            let style = match text(file, "eol") {
                Some("unix") => Some(Style::Unix),
                Some("mime") => Some(Style::Mime),
                _ => None,
            };
            let listed: Vec<&toml::Value> = file["section"].as_array().expect("sections").iter().collect();
            let sections = (0..listed.len()).map(|n| section(&listed[n..])).collect();
            File { path, bytes, style, sections }
        })
        .collect();
    let expected = match fixtures {
        Fixtures::Ours => 34,
        Fixtures::OfOthers => 1,
    };
    assert_eq!(files.iter().filter(|file| file.style.is_some()).count(), expected);
    files
}

/// The first of these sections. If it belongs to a compressed section, the second one has the sizes.
fn section(listed: &[&toml::Value]) -> Listed {
    let this = listed[0];
    let section_type = match text(this, "type").expect("type") {
        "F" => SectionType::Header,
        "I" => SectionType::Inline,
        "B" => SectionType::Block,
        "A" => SectionType::Array,
        "V" => SectionType::Varray,
        other => panic!("type {other}"),
    };
    let n = number(this, "N");
    let count = |n| Count::new(n).expect("26 digits");
    let uncompressed = match text(this, "convention") {
        Some("A-header" | "B-header") => Some(vec![number(this, "U") as u64]),
        Some("V-header") => {
            Some(sizes(text(listed[1], "U_sizes").expect("of the second section"), n as usize))
        }
        _ => None,
    };
    let start = number(this, "data_offset") as usize;
    Listed {
        section: Section {
            offset: number(this, "offset") as u64,
            section_type,
            n: count(n),
            e: count(number(this, "E")),
        },
        vendor: text(this, "vendor_hex").map(hex).unwrap_or_default(),
        user: hex(text(this, "user_hex").expect("user")),
        sizes: text(this, "sizes").map(|expression| sizes(expression, n as usize)).unwrap_or_default(),
        uncompressed,
        data: start..start + number(this, "data_len") as usize,
    }
}

fn text<'a>(table: &'a toml::Value, key: &str) -> Option<&'a str> {
    table.get(key)?.as_str()
}

/// A number; 0 if it is absent. It is a string if it exceeds 64 bits.
fn number(table: &toml::Value, key: &str) -> u128 {
    match table.get(key) {
        Some(toml::Value::Integer(n)) => u128::try_from(*n).expect("no negative numbers"),
        Some(toml::Value::String(digits)) => digits.parse().expect("digits"),
        _ => 0,
    }
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex")).collect()
}

/// Sizes by a formula: `list:a,b,c`, `const:k` or `mod:a,b,m`.
fn sizes(expression: &str, n: usize) -> Vec<u64> {
    let (kind, numbers) = expression.split_once(':').expect("a kind");
    let numbers: Vec<u64> =
        numbers.split(',').filter(|s| !s.is_empty()).map(|s| s.parse().expect("number")).collect();
    let sizes: Vec<u64> = match kind {
        "list" => numbers,
        "const" => vec![numbers[0]; n],
        "mod" => (0..n as u64).map(|i| (numbers[0] * i + numbers[1]) % numbers[2]).collect(),
        other => panic!("sizes {other}"),
    };
    assert_eq!(sizes.len(), n);
    sizes
}

/// Every way to distribute `n` elements among the processes.
pub fn compositions(n: u64, processes: usize) -> Vec<Vec<u64>> {
    if processes == 1 {
        return vec![vec![n]];
    }
    let with = |first| compositions(n - first, processes - 1).into_iter().map(move |rest| (first, rest));
    (0..=n).flat_map(with).map(|(first, rest)| [vec![first], rest].concat()).collect()
}

/// A random way to distribute `n` elements; often some processes have none.
pub fn deal(n: Count, processes: usize, random: &mut Random) -> Vec<Count> {
    let n = n.get();
    let mut cuts: Vec<u128> = (1..processes)
        .map(|_| match random.below(4) {
            0 => 0,
            1 => n,
            _ => n * random.below(1000) as u128 / 999,
        })
        .collect();
    cuts.sort_unstable();
    let starts = [0].into_iter().chain(cuts.clone());
    starts.zip(cuts.iter().copied().chain([n])).map(|(a, b)| Count::new(b - a).expect("less")).collect()
}

/// The range of a process's elements.
pub fn range(part: &ElementPart) -> std::ops::Range<usize> {
    let first = part.first().to_u64().expect("small") as usize;
    first..first + part.count().to_u64().expect("small") as usize
}

/// A file in memory. Its clones share the bytes and have positions of their own. It accepts and returns few bytes at a
/// time and is sometimes interrupted.
#[derive(Debug, Clone)]
pub struct Disk {
    pub bytes: Rc<RefCell<Vec<u8>>>,
    place: u64,
    random: Random,
    /// Number of bytes until the file fails.
    pub lifetime: Option<usize>,
}

impl Disk {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes: Rc::new(RefCell::new(bytes)), place: 0, random: Random(1), lifetime: None }
    }

    fn some(&mut self, length: usize) -> Result<usize, ErrorKind> {
        if self.random.below(8) == 0 {
            return Err(ErrorKind::Interrupted);
        }
        let n = length.min(1 + self.random.below(3000));
        let Some(lifetime) = &mut self.lifetime else { return Ok(n) };
        let n = n.min(*lifetime);
        *lifetime -= n;
        if n == 0 { Err(ErrorKind::BrokenPipe) } else { Ok(n) }
    }
}

impl ErrorType for Disk {
    type Error = ErrorKind;
}

impl Read for Disk {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, ErrorKind> {
        let n = self.some(out.len())?;
        let bytes = self.bytes.borrow();
        let rest = usize::try_from(self.place).ok().and_then(|place| bytes.get(place..)).unwrap_or_default();
        let n = n.min(rest.len());
        out[..n].copy_from_slice(&rest[..n]);
        self.place += n as u64;
        Ok(n)
    }
}

impl Write for Disk {
    fn write(&mut self, from: &[u8]) -> Result<usize, ErrorKind> {
        let n = self.some(from.len())?;
        let mut bytes = self.bytes.borrow_mut();
        let start = self.place as usize;
        if bytes.len() < start + n {
            bytes.resize(start + n, 0xEE);
        }
        bytes[start..start + n].copy_from_slice(&from[..n]);
        self.place += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, ErrorKind> {
        let SeekFrom::Start(place) = to else { return Err(ErrorKind::Unsupported) };
        self.place = place;
        Ok(place)
    }
}
