//! Turns any decoder in every way there is and writes down what it told, so that the ways can be compared.
//!
//! The exception among these modules: it uses linkstream. It judges nothing about a format; it holds a
//! decoder and its drivers to the contract of [`Decode`] and makes their answers comparable as [`Trace`]s.

use crate::formula::mix64;
use embedded_io::ErrorKind;
use linkstream::io::{AsyncReader, ReadError, Reader};
use linkstream::{Class, Decode, Demand, Error, Kind, Step};
use std::fmt::Debug;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// More events than this without a byte consumed are a loop.
const IDLE: usize = 64;

/// Up to this size every byte is a cut and a buffer of one byte is tried: it would take too long for more.
const SMALL: usize = 16 * 1024;

/// One thing a decoder told, payload whole however it came.
#[derive(Debug, Clone, PartialEq)]
pub enum Item<E> {
    /// Not payload. `after` is the decoder's position then, `note` what else it could be asked.
    Event { event: E, after: u64, note: Vec<u8> },
    /// Neighbouring payload steps as one. `crc` is that of the bytes, if all of them were seen.
    Payload { offset: u64, length: u64, crc: Option<u32> },
}

/// All that one run told.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace<E, K> {
    pub items: Vec<Item<E>>,
    /// A clean end, or the error that ended it.
    pub end: Result<(), Error<K>>,
    /// Of the decoder, at last.
    pub position: u64,
}

impl<E: Clone + PartialEq + Debug, K: Kind> Trace<E, K> {
    /// The events that are not payload.
    pub fn events(&self) -> impl Iterator<Item = &E> {
        self.items.iter().filter_map(|item| match item {
            Item::Event { event, .. } => Some(event),
            Item::Payload { .. } => None,
        })
    }

    /// Equality, with a message that fits on a screen.
    ///
    /// # Panics
    /// At the first difference.
    #[track_caller]
    pub fn assert_same(&self, found: &Self, what: &str) {
        for (n, (expected, found)) in self.items.iter().zip(&found.items).enumerate() {
            assert!(expected == found, "{what}: item {n}: expected {expected:?}, found {found:?}");
        }
        let (a, b) = (self.items.len(), found.items.len());
        let more = self.items.get(b).or(found.items.get(a));
        assert!(a == b, "{what}: {a} items expected, {b} found; the first too few or too many is {more:?}");
        assert_eq!(self.end, found.end, "{what}: end");
        assert_eq!(self.position, found.position, "{what}: position");
    }

    /// Takes an event and the bytes its step consumed, as the last thing before the position `after`.
    fn tell(&mut self, payload: bool, event: E, bytes: &[u8], after: u64, note: Vec<u8>) {
        if payload {
            assert!(!bytes.is_empty(), "a payload event without payload at {after}");
            let crc = crc32fast::hash(bytes);
            self.payload(after - bytes.len() as u64, bytes.len() as u64, Some((crc, bytes)));
        } else {
            self.items.push(Item::Event { event, after, note });
        }
    }

    /// Takes payload, seen or passed over.
    fn payload(&mut self, offset: u64, length: u64, seen: Option<(u32, &[u8])>) {
        if length == 0 {
            return;
        }
        if let Some(Item::Payload { offset: from, length: so_far, crc }) = self.items.last_mut()
            && *from + *so_far == offset
        {
            *so_far += length;
            *crc = crc.zip(seen).map(|(crc, (_, bytes))| {
                let mut sum = crc32fast::Hasher::new_with_initial(crc);
                sum.update(bytes);
                sum.finalize()
            });
            return;
        }
        self.items.push(Item::Payload { offset, length, crc: seen.map(|(crc, _)| crc) });
    }
}

/// The trace of a decoder.
pub type TraceOf<D> = Trace<<D as Decode>::Event, <D as Decode>::Kind>;

type Told<D> = Result<Option<<D as Decode>::Event>, Error<<D as Decode>::Kind>>;

