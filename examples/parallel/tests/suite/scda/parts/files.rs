//! Sections as described by the manifest, and partitions.

use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use host_tests::sections::{self, Eol};
use linkstream::scda::{Count, Section, SectionType, Style};
use linkstream_parallel::scda::parts::ElementPart;

/// A section as described by the manifest, without the use of linkstream.
#[derive(Debug, Clone)]
pub struct Listed {
    pub section: Section,
    pub vendor: Vec<u8>,
    pub user: Vec<u8>,
    /// The sizes of the elements of a variable array.
    pub sizes: Vec<u64>,
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
    let files = sections::load(fixtures).into_iter().map(|file| {
        let style = match file.eol {
            Eol::Unix => Some(Style::Unix),
            Eol::Mime => Some(Style::Mime),
            Eol::Arbitrary => None,
        };
        let sections = file.sections.iter().map(listed).collect();
        File { path: file.path.clone(), bytes: file.bytes(), style, sections }
    });
    let files: Vec<_> = files.collect();
    let expected = match fixtures {
        Fixtures::Ours => 34,
        Fixtures::OfOthers => 1,
    };
    assert_eq!(files.iter().filter(|file| file.style.is_some()).count(), expected);
    files
}

fn listed(this: &sections::Section) -> Listed {
    let count = |n: Option<u128>| Count::new(n.unwrap_or(0)).expect("26 digits");
    let section_type = SectionType::from_letter(this.letter as u8).expect("a type of section");
    Listed {
        section: Section::new(this.offset, section_type, count(this.n), count(this.e)),
        vendor: this.vendor.clone().unwrap_or_default(),
        user: this.user.clone(),
        sizes: this.sizes().unwrap_or_default(),
    }
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
