//! Documents: the streaming decoder and `parse` agree, and a document that is written and read again is the same.

use core::fmt::Debug;
use core::ops::Deref;

use linkstream::Error;
use linkstream::conformance::Decoder;
use linkstream::ildg::{self, Format};
use linkstream::scidac::{self, PrivateFile, PrivateRecord, RecordData, StoredChecksum};
use linkstream::xml::{EmitError, ErrorKind, Spacing};

/// A document with `parse` and `emit_as`.
trait Text: Sized + Clone + PartialEq + Debug {
    fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>>;
    fn emit(&self, form: Spacing, buffer: &mut [u8]) -> Result<usize, EmitError>;

    /// The document without the parts that `emit_as` does not write.
    fn as_written(&self) -> Self {
        self.clone()
    }

    /// The texts that may have any characters. XML does not allow all of them, and those are not written.
    fn free_texts(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The parts of the document that its public methods return.
    fn meaning(&self) -> impl PartialEq + Debug;
}

macro_rules! text {
    ($document:ty { $($more:item)* }) => {
        impl Text for $document {
            fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
                Self::parse(document)
            }
            fn emit(&self, form: Spacing, buffer: &mut [u8]) -> Result<usize, EmitError> {
                self.emit(form, buffer)
            }
            $($more)*
        }
    };
}

text!(PrivateFile {
    // Not written: the element that does not apply to the document's version (`volfmt` or `multifile`).
    fn meaning(&self) -> impl PartialEq + Debug {
        (self.version().to_owned(), self.extents(), self.volume_format())
    }
});

text!(PrivateRecord {
    // Not written: bounds of a region that is not a hypercube, and elements that do not apply to the document's
    // version. White space at the ends of a text can only be given by references or CDATA, which are not written
    // either: reading strips it.
    fn as_written(&self) -> Self {
        let mut record = self.clone();
        record.date = trimmed(&self.date);
        let data = RecordData { datatype: trimmed(&self.datatype), precision: trimmed(&self.precision), ..*self.data() };
        // A document that contradicts itself is read, but can only be described anew without names.
        let unnamed = RecordData { datatype: Default::default(), precision: Default::default(), ..data };
        let changed = record.with_data(data).or_else(|_| record.with_data(unnamed));
        changed.expect("without names, nothing contradicts itself")
    }

    fn free_texts(&self) -> Vec<&str> {
        vec![&self.date, &self.datatype, &self.precision]
    }

    fn meaning(&self) -> impl PartialEq + Debug {
        let texts = [self.version(), &self.date, &self.datatype, &self.precision].map(str::to_owned);
        (texts, self.record_type(), [self.colors, self.spins, self.typesize, self.datacount])
    }
});

// Only the value is kept when a checksum is read, so writing it loses nothing.
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
    text.trim_matches(|c: char| c.is_ascii_whitespace())
        .try_into()
        .ok()
        .expect("the trimmed text is not longer")
}

/// Checks the document of a record that has ended. `reported` is the first error in a document that was reported since
/// the record began.
pub fn check(decoder: &Decoder, payload: &[u8], reported: Option<(u64, ErrorKind)>) {
    // While data are read, an error in an earlier document may be reported; its offset is before this record.
    let reported = reported
        .and_then(|(at, kind)| {
            Some((at.checked_sub(decoder.content().lime().record().payload_offset())?, kind))
        })
        .map(|(at, kind)| Error::new(at, kind));
    // The type of the record decides, not the decoder's classification.
    match str::from_utf8(decoder.content().record_type()) {
        Ok(scidac::PRIVATE_FILE_XML) => same(payload, decoder.content().private_file(), reported),
        Ok(scidac::PRIVATE_RECORD_XML) => same(payload, decoder.content().private_record(), reported),
        Ok(scidac::CHECKSUM) => same(payload, Some(decoder.content().stored_checksum()), reported),
        Ok(ildg::FORMAT) => same(payload, decoder.content().format(), reported),
        _ => assert_eq!(reported, None, "an error in a record that is not a document"),
    }
}

/// Checks that the decoder and `parse` agree, and that the document survives being written.
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
    if let Err(EmitError::Text(_)) = written.emit(Spacing::Line, &mut []) {
        let is_control =
            |c: char| c < ' ' && !matches!(c, '\t' | '\n') || matches!(c, '\u{fffe}' | '\u{ffff}');
        assert!(
            written.free_texts().iter().any(|text| text.contains(is_control)),
            "a text is refused: {written:?}"
        );
        return;
    }
    for form in [Spacing::Line, Spacing::Lines] {
        let text = emitted(&written, form);
        let read = D::parse(&text).expect("a document that was written can be read");
        assert_eq!(read.meaning(), written.meaning());
        assert_eq!(emitted(&read, form), text, "written again");
        // A document read from written text has no parts that are lost when it is written.
        assert_eq!(D::parse(&emitted(&read, form)).as_ref(), Ok(&read));
    }
}

fn emitted<D: Text>(document: &D, form: Spacing) -> Vec<u8> {
    let small = document.emit(form, &mut []);
    let Err(EmitError::TooSmall { needed }) = small else {
        panic!("a document was written into an empty buffer")
    };
    let mut text = vec![0; needed];
    assert_eq!(document.emit(form, &mut text), Ok(needed));
    text
}