/// A decoder as it stands before the first byte, and an input for it.
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

    /// Also writes down what the decoder can be asked at an event: a type, a header, a checksum.
    #[must_use]
    pub fn noting(self, note: fn(&D, &D::Event) -> Vec<u8>) -> Self {
        Self { note, ..self }
    }

    /// What an event becomes, or that there is none, where payload was passed over: a checksum can be neither
    /// told nor compared. Without this, all that is not payload must be told the same.
    #[must_use]
    pub fn unseen(self, unseen: fn(D::Event) -> Option<D::Event>) -> Self {
        Self { unseen, ..self }
    }

    /// A trace without all that only the bytes of payload can tell: for comparing runs that read and runs
    /// that pass over.
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

    /// Everything in one slice.
    pub fn whole(&self) -> TraceOf<D> {
        self.slices(&[], true, |decoder| decoder)
    }

    /// Slices of `n` bytes.
    pub fn chunks(&self, n: usize) -> TraceOf<D> {
        let cuts: Vec<usize> = (n..self.input.len()).step_by(n).collect();
        self.slices(&cuts, true, |decoder| decoder)
    }

    /// Slices of 1 to 300 bytes. What needs no more bytes to be told is left for the next slice.
    pub fn random_cuts(&self, seed: u64) -> TraceOf<D> {
        self.slices(&self.cuts_at_random(seed), false, |decoder| decoder)
    }

    fn cuts_at_random(&self, seed: u64) -> Vec<usize> {
        let mut random = Random(seed);
        let cuts = std::iter::successors(Some(0), move |at| Some(at + 1 + random.below(300)));
        cuts.skip(1).take_while(|at| *at < self.input.len()).collect()
    }

    /// Slices from cut to cut. At each cut, with events still waiting if there are any, and between what is
    /// told at the end, the decoder is handed to `between`: to be saved and restored, or left as it is.
    pub fn cut(&self, cuts: &[usize], between: impl FnMut(D) -> D) -> TraceOf<D> {
        self.slices(cuts, false, between)
    }

    /// `to_the_end`: a slice is pushed until there are no more events, also when nothing is left of it.
    fn slices(&self, cuts: &[usize], to_the_end: bool, mut between: impl FnMut(D) -> D) -> TraceOf<D> {
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
                        self.tell(&mut trace, &decoder, event, bytes);
                        idle = if step.consumed == 0 { idle + 1 } else { 0 };
                        assert!(idle < IDLE, "a loop at {}: {:?}", decoder.position(), trace.items.last());
                    }
                    Err(error) => return ended(trace, Err(error), &decoder),
                }
            }
            from = to;
            decoder = between(decoder);
        }
        self.finish(decoder, trace, between)
    }

    /// Slices cut at random, payload passed over by [`Decode::skip`] in steps of random length.
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
                            self.tell(&mut trace, &decoder, event, bytes);
                        }
                        piece = rest;
                    }
                    Err(error) => return ended(trace, Err(error), &decoder),
                }
            }
            from = to;
        }
        self.finish(decoder, trace, |decoder| decoder)
    }

    fn finish(&self, mut decoder: D, mut trace: TraceOf<D>, mut between: impl FnMut(D) -> D) -> TraceOf<D> {
        let position = decoder.position();
        for _ in 0..IDLE {
            let told = decoder.finish();
            assert_eq!(decoder.position(), position, "the end consumes nothing");
            match told {
                Ok(Some(event)) => {
                    assert!(!(self.is_payload)(&event), "payload at the end, out of nothing");
                    self.tell(&mut trace, &decoder, event, &[]);
                    decoder = between(decoder);
                }
                Ok(None) => {
                    assert_ended(&mut between(decoder));
                    return Trace { position, ..trace };
                }
                Err(error) => {
                    assert_sticky(&mut decoder, error);
                    return ended(trace, Err(error), &decoder);
                }
            }
        }
        panic!("finish comes to no end at {position}: {trace:?}");
    }

    /// The pull reader over a slice.
    pub fn pull(&self, buffer: usize) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(self.input, &mut buffer, self.decoder.clone());
        self.turn(Pulling { reader, pass: Reader::skip }, 0)
    }

    /// The pull reader over a source that gives few bytes at a time and is interrupted.
    pub fn pull_fitful(&self, buffer: usize, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer, self.decoder.clone());
        self.turn(Pulling { reader, pass: Reader::skip }, 0)
    }

    /// The same with payload taken by [`Reader::read`], at most `out` bytes at a time.
    pub fn pull_reading(&self, buffer: usize, out: usize, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer, self.decoder.clone());
        self.turn(Copying { reader, out: vec![0; out] }, 1)
    }

    /// The same with payload passed over by [`Reader::skip`] before each `every`-th event, so with 2 behind
    /// the first piece of it.
    pub fn pull_skipping(&self, buffer: usize, every: usize, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer, self.decoder.clone());
        self.turn(Pulling { reader, pass: Reader::skip }, every)
    }

    /// The same by [`Reader::skip_seeking`].
    pub fn pull_seeking(&self, buffer: usize, every: usize, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = Reader::new(Fitful::new(self.input, seed), &mut buffer, self.decoder.clone());
        self.turn(Pulling { reader, pass: Reader::skip_seeking }, every)
    }

    /// The asynchronous reader over a source that lets wait. A future that is not ready is polled again, or
    /// dropped and made anew (`drop_pending`). Payload is passed over before each `every`-th event, never
    /// with 0.
    pub fn awaiting(&self, buffer: usize, every: usize, drop_pending: bool, seed: u64) -> TraceOf<D> {
        let mut buffer = vec![0; buffer];
        let reader = AsyncReader::new(Fitful::new(self.input, seed), &mut buffer, self.decoder.clone());
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
                assert!(bytes.is_none_or(|bytes| bytes.len() as u64 == n), "read is what the decoder saw");
                trace.payload(before, n, bytes.map(|bytes| (crc32fast::hash(bytes), bytes)));
                if let Err(error) = passed {
                    return reader_failed(trace, &mut reader, error);
                }
            }
            match reader.next() {
                Ok(Some(event)) => self.tell(&mut trace, reader.decoder(), event, reader.bytes()),
                Ok(None) => {
                    assert!(matches!(reader.next(), Ok(None)), "the end stays the end");
                    return ended(trace, Ok(()), reader.decoder());
                }
                Err(error) => return reader_failed(trace, &mut reader, error),
            }
            let position = reader.decoder().position();
            last = if position == last.0 { (position, last.1 + 1) } else { (position, 0) };
            assert!(last.1 < IDLE, "a loop at {position}");
        }
        unreachable!("the loop has no end but its returns")
    }

    /// Every way on one input: [`Drive::agree_reading`] and, with the outline of that, [`Drive::agree_passing`].
    ///
    /// # Panics
    /// Where two ways differ or the contract is broken.
    #[track_caller]
    pub fn agree(&self, what: &str, cuts: &[usize], restore: impl FnMut(D) -> D) -> TraceOf<D> {
        let whole = self.agree_reading(what, cuts, restore);
        self.agree_passing(what, &whole, &[1, 2]);
        whole
    }

    /// Every way that sees all bytes, each compared with [`Drive::whole`], which is returned. Restored with
    /// `restore` at each of `cuts`. Inputs of more than 16 KiB are not cut at every byte, nor pulled through
    /// a buffer of one byte; see [`Drive::chunks`] for where the time is no matter.
    ///
    /// # Panics
    /// Where two ways differ or the contract is broken.
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

    /// Every way that passes over payload, each compared with the outline of `expected`; before each event,
    /// or each second one, as `every` says. With 2, payload that fits into the buffer is read whole, so where
    /// payload is what is wrong with the input, only `[1]` and another run that passes over can agree.
    ///
    /// # Panics
    /// Where two ways differ or the contract is broken.
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

    fn tell(&self, trace: &mut TraceOf<D>, decoder: &D, event: D::Event, bytes: &[u8]) {
        let note = (self.note)(decoder, &event);
        trace.tell((self.is_payload)(&event), event, bytes, decoder.position(), note);
    }
}

