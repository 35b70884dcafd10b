//! Which comment belongs to which declaration (spec 7.1): to the item last begun before it.

use super::Checker;
use crate::ast::{Comment, CommentKind};
use crate::comments::{self, AttrValue};
use crate::diagnostic::{Diagnostic, Severity};
use crate::layout::DocKey;
use crate::span::Span;
use hashbrown::HashMap;

/// Sweeps over the comments while the checker walks over the declarations.
pub(super) struct Docs<'a> {
    rest: &'a [Comment],
    owner: DocKey,
    docs: Vec<(DocKey, Span)>,
    attributes: HashMap<DocKey, Vec<Comment>>,
    order: Vec<DocKey>,
}

impl<'a> Docs<'a> {
    pub(super) fn new(comments: &'a [Comment]) -> Self {
        Self {
            rest: comments,
            owner: DocKey::LAYOUT,
            docs: Vec::new(),
            attributes: HashMap::new(),
            order: Vec::new(),
        }
    }

    /// From `offset` on, comments belong to `owner`. Offsets must not go back.
    pub(super) fn begin(&mut self, offset: u32, owner: DocKey) {
        self.flush(offset);
        self.owner = owner;
    }

    /// Gives the comments before `offset` to the owner so far.
    fn flush(&mut self, offset: u32) {
        while let Some((comment, rest)) = self.rest.split_first() {
            if comment.span.start >= offset {
                break;
            }
            self.rest = rest;
            match comment.kind {
                CommentKind::Plain => {}
                CommentKind::Doc => self.docs.push((self.owner, comment.span)),
                CommentKind::Attribute => {
                    let lines = self.attributes.entry(self.owner).or_default();
                    if lines.is_empty() {
                        self.order.push(self.owner);
                    }
                    lines.push(*comment);
                }
            }
        }
    }
}

impl Checker<'_> {
    /// Hands the comments to the layout, and reads the attributes.
    pub(super) fn finish_docs(&mut self) {
        self.docs.flush(u32::MAX);
        let mut docs = std::mem::take(&mut self.docs.docs);
        docs.sort_by_key(|(owner, _)| *owner);
        self.layout.docs = docs;
        for owner in std::mem::take(&mut self.docs.order) {
            let lines = self.docs.attributes.remove(&owner).unwrap_or_default();
            let (attributes, mut found) = comments::attributes(self.text, &lines);
            if self.to_read() {
                for diagnostic in &mut found {
                    if diagnostic.severity.is_error() {
                        diagnostic.severity = Severity::Warning;
                        self.layout.left_out.push(diagnostic.clone());
                    }
                }
            }
            self.diagnostics.extend(found);
            if let Some(stated) = attributes.iter().find(|a| a.name == "const") {
                let text = "`const` states the only legal value: an extension";
                self.diagnostics.push(Diagnostic::note("ext-const", stated.span, text));
            }
            for attribute in attributes.iter().filter(|a| a.tolerance() == Some(None)) {
                let number = if attribute.name == "ulp" { "an integer" } else { "a number" };
                let text = format!("`{}` is {number} from 0 on: it has no effect", attribute.name);
                self.diagnostics.push(Diagnostic::warning("bad-tolerance", attribute.span, text));
            }
            let kind = attributes.iter().find(|a| owner == DocKey::LAYOUT && a.name == "stream");
            if let Some(kind) = kind.filter(|kind| !kind.is_stream_kind()) {
                let text = "`stream` is \"raw\" or \"native\": it has no effect";
                self.diagnostics.push(Diagnostic::warning("bad-stream", kind.span, text));
            }
            let misplaced =
                attributes.iter().find(|a| owner != DocKey::LAYOUT && a.name == "stream");
            if let Some(kind) = misplaced.filter(|kind| kind.is_stream_kind()) {
                let text =
                    "`stream` is said of the layout, before its first item: here it has no effect";
                self.diagnostics.push(Diagnostic::warning("bad-stream", kind.span, text));
            }
            self.layout.attributes.insert(owner, attributes);
        }
        self.mark_presented();
        self.check_dim_names();
        self.mark_stream_bytes();
        self.mark_to_end();
    }

    /// That the attribute `dims` has a name for each dimension (spec 7.6).
    fn check_dim_names(&mut self) {
        let (layout, mut known) = (&self.layout, hashbrown::HashSet::new());
        for (_, array) in layout.arrays() {
            let key = DocKey::of(array.span);
            let Some(attribute) = layout.attribute(key, "dims") else { continue };
            let names = attribute.dim_names().map(|names| names.len());
            let rank = layout.presented_rank(array);
            if names == Some(rank) || !known.insert(attribute.span) {
                continue;
            }
            let text = match rank {
                0 => "`dims` names dimensions, and there are none: it has no effect".to_owned(),
                1 => "`dims` is the name of the one dimension: it has no effect".to_owned(),
                rank => format!(
                    "`dims` is a list of {rank} names, one for each dimension: it has no effect"
                ),
            };
            self.diagnostics.push(Diagnostic::warning("bad-dims", attribute.span, text));
        }
    }

    /// Params with the attribute `stream_bytes` take the length of the stream (spec 4.7).
    fn mark_stream_bytes(&mut self) {
        use crate::layout::{ParamValue, ROOT, Scope};
        let mut found = Vec::new();
        for (key, attributes) in &self.layout.attributes {
            if let Some(attribute) = attributes.iter().find(|a| a.name == "stream_bytes") {
                found.push((*key, attribute));
            }
        }
        if found.is_empty() {
            return;
        }
        let places: HashMap<DocKey, (Span, bool)> = found
            .into_iter()
            .map(|(key, it)| (key, (it.span, it.value == AttrValue::True)))
            .collect();
        let mut notes = Vec::new();
        for param in &mut self.layout.params {
            let Some(&(span, is_bare)) = places.get(&DocKey::of(param.span)) else { continue };
            if !is_bare {
                let text = "`stream_bytes` takes no value: so it has no effect";
                notes.push(Diagnostic::warning("stream-bytes", span, text));
            } else if matches!(param.value, ParamValue::Fixed(_))
                && param.scope == Scope::Dict(ROOT)
            {
                param.stream_bytes = true;
                let text = "`stream_bytes` gives a param the length of the stream: an extension";
                notes.push(Diagnostic::note("ext-stream-bytes", span, text));
            } else {
                let text = "`stream_bytes` has no effect here: only a fixed param of the root \
                            dict takes the length of the stream";
                notes.push(Diagnostic::warning("stream-bytes", span, text));
            }
        }
        self.diagnostics.extend(notes);
    }
}
