//! How tests run `dudc` and the examples: the programs of this very source tree.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A command line of `dudc`: of the program that `DUDLEY_DUDC` names, `None` if that is empty, else of
/// one built here.
///
/// # Panics
/// When it cannot be built.
pub fn dudc() -> Option<Command> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let program = BUILT.get_or_init(|| match std::env::var_os("DUDLEY_DUDC") {
        Some(program) => (!program.is_empty()).then(|| program.into()),
        None => Some(build()),
    });
    let mut command = Command::new(program.as_ref()?);
    command.env("NO_COLOR", "1");
    Some(command)
}

/// The program of an example, built here.
///
/// # Panics
/// When it cannot be built.
pub fn example(name: &str) -> PathBuf {
    let program = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    built(&["--example", name]).join("examples").join(program)
}

fn build() -> PathBuf {
    built(&["--bin", "dudc"]).join(format!("dudc{}", std::env::consts::EXE_SUFFIX))
}

/// Builds as `cargo test` does, so that usually nothing is left to do. The folder of what was built.
fn built(what: &[&str]) -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--workspace"]).args(what).current_dir(crate::root());
    let folder = if cfg!(debug_assertions) {
        "debug"
    } else {
        command.arg("--release");
        "release"
    };
    let output = command.output().unwrap_or_else(|error| panic!("cargo did not run: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    crate::target().join(folder)
}

/// What a command printed, when it ended with success.
///
/// # Panics
/// When it did not, with what it said.
pub fn success(command: &mut Command) -> String {
    let output = run(command);
    assert!(output.status.success(), "{command:?}: {}", errors(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a command wrote to standard error when it ended with this exit status.
///
/// # Panics
/// When it ended otherwise.
pub fn failure(command: &mut Command, status: i32) -> String {
    let output = run(command);
    assert_eq!(output.status.code(), Some(status), "{command:?}: {}", errors(&output));
    errors(&output)
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?} did not run: {error}"))
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
