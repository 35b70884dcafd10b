//! A layout in which items that ask to be stored in chunks are arrays in blocks (spec 7.5): its text, from the shapes
//! that the items have.

use std::fmt::Write;

use hashbrown::HashMap;

use crate::ast::{self, ElementKind, ItemKind};
use crate::format::names::quoted;
use crate::layout::blocks::{CHUNKS, WHOLE};
use crate::layout::presented::Misfit;
use crate::layout::{ArrayId, Count, DocKey, Layout};
use crate::parse::parse;
use crate::resolve::{Given, NoValues, Resolver, State};
use crate::span::Span;

/// What replaces a part of a text.
type Edit = (Span, String);

/// The text of a layout with a list of blocks for each item that has the attribute `chunks`; `None` if no item has.
///
/// ```
/// use dudley_parser::chunked::chunked;
/// use dudley_parser::resolve::Given;
///
/// let text = "N : i4  rho = f4[N, 9] -> zlib  #: dims = [\"y\", \"x\"], chunks = [4, 5]";
/// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let (n, _) = layout.params().next().unwrap();
/// let given = Given { params: [(n, 6)].into_iter().collect(), ..Given::default() };
/// let text = chunked(&layout, &given).unwrap().unwrap();
/// assert_eq!(text, "N : i4  rho [f4[4, 5] -> zlib]*4  #: dims = [\"y\", \"x\"], whole = [6, 9]");
/// ```
///
/// # Errors
/// If an item cannot be stored so, or its shape depends on more than the params that are given.
pub fn chunked(layout: &Layout, given: &Given) -> Result<Option<String>, Misfit> {
    if !layout.has_attribute(CHUNKS) {
        return Ok(None);
    }
    let has_wish = |span: Span| layout.attribute(DocKey::of(span), CHUNKS).is_some();
    let wishes = layout.arrays().filter(|(_, array)| has_wish(array.span));
    let wishes: HashMap<Span, ArrayId> = wishes.map(|(id, array)| (array.span, id)).collect();
    if wishes.is_empty() {
        return Ok(None);
    }
    let mut state = State::new();
    let resolver = Resolver::new(layout, given, &NoValues, &mut state);
    let mut making = Making { layout, text: layout.text(), wishes, resolver, edits: Vec::new() };
    making.items(&parse(making.text.as_bytes()).ast.items)?;
    if let Some((id, _)) = making.wishes.iter().map(|(span, id)| (*id, span)).min() {
        return Err(making.misfit(id, "only items of dicts and lists are stored in chunks"));
    }
    let mut text = making.text.to_owned();
    making.edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    for (span, new) in making.edits {
        text.replace_range(span.start as usize..span.end as usize, &new);
    }
    Ok(Some(text))
}

struct Making<'l> {
    layout: &'l Layout,
    text: &'l str,
    /// The arrays that are to be in chunks and were not found yet, by where they stand.
    wishes: HashMap<Span, ArrayId>,
    resolver: Resolver<'l>,
    edits: Vec<Edit>,
}

