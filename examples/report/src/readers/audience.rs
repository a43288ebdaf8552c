//! The programs that a file is written for: the form that they read, and the judgement on the result.

use std::fmt;
use std::str::FromStr;

use linkstream::lattice::Precision;
use linkstream_access::write::{Rows, Target, Wish};

use super::answer::Answer;
use super::evaluate::answer;
use super::program::Program;
use crate::report::Report;

/// The program that is to read a new file: the key of a [`Program`], or `any`.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use linkstream_access::write::{Target, Wish};
/// use linkstream_report::job::Job;
/// use linkstream_report::options::Options;
/// use linkstream_report::readers::Audience;
///
/// let audience: Audience = "gpt".parse()?;
/// assert_eq!(audience.wish(Wish::default()).target, Some(Target::Ildg));
///
/// // The file is then written, and checked by its report.
/// let options = Options { read_data: true, observables: true, lenient: true, ..Options::default() };
/// let report = Job::at(Path::new("../su3-4x4x4x8.lime")).open(&Arc::default())?.report(&options)?;
/// for warning in Audience::Any.judge(&report)? {
///     println!("{warning}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Nearly every program.
    Any,
    /// One program.
    One(Program),
}

/// A text that names no program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAudience;

impl fmt::Display for NotAudience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not one of any")?;
        Program::ALL.iter().try_for_each(|program| write!(f, ", {}", program.key()))
    }
}

impl std::error::Error for NotAudience {}

impl FromStr for Audience {
    type Err = NotAudience;

    fn from_str(key: &str) -> Result<Self, NotAudience> {
        match key {
            key if key.eq_ignore_ascii_case("any") => Ok(Self::Any),
            key => Program::parse(key).map(Self::One).ok_or(NotAudience),
        }
    }
}

impl Audience {
    /// The form of the new file: one gauge field as ILDG with all rows and a checksum. Numbers have double precision for
    /// programs that read nothing else, or not by default, unless `wish` has a precision. Its other entries remain.
    #[must_use]
    pub fn wish(self, wish: Wish) -> Wish {
        let wants_double = match self {
            Self::Any => true,
            Self::One(program) => matches!(program, Program::Gpt | Program::TmLqcd | Program::Cl2Qcd),
        };
        Wish {
            target: Some(Target::Ildg),
            one: true,
            precision: wish.precision.or(wants_double.then_some(Precision::F64)),
            rows: Some(Rows::Full),
            checksum: true,
            ..wish
        }
    }

    /// True if the sums of the checksum must be padded with spaces, false if they must not be; see
    /// [`respell_sums`](linkstream_access::write::respell_sums).
    #[must_use]
    pub fn has_padded_sums(self) -> bool {
        self == Self::One(Program::Gpt)
    }

    /// Judges a new file by its report, which includes the data and is lenient. Returns the answers of the programs that
    /// do not read the file although it is acceptable, which are warnings; there are none for a single program.
    ///
    /// # Errors
    /// The program does not read the file; for [`Any`](Self::Any), no program reads it.
    pub fn judge(self, report: &Report) -> Result<Vec<Answer>, Unread> {
        match self {
            Self::One(program) => {
                let answer = answer(report, program).ok_or(Unread::NoGaugeField)?;
                if answer.is_accepted() { Ok(Vec::new()) } else { Err(Unread::ByProgram(answer)) }
            }
            Self::Any => {
                let others = not_read_by(report);
                if others.len() == answers(report).count() { Err(Unread::ByAny(others)) } else { Ok(others) }
            }
        }
    }
}

/// The answers of all programs that do not read the file, in the order of [`Program::ALL`]. Without a gauge field there
/// are none.
#[must_use]
pub fn not_read_by(report: &Report) -> Vec<Answer> {
    answers(report).filter(|answer| !answer.is_accepted()).collect()
}

fn answers(report: &Report) -> impl Iterator<Item = Answer> {
    Program::ALL.into_iter().filter_map(|program| answer(report, program))
}

/// Reason why a new file does not serve its audience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// The file has no gauge field.
    NoGaugeField,
    /// The program refuses or misreads it.
    ByProgram(Answer),
    /// All programs refuse or misread it. Without a gauge field, there are no answers.
    ByAny(Vec<Answer>),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGaugeField => f.write_str("there is no gauge field"),
            Self::ByProgram(answer) => answer.fmt(f),
            Self::ByAny(answers) => {
                let why: Vec<_> = answers.iter().map(ToString::to_string).collect();
                write!(f, "no program can read it: {}", why.join("; "))
            }
        }
    }
}

impl std::error::Error for Unread {}
