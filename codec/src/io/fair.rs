//! Letting other tasks run: a source that is always ready would otherwise be read to its end in one poll, and a field
//! written in one poll to a sink that is.
//!
//! After a read that has not made its task wait, an asynchronous reader returns to the executor once before it reads
//! again. So the work of a poll is bounded by the length of the buffer, and sources that wait by themselves cost nothing.
//! It returns before a read, not after: a future that is dropped there has no bytes. A writer does the same after
//! [`MOST_WRITTEN`] bytes.

use embedded_io::{Read, Write};

/// A read of a synchronous reader.
pub(super) trait ReadNoting: Read {
    /// Reads. There are no other tasks to pause for.
    #[inline]
    fn read_noting(&mut self, out: &mut [u8], is_pause_due: &mut bool) -> Result<usize, Self::Error> {
        *is_pause_due = false;
        self.read(out)
    }
}

impl<R: Read> ReadNoting for R {}

/// A writer lets other tasks run when it has written so many bytes.
#[cfg(feature = "async")]
pub(super) const MOST_WRITTEN: u16 = 512;

/// A write of a synchronous writer.
pub(super) trait WriteNoting: Write {
    /// Writes.
    #[inline]
    fn write_noting(&mut self, bytes: &[u8], _written: &mut u16) -> Result<usize, Self::Error> {
        self.write(bytes)
    }
}

impl<W: Write> WriteNoting for W {}

#[cfg(feature = "async")]
pub(super) mod asynchronous {
    use core::future::poll_fn;
    use core::pin::pin;
    use core::task::Poll;

    use embedded_io_async::{Read, Write};

    /// A read of an asynchronous reader.
    pub(in crate::io) trait ReadNoting: Read {
        /// Reads. A pause is due unless the task has waited.
        async fn read_noting(
            &mut self,
            out: &mut [u8],
            is_pause_due: &mut bool,
        ) -> Result<usize, Self::Error> {
            let mut read = pin!(self.read(out));
            *is_pause_due = true;
            poll_fn(|context| {
                let polled = read.as_mut().poll(context);
                *is_pause_due &= polled.is_ready();
                polled
            })
            .await
        }
    }

    impl<R: Read> ReadNoting for R {}

    /// A write of an asynchronous writer.
    pub(in crate::io) trait WriteNoting: Write {
        /// Writes, and counts the bytes since the task has waited.
        async fn write_noting(&mut self, bytes: &[u8], written: &mut u16) -> Result<usize, Self::Error> {
            let mut write = pin!(self.write(bytes));
            let mut has_waited = false;
            let done = poll_fn(|context| {
                let polled = write.as_mut().poll(context);
                has_waited |= polled.is_pending();
                polled
            })
            .await?;
            *written =
                if has_waited { 0 } else { written.saturating_add(u16::try_from(done).unwrap_or(u16::MAX)) };
            Ok(done)
        }
    }

    impl<W: Write> WriteNoting for W {}

    /// Returns to the executor once, which polls again as soon as other tasks have run.
    pub(in crate::io) async fn pause() {
        let mut is_over = false;
        poll_fn(|context| {
            if core::mem::replace(&mut is_over, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
}
