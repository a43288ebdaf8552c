//! The field decoder together with [`Sites`], as one decoder for `stream::check`.

use crc32fast::Hasher;
use linkstream::conformance::{Boundaries, Decoder};
use linkstream::field::{ErrorKind, Event, SiteError, Sites, Verdict};
use linkstream::{Decode, Demand, Error, Mode, SeekPayload as _, Step};

use super::SITE_BUFFER;
use super::again::hash_site;
use crate::stream::Checked;

/// Hands sites over as the data go by. As after a decoder was put back, every step begins with
/// [`Sites::resume`]; that `Sites` may also simply go on is for `again` to see.
#[derive(Clone)]
pub struct Watched {
    decoder: Decoder,
    buffer: [u8; SITE_BUFFER],
    /// Of all that was handed over; `None` when sites do not fit or were passed over.
    sites: Option<Hasher>,
    /// What is known of the field's boundaries.
    boundaries: Option<Boundaries>,
    in_field: bool,
    /// Some of the last field's data were passed over.
    passed: bool,
}

/// What was reported, and with the end of a field what its sites were.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    event: Event,
    sites: Option<u32>,
    /// What is wrong with its boundaries, and how many are open.
    fault: Option<Error<ErrorKind>>,
    open: usize,
}

impl Watched {
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        let decoder = Decoder::new(mode);
        Self {
            decoder,
            buffer: [0; SITE_BUFFER],
            sites: None,
            boundaries: None,
            in_field: false,
            passed: false,
        }
    }

    /// Takes an event; `place` is where in the payload the bytes stand.
    fn watch(&mut self, event: Event, bytes: &[u8], place: Option<u64>) -> Seen {
        let mut seen = Seen { event, sites: None, fault: None, open: 0 };
        match event {
            Event::Record(_) => self.in_field = false,
            Event::Field => self.begin(),
            Event::Data => {
                assert!(self.in_field, "data without a field");
                self.feed(bytes, place.expect("a payload is open"));
            }
            Event::Payload => assert!(!self.in_field, "data not called so"),
            Event::FieldEnd(sum) => {
                assert_eq!(sum.is_none(), self.passed);
                seen.sites = self.sites.take().map(Hasher::finalize);
                if let Some(boundaries) = self.boundaries.take().filter(|_| seen.sites.is_some()) {
                    seen.fault = boundaries.fault();
                    seen.open = boundaries.open().count();
                }
            }
            Event::Verdict(verdict) => assert_eq!(verdict == Verdict::Unchecked, self.passed),
            _ => {}
        }
        seen
    }

    fn begin(&mut self) {
        let field = self.decoder.field().expect("was reported");
        assert_eq!(field.record, self.decoder.lime().record());
        assert_eq!(field.data_length(), Some(field.record.length));
        let fits = Sites::new(&mut self.buffer).begin(field).is_ok();
        assert_eq!(fits, field.bytes_per_site <= SITE_BUFFER as u64);
        self.sites = fits.then(Hasher::new);
        self.boundaries = Boundaries::of(&self.decoder);
        self.in_field = true;
        self.passed = false;
    }

    fn feed(&mut self, bytes: &[u8], place: u64) {
        let Some(hasher) = &mut self.sites else { return };
        let mut sites = Sites::new(&mut self.buffer);
        sites.resume(self.decoder.field().expect("was reported"), place).expect("fits");
        let fed = sites.feed(self.decoder.field(), bytes, |site| {
            hash_site(hasher, site.rank(), site.coordinates(), site.bytes());
            if let Some(boundaries) = &mut self.boundaries {
                boundaries.site(&site);
            }
            Ok::<(), SiteError>(())
        });
        assert_eq!(fed, Ok(()));
    }
}

impl Decode for Watched {
    type Event = Seen;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Seen>, Error<ErrorKind>> {
        let place = self.decoder.lime().payload_position();
        let step = self.decoder.push(input)?;
        let event = step.event.map(|event| self.watch(event, &input[..step.consumed], place));
        Ok(Step { consumed: step.consumed, event })
    }

    fn finish(&mut self) -> Result<Option<Seen>, Error<ErrorKind>> {
        let event = self.decoder.finish()?;
        Ok(event.map(|event| self.watch(event, &[], None)))
    }

    fn demand(&self) -> Demand {
        self.decoder.demand()
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.decoder.skip(n)?;
        if self.in_field && n > 0 {
            self.passed = true;
            self.sites = None;
        }
        Ok(())
    }

    fn position(&self) -> u64 {
        self.decoder.position()
    }
}

impl Checked for Watched {
    fn is_payload(seen: &Seen) -> bool {
        matches!(seen.event, Event::Payload | Event::Data)
    }

    fn finding(seen: &Seen) -> Option<Error<ErrorKind>> {
        match seen.event {
            Event::Finding(finding) => Some(finding),
            _ => None,
        }
    }

    /// `watch` has compared what is left out here with what was passed over.
    fn without_payload(seen: &Seen) -> Seen {
        let event = match seen.event {
            Event::FieldEnd(_) => Event::FieldEnd(None),
            Event::Verdict(_) => Event::Verdict(Verdict::Unchecked),
            other => other,
        };
        Seen { event, sites: None, fault: None, open: 0 }
    }

    fn is_about_payload(kind: &ErrorKind) -> bool {
        matches!(kind, ErrorKind::ChecksumMismatch { .. })
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        let decoder = Decoder::load(&self.decoder.save()?).expect("just saved");
        let boundaries =
            self.boundaries.as_ref().map(|now| Boundaries::load(&now.save()).expect("just saved"));
        Ok(Self { decoder, boundaries, ..self.clone() })
    }
}
