//! The command `make`.

use clap::Subcommand;

use super::arguments::Arguments;
use super::field::{self, MakeField};
use super::propagator::make;
use crate::account::{Account, Place};

pub const EXAMPLES: &str = "\
Examples:
  linkstream make field src.lime --data src.npy --datatype USQCD_D_Complex
  linkstream make propagator prop.lime --type LHPC --solution prop.npy";

#[derive(Subcommand)]
pub enum Command {
    /// Make a field, a part of one or global data from a NumPy array, in a new file or after others.
    #[command(after_help = field::EXAMPLES)]
    Field(Box<MakeField>),
    /// Make a propagator file of sources and solutions in raw data or NumPy arrays.
    #[command(after_help = PROPAGATOR_EXAMPLES, override_usage = PROPAGATOR_USAGE)]
    Propagator(Box<Arguments>),
}

/// The generated usage would be longer than 80 columns.
const PROPAGATOR_USAGE: &str = "\
linkstream make propagator [OPTIONS] --type <TYPE>
                                  --solution <FILE> <OUT>";

const PROPAGATOR_EXAMPLES: &str = "\
Types (QIO 2.3, appendix A):
  C1D12     one complex source, twelve Dirac solutions: one for each source
            spin and color, color fastest
  CD_PAIRS  complex sources and Dirac solutions alternate
  DD_PAIRS  Dirac sources and Dirac solutions alternate
  LHPC      Dirac propagators without sources
  C1V3      one complex source, three staggered solutions: one for each source
            color
  CV_PAIRS  complex sources and staggered solutions alternate
  VV_PAIRS  staggered sources and staggered solutions alternate

Examples:
  linkstream make propagator prop.lime --type C1D12 --source src.npy --time 0 \\
    --solution prop.npy --info 'mass 0.05'
  linkstream make propagator ks.lime --type C1V3 --extents 8x8x8x16 \\
    --precision 32 --source src.bin --solution ks.bin
  linkstream make propagator pairs.lime --type DD_PAIRS \\
    --source a.npy --solution b.npy --label 0,0 \\
    --source c.npy --solution d.npy --label 0,1

Each file of data contains one or more records, one after the other. They are
used in the order in which the files are given. Sites are ordered with x running
fastest and t slowest. A site has one complex number, 4 spins x 3 colors (Dirac
fermion), 3 colors (staggered), or 4 x 4 spins x 3 x 3 colors (LHPC) of complex
numbers, each with the real part before the imaginary part.

A NumPy array must be in C order, with the indices t, z, y, x, spin, color. If
complex numbers are stored as two floats, an index for real and imaginary part
follows. A source on a time slice has no t. Indices in front of these count
records.

Options about sources (or solutions) are given once for all of them, or once for
each. Texts are XML: write & as &amp; and < as &lt;, unless they are markup; for
LHPC, --solution-info is any text. In C1D12 and C1V3, solutions are labelled
with source spin and color in their order; in pairs, only if --label is given.

The new file is read back and verified before it appears under its name.";

pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Field(how) => {
            let (read, written) = (vec![Place::numbers(&how.data)], Place::file(&how.out));
            Account { command: "make field", read, written }.of(how.json, || field::make(how))
        }
        Command::Propagator(how) => {
            let read = how.sources.iter().chain(&how.solutions).map(|path| Place::numbers(path)).collect();
            let account = Account { command: "make propagator", read, written: Place::file(&how.out) };
            account.of(how.json, || make(how))
        }
    }
}
