//! Formatting: the canonical text of a layout is its own canonical text, and means the same.

use dudley_parser::layout::{DocKey, ROOT};
use dudley_parser::resolve::{Event, Flow, Found, Given, NoValues, Resolver, State, WalkOptions};
use dudley_parser::{Layout, Severity};

/// See the head of the file.
pub(super) fn fmt(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(formatted) = dudley_parser::format::format(text) else { return };
    let again = dudley_parser::format::format(&formatted);
    assert_eq!(again.as_deref(), Ok(&*formatted), "formatting once more changes it");
    let (before, after) =
        (dudley_parser::check(text.as_bytes()), dudley_parser::check(formatted.as_bytes()));
    let codes = |checked: &dudley_parser::Checked| {
        checked.of(Severity::Error).map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&before), codes(&after), "formatting changes what is wrong:\n{formatted}");
    if let (Some(before), Some(after)) = (before.layout, after.layout) {
        assert_eq!(meaning(&before), meaning(&after), "formatting changes the meaning");
    }
}

/// What a layout declares, where it lies as far as that is known, and what is said of it.
fn meaning(layout: &Layout) -> Vec<String> {
    let mut said = vec![format!("{:?}", layout.order()), about(layout, DocKey::LAYOUT)];
    said.push(about(layout, DocKey::SUMMARY));
    let (given, mut state) = (Given::default(), State::new());
    let mut resolver = Resolver::new(layout, &given, &NoValues, &mut state);
    let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
        said.push(line(resolver, &event));
        if said.len() < 10_000 { Flow::Continue } else { Flow::Stop }
    };
    resolver.walk(WalkOptions::elide_above(8), &mut visit);
    said
}

fn line(resolver: &mut Resolver<'_>, event: &Event<'_>) -> String {
    let layout = resolver.layout();
    let (what, span) = match &event.found {
        // What is said of the root is said of the layout.
        Found::Dict(ROOT) => return event.path.to_owned(),
        Found::Dict(id) => (String::new(), layout[*id].span),
        Found::List { list, length } => (format!("{:?}", length.as_ref().ok()), layout[*list].span),
        Found::Array { array, placed, .. } => {
            let array = &layout[*array];
            let shape = resolver.shape(array).ok();
            let what = format!("{:?} {shape:?} {:?}", array.element, placed.as_ref().ok());
            (what, array.span)
        }
        Found::Param { param, placed } => {
            let what =
                format!("{:?} {:?}", layout[*param].value, placed.as_ref().map(|it| it.is_ok()));
            (what, layout[*param].span)
        }
        Found::Elided { repetitions, .. } => return format!("{} {repetitions}", event.path),
    };
    format!("{} {what} {}", event.path, about(layout, DocKey::of(span)))
}

/// Documentation and attributes.
fn about(layout: &Layout, key: DocKey) -> String {
    let doc: Vec<&str> = layout.doc(key).collect();
    let attributes: Vec<_> =
        layout.attributes(key).iter().map(|it| format!("{} {:?}", it.name, it.value)).collect();
    format!("{doc:?} {attributes:?}")
}
