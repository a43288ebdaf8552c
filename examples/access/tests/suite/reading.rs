//! Reading fields of single files, sets and archives: all data, time slices, blocks, streams.

use std::io::Read as _;
use std::sync::Arc;

use host_tests::archives::{links, milc, milc_sums, nersc, word_sum};
use linkstream::lattice::{ByteOrder, Precision};
use linkstream::nersc::{LinkFormat, StoredRows};
use linkstream_access::set::SetAsFile;
use linkstream_access::{
    Array, ElementType, Error, Field, File, Seeking, Selection, SelectionError, Stored, Unverified, Verdict,
    Verify,
};

use crate::support::{Memory, fields, paths, sets};

/// The selected data, big endian.
fn bytes(field: &Field, selection: &Selection, verify: Verify) -> Result<(Vec<u8>, Verdict), Error> {
    let array = selection.array(field.array())?;
    let mut out = vec![0xa5; array.number_count() as usize * array.element.size()];
    let verdict = field.read_bytes(selection, &mut out, ByteOrder::Big, verify)?;
    Ok((out, verdict))
}

/// The bytes of a block of an array, taken from all of its bytes.
fn block(array: &Array, all: &[u8], block: &[std::ops::Range<u64>]) -> Vec<u8> {
    let sites = array.sites();
    let count: u64 = sites.iter().product();
    let size = all.len() / count as usize;
    let is_inside = |site: u64| {
        let mut rest = site;
        sites.iter().zip(block).rev().all(|(extent, range)| {
            let at = rest % extent;
            rest /= extent;
            range.contains(&at)
        })
    };
    (0..count)
        .filter(|site| is_inside(*site))
        .flat_map(|site| all[site as usize * size..][..size].to_vec())
        .collect()
}

/// Reads a field in all ways and compares it with the expected contents. Returns the verdict on all data.
pub fn read_in_all_ways(field: &Field, expected: &[u8]) -> Verdict {
    let array = field.array();
    let (all, verdict) = bytes(field, &Selection::All, Verify::Yes).expect("intact data");
    assert_eq!(all, expected);
    let mut native = vec![0; all.len()];
    let order = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };
    let again = field.read_bytes(&Selection::All, &mut native, order, Verify::No).expect("intact data");
    assert_eq!(again, Verdict::Unverified(Unverified::NotRequested));
    if order == ByteOrder::Little {
        linkstream::lattice::reverse_words(&mut native, array.element.size());
    }
    assert_eq!(native, expected);
    let mut streamed = Vec::new();
    let mut sink = |piece: &[u8]| {
        streamed.extend_from_slice(piece);
        Ok(())
    };
    let of_stream = field.stream(&Selection::All, ByteOrder::Big, Verify::Yes, &mut sink);
    assert_eq!(of_stream.expect("intact data"), verdict);
    assert_eq!(streamed, expected);
    let sites = array.sites();
    let Some(times) = sites.first() else { return verdict };
    let whole: Vec<_> = sites.iter().map(|extent| 0..*extent).collect();
    for t in 0..*times {
        let mut ranges = whole.clone();
        ranges[0] = t..t + 1;
        let (slice, of_slice) = bytes(field, &Selection::slice(t), Verify::Yes).expect("intact data");
        assert_eq!(slice, block(array, expected, &ranges));
        // All data have been read before.
        let no_checksum = Verdict::Unverified(Unverified::NoChecksum);
        assert!(
            of_slice == verdict || verdict == no_checksum && !of_slice.is_verified(),
            "{of_slice:?} {verdict:?}"
        );
    }
    let ranges: Vec<_> =
        sites.iter().map(|extent| extent / 3..extent.div_ceil(2).max(extent / 3 + 1)).collect();
    let (part, of_part) = bytes(field, &Selection::Block(ranges.clone()), Verify::Yes).expect("intact data");
    assert_eq!(part, block(array, expected, &ranges));
    assert!(!of_part.is_verified() || ranges[1..] == whole[1..]);
    verdict
}

