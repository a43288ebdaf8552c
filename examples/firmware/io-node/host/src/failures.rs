//! Series of power failures: a file is sent again and again, and files are dropped, until the power fails. After each
//! failure, the node is asked what it has.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};

use crate::card::Card;
use crate::log::{self, Write};
use crate::peer::digest;
use crate::random::Random;

const MEBIBYTE: usize = 1 << 20;
/// The file that is stored before the first failure.
pub const KEPT: &str = "KEPT.LIM";

/// The work during which the power fails.
#[derive(Debug, Clone, Copy)]
pub enum Action<'a> {
    Put { name: &'a str, contents: &'a [u8], start: usize },
    Drop(&'a str),
}

/// A node whose power can fail.
pub trait Rig: Sized {
    /// Starts a node.
    fn start(card: &Card) -> Result<Self>;

    /// The whole answer to a line.
    fn ask(&mut self, line: &str) -> Result<String>;

    /// Puts a file whose bytes before `start` the node has. Returns the last line of the answer.
    fn put(&mut self, name: &str, contents: &[u8], start: usize) -> Result<String>;

    /// Acts until the node has written so many sectors since its start, or has finished; then cuts the power. Returns the
    /// writes.
    fn fail(self, card: &Card, target: usize, action: Action<'_>) -> Result<Vec<Write>>;
}

/// Number of times that each thing has happened.
pub type Counts = BTreeMap<&'static str, u32>;

/// The files of a series: one that is kept, and one that is sent under new names.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    pub kept: &'a [u8],
    pub contents: &'a [u8],
    /// Number of writes for all of the contents.
    pub writes: usize,
}

/// State of a file, as the node reports it, and the number of bytes that it has.
pub fn state(list: &str, name: &str) -> Option<(String, usize)> {
    let line = list.lines().find(|line| line.starts_with(&format!("file {name} ")))?;
    let mut words = line.split(' ').skip(5);
    let state = words.next()?.to_owned();
    Some((state, words.next().and_then(|offset| offset.parse().ok()).unwrap_or(0)))
}

/// Bytes of a file, from `start` on, that these writes have brought to the card.
fn written(writes: &[Write], contents: &[u8], start: usize) -> usize {
    writes.iter().fold(start, |at, write| {
        let is_next = contents.get(at..at + write.contents.len()) == Some(&write.contents[..]);
        if is_next { at + write.contents.len() } else { at }
    })
}

impl Sample<'_> {
    fn expected(&self, name: &str) -> &[u8] {
        if name == KEPT { self.kept } else { self.contents }
    }

    /// Names of the files that are stored, according to the node, with the right digests. The first and the last one are
    /// read. All of them are compared at the end.
    fn stored(&self, node: &mut impl Rig) -> Result<(Vec<String>, String)> {
        let list = node.ask("list")?;
        let lines = list.lines().filter(|line| line.ends_with(" stored"));
        let names: Vec<String> = lines.filter_map(|line| Some(line.split(' ').nth(1)?.to_owned())).collect();
        for name in names.first().into_iter().chain(names.last()) {
            let checked = node.ask(&format!("check {name}"))?;
            ensure!(checked.starts_with("ok checked "), "{name}: {checked}");
        }
        for name in &names {
            let contents = self.expected(name);
            let line = format!("file {name} {} {} stored\n", contents.len(), digest(contents));
            ensure!(list.contains(&line), "{name} is another file: {list}");
        }
        ensure!(names.iter().any(|name| name == KEPT), "a stored file is lost: {list}");
        Ok((names, list))
    }
}

/// Cuts the power `cuts` times, and then compares everything that is stored.
pub fn series<R: Rig>(sample: Sample<'_>, mut card: Card, seed: u64, cuts: u64) -> Result<Counts> {
    let mut random = Random::new(seed);
    let mut counts = Counts::new();
    let mut count = |what| *counts.entry(what).or_default() += 1;
    let mut number = 0;
    // The file that was being sent last: the offset where it began, and the bytes that the card had been given.
    let mut last: Option<(usize, usize)> = None;
    for cut in 0..=cuts {
        let before = card.copy()?;
        let mut node = R::start(&card)?;
        let (names, list) = sample.stored(&mut node).with_context(|| format!("after {cut} cuts"))?;
        let mut name = format!("F{number}.LIM");
        let mut start = 0;
        if names.contains(&name) {
            ensure!(last.is_some(), "{name} is stored, but was not sent");
            count("stored");
            number += 1;
            name = format!("F{number}.LIM");
        } else {
            start = state(&list, &name).unwrap_or_default().1;
            if let Some((begun, sent)) = last {
                ensure!(start + MEBIBYTE >= sent, "after {cut} cuts: {start} of {sent} bytes are left");
                count(if start > begun {
                    "further"
                } else if start > 0 {
                    "as far"
                } else {
                    "from the start"
                });
            }
        }
        last = None;
        if cut == cuts {
            let answer = node.put(&name, sample.contents, start)?;
            ensure!(answer.starts_with("ok stored "), "{answer}");
            let (names, _) = sample.stored(&mut node)?;
            ensure!(names.contains(&name), "{names:?}");
            drop(node);
            for name in &names {
                ensure!(card.read(name)? == sample.expected(name), "{name} differs");
            }
            break;
        }
        let older = names.iter().find(|name| *name != KEPT && cut % 5 == 4);
        // The clusters of a file that is dropped are freed one by one. In one of ten cases a file that is sent is stored
        // before the power fails.
        let rest = sample.writes * (sample.contents.len() - start) / sample.contents.len();
        let (most, action) = match older {
            Some(older) => (400, Action::Drop(older)),
            None => (rest * 10 / 9 + 20, Action::Put { name: &name, contents: sample.contents, start }),
        };
        let target = random.below(most as u64) as usize;
        let all = node.fail(&card, target, action)?;
        let writes = all.get(..log::cut(&all, target, &mut random)).unwrap_or(&[]);
        if older.is_some() {
            count("dropped");
        } else {
            last = Some((start, written(writes, sample.contents, start)));
        }
        let failure = log::fail(&before.path(), writes, &mut random)?;
        card = before;
        for (what, is_so) in [
            ("torn", failure.torn),
            ("reordered", failure.lost > 0),
            ("torn record", failure.in_record && failure.torn),
            ("whole record", failure.in_record && !failure.torn),
        ] {
            if is_so {
                count(what);
            }
        }
    }
    let lost = card.check_after_failures()?;
    ensure!(u64::from(lost) <= cuts, "{lost} clusters belong to no file");
    counts.insert("lost clusters", lost);
    Ok(counts)
}
