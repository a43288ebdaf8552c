//! Images of cards: made with mkfs.fat, read with mtools, checked with fsck.fat.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use rustix::fs::{SeekFrom, seek};

const MEBIBYTE: u64 = 1 << 20;
/// First sector of the partition.
pub const PARTITION: u32 = 2048;

/// A card in a directory of its own.
#[derive(Debug)]
pub struct Card {
    folder: tempfile::TempDir,
}

/// File system and size.
#[derive(Debug, Clone, Copy)]
pub struct Geometry {
    pub mebibytes: u64,
    /// 16 or 32.
    pub fat: u32,
    pub sectors_per_cluster: u32,
}

/// A small card.
pub const SMALL: Geometry = Geometry { mebibytes: 64, fat: 16, sectors_per_cluster: 16 };
/// A card that is addressed by sectors, as all above 2 GiB are.
pub const LARGE: Geometry = Geometry { mebibytes: 4096, fat: 32, sectors_per_cluster: 64 };

impl Card {
    /// An empty card.
    pub fn new(geometry: Geometry) -> Result<Self> {
        let card = Self { folder: tempfile::tempdir()? };
        let length = geometry.mebibytes * MEBIBYTE;
        let file = File::create(card.path())?;
        file.set_len(length)?;
        // A partition table with one entry.
        let sectors = (length / 512) as u32 - PARTITION;
        let mut entry = [0; 16];
        entry[4] = if geometry.fat == 32 { 0x0c } else { 0x06 };
        entry[8..12].copy_from_slice(&PARTITION.to_le_bytes());
        entry[12..].copy_from_slice(&sectors.to_le_bytes());
        file.write_all_at(&entry, 446)?;
        file.write_all_at(&[0x55, 0xaa], 510)?;
        drop(file);
        let mut make = Command::new(tool("mkfs.fat"));
        if geometry.fat == 16 {
            // Room for all fixtures: the root directory of FAT16 cannot grow.
            make.args(["-r", "1024"]);
        }
        run(make
            .args(["-F", &geometry.fat.to_string(), "-s", &geometry.sectors_per_cluster.to_string()])
            .args(["--offset", &PARTITION.to_string()])
            .arg(card.path())
            .arg((sectors / 2).to_string()))?;
        Ok(card)
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("card.img")
    }

    /// A copy of the card as it is now.
    pub fn copy(&self) -> Result<Self> {
        let copy = Self { folder: tempfile::tempdir()? };
        run(Command::new("cp").arg("--sparse=always").arg(self.path()).arg(copy.path()))?;
        Ok(copy)
    }

    /// The log of the writes of a node that was started with [`Machine::logged`](crate::machine::Machine::logged).
    pub fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn partition(&self) -> String {
        format!("{}@@{}", self.path().display(), u64::from(PARTITION) * 512)
    }

    /// Contents of a file on the card.
    pub fn read(&self, name: &str) -> Result<Vec<u8>> {
        let copy = self.folder.path().join("copy");
        run(Command::new("mcopy")
            .args(["-n", "-o", "-i", &self.partition(), &format!("::{name}")])
            .arg(&copy))?;
        Ok(fs::read(copy)?)
    }

    /// Puts a file on the card.
    pub fn write(&self, name: &str, contents: &Path) -> Result<()> {
        run(Command::new("mcopy").args(["-i", &self.partition()]).arg(contents).arg(format!("::{name}")))
    }

    /// Runs a tool of mtools on a path of the card: `mdel` or `mmd`; `mlabel` takes the name of the card.
    pub fn tool(&self, tool: &str, path: &str) -> Result<()> {
        run(Command::new(tool).args(["-i", &self.partition(), &format!("::{path}")]))
    }

    /// Finds every fault of the file system that fsck.fat knows.
    pub fn check(&self) -> Result<()> {
        let (is_clean, text) = self.fsck()?;
        ensure!(is_clean, "fsck.fat has found faults:\n{text}");
        Ok(())
    }

    /// The same after power failures, which may leave clusters that are marked as used and belong to no file. Returns the
    /// number of these.
    pub fn check_after_failures(&self) -> Result<u32> {
        let (is_clean, text) = self.fsck()?;
        let mut lost = 0;
        for line in text.lines() {
            let reclaimed = line.trim().strip_prefix("Reclaimed ").and_then(|rest| rest.split(' ').next());
            if let Some(count) = reclaimed {
                lost = count.parse()?;
                continue;
            }
            // The first line names the program, and the last one counts the files. Copies of the table differ if the power
            // fails between their writes; the first one counts.
            let is_fault = !is_clean
                && !line.starts_with("fsck.fat ")
                && !line.contains(" files, ")
                && !line.trim().is_empty()
                && !line.starts_with("Free cluster summary uninitialized")
                && !matches!(line.trim(), "FATs differ but appear to be intact." | "Using first FAT.")
                && !line.starts_with("Leaving filesystem unchanged");
            ensure!(!is_fault, "fsck.fat has found another fault:\n{text}");
        }
        Ok(lost)
    }

    /// Result of fsck.fat, and what it prints.
    fn fsck(&self) -> Result<(bool, String)> {
        let part = self.folder.path().join("partition.img");
        let (image, copy) = (File::open(self.path())?, File::create(&part)?);
        let start = u64::from(PARTITION) * 512;
        copy.set_len(image.metadata()?.len() - start)?;
        let mut at = start;
        // Most of a card is a hole in its image. There are no more data when the search fails.
        while let Ok(data) = seek(&image, SeekFrom::Data(at)) {
            at = seek(&image, SeekFrom::Hole(data))?;
            let mut bytes = vec![0; (at - data) as usize];
            image.read_exact_at(&mut bytes, data)?;
            copy.write_all_at(&bytes, data - start)?;
        }
        let output = Command::new(tool("fsck.fat")).arg("-n").arg(&part).output().context("fsck.fat")?;
        fs::remove_file(part)?;
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        Ok((output.status.success(), text.into_owned()))
    }
}

/// Debian puts these tools where only root looks for them.
fn tool(name: &str) -> PathBuf {
    Some(Path::new("/usr/sbin").join(name)).filter(|path| path.exists()).unwrap_or_else(|| name.into())
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?} cannot be run"))?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed:\n{text}");
    Ok(())
}
