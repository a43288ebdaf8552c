//! Requests that cannot be fulfilled are an error, at once and with a reason, and never a panic.

use std::io;
use std::sync::Arc;

use host_tests::archives::{nersc, noise, word_sum};
use linkstream::lattice::ByteOrder;
use linkstream::lime::{Header, padding};
use linkstream_access::source::Source;
use linkstream_access::{Error, File, Selection, SelectionError, Verify};

use crate::support::sets;

#[test]
fn data_of_a_set_are_no_payload() {
    let mut count = 0;
    for (name, sources) in sets() {
        let Ok(set) = File::open_set(&sources) else { continue };
        for field in set.fields().iter().filter(|field| field.array().lattice_axes > 0) {
            let at = field.layout().record.offset;
            let index = set.records().iter().position(|entry| entry.record.offset == at).expect("its record");
            let refused = set.payload(index).map(|payload| payload.len());
            let is_right = matches!(refused, Err(Error::DataOfSet { index: of }) if of == index);
            assert!(is_right, "{}: {refused:?}", name.display());
            let record_type = String::from_utf8_lossy(&set.records()[index].record_type).into_owned();
            assert!(set.texts(&record_type).is_err());
            count += 1;
        }
        for (index, entry) in set.records().iter().enumerate() {
            if !entry.record_type.ends_with(b"binary-data") {
                assert_eq!(set.payload(index).expect("a document").len() as u64, entry.record.length);
            }
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn selections_outside_of_any_field_are_refused() {
    let (_, sources) =
        sets().into_iter().find(|(_, sources)| File::open_set(sources).is_ok()).expect("a set");
    let set = File::open_set(&sources).expect("an intact set");
    let array = set.field(0).expect("a field").array().clone();
    assert!(matches!(Selection::slice(u64::MAX).array(&array), Err(SelectionError::Range { .. })));
    let mut other = array.clone();
    other.lattice_axes = 100;
    assert_eq!(other.sites().len(), other.axes.len());
    for axis in &mut other.axes {
        axis.extent = u64::MAX / 2;
    }
    assert_eq!(other.number_count(), u64::MAX);
}

/// A file that begins with these bytes. All other words are their own number.
struct Sparse(Vec<u8>, u64);

impl Source for Sparse {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        Ok(self.1)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        for (at, byte) in (offset..).zip(&mut *out) {
            *byte = ((at / 4) as u32).to_be_bytes()[(at % 4) as usize];
        }
        let length = out.len().min(usize::try_from(self.1.saturating_sub(offset)).unwrap_or(usize::MAX));
        self.0.read_at(offset, out)?;
        Ok(length)
    }
}

/// A field of one number per site on a lattice of 1024 sites in each direction.
fn large() -> Sparse {
    let file = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacFile><version>1.1</version><spacetime>4</spacetime>\
                <dims>1024 1024 1024 1024 </dims><volfmt>0</volfmt></scidacFile>";
    let record = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacRecord><version>1.1</version><date>-</date>\
                  <recordtype>0</recordtype><datatype>QDP_Int</datatype><precision>I</precision><typesize>4</typesize><datacount>1</datacount>\
                  </scidacRecord>";
    let mut bytes = Vec::new();
    let data = 4 << 40;
    for (name, text, length, begin, end) in [
        ("scidac-private-file-xml", file, file.len() as u64, true, false),
        ("scidac-file-xml", "-", 1, false, true),
        ("scidac-private-record-xml", record, record.len() as u64, true, false),
        ("scidac-record-xml", "-", 1, false, false),
        ("scidac-binary-data", "", data, false, true),
    ] {
        let header = Header::new(name.as_bytes(), length, begin, end).expect("a short name");
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(text.as_bytes());
        if length != data {
            bytes.resize(bytes.len() + usize::from(padding(length)), 0);
        }
    }
    let length = bytes.len() as u64 + data;
    Sparse(bytes, length)
}

#[test]
fn no_memory_is_used_for_what_does_not_fit() {
    let file = File::open(Arc::new(large())).expect("a good file");
    let field = file.field(0).expect("a field");
    assert_eq!(field.array().sites(), [1024; 4]);
    // 2^30 runs of one site.
    let block = Selection::Block(vec![0..1024, 0..1024, 0..1024, 0..1]);
    let refused = field.read_bytes(&block, &mut [0], ByteOrder::Big, Verify::Yes);
    assert!(matches!(refused, Err(Error::Length { expected: 0x1_0000_0000, given: 1 })), "{refused:?}");
    let mut count = 0;
    let stopped = field.stream(&block, ByteOrder::Big, Verify::No, &mut |bytes| {
        count += bytes.len();
        Err(io::ErrorKind::StorageFull.into())
    });
    assert!(matches!(stopped, Err(Error::Sink(_))) && count > 0);
    // 2^17 runs are read in more than one part.
    let block = Selection::Block(vec![3..4, 0..128, 0..1024, 7..8]);
    let mut out = vec![0; 4 << 17];
    let verdict = field.read_bytes(&block, &mut out, ByteOrder::Big, Verify::Yes).expect("it fits");
    assert!(!verdict.is_verified());
    let first = field.contiguous().expect("in one place").0 / 4 + (3 << 30) + 7;
    for (run, word) in (0..).zip(out.as_chunks().0) {
        assert_eq!(u32::from_be_bytes(*word), (first + (run << 10)) as u32);
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    use std::process::Command;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    let folder = tempfile::tempdir().expect("a temporary folder");
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("it runs").success());
    for path in [pipe, folder.path().to_owned(), "/dev/null".into(), "/dev/zero".into()] {
        let (sender, receiver) = channel();
        let shown = path.display().to_string();
        // Opening must not wait for a program that writes into the pipe.
        std::thread::spawn(move || sender.send(File::open_path(path).map(|_| ())));
        let refused = receiver.recv_timeout(Duration::from_secs(10)).expect("no wait");
        let named = refused.as_ref().err().map(ToString::to_string).unwrap_or_default();
        assert!(matches!(refused, Err(Error::NotAFile { .. })) && named.starts_with(&shown), "{named}");
    }
}

#[test]
fn errors_of_the_system_name_the_volume() {
    let (name, _) = sets().into_iter().find(|(name, _)| File::open_path(name).is_ok()).expect("a set");
    let volume = |end: &str| std::path::PathBuf::from(format!("{}.{end}", name.display()));
    let volumes = [(Some(0), volume("vol0000")), (Some(9), volume("vol9999"))];
    let Err(Error::Io(error)) = File::open_volumes(&volumes) else { panic!("there is no such volume") };
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(error.to_string().starts_with(&format!("{}: ", volumes[1].1.display())), "{error}");
}

#[test]
fn files_of_other_formats_are_named() {
    let of = |bytes: &[u8]| {
        let error = File::open(Arc::new(bytes.to_vec())).expect_err("no known format");
        assert_eq!(error.offset(), Some(0));
        let rule = error.rule().map(|(_, rule)| rule);
        // A format that has a name is recognised.
        let is_named = rule == Some("format-not-read");
        assert_eq!(error.to_string().starts_with("unrecognised format: "), !is_named, "{error}");
        (rule, error.to_string())
    };
    for (bytes, rule, words) in [
        (&b""[..], "file-empty", "the file is empty"),
        (b"\x1f\x8b\x08\0and so on", "format-not-read", "this is gzip: `zcat FILE | linkstream check -`"),
        (
            b"\x93NUMPY\x01\0v\0{'descr': '<f8'",
            "format-not-read",
            "`linkstream ildg make` makes a gauge field",
        ),
        (b"1,2\n3,4\n", "format-unknown", "not a file that linkstream reads: it is text: Aion"),
    ] {
        let (found, message) = of(bytes);
        assert_eq!(found, Some(rule));
        assert!(message.contains(words), "{message}");
    }
    let begun = File::open(Arc::new(b"BEGIN_HEA".to_vec())).expect_err("a truncated archive");
    assert!(matches!(begun, Error::Broken(_)), "{begun:?}");
}

#[test]
fn sums_of_archives_are_one_number_and_the_wrong_byte_order_is_named() {
    let data = noise(4 * 16 * 72);
    let archive = |sum: u32, order: &str| {
        let (sum, order) = (format!("CHECKSUM = {sum:x}"), format!("FLOATING_POINT = IEEE32{order}"));
        let lines = [
            "DATATYPE = 4D_SU3_GAUGE_3x3",
            "DIMENSION_1 = 2",
            "DIMENSION_2 = 2",
            "DIMENSION_3 = 2",
            "DIMENSION_4 = 2",
            &sum,
            &order,
        ];
        let file = File::open(Arc::new(nersc(&lines, &data))).expect("an archive");
        let error = file.field(0).expect("links").verify().expect_err("another sum");
        (error.rule().map(|(_, rule)| rule), error.to_string())
    };
    let (big, little) = (word_sum(&data, true), word_sum(&data, false));
    let shown = format!("stored 7, computed {big:x} for big-endian and {little:x} for little-endian numbers");
    assert_eq!(archive(7, ""), (Some("nersc-checksum"), format!("checksum mismatch: {shown}")));
    let (rule, message) = archive(little, "BIG");
    assert_eq!(rule, Some("nersc-byte-order"));
    let begin = format!(
        "checksum mismatch: stored {little:x}, which is right in the other byte order: FLOATING_POINT"
    );
    assert!(message.starts_with(&begin), "{message}");
}

/// A LIME file of one record, whose payload is not in memory, and which can become shorter.
struct OneRecord {
    header: Header,
    payload: u64,
    missing: std::sync::atomic::AtomicU64,
}

impl Source for OneRecord {
    type Error = io::Error;

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let left = self.length()?.saturating_sub(offset).min(out.len() as u64) as usize;
        for (at, byte) in (offset..).zip(&mut out[..left]) {
            *byte = self.header.as_bytes().get(at as usize).copied().unwrap_or(0);
        }
        Ok(left)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(144 + self.payload - self.missing.load(std::sync::atomic::Ordering::Relaxed))
    }
}

/// The length of the source is the only limit of a record.
#[test]
fn a_long_record_is_read_unless_the_source_has_become_shorter() {
    let payload = (64 << 20) + 8;
    let header = Header::new(b"numbers", payload, true, true).expect("legal");
    let source = Arc::new(OneRecord { header, payload, missing: 0.into() });
    let file = File::open(source.clone()).expect("an intact file");
    assert_eq!(file.payload(0).expect("its bytes exist").len() as u64, payload);
    source.missing.store(1, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(file.payload(0), Err(Error::Changed)));
}
