//! Asynchronous reading: of two tasks on an executor without an operating system, one verifies a file as its bytes
//! arrive, and the other counts how often it runs while the first one waits.
#![no_std]
#![no_main]

use core::cell::Cell;
use core::future::poll_fn;
use core::mem::MaybeUninit;
use core::task::Poll;

use critical_section::Mutex;
use embassy_executor::{Executor, Spawner};
use embedded_io::Read as _;
use embedded_io_async::{ErrorType, Read};
use firmware::{Buffers, Failure, File, HostError};
use linkstream::Mode;
use linkstream::field::{Decoder, Event};
use linkstream::io::Reader;

firmware::program!(waiting);

static EXECUTOR: Buffers<Option<Executor>> = Buffers::new(None);
static BUFFER: Buffers<[u8; 512]> = Buffers::new([0; 512]);
/// Not in the future, through which it would be moved.
static DECODER: Buffers<MaybeUninit<Decoder>> = Buffers::new(MaybeUninit::uninit());
static TURNS: Mutex<Cell<u32>> = Mutex::new(Cell::new(0));

fn waiting(file: File) -> Result<(), Failure> {
    let executor = EXECUTOR.take().ok_or(Failure::Other("there is an executor already"))?;
    // `run` never returns; the task `check` ends the program.
    executor.insert(Executor::new()).run(|spawner| spawn(spawner, file))
}

fn spawn(spawner: Spawner, file: File) {
    match (check(file), count()) {
        (Ok(check), Ok(count)) => {
            spawner.spawn(check);
            spawner.spawn(count);
        }
        _ => firmware::finish(Err(Failure::Other("a task runs already"))),
    }
}

/// A source that makes the reader wait, as a network does: each read lets the other tasks run first.
struct Slow(File);

impl ErrorType for Slow {
    type Error = HostError;
}

impl Read for Slow {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, HostError> {
        yield_now().await;
        self.0.read(out)
    }
}

#[embassy_executor::task]
async fn check(file: File) {
    let outcome = read(Slow(file)).await;
    let turns = critical_section::with(|cs| TURNS.borrow(cs).get());
    defmt::info!("the other task had {=u32} turns", turns);
    firmware::finish(outcome)
}

async fn read(source: Slow) -> Result<(), Failure> {
    let buffer = BUFFER.take().ok_or(Failure::Other("the buffer is lent already"))?;
    let decoder = DECODER.take().ok_or(Failure::Other("the decoder is lent already"))?;
    let mut reader = Reader::new(source, &mut buffer[..], decoder.write(Decoder::new(Mode::Strict)));
    let mut bytes = 0;
    while let Some(event) = reader.next_async().await? {
        match event {
            Event::Data => bytes += reader.bytes().len(),
            Event::FieldEnd(checksum) => defmt::info!("{=usize} bytes of data, computed {}", bytes, checksum),
            Event::Verdict(verdict) => defmt::info!("verdict {}", verdict),
            _ => {}
        }
    }
    Ok(())
}

#[embassy_executor::task]
async fn count() {
    loop {
        critical_section::with(|cs| TURNS.borrow(cs).set(TURNS.borrow(cs).get() + 1));
        yield_now().await;
    }
}

/// Lets every other task run once.
async fn yield_now() {
    let mut yielded = false;
    poll_fn(|context| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
