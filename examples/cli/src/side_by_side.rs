//! Processes many files in parallel and returns results in the order of the files.

use std::ops::ControlFlow;

use linkstream_access::source::WORTHWHILE;
use linkstream_report::parallel;
use rayon::prelude::*;

/// Maximum total size of the files processed in parallel. Their results, which are no larger than the files, are kept
/// until it is their turn.
const GROUP: u64 = 64 << 20;
/// Maximum number of them: what is read of a group is lost if the program is killed, and a journal says nothing of it.
const MOST: usize = 256;

/// Calls `work` for each file and passes the results to `each` in the order of the files, until `each` ends the loop.
/// Small files are processed in parallel. A large file, which uses all threads itself, is processed alone, and so is
/// one of unknown size (0).
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
            _ if parallel::threads() == 1 => group.iter().map(&work).collect(),
            _ => group.par_iter().map(&work).collect(),
        };
        for (file, result) in group.iter().zip(results) {
            each(file, result)?;
        }
        rest = others;
    }
    ControlFlow::Continue(())
}

/// Number of files at the beginning of the list that are processed in parallel; at least 1.
fn group<F>(files: &[F], bytes: impl Fn(&F) -> u64) -> usize {
    let mut all = 0;
    let is_small = |file: &&F| {
        let bytes = bytes(file);
        all += bytes;
        (1..WORTHWHILE).contains(&bytes) && all <= GROUP
    };
    files.iter().take(MOST).take_while(is_small).count().max(1)
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
        assert_eq!(sizes(&[1; 1000]), MOST);
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
