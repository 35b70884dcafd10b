//! A tree as it will stand in the text: arrays as nodes, shared parts as anchors and aliases.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::error::{Error, Result};
use super::standard::{self, Target};
use super::yaml::array::NewArray;
use super::yaml::{Content, Yaml};

/// How deep collections may stand in each other: readers take no more.
const DEPTH: usize = 250;

/// What a part that stands in itself is written in.
const OUTSIDE: &str = "an alias of a part that it stands in";

/// Flattens trees whose anchors stand in one text.
#[derive(Debug)]
pub(crate) struct Flat {
    /// Shared parts by their addresses in memory: how often each stands in the tree, and its anchor once it was
    /// met.
    shared: HashMap<usize, (usize, Option<Box<str>>)>,
    /// Parts that stand in themselves, by what names them there: the anchors of those that are being written.
    around: HashMap<usize, Box<str>>,
    /// Names that are taken.
    taken: HashSet<Box<str>>,
    last: usize,
    target: Target,
}

/// Gives the node of an array; the path is that in the tree.
pub(crate) type ToNode<'f, 'a> = dyn FnMut(&NewArray<'a>, &str) -> Result<Yaml<'static>> + 'f;

impl Flat {
    /// `taken` are the anchors that the text has already.
    pub(crate) fn new(target: Target, taken: impl IntoIterator<Item = Box<str>>) -> Flat {
        let taken = taken.into_iter().collect();
        Flat { shared: HashMap::new(), around: HashMap::new(), taken, last: 0, target }
    }

    /// The tree without shared parts and arrays.
    ///
    /// # Errors
    /// [`Error::Limit`] for collections that stand too deep in each other; if `node` fails.
    pub(crate) fn flatten<'a>(
        &mut self,
        tree: &Yaml<'a>,
        node: &mut ToNode<'_, 'a>,
    ) -> Result<Yaml<'static>> {
        self.count(tree, 0)?;
        self.part(tree, &mut String::new(), node)
    }

    fn count(&mut self, part: &Yaml<'_>, depth: usize) -> Result<()> {
        if depth > DEPTH {
            let (what, limit) = ("collections in each other".into(), DEPTH.to_string().into());
            return Err(Error::Limit { what, limit });
        }
        match &part.content {
            Content::Sequence(items) => {
                items.iter().try_for_each(|item| self.count(item, depth + 1))
            }
            Content::Mapping(entries) => entries.iter().try_for_each(|(key, value)| {
                self.count(key, depth + 1)?;
                self.count(value, depth + 1)
            }),
            Content::Array(array) => {
                array.entries.iter().try_for_each(|(_, value)| self.count(value, depth + 1))
            }
            Content::Shared(shared) => {
                let (count, _) = self.shared.entry(address(shared)).or_default();
                *count += 1;
                if *count == 1 { self.count(shared, depth + 1) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    fn part<'a>(
        &mut self,
        part: &Yaml<'a>,
        path: &mut String,
        node: &mut ToNode<'_, 'a>,
    ) -> Result<Yaml<'static>> {
        if part.around.is_none() {
            return self.content(part, path, node);
        }
        let name = self.name(part.anchor.as_deref());
        self.named(part, name, path, node)
    }

    /// A part with an anchor of this name, which is that of the part where it stands in itself.
    fn named<'a>(
        &mut self,
        part: &Yaml<'a>,
        name: Box<str>,
        path: &mut String,
        node: &mut ToNode<'_, 'a>,
    ) -> Result<Yaml<'static>> {
        let around = part.around.as_ref().map(|around| Arc::as_ptr(around).addr());
        let before = around.and_then(|around| self.around.insert(around, name.clone()));
        let flat = self.content(&Yaml { anchor: None, ..part.clone() }, path, node);
        if let Some(around) = around {
            // A copy of a part may stand in it.
            match before {
                Some(before) => self.around.insert(around, before),
                None => self.around.remove(&around),
            };
        }
        Ok(Yaml { anchor: Some(name), ..flat? })
    }

    fn content<'a>(
        &mut self,
        part: &Yaml<'a>,
        path: &mut String,
        node: &mut ToNode<'_, 'a>,
    ) -> Result<Yaml<'static>> {
        let content = match &part.content {
            Content::Plain(text) => Content::Plain(text.clone()),
            Content::Text(text) => Content::Text(text.clone()),
            Content::Alias(name) => Content::Alias(name.clone()),
            Content::Sequence(items) => {
                let mut flat = Vec::with_capacity(items.len());
                for (at, item) in items.iter().enumerate() {
                    flat.push(self.below(item, &at.to_string(), path, node)?);
                }
                Content::Sequence(flat)
            }
            Content::Mapping(entries) => {
                let mut flat = Vec::with_capacity(entries.len());
                // Of an array in the tree.
                let renamed = standard::is_array(part.tag.as_deref().unwrap_or_default());
                let renamed = renamed.then(|| self.target.renamed(|key| part.get(key).is_some()));
                let renamed = renamed.flatten();
                for (key, value) in entries {
                    let name = key.as_text().unwrap_or("?").to_owned();
                    let key = match renamed.filter(|(old, _)| *old == name) {
                        Some((_, new)) => Yaml::from(new),
                        None => self.below(key, "?", path, node)?,
                    };
                    flat.push((key, self.below(value, &name, path, node)?));
                }
                Content::Mapping(flat)
            }
            Content::Shared(shared) => return self.shared(shared, path, node),
            Content::Within(around) => {
                let name = self.around.get(&Arc::as_ptr(around).addr());
                let name =
                    name.ok_or_else(|| Error::unwritable(path, OUTSIDE, "a part of another tree"))?;
                Content::Alias(name.clone())
            }
            Content::Array(array) => {
                let mut flat = node(array, path)?;
                for (key, value) in &array.entries {
                    let name = key.as_text().unwrap_or("?").to_owned();
                    let value = self.below(value, &name, path, node)?;
                    flat.set(&name, value);
                }
                flat.tag = self.tag(part).or(flat.tag);
                flat.anchor = part.anchor.as_deref().map(|name| self.name(Some(name)));
                return Ok(flat);
            }
        };
        let anchor = part.anchor.as_deref().map(|name| self.name(Some(name)));
        Ok(Yaml { content, tag: self.tag(part), anchor, style: part.style, around: None })
    }

    /// The tag of a part, in the version that is written.
    fn tag(&self, part: &Yaml<'_>) -> Option<Box<str>> {
        let tag = part.tag.as_deref()?;
        Some(match tag.strip_prefix('!') {
            Some(name) => self.target.tag(name).into(),
            None => tag.into(),
        })
    }

    fn below<'a>(
        &mut self,
        part: &Yaml<'a>,
        name: &str,
        path: &mut String,
        node: &mut ToNode<'_, 'a>,
    ) -> Result<Yaml<'static>> {
        let length = path.len();
        path.push('/');
        path.push_str(name);
        let flat = self.part(part, path, node);
        path.truncate(length);
        flat
    }

    /// A part that may stand in other places: an alias, if it was met already.
    fn shared<'a>(
        &mut self,
        shared: &Arc<Yaml<'a>>,
        path: &mut String,
        node: &mut ToNode<'_, 'a>,
    ) -> Result<Yaml<'static>> {
        let address = address(shared);
        let (count, anchor) = self.shared.get(&address).cloned().unwrap_or_default();
        if let Some(anchor) = anchor {
            return Ok(Yaml::new(Content::Alias(anchor)));
        }
        let own = shared.anchor.as_deref();
        if count <= 1 && shared.around.is_none() {
            let mut flat =
                self.content(&Yaml { anchor: None, ..Yaml::clone(shared) }, path, node)?;
            flat.anchor = own.map(|name| self.name(Some(name)));
            return Ok(flat);
        }
        let name = self.name(own);
        self.shared.insert(address, (count, Some(name.clone())));
        self.named(shared, name, path, node)
    }

    /// A name for an anchor: the one that is wished for, if it is free.
    fn name(&mut self, wished: Option<&str>) -> Box<str> {
        if let Some(wished) = wished.filter(|wished| !self.taken.contains(*wished)) {
            self.taken.insert(wished.into());
            return wished.into();
        }
        loop {
            self.last += 1;
            let name = format!("id{:03}", self.last).into_boxed_str();
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

fn address(shared: &Arc<Yaml<'_>>) -> usize {
    Arc::as_ptr(shared).addr()
}
