//! Power failures: the node is stopped, and its card is made what it may be then.

use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use io_node_host::card::{Card, Geometry, LARGE, SMALL};
use io_node_host::client::Client;
use io_node_host::failures::{Action, Counts, KEPT, Rig, Sample, series, state};
use io_node_host::files;
use io_node_host::local::{Local, Socket};
use io_node_host::log::{self, Write};
use io_node_host::machine::Machine;

const MEBIBYTE: usize = 1 << 20;

/// The node under QEMU, which is killed.
struct Board(Machine);

impl Rig for Board {
    fn start(card: &Card) -> Result<Self> {
        Ok(Self(Machine::logged(card)?))
    }

    fn ask(&mut self, line: &str) -> Result<String> {
        self.0.client().patient(line)
    }

    fn put(&mut self, name: &str, contents: &[u8], _: usize) -> Result<String> {
        Ok(self.0.client().put(name, contents)?.answer)
    }

    fn fail(self, card: &Card, target: usize, action: Action<'_>) -> Result<Vec<Write>> {
        let act = |client: Client| match action {
            Action::Put { name, contents, .. } => drop(client.put(name, contents)),
            Action::Drop(name) => drop(client.patient(&format!("drop {name}"))),
        };
        thread::scope(|scope| -> Result<()> {
            let client = self.0.client();
            let acting = scope.spawn(move || act(client));
            // The log is one entry ahead of the writes that are complete.
            while !acting.is_finished() && log::count(&card.log())? < target as u64 + 2 {
                thread::sleep(Duration::from_millis(2));
            }
            self.0.kill()?;
            // It has failed, unless it had ended.
            let _ = acting.join();
            Ok(())
        })?;
        log::read(&card.log())
    }
}

/// The node on this machine, whose card is taken from it.
struct Host(Socket);

impl Rig for Host {
    fn start(card: &Card) -> Result<Self> {
        Ok(Self(Socket::new(card)?))
    }

    fn ask(&mut self, line: &str) -> Result<String> {
        Ok(String::from_utf8(Local::new(&self.0).send(format!("{line}\n").as_bytes())?)?)
    }

    fn put(&mut self, name: &str, contents: &[u8], start: usize) -> Result<String> {
        Local::new(&self.0).send_rest(name, contents, start)
    }

    fn fail(self, _: &Card, target: usize, action: Action<'_>) -> Result<Vec<Write>> {
        self.0.end_after(target);
        let mut node = Local::new(&self.0);
        // The answer is an error, unless everything was written before.
        let _ = match action {
            Action::Put { name, contents, start } => node.send_rest(name, contents, start),
            Action::Drop(name) => node.last_line(&format!("drop {name}")),
        };
        Ok(self.0.into_writes())
    }
}

/// Runs series on cards of their own at the same time, and compares the sums of their counts with the least that are
/// wanted.
fn failures<R: Rig>(geometry: Geometry, seeds: &[u64], cuts: u64, wanted: &[(&str, u32)]) -> Result<()> {
    let kept = files::configuration()?;
    // Two records are written before the end of this file.
    let contents = files::gauge([8, 8, 8, 8], 5)?;
    let card = Card::new(geometry)?;
    let socket = Socket::new(&card)?;
    let mut node = Local::new(&socket);
    ensure!(node.put(KEPT, &kept)?.starts_with("ok stored "));
    let start = socket.count();
    ensure!(node.put("WHOLE.LIM", &contents)?.starts_with("ok stored "));
    let sample = Sample { kept: &kept, contents: &contents, writes: socket.count() - start };
    let all = thread::scope(|scope| -> Result<Counts> {
        let mut running = Vec::new();
        for &seed in seeds {
            let card = card.copy()?;
            running.push((seed, scope.spawn(move || series::<R>(sample, card, seed, cuts))));
        }
        let mut all = Counts::new();
        for (seed, series) in running {
            let counts = series.join().map_err(|_| anyhow!("series {seed} has panicked"))?;
            for (what, count) in counts.map_err(|error| error.context(format!("series {seed}")))? {
                *all.entry(what).or_default() += count;
            }
        }
        Ok(all)
    })?;
    println!("{} cuts, {} writes for a whole file: {all:?}", cuts * seeds.len() as u64, sample.writes);
    for (what, least) in wanted {
        ensure!(all.get(what).is_some_and(|count| count >= least), "{what}: too few of {all:?}");
    }
    Ok(())
}

#[test]
fn power_failures_cost_little_and_no_stored_file() -> Result<()> {
    let wanted = [
        ("stored", 2),
        ("dropped", 5),
        ("further", 6),
        ("from the start", 5),
        ("torn", 20),
        ("reordered", 20),
        ("torn record", 4),
        ("whole record", 1),
    ];
    failures::<Board>(SMALL, &[1, 2, 3, 4, 5], 10, &wanted)
}

/// The same without QEMU, which takes most of the time.
#[test]
fn hundreds_of_power_failures_cost_no_stored_file() -> Result<()> {
    let wanted = [
        ("stored", 10),
        ("dropped", 20),
        ("further", 15),
        ("as far", 5),
        ("from the start", 20),
        ("torn record", 10),
        ("whole record", 5),
    ];
    failures::<Host>(SMALL, &[6, 7, 8, 9], 50, &wanted)?;
    failures::<Host>(LARGE, &[10, 11, 12, 13], 50, &wanted)
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
