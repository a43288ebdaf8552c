//! Tests of sources that a signal interrupts once in every call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use embedded_io::ErrorKind;
use host_tests::fixtures::Fixtures;
use linkstream_access::set::VolumeSource;
use linkstream_access::source::Source;
use linkstream_report::verdict::Verdict;
use linkstream_report::volumes::survey;

use crate::support::CHECK;

#[derive(Debug, PartialEq, Eq)]
struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

impl embedded_io::Error for Interrupted {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Interrupted
    }
}

struct Disturbed {
    bytes: Vec<u8>,
    is_next: AtomicBool,
}

impl Source for Disturbed {
    type Error = Interrupted;

    fn length(&self) -> Result<u64, Interrupted> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize, Interrupted> {
        if self.is_next.fetch_not(Ordering::Relaxed) {
            return Err(Interrupted);
        }
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

#[test]
fn a_set_is_read_whatever_interrupts_it() {
    let volume = |number| Disturbed {
        bytes: Fixtures::Ours.read(&format!("qio/convert/sci_part4.lime.vol{number:04}")),
        is_next: AtomicBool::new(true),
    };
    let files: Vec<_> = (0..4).map(volume).collect();
    let source = |(number, file)| VolumeSource {
        name: format!("volume {number}"),
        number: Some(number),
        source: Arc::new(file),
    };
    let sources: Vec<_> = (0..).zip(&files).map(source).collect();
    let report = survey(&sources, "set", false, &CHECK).expect("interrupted calls are repeated");
    assert_eq!(report.verdict(), Verdict::Ok, "{:?}", report.findings);
}
