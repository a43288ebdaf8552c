//! Work on many files at once, with results in the order of the files.

use std::ops::ControlFlow;

use linkstream_report::parts::WORTHWHILE;
use rayon::prelude::*;

/// Files that are worked on side by side have no more bytes than this together: their results are kept until it is
/// their turn, and are not larger than the files.
const GROUP: u64 = 64 << 20;

/// Calls `work` for all files, and `each` with what it returns, in the order of the files, until that ends it. Small
/// files are worked on side by side; a large one, which itself uses all threads, and one of unknown size (0) alone.
pub fn in_order<F: Sync, T: Send, B>(
    files: &[F],
    bytes: impl Fn(&F) -> u64,
    work: impl Fn(&F) -> T + Sync,
    mut each: impl FnMut(&F, T) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut rest = files;
    while !rest.is_empty() {
        let (group, others) = rest.split_at(group(rest, &bytes));
        let results: Vec<T> = match group {
            [alone] => vec![work(alone)],
            _ => group.par_iter().map(&work).collect(),
        };
        for (file, result) in group.iter().zip(results) {
            each(file, result)?;
        }
        rest = others;
    }
    ControlFlow::Continue(())
}

/// How many of the first files are worked on side by side; at least 1.
fn group<F>(files: &[F], bytes: impl Fn(&F) -> u64) -> usize {
    let mut all = 0;
    let is_small = |file: &&F| {
        let bytes = bytes(file);
        all += bytes;
        (1..WORTHWHILE).contains(&bytes) && all <= GROUP
    };
    files.iter().take_while(is_small).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_are_grouped_and_others_are_alone() {
        let sizes = |files: &[u64]| group(files, |bytes| *bytes);
        assert_eq!(sizes(&[1, 2, 3]), 3);
        assert_eq!(sizes(&[1, 2, WORTHWHILE, 3]), 2);
        assert_eq!(sizes(&[WORTHWHILE, 1]), 1);
        assert_eq!(sizes(&[0, 1, 1]), 1);
        assert_eq!(sizes(&[1, 1, 0, 1]), 2);
        assert_eq!(sizes(&[10 << 20; 9]), 6);
    }

    #[test]
    fn results_come_in_order_until_it_is_ended() {
        let files: Vec<u64> = (0..300).collect();
        let mut seen = Vec::new();
        let ended = in_order(
            &files,
            |_| 1,
            |file| file * file,
            |file, square| {
                seen.push(square);
                if *file == 200 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(ended, ControlFlow::Break("enough"));
        assert_eq!(seen, (0..=200).map(|file| file * file).collect::<Vec<u64>>());
    }
}
