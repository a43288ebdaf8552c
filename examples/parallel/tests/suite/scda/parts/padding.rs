//! Padding of every length with every defect, checked by the processes and by a serial decoder.

use super::support::{Plan, STYLES, plan, read, serial};
use host_tests::drive::Random;
use linkstream::Encode as _;
use linkstream::Mode;
use linkstream::scda::{Encoder, Style};

/// The padding after these bytes.
fn padding(style: Style, data: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::append(128, style);
    encoder.block(b"", (data.len() as u64).into()).expect("a block");
    encoder.put(data).expect("all of it");
    encoder.end().expect("complete").to_vec()
}

#[test]
fn padding_of_every_kind() {
    let mut random = Random(5);
    let (mut accepted, mut refused) = (0, 0);
    for style in STYLES {
        for length in 0..40_usize {
            for last in [b'x', b'\n'] {
                let mut data = vec![b'd'; length];
                if let Some(to) = data.last_mut() {
                    *to = last;
                }
                let right = padding(style, &data);
                let mut all = vec![right.clone(), vec![b'='; right.len()], padding(Style::Unix, b"")];
                for place in 0..right.len() {
                    let mut wrong = right.clone();
                    wrong[place] = [b'\n', b'\r', b'=', b'!'][random.below(4)];
                    all.push(wrong);
                    all.push(right[..place].to_vec());
                    all.push([&right[..place / 2], &vec![b'?'; place - place / 2]].concat());
                }
                let mut encoder = Encoder::new(style);
                let mut before = encoder.header(b"v", b"u").expect("first").to_vec();
                before.extend(encoder.block(b"b", (length as u64).into()).expect("a block"));
                for mut padding in all {
                    padding.truncate(right.len());
                    let file = [&before[..], &data, &padding].concat();
                    for mode in [Mode::Strict, Mode::Lenient] {
                        let serial = serial(&file, mode, false);
                        // Nobody but the reader of headers sees the last byte of the data.
                        let plan = Plan { skip_data: true, ..plan(mode, false, 2) };
                        let reading = read(&file, plan, &mut random);
                        assert_eq!((reading.end, reading.findings), (serial.end, serial.findings));
                        match reading.end {
                            Ok(()) => accepted += 1,
                            Err(_) => refused += 1,
                        }
                    }
                }
            }
        }
    }
    assert!(accepted > 5_000 && refused > 5_000, "{accepted}, {refused}");
}
