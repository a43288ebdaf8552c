//! One text for a call and its asynchronous variant.
//!
//! [`both!`] takes `impl` blocks whose functions have two names, and emits them twice: under the first name over the
//! traits of `embedded_io`, and with the feature `async` under the second name over the traits of `embedded_io_async`.
//! Inside, `wait!(self.source.read | read(out))` is the call of the first name in the synchronous variant, and the
//! awaited call of the second name in the asynchronous one.
//!
//! Generic parameters of a function are in brackets, since a macro cannot match text between `<` and `>`. A space
//! follows the parameter of a trait, since `>>` is one token: `D: BorrowMut<Decoder> >`. The names
//! `Read`, `Write` and `Seek` refer to the traits of the variant.

macro_rules! both {
    ($(
        $(#[$about:meta])*
        impl<$($life:lifetime,)? $($parameter:ident $(: $bound:ident $(<$of_bound:ident>)? $(+ $more:ident)*)?),+> $of:ty {$(
            $(#[$attribute:meta])*
            $visibility:vis fn $name:ident | $twin:ident $([$($generic:tt)*])? ($($argument:tt)*) -> $result:ty
                $body:block
        )*}
    )+) => {$(
        const _: () = {
            #[allow(unused_imports, reason = "not every block needs all of them")]
            use {
                embedded_io::{Read, Seek, Write},
                crate::io::both::wait_blocking as wait,
                crate::io::fair::ReadNoting as _,
            };

            $(#[$about])*
            impl<$($life,)? $($parameter $(: $bound $(<$of_bound>)? $(+ $more)*)?),+> $of {$(
                $(#[$attribute])*
                $visibility fn $name $(<$($generic)*>)? ($($argument)*) -> $result $body
            )*}
        };

        #[cfg(feature = "async")]
        const _: () = {
            #[allow(unused_imports, reason = "not every block needs all of them")]
            use {
                embedded_io_async::{Read, Seek, Write},
                crate::io::both::wait_async as wait,
                crate::io::fair::asynchronous::ReadNoting as _,
            };

            impl<$($life,)? $($parameter $(: $bound $(<$of_bound>)? $(+ $more)*)?),+> $of {$(
                #[doc = concat!(
                    "[`", stringify!($name), "`](Self::", stringify!($name), ") over `embedded_io_async`, with its errors."
                )]
                $visibility async fn $twin $(<$($generic)*>)? ($($argument)*) -> $result $body
            )*}
        };
    )+};
}

macro_rules! wait_blocking {
    ($($path:ident).+ | $twin:ident $arguments:tt) => {
        $($path).+ $arguments
    };
}

#[cfg(feature = "async")]
macro_rules! wait_async {
    ($a:ident . $name:ident | $twin:ident $arguments:tt) => {
        $a.$twin $arguments .await
    };
    ($a:ident . $b:ident . $name:ident | $twin:ident $arguments:tt) => {
        $a.$b.$twin $arguments .await
    };
    ($a:ident . $b:ident . $c:ident . $name:ident | $twin:ident $arguments:tt) => {
        $a.$b.$c.$twin $arguments .await
    };
}

#[cfg(feature = "async")]
pub(in crate::io) use wait_async;
pub(in crate::io) use {both, wait_blocking};
