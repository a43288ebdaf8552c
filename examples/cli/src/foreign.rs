//! Files of formats that a command does not read: every command names their format, and what reads it.

use std::path::Path;
use std::sync::OnceLock;

use linkstream::io::FromStd;
use linkstream::sniff::Format;
use linkstream_report::identify::{identify, not_read};

use crate::system::{File, metadata};

/// The command of this run, such as `lime unpack`.
static COMMAND: OnceLock<String> = OnceLock::new();

/// Remembers the command of this run for messages.
pub fn remember(command: String) {
    let _ = COMMAND.set(command);
}

/// Adapts a message of a report: the command that it recommends for the unpacked file becomes the command of this run.
pub fn for_this_command(message: &str) -> String {
    const READS: &str = "| linkstream check -` reads what is in it";
    let command = COMMAND.get().map_or("", String::as_str);
    let reads = match command {
        // They change the file itself.
        "edit" | "ildg set-lfn" => {
            let format = message.strip_suffix(READS).and_then(|rest| Some(rest.split_once(": `")?.0));
            let unpacked = format.map(|format| {
                format!("{format}: unpack it first; `linkstream {command}` changes the unpacked file")
            });
            return unpacked.unwrap_or_else(|| message.to_owned());
        }
        "ildg make" => "ildg make … --from -".to_owned(),
        "convert" | "diff" | "export" | "inebin to-csv" | "scda cat" => format!("{command} - …"),
        lime if lime.starts_with("lime ") && lime != "lime pack" => format!("{lime} - …"),
        // These do not read standard input.
        _ => return message.to_owned(),
    };
    message.replace(READS, &format!("| linkstream {reads}` reads what is in it"))
}

/// Describes a file with these first bytes and this size, and names programs that read it; `None` unless its format is
/// one that is recognised but not read. `name` is the file as the user named it.
pub fn called(first: &[u8], size: u64, name: &Path) -> Option<String> {
    not_read(first, Some(size), &name.display().to_string()).map(|finding| for_this_command(&finding.message))
}

/// The same description for a file that turned out to have another format than expected, or the commands that read it.
/// `None` if the format is unknown, or if the file cannot be read again.
pub fn file_called(path: &Path) -> Option<String> {
    let about = metadata(path).ok().filter(|about| about.is_file() && path != Path::new("-"))?;
    let mut file = File::open(path).ok()?;
    match identify(&mut FromStd(&mut file)) {
        Ok((first, None)) => called(&first, about.len(), path),
        Ok((_, Some(format))) => readers_of(format),
        Err(_) => None,
    }
}

/// Names a format and the commands that read it.
fn readers_of(format: Format) -> Option<String> {
    let (what, reads) = match format {
        Format::Lime => ("a LIME file", "lime contents"),
        Format::Inebin => ("an INEBIN file", "inebin to-csv"),
        Format::Scda => ("an scda file", "scda cat"),
        Format::Nersc => ("a NERSC archive", "convert"),
        Format::Milc => ("a MILC file", "convert"),
        _ => return None,
    };
    let command = COMMAND.get().map_or("", String::as_str);
    let wants = match command {
        "scda cat" => "; `scda cat` reads scda files",
        "inebin to-csv" => "; `inebin to-csv` reads INEBIN files",
        lime if lime.starts_with("lime ") => "; this command reads LIME files",
        _ => "",
    };
    Some(format!("this is {what}, which `linkstream {reads}` and `linkstream export` read{wants}"))
}
