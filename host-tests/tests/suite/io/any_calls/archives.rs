//! Calls of [`ArchiveReader`].

use std::fmt::Debug;
use std::ops::ControlFlow;

use embedded_io::ErrorKind;
use host_tests::archives::{self, links};
use linkstream::io::{Archive, ArchiveError, ArchiveReader, ArchiveWriter, ReadError};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::nersc::{Header, StoredRows};
use linkstream::{CallbackError, Mode, milc, nersc};

use super::{Case, Unsteady, run};
use crate::sinks::{contents, disk};

const CALLS: &[&str] = &[
    "header",
    "read_into",
    "read_into",
    "for_each_site",
    "for_each_rank",
    "for_each_rank",
    "skip",
    "skip_seeking",
    "verdict",
    "finish",
];

/// An archive of 6 sites.
struct Truth {
    numbers: Vec<f64>,
    list: Option<[u32; 6]>,
    /// A bit of the data is wrong.
    is_damaged: bool,
}

/// Effects of the calls so far.
#[derive(Default)]
struct Model {
    /// The caller has all ranks.
    has_list: bool,
    /// Ranks were passed, so that none can be passed again.
    is_list_passed: bool,
    /// Numbers were delivered, or data skipped, so that none can be delivered again.
    is_used: bool,
    /// Data were skipped.
    is_skipped: bool,
}

/// A verdict in the words of both formats.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Match,
    Mismatch,
    Unchecked,
}

