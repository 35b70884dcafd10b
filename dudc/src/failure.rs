//! Why did a command fail, and with which exit status?

use std::fmt;
use std::io;
use std::path::Path;

use dudley::Error;
use dudley::error::{Damage, file_name, is_unread};
use dudley::read::path::one_of;
use dudley_parser::Diagnostic;
use dudley_parser::names::is_hidden;
use dudley_parser::render::{Style, render};
use dudley_parser::span::Span;

use crate::names::name_of;

/// The end of a command; the worst one of several files counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Done.
    #[default]
    Done = 0,
    /// The input has errors or lacks a requested item, or a check found something.
    Found = 1,
    /// Wrong usage: the command line is wrong for any files.
    Usage = 2,
    /// Could not read or write, or would have to overwrite.
    Io = 3,
}

/// The reason why a command stops.
#[derive(Debug)]
pub(crate) struct Failure {
    status: Status,
    message: Message,
    /// It says which file it is about.
    named: bool,
}

/// The result of a command.
pub(crate) type Result<T = Status> = std::result::Result<T, Failure>;

#[derive(Debug)]
enum Message {
    /// Everything was reported already.
    Silent,
    Text(String),
    /// Errors of a layout, shown with its lines.
    Layout {
        file: String,
        text: String,
        errors: Vec<Diagnostic>,
        /// A remedy.
        hint: Option<String>,
    },
}

impl Failure {
    fn new(status: Status, message: impl Into<String>) -> Failure {
        Failure { status, message: Message::Text(message.into()), named: false }
    }

    /// The input is wrong.
    pub(crate) fn input(message: impl Into<String>) -> Failure {
        Failure::new(Status::Found, message)
    }

    /// The input is wrong, which was reported already.
    pub(crate) fn said() -> Failure {
        Failure { status: Status::Found, message: Message::Silent, named: true }
    }

    /// A read failed, which was reported already.
    pub(crate) fn said_unread() -> Failure {
        Failure { status: Status::Io, message: Message::Silent, named: true }
    }

    /// Wrong usage, which was reported already.
    pub(crate) fn said_usage() -> Failure {
        Failure { status: Status::Usage, message: Message::Silent, named: true }
    }

