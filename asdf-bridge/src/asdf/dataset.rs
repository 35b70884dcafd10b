//! ASDF and FINF files as the model has them: which they are, and the nodes of their trees.

use std::path::Path;

use dudley::model::{
    Candidate, Claim, Content, Dataset, Depth, Description, Doubt, Entry, Format, Kind, Node, Place,
};
use dudley::select::Selected;
use dudley::value::Sink;
use dudley::verify::Finding;
use dudley::{Data, Severity, Value};

use super::doubts::Doubts;
use super::error::Error;
use super::external::Folder;
use super::file::{AsdfFile, Open};
use super::item::Item;
use super::text::Dialect;
use super::tree::NodeKind;
use super::walk::References;
use crate::Recognised;

/// The format of ASDF files, or that of FINF files.
pub(crate) struct Trees(pub(crate) Recognised);

impl Format for Trees {
    fn describe(&self) -> &'static str {
        self.0.describe()
    }

    fn recognise(&self, candidate: &Candidate) -> dudley::Result<Option<Claim>> {
        self.0.claim(candidate)
    }

    fn open(&self, candidate: &Candidate, open: &dudley::Open) -> dudley::Result<Dataset> {
        Ok(Dataset::new(candidate.name(), opened(candidate, open)?))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &dudley::Open,
        found: &mut dyn FnMut(Finding),
        _: &mut dyn FnMut(u64),
    ) -> dudley::Result<()> {
        opened(candidate, open)?.verify()?.findings.into_iter().map(finding).for_each(found);
        Ok(())
    }
}

fn opened(candidate: &Candidate, open: &dudley::Open) -> dudley::Result<AsdfFile> {
    let mut how = Open::new().work(open.how_to_read().clone());
    // What is within another file has no folder of its own.
    if let Some(path) = candidate.path().filter(|_| candidate.base() == 0) {
        how = how.external(Folder::new(path.parent().unwrap_or(Path::new(""))));
    }
    Ok(how.source(candidate.bytes()?)?)
}

fn finding(own: super::report::Finding) -> Finding {
    let severity = if own.code.is_error() { Severity::Error } else { Severity::Warning };
    let block = own.block.map_or(String::new(), |block| format!("block {block}: "));
    Finding {
        code: own.code.as_str(),
        severity,
        address: Some(own.address),
        bytes: None,
        path: None,
        message: block + &own.reason,
    }
}

impl Content for AsdfFile {
    fn describe(&self) -> &'static str {
        match self.text().dialect {
            Dialect::Asdf | Dialect::Early => Recognised::Asdf.describe(),
            Dialect::Finf => Recognised::Finf.describe(),
        }
    }

    fn root(&self) -> dudley::Result<Node> {
        Ok(node(AsdfFile::root(self)?))
    }

    fn get(&self, path: &str) -> dudley::Result<Node> {
        Ok(Node::new(AsdfFile::get(self, path)?))
    }

    fn select(&self, path: &str) -> dudley::Result<Selected> {
        Ok(AsdfFile::select(self, path)?)
    }

    fn doubts(&self, paths: &[&str], depth: Depth) -> dudley::Result<Vec<Doubt>> {
        let mut doubts = match depth {
            Depth::Opened | Depth::Headers => Doubts::of_headers(self),
            Depth::Checksums => Doubts::of_digests(self),
        };
        Ok(doubts.of_paths(paths)?)
    }

    fn layout(&self) -> dudley::Result<Option<Description>> {
        let described = self.describe()?;
        let notes = described.arrays.iter().filter_map(|array| {
            array.item.as_ref()?;
            let why = array.reason.as_ref()?.to_string();
            Some(Doubt { path: Some(array.path.clone()), why })
        });
        let notes = notes.collect();
        // Blocks without a tree have paths in the description only.
        let same_paths = self.tree().is_ok();
        Ok(Some(Description { text: described.text, same_paths, notes, fault: None }))
    }

    fn facts(&self) -> Vec<(String, Value)> {
        let text = |name: &str, value: &str| (name.to_owned(), Value::Text(value.to_owned()));
        let mut facts = vec![text("version", &self.text().version)];
        facts.extend(self.text().standard.iter().map(|standard| text("standard", standard)));
        facts
    }
}

/// What is in a node, as a walk goes on: nothing of an array, and of what stands in itself.
fn below(item: &Item) -> Vec<Item> {
    if item.is_array() || item.within_itself().is_some() {
        Vec::new()
    } else {
        References::Followed.below(item).collect()
    }
}

/// What a node of a tree is, or refers to.
fn node(item: Item) -> Node {
    Node::new(item.followed())
}

impl Entry for Item {
    fn kind(&self) -> Kind {
        match self.node().kind() {
            _ if self.is_array() => Kind::Array,
            NodeKind::Mapping => Kind::Dict,
            NodeKind::Sequence => Kind::List,
            NodeKind::Scalar => Kind::Value,
        }
    }

    fn path(&self) -> String {
        Item::path(self).to_owned()
    }

    fn len(&self) -> dudley::Result<u64> {
        Ok(below(self).len() as u64)
    }

    fn child(&self, name: &str) -> dudley::Result<Option<Node>> {
        let found = below(self).into_iter().find(|item| {
            let parts = dudley::path::parse(item.path()).unwrap_or_default();
            matches!(parts.last(), Some(dudley::path::Part::Name { text, .. }) if text == name)
        });
        Ok(found.map(node))
    }

    fn children(&self) -> dudley::Result<Vec<Node>> {
        Ok(below(self).into_iter().map(node).collect())
    }

    fn stored(&self) -> dudley::Result<Data> {
        if !self.is_array() {
            let kind = Entry::kind(self).as_str();
            return Err(dudley::Error::NotData { path: Item::path(self).into(), kind });
        }
        Ok(self.array()?.data()?)
    }

    fn is_masked(&self) -> dudley::Result<bool> {
        Ok(self.is_array() && self.array()?.missing()?.is_some_and(|missing| missing.any()))
    }

    fn emit(&self, sink: &mut dyn Sink, exact: bool) -> dudley::Result<()> {
        Ok(Item::emit(self, sink, exact)?)
    }

    fn unit(&self) -> Option<String> {
        Item::unit(self)
    }

    fn doc(&self) -> Vec<String> {
        self.description().into_iter().collect()
    }

    fn place(&self) -> dudley::Result<Option<Place>> {
        if !self.is_array() {
            return Ok(None);
        }
        let array = self.array()?;
        let Some((address, stored)) = array.place()? else { return Ok(None) };
        let block = array.block()?;
        let codec = block.and_then(|block| block.compression());
        Ok(Some(Place { address, stored, codec }))
    }

    fn facts(&self) -> Vec<(String, Value)> {
        let mut facts = Vec::new();
        if let Some(tag) = self.node().tag() {
            facts.push(("tag".to_owned(), Value::Text(tag.to_owned())));
        }
        let array = self.is_array().then(|| self.array().ok()).flatten();
        if let Some(number) = array.and_then(|array| array.block_number()) {
            facts.push(("block".to_owned(), Value::Int(number as i128)));
        }
        facts
    }
}

impl From<Error> for dudley::Error {
    fn from(error: Error) -> dudley::Error {
        match error {
            Error::Engine(error) => error,
            Error::NoSuchNode { path, why } => dudley::Error::NoSuchItem { path, why },
            error => dudley::Error::Foreign(Box::new(error)),
        }
    }
}
