//! How a page calls: a request is put into memory, an answer lies there after; bytes are requested.
//!
//! The page writes a request of this many bytes where [`room`] says, calls [`call`], which gives the length
//! of the answer, and reads it where [`answer`] says. Whatever is not a number is text in UTF-8.

use std::cell::RefCell;

use dudley::bytes::{Source, check};
use dudley::{Error, Result};

use crate::Session;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// The length of the file, in bytes.
    safe fn length() -> u64;
    /// Puts `count` bytes from `address` on to `into`, and says how many it were.
    fn read(address: u64, into: *mut u8, count: usize) -> usize;
    /// Learns how many more bytes were visited.
    safe fn progress(bytes: u64);
}

#[derive(Default)]
struct State {
    session: Session,
    request: Vec<u8>,
    answer: String,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Where a request of this many bytes goes.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.request = vec![0; bytes];
        state.request.as_mut_ptr()
    })
}

/// Answers the request that was put there; how many bytes that takes.
#[unsafe(no_mangle)]
extern "C" fn call() -> usize {
    STATE.with_borrow_mut(|state| {
        let request = String::from_utf8_lossy(&state.request);
        let source = || File { length: length() };
        state.answer = state.session.answer_watched(&request, source, &mut |bytes| progress(bytes));
        state.answer.len()
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// Bytes that are best asked for at once: each request of the page takes long.
const BATCH: u64 = 4 << 20;

/// The file that the page has.
struct File {
    length: u64,
}

impl Source for File {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        let needed = buf.len() as u64;
        check(self.length, address, needed)?;
        // SAFETY: the page writes at most this many bytes to where it is reported, which is all of `buf`.
        let found = unsafe { read(address, buf.as_mut_ptr(), buf.len()) };
        if found == buf.len() {
            Ok(())
        } else {
            Err(Error::truncated(address, needed, found as u64))
        }
    }

    fn batch(&self) -> u64 {
        BATCH
    }
}
