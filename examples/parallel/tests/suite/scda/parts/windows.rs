//! Parts of sections at large offsets and of excessive sizes, truncated files, wrong sizes and failing sinks: the
//! result is exact or a typed error, and no number wraps.

use super::files::deal;
use super::support::decoder_at_varray;
use host_tests::drive::Random;
use linkstream::Encode as _;
use linkstream::scda::{Count, EncodeErrorKind, Encoder, PlainDecoder, Section, SectionType, Style};
use linkstream::{Decode, Mode};
use linkstream_parallel::scda::parts::{
    DataPart, ElementPart, PartEncoder, PartError, PartitionError, RankExtent,
};

fn count(n: u128) -> Count {
    Count::new(n).expect("26 digits")
}

fn section(offset: u64, section_type: SectionType, n: u128, e: u128) -> Section {
    Section::new(offset, section_type, count(n), count(e))
}

/// Numbers of any magnitude, often near a power of two.
fn any(random: &mut Random, bits: usize) -> u128 {
    let power = 1_u128 << random.below(bits);
    let near = random.below(5) as u128;
    match random.below(3) {
        0 => power.saturating_sub(near),
        1 => power + near,
        _ => near,
    }
}

/// Length of the padding as defined in the paper: the number from 7 to 38 that completes a multiple of 32.
fn padding(length: u128) -> u128 {
    (7..=38).find(|p| (length + p).is_multiple_of(32)).expect("one of 32")
}

/// Every part is computed exactly, as with numbers of more digits, or refused because it would end beyond 2^64.
#[test]
fn windows_are_exact_up_to_64_bits() {
    let mut random = Random(5);
    let mut beyond = 0;
    for _ in 0..200_000 {
        let offset = any(&mut random, 64).min(u64::MAX.into()) as u64 & !31;
        let (n, e) = (any(&mut random, 80), any(&mut random, 80));
        let array = section(offset, SectionType::Array, n, e);
        let processes = 1 + random.below(7);
        let counts = deal(count(n), processes, &mut random);
        let q = random.below(processes);
        let elements = ElementPart::of(q, counts.iter().copied(), array.n).expect("a partition");
        let c: u128 = counts[..q].iter().map(|n| n.get()).sum();
        assert_eq!((elements.first().get(), elements.count()), (c, counts[q]));

        let start = u128::from(offset) + 128;
        let all = n.checked_mul(e);
        let end = all.and_then(|all| start.checked_add(all)?.checked_add(padding(all)));
        let fits = end.filter(|end| *end <= u64::MAX.into());
        match (RankExtent::array(q, &array, &elements), fits) {
            (Ok(share), Some(next)) => {
                let (b, s) = (c * e, counts[q].get() * e);
                assert_eq!(u128::from(share.data().offset()), start + b);
                assert_eq!(u128::from(share.data().length()), s);
                assert_eq!(u128::from(share.next_offset()), next);
                let owner = (0..processes).rfind(|p| counts[*p].get() * e > 0).unwrap_or(0);
                let own = if owner == q { padding(n * e) } else { 0 };
                assert_eq!(u128::from(share.padding().length()), own);
                assert_eq!(share.head().length(), if q == 0 { 128 } else { 0 });
            }
            (Err(PartitionError::TooLong), None) => beyond += 1,
            (found, expected) => panic!("{array:?}: {found:?} instead of {expected:?}"),
        }

        let varray = section(offset, SectionType::Varray, n, 0);
        let start = u128::from(offset) + 96;
        let lines = 32_u128.checked_mul(n).map(|lines| start + lines).filter(|end| *end <= u64::MAX.into());
        // Elements without data; all of their lines must be addressable.
        match (RankExtent::varray(q, &varray, &elements, &DataPart::new(0, 0, 0).unwrap()), lines) {
            (Err(PartitionError::TooLong), Some(data)) => assert!(data + 32 > u64::MAX.into()),
            (Ok(share), Some(data)) => {
                let window = share.sizes();
                assert_eq!(u128::from(window.offset()), start + 32 * c);
                assert_eq!(u128::from(window.length()), 32 * counts[q].get());
                let total = any(&mut random, 64).min(u64::MAX.into()) as u64;
                let total = if n == 0 { 0 } else { total };
                let whole = ElementPart::new(count(0), count(n), count(n)).expect("complete");
                let part = DataPart::new(0, total, total).expect("complete");
                let next = data + u128::from(total) + padding(total.into());
                match RankExtent::varray(0, &varray, &whole, &part) {
                    Ok(share) => assert_eq!(u128::from(share.next_offset()), next),
                    Err(error) => {
                        assert!(error == PartitionError::TooLong && next > u64::MAX.into(), "{error}");
                    }
                }
            }
            (Err(PartitionError::TooLong), None) => beyond += 1,
            (found, expected) => panic!("{varray:?}: {found:?} instead of {expected:?}"),
        }
    }
    assert!(beyond > 10_000);
}

