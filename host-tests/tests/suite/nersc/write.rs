//! Archives that are written: they are read back, and equal the archives of the manifest byte for byte.

use host_tests::archives::noise;
use linkstream::Resumable as _;
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::nersc::{EncodeErrorKind, Encoder, Event, Header, StoredRows};
use linkstream::{Encode, Mode, drive, finish};

const MORE: [(&str, &str); 2] = [("ENSEMBLE_LABEL", "a test"), ("SEQUENCE_NUMBER", "7")];

fn header(precision: Precision, rows: StoredRows, order: ByteOrder) -> Header {
    let mut header = Header::new(Extents::new(&[2, 1, 1, 3]).expect("small"), precision, rows, order)
        .expect("a lattice of four dimensions");
    header.plaquette = "0.5".try_into().expect("short");
    header
}

/// A file written from front to back, and then its header again.
fn write(header: &Header) -> (Vec<u8>, Header) {
    let mut file = vec![0; 1024];
    let length = header.write(&[], &MORE, &mut file).expect("it fits");
    file.truncate(length);
    let mut encoder = Encoder::new(header, length).expect("it fits");
    for piece in noise(header.data_length() as usize).chunks(37) {
        encoder.put(piece).expect("there is room");
        file.extend_from_slice(piece);
        encoder = Encoder::load(&encoder.save()).expect("just saved");
    }
    let whole = encoder.final_header().expect("all data are there");
    assert_eq!(whole.write(&[], &MORE, &mut file), Ok(length), "the header must keep its length");
    assert_eq!((encoder.finish(), encoder.position()), (Ok(()), file.len() as u64));
    (file, whole)
}

#[test]
fn written_files_read_back() {
    for precision in [Precision::F32, Precision::F64] {
        for rows in [StoredRows::Reduced, StoredRows::Full] {
            for order in [ByteOrder::Big, ByteOrder::Little] {
                let (file, header) = write(&header(precision, rows, order));
                let mut decoder = linkstream::nersc::Decoder::new(Mode::Strict);
                let (mut data, mut lines) = (Vec::new(), Vec::new());
                drive(&mut decoder, &file, |event, bytes, decoder| match event {
                    Event::Data => data.extend_from_slice(bytes),
                    Event::Line => {
                        let (key, value) = decoder.line().expect("reported");
                        lines.push((key.to_vec(), value.to_vec()));
                    }
                    _ => {}
                })
                .expect("strict");
                finish(&mut decoder, |_, _, _| {}).expect("complete");
                assert_eq!(decoder.header(), Some(&header));
                assert_eq!(data, noise(data.len()));
                let more = MORE.map(|(key, value)| (key.as_bytes().to_vec(), value.as_bytes().to_vec()));
                assert!(more.iter().all(|line| lines.contains(line)));
            }
        }
    }
}

/// Each of the two lines is written if its value is known. A value that would end its line, or that is not a number, is
/// refused.
#[test]
fn plaquette_and_link_trace_are_lines_of_their_own() {
    let (plaquette, trace) = ("PLAQUETTE = 0.5\n", "LINK_TRACE = 0.25\n");
    for (given_plaquette, given_trace) in [("", ""), ("0.5", ""), ("", "0.25"), ("0.5", "0.25")] {
        let mut header = header(Precision::F32, StoredRows::Reduced, ByteOrder::Big);
        header.plaquette = given_plaquette.try_into().expect("short");
        header.link_trace = given_trace.try_into().expect("short");
        let mut file = [0; 1024];
        let length = header.write(&[], &[], &mut file).expect("it fits");
        let text = std::str::from_utf8(&file[..length]).expect("ASCII");
        assert_eq!(text.contains(plaquette), !given_plaquette.is_empty());
        assert_eq!(text.contains("PLAQUETTE"), !given_plaquette.is_empty());
        assert_eq!(text.contains(trace), !given_trace.is_empty());
        assert_eq!(text.contains("LINK_TRACE"), !given_trace.is_empty());
    }
    for value in ["0.5\nEND_HEADER", "0.5\r", "a=b", "\u{7f}"] {
        let mut header = header(Precision::F32, StoredRows::Reduced, ByteOrder::Big);
        header.plaquette = value.try_into().expect("short");
        let refused = header.write(&[], &[], &mut [0; 1024]);
        assert_eq!(refused, Err(EncodeErrorKind::Value { key: "PLAQUETTE" }), "{value:?}");
        (header.plaquette, header.link_trace) = (header.link_trace, header.plaquette);
        let refused = header.write(&[], &[], &mut [0; 1024]);
        assert_eq!(refused, Err(EncodeErrorKind::Value { key: "LINK_TRACE" }), "{value:?}");
    }
    let text = "the value of PLAQUETTE is refused: it is not a decimal number of 64 bits";
    assert_eq!(EncodeErrorKind::Value { key: "PLAQUETTE" }.to_string(), text);
}

