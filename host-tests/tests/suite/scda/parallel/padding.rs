//! Padding of every length with every defect, judged by `Section::check_padding`, by the processes and by a serial
//! decoder.

use crate::scda::model::{MODES, STYLES, padding};
use crate::scda::parallel::support::{Plan, plan, read};
use host_tests::drive::Random;
use linkstream::scda::{self, Count, Decoder, Encoder, Event, Section, SectionType, Style};
use linkstream::{Decode, Error, Mode};

/// Findings and result of the serial decoder, which reads or skips the data.
fn serial(
    file: &[u8],
    data: usize,
    mode: Mode,
    skips: bool,
) -> (Vec<Error<scda::ErrorKind>>, Option<Error<scda::ErrorKind>>) {
    let mut decoder = Decoder::new(mode);
    let mut findings = Vec::new();
    let end = (|| {
        let mut rest = file;
        while !rest.is_empty() {
            if skips && decoder.position() == 224 && data > 0 && rest.len() + data >= data {
                decoder.skip(data as u64)?;
                rest = &rest[data..];
            }
            let step = decoder.push(rest)?;
            rest = &rest[step.consumed..];
            if let Some(Event::Finding(finding)) = step.event {
                findings.push(finding);
            }
        }
        while let Some(event) = decoder.finish()? {
            if let Event::Finding(finding) = event {
                findings.push(finding);
            }
        }
        Ok(())
    })();
    (findings, end.err())
}

/// The same error as the decoder of logical sections returns it.
fn logical(error: Error<scda::ErrorKind>) -> Error<scda::logical::ErrorKind> {
    Error::new(error.at, error.kind.into())
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
                    for byte in [b'\n', b'\r', b'=', b'!'] {
                        let mut wrong = right.clone();
                        wrong[place] = byte;
                        all.push(wrong);
                    }
                    all.push(right[..place].to_vec());
                    all.push([&right[..place / 2], &vec![b'?'; place - place / 2]].concat());
                }
                let mut encoder = Encoder::new(style);
                let mut before = encoder.header(b"v", b"u").expect("first").to_vec();
                before.extend(encoder.block(b"b", (length as u64).into()).expect("a block"));
                let e = Count::from(length as u64);
                let section =
                    Section { offset: 128, section_type: SectionType::Block, n: Count::default(), e };
                for mut padding in all {
                    padding.truncate(right.len());
                    let file = [&before[..], &data, &padding].concat();
                    for mode in MODES {
                        for seen in [true, false] {
                            let (findings, end) = serial(&file, length, mode, !seen);
                            let last = data.last().copied().filter(|_| seen);
                            let found = section.check_padding(length as u64, last, &padding, mode);
                            let meant = match end {
                                None => Ok(findings.first().copied()),
                                Some(error) => Err(error),
                            };
                            assert_eq!(found, meant, "{length}, {last:?}, {padding:?}, {mode:?}");
                            match found {
                                Ok(_) => accepted += 1,
                                Err(_) => refused += 1,
                            }
                        }
                        if random.below(8) == 0 {
                            let (findings, end) = serial(&file, length, mode, false);
                            // Nobody but the reader of headers sees the last byte of the data.
                            let plan = Plan { skip_data: true, ..plan(mode, false, 2) };
                            let reading = read(&file, plan, &mut random);
                            let findings: Vec<_> = findings.into_iter().map(logical).collect();
                            assert_eq!((reading.end.err(), reading.findings), (end.map(logical), findings));
                        }
                    }
                }
            }
        }
    }
    assert!(accepted > 10_000 && refused > 10_000, "{accepted}, {refused}");
    // No padding, whatever follows.
    let inline =
        Section { offset: 128, section_type: SectionType::Inline, n: Count::default(), e: Count::default() };
    assert_eq!(inline.check_padding(32, None, b"I next", Mode::Strict), Ok(None));
}
