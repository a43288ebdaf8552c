//! Properties that hold for any matrix, any cut, any sequence of calls, and for bytes that are not an INEBIN file.

use crate::inebin::model::{
    Entry, InebinTrace, Known, MODES, bits, drive, expected, expected_unseen, matrix_type, of_type, read_at,
    restored, small, values,
};
use host_tests::drive::{Fitful, Item};
use host_tests::matrices::{self, width};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::inebin::{
    Decoder, EncodeErrorKind, Encoder, Entries, EntryPlace, ErrorKind, Event, Header, Rows,
};
use linkstream::io::{MatrixWriter, Reader};
use linkstream::{Decode, Error, Misuse, Mode, SeekPayload};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Numbers whose 64 bits programs tend to change: quiet and signalling NaNs, zeros with a sign, subnormal numbers, and
/// the largest one.
const TELLING: [u64; 12] = [
    0,
    1 << 63,
    0x7FF0_0000_0000_0001,
    0x7FF8_0000_0000_0000,
    0xFFF8_DEAD_BEEF_0001,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    1,
    0x800F_FFFF_FFFF_FFFF,
    i64::MAX as u64,
    u64::MAX,
    0x0D0A_1A0D_0A1A_0D0A,
];

fn word() -> impl Strategy<Value = u64> {
    prop_oneof![any::<u64>(), select(&TELLING[..])]
}

fn matrix() -> impl Strategy<Value = Known> {
    let shape = prop_oneof![(0..5u32, 0..5u32), (1..40u32, 1..3u32), (1..3u32, 1..70u32)];
    (select(&['B', 'Z', 'R', 'C'][..]), shape).prop_flat_map(|(letter, (rows, cols))| {
        let entry = (word(), word()).prop_map(move |(low, high)| match letter {
            'B' => u128::from(low & 1),
            'C' => u128::from(low) | u128::from(high) << 64,
            _ => u128::from(low),
        });
        vec(entry, (rows * cols) as usize).prop_map(move |entries| Known::new(letter, rows, cols, entries))
    })
}

fn cuts() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 0..30)
}

fn places(cuts: &[Index], length: usize) -> Vec<usize> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(length + 1)).collect();
    places.sort_unstable();
    places
}

/// Writes a matrix in calls that end at the cuts, with buffers of 1 byte and more.
fn write<T: Entry>(known: &Known, cuts: &[usize]) -> Vec<u8> {
    let mut buffer = vec![0; 1 + cuts.len()];
    let mut writer = MatrixWriter::create(Vec::new(), &mut buffer, &known.header());
    let mut from = 0;
    for to in cuts.iter().copied().chain([known.entries.len()]) {
        writer.put(values::<T>(&known.entries[from..to])).expect("as many as there are");
        from = to;
    }
    writer.finish().expect("complete")
}

/// Pushes a file in pieces that end at the cuts. Returns its entries as read by [`Entries`] and by [`Rows`].
fn read<T: Entry>(bytes: &[u8], cuts: &[usize]) -> (Vec<u128>, Vec<u128>) {
    let mut decoder = Decoder::new(Mode::Strict);
    let (mut entries, mut rows) = (None, None);
    let mut buffer = [T::ANY; 70];
    let mut buffer = Some(&mut buffer[..]);
    let (mut by_entries, mut by_rows) = (Vec::new(), Vec::new());
    let mut from = 0;
    for to in cuts.iter().copied().chain([bytes.len()]) {
        let mut piece = &bytes[from..to];
        from = to;
        loop {
            let step = decoder.push(piece).expect("a valid file");
            let (here, rest) = piece.split_at(step.consumed);
            piece = rest;
            match step.event {
                Some(Event::Header(header)) => {
                    entries = Some(Entries::<T>::new(&header).expect("the matrix has this type"));
                    let buffer = buffer.take().expect("one header");
                    rows = Some(Rows::<T>::new(&header, buffer).expect("room for a row"));
                }
                Some(Event::Data) => {
                    let entries = entries.as_mut().expect("a header comes before");
                    let fed = entries.feed(here, |run| by_entries.extend(run.values().map(Entry::bits)));
                    fed.expect("not more than there are");
                    let fed = rows
                        .as_mut()
                        .expect("rows are made with the entries")
                        .feed(here, |_, row| by_rows.extend(bits(row)));
                    fed.expect("not more than there are");
                }
                Some(event) => assert_eq!(event, Event::End),
                None => break,
            }
        }
    }
    while decoder.finish().expect("complete").is_some() {}
    (by_entries, by_rows)
}

