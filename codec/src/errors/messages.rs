//! The tables of errors in a caller's request: one row per message. They break no rule of a file, so this module does
//! not need [`rules`](crate::rules), and all modules can use it.

/// Declares the errors of a caller's request: each variant is followed by its message, as in
/// [`rules!`](crate::rules::rules) but without the rest of the row, since the request breaks no clause of a document.
///
/// A variant that wraps another error is followed by `(..inner)`, or by `(..inner, "in {name}: {inner}")`.
macro_rules! messages {
    (@read $head:tt { $($body:tt)* } { $($table:tt)* }
        $(#[$doc:meta])*
        $variant:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)? } => ($($row:tt)+),
        $($rest:tt)*
    ) => {
        $crate::messages::messages!(@read $head
            { $($body)* $(#[$doc])* $variant { $($(#[$field_doc])* $field: $type),* }, }
            { $($table)* { Self::$variant { $($field),* }, ($($row)+) } }
            $($rest)*
        );
    };
    (@read $head:tt { $($body:tt)* } { $($table:tt)* }
        $(#[$doc:meta])* $variant:ident($($field:ident: $type:ty),* $(,)?) => ($($row:tt)+), $($rest:tt)*
    ) => {
        $crate::messages::messages!(@read $head
            { $($body)* $(#[$doc])* $variant($($type),*), }
            { $($table)* { Self::$variant($($field),*), ($($row)+) } }
            $($rest)*
        );
    };
    (@read $head:tt { $($body:tt)* } { $($table:tt)* }
        $(#[$doc:meta])* $variant:ident => ($($row:tt)+), $($rest:tt)*
    ) => {
        $crate::messages::messages!(@read $head
            { $($body)* $(#[$doc])* $variant, }
            { $($table)* { Self::$variant, ($($row)+) } }
            $($rest)*
        );
    };
    (@read [$(#[$meta:meta])* $vis:vis $Kind:ident] { $($body:tt)* } {
        $({
            $pattern:pat,
            $(($message:literal $(, $argument:expr)* $(,)?))?
            $((..$inner:ident $(, $own_message:literal)?))?
        })*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        $vis enum $Kind { $($body)* }

        #[allow(unused_variables, reason = "a row binds all fields and uses those that it needs")]
        impl core::fmt::Display for $Kind {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $(
                        $($pattern => write!(f, $message $(, $argument)*),)?
                        $($pattern => $crate::messages::first!($(write!(f, $own_message);)? core::fmt::Display::fmt($inner, f);),)?
                    )*
                }
            }
        }

        $crate::messages::source!($Kind, $($({ $pattern, $inner })?)*);
    };

    ($(#[$meta:meta])* $vis:vis enum $Kind:ident { $($variants:tt)* }) => {
        $crate::messages::messages!(@read [$(#[$meta])* $vis $Kind] {} {} $($variants)*);
    };
}

/// Implements `Error` for an enum. The message of a wrapped error is part of the message, so the source is the source
/// of the wrapped error.
macro_rules! source {
    ($Kind:ident, $({ $pattern:pat, $inner:ident })*) => {
        #[allow(unused_variables, reason = "a row binds all fields and uses those that it needs")]
        impl core::error::Error for $Kind {
            fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
                match self {
                    $($pattern => core::error::Error::source($inner),)*
                    #[allow(unreachable_patterns, reason = "all variants may wrap an error")]
                    _ => None,
                }
            }
        }
    };
}

/// The first of one or two expressions.
macro_rules! first {
    ($first:expr; $($second:expr;)?) => {
        $first
    };
}

pub(crate) use {first, messages, source};
