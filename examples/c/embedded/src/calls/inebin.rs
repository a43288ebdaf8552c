//! `lse_inebin_…`
#![allow(unsafe_code, reason = "C functions have names that the linker sees")]

use super::macros::decoder_calls;
use crate::decoder;
use crate::events::InebinAs;
use crate::formats::Matrices;
use crate::status::code;

decoder_calls!(Matrices, InebinAs:
    lse_inebin_decoder_init, lse_inebin_decoder_push, lse_inebin_decoder_skip, lse_inebin_decoder_finish,
    lse_inebin_decoder_demand, lse_inebin_decoder_position, lse_inebin_decoder_error, lse_inebin_decoder_describe,
    lse_inebin_decoder_save, lse_inebin_decoder_load, lse_inebin_decoder_close
);
