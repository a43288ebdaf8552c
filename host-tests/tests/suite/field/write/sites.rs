//! Words that do not fit a site are refused by every call that writes or reads sites. Otherwise doubles in a field of
//! singles, too few words or too many would make a file with a valid checksum and wrong data.

use std::fmt::Debug;

use crate::field::write::refusals::{failed, in_data, lattice, real};
use crate::sinks::{contents, disk};
use linkstream::Encode as _;
use linkstream::field::{
    Decoder, EncodeErrorKind, Encoder, Event, Field, MissingPlace, OutgoingMessage, SiteError, SiteMut,
    Sites, SitesError,
};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::{FieldWriter, Fill, WriteError};
use linkstream::lattice::{Precision, Region, Word};
use linkstream::{CallbackError, Decode, Mode};

const SITES: usize = 4;
const NUMBERS: usize = 2 * 18;

fn su3(precision: Precision) -> Format {
    Format::new(GaugeKind::SU3, precision, [2, 2, 1, 1])
}

type Outcome = Result<(), CallbackError<EncodeErrorKind, SiteError>>;

/// The result of a writer's calls of a callback for each site, and the number of data bytes written.
type Answer = (Outcome, usize);

/// The result without the variants for errors of the writer.
fn outcome<T, W: Debug>(
    answer: Result<T, CallbackError<WriteError<W, EncodeErrorKind>, SiteError>>,
) -> Outcome {
    answer.map(drop).map_err(|error| match error {
        CallbackError::Callback(error) => CallbackError::Callback(error),
        CallbackError::Failed(WriteError::Refused(kind)) => CallbackError::Failed(kind),
        CallbackError::Failed(error) => panic!("{error:?}"),
    })
}

fn by_writer(format: &Format, fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), SiteError>) -> Answer {
    let message = OutgoingMessage::ildg(format).with_checksum(true);
    let mut buffer = [0; 1000];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    let outcome = outcome(writer.write(&message, Fill::sites(fill)));
    let (sink, encoder) = writer.into_parts();
    let record = encoder.field().expect("has begun").record;
    let written = contents(sink).len() - record.payload_offset() as usize;
    (outcome, if outcome.is_ok() { record.length as usize } else { written })
}

fn by_push(format: &Format, fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), SiteError>) -> Answer {
    let mut encoder = in_data(&OutgoingMessage::ildg(format).with_checksum(true));
    let (mut buffer, mut bytes, mut source) = ([0; 1000], 0, Fill::sites(fill));
    while encoder.room() > 0 {
        match encoder.fill(&mut source, &mut buffer) {
            Ok(filled) => bytes += filled.expect("sites are left").len(),
            Err(error) => return (Err(error), bytes),
        }
    }
    (Ok(()), bytes)
}

/// Verifies the result of both ways to write if a callback writes `words` to the site `at` and correct words to
/// the others.
#[track_caller]
fn answers<T: Word>(precision: Precision, at: usize, words: &[T], expected: Result<(), SiteError>) {
    let format = su3(precision);
    let fill = |site: &mut SiteMut<'_>| match (site.index() == at, precision) {
        (true, _) => site.put(words),
        (_, Precision::F32) => site.put(&[1.0_f32; NUMBERS]),
        (_, Precision::F64) => site.put(&[1.0_f64; NUMBERS]),
    };
    // The sites before the refused one are written, and nothing after it.
    let written = if expected.is_ok() { SITES } else { at } * NUMBERS * precision.size();
    for (way, answer) in [("writer", by_writer(&format, fill)), ("push", by_push(&format, fill))] {
        assert_eq!(answer, (expected.map_err(CallbackError::Callback), written), "{way}");
    }
}

