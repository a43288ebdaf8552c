//! Documents: whole or in pieces they are the same, and what is written reads as what was meant.

use core::fmt::Debug;
use core::ops::Deref;

use linkstream::Error;
use linkstream::conformance::Decoder;
use linkstream::ildg::{self, Format};
use linkstream::scidac::{self, PrivateFile, PrivateRecord, StoredChecksum};
use linkstream::xml::{EmitError, ErrorKind, Form};

/// A document as `parse` and `emit` see it.
trait Text: Sized + Clone + PartialEq + Debug {
    fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>>;
    fn emit_as(&self, form: Form, buffer: &mut [u8]) -> Result<usize, EmitError>;

    /// The document without what `emit` does not write.
    fn as_written(&self) -> Self {
        self.clone()
    }

    /// What callers are reported about the document.
    fn meaning(&self) -> impl PartialEq + Debug;
}

macro_rules! text {
    ($document:ty { $($more:item)* }) => {
        impl Text for $document {
            fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
                Self::parse(document)
            }
            fn emit_as(&self, form: Form, buffer: &mut [u8]) -> Result<usize, EmitError> {
                self.emit_as(form, buffer)
            }
            $($more)*
        }
    };
}

text!(PrivateFile {
    // Not written: an element that does not count in the document's version (`volfmt`, `multifile`).
    fn meaning(&self) -> impl PartialEq + Debug {
        (self.version().to_owned(), self.extents(), self.volume_format())
    }
});

text!(PrivateRecord {
    // Not written: bounds of what is no hypercube, elements that do not count in the document's version, and
    // that white space at the ends of a text was given by references or CDATA, without which it is lost.
    fn as_written(&self) -> Self {
        let mut record = self.clone();
        record.date = trimmed(&self.date);
        record.datatype = trimmed(&self.datatype);
        record.precision = trimmed(&self.precision);
        record
    }

    fn meaning(&self) -> impl PartialEq + Debug {
        let texts = [self.version(), &self.date, &self.datatype, &self.precision].map(str::to_owned);
        (texts, self.record_type(), [self.colors, self.spins, self.typesize, self.datacount])
    }
});

// What is beside the value is not kept: nothing is lost.
text!(StoredChecksum {
    fn meaning(&self) -> impl PartialEq + Debug {
        self.clone()
    }
});

text!(Format {
    fn meaning(&self) -> impl PartialEq + Debug {
        self.clone()
    }
});

fn trimmed<T: Deref<Target = str> + for<'a> TryFrom<&'a str>>(text: &T) -> T {
    text.trim_matches(|c: char| c.is_ascii_whitespace()).try_into().ok().expect("is shorter")
}

/// A record that has ended; `reported` is the first thing that a document was found wrong in since it began.
pub fn check(decoder: &Decoder, payload: &[u8], reported: Option<(u64, ErrorKind)>) {
    // With data a document may be found wrong that is before them.
    let reported = reported
        .and_then(|(at, kind)| Some((at.checked_sub(decoder.lime().record().payload_offset())?, kind)))
        .map(|(at, kind)| Error::new(at, kind));
    // By type, not by what the decoder makes of it.
    match str::from_utf8(decoder.record_type()) {
        Ok(scidac::PRIVATE_FILE_XML) => same(payload, decoder.private_file(), reported),
        Ok(scidac::PRIVATE_RECORD_XML) => same(payload, decoder.private_record(), reported),
        Ok(scidac::CHECKSUM) => same(payload, Some(decoder.stored_checksum()), reported),
        Ok(ildg::FORMAT) => same(payload, decoder.format(), reported),
        _ => assert_eq!(reported, None, "not a document"),
    }
}

/// The decoder and `parse` agree, and the document survives.
fn same<D: Text>(payload: &[u8], streamed: Option<&D>, reported: Option<Error<ErrorKind>>) {
    match D::parse(payload) {
        Ok(document) => {
            assert_eq!(reported, None);
            assert_eq!(streamed, Some(&document));
            survives(&document);
        }
        Err(error) => assert_eq!(reported, Some(error)),
    }
}

fn survives<D: Text>(document: &D) {
    let written = document.as_written();
    for form in [Form::Line, Form::Lines] {
        let text = emitted(&written, form);
        let read = D::parse(&text).expect("was written");
        assert_eq!(read.meaning(), written.meaning());
        assert_eq!(emitted(&read, form), text, "written again");
        // From here on nothing is left that could be lost.
        assert_eq!(D::parse(&emitted(&read, form)).as_ref(), Ok(&read));
    }
}

fn emitted<D: Text>(document: &D, form: Form) -> Vec<u8> {
    let small = document.emit_as(form, &mut []);
    let Err(EmitError::TooSmall { needed }) = small else { panic!("a document of no bytes") };
    let mut text = vec![0; needed];
    assert_eq!(document.emit_as(form, &mut text), Ok(needed));
    text
}
