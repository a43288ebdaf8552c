//! Drives a decoder in every possible way and records what it reports, so that the results can be compared.
//!
//! This is the only module of the library that uses linkstream. It does not check the content of a format: it verifies
//! that a decoder and its drivers obey the contract of [`Decode`], and returns comparable [`Trace`]s.

mod contract;
mod readers;
mod sources;
mod trace;

use contract::{finish, push, skip};
pub use readers::block_on;
use readers::{Awaiting, Copying, Pull, Pulling};
pub use sources::{Fitful, Interrupted, Random};
pub use trace::{Item, Trace};

use linkstream::io::Reader;
use linkstream::{Decode, Error};
use std::fmt::Debug;

/// Maximum number of events in a row without a byte consumed; more are taken for an endless loop.
const IDLE: usize = 64;

/// Maximum size of an input that is cut at every byte and read through a buffer of one byte. Larger ones would take too
/// long.
const SMALL: usize = 16 * 1024;

/// The trace of a decoder.
pub type TraceOf<D> = Trace<<D as Decode>::Event, <D as Decode>::ErrorKind>;

type Reported<D> = Result<Option<<D as Decode>::Event>, Error<<D as Decode>::ErrorKind>>;

/// A decoder in its initial state and an input for it.
#[derive(Debug)]
pub struct Drive<'a, D: Decode> {
    decoder: &'a D,
    input: &'a [u8],
    is_payload: fn(&D::Event) -> bool,
    note: fn(&D, &D::Event) -> Vec<u8>,
    unseen: fn(D::Event) -> Option<D::Event>,
}