fn ended<D: Decode>(
    trace: TraceOf<D>,
    end: Result<(), Error<D::Kind>>,
    decoder: &D,
) -> Trace<D::Event, D::Kind> {
    Trace { end, position: decoder.position(), ..trace }
}

/// One push under the eyes of the contract.
fn push<D: Decode + Clone>(
    decoder: &mut D,
    piece: &[u8],
    is_payload: fn(&D::Event) -> bool,
) -> Result<Step<D::Event>, Error<D::Kind>> {
    let (before, demand) = (decoder.position(), decoder.demand());
    let nothing = decoder.clone().push(&[]).map(|step| (step.consumed, step.event.is_some()));
    match demand {
        Demand::Bytes(0) => assert!(!matches!(nothing, Ok((_, false))), "no event was waiting at {before}"),
        _ => assert!(matches!(nothing, Ok((0, false))), "told something about nothing at {before}"),
    }
    let result = decoder.push(piece);
    let after = decoder.position();
    match &result {
        Ok(step) => {
            assert!(step.consumed <= piece.len(), "consumed more than there was at {before}");
            let done = step.event.is_some() || step.consumed == piece.len();
            assert!(done, "neither an event nor all of the input consumed at {before}");
            assert_eq!(after, before + step.consumed as u64, "position is the bytes consumed");
            if let Demand::Skip(n) = demand
                && !piece.is_empty()
            {
                assert!(step.event.as_ref().is_some_and(is_payload), "no payload at {before}");
                assert!(step.consumed as u64 <= n, "more payload than there was to skip at {before}");
            }
        }
        Err(error) => {
            assert!((before..=before + piece.len() as u64).contains(&after), "position after an error");
            assert_sticky(decoder, *error);
        }
    }
    result
}