    /// Wrong usage.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::new(Status::Usage, message)
    }

    /// A read or write failed: `what` is the name of the file. A closed pipe of the results is no
    /// failure.
    pub(crate) fn io(doing: &str, what: &str, error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure { status: Status::Done, message: Message::Silent, named: true };
        }
        // "Is a directory (os error 21)": users do not need the number.
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or_default();
        Failure::new(Status::Io, format!("cannot {doing} {what}: {reason}"))
    }

    /// The result could not be written.
    pub(crate) fn output(error: io::Error) -> Failure {
        Failure::io("write", "the result", &error)
    }

    /// Something could not be read, and why.
    pub(crate) fn unread(message: impl Into<String>) -> Failure {
        Failure::new(Status::Io, message)
    }

    /// Something is there that may not be overwritten without `--force`.
    pub(crate) fn occupied(message: impl Into<String>) -> Failure {
        Failure::new(Status::Io, message)
    }

    /// A file exists that may not be overwritten, or a folder, which nothing overwrites.
    pub(crate) fn exists(path: &Path) -> Failure {
        if path.is_dir() {
            let why = "is a folder with something in it, which is not overwritten";
            return Failure::occupied(format!("{} {why}", file_name(&path)));
        }
        Failure::occupied(format!("{} exists; --force overwrites it", file_name(&path)))
    }

    /// An error of the stream or layout in a file.
    pub(crate) fn of_file(name: &str, error: Error) -> Failure {
        match error.into_cause() {
            Error::Layout { text, errors } => {
                let file = name.to_owned();
                let message = Message::Layout { file, text, errors, hint: None };
                Failure { status: Status::Found, message, named: true }
            }
            error => match Failure::from(error) {
                Failure { status: Status::Found, message: Message::Text(text), .. } => {
                    Failure { named: true, ..Failure::input(format!("{name}: {text}")) }
                }
                failure => failure,
            },
        }
    }

    /// The bytes of a file are not text; the last byte is the first one that is not UTF-8. `none` names the
    /// expected kind of file.
    pub(crate) fn bad_text(file: &str, bytes: &[u8], none: &str) -> Failure {
        let at = bytes.len().saturating_sub(1);
        let byte = bytes.last().copied().unwrap_or_default();
        let message = format!("{none} (byte {at} is 0x{byte:02x}, which is not valid UTF-8)");
        let error = Diagnostic::error("bad-utf8", Span::new(at as u32, at as u32 + 1), message)
            .help("layouts are UTF-8; is this a binary stream, or text in another encoding?");
        // One byte replaces one byte.
        let text = String::from_utf8_lossy(&bytes[..at]).into_owned() + "?";
        let message =
            Message::Layout { file: file.to_owned(), text, errors: vec![error], hint: None };
        Failure { status: Status::Found, message, named: true }
    }

    /// The faults of `file` as findings: the name of the file with the faults, its text, and the findings.
    /// Without a layout, there is one finding without a place in a text.
    pub(crate) fn findings<'f>(&'f self, file: &'f str) -> (&'f str, &'f str, Vec<Diagnostic>) {
        self.layout_findings().unwrap_or_else(|| match &self.message {
            Message::Text(text) => {
                let found = Diagnostic::error("no-layout", Span::default(), text.clone());
                (file, "", vec![found])
            }
            Message::Layout { .. } | Message::Silent => (file, "", Vec::new()),
        })
    }

    /// The errors of a layout, if the failure is about one: the name of its file, its text, and the
    /// findings.
    pub(crate) fn layout_findings(&self) -> Option<(&str, &str, Vec<Diagnostic>)> {
        let Message::Layout { file, text, errors, hint } = &self.message else { return None };
        let mut errors = errors.clone();
        let last = errors.last_mut().filter(|last| last.help.is_none());
        last.into_iter().for_each(|last| last.help.clone_from(hint));
        Some((file, text, errors))
    }

    /// Adds the name of the file to an error of the input.
    pub(crate) fn about(mut self, file: &str) -> Failure {
        let prefix = self.prefix(file);
        if let Message::Text(text) = &mut self.message {
            text.insert_str(0, &prefix);
        }
        self.named = true;
        self
    }

    /// Adds the name of the item, `` `/x` ``, to an error of the input.
    pub(crate) fn of_item(mut self, item: &str) -> Failure {
        if let Message::Text(text) = &mut self.message
            && self.status == Status::Found
            && !text.contains(item)
        {
            text.insert_str(0, &format!("{item}: "));
        }
        self
    }

    /// Adds the name of the file in front of a message that does not have it.
    fn prefix(&self, file: &str) -> String {
        match &self.message {
            Message::Text(text)
                if self.status == Status::Found && !self.named && !names(text, file) =>
            {
                format!("{file}: ")
            }
            _ => String::new(),
        }
    }

    /// Adds a remedy behind the error.
    pub(crate) fn with_help(mut self, help: &str) -> Failure {
        match &mut self.message {
            Message::Silent => {}
            Message::Text(text) => *text += &format!("\nhelp: {help}"),
            Message::Layout { hint, .. } => *hint = Some(help.to_owned()),
        }
        self
    }

    /// An error of a stream that is read with its own layout: as [`Self::of_file`], with a remedy for
    /// a changed layout.
    pub(crate) fn of_stream(name: &str, error: Error) -> Failure {
        let cut = matches!(
            error.cause(),
            Error::NoText { .. }
                | Error::Signature {
                    damage: Damage::LayoutCutOff { .. } | Damage::LayoutInSignature { .. }
                }
        );
        let help = "the layout attached to the stream is damaged or cut off. Its data is read with \
                    `--layout X.dud`, if you have the layout; `dudc salvage` finds an older state \
                    that is complete, or with --layout makes the stream whole";
        let mut failure = Failure::of_file(name, error);
        match &mut failure.message {
            Message::Layout { hint, .. } => *hint = Some(help.to_owned()),
            Message::Text(_) if cut => return failure.with_help(help),
            Message::Text(_) | Message::Silent => {}
        }
        failure
    }

    /// The exit status.
    pub(crate) fn status(&self) -> Status {
        self.status
    }

    /// The message on standard error, with the name of the file.
    pub(crate) fn report(&self, style: Style, file: Option<&str>) -> Option<String> {
        match &self.message {
            Message::Silent => None,
            Message::Text(text) => {
                let prefix = file.map_or_else(String::new, |file| self.prefix(file));
                Some(format!("error: {}\n", printable(&(prefix + text))))
            }
            Message::Layout { file, text, errors, hint } => {
                let hint = hint.as_ref().map(|hint| format!("help: {}\n", printable(hint)));
                Some(render(errors, text, file, style) + "\n" + &hint.unwrap_or_default())
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Message::Silent => Ok(()),
            Message::Text(text) => f.write_str(text),
            Message::Layout { file, text, errors, .. } => {
                let (text, errors) = (text.clone(), errors.clone());
                write!(f, "{file}: {}", Error::Layout { text, errors })
            }
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Io { context, source } => {
                // The context names the operation: `cannot open a.bd`.
                match context.strip_prefix("cannot ").and_then(|rest| rest.split_once(' ')) {
                    Some((doing, what)) => Failure::io(doing, what, &source),
                    None => Failure::io("do this", &context, &source),
                }
            }
            Error::Exists { path } => Failure::exists(&path),
            error @ Error::IsRead { .. } => Failure::usage(error.to_string()),
            Error::Files { failed } => of_files(failed),
            Error::OfFile { path, error } => Failure::of_file(&name_of(&path), *error),
            Error::BadCondition { text, column, why, is_text } => {
                let mark = " ".repeat(column.saturating_sub(1));
                let message = format!("bad condition: {why}\n  {text}\n  {mark}^");
                let help = "a condition is like `time > 1e-9 and N in (256, 512)`";
                if is_text {
                    Failure::usage(message).with_help(help)
                } else {
                    Failure::input(message)
                }
            }
            Error::BadPath { ref path, .. } => {
                let failure = Failure::usage(error.to_string());
                match one_of(path) {
                    Some(one) => failure.with_help(&format!(
                        "this is how listings call what is in all repetitions: give one, such as `{one}`"
                    )),
                    None => failure,
                }
            }
            Error::NotData { path, kind } => Failure::input(format!(
                "`{path}` is a {kind}: `dudc dump` shows what is in it, `dudc ls` what there is"
            )),
            Error::Layout { text, errors } => {
                let file = "the attached layout".to_owned();
                let message = Message::Layout { file, text, errors, hint: None };
                Failure { status: Status::Found, message, named: true }
            }
            error if is_unread(&error) => Failure::unread(error.to_string()),
            error => Failure::input(error.to_string()),
        }
    }
}

