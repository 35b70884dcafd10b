//! Runs the measurements of `benches/`, which depend on what the parser is made for.

use xtask::{Outcome, cargo, succeed};

/// Measures what is named, or everything.
pub(crate) fn run(names: &[&str]) -> Outcome<()> {
    let mut measure = cargo();
    measure.args(["run", "--quiet", "--release", "-p", "dudley-benches", "--"]);
    succeed(measure.args(names))
}