/// Values that libsc casts to an int: parts of 2 GiB and more (sheet, 9.2), and products that wrap (9.6).
#[test]
fn parts_beyond_32_bits() {
    for s in [1_u64 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 62] {
        let array = section(128, SectionType::Array, 2, s.into());
        let share = |q| RankExtent::array(q, &array, &ElementPart::of(q, [1, 1], array.n).unwrap()).unwrap();
        let [q0, q1] = [share(0), share(1)];
        assert_eq!([q0.data().offset(), q0.data().end(), q1.data().end()], [256, 256 + s, 256 + 2 * s]);
        assert_eq!(q1.padding().end(), q1.next_offset());
    }
    let wraps = section(128, SectionType::Array, 1 << 33, 1 << 31);
    let elements = ElementPart::of(0, [1 << 33], wraps.n).unwrap();
    assert_eq!(RankExtent::array(0, &wraps, &elements), Err(PartitionError::TooLong));
    // The last possible section, which ends at 2^64 - 32. With one more element it is refused.
    let offset = u64::MAX - 255;
    let part = |n: u64| ElementPart::of(0, [n], n.into()).unwrap();
    let last = |n: u64| RankExtent::array(0, &section(offset, SectionType::Array, n.into(), 1), &part(n));
    assert_eq!(last(89).unwrap().next_offset(), u64::MAX - 31);
    assert_eq!(last(90), Err(PartitionError::TooLong));
    // Every position of a variable array whose lines fill all remaining offsets.
    let none = DataPart::new(0, 0, 0).unwrap();
    let lines = |n: u64| {
        let varray = section(u64::MAX - 255, SectionType::Varray, n.into(), 0);
        RankExtent::varray(0, &varray, &part(n), &none)
    };
    let window = lines(3).unwrap().sizes();
    assert_eq!((window.offset(), window.length()), (u64::MAX - 159, 96));
    assert_eq!([lines(4), lines(5)], [Err(PartitionError::TooLong); 2]);
}

/// The padding depends on the last byte of the data: it is written by the last process with data, not by the last with
/// an element (sheet, 4 and 9.5).
#[test]
fn the_owner_of_the_padding_has_the_last_byte() {
    let sizes = [3_u64, 2, 0, 0];
    let varray = section(128, SectionType::Varray, 4, 0);
    for (counts, owner) in [([2, 1, 1], 0), ([1, 2, 1], 1), ([0, 1, 3], 2), ([1, 1, 2], 1), ([0, 4, 0], 1)] {
        let mut rest = sizes.as_slice();
        let lengths = counts.map(|n| {
            let (own, behind) = rest.split_at(n);
            rest = behind;
            own.iter().sum::<u64>()
        });
        for q in 0..3 {
            let elements = ElementPart::of(q, counts.map(|n| n as u64), varray.n).unwrap();
            let share =
                RankExtent::varray(q, &varray, &elements, &DataPart::of(q, lengths).unwrap()).unwrap();
            assert_eq!(!share.padding().is_empty(), q == owner, "{counts:?}");
        }
    }
    // No data: elements of 0 bytes, or no elements.
    for n in [0, 4] {
        let section = section(128, SectionType::Array, n, 0);
        for q in 0..3 {
            let elements = ElementPart::of(q, [0, n as u64, 0], section.n).unwrap();
            let share = RankExtent::array(q, &section, &elements).unwrap();
            assert_eq!(share.padding().length(), if q == 0 { 32 } else { 0 });
        }
    }
}

