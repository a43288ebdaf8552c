//! A source that advances the progress bar of a run.

use std::io::{Read, Result, Seek, SeekFrom};

use indicatif::ProgressBar;

/// A source that advances the bar by each byte read. Seeking leaves the bar where it is, because the bar covers many
/// files; indicatif's own wrapper is for a single file and would set the bar back.
pub struct Counted<R> {
    pub source: R,
    pub bar: ProgressBar,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let n = self.source.read(buffer)?;
        advance(&self.bar, n);
        Ok(n)
    }
}

/// Advances a bar, at most to its end: some bytes are read twice, as text and as data.
pub fn advance(bar: &ProgressBar, bytes: usize) {
    let left = bar.length().map_or(u64::MAX, |length| length.saturating_sub(bar.position()));
    bar.inc(left.min(bytes as u64));
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.source.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_bar_ends_where_its_bytes_do() {
        let bar = ProgressBar::hidden();
        bar.set_length(100);
        let mut source = Counted { source: Cursor::new([0; 150]), bar: bar.clone() };
        source.read_exact(&mut [0; 60]).expect("memory can be read");
        assert_eq!(bar.position(), 60);
        source.read_exact(&mut [0; 60]).expect("memory can be read");
        assert_eq!(bar.position(), 100);
    }

    #[test]
    fn the_bar_of_many_files_only_goes_on() {
        let bar = ProgressBar::hidden();
        for file in 1..=2 {
            let mut source = Counted { source: Cursor::new([0; 100]), bar: bar.clone() };
            source.read_exact(&mut [0; 60]).expect("memory can be read");
            source.seek(SeekFrom::Start(10)).expect("memory can seek");
            source.read_exact(&mut [0; 40]).expect("memory can be read");
            assert_eq!(bar.position(), 100 * file);
        }
    }
}