/// Reads in every fundamentally different way and compares with the model.
fn assert_read_as_the_model(bytes: &[u8], cuts: &[usize], mode: Mode) -> InebinTrace {
    let decoder = Decoder::new(mode);
    let drive = drive(&decoder, bytes);
    let model = expected(bytes, mode);
    let (outline, seed) = (drive.outline(&expected_unseen(bytes, mode)), bytes.len() as u64);
    let what = format!("{mode:?}");
    model.assert_same(&drive.whole(), &format!("{what} whole"));
    model.assert_same(&drive.cut(cuts, restored), &format!("{what} cut and restored"));
    model.assert_same(&drive.pull_reading(50, 30, seed), &format!("{what} read"));
    model.assert_same(&drive.awaiting(77, 0, true, seed), &format!("{what} async"));
    outline.assert_same(&drive.outline(&drive.skipping(seed)), &format!("{what} skipping"));
    outline.assert_same(&drive.outline(&drive.pull_skipping(50, 1, seed)), &format!("{what} skip"));
    outline.assert_same(&drive.outline(&drive.pull_seeking(50, 1, seed)), &format!("{what} seek"));
    model
}

proptest! {
    #[test]
    fn written_matrices_read_back_bit_for_bit(known in matrix(), cuts in cuts()) {
        let bytes = of_type!(known.letter, write(&known, &places(&cuts, known.entries.len())));
        prop_assert_eq!(&bytes, &known.bytes);
        let cuts = places(&cuts, bytes.len());
        let (entries, rows) = of_type!(known.letter, read(&bytes, &cuts));
        prop_assert_eq!(&entries, &known.entries);
        prop_assert_eq!(&rows, &known.entries);
        prop_assert_eq!(assert_read_as_the_model(&bytes, &cuts, Mode::Strict).end, Ok(()));
    }

    #[test]
    fn bytes_of_any_kind_are_read_as_the_model_reads_them(
        bytes in prop_oneof![1 => vec(any::<u8>(), 0..60), 9 => almost_inebin()],
        cuts in cuts(),
    ) {
        let cuts = places(&cuts, bytes.len());
        for mode in MODES {
            assert_read_as_the_model(&bytes, &cuts, mode);
        }
    }

    #[test]
    fn walks_through_a_file(known in matrix(), steps in vec(walk(), 0..40), buffer in 1..80usize) {
        of_type!(known.letter, walk_through(&known, &steps, buffer));
    }

    #[test]
    fn places_are_counted_in_numbers_of_any_size(
        letter in select(&['B', 'Z', 'R', 'C'][..]),
        (rows, cols) in (size(), size()),
        (row, column) in (size(), size()),
    ) {
        let count = u128::from(rows) * u128::from(cols);
        let length = (count * width(letter) as u128).div_ceil(8);
        let header = Header::new(matrix_type(letter), rows, cols);
        if length + 16 > u128::from(u64::MAX) {
            prop_assert_eq!(header, Err(EncodeErrorKind::SizeOverflow { rows, columns: cols }));
            return Ok(());
        }
        let header = header.expect("it fits");
        prop_assert_eq!(u128::from(header.entry_count()), count);
        prop_assert_eq!(u128::from(header.data_length()), length);
        prop_assert_eq!(u128::from(header.file_length()), length + 16);
        prop_assert_eq!(Header::from_bytes(&header.to_bytes()), Ok(header));
        let bit = (u128::from(row) * u128::from(cols) + u128::from(column)) * width(letter) as u128;
        let inside = row < rows && column < cols;
        let place = EntryPlace { offset: (16 + bit / 8) as u64, bit: (bit % 8) as u8 };
        prop_assert_eq!(header.place(row, column), inside.then_some(place));
    }

    /// Entries from a position far inside a matrix that no memory could hold.
    #[test]
    fn entries_far_away_have_their_places(
        (rows, cols) in (1 << 31..=u32::MAX, 1 << 30..=u32::MAX),
        (row, column) in (any::<Index>(), any::<Index>()),
        data in vec(any::<u8>(), 2..20),
    ) {
        let header = Header::new(matrix_type('B'), rows, cols).expect("bits always fit");
        let (row, column) = (row.index(rows as usize) as u32, column.index(cols as usize) as u32);
        let mut entries = Entries::<bool>::at(&header, row, column).expect("bits").expect("inside");
        let first = u64::from(row) * u64::from(cols) + u64::from(column);
        prop_assert_eq!(entries.left(), header.entry_count() - first);
        let mut n = 0;
        // Bits after the last byte of the matrix are not passed, since surplus bytes are an error.
        let bytes = (first % 8 + entries.left()).div_ceil(8).min(data.len() as u64);
        let fed = entries.feed(&data[..bytes as usize], |run| {
            for (column, value) in (u64::from(run.column)..).zip(run.values()) {
                let at = first + n;
                assert_eq!((u64::from(run.row), column), (at / u64::from(cols), at % u64::from(cols)));
                let bit = (first % 8 + n) as usize;
                assert_eq!(value, data[bit / 8] >> (bit % 8) & 1 == 1, "bit {bit}");
                n += 1;
            }
        });
        prop_assert_eq!(fed, Ok(()));
        let there = (8 * data.len() as u64 - first % 8).min(header.entry_count() - first);
        prop_assert_eq!((n, entries.left()), (there, header.entry_count() - first - there));
    }
}

