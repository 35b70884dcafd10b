//! All nodes below some, one after the other.

use std::collections::HashMap;

use super::node::{Children, Kind, Node, NodeId};
use crate::error::{Error, Result};

/// How many nodes are visited that are shared, or in such ones: a short text may stand for any number of them. Of
/// others there are no more than the file holds.
const SHARED: u64 = 1 << 20;

/// How often the content of a node with several paths is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Under each of them.
    Each,
    /// Once.
    Once,
}

/// Receives each node, and the path of an earlier visit; returns whether to continue into the node.
pub type Visit<'v, E> = dyn FnMut(&Node, Option<&str>) -> Result<bool, E> + 'v;

/// Visits nodes and the nodes inside them, each before its content, in the order of the file. `visit` decides whether
/// to continue into a node; for a node whose content is visited once, it gets the path of the earlier visit. A node
/// inside itself is not visited again. Pieces of arrays are visited like the items of a dict. The number of items
/// that a stream declares is not trusted: see [`Stream::limited`](crate::Stream::limited).
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
/// If `visit` fails, if a node cannot be found, or if there are more than a million shared nodes.
pub fn walk<E: From<Error>>(
    from: impl IntoIterator<Item = Node>,
    shared: Shared,
    visit: &mut Visit<'_, E>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::value::{Builder, Value};
    use crate::model::Extent;

    #[test]
    fn lists_of_streams_are_not_gone_through_without_end() {
        for layout in ["l [u1]*1000000000000", "l [[{}]*1000000]*1000000"] {
            let open = crate::Open::new().layout_text(layout).expect("a layout").raw();
            let stream = open.bytes(vec![1, 2, 3]).expect("a stream");
            for shared in [Shared::Each, Shared::Once] {
                let visit = &mut |_: &Node, _: Option<&str>| Ok(true);
                let error = walk([Node::from(stream.root())], shared, visit).expect_err("an end");
                assert!(
                    matches!(error, Error::TooManyItems { .. } | Error::Truncated { .. }),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn what_goes_wrong_in_a_visit_ends_it_as_it_is() {
        let open = crate::Open::new().layout_text("a = u1").expect("a layout").raw();
        let node = Node::from(open.bytes(vec![1]).expect("a stream").root());
        let walked = walk([node], Shared::Each, &mut |_, _| Err(Own::Visit));
        assert_eq!(walked, Err(Own::Visit));
    }

    #[derive(Debug, PartialEq)]
    enum Own {
        Visit,
        Engine(String),
    }

    impl From<Error> for Own {
        fn from(error: Error) -> Own {
            Own::Engine(error.to_string())
        }
    }

    #[test]
    fn what_is_stored_is_told_decoded() {
        let layout = "x = u1[100000] -> zlib  y = u1[7]";
        let layout = crate::parse_layout(layout.as_bytes()).expect("a layout");
        let ones = vec![1_u8; 100_000];
        let writer = crate::Writer::new(layout).put("/x", &ones[..]).put("/y", &[2_u8; 7][..]);
        let bytes = writer.attach(true).to_bytes().expect("written");
        let stream = crate::Open::new().bytes(bytes).expect("a stream");
        let extents = |path: &str| Node::from(stream.get(path).expect(path)).extents();
        let of = |bytes| vec![Extent { id: None, bytes }];
        assert_eq!(extents("/x").expect("known"), of(100_000));
        assert_eq!(extents("/y").expect("known"), of(7));
        assert!(stream.get("/x").and_then(|item| item.data()).expect("data").bytes() < 1000);
    }

    #[test]
    fn all_is_emitted_bit_by_bit_where_that_is_asked_for() {
        let nan = f32::from_bits(0x7fc0_0001);
        let layout = "x = f4  d/ x = f4 /  l [f4, {x = f4}]  ";
        let open = crate::Open::new().layout_text(layout).expect("a layout").raw();
        let bytes = nan.to_le_bytes().repeat(4);
        let stream = open.bytes(bytes).expect("a stream");
        let bits = Value::Bits(nan.to_be_bytes().to_vec());
        for path in ["/", "/x", "/d", "/l"] {
            let emitted = |exact| {
                let mut builder = Builder::default();
                let node = Node::from(stream.get(path).expect(path));
                node.emit(&mut builder, exact).expect("emitted");
                builder.finish()
            };
            fn leaves(value: &Value) -> Vec<&Value> {
                match value {
                    Value::Array(values) => values.iter().flat_map(leaves).collect(),
                    Value::Struct(fields) => fields.iter().flat_map(|(_, it)| leaves(it)).collect(),
                    value => vec![value],
                }
            }
            let exact = emitted(true);
            assert!(leaves(&exact).iter().all(|value| **value == bits), "{path}: {exact:?}");
            let shown = emitted(false);
            let is_nan = |it: &&Value| matches!(it, Value::Float(it) if it.is_nan());
            assert!(leaves(&shown).iter().all(is_nan), "{path}: {shown:?}");
        }
    }
}
