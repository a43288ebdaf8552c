//! `lse_lime_…`
#![allow(unsafe_code, reason = "C functions have names that the linker sees")]

use linkstream::lime::{Encoder, Header};

use super::macros::{decoder_calls, encoder_calls};
use crate::events::LimeAs;
use crate::header::number;
use crate::layout::Bytes;
use crate::memory::{Span, input};
use crate::status::{Outcome, Status, code};
use crate::{decoder, encoder, formats};

decoder_calls!(formats::Lime, LimeAs:
    lse_lime_decoder_init, lse_lime_decoder_push, lse_lime_decoder_skip, lse_lime_decoder_finish,
    lse_lime_decoder_demand, lse_lime_decoder_position, lse_lime_decoder_error, lse_lime_decoder_describe,
    lse_lime_decoder_save, lse_lime_decoder_load, lse_lime_decoder_close
);

encoder_calls!(encoder::Lime:
    lse_lime_encoder_push, lse_lime_encoder_finish, lse_lime_encoder_position, lse_lime_encoder_room,
    lse_lime_encoder_error, lse_lime_encoder_describe, lse_lime_encoder_save, lse_lime_encoder_load,
    lse_lime_encoder_close
);

#[unsafe(no_mangle)]
extern "C" fn lse_lime_encoder_init(encoder: EncoderHandle, size: usize) -> u32 {
    code(encoder::init(encoder, size, Encoder::new))
}

#[unsafe(no_mangle)]
extern "C" fn lse_lime_encoder_append(
    encoder: EncoderHandle,
    size: usize,
    offset: u64,
    message_open: u32,
) -> u32 {
    code(match message_open {
        0 | 1 => encoder::init(encoder, size, || Encoder::append(offset, message_open == 1)),
        _ => Err(Status::ARGUMENT),
    })
}

#[unsafe(no_mangle)]
extern "C" fn lse_lime_encoder_begin(
    encoder: EncoderHandle,
    record_type: Bytes,
    length: u64,
    flags: u32,
    header: *mut Bytes,
) -> u32 {
    code(begin(encoder, record_type, length, flags, header))
}

fn begin(encoder: EncoderHandle, record_type: Bytes, length: u64, flags: u32, header: *mut Bytes) -> Outcome {
    const BEGIN: u32 = number("LSE_MESSAGE_BEGIN");
    const END: u32 = number("LSE_MESSAGE_END");
    let record_type = input(record_type.data, record_type.length)?;
    if flags & !(BEGIN | END) != 0 {
        return Err(Status::ARGUMENT);
    }
    let (begin, end) = (flags & BEGIN != 0, flags & END != 0);
    encoder::produce(encoder, &[Span::of(record_type)], header, |writing| {
        let header = Header::new(record_type, length, begin, end)?;
        writing.encoder.begin(&header).map(|bytes| Bytes::of(bytes))
    })
}

#[unsafe(no_mangle)]
extern "C" fn lse_lime_encoder_skip(encoder: EncoderHandle, to: u64) -> u32 {
    code(encoder::skip(encoder, to))
}

#[unsafe(no_mangle)]
extern "C" fn lse_lime_encoder_end(encoder: EncoderHandle, padding: *mut Bytes) -> u32 {
    code(encoder::produce(encoder, &[], padding, |writing| writing.encoder.end().map(Bytes::of)))
}
