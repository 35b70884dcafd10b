//! The declarations of a layout as a tree of names: dicts, lists and their items.

use crate::layout::path::{push_name, push_param};
use crate::layout::{
    ArrayId, Count, DictId, Layout, ListId, ParamId, ROOT, RepeatId, Run, Scope, Step,
};
use crate::span::Span;

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Dict(DictId),
    List(ListId),
    /// A pair of brackets, or an extension.
    Piece(RepeatId),
    Param(ParamId),
    Array(ArrayId),
}

/// By what a node is found among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key<'l> {
    /// A data item, dict or list.
    Item(&'l str),
    /// A param, and how often its name was declared before.
    Param(&'l str, u32),
    /// An element of a piece, or a piece of a list.
    Number(u32),
}

#[derive(Clone, Debug)]
pub(super) struct Node<'l> {
    pub(super) what: What,
    pub(super) key: Key<'l>,
    pub(super) path: String,
    pub(super) span: Span,
    pub(super) children: Vec<u32>,
}

/// The root is node 0.
pub(super) struct Tree<'l> {
    pub(super) layout: &'l Layout,
    pub(super) nodes: Vec<Node<'l>>,
    dicts: Vec<Option<u32>>,
    lists: Vec<Option<u32>>,
}

impl<'l> Tree<'l> {
    pub(super) fn new(layout: &'l Layout) -> Tree<'l> {
        let root = Node {
            what: What::Dict(ROOT),
            key: Key::Item(""),
            path: String::new(),
            span: Span::default(),
            children: Vec::new(),
        };
        let mut dicts = vec![None; layout.dicts().len()];
        dicts[ROOT.index()] = Some(0);
        let lists = vec![None; layout.lists.len()];
        let mut tree = Tree { layout, nodes: vec![root], dicts, lists };
        tree.run(layout[ROOT].run);
        tree
    }

    fn run(&mut self, run: Run) {
        let layout = self.layout;
        for &step in layout.run(run) {
            match step {
                Step::Enter(dict) => drop(self.dict(dict)),
                Step::Param(id) => self.param(id),
                Step::Array(id) => {
                    let parent = self.dict(layout[id].dict.unwrap_or(ROOT));
                    let name = layout.name(layout[id].name);
                    self.add(parent, What::Array(id), Key::Item(name), layout[id].span);
                }
                Step::Repeat(id) => {
                    let list = layout[id].list;
                    let node = self.list(list, Key::Item(layout.name(layout[list].name)), None);
                    self.piece(id, node);
                }
                // Only lists hold them.
                Step::Group(_) => {}
            }
        }
    }

    fn param(&mut self, id: ParamId) {
        let param = &self.layout[id];
        let dict = match param.scope {
            Scope::Dict(dict) | Scope::Repeated(dict) => dict,
            Scope::Record => return,
        };
        let (parent, name) = (self.dict(dict), self.layout.name(param.name));
        self.add(parent, What::Param(id), Key::Param(name, param.ordinal), param.span);
    }

    fn dict(&mut self, dict: DictId) -> u32 {
        if let Some(node) = self.dicts[dict.index()] {
            return node;
        }
        let declared = &self.layout[dict];
        let parent = self.dict(declared.parent.unwrap_or(ROOT));
        let name = self.layout.name(declared.name);
        let node = self.add(parent, What::Dict(dict), Key::Item(name), declared.span);
        self.dicts[dict.index()] = Some(node);
        node
    }

    /// The node of a list, below the dict that it is declared in or below a piece of another.
    fn list(&mut self, list: ListId, key: Key<'l>, parent: Option<u32>) -> u32 {
        if let Some(node) = self.lists[list.index()] {
            return node;
        }
        let declared = &self.layout[list];
        let parent = match parent {
            Some(parent) => parent,
            None => self.dict(declared.dict),
        };
        let node = self.add(parent, What::List(list), key, declared.span);
        self.lists[list.index()] = Some(node);
        node
    }

    fn piece(&mut self, id: RepeatId, list: u32) {
        let layout = self.layout;
        let number = self.nodes[list as usize].children.len() as u32;
        let piece = self.add(list, What::Piece(id), Key::Number(number), layout[id].span);
        // An extension repeats what stands in the brackets before it.
        if layout[id].extension {
            return;
        }
        for (number, &step) in layout.run(layout[id].body).iter().enumerate() {
            let key = Key::Number(number as u32);
            match step {
                Step::Array(array) => {
                    self.add(piece, What::Array(array), key, layout[array].span);
                }
                Step::Repeat(inner) => {
                    let node = self.list(layout[inner].list, key, Some(piece));
                    self.piece(inner, node);
                }
                Step::Group(dict) => {
                    let node = self.add(piece, What::Dict(dict), key, layout[dict].span);
                    self.dicts[dict.index()] = Some(node);
                    self.run(layout[dict].run);
                }
                Step::Param(_) | Step::Enter(_) => {}
            }
        }
    }

    fn add(&mut self, parent: u32, what: What, key: Key<'l>, span: Span) -> u32 {
        let around = &self.nodes[parent as usize];
        let mut path = around.path.clone();
        match (key, what) {
            (_, What::Piece(_)) => {}
            (Key::Item(name), _) => {
                path.push('/');
                push_name(&mut path, name);
            }
            (Key::Param(name, ordinal), _) => {
                path += "/:";
                push_param(&mut path, name, ordinal as usize);
            }
            (Key::Number(number), _) => {
                path += &match self.before(parent) {
                    Some(before) => format!("/{}", before.saturating_add(number.into())),
                    None => format!("/[… + {number}]"),
                };
            }
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { what, key, path, span, children: Vec::new() });
        self.nodes[parent as usize].children.push(node);
        node
    }

    /// How many items of a list lie before a piece of it, where numbers say so.
    fn before(&self, piece: u32) -> Option<u64> {
        let What::Piece(id) = self.nodes[piece as usize].what else { return Some(0) };
        let layout = self.layout;
        let pieces = &layout[layout[id].list].pieces;
        pieces.iter().take_while(|piece| **piece != id).try_fold(0_u64, |sum, piece| {
            let Count::Int(count) = layout[*piece].count else { return None };
            let items = layout[*piece].body.len() as u64;
            sum.checked_add(u64::try_from(count).ok()?.checked_mul(items)?)
        })
    }

    pub(super) fn node(&self, at: u32) -> &Node<'l> {
        &self.nodes[at as usize]
    }

    /// The path of a node as it is shown: the root has one too.
    pub(super) fn path(&self, at: u32) -> String {
        match self.node(at).path.as_str() {
            "" => "/".to_owned(),
            path => path.to_owned(),
        }
    }
}
