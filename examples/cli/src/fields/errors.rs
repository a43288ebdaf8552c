//! Errors and warnings of the library as the program reports them: with the option that helps.

use std::io;

use linkstream_access::write::{Error, Fault, Refusal, Warning};

use crate::failure::Failure;
use crate::output::of_file;

/// Text appended to an error.
fn remedy(error: &Error) -> String {
    let fixed = match error {
        Error::Fault { fault: Fault::Rows { .. }, .. } => " (--tolerance)",
        Error::Fault { fault: Fault::NamesDiffer { .. }, .. } => {
            "; choose the name of the new file with --lfn"
        }
        Error::Fault { fault: Fault::Name { .. }, .. } => "; --lfn gives another",
        Error::Refused { refusal, .. } => match refusal {
            Refusal::RowsUnrecorded => "; use --to both",
            Refusal::RowsOrLinks => "; --to ildg leaves them out, too",
            Refusal::UpdateOfSeveral => "; choose it with --field",
            Refusal::SameUpdates(_) | Refusal::Lattices { .. } => "; choose one with --field",
            Refusal::Several(numbers) => {
                let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
                return format!("; choose one with --field: {}", numbers.join(", "));
            }
            _ => "",
        },
        _ => "",
    };
    fixed.to_owned()
}

/// The text of a warning, and what helps.
pub fn advised(warning: &Warning) -> String {
    match warning {
        Warning::MoreFindings => format!("{warning}; `linkstream check` lists them"),
        _ => warning.to_string(),
    }
}

/// An error of a conversion. If the requested form is impossible, this is because of the content of the input. A data
/// record that does not exist is wrong usage, as in all commands that choose a part of a file by its number.
pub fn converted(error: Error) -> anyhow::Error {
    if matches!(error, Error::Refused { refusal: Refusal::NoSuchRecord { .. }, .. }) {
        return made(error);
    }
    match failure(error) {
        Ok(Failure::Refused(why)) => Failure::Invalid(why).into(),
        Ok(failure) => failure.into(),
        Err(error) => error,
    }
}

/// An error of a file made from numbers. If the requested form is impossible, this is because of the arguments.
pub fn made(error: Error) -> anyhow::Error {
    failure(error).map_or_else(|error| error, Into::into)
}

/// The program's failure, or an error that is not a such failure.
fn failure(error: Error) -> Result<Failure, anyhow::Error> {
    let text = || format!("{error}{}", remedy(&error)).into();
    Ok(match error {
        Error::Input(error) => Failure::of_source(error),
        Error::Output(error) => Failure::Output(error),
        Error::Temporary(error) => Failure::Temporary(error),
        Error::ReadBack(_) | Error::ReadBackArchive(_) => Failure::Output(io::Error::other(error)),
        Error::Format { .. } if error.is_other_format() => Failure::Magic(Box::new(error)),
        Error::Format { .. } | Error::Fault { .. } => Failure::Invalid(text()),
        Error::Refused { .. } | Error::Encode(_) | Error::EncodeVolume(_) | Error::Compressor(_) => {
            Failure::Refused(text())
        }
        Error::File(error) => return Err(of_file(error)),
        other => return Err(other.into()),
    })
}
