//! Are lists that `whole` makes one array arrays in blocks (spec 7.5)?

use super::Checker;
use crate::comments::AttrValue;
use crate::diagnostic::Diagnostic;
use crate::layout::blocks::{Areas, WHOLE};
use crate::layout::presented::Misfit;
use crate::layout::{Array, DocKey, Element, Layout, List, ListId, Step};
use crate::resolve::{Given, NoValues, Resolver, State};
use crate::span::Span;
use hashbrown::HashSet;

/// This many items of a list are looked at, and as many as the text has bytes.
const LOOKS: usize = 1 << 16;

impl Checker<'_> {
    /// Reports lists that are no array in blocks, as far as numbers are known, and `whole` where it has no effect.
    pub(super) fn check_blocks(&mut self, start: u64) {
        let layout = &self.layout;
        if !layout.has_attribute(WHOLE) {
            return;
        }
        let given = Given { start, ..Given::default() };
        let mut state = State::new();
        let mut resolver = Resolver::new(layout, &given, &NoValues, &mut state);
        let poisoned = self.poisoned;
        let is_broken = |array: &Array| match array.element {
            Element::Record(id) => poisoned == Some(id),
            Element::Primitive(..) => false,
        };
        // What is wrong with an item is said of it, and may have taken it from its list.
        let errors = self.diagnostics.iter().filter(|it| it.severity.is_error());
        let errors: Vec<Span> = errors.map(|it| it.primary.span).collect();
        let is_wrong =
            |span: Span| errors.iter().any(|it| span.start <= it.start && it.end <= span.end);
        let mut found: Vec<Diagnostic> = layout
            .lists()
            .filter_map(|(id, list)| {
                let found = whole(layout, &mut resolver, (id, list), &is_broken).err();
                found.filter(|_| !is_wrong(list.span))
            })
            .collect();
        let wholes = layout.lists().filter_map(|(id, _)| layout.whole(id).ok().flatten());
        found.extend(wholes.map(|whole| {
            let text = "`whole` makes a list of blocks one array: an extension";
            Diagnostic::note("ext-whole", whole.span, text)
        }));
        let spans = (layout.dicts.iter().skip(1).map(|it| it.span))
            .chain(layout.arrays.iter().map(|it| it.span))
            .chain(layout.types.iter().map(|it| it.span));
        // What stands for a list that is wrong may have another place: then it is not said.
        let lists: HashSet<Span> = layout.lists().map(|(_, list)| list.span).collect();
        let spans = spans.filter(|span| !lists.contains(span));
        found.extend(spans.filter_map(|span| {
            let said = layout.attribute(DocKey::of(span), WHOLE)?;
            let text = "`whole` is said of a list: it has no effect";
            let warning = || Diagnostic::warning("bad-blocks", said.span, text);
            (matches!(said.value, AttrValue::Ints(_)) && errors.is_empty()).then(warning)
        }));
        self.diagnostics.extend(found);
    }
}

fn error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("bad-blocks", span, message.into())
}

fn misfit(Misfit { span, why, help }: Misfit) -> Diagnostic {
    error(span, why).help(help)
}

/// Looks at one list.
#[expect(clippy::result_large_err, reason = "an error is rare, and reported at once")]
fn whole(
    layout: &Layout,
    resolver: &mut Resolver<'_>,
    (id, list): (ListId, &List),
    is_broken: &dyn Fn(&Array) -> bool,
) -> Result<(), Diagnostic> {
    let Some(whole) = layout.whole(id).map_err(misfit)? else { return Ok(()) };
    let said = |found: Diagnostic| found.also(whole.span, "which `whole` makes one array");
    let mut areas = Areas::new(&whole.shape);
    let mut first: Option<&Array> = None;
    let mut spans = Vec::new();
    let mut left = LOOKS.saturating_add(layout.text.len());
    for &piece in &list.pieces {
        let body = layout.run(layout[piece].body);
        for _ in 0..resolver.repetitions(piece).unwrap_or(0) {
            for step in body {
                let Step::Array(array) = *step else {
                    let message = "an item that is no array in a list of blocks";
                    return Err(said(error(span_of(layout, *step), message)));
                };
                let array = &layout[array];
                if is_broken(array) || left == 0 {
                    return Ok(());
                }
                left -= 1;
                let first = *first.get_or_insert(array);
                if !is_alike(layout, first, array) {
                    let found = error(array.span, "a block of another type than the first one");
                    return Err(found.also(first.span, "all blocks have this type"));
                }
                let start = layout.start(array.span).map_err(misfit)?;
                let Ok(shape) = resolver.presented_shape(array) else { return Ok(()) };
                let begin = start.as_ref().map(|(start, _)| &start[..]);
                areas.push(&shape, begin).map_err(|why| {
                    said(error(start.as_ref().map_or(array.span, |(_, span)| *span), why))
                })?;
                spans.push(array.span);
            }
        }
    }
    if let Some(array) = first
        && layout.is_array_varying(array)
    {
        let message = "blocks of structs that differ in size, which are at no number of bytes";
        return Err(said(error(array.span, message)));
    }
    if first.is_none() && list.pieces.iter().all(|piece| layout[*piece].body.is_empty()) {
        let found = error(whole.span, "a list of blocks without any: it has no type");
        return Err(found.help("a missing block is an array whose first dimension is 0: `f8[0]`"));
    }
    match areas.overlap() {
        Some((one, other)) => {
            let found = error(spans[other], "a block that overlaps another one");
            Err(found.also(spans[one], "it has elements of this"))
        }
        None => Ok(()),
    }
}

