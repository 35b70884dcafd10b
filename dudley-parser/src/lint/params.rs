//! Params that nothing uses, that come too late, that do not say what they count, that are written in two
//! ways.

use crate::diagnostic::Diagnostic;
use crate::layout::dtype::Kind;
use crate::layout::{Array, Count, DictId, DocKey, Layout, Param, ParamId, ParamValue, Scope};
use crate::names::Symbol;
use crate::scan::skip_trivia;
use crate::span::Span;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// Params that nothing uses.
pub(super) fn unused(layout: &Layout, found: &mut Vec<Diagnostic>) {
    // A type is unfolded at each use; one use that needs the param is enough.
    let mut used: BTreeMap<Span, bool> = BTreeMap::new();
    for (_, param) in layout.params() {
        *used.entry(param.span).or_default() |= param.used;
    }
    for (_, param) in layout.params() {
        if used.insert(param.span, true) != Some(false) {
            continue;
        }
        let name = layout.name(param.name);
        let message = format!("nothing uses the param `{name}`");
        let help = if param.is_streamed() {
            "data is declared with `=`; only what is a dimension or a count is a param"
        } else {
            "leave it out, or use it in a shape"
        };
        found.push(Diagnostic::note("lint-unused-param", param.span, message).help(help));
    }
}

/// Params that may take a dimension away, and do not say what they count.
pub(super) fn undocumented(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let dims = layout.dims.iter().filter_map(|dim| match dim.count {
        Count::Param(id, _) => Some(id),
        _ => None,
    });
    let dims: HashSet<ParamId> = dims.collect();
    let mut known = HashSet::new();
    for (id, param) in layout.params() {
        let signed = matches!(param.value, ParamValue::Streamed(primitive, _)
            if primitive.kind() != Kind::Unsigned);
        if !signed || !dims.contains(&id) || !known.insert(param.span) {
            continue;
        }
        let key = DocKey::of(param.span);
        let said = layout.doc(key).any(|line| !line.is_empty());
        if said || layout.attribute(key, "presence").is_some() {
            continue;
        }
        let name = layout.name(param.name);
        let message = format!(
            "`{name}` may be -1, which takes a dimension away, and does not say what it counts"
        );
        let help = "document it, as in `## zones along x`; the attribute `presence` says that it is 0 or -1, \
                    and a dimension `[N+0]` is never -1";
        found.push(Diagnostic::note("lint-param-doc", param.span, message).help(help));
    }
}

/// Params of a dict that stand behind an item of it which has taken one of the same name from around the
/// dict.
pub(super) fn late(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let mut outer: HashMap<(DictId, Symbol), Span> = HashMap::new();
    for array in &layout.arrays {
        let Some(dict) = array.dict else { continue };
        for id in params_of(layout, array) {
            let param = &layout[id];
            if home(param) != Some(dict) {
                outer
                    .entry((dict, param.name))
                    .and_modify(|first| *first = (*first).min(array.span))
                    .or_insert(array.span);
            }
        }
    }
    for param in layout.params.iter().filter(|param| param.ordinal == 0) {
        let Some(dict) = home(param) else { continue };
        let Some(&user) = outer.get(&(dict, param.name)) else { continue };
        if user < param.span {
            let name = layout.name(param.name);
            let message = format!(
                "the dict has its own `{name}` from here on, but an item before used another one"
            );
            let help = "declare it before the first item of the dict that has such a dimension";
            let note = Diagnostic::note("lint-late-param", param.span, message);
            found.push(note.also(user, "this has the length of the outer one").help(help));
        }
    }
}

/// The dict that a param is declared in.
fn home(param: &Param) -> Option<DictId> {
    match param.scope {
        Scope::Dict(dict) | Scope::Repeated(dict) => Some(dict),
        Scope::Record => None,
    }
}

fn params_of<'l>(layout: &'l Layout, array: &Array) -> impl Iterator<Item = ParamId> + use<'l> {
    layout.dims(array).iter().flat_map(|dim| layout.params_of(dim.count))
}

/// Params that are declared with `:=` where the first is declared with `:`, or the other way round.
pub(super) fn colons(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let text = layout.text().as_bytes();
    let spans: std::collections::BTreeSet<Span> =
        layout.params.iter().map(|param| param.span).collect();
    let mut first: Option<(&str, Span)> = None;
    for span in spans {
        let Some((sign, _)) = colon(text, span) else { continue };
        match first {
            None => first = Some((sign, span)),
            Some((other, at)) if other != sign => {
                let message =
                    format!("this param is declared with `{sign}`, others with `{other}`");
                let note = Diagnostic::note("lint-colon", span, message);
                let help = "both mean the same; one spelling is easier to read";
                found.push(note.also(at, "the first one").help(help));
            }
            Some(_) => {}
        }
    }
}

/// The colon behind the name of a param, and where it is.
pub(super) fn colon(text: &[u8], name: Span) -> Option<(&'static str, Span)> {
    let at = skip_trivia(text, name.end as usize);
    let sign = match text.get(at..)? {
        [b':', b'=', ..] => ":=",
        [b':', ..] => ":",
        _ => return None,
    };
    Some((sign, Span::new(at as u32, (at + sign.len()) as u32)))
}
