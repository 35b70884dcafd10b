//! Why a command failed, and the exit status that says so.
//!
//! 0 done; 1 the input has errors, or something was found; 2 wrong usage; 3 could not read or
//! write.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use dudley::Error;
use dudley_parser::Diagnostic;

/// The result of a command: whether anything was found.
pub type Result<T = ()> = std::result::Result<T, Failure>;

/// Why a command failed.
#[derive(Debug)]
pub struct Failure {
    message: Message,
    status: u8,
}

#[derive(Debug)]
enum Message {
    /// All was said already.
    Silent,
    Text(String),
    /// Errors of a layout, shown with its lines.
    Layout {
        file: String,
        text: String,
        errors: Vec<Diagnostic>,
    },
}

impl Failure {
    /// The input has errors, or something was found, and that was said already.
    pub fn found() -> Failure {
        Failure { message: Message::Silent, status: 1 }
    }

    /// The input has an error.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure { message: Message::Text(message.into()), status: 1 }
    }

    /// The command was called in a wrong way.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { message: Message::Text(message.into()), status: 2 }
    }

    /// Something could not be read or written.
    pub fn io(context: impl fmt::Display, error: std::io::Error) -> Failure {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            // Whoever read the result has seen enough.
            return Failure { message: Message::Silent, status: 0 };
        }
        Failure { message: Message::Text(format!("{context}: {error}")), status: 3 }
    }

    /// A file of a format that this command cannot open.
    pub fn foreign(path: &Path, kind: &str) -> Failure {
        Failure::input(format!(
            "`{}` is of the format {kind}, which this version cannot open; \
             with --layout it is read as a raw stream",
            path.display()
        ))
    }

    /// An error of a stream or layout in a file.
    pub fn of_file(path: &Path, error: Error) -> Failure {
        match error {
            Error::Layout { text, errors } => Failure {
                message: Message::Layout { file: path.display().to_string(), text, errors },
                status: 1,
            },
            error => {
                let failure = Failure::from(error);
                match failure.message {
                    Message::Text(text) if failure.status == 1 => Failure {
                        message: Message::Text(format!("{}: {text}", path.display())),
                        status: 1,
                    },
                    message => Failure { message, status: failure.status },
                }
            }
        }
    }

    /// Says what is wrong on standard error; the exit status.
    pub fn report(&self) -> ExitCode {
        match &self.message {
            Message::Silent => {}
            Message::Text(text) => eprintln!("dudc: {}", visible(text)),
            Message::Layout { file, text, errors } => {
                eprint!("{}", crate::diagnostics::render(errors, text, file));
            }
        }
        ExitCode::from(self.status)
    }
}

/// A message without what could change the terminal.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c })
        .collect()
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match &error {
            Error::Io { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe => {
                return Failure { message: Message::Silent, status: 0 };
            }
            Error::Io { .. } | Error::Exists { .. } => 3,
            Error::BadPath { .. } | Error::BadSlice { .. } | Error::NoSuchParam { .. } => 2,
            Error::NotData { .. } => 2,
            _ => 1,
        };
        let message = match error {
            Error::Layout { text, errors } => {
                Message::Layout { file: "the appended layout".to_owned(), text, errors }
            }
            Error::NotData { path, kind } => Message::Text(format!(
                "`{path}` is a {kind}: `dudc dump` shows what is in it, `dudc ls` what there is"
            )),
            Error::Exists { path } => {
                Message::Text(format!("`{}` exists; --force overwrites it", path.display()))
            }
            error => Message::Text(error.to_string()),
        };
        Failure { message, status }
    }
}
