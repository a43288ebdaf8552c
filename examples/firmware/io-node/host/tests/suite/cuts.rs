//! Power failures: QEMU is killed, and the card is made what it may be then.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use io_node_host::card::{Card, SMALL};
use io_node_host::client::Client;
use io_node_host::files;
use io_node_host::log::{self, Write};
use io_node_host::machine::Machine;
use io_node_host::random::Random;

const MEBIBYTE: usize = 1 << 20;

/// State of the file, as the node reports it.
fn state(list: &str, name: &str) -> Option<(String, usize)> {
    let line = list.lines().find(|line| line.starts_with(&format!("file {name} ")))?;
    let mut words = line.split(' ').skip(4);
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

/// Runs `work` until the node has written so many sectors, or the work has ended; then cuts the power. Returns the writes.
fn run_until(machine: Machine, card: &Card, target: usize, work: impl FnOnce() + Send) -> Result<Vec<Write>> {
    thread::scope(|scope| -> Result<()> {
        let work = scope.spawn(work);
        while !work.is_finished() && log::count(&card.log())? < target as u64 + 2 {
            thread::sleep(Duration::from_millis(2));
        }
        machine.kill()?;
        let _ = work.join();
        Ok(())
    })?;
    log::read(&card.log())
}

type Counts = BTreeMap<&'static str, u32>;

/// Series of power failures, each on a card of its own, and failures in each.
const SERIES: u64 = 5;
const CUTS: u64 = 10;

/// The files of a series: one that is kept, and one that is sent again and again under new names.
#[derive(Clone, Copy)]
struct Sample<'a> {
    kept: &'a [u8],
    contents: &'a [u8],
    /// Number of writes for all of the contents.
    writes: usize,
}

impl Sample<'_> {
    /// Number of writes from an offset on.
    fn writes_from(&self, start: usize) -> usize {
        self.writes * (self.contents.len() - start) / self.contents.len()
    }

    fn expected(&self, name: &str) -> &[u8] {
        if name == "KEPT.LIM" { self.kept } else { self.contents }
    }

    /// Names of the files that are stored, according to the node, with the right digests. The first and the last one are
    /// read. All of them are compared at the end.
    fn stored(&self, client: &Client) -> Result<Vec<String>> {
        let list = client.patient("list")?;
        let lines = list.lines().filter(|line| line.ends_with(" stored"));
        let names: Vec<String> = lines.filter_map(|line| Some(line.split(' ').nth(1)?.to_owned())).collect();
        for name in names.first().into_iter().chain(names.last()) {
            let checked = client.patient(&format!("check {name}"))?;
            ensure!(checked.starts_with("ok checked "), "{name}: {checked}");
        }
        for name in &names {
            let contents = self.expected(name);
            let line = format!("file {name} {} {:08x} stored\n", contents.len(), crc32fast::hash(contents));
            ensure!(list.contains(&line), "{name} is another file: {list}");
        }
        ensure!(names.iter().any(|name| name == "KEPT.LIM"), "a stored file is lost: {list}");
        Ok(names)
    }
}

