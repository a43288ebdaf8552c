//! Asynchronous readers and writers let other tasks run: at most one read, or a few writes, in each poll, even if source
//! or sink are always ready.

use std::cell::Cell;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_io_async::{ErrorType, Read, Write};
use linkstream::field::{FieldDocuments, Form};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldReader, FieldWriter, Reader, RecordReader};
use linkstream::lattice::{Extents, Precision};
use linkstream::{Mode, conformance};

const FILE: &[u8] = include_bytes!("../../../../examples/su3-4x4x4x8.lime");

/// A slice that counts its reads, and makes each of them wait once if it is slow.
struct Counted<'c> {
    rest: &'static [u8],
    reads: &'c Cell<u32>,
    is_slow: bool,
}

impl ErrorType for Counted<'_> {
    type Error = Infallible;
}

impl Read for Counted<'_> {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        let mut has_waited = !self.is_slow;
        poll_fn(|_| if std::mem::replace(&mut has_waited, true) { Poll::Ready(()) } else { Poll::Pending })
            .await;
        self.reads.set(self.reads.get() + 1);
        let (now, rest) = self.rest.split_at(self.rest.len().min(out.len()));
        out[..now.len()].copy_from_slice(now);
        self.rest = rest;
        Ok(now.len())
    }
}

/// The number of polls and of reads of a task, with at most `most` reads in a poll.
fn polled<F: Future<Output = ()>>(
    most: u32,
    task: impl FnOnce(Box<dyn Fn(bool) -> Counted<'static>>) -> F,
) -> (u32, u32) {
    let reads: &'static Cell<u32> = Box::leak(Box::default());
    let mut task = pin!(task(Box::new(move |is_slow| Counted { rest: FILE, reads, is_slow })));
    for polls in 1.. {
        let before = reads.get();
        let polled = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(reads.get() - before <= most, "{} reads in a poll", reads.get() - before);
        if polled.is_ready() {
            return (polls, reads.get());
        }
    }
    unreachable!("the task ends")
}

#[test]
fn a_source_that_is_always_ready_is_read_in_many_polls() {
    let count = (FILE.len() / 512) as u32;
    let events = polled(1, |source| async move {
        let decoder = conformance::Decoder::new(Mode::Strict);
        let mut reader = Reader::new(source(false), [0; 512], decoder);
        while reader.next_async().await.expect("valid").is_some() {}
    });
    let fields = polled(1, |source| async move {
        let mut file = FieldReader::new(source(false), [0; 1024]);
        while let Some(mut field) = file.next_field_async().await.expect("valid") {
            let mut numbers = vec![0.0_f64; field.number_count().expect("numbers")];
            assert!(field.read_into_async(&mut numbers).await.expect("valid").is_match());
        }
    });
    let records = polled(1, |source| async move {
        let mut records = RecordReader::new(source(false), [0; 512]);
        while records.next_record_async().await.expect("valid").is_some() {
            let mut payload = vec![0; records.payload_length().expect("short")];
            records.read_into_async(&mut payload).await.expect("valid");
        }
    });
    // Directly into the slice of the caller.
    let pieces = polled(1, |source| async move {
        let decoder = conformance::Decoder::new(Mode::Strict);
        let mut reader = Reader::new(source(false), [0; 512], decoder);
        while reader.next_async().await.expect("valid").is_some() {
            while reader.read_async(&mut [0; 512]).await.expect("valid") > 0 {}
        }
    });
    for (polls, reads) in [events, fields, pieces] {
        assert!(reads > count && polls >= reads, "{polls} polls for {reads} reads");
    }
    // The data are read in one piece, into the slice.
    assert!(records.0 >= records.1, "{records:?}");
}

/// A source that waits lets other tasks run by itself: there are no more polls than it asks for.
#[test]
fn a_source_that_waits_is_not_paused() {
    let (polls, reads) = polled(1, |source| async move {
        let mut file = FieldReader::new(source(true), [0; 1024]);
        while let Some(mut field) = file.next_field_async().await.expect("valid") {
            assert!(field.verdict_async().await.expect("valid").is_match());
        }
    });
    assert_eq!(polls, reads + 1);
}

/// A sink that takes at most 400 bytes at a time, and counts them.
struct Taken<'c> {
    bytes: &'c Cell<usize>,
    is_slow: bool,
}

impl ErrorType for Taken<'_> {
    type Error = Infallible;
}

impl Write for Taken<'_> {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        let mut has_waited = !self.is_slow;
        poll_fn(|_| if std::mem::replace(&mut has_waited, true) { Poll::Ready(()) } else { Poll::Pending })
            .await;
        let n = bytes.len().min(400);
        self.bytes.set(self.bytes.get() + n);
        Ok(n)
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The numbers of polls and of bytes of a gauge field that is written.
fn written(is_slow: bool) -> (usize, usize) {
    let lattice = Extents::new(&[4, 4, 4, 8]).expect("a lattice");
    let gauge =
        FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice).expect("legal");
    let bytes = Cell::new(0);
    let mut buffer = [0; 1500];
    let mut file =
        FieldWriter::create(Taken { bytes: &bytes, is_slow }, &mut buffer, lattice).expect("there is room");
    let links = vec![0.5_f32; 72 * 512];
    let task = async {
        file.write_async(&gauge.message(b"").with_update("1"), &links[..]).await.expect("written");
        file.complete_async().await.expect("written");
    };
    let (mut task, mut polls) = (pin!(task), 0);
    loop {
        let before = bytes.get();
        polls += 1;
        let polled = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(bytes.get() - before < 512 + 400, "{} bytes in a poll", bytes.get() - before);
        if polled.is_ready() {
            return (polls, bytes.get());
        }
    }
}

#[test]
fn a_sink_that_is_always_ready_is_written_in_many_polls() {
    let (polls, bytes) = written(false);
    assert!(bytes > 147_456 && polls > bytes / (512 + 400), "{polls} polls for {bytes} bytes");
}

#[test]
fn a_sink_that_waits_is_not_paused() {
    let (slow, bytes) = written(true);
    // One for each write, and the last one.
    assert!(slow < bytes / 100 && slow > bytes / 400, "{slow} polls for {bytes} bytes");
}
