//! Where results and messages go, how files are written, and what the exit status says.
//!
//! Results go to standard output, everything else to standard error. When nobody reads any more
//! (a closed pipe) that is no failure. Nothing here panics.

use crate::cli::Color;
use dudley_parser::render::Style;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// How a command ended; the worst of several files counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Done.
    #[default]
    Done = 0,
    /// The input has errors, or something was found.
    Found = 1,
    /// Wrong usage.
    Usage = 2,
    /// Could not read or write.
    Io = 3,
}

/// What keeps a command from going on.
#[derive(Debug)]
pub(crate) struct Failure {
    status: Status,
    message: String,
}

/// The result of a command.
pub(crate) type Result<T = Status> = std::result::Result<T, Failure>;

impl Failure {
    /// The input is not what it should be.
    pub(crate) fn input(message: impl Into<String>) -> Failure {
        Failure { status: Status::Found, message: message.into() }
    }

    /// Wrong usage.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure { status: Status::Usage, message: message.into() }
    }

    /// Something could not be read or written: `what` is its name.
    pub(crate) fn io(doing: &str, what: &str, error: &io::Error) -> Failure {
        // "Is a directory (os error 21)": the number helps nobody.
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or_default();
        Failure { status: Status::Io, message: format!("cannot {doing} {what}: {reason}") }
    }

    /// What it does to the exit status.
    pub(crate) fn status(&self) -> Status {
        self.status
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The exit status of a command, a failure being said first.
pub(crate) fn exit(result: Result) -> ExitCode {
    let status = result.unwrap_or_else(|failure| {
        complain(&failure);
        failure.status
    });
    ExitCode::from(status as u8)
}

/// Says a failure on standard error.
pub(crate) fn complain(failure: &Failure) {
    // There is nowhere to say that standard error is closed.
    let _ = writeln!(io::stderr().lock(), "error: {}", printable(&failure.message));
}

/// Names of files may hold anything; a terminal should not see it.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// The two ways out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    color: Color,
}

impl Output {
    pub(crate) fn new(color: Color) -> Self {
        Self { color }
    }

    /// How messages on standard error look.
    pub(crate) fn style(&self) -> Style {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.color {
            Color::Always => Style::Colored,
            Color::Auto if io::stderr().is_terminal() && !plain => Style::Colored,
            _ => Style::Plain,
        }
    }

    /// Writes a result.
    pub(crate) fn print(&self, bytes: impl AsRef<[u8]>) -> Result<()> {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(bytes.as_ref()).and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::io("write", "standard output", &error))
            }
            _ => Ok(()),
        }
    }

    /// Writes a message.
    pub(crate) fn message(&self, text: &str) {
        // There is nowhere to say that standard error is closed.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// What to do where a file exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Leave it, and fail.
    Keep,
    /// Put the new one in its place; permissions stay.
    Replace,
}

/// Writes a file that is complete or absent: beside its place first, then renamed.
pub(crate) fn write_file(path: &Path, bytes: &[u8], existing: Existing) -> Result<()> {
    let failed = |error: io::Error| Failure::io("write", &path.display().to_string(), &error);
    // What a link points to is replaced, not the link.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut file = beside(folder).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    match existing {
        Existing::Keep => {
            file.persist_noclobber(&target).map(drop).map_err(|error| match error.error.kind() {
                io::ErrorKind::AlreadyExists => Failure {
                    status: Status::Io,
                    message: format!("{} exists; --force overwrites it", path.display()),
                },
                _ => failed(error.error),
            })
        }
        Existing::Replace => {
            if let Ok(metadata) = std::fs::metadata(&target) {
                file.as_file().set_permissions(metadata.permissions()).map_err(failed)?;
            }
            file.persist(&target).map(drop).map_err(|error| failed(error.error))
        }
    }
}

/// A new file that goes away if it is not renamed.
fn beside(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dudc-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
