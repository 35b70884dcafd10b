//! Runs the measurements of `benches/`, which depend on what the parser is made for.

use xtask::{Outcome, cargo, succeed};

/// Measures what is named, or everything.
pub(crate) fn run(names: &[&str]) -> Outcome<()> {
    // Those of MPI are a crate of their own; they are measured only where they are named.
    if names.first() == Some(&"mpi") {
        return crate::ranks::run(names.contains(&"--keep"));
    }
    let mut measure = cargo();
    let benches = ["-p", "dudley-benches", "--features", "measure"];
    measure.args(["run", "--quiet", "--release"]).args(benches).arg("--");
    succeed(measure.args(names))
}
