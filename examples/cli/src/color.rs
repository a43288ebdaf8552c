//! Colour on a terminal: which words have which, and when. Text is painted always; the streams of [`anstream`] remove
//! the colours where nothing but a terminal would want them.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use linkstream_report::findings::Level;

/// When output is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless the environment has NO_COLOR.
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Decides for everything that is printed from now on.
    pub fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

const GOOD: Style = AnsiColor::Green.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// A word that means that all is well.
pub fn good(text: impl Display) -> String {
    painted(GOOD, text)
}

/// A word about what might be wrong.
pub fn warning(text: impl Display) -> String {
    painted(WARNING, text)
}

/// A word about what is wrong.
pub fn bad(text: impl Display) -> String {
    painted(BAD, text)
}

/// The severity of a finding.
pub fn level(level: Level) -> String {
    match level {
        Level::Warning => warning(level.as_str()),
        Level::Error => bad(level.as_str()),
    }
}

fn painted(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
