//! One text for a call and its asynchronous variant.
//!
//! [`both!`] takes `impl` blocks whose functions are plain Rust with a line before them, `#[asynchronous(next_async)]`. It
//! emits them twice: as they are written, over the traits of `embedded_io`, and with the feature `async` under the name in
//! that line, over the traits of `embedded_io_async`.
//! Inside, `wait!(self.source.read | read(out))` is the call of the first name in the synchronous variant, and the
//! awaited call of the second name in the asynchronous one.
//!
//! A function has at most one generic parameter, since a macro cannot match any text between `<` and `>`. A space
//! follows the parameter of a trait, since `>>` is one token: `D: BorrowMut<Decoder> >`. The names
//! `Read`, `Write` and `Seek` refer to the traits of the variant.

macro_rules! both {
    ($(
        $(#[$about:meta])*
        impl<$($life:lifetime,)? $($parameter:ident $(: $bound:ident $(<$of_bound:ident>)? $(+ $more:ident)*)?),+> $of:ty {$(
            #[asynchronous($twin:ident)]
            $(#[$attribute:meta])*
            $visibility:vis fn $name:ident
                $(<$($place:lifetime)? $($generic:ident $(: $of_trait:ident $(<$argument_of:ident>)?)?)?>)?
                ($($argument:tt)*) -> $result:ty
                $body:block
        )*}
    )+) => {$(
        const _: () = {
            #[allow(unused_imports, reason = "not every block needs all of them")]
            use {
                embedded_io::{Read, Seek, Write},
                crate::io::both::wait_blocking as wait,
                crate::io::fair::{ReadNoting as _, WriteNoting as _},
            };

            $(#[$about])*
            impl<$($life,)? $($parameter $(: $bound $(<$of_bound>)? $(+ $more)*)?),+> $of {$(
                $(#[$attribute])*
                $visibility fn $name
                    $(<$($place)? $($generic $(: $of_trait $(<$argument_of>)?)?)?>)?
                    ($($argument)*) -> $result $body
            )*}
        };

        #[cfg(feature = "async")]
        const _: () = {
            #[allow(unused_imports, reason = "not every block needs all of them")]
            use {
                embedded_io_async::{Read, Seek, Write},
                crate::io::both::wait_async as wait,
                crate::io::fair::asynchronous::{ReadNoting as _, WriteNoting as _},
            };

            impl<$($life,)? $($parameter $(: $bound $(<$of_bound>)? $(+ $more)*)?),+> $of {$(
                #[doc = concat!(
                    "[`", stringify!($name), "`](Self::", stringify!($name), ") over `embedded_io_async`, with its errors."
                )]
                $visibility async fn $twin
                    $(<$($place)? $($generic $(: $of_trait $(<$argument_of>)?)?)?>)?
                    ($($argument)*) -> $result $body
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