impl<'a, D> Drive<'a, D>
where
    D: Decode + Clone,
    D::Event: PartialEq + Debug,
{
    pub fn new(decoder: &'a D, input: &'a [u8], is_payload: fn(&D::Event) -> bool) -> Self {
        Self { decoder, input, is_payload, note: |_, _| Vec::new(), unseen: Some }
    }

    /// Also records the state that the decoder exposes at an event, for example a type, a header or a checksum.
    #[must_use]
    pub fn noting(self, note: fn(&D, &D::Event) -> Vec<u8>) -> Self {
        Self { note, ..self }
    }

    /// Sets how an event changes if payload is skipped: a checksum, for example, can be neither computed nor compared
    /// then. `None`: the event is not reported. By default, skipping must not change any event except payload.
    #[must_use]
    pub fn unseen(self, unseen: fn(D::Event) -> Option<D::Event>) -> Self {
        Self { unseen, ..self }
    }

    /// Removes from a trace everything that depends on the bytes of payload, to compare runs that read payload with
    /// runs that skip it.
    #[must_use]
    pub fn outline(&self, trace: &TraceOf<D>) -> TraceOf<D> {
        let without_payload = |item: &Item<D::Event>| match item {
            Item::Event { event, after, note } => {
                Some(Item::Event { event: (self.unseen)(*event)?, after: *after, note: note.clone() })
            }
            Item::Payload { offset, length, .. } => {
                Some(Item::Payload { offset: *offset, length: *length, crc: None })
            }
        };
        Trace { items: trace.items.iter().filter_map(without_payload).collect(), ..*trace }
    }

    /// Pushes the input as one slice.
    pub fn whole(&self) -> TraceOf<D> {
        self.slices(&[], true, |_| {})
    }

    /// Pushes slices of `n` bytes.
    pub fn chunks(&self, n: usize) -> TraceOf<D> {
        let cuts: Vec<usize> = (n..self.input.len()).step_by(n).collect();
        self.slices(&cuts, true, |_| {})
    }

    /// Pushes slices of 1 to 300 bytes. Events that need no more input are left for the next slice.
    pub fn random_cuts(&self, seed: u64) -> TraceOf<D> {
        self.slices(&self.cuts_at_random(seed), false, |_| {})
    }

    fn cuts_at_random(&self, seed: u64) -> Vec<usize> {
        let mut random = Random(seed);
        let cuts = std::iter::successors(Some(0), move |at| Some(at + 1 + random.below(300)));
        cuts.skip(1).take_while(|at| *at < self.input.len()).collect()
    }

    /// Pushes the slices between the cuts. At each cut, possibly with events pending, and between the events at the
    /// end, the decoder is passed to `between`, which may save and restore it or return it unchanged.
    pub fn cut(&self, cuts: &[usize], mut between: impl FnMut(D) -> D) -> TraceOf<D> {
        self.slices(cuts, false, |decoder| *decoder = between(decoder.clone()))
    }

    /// With `to_the_end`, a slice is pushed until there are no more events, even if nothing is left of it. The decoder
    /// is never moved: one that inflates has 45 KB, and there can be a cut at every byte.
    fn slices(&self, cuts: &[usize], to_the_end: bool, mut between: impl FnMut(&mut D)) -> TraceOf<D> {
        let mut decoder = self.decoder.clone();
        let mut trace = self.start();
        let (mut from, mut idle) = (0, 0);
        for to in cuts.iter().copied().chain([self.input.len()]) {
            let mut piece = &self.input[from..to];
            while to_the_end || !piece.is_empty() {
                match push(&mut decoder, piece, self.is_payload) {
                    Ok(step) => {
                        let (bytes, rest) = piece.split_at(step.consumed);
                        piece = rest;
                        let Some(event) = step.event else { break };
                        self.note_event(&mut trace, &decoder, event, bytes);
                        idle = if step.consumed == 0 { idle + 1 } else { 0 };
                        assert!(idle < IDLE, "a loop at {}: {:?}", decoder.position(), trace.items.last());
                    }
                    Err(error) => return ended(trace, Err(error), &decoder),
                }
            }
            from = to;
            between(&mut decoder);
        }
        self.finish(&mut decoder, trace, between)
    }

    /// Pushes slices cut at random, and skips payload by [`Decode::skip`] in steps of random length.
    pub fn skipping(&self, seed: u64) -> TraceOf<D> {
        let mut decoder = self.decoder.clone();
        let mut trace = self.start();
        let mut random = Random(!seed);
        let mut from = 0;
        for to in self.cuts_at_random(seed).into_iter().chain([self.input.len()]) {
            let mut piece = &self.input[from..to];
            while !piece.is_empty() {
                if let Some(n) = skip(&mut decoder, piece.len(), &mut random) {
                    trace.payload(decoder.position() - n as u64, n as u64, None);
                    piece = &piece[n..];
                    continue;
                }
                match push(&mut decoder, piece, self.is_payload) {
                    Ok(step) => {
                        let (bytes, rest) = piece.split_at(step.consumed);
                        if let Some(event) = step.event {
                            self.note_event(&mut trace, &decoder, event, bytes);
                        }
                        piece = rest;
                    }
                    Err(error) => return ended(trace, Err(error), &decoder),
                }
            }
            from = to;
        }
        self.finish(&mut decoder, trace, |_| {})
    }

    fn finish(&self, decoder: &mut D, mut trace: TraceOf<D>, mut between: impl FnMut(&mut D)) -> TraceOf<D> {
        let position = decoder.position();
        for _ in 0..IDLE {
            match finish(decoder, self.is_payload) {
                Ok(Some(event)) => {
                    self.note_event(&mut trace, decoder, event, &[]);
                    between(decoder);
                }
                Ok(None) => {
                    between(decoder);
                    assert!(
                        matches!(finish(decoder, self.is_payload), Ok(None)),
                        "no event may follow the end"
                    );
                    return Trace { position, ..trace };
                }
                Err(error) => return ended(trace, Err(error), decoder),
            }
        }
        panic!("finish reports events without end at {position}: {trace:?}");
    }

    /// The pull reader on a slice.
    pub fn pull(&self, buffer: usize) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(self.input, &mut buffer[..], self.decoder.clone());
        self.turn(Pulling { reader, pass: Reader::skip }, 0)
    }

    /// The pull reader on a source that returns few bytes at a time and is interrupted.
    pub fn pull_fitful(&self, buffer: usize, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer[..], self.decoder.clone());
        self.turn(Pulling { reader, pass: Reader::skip }, 0)
    }

    /// The pull reader on a source as in [`Drive::pull_fitful`]. [`Reader::read`] reads the payload, at most `out`
    /// bytes at a time.
    pub fn pull_reading(&self, buffer: usize, out: usize, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer[..], self.decoder.clone());
        self.turn(Copying { reader, out: vec![0; out] }, 1)
    }

    /// The pull reader on a source as in [`Drive::pull_fitful`]. [`Reader::skip`] skips payload before each `every`-th
    /// event; with 2, after its first piece.
    pub fn pull_skipping(&self, buffer: usize, every: usize, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer[..], self.decoder.clone());
        self.turn(Pulling { reader, pass: Reader::skip }, every)
    }

    /// Skips as in [`Drive::pull_skipping`], but by [`Reader::skip_seeking`].
    pub fn pull_seeking(&self, buffer: usize, every: usize, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer[..], self.decoder.clone());
        self.turn(Pulling { reader, pass: Reader::skip_seeking }, every)
    }

    /// The asynchronous reader on a source that is sometimes pending. A pending future is polled again or, if
    /// `drop_pending`, dropped and created again. Payload is skipped before each `every`-th event; 0 means never.
    pub fn awaiting(&self, buffer: usize, every: usize, drop_pending: bool, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer[..], self.decoder.clone());
        self.turn(Awaiting { reader, drop_pending }, every)
    }

    fn turn(&self, mut reader: impl Pull<D>, every: usize) -> TraceOf<D> {
        let mut trace = self.start();
        let mut last = (self.decoder.position(), 0);
        for turn in 1.. {
            if every > 0 && turn % every == 0 {
                let before = reader.decoder().position();
                let passed = reader.pass();
                let n = reader.decoder().position() - before;
                let bytes = passed.as_ref().ok().and_then(Option::as_deref);
                assert!(
                    bytes.is_none_or(|bytes| bytes.len() as u64 == n),
                    "the bytes returned must be those that the decoder consumed"
                );
                trace.payload(before, n, bytes.map(|bytes| (crc32fast::hash(bytes), bytes)));
                if let Err(error) = passed {
                    return reader_failed(trace, &mut reader, error);
                }
            }
            match reader.next() {
                Ok(Some(event)) => self.note_event(&mut trace, reader.decoder(), event, reader.bytes()),
                Ok(None) => {
                    assert!(matches!(reader.next(), Ok(None)), "no event may follow the end");
                    return ended(trace, Ok(()), reader.decoder());
                }
                Err(error) => return reader_failed(trace, &mut reader, error),
            }
            let position = reader.decoder().position();
            last = if position == last.0 { (position, last.1 + 1) } else { (position, 0) };
            assert!(last.1 < IDLE, "a loop at {position}");
        }
        unreachable!("the loop ends only by returning")
    }

    /// Runs every way on one input: [`Drive::agree_reading`] and, with the outline of its result,
    /// [`Drive::agree_passing`].
    ///
    /// # Panics
    /// If two ways differ or the contract is broken.
    #[track_caller]
    pub fn agree(&self, what: &str, cuts: &[usize], restore: impl FnMut(D) -> D) -> TraceOf<D> {
        let whole = self.agree_reading(what, cuts, restore);
        self.agree_passing(what, &whole, &[1, 2]);
        whole
    }

    /// Runs every way that reads all bytes, compares each result with [`Drive::whole`], and returns the latter.
    /// At each of `cuts` the decoder is restored with `restore`. Inputs of more than 16 KiB are not cut at every byte,
    /// nor read through a buffer of one byte; use [`Drive::chunks`] for this if time does not matter.
    ///
    /// # Panics
    /// If two ways differ or the contract is broken.
    #[track_caller]
    pub fn agree_reading(&self, what: &str, cuts: &[usize], restore: impl FnMut(D) -> D) -> TraceOf<D> {
        let whole = self.whole();
        let (seed, out) = (self.seed(), if self.is_small() { 5 } else { 500 });
        whole.assert_same(&self.cut(cuts, restore), &format!("{what}, restored at each cut"));
        if self.is_small() {
            whole.assert_same(&self.chunks(1), &format!("{what}, 1 byte"));
        }
        whole.assert_same(&self.chunks(7), &format!("{what}, 7 bytes"));
        whole.assert_same(&self.random_cuts(seed), &format!("{what}, random cuts"));
        for buffer in self.buffers() {
            let way = |way: &str| format!("{what}, buffer of {buffer}, {way}");
            whole.assert_same(&self.pull(buffer), &way("pull"));
            whole.assert_same(&self.pull_fitful(buffer, seed), &way("fitful"));
            whole.assert_same(&self.pull_reading(buffer, out, seed), &way("read"));
            whole.assert_same(&self.awaiting(buffer, 0, false, seed), &way("async"));
            whole.assert_same(&self.awaiting(buffer, 0, true, seed), &way("async, dropped"));
        }
        whole
    }

    /// Runs every way that skips payload, before each event or before each second one, as listed in `every`, and
    /// compares each result with the outline of `expected`. With 2, payload that fits into the buffer is read
    /// completely; if the error of the input is in payload, only `[1]` and another run that skips can agree.
    ///
    /// # Panics
    /// If two ways differ or the contract is broken.
    #[track_caller]
    pub fn agree_passing(&self, what: &str, expected: &TraceOf<D>, every: &[usize]) {
        let (seed, outline) = (self.seed(), self.outline(expected));
        outline.assert_same(&self.outline(&self.skipping(seed)), &format!("{what}, skipping"));
        for (buffer, &every) in self.buffers().into_iter().flat_map(|n| every.iter().map(move |e| (n, e))) {
            let same = |found: TraceOf<D>, name| {
                let what = format!("{what}, buffer of {buffer}, {name} every {every}");
                outline.assert_same(&self.outline(&found), &what);
            };
            same(self.pull_skipping(buffer, every, seed), "skip");
            same(self.pull_seeking(buffer, every, seed), "seek");
            same(self.awaiting(buffer, every, true, seed), "async skip");
        }
    }

    fn is_small(&self) -> bool {
        self.input.len() <= SMALL
    }

    fn buffers(&self) -> [usize; 3] {
        [if self.is_small() { 1 } else { 97 }, 145, 4096]
    }

    fn seed(&self) -> u64 {
        self.input.len() as u64
    }

    fn start(&self) -> TraceOf<D> {
        Trace { items: Vec::new(), end: Ok(()), position: 0 }
    }

    fn note_event(&self, trace: &mut TraceOf<D>, decoder: &D, event: D::Event, bytes: &[u8]) {
        let note = (self.note)(decoder, &event);
        trace.note_event((self.is_payload)(&event), event, bytes, decoder.position(), note);
    }
}

fn ended<D: Decode>(
    trace: TraceOf<D>,
    end: Result<(), Error<D::ErrorKind>>,
    decoder: &D,
) -> Trace<D::Event, D::ErrorKind> {
    Trace { end, position: decoder.position(), ..trace }
}

fn reader_failed<D: Decode>(
    trace: TraceOf<D>,
    reader: &mut impl Pull<D>,
    error: Error<D::ErrorKind>,
) -> TraceOf<D> {
    for _ in 0..2 {
        assert_eq!(reader.next().err(), Some(error), "errors are sticky");
    }
    ended(trace, Err(error), reader.decoder())
}
