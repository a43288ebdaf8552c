//! Runs the I/O node on an emulated board with a card of its own, and shows what it answers, or what it takes.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context as _, Result, bail, ensure};
use io_node::name::Name;
use io_node_host::card::{Card, SMALL};
use io_node_host::client::put_line;
use io_node_host::machine::Machine;
use io_node_host::{figures, files};

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    match (arguments.next().as_deref().and_then(|word| word.to_str()), arguments.next()) {
        (Some("run"), file) => run(&file.map_or_else(files::sample, PathBuf::from)),
        (Some("figures"), None) => {
            print!("{}{}", figures::size()?, figures::cost()?);
            Ok(())
        }
        _ => bail!("usage: io-node-host run [FILE], or io-node-host figures"),
    }
}

/// Puts the file on a node with an empty card, and reads it back.
fn run(path: &Path) -> Result<()> {
    let contents = fs::read(path).with_context(|| path.display().to_string())?;
    let name = short_name(path);
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    print!("> {}", put_line(&name, &contents));
    let upload = client.put(&name, &contents)?;
    println!("resume {}\n{}", upload.offset, upload.answer);
    let is_stored = upload.answer.starts_with("ok stored ");
    for command in ["list".to_owned(), format!("check {name}")] {
        print!("> {command}\n{}", client.patient(&command)?);
    }
    for command in [format!("slice {name} 0 4"), format!("get {name}")] {
        let (line, bytes) = client.bytes(&command)?;
        println!("> {command}\n{line}\n({} bytes)", bytes.len());
        ensure!(!is_stored || !command.starts_with("get ") || bytes == contents, "the bytes differ");
    }
    print!("> figures\n{}", client.patient("figures")?);
    drop(machine);
    if is_stored {
        ensure!(card.read(&name)? == contents, "the file on the card differs");
        card.check()?;
        println!("The file on the card equals {}, and the file system has no fault.", path.display());
    }
    ensure!(is_stored, "the node has not stored the file");
    Ok(())
}

/// A name that FAT accepts: the letters and digits of the file's name, as many as fit.
fn short_name(path: &Path) -> String {
    let part = |text: Option<&std::ffi::OsStr>, most| -> String {
        let text = text.unwrap_or_default().to_string_lossy();
        text.chars().filter(char::is_ascii_alphanumeric).take(most).collect::<String>().to_ascii_uppercase()
    };
    let name = match (part(path.file_stem(), 8), part(path.extension(), 3)) {
        (stem, extension) if extension.is_empty() => stem,
        (stem, extension) => format!("{stem}.{extension}"),
    };
    if Name::parse(name.as_bytes()).is_some() { name } else { "SAMPLE".to_owned() }
}