/// Numbers of rows and columns: small, large, and around the limit for products in 64 bits.
fn size() -> impl Strategy<Value = u32> {
    let edge = |at: u32| at.saturating_sub(2)..=at.saturating_add(2);
    prop_oneof![0..9u32, any::<u32>(), edge(u32::MAX), edge(1 << 31), edge(1 << 30), edge(1 << 16)]
}

/// Headers that are valid or nearly so, followed by more or fewer bytes than they describe.
fn almost_inebin() -> impl Strategy<Value = Vec<u8>> {
    let mostly = |right: u8| prop_oneof![15 => Just(right), 1 => any::<u8>()];
    let shape = prop_oneof![9 => (0..4u32, 0..6u32), 1 => (size(), size())];
    let letter = prop_oneof![6 => Just(b'B'), 6 => select(&b"ZRC"[..]), 1 => any::<u8>()];
    let excess = prop_oneof![6 => Just(0), 3 => -20..20isize];
    (mostly(b'I'), mostly(b'N'), mostly(0), letter, shape, vec(any::<u8>(), 400), excess, any::<bool>())
        .prop_map(|(first, last, reserved, letter, (rows, cols), mut data, excess, clean)| {
            let mut bytes = matrices::header('B', rows, cols);
            (bytes[0], bytes[5], bytes[6], bytes[7]) = (first, last, reserved, letter);
            let bits = if letter == b'B' {
                1
            } else if letter == b'C' {
                128
            } else {
                64
            };
            let count = u64::from(rows) * u64::from(cols);
            let length = (count.min(30) * bits).div_ceil(8) as usize;
            if clean && length > 0 && bits == 1 {
                data[length - 1] &= 0xFF_u8 >> ((8 - count % 8) % 8);
            }
            bytes.extend_from_slice(&data[..length.min(400)]);
            let size = bytes.len();
            bytes.resize((size as isize + excess).max(0).unsigned_abs(), 0x42);
            bytes
        })
}

#[derive(Debug, Clone)]
enum SiteOrder {
    /// Entries from a position on.
    Entries(Index, Index),
    Row(Index),
    Next,
    Skip,
    Seek(Index),
}

fn walk() -> impl Strategy<Value = SiteOrder> {
    prop_oneof![
        4 => (any::<Index>(), any::<Index>()).prop_map(|(from, count)| SiteOrder::Entries(from, count)),
        2 => any::<Index>().prop_map(SiteOrder::Row),
        2 => Just(SiteOrder::Next),
        1 => Just(SiteOrder::Skip),
        2 => any::<Index>().prop_map(SiteOrder::Seek),
    ]
}

/// A random sequence of reading, seeking and reading entries: each call returns the bytes at its position.
fn walk_through<T: Entry>(known: &Known, steps: &[SiteOrder], buffer: usize) {
    let mut buffer = vec![0; buffer];
    let source = Fitful::new(&known.bytes, buffer.len() as u64);
    let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Strict));
    let cols = known.cols as usize;
    let mut ended = false;
    for step in steps {
        let (from, count) = match step {
            SiteOrder::Entries(from, count) if !known.entries.is_empty() => {
                let from = from.index(known.entries.len());
                (from, 1 + count.index(known.entries.len() - from))
            }
            SiteOrder::Row(row) if !known.entries.is_empty() => (row.index(known.rows as usize) * cols, cols),
            SiteOrder::Seek(to) if reader.decoder().payload_position().is_some() => {
                let to = to.index(known.data().len() + 1) as u64;
                reader.seek_payload(to).expect("inside");
                assert_eq!(reader.decoder().payload_position(), Some(to));
                continue;
            }
            SiteOrder::Skip => {
                reader.skip_seeking().expect("all data are present");
                continue;
            }
            SiteOrder::Next => {
                let before = reader.decoder().position() as usize;
                match reader.next().expect("a valid file") {
                    Some(Event::Data) => {
                        let bytes = reader.bytes();
                        assert_eq!(bytes, &known.bytes[before..before + bytes.len()]);
                    }
                    Some(Event::End) | None => ended = true,
                    Some(Event::Header(header)) => assert_eq!(header, known.header()),
                    Some(other) => panic!("{other:?}"),
                }
                continue;
            }
            _ => continue,
        };
        let mut out = vec![T::ANY; count];
        let result = read_at(&mut reader, (from / cols) as u32, (from % cols) as u32, &mut out);
        if ended {
            // Reading entries requires that the end of the data has not been reported.
            let error = Error::new(known.bytes.len() as u64, ErrorKind::Misuse(Misuse::NoPayload));
            assert_eq!(result, Err(error.into()));
        } else {
            result.expect("inside");
            assert_eq!(bits(&out), known.entries[from..from + count], "{count} entries from {from}");
        }
    }
}

