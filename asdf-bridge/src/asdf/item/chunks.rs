//! An item that is an array in chunks.

use dudley::ByteOrder;

use super::Item;
use crate::asdf::array::chunked::{Chunk, Chunked, KEYS, KEYS_OF_CHUNK, OF_WHOLE, is_chunked};
use crate::asdf::datatype::{Datatype, shape};
use crate::asdf::error::Result;
use crate::asdf::ndarray;

impl Item {
    /// Whether it is an array in chunks.
    pub fn is_chunked(&self) -> bool {
        is_chunked(self.node())
    }

    /// The array in chunks that it is.
    ///
    /// # Errors
    /// [`Error::Node`](crate::asdf::Error::Node) if it is none, or a chunk does not lie within it.
    pub fn chunked(&self) -> Result<Chunked> {
        let node = self.node();
        let path = self.path();
        let dims = node.get("shape").filter(|_| self.is_chunked());
        let dims = dims.ok_or_else(|| node.error(path, "an array in chunks with a `shape`"))?;
        let whole = shape(dims, path)?;
        let orders = [ByteOrder::Little, ByteOrder::Big].into_iter();
        let stated = node.get("datatype").map_or(Ok(Vec::new()), |stated| {
            orders.map(|order| Datatype::parse(stated, order, path)).collect()
        })?;
        let mut unknown = ndarray::strangers(node, &KEYS, OF_WHOLE, path);
        if node.get("chunks").is_none() {
            return Err(node.error(path, "an array in chunks with `chunks`"));
        }
        let chunks = self.child_of("chunks")?.items();
        let chunks = chunks.into_iter().map(|chunk| {
            let chunk = chunk.resolve()?;
            let node = chunk.node();
            unknown.extend(ndarray::strangers(node, &KEYS_OF_CHUNK, "a chunk", chunk.path()));
            if node.get("ndarray").is_none() {
                return Err(node.error(chunk.path(), "a chunk with an `ndarray`"));
            }
            let start = node.get("start").ok_or_else(|| node.error(chunk.path(), "a `start`"))?;
            let start = shape(start, chunk.path())?;
            let array = chunk.child_of("ndarray")?;
            if array.is_chunked() {
                // It could be the whole.
                return Err(array.node().error(chunk.path(), "an array that is not in chunks"));
            }
            let array = array.array()?;
            let within = start.len() == whole.len()
                && array.shape().len() == whole.len()
                && start.iter().zip(array.shape()).zip(&whole).all(|((start, dim), whole)| {
                    start.checked_add(*dim).is_some_and(|end| end <= *whole)
                });
            if within {
                Ok(Chunk { start, array })
            } else {
                Err(node.error(chunk.path(), format!("a chunk within {whole:?}")))
            }
        });
        let chunks = chunks.collect::<Result<_>>()?;
        let (path, address) = (path.to_owned(), node.address());
        Ok(Chunked { path, shape: whole, chunks, stated, address, unknown })
    }
}
