// The files of example.rs for asynchronous examples, and what runs these. Compiled into doctests only.

include!("example.rs");

impl embedded_io_async::Read for Disk {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, ErrorKind> {
        Read::read(self, out)
    }
}

impl embedded_io_async::Write for Disk {
    async fn write(&mut self, from: &[u8]) -> Result<usize, ErrorKind> {
        Write::write(self, from)
    }

    async fn flush(&mut self) -> Result<(), ErrorKind> {
        Write::flush(self)
    }
}

impl embedded_io_async::Seek for Disk {
    async fn seek(&mut self, to: SeekFrom) -> Result<u64, ErrorKind> {
        Seek::seek(self, to)
    }
}

// A disk with these bytes, at its beginning.
pub fn disk(bytes: &[u8]) -> Disk {
    let disk = Disk::default();
    disk.bytes.borrow_mut().extend_from_slice(bytes);
    disk
}

// Runs a future whose sources and sinks are always ready: it only pauses so that other tasks can run.
pub fn run<F: core::future::Future>(future: F) -> F::Output {
    let mut context = core::task::Context::from_waker(core::task::Waker::noop());
    let mut future = core::pin::pin!(future);
    loop {
        if let core::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
