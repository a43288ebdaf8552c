//! A common interface to the readers of linkstream.

use super::Reported;
use linkstream::io::{ReadError, Reader};
use linkstream::{Decode, Diagnostic, Error};
use std::fmt::Debug;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The common part of the readers.
pub(super) trait Pull<D: Decode> {
    fn next(&mut self) -> Reported<D>;
    /// Passes over the next payload. Returns its bytes if they were read.
    fn pass(&mut self) -> Result<Option<Vec<u8>>, Error<D::ErrorKind>>;
    fn bytes(&self) -> &[u8];
    fn decoder(&self) -> &D;
}

/// Unwraps an error of the source. The sources here fail only by interruptions, which the readers must not report.
pub(super) fn no_io<T, E: Debug, K: Diagnostic>(result: Result<T, ReadError<E, K>>) -> Result<T, Error<K>> {
    result.map_err(|error| match error {
        ReadError::Format(error) => error,
        other => panic!("the reader failed: {other:?}"),
    })
}

pub(super) struct Pulling<'b, R, D, F> {
    pub(super) reader: Reader<R, &'b mut [u8], D>,
    pub(super) pass: F,
}

impl<'b, R, D, F> Pull<D> for Pulling<'b, R, D, F>
where
    R: embedded_io::Read,
    D: Decode,
    F: FnMut(&mut Reader<R, &'b mut [u8], D>) -> Result<(), ReadError<R::Error, D::ErrorKind>>,
{
    fn next(&mut self) -> Reported<D> {
        no_io(self.reader.next())
    }

    fn pass(&mut self) -> Result<Option<Vec<u8>>, Error<D::ErrorKind>> {
        no_io((self.pass)(&mut self.reader)).map(|()| None)
    }

    fn bytes(&self) -> &[u8] {
        self.reader.bytes()
    }

    fn decoder(&self) -> &D {
        self.reader.decoder()
    }
}

pub(super) struct Copying<'b, R, D> {
    pub(super) reader: Reader<R, &'b mut [u8], D>,
    pub(super) out: Vec<u8>,
}

impl<R: embedded_io::Read, D: Decode> Pull<D> for Copying<'_, R, D> {
    fn next(&mut self) -> Reported<D> {
        no_io(self.reader.next())
    }

    /// Reads one piece only, so that a truncation after it is also met by an event.
    fn pass(&mut self) -> Result<Option<Vec<u8>>, Error<D::ErrorKind>> {
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

pub(super) struct Awaiting<'b, R, D> {
    pub(super) reader: Reader<R, &'b mut [u8], D>,
    pub(super) drop_pending: bool,
}

impl<R: embedded_io_async::Read, D: Decode> Pull<D> for Awaiting<'_, R, D> {
    fn next(&mut self) -> Reported<D> {
        if !self.drop_pending {
            return no_io(block_on(self.reader.next_async()));
        }
        loop {
            if let Poll::Ready(reported) = poll_once(self.reader.next_async()) {
                return no_io(reported);
            }
        }
    }

    fn pass(&mut self) -> Result<Option<Vec<u8>>, Error<D::ErrorKind>> {
        if !self.drop_pending {
            return no_io(block_on(self.reader.skip_async())).map(|()| None);
        }
        loop {
            if let Poll::Ready(passed) = poll_once(self.reader.skip_async()) {
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

pub(super) fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls a future until it is ready. The sources here are ready when they are polled again.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}
