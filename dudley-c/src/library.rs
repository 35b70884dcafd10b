//! The library itself.

use std::ffi::{CStr, c_char, c_int};

use crate::abi::Text;
use crate::error::{Failure, run};

/// The version of the library, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    CStr::from_bytes_with_nul(VERSION.as_bytes()).unwrap_or(c"").as_ptr()
}

/// For interfaces of other languages over this one: makes a text the last error of this thread, and returns
/// `DUD_BAD_VALUE`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_fail(text: Text) -> c_int {
    run(|| Err(Failure::bad(text.get()?)))
}
