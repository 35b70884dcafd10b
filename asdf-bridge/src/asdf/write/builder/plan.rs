//! The plan of a new file: its text, and its blocks in their order.

use std::collections::{BTreeSet, HashMap};

use crate::asdf::error::{Error, Result};
use crate::asdf::write::block::NewBlock;
use crate::asdf::write::builder::Builder;
use crate::asdf::write::flatten::Flat;
use crate::asdf::write::kept_blocks::Carried;
use crate::asdf::write::node::{Nodes, Sources};
use crate::asdf::write::provenance;
use crate::asdf::write::standard::Target;
use crate::asdf::write::text::Emitter;
use crate::asdf::write::yaml::Yaml;

/// A text and the blocks that it names.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) text: String,
    pub(crate) blocks: Vec<NewBlock<'a>>,
    /// The numbers of those that cannot go to files of their own.
    pub(crate) staying: BTreeSet<usize>,
    /// The numbers of those that the tree names by arrays.
    pub(crate) arrays: BTreeSet<usize>,
    /// How many have the numbers that they had in the file that the tree comes from.
    pub(crate) carried: usize,
    pub(crate) streamed: bool,
}

/// What stands under `source` for a block that goes to a file of its own, by its number.
pub(crate) type Apart<'s> = dyn Fn(usize) -> Yaml<'static> + 's;

/// Blocks that were met in a tree, where they go.
struct Arranged<'a> {
    /// The number of each, in the order in which they were met.
    numbers: Vec<usize>,
    /// All blocks, by their numbers.
    blocks: Vec<NewBlock<'a>>,
    /// The numbers of those that cannot go to files of their own.
    staying: BTreeSet<usize>,
}

impl<'a> Builder<'a> {
    /// The text of the file, and its blocks. `apart` names those that go to files of their own.
    pub(crate) fn plan(&self, apart: Option<&Apart<'_>>) -> Result<Plan<'a>> {
        let asdf = matches!(self.target, Target::Asdf(_));
        let tree = self.whole_tree()?;
        let (flat, met, streamed) = self.flatten(&tree, &|number| Yaml::from(number as u64))?;
        // Only who has met all arrays knows the numbers of their blocks.
        let Arranged { numbers, blocks, staying } = self.arrange(met)?;
        let flat = match apart {
            None if numbers.iter().copied().eq(0..numbers.len()) => flat,
            _ => {
                let source = |at: usize| match (numbers[at], apart) {
                    (number, Some(name)) if !staying.contains(&number) => name(number),
                    (number, _) => Yaml::from(number as u64),
                };
                self.flatten(&tree, &source)?.0
            }
        };
        let mut text = self.target.head();
        for comment in self.comments.iter().filter(|_| asdf) {
            text += &format!("# {}\n", comment_line(comment));
        }
        text += &self.target.directives();
        let mut out = Emitter::new(text, self.target.prefix()).brackets(asdf);
        out.block(&flat, 0)?;
        let text = out.finish() + "...\n";
        for compression in blocks.iter().filter_map(|block| block.compression.as_ref()) {
            compression.check(&self.codecs)?;
        }
        let arrays = numbers.into_iter().collect();
        let carried = self.carried.as_ref().map_or(0, Carried::count);
        Ok(Plan { text, blocks, staying, arrays, carried, streamed })
    }

    /// The tree with what is said of the code that wrote it.
    ///
    /// # Errors
    /// If there are data where that would stand.
    pub(crate) fn whole_tree(&self) -> Result<Yaml<'a>> {
        let mut tree = self.tree.clone();
        if let Target::Asdf(standard) = self.target {
            provenance::put(&mut tree, standard, &self.provenance)?;
        }
        tree.tag = Some(self.target.root().into());
        Ok(tree)
    }

    /// The tree with nodes for its arrays, their blocks as they were met, and whether one is streamed.
    pub(crate) fn flatten(
        &self,
        tree: &Yaml<'a>,
        sources: &Sources<'_>,
    ) -> Result<(Yaml<'static>, Vec<NewBlock<'a>>, bool)> {
        let asdf = matches!(self.target, Target::Asdf(_));
        let mut nodes = Nodes {
            inline_up_to: self.inline_up_to,
            compression: self.compression.clone().filter(|_| asdf),
            recompression: if asdf { self.recompression.clone() } else { Some(None) },
            ..Nodes::new(self.target, sources)
        };
        let flat =
            Flat::new(self.target, []).flatten(tree, &mut |array, path| nodes.node(array, path))?;
        Ok((flat, nodes.blocks, nodes.streamed))
    }

    /// Gives blocks that were met their numbers.
    fn arrange(&self, met: Vec<NewBlock<'a>>) -> Result<Arranged<'a>> {
        let Some(carried) = &self.carried else { return Ok(in_order(met)) };
        let count = carried.count();
        // The first that comes from a block has its number; what comes from none is behind all.
        let mut slots = HashMap::new();
        let mut next = count;
        let mut numbers = Vec::with_capacity(met.len());
        for (at, block) in met.iter().enumerate() {
            let own = carried.number(block.pieces.origin());
            let own = own.filter(|number| !slots.contains_key(number));
            let number = own.unwrap_or(next);
            next += usize::from(own.is_none());
            slots.insert(number, at);
            numbers.push(number);
        }
        if next > count && carried.is_counted_from_end() {
            let found = "a number below 0 of what is no array, and blocks that come behind";
            return Err(Error::unwritable("source", "blocks that keep their numbers", found));
        }
        let (mut blocks, mut staying) = (Vec::new(), BTreeSet::new());
        for number in 0..next {
            let at = slots.get(&number);
            match at {
                Some(at) => blocks.push(met[*at].clone()),
                None => blocks.push(carried.block(number, self.target)?),
            }
            if number < count && carried.stays(number, at.is_some()) {
                staying.insert(number);
            }
        }
        Ok(Arranged { numbers, blocks, staying })
    }
}

/// A comment as it can stand in front of the tree. Python's `asdf` takes the first `%YAML` for its beginning, and some
/// characters for the end of a line.
fn comment_line(comment: &str) -> String {
    let blank =
        |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    comment.chars().map(blank).collect::<String>().replace("%YAML", "% YAML")
}

/// Blocks in the order that they had in the file that they come from.
fn in_order(met: Vec<NewBlock<'_>>) -> Arranged<'_> {
    let mut order: Vec<usize> = (0..met.len()).collect();
    let place = |at: &usize| met[*at].pieces.origin().map_or(usize::MAX, |origin| origin.block);
    order.sort_by_key(place);
    let mut numbers = vec![0; order.len()];
    order.iter().enumerate().for_each(|(number, at)| numbers[*at] = number);
    let blocks = order.iter().map(|at| met[*at].clone()).collect();
    Arranged { numbers, blocks, staying: BTreeSet::new() }
}
