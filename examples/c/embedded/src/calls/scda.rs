//! `lse_scda_…`
#![allow(unsafe_code, reason = "C functions have names that the linker sees")]

use linkstream::scda::{Encoder, Style};

use super::macros::{decoder_calls, encoder_calls};
use crate::events::ScdaAs;
use crate::header::number;
use crate::layout::Bytes;
use crate::memory::{Span, input};
use crate::status::{Outcome, Status, code};
use crate::{decoder, encoder, formats};

decoder_calls!(formats::Sections, ScdaAs:
    lse_scda_decoder_init, lse_scda_decoder_push, lse_scda_decoder_skip, lse_scda_decoder_finish,
    lse_scda_decoder_demand, lse_scda_decoder_position, lse_scda_decoder_error, lse_scda_decoder_describe,
    lse_scda_decoder_save, lse_scda_decoder_load, lse_scda_decoder_close
);

encoder_calls!(encoder::Sections:
    lse_scda_encoder_push, lse_scda_encoder_finish, lse_scda_encoder_position, lse_scda_encoder_room,
    lse_scda_encoder_error, lse_scda_encoder_describe, lse_scda_encoder_save, lse_scda_encoder_load,
    lse_scda_encoder_close
);

fn style(style: u32) -> Result<Style, Status> {
    const UNIX: u32 = number("LSE_UNIX");
    const MIME: u32 = number("LSE_MIME");
    match style {
        UNIX => Ok(Style::Unix),
        MIME => Ok(Style::Mime),
        _ => Err(Status::ARGUMENT),
    }
}

fn append(encoder: EncoderHandle, size: usize, offset: u64, style_number: u32) -> Outcome {
    let style = style(style_number)?;
    encoder::init(encoder, size, || Encoder::append(offset, style))
}

#[unsafe(no_mangle)]
extern "C" fn lse_scda_encoder_init(encoder: EncoderHandle, size: usize, style: u32) -> u32 {
    code(append(encoder, size, 0, style))
}

#[unsafe(no_mangle)]
extern "C" fn lse_scda_encoder_append(encoder: EncoderHandle, size: usize, offset: u64, style: u32) -> u32 {
    code(append(encoder, size, offset, style))
}

#[unsafe(no_mangle)]
extern "C" fn lse_scda_encoder_header(
    encoder: EncoderHandle,
    vendor: Bytes,
    user: Bytes,
    header: *mut Bytes,
) -> u32 {
    code(file_header(encoder, vendor, user, header))
}

fn file_header(encoder: EncoderHandle, vendor: Bytes, user: Bytes, header: *mut Bytes) -> Outcome {
    let (vendor, user) = (input(vendor.data, vendor.length)?, input(user.data, user.length)?);
    encoder::produce(encoder, &[Span::of(vendor), Span::of(user)], header, |writing| {
        writing.encoder.header(vendor, user).map(Bytes::of)
    })
}

#[unsafe(no_mangle)]
extern "C" fn lse_scda_encoder_begin(
    encoder: EncoderHandle,
    letter: u32,
    user: Bytes,
    n: u64,
    e: u64,
    header: *mut Bytes,
) -> u32 {
    code(begin(encoder, letter, user, n, e, header))
}

fn begin(encoder: EncoderHandle, letter: u32, user: Bytes, n: u64, e: u64, header: *mut Bytes) -> Outcome {
    const INLINE: u32 = b'I' as u32;
    const BLOCK: u32 = b'B' as u32;
    const ARRAY: u32 = b'A' as u32;
    const VARRAY: u32 = b'V' as u32;
    let user = input(user.data, user.length)?;
    // A count that the section does not have must be 0.
    match (letter, n, e) {
        (INLINE, 0, 0) | (BLOCK, 0, _) | (ARRAY, _, _) | (VARRAY, _, 0) => {}
        _ => return Err(Status::ARGUMENT),
    }
    encoder::produce(encoder, &[Span::of(user)], header, |writing| {
        let encoder = &mut writing.encoder;
        let bytes = match letter {
            INLINE => encoder.inline(user),
            BLOCK => encoder.block(user, e.into()),
            ARRAY => encoder.array(user, n.into(), e.into()),
            _ => encoder.varray(user, n.into()),
        };
        bytes.map(Bytes::of)
    })
}

#[unsafe(no_mangle)]
extern "C" fn lse_scda_encoder_size(encoder: EncoderHandle, e: u64, line: *mut Bytes) -> u32 {
    code(encoder::produce(encoder, &[], line, |writing| {
        writing.line = writing.encoder.size(e)?;
        Ok(Bytes::of(&writing.line))
    }))
}

#[unsafe(no_mangle)]
extern "C" fn lse_scda_encoder_end(encoder: EncoderHandle, padding: *mut Bytes) -> u32 {
    code(encoder::produce(encoder, &[], padding, |writing| writing.encoder.end().map(Bytes::of)))
}