/// Power failures, one after the other. At the end, everything that is stored is compared.
fn series(sample: Sample<'_>, mut card: Card, seed: u64) -> Result<Counts> {
    let mut random = Random::new(seed);
    let mut counts = Counts::new();
    let mut count = |what| *counts.entry(what).or_default() += 1;
    let mut number = 0;
    // The file that was being sent last: the offset where it began, and the bytes that the card had been given.
    let mut last: Option<(usize, usize)> = None;
    for cut in 0..=CUTS {
        let before = card.copy()?;
        let machine = Machine::logged(&card)?;
        let client = machine.client();
        let names = sample.stored(&client).with_context(|| format!("after {cut} cuts"))?;
        let mut name = format!("F{number}.LIM");
        let mut start = 0;
        if names.contains(&name) {
            ensure!(last.is_some(), "{name} is stored, but was not sent");
            count("stored");
            number += 1;
            name = format!("F{number}.LIM");
        } else {
            start = state(&client.patient("list")?, &name).unwrap_or_default().1;
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
        if cut == CUTS {
            let upload = client.put(&name, sample.contents)?;
            ensure!(upload.answer.starts_with("ok stored "), "{upload:?}");
            let names = sample.stored(&client)?;
            ensure!(names.contains(&name), "{names:?}");
            drop(machine);
            for name in &names {
                ensure!(card.read(name)? == sample.expected(name), "{name} differs");
            }
            break;
        }
        let older = names.iter().find(|name| *name != "KEPT.LIM" && cut % 5 == 4);
        let (target, all) = if let Some(older) = older {
            count("dropped");
            // The clusters are freed one by one.
            let target = random.below(400) as usize;
            (target, run_until(machine, &card, target, || drop(client.patient(&format!("drop {older}"))))?)
        } else {
            // In one of ten cases the file is stored before the power fails.
            let target = random.below(sample.writes_from(start) as u64 * 10 / 9) as usize;
            (target, run_until(machine, &card, target, || drop(client.put(&name, sample.contents)))?)
        };
        let writes = all.get(..log::cut(&all, target, &mut random)).unwrap_or(&[]);
        if older.is_none() {
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
    ensure!(u64::from(lost) <= CUTS, "{lost} clusters belong to no file");
    counts.insert("lost clusters", lost);
    Ok(counts)
}

#[test]
fn power_failures_cost_little_and_no_stored_file() -> Result<()> {
    let kept = files::configuration()?;
    // Two records are written before the end of this file.
    let contents = files::gauge([8, 8, 8, 8], 5)?;
    let card = Card::new(SMALL)?;
    let machine = Machine::logged(&card)?;
    ensure!(machine.client().put("KEPT.LIM", &kept)?.answer.starts_with("ok stored "));
    let start = log::count(&card.log())? as usize;
    ensure!(machine.client().put("WHOLE.LIM", &contents)?.answer.starts_with("ok stored "));
    let writes = log::count(&card.log())? as usize - start;
    drop(machine);
    let sample = Sample { kept: &kept, contents: &contents, writes };
    let all = thread::scope(|scope| -> Result<Counts> {
        let mut running = Vec::new();
        for seed in 0..SERIES {
            let card = card.copy()?;
            running.push(scope.spawn(move || series(sample, card, seed)));
        }
        let mut all = Counts::new();
        for (seed, series) in running.into_iter().enumerate() {
            let counts = series.join().map_err(|_| anyhow!("a series has panicked"))?;
            for (what, count) in counts.with_context(|| format!("series {seed}"))? {
                *all.entry(what).or_default() += count;
            }
        }
        Ok(all)
    })?;
    println!("{} cuts, {writes} writes for a whole file: {all:?}", SERIES * CUTS);
    for (what, least) in [
        ("stored", 3),
        ("dropped", 5),
        ("further", 8),
        ("as far", 2),
        ("from the start", 5),
        ("torn", 20),
        ("reordered", 20),
        ("torn record", 4),
        ("whole record", 2),
    ] {
        ensure!(all.get(what).is_some_and(|&count| count >= least), "{what}: too few of {all:?}");
    }
    Ok(())
}

/// The offset where a file continues, after each record that was written.
#[test]
fn a_file_continues_less_than_a_mebibyte_back() -> Result<()> {
    let contents = files::gauge([16, 8, 8, 8], 6)?;
    let card = Card::new(SMALL)?;
    let mut furthest = 0;
    for end in [600_000, 1_200_000, 1_800_000, 2_300_000] {
        let machine = Machine::start(&card)?;
        machine.client().put_until("A.LIM", &contents, end)?;
        // The node has taken all of it when it says so.
        let list = machine.client().patient("list")?;
        ensure!(state(&list, "A.LIM") == Some(("unfinished".to_owned(), end)), "{list}");
        machine.kill()?;
        let machine = Machine::start(&card)?;
        let upload = machine.client().put_until("A.LIM", &contents, 0)?;
        ensure!(end - upload.offset <= MEBIBYTE, "{} bytes are lost", end - upload.offset);
        furthest = furthest.max(end - upload.offset);
        machine.kill()?;
    }
    let machine = Machine::start(&card)?;
    ensure!(machine.client().put("A.LIM", &contents)?.answer.starts_with("ok stored "));
    drop(machine);
    println!("at most {furthest} bytes had to be sent again");
    ensure!(card.read("A.LIM")? == contents);
    card.check()
}