/// Lines of another header stay unchanged and in order, including repeated lines and lines that no program reads.
/// Values that depend on the links are replaced where they are, once.
#[test]
fn lines_of_another_header_are_kept() {
    let header = header(Precision::F64, StoredRows::Full, ByteOrder::Little);
    let long = [b"LONG = ", &b"x".repeat(2000)[..]].concat();
    let kept: [&[u8]; 14] = [
        b"CHECKSUM=1",
        b"MILC_INFO = -------BEGIN-------",
        b"  gauge.plaq=  a = b ",
        b"MILC_INFO = --------END--------",
        b"EMPTY =",
        b"no equals sign",
        b"BYTES = \xff\x01\0\r",
        &long,
        b"BOUNDARY_4 = ANTIPERIODIC",
        b"STORAGE_FORMAT = 1.1",
        b"",
        b" DIMENSION_1 =  17",
        b"CHECKSUM = 2",
        b"LINK_TRACE = 0.1",
    ];
    let mut file = vec![0; 4096];
    let length = header.write(&kept, &[("CREATOR", "")], &mut file).expect("there is room");
    let lines: Vec<&[u8]> = file[..length].split(|byte| *byte == b'\n').collect();
    assert_eq!(lines[..2], [&b"BEGIN_HEADER"[..], b"CHECKSUM = 00000000"]);
    // The other header has no link trace, so that this one has none either.
    assert_eq!((&lines[2..12], lines[12]), (&kept[1..11], &b"DIMENSION_1 = 2"[..]));
    let rest: Vec<_> = lines[13..].iter().map(|line| String::from_utf8_lossy(line)).collect();
    assert_eq!(
        rest,
        [
            "HDR_VERSION = 1.0",
            "DATATYPE = 4D_SU3_GAUGE_3x3",
            "DIMENSION_2 = 1",
            "DIMENSION_3 = 1",
            "DIMENSION_4 = 3",
            "PLAQUETTE = 0.5",
            "BOUNDARY_1 = PERIODIC",
            "BOUNDARY_2 = PERIODIC",
            "BOUNDARY_3 = PERIODIC",
            "CREATOR =",
            "FLOATING_POINT = IEEE64LITTLE",
            "END_HEADER",
            ""
        ]
    );
    for (index, wrong) in [&b"a\nb"[..], b"END_HEADER \t"].into_iter().enumerate() {
        let kept = [&[&b"A = 1"[..]; 2][..index], &[wrong]].concat();
        assert_eq!(header.write(&kept, &[], &mut file), Err(EncodeErrorKind::KeptLine { index }));
    }
    let twice = header.write(&[b"A = 1"], &[("A", "2")], &mut file);
    assert_eq!(twice, Err(EncodeErrorKind::Line { index: 0 }));
    for room in 0..length {
        let cut = header.write(&kept, &[("CREATOR", "")], &mut file[..room]);
        assert_eq!(cut, Err(EncodeErrorKind::BufferTooSmall));
    }
}

#[test]
fn refusals() {
    let header = header(Precision::F32, StoredRows::Reduced, ByteOrder::Big);
    let mut out = [0; 1024];
    let long = "x".repeat(120);
    for more in [
        ("CHECKSUM", "1"),
        ("A B", "1"),
        ("", "1"),
        ("A=", "1"),
        ("A", "1=2"),
        ("A", "1\n"),
        ("LABEL", &*long),
        ("BOUNDARY_4", "ANTIPERIODIC"),
        ("END_HEADER", ""),
    ] {
        assert_eq!(
            header.write(&[], &[("OK", ""), more], &mut out),
            Err(EncodeErrorKind::Line { index: 1 }),
            "{more:?}"
        );
    }
    assert_eq!(
        header.write(&[], &[("A", "1"), ("A", "2")], &mut out),
        Err(EncodeErrorKind::Line { index: 1 })
    );
    let length = header.write(&[], &MORE, &mut out).expect("it fits");
    for room in 0..length {
        assert_eq!(header.write(&[], &MORE, &mut out[..room]), Err(EncodeErrorKind::BufferTooSmall));
    }
    let mut encoder = Encoder::new(&header, length).expect("it fits");
    let data = noise(header.data_length() as usize);
    assert_eq!(encoder.final_header(), Err(EncodeErrorKind::TooFew { missing: data.len() as u64 }));
    assert_eq!(encoder.put(&[0; 5000]), Err(EncodeErrorKind::TooMany));
    encoder.put(&data[1..]).expect("there is room");
    assert_eq!(encoder.finish(), Err(EncodeErrorKind::TooFew { missing: 1 }));
    encoder.put(&data[..1]).expect("there is room");
    // The header written so far has no checksum, which is stored as 0.
    assert!(matches!(encoder.finish(), Err(EncodeErrorKind::Checksum { stored: 0, .. })));
    let big = Header::new(
        Extents::new(&[u32::MAX, u32::MAX, 1, 1]).expect("fits"),
        Precision::F64,
        StoredRows::Full,
        ByteOrder::Big,
    );
    assert_eq!(big, Err(EncodeErrorKind::SizeOverflow));
}
