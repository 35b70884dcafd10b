//! Which Python runs the peers: an environment of our own in `target/python`.
//!
//! It is made once from `tests/python/requirements.txt` and used until that file changes. Test
//! processes that run at the same time wait for the one that makes it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Written last, so that a half-made environment is never used.
const STAMP: &str = "made-from.txt";

/// A Python that has the peers.
#[derive(Debug)]
pub struct Python {
    program: PathBuf,
}

impl Python {
    /// The environment, made if need be; none where the test is to be skipped.
    ///
    /// # Panics
    /// Under `CI=true`, when it cannot be made.
    pub fn get() -> Option<&'static Python> {
        static MADE: OnceLock<Result<Python, String>> = OnceLock::new();
        match MADE.get_or_init(make) {
            Ok(python) => Some(python),
            Err(why) => {
                crate::skip(why);
                None
            }
        }
    }

    /// A command line that runs a script of `tests/python/`.
    pub fn command(&self, script: &str) -> Command {
        let mut command = Command::new(&self.program);
        // Nothing of the user's own Python gets in, and no caches are left in the repository.
        command.args(["-I", "-B", "-W", "error::DeprecationWarning"]);
        command.arg(folder_of_scripts().join(script));
        command
    }

    /// Runs a script of `tests/python/`, in a folder.
    ///
    /// # Panics
    /// When the script fails: its message is the panic's.
    pub fn run(&self, script: &str, folder: &Path, arguments: &[&str]) -> String {
        let output = self.command(script).args(arguments).current_dir(folder).output();
        match output {
            Ok(output) if output.status.success() => {
                String::from_utf8_lossy(&output.stdout).into_owned()
            }
            Ok(output) => panic!("{script} failed: {}", said(&output)),
            Err(error) => panic!("{script} did not run: {error}"),
        }
    }
}

fn folder_of_scripts() -> PathBuf {
    crate::root().join("tests/python")
}

fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).trim().to_owned()
}

fn make() -> Result<Python, String> {
    let wanted = fs::read_to_string(folder_of_scripts().join("requirements.txt"))
        .map_err(|error| format!("no requirements.txt: {error}"))?;
    let (target, folder) = (crate::target(), crate::target().join("python"));
    let failed = |what: &str, error: std::io::Error| format!("{what}: {error}");
    fs::create_dir_all(&target).map_err(|error| failed("no target folder", error))?;
    let lock =
        File::create(target.join("python.lock")).map_err(|error| failed("no lock file", error))?;
    lock.lock().map_err(|error| failed("the lock file cannot be locked", error))?;
    let made = Python { program: program(&folder) };
    if fs::read_to_string(folder.join(STAMP)).is_ok_and(|stamp| stamp == wanted) {
        return Ok(made);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| failed("an old environment stays", error))?;
    }
    build(&folder)?;
    fs::write(folder.join(STAMP), wanted).map_err(|error| failed("no stamp", error))?;
    Ok(made)
}

fn program(folder: &Path) -> PathBuf {
    match cfg!(windows) {
        true => folder.join("Scripts/python.exe"),
        false => folder.join("bin/python"),
    }
}

fn build(folder: &Path) -> Result<(), String> {
    let system = if cfg!(windows) { "python" } else { "python3" };
    say(Command::new(system).args(["-m", "venv"]).arg(folder))?;
    say(Command::new(program(folder))
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--no-input", "--only-binary", ":all:", "--requirement"])
        .arg(folder_of_scripts().join("requirements.txt")))
}

/// Runs a command; the error is what it said.
fn say(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{command:?}: {}", said(&output))),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
