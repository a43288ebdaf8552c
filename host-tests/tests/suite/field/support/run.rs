//! Runs the field decoder on a file, records everything it reports, and verifies the order of events.

use linkstream::conformance::{Decoder, ErrorKind, Event};
use linkstream::field::{Field, Link, Site, SiteError, Sites, Verdict};
use linkstream::ildg::Format;
use linkstream::lattice::Checksum;
use linkstream::scidac::{PrivateRecord, StoredChecksum};
use linkstream::{Decode, Error, Mode};

/// Everything reported in a run.
#[derive(Debug, Clone, Default)]
pub struct Run {
    pub records: Vec<Record>,
    pub fields: Vec<Reported>,
    pub findings: Vec<Error<ErrorKind>>,
    pub error: Option<Error<ErrorKind>>,
}

/// A LIME record with its reassembled payload.
#[derive(Debug, Clone)]
pub struct Record {
    pub header: linkstream::lime::Record,
    pub kind: Vec<u8>,
    pub payload: Vec<u8>,
}

/// A field, with the documents known when its data began.
#[derive(Debug, Clone)]
pub struct Reported {
    pub field: Field,
    pub record: Option<PrivateRecord>,
    pub format: Option<Format>,
    pub sites: Vec<OwnSite>,
    /// True if the end of the data was reported.
    pub ended: bool,
    pub computed: Option<Checksum>,
    pub verdict: Option<Verdict>,
    /// The checksum document at the time of the verdict.
    pub stored: Option<StoredChecksum>,
}

/// A copy of a site.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnSite {
    pub rank: u64,
    pub coordinates: Vec<u32>,
    pub bytes: Vec<u8>,
    pub numbers: Vec<f64>,
    pub links: Vec<OwnLink>,
}

/// A copy of a link: the numbers in stored order, and the elements as returned by `get`.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnLink {
    pub rows: u32,
    pub columns: u32,
    pub bytes: Vec<u8>,
    pub numbers: Vec<f64>,
    pub elements: Vec<[f64; 2]>,
    pub unphysical: bool,
}

impl OwnSite {
    fn of(site: Site<'_>) -> Self {
        Self {
            rank: site.rank(),
            coordinates: site.coordinates().to_vec(),
            bytes: site.bytes().to_vec(),
            numbers: site.numbers().into_iter().flatten().collect(),
            links: site.links().into_iter().flatten().map(OwnLink::of).collect(),
        }
    }
}

impl OwnLink {
    fn of(link: Link<'_>) -> Self {
        let (rows, columns) = (link.rows() as usize, link.columns() as usize);
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        assert_eq!(link.get(rows, 0), None, "there must be no row after the last stored one");
        assert_eq!(link.get(0, columns), None, "there must be no column after the last");
        Self {
            rows: link.rows(),
            columns: link.columns(),
            bytes: link.bytes().to_vec(),
            numbers: link.numbers().collect(),
            elements: places.map(|(row, column)| link.get(row, column).expect("stored")).collect(),
            unphysical: link.is_unphysical(),
        }
    }
}

/// The position in the sequence of events.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Between,
    /// In a record, before its first payload.
    Opened,
    Payload,
    Data,
    DataOver,
}

impl Run {
    /// Reads `file` in pieces of `chunk` bytes, with a site buffer of exactly one site.
    pub fn of(mode: Mode, file: &[u8], chunk: usize) -> Self {
        let mut decoder = Decoder::new(mode);
        let mut run = Self::default();
        let mut place = Place::Between;
        let mut sites = Sites::new(&mut []);
        let mut idle = 0;
        for mut piece in file.chunks(chunk) {
            while !piece.is_empty() {
                let step = match decoder.push(piece) {
                    Ok(step) => step,
                    Err(error) => return run.failed(&decoder, error),
                };
                assert!(step.consumed > 0 || step.event.is_some(), "no progress at {}", decoder.position());
                idle = if step.consumed == 0 { idle + 1 } else { 0 };
                assert!(idle < 64, "a loop at {}: {:?}", decoder.position(), step.event);
                let (bytes, rest) = piece.split_at(step.consumed);
                piece = rest;
                let Some(event) = step.event else { continue };
                place = run.reported(&decoder, event, bytes, place);
                match event {
                    Event::Field => {
                        let field = decoder.content().field().expect("reported");
                        let size = usize::try_from(field.bytes_per_site).expect("small");
                        // Leaked because `sites` outlives this iteration; a test file has few fields.
                        sites = Sites::new(vec![0; size].leak());
                        sites.begin(field).expect("the buffer has that size");
                    }
                    Event::Data => {
                        let reported = run.fields.last_mut().expect("reported");
                        let fed =
                            sites.feed(decoder.content().field(), bytes, |site| -> Result<(), SiteError> {
                                reported.sites.push(OwnSite::of(site));
                                Ok(())
                            });
                        assert_eq!(fed, Ok(()));
                    }
                    _ => {}
                }
            }
        }
        loop {
            match decoder.finish() {
                Ok(Some(event)) => place = run.reported(&decoder, event, &[], place),
                Ok(None) => break,
                Err(error) => return run.failed(&decoder, error),
            }
        }
        assert_eq!(decoder.finish(), Ok(None), "no event may follow the end");
        assert_eq!(place, Place::Between, "the last record must end before the file");
        for reported in &run.fields {
            assert!(
                reported.ended && reported.verdict.is_some(),
                "every field must end and get a verdict: {:?}",
                reported.field
            );
        }
        run
    }

