//! All nodes below some, one after the other.

use std::collections::HashMap;

use super::node::{Children, Kind, Node, NodeId};
use crate::error::{Error, Result};

/// How many nodes are gone through that are shared, or in such ones: a short text may stand for any number of them. Of
/// others there are no more than the file holds.
const SHARED: u64 = 1 << 20;

/// How often what is in a node is gone through that stands under several paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Under each of them.
    Each,
    /// Once.
    Once,
}

/// Goes through nodes and what is in them, each before what is in it, in the order of the file. `visit` says whether to
/// go on into a node, and is given the path under which it was gone through before, of one that is gone through once.
/// What stands in itself is not gone into again, and pieces of arrays are gone into as what is in a dict. What a stream
/// says of the number of its items is not believed: see [`Stream::limited`](crate::Stream::limited).
///
/// ```
/// use dudley::model::{Formats, Shared, walk};
///
/// let open = dudley::Open::new().layout_text("a = u1  g/ b = u1  c = u1  /")?.raw();
/// let dataset = Formats::builtin().source("bytes", vec![1, 2, 3], &open)?;
/// let mut paths = Vec::new();
/// walk([dataset.root()?], Shared::Each, &mut |node, _| -> dudley::Result<bool> {
///     paths.push(node.path());
///     Ok(true)
/// })?;
/// assert_eq!(paths, ["/", "/a", "/g", "/g/b", "/g/c"]);
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// What `visit` says, and finding the nodes; if shared ones come to more than a million.
pub fn walk<E: From<Error>>(
    from: impl IntoIterator<Item = Node>,
    shared: Shared,
    visit: &mut dyn FnMut(&Node, Option<&str>) -> Result<bool, E>,
) -> Result<(), E> {
    let mut known: HashMap<NodeId, String> = HashMap::new();
    for start in from {
        let start: Children = Box::new(std::iter::once(Ok(start.limited())));
        // What is open, each with whether it is in something shared.
        let (mut open, mut count) = (vec![(start, false)], 0_u64);
        while let Some((children, is_within)) = open.last_mut() {
            let Some(node) = children.next().transpose()? else {
                open.pop();
                continue;
            };
            let is_shared = *is_within || node.is_shared();
            count += u64::from(is_shared);
            if shared == Shared::Each && count > SHARED {
                let why = format!("more than {SHARED} nodes are there that are shared, each time");
                return Err(Error::Listed { path: node.path().into(), why: why.into() }.into());
            }
            let id = node.id().filter(|_| shared == Shared::Once);
            let before = id.and_then(|id| known.get(&id)).map(String::as_str);
            if !visit(&node, before)? || before.is_some() || node.within_itself().is_some() {
                continue;
            }
            if let Some(id) = id.filter(|_| node.is_shared()) {
                known.insert(id, node.path());
            }
            match node.kind() {
                Kind::Array => open.push((Box::new(node.pieces().into_iter().map(Ok)), is_shared)),
                Kind::Value => {}
                Kind::Dict | Kind::List => open.push((node.children()?, is_shared)),
            }
        }
    }
    Ok(())
}
