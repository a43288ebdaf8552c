//! Sections as described by the manifest, partitions, and a file in memory that several processes share.

use std::cell::RefCell;
use std::fs;
use std::rc::Rc;

use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use linkstream::Error;
use linkstream::scda::{
    Count, ElementPart, EncodeErrorKind, ErrorKind, PartEncoder, PositionedWrite, Section, SectionType,
    SizeLines, Style,
};

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

/// A file in memory, which several processes write.
pub type Shared = Rc<RefCell<Vec<u8>>>;

/// A process that writes the pieces of its encoder.
pub struct PartWriter {
    file: Shared,
    pub encoder: PartEncoder,
}

type Done = Result<(), EncodeErrorKind>;

impl PartWriter {
    pub fn new(file: &Shared, encoder: PartEncoder) -> Self {
        Self { file: file.clone(), encoder }
    }

    fn put(&self, offset: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let (mut file, start) = (self.file.borrow_mut(), offset as usize);
        if file.len() < start + bytes.len() {
            file.resize(start + bytes.len(), 0xEE);
        }
        file[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// Writes the piece that a call of the encoder returns.
    pub fn call(
        &mut self,
        call: impl for<'e> FnOnce(&'e mut PartEncoder) -> Result<PositionedWrite<'e>, EncodeErrorKind>,
    ) -> Done {
        let PositionedWrite { offset, bytes } = call(&mut self.encoder)?;
        let bytes = bytes.to_vec();
        self.put(offset, &bytes);
        Ok(())
    }

    pub fn sizes(&mut self, sizes: impl IntoIterator<Item = u64>) -> Done {
        sizes.into_iter().try_for_each(|size| {
            let offset = self.encoder.sizes_position();
            let line = self.encoder.size(size)?;
            self.put(offset, &line);
            Ok(())
        })
    }

    pub fn uncompressed(&mut self, sizes: impl IntoIterator<Item = u64>) -> Done {
        sizes.into_iter().try_for_each(|size| {
            let offset = self.encoder.data_position();
            let line = self.encoder.uncompressed(size)?;
            self.put(offset, &line);
            Ok(())
        })
    }

    pub fn data(&mut self, bytes: &[u8]) -> Done {
        let offset = self.encoder.data_position();
        self.encoder.data(bytes)?;
        self.put(offset, bytes);
        Ok(())
    }

    pub fn end(&mut self) -> Done {
        self.call(PartEncoder::end)
    }
}

/// The sizes in all lines of a part.
pub fn sizes_in(file: &[u8], mut lines: SizeLines) -> Result<Vec<u64>, Error<ErrorKind>> {
    let window = lines.window();
    let (all, _) = file[window.offset() as usize..window.end() as usize].as_chunks();
    all.iter().map(|line| lines.size(line)).collect()
}
