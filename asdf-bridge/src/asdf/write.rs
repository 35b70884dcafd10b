//! Writing: trees with arrays as files.
//!
//! A [`Builder`](builder::Builder) has a tree of [`Yaml`](yaml::Yaml), in which arrays
//! ([`NewArray`](array::NewArray)) stand like any other value. The tree is [flattened](flatten) first:
//! arrays become nodes that name blocks, shared parts become anchors. Then it is text, by the
//! [emitter](text), and the [blocks] follow: with those of the file that the tree comes from, if they are
//! [carried] over. Header bytes come from the codecs of the layouts alone.

pub(super) mod block;
pub(super) mod blocks;
pub(super) mod builder;
pub(super) mod compress;
pub(super) mod copy;
mod dtypes;
mod exploded;
pub(super) mod flatten;
pub(super) mod header;
mod inline;
pub(super) mod kept_blocks;
pub(super) mod node;
mod part;
pub(super) mod pieces;
pub(super) mod prepared;
mod provenance;
mod quote;
pub(super) mod rules;
pub(super) mod standard;
pub(super) mod stream;
pub(super) mod target;
#[cfg(test)]
mod tests;
pub(super) mod text;
pub(super) mod yaml;
