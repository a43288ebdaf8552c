//! The C functions that all decoders, or all encoders, have. Their documentation is in the header.

/// The functions of a decoder: format, union of its events, and the names of the functions.
macro_rules! decoder_calls {
    ($Format:ty, $As:ty: $init:ident, $push:ident, $skip:ident, $finish:ident, $demand:ident, $position:ident,
        $error:ident, $describe:ident, $save:ident, $load:ident, $close:ident
    ) => {
        type Handle = *mut $crate::memory::Object<$crate::decoder::Reading<$Format>>;
        type Look = *const $crate::memory::Object<$crate::decoder::Reading<$Format>>;
        type Event = $crate::layout::EventOut<$As>;

        #[unsafe(no_mangle)]
        extern "C" fn $init(decoder: Handle, size: usize, mode: u32) -> u32 {
            code(decoder::init(decoder, size, mode))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $push(decoder: Handle, bytes: *const u8, length: usize, event: *mut Event) -> u32 {
            code(decoder::push(decoder, bytes, length, event))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $skip(decoder: Handle, count: u64) -> u32 {
            code(decoder::skip(decoder, count))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $finish(decoder: Handle, event: *mut Event) -> u32 {
            code(decoder::finish(decoder, event))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $demand(decoder: Look, demand: *mut $crate::layout::DemandOut) -> u32 {
            code(decoder::demand(decoder, demand))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $position(decoder: Look, position: *mut u64) -> u32 {
            code(decoder::position(decoder, position))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $error(decoder: Look, error: *mut $crate::layout::ErrorOut) -> u32 {
            code(decoder::error(decoder, error))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $describe(decoder: Look, description: *mut $crate::layout::Description) -> u32 {
            code(decoder::describe(decoder, description))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $save(decoder: Look, bytes: *mut u8, size: usize) -> u32 {
            code(decoder::save(decoder, bytes, size))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $load(decoder: Handle, size: usize, bytes: *const u8, length: usize) -> u32 {
            code(decoder::load(decoder, size, bytes, length))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $close(decoder: Handle) -> u32 {
            code($crate::memory::close(decoder))
        }
    };
}

/// The functions that all encoders have.
macro_rules! encoder_calls {
    ($Format:ty: $push:ident, $finish:ident, $position:ident, $room:ident, $error:ident, $describe:ident, $save:ident,
        $load:ident, $close:ident
    ) => {
        type EncoderHandle = $crate::encoder::Handle<$Format>;
        type EncoderLook = $crate::encoder::Look<$Format>;

        #[unsafe(no_mangle)]
        extern "C" fn $push(encoder: EncoderHandle, bytes: *const u8, length: usize) -> u32 {
            code(encoder::push(encoder, bytes, length))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $finish(encoder: EncoderHandle) -> u32 {
            code(encoder::finish(encoder))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $position(encoder: EncoderLook, position: *mut u64) -> u32 {
            code(encoder::position(encoder, position))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $room(encoder: EncoderLook, room: *mut u64) -> u32 {
            code(encoder::room(encoder, room))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $error(encoder: EncoderLook, error: *mut $crate::layout::ErrorOut) -> u32 {
            code(encoder::error(encoder, error))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $describe(encoder: EncoderLook, description: *mut $crate::layout::Description) -> u32 {
            code(encoder::describe(encoder, description))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $save(encoder: EncoderLook, bytes: *mut u8, size: usize) -> u32 {
            code(encoder::save(encoder, bytes, size))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $load(encoder: EncoderHandle, size: usize, bytes: *const u8, length: usize) -> u32 {
            code(encoder::load(encoder, size, bytes, length))
        }

        #[unsafe(no_mangle)]
        extern "C" fn $close(encoder: EncoderHandle) -> u32 {
            code($crate::memory::close(encoder))
        }
    };
}

pub(super) use {decoder_calls, encoder_calls};
