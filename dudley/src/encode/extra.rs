//! Additional bytes that a writer puts into a stream before it appends the layout.

use crate::error::Result;
use crate::read::stream::Stream;

/// Bytes that a writer puts into a stream besides its items: those that make it a file of another format as well. They
/// go into gaps, which are zeros otherwise, or behind the data; a layout is appended behind all of them.
///
/// ```
/// use std::sync::Arc;
///
/// use dudley::write::Extra;
/// use dudley::{Open, Result, Stream, Writer, parse_layout};
///
/// struct Stamp;
///
/// impl Extra for Stamp {
///     fn parts(&self, _: &Stream, end: u64) -> Result<Vec<(u64, Vec<u8>)>> {
///         Ok(vec![(end, b"made today".to_vec())])
///     }
/// }
///
/// let writer = Writer::new(parse_layout(b"x = u1[4]")?).put("/x", &[1_u8, 2, 3, 4][..]);
/// let bytes = writer.attach(true).extra(Arc::new(Stamp)).to_bytes()?;
/// assert_eq!(bytes[20..30], *b"made today");
/// assert_eq!(Open::new().bytes(bytes)?.get("/x")?.read::<u8>()?.sum(), 10);
/// # Ok::<(), dudley::Error>(())
/// ```
pub trait Extra: Send + Sync {
    /// The bytes for a stream whose data end at an address, and where each of them goes.
    ///
    /// # Errors
    /// If reading the stream fails; if it has no place for them.
    fn parts(&self, stream: &Stream, end: u64) -> Result<Vec<(u64, Vec<u8>)>>;
}
