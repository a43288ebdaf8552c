//! `lse_field_…`
#![allow(unsafe_code, reason = "C functions have names that the linker sees")]

use linkstream::field::Encoder;

use super::macros::{decoder_calls, encoder_calls};
use crate::events::FieldAs;
use crate::layout::{Message, WantOut};
use crate::status::code;
use crate::{decoder, encoder, formats, message};

decoder_calls!(formats::Fields, FieldAs:
    lse_field_decoder_init, lse_field_decoder_push, lse_field_decoder_skip, lse_field_decoder_finish,
    lse_field_decoder_demand, lse_field_decoder_position, lse_field_decoder_error, lse_field_decoder_describe,
    lse_field_decoder_save, lse_field_decoder_load, lse_field_decoder_close
);

encoder_calls!(encoder::Fields:
    lse_field_encoder_push, lse_field_encoder_finish, lse_field_encoder_position, lse_field_encoder_room,
    lse_field_encoder_error, lse_field_encoder_describe, lse_field_encoder_save, lse_field_encoder_load,
    lse_field_encoder_close
);

#[unsafe(no_mangle)]
extern "C" fn lse_field_encoder_init(encoder: EncoderHandle, size: usize) -> u32 {
    code(encoder::init(encoder, size, Encoder::new))
}

#[unsafe(no_mangle)]
extern "C" fn lse_field_encoder_begin(
    encoder: EncoderHandle,
    message: *const Message,
    scratch: *mut u8,
    scratch_size: usize,
) -> u32 {
    code(message::begin(encoder, message, scratch, scratch_size))
}

#[unsafe(no_mangle)]
extern "C" fn lse_field_encoder_next(
    encoder: EncoderHandle,
    message: *const Message,
    scratch: *mut u8,
    scratch_size: usize,
    want: *mut WantOut,
) -> u32 {
    code(message::next(encoder, message, scratch, scratch_size, want))
}

#[unsafe(no_mangle)]
extern "C" fn lse_field_encoder_skip(encoder: EncoderHandle, site: u64) -> u32 {
    code(encoder::skip(encoder, site))
}