    fn failed(mut self, decoder: &Decoder, error: Error<ErrorKind>) -> Self {
        let mut decoder = decoder.clone();
        assert_eq!(decoder.push(b"more").unwrap_err(), error, "errors are sticky");
        assert_eq!(decoder.finish().unwrap_err(), error, "errors are sticky");
        self.error = Some(error);
        self
    }

    /// Records one event. The assertions define which events may follow which.
    fn reported(&mut self, decoder: &Decoder, event: Event, bytes: &[u8], place: Place) -> Place {
        let payload = matches!(event, Event::Payload | Event::Data);
        if payload {
            assert!(!bytes.is_empty(), "a payload event must have bytes");
            self.records.last_mut().expect("in a record").payload.extend_from_slice(bytes);
        }
        match event {
            Event::Record(header) => {
                assert_eq!(place, Place::Between, "a record inside a record");
                self.records.push(Record {
                    header,
                    kind: decoder.content().record_type().to_vec(),
                    payload: Vec::new(),
                });
                Place::Opened
            }
            Event::Payload => {
                assert!(matches!(place, Place::Opened | Place::Payload), "{place:?}");
                Place::Payload
            }
            Event::Field => {
                assert_eq!(place, Place::Opened, "a field must begin at the beginning of its record");
                self.fields.push(Reported {
                    field: *decoder.content().field().expect("reported"),
                    record: decoder.content().private_record().cloned(),
                    format: decoder.content().format().cloned(),
                    sites: Vec::new(),
                    ended: false,
                    computed: None,
                    verdict: None,
                    stored: None,
                });
                Place::Data
            }
            Event::Data => {
                assert_eq!(place, Place::Data);
                Place::Data
            }
            Event::FieldEnd(computed) => {
                assert_eq!(place, Place::Data);
                let reported = self.fields.last_mut().expect("a field");
                reported.ended = true;
                reported.computed = computed;
                Place::DataOver
            }
            Event::Verdict(verdict) => {
                // The verdict on the previous field may follow after the next data record has begun.
                let open =
                    self.fields.iter_mut().rev().find(|reported| reported.ended).expect("a field has ended");
                // A checksum record in another message is compared after the message of the field has ended.
                assert!(!matches!(open.verdict, Some(Verdict::Match { .. })), "data that match stay so");
                open.verdict = Some(verdict);
                open.stored = Some(decoder.content().stored_checksum().clone());
                place
            }
            Event::End => {
                assert!(!matches!(place, Place::Between | Place::Data), "{place:?}");
                let record = self.records.last().expect("a record");
                assert_eq!(record.payload.len() as u64, record.header.length, "all payload must be reported");
                Place::Between
            }
            Event::Finding(error) => {
                self.findings.push(error);
                place
            }
            other => panic!("the tests do not know this event: {other:?}"),
        }
    }

    /// The names of the rules of all findings, in order.
    pub fn rules(&self) -> Vec<&'static str> {
        use linkstream::Diagnostic as _;
        self.findings.iter().map(|error| error.kind.rule()).collect()
    }

    /// Reads the file with [`Run::of`], in a mode that must not report an error.
    pub fn clean(mode: Mode, file: &[u8], chunk: usize, name: &str) -> Self {
        let run = Self::of(mode, file, chunk);
        assert_eq!(run.error, None, "{name}: {}", run.error.map(|e| e.to_string()).unwrap_or_default());
        run
    }
}
