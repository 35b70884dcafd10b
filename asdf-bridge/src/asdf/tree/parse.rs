//! From text to a tree: events of the YAML parser, put together.

mod prepared;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use granit_parser::{
    ErrorKind, Event, Parser, ScalarStyle, ScanError, Span, StructureStyle, Tag, options,
};

use super::super::error::{Error, Result};
use super::{Content, Entry, Key, NodeId, Style, Tree, breaks};
use prepared::Prepared;

/// How deep collections may stand in each other.
const DEPTH: usize = 255;

/// How many keys merging may add in all: merges of merges grow with the square of the text.
const MERGED: usize = 1 << 20;

/// The key that merges another mapping.
const MERGE: &str = "<<";

/// Reads the tree in `text`, which stands at `base` in the file, and there begins in `line`.
///
/// # Errors
/// [`Error::Tree`]; [`Error::Limit`] for a text of 4 GiB.
pub(crate) fn parse(text: &str, base: u64, line: usize) -> Result<Tree> {
    if u32::try_from(text.len()).is_err() {
        return Err(Error::Limit { what: "the tree".into(), limit: "4 GiB".into() });
    }
    let mut prepared = Prepared::new(text);
    let (error, at) = match events(&prepared, base, line) {
        Ok(tree) => return Ok(tree),
        Err((error, None)) => return Err(error),
        Err((error, Some(at))) => (error, at),
    };
    let mut next = Some(at);
    for _ in 0..prepared.tries() {
        let Some(at) = next else { break };
        prepared.indent(at);
        match events(&prepared, base, line) {
            Ok(tree) => return Ok(tree),
            Err((_, at)) => next = at,
        }
    }
    Err(error)
}

/// Reads the tree. With an error goes where in the text for the parser a quoted text continues in a line that is not
/// indented, if that is what is wrong.
fn events(prepared: &Prepared<'_>, base: u64, line: usize) -> Result<Tree, (Error, Option<usize>)> {
    let options = options! {
        emit_anchor_events: true,
        flow_nesting_limit: DEPTH,
        block_nesting_limit: DEPTH,
        // Python's keys are often longer than YAML would have them.
        simple_key_max_lookahead: 1 << 16,
    };
    let mut builder = Builder::new(prepared, base, line);
    for event in Parser::new_from_str_with_options(prepared.text(), options) {
        let (event, span) = event.map_err(|error| {
            let unindented = matches!(error.kind(), ErrorKind::InvalidQuotedScalarIndent);
            let at = error.marker().byte_offset().filter(|_| unindented);
            (builder.scan_error(&error), at)
        })?;
        builder.event(event, &span).map_err(|error| (error, None))?;
    }
    Ok(builder.finish())
}

struct Builder<'t> {
    prepared: &'t Prepared<'t>,
    /// The text as it is, which all places are of.
    text: &'t str,
    base: u64,
    line: usize,
    nodes: Vec<Entry>,
    tags: Vec<String>,
    tag_ids: HashMap<String, u32>,
    anchors: HashMap<usize, NodeId>,
    /// Collections that are not complete, with the key that waits for its value.
    open: Vec<(NodeId, Option<NodeId>)>,
    root: Option<NodeId>,
    documents: usize,
    merged: usize,
    aliases: Vec<(Range<u32>, NodeId)>,
    written: HashMap<NodeId, Vec<(NodeId, NodeId)>>,
    rounds: HashSet<NodeId>,
}

impl<'t> Builder<'t> {
    fn new(prepared: &'t Prepared<'t>, base: u64, line: usize) -> Self {
        Self {
            prepared,
            text: prepared.original(),
            base,
            line,
            nodes: Vec::new(),
            tags: Vec::new(),
            tag_ids: HashMap::new(),
            anchors: HashMap::new(),
            open: Vec::new(),
            root: None,
            documents: 0,
            merged: 0,
            aliases: Vec::new(),
            written: HashMap::new(),
            rounds: HashSet::new(),
        }
    }

    fn scan_error(&self, error: &ScanError) -> Error {
        let at = error.marker().byte_offset().unwrap_or_default();
        self.error(self.prepared.place(at), &error.info())
    }

    fn error(&self, at: usize, why: &str) -> Error {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        Error::Tree {
            address: self.base + at as u64,
            line: line + self.line,
            column: column + 1,
            why: why.into(),
        }
    }

