//! Futures of writers that are dropped at each of their awaits: every later call is refused.

use std::convert::Infallible;
use std::fmt::Debug;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use host_tests::drive::block_on;
use linkstream::CallbackError;
use linkstream::field::{Encoder, FieldDocuments, Form, OutgoingMessage, SiteError};
use linkstream::ildg::GaugeKind;
use linkstream::inebin::{self, MatrixType};
use linkstream::io::{
    FieldWriter, MatrixWriter, RecordWriter, SectionWriter, VolumeWriter, WriteError, Writer,
};
use linkstream::lattice::{Checksum, Extents, Precision};
use linkstream::lime::{self, Header};
use linkstream::scda::{Style, stored_length};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{self, VolumeKind};

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
    let header = Header::new(b"pieces", 4, false, true).expect("short");
    each_drop(
        "RecordWriter",
        || RecordWriter::create(Waiting::default()),
        async |file| {
            file.message_async([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")]).await?;
            file.record_async(b"whole", true, false, b"payload").await?;
            file.begin_async(&header).await?;
            file.write_async(b"pi").await?;
            file.write_async(b"ec").await?;
            file.end_async().await
        },
        async |file| file.complete_async().await,
        |file| file.into_parts().0.bytes,
    );
    each_drop(
        "Writer",
        || Writer::new(Waiting::default(), lime::Encoder::new()),
        async |file| {
            let header = Header::new(b"greeting", 5, true, true)?;
            file.emit_async(|encoder| encoder.begin(&header).map(|header| &header[..])).await?;
            file.write_async(b"hello").await?;
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
            file.message_async(&OutgoingMessage::file(&file_document, b"title")).await?;
            file.field_async(&message, |site| site.put(&[1.0_f64])).await.map_err(failed)?;
            file.begin_async(&message).await?;
            file.data_async(&[0; 8]).await?;
            file.sites_async(2, |site| site.put(&[2.0_f64])).await.map_err(failed)?;
            file.numbers_async(&[3.0_f32]).await.map_err(failed)?;
            file.end_async(&message).await
        },
        async |file| file.complete_async().await,
        |file| file.into_parts().0.bytes,
    );
    let links = vec![[0.5_f32; 72]; 4];
    let (su3, f32) = (GaugeKind::SU3, Precision::F32);
    each_drop(
        "FieldWriter, whole fields",
        || {
            let buffer = Box::leak(Box::new([0; 1500]));
            FieldWriter::create(Waiting::default(), buffer, lattice).expect("there is room")
        },
        async |file| {
            file.clear_settings();
            let _ = file.set_title("title");
            file.next_update("1");
            file.gauge_field_async(su3, f32, Form::Both, |site| site.put(&links[site.index()]))
                .await
                .map_err(failed)?;
            file.next_update("2");
            file.gauge_field_from_async(su3, f32, Form::Both, links.as_flattened()).await.map_err(failed)?;
            file.propagator_from_async(f32, &[0.5_f32; 4 * 288]).await.map_err(failed)?;
            file.complex_field_from_async(f32, &[0.5_f32; 8]).await.map_err(failed)?;
            file.scidac_field_async(record.clone(), |site| site.put(&[1.0_f64])).await.map_err(failed)?;
            file.scidac_field_from_async(record.clone(), &[1.0_f32; 4]).await.map_err(failed)?;
            file.global_from_async(f32, &[5.7_f32]).await.map_err(failed)
        },
        async |file| {
            file.clear_settings();
            file.complete_async().await
        },
        |file| file.into_parts().0.bytes,
    );
}

#[test]
fn volumes() {
    let lattice = Extents::new(&[2, 2]).expect("a lattice");
    let file_document = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
    let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
    each_drop(
        "VolumeWriter",
        || {
            let buffer = Box::leak(Box::new([0; 512]));
            VolumeWriter::new(Waiting::default(), buffer, volume::Encoder::new(VolumeKind::First, 4, 3))
        },
        async |set| {
            set.file_async(&OutgoingMessage::file(&file_document, b"title"), 0..4).await?;
            set.field_async(&field.message(b""), 0..4, |site| site.put(&[1.0_f32])).await.map_err(failed)?;
            set.checksum_async(&field.message(b""), Checksum::default()).await
        },
        async |set| set.complete_async().await,
        |set| set.into_parts().0.bytes,
    );
}

#[test]
fn sections() {
    let text = stored_length(5).expect("short");
    each_drop(
        "SectionWriter",
        || SectionWriter::create(Waiting::default(), Style::Unix),
        async |file| {
            file.header_async(b"my program", b"an example").await?;
            file.inline_async(b"note", b"thirty-two bytes of data, exact\n").await?;
            file.write_block_async(b"text", b"hello").await?;
            file.write_array_async(b"ids", 3, b"abcdef").await?;
            file.write_array_with_async(b"zeros", 5, &mut [0; 2], |_, element| element.fill(0)).await?;
            file.write_varray_async(b"words", [&b"one"[..], b"", b"three"]).await?;
            file.block_async(b"pieces", 6.into()).await?;
            file.write_async(b"pie").await?;
            file.write_async(b"ces").await?;
            file.end_async().await?;
            file.array_async(b"one element", 1.into(), 4.into()).await?;
            file.write_async(b"data").await?;
            file.end_async().await?;
            file.varray_async(b"one word", 1, [4]).await?;
            file.write_async(b"word").await?;
            file.end_async().await?;
            file.compressed_block_async(b"block", 5.into(), text).await?;
            file.stored_async(b"hello").await?;
            file.end_async().await?;
            file.compressed_array_async(b"array", 1, 5.into(), [text]).await?;
            file.stored_async(b"hello").await?;
            file.end_async().await?;
            file.compressed_varray_async(b"varray", 1, [5], [text]).await?;
            file.stored_async(b"hello").await?;
            file.end_async().await
        },
        async |file| file.complete_async().await,
        |file| file.into_parts().0.bytes,
    );
}

/// `finish_async` consumes a matrix writer, so that no call can follow it. The calls before it are like all others.
#[test]
fn matrices() {
    let header = inebin::Header::new(MatrixType::Real, 3, 2).expect("small");
    let new = || {
        let buffer = Box::leak(Box::new([0; 16]));
        MatrixWriter::create(Waiting::default(), &mut buffer[..], &header)
    };
    let calls = async |matrix: &mut MatrixWriter<Waiting, &mut [u8]>| {
        matrix.rows_async(&[0.5, 1.5]).await?;
        matrix.write_async([2.5, 3.5]).await?;
        matrix.write_raw_async(&[0; 16]).await
    };
    let mut drops = 0;
    for polls in 0.. {
        let mut matrix = new();
        if ends_within(polls, async { calls(&mut matrix).await.expect("there is room") }) {
            break;
        }
        drops += 1;
        let again = block_on(calls(&mut matrix));
        if polls == 0 {
            again.expect("a future that was not polled has done nothing");
            assert_eq!(block_on(matrix.finish_async()).expect("complete").bytes.len(), 16 + 48);
            continue;
        }
        assert!(matches!(again, Err(WriteError::Broken)), "{polls} polls: {again:?}");
        assert!(matches!(block_on(matrix.finish_async()), Err(WriteError::Broken)), "{polls} polls");
    }
    assert!(drops > 4, "{drops} awaits");
}