/// Passes over payload if there is any to come; what cannot be passed over is refused, and nothing happens.
fn skip<D: Decode>(decoder: &mut D, room: usize, random: &mut Random) -> Option<usize> {
    let (before, demand) = (decoder.position(), decoder.demand());
    let available = if let Demand::Skip(n) = demand { n } else { 0 };
    let refused = decoder.skip(available + 1).expect_err("more than all was skipped");
    assert_eq!(refused.kind.class(), Class::Misuse);
    assert_eq!((decoder.position(), decoder.demand()), (before, demand), "a refused skip changes nothing");
    if available == 0 {
        return None;
    }
    let most = usize::try_from(available).map_or(room, |n| n.min(room));
    let n = 1 + random.below(most);
    decoder.skip(n as u64).expect("within what can be skipped");
    assert_eq!(decoder.position(), before + n as u64);
    Some(n)
}

fn assert_sticky<D: Decode>(decoder: &mut D, error: Error<D::Kind>) {
    assert_ne!(error.kind.class(), Class::Misuse, "the harness does not misuse: {error}");
    let position = decoder.position();
    for piece in [&b""[..], b"more"] {
        assert_eq!(decoder.push(piece).err(), Some(error), "errors are sticky");
        assert_eq!(decoder.finish().err(), Some(error), "errors are sticky");
        assert_eq!(decoder.skip(piece.len() as u64).err(), Some(error), "errors are sticky");
    }
    assert_eq!(decoder.position(), position, "nothing moves after an error");
}

/// The end is the end; more input is refused without harm.
fn assert_ended<D: Decode>(decoder: &mut D) {
    let position = decoder.position();
    for _ in 0..2 {
        assert_eq!(decoder.demand(), Demand::End);
        let refused = decoder.push(b"more").err().expect("input after the end is refused");
        assert_eq!(refused.kind.class(), Class::Misuse, "{refused}");
        assert!(matches!(decoder.finish(), Ok(None)), "the end stays the end");
        assert_eq!(decoder.position(), position);
    }
}

fn reader_failed<D: Decode>(
    trace: TraceOf<D>,
    reader: &mut impl Pull<D>,
    error: Error<D::Kind>,
) -> TraceOf<D> {
    for _ in 0..2 {
        assert_eq!(reader.next().err(), Some(error), "errors are sticky");
    }
    ended(trace, Err(error), reader.decoder())
}

/// What the readers have in common.
trait Pull<D: Decode> {
    fn next(&mut self) -> Told<D>;
    /// Gets the payload that comes next out of the way; returns it if it was read.
    fn pass(&mut self) -> Result<Option<Vec<u8>>, Error<D::Kind>>;
    fn bytes(&self) -> &[u8];
    fn decoder(&self) -> &D;
}

/// The sources here never fail but by interruptions, which the readers must not show.
fn no_io<T, E: Debug, K: Kind>(result: Result<T, ReadError<E, K>>) -> Result<T, Error<K>> {
    result.map_err(|error| match error {
        ReadError::Format(error) => error,
        other => panic!("the reader failed: {other:?}"),
    })
}

struct Pulling<'b, R, D, F> {
    reader: Reader<'b, R, D>,
    pass: F,
}

impl<'b, R, D, F> Pull<D> for Pulling<'b, R, D, F>
where
    R: embedded_io::Read,
    D: Decode,
    F: FnMut(&mut Reader<'b, R, D>) -> Result<(), ReadError<R::Error, D::Kind>>,
{
    fn next(&mut self) -> Told<D> {
        no_io(self.reader.next())
    }

    fn pass(&mut self) -> Result<Option<Vec<u8>>, Error<D::Kind>> {
        no_io((self.pass)(&mut self.reader)).map(|()| None)
    }

    fn bytes(&self) -> &[u8] {
        self.reader.bytes()
    }

    fn decoder(&self) -> &D {
        self.reader.decoder()
    }
}

struct Copying<'b, R, D> {
    reader: Reader<'b, R, D>,
    out: Vec<u8>,
}