/// Any changed bit causes an error, a finding, another shape or another value.
#[test]
fn every_flipped_bit_is_an_error_or_another_reading() {
    for known in small() {
        for mode in MODES {
            let before = expected(&known.bytes, mode);
            for bit in 0..8 * known.bytes.len() {
                let mut bytes = known.bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                let decoder = Decoder::new(mode);
                let drive = drive(&decoder, &bytes);
                let found = drive.whole();
                let what = format!("{}: bit {bit} flipped, {mode:?}", known.path);
                expected(&bytes, mode).assert_same(&found, &what);
                found.assert_same(&drive.chunks(1), &what);
                assert!(found != before, "{what}: the change is not noticed");
                let is_event =
                    |item: &Item<Event>| matches!(item, Item::Event { event: Event::Finding(_), .. });
                if bit >= 128 && found.end.is_ok() && !found.items.iter().any(is_event) {
                    let entries = of_type!(known.letter, read(&bytes, &[])).0;
                    let differ = entries.iter().zip(&known.entries).filter(|(a, b)| a != b).count();
                    let entry = (bit - 128) / width(known.letter);
                    assert_eq!(differ, 1, "{what}: exactly one entry must differ");
                    assert_ne!(entries[entry], known.entries[entry], "{what}");
                }
            }
        }
    }
}

/// Handling the sizes in a header takes no memory, and works up to the last byte that can be addressed.
#[test]
fn the_largest_matrices() {
    let all = u32::MAX;
    for (letter, rows, cols) in [
        ('B', all, all),
        ('Z', 1 << 30, (1 << 31) - 1),
        ('R', (1 << 31) - 1, 1 << 30),
        ('C', 1 << 30, (1 << 30) - 1),
    ] {
        let header = Header::new(matrix_type(letter), rows, cols).expect("it fits");
        let length = (u128::from(rows) * u128::from(cols) * width(letter) as u128).div_ceil(8);
        let mut decoder = Decoder::new(Mode::Strict);
        let step = decoder.push(&header.to_bytes()).expect("a valid header");
        assert_eq!(step.event, Some(Event::Header(header)));
        decoder
            .skip(u64::try_from(length).expect("it fits") - 1)
            .expect("data can be skipped without being read");
        let mut decoder = restored(decoder);
        assert_eq!(decoder.position(), header.file_length() - 1);
        // The last byte contains one of the (2^32-1)^2 bits.
        assert_eq!(decoder.push(&[1]).expect("the last byte").event, Some(Event::Data));
        assert_eq!(decoder.push(&[]).expect("the end").event, Some(Event::End));
        assert_eq!(decoder.finish(), Ok(None));
        assert_eq!(u128::from(decoder.position()), length + 16);
        of_type!(letter, last_entry(&header));
        let mut encoder = Encoder::new(&header);
        let missing = EncodeErrorKind::TooFew { missing: header.entry_count() };
        assert_eq!(encoder.finish(), Err(missing));
        encoder.put(&[0]).expect("there is room");
        assert_eq!(Encoder::load(&encoder.save()), Ok(encoder));
    }
    for (letter, rows, cols) in
        [('Z', 1 << 31, 1 << 30), ('R', all, all), ('C', (1 << 30) + 1, (1 << 30) - 1)]
    {
        let bytes = matrices::header(letter, rows, cols);
        let kind = ErrorKind::SizeOverflow { bits: width(letter) as u8, rows, columns: cols };
        let refused = Decoder::new(Mode::Survey).push(&bytes).err();
        assert_eq!(refused, Some(Error::new(8, kind)), "{letter} {rows}x{cols}");
    }
}

fn last_entry<T: Entry>(header: &Header) {
    let (row, column) = (header.rows() - 1, header.columns() - 1);
    let entries = Entries::<T>::at(header, row, column).expect("the matrix has this type");
    let mut entries = entries.expect("the last one");
    assert_eq!(entries.left(), 1);
    let mut seen = 0;
    let bytes = usize::from(header.matrix_type().bits()).div_ceil(8);
    let fed = entries.feed(&[0xFF; 16][..bytes], |run| {
        assert_eq!((run.row, run.column, run.len()), (row, column, 1));
        seen += run.values().count();
    });
    assert_eq!((fed, seen, entries.left()), (Ok(()), 1, 0));
}
