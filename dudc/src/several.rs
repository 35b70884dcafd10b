//! How does a command treat several files or paths? Each has a heading, JSON is one document, the worst exit
//! status counts, and an error in one does not stop the others.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use dudley::model::Candidate;

use crate::failure::{Failure, Result, Status, printable};
use crate::formats::foreign_of;
use crate::json::quoted;
use crate::names::{is_stdin, name_of};
use crate::options::Format;
use crate::output::Output;
use crate::remote;

/// Runs a function for each, reports the errors, and returns the worst status.
///
/// # Errors
/// If the output is closed.
pub(crate) fn all<T>(
    of: impl IntoIterator<Item = T>,
    output: &Output,
    mut one: impl FnMut(T) -> Result,
) -> Result {
    let mut worst = Status::Done;
    for it in of {
        match one(it) {
            Ok(status) => worst = worst.max(status),
            Err(failure) if failure.status() == Status::Done => return Err(failure),
            Err(failure) => {
                output.complain(&failure);
                worst = worst.max(failure.status());
            }
        }
    }
    Ok(worst)
}

/// The arguments behind the options: files, and paths in them.
pub(crate) struct Words {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) paths: Vec<String>,
}

impl Words {
    /// The first argument is a file, and so is each argument before an existing file. Existing files, addresses
    /// of a store, and arguments with the name of a file are files; the others are paths.
    ///
    /// # Errors
    /// For a path that is no text.
    pub(crate) fn of(words: &[PathBuf]) -> Result<Words> {
        let before = words.iter().rposition(|word| is_file(word)).unwrap_or(0);
        let mut found = Words { files: Vec::new(), paths: Vec::new() };
        for (at, word) in words.iter().enumerate() {
            match word.to_str() {
                Some(path) if at > before && !is_named_like_one(word) => {
                    found.paths.push(path.to_owned());
                }
                _ => found.files.push(word.clone()),
            }
        }
        if found.files.iter().filter(|file| is_stdin(file)).count() > 1 {
            return Err(Failure::usage("standard input can be read only once"));
        }
        Ok(found)
    }

    /// Does something for each file, which prints a document: with several, each has a heading, or is one of the
    /// `files` in a document of JSON, with its name.
    ///
    /// # Errors
    /// If something is wrong with the only file; if the result cannot be written.
    pub(crate) fn each_file(
        &self,
        format: Format,
        output: &Output,
        one: &mut dyn FnMut(&Path, &mut dyn Write, &Output) -> Result<()>,
    ) -> Result {
        let names: Vec<String> = self.files.iter().map(|file| name_of(file)).collect();
        let shown = Shown { list: "files", key: "file", names: &names, say_so: false };
        let mut one = |at: usize, out: &mut dyn Write| {
            let file = &self.files[at];
            let done = output.about(file, |output| one(file, out, output));
            done.map_err(|failure| self.explained(failure))
        };
        shown.each(format, output, &mut one)
    }

    /// A path may have been meant as a file.
    fn explained(&self, failure: Failure) -> Failure {
        match self.paths.iter().find(|path| !path.starts_with('/')) {
            Some(path) => failure.with_help(&format!(
                "`{path}` was taken for a path: no file of that name is there"
            )),
            None => failure,
        }
    }
}

/// Whether this is an existing file, or an address of a store. Only folders of one dataset count: `/data`
/// is a path, whatever exists on the machine.
fn is_file(word: &Path) -> bool {
    let is_there = if word.is_dir() { is_one(word) } else { word.exists() };
    is_stdin(word) || is_there || remote::address(word).is_some()
}

/// Whether a folder is in a known format.
fn is_one(folder: &Path) -> bool {
    let candidate = Candidate::file(folder, 0);
    candidate.is_ok_and(|candidate| foreign_of(&candidate).is_ok_and(|found| found.is_some()))
}

/// Whether this is meant as a file, even if none is there: its name has an extension, and it is no `/pos.lon`.
fn is_named_like_one(word: &Path) -> bool {
    let extension = word.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let is_word = !extension.is_empty() && extension.bytes().all(|it| it.is_ascii_alphanumeric());
    let in_folder = |folder: &Path| folder.parent().is_some() && folder.is_dir();
    is_word && (!word.has_root() || word.parent().is_some_and(in_folder))
}

/// Documents of one kind.
pub(crate) struct Shown<'n> {
    /// The key of the list in JSON.
    pub(crate) list: &'static str,
    /// The key of the name of one.
    pub(crate) key: &'static str,
    pub(crate) names: &'n [String],
    /// Whether each says its name itself.
    pub(crate) say_so: bool,
}

impl Shown<'_> {
    /// Prints each, by its index.
    ///
    /// # Errors
    /// If something is wrong with the only one; if the result cannot be written.
    pub(crate) fn each(
        &self,
        format: Format,
        output: &Output,
        one: &mut dyn FnMut(usize, &mut dyn Write) -> Result<()>,
    ) -> Result {
        let mut stdout = BufWriter::new(crate::kept::stdout());
        if self.names.len() == 1 {
            return one(0, &mut stdout).map(|()| Status::Done);
        }
        let json = format == Format::Json;
        if json {
            write!(stdout, "{{\"version\": 1,\n \"{}\": [", self.list).map_err(Failure::output)?;
        }
        let worst = all(self.names.iter().enumerate(), output, |(at, name)| {
            let comma = if at == 0 { "" } else { "," };
            let named = format!("{comma}\n{{\"{}\": {}", self.key, quoted(name));
            let heading = match (json, self.say_so) {
                (false, _) => format!("{}{}:\n", if at == 0 { "" } else { "\n" }, printable(name)),
                (true, true) => format!("{comma}\n"),
                (true, false) => named.clone(),
            };
            let inside = json && !self.say_so;
            let mut document = Document { out: &mut stdout, heading, begun: false, inside };
            let done = one(at, &mut document);
            let ended = match &done {
                Err(failure) if json && !document.begun => {
                    let error = failure.to_string();
                    write!(document.out, "{named}, \"error\": {}}}", quoted(&error))
                }
                Err(_) => Ok(()),
                Ok(()) => document.begin(),
            };
            ended.and_then(|()| stdout.flush()).map_err(Failure::output)?;
            done.map(|()| Status::Done)
        })?;
        if json {
            writeln!(stdout, "]}}").and_then(|()| stdout.flush()).map_err(Failure::output)?;
        }
        Ok(worst)
    }
}

/// One of several documents; its heading comes before its first output.
struct Document<'o> {
    out: &'o mut dyn Write,
    heading: String,
    begun: bool,
    /// The heading begins the object of JSON that it is.
    inside: bool,
}

impl Document<'_> {
    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        self.out.write_all(self.heading.as_bytes())
    }
}

impl Write for Document<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_first = !self.begun && !bytes.is_empty();
        if !is_first {
            return self.out.write(bytes);
        }
        self.begin()?;
        match bytes.strip_prefix(b"{") {
            Some(rest) if self.inside => {
                self.out.write_all(b", ")?;
                self.out.write_all(rest)?;
                Ok(bytes.len())
            }
            _ => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