impl Making<'_> {
    fn misfit(&self, id: ArrayId, why: impl Into<String>) -> Misfit {
        let key = DocKey::of(self.layout[id].span);
        let said = self.layout.attribute(key, CHUNKS);
        let span = said.map_or(self.layout[id].span, |said| said.span);
        Misfit {
            span,
            why: why.into(),
            help: "it has the elements of a chunk in each dimension: `chunks = [64, 64]`",
        }
    }

    fn items(&mut self, items: &[ast::Item]) -> Result<(), Misfit> {
        for item in items {
            match &item.kind {
                ItemKind::Data { name, array } => self.array(name.span, array, Some(name.span))?,
                ItemKind::List { list, .. } => self.list(list)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn list(&mut self, list: &ast::List) -> Result<(), Misfit> {
        for element in &list.elements {
            match &element.kind {
                ElementKind::Data(array) => self.array(element.span, array, None)?,
                ElementKind::List(inner) => self.list(inner)?,
                ElementKind::Dict(items) => self.items(items)?,
                ElementKind::Broken => {}
            }
        }
        Ok(())
    }

    /// Makes a list of an array that is to be in chunks.
    fn array(
        &mut self,
        span: Span,
        written: &ast::Array,
        name: Option<Span>,
    ) -> Result<(), Misfit> {
        // Where an element of a list stands is its type.
        let found = [span, written.dtype.span(), written.span];
        let Some(id) = found.iter().find_map(|span| self.wishes.remove(span)) else {
            return Ok(());
        };
        let (array, layout) = (&self.layout[id], self.layout);
        let key = DocKey::of(array.span);
        let Some((wanted, said)) = layout.chunks(array.span)? else { return Ok(()) };
        if array.presented || array.constant || array.spliced {
            let why = "an item with `order`, a view, a constant or without a name is not stored in chunks";
            return Err(self.misfit(id, why));
        }
        let whole = self.resolver.presented_shape(array).map_err(|error| {
            self.misfit(id, format!("the shape is not known before it is written: {error}"))
        })?;
        let rank = written.shape.len();
        let dims = layout.dims(array);
        if whole.len() != dims.len() || wanted.len() != rank || wanted.contains(&0) {
            let why = format!("`{CHUNKS}` has a number from 1 on for each of {rank} dimensions");
            return Err(self.misfit(id, why));
        }
        // The first dimension may grow; of the others no chunk is longer than they are.
        let fits = |(at, (chunk, dim)): (usize, (&u64, &u64))| {
            if at == 0 || *dim == 0 { *chunk } else { *chunk.min(dim) }
        };
        let cell: Vec<u64> = wanted.iter().zip(&whole).enumerate().map(fits).collect();
        let mut counts = whole.iter().zip(&cell).map(|(dim, chunk)| dim.div_ceil(*chunk));
        let count = counts.try_fold(1_u64, |count, cells| count.checked_mul(cells));
        let count = count.filter(|count| i64::try_from(*count).is_ok());
        let count = count
            .ok_or_else(|| self.misfit(id, "there would be more chunks than can be counted"))?;
        let part = |span: Span| &self.text[span.start as usize..span.end as usize];
        let mut block = format!("{}{}", part(written.dtype.span()), shown(&cell));
        if let Some(filter) = &written.filter {
            if filter.stored.is_some() {
                let why = "the chunks of an item have no number of stored bytes in common: leave out `[…]` behind the filter";
                return Err(self.misfit(id, why));
            }
            let _ = write!(block, " {}", part(filter.span));
        }
        let list = match (&written.place, name) {
            (Some(ast::Place::At { .. }), None) => {
                return Err(self
                    .misfit(id, "an item of a list that has an address is not stored in chunks"));
            }
            (Some(ast::Place::At { span, .. }), Some(name)) if count > 0 => {
                let (name, at) = (part(name), part(*span));
                format!("{name} [{block} {at}]  {name} [{block}]*{}", count - 1)
            }
            (place, name) => {
                let align = match place {
                    Some(ast::Place::Align { span, .. }) => format!(" {}", part(*span)),
                    _ => String::new(),
                };
                let name = name.map(|name| format!("{} ", part(name))).unwrap_or_default();
                format!("{name}[{block}{align}]*{count}")
            }
        };
        let mut attributes = format!("{WHOLE} = {}", shown(&whole));
        // Params that were dimensions named them (7.6).
        let names = dims.iter().map(|dim| match dim.count {
            Count::Param(param, 0) => layout.name(layout[param].name),
            _ => "",
        });
        let names: Vec<&str> = names.collect();
        if layout.attribute(key, "dims").is_none() && names.iter().any(|name| !name.is_empty()) {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            let _ = write!(attributes, ", dims = [{}]", names.join(", "));
        }
        let begin = name.map_or(written.span.start, |name| name.start);
        self.edits.push((Span::new(begin, written.span.end), list));
        self.edits.push((said, attributes));
        Ok(())
    }
}

fn shown(dims: &[u64]) -> String {
    let dims: Vec<String> = dims.iter().map(u64::to_string).collect();
    format!("[{}]", dims.join(", "))
}
