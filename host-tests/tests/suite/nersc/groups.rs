//! Archives of SU(N): the kinds of data that are read, and the values of their links.

use host_tests::fixtures::Fixtures;
use linkstream::Mode;
use linkstream::ildg::{GaugeKind, deviation};
use linkstream::io::{ArchiveError, ArchiveReader, ArchiveWriter, Fill};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::nersc::{Decoder, EncodeErrorKind, Header, StoredRows, datatype};

fn fixture(name: &str) -> Vec<u8> {
    Fixtures::Ours.read(&format!("foreign/{name}.nersc"))
}

#[test]
fn only_square_matrices_of_known_groups_are_links() {
    for colors in 2..=99 {
        let full = format!("4D_SU{colors}_GAUGE_{colors}x{colors}");
        assert_eq!(datatype(full.as_bytes()), Some((colors, StoredRows::Full)), "{full}");
        let reduced = format!("4D_SU{colors}_GAUGE");
        let known = (colors <= 10).then_some((colors, StoredRows::Reduced));
        assert_eq!(datatype(reduced.as_bytes()), known, "{reduced}");
    }
    for other in [
        "",
        "4D_SU_GAUGE",
        "4D_SU1_GAUGE",
        "4D_SU1_GAUGE_1x1",
        "4D_SU0_GAUGE_0x0",
        "4D_SU02_GAUGE",
        "4D_SU100_GAUGE_100x100",
        "4D_SU258_GAUGE_258x258",
        "4D_SU3_GAUGE_3x2",
        "4D_SU3_GAUGE_2x2",
        "4D_SU3_GAUGE_03x3",
        "4D_SU3_GAUGE_3x3 ",
        "4D_SU3_GAUGE_",
        "4D_U3_GAUGE",
        "3D_SU3_GAUGE",
        "4D_SU3_FERMION",
    ] {
        assert_eq!(datatype(other.as_bytes()), None, "{other:?}");
    }
}

/// All rows of the links of files of other programs: each link is in its group, whichever rows and order are stored.
#[test]
fn links_of_other_groups_are_completed() {
    for (name, colors) in [
        ("03-grid-su2-full", 2),
        ("03-grid-su4-reduced", 4),
        ("03b-glu-su2-reduced-f32le", 2),
        ("03d-grid-su4-full-ieee64", 4),
    ] {
        let (file, mut buffer) = (fixture(name), [0; 4096]);
        let mut archive = ArchiveReader::nersc(&file[..], &mut buffer);
        let header = archive.header().expect("a header");
        assert_eq!(header.colors(), colors, "{name}");
        let mut numbers = vec![0.0_f64; archive.number_count().expect("small links")];
        archive.read_into(&mut numbers).expect("good data").require_match().expect("a checksum");
        let size = 2 * usize::from(colors).pow(2);
        assert_eq!(numbers.len() as u64, header.extents().sites() * 4 * size as u64, "{name}");
        let kind = GaugeKind::su(colors.into()).expect("a group");
        let far = if header.precision() == Precision::F32 { 1e-6 } else { 1e-12 };
        for link in numbers.chunks(size) {
            assert!(deviation(kind, link).expect("a link") < far, "{name}");
            let norm: f64 = link.iter().map(|number| number * number).sum();
            assert!((norm - f64::from(colors)).abs() < far, "{name}: {norm}");
        }
        // Written again in both orders of bytes and with both numbers of rows, they are the same links.
        for rows in [StoredRows::Reduced, StoredRows::Full] {
            for order in [ByteOrder::Big, ByteOrder::Little] {
                let again = Header::new(*header.extents(), header.precision(), rows, order).expect("four");
                let again = again.with_colors(colors).expect("known");
                let sink = std::io::Cursor::new(Vec::new());
                let sink = linkstream::io::FromStd(sink);
                let mut writer = ArchiveWriter::create(sink, &mut buffer, &again, &[]).expect("it fits");
                let (first, rest) = numbers.split_at(4 * size);
                writer.put(first).expect("a site");
                let mut sites = rest.chunks(4 * size);
                let fill = |site: &mut linkstream::field::SiteMut<'_>| {
                    let numbers = sites.next().expect("as many as the lattice has");
                    match header.precision() {
                        Precision::F32 => site.put(&numbers.iter().map(|n| *n as f32).collect::<Vec<_>>()),
                        Precision::F64 => site.put(numbers),
                    }
                };
                writer.put(Fill::sites(fill)).expect("the other sites");
                let file = writer.finish_seeking().expect("complete").0.into_inner();
                let mut archive = ArchiveReader::nersc(&file[..], &mut buffer);
                let mut found = vec![0.0_f64; numbers.len()];
                archive.read_into(&mut found).expect("good data").require_match().expect("a checksum");
                let is_far = found.iter().zip(&numbers).any(|(a, b)| (a - b).abs() > far);
                assert!(!is_far, "{name} {rows:?} {order:?}");
            }
        }
    }
}

/// Larger links are verified, and their numbers are left to the decoder.
#[test]
fn larger_links_are_verified_and_not_read_by_an_archive_reader() {
    let (file, mut buffer) = (fixture("03c-qdp-su5-full-f32"), [0; 4096]);
    let mut archive = ArchiveReader::nersc(&file[..], &mut buffer);
    assert!(matches!(archive.number_count(), Err(ArchiveError::Colors { colors: 5 })));
    assert!(matches!(archive.read_into(&mut [0.0_f32; 3200]), Err(ArchiveError::Colors { colors: 5 })));
    assert!(archive.verdict().expect("it can be verified").is_match());
    let mut decoder = Decoder::new(Mode::Strict);
    let (mut links, mut data) = (0, Vec::new());
    linkstream::drive(&mut decoder, &file, |event, bytes, _| {
        if event == linkstream::nersc::Event::Data {
            data.extend_from_slice(bytes);
        }
    })
    .expect("strict");
    let format = decoder.header().expect("a header").link_format(ByteOrder::Big);
    for stored in data.chunks(format.length()) {
        assert!(format.is_normalised(stored));
        let mut whole = [0; 200];
        format.to_whole(stored, &mut whole).expect("one link");
        assert_eq!(whole, stored);
        links += 1;
    }
    assert_eq!(links, 64);
    let header =
        Header::new(Extents::new(&[1; 4]).expect("small"), Precision::F32, StoredRows::Full, ByteOrder::Big);
    let header = header.and_then(|header| header.with_colors(5)).expect("known");
    let refused = ArchiveWriter::create(&mut [0; 9][..], &mut buffer, &header, &[]).err();
    assert_eq!(refused, Some(EncodeErrorKind::Colors { found: 5 }));
    for colors in [0, 1, 100, 255] {
        assert_eq!(header.with_colors(colors), Err(EncodeErrorKind::Colors { found: colors }));
    }
    let reduced =
        Header::new(*header.extents(), Precision::F32, StoredRows::Reduced, ByteOrder::Big).expect("SU(3)");
    assert_eq!(reduced.with_colors(11), Err(EncodeErrorKind::Colors { found: 11 }));
}
