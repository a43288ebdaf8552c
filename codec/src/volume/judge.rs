//! What the field decoder reports of a volume.

use crate::error::Error;
use crate::failed::Failed;
use crate::field::ErrorKind;
use crate::field::read::decoder::{Decoder, Phase};
use crate::field::read::phases::Judge;
use crate::lime::Record;

/// Reports what the field decoder does, but for what is right in a volume: that there is a set, and that no document
/// describes the data of a volume other than the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct VolumeJudge {
    pub(super) is_other: bool,
}

impl Judge for VolumeJudge {
    type Kind = ErrorKind;

    const WATCHES: bool = false;

    fn failed<'j>(&'j self, decoder: &'j Decoder) -> &'j Failed<ErrorKind> {
        &decoder.failed
    }

    fn failed_mut<'j>(&'j mut self, decoder: &'j mut Decoder) -> &'j mut Failed<ErrorKind> {
        &mut decoder.failed
    }

    fn begins(&mut self, decoder: &Decoder, record: &Record) {
        ().begins(decoder, record);
    }

    fn reads(&self, decoder: &Decoder) -> bool {
        ().reads(decoder)
    }

    fn text(&self, decoder: &Decoder, byte: u8, at: u64) -> Option<Error<ErrorKind>> {
        ().text(decoder, byte, at)
    }

    fn reported(&mut self, error: &Error<ErrorKind>) {
        ().reported(error);
    }

    fn took(&mut self, byte: u8) {
        ().took(byte);
    }

    fn finding(&self, decoder: &Decoder, phase: Phase, index: u8) -> Option<Error<ErrorKind>> {
        ().finding(decoder, phase, index).filter(|error| match error.kind {
            ErrorKind::VolumeSet(_) => false,
            ErrorKind::Undescribed => !self.is_other,
            _ => true,
        })
    }

    fn passed(&mut self, decoder: &Decoder, phase: Phase) {
        ().passed(decoder, phase);
    }
}
