//! Calls of [`VolumeReader`].

use std::ops::ControlFlow;

use linkstream::field::{Field, FieldDocuments, Site};
use linkstream::io::{ReadError, VolumeReader};
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::PrivateRecord;
use linkstream::volume::{Decoder, Event, SitesRead};
use linkstream::{CallbackError, Mode};

use super::{Case, run};
use crate::volume::broken::volume;

const CALLS: &[&str] =
    &["next", "next", "for_each_site", "for_each_site_of", "for_each_site_in", "for_each_rank"];

/// The site list.
const RANKS: [u32; 12] = [6, 0, 3, 2, 5, 15, 8, 9, 1, 12, 4, 14];

/// Number of bytes of a site.
const SIZE: usize = 8;

/// The sites passed by a call, which is to stop after some.
struct Passed<'d> {
    data: &'d [u8],
    /// The index of the next site.
    next: usize,
    /// The index of the site where the callback stops.
    stop: usize,
    read: SitesRead,
}

impl<'d> Passed<'d> {
    fn new(data: &'d [u8], next: usize, stop: usize) -> Self {
        Self { data, next, stop, read: SitesRead::default() }
    }

    fn pass(&mut self, site: &Site<'_>) -> ControlFlow<()> {
        let bytes = &self.data[SIZE * self.next..][..SIZE];
        assert_eq!((site.index(), site.rank(), site.bytes()), (self.next, RANKS[self.next].into(), bytes));
        self.read.take(site.rank(), site.bytes());
        self.next += 1;
        if self.next == self.stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Checks the result of a call that was to pass the sites up to `end`.
    fn check(&self, read: SitesRead, end: usize) {
        assert_eq!((self.next, self.read), (self.stop.min(end), read));
    }
}

fn case(case: &mut Case, file: &[u8], field: &Field, data: &[Vec<u8>], events: &[Event]) {
    let (source, list, buffer) = (case.source(file), case.buffer(), case.buffer());
    let is_small = buffer.len() < SIZE;
    let mut reader = VolumeReader::new(source, list, buffer, Decoder::new(Mode::Strict));
    reader.decoder_mut().expect_field(field);
    let (mut events, mut found) = (events.iter(), Vec::<Field>::new());
    // True if the data of the last field have just begun.
    let mut is_open = false;
    let mut pending = 0;
    for _ in 0..40 {
        let stop = 1 + case.random.below(2 * RANKS.len());
        let result = match case.call(CALLS) {
            "next" => {
                let next = case.check(reader.next());
                // If it fails, it may have left the data where they are.
                if next.is_ok() {
                    (is_open, pending) = (false, 0);
                }
                if let Ok(event) = next
                    && !matches!(event, Some(Event::SiteList | Event::Data))
                {
                    assert_eq!(event.as_ref(), events.next());
                    match event {
                        Some(Event::Field) => {
                            found.push(*reader.decoder().field().expect("a field"));
                            is_open = true;
                        }
                        Some(Event::End) if found.len() == 1 => reader.decoder_mut().expect_field(field),
                        Some(_) => {}
                        None => return,
                    }
                }
                next.map(|_| ())
            }
            "for_each_site" => {
                let data = if is_open { &data[found.len() - 1] } else { &[][..] };
                let mut passed = Passed::new(data, 0, stop);
                let result = reader.for_each_site(|site| passed.pass(&site));
                let result = case.check(result.map_err(CallbackError::into_failed));
                match result {
                    Ok(read) => {
                        assert!(is_open && pending == 0);
                        passed.check(read, RANKS.len());
                        is_open = false;
                        case.delivered += 1;
                    }
                    Err(_) => pending += passed.next,
                }
                result.map(|_| ())
            }
            "for_each_site_of" if !found.is_empty() => {
                let number = case.random.below(found.len());
                let mut passed = Passed::new(&data[number], 0, stop);
                let result = reader.for_each_site_of(&found[number], |site| passed.pass(&site));
                let result = case.check(result.map_err(CallbackError::into_failed));
                result.map(|read| {
                    passed.check(read, RANKS.len());
                    case.delivered += 1;
                })
            }
            "for_each_site_in" if !found.is_empty() => {
                let number = case.random.below(found.len());
                let from = case.random.below(RANKS.len());
                let to = from + case.random.below(RANKS.len() - from + 1);
                let mut passed = Passed::new(&data[number], from, from + stop);
                let entries = from as u64..to as u64;
                let each = |site: Site<'_>| passed.pass(&site);
                let result = reader.for_each_site_in(&found[number], entries, from as u64, each);
                let result = case.check(result.map_err(CallbackError::into_failed));
                result.map(|read| {
                    passed.check(read, to);
                    case.delivered += 1;
                })
            }
            "for_each_rank" => {
                let mut ranks = Vec::new();
                let result = reader.for_each_rank(|rank| {
                    ranks.push(rank as u32);
                    if ranks.len() == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                assert!(RANKS.starts_with(&ranks));
                let result = case.check(result.map_err(CallbackError::into_failed));
                result.map(|()| assert_eq!(ranks.len(), stop.min(RANKS.len())))
            }
            _ => continue,
        };
        match result {
            Ok(()) | Err(ReadError::Io(_)) => {}
            Err(ReadError::NotOpen) => {}
            Err(ReadError::TooSmall { needed }) => assert!(is_small && needed == SIZE as u64),
            Err(ReadError::Interrupted { done }) => {
                assert!(done > 0 && done == pending as u64, "{done} {pending}")
            }
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn volumes_are_read_by_any_calls() {
    let lattice = Extents::new(&[4, 4]).expect("legal");
    let documents = FieldDocuments::scidac(PrivateRecord::complex_field(Precision::F32));
    let field = documents.layout(&lattice).expect("a field");
    let data = [0, 100].map(|from| (from..).take(RANKS.len() * SIZE).collect::<Vec<u8>>());
    let file = volume(&RANKS, &[&data[0], &data[1]]);

    let disk = crate::sinks::disk(file.clone());
    let mut reader = VolumeReader::new(disk, [0; 100], [0; 1000], Decoder::new(Mode::Strict));
    reader.decoder_mut().expect_field(&field);
    let (mut events, mut fields) = (Vec::new(), 0);
    while let Some(event) = reader.next().expect("valid") {
        fields += usize::from(event == Event::Field);
        if event == Event::End && fields == 1 {
            reader.decoder_mut().expect_field(&field);
        }
        events.extend(Some(event).filter(|event| !matches!(event, Event::SiteList | Event::Data)));
    }
    assert_eq!(fields, data.len());
    let delivered = run(5000, |each| case(each, &file, &field, &data, &events));
    assert!(delivered > 1000, "{delivered}");
}
