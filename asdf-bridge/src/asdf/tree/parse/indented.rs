//! Quoted texts whose further lines are not indented: libyaml takes them, YAML 1.2 and our parser do not.
//!
//! Blanks in front of such a line mean nothing, so the lines are indented, and the places of the nodes
//! are then brought back to those of the text as it is.

use std::ops::Range;

use super::super::Tree;

/// What is put in front of a line: more than any block is indented.
const INDENT: &str =
    "                                                                                ";

/// Bytes that are parsed again in all, at most.
const EFFORT: usize = 64 << 20;

/// A text with some of its lines indented.
pub(super) struct Indented<'t> {
    original: &'t str,
    pub(super) text: String,
    /// Where lines were indented, in `text`, in order.
    at: Vec<usize>,
}

impl<'t> Indented<'t> {
    pub(super) fn new(original: &'t str) -> Self {
        Indented { original, text: original.to_owned(), at: Vec::new() }
    }

    /// How many lines may be indented.
    pub(super) fn tries(&self) -> usize {
        (EFFORT / self.original.len().max(1)).clamp(8, 1 << 12)
    }

    /// Indents what begins at a place of the text.
    pub(super) fn indent(&mut self, at: usize) {
        if self.text.is_char_boundary(at) {
            self.text.insert_str(at, INDENT);
            // The parser goes on from the start, so a later place may come first.
            for place in self.at.iter_mut().filter(|place| **place >= at) {
                *place += INDENT.len();
            }
            self.at.push(at);
            self.at.sort_unstable();
        }
    }

    /// The tree with the places of the original text.
    pub(super) fn restored(&self, mut tree: Tree) -> Tree {
        self.original.clone_into(&mut tree.text);
        for entry in &mut tree.nodes {
            for range in [&mut entry.span, &mut entry.tag_span, &mut entry.anchor] {
                *range = self.place(range);
            }
        }
        for (alias, _) in &mut tree.aliases {
            *alias = self.place(alias);
        }
        tree
    }

    fn place(&self, range: &Range<u32>) -> Range<u32> {
        let of = |place: u32| {
            let before = self.at.partition_point(|at| *at < place as usize);
            place - (before * INDENT.len()) as u32
        };
        of(range.start)..of(range.end)
    }
}
