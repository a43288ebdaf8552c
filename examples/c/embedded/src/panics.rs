//! The panic handler, which no program contains: it calls a function that is defined nowhere, so that a program does
//! not link if a call of this library that it uses can panic.
#![allow(unsafe_code, reason = "a function that must not exist is declared")]

#[cfg(not(feature = "diagnose"))]
unsafe extern "C" {
    /// Defined nowhere.
    fn linkstream_embedded_has_a_panic_path() -> !;
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    #[cfg(not(feature = "diagnose"))]
    // SAFETY: never run, because a program with this call does not link.
    unsafe {
        _ = info;
        linkstream_embedded_has_a_panic_path()
    }
    // Links, so that the location of the panic is in the program.
    #[cfg(feature = "diagnose")]
    loop {
        core::hint::black_box(info.location());
    }
}