/// Whether a text names a file: not as a part of another word or path.
fn names(text: &str, file: &str) -> bool {
    let is_more = |c: char| c.is_alphanumeric() || c == '/';
    text.match_indices(file).any(|(at, _)| {
        !text[..at].ends_with(is_more) && !text[at + file.len()..].starts_with(is_more)
    })
}

/// The errors of many files, one line for each of the first.
fn of_files(failed: Vec<(std::path::PathBuf, Error)>) -> Failure {
    const SHOWN: usize = 20;
    let is_io = failed.iter().all(|(_, error)| is_unread(error));
    let count = failed.len();
    let mut failed: Vec<String> = failed
        .into_iter()
        .take(SHOWN)
        .map(|(file, error)| match Failure::from(error.into_cause()) {
            // The message names the file.
            failure if failure.status == Status::Io => failure.to_string(),
            failure => format!("{}: {failure}", file_name(&file)),
        })
        .collect();
    if count > SHOWN {
        failed.push(format!("and {} more", count - SHOWN));
    }
    let message = match failed.as_slice() {
        [one] => one.clone(),
        many => format!("{count} files cannot be used:\n  {}", many.join("\n  ")),
    };
    if is_io { Failure::occupied(message) } else { Failure::input(message) }
}

/// Names of files, paths and values may hold anything; a terminal should not see it.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) && c != '\n' { '\u{fffd}' } else { c }).collect()
}
