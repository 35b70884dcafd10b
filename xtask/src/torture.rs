//! Kills extensions of streams, and updates of ASDF files, far more often than the tests do.

use xtask::{Outcome, cargo, succeed};

/// Kills this many writers in memory, and as processes.
pub(crate) fn run(cycles: &str) -> Outcome<()> {
    let cycles: u64 = cycles.parse().map_err(|_| format!("`{cycles}` is no number of cycles"))?;
    for package in ["dudley", "asdf-bridge"] {
        let mut torture = cargo();
        torture.args(["test", "--quiet", "--release", "-p", package, "--test", "it", "killed"]);
        succeed(torture.env("DUDLEY_TORTURE", cycles.to_string()))?;
    }
    Ok(())
}
