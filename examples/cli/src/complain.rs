//! Messages on standard error.

use std::fmt::Display;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use linkstream_report::ensemble::stamp::Stamp;

use crate::color;
use crate::failure::sentence;
use crate::human::one_line;

/// The form of messages, and of lines that are made for logs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    #[default]
    Plain,
    /// Each line begins with the time in UTC, as ISO 8601 writes it.
    Iso,
}

/// Options about messages that all commands have.
#[derive(Debug, Args)]
pub struct Messages {
    /// Name the files that were written, on standard error.
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Begin each message, and each line of `check --quiet` and `check --manifest`, with the time (UTC, ISO 8601): plain or
    /// iso.
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    log_format: LogFormat,
}

static VERBOSE: AtomicBool = AtomicBool::new(false);
static TIMED: AtomicBool = AtomicBool::new(false);

impl Messages {
    /// Applies the options to all later messages.
    pub fn apply(&self) {
        VERBOSE.store(self.verbose, Ordering::Relaxed);
        TIMED.store(self.log_format == LogFormat::Iso, Ordering::Relaxed);
    }
}

/// Prints an error.
pub fn complain(error: &anyhow::Error) {
    message(format_args!("{} {}", color::bad("linkstream:"), one_line(&sentence(error))));
}

/// Prints a message of one line.
pub fn message(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{}{message}", time());
}

/// Prints what a command has done, if the user wants to know.
pub fn done(text: impl Display) {
    if VERBOSE.load(Ordering::Relaxed) {
        message(text);
    }
}

/// The lines of a text for a log, each with the time if that was asked for.
pub fn for_log(text: &str) -> String {
    let time = time();
    text.lines().map(|line| format!("{time}{line}\n")).collect()
}

/// The time before a line; empty unless it was asked for.
fn time() -> String {
    let now = Stamp::of(SystemTime::now()).filter(|_| TIMED.load(Ordering::Relaxed));
    now.map(|now| format!("{} ", now.seconds())).unwrap_or_default()
}
