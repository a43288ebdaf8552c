//! Letting other tasks run: a source that is always ready would otherwise be read to its end in one poll.
//!
//! After a read that has not made its task wait, an asynchronous reader returns to the executor once before it reads
//! again. So the work of a poll is bounded by the length of the buffer, and sources that wait by themselves cost nothing.
//! It returns before a read, not after: a future that is dropped there has no bytes.

use embedded_io::Read;

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

#[cfg(feature = "async")]
pub(super) mod asynchronous {
    use core::future::poll_fn;
    use core::pin::pin;
    use core::task::Poll;

    use embedded_io_async::Read;

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
