//! The chores that tests check, too, and how chores run other programs.

pub mod book;
pub mod grammar;
pub mod install_c;
pub mod reader;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A chore's result.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The folder that the repository lies in.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// Where builds go.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// The cargo that runs us.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Runs a command, with its output where ours goes.
///
/// # Errors
///
/// If it does not run, or fails.
pub fn succeed(command: &mut Command) -> Outcome<()> {
    match command.status()? {
        status if status.success() => Ok(()),
        status => Err(format!("{command:?}: {status}").into()),
    }
}

/// Gets the standard library of a target, if it is not there.
///
/// # Errors
///
/// If it cannot be obtained.
pub fn install(triple: &str) -> Outcome<()> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "sysroot"]).current_dir(root()).output()?;
    let sysroot = PathBuf::from(String::from_utf8(output.stdout)?.trim_end());
    if sysroot.join("lib/rustlib").join(triple).join("lib").is_dir() {
        return Ok(());
    }
    succeed(Command::new("rustup").args(["target", "add", triple]).current_dir(root()))
        .map_err(|error| format!("no standard library: {error}").into())
}
