//! Sizes of objects, saved states and structures: the library does not build if the header has other ones.

use core::mem::offset_of;

use linkstream::{State, field, inebin, lime, scda};

use crate::decoder::Reading;
use crate::encoder::{self, Writing};
use crate::events::{FieldAs, InebinAs, LayoutOut, LimeAs, MatrixOut, RecordOut, ScdaAs, SectionOut};
use crate::formats;
use crate::header::{by_pointer, number};
use crate::layout::{Bytes, DemandOut, Description, ErrorOut, EventOut, Message, WantOut};
use crate::memory::Object;

/// The size in the header is a round number that holds the object, and is not much larger: compilers of different
/// versions may order the members of a type differently.
const fn fits(size: usize, in_header: u32) -> bool {
    let room = in_header as usize;
    size <= room && room.saturating_sub(size) < 64 && room & 31 == 0
}

macro_rules! assert_objects {
    ($($type:ty, $name:literal, $state:ty, $saved:literal;)*) => {
        $(
            const _: () = assert!(fits(Object::<$type>::SIZE, by_pointer!($name)), $name);
            const _: () = assert!(State::<$state>::LEN == number($saved) as usize, $saved);
        )*
    };
}

assert_objects! {
    Reading<formats::Lime>, "LSE_LIME_DECODER_SIZE", lime::Decoder, "LSE_LIME_DECODER_SAVED";
    Reading<formats::Fields>, "LSE_FIELD_DECODER_SIZE", field::Decoder, "LSE_FIELD_DECODER_SAVED";
    Reading<formats::Sections>, "LSE_SCDA_DECODER_SIZE", scda::PlainDecoder, "LSE_SCDA_DECODER_SAVED";
    Reading<formats::Matrices>, "LSE_INEBIN_DECODER_SIZE", inebin::Decoder, "LSE_INEBIN_DECODER_SAVED";
    Writing<encoder::Lime>, "LSE_LIME_ENCODER_SIZE", lime::Encoder, "LSE_LIME_ENCODER_SAVED";
    Writing<encoder::Fields>, "LSE_FIELD_ENCODER_SIZE", field::Encoder, "LSE_FIELD_ENCODER_SAVED";
    Writing<encoder::Sections>, "LSE_SCDA_ENCODER_SIZE", scda::Encoder, "LSE_SCDA_ENCODER_SAVED";
}

macro_rules! assert_sizes {
    ($($type:ty: $name:literal),* $(,)?) => {
        $(const _: () = assert!(size_of::<$type>() == by_pointer!($name) as usize, $name);)*
    };
}

assert_sizes! {
    Bytes: "LSE_SIZEOF_BYTES", ErrorOut: "LSE_SIZEOF_ERROR", Description: "LSE_SIZEOF_DESCRIPTION",
    DemandOut: "LSE_SIZEOF_DEMAND", RecordOut: "LSE_SIZEOF_RECORD", LayoutOut: "LSE_SIZEOF_LAYOUT",
    SectionOut: "LSE_SIZEOF_SECTION", MatrixOut: "LSE_SIZEOF_MATRIX", Message: "LSE_SIZEOF_MESSAGE",
    WantOut: "LSE_SIZEOF_WANT", EventOut<LimeAs>: "LSE_SIZEOF_LIME_EVENT",
    EventOut<FieldAs>: "LSE_SIZEOF_FIELD_EVENT", EventOut<ScdaAs>: "LSE_SIZEOF_SCDA_EVENT",
    EventOut<InebinAs>: "LSE_SIZEOF_INEBIN_EVENT",
}

macro_rules! assert_offsets {
    ($($type:ty, $member:ident: $name:literal),* $(,)?) => {
        $(const _: () = assert!(offset_of!($type, $member) == by_pointer!($name) as usize, $name);)*
    };
}

assert_offsets! {
    EventOut<FieldAs>, value: "LSE_OFFSETOF_EVENT_AS", EventOut<FieldAs>, bytes: "LSE_OFFSETOF_EVENT_BYTES",
    RecordOut, record_type: "LSE_OFFSETOF_RECORD_TYPE", LayoutOut, links: "LSE_OFFSETOF_LAYOUT_LINKS",
    Message, date: "LSE_OFFSETOF_MESSAGE_DATE", Message, data: "LSE_OFFSETOF_MESSAGE_DATA",
}
