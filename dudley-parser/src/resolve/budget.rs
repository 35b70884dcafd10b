//! How many items are visited one by one, whatever a layout says of their number.

/// Items that are visited of any stream, and members of the structs that they are.
const FREE: u64 = 1 << 16;

/// This many more for each byte of it: most items of lists have some.
const BY_BYTE: u64 = 32;

/// How many items of lists, and members of structs in them, are visited one by one in a stream of this many bytes. A
/// few lists in lists, or a count that is damaged, may say that there are more than anybody could visit.
///
/// ```
/// assert_eq!(dudley_parser::resolve::most_items(4096), 196_608);
/// ```
pub fn most_items(stream_bytes: u64) -> u64 {
    stream_bytes.saturating_mul(BY_BYTE).saturating_add(FREE)
}
