//! The field decoder together with [`Sites`], as one decoder for `stream::check`.

use crc32fast::Hasher;
use linkstream::Resumable as _;
use linkstream::conformance::{Boundaries, Decoder, ErrorKind, Event};
use linkstream::field::{self, SiteError, Sites, Verdict};
use linkstream::{Decode, Demand, Error, Mode, SeekPayload as _, Step};

use super::SITE_BUFFER;
use super::again::hash_site;
use crate::stream::Checked;

/// Collects the sites while data are read. Every step begins with [`Sites::load_into`], as after loading a saved decoder;
/// `again` tests `Sites` that are kept from step to step.
#[derive(Clone)]
pub struct Watched {
    decoder: Decoder,
    /// Saved [`Sites`].
    saved: [u8; Sites::saved_len(SITE_BUFFER)],
    /// Hash of the sites so far; `None` if sites do not fit into the buffer or data were skipped.
    sites: Option<Hasher>,
    /// State of the check of the field's boundaries.
    boundaries: Option<Boundaries>,
    in_field: bool,
    /// Data of the last field were skipped.
    passed: bool,
}

/// An event, together with what was found at the end of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    event: Event,
    /// Hash of the field's sites.
    sites: Option<u32>,
    /// The error in the field's boundaries.
    fault: Option<Error<ErrorKind>>,
    /// Number of boundaries that are open.
    open: usize,
}

impl Watched {
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        let decoder = Decoder::new(mode);
        Self {
            decoder,
            saved: [0; Sites::saved_len(SITE_BUFFER)],
            sites: None,
            boundaries: None,
            in_field: false,
            passed: false,
        }
    }

    /// Processes an event. `place` is the offset of `bytes` in the payload.
    fn watch(&mut self, event: Event, bytes: &[u8], place: Option<u64>) -> Seen {
        let mut seen = Seen { event, sites: None, fault: None, open: 0 };
        match event {
            Event::Record(_) => self.in_field = false,
            Event::Field => self.begin(),
            Event::Data => {
                assert!(self.in_field, "data without a field");
                self.feed(bytes, place.expect("a record is open"));
            }
            Event::Payload => assert!(!self.in_field, "data of a field are reported as other payload"),
            Event::FieldEnd(sum) => {
                assert_eq!(sum.is_none(), self.passed);
                seen.sites = self.sites.take().map(Hasher::finalize);
                if let Some(boundaries) = self.boundaries.take().filter(|_| seen.sites.is_some()) {
                    seen.fault = boundaries.fault();
                    seen.open = boundaries.open().count();
                }
            }
            // Or the checksum record could not be read.
            Event::Verdict(verdict) => assert!(verdict == Verdict::Unchecked || !self.passed),
            _ => {}
        }
        seen
    }

    fn begin(&mut self) {
        let field = self.decoder.content().field().expect("the field was reported");
        assert_eq!(field.record, self.decoder.content().lime().record());
        assert_eq!(field.data_length(), Some(field.record.length));
        let mut buffer = [0; SITE_BUFFER];
        let mut sites = Sites::new(&mut buffer);
        let fits = sites.begin(field).is_ok();
        sites.save_into(&mut self.saved).expect("long enough");
        assert_eq!(fits, field.bytes_per_site <= SITE_BUFFER as u64);
        self.sites = fits.then(Hasher::new);
        self.boundaries = Boundaries::of(self.decoder.content());
        self.in_field = true;
        self.passed = false;
    }

    fn feed(&mut self, bytes: &[u8], place: u64) {
        let Some(hasher) = &mut self.sites else { return };
        let mut buffer = [0; SITE_BUFFER];
        let mut sites = Sites::new(&mut buffer);
        sites
            .load_into(self.decoder.content().field(), Some(place), &self.saved)
            .expect("saved at this place");
        let fed = sites.feed(self.decoder.content().field(), bytes, |site| {
            hash_site(hasher, site.rank(), site.coordinates(), site.bytes());
            if let Some(boundaries) = &mut self.boundaries {
                boundaries.site(&site);
            }
            Ok::<(), SiteError>(())
        });
        assert_eq!(fed, Ok(()));
        sites.save_into(&mut self.saved).expect("long enough");
    }
}

impl Decode for Watched {
    type Event = Seen;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Seen>, Error<ErrorKind>> {
        let place = self.decoder.content().lime().payload_position();
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

    /// Without what is unknown if data were skipped. `watch` has checked that it is missing only then.
    fn without_payload(seen: &Seen) -> Seen {
        let event = match seen.event {
            Event::FieldEnd(_) => Event::FieldEnd(None),
            Event::Verdict(_) => Event::Verdict(Verdict::Unchecked),
            other => other,
        };
        Seen { event, sites: None, fault: None, open: 0 }
    }

    fn is_about_payload(kind: &ErrorKind) -> bool {
        matches!(kind, ErrorKind::Field(field::ErrorKind::ChecksumMismatch { .. }))
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        let decoder = Decoder::load(&self.decoder.save()?).expect("a saved state loads");
        let boundaries =
            self.boundaries.as_ref().map(|now| Boundaries::load(&now.save()).expect("a saved state loads"));
        Ok(Self { decoder, boundaries, ..self.clone() })
    }
}
