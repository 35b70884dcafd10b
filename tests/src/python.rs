//! Which Python runs the peers: environments of our own, `target/python` and `target/python-benches`.
//!
//! Each is made once from the `requirements.txt` beside the scripts that it runs, and used until that
//! file changes. Processes that need one at the same time wait for the one that makes it. Tests do
//! without the one of the benches, which has more packages.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Written last, so that a half-made environment is never used.
const STAMP: &str = "made-from.txt";

/// Beside the scripts: the packages they need, with their versions.
const REQUIREMENTS: &str = "requirements.txt";

/// A Python that has the peers.
#[derive(Debug)]
pub struct Python {
    program: PathBuf,
    /// The folder of the scripts that it runs.
    scripts: PathBuf,
}

impl Python {
    /// The environment of tests, made if necessary; `None` where the test is to be skipped.
    ///
    /// # Panics
    /// Under `CI=true`, when it cannot be made.
    pub fn get() -> Option<&'static Python> {
        static MADE: OnceLock<Result<Python, String>> = OnceLock::new();
        match MADE.get_or_init(|| make("python", "tests/python")) {
            Ok(python) => Some(python),
            Err(why) => {
                crate::skip(why);
                None
            }
        }
    }

    /// The environment of benches, made if necessary.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn of_benches() -> Result<&'static Python, String> {
        static MADE: OnceLock<Result<Python, String>> = OnceLock::new();
        let made = MADE.get_or_init(|| make("python-benches", "benches/python"));
        made.as_ref().map_err(Clone::clone)
    }

    /// The folder that its program is in, as `python3` among others.
    pub fn programs(&self) -> &Path {
        self.program.parent().unwrap_or(&self.program)
    }

    /// The text of a file beside the scripts: one of them, or what they require.
    ///
    /// # Errors
    /// As [`fs::read_to_string`].
    pub fn text(&self, name: &str) -> std::io::Result<String> {
        fs::read_to_string(self.scripts.join(name))
    }

    /// A command line that runs a script.
    pub fn command(&self, script: &str) -> Command {
        let mut command = Command::new(&self.program);
        // Nothing of the user's own Python gets in, and no caches are left in the repository.
        command.args(["-I", "-B", "-W", "error::DeprecationWarning"]);
        command.arg(self.scripts.join(script));
        command
    }

    /// Runs a script, in a folder.
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

fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).trim().to_owned()
}

/// Makes the environment of a name in the folder of builds, from what a folder of scripts requires.
fn make(name: &str, scripts: &str) -> Result<Python, String> {
    let scripts = crate::root().join(scripts);
    let wanted = fs::read_to_string(scripts.join(REQUIREMENTS))
        .map_err(|error| format!("no {REQUIREMENTS}: {error}"))?;
    let (target, folder) = (crate::target(), crate::target().join(name));
    let failed = |what: &str, error: std::io::Error| format!("{what}: {error}");
    fs::create_dir_all(&target).map_err(|error| failed("no target folder", error))?;
    let lock = File::create(target.join(format!("{name}.lock")))
        .map_err(|error| failed("no lock file", error))?;
    lock.lock().map_err(|error| failed("the lock file cannot be locked", error))?;
    let made = Python { program: program(&folder), scripts };
    if fs::read_to_string(folder.join(STAMP)).is_ok_and(|stamp| stamp == wanted) {
        return Ok(made);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| failed("an old environment stays", error))?;
    }
    build(&folder, &made.scripts.join(REQUIREMENTS))?;
    fs::write(folder.join(STAMP), wanted).map_err(|error| failed("no stamp", error))?;
    Ok(made)
}

fn program(folder: &Path) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") }
}

fn build(folder: &Path, requirements: &Path) -> Result<(), String> {
    let system = if cfg!(windows) { "python" } else { "python3" };
    say(Command::new(system).args(["-m", "venv"]).arg(folder))?;
    say(Command::new(program(folder))
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--no-input", "--only-binary", ":all:", "--requirement"])
        .arg(requirements))
}

/// Runs a command; the error is what it said.
fn say(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{command:?}: {}", said(&output))),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
