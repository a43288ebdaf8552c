//! Sizes of objects and saved states: the library does not build if the header has other ones.

use linkstream::{State, field, inebin, lime, scda};

use crate::decoder::Reading;
use crate::encoder::{self, Writing};
use crate::formats;
use crate::header::{by_pointer, number};
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
    Reading<formats::Sections>, "LSE_SCDA_DECODER_SIZE", scda::Decoder, "LSE_SCDA_DECODER_SAVED";
    Reading<formats::Matrices>, "LSE_INEBIN_DECODER_SIZE", inebin::Decoder, "LSE_INEBIN_DECODER_SAVED";
    Writing<encoder::Lime>, "LSE_LIME_ENCODER_SIZE", lime::Encoder, "LSE_LIME_ENCODER_SAVED";
    Writing<encoder::Fields>, "LSE_FIELD_ENCODER_SIZE", field::Encoder, "LSE_FIELD_ENCODER_SAVED";
    Writing<encoder::Sections>, "LSE_SCDA_ENCODER_SIZE", scda::Encoder, "LSE_SCDA_ENCODER_SAVED";
}