impl<R: embedded_io::Read, D: Decode> Pull<D> for Copying<'_, R, D> {
    fn next(&mut self) -> Told<D> {
        no_io(self.reader.next())
    }

    /// One piece only, so that the truncation behind it is met by the next event as well as by a read.
    fn pass(&mut self) -> Result<Option<Vec<u8>>, Error<D::Kind>> {
        let n = no_io(self.reader.read(&mut self.out))?;
        Ok(Some(self.out[..n].to_vec()))
    }

    fn bytes(&self) -> &[u8] {
        self.reader.bytes()
    }

    fn decoder(&self) -> &D {
        self.reader.decoder()
    }
}

struct Awaiting<'b, R, D> {
    reader: AsyncReader<'b, R, D>,
    drop_pending: bool,
}

impl<R: embedded_io_async::Read, D: Decode> Pull<D> for Awaiting<'_, R, D> {
    fn next(&mut self) -> Told<D> {
        if !self.drop_pending {
            return no_io(block_on(self.reader.next()));
        }
        loop {
            if let Poll::Ready(told) = poll_once(self.reader.next()) {
                return no_io(told);
            }
        }
    }

    fn pass(&mut self) -> Result<Option<Vec<u8>>, Error<D::Kind>> {
        if !self.drop_pending {
            return no_io(block_on(self.reader.skip())).map(|()| None);
        }
        loop {
            if let Poll::Ready(passed) = poll_once(self.reader.skip()) {
                return no_io(passed).map(|()| None);
            }
        }
    }

    fn bytes(&self) -> &[u8] {
        self.reader.bytes()
    }

    fn decoder(&self) -> &D {
        self.reader.decoder()
    }
}

fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls until ready: the sources here are ready when asked again.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

/// Numbers that look random and are the same each time.
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// One of `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        usize::try_from(mix64(self.0) % n as u64).expect("below n")
    }
}

/// A source that gives few bytes at a time, is interrupted, and lets wait where it can.
#[derive(Debug, Clone)]
pub struct Fitful<'a> {
    input: &'a [u8],
    at: u64,
    random: Random,
    waited: bool,
}

/// The only thing that goes wrong with a [`Fitful`] source, and harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl core::error::Error for Interrupted {}

impl embedded_io::Error for Interrupted {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Interrupted
    }
}

impl<'a> Fitful<'a> {
    pub fn new(input: &'a [u8], seed: u64) -> Self {
        Self { input, at: 0, random: Random(seed), waited: false }
    }
}

impl embedded_io::ErrorType for Fitful<'_> {
    type Error = Interrupted;
}

impl embedded_io::Read for Fitful<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Interrupted> {
        if self.random.below(4) == 0 {
            return Err(Interrupted);
        }
        let start = usize::try_from(self.at).map_or(self.input.len(), |at| at.min(self.input.len()));
        let rest = &self.input[start..];
        // Few bytes mostly, so that every state is left in the middle; sometimes all that is asked for.
        let most = if self.random.below(8) == 0 { out.len() } else { 1 + self.random.below(200) };
        let n = rest.len().min(out.len()).min(most);
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl embedded_io_async::Read for Fitful<'_> {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, Interrupted> {
        std::future::poll_fn(|_| {
            self.waited = !self.waited && self.random.below(3) == 0;
            if self.waited { Poll::Pending } else { Poll::Ready(embedded_io::Read::read(self, out)) }
        })
        .await
    }
}

impl embedded_io::Seek for Fitful<'_> {
    /// As a file does it: also beyond the end.
    fn seek(&mut self, to: embedded_io::SeekFrom) -> Result<u64, Interrupted> {
        self.at = match to {
            embedded_io::SeekFrom::Start(to) => to,
            embedded_io::SeekFrom::End(by) => {
                (self.input.len() as u64).checked_add_signed(by).expect("inside")
            }
            embedded_io::SeekFrom::Current(by) => self.at.checked_add_signed(by).expect("inside"),
        };
        Ok(self.at)
    }
}
