//! Futures of writers that are dropped at each of their awaits: every later call is refused.

use std::convert::Infallible;
use std::fmt::Debug;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use host_tests::drive::block_on;
use linkstream::CallbackError;
use linkstream::field::{Encoder, FieldDocuments, Form, OutgoingMessage, SiteError};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, Fill, WriteError, Writer};
use linkstream::lattice::{Extents, Precision};
use linkstream::lime::{self, Header};
use linkstream::scidac::{PrivateFile, PrivateRecord};

/// A sink that is pending once before each write and each flush.
#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    has_waited: bool,
}

impl Waiting {
    async fn wait(&mut self) {
        std::future::poll_fn(|_| {
            self.has_waited = !self.has_waited;
            if self.has_waited { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
    }
}

impl embedded_io::ErrorType for Waiting {
    type Error = Infallible;
}

impl embedded_io_async::Write for Waiting {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.wait().await;
        let n = bytes.len().min(100);
        self.bytes.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        self.wait().await;
        Ok(())
    }
}

/// Polls a future at most `polls` times, and drops it. Returns whether it has ended.
fn ends_within(polls: usize, future: impl Future<Output = ()>) -> bool {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    (0..polls).any(|_| future.as_mut().poll(&mut context).is_ready())
}

/// Drops all calls of a file at each of their awaits. After that, ending the file is refused, and so are all its calls;
/// if nothing was polled, the file is the same as without the future.
#[track_caller]
fn each_drop<T, K: Debug>(
    what: &str,
    new: impl Fn() -> T,
    calls: impl AsyncFn(&mut T) -> Result<(), WriteError<Infallible, K>>,
    finish: impl AsyncFn(&mut T) -> Result<(), WriteError<Infallible, K>>,
    bytes: impl Fn(T) -> Vec<u8>,
) {
    let whole = |mut writer: T| {
        block_on(calls(&mut writer)).expect(what);
        block_on(finish(&mut writer)).expect(what);
        bytes(writer)
    };
    let expected = whole(new());
    let mut untouched = new();
    assert!(!ends_within(0, async { calls(&mut untouched).await.expect(what) }));
    assert!(whole(untouched) == expected, "{what}: a future that was not polled");
    let mut drops = 0;
    for polls in 1.. {
        let mut writer = new();
        if ends_within(polls, async { calls(&mut writer).await.expect(what) }) {
            break;
        }
        drops += 1;
        let ended = block_on(finish(&mut writer));
        assert!(matches!(ended, Err(WriteError::Broken)), "{what}, {polls} polls: {ended:?}");
        let again = block_on(calls(&mut writer));
        assert!(matches!(again, Err(WriteError::Broken)), "{what}, {polls} polls: {again:?}");
    }
    assert!(drops > 3, "{what}: {drops} awaits");
    // The same if the call that ends the file is dropped.
    let mut writer = new();
    block_on(calls(&mut writer)).expect(what);
    assert!(!ends_within(1, async { finish(&mut writer).await.expect(what) }));
    let ended = block_on(finish(&mut writer));
    assert!(matches!(ended, Err(WriteError::Broken)), "{what}: {ended:?}");
}

/// The error of a call whose callback does not fail.
fn failed<E>(error: CallbackError<E, SiteError>) -> E {
    match error {
        CallbackError::Failed(error) => error,
        CallbackError::Callback(error) => panic!("{error}"),
    }
}

#[test]
fn lime_records() {
    each_drop(
        "Writer",
        || Writer::with_encoder(Waiting::default(), lime::Encoder::new()),
        async |file| {
            let header = Header::new(b"greeting", 5, true, true)?;
            file.emit_async(|encoder| encoder.begin(&header).map(|header| &header[..])).await?;
            file.put_async(b"hello").await?;
            file.emit_async(|encoder| encoder.end()).await
        },
        async |file| file.complete_async().await,
        |file| file.into_parts().0.bytes,
    );
}

#[test]
fn fields() {
    let lattice = Extents::new(&[2, 2, 1, 1]).expect("a lattice");
    let file_document = PrivateFile::new(&lattice);
    let record = PrivateRecord::real_field(Precision::F64);
    let message = OutgoingMessage::scidac(&record, b"text");
    let new = || {
        let buffer = Box::leak(Box::new([0; 600]));
        FieldWriter::with_encoder(Waiting::default(), buffer, Encoder::new())
    };
    each_drop(
        "FieldWriter, messages",
        new,
        async |file| {
            file.write_message_async(&OutgoingMessage::file(&file_document, b"title")).await?;
            file.write_async(&message, Fill::sites(|site| site.put(&[1.0_f64]))).await.map_err(failed)?;
            file.begin_async(&message).await?;
            file.put_async(&[0_u8; 8][..]).await?;
            let two = Fill::sites(|site| site.put(&[2.0_f64])).at_most(2);
            file.put_async(two).await.map_err(failed)?;
            file.put_async(&[3.0_f32][..]).await.map_err(failed)?;
            file.end_async(&message).await
        },
        async |file| file.complete_async().await,
        |file| file.into_parts().0.bytes,
    );
    let links = vec![[0.5_f32; 72]; 4];
    let gauge = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice);
    let gauge = gauge.expect("legal");
    let global = PrivateRecord::global(Precision::F32, 1);
    each_drop(
        "FieldWriter, whole fields",
        || {
            let buffer = Box::leak(Box::new([0; 1500]));
            FieldWriter::create(Waiting::default(), buffer, lattice).expect("there is room")
        },
        async |file| {
            let sites = Fill::sites(|site| site.put(&links[site.index()]));
            file.write_async(&gauge.message(b"").with_update("1"), sites).await.map_err(failed)?;
            let message = gauge.message(b"text").with_update("2");
            file.write_async(&message, links.as_flattened()).await.map_err(failed)?;
            let real = OutgoingMessage::scidac(&record, b"");
            file.write_async(&real, &[1.0_f32; 4][..]).await.map_err(failed)?;
            file.write_async(&real, &[0_u8; 32][..]).await?;
            file.write_async(&OutgoingMessage::scidac(&global, b""), &[5.7_f32][..]).await.map_err(failed)
        },
        async |file| file.complete_async().await,
        |file| file.into_parts().0.bytes,
    );
}