#[test]
fn parts_that_contradict_the_section_are_refused() {
    use PartitionError::{Contradiction, OtherTotal, OtherType, Outside};
    let varray = section(128, SectionType::Varray, 5, 0);
    let elements = |q| ElementPart::of(q, [2, 0, 3], varray.n).unwrap();
    let share =
        |q, b, s, all| RankExtent::varray(q, &varray, &elements(q), &DataPart::new(b, s, all).unwrap());
    assert!(share(0, 0, 3, 11).is_ok());
    // An inclusive scan, a scan without the last bytes, and bytes without elements.
    assert_eq!(share(0, 3, 3, 11), Err(Contradiction));
    assert_eq!(share(2, 2, 8, 11), Err(Contradiction));
    assert_eq!(share(1, 3, 1, 11), Err(Contradiction));
    assert!(matches!(DataPart::new(11, 8, 11), Err(Outside { .. })));

    let four = ElementPart::of(0, [4], 4.into()).unwrap();
    let none = DataPart::new(0, 0, 0).unwrap();
    let other = Err(OtherTotal { part: 4.into(), section: 5.into() });
    assert_eq!(RankExtent::varray(0, &varray, &four, &none), other);
    let array = section(128, SectionType::Array, 5, 7);
    let other = Err(OtherTotal { part: 4.into(), section: 5.into() });
    assert_eq!(RankExtent::array(0, &array, &four), other);

    let other = |section_type| Err(OtherType { section_type });
    assert_eq!(RankExtent::array(0, &varray, &elements(0)), other(SectionType::Varray));
    assert_eq!(RankExtent::whole(0, &array, 0), other(SectionType::Array));
    assert_eq!(RankExtent::varray(0, &array, &elements(0), &none), other(SectionType::Array));
}

/// The compression convention: the offset of the second half, and the `U` lines of a process (sheet, 4).
#[test]
fn halves_of_compressed_sections() {
    let o = 4096;
    let inline = section(o, SectionType::Inline, 0, 0);
    assert_eq!(RankExtent::whole(3, &inline, 1).unwrap().next_offset(), o + 96);
    let list = section(o, SectionType::Array, 5, 32);
    for (q, window) in [(0, [0, 2]), (1, [2, 2]), (2, [2, 5])] {
        let elements = ElementPart::of(q, [2, 0, 3], list.n).unwrap();
        let share = RankExtent::array(q, &list, &elements).unwrap();
        assert_eq!([share.data().offset(), share.data().end()], window.map(|c| o + 128 + 32 * c));
        assert_eq!(share.next_offset(), o + 128 + 32 * 5 + 32);
    }
}

/// A file with one variable array.
fn varray(sizes: &[u64]) -> Vec<u8> {
    let mut encoder = Encoder::new(Style::Unix);
    let mut file = encoder.header(b"", b"").unwrap().to_vec();
    file.extend_from_slice(encoder.varray(b"v", (sizes.len() as u64).into()).unwrap());
    sizes.iter().for_each(|size| file.extend_from_slice(&encoder.size(*size).unwrap()));
    let data = vec![b'x'; sizes.iter().sum::<u64>() as usize];
    encoder.put(&data).unwrap();
    file.extend_from_slice(&data);
    file.extend_from_slice(encoder.end().unwrap());
    file
}

