//! The helps: `-h` on one screen, `--help` complete and in groups, and `linkstream help` for commands and topics.

use std::io::Write as _;

use clap::{Arg, ArgAction, Command};

use crate::failure::wrong_arguments;
use crate::topics::TOPICS;

/// The options that `-h` shows if a command has many.
const OFTEN_USED: [&str; 29] = [
    "columns",
    "compress",
    "csv",
    "data",
    "element",
    "extents",
    "field",
    "for",
    "force",
    "from-csv",
    "json",
    "lenient",
    "lfn",
    "list",
    "name",
    "no-observables",
    "out",
    "precision",
    "quiet",
    "require-checksum",
    "section",
    "separator",
    "slice",
    "solution",
    "source",
    "to",
    "type",
    "volumes",
    "where",
];
/// A command with more options has many.
const FEW: usize = 7;
/// The most examples in `-h`.
const EXAMPLES: usize = 2;
/// Headings of the options that `-h` leaves out. Options without one are [`OTHERS`].
const GROUPS: [(&str, &[&str]); 4] = [
    ("Files", &["files-from", "all", "only-failed", "volume", "from", "io", "layout"]),
    (
        "Numbers",
        &[
            "rows",
            "byte-order",
            "little-endian",
            "big-endian",
            "kind",
            "tolerance",
            "checksum",
            "any-numbers",
            "damaged",
            "time",
            "slices",
        ],
    ),
    ("Texts", &["date", "info", "source-info", "solution-info", "label", "source-label", "update", "user"]),
    ("General", &["color", "log-format", "spool-limit", "threads", "usage-status", "verbose"]),
];
const OTHERS: &str = "More options";
/// `-h` of `check` has this instead of the exit statuses.
const VERDICTS: &str = "\
Verdicts, with exit status:
  ok          0  stored checksums verify all data
  unverified  0  data have no stored checksum (1 with --require-checksum)
  wrong       1  damage, or a broken rule
  unreadable  2  the file could not be read";

/// Like the usual one, without an empty line before the usage.
const TEMPLATE: &str = "{about-with-newline}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The program's arguments with a short and a complete help for each command.
pub fn arranged(program: Command) -> Command {
    let name = program.get_name().to_owned();
    // The list of commands needs the lines: everybody knows this option, and `--help` has it.
    let version = Arg::new("version").long("version").short('V').action(ArgAction::Version);
    let version = version.help("Print version").hide_short_help(true);
    of_command(program, &name).disable_version_flag(true).arg(version).help_template(TEMPLATE)
}

fn of_command(command: Command, path: &str) -> Command {
    let options = command.get_opts().filter(|option| !option.is_global_set()).count();
    let is_long = options > FEW;
    let complete = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let most = if command.has_subcommands() && !path.contains(' ') { 1 } else { EXAMPLES };
    let short = short(&complete, path, most);
    // Topics are listed where readers look first.
    let complete = if path.contains(' ') { complete } else { format!("{complete}\n\n{}", topics()) };
    command
        .about(up_to(&about, &[". ", ": ", "; "]))
        .long_about(about)
        .after_help(kept(&short))
        .after_long_help(kept(&complete))
        .mut_args(|arg| of_option(arg, is_long))
        .mut_subcommands(|inner| {
            let path = format!("{path} {}", inner.get_name());
            of_command(inner, &path)
        })
}

/// `-h` shows the first sentence about an option, and of many options only those often used.
fn of_option(arg: Arg, is_long: bool) -> Arg {
    let complete = arg.get_long_help().or_else(|| arg.get_help());
    let mut complete = complete.map(ToString::to_string).unwrap_or_default();
    let sentence = up_to(&complete, &[". ", "; "]);
    let sentence =
        match complete.rfind(" [default").filter(|at| complete.ends_with(']') && *at >= sentence.len()) {
            Some(at) => sentence + &complete[at..],
            None => sentence,
        };
    let mut arg = arg;
    let values = if arg.get_action().takes_values() { arg.get_possible_values() } else { Vec::new() };
    if values.len() > 2 && values.iter().all(|value| value.get_help().is_none()) {
        let names: Vec<_> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
        complete += &format!(" [values: {}]", names.join(", "));
        arg = arg.hide_possible_values(true);
    }
    let name = arg.get_long().unwrap_or_default().to_owned();
    if !name.is_empty() && arg.get_action().takes_values() {
        // A negative number is no option: the message is to say what is expected instead.
        arg = arg.allow_negative_numbers(true);
    }
    if !complete.is_empty() {
        arg = arg.help(kept(&sentence)).long_help(kept(&complete));
    }
    let is_shown = !is_long || name.is_empty() || arg.is_required_set() || OFTEN_USED.contains(&&*name);
    if is_shown && !arg.is_global_set() && name != "damaged" {
        return arg;
    }
    let group = GROUPS.iter().find(|(_, names)| names.contains(&&*name));
    arg.hide_short_help(true).help_heading(group.map_or(OTHERS, |(heading, _)| heading))
}

/// The text with its `{n}`, the number in names of files, which clap would print as the end of a line. It does not
/// recognise them with a style inside, and this one has no effect.
fn kept(text: &str) -> String {
    text.replace("{n}", "{\x1b[0mn}")
}

