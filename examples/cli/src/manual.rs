//! The commands `completions` and `man`: shell completions and manual pages, derived from the program's arguments.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::complain::done;
use crate::failure::{Failure, failed};
use crate::human::shown_path;
use crate::output::{Output, streamed};
use crate::system::uninterrupted;
use crate::topics::TOPICS;

/// Beginning of the section with the text after the options.
const EXTRA: &str = "\n.SH EXTRA\n";

/// Writes the completions for a shell to standard output.
pub fn completions(mut program: Command, shell: Shell) -> anyhow::Result<()> {
    let mut script = Vec::new();
    let name = program.get_name().to_owned();
    clap_complete::generate(shell, &mut program, name, &mut script);
    streamed(Path::new("-"), false, |out| {
        out.write_all(&script).map_err(|error| failed(Failure::Output(error)))
    })
}

/// Writes a page for the program, one for each of its commands and one for each topic of `linkstream help` into a
/// directory, which is made if it does not exist.
pub fn pages(program: Command, folder: &Path, force: bool) -> anyhow::Result<()> {
    uninterrupted(|| std::fs::create_dir_all(folder)).with_context(|| shown_path(folder))?;
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    collect(&program, folder, &mut pages)?;
    for topic in TOPICS {
        pages.push(page_of_topic(topic, folder)?);
    }
    // All pages are created first, so that an existing page is reported before any is written.
    let outputs: Vec<_> =
        pages.iter().map(|(path, _)| Output::create_inside(path, force)).collect::<anyhow::Result<_>>()?;
    let count = pages.len();
    for (mut output, (path, page)) in outputs.into_iter().zip(pages) {
        output.write_all(&page).map_err(Failure::Output).with_context(|| shown_path(&path))?;
        output.keep_silently()?;
    }
    done(format_args!("wrote {count} pages"));
    Ok(())
}

fn collect(command: &Command, folder: &Path, pages: &mut Vec<(PathBuf, Vec<u8>)>) -> anyhow::Result<()> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((folder.join(page.get_filename()), laid_out(&String::from_utf8_lossy(&text)).into_bytes()));
    command.get_subcommands().try_for_each(|command| collect(command, folder, pages))
}

/// The page `linkstream-help-NAME`. It is in section 1 like the others, so that all can be written into one directory.
fn page_of_topic(
    (name, about, texts): (&str, &'static str, &[&str]),
    folder: &Path,
) -> anyhow::Result<(PathBuf, Vec<u8>)> {
    let title = format!("linkstream-help-{name}");
    let file = folder.join(format!("{title}.1"));
    let command = Command::new("linkstream").display_name(title).about(about);
    let page = Man::new(command.after_help(texts.join("\n\n"))).source("linkstream");
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_extra_section(&mut text)?;
    let text = laid_out(&String::from_utf8_lossy(&text)).replacen(EXTRA, "\n.SH DESCRIPTION\n", 1);
    Ok((file, text.into_bytes()))
}

/// Keeps the lines of tables and examples in the text after the options, and makes its headings subsections. `man`
/// would fill such lines like a paragraph.
fn laid_out(page: &str) -> String {
    let Some((options, extra)) = page.split_once(EXTRA) else { return page.to_owned() };
    let mut out = options.to_owned() + EXTRA;
    let (mut is_after_gap, mut is_kept) = (true, false);
    for line in extra.lines() {
        let is_indented = line.starts_with(' ');
        if is_indented != is_kept {
            out += if is_indented { ".nf\n" } else { ".fi\n" };
            is_kept = is_indented;
        }
        match line.strip_suffix(':').filter(|_| is_after_gap && !is_indented) {
            Some(heading) => out += &format!(".SS \"{heading}\""),
            None => out += line,
        }
        out.push('\n');
        is_after_gap = line.is_empty();
    }
    if is_kept { out + ".fi\n" } else { out }
}
