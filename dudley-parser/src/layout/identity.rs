//! The identity of a layout: its declarations, not its text.

use super::Layout;
use super::print::print;
use crate::scan::{next_token, skip_trivia};

/// A hash of what a layout declares: the same for texts that differ in comments and blanks only.
///
/// It is FNV-1a of 64 bits over the tokens of the canonical text, and the same on all machines.
///
/// ```
/// use dudley_parser::layout::identity::identity;
///
/// let of = |text: &str| identity(&dudley_parser::check(text.as_bytes()).layout.unwrap());
/// assert_eq!(of("N := i4 x=f8[N]"), of("N : i4\nx = f8[ N ]  ## (m) length"));
/// assert_ne!(of("N : i4  x = f8[N]"), of("N : i4  x = f4[N]"));
/// ```
pub fn identity(layout: &Layout) -> u64 {
    let text = print(layout);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut byte = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let bytes = text.as_bytes();
    let mut at = skip_trivia(bytes, 0);
    while let Some(end) = next_token(bytes, at) {
        bytes[at..end].iter().copied().for_each(&mut byte);
        // No token has it, so that tokens do not run together.
        byte(0);
        at = skip_trivia(bytes, end);
    }
    hash
}
