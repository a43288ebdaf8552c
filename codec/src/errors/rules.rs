//! The tables of rules: one row per rule.
//!
//! [`rules!`] declares the `ErrorKind` of a format; [`messages!`](crate::messages::messages) the errors of a caller's
//! request. A row contains everything about its rule, so a new rule needs one row, the code that finds it, and a test.
//!
//! # Messages and causes
//! A message is complete: if an error wraps another one, its message contains the message of the inner error.
//! [`source`](core::error::Error::source) therefore does not return the inner error, which would be printed twice; it
//! returns the source of the inner error instead. Only an error that no message contains is a source: the error
//! of a caller's reader or writer ([`ReadError`](crate::io::ReadError), [`WriteError`](crate::io::WriteError)).

/// Declares an `ErrorKind`: each variant is followed by its row, or rows.
///
/// ```text
/// rules! {
///     /// The errors of a file.
///     pub enum ErrorKind {
///         /// A record does not begin with the magic number.
///         Magic {
///             /// The number in the file.
///             found: u32,
///         } => ("lime-magic", Fatal, Magic, "LIME 1.2, appendix A", "not the magic number: {found:08x}"),
///         /// A name that is repeated.
///         Repeated { same: bool }
///             => ("repeated" if *same, Info, Rule, "ILDG 1.2, section 2.2", "the name is repeated")
///                ("repeated", Warning, Rule, "ILDG 1.2, section 2.2", "a second name"),
///         /// The error of another format.
///         Lime(kind: lime::ErrorKind) => (..kind),
///         /// The error of another format, with a clause and a message of our own.
///         Document(name: Name, kind: xml::ErrorKind)
///             => (..kind, clause: clause_in(*name, *kind), "in {name}: {kind}"),
///     }
/// }
/// ```
///
/// A row is `(rule, severity, class, clause, message)`. The message may use the fields by their names, and
/// further arguments of `format_args!` may follow it. The fields of tuple variants are named for this
/// purpose. If there are several rows, the first row whose condition is true applies; the last row has no condition.
///
/// `const enum` in place of `enum` makes the severities available in constants; the conditions must be constant.
///
/// Derived from the rows are the enum (`#[non_exhaustive]`), `Diagnostic`, `Display`, `Error`, the list
/// `RULES`, and the table in the documentation of the type. All are matches: a program that asks for the severity
/// does not link the messages.
macro_rules! rules {
    // Reads the variants one after the other. Each is added to the enum's body and, as its pattern, its name and
    // its rows, to the table.
    (@read $head:tt { $($body:tt)* } { $($table:tt)* }
        $(#[$doc:meta])*
        $variant:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)? } => $($row:tt)*
    ) => {
        $crate::rules::rules!(@row $head
            { $($body)* $(#[$doc])* $variant { $($(#[$field_doc])* $field: $type),* }, }
            { $($table)* }
            ($variant) (Self::$variant { $($field),* })
            $($row)*
        );
    };
    (@read $head:tt { $($body:tt)* } { $($table:tt)* }
        $(#[$doc:meta])* $variant:ident($($field:ident: $type:ty),* $(,)?) => $($row:tt)*
    ) => {
        $crate::rules::rules!(@row $head
            { $($body)* $(#[$doc])* $variant($($type),*), }
            { $($table)* }
            ($variant) (Self::$variant($($field),*))
            $($row)*
        );
    };
    (@read $head:tt { $($body:tt)* } { $($table:tt)* } $(#[$doc:meta])* $variant:ident => $($row:tt)*) => {
        $crate::rules::rules!(@row $head
            { $($body)* $(#[$doc])* $variant, }
            { $($table)* }
            ($variant) (Self::$variant)
            $($row)*
        );
    };
    (@read $head:tt $body:tt $table:tt) => {
        $crate::rules::rules!(@emit $head $body $table);
        $crate::rules::rules!(@constant $head $table);
    };

    // Takes the rows of the variant that was read last.
    (@row $head:tt $body:tt { $($table:tt)* } ($variant:ident) ($pattern:pat)
        $(($($row:tt)+))+, $($rest:tt)*
    ) => {
        $crate::rules::rules!(@read $head $body { $($table)* { $variant, $pattern, $(($($row)+))+ } } $($rest)*);
    };

    (@emit [$(#[$meta:meta])* $vis:vis $Kind:ident $(const)?] { $($body:tt)* } {
        $({
            $variant:ident,
            $pattern:pat,
            $((
                $rule:literal $(if $condition:expr)?, $severity:ident, $class:ident, $clause:literal,
                $message:literal $(, $argument:expr)* $(,)?
            ))*
            $((..$inner:ident $(, clause: $own_clause:expr)? $(, $own_message:literal)?))?
        })*
    }) => {
        $(#[$meta])*
        ///
        /// # Rules
        /// The [severity](crate::Severity) of a rule determines the [modes](crate::Mode) that reject the input; in the
        /// other modes the decoder reports a finding.
        ///
        /// A rule whose severity or clause depends on the circumstances has several rows. The first row whose condition
        /// on the fields of the variant is true applies. Words in braces are placeholders for values.
        ///
        /// | rule | severity | class | clause | rejected in | message |
        /// | --- | --- | --- | --- | --- | --- |
        $(
            $(#[doc = concat!(
                "| [`", $rule, "`](Self::", stringify!($variant), ")",
                $(" if `", stringify!($condition), "`",)? " | ", stringify!($severity), " | ",
                stringify!($class), " | ", $clause, " | ", $crate::rules::rejected_in!($severity),
                " | ``", $message, "`` |"
            )])*
            $(#[doc = concat!(
                $crate::messages::first!("| the rules of [`"; stringify!($inner);), stringify!($variant), "`](Self::", stringify!($variant), ") | | | | | |"
            )])?
        )*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        $vis enum $Kind { $($body)* }

        impl $Kind {
            /// The rows of the table above. The rules of wrapped errors are in the lists of their own types.
            pub const RULES: &'static [$crate::Rule] = &[$($(
                $crate::Rule {
                    name: $rule,
                    severity: $crate::Severity::$severity,
                    class: $crate::Class::$class,
                    clause: $clause,
                    message: $message,
                },
            )*)*];
        }

        #[allow(unused_variables, reason = "a row binds all fields and uses those that it needs")]
        impl $crate::Diagnostic for $Kind {
            fn class(&self) -> $crate::Class {
                match self {
                    $(
                        $($pattern $(if $condition)? => $crate::Class::$class,)*
                        $($pattern => $crate::Diagnostic::class($inner),)?
                    )*
                }
            }

            fn severity(&self) -> $crate::Severity {
                match self {
                    $(
                        $($pattern $(if $condition)? => $crate::Severity::$severity,)*
                        $($pattern => $crate::Diagnostic::severity($inner),)?
                    )*
                }
            }

            fn rule(&self) -> &'static str {
                match self {
                    $(
                        $($pattern $(if $condition)? => $rule,)*
                        $($pattern => $crate::Diagnostic::rule($inner),)?
                    )*
                }
            }

            fn clause(&self) -> &'static str {
                match self {
                    $(
                        $($pattern $(if $condition)? => $clause,)*
                        $($pattern => $crate::messages::first!($($own_clause;)? $crate::Diagnostic::clause($inner);),)?
                    )*
                }
            }
        }

        #[allow(unused_variables, reason = "a row binds all fields and uses those that it needs")]
        impl core::fmt::Display for $Kind {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $(
                        $($pattern $(if $condition)? => write!(f, $message $(, $argument)*),)*
                        $($pattern => $crate::messages::first!($(write!(f, $own_message);)? core::fmt::Display::fmt($inner, f);),)?
                    )*
                }
            }
        }

        $crate::messages::source!($Kind, $($({ $pattern, $inner })?)*);
    };

    // The severities as constants, for `const enum`.
    (@constant [$(#[$meta:meta])* $vis:vis $Kind:ident const] {
        $({
            $variant:ident,
            $pattern:pat,
            $((
                $rule:literal $(if $condition:expr)?, $severity:ident, $class:ident, $clause:literal,
                $message:literal $(, $argument:expr)* $(,)?
            ))*
        })*
    }) => {
        impl $Kind {
            /// [`severity`](crate::Diagnostic::severity) in constants.
            #[allow(unused_variables, reason = "a row binds all fields and uses those that it needs")]
            pub(crate) const fn constant_severity(&self) -> $crate::Severity {
                match self {
                    $($($pattern $(if $condition)? => $crate::Severity::$severity,)*)*
                }
            }
        }
    };
    (@constant $head:tt $table:tt) => {};

    ($(#[$meta:meta])* $vis:vis const enum $Kind:ident { $($variants:tt)* }) => {
        $crate::rules::rules!(@read [$(#[$meta])* $vis $Kind const] {} {} $($variants)*);
    };
    ($(#[$meta:meta])* $vis:vis enum $Kind:ident { $($variants:tt)* }) => {
        $crate::rules::rules!(@read [$(#[$meta])* $vis $Kind] {} {} $($variants)*);
    };
}

/// The modes that reject a severity, for the tables; [`Mode::refuses`](crate::Mode::refuses) in words.
macro_rules! rejected_in {
    (Info) => {
        "no mode"
    };
    (Warning) => {
        "Strict"
    };
    (Error) => {
        "Strict, Lenient"
    };
    (Fatal) => {
        "every mode"
    };
}

pub(crate) use {rejected_in, rules};

/// Bytes in a message: each as a space and two hexadecimal digits.
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl core::fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, " {byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::string::ToString as _;

    use crate::{Class, Diagnostic as _, Mode, Severity};

    rules! {
        /// Inner.
        enum Inner {
            /// Plain.
            Plain => ("plain", Fatal, Magic, "clause 1", "plain"),
            /// A tuple.
            Tuple(number: u32, _other: u8) => ("tuple", Error, Limit, "clause 2", "{number:04x} {}", number + 1),
            /// Two severities.
            Twice { same: bool } =>
                ("twice" if *same, Info, Rule, "clause 3", "again")
                ("twice", Warning, Rule, "clause 4", "another"),
        }
    }

    rules! {
        /// Outer.
        enum Outer {
            /// A wrapped error with its own row.
            Inner(inner: Inner) => (..inner),
            /// A wrapped error with another message.
            Named(name: &'static str, inner: Inner) => (..inner, clause: name, "in {name}: {inner}"),
        }
    }

    #[test]
    fn everything_is_taken_from_the_row() {
        let rows = [
            (Inner::Plain, "plain", Severity::Fatal, Class::Magic, "clause 1", "plain"),
            (Inner::Tuple(17, 0), "tuple", Severity::Error, Class::Limit, "clause 2", "0011 18"),
            (Inner::Twice { same: true }, "twice", Severity::Info, Class::Rule, "clause 3", "again"),
            (Inner::Twice { same: false }, "twice", Severity::Warning, Class::Rule, "clause 4", "another"),
        ];
        for ((kind, rule, severity, class, clause, message), row) in rows.into_iter().zip(Inner::RULES) {
            assert_eq!(
                (kind.rule(), kind.severity(), kind.class(), kind.clause()),
                (rule, severity, class, clause)
            );
            assert_eq!((row.name, row.severity, row.class, row.clause), (rule, severity, class, clause));
            assert_eq!(kind.to_string(), message);

            let same = Outer::Inner(kind);
            assert_eq!(
                (same.rule(), same.severity(), same.class(), same.clause()),
                (rule, severity, class, clause)
            );
            assert_eq!(same.to_string(), message);
            let named = Outer::Named("a file", kind);
            assert_eq!((named.rule(), named.clause()), (rule, "a file"));
            assert_eq!(named.to_string(), std::format!("in a file: {message}"));
            assert!(named.source().is_none(), "the message contains the cause");
        }
        assert_eq!((Inner::RULES.len(), Outer::RULES.len()), (4, 0));
    }

    #[test]
    fn the_table_names_the_modes_that_refuse() {
        for (severity, words) in [
            (Severity::Info, rejected_in!(Info)),
            (Severity::Warning, rejected_in!(Warning)),
            (Severity::Error, rejected_in!(Error)),
            (Severity::Fatal, rejected_in!(Fatal)),
        ] {
            let modes = [(Mode::Strict, "Strict"), (Mode::Lenient, "Lenient"), (Mode::Survey, "Survey")];
            for (mode, name) in modes {
                assert_eq!(words == "every mode" || words.contains(name), mode.refuses(severity), "{words}");
            }
        }
    }
}
