//! Where do results and messages go: to the two outputs of a program, or to a caller that collects
//! them?

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};

/// The output of a command.
#[derive(Debug, Default)]
pub struct Kept {
    /// Its exit status.
    pub status: u8,
    /// Its result.
    pub out: Vec<u8>,
    /// Its messages: warnings, and the reason of a failure, one line each.
    pub messages: Vec<u8>,
}

thread_local! {
    static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// Runs a function in this thread and collects its output.
pub(crate) fn keep(run: impl FnOnce() -> u8) -> Kept {
    KEPT.set(Some(Kept::default()));
    let status = run();
    Kept { status, ..KEPT.take().unwrap_or_default() }
}

/// Whether the output is collected.
pub(crate) fn is_kept() -> bool {
    KEPT.with_borrow(Option::is_some)
}

/// The destination of results.
pub(crate) fn stdout() -> Box<dyn Write> {
    if is_kept() {
        return Box::new(Into(|kept| &mut kept.out));
    }
    Box::new(io::stdout().lock())
}

/// The destination of messages.
pub(crate) fn stderr() -> Box<dyn Write> {
    if is_kept() {
        return Box::new(Into(|kept| &mut kept.messages));
    }
    Box::new(io::stderr().lock())
}

/// Whether results go to a terminal.
pub(crate) fn shows_results() -> bool {
    !is_kept() && io::stdout().is_terminal()
}

/// Whether messages go to a terminal.
pub(crate) fn shows_messages() -> bool {
    !is_kept() && io::stderr().is_terminal()
}

/// A writer into the collected output.
struct Into(fn(&mut Kept) -> &mut Vec<u8>);

impl Write for Into {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        KEPT.with_borrow_mut(|kept| {
            if let Some(kept) = kept {
                self.0(kept).extend_from_slice(bytes);
            }
        });
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
