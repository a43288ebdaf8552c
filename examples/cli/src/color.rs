//! Colours on a terminal: the colour of each kind of word. Text is always painted; the streams of [`anstream`] remove
//! the colours if the output is not a terminal.

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
    /// Applies the choice to all later output.
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

/// Paints a word that reports success.
pub fn good(text: impl Display) -> String {
    painted(GOOD, text)
}

/// Paints a word that reports a possible problem.
pub fn warning(text: impl Display) -> String {
    painted(WARNING, text)
}

/// Paints a word that reports an error.
pub fn bad(text: impl Display) -> String {
    painted(BAD, text)
}

/// Paints the severity of a finding.
pub fn level(level: Level) -> String {
    match level {
        Level::Warning => warning(level.as_str()),
        Level::Error => bad(level.as_str()),
    }
}

fn painted(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
