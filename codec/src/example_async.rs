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

// Runs a future whose sources and sinks are always ready, so that it needs no executor.
pub fn run<F: core::future::Future>(future: F) -> F::Output {
    let mut context = core::task::Context::from_waker(core::task::Waker::noop());
    match core::pin::pin!(future).poll(&mut context) {
        core::task::Poll::Ready(output) => output,
        core::task::Poll::Pending => panic!("a slice or a disk in memory never waits"),
    }
}
