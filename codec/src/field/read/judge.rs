//! What a judge of files sees while a decoder reads.

use super::decoder::{Decoder, Phase};
use crate::error::{Diagnostic, Error, Severity};
use crate::failed::Failed;
use crate::field::error::ErrorKind;
use crate::lime::Record;

/// Sees what the decoder sees and adds findings of its own. `()` is the judge that finds nothing, of which nothing is
/// left when it is compiled.
///
/// A method that looks (`&self`) decides what is reported next; the one that takes note (`&mut self`) is called once,
/// when all of it has been reported. So nothing is stored between two steps but the number of findings reported.
pub(crate) trait Judge {
    /// The errors that are reported: those of the decoder, and its own.
    type Kind: Diagnostic + From<ErrorKind>;

    /// It looks at records of every type.
    const WATCHES: bool = true;

    /// The error of `decoder` and this judge, or the finding that is about to be reported.
    fn failed<'j>(&'j self, decoder: &'j Decoder) -> &'j Failed<Self::Kind>;

    /// The place of that error.
    fn failed_mut<'j>(&'j mut self, decoder: &'j mut Decoder) -> &'j mut Failed<Self::Kind>;

    /// A header is complete. The decoder knows the record's kind; its documents are still those of before.
    fn begins(&mut self, decoder: &Decoder, record: &Record);

    /// Whether the payload of the current record must be seen, although it is not data.
    fn reads(&self, decoder: &Decoder) -> bool;

    /// What is reported about the next byte of such a payload; [`Decoder::wrong`] is what is wrong with it as a part
    /// of a document.
    fn text(&self, decoder: &Decoder, byte: u8, at: u64) -> Option<Error<Self::Kind>>;

    /// Whether an error that [`text`](Self::text) has returned is about the byte itself, and not about the document that
    /// it is part of.
    fn is_of_byte(_: Self::Kind) -> bool {
        false
    }

    /// The severity of what is to be reported.
    fn severity(error: &Error<Self::Kind>) -> Severity {
        error.kind.severity()
    }

    /// That was reported.
    fn reported(&mut self, error: &Error<Self::Kind>);

    /// The byte has been taken.
    fn took(&mut self, byte: u8);

    /// The finding number `index` of a phase. All that the decoder itself finds ([`Decoder::fault`]) must be among
    /// them.
    fn finding(&self, decoder: &Decoder, phase: Phase, index: u8) -> Option<Error<Self::Kind>>;

    /// All findings of the phase have been reported; the decoder has not left it yet.
    fn passed(&mut self, decoder: &Decoder, phase: Phase);
}

/// Reports what makes data unreadable or wrong, and nothing else.
impl Judge for () {
    type Kind = ErrorKind;

    const WATCHES: bool = false;

    #[inline]
    fn failed<'j>(&'j self, decoder: &'j Decoder) -> &'j Failed<ErrorKind> {
        &decoder.failed
    }

    #[inline]
    fn failed_mut<'j>(&'j mut self, decoder: &'j mut Decoder) -> &'j mut Failed<ErrorKind> {
        &mut decoder.failed
    }

    #[inline]
    fn begins(&mut self, _: &Decoder, _: &Record) {}

    #[inline]
    fn reads(&self, decoder: &Decoder) -> bool {
        decoder.kind().is_document()
    }

    /// The first error of a document is enough: it describes nothing any more.
    #[inline]
    fn text(&self, decoder: &Decoder, _: u8, at: u64) -> Option<Error<ErrorKind>> {
        let reading = decoder.reading();
        if reading.found.is_error() && !reading.spoilt { decoder.wrong(at) } else { None }
    }

    /// What makes data unreadable or wrong is an error, and nothing else is reported: no table is needed.
    #[inline]
    fn severity(error: &Error<ErrorKind>) -> Severity {
        debug_assert!(error.kind.severity() == Severity::Error, "{error:?} does not make data unreadable");
        Severity::Error
    }

    #[inline]
    fn reported(&mut self, _: &Error<ErrorKind>) {}

    #[inline]
    fn took(&mut self, _: u8) {}

    #[inline]
    fn finding(&self, decoder: &Decoder, phase: Phase, index: u8) -> Option<Error<ErrorKind>> {
        if index == 0 { decoder.fault(phase) } else { None }
    }

    #[inline]
    fn passed(&mut self, _: &Decoder, _: Phase) {}
}