fn case<D: Archive<Verdict: Debug, Header: Debug>>(
    case: &mut Case,
    mut reader: ArchiveReader<Unsteady<'_>, Vec<u8>, D>,
    truth: &Truth,
    word: fn(D::Verdict) -> Verdict,
) {
    let proven = if truth.is_damaged { Verdict::Mismatch } else { Verdict::Match };
    let mut model = Model::default();
    for _ in 0..12 {
        let result = match case.call(CALLS) {
            "header" => reader.header().map(|_| ()).map_err(ArchiveError::from),
            "read_into" => {
                let mut numbers = vec![f64::NAN; truth.numbers.len()];
                let result = reader.read_into(&mut numbers);
                if let Ok(verdict) = &result {
                    assert!(!model.is_used && (truth.list.is_none() || model.has_list));
                    assert!(word(*verdict) == proven && numbers == truth.numbers);
                    case.delivered += 1;
                }
                model.is_used |= !numbers[0].is_nan();
                result.map(|_| ())
            }
            "for_each_site" => {
                let (mut sites, most) = (0, case.random.below(9));
                let result = reader.for_each_site(|site| {
                    assert_eq!(site.rank(), sites as u64);
                    let numbers: Vec<f64> = site.numbers().expect("numbers").collect();
                    assert_eq!(numbers, truth.numbers[72 * sites..][..72]);
                    sites += 1;
                    if sites == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                let result = result.map_err(CallbackError::into_failed);
                if let Ok(verdict) = &result {
                    assert!(!model.is_used && truth.list.is_none());
                    assert_eq!((word(*verdict), sites), (proven, if most == 0 { 6 } else { most.min(6) }));
                    case.delivered += 1;
                }
                model.is_used |= sites > 0;
                result.map(|_| ())
            }
            "for_each_rank" => {
                let (mut ranks, most) = (Vec::new(), case.random.below(20));
                let stops = (1..=6).contains(&most);
                let result = reader.for_each_rank(|rank| {
                    ranks.push(rank as u32);
                    if ranks.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                let list = truth.list.as_ref().map_or(&[][..], |list| &list[..]);
                assert!(list.starts_with(&ranks) && (ranks.is_empty() || !model.is_list_passed));
                let result = result.map_err(CallbackError::into_failed);
                if result.is_ok() {
                    assert_eq!(ranks.len(), if stops { most.min(list.len()) } else { list.len() });
                    model.has_list = !stops;
                }
                model.is_list_passed |= !ranks.is_empty();
                result
            }
            "skip" | "skip_seeking" if !case.is_chosen(3) => continue,
            call @ ("skip" | "skip_seeking") => {
                let result = if call == "skip" { reader.skip() } else { reader.skip_seeking() };
                // Refused, or begun.
                model.is_skipped |= matches!(result, Ok(()) | Err(ArchiveError::Read(ReadError::Io(_))));
                model.is_used |= result.is_ok();
                result
            }
            "verdict" => {
                let result = reader.verdict();
                if let Ok(verdict) = &result {
                    let verdict = word(*verdict);
                    assert!(verdict == proven || (model.is_skipped && verdict == Verdict::Unchecked));
                    model.is_used = true;
                }
                result.map(|_| ()).map_err(ArchiveError::from)
            }
            "finish" => {
                let result = reader.finish();
                model.is_used |= result.is_ok();
                result.map_err(ArchiveError::from)
            }
            call => panic!("{call}"),
        };
        check(case, truth, result);
    }
}

/// An error is from the source, or refuses what cannot be delivered any more.
fn check<K: Debug>(case: &mut Case, truth: &Truth, result: Result<(), ArchiveError<ErrorKind, K>>) {
    match result {
        Ok(()) => {}
        Err(ArchiveError::Read(error)) => drop(case.check(Err::<(), _>(error))),
        Err(ArchiveError::AlreadyRead) => {}
        Err(ArchiveError::SiteList) => assert!(truth.list.is_some()),
        Err(error) => panic!("{error:?}"),
    }
}

/// Big-endian numbers of single precision.
fn numbers(data: &[u8]) -> Vec<f64> {
    data.chunks(4).map(|word| f32::from_be_bytes(word.try_into().expect("4 bytes")).into()).collect()
}

#[test]
fn nersc_archives_are_read_by_any_calls() {
    let extents = Extents::new(&[2, 1, 3, 1]).expect("legal");
    let header = Header::new(extents, Precision::F32, StoredRows::Full, ByteOrder::Little).expect("legal");
    let mut truth =
        Truth { numbers: (0..6 * 72).map(|n| f64::from(n) * 0.25).collect(), list: None, is_damaged: false };
    let mut writer = ArchiveWriter::create(disk(Vec::new()), vec![0; 1024], &header, &[]).expect("legal");
    writer.put(&truth.numbers[..]).expect("all of them");
    let mut file = contents(writer.finish_seeking().expect("complete"));
    let word = |verdict| match verdict {
        nersc::Verdict::Match { .. } => Verdict::Match,
        nersc::Verdict::Unchecked => Verdict::Unchecked,
        _ => Verdict::Mismatch,
    };
    for is_damaged in [false, true] {
        if is_damaged {
            // The last number, which is 107.75.
            let end = file.len();
            file[end - 2] ^= 1;
            truth.numbers[6 * 72 - 1] =
                f32::from_le_bytes(file[end - 4..].try_into().expect("4 bytes")).into();
            truth.is_damaged = true;
        }
        let delivered = run(3000, |each| {
            let decoder = nersc::Decoder::new(Mode::Survey);
            let reader = ArchiveReader::with_decoder(each.source(&file), each.buffer(), decoder);
            case(each, reader, &truth, word);
        });
        assert!(delivered > 100, "{delivered}");
    }
}

#[test]
fn files_of_milc_are_read_by_any_calls() {
    let data = links(24, true);
    let word = |verdict| match verdict {
        milc::Verdict::Match { .. } => Verdict::Match,
        milc::Verdict::Unchecked => Verdict::Unchecked,
        _ => Verdict::Mismatch,
    };
    for (list, is_damaged) in
        [(None, false), (Some([5, 0, 4, 1, 3, 2]), false), (Some([5, 0, 4, 1, 3, 2]), true)]
    {
        let mut file = archives::milc([3, 1, 2, 1], list.as_ref().map(|list| &list[..]), &data, true);
        let mut truth = Truth { numbers: numbers(&data), list, is_damaged };
        if is_damaged {
            let end = file.len();
            file[end - 2] ^= 1;
            truth.numbers = numbers(&file[end - data.len()..]);
        }
        let delivered = run(3000, |each| {
            let decoder = milc::Decoder::new(Mode::Survey);
            let reader = ArchiveReader::with_decoder(each.source(&file), each.buffer(), decoder);
            case(each, reader, &truth, word);
        });
        assert!(delivered > 30, "{delivered}");
    }
}
