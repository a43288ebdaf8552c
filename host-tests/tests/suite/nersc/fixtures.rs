//! The archives in the manifest, compared with its facts and with the output of QIO's converter.

use host_tests::fixtures::Fixtures;
use host_tests::manifest::{self, Entry};
use host_tests::oracle;
use linkstream::lattice::{ByteOrder, Precision};
use linkstream::nersc::{DataSum, Decoder, Event, Header, Verdict, WordSums};
use linkstream::{Mode, drive, finish};

/// The content of a file as reported by a decoder.
struct Read {
    header: Header,
    data_at: usize,
    data: Vec<u8>,
    verdict: Verdict,
    lines: Vec<(String, String)>,
}

fn read(file: &[u8]) -> Read {
    let mut decoder = Decoder::new(Mode::Survey);
    let (mut header, mut data, mut verdict, mut lines) = (None, Vec::new(), None, Vec::new());
    drive(&mut decoder, file, |event, bytes, decoder| match event {
        Event::Line => {
            let (key, value) = decoder.line().expect("reported");
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("ASCII");
            lines.push((text(key), text(value)));
        }
        Event::Header(found) => header = Some(found),
        Event::Data => data.extend_from_slice(bytes),
        Event::Verdict(found) => verdict = Some(found),
        _ => {}
    })
    .expect("it can be read");
    finish(&mut decoder, |_, _, _| {}).expect("a complete file");
    let data_at = file.len() - data.len();
    Read { header: header.expect("a header"), data_at, data, verdict: verdict.expect("a verdict"), lines }
}

fn archives() -> Vec<Entry> {
    let entries = manifest::load(Fixtures::Ours, "qio").into_iter();
    let archives: Vec<Entry> = entries.filter(|entry| entry.path.ends_with(".nersc")).collect();
    assert_eq!(archives.len(), 7);
    archives
}

#[test]
fn headers_and_checksums_equal_the_manifest() {
    for entry in archives() {
        let read = read(&entry.bytes());
        let path = &entry.path;
        let extents: Vec<u64> =
            read.header.extents().as_slice().iter().map(|extent| (*extent).into()).collect();
        assert_eq!(extents, entry.dims(), "{path}");
        assert_eq!(Some(u64::from(read.header.rows().count(3))), entry.rows, "{path}");
        assert_eq!(Some(read.data_at), entry.header_bytes, "{path}");
        let precision = if entry.precision.as_deref() == Some("D") { Precision::F64 } else { Precision::F32 };
        assert_eq!(read.header.precision(), precision, "{path}");
        let order = if path.contains("little") { ByteOrder::Little } else { ByteOrder::Big };
        assert_eq!(read.header.order(), (!path.contains("generic")).then_some(order), "{path}");
        let mut sums = WordSums::default();
        sums.feed(&read.data);
        let right = Some(sums.of(order)) == entry.nersc_checksum;
        if path.contains("badsum") {
            // The manifest has the checksum in the header, which is wrong by one.
            assert_eq!((read.header.checksum, right), (entry.nersc_checksum, false), "{path}");
            let stored = read.header.checksum.expect("in the header");
            let computed = DataSum::new(sums, order);
            assert_eq!(read.verdict, Verdict::Mismatch { stored, computed }, "{path}");
        } else {
            assert!(right, "{path}");
            let (stored, computed) = (sums.of(order), DataSum::new(sums, order));
            assert_eq!(read.verdict, Verdict::Match { stored, computed }, "{path}");
        }
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let near = |a: f64, b: Option<f64>| (a - b.expect("in the manifest")).abs() < 1e-9;
        assert!(near(number(&read.header.plaquette), entry.plaquette), "{path}");
        assert!(near(number(&read.header.link_trace), entry.link_trace), "{path}");
        assert!(read.lines.contains(&("ENSEMBLE_LABEL".into(), "synthetic random SU(3)".into())), "{path}");
    }
}

/// Links expanded to three rows equal the data of QIO's converter bit for bit. It reads all files except little-endian
/// ones.
#[test]
fn links_equal_the_reference_converter() {
    let mut compared = 0;
    for entry in archives().into_iter().filter(|entry| !entry.path.contains("little")) {
        let read = read(&entry.bytes());
        let format = read.header.link_format(ByteOrder::Big);
        let mut whole = vec![0; read.data.len() / format.length() * format.whole_length()];
        for (stored, link) in read.data.chunks(format.length()).zip(whole.chunks_mut(format.whole_length())) {
            assert!(format.is_normalised(stored), "{}", entry.path);
            format.to_whole(stored, link).expect("one link");
            let mut again = vec![0; stored.len()];
            format.from_whole(link, &mut again).expect("one link");
            assert_eq!(again, stored, "{}", entry.path);
        }
        let converted = Fixtures::Ours.read(&format!("qio/{}", entry.path.replace(".nersc", ".lime")));
        let records = oracle::records(&converted);
        let data = records.iter().find(|record| record.kind == b"scidac-binary-data").expect("data");
        assert!(data.payload(&converted) == whole, "{}", entry.path);
        compared += 1;
    }
    assert_eq!(compared, 6);
}

/// The first row of a link has norm 1 only in the right byte order.
#[test]
fn the_byte_order_shows_in_the_first_link() {
    for entry in archives() {
        let read = read(&entry.bytes());
        let right = if entry.path.contains("little") { ByteOrder::Little } else { ByteOrder::Big };
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let format = read.header.link_format(order);
            for link in read.data.chunks(format.length()) {
                assert_eq!(format.is_normalised(link), order == right, "{}", entry.path);
            }
        }
    }
}
