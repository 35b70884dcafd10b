//! Errors as C has them: a number for the group, and the text of the last one of each thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use dudley::Error;
use dudley::error::Group;
use dudley_parser::Diagnostic;

/// No error.
pub const DUD_OK: c_int = 0;
/// There is nothing of this name or path, or no checkpoint.
pub const DUD_NOT_FOUND: c_int = 1;
/// An argument is wrong: NULL, a type, a shape, a slice, a length.
pub const DUD_BAD_VALUE: c_int = 2;
/// The handle is closed, or of another kind.
pub const DUD_CLOSED: c_int = 3;
/// A file cannot be opened, read or written, or is there already.
pub const DUD_FILE: c_int = 4;
/// The layout has errors, or there is none.
pub const DUD_LAYOUT: c_int = 5;
/// The bytes of the file are wrong: it is cut off, a checksum differs, no format is known.
pub const DUD_DATA: c_int = 6;
/// A fault of the library itself.
pub const DUD_PANIC: c_int = 7;

/// An error: its group and text.
pub(crate) struct Failure {
    code: c_int,
    text: String,
}

impl Failure {
    pub(crate) fn new(code: c_int, text: impl Into<String>) -> Failure {
        Failure { code, text: text.into() }
    }

    /// Of a wrong argument.
    pub(crate) fn bad(text: impl Into<String>) -> Failure {
        Failure::new(DUD_BAD_VALUE, text)
    }

    /// The same, with the path that it is about, if it does not name one.
    pub(crate) fn of(self, path: &str) -> Failure {
        if self.text.contains("`/") {
            self
        } else {
            Failure { text: format!("`{path}`: {}", self.text), ..self }
        }
    }

    /// Why a file cannot be opened. What is wrong with a layout is said with the name of the file.
    pub(crate) fn to_open(path: &str, error: Error) -> Failure {
        let layout = match error.cause() {
            Error::Layout { text, errors } => Some(shown(path, text, errors)),
            _ => None,
        };
        let failure = Failure::from(error);
        Failure { text: layout.unwrap_or(failure.text), ..failure }
    }

    /// Keeps the text for `dud_error`; the group is what the function returns. A thread that ends keeps none.
    fn tell(self) -> c_int {
        let text = CString::new(self.text.replace('\0', " ")).unwrap_or_default();
        let _ = LAST.try_with(|last| last.replace(text));
        self.code
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let code = match error.group() {
            Group::NotFound => DUD_NOT_FOUND,
            Group::File => DUD_FILE,
            Group::Layout => DUD_LAYOUT,
            Group::Closed => DUD_CLOSED,
            Group::BadIndex | Group::BadValue => DUD_BAD_VALUE,
            _ => DUD_DATA,
        };
        let text = match error.cause() {
            Error::Layout { text, errors } => shown("layout", text, errors),
            _ => error.to_string(),
        };
        Failure { code, text }
    }
}

/// The errors of a layout, each with its line.
fn shown(name: &str, text: &str, errors: &[Diagnostic]) -> String {
    dudley_parser::render::render(errors, text, name, dudley_parser::render::Style::default())
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs the body of a function of the interface.
pub(crate) fn run(body: impl FnOnce() -> Result<(), Failure>) -> c_int {
    let guarded = || body().map_or_else(|failure| failure.tell(), |()| DUD_OK);
    catch_unwind(AssertUnwindSafe(guarded)).unwrap_or_else(|panic| {
        let tell = move || {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text =
                text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked");
            Failure::new(DUD_PANIC, format!("a fault of the library, please report it: {text}"))
                .tell()
        };
        // No second panic leaves either.
        catch_unwind(AssertUnwindSafe(tell)).unwrap_or(DUD_PANIC)
    })
}

/// The text of the last error of this thread, empty if there was none. The memory is the library's, and stays as it is
/// until the next error of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn dud_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
