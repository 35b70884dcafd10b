//! Which node runs the tests of editor grammars, and where its packages are: `target/node`, made once.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Beside the scripts: the packages they need, with their versions.
const PACKAGES: &str = "editors/test/package.json";

/// A command line that runs a script of `editors/test`; `None` where that is to be skipped.
///
/// # Panics
/// Under `CI=true`, when there is no node or the packages cannot be obtained.
pub fn script(name: &str) -> Option<Command> {
    static MADE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    match MADE.get_or_init(make) {
        Ok(modules) => {
            let mut command = Command::new("node");
            command.arg(crate::root().join("editors/test").join(name)).env("NODE_PATH", modules);
            Some(command)
        }
        Err(why) => {
            crate::skip(why);
            None
        }
    }
}

/// Whether there is a node.
pub fn is_there() -> bool {
    Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The folder of the packages, installed if necessary.
fn make() -> Result<PathBuf, String> {
    if !is_there() {
        return Err("there is no node".to_owned());
    }
    let folder = crate::target().join("node");
    fs::create_dir_all(&folder).map_err(|error| format!("no folder for packages: {error}"))?;
    let lock = File::create(folder.join("lock")).map_err(|error| format!("no lock: {error}"))?;
    lock.lock().map_err(|error| format!("the lock cannot be had: {error}"))?;
    let wanted = fs::read_to_string(crate::root().join(PACKAGES))
        .map_err(|error| format!("{PACKAGES}: {error}"))?;
    let stamp = folder.join("made-from.json");
    if !fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        fs::write(folder.join("package.json"), &wanted).map_err(|error| error.to_string())?;
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let output = Command::new(npm)
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"])
            .current_dir(&folder)
            .output()
            .map_err(|error| format!("npm did not run: {error}"))?;
        if !output.status.success() {
            return Err(format!("npm install: {}", String::from_utf8_lossy(&output.stderr)));
        }
        fs::write(&stamp, &wanted).map_err(|error| error.to_string())?;
    }
    Ok(folder.join("node_modules"))
}