    /// Offsets in bytes; the text was seen to be shorter than 4 GiB.
    fn range(&self, span: &Span) -> Range<u32> {
        let place = |at| self.prepared.place(at) as u32;
        span.byte_range().map_or(0..0, |range| place(range.start)..place(range.end))
    }

    fn event(&mut self, event: Event<'t>, span: &Span) -> Result<()> {
        let range = self.range(span);
        let at = range.start as usize;
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(self.error(at, "a tree is one document, and here is another one"));
                }
            }
            Event::Alias(id) => {
                let node = self.anchors.get(&id).copied();
                let node = node.ok_or_else(|| self.error(at, "an alias without an anchor"))?;
                if self.is_open(node) {
                    self.rounds.insert(node);
                }
                self.aliases.push((range, node));
                self.place(node);
            }
            Event::Anchor(id, name) => {
                if let Some(node) = self.anchors.get(&id) {
                    // `&` stands in front of the name.
                    let start = range.start + 1;
                    self.nodes[node.0 as usize].anchor = start..start + name.len() as u32;
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let as_it_stands = self.text.get(at..range.end as usize) == Some(&*text);
                let content = match style {
                    ScalarStyle::Plain if as_it_stands => Content::Plain,
                    style => {
                        let (style, place) = (scalar_style(style), at..range.end as usize);
                        let other = if self.prepared.has_old_breaks() {
                            breaks::scalar(self.text, place, style, &text)
                        } else {
                            None
                        };
                        Content::Scalar(other.map_or_else(|| text.into(), Into::into), style)
                    }
                };
                let node = self.add(content, range, anchor, tag.as_deref(), span)?;
                self.place(node);
            }
            Event::SequenceStart(style, anchor, tag) => {
                let content = Content::Sequence(Vec::new(), structure_style(style));
                self.begin(content, range, anchor, tag.as_deref(), span)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                let content = Content::Mapping(Vec::new(), structure_style(style));
                self.begin(content, range, anchor, tag.as_deref(), span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(range.end)?,
            _ => {}
        }
        Ok(())
    }

    /// Whether a collection is not complete.
    fn is_open(&self, node: NodeId) -> bool {
        self.open.iter().any(|(open, _)| *open == node)
    }

    fn begin(
        &mut self,
        content: Content,
        range: Range<u32>,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
    ) -> Result<()> {
        let at = range.start as usize;
        let node = self.add(content, range, anchor, tag, span)?;
        if self.open.len() >= DEPTH {
            return Err(self.error(at, "collections stand more than 255 deep in each other"));
        }
        self.open.push((node, None));
        Ok(())
    }

    fn add(
        &mut self,
        content: Content,
        range: Range<u32>,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
    ) -> Result<NodeId> {
        let id = NodeId(self.nodes.len() as u32);
        let tag_span = span.tag_span().map_or(0..0, |span| self.range(&span));
        let tag = tag.map_or(0, |tag| self.tag(tag));
        self.nodes.push(Entry { content, span: range, tag, tag_span, anchor: 0..0 });
        if anchor > 0 {
            self.anchors.insert(anchor, id);
        }
        Ok(id)
    }

    /// The index of a tag, from 1. The tag `!` says only that a scalar is text.
    fn tag(&mut self, tag: &Tag) -> u32 {
        let full = match tag.handle() {
            "" => tag.suffix().to_owned(),
            handle => format!("{handle}{}", tag.suffix()),
        };
        let next = self.tags.len() as u32 + 1;
        let id = *self.tag_ids.entry(full.clone()).or_insert(next);
        if id == next {
            self.tags.push(full);
        }
        id
    }

    /// Puts a finished node where it belongs.
    fn place(&mut self, node: NodeId) {
        let Some((parent, key)) = self.open.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        match &mut self.nodes[parent.0 as usize].content {
            Content::Sequence(items, _) => items.push(node),
            Content::Mapping(entries, _) => match key.take() {
                None => *key = Some(node),
                Some(key) => entries.push((key, node)),
            },
            Content::Plain | Content::Scalar(..) => {}
        }
    }

    /// Completes the collection that was begun last.
    fn end(&mut self, end: u32) -> Result<()> {
        let Some((node, _)) = self.open.pop() else { return Ok(()) };
        self.merge(node)?;
        let entry = &self.nodes[node.0 as usize];
        let (style, last) = match &entry.content {
            Content::Sequence(items, style) => (*style, items.last().copied()),
            Content::Mapping(entries, style) => (*style, entries.last().map(|(_, value)| *value)),
            _ => (Style::Flow, None),
        };
        let start = entry.span.start;
        let end = match (style, last) {
            (Style::Flow, _) => end,
            // The parser ends a block only where the next thing begins.
            _ => {
                let text = self.text.get(start as usize..end as usize).unwrap_or_default();
                start + text.trim_end_matches(breaks::BLANKS).len() as u32
            }
        };
        self.nodes[node.0 as usize].span = start..end;
        self.place(node);
        Ok(())
    }

    /// Replaces the key `<<` of a mapping by what the mappings have that it names.
    fn merge(&mut self, node: NodeId) -> Result<()> {
        let Content::Mapping(entries, style) = &self.nodes[node.0 as usize].content else {
            return Ok(());
        };
        if !entries.iter().any(|(key, _)| self.is_merge(*key)) {
            return Ok(());
        }
        let style = *style;
        let (merges, own): (Vec<_>, Vec<_>) =
            entries.iter().partition(|(key, _)| self.is_merge(*key));
        let mut seen: HashSet<Key<'_>> =
            own.iter().filter_map(|(key, _)| self.key_of(*key)).collect();
        let mut all = Vec::new();
        for (key, value) in merges {
            let sources: &[NodeId] = match &self.nodes[value.0 as usize].content {
                Content::Sequence(items, _) => items,
                _ => &[value],
            };
            for source in sources {
                if *source == node || self.is_open(*source) {
                    let at = self.nodes[key.0 as usize].span.start as usize;
                    return Err(self.error(at, "`<<` merges a mapping that it is a part of"));
                }
                let Content::Mapping(entries, _) = &self.nodes[source.0 as usize].content else {
                    let at = self.nodes[key.0 as usize].span.start as usize;
                    return Err(self.error(at, "`<<` merges mappings, and this is none"));
                };
                for (key, value) in entries {
                    if self.key_of(*key).is_none_or(|key| seen.insert(key)) {
                        all.push((*key, *value));
                    }
                }
            }
        }
        let merged = self.merged + all.len();
        if merged > MERGED {
            let at = self.nodes[node.0 as usize].span.start as usize;
            return Err(self.error(at, "`<<` merges more than a million keys in all"));
        }
        all.extend(own);
        self.merged = merged;
        let content = &mut self.nodes[node.0 as usize].content;
        if let Content::Mapping(entries, _) =
            std::mem::replace(content, Content::Mapping(all, style))
        {
            self.written.insert(node, entries);
        }
        Ok(())
    }

    fn is_merge(&self, key: NodeId) -> bool {
        let entry = &self.nodes[key.0 as usize];
        matches!(entry.content, Content::Plain)
            && entry.tag == 0
            && self.text_of(key) == Some(MERGE)
    }

    /// What a scalar is as a key.
    fn key_of(&self, node: NodeId) -> Option<Key<'_>> {
        let entry = &self.nodes[node.0 as usize];
        let tag = (entry.tag as usize).checked_sub(1).and_then(|at| self.tags.get(at));
        let plain = matches!(entry.content, Content::Plain | Content::Scalar(_, Style::Plain));
        Some(Key::scalar(self.text_of(node)?, plain, tag.map(String::as_str)))
    }

    fn text_of(&self, node: NodeId) -> Option<&str> {
        let entry = &self.nodes[node.0 as usize];
        match &entry.content {
            Content::Plain => self.text.get(entry.span.start as usize..entry.span.end as usize),
            Content::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    fn finish(mut self) -> Tree {
        let root = match self.root {
            Some(root) => root,
            None => {
                self.nodes.push(Entry {
                    content: Content::Plain,
                    span: 0..0,
                    tag: 0,
                    tag_span: 0..0,
                    anchor: 0..0,
                });
                NodeId(self.nodes.len() as u32 - 1)
            }
        };
        self.nodes.shrink_to_fit();
        let mut tree = Tree {
            text: self.text.to_owned(),
            base: self.base,
            nodes: self.nodes,
            tags: self.tags,
            root,
            sorted: HashMap::new(),
            aliases: self.aliases,
            written: self.written,
            rounds: self.rounds,
            shared: OnceLock::new(),
            uri: String::new(),
        };
        tree.sort();
        tree
    }
}

fn scalar_style(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn structure_style(style: StructureStyle) -> Style {
    match style {
        StructureStyle::Block => Style::Block,
        StructureStyle::Flow => Style::Flow,
    }
}