/// Whether elements are of one type, as the text has it: what params make of it is for the code that reads.
fn is_alike(layout: &Layout, one: &Array, other: &Array) -> bool {
    match (one.element, other.element) {
        (Element::Record(one), Element::Record(other)) => {
            let (one, other) = (&layout[one], &layout[other]);
            match (one.ty, other.ty) {
                (None, None) => true,
                (one, other) => one == other,
            }
        }
        (one, other) => one == other,
    }
}

fn span_of(layout: &Layout, step: Step) -> Span {
    match step {
        Step::Array(id) => layout[id].span,
        Step::Param(id) => layout[id].span,
        Step::Group(id) | Step::Enter(id) => layout[id].span,
        Step::Repeat(id) => layout[id].span,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{check, check_to_read};

    #[test]
    fn lists_that_are_no_array_in_blocks_are_found() {
        for (layout, expected) in [
            ("l [f8[2], f8[2]]  #: whole = [4]", ""),
            ("l [f8[2], f8[2]]  #: whole = [3]", ""),
            ("l [f8[2]]*2  #: whole = [3]", ""),
            ("l [f8[2]]  #: whole = [3]\nl [f8[2]]", ""),
            ("l [f8[2], f8[0], f8[2]]  #: whole = [6]", ""),
            ("l [f8[0]]  #: whole = [6], fill = 2.5", ""),
            ("l [f8[0]]*1000000000000  #: whole = [6]", ""),
            ("l [f8]  #: whole = []", ""),
            ("l [f8, f8]  #: whole = []", "bad-blocks"),
            ("l [f8[2]]*3  #: whole = [4]", "bad-blocks"),
            ("l [f8[2]]  #: whole = [0]", "bad-blocks"),
            ("l [f8[0]]  #: whole = [0]", ""),
            ("l [f8[2], f4[2]]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2], >f8[2]]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2], f8[2, 1]]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2]]  #: whole = [4, 1]", "bad-blocks"),
            ("l [f8[2]]  #: whole = 4", "bad-blocks"),
            ("l [f8[2]]  #: whole = [-4]", "bad-blocks"),
            ("l [f8[2]]  #: whole", "bad-blocks"),
            ("l []  #: whole = [4]", "bad-blocks"),
            ("l [[f8[2]]*2]  #: whole = [4]", "bad-blocks"),
            ("l [/ x = f8[2]]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2]\n  #: start = [1]\n]  #: whole = [4]", ""),
            ("l [f8[2]\n  #: start = [4]\n]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2]\n  #: start = [3]\n]  #: whole = [4]", ""),
            ("l [f8[2]\n  #: start = [1, 0]\n]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2]\n  #: start = [-1]\n]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2]\n  #: start = 1\n]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2], f8[2]\n  #: start = [1]\n]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2], f8[2]\n  #: start = [0]\n]  #: whole = [4]", "bad-blocks"),
            ("l [f8[2]\n #: start = [1]\n, f8[2]]  #: whole = [4]", "bad-blocks"),
            ("l [f8[3], f8[4]]  #: whole = [9]", ""),
            ("l [f8[3], f8[4], f8[3]]  #: whole = [9]", "bad-blocks"),
            ("N : 3\nl [f8[N], f8[N]]  #: whole = [3]", "bad-blocks"),
            ("N : i4\nl [f8[N], f8[N]]  #: whole = [3]", ""),
            ("C {\"\" = f4[2, 3]}\nl [C -> zlib[9], C]  #: whole = [4, 3]", ""),
            ("P {x = f4}\nl [P[2], P[2]]  #: whole = [4]", ""),
            ("P {x = f4}  Q {x = f4}\nl [P[2], Q[2]]  #: whole = [4]", "bad-blocks"),
            ("l [{n : u1  x = u1[n]}[2]]  #: whole = [2]", "bad-blocks"),
            ("l [f9[2]]  #: whole = [4]", "unknown-type"),
            ("x = f8[2]  #: whole = [4]", "bad-blocks"),
            ("x = f8[2]  #: whole = 4", ""),
        ] {
            let found: Vec<_> =
                check(layout.as_bytes()).diagnostics.iter().map(|it| it.code).collect();
            let found: Vec<_> = found.into_iter().filter(|it| !it.starts_with("ext-")).collect();
            assert_eq!(found.join(" "), expected, "{layout}");
            // Attributes are comments to the code that does not ask for the list.
            let read = check_to_read(layout.as_bytes()).layout.is_some();
            assert_eq!(read, expected != "unknown-type");
        }
    }
}
