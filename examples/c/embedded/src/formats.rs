//! The formats that are read, and their events.

use linkstream::{Error, Mode, Resumable as _, SeekPayload, State, field, inebin, lime, scda};

use crate::decoder::Format;
use crate::events::{
    FieldAs, FieldEndOut, InebinAs, LayoutOut, LimeAs, MatrixOut, RecordOut, ScdaAs, SectionOut, VerdictOut,
};
use crate::header::number;
use crate::layout::ErrorOut;
use crate::status::Status;

/// The items that differ between formats in names only.
macro_rules! format_of {
    ($room:ident, $Decoder:ident, $As:ident, $tag:literal, $finding:literal) => {
        const TAG: u32 = $tag;
        type Decoder = $room::$Decoder;
        type Kind = $room::ErrorKind;
        type Event = $room::Event;
        type As = $As;
        const NOTHING: $As = $As::NOTHING;

        fn new(mode: Mode) -> $room::$Decoder {
            $room::$Decoder::new(mode)
        }

        fn save(decoder: &$room::$Decoder) -> Result<State<$room::$Decoder>, Error<$room::ErrorKind>> {
            decoder.save()
        }

        fn load(state: &State<$room::$Decoder>) -> Result<$room::$Decoder, Status> {
            Ok($room::$Decoder::load(state)?)
        }

        fn finding(error: ErrorOut) -> (u32, $As) {
            (const { number($finding) }, $As::finding(error))
        }
    };
}

/// LIME records.
#[derive(Debug)]
pub struct Lime;

impl Format for Lime {
    format_of!(lime, Decoder, LimeAs, 0x4c49_4d44, "LSE_LIME_FINDING");

    fn payload_position(decoder: &lime::Decoder) -> Option<u64> {
        decoder.payload_position()
    }

    fn event(
        decoder: &lime::Decoder,
        event: &lime::Event,
    ) -> Result<(u32, LimeAs, bool), Error<lime::ErrorKind>> {
        const RECORD: u32 = number("LSE_LIME_RECORD");
        const PAYLOAD: u32 = number("LSE_LIME_PAYLOAD");
        const END: u32 = number("LSE_LIME_END");
        Ok(match event {
            lime::Event::Record(record) => {
                (RECORD, LimeAs::record(RecordOut::of(record, decoder.record_type())), false)
            }
            lime::Event::Payload => (PAYLOAD, LimeAs::NOTHING, true),
            lime::Event::Finding(error) => return Err(*error),
            _ => (END, LimeAs::NOTHING, false),
        })
    }
}

/// Fields of SciDAC and ILDG files.
#[derive(Debug)]
pub struct Fields;

impl Format for Fields {
    format_of!(field, Decoder, FieldAs, 0x4649_4544, "LSE_FIELD_FINDING");

    fn payload_position(decoder: &field::Decoder) -> Option<u64> {
        decoder.lime().payload_position()
    }

    fn event(
        decoder: &field::Decoder,
        event: &field::Event,
    ) -> Result<(u32, FieldAs, bool), Error<field::ErrorKind>> {
        const RECORD: u32 = number("LSE_FIELD_RECORD");
        const PAYLOAD: u32 = number("LSE_FIELD_PAYLOAD");
        const FIELD: u32 = number("LSE_FIELD_FIELD");
        const DATA: u32 = number("LSE_FIELD_DATA");
        const FIELD_END: u32 = number("LSE_FIELD_FIELD_END");
        const END: u32 = number("LSE_FIELD_END");
        const VERDICT: u32 = number("LSE_FIELD_VERDICT");
        Ok(match event {
            field::Event::Record(record) => {
                (RECORD, FieldAs::record(RecordOut::of(record, decoder.record_type())), false)
            }
            field::Event::Payload => (PAYLOAD, FieldAs::NOTHING, true),
            field::Event::Field => {
                let layout =
                    decoder.field().map_or(FieldAs::NOTHING, |field| FieldAs::layout(LayoutOut::of(field)));
                (FIELD, layout, false)
            }
            field::Event::Data => (DATA, FieldAs::NOTHING, true),
            field::Event::FieldEnd(sum) => (FIELD_END, FieldAs::field_end(FieldEndOut::of(*sum)), false),
            field::Event::Verdict(verdict) => (VERDICT, FieldAs::verdict(VerdictOut::of(*verdict)), false),
            field::Event::Finding(error) => return Err(*error),
            _ => (END, FieldAs::NOTHING, false),
        })
    }
}

/// Sections of scda files.
#[derive(Debug)]
pub struct Sections;

impl Format for Sections {
    format_of!(scda, PlainDecoder, ScdaAs, 0x5343_4441, "LSE_SCDA_FINDING");

    fn payload_position(decoder: &scda::PlainDecoder) -> Option<u64> {
        decoder.payload_position()
    }

    fn event(
        decoder: &scda::PlainDecoder,
        event: &scda::Event,
    ) -> Result<(u32, ScdaAs, bool), Error<scda::ErrorKind>> {
        const SECTION: u32 = number("LSE_SCDA_SECTION");
        const SIZE: u32 = number("LSE_SCDA_SIZE");
        const DATA: u32 = number("LSE_SCDA_DATA");
        const END: u32 = number("LSE_SCDA_END");
        Ok(match event {
            scda::Event::Section(section) => {
                let out = SectionOut::of(section, decoder.user(), decoder.vendor());
                (SECTION, ScdaAs::section(out), false)
            }
            scda::Event::Size(size) => (SIZE, ScdaAs::size(*size), false),
            scda::Event::Data => (DATA, ScdaAs::NOTHING, true),
            scda::Event::Finding(error) => return Err(*error),
            _ => (END, ScdaAs::NOTHING, false),
        })
    }
}

/// INEBIN matrices.
#[derive(Debug)]
pub struct Matrices;

impl Format for Matrices {
    format_of!(inebin, Decoder, InebinAs, 0x494e_4542, "LSE_INEBIN_FINDING");

    fn payload_position(decoder: &inebin::Decoder) -> Option<u64> {
        decoder.payload_position()
    }

    fn event(
        _decoder: &inebin::Decoder,
        event: &inebin::Event,
    ) -> Result<(u32, InebinAs, bool), Error<inebin::ErrorKind>> {
        const HEADER: u32 = number("LSE_INEBIN_HEADER");
        const DATA: u32 = number("LSE_INEBIN_DATA");
        const END: u32 = number("LSE_INEBIN_END");
        Ok(match event {
            inebin::Event::Header(header) => (HEADER, InebinAs::matrix(MatrixOut::of(header)), false),
            inebin::Event::Data => (DATA, InebinAs::NOTHING, true),
            inebin::Event::Finding(error) => return Err(*error),
            _ => (END, InebinAs::NOTHING, false),
        })
    }
}