/// A wrong line is reported with the same error as by a decoder that reads the whole file.
#[test]
fn wrong_lines_are_reported_as_by_the_decoder() {
    let bytes = varray(&[5, 0, 12, u64::from(u32::MAX) >> 16, 1]);
    let all = ElementPart::of(0, [5], 5.into()).unwrap();
    let window = decoder_at_varray(&bytes).sizes(&all).unwrap().window();
    let largest = format!("E {} --------\n", u64::MAX);
    let mut wrong: Vec<(usize, Vec<u8>)> = vec![
        (0, largest.clone().into_bytes()),
        (2, largest.into_bytes()),
        (1, b"E 99999999999999999999999999 --\n".to_vec()),
        (3, b"E 18446744073709551616 --------\n".to_vec()),
        (4, b"E 05 --------------------------\n".to_vec()),
    ];
    for at in 0..32 {
        for byte in [0, b'0', b' ', b'-', b'U', 0xFF] {
            let line = at % 5;
            let start = window.offset() as usize + 32 * line;
            let mut changed = bytes[start..start + 32].to_vec();
            changed[at] = byte;
            wrong.push((line, changed));
        }
    }
    let mut refused = 0;
    for (line, new) in wrong {
        assert_eq!(new.len(), 32, "{}", String::from_utf8_lossy(&new));
        let mut bytes = bytes.clone();
        bytes[window.offset() as usize + 32 * line..][..32].copy_from_slice(&new);
        let mut decoder = PlainDecoder::new(Mode::Strict);
        let mut rest = &bytes[..window.end() as usize];
        let expected = loop {
            match decoder.push(rest) {
                Ok(step) if step.event.is_none() => break Ok(decoder.data_length()),
                Ok(step) => rest = &rest[step.consumed..],
                Err(error) => break Err(error),
            }
        };
        refused += u32::from(expected.is_err());
        let mut lines = decoder_at_varray(&bytes).sizes(&all).unwrap();
        let there = bytes[window.offset() as usize..window.end() as usize].as_chunks().0;
        let found = there.iter().try_for_each(|line| lines.size(line).map(drop)).map(|()| lines.sum());
        assert_eq!(found, expected);
    }
    assert!(refused > 60, "{refused}");
    // Nothing after the last line is taken for a size.
    let none = ElementPart::new(5.into(), 0.into(), 5.into()).unwrap();
    let mut lines = decoder_at_varray(&bytes).sizes(&none).unwrap();
    assert!(lines.size(b"E 1 ---------------------------\n").is_err());
}

/// Calls that are refused change nothing; process 1 has 2 of 4 elements.
#[test]
fn nothing_is_written_outside_the_window() {
    type Kind = EncodeErrorKind;
    let elements = ElementPart::of(1, [1, 2, 1], 4.into()).unwrap();
    let mut encoder = PartEncoder::new(1, Style::Unix);
    let array = |encoder: &mut PartEncoder, data: &'static [u8]| {
        let data = [data];
        let pieces = encoder.array(b"a", 3.into(), &elements, &data)?;
        Ok::<_, PartError>(
            pieces.writes().map(|piece| (piece.offset, piece.bytes.to_vec())).collect::<Vec<_>>(),
        )
    };
    assert_eq!(array(&mut encoder, b"abcdef"), Err(Kind::HeaderOrder.into()));
    assert_eq!(encoder.header(b"v", b"u").unwrap(), b"", "another process writes the header");
    assert_eq!(encoder.header(b"v", b"u"), Err(Kind::HeaderOrder.into()));
    let long = encoder.inline::<&[u8]>(&[b'u'; 59], 0, &[]).map(drop);
    assert_eq!(long, Err(Kind::StringTooLong { length: 59, limit: 58 }.into()));
    assert_eq!(array(&mut encoder, b"abcdefg"), Err(Kind::DataTooLong { offered: 7, room: 6 }.into()));
    assert_eq!(array(&mut encoder, b"ab"), Err(Kind::DataTooShort { missing: 4 }.into()));
    assert_eq!(encoder.position(), 128);
    // Another process writes the padding.
    assert_eq!(array(&mut encoder, b"abcdef"), Ok(vec![(128 + 128 + 3, b"abcdef".to_vec())]));

    // 12 bytes of data and 20 of padding, whichever process writes them.
    assert_eq!(encoder.position(), 288);
    let data = DataPart::of(1, [5, 7, 0]).unwrap();
    let varray = |encoder: &mut PartEncoder, sizes: &[u64]| {
        let pieces = encoder.varray(b"v", &elements, &data, sizes, &[b"1234567"])?;
        Ok::<_, PartError>(pieces.writes().last().expect("padding").bytes.to_vec())
    };
    let sum = |sum| Err(PartError::SizeSum { sum, expected: 7 });
    assert_eq!(varray(&mut encoder, &[3, 5]), sum(8));
    assert_eq!(varray(&mut encoder, &[3, u64::MAX]), sum(u128::from(u64::MAX) + 3));
    assert_eq!(varray(&mut encoder, &[7]), Err(Kind::SizesMissing { missing: 1 }.into()));
    assert_eq!(varray(&mut encoder, &[3, 4, 0]), Err(Kind::SizeUnexpected.into()));
    // Process 2 has an element without data, so that process 1 writes the padding.
    assert_eq!(varray(&mut encoder, &[3, 4]).as_deref(), Ok(&b"\n=================\n\n"[..]));
    assert_eq!(encoder.position(), 544);
}
