//! Where do results and messages go, how are files written, and what is the exit status?
//!
//! Results go to standard output, everything else to standard error. A closed pipe is no failure.
//! Nothing here panics.

use crate::failure::{Failure, Result, printable};
use crate::kept::{shows_messages, shows_results, stderr, stdout};
use crate::names::name_of;
use crate::options::Color;
use dudley::bytes::{AtomicFile, AtomicFiles, AtomicFolder};
use dudley::error::file_name;
use dudley_parser::render::Style;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// The exit status of a command, a failure being said first.
pub(crate) fn exit(result: Result, output: &Output) -> u8 {
    let status = result.unwrap_or_else(|failure| {
        output.complain(&failure);
        failure.status()
    });
    status as u8
}

/// The two ways out.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    color: Color,
    /// The file that failures are about.
    about: Option<String>,
}

impl Output {
    pub(crate) fn new(color: Color) -> Self {
        Self { color, about: None }
    }

    /// Does something with a file, which all that is wrong with it names.
    pub(crate) fn about<T>(
        &self,
        file: &Path,
        run: impl FnOnce(&Output) -> Result<T>,
    ) -> Result<T> {
        let name = name_of(file);
        let output = Output { about: Some(name.clone()), ..*self };
        run(&output).map_err(|failure| failure.about(&name))
    }

    /// The style of messages on standard error.
    pub(crate) fn style(&self) -> Style {
        self.style_on(shows_messages())
    }

    /// The style of results on standard output.
    pub(crate) fn result_style(&self) -> Style {
        self.style_on(shows_results())
    }

    fn style_on(&self, terminal: bool) -> Style {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.color {
            Color::Always => Style::Colored,
            Color::Auto if terminal && !plain => Style::Colored,
            _ => Style::Plain,
        }
    }

    /// Writes a result.
    pub(crate) fn print(&self, bytes: impl AsRef<[u8]>) -> Result<()> {
        let mut stdout = stdout();
        let written = stdout.write_all(bytes.as_ref()).and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::io("write", "standard output", &error))
            }
            _ => Ok(()),
        }
    }

    /// Reports a failure on standard error.
    pub(crate) fn complain(&self, failure: &Failure) {
        if let Some(text) = failure.report(self.style(), self.about.as_deref()) {
            self.message(&text);
        }
    }

    /// Warns of something in the file that failures are about.
    pub(crate) fn warn(&self, text: &str) {
        match &self.about {
            Some(file) => warn(&format!("{file}: {text}")),
            None => warn(text),
        }
    }

    /// Writes a message.
    pub(crate) fn message(&self, text: &str) {
        // There is nowhere to say that standard error is closed.
        let _ = stderr().write_all(text.as_bytes());
    }
}

/// Writes a text such as a layout byte for byte; on a terminal without control characters.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn print_text(text: &[u8]) -> Result<()> {
    let mut out = stdout();
    let written = if shows_results() {
        out.write_all(for_terminal(text).as_bytes())
    } else {
        out.write_all(text)
    };
    written.and_then(|()| out.flush()).map_err(Failure::output)
}

fn for_terminal(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
    text.split('\t').map(printable).collect::<Vec<_>>().join("\t")
}

/// The number of items that one warning names.
const NAMED: usize = 5;

/// The items of one warning: the first by name, the others by their number.
#[derive(Default)]
pub(crate) struct Several {
    first: Vec<String>,
    count: usize,
}

impl Several {
    /// The number of items.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

impl Extend<String> for Several {
    fn extend<T: IntoIterator<Item = String>>(&mut self, things: T) {
        for thing in things {
            self.count += 1;
            if self.first.len() < NAMED {
                self.first.push(thing);
            }
        }
    }
}

impl fmt::Display for Several {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first.join(", "))?;
        match self.count - self.first.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// The first of some paths, and how many more there are.
pub(crate) fn named(paths: &[String]) -> String {
    let mut several = Several::default();
    several.extend(paths.iter().map(|path| format!("`{path}`")));
    several.to_string()
}

/// Warns of doubtful input, which is no error.
pub(crate) fn warn(text: &str) {
    // There is nowhere to say that standard error is closed.
    let _ = writeln!(stderr(), "warning: {}", printable(text));
}

/// What happens to an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Leave it, and fail.
    Keep,
    /// Put the new one in its place; permissions stay.
    Replace,
}

/// Writes a file that is complete or absent: beside its place first, then renamed.
pub(crate) fn write_file(path: &Path, bytes: &[u8], existing: Existing) -> Result<()> {
    let mut file = AtomicFile::create(path, existing == Existing::Replace)?;
    file.write_at(0, bytes)?;
    Ok(file.commit()?)
}

/// Writes files to a folder, which is made if it is not there: all of them, or none.
///
/// # Errors
/// If an existing file must stay; if writing fails.
pub(crate) fn write_files(
    folder: &Path,
    files: &[(String, impl AsRef<[u8]>)],
    existing: Existing,
) -> Result<()> {
    let Some((first, _)) = files.first() else { return Ok(()) };
    let is_taken = |(name, _): &&(String, _)| folder.join(name).symlink_metadata().is_ok();
    if existing == Existing::Keep
        && let Some((name, _)) = files.iter().find(is_taken)
    {
        return Err(Failure::exists(&folder.join(name)));
    }
    let fill = |new: &Path| {
        let write = |(name, bytes): &(String, _)| {
            write_file(&new.join(name), AsRef::as_ref(bytes), Existing::Keep)
        };
        files.iter().try_for_each(write)
    };
    if !folder.is_dir() {
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        std::fs::create_dir_all(parent.unwrap_or(Path::new(".")))
            .map_err(|error| Failure::io("create", &file_name(&folder), &error))?;
        let made = AtomicFolder::create(folder)?;
        fill(made.path())?;
        return Ok(made.commit()?);
    }
    let made = AtomicFiles::create(folder.join(first), existing == Existing::Replace)?;
    fill(made.path())?;
    Ok(made.commit(&files.iter().map(|(name, _)| name).collect::<Vec<_>>())?)
}

/// The maximum number of bytes in one write. Between two writes, progress is shown, and a signal can end the
/// program and remove the file.
const AT_ONCE: usize = 16 << 20;

/// The part of some bytes that is written at once.
pub(crate) fn at_once(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(AT_ONCE)]
}

/// A writer that divides its bytes into writes of bounded size.
pub(crate) struct InParts<W>(pub(crate) W);

impl<W: Write> Write for InParts<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(at_once(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::for_terminal;

    #[test]
    fn texts_of_files_do_not_control_a_terminal() {
        let text = b"x = f8\t# \x1b[2J\x07\xc2\x9b \xe2\x80\xae \xff \xc3\xa9\r\ny = f8\n";
        let shown = "x = f8\t# \u{fffd}[2J\u{fffd}\u{fffd} \u{fffd} \u{fffd} \u{e9}\ny = f8\n";
        assert_eq!(for_terminal(text), shown);
    }
}