/// A callback that returns `Ok` without filling its site is refused; otherwise the rest of the site would be zeros.
#[test]
fn sites_that_are_not_filled_are_refused() {
    let format = su3(Precision::F32);
    let [link, zeros] = [[1.0_f32; 18], [0.0_f32; 18]];
    type Fill<'f> = &'f dyn Fn(&mut SiteMut<'_>) -> Result<(), SiteError>;
    let link_0 = MissingPlace { link: Some(0), from: 0, to: 72 };
    let link_1 = MissingPlace { link: Some(1), from: 72, to: 144 };
    let too_few: [(&str, MissingPlace, Fill<'_>); 10] = [
        ("nothing", link_0, &|_| Ok(())),
        ("words that are refused", link_0, &|site| site.put(&link).or(Ok(()))),
        ("one link of two", link_0, &|site| site.link_mut(1)?.put(&link)),
        ("one link twice", link_1, &|site| (0..2).try_for_each(|_| site.link_mut(0)?.put(&link))),
        ("one unphysical link of two", link_1, &|site| {
            site.link_mut(0)?.set_unphysical();
            Ok(())
        }),
        ("one link, put and unphysical", link_0, &|site| {
            site.link_mut(1)?.put(&link)?;
            site.link_mut(1)?.set_unphysical();
            Ok(())
        }),
        ("all numbers but one", MissingPlace { to: 4, ..link_0 }, &|site| {
            (1..NUMBERS).try_for_each(|index| site.set(index, 1.0))
        }),
        ("all numbers but one, and another twice", MissingPlace { from: 32, to: 36, ..link_0 }, &|site| {
            (0..NUMBERS).try_for_each(|index| site.set(index ^ usize::from(index == 8), 1.0))
        }),
        ("the diagonal of a link", MissingPlace { from: 8, to: 32, ..link_0 }, &|site| {
            (0..3).try_for_each(|i| site.link_mut(0)?.set(i, i, [1.0, 0.0]))
        }),
        ("one row twice", MissingPlace { from: 120, to: 144, ..link_1 }, &|site| {
            site.link_mut(0)?.put(&link)?;
            (0..9).try_for_each(|n| site.link_mut(1)?.set(n / 3 % 2, n % 3, [1.0, 0.0]))
        }),
    ];
    for (what, missing, fill) in too_few {
        for at in 0..SITES {
            let fill = |site: &mut SiteMut<'_>| match site.index() == at {
                true => fill(site),
                false => site.put_rounded(&[1.0_f64; NUMBERS]),
            };
            let error = EncodeErrorKind::SiteNotFilled { missing };
            for answer in [by_writer(&format, fill), by_push(&format, fill)] {
                assert_eq!(answer, (Err(CallbackError::Failed(error)), at * 144), "{what}");
            }
        }
    }
    let enough: [(&str, Fill<'_>); 7] = [
        ("link by link", &|site| (0..2).try_for_each(|mu| site.link_mut(mu)?.put(&link))),
        ("number by number", &|site| (0..NUMBERS).try_for_each(|index| site.set(index, 1.0))),
        ("element by element", &|site| {
            (0..18).try_for_each(|n| site.link_mut(n / 9)?.set(n / 3 % 3, n % 3, [1.0; 2]))
        }),
        ("zeros, and the diagonal", &|site| {
            (0..2).try_for_each(|mu| {
                let mut matrix = site.link_mut(mu)?;
                matrix.put(&zeros)?;
                (0..3).try_for_each(|i| matrix.set(i, i, [1.0, 0.0]))
            })
        }),
        ("one link twice and the other", &|site| {
            [1, 1, 0, 1].into_iter().try_for_each(|mu| site.link_mut(mu)?.put(&link))
        }),
        ("column by column, backwards", &|site| {
            (0..18).rev().try_for_each(|n| site.link_mut(n / 9)?.set(n % 3, n / 3 % 3, [1.0; 2]))
        }),
        ("bytes", &|site| {
            site.bytes_mut().fill(0);
            Ok(())
        }),
    ];
    for (what, fill) in enough {
        for answer in [by_writer(&format, fill), by_push(&format, fill)] {
            assert_eq!(answer, (Ok(()), SITES * 144), "{what}");
        }
    }
    let text =
        "the next site is incomplete: the callback has not put bytes 72 to 143, in the link with index 1";
    assert_eq!(EncodeErrorKind::SiteNotFilled { missing: link_1 }.to_string(), text);
}

/// Each kind of gauge field, with any number of links, and absent links at an open boundary: a link that is put as
/// often as there are links does not make up for the others.
#[test]
fn a_link_put_twice_does_not_replace_another() {
    for (name, precision) in
        ["u1gauge", "u1phase", "su2gauge", "su3gauge", "su12gauge", "so3gauge", "sp4gauge"]
            .into_iter()
            .flat_map(|name| [(name, Precision::F32), (name, Precision::F64)])
    {
        let kind = GaugeKind::parse(name.as_bytes()).expect("a kind of gauge field");
        for extents in [[2, 1, 1, 1], [2, 2, 1, 1], [2, 2, 2, 1], [2, 2, 2, 2]] {
            let full = Format::new(kind, precision, extents);
            for format in kind.reduced_rows().and_then(|rows| full.with_rows(rows)).into_iter().chain([full])
            {
                let links = usize::from(format.links_per_site());
                let size = format.bytes_per_site() as usize / links;
                let zeros = vec![0.0_f64; size / precision.size()];
                let put = |site: &mut SiteMut<'_>, mu: usize, is_absent: bool| {
                    let mut link = site.link_mut(mu)?;
                    match (is_absent, precision) {
                        (true, _) => {
                            link.set_unphysical();
                            Ok(())
                        }
                        (_, Precision::F64) => link.put(&zeros),
                        (_, Precision::F32) => link.put(&zeros.iter().map(|n| *n as f32).collect::<Vec<_>>()),
                    }
                };
                let write = |fill: &dyn Fn(&mut SiteMut<'_>) -> Result<(), SiteError>| {
                    let mut encoder = in_data(&OutgoingMessage::ildg(&format));
                    let mut buffer = vec![0; size * links];
                    encoder.fill(&mut Fill::sites(fill).at_most(1), &mut buffer).map(drop)
                };
                for is_absent in [false, true] {
                    for skipped in 0..links {
                        // The link before it, or after the first, in its place.
                        let other = if skipped == 0 { links - 1 } else { skipped - 1 };
                        let outcome = write(&|site| {
                            (0..links).try_for_each(|mu| {
                                put(site, if mu == skipped { other } else { mu }, is_absent)
                            })
                        });
                        let (from, to) = ((skipped * size) as u64, ((skipped + 1) * size) as u64);
                        let missing = MissingPlace { link: Some(skipped as u32), from, to };
                        let expected = if links == 1 {
                            Ok(())
                        } else {
                            Err(CallbackError::Failed(EncodeErrorKind::SiteNotFilled { missing }))
                        };
                        assert_eq!(outcome, expected, "{name} {precision:?} {extents:?} {skipped}");
                    }
                    // Backwards, and some of them absent.
                    let outcome = write(&|site| {
                        (0..links).rev().try_for_each(|mu| put(site, mu, is_absent == (mu == 0)))
                    });
                    assert_eq!(outcome, Ok(()), "{name} {precision:?} {extents:?}");
                }
            }
        }
    }
}

#[test]
fn words_of_another_type_are_refused() {
    for at in 0..SITES {
        let single = Err(SiteError::WordType { stored: Precision::F32 });
        answers(Precision::F32, at, &[1.0_f32; NUMBERS], Ok(()));
        answers(Precision::F32, at, &[1.0_f64; NUMBERS], single);
        // The same number of bytes, but half as many numbers.
        answers(Precision::F32, at, &[1.0_f64; NUMBERS / 2], single);
        answers(Precision::F32, at, &[1_u32; NUMBERS], single);
        answers(Precision::F32, at, &[1_u8; NUMBERS * 4], single);
        let double = Err(SiteError::WordType { stored: Precision::F64 });
        answers(Precision::F64, at, &[1.0_f64; NUMBERS], Ok(()));
        answers(Precision::F64, at, &[1.0_f32; NUMBERS], double);
        answers(Precision::F64, at, &[1.0_f32; NUMBERS * 2], double);
        answers(Precision::F64, at, &[1_u64; NUMBERS], double);
    }
}

#[test]
fn too_few_words_and_too_many_are_refused() {
    for at in [0, SITES - 1] {
        for given in [0, 1, NUMBERS - 1, NUMBERS + 1, 2 * NUMBERS] {
            let error = |size: usize| {
                Err(SiteError::Length { needed: (NUMBERS * size) as u64, given: (given * size) as u64 })
            };
            answers(Precision::F32, at, &vec![1.0_f32; given], error(4));
            answers(Precision::F64, at, &vec![1.0_f64; given], error(8));
        }
    }
    let sentence = "wrong number of words: the data have 288 bytes, but the words would take 280";
    assert_eq!(SiteError::Length { needed: 288, given: 280 }.to_string(), sentence);
}

/// A refused call changes nothing, so that the callback can still write the correct words.
#[test]
fn a_refused_call_changes_nothing() {
    let format = su3(Precision::F32);
    let encoder = in_data(&OutgoingMessage::ildg(&format));
    let mut buffer = [0; 144];
    let mut refused = Fill::sites(|site| {
        site.put(&[2.0_f32; NUMBERS])?;
        let before = site.bytes_mut().to_vec();
        assert!(site.put(&[1.0_f64; NUMBERS]).is_err());
        assert!(site.put(&[1.0_f32; NUMBERS - 1]).is_err());
        assert!(site.put_rounded(&[1.0_f64; NUMBERS + 1]).is_err());
        assert_eq!(site.set(NUMBERS, 1.0), Err(SiteError::NoSuchElement));
        assert_eq!(site.link_mut(2).err(), Some(SiteError::NoSuchLink { index: 2, links: 2 }));
        let mut link = site.link_mut(1)?;
        assert_eq!(link.put(&[1.0_f64; 18]), Err(SiteError::WordType { stored: Precision::F32 }));
        assert_eq!(link.put(&[1.0_f32; 17]), Err(SiteError::Length { needed: 72, given: 68 }));
        assert_eq!(link.set(3, 0, [1.0; 2]), Err(SiteError::NoSuchElement));
        assert_eq!(link.set(0, 3, [1.0; 2]), Err(SiteError::NoSuchElement));
        assert!(site.bytes_mut() == before);
        Ok::<(), SiteError>(())
    });
    let filled = encoder.clone().fill(&mut refused, &mut buffer).expect("room for a site");
    assert_eq!(filled.map(<[u8]>::len), Some(144));
    let mut rounded = Fill::sites(|site| site.put_rounded(&[0.1_f64; NUMBERS]));
    let filled = encoder.clone().fill(&mut rounded, &mut buffer).expect("room for a site");
    assert!(filled.is_some_and(|bytes| bytes.starts_with(&0.1_f32.to_be_bytes())));
}

/// The callback's error is returned with its own type. The field can be completed afterwards, with the same result.
#[test]
fn a_callback_that_fails_can_be_called_again() {
    let format = su3(Precision::F64);
    let message = OutgoingMessage::ildg(&format).with_checksum(true);
    let put = |site: &mut SiteMut<'_>| site.put(&[site.rank() as f64; NUMBERS]);
    let write = |stop: Option<usize>, room: usize| {
        let mut buffer = vec![0; room];
        let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
        let sites = Fill::sites(|site| match Some(site.index()) == stop {
            true => Err("not now"),
            false => put(site).map_err(|_| "refused"),
        });
        let answer = writer.write(&message, sites);
        if let Some(stop) = stop {
            assert!(matches!(answer, Err(CallbackError::Callback("not now"))), "{answer:?}");
            assert_eq!(writer.encoder().site().map(|site| site.done()), Some(stop as u64), "{room}");
            let open = WriteError::<std::io::Error, _>::Refused(EncodeErrorKind::MessageOpen).to_string();
            assert_eq!(writer.complete().map_err(|error| error.to_string()), Err(open));
            writer.put(Fill::sites(put)).map_err(failed).expect("the rest");
            writer.end(&message).expect("complete");
        } else {
            assert!(answer.is_ok(), "{answer:?}");
        }
        contents(writer.finish().expect("complete"))
    };
    let file = write(None, 1 << 12);
    for (stop, room) in [(0, 512), (1, 512), (3, 512), (2, 1 << 12)] {
        assert!(write(Some(stop), room) == file, "{stop} {room}");
    }
}

/// A file of two messages with a field of doubles without links on 2x2, its field, and the data.
fn reals() -> (Vec<u8>, Field, Vec<u8>) {
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    writer.write_message(&OutgoingMessage::file(&lattice(&[2, 2]), b"")).expect("legal");
    let record = real(&Region::Lattice);
    let ranks = Fill::sites(|site| site.put(&[site.rank() as f64]));
    let field = writer.write(&OutgoingMessage::scidac(&record, b""), ranks);
    field.expect("legal");
    let file = contents(writer.into_parts().0);
    let mut decoder = Decoder::new(Mode::Strict);
    let mut rest = file.as_slice();
    loop {
        let step = decoder.push(rest).expect("a valid file");
        rest = &rest[step.consumed..];
        if step.event == Some(Event::Field) {
            let field = *decoder.field().expect("announced");
            let payload = rest[..32].to_vec();
            return (file, field, payload);
        }
    }
}

#[test]
fn sites_are_not_handed_out_where_nothing_has_begun() {
    let (_, field, payload) = reals();
    let mut buffer = [0; 8];
    let mut sites = Sites::new(&mut buffer);
    let ignore = |_: linkstream::field::Site<'_>| Ok::<(), SiteError>(());
    let not_begun = Err(CallbackError::Failed(SitesError::NotBegun));
    assert_eq!(sites.feed(&field, &payload, ignore), not_begun);
    assert_eq!(sites.begin(None), Err(SitesError::NotBegun));
    sites.begin(&field).expect("there is room");
    assert_eq!(sites.feed(None, &payload, ignore), not_begun);
    // Another field than the one that was begun.
    let mut other = field;
    other.record.offset += 8;
    assert_eq!(sites.feed(&other, &payload, ignore), not_begun);
    assert_eq!(sites.feed(&field, &payload, ignore), Ok(()));
    assert_eq!(sites.feed(&field, &[0; 7], ignore), Ok(()), "the site is still incomplete");
    assert_eq!(sites.feed(&field, &[0], ignore), Err(CallbackError::Failed(SitesError::TooManyBytes)));
    assert_eq!(sites.feed(&field, &[], ignore), not_begun, "the field has ended");
}

#[test]
fn a_callback_that_fails_ends_the_field() {
    let (_, field, payload) = reals();
    for cut in [3, 8, 9, 32] {
        let mut buffer = [0; 8];
        let mut sites = Sites::new(&mut buffer);
        sites.begin(&field).expect("there is room");
        let (mut seen, mut answers) = (0, Vec::new());
        for piece in payload.chunks(cut) {
            answers.push(sites.feed(&field, piece, |site| {
                seen += 1;
                if site.index() == 1 { Err("enough") } else { Ok(()) }
            }));
        }
        assert_eq!(seen, 2, "{cut}");
        let failed = answers.iter().position(Result::is_err).expect("has failed");
        assert_eq!(answers[failed], Err(CallbackError::Callback("enough")));
        for later in &answers[failed + 1..] {
            assert_eq!(*later, Err(CallbackError::Failed(SitesError::NotBegun)));
        }
    }
}

#[test]
fn links_and_numbers_that_a_site_does_not_have_are_errors() {
    let (_, field, payload) = reals();
    let mut buffer = [0; 8];
    let mut sites = Sites::new(&mut buffer);
    sites.begin(&field).expect("there is room");
    let fed = sites.feed(&field, &payload, |site| {
        assert_eq!(site.links().err(), Some(SiteError::NoLinks));
        assert_eq!(site.link(0).err(), Some(SiteError::NoLinks));
        let (mut one, mut two) = ([0.0_f32], [0.0_f64; 2]);
        assert_eq!(site.read_into(&mut two), Err(SiteError::Length { needed: 8, given: 16 }));
        site.read_into(&mut one)?;
        assert_eq!(f64::from(one[0]), site.rank() as f64);
        assert_eq!(site.numbers()?.collect::<Vec<_>>(), [site.rank() as f64]);
        Ok::<(), SiteError>(())
    });
    assert_eq!(fed, Ok(()));
    let mut whole = field;
    whole.precision = None;
    sites.begin(&whole).expect("there is room");
    let fed = sites.feed(&whole, &payload, |site| {
        assert_eq!(site.read_into(&mut [0.0_f64]), Err(SiteError::NotNumbers));
        site.numbers().map(|_| ())
    });
    assert_eq!(fed, Err(CallbackError::Callback(SiteError::NotNumbers)));
}

#[test]
fn links_are_read_into_either_width() {
    let format = su3(Precision::F32);
    let mut encoder = in_data(&OutgoingMessage::ildg(&format));
    let field = *encoder.field().expect("has begun");
    let mut buffer = [0; 4 * 144];
    let numbers: Vec<f32> = (0..NUMBERS as u16).map(|n| f32::from(n) / 3.0).collect();
    let mut source = Fill::sites(|site| site.put(&numbers));
    let filled = encoder.fill(&mut source, &mut buffer).expect("there is room").expect("four sites");
    let (mut site_buffer, mut count) = ([0; 144], 0);
    let mut sites = Sites::new(&mut site_buffer);
    sites.begin(&field).expect("there is room");
    let fed = sites.feed(&field, filled, |site| {
        for (mu, link) in site.links()?.enumerate() {
            let (mut single, mut double) = ([0.0_f32; 18], [0.0_f64; 18]);
            link.read_into(&mut single)?;
            link.read_into(&mut double)?;
            assert_eq!(single, numbers[18 * mu..][..18]);
            assert_eq!(double, single.map(f64::from));
            assert!(link.numbers().eq(double) && link.numbers().len() == 18);
            assert_eq!(link.read_into(&mut single[1..]), Err(SiteError::Length { needed: 72, given: 68 }));
            count += 1;
        }
        assert_eq!(site.link(2).err(), Some(SiteError::NoSuchLink { index: 2, links: 2 }));
        Ok::<(), SiteError>(())
    });
    assert_eq!((fed, count), (Ok(()), 8));
}