/// The text up to the first of these marks outside of parentheses and quotes.
fn up_to(text: &str, marks: &[&str]) -> String {
    let (mut depth, mut is_quoted) = (0_u32, false);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '`' => is_quoted = !is_quoted,
            _ if depth == 0 && !is_quoted && marks.iter().any(|mark| text[at..].starts_with(mark)) => {
                return text[..at].to_owned();
            }
            _ => {}
        }
    }
    text.trim_end_matches('.').to_owned()
}

/// The text after the options in `-h`: a few examples, and where more is.
fn short(complete: &str, path: &str, most: usize) -> String {
    let examples = complete.split("\n\n").find(|section| section.starts_with("Example"));
    let mut lines = Vec::new();
    if path == "linkstream check" {
        lines.extend([VERDICTS, ""]);
    }
    let mut count = 0;
    for (index, line) in examples.into_iter().flat_map(str::lines).enumerate() {
        let continues = index > 1 && lines.last().is_some_and(|line: &&str| line.ends_with('\\'));
        count += usize::from(index > 0 && !continues);
        if count > most {
            break;
        }
        lines.push(line);
    }
    let more = match path {
        "linkstream check" => "More: --help, or `linkstream help verdicts`",
        // The list of commands leaves `help` out. `cargo install` installs no manual pages.
        "linkstream" => "More: --help, `linkstream help COMMAND` or TOPIC; man pages: `linkstream man`",
        _ => "More: --help",
    };
    if path.contains(' ') {
        return format!("{}\n\n{more}", lines.join("\n"));
    }
    // The program has many commands.
    let example = lines.last().map_or("", |line| line.trim_start());
    format!("Example: {}\n{more}", up_to(example, &["  "]))
}

/// The text after the options of `help`.
pub fn examples() -> String {
    format!("{}\n\nExamples:\n  linkstream help lime unpack\n  linkstream help verdicts", topics())
}

fn topics() -> String {
    let topics: Vec<_> = TOPICS.iter().map(|(name, about, _)| format!("  {name:<12} {about}")).collect();
    format!("Topics of `linkstream help TOPIC`:\n{}", topics.join("\n"))
}

/// Prints the complete help of a command, or a topic.
pub fn run(mut program: Command, words: &[String]) -> anyhow::Result<()> {
    if let [word] = words
        && let Some((_, _, texts)) = TOPICS.iter().find(|(name, ..)| name == word)
    {
        return print(&format!("{}\n", texts.join("\n\n")));
    }
    program.build();
    let mut command = &mut program;
    for word in words {
        let path = command.get_bin_name().unwrap_or("linkstream").to_owned();
        let names: Vec<_> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
        let Some(inner) = command.find_subcommand_mut(word) else {
            match names.join(", ") {
                _ if !path.contains(' ') => {
                    let topics = TOPICS.map(|(name, ..)| name).join(", ");
                    wrong_arguments!("{path} has no command '{word}'; topics are {topics}")
                }
                names if names.is_empty() => wrong_arguments!("{path} has no command '{word}'"),
                names => wrong_arguments!("{path} has no command '{word}'; its commands are {names}"),
            }
        };
        command = inner;
    }
    print(&command.render_long_help().ansi().to_string())
}

fn print(text: &str) -> anyhow::Result<()> {
    crate::stdio::colored()
        .and_then(|mut out| out.write_all(text.as_bytes()).map_err(crate::failure::Failure::Output))
        .map_err(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A longer line would be broken, and its last words would be a line of their own.
    fn fits(command: &Command) {
        let text = command.get_after_long_help().map(|text| text.ansi().to_string()).unwrap_or_default();
        for line in text.lines().map(|line| line.replace("\x1b[0m", "")) {
            assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
        }
        command.get_subcommands().for_each(fits);
    }

    /// The messages about values that no option of a command can have.
    fn refused(command: &mut Command, path: &[String], messages: &mut Vec<String>) {
        let options: Vec<String> = command
            .get_arguments()
            .filter(|arg| arg.get_action().takes_values() && !arg.is_require_equals_set())
            .filter_map(|arg| arg.get_long().map(str::to_owned))
            .collect();
        for option in options {
            for value in ["-1", "x", "[", "99999999999999999999", ""] {
                let arguments = [path, &[format!("--{option}={value}")]].concat();
                let separate = [path, &[format!("--{option}"), value.to_owned()]].concat();
                for arguments in [arguments, separate] {
                    if let Err(error) = crate::program().try_get_matches_from(&arguments) {
                        messages.push(format!("{arguments:?}: {error}"));
                    }
                }
            }
        }
        for inner in command.get_subcommands_mut() {
            let path = [path, &[inner.get_name().to_owned()]].concat();
            refused(inner, &path, messages);
        }
    }

    /// The messages of the standard library and of parsers name neither what is expected nor an example.
    #[test]
    fn a_wrong_value_is_refused_with_the_right_one() {
        let mut messages = Vec::new();
        refused(&mut crate::program(), &["linkstream".to_owned()], &mut messages);
        assert!(messages.len() > 100, "{}", messages.len());
        let of_parsers = [
            "in string",
            "zero for non-zero",
            "number at ",
            "number too large",
            "float literal",
            "syntax error",
            "use '--",
        ];
        messages.retain(|message| of_parsers.iter().any(|words| message.contains(words)));
        assert_eq!(messages, [""; 0]);
    }

    #[test]
    fn no_line_after_the_options_is_broken() {
        fits(&crate::program());
    }
}