#[test]
fn fields_of_lime_files_are_those_that_the_codec_reads() {
    let mut count = 0;
    for path in paths("qio") {
        let file = std::fs::read(&path).expect("a fixture");
        let Ok(opened) = File::open(Arc::new(file.clone())) else { continue };
        if !matches!(opened.format(), linkstream_access::FileFormat::Lime)
            || path.to_string_lossy().contains(".vol")
        {
            continue;
        }
        let expected = fields(&file);
        assert_eq!(opened.fields().len(), expected.len(), "{}", path.display());
        for (field, expected) in opened.fields().iter().zip(&expected) {
            let _ = read_in_all_ways(field, expected);
            let (offset, length, order) = field.contiguous().expect("a single file");
            assert_eq!((&file[offset as usize..][..length as usize], order), (&expected[..], ByteOrder::Big));
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn fields_of_sets_are_those_of_the_single_file() {
    let mut count = 0;
    for (name, sources) in sets() {
        let Ok(set) = File::open_set(&sources) else { continue };
        let by_name = File::open_path(&name).expect("an intact set");
        let mut volume = name.clone().into_os_string();
        volume.push(".vol0000");
        let by_volume = File::open_path(volume).expect("an intact set");
        assert!(set.is_set() && by_name.is_set() && by_volume.is_set());
        assert_eq!(by_name.records(), set.records());
        let mut single = Vec::new();
        let read = SetAsFile::open(&sources).expect("an intact set").read_to_end(&mut single);
        read.expect("an intact set");
        let expected = fields(&single);
        assert_eq!(set.fields().len(), expected.len(), "{}", name.display());
        for (field, expected) in set.fields().iter().zip(&expected) {
            let verdict = read_in_all_ways(field, expected);
            assert!(verdict.is_verified(), "{}", name.display());
            assert!(field.contiguous().is_none() || field.array().lattice_axes == 0);
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn surplus_bytes_need_a_checksum() {
    let (mut file, expected) = archive(Precision::F32, StoredRows::Full, ByteOrder::Big, "IEEE32BIG");
    file.extend_from_slice(b"more");
    let opened = File::open(Arc::new(file.clone())).expect("the checksum shows that the data are complete");
    assert_eq!(opened.warnings().len(), 1);
    assert!(read_in_all_ways(opened.field(0).expect("links"), &expected).is_verified());
    let text = String::from_utf8_lossy(&file[..200]).into_owned();
    let line = text.find("CHECKSUM").expect("a line");
    let end = line + text[line..].find('\n').expect("its end") + 1;
    file.drain(line..end);
    let refused = File::open(Arc::new(file.clone()));
    assert!(matches!(refused, Err(Error::Broken(_))));
    let damaged = File::open_damaged(Arc::new(file)).expect("the extents are there");
    let (links, verdict) =
        bytes(damaged.field(0).expect("links"), &Selection::All, Verify::Yes).expect("links");
    assert_eq!((links, verdict), (expected, Verdict::Unverified(Unverified::NoChecksum)));
}

const EXTENTS: [u32; 4] = [2, 3, 4, 5];

/// An archive with these rows and in this byte order, and its links: big endian, with all rows.
fn archive(
    precision: Precision,
    rows: StoredRows,
    order: ByteOrder,
    floating_point: &str,
) -> (Vec<u8>, Vec<u8>) {
    let (datatype, number) =
        if rows == StoredRows::Reduced { ("4D_SU3_GAUGE", 2) } else { ("4D_SU3_GAUGE_3x3", 3) };
    let format = LinkFormat { precision, colors: 3, rows, order };
    let mut stored = Vec::new();
    let (mut link, mut whole) = (vec![0; format.length()], Vec::new());
    for index in 0..4 * 120_usize {
        let mut matrix = vec![0; format.whole_length()];
        for row in 0..3 {
            // Unitary, different for each link: the rows are permuted.
            precision.write(&mut matrix, 6 * row + 2 * ((row + index) % 3), 1.0).expect("in the matrix");
        }
        format.from_whole(&matrix, &mut link).expect("a link");
        stored.extend_from_slice(&link);
        format.to_whole(&link, &mut matrix).expect("a link");
        whole.extend_from_slice(&matrix);
    }
    let sum = word_sum(&stored, order == ByteOrder::Big);
    let lines = [
        format!("DATATYPE = {datatype}"),
        "DIMENSION_1 = 2".to_owned(),
        "DIMENSION_2 = 3".to_owned(),
        "DIMENSION_3 = 4".to_owned(),
        "DIMENSION_4 = 5".to_owned(),
        format!("CHECKSUM = {sum:x}"),
        format!("FLOATING_POINT = {floating_point}"),
    ];
    assert_eq!(stored.len(), 480 * number * if precision == Precision::F32 { 24 } else { 48 });
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    (nersc(&lines, &stored), whole)
}

#[test]
fn links_of_archives_have_all_rows_and_the_order_that_was_asked_for() {
    use ByteOrder::{Big, Little};
    for (precision, bits) in [(Precision::F32, "32"), (Precision::F64, "64")] {
        for rows in [StoredRows::Reduced, StoredRows::Full] {
            for (order, end) in [(Big, "BIG"), (Little, "LITTLE"), (Big, ""), (Little, "")] {
                let name = format!("IEEE{bits}{end}");
                let (file, expected) = archive(precision, rows, order, &name);
                let opened =
                    File::open(Arc::new(Seeking::new(std::io::Cursor::new(file)))).expect("an archive");
                let [field] = opened.fields() else { panic!("one field") };
                assert_eq!(field.array().shape(), [5, 4, 3, 2, 4, 3, 3, 2]);
                assert_eq!(field.is_order_known(), !end.is_empty());
                assert!(read_in_all_ways(field, &expected).is_verified(), "{name} {rows:?}");
                assert_eq!(field.contiguous().is_some(), rows == StoredRows::Full);
            }
        }
    }
}

#[test]
fn the_checksum_decides_the_byte_order_of_an_archive() {
    // The first link is absent, so that it says nothing.
    let mut data = links(4 * 120, false);
    data[..72].fill(0);
    let sum = format!("CHECKSUM = {:x}", word_sum(&data, false));
    let lines = [
        "DATATYPE = 4D_SU3_GAUGE_3x3",
        "DIMENSION_1 = 2",
        "DIMENSION_2 = 3",
        "DIMENSION_3 = 4",
        "DIMENSION_4 = 5",
        &sum,
        "FLOATING_POINT = IEEE32",
    ];
    let file = nersc(&lines, &data);
    let mut expected = data;
    linkstream::lattice::reverse_words(&mut expected, 4);
    for first in 0..2 {
        let opened = File::open(Arc::new(file.clone())).expect("an archive");
        let field = opened.field(0).expect("links");
        assert!(!field.is_order_known());
        if first == 1 {
            assert!(field.verify().expect("intact data").is_verified());
        }
        assert!(read_in_all_ways(field, &expected).is_verified());
        assert!(field.is_order_known());
    }
}

#[test]
fn sites_of_milc_files_are_in_the_order_of_the_lattice() {
    let data = links(480, true);
    let list: Vec<u32> = (0..120).map(|index| index * 7 % 120).collect();
    for is_big in [true, false] {
        let data = links(480, is_big);
        let mut big = data.clone();
        if !is_big {
            linkstream::lattice::reverse_words(&mut big, 4);
        }
        let opened = File::open(Arc::new(milc(EXTENTS, None, &data, is_big))).expect("a MILC file");
        assert!(read_in_all_ways(opened.field(0).expect("links"), &big).is_verified());
        let opened = File::open(Arc::new(milc(EXTENTS, Some(&list), &data, is_big))).expect("a MILC file");
        let mut sorted = vec![0; big.len()];
        for (site, rank) in big.chunks_exact(288).zip(&list) {
            sorted[*rank as usize * 288..][..288].copy_from_slice(site);
        }
        let field = opened.field(0).expect("links");
        let verdict = read_in_all_ways(field, &sorted);
        assert_eq!(verdict, Verdict::Unverified(Unverified::SiteList));
        let (sum29, sum31) = milc_sums(&data, is_big);
        assert_eq!(*field.stored(), Stored::Milc(linkstream::milc::Sums { sum29, sum31 }));
    }
    let mut twice = list.clone();
    (twice[3], twice[5]) = (twice[4], twice[4]);
    let opened = File::open(Arc::new(milc(EXTENTS, Some(&twice), &data, true)));
    assert!(matches!(opened, Err(Error::Broken(_))));
    // These ranks have the same sum as the replaced ones, and their squares, too. The decoder compares no more.
    let other = |rank: u32| {
        [(0, 1), (4, 2), (5, 6)].iter().find(|(old, _)| *old == rank).map_or(rank, |(_, new)| *new)
    };
    let twice: Vec<u32> = list.into_iter().map(other).collect();
    let opened =
        File::open(Arc::new(milc(EXTENTS, Some(&twice), &data, true))).expect("a list with the sums of all");
    let read = bytes(opened.field(0).expect("links"), &Selection::All, Verify::Yes);
    assert!(matches!(&read, Err(Error::Broken(broken)) if broken.rule == "milc-site-list"), "{read:?}");
}

/// A gauge field, with the offset of its data.
fn gauge_field() -> (Arc<Memory>, File, usize) {
    let path = paths("qio").into_iter().find(|path| {
        let opened = std::fs::read(path).ok().and_then(|file| File::open(Arc::new(file)).ok());
        opened.is_some_and(|file| {
            file.format() == linkstream_access::FileFormat::Lime
                && matches!(file.fields(), [field] if field.array().element == ElementType::F64
                    && field.array().sites().first().is_some_and(|times| *times > 2)
                    && matches!(field.stored(), Stored::Scidac { suma: Some(_), .. }))
        })
    });
    let memory = Memory::new(std::fs::read(path.expect("such a file")).expect("a fixture"));
    let file = File::open(memory.clone()).expect("an intact file");
    let at = file.field(0).expect("a field").contiguous().expect("in one place").0;
    (memory, file, at as usize)
}

#[test]
fn changed_data_are_errors_that_name_the_slice() {
    let (memory, file, at) = gauge_field();
    let field = file.field(0).expect("a field");
    let length = field.contiguous().expect("in one place").1 as usize;
    let slice = length / field.array().sites()[0] as usize;
    // Nothing verifies a slice before all data have been read.
    let first = bytes(field, &Selection::slice(1), Verify::Yes).expect("intact data").1;
    assert_eq!(first, Verdict::Unverified(Unverified::NoFullPass));
    assert!(field.verify().expect("intact data").is_verified());
    assert!(bytes(field, &Selection::Slices(0..2), Verify::Yes).expect("intact data").1.is_verified());
    memory.flip(at + slice + 5);
    assert!(bytes(field, &Selection::slice(0), Verify::Yes).expect("intact data").1.is_verified());
    let changed = bytes(field, &Selection::Slices(0..2), Verify::Yes);
    assert!(matches!(changed, Err(Error::SliceMismatch { slice: 1, .. })), "{changed:?}");
    let whole = bytes(field, &Selection::All, Verify::Yes);
    assert!(matches!(whole, Err(Error::ChecksumMismatch { .. })), "{whole:?}");
    let Stored::Scidac { offset, .. } = *field.stored() else { panic!("a SciDAC checksum") };
    for error in [changed, whole].map(|read| read.expect_err("changed data")) {
        assert_eq!(error.rule(), Some((linkstream::Class::Checksum, "checksum-mismatch")));
        assert_eq!(error.offset(), Some(offset + 144), "after the header of the record");
    }
    assert!(matches!(field.verify(), Err(Error::ChecksumMismatch { .. })));
    // Clones share the results of verification.
    assert!(bytes(&field.clone(), &Selection::slice(1), Verify::Yes).is_err());
    let unverified = bytes(field, &Selection::All, Verify::No).expect("not compared").1;
    assert_eq!(unverified, Verdict::Unverified(Unverified::NotRequested));
}

#[test]
fn misuse_and_failing_sources_are_errors() {
    let (memory, file, at) = gauge_field();
    let field = file.field(0).expect("a field");
    let numbers = field.array().number_count() as usize;
    let wrong = field.read(&Selection::All, &mut vec![0.0_f32; numbers], Verify::Yes);
    assert!(matches!(
        wrong,
        Err(Error::ElementType { stored: ElementType::F64, requested: ElementType::F32 })
    ));
    let short = field.read(&Selection::All, &mut vec![0.0_f64; numbers - 1], Verify::Yes);
    assert!(matches!(short, Err(Error::Length { .. })));
    let times = field.array().sites()[0];
    let outside = bytes(field, &Selection::slice(times), Verify::Yes);
    assert!(matches!(outside, Err(Error::Selection(SelectionError::Range { .. }))));
    assert_eq!(outside.map_err(|error| (error.rule(), error.offset())), Err((None, None)));
    assert!(matches!(file.field(1), Err(Error::NoSuch { what: "field", index: 1, count: 1 })));
    let refused = field.stream(&Selection::All, ByteOrder::Big, Verify::Yes, &mut |_| {
        Err(std::io::ErrorKind::StorageFull.into())
    });
    assert!(matches!(refused, Err(Error::Sink(error)) if error.kind() == std::io::ErrorKind::StorageFull));
    memory.is_broken.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(bytes(field, &Selection::All, Verify::Yes), Err(Error::Io(_))));
    memory.is_broken.store(false, std::sync::atomic::Ordering::Relaxed);
    memory.bytes.lock().expect("no panic").truncate(at + 100);
    assert!(matches!(bytes(field, &Selection::All, Verify::Yes), Err(Error::Changed)));
    let damaged = memory.bytes.lock().expect("no panic").clone();
    assert!(matches!(File::open(Arc::new(damaged)), Err(Error::Broken(_))));
    assert!(matches!(File::open(Arc::new(b"something else".to_vec())), Err(Error::UnrecognisedFormat(_))));
    assert!(matches!(File::open(Arc::new(Vec::new())), Err(Error::UnrecognisedFormat(_))));
}

#[test]
fn records_and_texts_are_those_of_the_file() {
    let (memory, file, _) = gauge_field();
    let bytes = memory.bytes.lock().expect("no panic").clone();
    for (index, entry) in file.records().iter().enumerate() {
        let from = entry.record.payload_offset() as usize;
        let payload = file.payload(index).expect("a record");
        assert_eq!(payload, bytes[from..from + entry.record.length as usize]);
    }
    let documents = file.texts(linkstream::scidac::PRIVATE_RECORD_XML).expect("texts");
    assert!(matches!(&documents[..], [(_, text)] if text.contains("<scidacRecord")));
    let count = file.records().len();
    assert!(matches!(file.payload(count), Err(Error::NoSuch { what: "record", .. })));
}

#[test]
fn a_file_that_changes_is_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("lat");
    let bytes = include_bytes!("../../../su3-4x4x4x8.lime");
    std::fs::write(&path, bytes).expect("it is writable");
    let file = File::open_path(&path).expect("an intact file");
    file.check_unchanged().expect("nothing has changed");
    // Other bytes, the same length.
    let touched = std::fs::File::options().write(true).open(&path).expect("it exists");
    touched.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("the owner may");
    assert!(matches!(file.check_unchanged(), Err(Error::Changed)));
    let file = File::open_path(&path).expect("an intact file");
    touched.set_len(bytes.len() as u64 - 8).expect("it is writable");
    assert!(matches!(file.check_unchanged(), Err(Error::Changed)));
}
